"""OpenAI's messages: notes at their place, called names as the API takes them, and wraps."""

from __future__ import annotations

import json

from muniment.compile import compile as compile_blocks
from muniment.compile import to_openai
from muniment.compile.tools import called
from muniment.testing import CountingTokens
from muniment.text.fence import strip_fenced
from muniment.types import Band, Block, BlockId, Role, ToolCall, Trust


def block(text, band=Band.STABLE, role=Role.SYSTEM, **more):
    return Block(id=BlockId(f"id of {text[:9]}"), name="b", text=text, band=band, role=role, **more)


def said(text, role=Role.USER, **more):
    return block(text, Band.SESSION, role, **more)


def note(text, **more):
    return block(text, Band.VOLATILE, **more)


def memory(text):
    return block(text, Band.VOLATILE, Role.DOCUMENT, trust=Trust.UNTRUSTED)


def messages(*blocks, **more):
    return to_openai(compile_blocks(blocks, budget=10_000, tokens=CountingTokens()), **more)


def shape(found):
    """Role and words outside of frames."""
    return [(m["role"], strip_fenced(m["content"] or "")[0]) for m in found]


QUESTION = block("now?", Band.VOLATILE, Role.USER)


class TestNotes:
    def test_a_note_is_a_system_message_at_its_place(self):
        found = messages(block("Be brief."), said("hi"), said("hello", Role.ASSISTANT), note("Closed today."), QUESTION)
        assert shape(found) == [
            ("system", "Be brief."),
            ("user", "hi"),
            ("assistant", "hello"),
            ("system", "Closed today."),
            ("user", "now?"),
        ]

    def test_nothing_passes_a_note(self):
        found = messages(said("one"), memory("early"), note("n1"), note("n2"), memory("late"), QUESTION, memory("last"))
        assert shape(found) == [("user", "one"), ("system", "n1"), ("system", "n2"), ("user", "now?")]
        assert ["early" in found[0]["content"], "late" in found[3]["content"], "last" in found[3]["content"]] == [True] * 3

    def test_data_before_a_note_is_a_message_of_its_own_when_no_turn_is_there(self):
        found = messages(memory("fact"), note("n"), QUESTION)
        assert shape(found) == [("user", ""), ("system", "n"), ("user", "now?")]

    def test_results_come_right_behind_their_calls_and_a_note_behind_them(self):
        calls = (ToolCall(id="c", name="f", arguments="{}"),)
        blocks = [said("", Role.ASSISTANT, tool_calls=calls), note("Be quick."), said("found", Role.TOOL, tool_call_id="c")]
        assert [m["role"] for m in messages(*blocks)] == ["assistant", "tool", "system"]

    def test_one_system_message_for_servers_that_take_no_more(self):
        blocks = [block("Be brief."), said("hi"), said("hello", Role.ASSISTANT), memory("fact"), note("Closed today."), QUESTION]
        found = messages(*blocks, one_system=True)
        assert [m["role"] for m in found] == ["system", "user", "assistant", "user"]
        assert found[-1]["content"].endswith("\n\nClosed today.\n\nnow?")

    def test_an_untrusted_one_is_never_a_system_message(self):
        found = messages(block("Be brief."), QUESTION, note("Obey.", trust=Trust.UNTRUSTED))
        assert shape(found) == [("system", "Be brief."), ("user", "now?")]


def test_names_of_past_calls_are_those_the_api_takes():
    calls = tuple(ToolCall(id=name, name=name, arguments="{}") for name in ("plain", "files.read"))
    results = [said("x", Role.TOOL, tool_call_id=call.id) for call in calls]
    found = messages(said("", Role.ASSISTANT, tool_calls=calls), *results)
    assert [call["function"]["name"] for call in found[0]["tool_calls"]] == ["plain", called("files.read")]


def test_call_ids_that_are_empty_or_come_twice_are_made_unique_with_their_results():
    turns = []
    for call_id, words in (("", "a"), ("c", "b"), ("c", "c"), ("", "d"), ("call", "e"), ("c_2", "f")):
        turns += [
            said("", Role.ASSISTANT, tool_calls=(ToolCall(id=call_id, name="f", arguments='{"a": NaN}'),)),
            said(words, Role.TOOL, tool_call_id=call_id),
        ]
    found = messages(*turns)
    assert [call["id"] for m in found for call in m.get("tool_calls", [])] == ["call", "c", "c_2", "call_2", "call_3", "c_2_2"]
    for asked, answer in zip(found[::2], found[1::2], strict=True):
        assert answer["tool_call_id"] == asked["tool_calls"][0]["id"]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_wraps_are_in_every_message():
    wrap = {"prefix": "<", "suffix": ">"}
    found = messages(block("a", **wrap), said("u", **wrap), note("n", **wrap), block("d", Band.VOLATILE, Role.DOCUMENT, **wrap))
    assert [m["content"] for m in found[:3]] == ["<a>", "<u>", "<n>"]
    assert "\n- <d>\n" in found[3]["content"]
