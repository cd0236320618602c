"""Public cases of kind H, and those of other kinds where a model answers: what it writes is read, checked, and never believed."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from cases import ANA, kept, texts
from reading_models import known, reading, worked

from muniment import Turn
from muniment.errors import ProviderError
from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import WorkState
from muniment.testing import ScriptedAnswers
from muniment.testing.answers import memories, remembered

LIVES = remembered(1, "I live in Porto", "The user lives in Porto.", attribute="lives_in", value="Porto")
PORTO = json.dumps(memories(LIVES))


async def read(url, answers, turns=("I live in Porto.",), **options):
    """What is remembered of `turns` when a model answers so, and how the work of each ended."""
    model = answers if isinstance(answers, ScriptedAnswers) else ScriptedAnswers(*answers)
    async with reading(url, model, **options) as engine:
        receipt = await engine.ingest(ANA, turns)
        items = await worked(engine, ANA, receipt)
        assert receipt.ok
        assert await kept(engine, ANA) == [turn.text if isinstance(turn, Turn) else turn for turn in turns]
        return await known(engine, ANA), items


@pytest.mark.parametrize(
    "answer",
    [
        f"Here are the facts: {PORTO} hope this helps",
        f"```json\n{PORTO}\n```",
        f"```json\n{PORTO}",
        f"```\n```json\n{PORTO}\n```\n```",
        json.dumps({"memories": [{**LIVES, "note": "new", "id": 7}], "done": True}),
    ],
    ids=["H01 prose", "fence", "H09 half a fence", "V77 fenced twice", "V77 extra keys"],
)
async def test_H01_H09_vector_77_a_fact_is_found_whatever_stands_around_it(url, answer):
    assert (await read(url, [answer]))[0] == ["user lives in Porto"]


async def test_H03_half_a_character_costs_no_fact(url):
    told, [item] = await read(url, [PORTO.replace("in Porto.", "in Porto. \\ud83d")])
    assert item.state is WorkState.COMPLETED
    assert len(told) == 1
    assert told[0].startswith("user lives in Porto")


@pytest.mark.parametrize(
    "bad", [ProviderError("the model m cannot be reached.", hint="Try later."), '{"facts": ["a"]}', '{"memories": null}']
)
async def test_H04_an_error_never_looks_like_nothing_to_store(url, bad):
    told, [item] = await read(url, ScriptedAnswers(then=bad))
    assert told == []
    assert item.state is WorkState.FAILED
    assert "cannot be reached" in item.reason or "wrong_schema" in item.reason


async def test_H05_a_schema_echo_is_asked_for_again(url):
    model = ScriptedAnswers('{"type": "object", "properties": {"memories": {"type": "array"}}}', PORTO)
    assert (await read(url, model))[0] == ["user lives in Porto"]
    assert len(model.asked) == 2


async def test_H05_a_nested_value_is_kept_as_json_on_every_store(url):
    nested = remembered(
        1, "a b is 1 and 2", "The setup a b is 1 and 2", subject="setup", attribute="setup", value={"a": {"b": [1, 2]}}
    )
    async with reading(url, ScriptedAnswers(memories(nested))) as engine:
        await worked(engine, ANA, await engine.ingest(ANA, ["In the setup a b is 1 and 2."]))
        [memory] = (await engine.memories.list(ANA)).memories
    assert json.loads(memory.value) == {"a": {"b": [1, 2]}}


async def test_H07_an_item_without_a_part_costs_the_others_nothing(url):
    broken = {key: value for key, value in remembered(1, "I live in Porto", "user lives in Porto").items() if key != "kind"}
    told, [item] = await read(url, [memories(broken, LIVES)])
    assert told == ["user lives in Porto"]
    assert "refused:kind_not_kept" in item.outcomes


async def test_H08_a_runaway_answer_stores_no_hundreds(url):
    model = ScriptedAnswers(json.dumps(memories(*[LIVES] * 400))[:-300], memories(LIVES), memories())
    told, _ = await read(url, model, ["I live in Porto.", "I sail."])
    assert told == ["user lives in Porto"]
    assert [len(question.prompt.splitlines()) for question in model.asked] == [2, 1, 1]


async def test_H09_half_a_code_fence_is_read(url):
    assert (await read(url, [f"```json\n{PORTO}"]))[0] == ["user lives in Porto"]


async def test_A03_an_invented_profile_is_no_memory(url):
    invented = [
        remembered(1, "30-year-old engineer in London", "The user is a 30-year-old engineer in London"),
        remembered(1, "Deploy", "The user is a 30-year-old engineer in London", attribute="lives_in", value="London"),
        remembered(2, "green", "John is an engineer", subject="John", attribute="job", value="engineer"),
    ]
    turns = [
        Turn(role="assistant", speaker="planner", text="Deploy the service to staging."),
        Turn(role="assistant", speaker="runner", text="Staging is green."),
    ]
    told, items = await read(url, [memories(*invented)], turns)
    assert told == []
    assert sorted(code for item in items for code in item.outcomes if code.startswith("refused")) == sorted(
        ["refused:no_evidence", "refused:invented_number", "refused:invented_name"]
    )


async def test_A06_refusals_are_never_memories(url):
    model = ScriptedAnswers(
        *["Sorry, I cannot help with that."] * 5,
        '{"memories": [{"source": 1, "text": "Sorry',
        then="Sorry, I cannot help with that.",
    )
    told, [item] = await read(url, model)
    assert told == []
    assert (item.state, "refusal" in item.reason or "broke" in item.reason or "not_json" in item.reason) == (
        WorkState.FAILED,
        True,
    )


async def test_D06_a_date_out_of_the_models_memory_is_not_believed(url):
    turn = Turn(text="This morning I ran 5 km", said_at=datetime(2026, 5, 16, 9, tzinfo=UTC))
    dated = remembered(1, "This morning I ran 5 km", "The user ran 5 km", kind="event", when="25 May 2023")
    worse = remembered(1, "This morning I ran 5 km", "The user ran 5 km on 25 May 2023", kind="event")
    async with reading(url, ScriptedAnswers(memories(dated, worse)), at=datetime(2026, 5, 20, tzinfo=UTC)) as engine:
        await worked(engine, ANA, await engine.ingest(ANA, [turn]))
        [memory] = (await engine.memories.list(ANA)).memories
    assert memory.event.since.date().isoformat() == "2026-05-16"


async def test_E02_an_update_that_repeats_the_old_words_does_not_lose_the_new_ones(url):
    old = remembered(1, "I live in Porto", "The user lives in Porto", attribute="lives_in", value="Porto")
    model = ScriptedAnswers(memories(old), memories(old))
    async with reading(url, model, mode=Mode.BOTH) as engine:
        await worked(engine, ANA, await engine.ingest(ANA, ["I live in Porto."]))
        await worked(engine, ANA, await engine.ingest(ANA, ["I live in Lisbon now."]))
        current = [m.value for m in (await engine.memories.list(ANA)).memories if m.attribute == "lives_in"]
    assert current == ["Lisbon"]


SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


async def test_U04_a_model_never_sees_a_secret(url):
    model = ScriptedAnswers()
    async with reading(url, model) as engine:
        turns = [Turn(role="tool", text=f"export GITHUB_TOKEN={SECRET}"), f"my token is {SECRET}, and I live in Porto"]
        await worked(engine, ANA, await engine.ingest(ANA, turns))
    assert model.asked
    assert "Porto" in model.asked[-1].prompt
    assert all(SECRET not in f"{q.instructions}{q.prompt}" for q in model.asked)


async def test_a_record_whose_reading_failed_is_still_found(url):
    async with reading(url, ScriptedAnswers(then=ProviderError("down."))) as engine:
        receipt = await engine.ingest(ANA, ["The kettle is blue."])
        await worked(engine, ANA, receipt)
        assert texts(await engine.retrieve(ANA, "kettle")) == ["The kettle is blue."]
