"""Settling: what is known is read, the caller decides, and its changes are written with the end of the work, in one transaction.

Rule of this file: the scope is locked before anything of it is read, so that two processes never both decide on one moment.
Nothing is written for a record that is gone or a claim that was taken away.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

import asyncpg

from muniment.knowledge.keys import slot_key, subject_key
from muniment.knowledge.values import Changes, Claim, Entity, EntityId, Known, Memory, MemoryId, Merge, Wanted, WorkState
from muniment.ports import Decide
from muniment.stores.postgres_bodies import (
    Place,
    entities_in,
    memories_in,
    write_entities,
    write_memories,
    write_merges,
)
from muniment.stores.postgres_link import Link, Transaction
from muniment.stores.postgres_rows import ScopeRow, is_text, lock, number_of, numbers_of, word, words
from muniment.stores.postgres_work import held
from muniment.stores.rows import within
from muniment.stores.rules_knowledge import (
    MOST_ABOUT,
    MOST_NEAR,
    MOST_SAME,
    Before,
    admitted,
    latest_first,
    latest_seen_first,
    named_only,
    namers,
    proofs,
    records_in,
    refusals_by_record,
    split_claims,
)
from muniment.types import RecordId, Scope

T = TypeVar("T", Memory, Entity, Merge)


async def settle(
    tx: Transaction,
    *,
    link: Link,
    scope: Scope,
    wanted: Wanted,
    decide: Decide,
    claims: Sequence[Claim],
    architecture: str,
) -> Changes:
    """Read, decide, write. A call all of whose claims were taken away does not decide."""
    row = (await lock(tx, [scope])).get(scope)
    at = Place(row.no, scope) if row else None
    numbers = await held(tx, row.no, claims) if row else {}
    live, stale = split_claims(claims, lambda claim: claim.scope == scope and claim in numbers)
    if claims and not live:
        return Changes()
    known = await _known(tx, scope, at, wanted=wanted, live=live)
    changes = await link.rank(lambda: decide(known))
    if at is None or row is None:
        return Changes()
    before = await _before(tx, at, changes, known=known, stale=stale)
    written = await _write(tx, at, row, admitted(changes, before))
    await _end(tx, at, written, live=live, architecture=architecture)
    return written


async def _known(tx: Transaction, scope: Scope, at: Place | None, *, wanted: Wanted, live: frozenset[RecordId]) -> Known:
    shared = []
    for one in scope.lineage[1:] if wanted.keys else ():
        no = await number_of(tx, one)
        if no is not None:
            shared += [named_only(entity) for entity in await _of_keys(tx, Place(no, one), wanted.keys)]
    if at is None:
        return Known(shared=tuple(shared), live=live)
    return Known(
        memories=latest_first(await _memories(tx, at, wanted)),
        entities=latest_seen_first(
            [*await _of_keys(tx, at, wanted.keys), *(await _entities_by_id(tx, at, wanted.entities)).values()]
        ),
        shared=tuple(shared),
        live=live,
    )


async def _memories(tx: Transaction, at: Place, wanted: Wanted) -> list[Memory]:
    """What is wanted, each row once: a subject's latest are often those of its slots."""
    keys = (
        words(subject_key(subject) for subject in wanted.subjects),
        words(slot_key(subject, attribute) for subject, attribute in wanted.slots),
        words(wanted.digests),
    )
    rows = await tx.rows("memories_wanted", at.no, *keys, MOST_ABOUT, MOST_NEAR, MOST_SAME) if any(keys) else []
    rows += await _named_rows(tx, at, wanted.memories)
    return memories_in(at.scope, {row["seq"]: row for row in rows}.values())


async def _named_rows(tx: Transaction, at: Place, names: Iterable[MemoryId]) -> list[asyncpg.Record]:
    asked = words(names)
    return await tx.rows("memories_named", [at.no], asked) if asked else []


async def _of_keys(tx: Transaction, at: Place, keys: Iterable[str]) -> list[Entity]:
    asked = words(keys)
    rows = await tx.rows("entities_of_keys", at.no, asked, MOST_NEAR) if asked else []
    return list(latest_seen_first(entities_in(at.scope, {row["seq"]: row for row in rows}.values())))


async def _entities_by_id(tx: Transaction, at: Place, names: Iterable[EntityId]) -> dict[EntityId, Entity]:
    asked = words(names)
    rows = await tx.rows("entities_named", at.no, asked) if asked else []
    return {entity.id: entity for entity in entities_in(at.scope, rows)}


async def _before(tx: Transaction, at: Place, changes: Changes, *, known: Known, stale: frozenset[RecordId]) -> Before:
    memories = {memory.id: memory for memory in known.memories}
    more = await _named_rows(tx, at, (memory.id for memory in changes.memories if memory.id not in memories))
    memories |= {memory.id: memory for memory in memories_in(at.scope, more)}
    entities = {entity.id: entity for entity in known.entities}
    entities |= await _entities_by_id(tx, at, (entity.id for entity in changes.entities if entity.id not in entities))
    sure: set[RecordId] = set()
    for memory in changes.memories:
        sure |= proofs(memories[memory.id]) if memory.id in memories else set()
    for entity in changes.entities:
        sure |= namers(entities[entity.id]) if entity.id in entities else set()
    there = set(await numbers_of(tx, at.no, records_in(changes) - sure))
    tied = words(name for merge in changes.merges for name in (merge.kept, merge.other))
    named = {row["name"] for row in await tx.rows("entities_named", at.no, tied)} if tied else set()
    return Before(
        scope=at.scope,
        memories=memories,
        entities=entities,
        records=there | sure,
        stale=stale,
        live=known.live,
        names=lambda name: is_text(name) and word(name) in named,
    )


async def _write(tx: Transaction, at: Place, row: ScopeRow, changes: Changes) -> Changes:
    """Write what was admitted, each new thing behind the last number of its scope."""
    if not (changes.memories or changes.entities or changes.merges):
        return changes
    memories, row.last_memory = _placed(
        changes.memories, await _named_rows(tx, at, (one.id for one in changes.memories)), row.last_memory
    )
    entities, row.last_entity = _placed(
        changes.entities, await tx.rows("entities_named", at.no, words(one.id for one in changes.entities)), row.last_entity
    )
    merges, row.last_merge = _placed(
        changes.merges, await tx.rows("merges_named", at.no, words(one.id for one in changes.merges)), row.last_merge
    )
    written = replace(
        changes,
        memories=tuple(await write_memories(tx, at, memories)),
        entities=tuple(await write_entities(tx, at, entities)),
        merges=tuple(await write_merges(tx, at, merges)),
    )
    await tx.change("scope_numbers_save", at.no, row.last_memory, row.last_entity, row.last_merge)
    return written


def _placed(things: Sequence[T], rows: Sequence[asyncpg.Record], last: int) -> tuple[list[tuple[T, int]], int]:
    """Each thing with the number it has, or the next one; and the last number given."""
    numbers: dict[bytes, int] = {row["name"]: row["seq"] for row in rows}
    placed = []
    for thing in things:
        seq = numbers.get(word(thing.id))
        if seq is None:
            last = seq = within(last + 1)
            numbers[word(thing.id)] = seq
        placed.append((thing, seq))
    return placed, last


async def _end(tx: Transaction, at: Place, changes: Changes, *, live: frozenset[RecordId], architecture: str) -> None:
    """What was refused of these records takes the place of what was refused of them before, and their work is ended."""
    counts = refusals_by_record(changes, live)
    numbers = await numbers_of(tx, at.no, {*counts, *live})
    await tx.change("refusals_drop", at.no, [numbers[name] for name in counts if name in numbers])
    refused = [
        (at.no, numbers[name], kind.encode(), reason.encode(), count)
        for name, some in counts.items()
        if name in numbers
        for (kind, reason), count in some.items()
    ]
    await tx.table("refusal_add", refused)
    ended = []
    for name in live:
        reason = changes.partial.get(name)
        state = WorkState.COMPLETED if reason is None else WorkState.PARTIAL
        outcomes = json.dumps(changes.outcomes.get(name, ()), ensure_ascii=False).encode()
        ended.append((at.no, numbers[name], state.value, (reason or "").encode(), architecture.encode(), outcomes))
    await tx.table("work_end", ended)
