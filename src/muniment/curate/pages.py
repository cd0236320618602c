"""Reading through the memories of a scope, page by page and up to a bound."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

from muniment.knowledge.values import MemoryFilter, MemoryPage
from muniment.ports import Memories
from muniment.types import Scope

_PAGE = 200
_PAGES = 10
MOST_READ = _PAGE * _PAGES
"""Memories that are looked through at most: the latest."""


async def pages(
    store: Memories, scope: Scope, where: MemoryFilter, *, now: datetime, inherited: bool
) -> AsyncIterator[MemoryPage]:
    """The memories that pass `where`, latest first."""
    before: str | None = None
    for _ in range(_PAGES):
        page = await store.memories(scope, where, limit=_PAGE, now=now, before=before, inherited=inherited)
        yield page
        before = page.cursor
        if before is None:
            return
