"""Reading memories, entities and merges; counting what was served.

Rule of this file: every call sees one moment and looks up, never through, what other scopes hold. Damaged rows are left out of
pages, and named where they were asked for by id.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from heapq import merge as merged
from itertools import islice
from typing import NamedTuple

import apsw

from muniment.errors import StoreUnusable
from muniment.knowledge.keys import slot_key, subject_key
from muniment.knowledge.values import KEPT, Entity, EntityPage, Memory, MemoryFilter, MemoryId, MemoryPage, Merge
from muniment.stores.rows import Damaged, read_entity, read_memory, read_merge
from muniment.stores.rules import utc
from muniment.stores.rules_knowledge import (
    MOST_NEAR,
    Order,
    entity_page,
    latest_seen_first,
    memory_page,
    order_of,
    passes,
    position,
    position_of,
    seen_from,
)
from muniment.stores.sqlite_beside import is_text
from muniment.stores.sqlite_bodies import (
    Place,
    entities_in,
    entity_at,
    memories_in,
    memory_at,
    write_memory_body,
)
from muniment.stores.sqlite_file import find, run_all, snapshot
from muniment.stores.sqlite_read import below
from muniment.stores.sqlite_rows import MOST, SHIFT, span
from muniment.stores.sqlite_write import find_lineage, find_scope
from muniment.types import RecordId, Scope

STRETCH = 64  # rows read with one statement
BATCH = 256
TOP = 1 << 62  # beyond every moment and id

START = (0, 0, 0)  # a stream's position before its first row


class Stretch(NamedTuple):
    """Some rows of a stream, and where it goes on (None at the end)."""

    rows: list[Memory | Entity | Merge | Damaged]
    next: tuple[int, int, int] | None


def memories(
    connection: apsw.Connection,
    *,
    scope: Scope,
    where: MemoryFilter,
    limit: int,
    now: datetime,
    before: str | None,
    inherited: bool,
) -> MemoryPage:
    """A page of memories of the scope, or of its lineage, latest recorded first."""
    after = position(before)
    with snapshot(connection):
        depths = [
            (depth, Place(row.no, one))
            for depth, one in enumerate(scope.lineage if inherited else (scope,))
            if (row := find_scope(connection, one))
        ]
        moment = utc(now, "now")
        walks = [
            _walk(connection, at, _Ask(where, moment, status), bound=after.bound(depth) if after else None, depth=depth)
            for depth, at in depths
            for status in _statuses(where)
        ]
        found = list(islice(merged(*walks, key=lambda one: one[0], reverse=True), limit + 1))
    return memory_page(found, limit)


def memory(connection: apsw.Connection, *, scope: Scope, ids: Sequence[MemoryId]) -> list[Memory]:
    """The memories with these ids in the lineage, in the order asked. Raises StoreUnusable for one that is damaged."""
    found = []
    with snapshot(connection):
        for name, at, place in _find(connection, scope, ids):
            one = memory_at(connection, at.scope, place)
            if not isinstance(one, Memory):
                raise StoreUnusable(
                    "this memory's row is damaged and cannot be read.",
                    place=name,
                    code="memory_damaged",
                    hint="Queue its scope's records again to derive it anew, or restore it from an export.",
                )
            found.append(one)
    return seen_from(scope, found)


def proved_by(connection: apsw.Connection, *, scope: Scope, records: Sequence[RecordId]) -> dict[RecordId, list[Memory]]:
    """The memories these records of the lineage prove, latest first; records that prove none are left out."""
    found: dict[RecordId, list[Memory]] = {}
    with snapshot(connection):
        for at in _lineage(connection, scope):
            asked = json.dumps([name for name in records if name not in found and is_text(name)])
            rows = run_all(connection, "memories_of_records", at.no, asked)
            read = {row[0]: row for _, *row in rows}  # one that several prove is read once
            sound = {row[0]: one for row in read.values() for one in seen_from(scope, memories_in(at.scope, [tuple(row)]))}
            for name, place, *_ in rows:
                if place in sound:
                    found.setdefault(RecordId(str(name)), []).append(sound[place])
    return found


def entities(
    connection: apsw.Connection,
    *,
    scope: Scope,
    keys: Sequence[str] | None,
    ids: Sequence[str],
    limit: int,
    before: str | None,
) -> EntityPage:
    """A page of entities of exactly this scope, latest seen first."""
    after = position(before)
    with snapshot(connection):
        row = find_scope(connection, scope)
        if row is None:
            return EntityPage(entities=())
        at = Place(row.no, scope)
        if keys is None and not ids:
            moment, seq = after.bound(0) if after else (TOP, MOST)
            rows = run_all(connection, "entities_page", at.no, moment, at.no << SHIFT | seq, limit + 1)
            found = entities_in(scope, rows)
        else:
            found = [one for one in _named(connection, at, keys or (), ids) if after is None or position_of(one) < after]
    return entity_page(found, limit)


def merges(connection: apsw.Connection, *, scope: Scope, decided: bool | None) -> list[Merge]:
    """The merges of exactly this scope, latest first."""
    with snapshot(connection):
        row = find_scope(connection, scope)
        rows = run_all(connection, "merges_after", *span(row.no), -1) if row else []
    found = [(one, place) for place, *rest in rows if isinstance(one := read_merge(scope, (place, *rest)), Merge)]
    found.sort(key=lambda pair: (pair[0].at, pair[1]), reverse=True)
    return [one for one, _ in found if decided is None or one.decided is decided]


def recalled(connection: apsw.Connection, *, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
    """Count that these of the lineage were served."""
    for _, here, place in _find(connection, scope, list(dict.fromkeys(ids))):
        one = memory_at(connection, here.scope, place)
        if isinstance(one, Memory):
            write_memory_body(connection, here, replace(one, recalled=one.recalled + 1, recalled_at=utc(at, "at")))


def stream(connection: apsw.Connection, *, scope: Scope | None, position: tuple[int, int, int]) -> Stretch:
    """What `scope` and all below it hold after `position`, at one moment."""
    with snapshot(connection):
        return stretch(connection, scope=scope, position=position)


def stretch(connection: apsw.Connection, *, scope: Scope | None, position: tuple[int, int, int]) -> Stretch:
    """Rows of one kind and one scope after `position`: a scope's number, a kind of row, and an id."""
    start, part, last = position
    for no, one in below(connection, scope, after=start - 1, some=BATCH):
        first, highest = span(no)
        for kind, (statement, read) in enumerate(_PARTS):
            if no == start and kind < part:
                continue
            after = last if (no, kind) == (start, part) else first
            rows = run_all(connection, statement, max(after, first), highest, BATCH)
            if rows:
                return Stretch([read(one, row) for row in rows], (no, kind, rows[-1][0]))
    return Stretch([], None)


_PARTS = (("memories_after", read_memory), ("entities_after", read_entity), ("merges_after", read_merge))


class _Ask(NamedTuple):
    """What one walk looks for; a status of None is any."""

    where: MemoryFilter
    now: datetime
    status: str | None


def _statuses(where: MemoryFilter) -> list[str | None]:
    """One walk for each: where a lookup is in order only within a status, they are put together afterwards."""
    asked = [] if where.valid_at is not None or where.known_at is not None else [status.value for status in where.statuses]
    if _path(where)[0] in _BY_STATUS:
        return list(dict.fromkeys(asked)) or [status.value for status in KEPT]
    return [asked[0] if len(asked) == 1 else None]


def _walk(
    connection: apsw.Connection, at: Place, ask: _Ask, *, bound: tuple[int, int] | None, depth: int
) -> Iterator[tuple[Order, Memory]]:
    """The memories of one scope that pass, latest first, each with its place in the order."""
    statement, *key = _path(ask.where)
    if not all(map(is_text, key)):
        return
    kind = ask.where.kinds[0] if len(ask.where.kinds) == 1 else None
    moment, seq = bound or (TOP, MOST)
    while True:
        rows = run_all(connection, statement, at.no, moment, at.no << SHIFT | seq, kind, ask.status, STRETCH, *key)
        for row in rows:
            one = read_memory(at.scope, row)
            if isinstance(one, Memory) and passes(one, ask.where, ask.now):
                yield order_of(one, depth), one
        if len(rows) < STRETCH:
            return
        moment, seq = _row_place(connection, rows[-1][0])


def _row_place(connection: apsw.Connection, place: int) -> tuple[int, int]:
    """Where a row stands by its columns, whatever its body says."""
    return run_all(connection, "memory_columns", place)[0][6], place & MOST


_BY_STATUS = ("memories_page_of_subject", "memories_page_of_slot")


def _path(where: MemoryFilter) -> tuple[str, ...]:
    """The lookup that narrows most, and its key."""
    if where.record is not None:
        return "memories_page_of_record", where.record
    if where.subject is not None and where.attribute and isinstance(where.attribute, str):
        return "memories_page_of_slot", slot_key(where.subject, where.attribute)
    if where.entity is not None:
        return "memories_page_of_entity", where.entity
    if where.subject is not None:
        return "memories_page_of_subject", subject_key(where.subject)
    return ("memories_page",)


def _named(connection: apsw.Connection, at: Place, keys: Sequence[str], ids: Sequence[str]) -> tuple[Entity, ...]:
    found = [
        one
        for key in dict.fromkeys(keys)
        if is_text(key)
        for one in entities_in(at.scope, run_all(connection, "entities_of_key", at.no, key, MOST_NEAR))
    ]
    for name in dict.fromkeys(ids):
        place = find(connection, "entity_by_name", at.no, name)
        one = None if place is None else entity_at(connection, at.scope, place)
        if isinstance(one, Entity):
            found.append(one)
    return latest_seen_first(found)


def _find(connection: apsw.Connection, scope: Scope, ids: Sequence[MemoryId]) -> Iterator[tuple[MemoryId, Place, int]]:
    """Where these ids are kept in the lineage, in the order asked, the narrowest scope's first."""
    lineage = _lineage(connection, scope)
    for name in ids:
        for at in lineage:
            place = find(connection, "memory_by_name", at.no, name)
            if place is not None:
                yield name, at, place
                break


def _lineage(connection: apsw.Connection, scope: Scope) -> list[Place]:
    return [Place(no, one) for no, one in find_lineage(connection, scope)]
