"""Rows of memories, entities and merges: what is looked up in columns, the whole as a body, and a hash over it.

Rule of this file: an id is made from the number of a scope that the caller may see; a body whose hash fails is never believed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import NamedTuple, TypeVar

import apsw

from muniment.errors import InputError
from muniment.knowledge.keys import digest_of, slot_key, subject_key
from muniment.knowledge.values import Entity, Memory, Merge
from muniment.stores.bodies import entity_body, entity_of, memory_body, memory_of, merge_body, merge_of
from muniment.stores.rules import micros
from muniment.stores.rules_knowledge import namers, proofs, ties_of
from muniment.stores.sqlite_file import SQL, Row, run, run_all, run_one
from muniment.stores.sqlite_rows import MOST, Damaged, Value, numbered, rungs
from muniment.types import RecordId, Scope

T = TypeVar("T", Memory, Entity, Merge)


class Place(NamedTuple):
    """A scope and its number."""

    no: int
    scope: Scope


def read_memory(scope: Scope, row: Row) -> Memory | Damaged:
    """The memory of a row of id, hash and body."""
    return _read(scope, row, memory_of)


def read_entity(scope: Scope, row: Row) -> Entity | Damaged:
    """The entity of a row of id, hash and body."""
    return _read(scope, row, entity_of)


def read_merge(scope: Scope, row: Row) -> Merge | Damaged:
    """The merge of a row of id, hash and body."""
    return _read(scope, row, lambda scope, _, body: merge_of(scope, body))


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


def memory_columns(memory: Memory) -> tuple[Value, ...]:
    """What a memory is looked up by, in the order of its columns."""
    expires = None if memory.expires_at is None or memory.held else micros(memory.expires_at)
    slot = slot_key(memory.subject, memory.attribute)
    named = (memory.id, memory.kind, memory.status.value, subject_key(memory.subject), slot, digest_of(memory))
    return (*named, micros(memory.recorded_at), expires, len(proofs(memory)))


def write_memory(connection: apsw.Connection, at: Place, memory: Memory, *, place: int, known: bool) -> Memory:
    """Keep it at id `place`, with what it is found by; `known` when there may be links of an older state. Returns it as kept."""
    body = memory_body(memory)
    kept = memory_of(at.scope, place & MOST, body)
    run(connection, "memory_write", place, *memory_columns(kept), _hash(at.scope, place, body.encode()), body)
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
    run(connection, "memory_body_write", _hash(at.scope, place, body.encode()), body, place)


def write_entity(connection: apsw.Connection, at: Place, entity: Entity, *, place: int, known: bool) -> Entity:
    """Keep it at id `place`, with what it is found by; `known` when there may be links of an older state. Returns it as kept."""
    body = entity_body(entity)
    kept = entity_of(at.scope, place & MOST, body)
    merged = kept.merged_into
    values = (place, kept.id, micros(kept.last_seen), merged, _hash(at.scope, place, body.encode()), body)
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
    digest = _hash(at.scope, place, body.encode())
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


def _read(scope: Scope, row: Row, of: Callable[[Scope, int, str], T]) -> T | Damaged:
    place, digest, body = row
    if _hash(scope, place, body) == digest:
        try:
            return of(scope, place & MOST, body.decode())
        except (ValueError, TypeError, KeyError, InputError):
            pass  # written by another version, or by nobody: damaged like those that fail the hash
    return Damaged(scope, place & MOST)


def _hash(scope: Scope, place: int, body: bytes) -> bytes:
    named = "\x1f".join((*rungs(scope), str(place), ""))
    return blake2b(named.encode() + body, digest_size=16).digest()
