"""Public cases of kind I: concurrency, locks and event loops."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading

import pytest
from cases import ANA, BEN, kept, opened, texts, url_of

import muniment
from muniment import Outcome
from muniment.errors import InputError, ProviderError, StoreUnusable
from muniment.testing import FailingEmbedder, TableEmbedder

BEFORE = """
import sys, muniment
from muniment import Scope
ANA = Scope(client="acme", customer="north", user="ana")
def say(word):
    print(word, flush=True)
    sys.stdin.readline()
"""


def start(url, script):
    """Another process that runs `script` with the public names and the store's address in `sys.argv[1]`."""
    code = BEFORE + textwrap.dedent(script)
    return subprocess.Popen([sys.executable, "-c", code, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


async def test_I02_two_hundred_documents_at_once_are_all_kept(engine):
    receipts = await asyncio.gather(*(engine.ingest(ANA, [f"document {n} on tides", f"its end {n}"]) for n in range(200)))
    assert {item.outcome for receipt in receipts for item in receipt.items} == {Outcome.STORED}
    assert (await engine.stats(ANA)).records == 400
    assert texts(await engine.retrieve(ANA, "document 117 on tides"))[0] == "document 117 on tides"
    assert all(finding.ok for finding in await engine.doctor())


def test_I03_a_writer_killed_in_the_middle_keeps_nobody_out(tmp_path):
    url = url_of("sqlite", tmp_path)
    writer = start(
        url,
        """
        with muniment.sync.open(sys.argv[1], embedder=None) as engine:
            n = 0
            while True:
                engine.ingest(ANA, [f"kettle {n} {m}" for m in range(50)])
                print(n, flush=True)
                n += 1
        """,
    )
    for _ in range(3):
        last = int(writer.stdout.readline())
    writer.kill()
    writer.wait()
    last = max([last, *map(int, writer.stdout.read().split("\n")[:-1])])
    writer.stdin.close()
    writer.stdout.close()
    with muniment.sync.open(url, embedder=None) as engine:
        assert engine.retrieve(ANA, f"kettle {last}").hits
        records = engine.stats(ANA).records
        assert records in {50 * (last + 1), 50 * (last + 2)}, "what was acknowledged, and at most the one under way"
        assert engine.ingest(ANA, "and on it goes").ok
        assert all(finding.ok for finding in engine.doctor())


@pytest.mark.parametrize("name", ["no-such-embedder", "onnx:/absent/model.onnx#/absent/tokenizer.json", "openai:"])
async def test_I04_a_wrong_embedder_fails_every_time_and_leaves_nothing_held(url, name, tmp_path):
    for _ in range(50):
        with pytest.raises((InputError, ProviderError)) as caught:
            async with opened(url, embedder=name):
                pass
        assert caught.value.hint
    assert list(tmp_path.iterdir()) == []
    async with opened(url) as engine:
        assert (await engine.ingest(ANA, "a kettle")).ok


async def test_I04_a_failing_embedder_holds_up_none_of_fifty_writes(url):
    async with opened(url, embedder=FailingEmbedder()) as engine:
        receipts = await asyncio.gather(*(engine.ingest(ANA, f"note {n}") for n in range(50)))
        assert all(receipt.degraded and receipt.ok for receipt in receipts)
        assert len(await kept(engine, ANA)) == 50


def test_I07_two_processes_of_twenty_writes_each_lose_none(tmp_path):
    url = url_of("sqlite", tmp_path)
    script = """
    with muniment.sync.open(sys.argv[1], embedder=None) as engine:
        say("ready")
        for n in range(20):
            engine.ingest(ANA, f"{n} of {sys.stdin.fileno()} {id(engine)} {__import__('os').getpid()}")
    """
    writers = [start(url, script) for _ in range(2)]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.communicate("\n")
        assert writer.returncode == 0
    with muniment.sync.open(url, embedder=None) as engine:
        assert engine.stats(ANA).records == 40
        assert all(finding.ok for finding in engine.doctor())


async def test_I08_a_blocking_client_is_opened_and_closed_where_a_loop_is_running(url):
    with muniment.sync.open(url, embedder=None) as engine:
        assert engine.ingest(ANA, "a kettle").ok
        assert engine.retrieve(ANA, "kettle").hits
    with pytest.raises(StoreUnusable):
        engine.stats(ANA)


def test_I08_one_client_is_used_from_two_event_loops_and_a_thread(url):
    with muniment.sync.open(url, embedder=TableEmbedder(dim=16), tokens="estimate") as engine:

        async def once(text):
            await asyncio.to_thread(engine.ingest, ANA, text)
            return engine.retrieve(ANA, text).hits[0].record.text

        assert [asyncio.run(once(text)) for text in ("first loop", "second loop")] == ["first loop", "second loop"]
        thread = threading.Thread(target=lambda: asyncio.run(once("of a thread")))
        thread.start()
        thread.join()
        assert engine.stats(ANA).records == 3


async def test_I10_a_hundred_searches_at_once_answer_with_data_while_the_loop_goes_on(engine):
    await engine.ingest(ANA, [f"note {n} on tides and boats" for n in range(500)])
    ticks = 0
    done = asyncio.Event()

    async def ticker():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(ticker())
    bundles = await asyncio.gather(*(engine.retrieve(ANA, f"note {n}") for n in range(100)))
    done.set()
    await ticking
    assert {type(bundle).__name__ for bundle in bundles} == {"Bundle"}
    assert [texts(bundle)[0] for bundle in bundles[:3]] == [f"note {n} on tides and boats" for n in range(3)]
    assert ticks > 100


async def test_I11_nothing_derived_outlives_what_is_forgotten_while_the_index_is_rebuilt(engine):
    old = (await engine.ingest(ANA, [f"old version {n} " + "of the chapter " * 100 for n in range(60)])).ids
    await engine.ingest(BEN, "stays")
    await asyncio.gather(
        engine.reindex(),
        engine.forget(ANA, ids=old),
        engine.ingest(ANA, [f"new version {n}" for n in range(60)]),
        engine.forget(ANA, ids=old[:5]),
    )
    assert set(await kept(engine, ANA)) == {f"new version {n}" for n in range(60)}
    assert not [hit for hit in await engine.retrieve(ANA, "old chapter", limit=100) if "old" in hit.record.text]
    stats = await engine.stats()
    assert (stats.records, stats.entries, stats.vectors) == (61, 61, 61)
    assert all(finding.ok for finding in await engine.doctor())


async def test_I12_an_empty_side_takes_nothing_from_a_full_one(engine):
    await engine.ingest(ANA, ["one", "two"])
    async with opened("memory://") as empty:
        assert (await engine.restore(empty.export())).items == ()
        assert await kept(engine, ANA) == ["one", "two"]
        await empty.restore(engine.export())
        await empty.forget(ANA, ids=[(await empty.list(ANA)).records[0].id])
        await engine.restore(empty.export())
        assert await kept(engine, ANA) == ["one", "two"]
