"""Digests as the text a store keeps of them, and back: all but the scope and the version, which are columns.

Rule of this file: pure, and exact both ways. What stands at its default is left out; what cannot be kept, such as half of a
character or a time without a zone, is refused here for every store alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from muniment.errors import InputError
from muniment.knowledge.digests import (
    Alteration,
    CheckedClaim,
    ClaimFate,
    ClaimKind,
    Digest,
    DigestClaim,
    DigestLine,
    Invention,
    Span,
    Verification,
)
from muniment.stores.rows import rungs
from muniment.stores.rules import instant, micros
from muniment.types import RecordId, Scope, Trust

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_COLUMNS: Final = frozenset({"scope", "version"})

Row = dict[str, Any]


def placed(digest: Digest) -> tuple[Scope, str]:
    """Scope and conversation of a digest that is to be kept. Raises InputError where these, its time or records are missing."""
    if digest.scope is None or digest.conversation is None or digest.made_at is None or not digest.records:
        raise InputError(
            "a digest without scope, conversation, time or records cannot be kept.",
            code="field_missing",
            hint="Keep digests of parts of a conversation, as engine.digests makes them.",
        )
    return digest.scope, digest.conversation


def digest_body(digest: Digest) -> str:
    """All of a digest but its columns. Raises InputError for what cannot be kept."""
    try:
        body = _encode({name: held for name, held in _out(digest).items() if name not in _COLUMNS})
        body.encode()
    except ValueError as error:
        hint = "Keep text without halves of characters, and finite numbers."
        raise InputError("this digest cannot be kept as text.", place="digest", code="malformed", hint=hint) from error
    return body


def kept_hash(scope: Scope, version: int, body: bytes) -> bytes:
    """The hash over a body and the columns beside it."""
    named = _encode([*rungs(scope), version])
    return blake2b(named.encode() + body, digest_size=16).digest()


def read_digest(scope: Scope, row: tuple[int, bytes, bytes]) -> Digest | None:
    """The digest of a row of version, hash and body; None where it is damaged, or written by another version."""
    version, kept, body = row
    if kept_hash(scope, version, body) == kept:
        with suppress(ValueError, TypeError, LookupError):
            return digest_of(body.decode(), scope=scope, version=version)
    return None


def digest_of(body: str, *, scope: Scope, version: int) -> Digest:
    """The digest of a body that `digest_body` gave, with its columns. Raises ValueError, TypeError or LookupError for another."""
    return replace(_digest(json.loads(body)), scope=scope, version=version)


def _out(value: object) -> Row:
    """The fields of a value that are not at their default."""
    found = {}
    for field in fields(value):  # type: ignore[arg-type]  # every value that comes here is a dataclass
        held = getattr(value, field.name)
        if field.default is MISSING or held != field.default:
            found[field.name] = _spelled(held)
    return found


def _spelled(value: object) -> object:
    if isinstance(value, Span):
        return [value.record, value.start, value.end]
    if isinstance(value, datetime):
        return micros(value)
    if isinstance(value, tuple):
        return [_spelled(one) for one in value]
    return _out(value) if hasattr(value, "__dataclass_fields__") and not isinstance(value, Scope) else value


def _digest(row: Row) -> Digest:
    row["lines"] = tuple(_line(one) for one in row["lines"])
    row["verification"] = _verification(row["verification"])
    row["records"] = tuple(RecordId(one) for one in row["records"])
    return Digest(**_timed(row, "made_at"))


def _line(row: Row) -> DigestLine:
    row["spans"] = _spans(row["spans"])
    if "trust" in row:
        row["trust"] = Trust(row["trust"])
    return DigestLine(**_timed(row, "said_at"))


def _verification(row: Row) -> Verification:
    row["claims"] = tuple(_claim(one) for one in row["claims"])
    row["inventions"] = tuple(Invention(**one) for one in row["inventions"])
    if "alterations" in row:
        row["alterations"] = tuple(Alteration(**one) for one in row["alterations"])
    if "notes" in row:
        row["notes"] = tuple(row["notes"])
    return Verification(**row)


def _claim(row: Row) -> CheckedClaim:
    claim = row["claim"]
    row["claim"] = DigestClaim(**{**claim, "kind": ClaimKind(claim["kind"]), "spans": _spans(claim["spans"])})
    row["fate"] = ClaimFate(row["fate"])
    return CheckedClaim(**row)


def _spans(rows: Sequence[Sequence[Any]]) -> tuple[Span, ...]:
    return tuple(Span(record=RecordId(record), start=start, end=end) for record, start, end in rows)


def _timed(row: Row, name: str) -> Row:
    read: Callable[[int], datetime] = instant
    return {**row, name: read(row[name])} if row.get(name) is not None else row
