"""The doctor's look at a server: row hashes, index rows against records, numbers, names, and what is derived against its bodies.

It changes nothing; each batch is read at one moment and compared outside it. It also says whether the second wall stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import asyncpg

from muniment.errors import StoreBusy
from muniment.knowledge.values import Entity, Memory
from muniment.ports import Derive
from muniment.stores.digest_bodies import read_digest
from muniment.stores.postgres_bodies import memory_row
from muniment.stores.postgres_link import EVERYWHERE, Link, Transaction, vectors_in
from muniment.stores.postgres_memories import START as BEGINNING
from muniment.stores.postgres_memories import stretch
from muniment.stores.postgres_read import BATCH, FEW, below
from muniment.stores.postgres_rows import numbers_of, read_record, scope_at, word, words
from muniment.stores.postgres_write import kept_embedder
from muniment.stores.rows import Codes, Damaged
from muniment.stores.rules import micros
from muniment.stores.rules_findings import CHECKS, KeptRows, Tally, compare, findings, index_findings
from muniment.stores.rules_knowledge import namers, proofs, ties_of
from muniment.types import Finding, Record, Scope

BLOBS = 16  # read with one statement

Faults = dict[str, list[str]]
Key = tuple[int, bytes, bytes, int, int]
"""Where a digest stands: its scope, conversation, agent, first turn and version."""


class _Batch(NamedTuple):
    edition: str
    kept: list[KeptRows]
    damaged: list[str]
    next: tuple[int, int] | None


async def check(link: Link, derive: Derive) -> list[Finding]:
    """Findings of every kind, good ones included. Raises StoreBusy when the index was rebuilt meanwhile."""
    tally = Tally()
    embedder = await link.read(EVERYWHERE, kept_embedder)
    await _walk(link, derive, tally=tally, dim=embedder[1] if embedder else 0)
    staged = await link.read(EVERYWHERE, partial(_look_at_scopes, tally=tally))
    return [*index_findings(tally, staged), *await _check_knowledge(link), await link.read(EVERYWHERE, _wall)]


async def _walk(link: Link, derive: Derive, *, tally: Tally, dim: int) -> None:
    position: tuple[int, int] | None = (0, 0)
    edition = None
    while position is not None:
        batch = await link.read(EVERYWHERE, partial(_gather, position=position))
        if batch.edition != (edition := edition or batch.edition):
            raise StoreBusy("the index was rebuilt while it was checked.", hint="Run the doctor again.")
        derived = await derive([kept.record for kept in batch.kept])
        for kept, entries in zip(batch.kept, derived, strict=True):
            compare(kept, entries, tally=tally, dim=dim)
        for place in batch.damaged:
            tally.damaged.add(place)
        tally.records += len(batch.kept) + len(batch.damaged)
        position = batch.next


async def _gather(tx: Transaction, *, position: tuple[int, int]) -> _Batch:
    """Some records of one scope with their index rows, at one moment."""
    start, last = position
    batch = _Batch(str(await tx.value("meta_get", "index")), [], [], None)
    while scopes := await below(tx, None, after=start - 1, some=FEW):
        for no, scope in scopes:
            after = last if no == start else 0
            rows = await tx.rows("records_after", no, after, BATCH)
            if rows:
                kept = {row["seq"]: _kept(scope, row) for row in rows}
                for entry in await tx.rows("entries_of", no, after, rows[-1]["seq"]):
                    if found := kept[entry["seq"]]:
                        vector = entry["vector"]
                        found.rows.append((entry["head"], entry["terms"], None if vector is None else _halves(vector)))
                batch.kept.extend(one for one in kept.values() if one)
                batch.damaged.extend(f"{scope} #{seq}" for seq, one in kept.items() if one is None)
                return batch._replace(next=(no, rows[-1]["seq"]))
        start, last = scopes[-1][0] + 1, 0
    return batch


def _kept(scope: Scope, row: asyncpg.Record) -> KeptRows | None:
    record = read_record(scope, row)
    return KeptRows(record, Codes(row["conversation"], row["speaker"], row["agent"]), []) if isinstance(record, Record) else None


async def _look_at_scopes(tx: Transaction, *, tally: Tally) -> int:
    for (path,) in await tx.rows("scopes_behind_numbers"):
        tally.counts.add(f"{path} (numbers)")
    for no, code in await tx.rows("labels_unused"):
        tally.names.add(f"label {code} of scope {no}")
    return int(await tx.value("staged_count"))


async def _check_knowledge(link: Link) -> list[Finding]:
    faults: Faults = {name: [] for name in CHECKS}
    counts = dict.fromkeys(CHECKS, 0)
    position: tuple[int, int, int] | None = BEGINNING
    while position is not None:
        looked, position = await link.read(EVERYWHERE, partial(_look, position=position, faults=faults))
        for name in ("memories", "lookups", "evidence"):
            counts[name] += looked
    after: tuple[int, bytes] | None = (0, b"")
    while after is not None:
        looked, after = await link.read(EVERYWHERE, partial(_look_at_blobs, after=after, faults=faults))
        counts["blobs"] += looked
    last: Key | None = (0, b"", b"", 0, 0)
    while last is not None:
        looked, last = await link.read(EVERYWHERE, partial(_look_at_digests, after=last, faults=faults))
        counts["digests"] += looked
    return list(findings(counts, faults))


async def _look(tx: Transaction, *, position: tuple[int, int, int], faults: Faults) -> tuple[int, tuple[int, int, int] | None]:
    """Compare a batch, all of one scope and kind; returns how many rows, and where to go on."""
    rows, after = await stretch(tx, scope=None, position=position)
    faults["memories"] += [f"{row.scope} #{row.seq}" for row in rows if isinstance(row, Damaged)]
    found: dict[int, asyncpg.Record] = {}
    for kind, statement in ((Memory, "memories_columns"), (Entity, "entities_columns")):
        numbers = [row.seq for row in rows if isinstance(row, kind)]
        if numbers and after:
            found |= {row["seq"]: row for row in await tx.rows(statement, after[0], numbers)}
    for row in rows:
        if isinstance(row, Memory | Entity):
            for fault in _differ(row, found[row.seq]):
                faults[fault].append(f"{row.scope} #{row.seq}")
    return len(rows), after


def _differ(one: Memory | Entity, row: asyncpg.Record) -> Iterator[str]:
    """Kinds of fault of one memory or entity, beside its columns and links."""
    if isinstance(one, Memory):
        columns, asked, names = memory_row(one), ties_of(one), proofs(one)
    else:
        merged = None if one.merged_into is None else word(one.merged_into)
        columns, asked, names = (word(one.id), micros(one.last_seen), merged), set(one.keys), namers(one)
    if tuple(row)[1:-2] != columns or set(row["found"]) != set(words(asked)):
        yield "lookups"
    if set(row["records"]) != set(words(names)) or (isinstance(one, Memory) and not names):
        yield "evidence"


async def _look_at_blobs(tx: Transaction, *, after: tuple[int, bytes], faults: Faults) -> tuple[int, tuple[int, bytes] | None]:
    rows = await tx.rows("blobs_after", *after, BLOBS)
    for no, digest, data, used in rows:
        if sha256(data).hexdigest().encode() != digest or not used:
            faults["blobs"].append(f"blob of scope {no}")
    return len(rows), (rows[-1]["scope"], rows[-1]["digest"]) if rows else None


async def _look_at_digests(tx: Transaction, *, after: Key, faults: Faults) -> tuple[int, Key | None]:
    rows = await tx.rows("digests_after", *after, BLOBS)
    for row in rows:
        found = read_digest(scope_at(row["path"]), (row["version"], row["hash"], row["body"]))
        there = {} if found is None else await numbers_of(tx, row["scope"], found.records)
        named = None if found is None else (word(found.conversation or ""), word(found.agent), found.first)
        whole = found is not None and len(there) == len(set(found.records)) and sorted(there.values()) == row["records"]
        if not whole or named != (row["conversation"], row["agent"], row["first"]):
            faults["digests"].append(f"digest {row['version']} of turn {row['first']} of scope {row['scope']}")
    return len(rows), (rows[-1][0], rows[-1][1], rows[-1][2], rows[-1][3], rows[-1][4]) if rows else None


async def _wall(tx: Transaction) -> Finding:
    row = await tx.row("server")
    assert row is not None
    if not row[4]:
        return Finding(check="wall", ok=True, message="This role sees and writes only the scopes that a call names.")
    return Finding(
        check="wall",
        ok=True,
        message="This role passes by row-level security: what a call may reach is up to the program alone.",
        hint="Serve with a role that is no superuser and has no BYPASSRLS.",
    )


def _halves(wire: bytes) -> bytes:
    return vectors_in(wire, len(wire) // 2 - 2)
