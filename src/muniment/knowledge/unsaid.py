"""What was taken back: by whoever said it, or only by other rules that no longer read it so.

Rule of this file: pure and light, since an answer's values ask it.
"""

from __future__ import annotations

from muniment.knowledge.values import Memory, Status
from muniment.types import RecordId

UNSAID = "unsaid:"
"""Stands before the extractor of a memory that its records, read under newer rules, say no more."""


def taken_back(memory: Memory, record: RecordId) -> bool:
    """True when this record told what was taken back since; not where only other rules unsaid it.

    The words that took it back are proof of that too, and told no such thing.
    """
    if memory.status is not Status.RETRACTED or memory.extractor.startswith(UNSAID):
        return False
    told = [one.record for one in memory.evidence if not one.lends]
    return memory.replaced_by is not None or len(set(told)) == 1 or record != told[-1]
