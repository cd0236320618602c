"""An old file is brought to this version whole, or stays whole at the version it had, whatever happens on the way."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess

import apsw
import pytest
from faulty_disk import Disk, image, small_disk

from muniment.errors import StoreError, StoreFull, StoreReadOnly, StoreUnusable
from muniment.stores import sqlite_file
from muniment.stores.sql import migrations, statements
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, texts_kept
from muniment.testing.samples import sample_write

NEWEST = migrations("sqlite")[-1].version


def old_file(path, records=3):
    """A file of the first schema, made from its SQL text, with a scope, a conversation and some records without entries."""
    first = migrations("sqlite")[0]
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA page_size = 4096")
    connection.execute("PRAGMA journal_mode = wal")
    with connection:
        connection.execute(first.script)
        connection.execute(statements("sqlite")["migration_add"], (1, first.name))
        connection.execute(f"PRAGMA application_id = {sqlite_file.APPLICATION}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute(OLD_ROWS)
        for n in range(1, records + 1):
            connection.execute(OLD_RECORD, (1 << 24 | n, f"record-{n}", f"old words {n} " + "x" * 500))
    connection.close()


OLD_ROWS = """
INSERT INTO scope VALUES (1, 'acme', 'north', 'ana', 4294967297, 4294967296, 3, 0, 1, 3, 0, 0, 0, 0, 0, 0);
INSERT INTO label (id, kind, name) VALUES (1 << 24 | 1, 'conversation', 'c1');
"""
OLD_RECORD = """
INSERT INTO record (
    id, name, occurrences, role, kind, trust, conversation, speaker, agent, recorded_at, origin, tool_calls, metadata, hash, text
) VALUES (?, ?, 1, 'user', 'turn', 'trusted', 1, 0, 0, 0, '', '[]', '{}', zeroblob(16), ?)
"""


def schema_of(path):
    connection = apsw.Connection(str(path))
    rows = sorted(connection.execute("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").fetchall())
    steps = connection.execute("SELECT version, name FROM migration ORDER BY version").fetchall()
    version = connection.pragma("user_version")
    records = connection.execute("SELECT count(*) FROM record").get
    connection.close()
    return rows, steps, version, records


async def test_an_old_file_is_brought_to_this_version_with_all_it_holds(tmp_path):
    old_file(tmp_path / "old.db")
    assert schema_of(tmp_path / "old.db")[2] == 1
    await (await open_sqlite(tmp_path / "old.db")).close()
    await (await open_sqlite(tmp_path / "new.db")).close()
    rows, steps, version, records = schema_of(tmp_path / "old.db")
    assert (rows, steps, version) == schema_of(tmp_path / "new.db")[:3]
    assert (version, records) == (NEWEST, 3)


async def test_migrating_twice_changes_nothing(tmp_path):
    old_file(tmp_path / "store.db")
    await (await open_sqlite(tmp_path / "store.db")).close()
    before = (tmp_path / "store.db").read_bytes()
    await (await open_sqlite(tmp_path / "store.db")).close()
    assert (tmp_path / "store.db").read_bytes() == before


async def test_several_may_open_an_old_file_at_once(tmp_path):
    old_file(tmp_path / "store.db", records=300)
    stores = await asyncio.gather(*(open_sqlite(tmp_path / "store.db") for _ in range(5)))
    for store in stores:
        await store.close()
    assert schema_of(tmp_path / "store.db")[1] == [(step.version, step.name) for step in migrations("sqlite")]


async def test_a_full_disk_in_the_middle_of_a_migration_leaves_the_old_version(tmp_path):
    with small_disk(tmp_path / "disk", "12m") as folder:
        old_file(folder / "store.db", records=3000)
        before = schema_of(folder / "store.db")
        free = os.statvfs(folder)
        (folder / "filler").write_bytes(bytes(free.f_bavail * free.f_frsize - 60 * 1024))
        with pytest.raises(StoreFull) as caught:
            await open_sqlite(folder / "store.db")
        assert caught.value.hint
        assert schema_of(folder / "store.db") == before
        (folder / "filler").unlink()
        await (await open_sqlite(folder / "store.db")).close()
        assert schema_of(folder / "store.db")[2:] == (NEWEST, 3000)


async def test_an_old_file_where_it_cannot_be_written_is_refused(tmp_path):
    with small_disk(tmp_path / "disk", "8m") as folder:
        old_file(folder / "store.db")
        await asyncio.to_thread(subprocess.run, ["mount", "-o", "remount,ro", str(folder)], check=True)
        with pytest.raises(StoreReadOnly) as caught:
            await open_sqlite(folder / "store.db")
        assert "schema" in caught.value.message


@pytest.mark.parametrize("start", ["old", "new"])
async def test_a_power_loss_at_any_moment_of_a_migration_leaves_a_whole_version(tmp_path, start):
    """Cut after each act of the disk: the file opens, is at the version before or after, and can be brought to this one."""
    (tmp_path / "live").mkdir()
    path = tmp_path / "live" / "store.db"
    if start == "old":
        old_file(path, records=40)
    before = path.read_bytes() if start == "old" else b""
    disk = Disk(f"migration-{start}")
    await (await open_sqlite(path, vfs=disk.name)).close()
    chance = random.Random(4)
    held = 40 if start == "old" else 0
    for cut in range(len(disk.acts) + 1):
        folder = tmp_path / f"image{cut}"
        folder.mkdir()
        acts = [("write", "store.db", 0, before), ("sync", "store.db"), *disk.acts[:cut]]
        for name, content in image(acts, chance, torn=cut % 2 == 0).items():
            if name.startswith("store.db"):
                (folder / name).write_bytes(content)
        await (await open_sqlite(folder / "store.db")).close()
        _, steps, version, records = schema_of(folder / "store.db")
        assert ([number for number, _ in steps], version, records) == (list(range(1, NEWEST + 1)), NEWEST, held)


@pytest.mark.parametrize("nth", range(1, 16))
async def test_a_disk_that_fails_in_a_migration_leaves_the_old_version(tmp_path, nth):
    old_file(tmp_path / "store.db", records=40)
    disk = Disk(f"failing-migration-{nth}")
    disk.fails_at = nth
    try:
        await (await open_sqlite(tmp_path / "store.db", vfs=disk.name)).close()
    except StoreError as fault:
        assert fault.hint  # noqa: PT017  it may fail or not, depending on which act it is
    assert schema_of(tmp_path / "store.db")[2] in range(1, NEWEST + 1)  # each step is whole by itself
    disk.fails_at = 0
    await (await open_sqlite(tmp_path / "store.db")).close()
    assert schema_of(tmp_path / "store.db")[2:] == (NEWEST, 40)


async def test_a_store_upgraded_elsewhere_takes_no_write_of_older_code(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.put([sample_write(ANA, "before", dim=0)])
    newer = apsw.Connection(str(tmp_path / "store.db"))
    newer.execute(f"PRAGMA user_version = {NEWEST + 1}")
    with pytest.raises(StoreUnusable) as caught:
        await store.put([sample_write(ANA, "after", dim=0)])
    assert "pgrade" in caught.value.hint
    assert await texts_kept(store, ANA) == ["before"]
    newer.execute(f"PRAGMA user_version = {NEWEST}")
    newer.close()
    await store.put([sample_write(ANA, "after", dim=0)])
    await store.close()
