"""Rebuilding the index: every entry is derived anew beside the old ones, and all take their places in one transaction.

Until then searches use the old index and writes go on; a rebuild that stops half-way has changed nothing. Only one rebuild
can finish: each carries a token, and the latest to begin holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar
from uuid import uuid4

import apsw

from muniment.errors import StoreBusy
from muniment.ports import Derive
from muniment.shelf import Entry
from muniment.stores.rows import kept_scope
from muniment.stores.rules import check_vectors
from muniment.stores.sqlite_erase import drop_labels, recount
from muniment.stores.sqlite_file import run, run_all, run_one, run_value, snapshot
from muniment.stores.sqlite_read import BATCH, BATCH_TEXT, below
from muniment.stores.sqlite_rows import MOST, Codes, entry_rows, fetch, span
from muniment.stores.sqlite_write import Embedded, add_entries, find_scope, keep_embedder
from muniment.types import Record

T = TypeVar("T")

CLEARED = 2000  # old entries removed in one transaction
MENDED = 64  # scopes counted again in one transaction
CATCH_UPS = 100  # times to catch up with writers before giving way to them


class Run(Protocol):
    """One of the lanes: carries work to a connection."""

    async def __call__(self, work: Callable[[apsw.Connection], T]) -> T: ...


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Records of one scope that wait to be staged, the `seq` up to which it is then done, and whether that is all of it."""

    no: int
    records: list[Record]
    upto: int
    whole: bool


async def rebuild(read: Run, write: Run, *, derive: Derive, embedder: Embedded | None) -> int:
    """Derive every entry anew, change over to them and to `embedder`, and clear the old ones; returns entries written."""
    token = uuid4().hex
    await write(partial(_begin, token=token))
    await _clear(write, token)
    written = None
    for _ in range(CATCH_UPS):
        await _stage_all(read, write, token=token, derive=derive, embedder=embedder)
        written = await write(partial(_change_over, token=token, embedder=embedder))
        if written is not None:
            break
    else:
        raise StoreBusy(
            "records arrived faster than they could be indexed anew.",
            hint="The old index stays. Rebuild when fewer writers are at work.",
        )
    await _clear(write, token)
    await _mend(write)
    await write(partial(_end, token=token))
    return written or 0


async def _stage_all(read: Run, write: Run, *, token: str, derive: Derive, embedder: Embedded | None) -> None:
    after = 0
    while stretches := await read(partial(_gather, after=after)):
        derived = await derive([record for stretch in stretches for record in stretch.records])
        await write(partial(_stage, token=token, stretches=stretches, derived=derived, embedder=embedder))
        after = stretches[-1].no - (not stretches[-1].whole)


def _begin(connection: apsw.Connection, token: str) -> None:
    run(connection, "meta_set", "rebuild", token)
    run(connection, "staging_clear")


def _end(connection: apsw.Connection, token: str) -> None:
    _check_token(connection, token)
    run(connection, "staging_clear")
    run(connection, "meta_drop", "rebuild")


def _check_token(connection: apsw.Connection, token: str) -> None:
    if run_value(connection, "meta_get", "rebuild") != token:
        raise StoreBusy("another rebuild of the index has begun, so this one stopped.", hint="Let the other one finish.")


async def _clear(write: Run, token: str) -> None:
    while await write(partial(_clear_some, token=token)):
        pass


def _clear_some(connection: apsw.Connection, token: str) -> int:
    _check_token(connection, token)
    run(connection, "staged_some_drop", CLEARED)
    return connection.changes()


def _gather(connection: apsw.Connection, after: int) -> list[_Stretch]:
    """The next records that are not staged, from as many scopes as fill a batch."""
    stretches: list[_Stretch] = []
    left, text = BATCH, BATCH_TEXT
    with snapshot(connection):
        for no, *names, last, staged in run_all(connection, "scopes_behind", after, BATCH):
            scope = kept_scope(*names)
            first, highest = span(no)
            records = []
            upto, whole = last, True
            for (place,) in run_all(connection, "records_after", first | staged, highest, left):
                record = fetch(connection, scope, place)
                if isinstance(record, Record):  # a damaged one has nothing to index
                    records.append(record)
                    text -= len(record.text)
                left -= 1
                if left == 0 or text < 0:
                    upto, whole = place & MOST, False
                    break
            stretches.append(_Stretch(no, records, upto, whole))
            if not whole:
                break
    return stretches


def _stage(
    connection: apsw.Connection,
    *,
    token: str,
    stretches: Sequence[_Stretch],
    derived: Sequence[Sequence[Entry]],
    embedder: Embedded | None,
) -> None:
    """Stage the entries of those records that are still there."""
    _check_token(connection, token)
    waiting = iter(derived)
    for stretch in stretches:
        at = run_one(connection, "staging_at", stretch.no) or (0, 0, 0, 0, 0)
        _, last, entries, vectors, size = at
        for record in stretch.records:
            fresh = next(waiting)
            check_vectors(record, fresh, embedder[1] if embedder else None)
            place = stretch.no << 24 | record.seq
            if run_value(connection, "record_name", place) != record.id:
                continue  # erased since
            codes = Codes(*run_all(connection, "record_codes", place)[0])
            rows = list(entry_rows(record, fresh, codes, seq=record.seq))
            last = add_entries(connection, "staged_add", stretch.no, last=last, rows=rows)
            entries += len(rows)
            vectors += sum(vector is not None for _, _, vector in rows)
            size += sum(len(terms) + len(vector or b"") for _, terms, vector in rows)
        run(connection, "staging_save", stretch.upto, last, entries, vectors, size, stretch.no)


def _change_over(connection: apsw.Connection, token: str, embedder: Embedded | None) -> int | None:
    """Put the staged index in place of the old one; None when records have arrived that are not in it."""
    _check_token(connection, token)
    if run_one(connection, "scopes_behind", 0, 1):
        return None
    written: int = run_value(connection, "staging_total")
    run(connection, "swap_tables")
    run(connection, "swap_numbers")
    keep_embedder(connection, embedder)
    changes = int(run_value(connection, "meta_get", "index") or 0)
    run(connection, "meta_set", "index", str(changes + 1))
    return written


async def _mend(write: Run) -> None:
    after: int | None = 0
    while after is not None:
        after = await write(partial(_mend_some, after=after))


def _mend_some(connection: apsw.Connection, after: int) -> int | None:
    """Set right the counts and names of some scopes; returns the last one's number, None when there are no more."""
    last = None
    for no, scope in below(connection, None, after=after, some=MENDED):
        unused = [place & MOST for (place,) in run(connection, "labels_unused", *span(no))]
        row = find_scope(connection, scope)
        counts = run_all(connection, "scope_counts", *span(no))[0]
        kept = row and (row.records, row.entries, row.vectors, row.text_bytes, row.entry_bytes, row.oldest, row.newest)
        if drop_labels(connection, no, unused) or kept != counts:
            recount(connection, scope)
        last = no
        if no >= after + MENDED:
            break
    return last
