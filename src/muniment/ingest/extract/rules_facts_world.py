"""Plain first-person frames of other languages: name, home, work, age, tastes, plan.

Rule of this file: one pattern per language and slot; what does not fit a frame is left unread.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract.rules_slots import Slot
from muniment.ingest.extract.words_slots import SAID_AS, TIER
from muniment.ingest.extract.words_slots_world import ENDS, FRAMES, MARKS, STOPS

_MARKS: Final = re.compile(MARKS)
_FRAMES: Final = tuple((re.compile(pattern, re.IGNORECASE), attribute) for pattern, attribute in FRAMES)
_STOPS: Final = re.compile(STOPS, re.IGNORECASE)
_ENDS: Final = re.compile(ENDS, re.IGNORECASE)
_TIER: Final = re.compile(rf"\s*{TIER}$|^(?:plan|tarif|abo|forfait)\s+", re.IGNORECASE)
_ENDING = " .!,\u3002\u3001\uff01\uff0c"
_LONGEST = 300


def foreign(text: str) -> tuple[Slot, str] | None:
    """The slot a sentence of another language fills, and the words that say so in English; None when no frame fits."""
    text = text[:_LONGEST].strip()
    if not _MARKS.search(text.lower()):
        return None
    for pattern, attribute in _FRAMES:
        found = pattern.search(text)
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
