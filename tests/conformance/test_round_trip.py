"""Whatever a record holds, every store gives it back as it was, with its times in UTC."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from datetime import UTC
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from muniment.ports import Write
from muniment.testing.strategies import records, scopes
from muniment.types import Outcome, Scope


async def put_and_get(open_store, given_records):
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(Path(folder))
        written = await store.put([Write(record=record, entries=[]) for record in given_records])
        kept = [found for record in given_records for found in await store.get(record.scope, [record.id])]
        scanned = [record async for record in store.scan(None)]
        await store.close()
    return written, kept, scanned


@given(
    given_records=st.lists(
        records(scopes() | st.just(Scope(user="ana"))), max_size=6, unique_by=lambda record: (record.scope, record.id)
    )
)
def test_drawn_records_come_back_as_they_were(open_store, given_records):
    written, kept, scanned = asyncio.run(put_and_get(open_store, given_records))
    assert [item.outcome for item in written] == [Outcome.STORED] * len(given_records)
    assert [replace(record, seq=0) for record in kept] == given_records
    assert sorted(map(repr, scanned)) == sorted(map(repr, kept))
    for record in kept:
        assert record.recorded_at.tzinfo is UTC
        assert record.said_at is None or record.said_at.tzinfo is UTC
