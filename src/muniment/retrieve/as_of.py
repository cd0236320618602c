"""A store as it was: without what came later, and with what is current as it was current then.

Rule of this file: it only leaves out and turns back, before anything is counted or ranked, so that what came later moves no
score. No index knows when a record came, so the records are read once. What was erased since stays erased.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

import numpy as np

from muniment.knowledge.clocks import then
from muniment.knowledge.entities import without
from muniment.knowledge.values import EntityPage, Memory, MemoryFilter, MemoryId, MemoryPage, Status
from muniment.ports import Found, Rank
from muniment.retrieve.sight import Store, narrowed
from muniment.shelf import Place, Shelf
from muniment.types import Record, RecordId, Scope

AT_ONCE = 1000


@dataclass(slots=True, kw_only=True)
class AsOf:
    """A store as it was known at `known_at`, and as the world was at `valid_at`; None is now."""

    store: Store
    known_at: datetime | None = None
    valid_at: datetime | None = None
    later: set[RecordId] = field(default_factory=set)
    """The records of the scope that came after `known_at`, as far as they were met."""
    _seen: dict[Scope, dict[int, bool]] = field(default_factory=dict)
    _shelves: dict[tuple[Scope, int], Shelf] = field(default_factory=dict)

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """As the store's, on shelves without what came later."""
        if self.known_at is None:
            return await self.store.search(scope, rank)
        while True:
            unseen: list[tuple[Scope, int]] = []

            def choose(shelves: Sequence[Shelf], unseen: list[tuple[Scope, int]] = unseen) -> Sequence[Place]:
                places = list(islice(self._unseen(shelves), AT_ONCE))
                unseen[:] = [(shelves[place.shelf].scope, place.seq) for place in places]
                return places or rank([self._narrowed(shelf) for shelf in shelves])

            found = await self.store.search(scope, choose)
            if not unseen:
                return found
            for of, seq in unseen:  # one that cannot be read was not known
                self._seen.setdefault(of, {})[seq] = False
            for record in found.records:
                self._seen[record.scope][record.seq] = record.recorded_at <= self.known_at
                self.later |= {record.id} if record.recorded_at > self.known_at else set()

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        """As the store's."""
        found = await self.store.get(scope, ids)
        return [record for record in found if self.known_at is None or record.recorded_at <= self.known_at]

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        """As the store's, by the status that each had then."""
        asked = replace(where, statuses=())
        kept: list[Memory] = []
        while True:
            page = await self.store.memories(scope, asked, limit=limit - len(kept), now=now, before=before, inherited=inherited)
            kept += [one for one in self._then(page.memories) if _is_asked(one, where)]
            if page.cursor is None or len(kept) >= limit:
                return MemoryPage(memories=tuple(kept), cursor=page.cursor)
            before = page.cursor

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """As the store's."""
        return self._then(await self.store.memory(scope, ids))

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        """As the store's."""
        found = await self.store.proved_by(scope, records)
        return {record: held for record, every in found.items() if (held := self._then(every))}

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        """As the store's, by the names that had been named: how often a name is named must not tell of what came later."""
        page = await self.store.entities(scope, keys=keys, ids=ids, limit=limit, before=before)
        known = (without(one, self.later) for one in page.entities)
        return EntityPage(entities=tuple(one for one in known if one is not None), cursor=page.cursor)

    def _then(self, memories: Iterable[Memory]) -> list[Memory]:
        turned = (then(one, known_at=self.known_at, valid_at=self.valid_at, unknown=self.later) for one in memories)
        return [one for one in turned if one is not None]

    def _unseen(self, shelves: Sequence[Shelf]) -> Iterable[Place]:
        for number, shelf in enumerate(shelves):
            known = self._seen.get(shelf.scope, {})
            yield from (Place(number, seq) for seq in np.unique(shelf.head["seq"]).tolist() if seq not in known)

    def _narrowed(self, shelf: Shelf) -> Shelf:
        name = shelf.scope, shelf.generation
        if name not in self._shelves:
            known = [seq for seq, was in self._seen.get(shelf.scope, {}).items() if was]
            self._shelves[name] = narrowed(shelf, np.isin(shelf.head["seq"], known))
        return self._shelves[name]


def _is_asked(memory: Memory, where: MemoryFilter) -> bool:
    """Whether its status is asked for; whoever asks for what gave way sees what is yet to come, too."""
    status = Status.SUPERSEDED if memory.status is Status.NOT_YET else memory.status
    return not where.statuses or status in where.statuses
