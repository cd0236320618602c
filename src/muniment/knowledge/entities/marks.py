"""What a text says beside a name to tell its bearer from others of the name: "my sister Luna", "Sarah Chen the plumber".

Rule of this file: pure. A mark is kept as an alias of the kind `mark`, so that it goes with the record that says it; it is no
name, no key, and never shared upwards. Marks of two groups that exclude each other are not one being's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

from muniment.knowledge.entities import words_marks as tables
from muniment.knowledge.values import Alias, Entity, Evidence, Mention

MARK = "mark"
"""The kind of an alias that tells apart and names nothing."""

OTHER = "another"
_NEAR = 48
_AGES = 5
"""Years by which told ages may differ beyond the time between: people round, and speak of birthdays to come."""

_YEAR = 365.25
_CORRECTED = re.compile(r"\b(?:actually|sorry|correction|meant|mistake|wrong|misspoke)\b|\bnot \d", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?P<other>\b(?:another|a different|the other|a second) )$"
    r"|\b(?:my|our|his|her|their|[\w'\u2019-]+['\u2019]s) (?:[a-z-]+ ){0,2}?(?P<word>[a-z]+),? (?:named |called )?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:, (?:the|our|my|an?)| (?P<the>the)) (?P<word>[a-z]+)\b(?! [A-Z])"
    r"|,? (?:from|in|of) (?P<of>[a-z]+|HR|IT)\b(?! (?:to|and)\b)"
    r"|(?: is(?: now)?| turned|,) (?P<age>\d{1,3})(?: years?[ -]old| yo\b|(?=\s*[.,;!]|\s*$))"
)


def marks_of(text: str, mention: Mention) -> tuple[str, ...]:
    """The marks a text tells right beside a name, as "sister", "plumber", "from accounting", "aged 34", "another"."""
    if mention.start >= mention.end or mention.kind not in ("person", ""):
        return ()
    found: list[str] = []
    before = _BEFORE.search(text[max(0, mention.start - _NEAR) : mention.start])
    if before:
        word = (before["word"] or "").lower()
        found += [OTHER] if before["other"] else [_plain(word)] if _group(word) else []
    after = _AFTER.match(text[mention.end : mention.end + _NEAR])
    if after and after["word"]:
        word = after["word"].lower()
        found += [_plain(word)] if _group(word) and (not after["the"] or word in tables.CALLINGS) else []
    elif after and after["of"] and after["of"].lower() in tables.DEPARTMENTS:
        found.append(f"from {after['of'].lower()}")
    elif after and after["age"] and mention.kind == "person" and not _CORRECTED.search(text):
        found.append(f"aged {int(after['age'])}")
    return tuple(dict.fromkeys(found))


def mark_aliases(marks: Iterable[str], evidence: Evidence) -> tuple[Alias, ...]:
    """Marks as they are kept with an entity."""
    return tuple(Alias(text=mark, kind=MARK, evidence=(evidence,)) for mark in marks)


def names_of(entity: Entity) -> tuple[Alias, ...]:
    """The aliases of an entity that name it, without its marks."""
    return tuple(alias for alias in entity.aliases if alias.kind != MARK)


def shares_mark(marks: Iterable[str], entity: Entity) -> bool:
    """True when one of `marks` is told of the entity already."""
    own = {alias.text for alias in entity.aliases if alias.kind == MARK}
    return not own.isdisjoint(marks)


def tells_apart(marks: Iterable[str], at: datetime | None, entity: Entity) -> bool:
    """True when a mark, told at this time, cannot be said of the being that the entity's marks speak of."""
    own = [alias for alias in entity.aliases if alias.kind == MARK]
    told = {alias.text for alias in own}
    for mark in marks:
        if mark in told:
            return False
        if mark == OTHER or any(_exclude(mark, at, alias) for alias in own):
            return True
    return False


def _plain(word: str) -> str:
    """A relation's or a pet's word as it is kept: mum and mother are one."""
    return tables.KIN.get(word) or tables.PETS.get(word) or word


def _group(word: str) -> str:
    groups = (
        ("kin", tables.KIN),
        ("love", tables.LOVE),
        ("above", tables.ABOVE),
        ("beside", tables.BESIDE),
        ("pet", tables.PETS),
        ("calling", tables.CALLINGS),
    )
    return next((name for name, words in groups if word in words), "")


_APART = {
    frozenset({"kin", "love"}),
    frozenset({"kin", "pet"}),
    frozenset({"love", "pet"}),
    frozenset({"above", "pet"}),
    frozenset({"beside", "pet"}),
    frozenset({"calling", "pet"}),
    frozenset({"above", "beside"}),
    frozenset({"kin"}),
    frozenset({"pet"}),
    frozenset({"calling"}),
}
"""Groups of which two different words are not said of one being."""


def _exclude(mark: str, at: datetime | None, alias: Alias) -> bool:
    other = alias.text
    ages = [int(one.removeprefix("aged ")) for one in (mark, other) if one.startswith("aged ")]
    if len(ages) == len((mark, other)):
        since = next((proof.said_at for proof in alias.evidence if proof.said_at is not None), None)
        years = abs((at - since).days) / _YEAR if at and since else 0.0
        return abs(ages[0] - ages[1]) > _AGES + years
    for one, two in ((mark, other), (other, mark)):
        if one.startswith("from "):
            return two in tables.OUTSIDE or _group(two) == "pet"
    return frozenset({_group(mark), _group(other)}) in _APART


__all__ = ["MARK", "OTHER", "mark_aliases", "marks_of", "names_of", "shares_mark", "tells_apart"]
