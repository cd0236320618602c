"""What a tool's JSON says of the things and people a conversation is about; the rest of it stays in the record and is no memory.

Rule of this file: pure and linear. A statement is a leaf of an object that was asked for: its name or id was said or asked for
just before, or is the user's own. Each is untrusted, and words that would steer an agent are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract import rules_classify as classify
from muniment.ingest.extract import words_results as words
from muniment.ingest.extract.rules_sentence import Function
from muniment.ingest.extract.words_admit import COMMANDING
from muniment.ingest.extract.words_slots import SAID_AS
from muniment.knowledge.values import Candidate, Evidence, Extraction, Mention, Refusal
from muniment.types import Kind, Record, Role, Trust

MOST, MOST_PLAIN = 20, 8
"""Statements of one result, and those among them that fill no slot."""
EXTRACTOR: Final = "rules:result"
REPORTED: Final = 0.75

Path = tuple[str | int, ...]

_TOKEN: Final = re.compile(r'\s*+(?:"([^"\\]*+(?:\\.[^"\\]*+)*+)"|([^\s"\[\]{},:]++)|([\[\]{},:]))', re.DOTALL)
_COMMANDING: Final = re.compile(COMMANDING, re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KEY: Final = re.compile(r"[^\W\d][\w -]{0,39}")
_MACHINE: Final = re.compile(
    r"(?:https?|ftp|data|mailto):\S|</?[a-z!]|\d{4}-\d\d-\d\d[T ]\d|[0-9a-f]{16,}$|[0-9a-f]{8}-[0-9a-f]{4}-|\S{60}|[\[{].*[\]}]$",
    re.IGNORECASE,
)
_DEPTH: Final = 64
_MOST_VALUE, _MOST_WORDS, _MOST_ROW = 200, 25, 5
_LEAST_NAME, _LEAST_ID = 3, 2
_WHOLE_SENTENCE = 4
_HEARD = 4000


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of a JSON text that is no object or list: its path, what it says, and the characters where it stands."""

    path: Path
    value: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The nearest key above it, in snake case."""
        return next((snake(part) for part in reversed(self.path) if isinstance(part, str)), "")


@dataclass(frozen=True, slots=True)
class Thing:
    """What an object of the JSON stands for: how it is called, where that stands, and whether it was asked for."""

    name: str
    start: int
    end: int
    person: bool
    asked: bool


def read_result(record: Record, before: Sequence[Record]) -> Extraction | None:
    """What a tool's result in JSON says, or None when it says nothing or is no such thing. After `MOST` statements it ends."""
    if record.role is not Role.TOOL and record.kind is not Kind.TOOL_RESULT:
        return None
    text = record.text
    if not looks_json(text):
        return _nothing(record) if record.metadata.get("media") == "application/json" and "blob" in record.metadata else None
    known = _Known(record, before)
    found = list(leaves(text)) if known.heard else []
    things = _things(found, known)
    refusals: list[Refusal] = []
    told: list[Candidate] = []
    plain = 0
    for leaf in found:
        if MOST in (len(told), len(refusals)):
            break
        place = next((leaf.path[:n] for n in range(len(leaf.path) - 1, -1, -1) if leaf.path[:n] in things), None)
        if place is None or not things[place].asked or _set_apart(leaf, place) or not _says(leaf):
            continue
        if _commands(leaf.value):
            refusals.append(Refusal(reason="untrusted_instruction", evidence=_proof(record, leaf), kind="instruction"))
        elif (one := _statement(record, leaf, things[place], place)) is not None:
            plain += not one.attribute
            if one.attribute or plain <= MOST_PLAIN:
                told.append(one)
    if not told and not refusals:
        return None
    named = {mention: None for candidate in told for mention in candidate.mentions}
    return Extraction(record=record.id, candidates=tuple(told), mentions=tuple(named), refusals=tuple(refusals))


def looks_json(text: str) -> bool:
    """True for a text that begins and ends as a JSON object or list does."""
    head, tail = text[:64].lstrip()[:2], text[-64:].rstrip()[-1:]
    return (head[:1], tail) in {("{", "}"), ("[", "]")} and head[1:] in {"{", "[", '"', "\n", "\r", "\t", " ", "}", "]"}


def leaves(text: str) -> Iterator[Leaf]:
    """The leaves of a JSON text in order, as far as it is one."""
    path: list[str | int] = []
    named, at = False, 0
    while token := _TOKEN.match(text, at):
        at = token.end()
        string, plain, mark = token.groups()
        if mark:
            if (mark in "{[" and len(path) == _DEPTH) or (mark in "}]" and not path):
                return
            _walk(path, mark)
            named = mark in ":}]"  # else a name comes next, if this is an object
        elif path and isinstance(path[-1], str) and not named:
            path[-1] = _spelled(string or "")
        elif path:
            group = 2 if string is None else 1
            value = plain if string is None else _spelled(string)
            yield Leaf(tuple(path), " ".join(value.split()), token.start(group), token.end(group))


def _walk(path: list[str | int], mark: str) -> None:
    """Go down, up or on, as a sign of punctuation says."""
    if mark in "{[":
        path.append("" if mark == "{" else 0)
    elif mark in "}]":
        path.pop()
    elif mark == "," and path and isinstance(path[-1], int):
        path[-1] += 1
    elif mark == "," and path:
        path[-1] = ""


def snake(key: str) -> str:
    """A key in snake case: "phoneNumber" and "Phone number" are phone_number."""
    return "_".join(_WORD.findall(_HUMP.sub("_", key))).lower()


def _spelled(string: str) -> str:
    """What a JSON string says, without what cannot be kept."""
    if "\\" not in string:
        return string
    try:
        said = str(json.loads(f'"{string}"', strict=False))
    except ValueError:
        return string
    return said.replace("\0", " ").encode(errors="replace").decode()


class _Known:
    """What a result can be about: what a user just spoke of, what tools were asked for, and the user's own id.

    What assistants and other tools said is not enough: they name much that nobody asked for.
    """

    def __init__(self, record: Record, before: Sequence[Record]) -> None:
        own = [one for one in before if one.role is Role.USER]
        said = [*(one.text[-_HEARD:] for one in own), *(one.speaker for one in own if one.speaker != Role.USER.value)]
        said.append(record.scope.user or "")
        asked = [call.arguments[:_HEARD] for one in before for call in one.tool_calls]
        self.called = frozenset(_WORD.findall("\n".join(said).casefold()))
        words_said = _WORD.findall("\n".join([*said, *asked]).casefold())
        self.heard = f" {' '.join(words_said)} " if words_said else ""
        calls = (call for one in reversed(before) for call in one.tool_calls if call.id == record.tool_call_id)
        call = next(calls, None)
        self.asked = list(leaves(call.arguments[:_HEARD])) if call else []

    def speaks_of(self, value: str, *, person: bool) -> bool:
        """True when a name or id was said; of the name of the one `person` a result is about, a part that a user said will do."""
        low = value.casefold()
        parts = _WORD.findall(low)
        if (
            person
            and "@" not in low
            and any(part in self.called for part in parts if len(part) >= _LEAST_NAME and part.isalpha())
        ):
            return True
        return sum(map(len, parts)) >= _LEAST_ID and f" {' '.join(parts)} " in self.heard


def _things(found: Sequence[Leaf], known: _Known) -> Mapping[Path, Thing]:
    """The objects that have a name or an id, by their path; the whole result is what its call asked for, when it has none."""
    objects: dict[Path, dict[str, Leaf]] = {}
    for leaf in found:
        if isinstance(leaf.path[-1], str) and leaf.value:
            objects.setdefault(leaf.path[:-1], {}).setdefault(snake(leaf.path[-1]), leaf)
    things: dict[Path, Thing] = {}
    for path, keys in objects.items():
        own = path[:-1] if path and path[-1] == "name" else path
        if own not in things and (thing := _thing(own, keys, known)) is not None:
            things[own] = thing
    if found and isinstance(found[0].path[0], str) and () not in things:
        keys = {snake(str(leaf.path[-1])): leaf for leaf in known.asked if len(leaf.path) == 1}
        if (asked := _thing((), keys, known)) is not None:
            things[()] = Thing(asked.name, 0, 0, asked.person, asked=True)
    return things


def _thing(path: Path, keys: Mapping[str, Leaf], known: _Known) -> Thing | None:
    first = next((keys[key] for key in words.FIRST_NAME if key in keys), None)
    last = next((keys[key] for key in words.LAST_NAME if key in keys), None)
    named = next((keys[key] for key in words.NAME_KEYS if key in keys), None)
    ids = [leaf for key, leaf in keys.items() if key in words.PERSON_IDS or key == "id" or key.endswith(("_id", "_number"))]
    owner = snake(str(path[-1])) if path else ""
    person = bool((first and last) or owner in words.PERSONS or any(key in words.PERSON_IDS for key in keys if named or first))
    person = person or (bool(ids) and ids[0].key in words.PERSON_IDS)
    if first and last:
        name, start, end = f"{first.value} {last.value}", min(first.start, last.start), max(first.end, last.end)
    elif named or ids:
        leaf = named or ids[0]
        name, start, end = _called(leaf, owner), leaf.start, leaf.end
    else:
        return None
    also = [leaf.value for leaf in ids if leaf.key in words.PERSON_IDS or leaf.key == "id"] if person else []
    main = ids[:1] if not (first and last) else []
    alone = not any(isinstance(part, int) for part in path)
    asked = known.speaks_of(name if first or named else ids[0].value, person=person and alone and bool(first or named))
    asked = asked or any(known.speaks_of(value, person=False) for value in (*also, *(leaf.value for leaf in main)))
    return Thing(name, start, end, person, asked)


def _called(leaf: Leaf, owner: str) -> str:
    """A name as it is; an id behind the word for what it is of."""
    noun = leaf.key.removesuffix("_id").removesuffix("_number") if leaf.key != "id" else owner
    if leaf.key in words.NAME_KEYS or leaf.key in words.PERSON_IDS or not noun or noun == "id":
        return leaf.value
    return f"{noun.replace('_', ' ')} {leaf.value}"


def _set_apart(leaf: Leaf, place: Path) -> bool:
    """True when the leaf is of a part of the thing that stands in a list, or of a long row of values."""
    between = leaf.path[len(place) : -1]
    last = leaf.path[-1]
    return any(isinstance(part, int) for part in between) or (isinstance(last, int) and last >= _MOST_ROW)


def _says(leaf: Leaf) -> bool:
    """True for a value that a person could read: no id, hash, address, markup, time or switch, and not too long."""
    key, value = leaf.key, leaf.value
    if value.casefold() in words.EMPTY_VALUES or len(value) > _MOST_VALUE or value.endswith("?"):
        return False
    if (
        key.endswith("id")
        or key in words.EMPTY_KEYS
        or key.rpartition("_")[2] in words.EMPTY_KEYS
        or not all(_KEY.fullmatch(part) for part in leaf.path if isinstance(part, str))
    ):
        return False
    return classify.length(value) <= _MOST_WORDS and any(c.isalnum() for c in value) and not _MACHINE.match(value)


def _commands(value: str) -> bool:
    """Words that would steer an agent, which a tool has no right to."""
    whole = classify.length(value) >= _WHOLE_SENTENCE
    return _COMMANDING.search(value) is not None or (whole and classify.function_of(value) is Function.INSTRUCTION)


def _statement(record: Record, leaf: Leaf, thing: Thing, place: Path) -> Candidate | None:
    """One leaf as a statement of its thing, or None when it only names it."""
    key = leaf.key
    slot = words.SLOTS.get(key) or (words.PERSON_SLOTS.get(key, "") if thing.person else "")
    if thing.name.endswith(leaf.value) or (slot == "name" and len(leaf.path) > len(place) + 1):
        return None
    label = " ".join(snake(part).replace("_", " ") for part in leaf.path[len(place) :] if isinstance(part, str))
    said = SAID_AS.get(slot, f"'s {slot.replace('_', ' ')} is") if slot else f"'s {label}:"
    kind = "person" if thing.person else ""
    named = (Mention(text=thing.name, start=thing.start, end=thing.end, kind=kind),) if thing.end and thing.person else ()
    return Candidate(
        kind="fact",
        text=f"{thing.name}{said} {leaf.value}",
        subject=thing.name,
        evidence=_proof(record, leaf),
        role=record.role,
        attribute=slot,
        value=leaf.value if slot else "",
        speaker=record.speaker,
        mentions=named,
        confidence=REPORTED,
        trust=Trust.UNTRUSTED,
        extractor=EXTRACTOR,
    )


def _proof(record: Record, leaf: Leaf) -> Evidence:
    return Evidence(record=record.id, start=leaf.start, end=leaf.end, said_at=record.said_at, speaker=record.speaker)


def _nothing(record: Record) -> Extraction:
    """A dump: all of it refused in one."""
    whole = Evidence(record=record.id, start=0, end=len(record.text), said_at=record.said_at, speaker=record.speaker)
    return Extraction(record=record.id, refusals=(Refusal(reason="boilerplate", evidence=whole, kind="boilerplate"),))
