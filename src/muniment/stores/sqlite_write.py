"""Putting records: a record, its names, its index rows, its key and the counts of its scope, in one transaction.

Rule of this file: nothing of a scope is read or written outside its own range of ids.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import apsw

from muniment.errors import StoreError
from muniment.knowledge.values import WorkItem, WorkState
from muniment.ports import Write, Written
from muniment.shelf import Entry
from muniment.stores.rules import check_beside, check_unicode, check_vectors, in_utc, micros, mismatch, utc
from muniment.stores.rules_knowledge import work_of
from muniment.stores.sqlite_file import SQL, find, run, run_numbers, run_value
from muniment.stores.sqlite_rows import Codes, Damaged, Packed, entry_rows, fetch, numbered, record_row, rungs
from muniment.types import Outcome, Record, Scope

Embedded = tuple[str, int]
UNREADABLE: Embedded = ("a model whose name is damaged", 0)


@dataclass(slots=True)
class ScopeRow:
    """The row of a scope, in the order of its columns; see the first migration for their meaning."""

    no: int
    generation: int
    epoch: int
    last_seq: int
    last_entry: int
    last_label: int
    records: int
    entries: int
    vectors: int
    text_bytes: int
    entry_bytes: int
    oldest: int
    newest: int

    def save(self, connection: apsw.Connection) -> None:
        """Write the row back."""
        no, *values = astuple(self)
        run(connection, "scope_save", *values, no)


def find_scope(connection: apsw.Connection, scope: Scope) -> ScopeRow | None:
    """The row of exactly this scope, if it holds anything."""
    row = run_numbers(connection, "scope_by_rungs", *rungs(scope))
    return None if row is None else ScopeRow(*row)


def find_lineage(connection: apsw.Connection, scope: Scope) -> list[tuple[int, Scope]]:
    """Number and scope of those of its lineage that hold anything, narrowest first."""
    return [(row.no, one) for one in scope.lineage if (row := find_scope(connection, one))]


def kept_embedder(connection: apsw.Connection) -> Embedded | None:
    """Identity and dimensions of the model whose vectors are kept."""
    kept = run_value(connection, "meta_get", "embedder")
    if kept is None:
        return None
    try:
        identity, dim = json.loads(kept)
        return str(identity), int(dim)
    except (TypeError, ValueError):
        return UNREADABLE


def keep_embedder(connection: apsw.Connection, embedder: Embedded | None) -> None:
    """Note whose vectors are kept from now on."""
    if embedder is None:
        run(connection, "meta_drop", "embedder")
    else:
        run(connection, "meta_set", "embedder", json.dumps(embedder))


def claim(connection: apsw.Connection, embedder: Embedded) -> None:
    """Note `embedder` when none is noted. Raises EmbedderMismatch when another is."""
    kept = kept_embedder(connection)
    if kept is None:
        keep_embedder(connection, embedder)
    elif kept != embedder:
        raise mismatch(kept, embedder)


def put(connection: apsw.Connection, writes: Sequence[Write], adopted: Embedded | None) -> list[Written]:
    """Put all. Vectors must be of the model the store keeps, and of `adopted` when the caller has named one."""
    if adopted and any(entry.vector is not None for write in writes for entry in write.entries):
        claim(connection, adopted)
    kept = kept_embedder(connection)
    for write in writes:
        check_unicode(write.record, write.key)
        check_beside(write)
        check_vectors(write.record, write.entries, kept[1] if kept else None)
    scopes: dict[Scope, _Target] = {}
    done = []
    for write in writes:
        scope = write.record.scope
        if scope not in scopes:
            scopes[scope] = _Target(connection, scope)
        done.append(scopes[scope].put(write))
    for target in scopes.values():
        target.finish()
    return done


def add_entries(connection: apsw.Connection, statement: str, no: int, *, last: int, rows: Sequence[Packed]) -> int:
    """Add index rows behind number `last` of a scope; returns the new last number."""
    connection.executemany(SQL[statement], [(numbered(no, last + n), *row) for n, row in enumerate(rows, 1)])
    return last + len(rows)


class _Target:
    """One scope during one call: its row, and the codes looked up so far."""

    def __init__(self, connection: apsw.Connection, scope: Scope) -> None:
        self._connection = connection
        self._scope = scope
        self._row = find_scope(connection, scope)
        self._codes: dict[tuple[str, str], int] = {}
        self._changed = False

    def put(self, write: Write) -> Written:
        record = in_utc(write.record)
        known = self._find("record_by_name", record.id)
        keyed = None if write.key is None else self._find("key_record", write.key)
        if keyed is not None and keyed != known:
            return Written(outcome=Outcome.REFUSED, id=record.id, reason="key_conflict")
        if keyed is not None:
            self._beside(write, keyed)
            return Written(outcome=Outcome.UNCHANGED, id=record.id)
        place = self._store(record, write.entries) if known is None else self._count_again(record, known)
        if write.key is not None:
            run(self._connection, "key_add", place >> 24, write.key, place)
        self._beside(write, place)
        self._changed = True
        return Written(outcome=Outcome.STORED if known is None else Outcome.UNCHANGED, id=record.id)

    def finish(self) -> None:
        """Write the scope's row, with one new generation for the whole call."""
        if self._row and self._changed:
            self._row.generation += 1
            self._row.save(self._connection)

    def _store(self, record: Record, entries: Sequence[Entry]) -> int:
        row = self._row = self._row or self._new_row()
        row.last_seq += 1
        place = numbered(row.no, row.last_seq)
        codes = self._codes_of(record, row)
        run(self._connection, "record_write", *record_row(record, place, codes))
        packed = list(entry_rows(record, entries, codes, seq=row.last_seq))
        row.last_entry = add_entries(self._connection, "entry_add", row.no, last=row.last_entry, rows=packed)
        row.records += 1
        row.entries += len(packed)
        row.vectors += sum(vector is not None for _, _, vector in packed)
        row.text_bytes += len(record.text.encode())
        row.entry_bytes += sum(len(terms) + len(vector or b"") for _, terms, vector in packed)
        row.oldest = min(row.oldest, micros(record.recorded_at))
        row.newest = max(row.newest, micros(record.recorded_at))
        return place

    def _beside(self, write: Write, place: int) -> None:
        """What was taken out of the text, and that it is to be enriched. What is there already stays as it is."""
        for sealed in write.sealed:
            run(self._connection, "sealed_add", place, sealed.token, sealed.kind, sealed.value)
        for blob in write.blobs:
            no = find(self._connection, "blob_by_digest", place >> 24, blob.digest)
            if no is None:
                no = run_value(self._connection, "blob_add", place >> 24, blob.digest, blob.media, blob.data)
            run(self._connection, "blob_use_add", place, no)
        if item := work_of(write):
            self._take(item, place, since=micros(utc(write.record.recorded_at, "recorded_at")))

    def _take(self, item: WorkItem, place: int, *, since: int) -> None:
        """Keep how far the enrichment of a record is, unless it has any."""
        due = None if item.retry_at is None else micros(utc(item.retry_at, "retry_at"))
        failed_at = since if item.state is WorkState.FAILED else None
        outcomes = json.dumps(item.outcomes, ensure_ascii=False)
        told = (item.reason, item.architecture, outcomes)
        run(self._connection, "work_add", place, item.state.value, since, due, item.attempts, failed_at, *told)
        if item.refused and self._connection.changes():
            for (kind, reason), count in item.refused.items():
                run(self._connection, "refusal_add", place, kind, reason, count)

    def _count_again(self, record: Record, place: int) -> int:
        """Count the same evidence once more. A row that has gone bad is replaced by what was given, which has the same id."""
        kept = fetch(self._connection, self._scope, place)
        base = record if kept is None or isinstance(kept, Damaged) else kept
        assert self._row is not None
        again = replace(base, occurrences=base.occurrences + 1)
        run(self._connection, "record_write", *record_row(again, place, self._codes_of(again, self._row)))
        return place

    def _find(self, statement: str, name: str) -> int | None:
        return None if self._row is None else find(self._connection, statement, self._row.no, name)

    def _new_row(self) -> ScopeRow:
        run(self._connection, "scope_add", *rungs(self._scope))
        row = find_scope(self._connection, self._scope)
        if row is None:
            raise StoreError("a scope that was just written is not there.", hint="Run the doctor.")
        row.generation = row.epoch = row.no << 32
        return row

    def _codes_of(self, record: Record, row: ScopeRow) -> Codes:
        names = {"conversation": record.conversation, "speaker": record.speaker, "agent": record.agent}
        return Codes(*(self._code(row, kind, name) if name else 0 for kind, name in names.items()))

    def _code(self, row: ScopeRow, kind: str, name: str) -> int:
        code = self._codes.get((kind, name))
        if code is None:
            code = run_value(self._connection, "label_by_name", row.no, kind, name)
        if code is None:
            row.last_label = code = row.last_label + 1
            run(self._connection, "label_add", numbered(row.no, code), kind, name)
        self._codes[kind, name] = code
        return code
