"""Reading: one record or a page of them, counts, scans, and the search. Every call sees one moment.

Rule of this file: an id is made from the number of a scope that the caller may see, never taken as given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import apsw

from muniment.errors import StoreUnusable
from muniment.ports import Found, Rank
from muniment.stores.one_thread import one_thread
from muniment.stores.rows import kept_scope, page_of
from muniment.stores.rules import instant, micros, mismatch, utc
from muniment.stores.sqlite_file import find, run_all, run_numbers, run_value, snapshot
from muniment.stores.sqlite_rows import MOST, SHIFT, Damaged, fetch, rungs, span
from muniment.stores.sqlite_shelves import Shelves, View
from muniment.stores.sqlite_write import Embedded, find_lineage, find_scope, kept_embedder
from muniment.text.filters import only_one, passes
from muniment.types import Filter, Page, Record, RecordId, Scope, Stats

BATCH = 256
EVERY = -1
BATCH_TEXT = 8 << 20  # characters of a batch, beyond which it ends early

START = (0, 0)  # a scan's position before its first record


class Stretch(NamedTuple):
    """Some rows of a scan, and where it goes on (None at the end)."""

    rows: list[Record | Damaged]
    next: tuple[int, int] | None


def search(
    connection: apsw.Connection,
    shelves: Shelves,
    scope: Scope,
    *,
    rank: Rank,
    adopted: Embedded | None,
    erasures: int | None = None,
) -> Found:
    """Rank the shelves of the lineage and read the places chosen, all in one view of the file.

    `erasures` are those of the shelves when that view was fixed, where the caller did.
    """
    erasures = shelves.erasures if erasures is None else erasures
    with snapshot(connection):
        kept = kept_embedder(connection)
        if adopted and kept and kept != adopted:
            raise mismatch(kept, adopted)
        views = [view for one in scope.lineage if (view := _view(connection, one, kept[1] if kept else 0))]
        stand = [(view, shelf) for view in views if len(shelf := shelves.shelf(connection, view, erasures))]
        with one_thread:
            places = rank([shelf for _, shelf in stand])
        read = [_at(connection, stand[place.shelf][0], place.seq) for place in places]
    return Found(
        records=tuple([record for record in read if isinstance(record, Record)]),
        lost=tuple([place for place, record in zip(places, read, strict=True) if not isinstance(record, Record)]),
        knowledge=any(view.knowledge for view in views),
    )


def get(connection: apsw.Connection, scope: Scope, ids: Sequence[RecordId]) -> list[Record]:
    """The records with these ids in the lineage, in the order asked. Raises StoreUnusable for one that is damaged."""
    found = []
    with snapshot(connection):
        rows = find_lineage(connection, scope)
        for name in ids:
            for no, one in rows:
                place = find(connection, "record_by_name", no, name)
                if place is not None:
                    found.append(_sound(fetch(connection, one, place), name))
                    break
    return found


def page(connection: apsw.Connection, scope: Scope, where: Filter, *, limit: int, before: int | None) -> Page:
    """Records of exactly this scope below `before` that pass `where`, latest arrival first; damaged ones by `seq` in `lost`.

    One value of a field is looked up; one of several, and metadata, are compared row by row.
    """
    with snapshot(connection):
        row = find_scope(connection, scope)
        if row is None or (before is not None and before <= 1):
            return Page(records=())
        lowest, highest = span(row.no)
        below = highest if before is None else lowest | min(before - 1, MOST)
        agent, speaker, conversation = (
            None if name is None else _code(connection, row.no, kind, name)
            for kind, name in (
                ("agent", only_one(where.agent)),
                ("speaker", only_one(where.speaker)),
                ("conversation", only_one(where.conversation)),
            )
        )
        role, kind = (None if value is None else value.value for value in (only_one(where.role), only_one(where.kind)))
        since, until = (None if at is None else micros(utc(at, "where")) for at in (where.since, where.until))
        statement, last = ("page", ()) if conversation is None else ("page_of_conversation", (conversation,))
        stretch = max(limit + 1, BATCH) if where.several else limit + 1
        found: list[Record | Damaged] = []
        while len(found) <= limit:
            places = run_all(connection, statement, lowest, below, agent, speaker, role, kind, since, until, stretch, *last)
            read = (fetch(connection, scope, place) for (place,) in places)
            kept = (one for one in read if one and not (isinstance(one, Record) and where.several and not passes(one, where)))
            found += islice(kept, limit + 1 - len(found))
            if len(places) < stretch:
                break
            below = places[-1][0] - 1
    return page_of(found, limit)


def below(connection: apsw.Connection, scope: Scope | None, *, after: int = 0, some: int = EVERY) -> Iterator[tuple[int, Scope]]:
    """Number and scope of `scope` and all below it that hold anything (None: of all), by number, those after `after`.

    `some` is how many are read at a time: a few when the caller will stop early.
    """
    given = rungs(scope) if scope else ("", "", "")
    name = "scopes_below" if scope else "scopes_all"
    while True:
        rows = run_all(connection, name, *given, after, some)
        for no, *names in rows:
            yield no, kept_scope(*names)
        if len(rows) != some:
            return
        after = rows[-1][0]


def scan(connection: apsw.Connection, scope: Scope | None, position: tuple[int, int]) -> Stretch:
    """The records of `scope` and all below it that follow `position`, a scope's number and an id, as many as make a batch."""
    start, last = position
    read: list[Record | Damaged] = []
    size = 0
    with snapshot(connection):
        for no, one in below(connection, scope, after=start - 1, some=BATCH):
            first, highest = span(no)
            for (place,) in run_all(connection, "records_after", max(first, last), highest, BATCH):
                record = fetch(connection, one, place)
                if record is not None:
                    read.append(record)
                    size += len(record.text) if isinstance(record, Record) else 0
                if len(read) >= BATCH or size > BATCH_TEXT:
                    return Stretch(read, (no, place))
    return Stretch(read, None)


def stats(connection: apsw.Connection, scope: Scope | None) -> Stats:
    """Counts of `scope` and all below it, or of everything. `bytes` are those of texts and index, not of the file."""
    with snapshot(connection):
        embedder = kept_embedder(connection)
        if scope is None:
            *counts, scopes, conversations = run_numbers(connection, "stats_all") or ()
            oldest, newest = run_all(connection, "stats_times")[0]
        else:
            counts, oldest, newest, scopes, conversations = [0, 0, 0, 0], None, None, 0, 0
            for no, _ in below(connection, scope):
                *more, first, last = run_numbers(connection, "stats_of_scope", no) or ()
                counts = [a + b for a, b in zip(counts, more, strict=True)]
                oldest = first if oldest is None else min(oldest, first)
                newest = last if newest is None else max(newest, last)
                scopes += 1
                conversations += run_value(connection, "conversations_in", no)
    records, entries, vectors, size = counts
    return Stats(
        records=records,
        entries=entries,
        conversations=conversations,
        scopes=scopes,
        vectors=vectors,
        embedder=embedder[0] if embedder and vectors else None,
        bytes=size,
        oldest=None if oldest is None else instant(oldest),
        newest=None if newest is None else instant(newest),
    )


_UNUSED = -1  # a code that no record has


def _view(connection: apsw.Connection, scope: Scope, dim: int) -> View | None:
    row = run_numbers(connection, "scope_view", *rungs(scope))
    return None if row is None else View(scope, *row, dim=dim)


def _at(connection: apsw.Connection, view: View, seq: int) -> Record | Damaged | None:
    return fetch(connection, view.scope, view.no << SHIFT | seq) if 0 < seq <= MOST else None


def _sound(record: Record | Damaged | None, name: RecordId) -> Record:
    if isinstance(record, Record):
        return record
    raise StoreUnusable(
        "this record's row is damaged and cannot be read.",
        place=name,
        code="record_damaged",
        hint="Ingest the same words again to mend it, restore it from an export, or forget it by its id.",
    )


def _code(connection: apsw.Connection, no: int, kind: str, name: str) -> int:
    code = find(connection, "label_by_name", no, kind, name)
    return _UNUSED if code is None else code
