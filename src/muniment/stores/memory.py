"""A store in plain dictionaries, for tests, short-lived agents and as the yardstick of the file store.

It answers exactly as a file store does, down to half-precision vectors, and is gone when closed. Work runs on threads
under one lock; ranking runs outside it on frozen columns, so a slow search holds up nobody.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from muniment.errors import StoreUnusable
from muniment.ports import Derive, Found, Rank, Target, Watch, Write, Written
from muniment.shelf import HEAD, Entry, Hashes, Shelf, pack_vector, unpack_vectors
from muniment.stores.memory_check import check_knowledge
from muniment.stores.memory_digests import DigestsInMemory
from muniment.stores.memory_knowledge import Knowledge, tied_to
from muniment.stores.memory_ports import Holdings, KeysInMemory, MemoriesInMemory, Shared, ToldInMemory, WorkInMemory
from muniment.stores.one_thread import one_thread
from muniment.stores.rules import (
    KIND_CODES,
    ROLE_CODES,
    check_beside,
    check_unicode,
    check_vectors,
    mismatch,
    seconds,
    utc,
)
from muniment.stores.rules_knowledge import BESIDE, TABLES
from muniment.text.filters import only_one, passes
from muniment.types import Erasure, Filter, Finding, Outcome, Page, Record, RecordId, Scope, Stats

T = TypeVar("T")
Embedded = tuple[str, int]
Fresh = dict[tuple[Scope, RecordId], Sequence[Entry]]

BATCH = 256


class MemoryStore(MemoriesInMemory, WorkInMemory, ToldInMemory, DigestsInMemory, KeysInMemory):
    """The Store port in memory. One object may be used from several threads and event loops at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows = _Rows()
        self._closed = False

    async def put(self, writes: Sequence[Write]) -> Sequence[Written]:
        """Write all or nothing. A known id is unchanged and counted; a key used with another id is refused."""
        return await self._run(partial(self._rows.put, writes))

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        """Records with these ids in `scope` or its ancestors, in the order asked."""
        return await self._run(partial(self._rows.get, scope, ids))

    async def page(self, scope: Scope, where: Filter, *, limit: int, before: int | None = None) -> Page:
        """Records of exactly this scope, latest arrival first."""
        return await self._run(partial(self._rows.page, scope, where, limit=limit, before=before))

    async def erase(self, target: Target, at: datetime, watch: Watch | None = None) -> Erasure:
        """Remove the target and all derived from it."""
        return await self._run(partial(self._rows.erase, target, at, watch))

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """Call `rank` on a thread with the shelves of the lineage, and read the places it returns from the same moment."""
        views, knowledge = await self._run(lambda: (self._rows.views(scope), self._rows.knows(scope)))
        return await asyncio.to_thread(_found, views, rank, knowledge=knowledge)

    async def stats(self, scope: Scope | None) -> Stats:
        """Counts of `scope` and all below it, or of everything."""
        return await self._run(partial(self._rows.stats, scope))

    async def scan(self, scope: Scope | None) -> AsyncIterator[Record]:
        """Every record of `scope` and all below it, scope by scope in order of arrival."""
        for holding in await self._run(partial(self._rows.covered, scope)):
            for record in await self._run(holding.records):
                yield record

    async def embedder(self) -> Embedded | None:
        """Identity and dimensions of the adopted embedder."""
        return await self._run(lambda: self._rows.embedder)

    async def adopt(self, embedder: Embedded) -> None:
        """Take this embedder when none is adopted yet; raise EmbedderMismatch when another is."""
        await self._run(partial(self._rows.adopt, embedder))

    async def reindex(self, derive: Derive, embedder: Embedded | None) -> int:
        """Rebuild every entry from its record; nothing changes until all are there. Returns entries written."""
        fresh: Fresh = {}
        while (written := await self._run(partial(self._rows.take_over, fresh, embedder))) is None:
            for batch in _batches(await self._run(partial(self._rows.missing, fresh))):
                fresh.update(zip([(r.scope, r.id) for r in batch], await derive(batch), strict=True))
        return written

    async def check(self, derive: Derive) -> Sequence[Finding]:
        """Compare every entry with what its record gives, and count those that wait for a vector; look at what is derived."""
        rows = await self._run(lambda: [row for holding in self._rows.covered(None) for row in holding.rows.values()])
        wrong = 0
        for batch in _batches(rows):
            derived = await derive([row.record for row in batch])
            wrong += sum(not _same(row.entries, entries) for row, entries in zip(batch, derived, strict=True))
        blank = sum(not entry.vector for row in rows for entry in row.entries) if await self.embedder() else 0
        return (
            _finding("entries", wrong, f"{len(rows)} records compared with their entries, {wrong} differ."),
            _finding("vectors", blank, f"{blank} entries wait for a vector."),
            *await self._run(lambda: check_knowledge(self._rows.covered(None), self._rows.shared.digests)),
        )

    async def close(self) -> None:
        """Release everything. Later calls raise StoreUnusable; closing twice does nothing."""
        await asyncio.to_thread(self._close)

    async def _ask(self, work: Callable[[Holdings], T]) -> T:
        return await self._run(lambda: work(self._rows))

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(self._locked, work)

    def _locked(self, work: Callable[[], T]) -> T:
        with self._lock:
            if self._closed:
                raise StoreUnusable("this store is closed.", hint="Open a new one; what a memory store held is gone.")
            return work()

    def _close(self) -> None:
        with self._lock:
            self._closed = True
            self._rows = _Rows()


class _Kept(NamedTuple):
    """An entry as it is kept: the vector is half-precision bytes, empty when there is none."""

    start: int
    end: int
    terms: Hashes
    vector: bytes


class _Row(NamedTuple):
    record: Record
    entries: tuple[_Kept, ...]


class _View(NamedTuple):
    """A scope at one moment: its columns, and its records by `seq`."""

    shelf: Shelf
    records: dict[int, Record]


@dataclass(slots=True)
class _Holding:
    """All that one scope holds, at least one record; `no` grows with every new scope, `last` is the highest `seq`.

    `rows`, and the names of each conversation in `talks`, are in order of arrival.
    """

    scope: Scope
    no: int
    generation: int = 0
    last: int = 0
    rows: dict[RecordId, _Row] = field(default_factory=dict)
    talks: dict[str, dict[RecordId, None]] = field(default_factory=dict)
    keys: dict[str, RecordId] = field(default_factory=dict)
    view: _View | None = None
    knowledge: Knowledge = field(init=False)

    def __post_init__(self) -> None:
        self.knowledge = Knowledge(self.scope)

    def record(self, name: RecordId) -> Record | None:
        row = self.rows.get(name)
        return row.record if row else None

    def names(self) -> list[RecordId]:
        return list(self.rows)

    def latest(self, conversation: str | None) -> Iterator[_Row]:
        """Its rows, or those of one conversation, latest first."""
        if conversation is None:
            return reversed(self.rows.values())
        return (self.rows[name] for name in reversed(self.talks.get(conversation, {})))

    def records(self) -> list[Record]:
        return [_lend(row.record) for row in self.rows.values()]


class _Rows:
    """The rows of every scope and the rules of the port, one caller at a time: MemoryStore holds the lock."""

    def __init__(self) -> None:
        self.embedder: Embedded | None = None
        self.secret = os.urandom(16)
        self.shared = Shared()
        self._holdings: dict[Scope, _Holding] = {}
        self._generation = 0
        self._last = 0

    def put(self, writes: Sequence[Write]) -> list[Written]:
        dim = self.embedder[1] if self.embedder else None
        for write in writes:
            check_unicode(write.record, write.key)
            check_beside(write)
            check_vectors(write.record, write.entries, dim)
        ready = [_normal(write.record) for write in writes]
        return [self._put_one(write, record) for write, record in zip(writes, ready, strict=True)]

    def _put_one(self, write: Write, record: Record) -> Written:
        holding = self._holdings.get(record.scope)
        if holding is None:
            self._last += 1
            holding = self._holdings[record.scope] = _Holding(record.scope, self._last)
        keyed = holding.keys.get(write.key) if write.key is not None else None
        if keyed not in (None, record.id):
            return Written(outcome=Outcome.REFUSED, id=record.id, reason="key_conflict")
        if write.key is not None:
            holding.keys[write.key] = record.id
        holding.knowledge.beside(write, record.recorded_at)
        known = holding.rows.get(record.id)
        if known is None:
            holding.last += 1
            holding.rows[record.id] = _Row(replace(record, seq=holding.last), _kept(write.entries))
            if record.conversation is not None:
                holding.talks.setdefault(record.conversation, {})[record.id] = None
        elif keyed is not None:
            return Written(outcome=Outcome.UNCHANGED, id=record.id)
        else:
            again = replace(known.record, occurrences=known.record.occurrences + 1)
            holding.rows[record.id] = _Row(again, known.entries)
        self._changed(holding)
        return Written(outcome=Outcome.UNCHANGED if known else Outcome.STORED, id=record.id)

    def get(self, scope: Scope, ids: Sequence[RecordId]) -> list[Record]:
        holdings = self.lineage(scope)
        found = (next((h.rows[i].record for h in holdings if i in h.rows), None) for i in ids)
        return [_lend(record) for record in found if record is not None]

    def page(self, scope: Scope, where: Filter, *, limit: int, before: int | None) -> Page:
        holding = self._holdings.get(scope)
        page: list[Record] = []
        for row in holding.latest(only_one(where.conversation)) if holding else ():
            if (before is None or row.record.seq < before) and passes(row.record, where):
                if len(page) == limit:
                    return Page(records=tuple(page), cursor=str(page[-1].seq))
                page.append(_lend(row.record))
        return Page(records=tuple(page))

    def erase(self, target: Target, at: datetime, watch: Watch | None = None) -> Erasure:
        moment = utc(at, "at")
        narrowed = bool(target.ids) or target.conversation is not None
        holdings = self._exactly(target.scope) if narrowed else self.covered(target.scope)
        removed = Counter(dict.fromkeys(("record", "entry", "key", *TABLES, *BESIDE), 0))
        scopes = []
        dead: set[RecordId] = set()
        for holding in holdings:
            gone = {i: row for i, row in holding.rows.items() if not narrowed or _is_meant(row.record, target)}
            dead.update(row.record.id for row in gone.values())
            if gone:
                scopes.append(holding.scope)
                if watch is not None:
                    watch.seen += tied_to(holding.knowledge, watch.tied)
                keys = {key for key, i in holding.keys.items() if i in gone}
                removed["record"] += len(gone)
                removed["entry"] += sum(len(row.entries) for row in gone.values())
                removed["key"] += len(keys)
                removed["digest"] += self.shared.drop_digests(holding.scope, gone)
                holding.rows = {i: row for i, row in holding.rows.items() if i not in gone}
                holding.talks = {name: kept for name, said in holding.talks.items() if (kept := _without(said, gone))}
                holding.keys = {key: i for key, i in holding.keys.items() if key not in keys}
                left = holding.rows
                removed.update(holding.knowledge.forget(frozenset(gone), moment) if left else holding.knowledge.count())
                self._changed(holding)
            if not holding.rows:  # a scope that holds nothing leaves no trace, not even its name
                del self._holdings[holding.scope]
        told_of = [key for key in self.shared.feedback if target.scope.covers(key[0]) and (not narrowed or key[1] in dead)]
        removed["feedback"] = sum(self.shared.feedback.pop(key) is not None for key in told_of)
        if not narrowed:
            lost = [name for name, key in self.shared.keys.items() if key.lies_in(target.scope)]
            removed["access_key"] = sum(self.shared.keys.pop(name) is not None for name in lost)
            told = [change for change in self.shared.sharing if target.scope.covers(change.scope)]
            removed["sharing_change"] = sum(self.shared.sharing.pop(change) is None for change in told)
        client = target.scope.client
        if not narrowed and client is not None and target.scope.rungs == (("client", client),):
            owned = [key for key in self.shared.architectures if key[0] == client]
            removed["architecture"] = sum(len(self.shared.architectures.pop(key)) for key in owned)
        return Erasure(scopes=tuple(scopes), records=removed["record"], removed=dict(removed), at=at, clean=True)

    def views(self, scope: Scope) -> list[_View]:
        views = [self._view(holding) for holding in self.lineage(scope)]
        return [view for view in views if len(view.shelf)]

    def knows(self, scope: Scope) -> bool:
        return any(holding.knowledge.memories for holding in self.lineage(scope))

    def _view(self, holding: _Holding) -> _View:
        if holding.view is None:
            records = {row.record.seq: row.record for row in holding.rows.values()}
            holding.view = _View(_shelf(holding, self.embedder[1] if self.embedder else 0), records)
        return holding.view

    def stats(self, scope: Scope | None) -> Stats:
        holdings = self.covered(scope)
        rows = [row for holding in holdings for row in holding.rows.values()]
        entries = [entry for row in rows for entry in row.entries]
        times = [row.record.recorded_at for row in rows]
        return Stats(
            records=len(rows),
            entries=len(entries),
            conversations=len({(r.record.scope, r.record.conversation) for r in rows if r.record.conversation is not None}),
            scopes=len(holdings),
            vectors=(vectors := sum(bool(entry.vector) for entry in entries)),
            embedder=self.embedder[0] if self.embedder and vectors else None,
            bytes=sum(len(row.record.text.encode()) for row in rows) + sum(len(e.vector) + e.terms.nbytes for e in entries),
            oldest=min(times, default=None),
            newest=max(times, default=None),
        )

    def covered(self, scope: Scope | None) -> list[_Holding]:
        return [holding for holding in self._holdings.values() if scope is None or scope.covers(holding.scope)]

    def adopt(self, embedder: Embedded) -> None:
        if self.embedder not in (None, embedder):
            raise mismatch(self.embedder, embedder)
        self.embedder = embedder

    def missing(self, fresh: Fresh) -> list[Record]:
        return [r for holding in self._holdings.values() for r in holding.records() if (r.scope, r.id) not in fresh]

    def take_over(self, fresh: Fresh, embedder: Embedded | None) -> int | None:
        """Replace all entries by the fresh ones, or return None when records have arrived that are not among them."""
        if self.missing(fresh):
            return None
        rows = {(scope, i): row for scope, holding in self._holdings.items() for i, row in holding.rows.items()}
        for place, row in rows.items():
            check_vectors(row.record, fresh[place], embedder[1] if embedder else None)
        for (scope, i), row in rows.items():
            self._holdings[scope].rows[i] = _Row(row.record, _kept(fresh[scope, i]))
        self.embedder = embedder
        for holding in self._holdings.values():
            self._changed(holding)
        return sum(len(fresh[place]) for place in rows)

    def lineage(self, scope: Scope) -> list[_Holding]:
        return [self._holdings[s] for s in scope.lineage if s in self._holdings]

    def _exactly(self, scope: Scope) -> list[_Holding]:
        return [self._holdings[scope]] if scope in self._holdings else []

    def _changed(self, holding: _Holding) -> None:
        self._generation += 1
        holding.generation = self._generation
        holding.view = None


def _normal(record: Record) -> Record:
    said_at = utc(record.said_at, "said_at") if record.said_at else None
    return replace(record, said_at=said_at, recorded_at=utc(record.recorded_at, "recorded_at"), metadata=dict(record.metadata))


def _lend(record: Record) -> Record:
    """The record with a copy of its one mutable part, so that a caller cannot change what is kept."""
    return replace(record, metadata=dict(record.metadata)) if record.metadata else record


def _kept(entries: Sequence[Entry]) -> tuple[_Kept, ...]:
    return tuple(
        _Kept(e.start, e.end, np.array(e.terms, np.uint64), pack_vector(e.vector) if e.vector is not None else b"")
        for e in entries
    )


def _same(kept: Sequence[_Kept], derived: Sequence[Entry]) -> bool:
    """Spans and terms agree. Vectors are not compared: a check need not run the embedder."""
    return len(kept) == len(derived) and all(
        (k.start, k.end) == (d.start, d.end) and np.array_equal(k.terms, d.terms) for k, d in zip(kept, derived, strict=True)
    )


def _is_meant(record: Record, target: Target) -> bool:
    return (not target.ids or record.id in target.ids) and target.conversation in (None, record.conversation)


def _found(views: Sequence[_View], rank: Rank, *, knowledge: bool) -> Found:
    with one_thread:
        places = rank([view.shelf for view in views])
    records = [(place, views[place.shelf].records.get(place.seq)) for place in places]
    return Found(
        records=tuple(_lend(record) for _, record in records if record is not None),
        lost=tuple(place for place, record in records if record is None),
        knowledge=knowledge,
    )


def _shelf(holding: _Holding, dim: int) -> Shelf:
    """All entries of a scope as columns, built anew; names are numbered from 1 in order of first appearance."""
    names: dict[str, dict[str | None, int]] = {place: {} for place in ("conversation", "speaker", "agent")}

    def code(place: str, name: str | None) -> int:
        return names[place].setdefault(name, len(names[place]) + 1) if name else 0

    head = [
        (
            *(row.record.seq, part, entry.start, entry.end),
            *(code(place, getattr(row.record, place)) for place in names),
            *(ROLE_CODES[row.record.role], KIND_CODES[row.record.kind], seconds(row.record.said_at)),
        )
        for row in holding.rows.values()
        for part, entry in enumerate(row.entries)
    ]
    entries = [entry for row in holding.rows.values() for entry in row.entries]
    blank = bytes(2 * dim)
    columns = {
        "head": np.array(head, HEAD),
        "bounds": np.cumsum([0, *(len(entry.terms) for entry in entries)], dtype=np.int64),
        "terms": np.concatenate([np.empty(0, np.uint64), *(entry.terms for entry in entries)]),
        "vectors": unpack_vectors(b"".join(entry.vector or blank for entry in entries), dim)
        if dim
        else np.zeros((len(entries), 0), np.float32),
        "embedded": np.array([bool(entry.vector) for entry in entries], np.bool_),
    }
    for column in columns.values():
        column.setflags(write=False)
    speakers, conversations, agents = (
        {n: name for name, n in names[p].items() if name} for p in ("speaker", "conversation", "agent")
    )
    return Shelf(
        scope=holding.scope,
        generation=holding.generation,
        speakers=speakers,
        conversations=conversations,
        agents=agents,
        **columns,
    )


def _finding(check: str, faults: int, message: str) -> Finding:
    return Finding(
        check=check, ok=not faults, message=message, hint="Rebuild the entries (doctor with repair)." if faults else ""
    )


def _without(said: Mapping[RecordId, None], gone: Mapping[RecordId, _Row]) -> dict[RecordId, None]:
    return dict.fromkeys(name for name in said if name not in gone)


def _batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    return (rows[n : n + BATCH] for n in range(0, len(rows), BATCH))
