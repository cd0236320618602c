"""Looking through a scope page by page, newest arrival first.

Rule of this file: pages come from the store as they are; `knowledge/cursors.py` says for what a cursor is good.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from muniment.errors import QueryError
from muniment.knowledge.cursors import Listing, opened, sealed
from muniment.ports import Records, Shelved
from muniment.types import Filter, Page, Scope, check_whole

MOST = 1000


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
