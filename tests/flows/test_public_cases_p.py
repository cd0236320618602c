"""Public cases of kind P: pagination, order and scores."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cases import ANA, NOON, kept, opened, texts

from muniment import Turn
from muniment.errors import QueryError
from muniment.testing import TableEmbedder


async def test_P02_more_than_the_cap_is_refused_by_name_and_cursors_reach_everything(engine):
    await engine.ingest(ANA, (f"note {n}" for n in range(2500)))
    for call in (engine.list(ANA, limit=5000), engine.retrieve(ANA, "note", limit=5000)):
        with pytest.raises(QueryError) as caught:
            await call
        assert (caught.value.reason, caught.value.place) == ("range", "limit")
        assert "1000" in caught.value.hint
    seen, cursor = [], None
    while not seen or cursor:
        page = await engine.list(ANA, limit=1000, cursor=cursor)
        seen += [record.text for record in page.records]
        cursor = page.cursor
    assert seen == [f"note {n}" for n in reversed(range(2500))]


async def test_P03_P04_a_listing_is_in_order_of_arrival_whatever_ids_times_and_repeats_say(engine):
    turns = [Turn(text=text, said_at=NOON - timedelta(days=days)) for text, days in (("z-old", 0), ("m", 9), ("a-new", 99))]
    for turn in turns:
        await engine.ingest(ANA, [turn])
    await engine.ingest(ANA, [turns[0]])
    assert [record.text for record in (await engine.list(ANA)).records] == ["a-new", "m", "z-old"]
    assert [record.text async for record in engine.export(ANA)] == ["z-old", "m", "a-new"]


async def test_P04_the_latest_is_what_came_last_and_no_id_or_name_decides(engine):
    for name in ("z-old", "m", "a-new"):
        await engine.ingest(ANA, [Turn(text=f"I like {name} tea.", ref=name, key=name)], conversation=name, agent=name)
        await engine.work.wait()
    assert (await engine.list(ANA, limit=1)).records[0].ref == "a-new"
    memories = (await engine.memories.list(ANA, {"agent": ["z-old", "m", "a-new"]})).memories
    assert [memory.agent for memory in memories] == ["a-new", "m", "z-old"]


@pytest.mark.parametrize(
    "embedder",
    [None, TableEmbedder({"tea with Ben": (1, 0), "a walk": (0.8, 0.6), "zzyzx qwrtp": (0.4, 0.9)})],
    ids=["words", "vectors"],
)
async def test_P06_P07_a_threshold_holds_and_what_it_hides_is_counted(url, embedder):
    async with opened(url, embedder=embedder) as engine:
        await engine.ingest(ANA, ["tea with Ben", "a walk"])
        bundle = await engine.retrieve(ANA, "zzyzx qwrtp", threshold=0.95)
        assert bundle.hits == ()
        hidden = len(await engine.retrieve(ANA, "zzyzx qwrtp"))
        assert (f"Records below the threshold of 0.95: {hidden}." in bundle.explanation) == (hidden > 0)
        assert hidden == (2 if embedder else 0)


async def test_P07_a_query_of_two_words_finds_its_record_also_above_a_threshold(url):
    async with opened(url, embedder=None) as engine:
        await engine.ingest(ANA, ["the proton bridge opened in May", "a stone bridge", "nothing of the kind"])
        assert texts(await engine.retrieve(ANA, "proton bridge"))[0] == "the proton bridge opened in May"
        bundle = await engine.retrieve(ANA, "proton bridge", threshold=0.9)
        assert texts(bundle) == ["the proton bridge opened in May"]
        assert "Records below the threshold of 0.9: 1." in bundle.explanation


async def test_P08_a_person_never_mentioned_is_not_found_and_that_is_said(url):
    async with opened(url, embedder=None) as engine:
        await engine.ingest(ANA, ["tea with Ben", "a walk by the lake"])
        bundle = await engine.retrieve(ANA, "Who is Zebedee Throck?")
        assert (bundle.hits, bundle.health.searched, bundle.health.degraded) == ((), 2, False)
        assert "In no record: zebedee, throck." in bundle.explanation
        assert await kept(engine, ANA) == ["tea with Ben", "a walk by the lake"]
