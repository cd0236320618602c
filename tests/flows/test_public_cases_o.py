"""Public cases of kind O: what an agent waits for."""

from __future__ import annotations

import asyncio

from cases import ANA, known, modelled, opened, texts

from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import Extraction, WorkState


class Slow:
    """A reader of records that answers only once it is let go."""

    def __init__(self):
        self.asked, self.go = asyncio.Event(), asyncio.Event()

    async def read(self, records, architecture):
        self.asked.set()
        await self.go.wait()
        return {record.id: Extraction(record=record.id) for record in records}

    def stop(self):
        self.go.set()


async def test_O03_a_turn_is_kept_and_found_at_once_while_its_reading_takes_as_long_as_it_likes(url):
    async with opened(url, embedder=None) as engine:
        reader = Slow()
        intake, work = modelled(engine, reader, mode=Mode.BOTH)
        (record,) = (await intake.ingest(ANA, ["I live in Porto."], agent="default", conversation=None)).ids
        await asyncio.wait_for(reader.asked.wait(), 20)
        more = (await intake.ingest(ANA, ["I like green tea."], agent="default", conversation=None)).ids
        assert texts(await engine.retrieve(ANA, "Porto tea", limit=2)) != []
        assert {item.state for item in await engine.store.work(ANA, [record, *more])} <= {WorkState.QUEUED, WorkState.PROCESSING}
        assert await known(engine, ANA) == ()
        reader.go.set()
        await work.wait()
        assert {item.state for item in await engine.store.work(ANA, [record, *more])} == {WorkState.COMPLETED}
        assert len(await known(engine, ANA)) > 0
        await work.close()
