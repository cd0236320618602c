"""Rebuilding the index: every entry is derived anew beside the old ones, and all take their places in one transaction.

Until then searches use the old index and writes go on; a rebuild that stops half-way has changed nothing. Only one rebuild can
finish: each carries a token, and the latest to begin holds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from uuid import uuid4

from muniment.errors import StoreBusy
from muniment.ports import Derive
from muniment.shelf import Entry
from muniment.stores.postgres_link import EVERYWHERE, Link, Transaction
from muniment.stores.postgres_read import BATCH
from muniment.stores.postgres_rows import numbers_of, read_record, scope_at
from muniment.stores.postgres_write import Embedded, keep_embedder
from muniment.stores.rows import Codes, entry_rows, within
from muniment.stores.rules import check_vectors
from muniment.types import Record

CATCH_UPS = 100  # times to catch up with writers before giving way to them


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Records of one scope that wait to be staged, with their codes, and the `seq` up to which it is then done."""

    no: int
    records: list[tuple[Record, Codes]]
    upto: int


async def rebuild(link: Link, *, derive: Derive, embedder: Embedded | None) -> int:
    """Derive every entry anew and change over to them and to `embedder`; returns entries written."""
    token = uuid4().hex
    await link.write(EVERYWHERE, partial(_begin, token=token))
    for _ in range(CATCH_UPS):
        await _stage_all(link, token=token, derive=derive, embedder=embedder)
        written = await link.write(EVERYWHERE, partial(_change_over, token=token, embedder=embedder))
        if written is not None:
            return written
    raise StoreBusy(
        "records arrived faster than they could be indexed anew.",
        hint="The old index stays. Rebuild when fewer writers are at work.",
    )


async def _stage_all(link: Link, *, token: str, derive: Derive, embedder: Embedded | None) -> None:
    while stretch := await link.read(EVERYWHERE, _gather):
        derived = await derive([record for record, _ in stretch.records])
        staged = partial(_stage, token=token, stretch=stretch, derived=derived, embedder=embedder)
        await link.write(EVERYWHERE, staged)


async def _begin(tx: Transaction, *, token: str) -> None:
    await tx.change("meta_set", "rebuild", token)
    await tx.change("staging_clear")


async def _check_token(tx: Transaction, token: str) -> None:
    if await tx.value("meta_lock", "rebuild") != token:
        raise StoreBusy("another rebuild of the index has begun, so this one stopped.", hint="Let the other one finish.")


async def _gather(tx: Transaction) -> _Stretch | None:
    """The next records that are not staged."""
    behind = await tx.row("scopes_behind")
    if behind is None:
        return None
    scope = scope_at(behind["path"])
    rows = await tx.rows("records_after", behind["no"], behind["staged"], BATCH)
    records = [
        (record, Codes(row["conversation"], row["speaker"], row["agent"]))
        for row in rows
        if isinstance(record := read_record(scope, row), Record)  # a damaged one has nothing to index
    ]
    return _Stretch(behind["no"], records, rows[-1]["seq"] if len(rows) == BATCH else behind["last_seq"])


async def _stage(
    tx: Transaction, *, token: str, stretch: _Stretch, derived: Sequence[Sequence[Entry]], embedder: Embedded | None
) -> None:
    """Stage the entries of those records that are still there."""
    await _check_token(tx, token)
    if await tx.value("scope_lock", stretch.no) is None:
        return  # erased since
    at = await tx.row("staging_at", stretch.no)
    last = at["last_entry"] if at else 0
    there = await numbers_of(tx, stretch.no, (record.id for record, _ in stretch.records))
    rows = []
    for (record, codes), entries in zip(stretch.records, derived, strict=True):
        check_vectors(record, entries, embedder[1] if embedder else None)
        if there.get(record.id) != record.seq:
            continue
        for head, terms, vector in entry_rows(record, entries, codes, seq=record.seq):
            last = within(last + 1)
            rows.append((stretch.no, last, record.seq, head, terms, vector))
    await tx.table("staged_add", rows)
    await tx.change("staging_save", stretch.no, stretch.upto, last)


async def _change_over(tx: Transaction, *, token: str, embedder: Embedded | None) -> int | None:
    """Put the staged index in place of the old one; None when records have arrived that are not in it."""
    await tx.change("index_lock")
    await _check_token(tx, token)
    if await tx.row("scopes_behind"):
        return None
    written: int = await tx.value("staged_count")
    for statement in ("swap_clear", "swap_entries", "swap_vectors", "swap_numbers", "staging_clear"):
        await tx.change(statement)
    await tx.change("swap_labels")
    await keep_embedder(tx, embedder)
    changes = int(await tx.value("meta_get", "index") or 0)
    await tx.change("meta_set", "index", str(changes + 1))
    await tx.change("meta_drop", "rebuild")
    return written
