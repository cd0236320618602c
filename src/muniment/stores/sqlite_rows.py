"""Values to rows and back. A record's row carries a hash over every field, so that a changed byte is noticed, never believed.

An id is a scope's number shifted left by 24 bits, plus a number that counts within the scope.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import apsw
import numpy as np

from muniment.errors import StoreFull
from muniment.shelf import HEAD, Entry, pack_vector
from muniment.stores.rules import KIND_CODES, ROLE_CODES, instant, micros, seconds
from muniment.stores.sqlite_file import SQL, Row
from muniment.types import Kind, Record, RecordId, Role, Scope, ToolCall, Trust

MOST = 0xFFFFFF  # the highest number within a scope
SHIFT = 24

_ROLES = {role.value: role for role in Role}
_KINDS = {kind.value: kind for kind in Kind}
_TRUSTS = {trust.value: trust for trust in Trust}
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_HEAD = struct.Struct("<7I2Hq")
assert _HEAD.size == HEAD.itemsize

Value = str | int | bytes | None
Packed = tuple[bytes, bytes, bytes | None]  # head, terms and vector of one index row


class Codes(NamedTuple):
    """Label codes of one record, in the order of its columns; 0 is none."""

    conversation: int
    speaker: int
    agent: int


class Damaged(NamedTuple):
    """Stands in for a record whose row could not be read or fails its hash."""

    scope: Scope
    seq: int


def span(no: int) -> tuple[int, int]:
    """The lowest and highest id of a scope."""
    return no << SHIFT, no << SHIFT | MOST


def numbered(no: int, number: int) -> int:
    """The id of a number within a scope. Raises StoreFull when the scope has no more numbers."""
    if number > MOST:
        raise StoreFull(
            f"this scope has used all of its {MOST} places.", code="scope_full", hint="Write to another scope, or split this one."
        )
    return no << SHIFT | number


def rungs(scope: Scope) -> tuple[str, str, str]:
    """The rungs as they are kept: '' is one that is not given."""
    return scope.client or "", scope.customer or "", scope.user or ""


def record_row(record: Record, place: int, codes: Codes) -> tuple[Value, ...]:
    """The row of a record whose times are in UTC, to be kept at id `place`."""
    calls = [[call.id, call.name, call.arguments] for call in record.tool_calls]
    fields = (
        *(place, record.id, record.occurrences, record.role.value, record.kind.value, record.trust.value),
        *(record.conversation or None, record.speaker or None, record.agent or None),
        *(None if record.said_at is None else micros(record.said_at), micros(record.recorded_at)),
        *(record.ref, record.origin, _json(calls), record.tool_call_id, _json(dict(record.metadata)), record.text),
    )
    digest = _digest(record.scope, fields)
    return (*fields[:6], *codes, *fields[9:], digest)


def fetch(connection: apsw.Connection, scope: Scope, place: int) -> Record | Damaged | None:
    """The record of `scope` at id `place`; None when there is none."""
    try:
        row = connection.execute(SQL["record_at"], (place,)).fetchone()
        if row is None:
            return None
        if _digest(scope, row[:-1]) == row[-1]:
            return _record(scope, row)
    except (apsw.CorruptError, UnicodeError, TypeError):
        pass  # bytes that are no page, no text, or a value of another type: damaged like those that fail the hash
    return Damaged(scope, place & MOST)


def entry_rows(record: Record, entries: Sequence[Entry], codes: Codes, *, seq: int) -> Iterator[Packed]:
    """The index rows of a record that is kept as number `seq`, in order."""
    ends = (ROLE_CODES[record.role], KIND_CODES[record.kind], seconds(record.said_at))
    for part, entry in enumerate(entries):
        yield (
            _HEAD.pack(seq, part, entry.start, entry.end, *codes, *ends),
            np.ascontiguousarray(entry.terms, "<u8").tobytes(),
            None if entry.vector is None else pack_vector(entry.vector),
        )


def _record(scope: Scope, row: Row) -> Record:
    """The record of a row whose hash holds, so that every value is known to be of the type it was written with."""
    place, name, occurrences, role, kind, trust, conversation, speaker, agent, said_at, recorded_at, ref, origin, *rest = row
    calls, call_id, metadata, text, _ = rest
    return Record(
        id=RecordId(name),
        scope=scope,
        text=text,
        role=_ROLES[role],
        kind=_KINDS[kind],
        speaker=speaker or "",
        agent=agent or "",
        recorded_at=instant(recorded_at),
        said_at=None if said_at is None else instant(said_at),
        conversation=conversation,
        ref=ref,
        origin=origin,
        trust=_TRUSTS[trust],
        tool_calls=() if calls == "[]" else tuple(ToolCall(id=i, name=n, arguments=a) for i, n, a in json.loads(calls)),
        tool_call_id=call_id,
        metadata={} if metadata == "{}" else json.loads(metadata),
        seq=place & MOST,
        occurrences=occurrences,
    )


def _digest(scope: Scope, fields: Sequence[Value]) -> bytes:
    return blake2b(_json([*rungs(scope), *fields]).encode(), digest_size=16).digest()
