"""Many at once, from any loop or thread: every row in its own scope, every call whole, and the event loop never held."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from muniment.errors import StoreUnusable
from muniment.ports import Store
from muniment.shelf import Place, Shelf
from muniment.testing.conformance.base import (
    ANA,
    BEN,
    MODEL,
    RIVAL,
    StoreUnderTest,
    every_place,
    fill,
    find_all,
    texts_found,
    texts_kept,
)
from muniment.testing.samples import sample_write
from muniment.types import Filter, Outcome

PATIENCE = 30.0  # seconds until a test that waits for the other side gives up


class ConcurrencyConformance(StoreUnderTest):
    """Tasks, threads, loops and cancellation, with threads taking turns as often as Python can make them."""

    @pytest.fixture(autouse=True)
    def restless(self) -> Iterator[None]:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        yield
        sys.setswitchinterval(usual)

    async def test_F08_parallel_writes_of_two_tenants_stay_apart(self, store: Store) -> None:
        await asyncio.gather(*(store.put([sample_write(scope, f"{scope} {n}")]) for n in range(50) for scope in (ANA, RIVAL)))
        for scope in (ANA, RIVAL):
            page = await store.page(scope, Filter(), limit=1000)
            assert {record.text for record in page.records} == {f"{scope} {n}" for n in range(50)}
            assert [record.seq for record in page.records] == list(range(50, 0, -1))
            assert all(record.scope == scope for record in page.records)
            assert set(await texts_found(store, scope)) == {f"{scope} {n}" for n in range(50)}

    async def test_I02_two_hundred_writes_at_once_finish(self, store: Store) -> None:
        written = await asyncio.gather(*(store.put([sample_write(ANA, f"document {n}")]) for n in range(200)))
        assert {item.outcome for (item,) in written} == {Outcome.STORED}
        assert len(await texts_found(store, ANA)) == 200

    async def test_I10_the_loop_keeps_running_while_a_ranking_works(self, store: Store) -> None:
        await fill(store, ANA, "a")
        enough = threading.Event()
        held = []

        def rank(shelves: Sequence[Shelf]) -> list[Place]:
            held.append(not enough.wait(PATIENCE))
            return every_place(shelves)

        search = asyncio.ensure_future(store.search(ANA, rank))
        for _ in range(20):
            await asyncio.sleep(0.001)
        enough.set()
        assert [record.text for record in (await search).records] == ["a"]
        assert held == [False]

    async def test_O04_a_slow_ranking_holds_up_no_write_and_sees_one_moment(self, store: Store) -> None:
        await fill(store, ANA, "before")
        started, go_on = threading.Event(), threading.Event()

        def rank(shelves: Sequence[Shelf]) -> list[Place]:
            started.set()
            go_on.wait(PATIENCE)
            return [*every_place(shelves), Place(0, 2)]

        search = asyncio.ensure_future(store.search(ANA, rank))
        await asyncio.to_thread(started.wait, PATIENCE)
        await fill(store, ANA, "during")
        go_on.set()
        found = await search
        assert [record.text for record in found.records] == ["before"]
        assert list(found.lost) == [Place(0, 2)]
        assert await texts_found(store, ANA) == ["before", "during"]

    async def test_a_hundred_searches_at_once_all_answer(self, store: Store) -> None:
        await fill(store, ANA, "a", "b")
        await fill(store, BEN, "c")
        found = await asyncio.gather(*(find_all(store, scope) for _ in range(50) for scope in (ANA, BEN)))
        assert ["".join(record.text for record in one.records) for one in found] == ["ab", "c"] * 50

    @pytest.mark.parametrize("wait", [None, 0.0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02])
    async def test_a_cancelled_write_is_whole_or_absent(self, store: Store, wait: float | None) -> None:
        texts = [f"{n} " * 12 for n in range(100)]
        task = asyncio.ensure_future(store.put([sample_write(ANA, text) for text in texts]))
        if wait is not None:
            await asyncio.sleep(wait)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await fill(store, ANA, "after")  # comes behind the cancelled one, whatever became of it
        kept = await texts_kept(store, ANA)
        assert kept in ([*texts, "after"], ["after"])
        assert await texts_found(store, ANA) == kept

    async def test_cancelled_calls_leave_no_answer_for_others(self, store: Store) -> None:
        await fill(store, ANA, "of ana")
        await fill(store, BEN, "of ben")
        for n in range(20):
            task = asyncio.ensure_future(find_all(store, ANA))
            for _ in range(n % 4):
                await asyncio.sleep(0)
            task.cancel()
            assert await texts_found(store, BEN) == ["of ben"]
            await asyncio.gather(task, return_exceptions=True)

    async def test_writes_under_way_are_finished_or_refused_when_the_store_closes(self, tmp_path: Path) -> None:
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        puts = [asyncio.ensure_future(store.put([sample_write(ANA, f"{n}")])) for n in range(20)]
        await asyncio.sleep(0)
        await store.close()
        ends = await asyncio.gather(*puts, return_exceptions=True)
        assert all(
            isinstance(end, StoreUnusable) or (isinstance(end, Sequence) and end[0].outcome is Outcome.STORED) for end in ends
        )
        if self.durable:
            store = await self.open_store(tmp_path)
            assert len(await texts_kept(store, ANA)) == sum(isinstance(end, Sequence) for end in ends)
            await store.close()

    def test_I08_one_store_serves_two_loops_in_turn(self, tmp_path: Path) -> None:
        store = asyncio.run(self.open_store(tmp_path))
        asyncio.run(store.adopt(MODEL))
        asyncio.run(fill(store, ANA, "first loop"))
        asyncio.run(fill(store, ANA, "second loop"))
        assert asyncio.run(texts_found(store, ANA)) == ["first loop", "second loop"]
        asyncio.run(store.close())

    def test_I08_one_store_serves_loops_in_several_threads_at_once(self, tmp_path: Path) -> None:
        store = asyncio.run(self.open_store(tmp_path))
        asyncio.run(store.adopt(MODEL))
        faults: list[BaseException] = []

        def work(name: str) -> None:
            async def some() -> None:
                for n in range(10):
                    await fill(store, ANA, f"{name} {n}")
                    assert f"{name} {n}" in await texts_found(store, ANA)

            try:
                asyncio.run(some())
            except BaseException as fault:  # noqa: BLE001  a thread's failure must fail the test
                faults.append(fault)

        threads = [threading.Thread(target=work, args=(f"thread {n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        assert sorted(asyncio.run(texts_kept(store, ANA))) == sorted(f"thread {n} {m}" for n in range(4) for m in range(10))
        asyncio.run(store.close())
