"""The doctor's look at what is derived from records: bodies against their hashes, and all that is looked up against the bodies.

It changes nothing; each batch is read and compared at one moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from json import dumps

import apsw

from muniment.knowledge.values import Entity, Memory
from muniment.stores.digest_bodies import read_digest
from muniment.stores.rows import kept_scope, memory_columns
from muniment.stores.rules import micros
from muniment.stores.rules_findings import CHECKS, findings
from muniment.stores.rules_knowledge import namers, proofs, ties_of
from muniment.stores.sqlite_digests import numbers
from muniment.stores.sqlite_file import find, run_all, run_value, snapshot
from muniment.stores.sqlite_memories import START, stretch
from muniment.stores.sqlite_rebuild import Run
from muniment.stores.sqlite_rows import SHIFT, Damaged
from muniment.types import Finding, RecordId

BLOBS = 16  # read with one statement

Faults = dict[str, list[str]]


async def check_knowledge(read: Run) -> list[Finding]:
    """One finding of every kind, good ones included."""
    faults: Faults = {name: [] for name in CHECKS}
    counts = dict.fromkeys(CHECKS, 0)
    position: tuple[int, int, int] | None = START
    while position is not None:
        looked, position = await read(partial(_look, position=position, faults=faults))
        for name in ("memories", "lookups", "evidence"):
            counts[name] += looked
    faults["lookups"] += await read(
        lambda connection: [f"numbers of scope {no}" for (no,) in run_all(connection, "knowledge_behind")]
    )
    after: int | None = 0
    while after is not None:
        looked, after = await read(partial(_look_at_blobs, after=after, faults=faults))
        counts["blobs"] += looked
    after = 0
    while after is not None:
        looked, after = await read(partial(_look_at_digests, after=after, faults=faults))
        counts["digests"] += looked
    return list(findings(counts, faults))


def _look(
    connection: apsw.Connection, *, position: tuple[int, int, int], faults: Faults
) -> tuple[int, tuple[int, int, int] | None]:
    """Compare a batch; returns how many rows, and where to go on."""
    with snapshot(connection):
        rows, after = stretch(connection, scope=None, position=position)
        for row in rows:
            if isinstance(row, Damaged):
                faults["memories"].append(f"{row.scope} #{row.seq}")
            elif isinstance(row, Memory | Entity) and after:
                for kind in _differ(connection, row, after[0] << SHIFT | row.seq):
                    faults[kind].append(f"{row.scope} #{row.seq}")
    return len(rows), after


def _differ(connection: apsw.Connection, row: Memory | Entity, place: int) -> Iterator[str]:
    """Kinds of fault of one row."""
    no = place >> SHIFT
    if isinstance(row, Memory):
        columns, links, names = "memory_columns", "evidence_records", proofs(row)
        expected: tuple[object, ...] = memory_columns(row)
        found = {name for (name,) in run_all(connection, "tie_others", place)}
        alike = found == ties_of(row)
    else:
        columns, links, names = "entity_columns", "naming_records", namers(row)
        expected = (row.id, micros(row.last_seen), row.merged_into)
        found = {name for (name,) in run_all(connection, "keys_of_entity", place)}
        alike = found == set(row.keys)
    if run_all(connection, columns, place)[0] != expected or not alike:
        yield "lookups"
    there = _places(connection, no, names)
    linked = {record for (record,) in run_all(connection, links, place)}
    if len(there) != len(names) or linked != there or (isinstance(row, Memory) and not names):
        yield "evidence"


def _places(connection: apsw.Connection, no: int, names: set[RecordId]) -> set[int]:
    return {place for name in names if (place := find(connection, "record_by_name", no, name)) is not None}


def _look_at_blobs(connection: apsw.Connection, *, after: int, faults: Faults) -> tuple[int, int | None]:
    rows = run_all(connection, "blobs_after", after, BLOBS)
    for no, digest, data in rows:
        if sha256(data).hexdigest() != digest or not run_value(connection, "blob_in_use", no):
            faults["blobs"].append(f"blob {no}")
    return len(rows), rows[-1][0] if rows else None


def _look_at_digests(connection: apsw.Connection, *, after: int, faults: Faults) -> tuple[int, int | None]:
    with snapshot(connection):
        rows = run_all(connection, "digests_after", after, BLOBS)
        for one, *part, records, no, version, kept, body, client, customer, user in rows:
            found = read_digest(kept_scope(client, customer, user), (version, kept, body))
            there = [] if found is None else numbers(connection, no, found.records)
            whole = found is not None and len(there) == len(set(found.records)) and dumps(there) == records
            if not whole or (found and [found.conversation, found.agent, found.first] != part):
                faults["digests"].append(f"digest {one}")
    return len(rows), rows[-1][0] if rows else None
