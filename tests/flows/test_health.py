"""Whatever makes an answer less than whole is said in its health, and nothing else is."""

from __future__ import annotations

import sqlite3

import pytest
from cases import ANA, opened, texts

from muniment.retrieve.counting import MOST_READ
from muniment.testing import FailingEmbedder, FailingReranker, TableEmbedder

TALK = ["Where does the violin hang?", "Above the fireplace.", "The tide is high at noon."]


async def test_vector_80_an_embedder_that_is_down_costs_meaning_not_words_and_is_said(url):
    async with opened(url, embedder=TableEmbedder(dim=16)) as engine:
        await engine.ingest(ANA, [f"The boat has coat {n}." for n in range(122)])
        assert not (await engine.retrieve(ANA, "boat")).health.degraded
        engine.index.embedder = FailingEmbedder(inner=engine.index.embedder)
        bundle = await engine.retrieve(ANA, "boat", limit=122)
        assert (len(bundle), bundle.health.searched, bundle.health.degraded) == (122, 122, True)
        assert [note.partition(",")[0] for note in bundle.health.notes] == ["Found by words alone"]
        nothing = await engine.retrieve(ANA, "kettle")
        assert (len(nothing), nothing.health.degraded) == (0, True)


async def test_a_passage_without_a_vector_is_counted(url):
    async with opened(url, embedder=FailingEmbedder(inner=TableEmbedder(dim=16))) as engine:
        await engine.ingest(ANA, ["The boat is red."])
        engine.index.embedder = TableEmbedder(dim=16)
        assert "1 passages have no vector" in (await engine.retrieve(ANA, "boat")).health.notes[0]


async def test_a_reranker_that_fails_is_said(url):
    async with opened(url, embedder=None, reranker=FailingReranker()) as engine:
        await engine.ingest(ANA, ["The boat is red."])
        (note,) = (await engine.retrieve(ANA, "boat")).health.notes
        assert note.startswith("Not judged by the reranker, which failed:")


async def test_a_record_that_cannot_be_read_is_counted_among_hits_and_around_them(tmp_path):
    where = tmp_path / "agent.db"
    fillers = [f"Nothing of the kind, part {n}." for n in range(20)]
    async with opened(f"sqlite:///{where}", embedder=None) as engine:
        await engine.ingest(ANA, ["The violin is sold.", *fillers, "The tide is high at noon."], conversation="monday")
    damaged = sqlite3.connect(where)
    damaged.execute("PRAGMA trusted_schema = ON")
    damaged.execute("UPDATE record SET text = 'changed' WHERE text = 'The violin is sold.'")
    damaged.commit()
    damaged.close()
    async with opened(f"sqlite:///{where}", embedder=None) as engine:
        lost = "1 records could not be read; run the doctor."
        assert (await engine.retrieve(ANA, "violin", limit=1)).health.notes == (lost,)
        assert (await engine.retrieve(ANA, "noon tide", limit=1)).health.notes == ()
        beside = await engine.retrieve(ANA, "noon tide", limit=1, context=100)
        assert texts(beside)[0] == "The tide is high at noon."
        assert beside.health.notes == (lost,)


@pytest.mark.slow
async def test_a_listing_of_more_memories_than_are_looked_at_is_said():
    letters = [f"{a}{b}{c}" for a in "bdfgklmnprstvz" for b in "aeiou" for c in "abcdefghijklmnopqrstuvwxyz"]
    names = [f"{first}{second}" for first in letters[::20] for second in ("ston", "ville", "burg", "field", "ham")]
    names = [f"{one}{end}" for one in names for end in ("a", "en", "is", "or", "um", "ek", "ax", "ip", "ov", "ut", "yl")]
    async with opened("memory://", embedder=None) as engine:
        await engine.ingest(ANA, [f"I visited {name.capitalize()}." for name in names])
        await engine.work.wait()
        bundle = await engine.retrieve(ANA, "How many cities did I visit?")
    assert f"There are more than {MOST_READ} memories; the latest were looked at." in bundle.health.notes
    assert not bundle.listing.complete


async def test_what_was_asked_for_is_no_fault(url):
    async with opened(url, embedder=None) as engine:
        await engine.ingest(ANA, TALK, conversation="monday")
        for how in ({"limit": 1, "context": 1}, {"budget": 1}, {"threshold": 0.99}, {"where": {"speaker": "Nobody"}}):
            bundle = await engine.retrieve(ANA, "violin fireplace", **how)
            assert not bundle.health.degraded
            assert bundle.explanation


async def test_work_that_waits_is_told_by_the_listing_that_misses_it_not_by_health(url):
    async with opened(url, embedder=None) as engine:
        await engine.ingest(ANA, ["I visited Porto."])
        await engine.work.wait()
        await engine.work.close()
        (later,) = (await engine.ingest(ANA, ["I visited Rome."])).ids
        bundle = await engine.retrieve(ANA, "How many cities did I visit?")
        assert not bundle.health.degraded
        assert (bundle.listing.count, bundle.listing.complete) == (1, False)
        assert "Records found that are yet to be read for memories: 1." in bundle.listing.notes
        assert [item.state.value for item in await engine.work.status(ANA, [later])] == ["queued"]
