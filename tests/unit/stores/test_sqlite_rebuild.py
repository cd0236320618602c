"""A rebuild changes over in one moment or not at all, whatever is written, erased, cancelled or begun meanwhile."""

from __future__ import annotations

import asyncio

import apsw
import numpy as np
import pytest

from muniment.errors import EmbedderError, StoreBusy
from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, CLIENT, MODEL, fill, shelves_of, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import DIM, sample_derive, sample_entries, sample_write

OTHER = ("another-model", 3)


async def opened(path):
    store = await open_sqlite(path)
    await store.adopt(MODEL)
    return store


async def derive_other(records):
    return [sample_entries(record.text, dim=3) for record in records]


async def sound(store, derive=sample_derive):
    return [finding for finding in await store.check(derive) if not finding.ok] == []


class Pause:
    """Derives like another function, but stops in each call until told to go on."""

    def __init__(self, derive):
        self._derive = derive
        self.reached = asyncio.Event()
        self.go_on = asyncio.Event()
        self.batches = []

    async def __call__(self, records):
        self.batches.append(len(records))
        self.reached.set()
        await self.go_on.wait()
        return await self._derive(records)


async def test_searches_and_writes_go_on_with_the_old_index_meanwhile(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, "one", "two")
    pause = Pause(derive_other)
    rebuilding = asyncio.ensure_future(store.reindex(pause, OTHER))
    await pause.reached.wait()
    await fill(store, ANA, "three")
    await fill(store, BEN, "uno")
    (shelf,) = await shelves_of(store, ANA)
    assert shelf.vectors.shape == (3, DIM)
    assert await store.embedder() == MODEL
    pause.go_on.set()
    assert await rebuilding == 4
    assert await store.embedder() == OTHER
    for scope, texts in ((ANA, ["one", "two", "three"]), (BEN, ["uno"])):
        (shelf,) = await shelves_of(store, scope)
        assert shelf.vectors.shape == (len(texts), 3)
        assert await texts_found(store, scope) == texts
    assert await sound(store, derive_other)
    await store.close()


async def test_what_is_erased_meanwhile_does_not_come_back(tmp_path):
    store = await opened(tmp_path / "store.db")
    keep, drop = await fill(store, ANA, "keep", "drop")
    await fill(store, BEN, "all of it goes")
    await fill(store, CLIENT, *(f"{n}" for n in range(600)))
    derived = []

    async def derive(records):
        if not derived:  # ana and ben were read already
            await store.erase(Target(scope=ANA, ids=(drop.id,)), NOON)
            await store.erase(Target(scope=BEN), NOON)
        if len(derived) == 1:  # and here they are staged
            await store.erase(Target(scope=CLIENT, ids=tuple(r.id for r in derived[0] if r.scope == CLIENT)[:9]), NOON)
        derived.append(records)
        return await sample_derive(records)

    await store.reindex(derive, MODEL)
    assert await texts_kept(store, ANA) == ["keep"]
    assert await texts_found(store, BEN) == await texts_found(store, CLIENT)
    assert len(await texts_found(store, CLIENT)) == 591
    assert [shelf.scope for shelf in await shelves_of(store, ANA)] == [ANA, CLIENT]
    assert keep.text in await texts_found(store, ANA)
    assert await sound(store)
    await store.close()


async def test_a_rebuild_works_in_bounded_batches(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, *(f"{n}" for n in range(700)))
    for n in range(5):
        await fill(store, BEN, f"{n}")
    pause = Pause(sample_derive)
    pause.go_on.set()
    assert await store.reindex(pause, MODEL) == 705
    assert max(pause.batches) <= 256
    assert sum(pause.batches) == 705
    await store.close()


async def test_a_long_text_ends_a_batch_early(tmp_path):
    store = await opened(tmp_path / "store.db")
    await store.put([sample_write(ANA, f"{n} " + "x" * (3 << 20)) for n in range(5)])
    pause = Pause(sample_derive)
    pause.go_on.set()
    await store.reindex(pause, MODEL)
    assert (sum(pause.batches), max(pause.batches)) == (5, 3)
    assert await sound(store)
    await store.close()


async def test_a_cancelled_rebuild_changes_nothing_and_the_next_one_finishes(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, *(f"{n}" for n in range(600)))
    for stop in range(4):
        calls = []

        async def derive(records, calls=calls, stop=stop):
            calls.append(len(records))
            if len(calls) > stop:
                asyncio.current_task().cancel()
                await asyncio.sleep(0)
            return await derive_other(records)

        rebuilding = asyncio.ensure_future(store.reindex(derive, OTHER))
        if stop < 3:
            with pytest.raises(asyncio.CancelledError):
                await rebuilding
            assert await store.embedder() == MODEL
            assert len(await texts_found(store, ANA)) == 600
            assert await sound(store)
        else:
            assert await rebuilding == 600
    assert await store.embedder() == OTHER
    assert await sound(store, derive_other)
    await store.close()


async def test_the_later_of_two_rebuilds_wins_and_the_other_says_so(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, "one", "two")
    first, second = Pause(sample_derive), Pause(derive_other)
    one = asyncio.ensure_future(store.reindex(first, MODEL))
    await first.reached.wait()
    two = asyncio.ensure_future(store.reindex(second, OTHER))
    await second.reached.wait()
    first.go_on.set()
    with pytest.raises(StoreBusy) as caught:
        await one
    assert caught.value.hint
    second.go_on.set()
    assert await two == 2
    assert await store.embedder() == OTHER
    assert await sound(store, derive_other)
    await store.close()


async def test_writers_that_never_pause_are_given_way_to(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, "first")
    count = 0

    async def derive(records):
        nonlocal count
        count += 1
        await fill(store, ANA, f"again {count}")
        return await sample_derive(records)

    with pytest.raises(StoreBusy) as caught:
        await store.reindex(derive, MODEL)
    assert caught.value.hint
    assert len(await texts_found(store, ANA)) == count + 1
    await store.reindex(sample_derive, MODEL)
    assert await sound(store)
    await store.close()


async def test_unusable_vectors_stop_a_rebuild(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, "one")
    for derive, model in ((sample_derive, OTHER), (sample_derive, None), (derive_nan, MODEL)):
        with pytest.raises(EmbedderError):
            await store.reindex(derive, model)
    assert await store.embedder() == MODEL
    assert await texts_found(store, ANA) == ["one"]
    await store.close()


async def derive_nan(records):
    entries = await sample_derive(records)
    for one in entries:
        one[0].vector[:] = np.nan
    return entries


async def test_what_an_abandoned_rebuild_left_is_said_and_cleared_by_the_next(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, *(f"{n}" for n in range(300)))

    async def derive(records):
        if len(records) < 256:
            raise ArithmeticError
        return await sample_derive(records)

    with pytest.raises(ArithmeticError):
        await store.reindex(derive, MODEL)
    (left,) = [finding for finding in await store.check(sample_derive) if finding.check == "rebuild"]
    assert left.message.startswith("256 entries")
    await store.reindex(sample_derive, MODEL)
    (left,) = [finding for finding in await store.check(sample_derive) if finding.check == "rebuild"]
    assert left.message.startswith("No rebuild")
    await store.close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    assert [connection.execute(f"SELECT count(*) FROM {table}").get for table in ("entry", "staged", "staging")] == [300, 0, 0]
    connection.close()


async def test_what_a_rebuild_staged_of_an_erased_record_goes_too(tmp_path):
    store = await opened(tmp_path / "store.db")
    records = await fill(store, ANA, *(f"{n}" for n in range(300)))

    async def derive(records):
        if len(records) < 256:
            raise ArithmeticError
        return await sample_derive(records)

    with pytest.raises(ArithmeticError):
        await store.reindex(derive, MODEL)
    await store.erase(Target(scope=ANA, ids=tuple(record.id for record in records[:10])), NOON)
    (left,) = [finding for finding in await store.check(sample_derive) if finding.check == "rebuild"]
    assert left.message.startswith("246 entries")
    await store.erase(Target(scope=ANA), NOON)
    (left,) = [finding for finding in await store.check(sample_derive) if finding.check == "rebuild"]
    assert left.message.startswith("No rebuild")
    await store.close()


async def test_a_check_during_which_the_index_is_rebuilt_asks_to_be_run_again(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, *(f"{n}" for n in range(300)))
    rebuilt = []

    async def derive(records):
        if not rebuilt:
            rebuilt.append(await store.reindex(sample_derive, MODEL))
        return await sample_derive(records)

    with pytest.raises(StoreBusy) as caught:
        await store.check(derive)
    assert caught.value.hint
    await store.close()
