"""The ways agent memory fails, one test each: held off by its primitive, and back again once that primitive is switched off."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import accumulate

import pytest
from cases import ANA, BEN, CLIENT, NOON, STORES, opened, texts, url_of

from muniment import Filter, Role, Scope, Turn
from muniment.architect import default_architecture
from muniment.knowledge.architecture import Admission
from muniment.knowledge.values import MemoryFilter

EVERYTHING = Admission(confidence=0.0, least_words=0, refuse=())
MANY = 200


@pytest.fixture(params=STORES)
async def engine(request, tmp_path):
    async with opened(url_of(request.param, tmp_path), embedder=None) as engine:
        yield engine


def changed(**parts):
    """The default architecture with these parts in place of its own."""
    return replace(default_architecture("default"), **parts)


async def told(engine, scope, *turns, **options):
    """Ingest, and let what is derived be derived."""
    await engine.ingest(scope, turns, **options)
    await engine.work.wait()


async def known(engine, scope, **where):
    return [memory.text for memory in (await engine.memories.list(scope, MemoryFilter(**where), limit=500)).memories]


def heartbeat(number):
    return (
        Turn(text=f"Heartbeat {number}: poll the queue and report.", role=Role.SYSTEM),
        Turn(text="ok", role=Role.USER),
        Turn(text=f"HEARTBEAT_OK. Worker {number} lives in Oslo.", role=Role.USER),
        Turn(text="Suppose I lived in Rome and owned a scooter.", role=Role.USER),
        Turn(text=f"As I told you in run {number}: I live in Bergen.", role=Role.ASSISTANT),
        Turn(text="Thanks!", role=Role.USER),
        Turn(text="I'm sorry, I cannot help with that.", role=Role.ASSISTANT),
        Turn(text="Error: connection refused (attempt 3)", role=Role.TOOL),
    )


@pytest.mark.parametrize(("admission", "clean"), [(None, True), (EVERYTHING, False)], ids=["as it is", "admission off"])
async def test_junk_does_not_pile_up_unless_everything_is_admitted(engine, admission, clean):
    if admission:
        await engine.architecture.apply(changed(admission=admission))
    await told(engine, ANA, "I live in Ghent.", *(turn for number in range(20) for turn in heartbeat(number)))
    texts_kept = await known(engine, ANA)
    assert any("Ghent" in text for text in texts_kept)
    assert (len(texts_kept) == 1) is clean


@pytest.mark.parametrize("derived", [True, False], ids=["as it is", "enrichment off"])
async def test_a_detail_is_found_by_what_it_means_unless_nothing_is_derived(engine, derived):
    talk = [
        Turn(text="I'm on the Silver plan.", said_at=NOON - timedelta(days=60)),
        Turn(text="We moved from Silver to Gold.", said_at=NOON - timedelta(days=30)),
        Turn(text="The plan for the weekend changed twice.", said_at=NOON - timedelta(days=2)),
    ]
    await engine.ingest(ANA, talk)
    if derived:
        await engine.work.wait()
        assert any("Gold" in text for text in await known(engine, ANA, attribute="plan"))
    bundle = await (engine.retrieve(ANA, "Which plan am I on?") if derived else unjoined(engine, ANA, "Which plan am I on?"))
    assert (texts(bundle)[0] == talk[1].text) is derived


@pytest.mark.parametrize(("merge_at", "one"), [(None, True), (1.0, False)], ids=["as it is", "linking off"])
async def test_three_names_are_one_person_unless_nothing_is_linked(engine, merge_at, one):
    if merge_at:
        entities = tuple(
            replace(rule, merge_at=merge_at, review_at=merge_at) for rule in default_architecture("default").entities
        )
        await engine.architecture.apply(changed(entities=entities))
    names = ("Imke Vos", "Imke", "IV")
    await told(engine, ANA, *(Turn(text=f"{name} here. I work at Nordwind.", speaker=name) for name in names))
    people = [entity for entity in (await engine.entities.list(ANA)).entities if entity.kind == "person"]
    assert (len(people) == 1) is one


@pytest.mark.parametrize(("written", "kept_apart"), [(ANA, True), (CLIENT, False)], ids=["as it is", "unscoped"])
async def test_nothing_leaks_to_another_user_unless_it_is_written_without_a_scope(engine, written, kept_apart):
    await told(engine, written, "I'm allergic to penicillin.")
    found = (*texts(await engine.retrieve(BEN, "Who is allergic to penicillin?")), *await known(engine, BEN))
    assert (not found) is kept_apart


@pytest.mark.parametrize("scoped_to_user", [True, False], ids=["as it is", "a scope per session"])
async def test_another_session_knows_what_was_told_unless_each_has_its_own_scope(engine, scoped_to_user):
    monday, friday = (ANA, ANA) if scoped_to_user else (Scope(user="session-1"), Scope(user="session-2"))
    await told(engine, monday, "I'm allergic to penicillin.", conversation="monday")
    made = await engine.assemble(friday, "What am I allergic to?", budget=500, conversation="friday")
    assert ("penicillin" in made.compilation.text) is scoped_to_user


@pytest.mark.parametrize("behind", [True, False], ids=["as it is", "waiting for enrichment"])
async def test_a_turn_never_waits_for_enrichment_unless_one_asks_to(engine, behind):
    turns = [f"Task {number}: Viktor moved to Porto, and I prefer tea over coffee." for number in range(MANY)]
    receipt = await engine.ingest(ANA, [*turns, "The gate code hint is zanzibar."])
    if not behind:
        await engine.work.wait()
    backlog = await engine.work.backlog()
    assert (backlog.queued + backlog.processing > 0) is behind
    assert all(item.id for item in receipt.items)
    assert "zanzibar" in texts(await engine.retrieve(ANA, "zanzibar"))[0]


@pytest.mark.parametrize("recalled", [True, False], ids=["as it is", "the last turns only"])
async def test_what_was_told_long_ago_is_in_the_prompt_unless_history_is_cut(engine, recalled):
    await engine.ingest(ANA, ["My locker combination word is marzipan.", *chatter(MANY)], conversation="long")
    asked, budget = "What is my locker combination word?", 300
    made = await engine.assemble(ANA, asked, budget=budget, conversation="long")
    history = [record.text for record in (await engine.list(ANA, where=Filter(conversation="long"), limit=500)).records]
    prompt = made.compilation.text if recalled else "\n".join(_while_it_fits(history, budget, engine.tokens.count))
    assert made.compilation.tokens <= budget
    assert ("marzipan" in prompt) is recalled


@pytest.mark.parametrize(("budget", "bounded"), [(400, True), (1_000_000, False)], ids=["as it is", "no budget"])
async def test_the_cost_of_a_long_conversation_grows_with_its_turns_unless_prompts_are_unbounded(engine, budget, bounded):
    spent = []
    for start in range(0, MANY, 20):
        await engine.ingest(ANA, chatter(20, start=start), conversation="long")
        spent.append((await engine.assemble(ANA, "And now?", budget=budget, conversation="long")).compilation.tokens)
    half = len(spent) // 2
    growth = sum(spent[half:]) / sum(spent[:half])
    assert (growth < 1.5) is bounded
    assert (max(spent) <= 400) is bounded


def chatter(count, start=0):
    """Turns of small talk, none like another."""
    return [
        Turn(
            text=f"Round {number}: the tide table lists wave height {number * 7} near pier {number % 9}.",
            said_at=NOON + timedelta(minutes=number),
        )
        for number in range(start, start + count)
    ]


def _while_it_fits(latest_first, budget, count):
    spent = accumulate(count(text) for text in latest_first)
    return [text for text, tokens in zip(latest_first, spent, strict=True) if tokens <= budget]


async def unjoined(engine, scope, question):
    """The answer of an engine that never derived anything: the records alone, taken in anew."""
    async with opened("memory://", embedder=None) as bare:
        await bare.restore([record async for record in engine.export(scope)])
        return await bare.retrieve(scope, question)
