"""Tools that are gated out, evicted or over budget: no byte of them in any output, and no call to them is run."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Registry, Role, compile, to_anthropic, to_openai  # noqa: A004  the glossary's verb
from muniment.compile import Guard, openai_tools
from muniment.compile.gate import Gate
from muniment.compile.tools import called
from muniment.errors import ToolRefused
from muniment.testing import CountingTokens
from muniment.types import Band, Fate, Tool, ToolCall

NAMES = ("send_money", "read_mail", "book.table", "weather", "translate", "delete_file", "search/web", "set_alarm")


def words_of(name):
    """Words that stand in one tool only: of its name, description, parameters, values and prose."""
    stem = "".join(c for c in name if c.isalpha())
    return [name, *(f"{stem}zq{part}" for part in ("described", "param", "paramtext", "value", "prose", "title"))]


def schema_of(name):
    _, _, param, text, value, _, title = words_of(name)
    properties = {param: {"type": "string", "description": text, "enum": [value, "common"], "title": title}}
    return {"type": "object", "properties": properties, "required": [param], "additionalProperties": False}


def with_tools(names=NAMES, *, band=Band.VOLATILE, **more):
    registry = Registry()
    registry.write("You are a concierge.", name="role", band=Band.PINNED)
    registry.write("Answer in one sentence.", name="policy")
    registry.write("Good evening.", name="turn", band=Band.SESSION, role=Role.USER)
    for name in names:
        _, described, _, _, _, prose, _ = words_of(name)
        tool = Tool(name=name, description=described, parameters=json.dumps(schema_of(name)))
        registry.write(prose, name=name, tool=tool, band=band, **more)
    registry.write("Now, please.", name="message", band=Band.VOLATILE, role=Role.USER, required=True)
    return registry


def compiled(registry, budget=100_000, **more):
    return compile(registry, budget=budget, tokens=CountingTokens(), **more)


def all_that_a_model_sees(made):
    whole = [made.text, to_openai(made), to_openai(made, one_system=True), openai_tools(made), to_anthropic(made)]
    return json.dumps(whole, ensure_ascii=False)


def assert_gone(made, name):
    seen = all_that_a_model_sees(made)
    assert [word for word in (*words_of(name), called(name)) if word in seen] == []
    guard = Guard(made)
    ran = []
    for spelled in (
        name,
        called(name),
        name.upper(),
        f"functions.{name}",
        f" {name}",
        json.dumps({"name": name}),
        f"{name}\u200b",
    ):
        with pytest.raises(ToolRefused) as error:
            guard.dispatch(spelled, json.dumps({words_of(name)[2]: "common"}), {name: ran.append, spelled: ran.append})
        assert error.value.reason == "unknown_tool"
    assert (ran, sum(guard.attempted.values()), guard.dispatched) == ([], 7, {})


def assert_there(made, name):
    seen = all_that_a_model_sees(made)
    assert [word for word in (*words_of(name), called(name)) if word not in seen] == []
    assert name in Guard(made).allowed


def by_words(task, blocks):
    """Scores by the words of the task that name the tool."""
    return [float(sum(block.name == word for word in task.split())) for block in blocks]


class TestEviction:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("band", [Band.STABLE, Band.VOLATILE])
    def test_vector_89_an_evicted_tool_leaves_no_byte_and_no_way_to_call_it(self, name, band):
        registry = with_tools(band=band)
        assert_there(compiled(registry), name)
        registry.evict(registry.named(name)[0].id)
        made = compiled(registry)
        assert_gone(made, name)
        for other in NAMES:
            if other != name:
                assert_there(made, other)

    def test_a_tool_taken_back_is_offered_again_by_a_new_guard_only(self):
        registry = with_tools(["send_money", "weather"])
        block = registry.evict(registry.named("send_money")[0].id)
        before = Guard(compiled(registry))
        registry.write(block.text, name=block.name, tool=block.tool, band=block.band)
        assert Guard(compiled(registry)).check("send_money") == "send_money"
        with pytest.raises(ToolRefused):
            before.check("send_money")

    def test_past_calls_stay_in_the_conversation_as_they_were_said_but_no_schema_does(self):
        registry = with_tools(["send_money"])
        call = ToolCall(id="c", name="send_money", arguments="{}")
        registry.write("", name="call", band=Band.SESSION, role=Role.ASSISTANT, tool_calls=[call])
        registry.write("Sent.", name="result", band=Band.SESSION, role=Role.TOOL, tool_call_id="c")
        registry.evict(registry.named("send_money")[0].id)
        made = compiled(registry)
        seen = all_that_a_model_sees(made)
        assert [word for word in words_of("send_money") if word in seen] == ["send_money"]
        assert openai_tools(made) == []
        with pytest.raises(ToolRefused):
            Guard(made).check("send_money")


class TestBudget:
    def test_vector_89_a_tool_that_does_not_fit_is_gone_as_well(self):
        registry = with_tools()
        left_out = set()
        for budget in range(11, 44, 1):
            made = compiled(registry, budget=budget)
            for name in NAMES:
                if name in made.names:
                    assert_there(made, name)
                else:
                    assert_gone(made, name)
                    left_out.add(name)
        assert left_out == set(NAMES)


class TestGate:
    def test_vector_89_what_the_gate_refuses_is_gone(self):
        made = compiled(with_tools(), task="weather book.table", gate=Gate(by_words, threshold=1.0))
        for name in NAMES:
            if name in ("weather", "book.table"):
                assert_there(made, name)
            else:
                assert_gone(made, name)

    def test_survivors_stand_in_the_order_of_the_registry_in_every_output(self):
        made = compiled(with_tools(), task="translate weather send_money", gate=Gate(by_words, top=3))
        assert Guard(made).allowed == ("send_money", "weather", "translate")
        assert [t["function"]["name"] for t in openai_tools(made)] == ["send_money", "weather", "translate"]
        assert [t["name"] for t in to_anthropic(made)["tools"]] == ["send_money", "weather", "translate"]

    def test_the_rest_of_the_prompt_is_the_same_bytes_whatever_the_gate_lets_in(self):
        registry = with_tools()
        fronts = set()
        for task in NAMES:
            made = compiled(registry, task=task, gate=Gate(by_words, threshold=1.0))
            shape = to_anthropic(made)
            assert len(shape["tools"]) == 1
            fronts.add(json.dumps([made.text.split("\n\n[tool ")[0], to_openai(made), shape["system"], shape["messages"]]))
        assert len(fronts) == 1

    def test_a_tool_that_is_not_gated_or_is_steady_is_always_offered(self):
        for more in ({"gated": False}, {"required": True}, {"band": Band.STABLE}):
            made = compiled(with_tools(["weather"], **more), task="other", gate=Gate(by_words, threshold=1.0))
            assert_there(made, "weather")

    @given(st.sets(st.sampled_from(NAMES)), st.integers(1, 8))
    def test_offered_and_allowed_are_one_set(self, wanted, top):
        made = compiled(with_tools(), task=" ".join(wanted) or "none", gate=Gate(by_words, threshold=0.5, top=top))
        allowed = set(Guard(made).allowed)
        assert allowed == {block.tool.name for block in made.blocks if block.tool} == {tool.name for tool in made.tools}
        assert len(allowed) == min(top, len(wanted))
        assert allowed <= wanted
        refused = [row.name for row in made.left_out if row.fate in (Fate.BELOW_THRESHOLD, Fate.BELOW_TOP)]
        assert set(refused) == set(NAMES) - allowed


class Stubborn:
    """A model that calls one tool whatever it is shown."""

    def reply(self, name, turn):
        call = {"id": f"c{turn}", "type": "function", "function": {"name": name, "arguments": '{"sendmoneyzqparam": "common"}'}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


class TestStubbornModel:
    """Attempted and dispatched calls per arm: only what is offered decides what runs."""

    def dispatched(self, registry, turns=50):
        guard = Guard(compiled(registry))
        answers = 0
        for turn in range(turns):
            calls = guard.calls(Stubborn().reply("send_money", turn))
            answers += len(calls.refusals)
            for call in calls.allowed:
                guard.dispatch(call.name, call.arguments, {"send_money": lambda **given: given})
        assert guard.attempted == {"send_money": turns}
        assert answers == turns - guard.dispatched["send_money"]
        return guard.dispatched["send_money"]

    def test_present(self):
        assert self.dispatched(with_tools()) == 50

    def test_present_with_an_instruction_not_to_use_it(self):
        registry = with_tools()
        registry.write("Never call send_money.", name="ban", band=Band.PINNED)
        assert self.dispatched(registry) == 50

    def test_evicted(self):
        registry = with_tools()
        registry.evict(registry.named("send_money")[0].id)
        assert self.dispatched(registry) == 0

    def test_evicted_but_mentioned_elsewhere(self):
        registry = with_tools()
        registry.evict(registry.named("send_money")[0].id)
        registry.write("The tool send_money takes sendmoneyzqparam.", name="hint")
        assert self.dispatched(registry) == 0
