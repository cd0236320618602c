"""Private conversations in two worlds: what was said in another one changes nothing of what is found and made here."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta

import pytest
from cases import STORES, opened, url_of

from muniment import Filter, Registry, Role, Scope, Turn
from muniment.errors import NotFound, QueryError, ScopeError
from muniment.knowledge.values import MemoryFilter, Status
from muniment.retrieve.sight import Sight
from muniment.testing import FixedClock, TableEmbedder

ANA = Scope(client="clinic", user="ana")
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
PRIVATE = "agent: intake\nprivate_conversations: true\n"
QUESTIONS = (
    "Where does Ana live?",
    "Where do I live now?",
    "Which plan am I on?",
    "What does Sarah Chen do?",
    "What is Zoe allergic to?",
    "When did I move?",
    "what did we say yesterday",
    "tea",
)
SHARED = ["My plan is Harbor Basic.", "Sarah works at the mill."]
HERE = [
    "I live in Porto.",
    "My sister Sarah Chen is a nurse.",
    "I love green tea.",
    "I decided to take the night shift because it pays more.",
]
ELSEWHERE = [
    "I moved to Braga yesterday.",
    "My plan is Harbor Plus now.",
    "SC stands for Sarah Chen, and Sarah Chen is a pilot.",
    "I hate green tea and Zoe is allergic to nuts.",
    "I was wrong about the night shift, forget it. The night shift is cancelled.",
]


def said(texts, conversation, day, speaker="Ana"):
    start = NOON - timedelta(days=10 - day)
    return [
        Turn(text=text, speaker=speaker, said_at=start + timedelta(minutes=at), conversation=conversation)
        for at, text in enumerate(texts)
    ]


def shown(bundle):
    """All of an answer but the numbers by which a store counts arrivals."""
    hits = [replace(hit, record=replace(hit.record, seq=0), memories=tuple(map(_bare, hit.memories))) for hit in bundle]
    return [asdict(hit) for hit in hits], bundle.explanation, asdict(bundle.health)


def _bare(memory):
    return replace(memory, seq=0, recalled=0, recalled_at=None)


async def made(engine, scope=ANA):
    page = await engine.memories.list(scope, MemoryFilter(statuses=tuple(Status)), limit=500)
    return sorted(page.memories, key=lambda memory: memory.id)


async def world(engine, *, other, agent="intake"):
    """What is said here, with what is said in another conversation before and after it, or without."""
    await engine.architecture.apply(PRIVATE)
    told = [(said(SHARED, None, 0), "intake"), (said(HERE[:2], "here", 2), "intake"), (said(HERE[2:], "here", 4), "intake")]
    if other:
        told.insert(1, (said(ELSEWHERE[:2], "elsewhere", 1, "Ana"), agent))
        told.insert(3, (said(ELSEWHERE[2:], "elsewhere", 3, "Zoe"), agent))
    for turns, by in told:
        await engine.ingest(ANA, turns, agent=by)
        await engine.work.wait()


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("embedder", [None, "table"])
async def test_another_conversation_changes_no_answer_and_no_memory_here(store, embedder, tmp_path):
    answers = []
    for other in (False, True):
        vectors = TableEmbedder(dim=16) if embedder else None
        (tmp_path / str(other)).mkdir()
        async with opened(url_of(store, tmp_path / str(other)), embedder=vectors, clock=FixedClock(NOON)) as engine:
            engine.salt = "the same in both worlds"
            await world(engine, other=other)
            found = [shown(await engine.retrieve(ANA, q, agent="intake", conversation="here")) for q in QUESTIONS]
            prompt = await engine.assemble(ANA, "Where do I live?", agent="intake", conversation="here", budget=500)
            mine = [_bare(memory) for memory in await made(engine) if memory.conversation in (None, "here")]
            answers.append((found, prompt.compilation.text, mine))
    assert answers[0] == answers[1]
    assert "Braga" not in answers[1][1]


@pytest.mark.parametrize("store", STORES)
async def test_what_a_private_agent_heard_comes_back_to_no_other_agent_elsewhere(store, tmp_path):
    async with opened(url_of(store, tmp_path), embedder=None, clock=FixedClock(NOON)) as engine:
        await engine.architecture.apply(PRIVATE)
        await engine.ingest(ANA, said(["I live in Porto."], "desk", 0), agent="desk")
        await engine.ingest(ANA, said(["I moved to Braga."], "here", 1), agent="intake")
        await engine.work.wait()
        for conversation in (None, "desk"):
            found = await engine.retrieve(ANA, "Where does Ana live?", agent="desk", conversation=conversation)
            assert [hit.record.text for hit in found] == ["I live in Porto."]
            assert [memory.status for hit in found for memory in hit.memories] == [Status.CURRENT]
        found = await engine.retrieve(ANA, "Where does Ana live?", agent="desk", conversation="here")
        assert {hit.record.text for hit in found} == {"I live in Porto.", "I moved to Braga."}


async def test_the_conversation_that_asks_hears_what_was_said_in_none_and_a_filter_asks_in_its_own():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await world(engine, other=True)
        here = {hit.record.conversation for hit in await engine.retrieve(ANA, "plan tea", agent="intake", conversation="here")}
        assert here == {None, "here"}
        there = await engine.retrieve(ANA, "plan tea", agent="intake", where=Filter(conversation="elsewhere"))
        assert {hit.record.conversation for hit in there} == {"elsewhere"}
        other = await engine.retrieve(
            ANA, "plan tea", agent="intake", conversation="here", where=Filter(conversation="elsewhere")
        )
        assert other.hits == ()
        nowhere = await engine.retrieve(ANA, "plan tea", agent="intake")
        assert {hit.record.conversation for hit in nowhere} == {None}


async def test_what_is_corrected_by_hand_stays_in_the_conversation_it_was_said_in():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await world(engine, other=True)
        [old] = [memory for memory in await made(engine) if memory.value == "Braga"]
        await engine.memories.update(ANA, old.id, "Ana lives in Aveiro", value="Aveiro")
        await engine.work.wait()
        found = await engine.retrieve(ANA, "Where does Ana live?", agent="intake", conversation="here")
        assert not any("Aveiro" in hit.record.text for hit in found)
        found = await engine.retrieve(ANA, "Where does Ana live?", agent="intake", conversation="elsewhere")
        assert any("Aveiro" in hit.record.text for hit in found)


async def test_read_anew_under_looser_rules_what_was_private_is_known_again():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await world(engine, other=True)
        assert any(memory.private for memory in await made(engine))
        await engine.architecture.apply("agent: intake\n")
        await engine.work.rederive(ANA)
        await engine.work.wait()
        assert not any(memory.private for memory in await made(engine) if memory.status is Status.CURRENT)
        found = await engine.retrieve(ANA, "Where does Ana live?", agent="intake", conversation="here")
        assert any("Braga" in hit.record.text for hit in found)


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT])
async def test_without_private_conversations_one_conversation_knows_of_the_other(role):
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await engine.ingest(ANA, [replace(turn, role=role) for turn in said(["Ana moved to Braga."], "elsewhere", 1)])
        await engine.work.wait()
        found = await engine.retrieve(ANA, "Where does Ana live?", conversation="here")
        assert [hit.record.text for hit in found] == ["Ana moved to Braga."]


@pytest.mark.parametrize("agent", ["intake", "desk"])
@pytest.mark.parametrize("conversation", [None, "desk"])
async def test_explain_does_not_know_what_was_said_in_private_elsewhere(agent, conversation):
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await engine.architecture.apply(PRIVATE)
        (record,) = (await engine.ingest(ANA, said(["I take aspirin."], "here", 0), agent="intake")).ids
        with pytest.raises(NotFound):
            await engine.explain(ANA, "aspirin", record, agent=agent, conversation=conversation)
        assert (await engine.explain(ANA, "aspirin", record, agent=agent, conversation="here")).code == "found"


async def test_memories_follow_the_present_rules_of_the_agent_that_heard_them():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        (record,) = (await engine.ingest(ANA, said(["I take aspirin."], "here", 0), agent="intake")).ids
        await engine.work.wait()
        (memory,) = await made(engine)
        await engine.architecture.apply(PRIVATE)
        rules_of = engine.architecture.current

        async def seen(conversation):
            def fresh():
                return Sight(store=engine.store, rules=desk, rules_of=rules_of, conversation=conversation)

            desk = await rules_of("desk")
            listed = (await fresh().memories(ANA, MemoryFilter(), limit=5, now=NOON)).memories
            proved = await fresh().proved_by(ANA, [record])
            return len(listed), len(await fresh().memory(ANA, [memory.id])), len(proved)

        assert await seen("desk") == (0, 0, 0)
        assert await seen("here") == (1, 1, 1)


async def test_no_memory_in_sight_is_skipped_between_two_pages():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await engine.architecture.apply(PRIVATE)
        for number in range(5):
            await engine.memories.add(ANA, f"Fact {number} holds.")
        await engine.ingest(ANA, said(["I take aspirin."], "here", 0), agent="intake")
        await engine.work.wait()
        for memory in await made(engine):
            if memory.conversation:
                await engine.memories.update(ANA, memory.id, "I take methadone.")
        rules_of = engine.architecture.current
        sight = Sight(store=engine.store, rules=await rules_of("desk"), rules_of=rules_of)
        found, cursor = [], None
        while True:
            page = await sight.memories(ANA, MemoryFilter(), limit=2, now=NOON, before=cursor)
            assert len(page.memories) <= 2
            found += [memory.text for memory in page.memories]
            cursor = page.cursor
            if cursor is None:
                break
        assert sorted(found) == [f"Fact {number} holds." for number in range(5)]


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("by", ["default", "desk", "intake"])
async def test_new_words_of_a_private_memory_stay_in_its_conversation(by, before):
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        if before:
            await engine.architecture.apply(PRIVATE)
        await engine.ingest(ANA, said(["I take aspirin."], "here", 0), agent="intake")
        await engine.work.wait()
        await engine.architecture.apply(PRIVATE)
        (old,) = await made(engine)
        done = await engine.memories.correct(ANA, old.id, "I take methadone.", agent=by)
        assert (done.memory.private, done.memory.conversation) == (True, "here")
        record = done.memory.evidence[0].record
        for agent in ("default", "desk", "intake"):
            for conversation in (None, "desk"):
                assert not (await engine.retrieve(ANA, "methadone", agent=agent, conversation=conversation)).hits
                with pytest.raises(NotFound):
                    await engine.explain(ANA, "methadone", record, agent=agent, conversation=conversation)
        (hit,) = [
            h for h in await engine.retrieve(ANA, "methadone", agent="intake", conversation="here") if h.record.id == record
        ]
        assert hit.record.text == "I take methadone."


RULE = "Check the aspirin dose first."


async def reflected(engine, agent, **which):
    return await engine.runs.reflect(
        ANA, Registry(), run="r1", outcome="failed", agent=agent, reflector=lambda _episode: RULE, **which
    )


@pytest.mark.parametrize("agent", ["intake", "default"])
async def test_what_a_private_run_taught_is_loaded_in_it_alone_and_never_shared(agent):
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await engine.architecture.apply(PRIVATE)
        await engine.ingest(ANA, said(["I take aspirin and the dose was wrong."], "here", 0), agent="intake")
        learned = await reflected(engine, agent, conversation="here")
        assert (learned.memory.private, learned.memory.conversation) == (True, "here")
        for conversation in (None, "desk"):
            loaded = await engine.runs.load(ANA, Registry(), conversation=conversation)
            assert (loaded.rules, loaded.left_out) == ((), ())
        assert [rule.text for rule in (await engine.runs.load(ANA, Registry(), conversation="here")).rules] == [RULE]
        await engine.architecture.apply("agent: sharer\nkinds: {procedure: {share: client}}\n")
        with pytest.raises((QueryError, ScopeError)):
            await engine.memories.share(ANA, learned.memory.id, to="client", agent="sharer")


async def test_nothing_is_learned_of_two_private_conversations_at_once():
    async with opened("memory://", embedder=None, clock=FixedClock(NOON)) as engine:
        await engine.architecture.apply(PRIVATE)
        one = await engine.ingest(ANA, said(["I take aspirin."], "here", 0), agent="intake")
        two = await engine.ingest(ANA, said(["The dose was wrong."], "elsewhere", 1), agent="intake")
        learned = await reflected(engine, "default", records=[*one.ids, *two.ids])
        assert (learned.reason, bool(learned)) == ("several_private", False)
        assert not await made(engine) or all(memory.text != RULE for memory in await made(engine))
