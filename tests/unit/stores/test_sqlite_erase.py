"""Erasing in bulk, its account in the file, and what it does beside other calls."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import apsw
import pytest

from muniment.errors import InputError
from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, CLIENT, EVERYTHING, MODEL, fill, shelves_of, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write
from muniment.types import Scope


@pytest.fixture
async def store(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    yield store
    await store.close()


def ask(tmp_path, statement):
    connection = apsw.Connection(str(tmp_path / "store.db"))
    rows = connection.execute(statement).fetchall()
    connection.close()
    return rows


@pytest.mark.parametrize("by", ["ids", "conversation", "scope"])
async def test_K07_eight_hundred_records_go_in_one_transaction(store, tmp_path, by):
    await fill(store, BEN, *(f"stays {n}" for n in range(50)))
    await store.put([sample_write(ANA, f"kept {n}", conversation="other") for n in range(20)])
    writes = [sample_write(ANA, f"{n} " + "word " * 20, conversation="talk", key=f"k{n}") for n in range(800)]
    await store.put(writes)
    commits = []
    store._writer._connection.set_commit_hook(lambda: bool(commits.append(1)))
    target = {
        "ids": Target(scope=ANA, ids=tuple(write.record.id for write in writes)),
        "conversation": Target(scope=ANA, conversation="talk"),
        "scope": Target(scope=ANA),
    }[by]
    erased = await store.erase(target, NOON)
    store._writer._connection.set_commit_hook(None)
    assert len(commits) == 1
    assert erased.clean
    assert erased.records == (820 if by == "scope" else 800)
    assert erased.removed["key"] == 800
    assert len(await texts_found(store, ANA)) == 820 - erased.records
    assert len(await texts_found(store, BEN)) == 50
    assert [finding for finding in await store.check(sample_derive) if not finding.ok] == []


async def test_the_account_of_an_erasure_has_a_time_and_counts_and_no_content(store, tmp_path):
    await store.put([sample_write(ANA, "secret words " * 8, conversation="c1", key="k1"), sample_write(BEN, "more")])
    at = datetime(2026, 6, 1, 8, 30, tzinfo=UTC)
    await store.erase(Target(scope=ANA), at)
    await store.erase(Target(scope=ANA), at)
    await store.erase(Target(scope=Scope(client="acme")), at)
    await store.close()
    micros = int(at.timestamp()) * 1_000_000
    columns = "at, scopes, records, entries, labels, keys"
    assert ask(tmp_path, f"SELECT {columns} FROM erasure") == [(micros, 1, 1, 3, 3, 1), (micros, 1, 1, 1, 2, 0)]


async def test_names_stay_while_one_record_still_has_them(store):
    await store.put([sample_write(ANA, f"{n}", speaker="Ana", conversation="c1", agent="planner") for n in range(3)])
    ids = [record.id for record in (await store.page(ANA, EVERYTHING, limit=9)).records]
    for n, record in enumerate(ids[:2]):
        erased = await store.erase(Target(scope=ANA, ids=(record,)), NOON)
        assert erased.removed["label"] == 0
        (shelf,) = await shelves_of(store, ANA)
        assert (len(shelf), set(shelf.speakers.values())) == (2 - n, {"Ana"})
    erased = await store.erase(Target(scope=ANA, ids=(ids[2],)), NOON)
    assert (erased.removed["label"], erased.removed["scope"]) == (3, 1)


async def test_an_agent_named_like_a_speaker_is_another_name(store):
    await store.put([sample_write(ANA, "a", speaker="same", agent="same", conversation="same"), sample_write(ANA, "b")])
    (shelf,) = await shelves_of(store, ANA)
    assert "same" in shelf.speakers.values()
    assert "same" in shelf.agents.values()
    assert list(shelf.conversations.values()) == ["same"]
    await store.erase(Target(scope=ANA, conversation="same"), NOON)
    (shelf,) = await shelves_of(store, ANA)
    assert "same" not in {*shelf.speakers.values(), *shelf.agents.values(), *shelf.conversations.values()}


async def test_erasing_and_writing_the_same_scope_at_once_leaves_whole_calls(store):
    async def write(n):
        await store.put([sample_write(ANA, f"{n}.{part}") for part in range(5)])

    async def erase():
        await store.erase(Target(scope=ANA), NOON)

    for turn in range(6):
        await asyncio.gather(*(write(f"{turn}.{n}") if n % 3 else erase() for n in range(12)))
        assert await texts_kept(store, ANA) == await texts_found(store, ANA)
        assert len(await texts_kept(store, ANA)) % 5 == 0
    assert [finding for finding in await store.check(sample_derive) if not finding.ok] == []


async def test_a_time_without_a_zone_erases_nothing(store):
    await fill(store, ANA, "stays")
    with pytest.raises(InputError):
        await store.erase(Target(scope=ANA), datetime(2026, 1, 1))  # noqa: DTZ001  that is the point
    assert await texts_found(store, ANA) == ["stays"]


async def test_an_ancestor_and_a_scope_beside_stay(store):
    await fill(store, CLIENT, "house rules")
    await fill(store, ANA, "of ana")
    await fill(store, BEN, "of ben")
    await store.erase(Target(scope=ANA), NOON)
    assert await texts_found(store, ANA) == ["house rules"]
    assert await texts_found(store, BEN) == ["of ben", "house rules"]
