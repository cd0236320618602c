"""Public cases of kind Q: deletion and erasure."""

from __future__ import annotations

import asyncio
import json
import subprocess
from datetime import UTC, datetime

import pytest
from cases import ANA, BEN, NOON, NORTH, clean_or_told, kept, opened, texts, url_of

import muniment
from muniment import Filter, Turn
from muniment.errors import NotFound
from muniment.testing import FixedClock


def bytes_of(folder):
    """Everything in the store's files, read by another process: closing them in this one would drop SQLite's locks."""
    return subprocess.run(["cat", *sorted(map(str, folder.iterdir()))], capture_output=True, check=True).stdout


async def test_Q01_erasing_a_user_does_not_stop_at_a_round_number(engine):
    await engine.ingest(ANA, (f"note {n}" for n in range(1148)))
    erasure = await engine.forget(ANA)
    assert (erasure.records, erasure.removed["record"], erasure.removed["entry"]) == (1148, 1148, 1148)
    assert (await engine.stats(ANA)).records == 0


async def test_Q02_a_forgotten_record_is_gone_from_every_read_and_from_the_files(engine, tmp_path):
    marks = ("canarywren", "Finchley", "robinsession", "swiftref", "larkmeta")
    turn = Turn(
        text=f"the {marks[0]} sings",
        speaker=marks[1],
        conversation=marks[2],
        ref=marks[3],
        metadata={"a": marks[4]},
        key="jaykey",
    )
    (gone, stays) = (await engine.ingest(ANA, [turn, Turn(text="the kettle sings", conversation="other")])).ids
    assert texts(await engine.retrieve(ANA, f"{marks[0]} sings"))[0] == turn.text
    erasure = await engine.forget(ANA, ids=[gone])
    assert (erasure.records, clean_or_told(erasure)) == (1, True)
    assert texts(await engine.retrieve(ANA, f"{marks[0]} sings")) == await kept(engine, ANA) == ["the kettle sings"]
    assert [record.id async for record in engine.export()] == [stays]
    with pytest.raises(NotFound):
        await engine.get(ANA, gone)
    stats = await engine.stats(ANA)
    assert (stats.records, stats.entries, stats.vectors, stats.conversations) == (1, 1, 1, 1)
    assert (await engine.list(ANA, where=Filter(conversation=marks[2]))).records == ()
    made = (await engine.assemble(ANA, "What sings?", budget=300, conversation=marks[2])).compilation
    assert marks[0] not in made.text
    assert all(finding.ok for finding in await engine.doctor())
    left = bytes_of(tmp_path) if any(tmp_path.iterdir()) else b""
    assert [mark for mark in (*marks, "jaykey") if mark.encode() in left] == []


async def test_Q02_a_key_of_what_is_forgotten_may_be_used_again(engine):
    (old,) = (await engine.ingest(ANA, [Turn(text="zany zebra", key="k1")])).ids
    await engine.forget(ANA, ids=[old])
    assert (await engine.ingest(ANA, [Turn(text="dogs", key="k1")])).ok
    assert texts(await engine.retrieve(ANA, "zany zebra dogs")) == ["dogs"]


async def test_Q03_an_erased_user_is_found_by_no_search_and_no_other_engine(url):
    async with opened(url) as engine, opened(url) as other:
        await engine.ingest(ANA, [f"note {n} on tides" for n in range(50)])
        for one in (engine, other):
            await one.retrieve(ANA, "tides")
            await one.assemble(ANA, "tides?", budget=300)
        await engine.forget(ANA)
        for one in (engine, other):
            bundle = await one.retrieve(ANA, "tides")
            assert (bundle.hits, bundle.health.searched) == ((), 0)
            assert "note" not in (await one.assemble(ANA, "tides?", budget=300)).compilation.text


def filled(folder):
    url = url_of("sqlite", folder)
    turns = [Turn(text=f"note {n} " + "word " * 400, conversation="talk", key=f"k{n}", speaker="Ana") for n in range(5)]
    with muniment.sync.open(url, embedder=None, clock=FixedClock(NOON)) as engine:
        return url, engine.ingest(ANA, turns).ids


async def forgotten(url, ids):
    async with opened(url, embedder=None) as engine:
        return dict((await engine.forget(ANA, ids=ids)).removed)


def test_Q05_forgetting_takes_the_same_along_on_every_surface(tmp_path, cli):
    removed = []
    for surface in ("async", "blocking", "command"):
        folder = tmp_path / surface
        folder.mkdir()
        url, ids = filled(folder)
        if surface == "async":
            removed.append(asyncio.run(forgotten(url, ids[:3])))
        elif surface == "blocking":
            with muniment.sync.open(url, embedder=None) as engine:
                removed.append(dict(engine.forget(ANA, ids=ids[:3]).removed))
        else:
            scope = ("--client", "acme", "--customer", "north", "--user", "ana")
            removed.append(cli.as_json("forget", *ids[:3], *scope, "--store", url)["removed"])
        with muniment.sync.open(url, embedder=None) as engine:
            assert engine.stats(ANA).records == 2
            assert all(finding.ok for finding in engine.doctor())
    assert removed[0] == removed[1] == removed[2]
    assert removed[0]["entry"] > removed[0]["record"] == removed[0]["key"] == 3


async def test_Q06_a_document_kept_in_two_places_is_taken_from_one_of_them(engine):
    for scope in (ANA, BEN, NORTH):
        await engine.ingest(scope, "the lease ends in June", conversation="a")
    await engine.ingest(ANA, "the lease ends in June", conversation="b")
    await engine.forget(ANA, conversation="a")
    assert [record.conversation for record in (await engine.list(ANA)).records] == ["b"]
    await engine.forget(ANA)
    for scope in (BEN, NORTH):
        assert await kept(engine, scope) == ["the lease ends in June"]
    assert texts(await engine.retrieve(ANA, "lease")) == ["the lease ends in June"]


async def test_Q07_an_id_of_another_scope_is_not_forgotten_and_that_is_said(engine):
    (foreign,) = (await engine.ingest(BEN, "of ben")).ids
    for scope in (ANA, NORTH):
        assert (await engine.forget(scope, ids=[foreign])).records == 0
    assert await kept(engine, BEN) == ["of ben"]


async def test_Q09_the_receipt_of_an_erasure_has_counts_scopes_and_time_and_no_content(url):
    at = datetime(2026, 6, 1, 8, 30, tzinfo=UTC)
    async with opened(url, clock=FixedClock(at)) as engine:
        await engine.ingest(ANA, [Turn(text="secret words " * 200, conversation="secret", speaker="Secret", key="secret")])
        await engine.ingest(BEN, "stays")
        erasure = await engine.forget(ANA)
        assert (erasure.records, erasure.scopes, erasure.at, clean_or_told(erasure)) == (1, (ANA,), at, True)
        assert erasure.removed["record"] == erasure.removed["key"] == 1
        assert erasure.removed["entry"] > 1
        assert "ecret" not in repr(erasure)
        assert (await engine.forget(ANA)).records == 0
        assert (await engine.stats()).records == 1


def test_Q09_the_command_line_prints_the_receipt_as_a_document(cli):
    cli.said("secret words")
    gone = cli.as_json("forget", "--everything", "--yes", "--user", "ana")
    assert (gone["records"], gone["clean"], gone["scopes"]) == (1, True, [{"client": None, "customer": None, "user": "ana"}])
    assert "secret" not in json.dumps(gone)
