"""Workers in several processes on one server: woken by a word, never two at one record, and none is missed when one is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

import pytest
from cases import ANA, BEN, EVERY, known, opened

from muniment import Scope, Turn
from muniment.knowledge.values import Changes, Claim, Wanted, WorkState
from muniment.stores.postgres import open_postgres
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_memory, sample_write

WORKER = """
import asyncio, sys, muniment
async def main():
    async with muniment.open(sys.argv[1], embedder=None, tokens="estimate") as engine:
        print("ready", flush=True)
        print(await engine.work.follow(seconds=float(sys.argv[2])), flush=True)
asyncio.run(main())
"""
HOLDER = """
import asyncio, sys
from datetime import timedelta
from muniment.stores.postgres import open_postgres
from muniment.testing.fakes import NOON
async def main():
    store = await open_postgres(sys.argv[1])
    (claim,) = await store.claim(now=NOON, lease=timedelta(minutes=1), limit=1)
    print(claim.fence, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
SCOPES = [Scope(client="acme", user=f"u{n}") for n in range(12)]


def started(program, *words):
    """A process that has begun, and the first line it said."""
    process = subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().strip()


def ended(process):
    """What it said last."""
    said, _ = process.communicate(timeout=60)
    return said.strip()


async def queue(url, scopes, each):
    """Records whose reading waits, put by a process that does none of it."""
    store = await open_postgres(url)
    for scope in scopes:
        writes = [sample_write(scope, f"I like kind{n} of {scope.user}.", dim=0, recorded_at=NOON) for n in range(each)]
        await store.put([replace(write, enrich=True) for write in writes])
    await store.close()


async def idle(engine):
    """Return when nothing waits any more, without doing any of it."""
    while True:
        backlog = await engine.work.backlog()
        if not (backlog.queued or backlog.processing):
            return
        await asyncio.sleep(0.05)


async def test_a_word_from_another_process_wakes_whoever_waits(database):
    waiting, other = await open_postgres(database), await open_postgres(database)
    assert await waiting.woken(30)  # it listens from here on, and looks once
    assert not await waiting.woken(0.05)
    heard = asyncio.ensure_future(waiting.woken(30))
    await other.put([sample_write(ANA, "no work in it", dim=0)])
    await asyncio.sleep(0.1)
    assert not heard.done()
    await other.put([replace(sample_write(ANA, "some work", dim=0), enrich=True)])
    assert await heard
    assert not await waiting.woken(0.05)
    await other.requeue(ANA, now=NOON)
    assert await waiting.woken(30)
    gone = asyncio.ensure_future(waiting.woken(30))
    await asyncio.sleep(0.05)
    await waiting.close()
    await asyncio.wait([gone])
    await other.close()


async def test_a_line_that_broke_is_made_anew_and_whoever_waits_looks_once_more(postgres, database):
    store = await open_postgres(database)
    assert await store.woken(30)
    heard = asyncio.ensure_future(store.woken(0.3))
    await postgres.admin(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", database.split("@/")[1].split("?")[0]
    )
    assert await heard
    assert await store.woken(30)
    await store.close()


async def test_a_worker_of_another_process_does_what_is_queued_here(database):
    worker, _ = await asyncio.to_thread(started, WORKER, database, "60")
    await queue(database, [ANA], 3)
    async with opened(database, embedder=None) as engine:
        await idle(engine)
        assert len(await known(engine, ANA)) == 3
    worker.kill()
    await asyncio.to_thread(worker.communicate)


async def test_of_workers_that_race_each_record_is_read_by_one_and_all_are_read(database):
    await queue(database, [*SCOPES, BEN], 10)
    workers = [(await asyncio.to_thread(started, WORKER, database, "5"))[0] for _ in range(3)]
    counts = [int(await asyncio.to_thread(ended, worker)) for worker in workers]
    assert sum(counts) == 10 * (len(SCOPES) + 1)
    async with opened(database, embedder=None) as engine:
        for scope in (*SCOPES, BEN):
            records = (await engine.list(scope)).records
            items = await engine.work.status(scope, [record.id for record in records])
            assert {(item.state, item.attempts) for item in items} == {(WorkState.COMPLETED, 1)}
            memories = await known(engine, scope, EVERY)
            assert sorted(len(memory.evidence) for memory in memories) == [1] * 10


async def test_what_a_killed_worker_held_is_taken_by_another_and_its_own_word_counts_no_more(database):
    await queue(database, [ANA], 1)
    holder, fence = await asyncio.to_thread(started, HOLDER, database)
    os.kill(holder.pid, signal.SIGKILL)
    await asyncio.to_thread(holder.communicate)
    store = await open_postgres(database)
    lease = timedelta(minutes=1)
    assert list(await store.claim(now=NOON, lease=lease, limit=9)) == []
    later = NOON + 2 * lease
    (claim,) = await store.claim(now=later, lease=lease, limit=9)
    assert claim.fence > int(fence)
    assert claim.attempts == 2
    stale = Claim(scope=ANA, record=claim.record, fence=int(fence), attempts=1)
    assert await store.fail([stale], "late", now=later, retry_at=None) == 0
    late = Changes(memories=[replace(sample_memory(ANA, "I like kind0 of ana."), text="late")])
    assert not (await store.settle(ANA, Wanted(), lambda _: late, at=later, claims=[stale])).memories
    assert (await store.backlog()).processing == 1
    await store.settle(ANA, Wanted(), lambda _: Changes(), at=later, claims=[claim])
    (item,) = await store.work(ANA, [claim.record])
    assert item.state is WorkState.COMPLETED
    await store.close()


@pytest.mark.parametrize("kind", ["memory://", "file"])
async def test_a_worker_follows_a_store_that_tells_nothing(kind, tmp_path):
    url = kind if kind == "memory://" else f"sqlite:///{tmp_path}/agent.db"
    async with opened(url, embedder=None) as engine:
        following = asyncio.ensure_future(engine.work.follow())
        await engine.ingest(ANA, [Turn(text="I like tea.")])
        await engine.work.wait()
    assert await following <= 1
