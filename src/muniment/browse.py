"""Looking through a scope page by page, newest arrival first.

Rule of this file: pages come from the store as they are; `knowledge/cursors.py` says for what a cursor is good.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from muniment.errors import QueryError
from muniment.knowledge.cursors import Listing, opened, sealed
from muniment.ports import Records, Shelved
from muniment.types import Filter, Page, Record, Scope, check_whole, words_of

MOST = 1000
TURNS_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """The end of a conversation, oldest first; `lost` are turns that cannot be read. Not `complete` when older ones exist."""

    records: tuple[Record, ...] = ()
    lost: tuple[int, ...] = ()
    complete: bool = True


class Store(Records, Shelved, Protocol):
    """What this file asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What a page is asked for."""

    where: Filter
    limit: int
    cursor: str | None = None


async def browse(scope: Scope, asked: Listed, *, store: Store, now: datetime) -> Page:
    """One page of the records of exactly `scope`. Raises QueryError for a bad limit or cursor."""
    check_whole("limit", asked.limit, MOST)
    if asked.where.valid_at is not None:
        hint = "Ask memories.list for what held then, or retrieve; known_at narrows to what had come in."
        raise QueryError("records hold at no time and at all.", place="valid_at", code="unknown_filter", hint=hint)
    listing, secret = Listing(verb="list", scope=scope, asked=asked.where), await store.secret()
    before = opened(asked.cursor, listing, secret=secret, now=now)
    page = await store.page(scope, asked.where, limit=asked.limit, before=None if before is None else int(before))
    return replace(page, cursor=sealed(page.cursor, listing, secret=secret, now=now))


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
