"""Why a record is among the hits or is not: each reason, with what would bring it back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import muniment
from muniment import Filter, MemoryFilter, Scope, Turn
from muniment.errors import NotFound
from muniment.knowledge.values import Status
from muniment.testing import FixedClock
from muniment.types import Role

ANA, BEN = Scope(client="acme", user="ana"), Scope(client="acme", user="ben")
LINES = [
    "The red boat lies in Porto.",
    "Ana bought a red boat.",
    "The boat is slow.",
    {"role": "system", "content": "Be a boat."},
]


@pytest.fixture
async def engine():
    async with muniment.open("memory://", embedder="none", tokens="estimate") as opened:
        yield opened


async def test_each_record_is_explained_as_retrieve_treats_it(engine):
    receipt = await engine.ingest(ANA, LINES)
    porto, bought, slow, system = receipt.ids
    query = "red boat Porto"

    async def code(record, **asked):
        return (await engine.explain(ANA, query, record, **asked)).code

    assert [hit.record.id for hit in await engine.retrieve(ANA, query, limit=1)] == [porto]
    assert await code(porto, limit=1) == "found"
    assert await code(bought, limit=1) == "below_limit"
    assert await code(bought, where=Filter(role=Role.ASSISTANT)) == "filtered"
    assert await code(slow, threshold=0.99) == "below_threshold"
    assert await code(slow, budget=8) == "over_budget"
    assert await code(system) == "not_searched"


async def test_it_says_the_rank_from_which_the_record_is_given(engine):
    receipt = await engine.ingest(ANA, LINES)
    slow = receipt.ids[2]
    told = await engine.explain(ANA, "red boat Porto", slow, limit=1)
    assert told.rank is not None
    assert slow in [hit.record.id for hit in await engine.retrieve(ANA, "red boat Porto", limit=told.rank)]
    assert slow not in [hit.record.id for hit in await engine.retrieve(ANA, "red boat Porto", limit=told.rank - 1)]
    assert f"limit={told.rank}" in " ".join(told.explanation)
    assert told.last > told.hit.score


async def test_what_matches_nothing_is_said_to_match_nothing(engine):
    receipt = await engine.ingest(ANA, [*LINES, *(f"Nothing of the kind, {n}." for n in range(5))])
    told = await engine.explain(ANA, "red Porto", receipt.ids[-1])
    assert (told.code, told.rank, told.hit) == ("no_match", None, None)
    assert "No embedder" in told.explanation[0]


async def test_a_foreign_record_and_an_absent_one_are_one_answer(engine):
    (theirs,) = (await engine.ingest(BEN, ["A red boat."])).ids
    for record in (theirs, "none"):
        with pytest.raises(NotFound) as caught:
            await engine.explain(ANA, "red boat", record)
        assert str(caught.value).replace(record, "…") == str(NotFound.record("…"))


async def test_what_is_only_explained_does_not_count_as_served(engine):
    (lives,) = (await engine.ingest(ANA, ["I live in Porto."])).ids
    await engine.work.wait()
    await engine.explain(ANA, "Where do I live?", lives)
    await engine.ingest(ANA, ["I have a dog."])
    await engine.work.wait()
    assert {memory.recalled for memory in await engine.memories.list(ANA)} == {0}


async def test_it_says_what_stands_before_a_record_and_by_which_shares(engine):
    porto, bought, *_ = (await engine.ingest(ANA, LINES)).ids
    told = await engine.explain(ANA, "red boat Porto", bought)
    (line,) = [line for line in told.explanation if line.startswith(f"Record {porto} stands before it")]
    assert "words +" in line
    assert "it holds porto, which this one does not" in line
    assert not any("stands before" in line for line in (await engine.explain(ANA, "red boat Porto", porto)).explanation)


async def test_a_memory_is_explained_by_the_record_that_proves_it_and_by_what_became_of_it(engine):
    porto, faro = (await engine.ingest(ANA, ["I live in Porto.", "I moved to Faro."])).ids
    await engine.work.wait()
    every = (await engine.memories.list(ANA, MemoryFilter(statuses=tuple(Status)))).memories
    old, new = (next(m for m in every if m.value == value) for value in ("Porto", "Faro"))
    told = await engine.explain(ANA, "Where do I live?", old.id)
    assert (told.record.id, told.code) == (porto, "found")
    assert any("was superseded on" in line and new.id in line for line in told.explanation)
    held = await engine.explain(ANA, "Where do I live?", new.id)
    assert held.record.id == faro
    assert any(line.endswith(f"is proved by record {faro} and holds.") for line in held.explanation)
    assert any("No longer holds" in line for line in (await engine.explain(ANA, "Where do I live?", porto)).explanation)
    with pytest.raises(NotFound):
        await engine.explain(BEN, "Where do I live?", old.id)


@pytest.mark.parametrize(
    ("question", "sure", "first"),
    [
        ("Which plan are we on?", True, "Ocean"),
        ("Which plan did we have before Ocean?", True, "Harbor"),
        ("Which plan were we on at first?", True, "Harbor"),
        ("Which plan were we on in January 2026?", True, "Harbor"),
        ("Where do I live now?", True, "Porto"),
        ("What is the name of my dog?", False, ""),
        ("Which plan did the ferryman have?", False, ""),
        ("How old will Rita be when I move?", False, ""),
    ],
)
async def test_what_fills_the_slot_is_sure_at_the_time_asked_for_and_only_if_all_else_is_told_there_too(question, sure, first):
    turns = [
        Turn(text="We are on the Harbor plan.", said_at=datetime(2025, 9, 1, tzinfo=UTC)),
        Turn(text="We upgraded to the Ocean plan.", said_at=datetime(2026, 2, 10, tzinfo=UTC)),
        Turn(text="I moved to Porto in May 2026.", said_at=datetime(2026, 6, 1, tzinfo=UTC)),
        Turn(text="My sister is called Rita.", said_at=datetime(2026, 6, 2, tzinfo=UTC)),
    ]
    async with muniment.open("memory://", embedder=None, clock=FixedClock(datetime(2026, 7, 1, tzinfo=UTC))) as engine:
        await engine.ingest(Scope(user="ana"), turns)
        await engine.work.wait()
        bundle = await engine.retrieve(Scope(user="ana"), question)
    assert (bundle.confidence >= 0.9) is sure
    assert first in (bundle.hits[0].record.text if bundle.hits else "")
