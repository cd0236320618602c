"""Public cases of kind R: what failed is said, and what was accepted is there."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cases import ANA, NOON, kept, known, learn, lines, modelled, opened, texts, url_of

from muniment import Outcome, Scope, Turn
from muniment.errors import NotFound, ProviderError, ScopeError
from muniment.knowledge.values import WorkState
from muniment.testing import FailingEmbedder, FixedClock, ScriptedAnswers


async def test_R01_of_three_items_the_one_that_fails_is_named_and_the_others_are_whole(engine):
    good = ["I live in Porto.", Turn(text="bad \0 text"), "I have a dog called Rex."]
    receipt = await engine.ingest(ANA, good)
    await engine.work.wait()
    assert [item.outcome for item in receipt.items] == [Outcome.STORED, Outcome.REFUSED, Outcome.STORED]
    assert receipt.items[1].reason
    assert lines(await known(engine, ANA)) == ["user lives in Porto", "user has a dog called Rex"]
    assert len(await kept(engine, ANA)) == 2
    mended = await engine.ingest(ANA, ["I live in Porto.", "bad text", "I have a dog called Rex."])
    assert [item.outcome for item in mended.items] == [Outcome.UNCHANGED, Outcome.STORED, Outcome.UNCHANGED]


async def test_R01_an_embedder_that_fails_loses_no_memory_and_is_told(url):
    async with opened(url, embedder=FailingEmbedder()) as engine:
        receipt = await engine.ingest(ANA, ["I live in Porto.", "I have a dog called Rex."])
        assert receipt.count(Outcome.STORED) == 2
        assert receipt.degraded
        await engine.work.wait()
        assert len(await known(engine, ANA)) == 2
        bundle = await engine.retrieve(ANA, "where do I live?")
        assert bundle.health.degraded
        assert texts(bundle)[0] == "I live in Porto."


async def test_R03_a_scope_needs_no_making_and_what_is_no_scope_is_refused(engine):
    fresh = Scope(client="new", user="nobody-yet")
    await learn(engine, fresh, "I live in Porto.")
    assert lines(await known(engine, fresh)) == ["user lives in Porto"]
    assert texts(await engine.retrieve(fresh, "where do I live?")) == ["I live in Porto."]
    for scope in (None, "new", "*"):
        for call in (engine.ingest(scope, "x"), engine.retrieve(scope, "x")):
            with pytest.raises(ScopeError):
                await call


async def test_R04_work_that_cannot_be_done_is_counted_with_its_last_error_and_can_be_taken_up_again(url):
    clock = FixedClock(NOON)
    async with opened(url, embedder=None, clock=clock) as engine:
        down = ProviderError("the model is not configured.", hint="Set its key.")
        intake, work = modelled(engine, ScriptedAnswers(then=down))
        receipt = await intake.ingest(ANA, [f"note {n}" for n in range(5)], agent="default", conversation=None)
        for _ in range(3):
            await work.step()
            clock.advance(timedelta(minutes=5))
        backlog = await work.backlog()
        assert (backlog.queued, backlog.parked) == (0, 5)
        assert "not configured" in backlog.last_error
        assert {item.state for item in await work.status(ANA, receipt.ids)} == {WorkState.FAILED}
        assert await work.retry(ANA) == 5
        assert (await work.backlog()).parked == 0
        await work.close()


async def test_R05_a_turn_is_in_the_next_prompt_before_anything_was_derived_from_it(engine):
    await engine.ingest(ANA, "I live in Porto.", conversation="c")
    assert "I live in Porto." in (await engine.assemble(ANA, "Where do I live?", budget=500, conversation="c")).compilation.text
    assert "I live in Porto." in (await engine.assemble(ANA, "Where do I live?", budget=500)).compilation.text


async def test_R07_what_is_found_at_once_is_found_later_and_after_a_new_opening(url):
    clock = FixedClock(NOON)
    async with opened(url, clock=clock) as engine:
        await engine.ingest(ANA, "I live in Porto.")
        for wait in (0, 2, 13):
            clock.advance(timedelta(seconds=wait))
            assert texts(await engine.retrieve(ANA, "where do I live?")) == ["I live in Porto."]
            await engine.work.wait()
        (memory,) = await known(engine, ANA)
    if not url.startswith("memory"):
        async with opened(url, clock=clock) as engine:
            assert texts(await engine.retrieve(ANA, "where do I live?")) == ["I live in Porto."]
            assert (await known(engine, ANA))[0].text == memory.text


async def test_R07_work_that_was_queued_when_the_engine_closed_is_done_by_the_next(tmp_path):
    url = url_of("sqlite", tmp_path)
    async with opened(url) as engine:
        await engine.ingest(ANA, (f"I visited Harbour{n}." for n in range(300)))
    async with opened(url) as engine:
        backlog = await engine.work.wait()
        assert (backlog.queued, backlog.processing, backlog.parked) == (0, 0, 0)
        assert len(await known(engine, ANA)) == 300


async def test_R08_a_token_that_was_stored_is_found_by_itself_and_gone_when_forgotten(url):
    async with opened(url, embedder=None) as engine:
        await learn(engine, ANA, "The locker code is zx81-quokka-7.", "I live in Porto.")
        (hit,) = (await engine.retrieve(ANA, "zx81-quokka-7")).hits
        proved = [memory.id for memory in hit.memories]
        await engine.forget(ANA, ids=[hit.record.id])
        assert texts(await engine.retrieve(ANA, "zx81-quokka-7")) == []
        for memory in proved:
            with pytest.raises(NotFound):
                await engine.memories.get(ANA, memory)
        assert lines(await known(engine, ANA)) == ["user lives in Porto"]
