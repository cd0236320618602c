"""Kept shelves are bounded, grow with what is appended, and are never given out for another moment."""

from __future__ import annotations

import random

import numpy as np
import pytest

from muniment.errors import StoreUnusable
from muniment.ports import Target, Write
from muniment.shelf import Entry, term_hashes
from muniment.stores import sqlite_read
from muniment.stores.sql import statements
from muniment.stores.sqlite import open_sqlite
from muniment.stores.sqlite_file import open_file
from muniment.stores.sqlite_shelves import Shelves, View
from muniment.testing.conformance.base import ANA, BEN, CUSTOMER, MODEL, fill, find_all, shelves_of, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_record, sample_write
from muniment.types import Scope

COLUMNS = ("head", "bounds", "terms", "vectors", "embedded")


@pytest.fixture
async def store(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    yield store
    await store.close()


def equal(one, other):
    names = ("scope", "generation", "speakers", "conversations", "agents")
    return all(getattr(one, c).tobytes() == getattr(other, c).tobytes() for c in COLUMNS) and all(
        getattr(one, name) == getattr(other, name) for name in names
    )


async def read_anew(tmp_path, scope):
    fresh = await open_sqlite(tmp_path / "store.db", shelf_bytes=0)
    shelves = await shelves_of(fresh, scope)
    await fresh.close()
    return shelves


@pytest.mark.parametrize("seed", range(4))
async def test_a_shelf_that_grew_equals_one_read_anew(store, tmp_path, seed):
    chance = random.Random(seed)
    for n in range(40):
        texts = [f"{n}.{part} " + "word " * chance.randrange(30) for part in range(chance.choice([1, 1, 2, 9]))]
        scope = chance.choice([ANA, ANA, CUSTOMER])
        names = {"speaker": chance.choice(["Ana", "Ben", f"s{n}"]), "conversation": chance.choice([None, "c1", f"c{n}"])}
        written = [sample_write(scope, text, dim=chance.choice([0, 8, 8]), **names) for text in texts]
        await store.put(written)
        if chance.random() < 0.2:
            await store.put(written[:1])
        if chance.random() < 0.2:
            await store.erase(Target(scope=scope, ids=(written[0].record.id,)), NOON)
        grown, anew = await shelves_of(store, ANA), await read_anew(tmp_path, ANA)
        assert len(grown) == len(anew)
        assert all(equal(one, other) for one, other in zip(grown, anew, strict=True))


async def test_a_shelf_given_out_stays_as_it_was_when_its_scope_grows(store):
    await fill(store, ANA, "one")
    seen = []
    for n in range(60):
        (shelf,) = await shelves_of(store, ANA)
        seen.append((shelf, [getattr(shelf, column).copy() for column in COLUMNS]))
        await fill(store, ANA, f"{n} " + "word " * (n % 20))
    for shelf, copies in seen:
        assert all(np.array_equal(getattr(shelf, column), copy) for column, copy in zip(COLUMNS, copies, strict=True))


async def test_nothing_changed_gives_the_same_shelf_without_reading(store):
    await fill(store, ANA, "one")
    assert (await shelves_of(store, ANA))[0] is (await shelves_of(store, ANA))[0]


async def test_the_memory_of_kept_shelves_is_bounded_and_the_oldest_go_first(tmp_path):
    store = await open_sqlite(tmp_path / "store.db", shelf_bytes=60_000)
    await store.adopt(MODEL)
    scopes = [Scope(user=f"user{n}") for n in range(30)]
    for scope in scopes:
        await fill(store, scope, *(f"{n} " + "word " * 30 for n in range(20)))
        await shelves_of(store, scope)
        assert store._shelves.nbytes <= 60_000
    assert store._shelves.nbytes > 30_000
    first, last = await shelves_of(store, scopes[0]), await shelves_of(store, scopes[-1])
    assert last[0] is (await shelves_of(store, scopes[-1]))[0]
    assert len(first[0]) == len(last[0])
    await store.close()


async def test_a_scope_larger_than_the_memory_is_answered_and_not_kept(tmp_path):
    store = await open_sqlite(tmp_path / "store.db", shelf_bytes=1000)
    await store.adopt(MODEL)
    await fill(store, ANA, *(f"{n} " * 20 for n in range(50)))
    assert len((await find_all(store, ANA)).records) == 50
    assert store._shelves.nbytes == 0
    await store.close()


async def test_an_erased_scope_is_not_kept_in_memory(store):
    await fill(store, ANA, "one")
    await fill(store, BEN, "two")
    for scope in (ANA, BEN):
        await shelves_of(store, scope)
    both = store._shelves.nbytes
    await store.erase(Target(scope=ANA), NOON)
    assert 0 < store._shelves.nbytes < both


async def test_what_is_read_while_an_erasure_commits_is_not_kept(store):
    """A search that began before sees its moment to the end; afterwards nothing of it stays in memory."""
    await fill(store, ANA, "one")
    erasures = store._shelves.erasures
    await store.erase(Target(scope=ANA), NOON)
    assert store._shelves.erasures > erasures


async def test_a_long_scope_is_read_in_stretches(store, tmp_path):
    records = await fill(store, ANA, *(f"{n} " + "word " * (n % 9) for n in range(100)))
    await store.erase(Target(scope=ANA, ids=tuple(record.id for record in records[20:60])), NOON)
    (whole,) = await read_anew(tmp_path, ANA)
    connection = open_file(tmp_path / "store.db").connect()
    seen = []
    sqlite_read.search(connection, Shelves(0, chunk=7), ANA, rank=lambda shelves: seen.extend(shelves) or [], adopted=None)
    connection.close()
    assert equal(whole, *seen)


async def test_bytes_of_any_value_come_through_the_joined_columns(store):
    """Columns are joined as text by SQLite; zeros, quotes and bytes that are no text must not matter."""
    noise = np.random.default_rng(3)
    entries = [
        Entry(start=n, end=n + 1, terms=noise.integers(0, 2**64, n % 5, np.uint64), vector=_unit(noise.normal(size=8)))
        for n in range(300)
    ]
    entries += [Entry(start=0, end=1, terms=np.zeros(3, np.uint64)), Entry(start=0, end=0, terms=term_hashes([]))]
    await store.put([Write(record=sample_record(ANA), entries=entries)])
    (shelf,) = await shelves_of(store, ANA)
    assert shelf.terms.tobytes() == b"".join(entry.terms.tobytes() for entry in entries)
    assert np.diff(shelf.bounds).tolist() == [len(entry.terms) for entry in entries]
    assert shelf.vectors[:300].astype("<f2").tobytes() == b"".join(
        entry.vector.astype("<f2").tobytes() for entry in entries[:300]
    )


def _unit(row):
    return (row / np.linalg.norm(row)).astype(np.float32)


async def test_an_index_that_does_not_hold_together_is_refused_with_the_way_out(store):
    await fill(store, ANA, "one")
    await store._writer.run(lambda connection: connection.execute("UPDATE entry SET vector = substr(vector, 3)").fetchall())
    with pytest.raises(StoreUnusable) as caught:
        await find_all(store, ANA)
    assert (caught.value.reason, "ebuild" in caught.value.hint) == ("index_damaged", True)


async def test_an_index_that_lost_a_row_is_refused_again_and_again_until_it_is_rebuilt(store):
    await fill(store, ANA, "one")
    await find_all(store, ANA)
    await fill(store, ANA, "two", "three")
    await store._writer.run(lambda connection: connection.execute("DELETE FROM entry WHERE id & 0xFFFFFF = 2").fetchall())
    for _ in range(2):
        with pytest.raises(StoreUnusable) as caught:
            await find_all(store, ANA)
        assert caught.value.reason == "index_damaged"
    assert await texts_kept(store, ANA) == ["one", "two", "three"]
    await store.reindex(sample_derive, MODEL)
    assert await texts_found(store, ANA) == ["one", "two", "three"]


async def test_an_older_moment_is_read_anew_and_does_not_replace_the_newer_one(store, tmp_path):
    await fill(store, ANA, "one")
    file = open_file(tmp_path / "store.db")
    shelves, early, late = Shelves(1 << 20), file.connect(), file.connect()

    def view(connection):
        numbers = connection.execute(statements("sqlite")["scope_view"], ("acme", "north", "ana")).fetchone()
        return View(ANA, *numbers, dim=MODEL[1])

    early.execute("BEGIN")
    old = view(early)
    await fill(store, ANA, "two")
    newer = shelves.shelf(late, view(late), 0)
    assert len(newer) == 2
    assert len(shelves.shelf(early, old, 0)) == 1
    assert shelves.shelf(late, view(late), 0) is newer
    early.execute("ROLLBACK")
    early.close()
    late.close()
