"""All reads of one question see one moment, whatever is written or erased meanwhile, and wait for nothing else."""

from __future__ import annotations

import asyncio

import pytest

from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, MODEL
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_write


@pytest.fixture
async def store(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    yield store
    await store.close()


@pytest.fixture
async def other(store, tmp_path):
    other = await open_sqlite(tmp_path / "store.db")
    yield other
    await other.close()


def every(shelves, seen):
    places = [(number, int(seq)) for number, shelf in enumerate(shelves) for seq in shelf.head["seq"]]
    seen += places
    return ()


async def test_what_is_written_and_erased_on_the_way_is_not_there_for_the_rest_of_it(store, other):
    tea, ale = sample_write(ANA, "tea"), sample_write(ANA, "ale")
    await store.put([tea])
    loop = asyncio.get_running_loop()
    erasing = []

    async def read(reads):
        before: list[tuple[int, int]] = []
        await reads.search(ANA, lambda shelves: every(shelves, before))
        asyncio.run_coroutine_threadsafe(other.put([ale]), loop).result(10)
        erasing.append(asyncio.run_coroutine_threadsafe(other.erase(Target(scope=ANA, ids=(tea.record.id,)), NOON), loop))
        while asyncio.run_coroutine_threadsafe(other.get(ANA, [tea.record.id]), loop).result(10):
            pass  # gone for everybody else, while the log it is still in is held by this read
        after: list[tuple[int, int]] = []
        await reads.search(ANA, lambda shelves: every(shelves, after))
        return before == after, [one.text for one in await reads.get(ANA, [tea.record.id, ale.record.id])]

    assert await store.at_once(read) == (True, ["tea"])
    assert (await asyncio.wrap_future(erasing[0])).records == 1
    assert [one.text for one in await store.get(ANA, [tea.record.id, ale.record.id])] == ["ale"]


async def test_what_waits_for_anything_but_reads_is_refused_and_the_store_goes_on(store):
    await store.put([sample_write(ANA, "tea")])

    async def wait(reads):
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="may wait for nothing"):
        await store.at_once(wait)
    for _ in range(8):  # every reader is as it was
        assert (await store.stats(ANA)).records == 1


async def test_what_is_raised_on_the_way_reaches_the_caller(store):
    async def fail(reads):
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        await store.at_once(fail)
    assert (await store.stats(ANA)).records == 0
