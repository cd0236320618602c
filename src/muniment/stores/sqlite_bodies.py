"""Rows of memories, entities and merges: what is looked up in columns, the whole as a body, and a hash over it.

Rule of this file: an id is made from the number of a scope that the caller may see; a body whose hash fails is never believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

import apsw

from muniment.knowledge.values import Entity, Memory, Merge
from muniment.stores.bodies import entity_body, entity_of, memory_body, memory_of, merge_body, merge_of
from muniment.stores.rows import MOST, Damaged, body_digest, memory_columns, read_entity, read_memory
from muniment.stores.rules import micros
from muniment.stores.rules_knowledge import namers, proofs, ties_of
from muniment.stores.sqlite_file import SQL, Row, run, run_all, run_one
from muniment.stores.sqlite_rows import numbered
from muniment.types import RecordId, Scope


class Place(NamedTuple):
    """A scope and its number."""

    no: int
    scope: Scope


def memory_at(connection: apsw.Connection, scope: Scope, place: int) -> Memory | Damaged | None:
    """The memory of `scope` at id `place`; None when there is none."""
    row = run_one(connection, "memory_at", place)
    return None if row is None else read_memory(scope, row)


def entity_at(connection: apsw.Connection, scope: Scope, place: int) -> Entity | Damaged | None:
    """The entity of `scope` at id `place`; None when there is none."""
    row = run_one(connection, "entity_at", place)
    return None if row is None else read_entity(scope, row)


def memories_in(scope: Scope, rows: Iterable[Row]) -> list[Memory]:
    """The memories of these rows but the damaged ones."""
    return [found for row in rows if isinstance(found := read_memory(scope, row), Memory)]


def entities_in(scope: Scope, rows: Iterable[Row]) -> list[Entity]:
    """The entities of these rows but the damaged ones."""
    return [found for row in rows if isinstance(found := read_entity(scope, row), Entity)]


def write_memory(connection: apsw.Connection, at: Place, memory: Memory, *, place: int, known: bool) -> Memory:
    """Keep it at id `place`, with what it is found by; `known` when there may be links of an older state. Returns it as kept."""
    body = memory_body(memory)
    kept = memory_of(at.scope, place & MOST, body)
    run(connection, "memory_write", place, *memory_columns(kept), body_digest(at.scope, place, body.encode()), body)
    records = _records(connection, at.no, proofs(kept))
    _link(connection, ("evidence_add", "evidence_records", "evidence_of_memory_drop"), place, records, known=known)
    ties = ties_of(kept)
    if known:
        old = {name for (name,) in run_all(connection, "tie_others", place)}
        connection.executemany(SQL["tie_drop"], [(at.no, name, place) for name in old - ties])
        ties -= old
    connection.executemany(SQL["tie_add"], [(at.no, name, place) for name in sorted(ties)])
    return kept


def write_memory_body(connection: apsw.Connection, at: Place, memory: Memory) -> None:
    """Keep a memory that differs in nothing it is looked up by."""
    place = numbered(at.no, memory.seq)
    body = memory_body(memory)
    run(connection, "memory_body_write", body_digest(at.scope, place, body.encode()), body, place)


def write_entity(connection: apsw.Connection, at: Place, entity: Entity, *, place: int, known: bool) -> Entity:
    """Keep it at id `place`, with what it is found by; `known` when there may be links of an older state. Returns it as kept."""
    body = entity_body(entity)
    kept = entity_of(at.scope, place & MOST, body)
    merged = kept.merged_into
    values = (place, kept.id, micros(kept.last_seen), merged, body_digest(at.scope, place, body.encode()), body)
    run(connection, "entity_write", *values)
    records = _records(connection, at.no, namers(kept))
    _link(connection, ("naming_add", "naming_records", "naming_of_entity_drop"), place, records, known=known)
    keys = set(kept.keys)
    if known:
        old = {key for (key,) in run_all(connection, "keys_of_entity", place)}
        connection.executemany(SQL["entity_key_drop"], [(at.no, key, place) for key in old - keys])
        keys -= old
    connection.executemany(SQL["entity_key_add"], [(at.no, key, place) for key in sorted(keys)])
    return kept


def write_merge(connection: apsw.Connection, at: Place, merge: Merge, *, place: int) -> Merge:
    """Keep it at id `place`. Returns it as kept."""
    body = merge_body(merge)
    kept = merge_of(at.scope, body)
    digest = body_digest(at.scope, place, body.encode())
    run(connection, "merge_write", place, kept.id, kept.kept, kept.other, micros(kept.at), digest, body)
    return kept


def _records(connection: apsw.Connection, no: int, names: Iterable[RecordId]) -> set[int]:
    return {place for (place,) in run_all(connection, "records_by_name", no, json.dumps(list(names)))}


def _link(connection: apsw.Connection, statements: tuple[str, str, str], place: int, records: set[int], *, known: bool) -> None:
    add, read, drop = statements
    old = {record for (record,) in run_all(connection, read, place)} if known else set()
    if old - records:
        run(connection, drop, place)
        old = set()
    connection.executemany(SQL[add], [(place, record) for record in sorted(records - old)])
