"""Values to rows and back, for every store that keeps rows. A hash over all of a value tells whether a row is what was written.

Rule of this file: pure, so that two stores keep the same of the same value. A place is the number a row is kept under; its lowest
24 bits count within a scope.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import numpy as np

from muniment.errors import InputError, StoreFull
from muniment.knowledge.keys import digest_of, slot_key, subject_key
from muniment.knowledge.values import Entity, Memory, Merge
from muniment.shelf import HEAD, Entry, pack_vector
from muniment.stores.bodies import entity_of, memory_of, merge_of
from muniment.stores.rules import KIND_CODES, ROLE_CODES, instant, micros, seconds
from muniment.stores.rules_knowledge import proofs
from muniment.types import RUNGS, Kind, Page, Record, RecordId, Role, Scope, ToolCall, Trust

T = TypeVar("T", Memory, Entity, Merge)
Row = tuple[Any, ...]
Value = str | int | bytes | None
Packed = tuple[bytes, bytes, bytes | None]  # head, terms and vector of one index row

MOST = 0xFFFFFF  # the highest number within a scope

_ROLES = {role.value: role for role in Role}
_KINDS = {kind.value: kind for kind in Kind}
_TRUSTS = {trust.value: trust for trust in Trust}
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_HEAD = struct.Struct("<7I2Hq")
assert _HEAD.size == HEAD.itemsize


class Codes(NamedTuple):
    """Label codes of one record, in the order of its columns; 0 is none."""

    conversation: int
    speaker: int
    agent: int


class Damaged(NamedTuple):
    """Stands in for a record whose row could not be read or fails its hash."""

    scope: Scope
    seq: int


def page_of(found: Sequence[Record | Damaged], limit: int) -> Page:
    """A page of at most `limit` of what was found, which is one more where there are more."""
    read = found[:limit]
    return Page(
        records=tuple(one for one in read if isinstance(one, Record)),
        cursor=str(read[-1].seq) if len(found) > limit else None,
        lost=tuple(one.seq for one in read if isinstance(one, Damaged)),
    )


def within(number: int) -> int:
    """The number, when a scope can have it. Raises StoreFull when the scope has no more numbers."""
    if number > MOST:
        raise StoreFull(
            f"this scope has used all of its {MOST} places.", code="scope_full", hint="Write to another scope, or split this one."
        )
    return number


def rungs(scope: Scope) -> tuple[str, str, str]:
    """The rungs as they are kept: '' is one that is not given."""
    return scope.client or "", scope.customer or "", scope.user or ""


def kept_scope(client: str, customer: str, user: str) -> Scope:
    """A scope from its row, not checked again: a stricter rule for ids that came later must not hide what is kept."""
    scope = object.__new__(Scope)
    for rung, name in zip(RUNGS, (client, customer, user), strict=True):
        object.__setattr__(scope, rung, name or None)
    return scope


def record_fields(record: Record, place: int) -> tuple[Value, ...]:
    """All of a record whose times are in UTC but its scope, to be kept at `place`."""
    calls = [[call.id, call.name, call.arguments] for call in record.tool_calls]
    return (
        *(place, record.id, record.occurrences, record.role.value, record.kind.value, record.trust.value),
        *(record.conversation or None, record.speaker or None, record.agent or None),
        *(None if record.said_at is None else micros(record.said_at), micros(record.recorded_at)),
        *(record.ref, record.origin, _json(calls), record.tool_call_id, _json(dict(record.metadata)), record.text),
    )


def record_digest(scope: Scope, fields: Sequence[Value]) -> bytes:
    """The hash over all fields of a record and its scope."""
    return blake2b(_json([*rungs(scope), *fields]).encode(), digest_size=16).digest()


def record_of(scope: Scope, fields: Row) -> Record:
    """The record of fields whose hash holds, so that every value is known to be of the type it was written with."""
    place, name, occurrences, role, kind, trust, conversation, speaker, agent, said_at, recorded_at, ref, origin, *rest = fields
    calls, call_id, metadata, text = rest
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


def entry_rows(record: Record, entries: Sequence[Entry], codes: Codes, *, seq: int) -> Iterator[Packed]:
    """The index rows of a record that is kept as number `seq`, in order."""
    ends = (ROLE_CODES[record.role], KIND_CODES[record.kind], seconds(record.said_at))
    for part, entry in enumerate(entries):
        yield (
            _HEAD.pack(seq, part, entry.start, entry.end, *codes, *ends),
            np.ascontiguousarray(entry.terms, "<u8").tobytes(),
            None if entry.vector is None else pack_vector(entry.vector),
        )


def memory_columns(memory: Memory) -> tuple[Value, ...]:
    """What a memory is looked up by, in the order of its columns."""
    expires = None if memory.expires_at is None or memory.held else micros(memory.expires_at)
    slot = slot_key(memory.subject, memory.attribute)
    named = (memory.id, memory.kind, memory.status.value, subject_key(memory.subject), slot, digest_of(memory))
    return (*named, micros(memory.recorded_at), expires, len(proofs(memory)))


def body_digest(scope: Scope, place: int, body: bytes) -> bytes:
    """The hash over the body of a memory, an entity or a merge, its scope and its place."""
    named = "\x1f".join((*rungs(scope), str(place), ""))
    return blake2b(named.encode() + body, digest_size=16).digest()


def read_memory(scope: Scope, row: Row) -> Memory | Damaged:
    """The memory of a row of place, hash and body."""
    return _read(scope, row, memory_of)


def read_entity(scope: Scope, row: Row) -> Entity | Damaged:
    """The entity of a row of place, hash and body."""
    return _read(scope, row, entity_of)


def read_merge(scope: Scope, row: Row) -> Merge | Damaged:
    """The merge of a row of place, hash and body."""
    return _read(scope, row, lambda scope, _, body: merge_of(scope, body))


def _read(scope: Scope, row: Row, of: Callable[[Scope, int, str], T]) -> T | Damaged:
    place, digest, body = row
    if body_digest(scope, place, body) == digest:
        try:
            return of(scope, place & MOST, body.decode())
        except (ValueError, TypeError, KeyError, InputError):
            pass  # written by another version, or by nobody: damaged like those that fail the hash
    return Damaged(scope, place & MOST)
