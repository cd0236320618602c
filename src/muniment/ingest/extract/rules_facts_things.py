"""What is stated of a thing that has a name or a code: its state, and what is told of it plainly.

Rule of this file: the thing must be named, or what is said of it must be concrete; "the weather is nice" tells of nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.rules_facts_clauses import Clause, Person
from muniment.ingest.extract.rules_facts_made import Place
from muniment.ingest.extract.rules_facts_verbs import FORMS
from muniment.ingest.extract.rules_facts_worth import YOU
from muniment.ingest.extract.rules_slots import Slot, solid
from muniment.ingest.extract.words_facts import EMPTY_VERBS, NUMBERED, STATES, THING_VERBS, VAGUE
from muniment.knowledge.values import Modality

_KINDS: Final = frozenset({"code", "product", "organisation"})
_STATE: Final = re.compile(STATES, re.IGNORECASE)
_NUMBERED: Final = re.compile(NUMBERED)
_CODED: Final = re.compile(r"\d")
_BECAME: Final = re.compile(r"(?<!block)(?<!suspend)ed$|^done$", re.IGNORECASE)
"""States that, told of the past, were come to then and last: "was resolved", but not "was open"."""
_CONCRETE: Final = re.compile(r"[A-Z][\w-]* ?v?\d|\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A thing of which something is stated, and its state where that is what is stated."""

    subject: str
    slot: Slot | None = None


def of_thing(clause: Clause, place: Place) -> Thing | None:
    """What `clause` states of a thing; None when it is about no such thing, or says nothing solid of it."""
    said = clause.predicate
    if said.verb in EMPTY_VERBS or said.modality is not Modality.ASSERTED or YOU.search(clause.after):
        return None
    if clause.person not in (Person.NAMED, Person.THING):
        return None
    name = _named(clause, place)
    if not name:
        runs = clause.subject.lower().startswith("the ") and said.verb in THING_VERBS and not said.past
        return Thing(subject=clause.subject) if runs and _CONCRETE.search(said.rest) else None
    told = clause.after[said.head :] if said.passive else said.rest if said.verb == "be" else ""
    state = _STATE.match(told) if not said.negated else None
    if state is not None and (not said.past or _BECAME.search(state["v"])):
        return Thing(subject=name, slot=Slot(attribute="status", value=state["v"].lower(), functional=True))
    judged = said.verb == "be" and not said.past and not _CODED.search(name) and not _CONCRETE.search(said.rest)
    plain = not judged and (said.verb in ("be", "have") or (said.verb in FORMS and said.verb not in VAGUE))
    return Thing(subject=name) if plain and solid(said.rest) else None


def _named(clause: Clause, place: Place) -> str:
    """The name or code that stands in the subject."""
    at = place.sentence.start + clause.subject_at
    end = at + len(clause.subject)
    named = (one.text for one in place.context.mentions if at <= one.start < end and one.kind in _KINDS)
    numbered = _NUMBERED.search(clause.subject)
    return next(named, "") or (numbered[0] if numbered else "")
