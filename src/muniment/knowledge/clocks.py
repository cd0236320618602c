"""Two clocks: what we knew at a moment, and what held in the world at one.

Rule of this file: pure. What was superseded holds for its days also after we knew of its end; before that, its end was not known.
What was taken back never held, save as far as we knew then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from muniment.knowledge.values import Memory, Status
from muniment.types import RecordId


def then(
    memory: Memory, *, known_at: datetime | None = None, valid_at: datetime | None = None, unknown: Collection[RecordId] = ()
) -> Memory | None:
    """The memory as it stood: None where it was not known. `unknown` are the records that came later, which prove nothing yet.

    With `valid_at` what held in the world then is current; what did not is superseded, or held not yet.
    """
    if known_at is not None:
        if memory.recorded_at > known_at:
            return None
        evidence = tuple(one for one in memory.evidence if one.record not in unknown)
        if len(evidence) < len(memory.evidence) and all(one.lends for one in evidence):
            return None
        memory = replace(memory, evidence=evidence)
        if memory.retired_at is not None and memory.retired_at > known_at:
            memory = replace(memory, status=Status.CURRENT, valid_to=None, retired_at=None, replaced_by=None)
    if valid_at is None or memory.status not in (Status.CURRENT, Status.SUPERSEDED):
        return memory
    since = memory.valid_from or memory.said_at or memory.recorded_at
    if valid_at < since:
        return replace(memory, status=Status.NOT_YET)
    return replace(memory, status=Status.CURRENT if memory.valid_to is None or valid_at < memory.valid_to else Status.SUPERSEDED)
