"""The dispatcher's guard: exactly what the prompt offered is run, and every attempt is counted."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from muniment.compile import Attempt, Guard, to_openai
from muniment.compile import compile as compile_blocks
from muniment.compile.tools import called
from muniment.errors import BlockError, FormatError, ToolRefused
from muniment.testing import CountingTokens
from muniment.types import Band, Block, BlockId, Role, Tool, ToolCall

WEATHER = {"type": "object", "properties": {"place": {"type": "string"}, "days": {"type": "integer"}}, "required": ["place"]}


def tool(name, schema=WEATHER):
    made = Tool(name=name, description="Does it.", parameters=json.dumps(schema))
    return Block(id=BlockId(f"id of {name}"), name=name, text="Does it.", tool=made)


def guard(*names, **schemas):
    blocks = [*(tool(name) for name in names), *(tool(name, schema) for name, schema in schemas.items())]
    return Guard(compile_blocks(blocks, budget=10_000, tokens=CountingTokens()))


def weather(place, days=1):
    return f"{place} {days}"


def refusal(act, *given):
    with pytest.raises(ToolRefused) as error:
        act(*given)
    return error.value.reason


TWINS = [
    "Get_weather",
    "GET_WEATHER",
    "get-weather",
    "getWeather",
    "weather",
    " get_weather",
    "get_weather ",
    "get_weather\n",
    "get_weather\u200b",
    "get\u00ad_weather",
    "g\u0435t_weather",
    "\uff47et_weather",
    "functions.get_weather",
    "get_weather.get_weather",
    "default_api:get_weather",
    "mcp__server__get_weather",
    "get_weather()",
    '{"name": "get_weather"}',
    '"get_weather"',
    "get_weather\0",
    "",
    "evicted",
    "__class__",
    None,
    7,
    ["get_weather"],
]


class TestNames:
    @pytest.mark.parametrize("name", TWINS)
    def test_only_the_exact_name_is_known(self, name):
        one = guard("get_weather")
        assert refusal(one.check, name) == "unknown_tool"
        assert refusal(one.dispatch, name, '{"place": "Faro"}', {"get_weather": weather}) == "unknown_tool"
        assert sum(one.attempted.values()) == 2
        assert one.dispatched == {}

    def test_an_offered_tool_is_allowed_and_run(self):
        one = guard("get_weather")
        assert one.allowed == ("get_weather",)
        assert one.check("get_weather") == "get_weather"
        assert one.dispatch("get_weather", '{"place": "Faro", "days": 2}', {"get_weather": weather}) == "Faro 2"

    def test_a_mapped_name_leads_back_to_the_tools_own(self):
        one = guard("files.read")
        for name in ("files.read", called("files.read")):
            assert one.dispatch(name, {"place": "x"}, {"files.read": weather}) == "x 1"
        assert one.dispatched == {"files.read": 2}
        assert refusal(one.check, "files_read") == "unknown_tool"

    def test_names_alone_are_enough(self):
        one = Guard(["f", "a.b"])
        assert one.allowed == ("f", "a.b")
        assert one.dispatch("f", '{"anything": 1}', {"f": lambda **given: given}) == {"anything": 1}
        assert one.check(called("a.b")) == "a.b"

    def test_a_prompt_without_tools_allows_none(self):
        assert refusal(guard().check, "get_weather") == "unknown_tool"

    def test_the_refusal_says_what_can_be_called_in_few_words(self):
        with pytest.raises(ToolRefused, match=r"Call one of: get_weather\.") as error:
            guard("get_weather").check("x" * 10_000)
        assert len(str(error.value)) < 300
        with pytest.raises(ToolRefused, match="…") as error:
            Guard([f"tool_{n}" for n in range(1000)]).check("other")
        assert len(str(error.value)) < 500


class TestArguments:
    @pytest.mark.parametrize(
        "arguments",
        [
            "{",
            "[]",
            "null",
            '"place"',
            "place=Faro",
            '{"place": "a", "place": "b"}',
            '{"place": NaN}',
            '{"days": 1}',
            "",
            None,
            7,
            [1],
        ],
    )
    def test_what_is_no_object_with_the_required_keys_is_refused(self, arguments):
        one = guard("get_weather")
        assert refusal(one.dispatch, "get_weather", arguments, {"get_weather": weather}) == "bad_arguments"
        assert one.attempts == (Attempt(name="get_weather", outcome="bad_arguments"),)

    def test_arguments_the_schema_does_not_know_are_refused(self):
        def pay(place, *, approved=False):
            return approved

        given = {"place": "x", "approved": True}
        assert refusal(guard("pay").dispatch, "pay", given, {"pay": pay}) == "bad_arguments"

    @pytest.mark.parametrize(
        "schema",
        [
            {"type": "object"},
            {"type": "object", "properties": {}, "additionalProperties": True},
            {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
            {"type": "object", "properties": {}, "patternProperties": {"^x": {}}},
            {"type": "object", "required": "place", "properties": None},
        ],
    )
    def test_an_open_schema_takes_any(self, schema):
        assert guard(f=schema).dispatch("f", '{"x": 1}', {"f": lambda **given: given}) == {"x": 1}

    def test_no_arguments_may_be_no_text(self):
        assert guard(f={"type": "object", "properties": {}}).dispatch("f", "", {"f": lambda: "ran"}) == "ran"

    def test_a_tool_without_a_handler_is_refused(self):
        one = guard("get_weather")
        assert refusal(one.dispatch, "get_weather", '{"place": "x"}', {"other": weather}) == "no_handler"
        assert one.dispatched == {}


class TestHandlers:
    def test_an_async_handler_can_be_awaited(self):
        async def later(place):
            return place

        async def run():
            return await guard("f").dispatch("f", {"place": "Faro"}, {"f": later})

        assert asyncio.run(run()) == "Faro"

    def test_what_a_handler_raises_comes_through_and_counts_as_run(self):
        def fails(place):
            raise ZeroDivisionError(place)

        one = guard("f")
        with pytest.raises(ZeroDivisionError):
            one.dispatch("f", {"place": "x"}, {"f": fails})
        assert one.dispatched == {"f": 1}


class TestCounts:
    def test_attempted_and_dispatched_are_told_apart_by_name(self):
        one = guard("get_weather")
        for name in ("get_weather", "pay", "get_weather", "pay", "pay"):
            try:
                one.dispatch(name, {"place": "x"}, {"get_weather": weather, "pay": weather})
            except ToolRefused:
                continue
        one.check("get_weather")
        assert one.attempted == {"get_weather": 3, "pay": 3}
        assert one.dispatched == {"get_weather": 2}
        assert [attempt.outcome for attempt in one.attempts] == [
            "dispatched",
            "unknown_tool",
            "dispatched",
            "unknown_tool",
            "unknown_tool",
            "allowed",
        ]

    def test_no_attempt_is_lost_among_threads(self):
        one = guard("get_weather")

        def work(n):
            for _ in range(200):
                if n % 2:
                    one.dispatch("get_weather", {"place": "x"}, {"get_weather": weather})
                else:
                    assert refusal(one.check, "pay") == "unknown_tool"

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert one.attempted == {"get_weather": 800, "pay": 800}
        assert one.dispatched == {"get_weather": 800}

    def test_counts_and_the_log_stay_small_whatever_a_model_asks_for(self):
        one = guard("get_weather")
        for n in range(3000):
            assert refusal(one.check, f"x{n}") == "unknown_tool"
        one.check("get_weather")
        assert len(one.attempts) == 1000
        assert one.attempts[-2:] == (
            Attempt(name="x2999", outcome="unknown_tool"),
            Attempt(name="get_weather", outcome="allowed"),
        )
        assert len(one.attempted) <= 1002
        assert one.attempted["get_weather"] == one.attempted["x0"] == 1
        assert one.attempted["…"] == 2000
        assert sum(one.attempted.values()) == 3001

    def test_repeated_attempts_are_all_counted_after_the_log_forgot_them(self):
        one = Guard(["f"])
        for _ in range(1500):
            one.dispatch("f", {}, {"f": lambda: None})
        assert one.attempted == one.dispatched == {"f": 1500}


class TestMisuse:
    @pytest.mark.parametrize("offered", ["abc", b"abc", None, 7, ["a", None], [5], [""], [["a"]], [tool("a")]])
    def test_what_is_neither_a_compilation_nor_names_is_refused(self, offered):
        with pytest.raises(BlockError, match=r"Guard\(\[") as error:
            Guard(offered)
        assert (error.value.reason, error.value.place) == ("type", "offered")

    @pytest.mark.parametrize("handlers", [None, weather, [weather], "get_weather"])
    def test_handlers_that_are_no_mapping_are_refused_and_nothing_is_counted(self, handlers):
        one = guard("get_weather")
        with pytest.raises(BlockError) as error:
            one.dispatch("get_weather", {"place": "x"}, handlers)
        assert (error.value.reason, error.value.place) == ("type", "handlers")
        assert one.attempts == ()

    def test_a_handler_that_cannot_be_called_is_none(self):
        assert refusal(guard("f").dispatch, "f", {"place": "x"}, {"f": "weather"}) == "no_handler"


def openai_call(call_id, name, arguments="{}"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


class TestReplies:
    def test_openais_calls_are_sorted_and_the_refused_have_their_answers(self):
        one = guard("files.read")
        asked = [
            openai_call("1", called("files.read"), '{"place": "x"}'),
            openai_call("2", "pay"),
            openai_call("3", "Files.read"),
        ]
        calls = one.calls({"role": "assistant", "content": None, "tool_calls": asked})
        assert calls.allowed == (ToolCall(id="1", name="files.read", arguments='{"place": "x"}'),)
        assert [(answer["role"], answer["tool_call_id"]) for answer in calls.refusals] == [("tool", "2"), ("tool", "3")]
        assert "no tool of this name" in calls.refusals[0]["content"]
        assert one.attempted == {"pay": 1, "Files.read": 1}
        assert one.dispatch(calls.allowed[0].name, calls.allowed[0].arguments, {"files.read": weather}) == "x 1"

    def test_anthropics_calls_too(self):
        content = [
            {"type": "text", "text": "Let me look."},
            {"type": "tool_use", "id": "1", "name": "get_weather", "input": {"place": "é"}},
            {"type": "tool_use", "id": "2", "name": "pay", "input": {}},
        ]
        calls = guard("get_weather").calls({"role": "assistant", "content": content})
        assert calls.allowed == (ToolCall(id="1", name="get_weather", arguments='{"place": "é"}'),)
        [answer] = calls.refusals
        assert {key: answer[key] for key in ("type", "tool_use_id", "is_error")} == {
            "type": "tool_result",
            "tool_use_id": "2",
            "is_error": True,
        }

    @pytest.mark.parametrize(
        "reply", [{"content": "hi"}, {"content": "hi", "tool_calls": None}, {"content": []}, {"tool_calls": []}]
    )
    def test_a_reply_without_calls_has_none(self, reply):
        calls = guard("get_weather").calls(reply)
        assert (calls.allowed, calls.refusals) == ((), ())

    def test_words_that_look_like_a_call_are_words(self):
        text = '{"name": "get_weather", "arguments": {"place": "x"}}'
        for content in (text, [{"type": "text", "text": text}]):
            assert guard("get_weather").calls({"content": content}).allowed == ()

    @pytest.mark.parametrize(
        "entry", [None, 7, {}, {"id": "1"}, {"id": "1", "function": "f"}, {"id": 1, "function": {"name": None}}]
    )
    def test_damaged_calls_are_refused(self, entry):
        calls = Guard(["None", "f"]).calls({"tool_calls": [entry]})
        assert (len(calls.allowed), len(calls.refusals)) == (0, 1)

    def test_an_old_function_call_is_looked_at_and_answered_as_such(self):
        one = guard("f")
        calls = one.calls({"role": "assistant", "content": None, "function_call": {"name": "pay", "arguments": "{}"}})
        [answer] = calls.refusals
        assert (answer["role"], answer["name"]) == ("function", "pay")
        assert one.attempted == {"pay": 1}
        assert one.calls({"function_call": {"name": "f", "arguments": '{"place": 1}'}}).allowed == (
            ToolCall(id="", name="f", arguments='{"place": 1}'),
        )
        assert len(one.calls({"function_call": "f"}).refusals) == 1

    def test_calls_in_several_formats_at_once_are_all_looked_at(self):
        one = guard("f")
        calls = one.calls(
            {
                "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}],
                "tool_calls": [
                    openai_call("2", "pay"),
                    {"id": "3", "type": "custom", "custom": {"name": "send", "input": "x"}},
                ],
                "function_call": {"name": "buy", "arguments": "{}"},
            }
        )
        assert [call.id for call in calls.allowed] == ["1"]
        assert [answer["role"] for answer in calls.refusals] == ["tool", "tool", "function"]
        assert one.attempted == {"pay": 1, "send": 1, "buy": 1}

    def test_arguments_that_came_read_are_taken_as_json(self):
        calls = guard("f").calls({"tool_calls": [openai_call("1", "f", {"place": "x"}), openai_call("2", "f", None)]})
        assert [call.arguments for call in calls.allowed] == ['{"place": "x"}', ""]

    @pytest.mark.parametrize(
        "reply",
        [
            *(None, "text", 7, ["a"], {}, {"choices": []}, {"output": []}, {"tool_calls": "f"}, {"tool_calls": {"f": 1}}),
            *({"content": 5}, {"content": {"type": "tool_use", "name": "pay"}}, {"content": "x", "tool_calls": ({},)}),
        ],
    )
    def test_what_is_no_message_is_refused(self, reply):
        with pytest.raises(FormatError) as error:
            guard("f").calls(reply)
        assert error.value.reason == "reply_malformed"

    def test_calls_and_refusals_can_be_sent_back_with_the_next_prompt(self):
        one = guard("f")
        calls = one.calls({"tool_calls": [openai_call("1", "f", '{"place": "x"}'), openai_call("2", "pay")]})
        turn = Block(
            id=BlockId("t"),
            name="t",
            text="",
            band=Band.SESSION,
            role=Role.ASSISTANT,
            tool_calls=(*calls.allowed, ToolCall(id="2", name="pay", arguments="{}")),
        )
        answers = [
            Block(id=BlockId(i), name=i, text=text, band=Band.SESSION, role=Role.TOOL, tool_call_id=i)
            for i, text in (("1", "x 1"), ("2", calls.refusals[0]["content"]))
        ]
        sent = to_openai(compile_blocks([turn, *answers], budget=1000, tokens=CountingTokens()))
        assert [m["role"] for m in sent] == ["assistant", "tool", "tool"]
