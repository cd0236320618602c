"""Lasting tastes told without "I like": "hiking is so relaxing", "nothing beats a good book", "films are a passion of mine".

Rule of this file: what is praised or run down is a kind of thing, not the one thing at hand; a taste read so is inferred.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract.rules_facts_clauses import Clause, Person
from muniment.ingest.extract.rules_slots import Slot, solid, value_of
from muniment.ingest.extract.words_facts import BAD, CLEFT, GOOD, NO_KIND, NOTHING_BETTER
from muniment.knowledge.values import Modality

_GOOD: Final = re.compile(GOOD, re.IGNORECASE)
_BAD: Final = re.compile(BAD, re.IGNORECASE)
_NO_KIND: Final = re.compile(NO_KIND, re.IGNORECASE)
_BETTER: Final = re.compile(NOTHING_BETTER, re.IGNORECASE)
_CLEFT: Final = re.compile(CLEFT, re.IGNORECASE)
_MOST_WORDS = 4


def taste(clause: Clause) -> Slot | None:
    """The taste a clause about a kind of thing tells of its speaker; None when it tells none."""
    said = clause.predicate
    if clause.person not in (Person.NAMED, Person.THING) or said.verb != "be" or said.past or said.perfect or said.negated:
        return None
    if said.modality is not Modality.ASSERTED or _NO_KIND.match(clause.subject) or not solid(clause.subject):
        return None
    if len(clause.subject.split()) > _MOST_WORDS:
        return None
    liked = _GOOD.match(said.rest)
    if liked is None and not _BAD.match(said.rest):
        return None
    what = clause.subject if clause.subject[1:2].isupper() else clause.subject[0].lower() + clause.subject[1:]
    return Slot(attribute=f"likes:{what.lower()[:60]}", value="likes" if liked else "dislikes")


def praised(text: str) -> tuple[Slot, int, int] | None:
    """The taste in "there is nothing better than …" or "what I enjoy most is …", and where it stands."""
    found = _BETTER.search(text) or _CLEFT.search(text)
    value = value_of(found["v"]) if found else ""
    if found is None or not solid(value):
        return None
    return Slot(attribute=f"likes:{value.lower()[:60]}", value="likes"), found.start(), found.start("v") + len(value)
