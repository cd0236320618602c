"""An id given by its beginning, to commands that only read: the whole id, where no other in sight begins so.

Rule of this file: what changes or erases anything is never given a beginning. It looks through what may be meant, page by page.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Final

from muniment.engine import Engine
from muniment.errors import QueryError, ScopeError, shown
from muniment.knowledge.values import MemoryFilter, Status
from muniment.types import Scope

_BEGINNING: Final = re.compile(r"[a-z2-7]{6,15}")
"""Six letters at least; a whole id has sixteen."""
_NAMED: Final = 5
_RECORDS, _DERIVED = 1000, 200


async def record_id(engine: Engine, scope: Scope, word: str) -> str:
    """The id of the record that begins so; `word` itself where it is no beginning. Raises QueryError when several do."""
    return await _whole(word, _records(engine, scope))


async def memory_id(engine: Engine, scope: Scope, word: str) -> str:
    """The id of the memory, of any status, that begins so, as `record_id`."""
    return await _whole(word, _memories(engine, scope))


async def either_id(engine: Engine, scope: Scope, word: str) -> str:
    """The id of the record or memory that begins so, as `record_id`."""
    return await _whole(word, _records(engine, scope), _memories(engine, scope))


async def entity_id(engine: Engine, scope: Scope, word: str) -> str:
    """The id of the entity that begins so, as `record_id`."""
    return await _whole(word, _entities(engine, scope))


async def _whole(word: str, *every: AsyncIterator[str]) -> str:
    if not _BEGINNING.fullmatch(word):
        return word
    found = sorted({one for ids in every async for one in ids if one.startswith(word)})
    if len(found) > 1:
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        told = f"Give one of them: {', '.join(found[:_NAMED])}{more}."
        raise QueryError(f"{len(found)} ids begin with {shown(word)}.", code="ambiguous", hint=told)
    return found[0] if found else word


async def _records(engine: Engine, scope: Scope) -> AsyncIterator[str]:
    for rung in scope.lineage:
        cursor = None
        while True:
            try:
                page = await engine.list(rung, limit=_RECORDS, cursor=cursor)
            except ScopeError:
                if rung == scope:
                    raise
                break  # a key may read what is above it by whole ids alone
            for record in page.records:
                yield record.id
            if (cursor := page.cursor) is None:
                break


async def _memories(engine: Engine, scope: Scope) -> AsyncIterator[str]:
    where, cursor = MemoryFilter(statuses=tuple(Status)), None
    while True:
        page = await engine.memories.list(scope, where, limit=_DERIVED, cursor=cursor, inherited=True)
        for memory in page.memories:
            yield memory.id
        if (cursor := page.cursor) is None:
            break


async def _entities(engine: Engine, scope: Scope) -> AsyncIterator[str]:
    cursor = None
    while True:
        page = await engine.entities.list(scope, limit=_DERIVED, cursor=cursor)
        for entity in page.entities:
            yield entity.id
        if (cursor := page.cursor) is None:
            break
