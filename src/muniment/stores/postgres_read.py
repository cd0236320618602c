"""Reading: records by id and by page, counts, scans, and the search. Every call sees one moment.

Rule of this file: a row is read by the number of a scope that the caller may see, never by one that was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import asyncpg

from muniment.errors import StoreUnusable
from muniment.ports import Found, Rank
from muniment.shelf import Place
from muniment.stores.one_thread import one_thread
from muniment.stores.postgres_link import Link, Transaction, area_of, path_of
from muniment.stores.postgres_rows import by_name, is_text, lineage_of, number_of, read_record, scope_at, word, words
from muniment.stores.postgres_shelves import Shelves, View
from muniment.stores.postgres_write import Embedded, kept_embedder
from muniment.stores.rows import MOST, Damaged, page_of
from muniment.stores.rules import instant, micros, mismatch, utc
from muniment.text.filters import only_one, passes
from muniment.types import Filter, Page, Record, RecordId, Scope, Stats

BATCH = 256
FEW = 32  # scopes of a scan read with one statement
START = (0, 0)  # a scan's position before its first record


class Stretch(NamedTuple):
    """Some rows of a scan, and where it goes on (None at the end)."""

    rows: list[Record | Damaged]
    next: tuple[int, int] | None


async def search(tx: Transaction, *, link: Link, shelves: Shelves, scope: Scope, rank: Rank, adopted: Embedded | None) -> Found:
    """Rank the shelves of the lineage and read the places chosen, all in one view of the store."""
    erasures = shelves.erasures
    kept = await kept_embedder(tx)
    if adopted and kept and kept != adopted:
        raise mismatch(kept, adopted)
    rows = {row["path"]: row for row in await tx.rows("scopes_view", [path_of(one) for one in scope.lineage])}
    views = [View.of(one, rows[path], kept[1] if kept else 0) for one in scope.lineage if (path := path_of(one)) in rows]
    parts = [(view, await shelves.parts(tx, view)) for view in views]

    def ranked() -> tuple[list[View], Sequence[Place]]:
        stand = [(view, shelf) for view, made in parts if len(shelf := shelves.shelf(view, made, erasures))]
        with one_thread:
            places = rank([shelf for _, shelf in stand])
        return [view for view, _ in stand], places

    stand, places = await link.rank(ranked)
    asked = [(stand[place.shelf].no, place.seq) for place in places if 0 < place.seq <= MOST]
    rows_at = await tx.rows("records_at", [no for no, _ in asked], [seq for _, seq in asked]) if asked else []
    kept_at = {(row["scope"], row["seq"]): row for row in rows_at}
    read = [_at(stand[place.shelf], kept_at.get((stand[place.shelf].no, place.seq))) for place in places]
    return Found(
        records=tuple([record for record in read if isinstance(record, Record)]),
        lost=tuple([place for place, record in zip(places, read, strict=True) if not isinstance(record, Record)]),
        knowledge=any(view.knowledge for view in views),
    )


async def get(tx: Transaction, *, scope: Scope, ids: Sequence[RecordId]) -> list[Record]:
    """The records with these ids in the lineage, in the order asked. Raises StoreUnusable for one that is damaged."""
    lineage = await lineage_of(tx, scope)
    asked = words(ids)
    pairs = [(no, name) for no in lineage for name in asked]
    rows = by_name(await tx.rows("records_named", [no for no, _ in pairs], [name for _, name in pairs]), lineage)
    found = []
    for name in ids:
        row = rows.get(word(name)) if is_text(name) else None
        if row is not None:
            found.append(_sound(read_record(lineage[row["scope"]], row), name))
    return found


async def page(tx: Transaction, *, scope: Scope, where: Filter, limit: int, before: int | None) -> Page:
    """Records of exactly this scope below `before` that pass `where`, latest arrival first; damaged ones by `seq` in `lost`.

    One value of a field is looked up; one of several, and metadata, are compared row by row.
    """
    no = await number_of(tx, scope)
    names = only_one(where.agent), only_one(where.speaker), only_one(where.conversation)
    if no is None or not all(name is None or is_text(name) for name in names):
        return Page(records=())
    below = MOST + 1 if before is None else max(0, min(before, MOST + 1))
    agent, speaker, conversation = (None if name is None else name.encode() for name in names)
    role, kind = (None if value is None else value.value for value in (only_one(where.role), only_one(where.kind)))
    since, until = (None if at is None else micros(utc(at, "where")) for at in (where.since, where.until))
    statement, last = ("page", ()) if conversation is None else ("page_of_conversation", (conversation,))
    stretch = max(limit + 1, BATCH) if where.several else limit + 1
    found: list[Record | Damaged] = []
    while len(found) <= limit:
        rows = await tx.rows(statement, no, below, agent, speaker, role, kind, since, until, stretch, *last)
        read = (read_record(scope, row) for row in rows)
        kept = (one for one in read if not (isinstance(one, Record) and where.several and not passes(one, where)))
        found += islice(kept, limit + 1 - len(found))
        if len(rows) < stretch:
            break
        below = rows[-1]["seq"]
    return page_of(found, limit)


async def below(tx: Transaction, scope: Scope | None, *, after: int, some: int) -> list[tuple[int, Scope]]:
    """Number and scope of `scope` and all below it (None: of all) that hold anything, those after a number, `some` at most."""
    return [(row["no"], scope_at(row["path"])) for row in await tx.rows("scopes_below", *area_of(scope), after, some)]


async def scan(tx: Transaction, *, scope: Scope | None, position: tuple[int, int]) -> Stretch:
    """A batch of the records of `scope` and all below it that follow `position`, a scope's number and a record's."""
    start, last = position
    read: list[Record | Damaged] = []
    while scopes := await below(tx, scope, after=start - 1, some=FEW):
        for no, one in scopes:
            rows = await tx.rows("records_after", no, last if no == start else 0, BATCH - len(read))
            read += [read_record(one, row) for row in rows]
            if len(read) == BATCH:
                return Stretch(read, (no, rows[-1]["seq"]))
        start, last = scopes[-1][0] + 1, 0
    return Stretch(read, None)


async def stats(tx: Transaction, *, scope: Scope | None) -> Stats:
    """Counts of `scope` and all below it, or of everything. `bytes` are those of texts and index, not of the server's files."""
    embedder = await kept_embedder(tx)
    row = await tx.row("stats", *area_of(scope))
    assert row is not None
    vectors = row["vectors"]
    return Stats(
        records=row["records"],
        entries=row["entries"],
        conversations=row["conversations"],
        scopes=row["scopes"],
        vectors=vectors,
        embedder=embedder[0] if embedder and vectors else None,
        bytes=row["text_bytes"] + row["entry_bytes"] + vectors * 2 * (embedder[1] if embedder else 0),
        oldest=None if row["oldest"] is None else instant(row["oldest"]),
        newest=None if row["newest"] is None else instant(row["newest"]),
    )


def _at(view: View, row: asyncpg.Record | None) -> Record | Damaged | None:
    return None if row is None else read_record(view.scope, row)


def _sound(record: Record | Damaged, name: RecordId) -> Record:
    if isinstance(record, Record):
        return record
    raise StoreUnusable(
        "this record's row is damaged and cannot be read.",
        place=name,
        code="record_damaged",
        hint="Ingest the same words again to mend it, restore it from an export, or forget it by its id.",
    )
