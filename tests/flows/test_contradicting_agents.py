"""Two agents, each with rules of its own, serve one user and contradict each other: the next one gets both sides with authors."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from cases import STORES, opened, url_of

from muniment import Role, Scope, Turn
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing import FixedClock

ANA = Scope(client="acme", user="ana")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SALES = "agent: sales\nkinds:\n  fact: {keep: 2 years}\n  preference: {}\n"
DESK = "agent: desk\nkinds:\n  fact: {}\n  event: {}\n"
GOLD, BASIC = "Ana is on the Gold plan.", "Ana is on the Basic plan."


async def serve(engine, *, by_user=False):
    await engine.architecture.apply(SALES)
    await engine.architecture.apply(DESK)
    for day, (agent, text) in enumerate((("sales", GOLD), ("desk", BASIC))):
        role = Role.USER if by_user else Role.ASSISTANT
        turn = Turn(text=text, role=role, speaker="Ana" if by_user else agent, said_at=NOON - timedelta(days=9 - day))
        await engine.ingest(ANA, [turn], agent=agent, conversation=agent)
        await engine.work.wait()


@pytest.mark.parametrize("store", STORES)
async def test_the_next_agent_gets_both_sides_with_their_authors(store, tmp_path):
    async with opened(url_of(store, tmp_path), embedder=None, clock=FixedClock(NOON)) as engine:
        await serve(engine)
        found = await engine.retrieve(ANA, "Which plan is Ana on?", agent="next")
        sides = {(memory.value, memory.agent) for hit in found for memory in (*hit.memories, *hit.against)}
        assert sides == {("Gold", "sales"), ("Basic", "desk")}
        assert {(hit.contradicted[0].agent, hit.against[0].agent) for hit in found} == {("sales", "desk"), ("desk", "sales")}
        [told] = [line for line in found.explanation if line.startswith("Contradiction: ")]
        assert "agent sales on 2026-05-23" in told
        assert "agent desk on 2026-05-24" in told
        prompt = (await engine.assemble(ANA, "Which plan is Ana on?", agent="next", budget=500)).compilation.text
        for side in ("Gold", "Basic"):
            assert side in prompt
        assert "agent sales on 2026-05-23" in prompt
        assert "agent desk on 2026-05-24" in prompt


async def test_one_side_alone_brings_the_other():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await serve(engine)
        [hit] = await engine.retrieve(ANA, "Which plan is Ana on?", agent="next", limit=1)
        assert len({hit.memories[0].agent, hit.against[0].agent}) == 2


async def test_a_side_that_no_longer_holds_contradicts_nothing():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await serve(engine)
        page = await engine.memories.list(ANA)
        gold = next(memory for memory in page if memory.value == "Gold")
        basic = next(memory for memory in page if memory.value == "Basic")
        assert [one.id for one in await engine.memories.against(ANA, gold.id)] == [basic.id]
        await engine.memories.retract(ANA, basic.id)
        assert await engine.memories.against(ANA, gold.id) == ()
        found = await engine.retrieve(ANA, "Which plan is Ana on?", agent="next")
        assert not any(hit.against for hit in found)
        assert "against it" not in (await engine.assemble(ANA, "Which plan is Ana on?", budget=500)).compilation.text


async def test_forgetting_one_side_ends_the_contradiction():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await serve(engine)
        await engine.forget(ANA, conversation="desk")
        [hit] = await engine.retrieve(ANA, "Which plan is Ana on?", agent="next")
        assert (hit.record.text, hit.against) == (GOLD, ())


async def test_what_the_user_says_anew_settles_it():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await serve(engine, by_user=True)
        every = await engine.memories.list(ANA, MemoryFilter(attribute="plan", statuses=tuple(Status)))
        assert {(memory.value, memory.status) for memory in every} == {("Gold", Status.SUPERSEDED), ("Basic", Status.CURRENT)}
        assert not any(hit.against for hit in await engine.retrieve(ANA, "Which plan is Ana on?"))
