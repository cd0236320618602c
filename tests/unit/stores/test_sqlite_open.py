"""Opening says what is wrong before it changes anything, and brings an old file to this version or leaves it as it was."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import apsw
import apsw.ext
import pytest

from muniment.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly, StoreUnusable
from muniment.ports import Target
from muniment.stores import sqlite_file
from muniment.stores.sql import migrations, statements
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, MODEL, fill, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write

NEWEST = migrations("sqlite")[-1].version


async def filled(path, *texts):
    store = await open_sqlite(path)
    await store.adopt(MODEL)
    await fill(store, ANA, *texts)
    await store.close()
    return path


def digest(folder):
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if not p.name.endswith("-shm")}


async def refused(path, kind=StoreUnusable):
    with pytest.raises(StoreError) as caught:
        await open_sqlite(path, wait=0.3)
    assert type(caught.value) is kind
    assert caught.value.place == str(path)
    assert caught.value.hint
    assert "SQL" not in caught.value.message
    return caught.value


@contextmanager
def medium(folder, size="8m"):
    """A disk of its own, so that it can be full or read-only."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a disk")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def remount(folder, mode):
    subprocess.run(["mount", "-o", f"remount,{mode}", str(folder)], check=True)


NO_DATABASE = {
    "text": b"hello, this is a text file, and not a short one\n" * 400,
    "noise": bytes(range(1, 250)) * 40,
    "blank after the first line": b"SQLite format 3\0" + bytes(200),
}


async def test_a_missing_folder_is_named(tmp_path):
    fault = await refused(tmp_path / "absent" / "store.db")
    assert str(tmp_path / "absent") in fault.hint


async def test_a_folder_is_no_store(tmp_path):
    await refused(tmp_path)


@pytest.mark.parametrize("name", ["a\0b.db", "x" * 300, "loop/store.db"])
async def test_a_path_that_names_no_file_is_refused(tmp_path, name):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(StoreUnusable) as caught:
        await open_sqlite(f"{tmp_path}/{name}")
    assert caught.value.hint


async def test_a_device_is_no_store(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    await refused(tmp_path / "pipe")


async def test_a_link_leads_to_the_same_store_and_its_log(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "real" / "store.db")
    one, other = await open_sqlite(tmp_path / "link.db"), await open_sqlite(tmp_path / "real" / "store.db")
    await one.adopt(MODEL)
    await fill(one, ANA, "by the link")
    assert await texts_found(other, ANA) == ["by the link"]
    assert one.file == other.file
    await one.close()
    await other.close()
    assert [p.name for p in (tmp_path / "real").iterdir()] == ["store.db"]


@pytest.mark.parametrize("content", NO_DATABASE.values(), ids=NO_DATABASE)
async def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path, content):
    path = tmp_path / "store.db"
    path.write_bytes(content)
    await refused(path)
    assert path.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["store.db"]


async def test_another_programs_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "store.db"
    with apsw.Connection(str(path)) as other:
        other.execute("CREATE TABLE note (text)")
    other.close()
    before = digest(tmp_path)
    await refused(path)
    assert digest(tmp_path) == before


async def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "store.db"
    path.touch()
    await filled(path, "one")


async def test_a_newer_schema_is_refused_with_the_way_out(tmp_path):
    path = await filled(tmp_path / "store.db", "one")
    change(path, f"PRAGMA user_version = {NEWEST + 1}")
    before = digest(tmp_path)
    fault = await refused(path)
    assert fault.reason == "schema_newer"
    assert "pgrade" in fault.hint
    assert digest(tmp_path) == before


async def test_a_relative_path_outlives_a_change_of_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = await open_sqlite("store.db")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    await store.adopt(MODEL)
    await fill(store, ANA, "one")
    await store.close()
    assert not list((tmp_path / "elsewhere").iterdir())
    assert (tmp_path / "store.db").exists()


@pytest.mark.parametrize("name", ["a b.db", "what?mode=memory", "file:x.db", "q#1.db", "100%.db", "ünï.db", "';--.db"])
async def test_any_file_name_is_just_a_name(tmp_path, name):
    await filled(tmp_path / name, "one")
    assert [p.name for p in tmp_path.iterdir()] == [name]


async def test_closing_leaves_one_file(tmp_path):
    await filled(tmp_path / "store.db", "one")
    assert [p.name for p in tmp_path.iterdir()] == ["store.db"]


async def test_many_may_open_a_new_file_at_once(tmp_path):
    stores = await asyncio.gather(*(open_sqlite(tmp_path / "store.db") for _ in range(6)))
    for n, store in enumerate(stores):
        await store.adopt(MODEL)
        await fill(store, ANA, f"{n}")
    assert await texts_kept(stores[0], ANA) == [f"{n}" for n in range(6)]
    for store in stores:
        await store.close()


async def test_a_file_held_by_another_is_busy_after_the_wait(tmp_path):
    path = await filled(tmp_path / "store.db", "one")
    store = await open_sqlite(path, wait=0.2)
    with held(path):
        with pytest.raises(StoreBusy) as caught:
            await store.put([sample_write(ANA, "two", dim=0)])
        assert caught.value.hint
        assert await texts_kept(store, ANA) == ["one"]
    await fill(store, ANA, "three")
    await store.close()


@pytest.mark.parametrize("size", [0.1, 0.35, 0.5, 0.9, 0.999])
async def test_a_truncated_file_is_damaged_not_empty(tmp_path, size):
    path = await filled(tmp_path / "store.db", *(f"{n} " * 60 for n in range(200)))
    os.truncate(path, int(path.stat().st_size * size))
    await refused(path)


async def test_a_read_only_file_is_read_and_refuses_writes(tmp_path):
    with medium(tmp_path / "disk") as folder:
        path = await filled(folder / "store.db", "one", "two")
        remount(folder, "ro")
        store = await open_sqlite(path)
        assert await texts_found(store, ANA) == ["one", "two"]
        assert (await store.stats(None)).records == 2
        assert [record.text async for record in store.scan(None)] == ["one", "two"]
        assert [finding for finding in await store.check(sample_derive) if not finding.ok] == []
        await store.adopt(MODEL)
        for call in (
            store.put([sample_write(ANA, "three")]),
            store.erase(Target(scope=ANA), NOON),
            store.reindex(sample_derive, MODEL),
        ):
            with pytest.raises(StoreReadOnly) as caught:
                await call
            assert caught.value.hint
        await store.close()


async def test_a_frozen_file_that_changes_under_its_reader_is_noticed(tmp_path):
    with medium(tmp_path / "disk") as folder:
        path = await filled(folder / "store.db", "one")
        remount(folder, "ro")
        store = await open_sqlite(path)
        remount(folder, "rw")
        await filled(path, "two")
        with pytest.raises(StoreUnusable) as caught:
            await texts_found(store, ANA)
        assert caught.value.hint
        await store.close()


async def test_a_log_that_cannot_be_read_is_not_passed_over(tmp_path):
    with medium(tmp_path / "disk") as folder:
        store = await open_sqlite(folder / "source.db")
        await fill_without_vectors(store, "in the log only")
        for suffix in ("", "-wal"):
            shutil.copy(folder / f"source.db{suffix}", folder / f"store.db{suffix}")
        await store.close()
        remount(folder, "ro")
        fault = await refused(folder / "store.db")
        assert "-wal" in fault.hint


async def test_a_folder_that_cannot_be_written_takes_no_new_store(tmp_path):
    with medium(tmp_path / "disk") as folder:
        remount(folder, "ro")
        await refused(folder / "store.db", StoreReadOnly)


async def test_no_room_for_a_new_store_is_said(tmp_path):
    with medium(tmp_path / "disk", "64k") as folder:
        (folder / "filler").write_bytes(bytes(64 * 1024))
        await refused(folder / "store.db", StoreFull)
        (folder / "filler").unlink()
        with medium(tmp_path / "larger") as larger:
            shutil.copytree(folder, larger, dirs_exist_ok=True)
            await filled(larger / "store.db", "one")


async def fill_without_vectors(store, *texts):
    await store.put([sample_write(ANA, text, dim=0) for text in texts])


@contextmanager
def held(path):
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.execute("ROLLBACK")
    other.close()


def change(path, *scripts):
    connection = apsw.Connection(str(path))
    for script in scripts:
        connection.execute(script)
    connection.close()


def test_migrations_are_numbered_without_a_gap():
    assert [step.version for step in migrations("sqlite")] == list(range(1, NEWEST + 1))
    assert all(step.script.strip() for step in migrations("sqlite"))


def test_every_statement_is_used_and_every_name_used_is_a_statement():
    names = set(statements("sqlite"))
    sources = [path.read_text() for path in Path(sqlite_file.__file__).parent.glob("sqlite*.py")]
    words = {word for text in sources for word in re.findall(r'"([a-z_]+)"', text)}
    assert sorted(names - words) == []
    asked = {name for text in sources for name in re.findall(r'(?:\bSQL\[|\bfind\(\w+, |\brun(?:_\w+)?\(\w+, )"(\w+)"', text)}
    assert len(asked) > 40
    assert sorted(asked - names) == []


async def test_every_statement_can_be_prepared(tmp_path):
    await (await open_sqlite(tmp_path / "store.db")).close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    for name, text in statements("sqlite").items():
        if name != "swap_tables":  # three statements, each of which needs the one before
            apsw.ext.query_info(connection, text)
    connection.close()
