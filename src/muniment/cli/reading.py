"""Waiting for the reading behind a write, with a bar at a terminal: a command ends when what it wrote has been read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from muniment.cli.output import Screen
from muniment.engine import Engine
from muniment.errors import AccessError
from muniment.knowledge.values import Backlog, WorkItem
from muniment.types import RecordId, Scope

AT_ONCE: Final = 200
_PATIENCE: Final = 0.05
_READING: Final = "reading"


async def read_records(engine: Engine, screen: Screen, scope: Scope, records: Sequence[RecordId]) -> list[WorkItem]:
    """Wait until these records of `scope` have been read, with a bar at a terminal; gives what each came to."""
    items: list[WorkItem] = []
    waiting: list[RecordId] = []
    with screen.followed(records, _READING, total=len(records)) as followed:
        for number, record in enumerate(followed, 1):
            waiting.append(record)
            if len(waiting) == AT_ONCE or number == len(records):
                await engine.work.wait(scope, waiting)
                items += await engine.work.status(scope, waiting)
                waiting = []
    return items


async def read_all(engine: Engine, screen: Screen) -> Backlog | None:
    """Do the work that is open in the whole store, with a bar at a terminal; None for a key that may not know how much it is."""
    try:
        backlog = await engine.work.backlog()
    except AccessError:
        await engine.work.wait({})  # type: ignore[arg-type]  # an engine that acts for a key takes the key's own scope so
        return None
    total = left = backlog.queued + backlog.processing
    with screen.followed(range(total), _READING, total=total) as followed:
        counted = iter(followed)
        while left:
            if not await engine.work.step():
                await asyncio.sleep(_PATIENCE)
            backlog = await engine.work.backlog()
            before, left = left, backlog.queued + backlog.processing
            for _ in range(before - left):
                next(counted, None)
    return backlog
