"""What every store decides the same way about memories and entities: which are shown, which may be written, what erasing leaves.

Rule of this file: pure functions over values, so that two stores cannot come to different answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.errors import InputError, QueryError, shown
from muniment.knowledge.clocks import then
from muniment.knowledge.credentials import AccessKey
from muniment.knowledge.entities.forgetting import without
from muniment.knowledge.entities.marks import names_of
from muniment.knowledge.keys import plain, subject_key
from muniment.knowledge.values import (
    Alias,
    Changes,
    Claim,
    Entity,
    EntityId,
    EntityPage,
    Evidence,
    Memory,
    MemoryFilter,
    MemoryId,
    MemoryPage,
    Status,
    WorkItem,
    WorkState,
)
from muniment.ports import Write
from muniment.stores.rules import EPOCH, micros
from muniment.text.filters import holds, one_of
from muniment.types import RecordId, Scope, When

TABLES = ("memory", "entity", "evidence", "merge", "work", "sealed", "blob", "digest")
"""What the receipt of an erasure counts of all this."""
BESIDE = ("architecture", "access_key", "sharing_change", "feedback")
"""What it counts of that which stands beside records, and goes with a scope and not with a record."""
MOST_ABOUT = 20
"""Memories of one subject, whatever their slot, that a `Wanted` brings at most: the latest."""
MOST_NEAR = 50
"""Memories of one slot, and entities of one key, that it brings at most: the latest."""
MOST_SAME = 10
"""Memories of one digest that it brings at most: current ones before others."""

_GAP = re.compile(r"\W+")
_DENSE = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
_CURSOR = re.compile(r"(-?\d{1,18})\.(\d{1,8})(?:\.(\d))?")


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Where a page goes on: after what stands at this moment and number, in the scope this far up the lineage."""

    at: int
    seq: int
    depth: int = 0

    def __str__(self) -> str:
        return f"{self.at}.{self.seq}.{self.depth}"

    def bound(self, depth: int) -> tuple[int, int]:
        """What in the scope at `depth` follows stands below this moment and number."""
        return self.at, self.seq + (depth > self.depth)


def position(cursor: str | None) -> Position | None:
    """The position of a cursor. Raises QueryError for one that no page gave."""
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if not found:
        raise QueryError(
            f"{shown(cursor)} is no cursor of a page.", place="before", code="cursor", hint="Use the cursor the last page gave."
        )
    return Position(int(found[1]), int(found[2]), int(found[3] or 0))


Order = tuple[int, int, int]
"""Where a memory stands in a page: its moment, its number, and its scope's place in the lineage, downwards; the highest first."""


def order_of(memory: Memory, depth: int) -> Order:
    """Where this memory of the scope at `depth` stands."""
    return micros(memory.recorded_at), memory.seq, -depth


def memory_page(found: Sequence[tuple[Order, Memory]], limit: int) -> MemoryPage:
    """The first `limit` of what was found, in order, with a cursor if there are more."""
    page = found[:limit]
    at, seq, depth = page[-1][0] if page else (0, 0, 0)
    cursor = str(Position(at, seq, -depth)) if page and len(found) > limit else None
    return MemoryPage(memories=tuple(memory if at[2] == 0 else _from_below(memory) for at, memory in page), cursor=cursor)


def seen_from(scope: Scope, memories: Iterable[Memory]) -> list[Memory]:
    """Memories of its lineage as a reader in `scope` sees them.

    How often one of an ancestor's was served, and when, is not told: it would tell what others below that ancestor do.
    """
    return [memory if memory.scope == scope else _from_below(memory) for memory in memories]


def _from_below(memory: Memory) -> Memory:
    return replace(memory, recalled=0, recalled_at=None)


def entity_page(found: Sequence[Entity], limit: int) -> EntityPage:
    """The first `limit` of what was found, in order, with a cursor if there are more."""
    page = found[:limit]
    return EntityPage(entities=tuple(page), cursor=str(position_of(page[-1])) if page and len(found) > limit else None)


def position_of(entity: Entity) -> Position:
    """Where it stands, latest seen first."""
    return Position(micros(entity.last_seen), entity.seq)


def expired(memory: Memory, now: datetime) -> bool:
    """Whether its time has run out. What is held does not expire."""
    return memory.expires_at is not None and memory.expires_at <= now and not memory.held


def passes(memory: Memory, where: MemoryFilter, now: datetime) -> bool:
    """True for a memory that is shown under `where`."""
    return (
        not expired(memory, now)
        and _held_true(memory, where)
        and (not where.kinds or memory.kind in where.kinds)
        and (where.subject is None or subject_key(where.subject) == subject_key(memory.subject))
        and one_of(where.attribute, memory.attribute)
        and one_of(where.speaker, memory.speaker)
        and one_of(where.agent, memory.agent)
        and one_of(where.conversation, memory.conversation)
        and one_of(where.trust, memory.trust)
        and holds(memory.metadata, where.metadata)
        and (where.entity is None or where.entity in ties_of(memory))
        and (where.record is None or any(e.record == where.record for e in memory.evidence))
        and _in_time(memory, where)
        and (where.text is None or holds_words(memory.text, where.text))
    )


def _held_true(memory: Memory, where: MemoryFilter) -> bool:
    """Both clocks, or without either the status."""
    if where.valid_at is None and where.known_at is None:
        return not where.statuses or memory.status in where.statuses
    stood = then(memory, known_at=where.known_at, valid_at=where.valid_at)
    return stood is not None and stood.status is Status.CURRENT


def _in_time(memory: Memory, where: MemoryFilter) -> bool:
    if where.since is None and where.until is None:
        return True
    if memory.event is not None and (memory.event.since or memory.event.until):
        return _meets(memory.event, where)
    if memory.said_at is None:
        return False
    return (where.since is None or memory.said_at >= where.since) and (where.until is None or memory.said_at < where.until)


def _meets(event: When, where: MemoryFilter) -> bool:
    if where.since is not None and event.until is not None and event.until <= where.since:
        return event.until == event.since == where.since
    return where.until is None or event.since is None or event.since < where.until


def holds_words(text: str, asked: str) -> bool:
    """True when every word of `asked` begins a word of `text`, or stands anywhere in it in scripts without spaces."""
    whole = plain(text)
    spaced = f" {_GAP.sub(' ', whole)}"
    return all(
        word in whole if _DENSE.search(word) else f" {_GAP.sub(' ', word).strip()}" in spaced for word in plain(asked).split()
    )


def entities_of(memory: Memory) -> set[str]:
    """The ids of all entities it names."""
    return {name for name in (memory.subject_id, memory.object_id, *memory.entities) if name}


def ties_of(memory: Memory) -> set[str]:
    """The ids of all entities and memories it names."""
    other = {memory.replaced_by, *memory.replaces, *(link.memory for link in memory.links)} - {None}
    return entities_of(memory) | {str(name) for name in other}


def proofs(memory: Memory) -> set[RecordId]:
    """The records that prove it."""
    return {evidence.record for evidence in memory.evidence}


def namers(entity: Entity) -> set[RecordId]:
    """The records that name it."""
    return {evidence.record for alias in entity.aliases for evidence in alias.evidence}


def named_only(entity: Entity) -> Entity:
    """The entity with its names and without who said them."""
    return replace(entity, aliases=tuple(Alias(text=a.text, kind=a.kind, count=a.count) for a in names_of(entity)))


def without_records(memory: Memory, gone: Collection[RecordId]) -> Memory | None:
    """What is left of it without these records: None when none proves it any more, or when its words may be theirs.

    Its text is that of its first evidence and of what lends; parts and the words of an event may have come from any.
    """
    left = tuple(evidence for evidence in memory.evidence if evidence.record not in gone)
    if len(left) == len(memory.evidence):
        return memory
    if any(evidence.lends for evidence in memory.evidence if evidence.record in gone):
        return None
    if not left or left[0] != memory.evidence[0] or memory.parts or memory.event:
        return None
    return replace(memory, evidence=left)


def without_ties(memory: Memory, gone: Collection[str]) -> Memory:
    """The memory without what ties it to these memories and entities, nor the day on which one of them took its place."""
    return replace(
        memory,
        valid_to=None if memory.replaced_by in gone else memory.valid_to,
        subject_id=None if memory.subject_id in gone else memory.subject_id,
        object_id=None if memory.object_id in gone else memory.object_id,
        entities=tuple(name for name in memory.entities if name not in gone),
        replaced_by=None if memory.replaced_by in gone else memory.replaced_by,
        replaces=tuple(name for name in memory.replaces if name not in gone),
        links=tuple(link for link in memory.links if link.memory not in gone),
    )


def records_in(changes: Changes) -> set[RecordId]:
    """All records that changes speak of."""
    found = {refusal.evidence.record for refusal in changes.refusals}
    for memory in changes.memories:
        found |= proofs(memory)
    for entity in changes.entities:
        found |= namers(entity)
    return found


def refusals_by_record(changes: Changes, live: Iterable[RecordId]) -> dict[RecordId, Counter[tuple[str, str]]]:
    """How often what was refused, by (kind, reason), of each record that was read; for some of them nothing."""
    counts: dict[RecordId, Counter[tuple[str, str]]] = {record: Counter() for record in live}
    for refusal in changes.refusals:
        counts.setdefault(refusal.evidence.record, Counter())[refusal.kind, refusal.reason] += 1
    return counts


def work_of(write: Write) -> WorkItem | None:
    """The enrichment that a record comes with, as a store keeps it where the record has none; None for none."""
    if write.work is None:
        return WorkItem(record=write.record.id, state=WorkState.QUEUED) if write.enrich else None
    under_way = write.work.state is WorkState.PROCESSING
    state = WorkState.QUEUED if under_way else write.work.state
    return replace(write.work, record=write.record.id, state=state, retry_at=None if under_way else write.work.retry_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What a store holds before changes are written: those of the memories and entities that are there, and records.

    `stale` are records of claims that are not held any more: nothing new may come of them. `names` tells whether an entity is
    there.
    """

    scope: Scope
    memories: Mapping[MemoryId, Memory]
    entities: Mapping[EntityId, Entity]
    records: Collection[RecordId]
    stale: Collection[RecordId]
    live: Collection[RecordId]
    names: Callable[[EntityId], bool]


def admitted(changes: Changes, before: Before) -> Changes:
    """What of the changes may be written: proved by records that are there, and by no work that was taken away.

    A new memory goes with the record its text is taken from; of one that was there before, only the missing evidence.
    """
    memories = [kept for memory in changes.memories if (kept := _admitted_memory(memory, before))]
    refused = {memory.id for memory in changes.memories} - {memory.id for memory in memories}
    if refused:
        memories = [without_ties(memory, refused) if refused & ties_of(memory) else memory for memory in memories]
    entities = [left for entity in changes.entities if (left := _admitted_entity(entity, before))]
    written = {entity.id for entity in entities}
    return Changes(
        memories=tuple(memories),
        entities=tuple(entities),
        merges=tuple(
            merge
            for merge in changes.merges
            if _in_scope(merge.scope, before.scope, merge.id)
            and all(name in written or before.names(name) for name in (merge.kept, merge.other))
        ),
        refusals=tuple(refusal for refusal in changes.refusals if _may_say(refusal.evidence.record, before)),
        outcomes={record: tuple(codes) for record, codes in changes.outcomes.items() if record in before.live},
        partial={record: reason for record, reason in changes.partial.items() if record in before.live},
    )


def split_claims(claims: Iterable[Claim], held: Callable[[Claim], bool]) -> tuple[frozenset[RecordId], frozenset[RecordId]]:
    """Records of the claims that are held, and of those that are not."""
    every = list(claims)
    live = frozenset(claim.record for claim in every if held(claim))
    return live, frozenset(claim.record for claim in every) - live


def latest_first(known: Iterable[Memory]) -> tuple[Memory, ...]:
    """Each memory once, the latest recorded first."""
    once = {memory.id: memory for memory in known}
    return tuple(sorted(once.values(), key=lambda memory: (memory.recorded_at, memory.seq), reverse=True))


def latest_seen_first(known: Iterable[Entity]) -> tuple[Entity, ...]:
    """Each entity once, the latest seen first."""
    once = {entity.id: entity for entity in known}
    return tuple(sorted(once.values(), key=lambda entity: (entity.last_seen, entity.seq), reverse=True))


def _may_say(record: RecordId, before: Before) -> bool:
    return record in before.records and record not in before.stale


def _in_scope(given: Scope, scope: Scope, name: str) -> bool:
    if given != scope:
        raise InputError(
            f"this belongs to {given}, but what is written is {scope}.", place=name, code="scope_mismatch", hint="Write it there."
        )
    return True


def _admitted_memory(memory: Memory, before: Before) -> Memory | None:
    _in_scope(memory.scope, before.scope, memory.id)
    old = before.memories.get(memory.id)
    known: Collection[Evidence] = frozenset(old.evidence) if old else ()
    kept = tuple(e for e in memory.evidence if e in known or _may_say(e.record, before))
    if old is None and (not kept or kept[0] != memory.evidence[0]):
        return None
    return memory if len(kept) == len(memory.evidence) else replace(memory, evidence=kept)


def _admitted_entity(entity: Entity, before: Before) -> Entity | None:
    _in_scope(entity.scope, before.scope, entity.id)
    old = before.entities.get(entity.id)
    known = namers(old) if old else frozenset()
    lost = {record for record in namers(entity) if record not in known and not _may_say(record, before)}
    return without(entity, lost) if lost else entity


def oldest_first(keys: Iterable[AccessKey]) -> list[AccessKey]:
    """Keys by when they were made, those that do not say so first."""
    return sorted(keys, key=lambda key: (key.credential.created_at or EPOCH, key.credential.id))
