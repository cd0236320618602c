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
from muniment.ingest.extract.rules_slots_renamed import new_name
from muniment.ingest.extract.words_facts import CONDITIONS, EMPTY_VERBS, NO_DEVICE, NUMBERED, STATES, THING_VERBS, VAGUE
from muniment.knowledge.values import Modality

_KINDS: Final = frozenset({"code", "product", "organisation"})
_STATE: Final = re.compile(STATES, re.IGNORECASE)
_NUMBERED: Final = re.compile(NUMBERED)
_CODED: Final = re.compile(r"\d")
_BECAME: Final = re.compile(r"(?<!block)(?<!suspend)ed$|^done$", re.IGNORECASE)
"""States that, told of the past, were come to then and last: "was resolved", but not "was open"."""
_CONDITIONS: Final = tuple((verb, re.compile(pattern, re.IGNORECASE), state) for verb, pattern, state in CONDITIONS)
_NO_DEVICE: Final = re.compile(NO_DEVICE, re.IGNORECASE)
_DEVICE: Final = re.compile(r"(?:the|my|our) [a-z][\w'-]*(?: [a-z][\w'-]*){0,3}$", re.IGNORECASE)
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
    given = new_name(said)
    slot = (
        Slot(attribute="name", value=given, functional=True)
        if given
        else condition(clause)
        if not name and place.personal
        else None
    )
    if slot is not None:
        return Thing(subject=clause.subject, slot=slot)
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


def condition(clause: Clause) -> Slot | None:
    """Whether a device works, as a clause tells it: "my printer is broken", "the heating works again"."""
    said = clause.predicate
    if said.modality is not Modality.ASSERTED or said.habit or not _DEVICE.match(clause.subject):
        return None
    if _NO_DEVICE.match(clause.subject) or YOU.search(clause.after):
        return None
    carries, rest = ("be", clause.after[said.head :]) if said.passive else (said.verb, said.rest)
    for verb, pattern, state in _CONDITIONS:
        if carries == verb and (found := pattern.match(rest)):
            told = state or found["v"].lower()
            if said.negated:
                told = "not working" if told == "works" else f"not {told}"
            over = verb == "be" and said.past and not said.perfect and not said.passive
            return None if over else Slot(attribute="status", value=told, functional=True)
    return None


def _named(clause: Clause, place: Place) -> str:
    """The name or code that stands in the subject."""
    at = place.sentence.start + clause.subject_at
    end = at + len(clause.subject)
    named = (one.text for one in place.context.mentions if at <= one.start < end and one.kind in _KINDS)
    numbered = _NUMBERED.search(clause.subject)
    return next(named, "") or (numbered[0] if numbered else "")
