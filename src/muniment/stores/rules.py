"""What every store decides the same way: which times, vectors and filters hold, and the codes that stand in a head row.

Rule of this file: pure functions over values, so that two stores cannot come to different answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from muniment.errors import EmbedderError, EmbedderMismatch, InputError
from muniment.ports import Write
from muniment.shelf import NO_TIME, Entry, Floats
from muniment.types import Kind, Record, Role

ROLE_CODES = {role: code for code, role in enumerate(Role)}
KIND_CODES = {kind: code for code, kind in enumerate(Kind)}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNIT_TOLERANCE = 0.02
_MICROSECOND = timedelta(microseconds=1)


def utc(at: datetime, place: str) -> datetime:
    """The same instant in UTC. Raises InputError for a time without a zone, since any guess would be wrong somewhere."""
    if at.tzinfo is None or at.utcoffset() is None:
        raise InputError(
            f"the time {at.isoformat()} has no time zone.",
            place=place,
            code="tz_required",
            hint="Give an aware datetime, for example with tzinfo=UTC.",
        )
    return at.astimezone(UTC)


def in_utc(record: Record) -> Record:
    """The record with its times in UTC. Raises InputError for a time without a zone."""
    said_at = utc(record.said_at, "said_at") if record.said_at else None
    recorded_at = utc(record.recorded_at, "recorded_at")
    if said_at is record.said_at and recorded_at is record.recorded_at:
        return record
    return replace(record, said_at=said_at, recorded_at=recorded_at)


def check_unicode(record: Record, key: str | None = None) -> None:
    """Raise InputError for a record or key that holds half of a character, which no file and no protocol can carry."""
    calls = [part for call in record.tool_calls for part in (call.id, call.name, call.arguments)]
    named = [
        record.id,
        record.text,
        record.speaker,
        record.agent,
        record.conversation,
        record.ref,
        record.origin,
        record.tool_call_id,
    ]
    _check_whole(filter(None, [key, *named, *calls, *record.metadata, *record.metadata.values()]), record.id)


def check_beside(write: Write) -> None:
    """The same for what was taken out of its text."""
    sealed = [part for one in write.sealed for part in (one.token, one.kind, one.value)]
    _check_whole([*sealed, *(part for blob in write.blobs for part in (blob.digest, blob.media))], write.record.id)


def _check_whole(words: Iterable[str], place: str) -> None:
    try:
        "".join(words).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "this record holds half of a character (a lone surrogate).",
            place=place,
            code="invalid_unicode",
            hint="Decode the text with errors='replace' before handing it over.",
        ) from error


def seconds(at: datetime | None) -> int:
    """Whole seconds since 1970, rounded down, as HEAD keeps them; NO_TIME when unknown."""
    return NO_TIME if at is None else (at - EPOCH) // timedelta(seconds=1)


def micros(at: datetime) -> int:
    """Microseconds since 1970 of a time in UTC."""
    return (at - EPOCH) // _MICROSECOND


def instant(at: int) -> datetime:
    """The time in UTC, of microseconds since 1970."""
    return EPOCH + at * _MICROSECOND


def check_vectors(record: Record, entries: Sequence[Entry], dim: int | None) -> None:
    """Raise EmbedderError unless every vector has `dim` finite values and unit length; `dim` is None before one is known."""
    for part, entry in enumerate(entries):
        fault = _vector_fault(entry.vector, dim) if entry.vector is not None else None
        if fault:
            code, why = fault
            raise EmbedderError(
                f"the vector of passage {part} cannot be kept: {why}.",
                place=record.id,
                code=code,
                hint="Nothing of this write was stored. Check the embedder, or write without vectors and reindex later.",
            )


def _vector_fault(vector: Floats, dim: int | None) -> tuple[str, str] | None:
    if dim is None:
        return "embedder_unknown", "the store has adopted no embedder yet"
    if vector.shape != (dim,):
        return "dim_mismatch", f"its shape is {vector.shape}, and the store's embedder gives {dim} dimensions"
    if not np.isfinite(vector).all():
        return "non_finite", "it holds a value that is not finite"
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if abs(length - 1) > UNIT_TOLERANCE:
        return ("zero_norm" if length < UNIT_TOLERANCE else "not_unit"), f"its length is {length:g} instead of 1"
    return None


def mismatch(kept: tuple[str, int], given: tuple[str, int]) -> EmbedderMismatch:
    """The error for vectors of `given` in a store that keeps those of `kept`."""
    return EmbedderMismatch(
        f"this store holds vectors of {kept[0]} ({kept[1]} dimensions), but the embedder is {given[0]} ({given[1]} dimensions).",
        hint="Open it with the old embedder, or rebuild its vectors with the new one (reindex).",
    )
