"""What one read may see of a store: nothing of another conversation that is private, and no memory that no channel finds.

Rule of this file: it only leaves out, before anything is counted or ranked, so that what may not be seen moves no score. Where
nothing is private it hands over what the store gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from muniment.knowledge.apart import in_sight
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import EntityPage, Memory, MemoryFilter, MemoryId, MemoryPage
from muniment.ports import ArchitectureOf, Found, Rank
from muniment.shelf import Place, Shelf
from muniment.types import Record, RecordId, Scope

PAGE = 200
_NAMES = ("conversation", "speaker", "agent")


class Finding(Protocol):
    """Where records are looked for and read."""

    async def search(self, scope: Scope, rank: Rank) -> Found: ...
    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]: ...


class Recalling(Protocol):
    """Where memories are looked up."""

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage: ...
    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]: ...
    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]: ...
    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage: ...


class Store(Finding, Recalling, Protocol):
    """What a read asks of a store."""


@dataclass(slots=True, kw_only=True)
class Sight:
    """A store as an agent with these `rules` sees it that asks in `conversation` (None: in none)."""

    store: Store
    rules: Architecture
    rules_of: ArchitectureOf = field(repr=False)
    conversation: str | None = None
    _private: dict[str, bool] = field(default_factory=dict)
    _shelves: dict[tuple[Scope, int], Shelf] = field(default_factory=dict)
    _proved: dict[RecordId, Sequence[Memory]] = field(default_factory=dict)

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """As the store's, on shelves without what may not be seen."""
        while True:
            strangers: set[str] = set()

            def choose(shelves: Sequence[Shelf], strangers: set[str] = strangers) -> Sequence[Place]:
                strangers.update(self._strangers(shelves))
                return () if strangers else rank([self._narrowed(shelf) for shelf in shelves])

            found = await self.store.search(scope, choose)
            if not strangers:
                return replace(found, knowledge=True) if self._partial else found
            await self._learn(strangers, scope)

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        """As the store's."""
        found = await self.store.get(scope, ids)
        await self._meet(found, scope)
        return [record for record in found if not self._hides(record.agent, record.conversation)] if self._partial else found

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        """As the store's; a page is full as long as there is enough to be seen."""
        kept: list[Memory] = []
        while True:
            most = max(PAGE, limit) if kept or before else limit
            page = await self.store.memories(scope, where, limit=most, now=now, before=before, inherited=inherited)
            await self._meet(page.memories, scope)
            for place, memory in enumerate(page.memories, 1):
                kept += [memory] if self._shows(memory) else []
                if len(kept) == limit and place < len(page.memories):
                    page = await self.store.memories(scope, where, limit=place, now=now, before=before, inherited=inherited)
                    break
            if page.cursor is None or len(kept) >= limit:
                return MemoryPage(memories=tuple(kept), cursor=page.cursor)
            before = page.cursor

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """As the store's."""
        found = await self.store.memory(scope, ids)
        await self._meet(found, scope)
        return [memory for memory in found if self._shows(memory)]

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        """As the store's."""
        if missing := [record for record in dict.fromkeys(records) if record not in self._proved]:
            found = await self.store.proved_by(scope, missing)
            await self._meet([one for every in found.values() for one in every], scope)
            self._proved.update((record, found.get(record, ())) for record in missing)
        held = {record: [one for one in self._proved[record] if self._shows(one)] for record in records}
        return {record: shown for record, shown in held.items() if shown}

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        """As the store's; a page is full as long as there is enough to be seen."""
        page = await self.store.entities(scope, keys=keys, ids=ids, limit=limit, before=before)
        kept = [one for one in page.entities if in_sight(one, self.conversation, alone=True)]
        while page.cursor is not None and len(kept) < limit:
            page = await self.store.entities(scope, keys=keys, ids=ids, limit=PAGE, before=page.cursor)
            kept += [one for one in page.entities if in_sight(one, self.conversation, alone=True)]
        return EntityPage(entities=tuple(kept[:limit]), cursor=page.cursor)

    async def _meet(self, told: Iterable[Record | Memory], scope: Scope) -> None:
        """Learn the rules of those who made any of this in another conversation."""
        if not self.rules.private_conversations:
            makers = {one.agent for one in told if one.conversation not in (None, self.conversation)}
            await self._learn(makers - self._private.keys() - {self.rules.agent, ""}, scope)

    async def _learn(self, agents: Iterable[str], scope: Scope) -> None:
        for agent in agents:
            self._private[agent] = (await self.rules_of(agent, scope.client)).private_conversations
            self._shelves.clear()

    @property
    def _partial(self) -> bool:
        """True when there may be something that is not seen."""
        return self.rules.private_conversations or any(self._private.values())

    def _strangers(self, shelves: Sequence[Shelf]) -> set[str]:
        """Agents who said something here and whose rules are not known yet."""
        if self.rules.private_conversations:
            return set()
        return {name for shelf in shelves for name in shelf.agents.values()} - self._private.keys() - {self.rules.agent}

    def _hides(self, agent: str, conversation: str | None) -> bool:
        if conversation in (None, self.conversation):
            return False
        return self.rules.private_conversations or self._private.get(agent, False)

    def _shows(self, memory: Memory) -> bool:
        rule = self.rules.kind(memory.kind)
        if rule is not None and not rule.found_by:
            return False
        return not self._hides(memory.agent, memory.conversation) and in_sight(memory, self.conversation, alone=False)

    def _narrowed(self, shelf: Shelf) -> Shelf:
        if not self._partial:
            return shelf
        name = shelf.scope, shelf.generation
        if name not in self._shelves:
            self._shelves[name] = self._seen(shelf)
        return self._shelves[name]

    def _seen(self, shelf: Shelf) -> Shelf:
        talks, agents = shelf.head["conversation"], shelf.head["agent"]
        hidden = _codes(shelf.agents, lambda name: self._hides(name, "\0"))
        own = _codes(shelf.conversations, lambda name: name == self.conversation)
        everyone = self.rules.private_conversations
        kept = (talks == 0) | np.isin(talks, own) | (~np.isin(agents, hidden) & (not everyone))
        return shelf if kept.all() else narrowed(shelf, kept)


def _codes(names: Mapping[int, str], wanted: Callable[[str], bool]) -> list[int]:
    return [code for code, name in names.items() if wanted(name)]


def narrowed(shelf: Shelf, kept: NDArray[np.bool_]) -> Shelf:
    """The shelf as it would be if it had never held the entries that are not `kept`."""
    head = shelf.head[kept].copy()
    known: dict[str, dict[int, str]] = {}
    for place, names in zip(_NAMES, (shelf.conversations, shelf.speakers, shelf.agents), strict=True):
        codes = dict.fromkeys(code for code in head[place].tolist() if code)
        fresh = {code: number for number, code in enumerate(codes, 1)}
        known[place] = {fresh[code]: names[code] for code in codes if code in names}
        head[place] = [fresh.get(code, 0) for code in head[place].tolist()]
    lengths = shelf.bounds[1:] - shelf.bounds[:-1]
    return Shelf(
        scope=shelf.scope,
        generation=shelf.generation,
        head=head,
        bounds=np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[kept], dtype=np.int64)]),
        terms=shelf.terms[np.repeat(kept, lengths)],
        vectors=shelf.vectors[kept],
        embedded=shelf.embedded[kept],
        speakers=known["speaker"],
        conversations=known["conversation"],
        agents=known["agent"],
    )
