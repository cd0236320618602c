"""Feedback on recall: it tips what stands near, in the very scope it was given in, and goes with what it speaks of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cases import ANA, BEN, NORTH, opened
from hypothesis import given
from hypothesis import strategies as st

from muniment import Filter, Turn
from muniment.errors import QueryError
from muniment.knowledge.values import Feedback
from muniment.retrieve.rules_feedback import share_of
from muniment.retrieve.weights import Weights
from muniment.testing import FixedClock
from muniment.types import RecordId

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
LINES = ["The harbour office opens at nine.", "The harbour kiosk opens at nine.", "The harbour crane lifts forty tons."]
QUESTION = "When does the harbour open?"


@pytest.fixture
def clock():
    return FixedClock(NOW)


@pytest.fixture
async def engine(any_store_url, clock):
    async with opened(any_store_url, embedder=None, clock=clock) as engine:
        yield engine


async def order(engine, scope=ANA, **given_):
    return [hit.record.id for hit in await engine.retrieve(scope, QUESTION, **given_)]


async def test_what_was_used_rises_among_what_stands_near_and_is_shown_why(engine):
    await engine.ingest(ANA, LINES)
    before = await order(engine)
    receipt = await engine.feedback.give(ANA, used=[before[1]], ignored=[before[0]], by="desk")
    assert [item.outcome for item in receipt.items] == ["stored", "stored"]
    bundle = await engine.retrieve(ANA, QUESTION)
    assert [hit.record.id for hit in bundle][:2] == [before[1], before[0]]
    shares = [hit.channels["feedback"] for hit in bundle.hits[:2]]
    assert 0 < shares[0] <= Weights().feedback
    assert -Weights().feedback <= shares[1] < 0
    told = {one.record: one for one in await engine.feedback.list(ANA)}
    assert (told[before[1]].used, told[before[0]].ignored, told[before[0]].by, told[before[0]].at) == (1, 1, "desk", NOW)


async def test_without_feedback_answers_are_as_they_were(engine):
    await engine.ingest(ANA, LINES)
    assert all("feedback" not in hit.channels for hit in await engine.retrieve(ANA, QUESTION))


async def test_it_reaches_no_other_scope(engine):
    (shared,) = (await engine.ingest(NORTH, [LINES[0]])).ids
    await engine.ingest(ANA, [LINES[1]])
    await engine.ingest(BEN, [LINES[1]])
    await engine.work.wait()
    before = {scope: await engine.retrieve(scope, QUESTION) for scope in (BEN, NORTH)}
    await engine.feedback.give(ANA, used=[shared])
    for scope, bundle in before.items():
        after = await engine.retrieve(scope, QUESTION)
        assert [(hit.record.id, hit.score, hit.channels) for hit in after] == [
            (hit.record.id, hit.score, hit.channels) for hit in bundle
        ]
    assert "feedback" in next(hit for hit in await engine.retrieve(ANA, QUESTION) if hit.record.id == shared).channels
    assert await engine.feedback.list(BEN) == ()


async def test_foreign_and_absent_ids_are_one_answer(engine):
    (foreign,) = (await engine.ingest(BEN, [LINES[0]])).ids
    told = [await engine.feedback.give(ANA, used=[one]) for one in (foreign, "a" * len(foreign))]
    assert [item.reason for one in told for item in one.items] == ["not_found", "not_found"]
    assert told[0].items[0].message.replace(foreign, "") == told[1].items[0].message.replace("a" * len(foreign), "")
    assert await engine.feedback.list(ANA) == ()


async def test_a_memory_stands_for_the_records_that_prove_it(engine):
    (record,) = (await engine.ingest(ANA, [Turn(text="I moved to Porto.", said_at=NOW)])).ids
    await engine.work.wait()
    memory = (await engine.memories.list(ANA)).memories[0]
    await engine.feedback.give(ANA, used=[memory.id])
    assert [one.record for one in await engine.feedback.list(ANA)] == [record]


async def test_it_goes_with_the_record(engine):
    first, second = (await engine.ingest(ANA, LINES[:2])).ids
    await engine.feedback.give(ANA, used=[first, second])
    erased = await engine.forget(ANA, ids=[first])
    assert erased.removed["feedback"] == 1
    assert [one.record for one in await engine.feedback.list(ANA)] == [second]


async def test_an_answer_as_of_then_knows_nothing_told_later(engine, clock):
    await engine.ingest(ANA, LINES)
    then = await engine.retrieve(ANA, QUESTION)
    clock.at = NOW + timedelta(days=2)
    await engine.feedback.give(ANA, used=[then.hits[1].record.id])
    as_of = await engine.retrieve(ANA, QUESTION, where=Filter(known_at=NOW + timedelta(days=1)))
    assert all("feedback" not in hit.channels for hit in as_of)


async def test_no_untrusted_record_is_put_ahead_of_a_trusted_one(engine):
    turns = [{"role": "user", "content": LINES[0]}, {"role": "tool", "content": LINES[1], "tool_call_id": "c1"}]
    trusted, untrusted = (await engine.ingest(ANA, turns)).ids
    await engine.work.wait()
    before = await order(engine)
    for _ in range(20):
        await engine.feedback.give(ANA, used=[untrusted], ignored=[trusted])
    bundle = await engine.retrieve(ANA, QUESTION)
    assert [hit.record.id for hit in bundle] == before
    assert all(hit.channels.get("feedback", 0) <= 0 for hit in bundle)


async def test_it_moves_with_an_export_and_is_never_added_twice(engine):
    ids = (await engine.ingest(ANA, LINES)).ids
    await engine.feedback.give(ANA, used=ids[:2], by="desk")
    moved = [item async for item in engine.transfer.export()]
    async with opened("memory://", embedder=None) as other:
        for _ in range(2):
            await other.transfer.restore(moved)
        assert await other.feedback.list(ANA) == await engine.feedback.list(ANA)


async def test_bad_input_is_told_and_nothing_is_kept(engine):
    for bad in ({}, {"used": 7}, {"ignored": [None]}, {"used": ["x"] * 1001}):
        with pytest.raises(QueryError):
            await engine.feedback.give(ANA, **bad)
    assert await engine.feedback.list(ANA) == ()


counts = st.integers(0, 10**6)


@given(used=counts, ignored=counts, corrected=counts, days=st.floats(-10, 10**5))
def test_however_often_it_is_told_it_stays_in_its_bounds_and_fades(used, ignored, corrected, days):
    told = Feedback(
        scope=ANA, record=RecordId("r"), used=used, ignored=ignored, corrected=corrected, at=NOW - timedelta(days=days)
    )
    share = share_of(told, NOW)
    assert -1 < share < 1
    assert abs(share_of(told, NOW + timedelta(days=90))) <= abs(share)
