"""The writer commits in groups, keeps one call's failure to that call, and lets go of everything when closed."""

from __future__ import annotations

import asyncio
import gc
import threading

import apsw
import pytest

from muniment.errors import InputError, StoreReadOnly, StoreUnusable
from muniment.stores import sqlite_lanes
from muniment.stores.sqlite import open_sqlite
from muniment.stores.sqlite_file import open_file
from muniment.stores.sqlite_lanes import GROUP, Gate, Readers, Writer
from muniment.testing.conformance.base import ANA, MODEL, fill, texts_kept
from muniment.testing.samples import sample_write


@pytest.fixture
def writer(tmp_path):
    writer = Writer(Gate(open_file(tmp_path / "store.db")))
    yield writer
    writer.close()


def note(name):
    def work(connection):
        connection.execute("INSERT INTO meta VALUES (?, '')", (name,))
        return name

    return work


def kept(connection):
    return {name for (name,) in connection.execute("SELECT name FROM meta")} - {"store"}


class Held:
    """A call that holds the writer until it is let go, so that others gather behind it."""

    def __init__(self):
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, connection):
        self.begun.set()
        self.go_on.wait(30)


async def behind(writer, *works):
    """Queue these behind a call that is under way, and return their ends."""
    held = Held()
    first = asyncio.ensure_future(writer.run(held))
    await asyncio.to_thread(held.begun.wait)
    calls = [asyncio.ensure_future(writer.run(work)) for work in works]
    await asyncio.sleep(0)
    return held, first, calls


async def test_calls_that_wait_share_one_commit(writer):
    commits = []
    writer._connection.set_commit_hook(lambda: bool(commits.append(1)))
    held, first, calls = await behind(writer, *(note(f"{n}") for n in range(GROUP)))
    held.go_on.set()
    await first
    assert await asyncio.gather(*calls) == [f"{n}" for n in range(GROUP)]
    assert len(commits) == 2  # one for the call in front, one for all behind it
    writer._connection.set_commit_hook(None)


async def test_a_call_that_fails_is_undone_alone_and_the_rest_of_its_group_stands(writer):
    def fails(connection):
        note("half")(connection)
        raise InputError("of one call")

    def breaks_a_rule(connection):
        note("a")(connection)

    held, first, calls = await behind(writer, note("a"), fails, note("b"), breaks_a_rule, note("c"))
    held.go_on.set()
    await first
    ends = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(end).__name__ for end in ends] == ["str", "InputError", "str", "StoreUnusable", "str"]
    assert await writer.run(kept) == {"a", "b", "c"}


async def test_an_unforeseen_fault_reaches_its_callers_and_the_writer_goes_on(writer):
    writer._connection.set_commit_hook(lambda: 1 / 0)
    with pytest.raises(StoreUnusable) as caught:
        await writer.run(note("a"))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    writer._connection.set_commit_hook(None)
    await writer.run(note("b"))
    assert await writer.run(kept) == {"b"}


async def test_a_call_cancelled_while_it_waits_is_never_begun(writer):
    held, first, (one, two) = await behind(writer, note("one"), note("two"))
    one.cancel()
    await asyncio.sleep(0)
    held.go_on.set()
    await asyncio.gather(first, one, two, return_exceptions=True)
    assert await writer.run(kept) == {"two"}


async def test_a_call_cancelled_while_it_runs_is_carried_out(writer):
    held = Held()

    def work(connection):
        note("one")(connection)
        held(connection)

    call = asyncio.ensure_future(writer.run(work))
    await asyncio.to_thread(held.begun.wait)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    held.go_on.set()
    assert await writer.run(kept) == {"one"}


async def test_closing_finishes_what_is_queued_and_refuses_what_comes_later(tmp_path):
    gate = Gate(open_file(tmp_path / "store.db"))
    writer = Writer(gate)
    held, first, calls = await behind(writer, *(note(f"{n}") for n in range(3)))
    gate.close()
    closing = asyncio.ensure_future(asyncio.to_thread(writer.close))
    held.go_on.set()
    await closing
    await first
    assert await asyncio.gather(*calls) == ["0", "1", "2"]
    with pytest.raises(StoreUnusable):
        await writer.run(note("late"))
    connection = apsw.Connection(str(tmp_path / "store.db"))
    assert kept(connection) == {"0", "1", "2"}
    connection.close()


async def test_readers_cannot_write(tmp_path):
    gate = Gate(open_file(tmp_path / "store.db"))
    readers = Readers(gate, 2)
    with pytest.raises(StoreReadOnly):
        await readers.run(note("by a reader"))
    assert await readers.run(kept) == set()
    readers.close()


async def test_the_log_is_carried_into_the_file_before_it_grows_large(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    for n in range(24):
        await fill(store, ANA, *(f"{n}.{part} " + "word " * 300 for part in range(60)))
    log = (tmp_path / "store.db-wal").stat().st_size
    assert log < 3 * sqlite_lanes.LOG_PAGES * 8192
    assert (tmp_path / "store.db").stat().st_size > log / 4
    await store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["store.db"]


async def test_a_closed_store_leaves_no_thread_and_no_open_file(tmp_path):
    before = threading.active_count()
    for _ in range(3):
        store = await open_sqlite(tmp_path / "store.db")
        await store.adopt(MODEL)
        await store.put([sample_write(ANA, "a")])
        await texts_kept(store, ANA)
        await store.close()
    del store
    gc.collect()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("muniment")]
    assert threading.active_count() <= before + 3  # the loop's own
    held = apsw.Connection(str(tmp_path / "store.db"))
    assert held.pragma("locking_mode", "exclusive") == "exclusive"
    held.execute("BEGIN EXCLUSIVE")
    held.close()


async def test_a_store_that_was_never_closed_goes_with_its_threads(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    await fill(store, ANA, "one")
    del store
    gc.collect()
    for thread in threading.enumerate():
        if thread.name.startswith("muniment"):
            thread.join(30)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("muniment")]
    store = await open_sqlite(tmp_path / "store.db")
    assert await texts_kept(store, ANA) == ["one"]
    await store.close()
