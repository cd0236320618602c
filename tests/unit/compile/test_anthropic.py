"""Anthropic's tools, system and messages: where cache breakpoints stand, and notes on the user's side."""

from __future__ import annotations

import itertools
import json

import pytest

from muniment.compile import compile as compile_blocks
from muniment.compile import to_anthropic
from muniment.compile.tools import called
from muniment.registry import Registry
from muniment.testing import CountingTokens
from muniment.types import Band, Block, BlockId, Role, Tool, ToolCall, Trust


def block(text, band=Band.STABLE, role=Role.SYSTEM, **more):
    return Block(id=BlockId(f"id of {text[:9]}"), name="b", text=text, band=band, role=role, **more)


def tool(name, band=Band.STABLE, **more):
    return block("Does it.", band, tool=Tool(name=name), **more)


def said(text, role=Role.USER, **more):
    return block(text, Band.SESSION, role, **more)


def note(text, **more):
    return block(text, Band.VOLATILE, **more)


QUESTION = block("now?", Band.VOLATILE, Role.USER)


def shape(*blocks, **more):
    return to_anthropic(compile_blocks(blocks, budget=10_000, tokens=CountingTokens()), **more)


def parts(found):
    """Every part in the order in which the API caches them: name or text, and whether a breakpoint stands behind it."""
    every = [*found.get("tools", []), *found["system"], *(p for m in found["messages"] for p in m["content"])]
    return [(p.get("name") or p.get("text"), "cache_control" in p) for p in every]


FRAME = [block("pinned", Band.PINNED), block("stable"), block("session", Band.SESSION), said("hi"), said("hello", Role.ASSISTANT)]


class TestBreakpoints:
    def test_four_at_the_ends_of_tools_pinned_stable_and_conversation(self):
        assert parts(shape(FRAME[0], tool("a"), tool("b", Band.SESSION), *FRAME[1:], note("n"), QUESTION)) == [
            ("a", False),
            ("b", True),
            ("pinned", True),
            ("stable", True),
            ("session", False),
            ("hi", False),
            ("hello", True),
            ("n", False),
            ("now?", False),
        ]

    def test_with_tools_gated_per_turn_only_the_steady_tools_are_worth_one(self):
        found = shape(FRAME[0], tool("a"), tool("b"), *FRAME[1:], tool("gated", Band.VOLATILE), QUESTION)
        assert [name for name, breakpoint_ in parts(found) if breakpoint_] == ["b"]

    def test_inside_a_loop_of_calls_the_others_stand_too(self):
        blocks = [FRAME[0], tool("a"), *FRAME[1:], tool("gated", Band.VOLATILE), QUESTION]
        marked = [name for name, breakpoint_ in parts(shape(*blocks, same_tools=True)) if breakpoint_]
        assert marked == ["a", "pinned", "stable", "hello"]

    def test_only_gated_tools_leave_none(self):
        assert "cache_control" not in json.dumps(shape(*FRAME, tool("gated", Band.VOLATILE), QUESTION))

    def test_without_cache_there_are_none(self):
        assert "cache_control" not in json.dumps(shape(tool("a"), *FRAME, QUESTION, cache=False))
        assert "cache_control" not in json.dumps(shape(tool("a"), *FRAME, QUESTION, cache=False, same_tools=True))

    def test_never_more_than_four_and_never_behind_anything_volatile_in_any_order(self):
        blocks = [FRAME[0], FRAME[1], said("hi"), note("n"), tool("a"), tool("v", Band.VOLATILE)]
        volatile = {"n", "v"}
        for order in itertools.permutations(blocks):
            found = parts(shape(*order, said("later")))
            marks = [place for place, (_, breakpoint_) in enumerate(found) if breakpoint_]
            moved = next(place for place, (name, _) in enumerate(found) if name in volatile)
            assert len(marks) <= 4
            assert all(place < moved for place in marks)

    def test_the_front_is_byte_identical_while_gated_tools_change(self):
        fronts = set()
        for names in (["x"], ["y", "z"], []):
            found = shape(tool("a"), tool("b"), *FRAME, *(tool(name, Band.VOLATILE) for name in names), QUESTION)
            fronts.add(json.dumps([found["tools"][:2], found["system"]] if names else [found["tools"][:2]]))
        assert len({front[:60] for front in fronts}) == 1


class TestNotes:
    def test_a_note_is_an_unfenced_part_of_the_user_before_the_words_it_comes_with(self):
        found = shape(*FRAME, note("Closed today."), QUESTION, cache=False)
        assert [m["role"] for m in found["messages"]] == ["user", "assistant", "user"]
        assert found["messages"][-1]["content"] == [{"type": "text", "text": "Closed today."}, {"type": "text", "text": "now?"}]

    def test_it_stands_behind_results(self):
        calls = (ToolCall(id="c", name="f", arguments="{}"),)
        blocks = [said("", Role.ASSISTANT, tool_calls=calls), note("Be quick."), said("found", Role.TOOL, tool_call_id="c")]
        assert [p["type"] for p in shape(*blocks)["messages"][-1]["content"]] == ["tool_result", "text"]

    def test_an_untrusted_one_is_fenced(self):
        found = shape(QUESTION, note("Obey.", trust=Trust.UNTRUSTED))
        assert found["messages"][0]["content"][1]["text"].startswith("<muniment-data-")


@pytest.mark.parametrize("name", ["plain", "files.read", ""])
def test_names_of_past_calls_are_those_the_api_takes(name):
    calls = (ToolCall(id="c", name=name, arguments="{}"),)
    found = shape(said("", Role.ASSISTANT, tool_calls=calls), said("x", Role.TOOL, tool_call_id="c"))
    assert found["messages"][1]["content"][0]["name"] == called(name)


@pytest.mark.parametrize(
    "arguments",
    ['{"a": 1e999}', '{"a": -Infinity}', "NaN", '{"a": 1, "a": 2}', f'{{"a": {"9" * 5000}}}', '{"a": "\\ud800"}', "{"],
)
def test_arguments_that_are_no_json_by_the_standard_stay_text_and_the_whole_can_be_written(arguments):
    calls = (ToolCall(id="c", name="f", arguments=arguments),)
    found = shape(said("", Role.ASSISTANT, tool_calls=calls), said("x", Role.TOOL, tool_call_id="c"))
    assert found["messages"][1]["content"][0]["input"] == {"arguments": arguments}
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_wraps_are_in_every_part():
    wrap = {"prefix": "<", "suffix": ">"}
    found = shape(block("a", **wrap), said("u", **wrap), note("n", **wrap), cache=False)
    assert [name for name, _ in parts(found)] == ["<a>", "<u>", "<n>"]


def test_tools_that_stayed_since_the_prompt_before_get_the_other_breakpoints_back():
    registry = Registry()
    registry.write("You are a clerk.", name="role", band=Band.PINNED)
    registry.write("", name="pay", band=Band.VOLATILE, tool=Tool(name="pay"))
    first = compile_blocks(registry, budget=1000, tokens=CountingTokens())
    assert json.dumps(to_anthropic(first)).count("cache_control") == 0
    again = compile_blocks(registry, budget=1000, tokens=CountingTokens())
    assert json.dumps(to_anthropic(again)).count("cache_control") == 1
    assert json.dumps(to_anthropic(again, same_tools=False)).count("cache_control") == 0
    registry.write("", name="book", band=Band.VOLATILE, tool=Tool(name="book"))
    changed = compile_blocks(registry, budget=1000, tokens=CountingTokens())
    assert json.dumps(to_anthropic(changed)).count("cache_control") == 0
