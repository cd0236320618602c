"""A memory as it may stand on a wider rung: without the names of people, addresses, numbers and handles.

Rule of this file: pure. What may still name somebody is given back, for the caller to refuse: nothing is shared in the hope that
a word is no name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.curate.words_sharing import KIN_OF, NOBODYS, ORDINARY, PEOPLE_DO
from muniment.knowledge.architecture import KindRule
from muniment.knowledge.decisions import DECISION, PARTS
from muniment.knowledge.entities.given import is_given
from muniment.knowledge.entities.marks import names_of
from muniment.knowledge.values import SELF, Entity, Memory, SharingChange
from muniment.text.languages import FUNCTION_WORDS

SOMEONE = "someone"
DEFAULT, NONE = "default", "none"
_HEIGHT = {"customer": 1, "client": 2}

Personal = Callable[[str], Sequence[tuple[str, str]]]
"""The personal data in a text, as it stands there, each with its kind."""

_TOKEN = re.compile(r"\[([a-z_]{2,20}):[\w-]{1,64}\]")
_HANDLE = re.compile(r"(?<![\w@])@\w[\w.-]{0,60}")
_PROFILE = re.compile(r"(?:https?://|www\.)\S*(?:[/.](?:in|u|user|users|profile|people|~)/|@)\S*", re.IGNORECASE)
_CAPITAL = r"[A-Z\u00c0-\u00de][\w'\u2019-]*"
_NAMED = re.compile(
    rf"\b(named|nicknamed|called|name is|names are|goes by)\s+(?!{SOMEONE}\b)[^\W\d_][\w'\u2019-]*(?:\s+{_CAPITAL})*"
)
_KIN = re.compile(rf"\b({KIN_OF})\s+{_CAPITAL}(?:\s+{_CAPITAL})*")
_AGAIN = re.compile(rf"\b{SOMEONE}(?:(?:\s+|,\s*|\s+and\s+){SOMEONE}\b)+")
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019.][^\W_]+)*")
_ENDING = re.compile(r"['\u2019]s?$")
_ENGLISH = FUNCTION_WORDS["english"]
_STOPS = frozenset(".!?:\n")
_MADE = re.compile(r"\d|^[^\W\d_]+[a-z][A-Z]|^[A-Z]{2,6}s?$")
"""Written as no name of a person is: with digits, a capital inside, or in few capitals alone."""
_SURNAME = re.compile(r"^(?:Mc|Mac|O['\u2019]|De|Di|Le|La|Van|Von)[A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Nameless:
    """A memory that says who it is about no more, and the words in it that may still name somebody."""

    memory: Memory
    left: tuple[str, ...]


def wider_than(rung: str, other: str) -> bool:
    """True when the first rung lies above the second; "" and "user" lie above none."""
    return _HEIGHT.get(rung, 0) > _HEIGHT.get(other, 0)


def may_go(rule: KindRule, setting: str) -> str:
    """The widest rung that a kind may go up to: as its customer set it, and never above the architecture's ceiling."""
    asked = rule.share if setting == DEFAULT else "" if setting == NONE else setting
    return rule.share_ceiling if wider_than(asked, rule.share_ceiling) else asked


def latest(changes: Iterable[SharingChange], agent: str, kind: str) -> SharingChange | None:
    """What was set last for this kind of memory of an agent. `changes` come oldest first."""
    return next((one for one in reversed(list(changes)) if (one.agent, one.kind) == (agent, kind)), None)


def nameless(memory: Memory, entities: Collection[Entity], personal: Personal) -> Nameless:
    """`memory` with "someone" for every person it names. `entities` are those that it speaks of."""
    names = people(memory, entities)
    things = _things(memory, entities, names)
    data = [*personal(memory.text), *personal(memory.value)]

    def bare(text: str) -> str:
        return _bare(text, names, [*data, *personal(text)])

    parts = {name: tuple(map(bare, memory.parts[name])) for name in PARTS if name in memory.parts}
    text = bare(re.sub(rf"^{re.escape(SELF)}\b", SOMEONE, memory.text))
    about = SOMEONE if memory.subject in {SELF, *names} else bare(memory.subject)
    fresh = replace(memory, text=text, value=bare(memory.value), attribute=bare(memory.attribute), subject=about, parts=parts)
    said = (fresh.text, fresh.value, fresh.subject, fresh.attribute, *(one for some in parts.values() for one in some))
    return Nameless(memory=fresh, left=tuple(dict.fromkeys(word for words in said for word in _left(words, things))))


def people(memory: Memory, entities: Collection[Entity]) -> tuple[str, ...]:
    """Every name by which people it speaks of are known, longest first; whom it is about is among them if it is somebody."""
    found = {memory.speaker, memory.subject if _is_somebody(memory, entities) else ""} - {SELF, "assistant", ""}
    for entity in entities:
        if entity.kind == "person" and not _is_option(entity.name, memory):
            found |= {entity.name, *(alias.text for alias in names_of(entity))}
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def _things(memory: Memory, entities: Collection[Entity], names: Sequence[str]) -> frozenset[str]:
    """Words that are known to name something that is nobody: other entities, and what was chosen between."""
    known = [one.text for entity in entities if entity.kind not in ("", "person") for one in names_of(entity)]
    known += [entity.name for entity in entities if entity.kind not in ("", "person")]
    known += _options(memory)
    if SELF not in memory.subject and memory.subject not in names:
        known.append(memory.subject)
    sure = _WORD.findall(memory.value) if memory.attribute in NOBODYS else []
    words = [word for name in known for word in _WORD.findall(name) if not is_given(word.casefold())]
    return frozenset(map(_plain, [*sure, *words]))


def _options(memory: Memory) -> tuple[str, ...]:
    if memory.kind != DECISION:
        return ()
    return (memory.value.removeprefix("against "), *memory.parts.get("alternatives", ()))


def _is_somebody(memory: Memory, entities: Collection[Entity]) -> bool:
    """Whether it is about a person, or may be: what is known as another thing, or written small like one, is none."""
    if memory.kind == DECISION or memory.subject in {SELF, memory.speaker}:
        return True
    kinds = [entity.kind for entity in entities if entity.id == memory.subject_id]
    words = memory.subject.split()
    return "person" in kinds if kinds else not all(word.islower() and not is_given(word) for word in words)


def _is_option(name: str, memory: Memory) -> bool:
    """True for what was chosen between and is taken for somebody, though no word of it is a given name that is known."""
    low = name.casefold()
    options = {option.casefold() for option in _options(memory)}
    return any(f" {low} " in f" {option} " for option in options) and not any(map(is_given, low.split()))


def _bare(text: str, names: Sequence[str], data: Sequence[tuple[str, str]]) -> str:
    for words, kind in sorted(data, key=lambda one: -len(one[0])):
        text = text.replace(words, f"[{kind}]")
    text = _TOKEN.sub(r"[\1]", _HANDLE.sub(SOMEONE, _PROFILE.sub("[link]", text)))
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", SOMEONE, text, flags=re.IGNORECASE)
    for part in {part for name in names for part in _WORD.findall(name) if len(part) > 1 and part[0].isupper()}:
        text = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", SOMEONE, text)
    text = _NAMED.sub(rf"\1 {SOMEONE}", text)
    text = _KIN.sub(r"\1", text)
    return _AGAIN.sub(SOMEONE, text)


def _left(text: str, things: Collection[str]) -> Iterator[str]:
    """Words that are written like a name and are not known for another thing; in a script without capitals any may be one."""
    end = 0
    for found in _WORD.finditer(text):
        word, gap = found[0], text[end : found.start()]
        begins = end == 0 or not _STOPS.isdisjoint(gap)
        end = found.end()
        plain = _plain(word)
        if plain in things or _is_ordinary(plain) or (gap.endswith("[") and text[end : end + 1] == "]"):
            continue
        bare = _ENDING.sub("", word)
        caseless = any(letter.isalpha() and letter.upper() == letter.lower() for letter in bare)
        made = _MADE.search(bare) is not None and not _SURNAME.search(bare) and not is_given(bare.casefold())
        does = _WORD.match(text, end + 1)
        somebody = not begins or is_given(plain) or text == word or (does is not None and does[0] in PEOPLE_DO)
        if caseless or (word[0].isupper() and not made and somebody):
            yield word


def _is_ordinary(plain: str) -> bool:
    return plain in ORDINARY or plain.removesuffix("s") in ORDINARY or plain in _ENGLISH


def _plain(word: str) -> str:
    return _ENDING.sub("", word).casefold()
