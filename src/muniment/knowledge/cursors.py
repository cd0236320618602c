"""Cursors of listings: where a page goes on, good for that listing, scope and filter alone, and for a day.

Rule of this file: pure. A cursor is checked by the store's own secret before anything in it is used, so nobody can make or alter
one; what is refused has one answer, whatever was wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from hashlib import blake2b
from hmac import compare_digest

from muniment.errors import QueryError
from muniment.types import Scope

KEPT = timedelta(days=1)
"""How long a cursor can be used."""

_MOST = 200
_FORM = re.compile(r"([0-9.-]{1,80})_([0-9a-f]{1,12})_([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a cursor is bound to: the verb that lists, the scope it lists, and what it was asked for."""

    verb: str
    scope: Scope
    asked: object = None


def sealed(place: str | None, listing: Listing, *, secret: bytes, now: datetime) -> str | None:
    """The cursor for going on at `place`, or None at the end."""
    if place is None:
        return None
    until = f"{int((now + KEPT).timestamp()):x}"
    return f"{place}_{until}_{_mark(place, until, listing, secret)}"


def opened(cursor: object, listing: Listing, *, secret: bytes, now: datetime) -> str | None:
    """The place a cursor goes on at; None without a cursor.

    Raises QueryError (bad_cursor) for one of another listing, scope, filter or store, an altered one, and one that is too old.
    """
    if cursor is None:
        return None
    found = _FORM.fullmatch(cursor) if isinstance(cursor, str) and len(cursor) <= _MOST else None
    if found and compare_digest(_mark(found[1], found[2], listing, secret), found[3]) and now.timestamp() < int(found[2], 16):
        return found[1]
    raise QueryError(
        "this cursor belongs to another listing, was altered, or is more than a day old.",
        place="cursor",
        code="bad_cursor",
        hint="Start again without a cursor, and keep scope and filters the same from page to page.",
    )


def _mark(place: str, until: str, listing: Listing, secret: bytes) -> str:
    said = repr((place, until, _plain(listing))).encode("utf-8", "surrogatepass")
    return blake2b(said, digest_size=16, key=secret[:64], person=b"cursor").hexdigest()


def _plain(value: object) -> object:
    """The same for equal values in every process."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return [(field.name, _plain(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, Mapping):
        return sorted((repr(_plain(name)), _plain(one)) for name, one in value.items())
    if isinstance(value, AbstractSet):
        return sorted(repr(_plain(one)) for one in value)
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
