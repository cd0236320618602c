"""All that one question reads, at one moment: one visit to a reader's thread, one view of the file.

Rule of this file: no read here ever waits, so that whatever waits for these reads alone runs to its end where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import apsw

from muniment.knowledge.values import (
    AppliedArchitecture,
    EntityPage,
    Feedback,
    Memory,
    MemoryFilter,
    MemoryId,
    MemoryPage,
    WorkItem,
)
from muniment.ports import Found, Rank, Reads
from muniment.stores import sqlite_beside, sqlite_keys, sqlite_memories, sqlite_read, sqlite_work
from muniment.stores.sqlite_file import snapshot
from muniment.stores.sqlite_shelves import Shelves
from muniment.stores.sqlite_write import Embedded
from muniment.types import Record, RecordId, Scope

T = TypeVar("T")


def run(
    connection: apsw.Connection, shelves: Shelves, work: Callable[[Reads], Coroutine[object, object, T]], adopted: Embedded | None
) -> T:
    """Run `work` to its end with reads that see one moment. Raises RuntimeError when it waits for anything else."""
    erasures = shelves.erasures
    with snapshot(connection):
        going = work(Moment(connection, shelves, erasures, adopted))
        try:
            going.send(None)
        except StopIteration as end:
            value: T = end.value
            return value
        finally:
            going.close()
        raise RuntimeError("what runs at one moment of a store may wait for nothing but its reads.")


class Moment:
    """The reads of a store over one connection inside one view of the file. What each does, the port of its name says."""

    def __init__(self, connection: apsw.Connection, shelves: Shelves, erasures: int, adopted: Embedded | None) -> None:
        self._connection = connection
        self._shelves = shelves
        self._erasures = erasures
        self._adopted = adopted

    async def search(self, scope: Scope, rank: Rank) -> Found:
        return sqlite_read.search(
            self._connection, self._shelves, scope, rank=rank, adopted=self._adopted, erasures=self._erasures
        )

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        return sqlite_read.get(self._connection, scope, ids)

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        return sqlite_memories.memories(
            self._connection, scope=scope, where=where, limit=limit, now=now, before=before, inherited=inherited
        )

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        return sqlite_memories.memory(self._connection, scope=scope, ids=ids)

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        return sqlite_memories.proved_by(self._connection, scope=scope, records=records)

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        return sqlite_memories.entities(self._connection, scope=scope, keys=keys, ids=ids, limit=limit, before=before)

    async def work(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]:
        return sqlite_work.work(self._connection, scope=scope, records=records)

    async def feedback_on(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]:
        return sqlite_keys.feedback_on(self._connection, scope=scope, records=records)

    async def architectures(self, agent: str, client: str | None = None) -> Sequence[AppliedArchitecture]:
        return sqlite_beside.architectures(self._connection, agent=agent, client=client)
