"""Several processes and threads on one file: each write once, each erasure seen at once, no lock lost."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import threading
from contextlib import contextmanager

import apsw
import pytest

from muniment.errors import EmbedderMismatch
from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, CLIENT, EVERYTHING, MODEL, fill, find_all, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write

BEFORE = """
import asyncio, os, sys
from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import *
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write

async def opened():
    store = await open_sqlite(sys.argv[1])
    await store.adopt(MODEL)
    return store

def tell(word):
    print(word, flush=True)
    sys.stdin.readline()

"""


def start(path, script, *options):
    code = BEFORE + textwrap.dedent(script)
    return subprocess.Popen(
        [sys.executable, *options, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@contextmanager
def other(path, script, *options):
    """Another process that runs `script`; it is waited for at the end and must end well."""
    with start(path, script, *options) as process:
        yield process
        process.stdin.close()
        assert process.wait(60) == 0


def heard(process):
    """Wait until the other process says a word."""
    return process.stdout.readline().strip()


def answer(process):
    """Let it go on."""
    process.stdin.write("\n")
    process.stdin.flush()


def finished(path, script, *options):
    with other(path, script, *options) as process:
        return process.stdout.read().split()


def bytes_of(folder):
    """Everything in the store's files, read by another process: closing them in this one would drop SQLite's locks."""
    return subprocess.run(["cat", *sorted(map(str, folder.iterdir()))], capture_output=True, check=True).stdout


async def opened(path, **options):
    store = await open_sqlite(path, **options)
    await store.adopt(MODEL)
    return store


async def sound(store):
    return [finding for finding in await store.check(sample_derive) if not finding.ok] == []


async def test_I07_two_processes_create_at_once_and_nothing_is_lost(tmp_path):
    path = tmp_path / "store.db"
    script = """
    async def main():
        store = await opened()
        tell("ready")
        for n in range(40):
            await store.put([sample_write(ANA, f"process {os.getpid()} {n}")])
        await store.close()
    asyncio.run(main())
    """
    with other(path, script) as one, other(path, script) as two:
        for process in (one, two):
            assert heard(process) == "ready"
        for process in (one, two):
            answer(process)
    store = await opened(path)
    texts = await texts_found(store, ANA)
    assert (len(texts), len(set(texts))) == (80, 80)
    assert await sound(store)
    await store.close()


async def test_three_processes_of_three_threads_write_the_same_and_each_is_kept_once(tmp_path):
    path = tmp_path / "store.db"
    script = """
    import threading
    async def main(store):
        for n in range(25):
            await store.put([sample_write(scope, f"{n}", key=f"k{n}") for scope in (ANA, BEN)])
            await find_all(store, ANA)
    store = asyncio.run(opened())
    tell("ready")
    threads = [threading.Thread(target=lambda: asyncio.run(main(store))) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    asyncio.run(store.close())
    """
    with other(path, script) as one, other(path, script) as two, other(path, script) as three:
        for process in (one, two, three):
            assert heard(process) == "ready"
        for process in (one, two, three):
            answer(process)
    store = await opened(path)
    for scope in (ANA, BEN):
        assert sorted(await texts_kept(store, scope), key=int) == [f"{n}" for n in range(25)]
    assert {record.occurrences async for record in store.scan(None)} == {1}
    assert await sound(store)
    await store.close()


async def test_what_another_process_writes_and_erases_is_seen_by_the_next_search(tmp_path):
    path = tmp_path / "store.db"
    store = await opened(path)
    (gone, _) = await fill(store, ANA, "gone", "stays")
    await fill(store, BEN, "all of it goes")
    assert await texts_found(store, ANA) == ["gone", "stays"]
    assert await texts_found(store, BEN) == ["all of it goes"]
    finished(
        path,
        f"""
        async def main():
            store = await opened()
            await fill(store, ANA, "new")
            assert (await store.erase(Target(scope=ANA, ids=("{gone.id}",)), NOON)).clean
            assert (await store.erase(Target(scope=BEN), NOON)).clean
            await store.close()
        asyncio.run(main())
        """,
    )
    assert await texts_found(store, ANA) == ["stays", "new"]
    assert await texts_found(store, BEN) == []
    await store.close()


async def test_an_index_rebuilt_elsewhere_is_seen_and_its_model_is_not_mixed(tmp_path):
    path = tmp_path / "store.db"
    store = await opened(path)
    await fill(store, ANA, "one", "two")
    await find_all(store, ANA)
    finished(
        path,
        """
        from muniment.testing.samples import sample_entries
        async def derive(records):
            return [sample_entries(record.text, dim=8) for record in records]
        async def main():
            store = await open_sqlite(sys.argv[1])
            assert await store.reindex(derive, ("another-model", 8)) == 2
            await store.close()
        asyncio.run(main())
        """,
    )
    for call in (find_all(store, ANA), store.put([sample_write(ANA, "three")])):
        with pytest.raises(EmbedderMismatch, match="another-model"):
            await call
    assert await texts_kept(store, ANA) == ["one", "two"]
    await store.close()


async def test_an_erasure_held_up_by_a_reader_elsewhere_says_so_and_is_done_later(tmp_path):
    path = tmp_path / "store.db"
    store = await opened(path)
    await fill(store, BEN, "stays")
    await fill(store, ANA, "canary wren")
    script = """
    import threading
    async def main():
        store = await opened()
        def rank(shelves):
            tell("reading")
            return []
        await store.search(ANA, rank)
        await store.close()
    asyncio.run(main())
    """
    with other(path, script) as reader:
        assert heard(reader) == "reading"
        erased = await store.erase(Target(scope=ANA), NOON)
        assert (erased.clean, erased.records, len(erased.notes)) == (False, 1, 1)
        assert await texts_found(store, ANA) == []
        await fill(store, CLIENT, "writes go on")
        answer(reader)
    again = await store.erase(Target(scope=ANA), NOON)
    assert (again.clean, again.records) == (True, 0)
    assert b"canary" not in bytes_of(tmp_path)
    await store.close()


async def test_I06_opening_and_closing_the_file_again_here_drops_no_lock(tmp_path):
    """POSIX locks of a process go when any handle on the file is closed, unless all go through one layer."""
    path = tmp_path / "store.db"
    await (await opened(path)).close()
    held = apsw.Connection(str(path))
    held.execute("BEGIN IMMEDIATE")
    for _ in range(3):
        store = await opened(path)
        assert await texts_found(store, ANA) == []
        await store.stats(None)
        await store.close()
    said = finished(
        path,
        """
        from muniment.errors import StoreBusy
        async def main():
            store = await open_sqlite(sys.argv[1], wait=0.2)
            try:
                await store.put([sample_write(ANA, "too early", dim=0)])
                print("written")
            except StoreBusy:
                print("busy")
            await store.close()
        asyncio.run(main())
        """,
    )
    assert said == ["busy"]
    held.execute("ROLLBACK")
    held.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform does not fork")
def test_a_forked_process_is_refused_its_parents_store_and_harms_nothing(tmp_path):
    said = finished(
        tmp_path / "store.db",
        """
        from muniment.errors import StoreUnusable
        store = asyncio.run(opened())
        asyncio.run(fill(store, ANA, "one"))
        child = os.fork()
        if child == 0:
            for call in (lambda: fill(store, ANA, "two"), lambda: texts_found(store, ANA), lambda: store.stats(None)):
                try:
                    asyncio.run(call())
                except StoreUnusable as fault:
                    print("fork" in fault.message, flush=True)
            asyncio.run(store.close())
            del store
            sys.exit(0)
        os.waitpid(child, 0)
        asyncio.run(fill(store, ANA, "three"))
        print(len(asyncio.run(texts_found(store, ANA))))
        asyncio.run(store.close())
        """,
        "-W",
        "ignore::DeprecationWarning",
    )
    assert said == ["True", "True", "True", "2"]


def test_eight_threads_share_one_store(tmp_path):
    store = asyncio.run(opened(tmp_path / "store.db"))
    faults = []

    async def life(name):
        for n in range(12):
            scope = (ANA, BEN, CLIENT)[n % 3]
            await fill(store, scope, f"{name} {n} one", f"{name} {n} two")
            assert f"{name} {n} one" in await texts_found(store, scope)
            if n % 4 == 3:
                (record, *_) = (await store.page(scope, EVERYTHING, limit=1)).records
                await store.erase(Target(scope=scope, ids=(record.id,)), NOON)

    def run(name):
        try:
            asyncio.run(life(name))
        except BaseException as fault:  # noqa: BLE001  a thread's failure must fail the test
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(f"thread {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(asyncio.run(texts_kept(store, ANA))) > 50
    assert asyncio.run(sound(store))
    asyncio.run(store.close())
