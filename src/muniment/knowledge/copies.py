"""What a memory keeps of its copies on wider rungs, and a copy of where it is from.

Rule of this file: pure. An original names its copy by a word drawn by lot. The copy keeps a digest of that word and of the
original's scope: whoever reads the copy learns nothing from it, and whoever does not know the word cannot claim the copy.
"""

from __future__ import annotations

import json
from base64 import b32encode
from collections.abc import Collection, Iterator
from hashlib import blake2b

from muniment.knowledge.values import Link, Memory, MemoryId
from muniment.types import RecordId, Rung, Scope

COPY = "a shared copy"
"""The origin of the record that sharing makes: nothing more is read out of it."""
SHARED = MemoryId("shared")
"""What every memory with copies is tied to, so that they are found together."""
SHARED_FROM = "shared_from"
"""The relation by which a copy keeps the mark of its original."""
SHARED_AS = "shared_as"
"""The relation that names, on a copy, the record that sharing made of it."""
_SHARED = "shared"
_SHARED_WITH = "shared_with_"


def mark_of(scope: Scope, word: MemoryId) -> MemoryId:
    """What a copy keeps of the original in `scope` that names it by this word."""
    told = json.dumps([scope.rungs, word]).encode()
    return MemoryId(b32encode(blake2b(told, digest_size=10, person=b"muniment.copy").digest()).decode().lower())


def with_copy(memory: Memory, rung: str, word: MemoryId) -> tuple[Link, ...]:
    """The links of a memory with one to its copy on this rung."""
    tied, named = Link(relation=_SHARED, memory=SHARED), Link(relation=f"{_SHARED_WITH}{rung}", memory=word)
    return (*(link for link in memory.links if link != tied), tied, named)


def copies_of(memory: Memory) -> Iterator[tuple[Scope, MemoryId]]:
    """Where a memory has copies, and the mark of each."""
    for link in memory.links:
        for wider in memory.scope.lineage[1:]:
            if link.relation == f"{_SHARED_WITH}{rung_of(wider)}":
                yield wider, mark_of(memory.scope, link.memory)


def without_copies(memory: Memory, marks: Collection[MemoryId]) -> tuple[Link, ...]:
    """The links of a memory without those to the copies that keep these marks; one that came meanwhile stays."""
    left = tuple(
        link
        for link in memory.links
        if not (link.relation.startswith(_SHARED_WITH) and mark_of(memory.scope, link.memory) in marks)
    )
    still = any(link.relation.startswith(_SHARED_WITH) for link in left)
    return left if still else tuple(link for link in left if link.memory != SHARED)


def rung_of(scope: Scope) -> Rung:
    """The rung that a scope stands on."""
    return scope.rungs[-1][0]


def links_from(mark: MemoryId, record: RecordId) -> tuple[Link, Link]:
    """What a copy keeps: the mark of its original, and the record that was made of it."""
    return Link(relation=SHARED_FROM, memory=mark), Link(relation=SHARED_AS, memory=MemoryId(record))


def links_on(copy: Memory, record: RecordId) -> tuple[Link, ...]:
    """What stands in the place of a copy keeps of that: the same marks, and the record of the new words; of others nothing."""
    marks = tuple(link for link in copy.links if link.relation == SHARED_FROM)
    return (*marks, Link(relation=SHARED_AS, memory=MemoryId(record))) if marks else ()


def marks_on(copy: Memory) -> tuple[MemoryId, ...]:
    """The marks of what a memory was copied from; none where it is no copy."""
    return tuple(link.memory for link in copy.links if link.relation == SHARED_FROM)


def is_copy(memory: Memory) -> bool:
    """True for what sharing put on a wider rung, and for what was made of that by hand."""
    return bool(marks_on(memory))


def records_of(copy: Memory) -> tuple[RecordId, ...]:
    """The records that were made for a copy."""
    return tuple(RecordId(link.memory) for link in copy.links if link.relation == SHARED_AS)
