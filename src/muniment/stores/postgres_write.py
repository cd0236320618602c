"""Putting records: what is there of a call is read at once, then each write is decided in order, and all is written by tables.

Rule of this file: every scope of the call is locked first, so that what was read is still so when it is written.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from muniment.knowledge.values import WorkItem, WorkState
from muniment.ports import Write, Written
from muniment.shelf import Entry
from muniment.stores.postgres_link import Transaction
from muniment.stores.postgres_rows import ScopeRow, lock, read_record, record_body, save, word
from muniment.stores.rows import Codes, entry_rows, within
from muniment.stores.rules import check_beside, check_unicode, check_vectors, in_utc, micros, mismatch, utc
from muniment.stores.rules_knowledge import work_of
from muniment.types import Outcome, Record, Scope

Embedded = tuple[str, int]
UNREADABLE: Embedded = ("a model whose name is damaged", 0)

Rows = dict[str, list[tuple[object, ...]]]

# In this order each row's links lead to rows that are there already.
_TABLES = (*("label_add", "record_write", "entry_add", "vector_add", "key_add", "blob_add", "blob_use_add", "sealed_add"),)


async def kept_embedder(tx: Transaction) -> Embedded | None:
    """Identity and dimensions of the model whose vectors are kept."""
    kept = await tx.value("meta_get", "embedder")
    if kept is None:
        return None
    try:
        identity, dim = json.loads(kept)
        return str(identity), int(dim)
    except (TypeError, ValueError):
        return UNREADABLE


async def keep_embedder(tx: Transaction, embedder: Embedded | None) -> None:
    """Note whose vectors are kept from now on."""
    if embedder is None:
        await tx.change("meta_drop", "embedder")
    else:
        await tx.change("meta_set", "embedder", json.dumps(embedder))


async def claim_embedder(tx: Transaction, embedder: Embedded) -> None:
    """Note `embedder` when none is noted. Raises EmbedderMismatch when another is."""
    await tx.change("meta_add", "embedder", json.dumps(embedder))
    kept = await kept_embedder(tx)
    if kept is not None and kept != embedder:
        raise mismatch(kept, embedder)


async def put(tx: Transaction, *, writes: Sequence[Write], adopted: Embedded | None) -> list[Written]:
    """Put all. Vectors must be of the model the store keeps, and of `adopted` when the caller has named one."""
    if not writes:
        return []
    embeds = any(entry.vector is not None for write in writes for entry in write.entries)
    kept = await kept_embedder(tx)
    if adopted and embeds and kept != adopted:
        await claim_embedder(tx, adopted)
        kept = adopted
    for write in writes:
        check_unicode(write.record, write.key)
        check_beside(write)
        check_vectors(write.record, write.entries, kept[1] if kept else None)
    ready = [in_utc(write.record) for write in writes]
    targets = await _targets(tx, writes)
    rows: Rows = defaultdict(list)
    done = [targets[record.scope].put(write, record, rows) for write, record in zip(writes, ready, strict=True)]
    for target in targets.values():
        target.finish(rows)
    for statement in _TABLES:
        await tx.table(statement, rows[statement])
    await tx.each("work_add", rows["work_add"])
    await save(tx, [target.row for target in targets.values() if target.changed], appended=True)
    return done


@dataclass(slots=True)
class _Target:
    """One scope during one call: its row, what is there of what is written, and what has become of it so far."""

    scope: Scope
    row: ScopeRow
    names: dict[bytes, int] = field(default_factory=dict)
    keys: dict[bytes, int] = field(default_factory=dict)
    labels: dict[tuple[str, bytes], int] = field(default_factory=dict)
    kept: dict[int, Record] = field(default_factory=dict)
    written: dict[int, Record] = field(default_factory=dict)
    changed: bool = False

    def put(self, write: Write, record: Record, rows: Rows) -> Written:
        """Decide what becomes of a write whose record has its times in UTC."""
        name = word(record.id)
        key = None if write.key is None else word(write.key)
        known = self.names.get(name)
        keyed = None if key is None else self.keys.get(key)
        if keyed is not None and keyed != known:
            return Written(outcome=Outcome.REFUSED, id=record.id, reason="key_conflict")
        if keyed is not None:
            self._beside(write, keyed, rows)
            return Written(outcome=Outcome.UNCHANGED, id=record.id)
        seq = self._store(record, write.entries, rows) if known is None else self._count_again(record, known)
        if key is not None:
            self.keys[key] = seq
            rows["key_add"].append((self.row.no, key, seq))
        self._beside(write, seq, rows)
        self.changed = True
        return Written(outcome=Outcome.STORED if known is None else Outcome.UNCHANGED, id=record.id)

    def finish(self, rows: Rows) -> None:
        """The rows of the records that were written or counted again."""
        for seq, record in self.written.items():
            codes = self._codes(record, rows)
            digest, body = record_body(record, seq)
            times = (None if record.said_at is None else micros(record.said_at), micros(record.recorded_at))
            told = (record.role.value, record.kind.value, *times, len(record.text.encode()))
            rows["record_write"].append((self.row.no, seq, word(record.id), *codes, *told, digest, body))

    def _store(self, record: Record, entries: Sequence[Entry], rows: Rows) -> int:
        row = self.row
        row.last_seq = seq = within(row.last_seq + 1)
        self.names[word(record.id)] = seq
        self.written[seq] = record
        for head, terms, vector in entry_rows(record, entries, self._codes(record, rows), seq=seq):
            row.last_entry = within(row.last_entry + 1)
            rows["entry_add"].append((row.no, row.last_entry, seq, head, terms))
            if vector is not None:
                rows["vector_add"].append((row.no, row.last_entry, vector))
        return seq

    def _count_again(self, record: Record, seq: int) -> int:
        """Count the same evidence once more. A row that has gone bad is replaced by what was given, which has the same id."""
        base = self.written.get(seq) or self.kept.get(seq) or record
        self.written[seq] = replace(base, occurrences=base.occurrences + 1)
        return seq

    def _beside(self, write: Write, seq: int, rows: Rows) -> None:
        """What was taken out of the text, and its enrichment. What is there already stays as it is."""
        no = self.row.no
        for sealed in write.sealed:
            rows["sealed_add"].append((no, seq, word(sealed.token), sealed.kind.encode(), sealed.value.encode()))
        for blob in write.blobs:
            digest = word(blob.digest)
            rows["blob_add"].append((no, digest, blob.media.encode(), bytes(blob.data)))
            rows["blob_use_add"].append((no, seq, digest))
        if item := work_of(write):
            rows["work_add"].append((no, seq, *_work_row(item, micros(utc(write.record.recorded_at, "recorded_at")))))

    def _codes(self, record: Record, rows: Rows) -> Codes:
        names = {"conversation": record.conversation, "speaker": record.speaker, "agent": record.agent}
        return Codes(*(self._code(kind, name, rows) if name else 0 for kind, name in names.items()))

    def _code(self, kind: str, name: str, rows: Rows) -> int:
        kept = name.encode()
        code = self.labels.get((kind, kept))
        if code is None:
            self.row.last_label = code = within(self.row.last_label + 1)
            self.labels[kind, kept] = code
            rows["label_add"].append((self.row.no, code, kind, kept))
        return code


async def _targets(tx: Transaction, writes: Sequence[Write]) -> dict[Scope, _Target]:
    """The scopes of the writes, locked, with what is there of them."""
    locked = await lock(tx, (write.record.scope for write in writes), create=True)
    targets = {scope: _Target(scope, row) for scope, row in locked.items()}
    by_no = {target.row.no: target for target in targets.values()}
    named = [(targets[write.record.scope].row.no, word(write.record.id)) for write in writes]
    for row in await tx.rows("records_named", [no for no, _ in named], [name for _, name in named]):
        target = by_no[row["scope"]]
        target.names[row["name"]] = row["seq"]
        if isinstance(record := read_record(target.scope, row), Record):
            target.kept[row["seq"]] = record
    keyed = [(targets[write.record.scope].row.no, word(write.key)) for write in writes if write.key is not None]
    if keyed:
        for row in await tx.rows("keys_of", [no for no, _ in keyed], [key for _, key in keyed]):
            by_no[row["scope"]].keys[row["key"]] = row["record"]
    known = (record for target in targets.values() for record in target.kept.values())
    labels = {
        name.encode()
        for record in (*(write.record for write in writes), *known)
        for name in (record.conversation, record.speaker, record.agent)
        if name
    }
    for row in await tx.rows("labels_of", list(by_no), list(labels)):
        by_no[row["scope"]].labels[row["kind"], row["name"]] = row["code"]
    return targets


def _work_row(item: WorkItem, since: int) -> tuple[object, ...]:
    due = None if item.retry_at is None else micros(utc(item.retry_at, "retry_at"))
    failed_at = since if item.state is WorkState.FAILED else None
    told = (item.reason.encode(), item.architecture.encode(), json.dumps(item.outcomes, ensure_ascii=False).encode())
    refused = [[part.encode() for part in parts] for parts in zip(*item.refused, strict=True)] or [[], []]
    return (item.state.value, since, due, item.attempts, failed_at, *told, *refused, list(item.refused.values()))
