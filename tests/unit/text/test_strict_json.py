"""JSON from strangers: what is refused, with which reason, and that nothing is guessed."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import FormatError
from muniment.text.strict_json import MAX_DEPTH, MAX_KEY, MAX_KEYS, Fault, first_fault, loads, loads_marked

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20)


def reason(text: str) -> str:
    with pytest.raises(FormatError) as error:
        loads(text)
    assert error.value.hint
    return error.value.reason


@given(VALUES, st.booleans())
def test_what_json_writes_comes_back_equal(value, ascii_only):
    assert loads(json.dumps(value, ensure_ascii=ascii_only)) == value


@given(st.text())
def test_any_text_is_a_value_or_a_format_error(text):
    try:
        value = loads(text)
    except FormatError:
        return
    assert json.loads(text) == value


@given(st.binary(max_size=200))
def test_agrees_with_the_standard_reader_on_what_is_json_at_all(data):
    text = "[" + data.decode("latin-1") + "]"
    try:
        json.loads(text)
        standard = True
    except ValueError:
        standard = False
    try:
        loads_marked(text)
        ours = True
    except FormatError:
        ours = False
    assert ours == standard


@pytest.mark.parametrize(
    "text", ["[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)]
)
def test_vector_12_nesting_beyond_the_limit_is_too_deep(text):
    assert reason(text) == "too_deep"


def test_vector_12_depth_at_the_limit_and_brackets_in_strings_are_fine():
    assert loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert loads(json.dumps(["[{" * 1000, '\\"[{' * 1000])) == ["[{" * 1000, '\\"[{' * 1000]


def test_vector_12_unclosed_quotes_and_escapes_are_not_quadratic():
    assert reason("[" * 100 + '"' + '\\"' * 500_000) in {"too_deep", "malformed"}
    assert reason("[" * 40 + "{" * 40 + "\\" * 500_001) in {"too_deep", "malformed"}


def test_vector_13_duplicate_keys_are_refused_by_name():
    with pytest.raises(FormatError, match="'user_id'") as error:
        loads('{"user_id": "u1", "user_id": "u2"}')
    assert error.value.reason == "duplicate_key"


OUT_OF_RANGE = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 400, "-" + "9" * 400, "18446744073709551616"]


@pytest.mark.parametrize("number", [*OUT_OF_RANGE, "-9223372036854775809"])
def test_vector_14_numbers_out_of_range_are_refused(number):
    assert reason(f'{{"a": [{number}]}}') == "number_out_of_range"


def test_vector_14_minus_zero_is_zero():
    assert math.copysign(1, loads("-0")) == 1
    assert math.copysign(1, loads("-0.0")) == 1
    assert loads("1e2") == 100.0


@pytest.mark.parametrize("key", ["__proto__", "constructor", "__class__", "lc", "$ref", "type"])
def test_vector_15_magic_keys_are_plain_data(key):
    value = loads(json.dumps({key: {"lc": 1, "type": "constructor", "id": ["os", "system"]}}))
    assert type(value) is dict
    assert value[key]["id"] == ["os", "system"]


def test_vector_16_too_many_and_too_long_keys():
    assert reason(json.dumps({str(n): 0 for n in range(100_000)})) == "too_many_keys"
    assert reason(json.dumps({"k" * (1 << 20): 0})) == "key_too_long"
    assert len(loads(json.dumps({str(n): 0 for n in range(MAX_KEYS)}))) == MAX_KEYS
    assert loads(json.dumps({"k" * MAX_KEY: 0}))
    assert loads('{"Key": 1, "key": 2, "KEY": 3}') == {"Key": 1, "key": 2, "KEY": 3}


def test_vector_03_lone_surrogates_are_refused_and_pairs_are_joined():
    assert reason('{"content": "ab\\ud83d"}') == "invalid_unicode"
    assert reason('{"\\udc00": 1}') == "invalid_unicode"
    assert loads('"\\ud83d\\ude00"') == "😀"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "line 1, column 1"),
        ('{"a": [1,\n  2', "line 2, column 4"),
        ('{"a": "half', "line 1, column 7"),
        ('{"a": 1} {"b": 2}', "line 1, column 10"),
        ("{'a': 1}", "line 1, column 2"),
        ('{"a": 1,}', "line 1, column"),
        ("[1 2]", "line 1, column 4"),
        ('["a\tb"]', "line 1, column"),
    ],
)
def test_vector_18_damaged_json_names_line_and_column(text, where):
    with pytest.raises(FormatError) as error:
        loads(text)
    assert where in error.value.message
    assert error.value.reason == "malformed"


def test_half_a_document_says_it_stops_early():
    with pytest.raises(FormatError, match="stops before it is complete"):
        loads('[{"role": "user", "content": "unfin')
    with pytest.raises(FormatError, match="stops before it is complete"):
        loads('{"a": [1, 2')


def test_faults_stand_in_place_and_the_rest_is_kept():
    value = loads_marked('[{"a": NaN}, {"a": 1}, {"a": 1, "a": 2}]')
    assert value[1] == {"a": 1}
    assert isinstance(value[2], Fault)
    assert first_fault(value) == ("[0].a", value[0]["a"])
    assert first_fault(value[1]) is None


def test_the_error_names_place_and_path():
    with pytest.raises(FormatError) as error:
        loads('{"a": {"b": [1, NaN]}}', place="chat.json")
    assert error.value.place == "chat.json: a.b[1]"
