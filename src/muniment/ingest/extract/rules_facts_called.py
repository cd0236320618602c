"""What speakers call themselves, and who said what is reported of them.

Rule of this file: a short form of a name is one way to call somebody, never instead of their name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from muniment.ingest.extract.rules_facts_made import INFERRED, Place
from muniment.ingest.extract.rules_facts_reword import reworded
from muniment.ingest.extract.rules_slots import Slot
from muniment.knowledge.values import SELF, Candidate

_INTRODUCED: Final = re.compile(
    r"(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood \w+)(?: there| all| team)?[\s,.!-]+)?(?:[Tt]his "
    r"is (?P<a>[A-Z][\w.'-]*(?: [A-Z][\w'-]*){0,2})(?= (?:calling|from|speaking|here|with|"
    r"at|again)\b|[,!-]|\.?$)"
    r"|(?:[Ii]t's )?(?P<b>[A-Z][\w'-]*\.?(?: [A-Z][\w'-]*){0,2}) (?:here|speaking)(?=[\s,.!-]|$)(?! (?:is|are|was|in|to|for)\b))"
)
_TOLD_BY: Final = re.compile(
    r"(?P<who>(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er|[Tt]heir) [\w'-]+(?: [\w'-]+)?|[A-Z][\w'.-]+(?: [A-Z][\w'-]+)?) "
    r"(?:has |just |always |also |keeps )?(?:said|says|saying|told (?:me|us)|tells (?:me|us)|advised|thinks|recommended|"
    r"suggested|insisted|insists|suggests|recommends|believes)(?: that)?[,:]? *$"
)
_INITIALS = 3
_REPORT = 80
"""Characters before reported words in which whoever said them is looked for."""


def called(slot: Slot, subject: str) -> Slot | None:
    """A name by which somebody calls themselves whose name is known: nothing where it is that name, else another of theirs."""
    if slot.value.casefold() == subject.casefold() and slot.attribute in ("name", "alias"):
        return None
    if slot.attribute != "name" or subject == SELF or slot.ends or slot.negated:
        return slot
    named, known = slot.value.casefold().split(), subject.casefold().split()
    short = set(named) <= set(known) or slot.value.casefold() == "".join(word[0] for word in known)
    return replace(slot, attribute="alias", functional=False) if short else slot


def introduced(at: Place, text: str) -> Iterator[Candidate]:
    """The name in "this is Sarah Chen from Acme" and "Sarah here": one way to call the speaker, not the only one."""
    found = _INTRODUCED.match(text)
    if found is None or not at.personal:
        return
    name, speaker = found["a"] or found["b"], at.sentence.speaker
    initials = name.isupper() and len(name) <= _INITIALS
    slot = called(Slot(attribute="alias" if initials else "name", value=name, functional=False), speaker)
    if slot is None:
        return
    yield at.candidate(
        kind="fact",
        text=f"{speaker} is called {name}" if slot.attribute == "alias" else f"{speaker}'s name is {name}",
        subject=speaker,
        slot=slot,
        start=0,
        end=found.end(),
        confidence=INFERRED,
    )


def advised(made: Candidate, at: Place) -> Candidate:
    """What ought to be, with whoever said so, where another's words for it are reported."""
    record = at.context.record
    told = _TOLD_BY.search(record.text[: at.sentence.start][-_REPORT:])
    if told is None or not at.sentence.quoted or made.subject != record.speaker:
        return made
    by = reworded(told["who"], speaker=made.subject)
    return replace(made, text=f"{by} said {made.text}", speaker=by)
