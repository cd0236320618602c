"""Erasing: a target and all derived from it in one transaction, what a rebuild has staged of it included.

A memory goes with the record its words are from, an alias with the last record that says it, and what named either names it no
more. Records that also proved a memory that goes, or prove what it had replaced, are queued to be read anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.knowledge.entities.forgetting import without
from muniment.knowledge.values import Entity, Memory, MemoryId
from muniment.ports import Target, Watch
from muniment.stores.postgres_bodies import Place, entities_in, memories_in, write_entities, write_memories
from muniment.stores.postgres_link import Transaction, area_of
from muniment.stores.postgres_rows import body_row, is_text, lock, save, scope_at, unword, words
from muniment.stores.rows import read_entity, read_memory
from muniment.stores.rules import micros, utc
from muniment.stores.rules_knowledge import BESIDE, TABLES, without_records, without_ties
from muniment.types import Erasure, RecordId, Scope

LEFT = (
    "No call finds it any more, but PostgreSQL does not overwrite what it frees: bytes lie in its files until new rows take "
    "their place or VACUUM FULL writes the tables anew, and in its log, copies of it and backups for as long as those are kept."
)


@dataclass(slots=True)
class Erased:
    """What went: rows per table, and the scopes touched by number."""

    removed: Counter[str] = field(
        default_factory=lambda: Counter(dict.fromkeys(("record", "entry", "key", "label", "scope", *TABLES, *BESIDE), 0))
    )
    scopes: dict[int, Scope] = field(default_factory=dict)

    @property
    def some(self) -> bool:
        """Whether anything went."""
        return any(self.removed.values())


def receipt(erased: Erased, at: datetime) -> Erasure:
    """What is told of an erasure. It is not clean: the rows are gone for every reader, their bytes are not proved to be."""
    return Erasure(
        scopes=tuple(erased.scopes.values()),
        records=erased.removed["record"],
        removed=dict(erased.removed),
        at=at,
        clean=not erased.some,
        notes=(LEFT,) if erased.some else (),
    )


async def erase(tx: Transaction, *, target: Target, at: datetime, watch: Watch | None = None) -> Erased:
    """Remove the target and note that it was done."""
    moment = utc(at, "at")
    erased = Erased()
    if target.ids or target.conversation is not None:
        await _erase_some(tx, target, moment, erased=erased, watch=watch)
    else:
        for no, path in await tx.rows("scopes_below_lock", *area_of(target.scope)):
            erased.scopes[no] = scope_at(path)
            await _tell(tx, Place(no, erased.scopes[no]), watch)
            await _erase_scope(tx, no, erased.removed)
        erased.removed["access_key"] += await tx.change("access_keys_drop", *area_of(target.scope))
        erased.removed["sharing_change"] += await tx.change("sharing_drop", *area_of(target.scope))
        erased.removed["feedback"] += await tx.change("feedback_drop", *area_of(target.scope), None)
        client = target.scope.client
        if client is not None and target.scope.rungs == (("client", client),):
            erased.removed["architecture"] += await tx.change("architectures_drop", client.encode())
    if erased.some:
        counts = (erased.removed[table] for table in ("record", "memory", "entity"))
        await tx.change("erasure_add", micros(moment), len(erased.scopes), *counts)
    return erased


async def purge(tx: Transaction, *, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Erased:
    """Remove memories of exactly this scope that are not held."""
    moment = utc(at, "at")
    erased = Erased(removed=Counter(dict.fromkeys(("memory", "evidence", "digest"), 0)))
    row = (await lock(tx, [scope])).get(scope)
    if row is not None:
        rows = await tx.rows("memories_named", [row.no], words(ids))
        held = {memory.seq for memory in memories_in(scope, rows) if memory.held}
        loss = _Loss(tx, Place(row.no, scope), erased.removed)
        going = [one["seq"] for one in rows if one["seq"] not in held]
        told = [link["record"] for link in await tx.rows("evidence_of", row.no, going)]
        erased.removed["digest"] += await tx.change("digests_drop", row.no, told)  # whose claims may be in their words
        await loss.drop_memories(going)
        await loss.clean()
    if erased.removed["memory"]:
        erased.scopes[0] = scope
        await tx.change("erasure_add", micros(moment), 1, 0, erased.removed["memory"], 0)
    return erased


async def _erase_some(tx: Transaction, target: Target, moment: datetime, *, erased: Erased, watch: Watch | None) -> None:
    row = (await lock(tx, [target.scope])).get(target.scope)
    if row is None or not is_text(target.conversation or ""):
        return
    conversation = None if target.conversation is None else target.conversation.encode()
    meant = await tx.rows("records_meant", row.no, words(target.ids) if target.ids else None, conversation)
    if not meant:
        return
    erased.scopes[row.no] = target.scope
    await _tell(tx, Place(row.no, target.scope), watch)
    named = [unword(one).encode() for one in meant]
    erased.removed["feedback"] += await tx.change("feedback_drop", *area_of(target.scope), named)
    if len(meant) == await tx.value("records_in", row.no):
        await _erase_scope(tx, row.no, erased.removed)
        return
    seqs = [one["seq"] for one in meant]
    gone = frozenset(RecordId(unword(one)) for one in meant)
    again = await _forget_records(tx, Place(row.no, target.scope), seqs, gone=gone, removed=erased.removed)
    await _drop(tx, row.no, seqs, erased.removed)
    erased.removed["label"] += await tx.change("labels_unused_drop", row.no)
    if again:
        await tx.change("work_again", row.no, sorted(again), micros(moment))
    await save(tx, [row], appended=False)


async def _tell(tx: Transaction, at: Place, watch: Watch | None) -> None:
    """Tell which memories of a scope are tied to what is watched."""
    if watch is not None:
        tied = [row["memory"] for row in await tx.rows("tie_memories", at.no, words([watch.tied]))]
        watch.seen += memories_in(at.scope, await tx.rows("memories_at", at.no, tied)) if tied else ()


async def _erase_scope(tx: Transaction, no: int, removed: Counter[str]) -> None:
    removed["evidence"] += await tx.change("evidence_drop", no, None)
    removed["memory"] += await tx.change("memories_drop", no, None)
    removed["entity"] += await tx.change("entities_drop", no, None)
    removed["merge"] += await tx.change("merges_drop", no, None)
    await _drop(tx, no, None, removed)
    removed["label"] += await tx.change("erase_labels", no)
    removed["scope"] += await tx.change("scopes_drop", [no])


async def _drop(tx: Transaction, no: int, seqs: list[int] | None, removed: Counter[str]) -> None:
    """Records (None: all of the scope) and what stands beside them."""
    removed["digest"] += await tx.change("digests_drop", no, seqs)
    removed["work"] += await tx.change("work_drop", no, seqs)
    removed["sealed"] += await tx.change("sealed_drop", no, seqs)
    await tx.change("blob_uses_drop", no, seqs)
    removed["blob"] += await tx.change("blobs_unused_drop", no)
    removed["entry"] += await tx.change("erase_entries", no, seqs)
    removed["key"] += await tx.change("erase_keys", no, seqs)
    removed["record"] += await tx.change("erase_records", no, seqs)


async def _forget_records(
    tx: Transaction, at: Place, seqs: list[int], *, gone: frozenset[RecordId], removed: Counter[str]
) -> set[int]:
    """Remove what these records of a scope alone prove. Returns the numbers of others that are to be read anew."""
    loss = _Loss(tx, at, removed)
    memories = [row["memory"] for row in await tx.rows("evidence_memories", at.no, seqs)]
    again = await loss.take_records(memories, gone)
    await loss.take_names([row["entity"] for row in await tx.rows("naming_entities", at.no, seqs)], gone)
    again |= await loss.clean()
    return again - set(seqs)


@dataclass(slots=True)
class _Loss:
    """What goes of one scope's memories and entities, and the ids that are no more."""

    tx: Transaction
    at: Place
    removed: Counter[str]
    ids: set[str] = field(default_factory=set)

    async def take_records(self, seqs: list[int], gone: frozenset[RecordId]) -> set[int]:
        """Take these records from memories. Returns all that proved those that go."""
        drop, left = [], []
        for row in await self.tx.rows("memories_at", self.at.no, seqs):
            memory = read_memory(self.at.scope, body_row(row))
            rest = without_records(memory, gone) if isinstance(memory, Memory) else None
            if rest is None or rest == memory:  # the same: a link led here that its own words do not know
                drop.append(row["seq"])
            else:
                left.append((rest, row["seq"]))
        before = await self._proofs([seq for _, seq in left])
        await write_memories(self.tx, self.at, left)
        self.removed["evidence"] += len(before) - len(await self._proofs([seq for _, seq in left]))
        records = {record for _, record in await self._proofs(drop)}
        await self.drop_memories(drop)
        return records

    async def take_names(self, seqs: list[int], gone: frozenset[RecordId]) -> None:
        """Take from entities the names that only these records say."""
        drop, left = [], []
        for row in await self.tx.rows("entities_at", self.at.no, seqs):
            entity = read_entity(self.at.scope, body_row(row))
            rest = without(entity, gone) if isinstance(entity, Entity) else None
            if rest is None:
                drop.append(row["seq"])
                self.ids.add(unword(row))
            else:
                left.append((rest, row["seq"]))
        await write_entities(self.tx, self.at, left)
        self.removed["entity"] += await self.tx.change("entities_drop", self.at.no, drop)

    async def drop_memories(self, seqs: list[int]) -> None:
        """Remove memories."""
        self.ids |= {unword(row) for row in await self.tx.rows("memories_at", self.at.no, seqs)}
        self.removed["evidence"] += await self.tx.change("evidence_drop", self.at.no, seqs)
        self.removed["memory"] += await self.tx.change("memories_drop", self.at.no, seqs)

    async def clean(self) -> set[int]:
        """Let nothing name what went. Returns the records that prove what it had taken the place of."""
        if not self.ids:
            return set()
        no, scope = self.at
        names = words(self.ids)
        if merges := await self.tx.change("merges_drop", no, names):
            self.removed["merge"] += merges
        merged = [row["seq"] for row in await self.tx.rows("entities_merged_into", no, names)]
        entities = entities_in(scope, await self.tx.rows("entities_at", no, merged))
        await write_entities(self.tx, self.at, [(replace(entity, merged_into=None), entity.seq) for entity in entities])
        tied = [row["memory"] for row in await self.tx.rows("tie_memories", no, names)]
        memories = memories_in(scope, await self.tx.rows("memories_at", no, tied))
        lapsed = await self._proofs([memory.seq for memory in memories if memory.replaced_by in self.ids])
        await write_memories(self.tx, self.at, [(without_ties(memory, self.ids), memory.seq) for memory in memories])
        return {record for _, record in lapsed}

    async def _proofs(self, seqs: Collection[int]) -> list[tuple[int, int]]:
        rows = await self.tx.rows("evidence_of", self.at.no, list(seqs))
        return [(row["memory"], row["record"]) for row in rows]
