"""Which slot a clause fills: a verb's frames over the words behind it, and what "my …" is said to be.

Rule of this file: the first frame that fits wins; a value is cut where a new thought or a time begins, and an empty one fills
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.ingest.extract.rules_facts_verbs import Predicate
from muniment.ingest.extract.words_facts import KIN, VAGUE
from muniment.ingest.extract.words_slots import (
    ABILITIES,
    DIETS,
    FOODS,
    FRAMES,
    JOB_ENDINGS,
    JOBS,
    LANGUAGES,
    LIKING,
    NOT_JOBS,
    PLANS,
    TIER,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """An attribute and what fills it. `old` is the value it takes the place of; `ends` leaves the slot empty.

    `functional` overrides what the architecture says of the attribute.
    """

    attribute: str
    value: str
    old: str = ""
    ends: bool = False
    negated: bool = False
    functional: bool | None = None


MOST_WORDS = 6
_LEAST_TITLE = len("tutor")
_Filler = Callable[[str, str, Predicate, Sequence[str]], Iterator[Slot]]

_CHARACTER: Final = "[^,;.!?()]"
_CHARACTER_OR_DOT: Final = r"(?:[^,;.!?()]|\.(?=\w)|(?<=\bDr)\.|(?<=\bSt)\.|(?<=\bMr)\.|(?<=\bMs)\.|(?<=\bMrs)\.)"
_FRAMES: Final = {
    verb: tuple(
        (re.compile(pattern.replace(_CHARACTER, _CHARACTER_OR_DOT), re.IGNORECASE if "[A-Z]" not in pattern else 0), attribute)
        for pattern, attribute in frames
    )
    for verb, frames in FRAMES.items()
}
_STOP: Final = re.compile(
    r"\s+(?:with|because|since|when|where|while|but|which|who|that|so|if|until|till|after|"
    r"before|again|now|today|currently|right now|already|too|"
    r"as well|anymore|any more|any longer|these days|at the moment|for (?:the|a|an|about|"
    r"almost|over|my|\d+|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"many|several|some|years|months|work|now|fun|school|her|his)|in \d{4}|in (?:the|a|"
    r"an|my|january|february|march|april|may|june|july|august|september|"
    r"october|november|december)|last|this|next|every|ago|yesterday|tomorrow|tonight|on "
    r"(?:my|the|mon|tue|wed|thu|fri|sat|sun)\w*|lol|haha|though|actually|"
    r"and (?:i|my|it|he|she|we|they|am|have|love|is|was|i'm)|and|or|from (?:home|my)|by "
    r"the way|please|instead|to be|here|there|then|(?<=, )not)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_KEEPS_AND: Final = frozenset({"speaks", "wants", "skill", "job", "has", "uses", "plays"})
_STOP_SOFT: Final = re.compile(
    r"\s+(?:because|since|when|while|but|which|so|if|until|till|again|now|today|currently|"
    r"right now|already|too|as well|anymore|any more|any longer|these days|"
    r"at the moment|last|this|next|ago|yesterday|tomorrow|tonight|lol|haha|though|and "
    r"(?:i|my|it|he|she|we|they|am|have|is|was|i'm))\b.*",
    re.IGNORECASE | re.DOTALL,
)
_EDGES: Final = " ,.;:!?\"'\u201c\u201d"
ARTICLE: Final = re.compile(r"^(?:the|(?!(?-i:A) (?:and|or|&)\s)a|an|my|our|some|any)\s+", re.IGNORECASE)
"""An article, which a capital A before "and" is not."""
_LETTER: Final = re.compile(r"[A-HJ-Z]\d?")
AS_TIER: Final = re.compile(rf"\s+{TIER}$", re.IGNORECASE)
_PLAN: Final = re.compile(rf"(?:{PLANS})\b", re.IGNORECASE)
_IS_TIER: Final = re.compile(rf"\b{TIER}\b", re.IGNORECASE)
_DIET: Final = re.compile(rf"(?:{DIETS})\b", re.IGNORECASE)
_LANGUAGE: Final = re.compile(rf"\b(?:{LANGUAGES})\b", re.IGNORECASE)
KIN_OF: Final = {word: attribute for attribute, words in KIN.items() for word in words}
_NUMBER: Final = re.compile(
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|some|many|no|few|couple)\b", re.IGNORECASE
)
_CLUB: Final = re.compile(
    r"\b(?:club|gym|team|group|band|choir|class|league|society|church|association|committee|army|navy|forum|course|program)\b",
    re.IGNORECASE,
)
WORD: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def value_of(text: str, *, soft: bool = False, times: Sequence[str] = ()) -> str:
    """The words of `text` up to where a new thought or a time begins, without an article before them."""
    value = (_STOP_SOFT if soft else _STOP).sub("", " " + text, count=1).strip(_EDGES)
    for time in times:
        at = value.lower().find(time.lower())
        if at > 0 and solid(value[:at]):
            value = value[:at].strip(" ,.;:")
            value = re.sub(r"\s+(?:in|on|at|since|from|until|by|for|around|about)$", "", value)
    return ARTICLE.sub("", value, count=1)


def solid(value: str) -> bool:
    """Whether a value says anything by itself."""
    return any(word.lower() not in VAGUE for word in WORD.findall(value[:120]))


def slots_of(predicate: Predicate, *, first: bool, times: Sequence[str] = ()) -> tuple[Slot, ...]:
    """The slots a predicate fills for its subject. `first` is the first person, who alone may be named by "I'm Ana"."""
    liking = _longing(predicate) or _liking(predicate, times)
    if liking:
        return liking
    verb = predicate.verb
    if predicate.able and verb in ABILITIES and verb not in ("play", "speak"):
        rest = value_of(predicate.rest, times=times)
        return (Slot(attribute="skill", value=f"{verb} {rest}".strip(), negated=predicate.negated),)
    if predicate.past and not (predicate.perfect or predicate.habit) and verb in ("work", "study", "play", "use", "speak"):
        return ()
    for pattern, attribute in _FRAMES.get(verb, ()):
        found = pattern.match(predicate.rest)
        if found is None:
            continue
        groups = found.groupdict()
        slots = tuple(_fill(attribute, groups.get("v") or "", groups.get("old") or "", predicate, times))
        if slots:
            return tuple(_ended(slot, predicate) for slot in slots)
    if verb == "be" and first and not predicate.negated and (name := _NAME.match(predicate.rest)):
        return (Slot(attribute="name", value=name[0]),)
    return ()


_LONGED: Final = re.compile(
    r"to (?!see\b|hear|find out|know|meet you|talk|(?:read|try|do|use) (?:it|that|this)\b|be )[a-z]+ \w+", re.IGNORECASE
)
_NAME: Final = re.compile(
    r"(?!(?:I|OK|Ok|So|Not|American|Christian|Buddhist|Muslim|Jewish|Catholic|Hindu|Happy|Sorry|Good|Great|Fine|Glad|Sure)\b)"
    r"[A-Z][a-z]+(?: [A-Z][a-z]+)?(?<!ish)(?<!ese)(?<!ian)(?<!can)(?=\s*[.,!]|\s*$| (?:from|at|with|and|by|but|here)\b)"
)


def _ended(slot: Slot, predicate: Predicate) -> Slot:
    """The slot as left behind, when the predicate says that it no longer holds."""
    if slot.attribute == "diet" and slot.negated:
        return slot
    if predicate.ends or predicate.habit:
        return replace(slot, ends=True, negated=False)
    if slot.attribute.startswith("likes:") or slot.ends:
        return slot
    if predicate.past and not predicate.perfect and predicate.verb in ("be", "have", "live", "reside"):
        return replace(slot, ends=True, negated=False)
    return replace(slot, negated=True) if predicate.negated and not slot.ends else slot


def _longing(predicate: Predicate) -> tuple[Slot, ...]:
    """What one can't wait to do."""
    longed = predicate.verb == "wait" and predicate.negated and predicate.able and _LONGED.match(predicate.rest)
    return (Slot(attribute="wants", value=value_of(predicate.rest, soft=True)),) if longed else ()


def _liking(predicate: Predicate, times: Sequence[str]) -> tuple[Slot, ...]:
    said = LIKING.get(predicate.verb)
    if said is None or (predicate.verb == "stand" and not (predicate.negated and predicate.able)):
        return ()
    rest = predicate.rest
    if said in ("loves", "likes", "enjoys") and str(predicate.modality) == "wished":
        wish = rest.startswith("to ") or _DOING.match(rest)
        return (Slot(attribute="wants", value=value_of(rest, soft=True)),) if wish and solid(rest) else ()
    if _NOT_TASTE.match(rest):
        return ()
    value = re.sub(r"^(?:to (?:be |go )?|going |doing |being )", "", value_of(rest, times=times)) or value_of(rest, times=times)
    value = value.split(" more than ")[0].split(" over ")[0].split(" to ")[0] if said == "prefers" else value
    if not solid(value):
        return ()
    if predicate.negated or said == "stands":
        said = {"likes": "dislikes", "loves": "does not love", "enjoys": "does not enjoy", "stands": "cannot stand"}.get(
            said, f"not {said}"
        )
    return (
        Slot(
            attribute=f"likes:{value.lower()[:60]}",
            value=said,
            ends=predicate.ends or predicate.habit,
        ),
    )


_DOING: Final = re.compile(r"[a-z]{3,}ing\b", re.IGNORECASE)
_NOT_TASTE: Final = re.compile(
    r"(?:it|that|this|them|you|your|how|what|when|the (?:sound|idea|way|fact|name|thought)|"
    r"him|her|those|these|one|to (?:hear|see (?:that|it|you)|know))\b",
    re.IGNORECASE,
)


def _fill(attribute: str, value: str, old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    """The slots a frame's groups come to."""
    if attribute in _SPECIAL:
        yield from _SPECIAL[attribute](value, old, predicate, times)
        return
    ends = attribute.endswith("!")
    attribute = attribute.rstrip("!")
    value = value_of(value, soft=attribute in _KEEPS_AND, times=times)
    if attribute == "plan":
        value, old = AS_TIER.sub("", value), AS_TIER.sub("", old)
    if attribute in ("uses", "plays") and not old and (" and " in value or "," in value) and value.count(" ") <= MOST_WORDS:
        for part in re.split(r",? and |, ", re.sub(r" (?:in|for|on|at) .*", "", value)):
            if solid(part) or _LETTER.fullmatch(part):
                yield Slot(attribute=attribute, value=ARTICLE.sub("", part))
    elif ends or solid(value) or attribute == "age":
        yield Slot(attribute=attribute, value=value, old=value_of(old) if old else "", ends=ends)


def is_job(value: str) -> bool:
    """Whether the last word of `value` is one for what somebody does for a living."""
    words = value.lower().split()
    head = words[-1] if words else ""
    return head in JOBS or (
        head not in NOT_JOBS and len(head) >= _LEAST_TITLE and head.endswith(JOB_ENDINGS) and head not in KIN_OF
    )


def _job(value: str, _old: str, _predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
    if is_job(value):
        yield Slot(attribute="job", value=value)


_EMPLOYER: Final = re.compile(r" (?:at|for|with) (?P<v>[A-Z][^,;.!?()]{0,40})")


def _work_as(value: str, old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    if predicate.verb == "be":
        found = list(_job(value, old, predicate, times))
        yield from found
        if found and (employer := _EMPLOYER.match(predicate.rest, predicate.rest.find(value) + len(value))):
            yield Slot(attribute="works_at", value=value_of(employer["v"], times=times).partition(" in ")[0])
        return
    job, _, where = value.partition(" at ")
    if not where:
        job, _, where = value.partition(" for ")
    if solid(job):
        yield Slot(attribute="job", value=value_of(job, times=times))
    if where and solid(place := value_of(where, times=times)) and not _NUMBER.match(where):
        yield Slot(attribute="works_at", value=place)


def _switch(value: str, old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    value, old = value_of(value, times=times), value_of(old) if old else ""
    planned = _IS_TIER.search(predicate.rest) or _PLAN.fullmatch(AS_TIER.sub("", value)) or _PLAN.fullmatch(AS_TIER.sub("", old))
    if diet := _DIET.match(value):
        yield Slot(attribute="diet", value=diet[0].lower())
    elif value.startswith("Dr. "):
        yield Slot(attribute="doctor", value=value, functional=True)
    elif solid(value):
        yield Slot(
            attribute="plan" if planned else "uses", value=AS_TIER.sub("", value) if planned else value, old=AS_TIER.sub("", old)
        )


def _changes(value: str, old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    """A change that names no slot is one of plans, when it says so."""
    yield from (slot for slot in _switch(value, old, predicate, times) if slot.attribute in ("plan", "diet"))


_TAIL: Final = re.compile(r" (?:for|of|with|about|to|in|on|at|from|by|who|that|named|called)\b.*", re.IGNORECASE)


def _has(value: str, _old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    thing = value_of(value, soft=True, times=times)
    if not solid(thing) or thing.lower().startswith(("been ", "to ", "you", "your ")):
        return
    kin = next((KIN_OF[word] for word in (w.lower() for w in WORD.findall(_TAIL.sub("", thing))[:6]) if word in KIN_OF), "")
    if not kin and predicate.past and not predicate.perfect:
        return
    kin = kin or "has"
    if kin == "has" and predicate.verb not in ("have", "be") and predicate.verb == "get":
        kin = "owns" if not thing.lower().startswith(("to", "back", "home")) else kin
    yield Slot(attribute=kin, value=thing)


def _gets(value: str, old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    kin = next((KIN_OF[word] for word in (w.lower() for w in WORD.findall(value)[:6]) if word in KIN_OF), "")
    if kin in ("has_pet", "has_child"):
        yield Slot(attribute=kin, value=value_of(value, soft=True, times=times))
    elif predicate.verb in ("adopt", "rescue"):
        yield from _has(value, old, predicate, times)


def _speaks(value: str, _old: str, _predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
    for language in _LANGUAGE.finditer(value):
        yield Slot(attribute="speaks", value=language[0])


def _likes(value: str, _old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    value = value_of(value, times=times)
    if solid(value):
        turned = predicate.negated or predicate.rest.lower().startswith("not ")
        yield Slot(attribute=f"likes:{value.lower()[:60]}", value="does not like" if turned else "likes")


def _eats(value: str, _old: str, predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
    if predicate.negated or predicate.ends:
        yield Slot(attribute="diet", value=value.lower(), negated=True, functional=False)
    elif re.fullmatch(FOODS, value, re.IGNORECASE) and not predicate.past:
        yield Slot(attribute=f"likes:{value.lower()}", value="eats")


def _joins(value: str, _old: str, _predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    named = value_of(value, times=times).split(" as ")[0]
    if not solid(named):
        return
    yield Slot(attribute="works_at" if named[:1].isupper() and not _CLUB.search(named) else "member_of", value=named)


def _left(value: str, _old: str, _predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    place, _, joined = value.partition(" to join ")
    place = value_of(place, times=times).partition(" to ")[0]
    if solid(place):
        yield Slot(attribute="works_at", value=place, ends=True)
    if solid(joined):
        yield Slot(attribute="works_at", value=value_of(joined, times=times), old=place)


def _job_gone(_value: str, _old: str, predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
    yield Slot(
        attribute="job", value=predicate.rest.split()[-1].lower().strip(".,!") if len(predicate.rest.split()) == 1 else "retired"
    )


def _broke_up(value: str, _old: str, _predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
    yield Slot(attribute="relationship", value="", old=value, ends=True)


def _marries(value: str, _old: str, _predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    yield Slot(attribute="relationship", value=f"married to {value_of(value, times=times)}".removesuffix(" to "))


def _constant(attribute: str, value: str) -> _Filler:
    def fill(_value: str, _old: str, _predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
        yield Slot(attribute=attribute, value=value)

    return fill


def _visited(value: str, _old: str, predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    value = value_of(value, times=times)
    if (predicate.past or predicate.perfect) and value[:1].isupper() and solid(value):
        yield Slot(attribute="visited", value=value)


def _ended_plan(value: str, _old: str, _predicate: Predicate, _times: Sequence[str]) -> Iterator[Slot]:
    yield Slot(attribute="plan", value=AS_TIER.sub("", value), ends=True)
    yield Slot(attribute="subscription_status", value="cancelled")


def _born(value: str, _old: str, _predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    dated = any(c.isdigit() for c in value)
    yield Slot(
        attribute="birthday" if dated else "origin", value=value.partition(" in ")[0] if dated else value_of(value, times=times)
    )


def _origin(value: str, _old: str, _predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    value = value_of(value, times=times)
    if solid(value) and (value[:1].isupper() or len(value.split()) == 1):
        yield Slot(attribute="origin", value=value)


_STREET: Final = re.compile(r"\d{1,5}[A-Za-z]? [A-Z]|[A-Z][\w.-]+(?: [A-Z]?[\w.-]+)* \d{1,4}[a-z]?$")
"""A house by its number and street, which is in a town and not one."""


def _lives(value: str, old: str, _predicate: Predicate, times: Sequence[str]) -> Iterator[Slot]:
    value, old = value_of(value, times=times), value_of(old) if old else ""
    if _PLAN.fullmatch(AS_TIER.sub("", value)) and (not old or _PLAN.fullmatch(AS_TIER.sub("", old))):
        yield Slot(attribute="plan", value=AS_TIER.sub("", value), old=AS_TIER.sub("", old))
    elif solid(value) and len(value.split()) <= MOST_WORDS and value not in times:
        yield Slot(attribute="address" if _STREET.match(value) else "lives_in", value=value, old=old)


_SPECIAL: Final[dict[str, _Filler]] = {
    "job": _work_as,
    "switches": _switch,
    "changes": _changes,
    "has": _has,
    "gets": _gets,
    "speaks": _speaks,
    "likes": _likes,
    "eats": _eats,
    "joins": _joins,
    "left": _left,
    "job_gone": _job_gone,
    "marries": _marries,
    "relationship!": _broke_up,
    "divorced": _constant("relationship", "divorced"),
    "paused": _constant("subscription_status", "paused"),
    "active": _constant("subscription_status", "active"),
    "visited": _visited,
    "plan!": _ended_plan,
    "born": _born,
    "origin": _origin,
    "lives_in": _lives,
}
