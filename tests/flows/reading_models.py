"""An engine whose records a scripted model reads, and the work behind its writes done at once."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from cases import NOON, opened

from muniment.architect import default_architecture
from muniment.ingest.model.step import ModelReader
from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import WorkState
from muniment.testing import FixedClock

ENDED = {WorkState.COMPLETED, WorkState.PARTIAL, WorkState.FAILED}


@asynccontextmanager
async def reading(url, model, *, mode=Mode.MODEL, at=NOON, **times):
    """An engine on `url` whose default agent lets `model` read, which never rests unless told otherwise."""
    async with opened(url, clock=FixedClock(at)) as engine:
        engine.work._model = ModelReader(model, **{"rest": 0, **times})
        await engine.architecture.apply(replace(default_architecture(), mode=mode, model="openai:NAME"))
        yield engine


async def worked(engine, scope, receipt):
    """The ends of the work behind a receipt, the clock moved on as often as a retry wants it."""
    for _ in range(2000):
        items = await engine.work.status(scope, receipt.ids)
        if all(item.state in ENDED for item in items):
            return items
        if not await engine.work.step():
            if any(item.state is WorkState.QUEUED and item.retry_at for item in items):
                engine.clock.advance(timedelta(seconds=5))
            await asyncio.sleep(0.005)
    raise AssertionError(items)


async def known(engine, scope):
    """The texts of the current memories, oldest first."""
    return [memory.text for memory in (await engine.memories.list(scope)).memories[::-1]]
