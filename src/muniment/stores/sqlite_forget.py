"""What an erasure takes with it beside records: memories, entities, merges, work, sealed values, blobs, counters.

Rule of this file: a memory goes with the record its words are from, an alias with the last record that says it, and what named
either names it no more. Records that also proved a memory that goes, or prove what it had replaced, are queued to be read anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import apsw

from muniment.knowledge.entities.forgetting import without
from muniment.knowledge.values import Entity, Memory, MemoryId
from muniment.ports import Watch
from muniment.stores.rules import micros
from muniment.stores.rules_knowledge import without_records, without_ties
from muniment.stores.sqlite_bodies import Place, entity_at, memory_at, write_entity, write_memory
from muniment.stores.sqlite_digests import drop_digests
from muniment.stores.sqlite_file import find, run, run_all, run_value
from muniment.stores.sqlite_rows import span
from muniment.stores.sqlite_write import find_scope
from muniment.types import RecordId, Scope


def forget_scope(connection: apsw.Connection, no: int, removed: Counter[str]) -> None:
    """Remove all that a scope holds of it."""
    removed["digest"] += _change(connection, "digests_drop", no)
    _change(connection, "ties_drop", no)
    removed["evidence"] += _change(connection, "evidence_drop", *span(no))
    removed["memory"] += _change(connection, "memories_drop", *span(no))
    _change(connection, "entity_keys_drop", no)
    _change(connection, "naming_drop", *span(no))
    removed["entity"] += _change(connection, "entities_drop", *span(no))
    removed["merge"] += _change(connection, "merges_drop", *span(no))
    _change(connection, "refusals_drop", *span(no))
    removed["work"] += _change(connection, "works_drop", *span(no))
    removed["sealed"] += _change(connection, "sealed_drop", *span(no))
    _change(connection, "blob_uses_drop", *span(no))
    removed["blob"] += _change(connection, "blobs_drop", no)
    _change(connection, "knowledge_drop", no)


def tell(connection: apsw.Connection, at: Place, watch: Watch | None) -> None:
    """Tell which memories of a scope are tied to what is watched."""
    for (place,) in run_all(connection, "tie_memories", at.no, watch.tied) if watch else ():
        memory = memory_at(connection, at.scope, place)
        if watch and isinstance(memory, Memory):
            watch.seen.append(memory)


def forget_records(
    connection: apsw.Connection, at: Place, places: Sequence[int], *, removed: Counter[str], now: datetime
) -> None:
    """Remove what these records of a scope alone prove, and what stands beside them."""
    gone = frozenset(RecordId(run_value(connection, "record_name", place)) for place in places)
    removed["digest"] += drop_digests(connection, at.no, places)
    loss = _Loss(connection, at, removed)
    again: set[int] = set()
    for place in _each(connection, "evidence_memories", places):
        again |= loss.take_records(place, gone)
    for place in _each(connection, "naming_entities", places):
        loss.take_names(place, gone)
    again |= loss.clean()
    for place in places:
        removed["sealed"] += _change(connection, "sealed_of_record_drop", place)
        removed["work"] += _change(connection, "work_drop", place)
        run(connection, "refusals_of_record_drop", place)
        _drop_blobs(connection, place, removed)
    for place in again - set(places):
        run(connection, "work_again", place, micros(now))


def purge(connection: apsw.Connection, *, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Counter[str]:
    """Remove memories of exactly this scope that are not held; returns rows gone per table."""
    removed = Counter(dict.fromkeys(("memory", "evidence", "digest"), 0))
    row = find_scope(connection, scope)
    places = [] if row is None else [find(connection, "memory_by_name", row.no, name) for name in dict.fromkeys(ids)]
    if row is not None:
        loss = _Loss(connection, Place(row.no, scope), removed)
        for place in places:
            memory = None if place is None else memory_at(connection, scope, place)
            if place is not None and not (isinstance(memory, Memory) and memory.held):
                told = [record for (record,) in run_all(connection, "evidence_records", place)]
                removed["digest"] += drop_digests(connection, row.no, told)  # whose claims may be in its words
                loss.drop_memory(place)
        loss.clean()
    if removed["memory"]:
        run(connection, "erasure_add", micros(at), 1, 0, 0, 0, 0, removed["memory"], 0)
    return removed


@dataclass(slots=True)
class _Loss:
    """What goes of one scope's memories and entities, and the ids that are no more."""

    connection: apsw.Connection
    at: Place
    removed: Counter[str]
    ids: set[str] = field(default_factory=set)

    def take_records(self, place: int, gone: frozenset[RecordId]) -> set[int]:
        """Take these records from a memory. Returns the others that proved it when it goes."""
        memory = memory_at(self.connection, self.at.scope, place)
        left = without_records(memory, gone) if isinstance(memory, Memory) else None
        records = {record for (record,) in run_all(self.connection, "evidence_records", place)}
        if left is None or left == memory:  # the same: a link led here that its own words do not know
            self.drop_memory(place)
            return records
        write_memory(self.connection, self.at, left, place=place, known=True)
        kept = {record for (record,) in run_all(self.connection, "evidence_records", place)}
        self.removed["evidence"] += len(records - kept)
        return set()

    def take_names(self, place: int, gone: frozenset[RecordId]) -> None:
        """Take from an entity the names that only these records say."""
        entity = entity_at(self.connection, self.at.scope, place)
        left = without(entity, gone) if isinstance(entity, Entity) else None
        if left is not None:
            write_entity(self.connection, self.at, left, place=place, known=True)
            return
        self.ids.add(str(run_value(self.connection, "entity_name", place)))
        run(self.connection, "keys_of_entity_drop", place)
        run(self.connection, "naming_of_entity_drop", place)
        self.removed["entity"] += _change(self.connection, "entity_drop", place)

    def drop_memory(self, place: int) -> None:
        """Remove a memory."""
        self.ids.add(str(run_value(self.connection, "memory_name", place)))
        run(self.connection, "ties_of_memory_drop", place)
        self.removed["evidence"] += _change(self.connection, "evidence_of_memory_drop", place)
        self.removed["memory"] += _change(self.connection, "memory_drop", place)

    def clean(self) -> set[int]:
        """Let nothing name what went. Returns the records that prove what it had taken the place of."""
        no, scope = self.at
        for name in sorted(self.ids):
            for (place,) in run_all(self.connection, "merges_naming", no, name):
                self.removed["merge"] += _change(self.connection, "merge_drop", place)
            for (place,) in run_all(self.connection, "entities_merged_into", no, name):
                entity = entity_at(self.connection, scope, place)
                if isinstance(entity, Entity):
                    write_entity(self.connection, self.at, replace(entity, merged_into=None), place=place, known=True)
        tied = {place for name in self.ids for (place,) in run_all(self.connection, "tie_memories", no, name)}
        lapsed: set[int] = set()
        for place in sorted(tied):
            memory = memory_at(self.connection, scope, place)
            if isinstance(memory, Memory):
                if memory.replaced_by in self.ids:
                    lapsed |= {record for (record,) in run_all(self.connection, "evidence_records", place)}
                write_memory(self.connection, self.at, without_ties(memory, self.ids), place=place, known=True)
        return lapsed


def _each(connection: apsw.Connection, statement: str, records: Sequence[int]) -> list[int]:
    return sorted({place for record in records for (place,) in run_all(connection, statement, record)})


def _drop_blobs(connection: apsw.Connection, record: int, removed: Counter[str]) -> None:
    blobs = [no for (no,) in run_all(connection, "blobs_of_record", record)]
    run(connection, "blob_uses_of_record_drop", record)
    for no in blobs:
        if not run_value(connection, "blob_in_use", no):
            removed["blob"] += _change(connection, "blob_drop", no)


def _change(connection: apsw.Connection, statement: str, *values: object) -> int:
    run(connection, statement, *values)
    return connection.changes()
