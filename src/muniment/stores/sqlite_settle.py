"""Settling: what is known is read, the caller decides, and its changes are written with the end of the work, in one transaction.

Rule of this file: nothing is written for a record that is gone or a claim that was taken away.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

import apsw

from muniment.knowledge.keys import slot_key, subject_key
from muniment.knowledge.values import Changes, Claim, Entity, EntityId, Known, Memory, MemoryId, Wanted, WorkState
from muniment.ports import Decide
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
from muniment.stores.sqlite_bodies import (
    Place,
    entities_in,
    entity_at,
    memories_in,
    memory_at,
    write_entity,
    write_memory,
    write_merge,
)
from muniment.stores.sqlite_file import find, run, run_all, run_numbers
from muniment.stores.sqlite_rows import numbered
from muniment.stores.sqlite_work import held
from muniment.stores.sqlite_write import find_scope
from muniment.types import RecordId, Scope


def settle(
    connection: apsw.Connection, *, scope: Scope, wanted: Wanted, decide: Decide, claims: Sequence[Claim], architecture: str
) -> Changes:
    """Read, decide, write. A call all of whose claims were taken away does not decide."""
    row = find_scope(connection, scope)
    at = Place(row.no, scope) if row else None
    live, stale = split_claims(
        claims, lambda claim: at is not None and claim.scope == scope and held(connection, at.no, claim) is not None
    )
    if claims and not live:
        return Changes()
    known = _known(connection, scope, at, wanted=wanted, live=live)
    changes = decide(known)
    if at is None:
        return Changes()
    before = _before(connection, at, changes, known=known, stale=stale)
    written = _write(connection, at, admitted(changes, before))
    _count_refusals(connection, at, written, live)
    _end_work(connection, at, written, live=live, architecture=architecture)
    return written


def _known(connection: apsw.Connection, scope: Scope, at: Place | None, *, wanted: Wanted, live: frozenset[RecordId]) -> Known:
    shared = [
        named_only(entity)
        for one in scope.lineage[1:]
        if wanted.keys and (row := find_scope(connection, one))
        for entity in _of_keys(connection, Place(row.no, one), wanted.keys)
    ]
    if at is None:
        return Known(shared=tuple(shared), live=live)
    return Known(
        memories=latest_first(_memories(connection, at, wanted)),
        entities=latest_seen_first(
            [*_of_keys(connection, at, wanted.keys), *_entities_by_id(connection, at, wanted.entities).values()]
        ),
        shared=tuple(shared),
        live=live,
    )


def _memories(connection: apsw.Connection, at: Place, wanted: Wanted) -> list[Memory]:
    """What is wanted, each row once: a subject's latest are often those of its slots."""
    asked = (
        ("memories_of_subject", {subject_key(subject) for subject in wanted.subjects}, MOST_ABOUT),
        ("memories_of_slot", {slot_key(subject, attribute) for subject, attribute in wanted.slots}, MOST_NEAR),
        ("memories_of_digest", set(wanted.digests), MOST_SAME),
    )
    rows = {
        row[0]: row for statement, keys, most in asked for key in keys for row in run_all(connection, statement, at.no, key, most)
    }
    places = (find(connection, "memory_by_name", at.no, name) for name in dict.fromkeys(wanted.memories))
    rows |= {row[0]: row for place in places if place not in rows for row in run_all(connection, "memory_at", place)}
    return memories_in(at.scope, rows.values())


def _memories_by_id(connection: apsw.Connection, at: Place, names: Iterable[MemoryId]) -> dict[MemoryId, Memory]:
    places = (find(connection, "memory_by_name", at.no, name) for name in dict.fromkeys(names))
    found = (memory_at(connection, at.scope, place) for place in places if place is not None)
    return {memory.id: memory for memory in found if isinstance(memory, Memory)}


def _of_keys(connection: apsw.Connection, at: Place, keys: Iterable[str]) -> list[Entity]:
    rows = [run_all(connection, "entities_of_key", at.no, key, MOST_NEAR) for key in dict.fromkeys(keys)]
    once = {row[0]: row for some in rows for row in some}
    return list(latest_seen_first(entities_in(at.scope, once.values())))


def _entities_by_id(connection: apsw.Connection, at: Place, names: Iterable[EntityId]) -> dict[EntityId, Entity]:
    places = (find(connection, "entity_by_name", at.no, name) for name in dict.fromkeys(names))
    found = (entity_at(connection, at.scope, place) for place in places if place is not None)
    return {entity.id: entity for entity in found if isinstance(entity, Entity)}


def _before(connection: apsw.Connection, at: Place, changes: Changes, *, known: Known, stale: frozenset[RecordId]) -> Before:
    memories = {memory.id: memory for memory in known.memories}
    memories |= _memories_by_id(connection, at, [memory.id for memory in changes.memories if memory.id not in memories])
    entities = {entity.id: entity for entity in known.entities}
    entities |= _entities_by_id(connection, at, [entity.id for entity in changes.entities if entity.id not in entities])
    sure: set[RecordId] = set()
    for memory in changes.memories:
        sure |= proofs(memories[memory.id]) if memory.id in memories else set()
    for entity in changes.entities:
        sure |= namers(entities[entity.id]) if entity.id in entities else set()
    asked = records_in(changes) - sure
    there = {name for name in asked if find(connection, "record_by_name", at.no, name) is not None}
    return Before(
        scope=at.scope,
        memories=memories,
        entities=entities,
        records=there | sure,
        stale=stale,
        live=known.live,
        names=lambda name: find(connection, "entity_by_name", at.no, name) is not None,
    )


def _write(connection: apsw.Connection, at: Place, changes: Changes) -> Changes:
    """Write what was admitted, each new thing behind the last number of its scope."""
    if not (changes.memories or changes.entities or changes.merges):
        return changes
    generation, *lasts = run_numbers(connection, "knowledge_at", at.no) or (0, 0, 0, 0)
    memories = []
    for memory in changes.memories:
        place, lasts[0] = _place(connection, "memory_by_name", at, (memory.id, lasts[0]))
        known = place is not None
        place = numbered(at.no, lasts[0]) if place is None else place
        memories.append(write_memory(connection, at, memory, place=place, known=known))
    entities = []
    for entity in changes.entities:
        place, lasts[1] = _place(connection, "entity_by_name", at, (entity.id, lasts[1]))
        known = place is not None
        place = numbered(at.no, lasts[1]) if place is None else place
        entities.append(write_entity(connection, at, entity, place=place, known=known))
    merges = []
    for merge in changes.merges:
        place, lasts[2] = _place(connection, "merge_by_name", at, (merge.id, lasts[2]))
        merges.append(write_merge(connection, at, merge, place=numbered(at.no, lasts[2]) if place is None else place))
    run(connection, "knowledge_save", generation + 1, *lasts, at.no)
    return replace(changes, memories=tuple(memories), entities=tuple(entities), merges=tuple(merges))


def _count_refusals(connection: apsw.Connection, at: Place, changes: Changes, live: frozenset[RecordId]) -> None:
    """What was refused of these records takes the place of what was refused of them before."""
    for name, counts in refusals_by_record(changes, live).items():
        place = find(connection, "record_by_name", at.no, name)
        if place is not None:
            run(connection, "refusals_of_record_drop", place)
            for (kind, reason), count in counts.items():
                run(connection, "refusal_add", place, kind, reason, count)


def _place(connection: apsw.Connection, statement: str, at: Place, named: tuple[str, int]) -> tuple[int | None, int]:
    """Where this name is kept, or None and the next number."""
    name, last = named
    place = find(connection, statement, at.no, name)
    return place, last + (place is None)


def _end_work(connection: apsw.Connection, at: Place, changes: Changes, *, live: frozenset[RecordId], architecture: str) -> None:
    for record in live:
        reason = changes.partial.get(record)
        state = WorkState.COMPLETED if reason is None else WorkState.PARTIAL
        outcomes = json.dumps(changes.outcomes.get(record, ()), ensure_ascii=False)
        place = find(connection, "record_by_name", at.no, record)
        run(connection, "work_end", state.value, reason or "", architecture, outcomes, place)
