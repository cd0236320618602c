"""A disk that fills up, fails, forgets or changes bytes: what was acknowledged stays, and nothing false is answered."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
import textwrap
from contextlib import suppress

import pytest
from faulty_disk import Disk, image, small_disk

from muniment.errors import EmbedderMismatch, OutcomeUnknown, StoreError, StoreFull, StoreUnusable
from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, CLIENT, EVERYTHING, MODEL, fill, find_all, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write
from muniment.types import Outcome


async def opened(path, **options):
    store = await open_sqlite(path, **options)
    await store.adopt(MODEL)
    return store


async def faults(store):
    return [finding for finding in await store.check(sample_derive) if not finding.ok]


async def put_until_full(store):
    kept = []

    async def fill_it():
        for n in range(10_000):
            await store.put([sample_write(ANA, f"{n} " + "word " * 100, key=f"{n}")])
            kept.append(n)

    with pytest.raises(StoreFull) as caught:
        await fill_it()
    assert caught.value.hint
    return kept


def numbers(texts):
    return [int(text.split()[0]) for text in texts]


async def test_a_full_disk_keeps_what_it_acknowledged_and_goes_on_when_there_is_room(tmp_path):
    with small_disk(tmp_path / "disk", "3m") as folder:
        (folder / "filler").write_bytes(bytes(1 << 20))
        store = await opened(folder / "store.db")
        kept = await put_until_full(store)
        assert len(kept) > 20
        assert numbers(await texts_found(store, ANA)) == kept
        with pytest.raises(StoreFull):
            await store.put([sample_write(BEN, f"{n} " * 200) for n in range(100)])
        assert await texts_kept(store, BEN) == []
        (folder / "filler").unlink()
        again = len(kept)
        (written,) = await store.put([sample_write(ANA, f"{again} " + "word " * 100, key=f"{again}")])
        assert written.outcome is Outcome.STORED
        assert await faults(store) == []
        await store.close()
        store = await opened(folder / "store.db")
        assert numbers([record.text async for record in store.scan(None)]) == [*kept, again]
        await store.close()


async def test_one_call_too_large_for_the_disk_does_not_take_its_neighbours_along(tmp_path):
    with small_disk(tmp_path / "disk", "3m") as folder:
        store = await opened(folder / "store.db")
        large = [sample_write(BEN, f"{n} " + "word " * 2000) for n in range(200)]
        calls = [store.put([sample_write(ANA, f"{n}")]) for n in range(5)]
        calls.insert(2, store.put(large))
        ends = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(end) for end in ends] == [list, list, StoreFull, list, list, list]
        assert await texts_kept(store, ANA) == ["0", "1", "2", "3", "4"]
        assert await texts_kept(store, BEN) == []
        await store.close()


async def test_a_rebuild_on_a_full_disk_leaves_the_old_index(tmp_path):
    with small_disk(tmp_path / "disk", "3m") as folder:
        store = await opened(folder / "store.db")
        kept = await put_until_full(store)
        with pytest.raises(StoreFull):
            await store.reindex(sample_derive, MODEL)
        assert numbers(await texts_found(store, ANA)) == kept
        assert await faults(store) == []
        await store.close()


async def test_a_cap_on_the_file_is_a_full_disk(tmp_path):
    """The same without a mounted disk, so that it is tried everywhere."""
    path = tmp_path / "store.db"
    await (await opened(path)).close()
    store = await opened(path)
    await store._writer.run(lambda connection: connection.pragma("max_page_count", 60))
    kept = await put_until_full(store)
    assert numbers(await texts_found(store, ANA)) == kept
    await store._writer.run(lambda connection: connection.pragma("max_page_count", 100_000))
    await fill(store, ANA, "room again")
    await store.close()


@pytest.mark.parametrize("act", ["sync", "write"])
async def test_a_disk_that_fails_during_the_commit_leaves_the_outcome_unknown_and_the_store_closed(tmp_path, act):
    disk = Disk(f"failing-{act}")
    store = await opened(tmp_path / "store.db", vfs=disk.name)
    await fill(store, ANA, "before")
    disk.fails.add(act)
    write = sample_write(ANA, "during", key="k1")
    with pytest.raises(OutcomeUnknown) as caught:
        await store.put([write])
    assert caught.value.hint
    disk.fails.clear()
    for call in (store.put([write]), find_all(store, ANA), store.stats(None)):
        with pytest.raises(StoreUnusable) as caught:
            await call
        assert "disk failed" in caught.value.message
    await store.close()
    store = await opened(tmp_path / "store.db")
    await store.put([write])
    (kept,) = await store.get(ANA, [write.record.id])
    assert kept.occurrences == 1
    assert await texts_found(store, ANA) == ["before", "during"]
    assert await faults(store) == []
    await store.close()


async def test_a_disk_that_fails_while_the_log_is_carried_closes_the_store_and_loses_nothing(tmp_path):
    disk = Disk("failing-later")
    store = await opened(tmp_path / "store.db", vfs=disk.name)
    await fill(store, ANA, "before")
    (gone,) = await fill(store, BEN, "to be erased")

    disk.fails.add("carry")
    with pytest.raises(StoreUnusable):
        await store.erase(Target(scope=BEN, ids=(gone.id,)), NOON)
    disk.fails.clear()
    await store.close()
    store = await opened(tmp_path / "store.db")
    assert (await texts_found(store, ANA), await texts_found(store, BEN)) == (["before"], [])
    await store.close()


@pytest.mark.parametrize("torn", [False, True], ids=["dropped", "torn"])
async def test_what_was_acknowledged_outlives_a_power_loss(tmp_path, torn):
    disk = Disk(f"power-{torn}")
    chance = random.Random(5 + torn)
    (tmp_path / "live").mkdir()
    store = await opened(tmp_path / "live" / "store.db", vfs=disk.name)
    acked = []
    for n in range(60):
        texts = [f"{n}.{part} " + "word " * chance.randrange(60) for part in range(chance.choice([1, 1, 3, 20]))]
        records = await fill(store, chance.choice([ANA, BEN, CLIENT]), *texts)
        acked.append((len(disk.acts), records, True))
        if n % 9 == 4:
            await store.erase(Target(scope=records[0].scope, ids=(records[0].id,)), NOON)
            acked.append((len(disk.acts), records[:1], False))
        if n == 40:
            await store.reindex(sample_derive, MODEL)
    await store.close()
    for number in range(30):
        cut = chance.randrange(acked[0][0], len(disk.acts) + 1)
        folder = tmp_path / f"image{number}"
        folder.mkdir()
        for name, content in image(disk.acts[:cut], chance, torn=torn).items():
            if name.startswith("store.db"):
                (folder / name).write_bytes(content)
        store = await opened(folder / "store.db")
        kept = {(record.scope, record.id) async for record in store.scan(None)}
        expected = {}
        for at, records, there in acked:
            if at <= cut:
                expected.update(dict.fromkeys(((record.scope, record.id) for record in records), there))
        later = {(record.scope, record.id) for at, records, there in acked if at > cut and not there for record in records}
        assert [place for place, there in expected.items() if there and place not in kept and place not in later] == []
        assert [place for place, there in expected.items() if not there and place in kept] == []
        assert await faults(store) == []
        await store.close()
        shutil.rmtree(folder)


async def read_everything(path, originals):
    """All that can be read from a file: each record must be an original, and if one is missing, the check must say so.

    Returns whether anything was amiss.
    """
    try:
        store = await opened(path, wait=0.2)
    except (StoreError, EmbedderMismatch):  # the second when the model's name was hit
        return True
    try:
        given = [record async for record in readable(store)]
        for scope in (ANA, BEN):
            with suppress(StoreError):
                given += (await store.page(scope, EVERYTHING, limit=500)).records
            with suppress(StoreError):
                given += (await find_all(store, scope)).records
        assert [record for record in given if record != originals[record.id]] == []
        try:
            amiss = bool(await faults(store))
        except StoreError:
            amiss = True
        assert amiss or {record.id for record in given} == set(originals)
    finally:
        await store.close()
    return amiss


async def readable(store):
    with suppress(StoreError):
        async for record in store.scan(None):
            yield record


async def sound_file(folder):
    store = await opened(folder / "store.db")
    for n in range(12):
        for scope in (ANA, BEN):
            await fill(store, scope, *(f"{scope} {n}.{part} " + "word " * (7 * part) for part in range(6)))
    originals = {record.id: record async for record in store.scan(None)}
    await store.close()
    return folder / "store.db", originals


async def test_flipped_bits_are_noticed_and_never_believed(tmp_path):
    path, originals = await sound_file(tmp_path)
    content = path.read_bytes()
    chance = random.Random(77)
    noticed = 0
    for number in range(60):
        spoiled = bytearray(content)
        for _ in range(chance.choice([1, 1, 2, 8])):
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        other = tmp_path / f"flipped{number}.db"
        other.write_bytes(spoiled)
        noticed += await read_everything(other, originals)
    assert noticed > 20


async def test_a_damaged_page_takes_down_nothing_else(tmp_path):
    path, originals = await sound_file(tmp_path)
    content = path.read_bytes()
    for start in range(8192, len(content), 8192):
        other = tmp_path / "damaged.db"
        other.write_bytes(content[:start] + bytes(8192) + content[start + 8192 :])
        await read_everything(other, originals)
        other.unlink()


async def test_strange_logs_beside_a_file_do_no_harm(tmp_path):
    path, originals = await sound_file(tmp_path)
    for log in (b"", b"noise " * 2000, bytes(9000)):
        path.with_name("store.db-wal").write_bytes(log)
        path.with_name("store.db-shm").write_bytes(bytes(range(256)) * 128)
        assert not await read_everything(path, originals)


async def test_the_log_of_another_store_is_refused_and_nothing_is_changed(tmp_path):
    path, originals = await sound_file(tmp_path)
    (tmp_path / "other").mkdir()
    stranger = await opened(tmp_path / "other" / "store.db")
    await fill(stranger, ANA, "of another file")
    foreign = (tmp_path / "other" / "store.db-wal").read_bytes()
    await stranger.close()
    path.with_name("store.db-wal").write_bytes(foreign)
    before = path.read_bytes()
    with pytest.raises(StoreUnusable) as caught:
        await open_sqlite(path)
    assert "another store" in caught.value.message
    assert (path.read_bytes(), path.with_name("store.db-wal").read_bytes()) == (before, foreign)
    path.with_name("store.db-wal").unlink()
    assert not await read_everything(path, originals)


async def test_a_file_that_is_moved_away_takes_no_more_writes(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, "before")
    (tmp_path / "store.db").rename(tmp_path / "moved.db")
    with pytest.raises(StoreUnusable) as caught:
        await store.put([sample_write(ANA, "after")])
    assert "moved" in caught.value.message
    (tmp_path / "moved.db").rename(tmp_path / "store.db")
    await fill(store, ANA, "back again")
    await store.close()


async def test_a_file_that_is_replaced_takes_no_more_writes(tmp_path):
    store = await opened(tmp_path / "store.db")
    await fill(store, ANA, "before")
    (tmp_path / "store.db").unlink()
    other = await opened(tmp_path / "new.db")
    await other.close()
    (tmp_path / "new.db").rename(tmp_path / "store.db")
    with pytest.raises(StoreUnusable):
        await store.put([sample_write(ANA, "after")])
    await store.close()


def test_a_program_that_ends_without_closing_loses_nothing(tmp_path):
    script = textwrap.dedent(
        """
        import asyncio, sys
        from muniment.stores.sqlite import open_sqlite
        from muniment.testing.conformance.base import ANA, MODEL, fill

        async def main():
            store = await open_sqlite(sys.argv[1])
            await store.adopt(MODEL)
            await fill(store, ANA, *map(str, range(50)))

        asyncio.run(main())
        """
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script, str(tmp_path / "store.db")], check=True, timeout=60)

    async def look():
        store = await opened(tmp_path / "store.db")
        assert len(await texts_found(store, ANA)) == 50
        await store.close()

    asyncio.run(look())
