"""What stands around hits: pairs kept whole, never twice, never beyond the conversation, always within its tokens."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from cases import ANA, BEN, NOON, NORTH, opened
from hypothesis import given, settings
from hypothesis import strategies as st

import muniment
from muniment import Filter, Kind, Role, ToolCall, Turn
from muniment.architect import default_architecture, write_architecture
from muniment.errors import QueryError
from muniment.testing import CountingTokens, FixedClock

TALK = [
    Turn(text="Good morning from the harbour.", role=Role.USER),
    Turn(text="Good morning, how may I help?", role=Role.ASSISTANT),
    Turn(text="It rained all week.", role=Role.USER),
    Turn(text="Where does the violin hang?", role=Role.USER),
    Turn(text="Above the fireplace.", role=Role.ASSISTANT),
    Turn(text="Thank you kindly.", role=Role.USER),
]
WAY = {"conversation": "monday"}


async def around(engine, query, *, context=1000, scope=ANA, **asked):
    bundle = await engine.retrieve(scope, query, context=context, **{"limit": 1, **asked})
    return [hit.record.text for hit in bundle if hit.attached], bundle


async def test_the_turns_beside_a_hit_and_the_start_of_its_conversation_come_along(engine):
    await engine.ingest(ANA, TALK, **WAY)
    texts, bundle = await around(engine, "violin")
    assert texts == [TALK[0].text, TALK[1].text, TALK[2].text, TALK[4].text]
    assert bundle.tokens == sum(hit.tokens for hit in bundle)
    assert all(hit.score == 0 and not hit.channels for hit in bundle if hit.attached)
    assert not bundle.hits[0].attached


@pytest.mark.parametrize(
    ("tokens", "wanted"), [(0, []), (2, []), (3, [4]), (6, [4]), (7, [2, 4]), (12, [0, 2, 4]), (18, [0, 1, 2, 4])]
)
async def test_an_answer_comes_before_other_neighbours_and_those_before_the_start(engine, tokens, wanted):
    await engine.ingest(ANA, TALK, **WAY)
    texts, bundle = await around(engine, "violin", context=tokens)
    assert texts == [TALK[n].text for n in wanted]
    assert any("did not fit" in line for line in bundle.explanation) is (0 < tokens < 18)


async def test_a_question_comes_before_what_follows_its_answer(engine):
    await engine.ingest(ANA, TALK, **WAY)
    assert (await around(engine, "fireplace", context=5))[0] == [TALK[3].text]


async def test_without_context_the_answer_is_the_one_it_was(engine):
    await engine.ingest(ANA, TALK, **WAY)
    assert await engine.retrieve(ANA, "violin") == await engine.retrieve(ANA, "violin", context=0)


async def test_context_stays_within_the_budget_of_the_answer(engine):
    await engine.ingest(ANA, TALK, **WAY)
    _, bundle = await around(engine, "violin", budget=9)
    assert [hit.record.text for hit in bundle] == [TALK[3].text, TALK[4].text]
    assert bundle.tokens <= 9


async def test_nothing_comes_twice_nor_from_another_conversation_or_scope(engine):
    await engine.ingest(ANA, [TALK[3], TALK[4]], conversation="monday")
    await engine.ingest(ANA, [Turn(text="Tuesday talk.")], conversation="tuesday")
    await engine.ingest(BEN, [Turn(text="A sibling speaks.")], conversation="monday")
    await engine.ingest(NORTH, [Turn(text="The customer speaks.")], conversation="monday")
    await engine.ingest(ANA, [TALK[5]], conversation="monday")
    await engine.ingest(ANA, [Turn(text="A violin of no conversation.")])
    texts, bundle = await around(engine, "violin", limit=2)
    assert texts == [TALK[4].text]
    assert len({hit.record.id for hit in bundle}) == len(bundle) == 3


async def test_a_call_and_its_results_come_whole_or_not_at_all(engine):
    calls = (ToolCall(id="c1", name="depth", arguments="{}"), ToolCall(id="c2", name="tide", arguments="{}"))
    turns = [
        Turn(text="How deep is the berth?"),
        Turn(text="", role=Role.ASSISTANT, tool_calls=calls),
        Turn(text="Four metres.", role=Role.TOOL, tool_call_id="c1"),
        Turn(text="High water at noon.", role=Role.TOOL, tool_call_id="c2"),
        Turn(text="It is deep enough for the schooner.", role=Role.ASSISTANT),
    ]
    await engine.ingest(ANA, turns, **WAY)
    whole = ["", "Four metres.", "High water at noon."]
    assert (await around(engine, "schooner", context=10))[0] == whole
    assert (await around(engine, "schooner", context=6))[0] == [turns[0].text]  # the pair does not fit, the start does
    assert (await around(engine, "metres", context=8))[0] == [whole[0], whole[2]]


async def test_passages_beside_a_passage_are_those_of_its_document(engine):
    def passages(name, *texts):
        return [Turn(text=text, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=name) for text in texts]

    await engine.ingest(ANA, passages("rules.md", "Ropes are coiled.", "The crane lifts ten tons.", "Lamps are lit."))
    await engine.ingest(ANA, passages("menu.md", "Soup is hot."))
    assert (await around(engine, "crane"))[0] == ["Ropes are coiled.", "Lamps are lit."]
    assert (await around(engine, "lamps"))[0] == ["The crane lifts ten tons."]


async def test_a_filter_by_speaker_leaves_others_around_a_hit_and_one_by_time_does_not(engine):
    await engine.ingest(ANA, [replace(turn, said_at=NOON.replace(minute=n)) for n, turn in enumerate(TALK)], **WAY)
    assert (await around(engine, "violin", where=Filter(role=Role.USER), context=4))[0] == [TALK[4].text]
    assert TALK[4].text not in (await around(engine, "violin", where=Filter(until=NOON.replace(minute=4))))[0]


async def test_what_no_longer_holds_is_marked_around_a_hit_too(engine):
    await engine.ingest(ANA, ["I live in Porto.", "The violin is sold."], **WAY)
    await engine.ingest(ANA, ["I moved to Faro."], conversation="later")
    await engine.work.wait()
    _, bundle = await around(engine, "violin")
    assert [hit.superseded for hit in bundle if hit.attached] == [True]


async def test_a_private_conversation_is_nobodys_context(url):
    async with opened(url, clock=FixedClock(NOON)) as engine:
        await engine.architecture.apply(write_architecture(replace(default_architecture("desk"), private_conversations=True)))
        await engine.ingest(ANA, TALK, agent="desk", **WAY)
        for asking, found in ((None, 0), ("other", 0), ("monday", 4)):
            texts, _ = await around(engine, "violin", agent="desk", conversation=asking)
            assert len(texts) == found


async def test_T01_a_prompt_takes_context_where_hits_leave_room_and_says_how_long_ago_in_its_volatile_end(url):
    clock = FixedClock(NOON)
    async with opened(url, clock=clock) as engine:
        engine.salt = "same"
        await engine.ingest(ANA, [replace(turn, said_at=NOON.replace(month=1)) for turn in TALK[3:5]], **WAY)
        how = {"budget": 400, "instructions": "Answer from the evidence.", "context": 100}
        with_it = await engine.assemble(ANA, "Tell me of the violin.", **how)
        assert "[2026-01-20, 8 weeks ago, assistant] Above the fireplace." in with_it.compilation.text
        clock.at += timedelta(hours=3)
        assert (await engine.assemble(ANA, "Tell me of the violin.", **how)).compilation.text == with_it.compilation.text
        clock.at += timedelta(days=40)
        later = (await engine.assemble(ANA, "Tell me of the violin.", **how)).compilation
        assert "[2026-01-20, 3 months ago, assistant]" in later.text
        stable = with_it.compilation.text.index("<muniment-data")
        assert later.text[:stable] == with_it.compilation.text[:stable]
        tight = await engine.assemble(ANA, "Tell me of the violin.", **{**how, "budget": 40})
        assert tight.compilation.tokens <= 40


async def test_T01_an_age_never_costs_a_hit_its_place(url):
    async with opened(url, clock=FixedClock(NOON), embedder=None) as engine:
        lines = [f"The violin number {n} hangs above the fireplace." for n in range(4)]
        await engine.ingest(ANA, [Turn(text=line, said_at=NOON.replace(month=1)) for line in lines], **WAY)

        async def prompt(budget):
            made = await engine.assemble(ANA, "Tell me of the violin.", budget=budget)
            return made.compilation.text

        budget = 20
        while (await prompt(budget)).count("The violin number") < len(lines):
            budget += 1
        assert (await prompt(budget)).count("[2026-01-20 user]") == len(lines)
        assert (await prompt(budget + 40)).count("[2026-01-20, 8 weeks ago, user]") == len(lines)


@pytest.mark.parametrize("context", [-1, 1.5, "9", None, True, float("nan"), 10**12])
async def test_vector_29_a_context_out_of_range_is_refused(engine, context):
    with pytest.raises(QueryError) as refused:
        await engine.retrieve(ANA, "violin", context=context)
    assert (refused.value.code, refused.value.place) == ("range", "context")


WORDS = st.sampled_from(["violin", "harp", "tide", "a b c", "one two", "Is it?"])
TURNS = st.lists(
    st.tuples(WORDS, st.sampled_from(["monday", "tuesday", None]), st.sampled_from([Role.USER, Role.ASSISTANT])), max_size=12
)


@settings(max_examples=40, deadline=None)
@given(TURNS, st.integers(0, 12), st.integers(1, 4), st.none() | st.integers(1, 12))
def test_context_is_within_its_tokens_without_repeats_and_changes_no_hit(turns, context, limit, budget):
    with muniment.sync.open("memory://", embedder=None, tokens=CountingTokens()) as engine:
        said = [Turn(text=t, role=role, conversation=talk, key=f"k{n}") for n, (t, talk, role) in enumerate(turns)]
        if said:
            engine.ingest(ANA, said)
        plain = engine.retrieve(ANA, "violin harp", limit=limit, budget=budget)
        bundle = engine.retrieve(ANA, "violin harp", limit=limit, budget=budget, context=context)
    assert [hit.record.id for hit in bundle if not hit.attached] == [hit.record.id for hit in plain]
    assert sum(hit.tokens for hit in bundle if hit.attached) <= context
    assert budget is None or bundle.tokens <= budget
    assert len({hit.record.id for hit in bundle}) == len(bundle)
    talk = None
    for hit in bundle:
        if not hit.attached:
            talk = hit.record.conversation
        assert hit.record.conversation == talk
        assert not hit.attached or talk is not None
