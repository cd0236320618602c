"""Looking through a scope page by page, newest arrival first.

A cursor belongs to the listing it came from: used with another scope or filter, or altered, it is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from muniment.errors import QueryError
from muniment.ports import Records
from muniment.types import Filter, Page, Record, Scope, check_whole, words_of

MOST = 1000
TURNS_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """The end of a conversation, oldest first; `lost` are turns that cannot be read. Not `complete` when older ones exist."""

    records: tuple[Record, ...] = ()
    lost: tuple[int, ...] = ()
    complete: bool = True


async def browse(scope: Scope, *, where: Filter, limit: int, cursor: str | None, records: Records) -> Page:
    """One page of the records of exactly `scope` that pass `where`. Raises QueryError for a bad limit or cursor."""
    check_whole("limit", limit, MOST)
    page = await records.page(scope, where, limit=limit, before=_open(cursor, scope, where))
    return replace(page, cursor=_seal(page.cursor, scope, where)) if page.cursor else page


async def recent_turns(scope: Scope, conversation: str, *, room: int, count: Callable[[str], int], records: Records) -> Recent:
    """The end of a conversation at exactly `scope`, as far back as `room` tokens could show."""
    where = Filter(conversation=conversation)
    found: list[Record] = []
    lost: list[int] = []
    before: int | None = None
    while True:
        page = await records.page(scope, where, limit=TURNS_AT_ONCE, before=before)
        found += page.records
        lost += page.lost
        room -= await asyncio.to_thread(_cost, page.records, count)
        if page.cursor is None or room < 0:
            return Recent(records=tuple(reversed(found)), lost=tuple(sorted(lost)), complete=page.cursor is None)
        before = int(page.cursor)


def _cost(turns: Sequence[Record], count: Callable[[str], int]) -> int:
    return sum(count(words_of(turn)) for turn in turns)


def _seal(before: str, scope: Scope, where: Filter) -> str:
    return f"{before}.{_mark(before, scope, where)}"


def _open(cursor: object, scope: Scope, where: Filter) -> int | None:
    if cursor is None:
        return None
    before, dot, mark = cursor.partition(".") if isinstance(cursor, str) else ("", "", "")
    if not dot or not before.isascii() or not before.isdigit() or mark != _mark(before, scope, where):
        raise QueryError(
            "this cursor belongs to another listing, or was altered.",
            place="cursor",
            code="bad_cursor",
            hint="Start again without a cursor, and keep scope and filters the same from page to page.",
        )
    return int(before)


def _mark(before: str, scope: Scope, where: Filter) -> str:
    return blake2b(repr((before, scope, where)).encode(), digest_size=6).hexdigest()
