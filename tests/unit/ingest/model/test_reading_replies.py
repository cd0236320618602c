"""What is read out of a model's answer, however it is wrapped, broken or refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ingest.model.rules_reply import MOST_ITEMS, read_reply

ONE = {"source": 1, "quote": "I live in Porto", "text": "user lives in Porto"}
TWO = {"source": 2, "quote": "tea", "text": "user likes tea"}
WHOLE = json.dumps({"memories": [ONE, TWO]})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        json.dumps([ONE, TWO]),
        f"Here are the facts: {WHOLE} hope this helps",
        f"```json\n{WHOLE}\n```",
        f"```json\n{WHOLE}",
        f"```\n```json\n{WHOLE}\n```\n```",
        f'<think>{{"plan": "list them"}} [1] [note]</think>\n{WHOLE}',
        f"{{not json}} {WHOLE}",
        json.dumps({"memories": [ONE, TWO], "confidence": 0.9, "notes": []}),
    ],
)
def test_vector_77_json_is_found_whatever_stands_around_it(text):
    read = read_reply(text)
    assert (list(read.items), read.fault, read.cut) == ([ONE, TWO], "", False)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("Sure! Alice lives in Porto.", "not_json"),
        ("Sorry, I cannot help with that.", "refusal"),
        ("I’m sorry, but I can’t assist.", "refusal"),  # noqa: RUF001  # as models write it
        ('{"memo', "not_json"),
        ('{"facts": ["a"]}', "wrong_schema"),
        ('{"memories": "none"}', "wrong_schema"),
        ('{"memories": ["user lives in Porto"]}', "wrong_schema"),
        ('{"error": "overloaded"}', "wrong_schema"),
        ('{"type": "object", "properties": {"memories": {"type": "array"}}}', "schema_echo"),
        ("x" * (10 << 20), "too_large"),
    ],
)
def test_vector_77_what_is_no_list_of_memories_is_a_fault_with_a_name(text, fault):
    assert (read_reply(text).items, read_reply(text).fault) == ((), fault)


@pytest.mark.parametrize("text", ['{"memories": []}', "[]", 'Nothing to keep: ```json\n{"memories": [ ]}```'])
def test_nothing_to_remember_is_no_fault(text):
    assert (read_reply(text).items, read_reply(text).fault) == ((), "")


@pytest.mark.parametrize("lost", [1, 5, 20])
def test_H08_an_answer_that_broke_off_keeps_what_is_whole_of_it(lost):
    read = read_reply(WHOLE[: -2 - lost])
    assert (list(read.items), read.cut) == ([ONE], True)
    assert read_reply(f"```json\n{WHOLE[: -2 - lost]}").cut


def test_H08_a_runaway_answer_is_told_and_gives_one_of_each():
    read = read_reply(json.dumps({"memories": [ONE] * 400}))
    assert (list(read.items), read.cut) == ([ONE], True)
    many = [{**ONE, "source": number} for number in range(MOST_ITEMS + 50)]
    assert (len(read_reply(json.dumps(many)).items), read_reply(json.dumps(many)).cut) == (MOST_ITEMS, True)


@pytest.mark.parametrize("half", ["\\ud83d", "\\ude00", "\\ud83dx", "\\uD83D\\n"])
def test_H03_half_a_character_becomes_a_replacement_and_the_fact_stands(half):
    read = read_reply(WHOLE.replace("user likes tea", f"user likes tea {half}"))
    assert read.fault == ""
    assert read.items[1]["text"].encode()
    assert "�" in read.items[1]["text"]


def test_H03_a_whole_character_stays():
    assert read_reply(WHOLE.replace("tea", "\\ud83d\\ude00")).items[1]["quote"] == "😀"
    assert read_reply(WHOLE.replace("tea", "\ud83d")).items[1]["quote"] == "�"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{" * 100_000,
        '{"' * 50_000,
        "[[" * 50_000,
        '{"a":' * 900 + "1" + "}" * 900,
        "\\ud83d" * 20_000,
        '"' * 100_000,
    ],
)
def test_adversarial_answers_end_soon(text):
    assert read_reply(text).items == ()
    assert read_reply(f'{{"memories": [{text}').fault != "empty"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.just("memories"), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.text(max_size=40), st.integers(0, 200))
def test_nothing_a_model_writes_raises_and_items_are_objects(value, around, end):
    for text in (json.dumps(value), f"{around}{json.dumps(value)}{around}", json.dumps({"memories": [value]})[:end], around):
        read = read_reply(text)
        assert all(isinstance(item, dict) for item in read.items)
        assert not (read.fault and read.items)
