"""A whole turn is cleaned: text, arguments that stay JSON, metadata and origin; speaker and ids stay."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.ingest.pii import clean_turn
from muniment.knowledge.architecture import Keep
from muniment.types import Role, ToolCall, Turn


def cleaned(turn, **policy):
    return clean_turn(turn, policy=policy, token=lambda kind, value: "k3f9")


def arguments(text, **policy):
    turn = Turn(text="", role=Role.ASSISTANT, tool_calls=(ToolCall(id="c1", name="login", arguments=text),))
    return cleaned(turn, **policy).turn.tool_calls[0].arguments


def test_a_harmless_turn_is_the_very_same():
    turn = Turn(
        text="I moved to Porto", metadata={"topic": "home"}, tool_calls=(ToolCall(id="1", name="f", arguments='{"a" : 1}'),)
    )
    assert cleaned(turn).turn is turn


def test_U04_arguments_of_a_tool_call_stay_json_without_the_secret():
    fresh = arguments('{"user": "root", "password": "hunter2", "tries": 3.10, "tries": 4}')
    assert fresh == '{"user": "root", "password": "[secret]", "tries": 3.10, "tries": 4}'


def test_a_secret_with_blanks_escapes_or_in_depth_is_masked_in_arguments():
    fresh = json.loads(arguments('{"a": [{"password": "correct horse"}, "key sk-\\u0061bc123def"], "n": null, "t": true}'))
    assert fresh == {"a": [{"password": "[secret]"}, "key [secret]"], "n": None, "t": True}


def test_a_number_that_is_a_card_becomes_text():
    assert json.loads(arguments('{"card": 4111111111111111, "n": 12}')) == {"card": "[card]", "n": 12}


def test_arguments_that_are_no_json_are_cleaned_as_text():
    assert arguments("password=hunter2 {") == "password=[secret] {"
    assert "hunter2" not in arguments("[" * 100_000 + '"pwd: hunter2"')


def test_metadata_is_read_with_its_key_and_the_origin_is_cleaned():
    turn = Turn(
        text="hello",
        speaker="pwd: hunter2",
        metadata={"password": "swordfish", "note": "fine"},
        origin="https://u:hunter2@x.org/a",
    )
    fresh = cleaned(turn).turn
    assert fresh.metadata == {"password": "[secret]", "note": "fine"}
    assert fresh.origin == "https://u:[secret]@x.org/a"
    assert fresh.speaker == "pwd: hunter2"


def test_a_refused_turn_says_nothing_and_names_the_kind():
    turn = Turn(text="hello", metadata={"card": "4111111111111111"})
    answer = cleaned(turn, card=Keep.REFUSE)
    assert (answer.refused, answer.turn.text, answer.turn.metadata) == ("pii:card", "", {})


def test_the_note_counts_and_never_quotes():
    turn = Turn(text="pwd: hunter2, pay with 4111111111111111, write to ana@x.org")
    answer = cleaned(turn, email=Keep.TOKENISE)
    assert answer.note == "1 secret masked, 1 card masked, 1 email sealed"
    assert [s.value for s in answer.sealed] == ["ana@x.org"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["hunter2", "pwd: hunter2", '"', "4111111111111111"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["password", "a", "card", 'x"y']), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_arguments_that_were_json_are_json_afterwards(value):
    json.loads(arguments(json.dumps(value)))
