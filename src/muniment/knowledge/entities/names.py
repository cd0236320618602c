"""A person's name in its parts, and how two names of persons agree.

Rule of this file: what contradicts weighs more than what agrees. The score of two names is the least of its parts, each named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from muniment.knowledge.entities.given import gender as gender_of
from muniment.knowledge.entities.given import is_given, is_short
from muniment.knowledge.entities.spelling import LONGEST, forms, words
from muniment.knowledge.entities.words import (
    AMBIGUOUS_TITLES,
    DEGREES,
    FEMALE_TITLES,
    GENERATIONS,
    MALE_TITLES,
    NICKNAMES,
    PARTICLES,
    TITLES,
)

_OF_GIVEN = frozenset(
    {
        "uncle",
        "aunt",
        "auntie",
        "king",
        "queen",
        "prince",
        "princess",
        "sister",
        "brother",
        "saint",
        "st",
        "lady",
        "sir",
        "father",
        "mother",
    }
)
_CAPITALS = re.compile(r"(?:[A-Z]\.?){2,3}")
_MOST_WORDS = 6
_LEAST_SHORT = 3
_UNSURE_SHORT = 0.85
_BEGINS = 0.94
_FULLER = 2
_ENDINGS = ("ie", "ey", "y", "i")
_MOST_CAPITALS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How far two names may be one thing's: `score` from 0 to 1, its parts by name; `conflict` when they cannot be."""

    score: float = 0.0
    why: Mapping[str, float] = field(default_factory=dict)
    conflict: bool = False


NOTHING = Likeness()


def contradicted(reason: str) -> Likeness:
    """The likeness of what cannot be one thing, for this reason."""
    return Likeness(why={reason: 0.0}, conflict=True)


def of_parts(**parts: float) -> Likeness:
    """The likeness of these parts: the least of them."""
    return Likeness(score=min(parts.values()), why=parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonName:
    """The parts of a person's name in normal words; `single` is one word that may be given name or surname."""

    given: tuple[str, ...] = ()
    surname: str = ""
    single: str = ""
    generation: str = ""
    gender: str = ""
    titled: bool = False
    title: str = ""
    capitals: str = ""


def person_name(text: str) -> PersonName:
    """`text` taken apart as a person's name; every field is empty when it cannot be one."""
    return _person_name(text[:LONGEST])


@lru_cache(maxsize=8192)
def _person_name(text: str) -> PersonName:
    text = text.strip()
    if _CAPITALS.fullmatch(text):
        return PersonName(capitals=text.replace(".", "").casefold(), single=text.replace(".", "").casefold())
    before, comma, after = text.partition(",")
    rest = words(after) if comma else ()
    if rest and rest[0] not in GENERATIONS and rest[0] not in DEGREES:
        text = f"{after} {before}"
    parts = list(words(text))
    titles = []
    while len(parts) > 1 and _is_title(parts, text):
        titles.append(parts.pop(0))
    while len(parts) > 1 and parts[-1] in DEGREES:
        parts.pop()
    generation = GENERATIONS[parts.pop()] if len(parts) > 1 and parts[-1] in GENERATIONS else ""
    if not parts or len(parts) > _MOST_WORDS:
        return PersonName()
    said = "m" if MALE_TITLES & set(titles) else "f" if FEMALE_TITLES & set(titles) else ""
    start = len(parts) - 1
    while start > 0 and parts[start - 1] in PARTICLES and not (start == 1 and is_given(parts[0])):
        start -= 1
    given, surname = _split_capitals(parts[:start], text), " ".join(parts[start:])
    formal = bool(titles) and not _OF_GIVEN & set(titles)
    return PersonName(
        given=given,
        surname=surname if given or (formal and not given) or start < len(parts) - 1 else "",
        single="" if given or formal or start < len(parts) - 1 else surname,
        generation=generation,
        gender=said or gender_of(given[0] if given else "" if formal else surname),
        titled=formal,
        title=said or " ".join(titles),
    )


def _is_title(parts: Sequence[str], text: str) -> bool:
    """True when the first word is a title here: "Don" and "Dean" are names as well."""
    if parts[0] not in AMBIGUOUS_TITLES:
        return parts[0] in TITLES
    return ("." in text[: len(parts[0]) + 1] or not parts[2:]) and not is_given(parts[0])


def _split_capitals(given: list[str], text: str) -> tuple[str, ...]:
    """Given names with "JRR" taken as three initials."""
    first = text.split(" ", 1)[0]
    if (
        given
        and 1 < len(given[0]) <= _MOST_CAPITALS
        and first.isupper()
        and first.casefold() == given[0]
        and text.upper() != text
    ):
        return (*given[0], *given[1:])
    return tuple(given)


def same_given(one: str, other: str) -> float:
    """How far two given names may be one person's: equal, a short form, an initial of the other, or not (0)."""
    if one == other or not set(forms(one)).isdisjoint(forms(other)):
        return 1.0
    if len(one) == 1 or len(other) == 1:
        return 0.93 if one[0] == other[0] else 0.0
    if not NICKNAMES.get(one, frozenset()).isdisjoint(NICKNAMES.get(other, frozenset())):
        return _UNSURE_SHORT if _of_both(one) or _of_both(other) else 0.95
    short, long = sorted((one, other), key=len)
    return _BEGINS if is_short_of(short, long) else 0.0


def is_short_of(short: str, long: str) -> bool:
    """True when `short` is no full given name and begins `long`, but for its ending: "Bea" of "Beatrix", "Joss" of "Joscelin"."""
    full = is_given(short) and not is_short(short)
    if len(short) < _LEAST_SHORT or len(long) < len(short) + _FULLER or full or not short.isalpha():
        return False
    return any(long.startswith(head) for head in heads(short))


@lru_cache(maxsize=4096)
def heads(short: str) -> tuple[str, ...]:
    """The beginnings, of three letters at least, that a short form may stand for: "robbie" for "robb" and "rob"."""
    found = [short, *(short[: -len(end)] for end in _ENDINGS if short.endswith(end))]
    found += [head[:-1] for head in found if head[-2:-1] == head[-1:]]
    return tuple(head for head in dict.fromkeys(found) if len(head) >= _LEAST_SHORT)


def _of_both(short: str) -> bool:
    """True when the full names that a short form may stand for are men's and women's: "Chris", "Sam", "Alex"."""
    return {"m", "f"} <= {gender_of(full) for full in NICKNAMES.get(short, ()) if full != short}


def alike(one: str, other: str) -> Likeness:
    """How far two names of persons may be one person's."""
    a, b = person_name(one), person_name(other)
    if a.gender and b.gender and a.gender != b.gender:
        return contradicted("gender")
    if a.generation and b.generation and a.generation != b.generation:
        return contradicted("generation")
    found = _parts_alike(a, b)
    if found.score and a.generation != b.generation:
        return Likeness(score=min(found.score, 0.8), why={**found.why, "generation": 0.8})
    return found


def _parts_alike(a: PersonName, b: PersonName) -> Likeness:
    if a.surname and a.given and b.surname and b.given:
        return _whole_alike(a, b)
    short, long = (a, b) if not (a.surname and a.given) else (b, a)
    if not (long.given and long.surname):
        return _single_alike(short, long)
    if short.capitals:
        letters = "".join(part[0] for part in (*long.given, long.surname.split()[-1]))
        return of_parts(initials=0.92) if short.capitals in {letters, letters[0] + letters[-1]} else NOTHING
    given = same_given(short.single, long.given[0]) if min(len(short.single), len(long.given[0])) > 1 else 0.0
    if given:
        return of_parts(given_name=given, surname_missing=0.92)
    same = long.surname in {short.single, short.surname}
    return of_parts(surname=1.0, given_name_missing=0.92) if same else NOTHING


def _single_alike(a: PersonName, b: PersonName) -> Likeness:
    single, surname = (a.single or b.single), (a.surname or b.surname)
    if a.single and b.single:
        given = same_given(a.single, b.single) if min(len(a.single), len(b.single)) > 1 else 0.0
        return of_parts(name=min(given, 1.0 if given == 1.0 else 0.92)) if given else NOTHING
    if a.surname and b.surname:
        if a.surname != b.surname:
            return contradicted("surname")
        return of_parts(surname=0.95, title=1.0 if a.title == b.title else 0.85)
    return of_parts(surname=0.93) if single and single == surname else NOTHING


def _whole_alike(a: PersonName, b: PersonName) -> Likeness:
    swapped = {*a.given, a.surname} == {*b.given, b.surname}
    if a.surname != b.surname and set(forms(a.surname)).isdisjoint(forms(b.surname)):
        return of_parts(words=1.0, order=0.85) if swapped else contradicted("surname")
    first = same_given(a.given[0], b.given[0])
    if not first:
        return contradicted("given_name")
    if first == _BEGINS and not (is_short(a.given[0]) or is_short(b.given[0])):
        first = _UNSURE_SHORT  # two whole names of which one begins the other: "Wei Chen" need not be "Weiming Chen"
    middle = 1.0
    for one, other in zip(a.given[1:], b.given[1:], strict=False):
        middle = min(middle, same_given(one, other))
    if not middle:
        return contradicted("middle_name")
    return of_parts(surname=1.0, given_name=first, middle_name=middle if len(a.given) == len(b.given) else 0.9)
