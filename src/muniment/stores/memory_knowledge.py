"""What one scope of a store in memory holds beside its records: memories, entities, merges, work, sealed values, blobs, counters.

Rule of this file: it answers exactly as the file store does, one caller at a time; what is kept went through the same bodies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.knowledge.entities.forgetting import without
from muniment.knowledge.keys import digest_of, slot_key, subject_key
from muniment.knowledge.values import (
    Blob,
    Changes,
    Claim,
    Entity,
    EntityId,
    Memory,
    MemoryId,
    Merge,
    Sealed,
    Status,
    Wanted,
    WorkItem,
    WorkState,
)
from muniment.ports import Write
from muniment.stores.bodies import entity_body, entity_of, memory_body, memory_of, merge_body, merge_of
from muniment.stores.rules import utc
from muniment.stores.rules_knowledge import (
    MOST_ABOUT,
    MOST_NEAR,
    MOST_SAME,
    Before,
    admitted,
    latest_first,
    namers,
    proofs,
    refusals_by_record,
    ties_of,
    without_records,
    without_ties,
    work_of,
)
from muniment.types import RecordId, Scope

Key = tuple[str, str]

OPEN = (WorkState.QUEUED, WorkState.PROCESSING, WorkState.FAILED)


@dataclass(slots=True)
class Task:
    """The enrichment of one record."""

    since: datetime
    state: WorkState = WorkState.QUEUED
    due: datetime | None = None
    attempts: int = 0
    fence: int = 0
    failed_at: datetime | None = None
    reason: str = ""
    architecture: str = ""
    outcomes: tuple[str, ...] = ()

    def item(self, record: RecordId, refused: Mapping[Key, int]) -> WorkItem:
        """As it is told."""
        return WorkItem(
            record=record,
            state=self.state,
            reason=self.reason,
            attempts=self.attempts,
            retry_at=self.due if self.state is WorkState.QUEUED else None,
            outcomes=self.outcomes,
            architecture=self.architecture,
            refused=dict(refused),
        )

    def under_way(self, now: datetime) -> bool:
        """Whether somebody is at it."""
        return self.state is WorkState.PROCESSING and self.due is not None and self.due > now

    def claimable(self, now: datetime) -> bool:
        """Whether it is its turn."""
        if self.state is WorkState.QUEUED and self.due is None:
            return True
        return self.state in (WorkState.QUEUED, WorkState.PROCESSING) and self.due is not None and self.due <= now


class Lookup:
    """Names by the keys they are found by."""

    def __init__(self) -> None:
        self._names: dict[Key, dict[str, None]] = {}

    def change(self, name: str, old: Collection[Key], new: Collection[Key]) -> None:
        """Find `name` by `new` instead of `old`."""
        for key in old:
            if key not in new:
                names = self._names[key]
                del names[name]
                if not names:
                    del self._names[key]
        for key in new:
            self._names.setdefault(key, {})[name] = None

    def find(self, kind: str, key: str) -> list[str]:
        """The names found by this key."""
        return list(self._names.get((kind, key), ()))


@dataclass(slots=True)
class Knowledge:
    """All that one scope holds of it."""

    scope: Scope
    memories: dict[MemoryId, Memory] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    merges: dict[str, Merge] = field(default_factory=dict)
    work: dict[RecordId, Task] = field(default_factory=dict)
    open: dict[RecordId, None] = field(default_factory=dict)
    refusals: dict[RecordId, Counter[Key]] = field(default_factory=dict)
    sealed: dict[RecordId, dict[str, Sealed]] = field(default_factory=dict)
    blobs: dict[RecordId, dict[str, Blob]] = field(default_factory=dict)
    lookup: Lookup = field(default_factory=Lookup)
    last_memory: int = 0
    last_entity: int = 0

    def beside(self, write: Write, recorded_at: datetime) -> None:
        """Keep what came with a record. What is there already stays as it is."""
        record = write.record.id
        for sealed in write.sealed:
            self.sealed.setdefault(record, {}).setdefault(sealed.token, sealed)
        for blob in write.blobs:
            known = self.blob(blob.digest)
            self.blobs.setdefault(record, {})[blob.digest] = known or replace(blob, data=bytes(blob.data))
        if (item := work_of(write)) and record not in self.work:
            self._take(item, recorded_at)

    def task(self, record: RecordId, task: Task) -> None:
        """Set the state of a record's enrichment."""
        self.work[record] = task
        if task.state in OPEN:
            self.open[record] = None
        else:
            self.open.pop(record, None)

    def item(self, record: RecordId) -> WorkItem:
        """How far the enrichment of a record that has any is."""
        return self.work[record].item(record, self.refusals.get(record, {}))

    def again(self, record: RecordId, now: datetime) -> None:
        """Queue a record as if it never had been."""
        self.task(record, Task(now, fence=self.work[record].fence if record in self.work else 0))

    def holds(self, claim: Claim) -> bool:
        """Whether this claim may still be ended by whoever has it."""
        task = self.work.get(claim.record)
        return claim.scope == self.scope and task is not None and task.state is WorkState.PROCESSING and task.fence == claim.fence

    def known(self, wanted: Wanted) -> Iterator[Memory]:
        """Memories that are wanted, some perhaps twice."""
        near = [("now", subject_key(subject), MOST_ABOUT) for subject in wanted.subjects]
        near += [("slot", key, MOST_NEAR) for subject, attribute in wanted.slots if (key := slot_key(subject, attribute))]
        for kind, key, most in near:
            yield from latest_first(self._memories(kind, key))[:most]
        for digest in wanted.digests:
            same = latest_first(self._memories("digest", digest))
            yield from sorted(same, key=lambda memory: memory.status is not Status.CURRENT)[:MOST_SAME]
        yield from (self.memories[name] for name in wanted.memories if name in self.memories)

    def named(self, keys: Iterable[str], ids: Iterable[str] = ()) -> Iterator[Entity]:
        """Entities of these keys and ids, some perhaps twice."""
        for key in keys:
            found = [self.entities[EntityId(name)] for name in self.lookup.find("key", key)]
            yield from sorted(found, key=lambda entity: entity.seq, reverse=True)[:MOST_NEAR]
        yield from (self.entities[EntityId(name)] for name in ids if name in self.entities)

    def proved_by(self, record: RecordId) -> tuple[Memory, ...]:
        """The memories this record proves, latest first."""
        return latest_first(self._memories("record", record))

    def write(self, changes: Changes, before: Before) -> Changes:
        """Write what may be written of the changes; returns it as it is kept."""
        fit = admitted(changes, before)
        memories = [self._normal_memory(memory) for memory in fit.memories]
        entities = [self._normal_entity(entity) for entity in fit.entities]
        merges = [merge_of(self.scope, merge_body(merge)) for merge in fit.merges]
        for memory in memories:
            self.keep(memory)
        for entity in entities:
            self.keep_entity(entity)
        self.merges |= {merge.id: merge for merge in merges}
        for record, counts in refusals_by_record(fit, before.live).items():
            self.refusals.pop(record, None)
            if counts:
                self.refusals[record] = counts
        return replace(fit, memories=tuple(map(lend, memories)), entities=tuple(entities), merges=tuple(merges))

    def keep(self, memory: Memory) -> None:
        """Put a memory in place of the one of its id."""
        old = self.memories.get(memory.id)
        self.lookup.change(memory.id, _memory_keys(old) if old else (), _memory_keys(memory))
        self.memories[memory.id] = memory

    def keep_entity(self, entity: Entity) -> None:
        """Put an entity in place of the one of its id."""
        old = self.entities.get(entity.id)
        self.lookup.change(entity.id, _entity_keys(old) if old else (), _entity_keys(entity))
        self.entities[entity.id] = entity

    def blob(self, digest: str) -> Blob | None:
        """The blob of this digest, if a record refers to one."""
        return next((kept[digest] for kept in self.blobs.values() if digest in kept), None)

    def forget(self, gone: frozenset[RecordId], at: datetime) -> Counter[str]:
        """Take these records out of everything; returns what went, by table."""
        removed: Counter[str] = Counter()
        again: set[RecordId] = set()
        touched = {MemoryId(name) for record in gone for name in self.lookup.find("record", record)}
        dropped: list[MemoryId] = []
        for name in touched:
            memory = self.memories[name]
            left = without_records(memory, gone)
            if left is None:
                dropped.append(name)
                again |= proofs(memory) - gone
            else:
                removed["evidence"] += len(proofs(memory) - proofs(left))
                self.keep(left)
        lost: set[str] = set()
        for entity_id in {EntityId(name) for record in gone for name in self.lookup.find("naming", record)}:
            entity = without(self.entities[entity_id], gone)
            if entity is None:
                self.lookup.change(entity_id, _entity_keys(self.entities.pop(entity_id)), ())
                lost.add(entity_id)
            else:
                self.keep_entity(entity)
        removed["entity"] += len(lost)
        again |= self.lapsed(dropped) - gone
        removed.update(self.drop(dropped, lost))
        for record in gone:
            removed["work"] += self.work.pop(record, None) is not None
            self.open.pop(record, None)
            self.refusals.pop(record, None)
            removed["sealed"] += len(self.sealed.pop(record, ()))
            blobs = self.blobs.pop(record, {})
            removed["blob"] += sum(self.blob(digest) is None for digest in blobs)
        for record in again:
            self.again(record, at)
        return removed

    def lapsed(self, names: Sequence[MemoryId]) -> set[RecordId]:
        """The records that prove what these memories have taken the place of."""
        tied = {MemoryId(name) for other in names for name in self.lookup.find("tie", other)} - set(names)
        return {record for name in tied if self.memories[name].replaced_by in names for record in proofs(self.memories[name])}

    def drop(self, names: Sequence[MemoryId], lost: Collection[str] = ()) -> Counter[str]:
        """Remove these memories and whatever names them, or entities that are `lost`, no more; returns what went, by table."""
        removed: Counter[str] = Counter()
        gone = {*names, *lost}
        for name in names:
            memory = self.memories.pop(name)
            self.lookup.change(name, _memory_keys(memory), ())
            removed["memory"] += 1
            removed["evidence"] += len(proofs(memory))
        tied = {MemoryId(name) for other in gone for name in self.lookup.find("tie", other)}
        for name in tied:
            self.keep(without_ties(self.memories[name], gone))
        for other in {EntityId(name) for one in gone for name in self.lookup.find("into", one)}:
            self.keep_entity(replace(self.entities[other], merged_into=None))
        empty = [name for name, merge in self.merges.items() if merge.kept in gone or merge.other in gone]
        for merge_id in empty:
            del self.merges[merge_id]
        removed["merge"] += len(empty)
        return removed

    def count(self) -> Counter[str]:
        """Rows by table, as a receipt of erasing all counts them."""
        blobs = {digest for kept in self.blobs.values() for digest in kept}
        return Counter(
            {
                "memory": len(self.memories),
                "entity": len(self.entities),
                "evidence": sum(len(proofs(memory)) for memory in self.memories.values()),
                "merge": len(self.merges),
                "work": len(self.work),
                "sealed": sum(map(len, self.sealed.values())),
                "blob": len(blobs),
            }
        )

    def _take(self, item: WorkItem, since: datetime) -> None:
        due = None if item.retry_at is None else utc(item.retry_at, "retry_at")
        failed_at = since if item.state is WorkState.FAILED else None
        task = Task(since, state=item.state, due=due, attempts=item.attempts, failed_at=failed_at, reason=item.reason)
        self.task(item.record, replace(task, architecture=item.architecture, outcomes=item.outcomes))
        if item.refused:
            self.refusals[item.record] = Counter(item.refused)

    def _memories(self, kind: str, key: str) -> list[Memory]:
        return [self.memories[MemoryId(name)] for name in self.lookup.find(kind, key)]

    def _normal_memory(self, memory: Memory) -> Memory:
        old = self.memories.get(memory.id)
        self.last_memory += old is None
        return memory_of(self.scope, old.seq if old else self.last_memory, memory_body(memory))

    def _normal_entity(self, entity: Entity) -> Entity:
        old = self.entities.get(entity.id)
        self.last_entity += old is None
        return entity_of(self.scope, old.seq if old else self.last_entity, entity_body(entity))


def lend(memory: Memory) -> Memory:
    """The memory with copies of its mutable parts, so that a caller cannot change what is kept."""
    if not memory.parts and not memory.metadata:
        return memory
    return replace(memory, parts=dict(memory.parts), metadata=dict(memory.metadata))


def keys_kept(row: Memory | Entity) -> set[Key]:
    """What a memory or an entity is looked up by."""
    return _memory_keys(row) if isinstance(row, Memory) else _entity_keys(row)


def tied_to(knowledge: Knowledge, name: MemoryId) -> list[Memory]:
    """The memories that are tied to a name."""
    return [knowledge.memories[MemoryId(one)] for one in knowledge.lookup.find("tie", name)]


def _memory_keys(memory: Memory) -> set[Key]:
    keys = {
        ("digest", digest_of(memory)),
        *(("record", record) for record in proofs(memory)),
        *(("tie", name) for name in ties_of(memory)),
    }
    if memory.status is Status.CURRENT:
        keys.add(("now", subject_key(memory.subject)))
        if memory.attribute:
            keys.add(("slot", slot_key(memory.subject, memory.attribute)))
    return keys


def _entity_keys(entity: Entity) -> set[Key]:
    into = {("into", str(entity.merged_into))} if entity.merged_into else set()
    return {*(("key", key) for key in entity.keys), *(("naming", record) for record in namers(entity)), *into}
