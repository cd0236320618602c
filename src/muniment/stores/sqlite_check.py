"""The doctor's look at a file: its pages, links and row hashes, every index row against its record, counts and names.

It changes nothing and holds no view of the file for long: each batch is read at one moment and compared outside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import apsw

from muniment.errors import StoreBusy, StoreUnusable
from muniment.ports import Derive
from muniment.stores.rules_findings import RESTORE, SHOWN, KeptRows, Tally, compare, index_findings
from muniment.stores.sqlite_check_knowledge import check_knowledge
from muniment.stores.sqlite_file import run, run_all, run_value, snapshot
from muniment.stores.sqlite_read import BATCH, BATCH_TEXT, below
from muniment.stores.sqlite_rebuild import Run
from muniment.stores.sqlite_rows import MOST, Codes, fetch, span
from muniment.stores.sqlite_write import find_scope, kept_embedder
from muniment.types import Finding, Record, Scope


class _Position(NamedTuple):
    """How far a check has come: a scope's number, and the last record and index row seen there."""

    no: int = 0
    record: int = 0
    entry: int = 0


@dataclass(slots=True)
class _Batch:
    index: str
    kept: list[KeptRows] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    counts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    next: _Position | None = None


async def check(read: Run, derive: Derive) -> list[Finding]:
    """Findings of every kind, good ones included. Raises StoreBusy when the index was rebuilt meanwhile."""
    embedder = await read(kept_embedder)
    findings = [await _look(read, "pages", "check_pages"), await _look(read, "links", "check_links")]
    tally = Tally()
    try:
        await _walk(read, derive, tally=tally, dim=embedder[1] if embedder else 0)
        homeless, staged = await read(_left_over)
        derived = await check_knowledge(read)
    except StoreUnusable as fault:
        return [
            *findings,
            Finding(check="rows", ok=False, message=f"The rows cannot all be read: {fault.message}", hint=RESTORE),
        ]
    tally.wrong.add("entries of no scope", homeless)
    return [*findings, *index_findings(tally, staged), *derived]


async def _walk(read: Run, derive: Derive, *, tally: Tally, dim: int) -> None:
    position: _Position | None = _Position()
    index = None
    while position is not None:
        batch = await read(partial(_gather, position=position))
        if batch.index != (index := index or batch.index):
            raise StoreBusy("the index was rebuilt while it was checked.", hint="Run the doctor again.")
        derived = await derive([kept.record for kept in batch.kept])
        for kept, entries in zip(batch.kept, derived, strict=True):
            compare(kept, entries, tally=tally, dim=dim)
        for faults, places in (
            (tally.damaged, batch.damaged),
            (tally.wrong, batch.orphans),
            (tally.counts, batch.counts),
            (tally.names, batch.names),
        ):
            for place in places:
                faults.add(place)
        tally.records += len(batch.kept) + len(batch.damaged)
        position = batch.next


def _gather(connection: apsw.Connection, position: _Position) -> _Batch:
    """Some records with their index rows, at one moment."""
    left, text = BATCH, BATCH_TEXT
    with snapshot(connection):
        batch = _Batch(str(run_value(connection, "meta_get", "index")))
        for no, scope in below(connection, None, after=position.no - 1, some=BATCH):
            first, highest = span(no)
            at = position if no == position.no else _Position(no, first, first)
            kept: dict[int, KeptRows | None] = {}
            last = at.record
            for (place,) in run_all(connection, "records_after", at.record, highest, left):
                record = fetch(connection, scope, place)
                left, last = left - 1, place
                if isinstance(record, Record):
                    kept[record.seq] = KeptRows(record, Codes(*run_all(connection, "record_codes", place)[0]), [])
                    text -= len(record.text)
                else:
                    kept[place & MOST] = None
                    batch.damaged.append(f"{scope} #{place & MOST}")
                if text < 0:
                    break
            full = left == 0 or text < 0
            entry = _add_rows(connection, batch, kept, scope=scope, ids=(at.entry, highest), upto=last & MOST if full else MOST)
            batch.kept += [one for one in kept.values() if one]
            if full:
                batch.next = _Position(no, last, entry)
                break
            _check_scope(connection, batch, no, scope=scope)
    return batch


def _add_rows(
    connection: apsw.Connection, batch: _Batch, kept: dict[int, KeptRows | None], *, scope: Scope, ids: tuple[int, int], upto: int
) -> int:
    """Give each record its index rows, up to those of `seq` `upto`; rows of a record that is not there are orphans."""
    last = ids[0]
    for place, head, terms, vector in run(connection, "entries_after", *ids):
        seq = int.from_bytes((head or b"")[:4], "little")
        if seq > upto:
            break
        last = place
        if seq not in kept:
            batch.orphans.append(f"{scope} entry {place & MOST}")
        elif found := kept[seq]:
            found.rows.append((head, terms, vector))
    return last


def _check_scope(connection: apsw.Connection, batch: _Batch, no: int, *, scope: Scope) -> None:
    row = find_scope(connection, scope)
    counts = run_all(connection, "scope_counts", *span(no))[0]
    peaks = run_all(connection, "scope_peaks", *span(no))[0]
    if row is None or counts != (
        row.records,
        row.entries,
        row.vectors,
        row.text_bytes,
        row.entry_bytes,
        row.oldest,
        row.newest,
    ):
        batch.counts.append(f"{scope}")
    elif any(peak > last for peak, last in zip(peaks, (row.last_seq, row.last_entry, row.last_label), strict=True)):
        batch.counts.append(f"{scope} (numbers)")
    batch.names += [f"{scope} label {place & MOST}" for (place,) in run(connection, "labels_unused", *span(no))]


def _left_over(connection: apsw.Connection) -> tuple[int, int]:
    with snapshot(connection):
        return run_value(connection, "entries_homeless"), run_value(connection, "staged_count")


async def _look(read: Run, name: str, statement: str) -> Finding:
    def ask(connection: apsw.Connection) -> list[str]:
        rows = run_all(connection, statement)
        return [" ".join(map(str, row)) for row in rows if row != ("ok",)]

    try:
        faults = await read(ask)
    except StoreUnusable as fault:
        faults = [fault.message]
    sound = {"pages": "Every page of the file is sound.", "links": "Every row's links lead somewhere."}[name]
    if not faults:
        return Finding(check=name, ok=True, message=sound)
    return Finding(check=name, ok=False, message=f"{len(faults)} faults: {'; '.join(faults[:SHOWN])}.", hint=RESTORE)
