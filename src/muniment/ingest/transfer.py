"""Transfer: all that a scope holds, given out by one store and taken in by another, so that what is current there is the same.

Rule of this file: what is derived travels as it is, and what was corrected by hand with it; nothing is read again. What is here
already stays as it is. A memory is taken in with the record that proves it or not at all, and where others than those of the
transfer hold its slot, the two are weighed like any statements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Protocol, TypeVar

from muniment.errors import FormatError, StoreUnusable
from muniment.ingest.formats.export import Moved, Named
from muniment.ingest.formats.spelled import spelled
from muniment.ingest.pii import placeholders
from muniment.ingest.rules import wrong_type
from muniment.ingest.step import Taking, told_place
from muniment.knowledge.copies import is_copy
from muniment.knowledge.keys import digest_of
from muniment.knowledge.likeness import same_statement, same_subject
from muniment.knowledge.standing import Standing
from muniment.knowledge.values import (
    AppliedArchitecture,
    Blob,
    Changes,
    Entity,
    EntityId,
    Feedback,
    Kept,
    Known,
    Memory,
    Merge,
    Modality,
    Sealed,
    SharingChange,
    Status,
    Wanted,
)
from muniment.ports import Admin, ArchitectureOf, Clock, Follow, Memories, Shelved, Told, Work
from muniment.types import ItemReceipt, Outcome, Receipt, Record, Scope

AT_ONCE = 256
BY_HAND = "by hand"
"""The origin of a record whose values may be sealed in what it states, and not in its words."""

_BESIDE = (AppliedArchitecture, SharingChange, Feedback)

T = TypeVar("T")
Restore = Callable[[Iterable[Moved | ItemReceipt] | AsyncIterable[Moved | ItemReceipt], Taking], Awaitable[Receipt]]


class Store(Memories, Work, Shelved, Told, Admin, Protocol):
    """What a transfer asks of a store."""


@dataclass(slots=True)
class Transfer:
    """The way of all that one store holds into another (`engine.transfer`)."""

    store: Store
    clock: Clock
    rules_of: ArchitectureOf = field(repr=False)
    restore_records: Restore = field(repr=False)
    check_architecture: Callable[[str], object] = field(repr=False)
    follow: Follow = field(repr=False)

    async def export(
        self, scope: Scope | None = None, *, sealed: bool = False, told: Counter[str] | None = None
    ) -> AsyncIterator[Moved]:
        """All of `scope` and all below it, or of the whole store: architectures, settings of sharing, records, what is derived.

        Architectures go with the client that owns them, and with a whole store. The values behind tokens are given with `sealed`
        only. `told` counts what goes inside records: `blobs`, `sealed`, and `sealed_left_out`.
        """
        if not isinstance(scope, Scope | None):
            raise wrong_type("scope", scope)
        counts = Counter[str]() if told is None else told
        for applied in await self.store.applied():
            if scope is None or scope.rungs == (("client", applied.client),):
                yield applied
        for change in await self.store.sharing(scope):
            yield change
        batches = _Batches(self.store.scan(scope))
        async for batch in batches:
            for kept in await self._kept(batch, counts, sealed=sealed):
                yield kept
        async for derived in self.store.knowledge(scope):
            yield derived
        for told_of in await self.store.feedback(scope):
            yield told_of
        if batches.damage:
            raise batches.damage

    async def restore(self, items: Iterable[Moved | ItemReceipt] | AsyncIterable[Moved | ItemReceipt]) -> Receipt:
        """Take in what `export` gave, in its order. What is here already is `unchanged`, so an import that stopped is done again.

        A record without word of how far its reading is, as an older export has it, is read anew. Refused are a memory whose
        record is not here, a merge of entities that stand otherwise here, and an architecture where its agent has other rules.
        """
        return await self.restore_records(items, _Incoming(self).take)

    async def _kept(self, records: Sequence[Record], counts: Counter[str], *, sealed: bool) -> list[Kept]:
        """Records of one scope with all that goes with them."""
        scope, ids = records[0].scope, [record.id for record in records]
        work = {item.record: item for item in await self.store.work(scope, ids)}
        stated = await self.store.proved_by(scope, [record.id for record in records if record.origin == BY_HAND])
        kept = []
        for record in records:
            values = await self._sealed(record, stated.get(record.id, ()))
            blobs = await self._blobs(record)
            counts["blobs"] += len(blobs)
            counts["sealed" if sealed else "sealed_left_out"] += len(values)
            kept.append(Kept(record=record, work=work.get(record.id), sealed=values if sealed else (), blobs=blobs))
        return kept

    async def _sealed(self, record: Record, stated: Sequence[Memory]) -> tuple[Sealed, ...]:
        tokens = placeholders(str(spelled(record)) + "".join(str(spelled(memory)) for memory in stated))
        return tuple(await self.store.reveal(record.scope, tokens)) if tokens else ()

    async def _blobs(self, record: Record) -> tuple[Blob, ...]:
        digest = record.metadata.get("blob")
        blob = await self.store.blob(record.scope, digest) if digest else None
        return () if blob is None else (blob,)


@dataclass(slots=True)
class _Batches:
    """Records some at a time, each time of one scope. What a store says of damaged ones when it has given the others is kept."""

    records: AsyncIterator[Record]
    damage: StoreUnusable | None = None

    async def __aiter__(self) -> AsyncIterator[list[Record]]:
        batch: list[Record] = []
        try:
            async for record in self.records:
                if batch and (len(batch) == AT_ONCE or batch[0].scope != record.scope):
                    yield batch
                    batch = []
                batch.append(record)
        except StoreUnusable as error:
            self.damage = error
        if batch:
            yield batch


@dataclass(slots=True)
class _Incoming:
    """One transfer as it comes in: which of the memories of the scope under way are its own."""

    transfer: Transfer
    scope: Scope | None = None
    own: set[str] = field(default_factory=set)

    async def take(self, items: Sequence[Named]) -> list[ItemReceipt]:
        """Take in some, in order."""
        receipts: list[ItemReceipt] = []
        for scope, run in groupby(items, lambda item: None if isinstance(item, _BESIDE) else item.scope):
            some = list(run)
            if scope is None:
                receipts += [await self._take_beside(one) for one in some if isinstance(one, _BESIDE)]
            else:
                receipts += await self._settle(scope, [one for one in some if not isinstance(one, _BESIDE)])
        return receipts

    async def _take_feedback(self, item: Feedback) -> ItemReceipt:
        """What is told of a record here already stays as it is: counts of two stores are never added twice."""
        if await self.transfer.store.feedback_on(item.scope, [item.record]):
            return _receipt(item, Outcome.UNCHANGED)
        await self.transfer.store.add_feedback([item])
        return _receipt(item, Outcome.STORED)

    async def _take_beside(self, item: AppliedArchitecture | SharingChange | Feedback) -> ItemReceipt:
        if isinstance(item, AppliedArchitecture):
            return await self._apply(item)
        if isinstance(item, Feedback):
            return await self._take_feedback(item)
        return _receipt(item, Outcome.STORED if await self.transfer.store.keep_sharing(item) else Outcome.UNCHANGED)

    async def _apply(self, applied: AppliedArchitecture) -> ItemReceipt:
        store = self.transfer.store
        here = [one for one in await store.architectures(applied.agent, applied.client) if one.client == applied.client]
        known = next((one for one in here if one.version == applied.version), None)
        if known is not None and known.text == applied.text:
            return _receipt(applied, Outcome.UNCHANGED)
        if known is not None or len(here) != applied.version - 1:
            why = f"Agent {applied.agent!r} has other rules here; those were kept. Compare them, and apply this one by hand."
            return _receipt(applied, Outcome.REFUSED, "architecture_differs", why)
        try:
            self.transfer.check_architecture(applied.text)
        except FormatError as error:
            return _receipt(applied, Outcome.REFUSED, error.reason, f"{error.message} {error.hint}".strip())
        await store.apply_architecture(applied)
        return _receipt(applied, Outcome.STORED)

    async def _settle(self, scope: Scope, items: Sequence[Memory | Entity | Merge]) -> list[ItemReceipt]:
        """Take in what is derived in one scope: one transaction."""
        store, now = self.transfer.store, self.transfer.clock.now()
        memories, entities, merges = _only(Memory, items), _only(Entity, items), _only(Merge, items)
        self.own = {*(self.own if scope == self.scope else ()), *(memory.id for memory in memories)}
        self.scope = scope
        known_merges = {merge.id for merge in await store.merges(scope)} if merges else set()
        alone = {memory.id: await self._alone(memory) for memory in memories}
        wanted = Wanted(
            memories=tuple(alone),
            slots=tuple({(m.subject, m.attribute) for m in memories if alone[m.id]}),
            digests=tuple({digest_of(memory) for memory in memories}),
            entities=tuple({e.id for e in entities} | {id_ for m in merges for id_ in (m.kept, m.other)}),
        )
        came: dict[str, Outcome] = {merge.id: Outcome.UNCHANGED for merge in merges if merge.id in known_merges}

        def decide(known: Known) -> Changes:
            there = {entity.id: entity for entity in known.entities}
            came.update((entity.id, Outcome.UNCHANGED) for entity in known.entities)
            new = [entity for entity in entities if entity.id not in there]
            there.update((entity.id, entity) for entity in new)
            standing = Standing(known.memories, now=now)
            for memory in memories:
                came[memory.id] = self._place(memory, standing, alone=alone[memory.id])
            agreed = [merge for merge in merges if merge.id not in known_merges and _agrees(merge, there)]
            came.update((entity.id, Outcome.STORED) for entity in new)
            came.update((merge.id, Outcome.STORED) for merge in agreed)
            return Changes(memories=standing.changed(), entities=new, merges=agreed)

        written = await store.settle(scope, wanted, decide, at=now)
        await self.transfer.follow(scope)
        kept = {*(m.id for m in written.memories), *(e.id for e in written.entities), *(m.id for m in written.merges)}
        return [_told(item, came.get(item.id), written=item.id in kept) for item in items]

    def _place(self, memory: Memory, standing: Standing, *, alone: bool) -> Outcome:
        """Put it as it is, or where others than the transfer's own hold against it or say the same, weigh it."""
        if standing.get(memory.id) is not None:
            return Outcome.UNCHANGED
        theirs = [other for other in standing.current() if other.id not in self.own]
        if memory.status is Status.CURRENT and any(_meets(memory, other, alone=alone) for other in theirs):
            code, held = standing.state(memory, functional=alone)
            return Outcome.STORED if held == memory.id else Outcome.MERGED if code == "merged" else Outcome.UNCHANGED
        standing.put(memory)
        return Outcome.STORED

    async def _alone(self, memory: Memory) -> bool:
        """Whether its slot holds one value here."""
        rule = (await self.transfer.rules_of(memory.agent or "default", memory.scope.client)).kind(memory.kind)
        return bool(memory.attribute) and rule is not None and rule.holds_one(memory.attribute)


def _only(kind: type[T], items: Sequence[object]) -> list[T]:
    return [item for item in items if isinstance(item, kind)]


def _meets(memory: Memory, other: Memory, *, alone: bool) -> bool:
    """Whether the two cannot stand side by side as they are: they say the same, or hold one slot."""
    if other.trust is not memory.trust or other.attribute != memory.attribute or not same_subject(other, memory):
        return False
    asserted = other.modality is memory.modality is Modality.ASSERTED
    same = same_statement(other, memory) and not is_copy(other) and not is_copy(memory)
    return (alone and asserted) or same


def _agrees(merge: Merge, there: Mapping[EntityId, Entity]) -> bool:
    """Whether the entities stand here as the merge says."""
    if merge.kept not in there or merge.other not in there:
        return False
    return not merge.decided or merge.undone or there[merge.other].merged_into is not None


def _told(item: Memory | Entity | Merge, came: Outcome | None, *, written: bool) -> ItemReceipt:
    if came is None:
        why = "What it takes for one stands apart here. To merge it here: muniment entities merge."
        return _receipt(item, Outcome.REFUSED, "differs_here", why)
    if came is Outcome.STORED and not written:
        return _receipt(item, Outcome.REFUSED, "evidence_missing", "No record that proves it is here.")
    return _receipt(item, came)


def _receipt(item: Named, outcome: Outcome, reason: str = "", message: str = "") -> ItemReceipt:
    return ItemReceipt(place=told_place(item), outcome=outcome, reason=reason, message=message)
