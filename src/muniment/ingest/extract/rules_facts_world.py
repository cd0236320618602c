"""Plain first-person frames of other languages: name, home, work, age, tastes, plan.

Rule of this file: one pattern per language and slot; what does not fit a frame is left unread.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract.rules_slots import Slot
from muniment.ingest.extract.words_slots import SAID_AS, TIER
from muniment.ingest.extract.words_slots_world import ENDS, FRAMES, JOINTS, MARKS, PERSONS_OF, STOPS

_MARKS: Final = re.compile(MARKS)
_FRAMES: Final = tuple((re.compile(pattern, re.IGNORECASE), attribute) for pattern, attribute in FRAMES)
_STOPS: Final = re.compile(STOPS, re.IGNORECASE)
_ENDS: Final = re.compile(ENDS, re.IGNORECASE)
_TIER: Final = re.compile(rf"\s*{TIER}$|^(?:plan|tarif|abo|forfait)\s+", re.IGNORECASE)
_ENDING = " .!,\u3002\u3001\uff01\uff0c"
_LONGEST = 300
_MOST_CLAUSES = 5
_JOINTS: Final = re.compile(JOINTS, re.IGNORECASE)
_PERSON: Final = re.compile(PERSONS_OF)
_FULL: Final = {"ich": "ich ", "je": "je ", "j'": "je ", "я": "я "}
"""How the "I" of a first clause stands before a later one; scripts without spaces join it."""


def foreign(text: str) -> tuple[tuple[Slot, str], ...]:
    """The slots a sentence of another language fills, each with the words that say so in English; empty when no frame fits.

    A clause behind "and" or a comma may leave out the "I" of the one before it.
    """
    text = text[:_LONGEST].strip()
    if not _MARKS.search(text.lower()):
        return ()
    if (first := _frame(text)) is None:
        return ()
    found = {first[0].attribute: first}
    person = next((said[0].rstrip() for said in (_PERSON.search(text.lower()),) if said), "")
    for piece in _JOINTS.split(text)[1:_MOST_CLAUSES]:
        again = _frame(piece, opens=True) or (_frame(f"{_FULL.get(person, person)}{piece}", opens=True) if person else None)
        if again is not None:
            found.setdefault(again[0].attribute, again)
    return tuple(found.values())


def _frame(text: str, *, opens: bool = False) -> tuple[Slot, str] | None:
    """The first frame that fits; one that `opens` the text stands at its start."""
    for pattern, attribute in _FRAMES:
        found = pattern.match(text) if opens else pattern.search(text)
        if found is None:
            continue
        value = _STOPS.split(found["v"], maxsplit=1)[0].strip(_ENDING)
        value = _TIER.sub("", value) if attribute == "plan" else value
        if not value:
            return None
        ends = bool(_ENDS.search(text))
        if attribute in ("likes", "dislikes"):
            return Slot(attribute=f"likes:{value.lower()}", value=attribute, ends=ends), f"{SAID_AS[attribute]} {value}"
        said = SAID_AS[attribute]
        said = said if not ends else f" no longer{said}" if not said.startswith("'") else f"{said} no longer"
        return Slot(attribute=attribute, value=value, ends=ends), f"{said} {value}"
    return None
