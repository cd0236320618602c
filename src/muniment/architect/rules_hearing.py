"""What one line of a use case asks for outright, wish by wish, and what of it is not understood.

Rule of this file: one clause at a time, in linear time. A wish is taken only where the words leave no doubt; the rest is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from muniment.architect.rules_shapes import LONGEST, span_of
from muniment.architect.rules_usecase import Line, Part
from muniment.architect.words_usecase import GENERAL, NUMBERS, PERSONAL, PLAIN, REMEMBERED
from muniment.knowledge.architecture import Keep

_CLAUSE: Final = re.compile(r"(?<=[.!?])\s+|;")
_VERB: Final = (
    r"\b(?:keeps?|kept|retain(?:s|ed)?|store[sd]?|delete[sd]?|erase[sd]?|forgets?|forgotten|purge[sd]?|expire[sd]?"
    r"|remember(?:s|ed)?)\b"
)
_LENGTH: Final = rf"([0-9]{{1,5}}|{'|'.join(NUMBERS)})[\s-](hours?|days?|weeks?|months?|years?)\b"
_LIVES: Final = re.compile(
    rf"{_VERB}([^.;\n]{{0,60}}?)\b(?:for|after|within|in|during|longer than|older than|more than)\s{{1,3}}"
    rf"(?:at most\s|up to\s)?{_LENGTH}",
    re.IGNORECASE,
)
_ABOUT_TIME: Final = re.compile(rf"{_VERB}[^.;\n]{{0,60}}?\b{_LENGTH}|\bafter\s{_LENGTH}[^.;\n]{{0,30}}?{_VERB}", re.IGNORECASE)
_UNUSED: Final = re.compile(
    r"\b(?:not|never|nobody|no one|\w{1,10}n't)\s(?:\w{1,12}\s){0,3}?(?:used|recalled|accessed|needed|asked|retrieved|read)\b"
    r"|\bunused\b",
    re.IGNORECASE,
)
_STORE: Final = (
    r"(?:stor(?:e|es|ed|ing)|keep(?:s|ing)?|kept|remember(?:s|ed|ing)?|sav(?:e|es|ed|ing)|record(?:s|ed|ing)?|log(?:s|ged|ging)?"
    r"|retain(?:s|ed|ing)?|collect(?:s|ed|ing)?|memori[sz](?:e|es|ed|ing))\b"
)
_NEVER: Final = re.compile(rf"\b(?:never|not|cannot|\w{{1,10}}n't|dont|no|without)\b([^.;\n]{{0,30}}?)\b{_STORE}", re.IGNORECASE)
_BARE_STORE: Final = re.compile(rf"\W{{0,4}}{_STORE}", re.IGNORECASE)
_LEAD: Final = r"(?:^\W{0,4}|\b(?:please|always|never|not|must|should|shall|will|to|and|then)\s)"
_HANDLED: Final = {
    keep: re.compile(rf"(?:{_LEAD}(?:{stems})e?s?|\b(?:{stems})ed)\b", re.IGNORECASE)
    for keep, stems in (
        (Keep.MASK, "mask|redact|anonymi[sz]"),
        (Keep.TOKENISE, "tokeni[sz]|pseudonymi[sz]"),
        (Keep.REFUSE, "refus|reject"),
    )
}
_GONE: Final = re.compile(
    rf"{_LEAD}(?:forget|delete|erase|wipe|purge|destroy|discard|drop|omit|exclude|avoid|hide|remove|strip|scrub|encrypt)\b",
    re.IGNORECASE,
)
_LAW: Final = re.compile(r"\b(?:gdpr|hipaa|ccpa)\b", re.IGNORECASE)
_PRIVACY: Final = re.compile(
    r"\b(?:privacy|personal data|personal information|pii|anonym\w{1,10}|sensitive|consent|confidential\w{0,5}|discreet\w{0,2}"
    r"|discretion|secrecy|disclos\w{1,4}|leak(?:s|ed|ing)?|shar(?:e|es|ed|ing)\b[^.;\n]{0,60}?\b(?:between|across|among|outside))\b",
    re.IGNORECASE,
)
_UNLESS: Final = re.compile(r"\b(?:unless|except|but|if|when|while|until)\b", re.IGNORECASE)
_BESIDE: Final = re.compile(
    r"\b(?:unless|except|but|if|when|while|until|even|because|since|so|in|from|for|to|on|at|with)\b", re.IGNORECASE
)
_NOT: Final = re.compile(r"\b(?:not|never|no|\w{1,10}n't|without)\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-z0-9]+")
_ITEM: Final = re.compile(r",|\b(?:and|or|nor)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long memories live, after their last evidence or, with `unused`, without being recalled; all, or those of `kinds`."""

    span: timedelta
    kinds: tuple[str, ...] = ()
    unused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Handling:
    """What is done with kinds of personal data before anything is written."""

    keep: Keep
    data: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Off:
    """Kinds of memory that are not kept at all."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear:
    """Words that ask for something about memory or privacy which no rule can be made of."""

    words: str


Wish = Retention | Handling | Off | Unclear


def heard(line: Line, kinds: Sequence[str]) -> Iterator[Wish]:
    """What a line asks for about memory and personal data, where `kinds` are the kinds of memory there are."""
    for clause in _CLAUSE.split(line.text.replace("\u2019", "'")):
        found = list(_retention(clause, kinds))
        if not found or isinstance(found[0], Unclear):
            found = [*_handling(clause, line.part, kinds)] or found
        if not found and (_LAW.search(clause) or (line.part is Part.RULES and _PRIVACY.search(clause))):
            found = [Unclear(words=clause.strip())]
        yield from found


def _retention(clause: str, kinds: Sequence[str]) -> Iterator[Wish]:
    match = _LIVES.search(clause)
    span = _span(match[2], match[3]) if match else None
    if match is None or span is None:
        if _ABOUT_TIME.search(clause):
            yield Unclear(words=clause.strip())
        return
    unused = _UNUSED.search(match[1])
    between = _UNUSED.sub(" ", match[1])
    named, unknown = _kinds_in(between if _telling(between) else clause[: match.start()], kinds)
    if unknown or _UNLESS.search(clause[match.end() :]):
        yield Unclear(words=clause.strip())
    if named or not unknown:
        yield Retention(span=span, kinds=named, unused=bool(unused))


def _span(count: str, unit: str) -> timedelta | None:
    word = unit.lower().removesuffix("s")
    span = span_of(f"{NUMBERS.get(count.lower(), count)} {'h' if word == 'hour' else word}")
    return span if span and timedelta(0) < span <= LONGEST else None


def _handling(clause: str, part: Part, kinds: Sequence[str]) -> Iterator[Wish]:
    never = _NEVER.search(clause)
    if not never and part is Part.OUTSIDE:
        never = _BARE_STORE.match(clause)
    if never:
        yield from _never(clause, never, kinds)
        return
    for keep, verb in _HANDLED.items():
        if match := verb.search(clause):
            data, unknown = _data_in(_object(clause, match))
            negated = bool(_NOT.search(clause[: match.end()]))
            if data and not negated:
                yield Handling(keep=keep, data=data)
            if (data and (negated or unknown)) or (not data and keep is not Keep.REFUSE) or _UNLESS.search(clause):
                yield Unclear(words=clause.strip())
            return
    if match := _GONE.search(clause):
        asked = _object(clause, match)
        if _data_in(asked)[0] or (part is Part.RULES and not REMEMBERED.isdisjoint(_WORD.findall(asked.lower()))):
            yield Unclear(words=clause.strip())


def _never(clause: str, match: re.Match[str], kinds: Sequence[str]) -> Iterator[Wish]:
    asked = _object(clause, match)
    data, unknown = _data_in(asked)
    off, others = _kinds_in(asked, kinds)
    if data:
        yield Handling(keep=Keep.MASK, data=data)
    if off and not others and not _BESIDE.search(clause[match.end() :]):
        yield Off(kinds=off)
    elif unknown or not data or _UNLESS.search(clause):
        yield Unclear(words=clause.strip())


def _object(clause: str, match: re.Match[str]) -> str:
    """What a verb is about: the words behind it up to what is said beside, else those between or in front."""
    behind = _BESIDE.split(clause[match.end() :], maxsplit=1)[0]
    between = match[1] if match.re.groups else ""
    return next((words for words in (behind, between) if _telling(words)), clause[: match.start()])


def _telling(words: str) -> list[str]:
    return [word for word in _WORD.findall(words.lower()) if word not in PLAIN]


def _data_in(words: str) -> tuple[tuple[str, ...], bool]:
    """The kinds of personal data that words name, the longest name first, and whether an item of the list names none."""
    found: dict[str, None] = {}
    unknown = False
    for item in _ITEM.split(words):
        left = f" {' '.join(_WORD.findall(item.lower()))} "
        here: list[str] = []
        for name, kinds in _NAMES:
            if f" {name} " in left:
                left = left.replace(f" {name} ", " ")
                here += kinds
        found.update(dict.fromkeys(here))
        unknown |= not here and bool(_telling(item))
    return tuple(kind for kind in PERSONAL if kind in found), unknown


def _names() -> Iterator[tuple[str, tuple[str, ...]]]:
    folded = {kind: {name.replace("-", " ") for name in names} for kind, names in PERSONAL.items()}
    for name in sorted({name for names in folded.values() for name in names}, key=lambda name: (-len(name), name)):
        yield name, tuple(kind for kind, names in folded.items() if name in names)


_NAMES: Final = tuple(_names())


def _kinds_in(words: str, kinds: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The kinds of memory that words name, and whether they name anything else."""
    forms = {form: kind for kind in kinds for form in _forms(kind.replace("_", " "))}
    left = f" {' '.join(_WORD.findall(words.lower()))} "
    found: dict[str, None] = {}
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        if f" {form} " in left:
            left = left.replace(f" {form} ", " ")
            found[forms[form]] = None
    return tuple(kind for kind in kinds if kind in found), bool(set(left.split()) - PLAIN - GENERAL)


def _forms(name: str) -> tuple[str, ...]:
    return (name, f"{name}s", f"{name}es", f"{name.removesuffix('y')}ies" if name.endswith("y") else name)
