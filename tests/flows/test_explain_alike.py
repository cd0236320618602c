"""What `explain` says of windows, clocks, thresholds and what became of a memory, the same on every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cases import ANA, EVERY, NOON, known, learn, opened, texts

from muniment import Turn
from muniment.architect import default_architecture
from muniment.knowledge.values import Status
from muniment.testing import FixedClock


@pytest.fixture
async def clock():
    return FixedClock(NOON)


@pytest.fixture
async def engine(url, clock):
    async with opened(url, clock=clock, embedder=None) as found:
        yield found


async def test_every_hit_says_whether_it_was_said_in_the_time_asked_about(engine):
    times = (datetime(2026, 2, 10, tzinfo=UTC), datetime(2025, 7, 1, tzinfo=UTC), None)
    said = [Turn(text=f"The boat was painted, coat {n}.", said_at=at) for n, at in enumerate(times)]
    ids = (await engine.ingest(ANA, said)).ids
    bundle = await engine.retrieve(ANA, "Which coat of paint did the boat get last month?")
    assert {hit.record.id: hit.window for hit in bundle} == dict(zip(ids, ("inside", "outside", ""), strict=True))
    told = [await engine.explain(ANA, "Which coat of paint did the boat get last month?", one) for one in ids]
    assert [one.hit.window for one in told] == ["inside", "outside", ""]
    assert ["It was said inside of the time asked about." in one.explanation for one in told] == [True, False, False]
    assert ["It was said outside of the time asked about." in one.explanation for one in told] == [False, True, False]
    assert {hit.window for hit in await engine.retrieve(ANA, "Which coat of paint did the boat get?")} == {""}
    both = await engine.retrieve(ANA, ["Which coat did the boat get last month?", "painted boat"])
    assert {hit.record.id: hit.window for hit in both} == dict(zip(ids, ("inside", "outside", ""), strict=True))


async def test_D13_it_says_as_of_which_moment_beside_the_wall_clock(engine, clock):
    (one,) = (await engine.ingest(ANA, ["The red boat lies in Porto."])).ids
    clock.advance(timedelta(days=10))
    told = await engine.explain(ANA, "red boat", one, where={"known_at": NOON + timedelta(days=1)})
    assert told.explanation[-1] == "Asked as it was known at 2026-03-21 12:00 UTC; it is 2026-03-30 12:00 UTC now."
    assert told.now == NOON + timedelta(days=1)
    plain = await engine.explain(ANA, "red boat", one)
    assert not any("Asked as" in line for line in plain.explanation)
    assert plain.now == NOON + timedelta(days=10)


async def test_P07_a_record_below_the_threshold_is_told_its_relevance_and_its_rank_without_one(engine):
    stone = (await engine.ingest(ANA, ["the proton bridge opened in May", "a stone bridge", "nothing of the kind"])).ids[1]
    told = await engine.explain(ANA, "proton bridge", stone, threshold=0.9)
    assert (told.code, told.rank) == ("below_threshold", 2)
    assert told.explanation[0] == f"Its relevance is {told.hit.relevance:.2f}; 0.9 was asked for."


async def test_a_memory_is_told_what_became_of_it_whatever_that_is(engine, clock):
    rules = default_architecture()
    kinds = (replace(kind, keep=timedelta(days=30)) if kind.name == "preference" else kind for kind in rules.kinds)
    await engine.architecture.apply(replace(rules, kinds=tuple(kinds)))
    said = ["I live in Porto.", "I love tea.", "I play tennis.", "I have a dog.", "I moved to Faro.", "I have a dog named Rex."]
    await learn(engine, ANA, *said)
    tennis = next(memory for memory in await known(engine, ANA) if "tennis" in memory.text)
    await engine.memories.retract(ANA, tennis.id)
    every = {memory.text: memory for memory in await known(engine, ANA, EVERY)}
    clock.advance(timedelta(days=31))

    async def last(text):
        return (await engine.explain(ANA, "Porto tea tennis dog", every[text].id)).explanation[-1]

    faro, rex = every["user moved to Faro"].id, every["user has a dog named Rex"].id
    assert (await last("user lives in Porto")).endswith(f"was superseded on 2026-03-20 by {faro}.")
    assert (await last("user has a dog")).endswith(f"was superseded on 2026-03-20 by {rex}.")
    assert (await last("user plays tennis")).endswith("was retracted on 2026-03-20.")
    assert (await last("user loves tea")).endswith("It expired on 2026-04-19.")
    assert (await last("user has a dog named Rex")).endswith("and holds.")


async def test_what_was_taken_back_ranks_behind_what_was_superseded_and_what_holds(engine):
    await learn(engine, ANA, "I am on the Basic plan.", "I upgraded to the Pro plan.", "Actually I am on the Gold plan.")
    bundle = await engine.retrieve(ANA, "Which plan am I on?")
    assert texts(bundle) == ["Actually I am on the Gold plan.", "I am on the Basic plan.", "I upgraded to the Pro plan."]
    assert [[memory.status for memory in hit.memories] for hit in bundle] == [
        [Status.CURRENT],
        [Status.SUPERSEDED],
        [Status.RETRACTED],
    ]
    assert [hit.superseded for hit in bundle] == [False, True, True]
    shown = (await engine.assemble(ANA, "Which plan am I on?", budget=500)).compilation.text
    assert "I upgraded to the Pro plan. (retracted on 2026-03-20; it was: Pro)" in shown


async def test_a_correction_stands_before_what_it_corrects(engine):
    said = ["My favourite colour is blue.", "I have a dog.", "Correction: my favourite colour is green."]
    await learn(engine, ANA, *said)
    assert texts(await engine.retrieve(ANA, "What is my favourite colour?"))[:2] == [said[2], said[0]]


async def test_the_words_that_took_something_back_are_not_marked_as_taken_back(engine):
    await learn(engine, ANA, "I live in Porto.", "Forget what I said about Porto.")
    bundle = await engine.retrieve(ANA, "Porto")
    assert {hit.record.text: hit.superseded for hit in bundle} == {
        "Forget what I said about Porto.": False,
        "I live in Porto.": True,
    }
