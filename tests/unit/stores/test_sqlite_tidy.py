"""No byte of what was erased is left in the file or its log, not even where SQLite moved it and forgot it."""

from __future__ import annotations

import random
import subprocess

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ports import Target, Write
from muniment.shelf import Entry, term_hashes
from muniment.stores.sqlite import open_sqlite
from muniment.stores.sqlite_tidy import tidy_page
from muniment.testing.conformance.base import ANA, BEN, MODEL, fill, find_all
from muniment.testing.fakes import NOON
from muniment.testing.samples import DIM, sample_record, sample_write
from muniment.types import Scope

SCOPES = 30


def bytes_of(folder):
    """Everything in the store's files, read by another process: closing them in this one would drop SQLite's locks."""
    return subprocess.run(["cat", *sorted(map(str, folder.iterdir()))], capture_output=True, check=True).stdout


def user(n):
    return Scope(client="acme", user=f"user{n:03d}wren")


async def crowd(store, chance, rounds):
    """Writes of many scopes in between each other, of sizes that split pages and spill out of them."""
    kept = {n: [] for n in range(SCOPES)}
    for turn in range(rounds):
        writes = []
        for part in range(chance.randint(1, 12)):
            n = chance.randrange(SCOPES)
            text = f"canary{n:03d}wren {'word ' * chance.choice([1, 10, 60, 200, 700])}canary{n:03d}end {turn}.{part}"
            names = {"conversation": f"talk{n:03d}wren", "speaker": f"speaker{n:03d}wren"}
            writes.append(sample_write(user(n), text, key=f"{turn}.{part}", **names))
            kept[n].append(writes[-1].record)
        await store.put(writes)
    return kept


def marks(n, records=()):
    names = ("canary{n:03d}wren", "canary{n:03d}end", "talk{n:03d}wren", "speaker{n:03d}wren", "user{n:03d}wren")
    return [name.format(n=n).encode() for name in names] + [record.id.encode() for record in records]


@pytest.mark.parametrize("seed", range(3))
async def test_Q02_erased_scopes_leave_no_byte_after_pages_were_split(tmp_path, seed):
    chance = random.Random(seed)
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    kept = await crowd(store, chance, 120)
    gone = chance.sample(range(SCOPES), SCOPES // 2)
    for n in gone:
        erased = await store.erase(Target(scope=user(n)), NOON)
        assert (erased.clean, erased.notes) == (True, ())
    while_open = bytes_of(tmp_path)
    await fill(store, ANA, *(f"afterwards {n} " * 50 for n in range(200)))
    with_new_log = bytes_of(tmp_path)
    await store.close()
    for left in (while_open, with_new_log, bytes_of(tmp_path)):
        assert [mark for n in gone for mark in marks(n, kept[n]) if mark in left] == []
        assert all(mark in left for n in set(range(SCOPES)) - set(gone) if kept[n] for mark in marks(n)[1:3])


async def test_Q02_the_log_written_after_an_erasure_holds_nothing_of_it(tmp_path):
    """The writer's own pages may still hold what the file no longer does; it must not write them out again."""
    chance = random.Random(9)
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    kept = await crowd(store, chance, 60)
    for n in range(0, SCOPES, 2):
        await store.erase(Target(scope=user(n)), NOON)
    for n in range(1, SCOPES, 2):  # next to what was erased, so that its pages are written again
        await store.put([sample_write(user(n), f"again {n} {part}") for part in range(3)])
    left = bytes_of(tmp_path)
    assert [mark for n in range(0, SCOPES, 2) for mark in marks(n, kept[n]) if mark in left] == []
    await store.close()


async def test_erased_records_leave_no_byte_while_their_scope_lives(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    await store.put([sample_write(ANA, f"stays {n} " * 20) for n in range(40)])
    vector = np.random.default_rng(1).normal(size=DIM).astype(np.float32)
    vector /= np.linalg.norm(vector)
    names = {"conversation": "secret talk", "speaker": "Secret Sam", "ref": "secret ref", "origin": "secret.md"}
    record = sample_record(ANA, "canary wren " * 40, **names)
    entry = Entry(start=0, end=9, terms=term_hashes(["canary", "wren"]), vector=vector)
    await store.put([Write(record=record, entries=[entry], key="secret key")])
    await store.put([sample_write(ANA, f"later {n} " * 20) for n in range(40)])
    await find_all(store, ANA)
    secrets = [b"canary wren", b"secret key", *(name.encode() for name in names.values()), record.id.encode()]
    secrets += [vector.astype("<f2").tobytes(), entry.terms.tobytes()]
    assert [secret for secret in secrets if secret not in bytes_of(tmp_path)] == []
    await store.erase(Target(scope=ANA, ids=(record.id,)), NOON)
    left = bytes_of(tmp_path)
    assert [secret for secret in secrets if secret in left] == []
    await store.close()


async def test_a_scope_emptied_record_by_record_leaves_no_name(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    await fill(store, BEN, "stays")
    records = await fill(store, user(7), "one", "two")
    for record in records:
        assert (await store.erase(Target(scope=user(7), ids=(record.id,)), NOON)).clean
    assert b"user007wren" not in bytes_of(tmp_path)
    await store.close()


def tree_page(kind, cells, content, page, start=0):
    size = {2: 12, 5: 12, 10: 8, 13: 8}[kind]
    head = bytes([kind]) + bytes(2) + cells.to_bytes(2, "big") + (content % 65536).to_bytes(2, "big") + bytes(1) + bytes(size - 8)
    return page[:start] + head + page[start + size :], start + size + 2 * cells


@given(st.sampled_from([2, 5, 10, 13]), st.integers(0, 40), st.integers(0, 1024), st.binary(min_size=1024, max_size=1024))
def test_a_tree_page_keeps_all_but_its_gap(kind, cells, content, noise):
    for start, offset in ((0, 1024), (100, 0)):
        page, gap = tree_page(kind, cells, content, noise, start)
        tidied = tidy_page(page, offset)
        assert len(tidied) == len(page)
        if gap < content:
            assert tidied == page[:gap] + bytes(content - gap) + page[content:]
        else:
            assert tidied == page


@given(st.integers(0, 255).filter(lambda kind: kind not in (2, 5, 10, 13)), st.binary(min_size=511, max_size=511))
def test_any_other_page_is_left_alone(kind, rest):
    page = bytes([kind]) + rest
    assert tidy_page(page, 512) == page


async def test_a_tidied_file_is_sound(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    await crowd(store, random.Random(3), 60)
    await store.close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    assert connection.pragma("integrity_check") == "ok"
    connection.close()
