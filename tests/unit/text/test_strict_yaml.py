"""YAML as bounded text: what is read stays as written, what is hostile is refused by line and column."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import FormatError
from muniment.text.strict_yaml import MAX_BYTES, MAX_DEPTH, Items, Scalar, Table, compose, line_of, strings, typed


def read(text, **how):
    return strings(compose(text, **how))


def refusal(text, **how):
    with pytest.raises(FormatError) as caught:
        compose(text, **how)
    return caught.value


@pytest.mark.parametrize(
    "word", ["no", "Yes", "on", "1.10", "0x1F", "1_000", "2024-02-30", "12:30:00", "~", "null", ".inf", "=", "1e400"]
)
def test_a_scalar_stays_as_it_was_written(word):
    assert read(f"key: {word}") == {"key": word}


def test_lists_mappings_and_block_text_are_read():
    text = "a: [x, 'y: z', \"q\\n\"]\nb:\n  - c: 1\n  -\nd: |\n  two\n  lines\ne: >-\n  one\n  line\nf: {g: h}\n'':\n"
    assert read(text) == {
        "a": ["x", "y: z", "q\n"],
        "b": [{"c": "1"}, ""],
        "d": "two\nlines\n",
        "e": "one line",
        "f": {"g": "h"},
        "": "",
    }


@pytest.mark.parametrize("text", ["", "\n\n", "# a remark", "---\n", "\ufeff"])
def test_nothing_is_an_empty_scalar(text):
    assert read(text) == ""


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: &x b", "yaml_feature", 1, 4),
        ("a: 1\nb: *x", "yaml_feature", 2, 4),
        ("a: !!python/object/apply:os.getcwd []", "yaml_feature", 1, 4),
        ("a: !ENV x", "yaml_feature", 1, 4),
        ("a: ! x", "yaml_feature", 1, 4),
        ("a: !x!y z", "yaml_feature", 1, 4),
        ("a:\n  <<: {b: c}", "yaml_feature", 2, 3),
        ("%YAML 1.1\n---\na: b", "yaml_feature", 1, 1),
        ("%TAG ! tag:x,2000:\n---\na: b", "yaml_feature", 1, 1),
        ("? [a]\n: b", "yaml_feature", 1, 3),
        ("{a: b}: c", "yaml_feature", 1, 1),
        ("a: 1\nb: 2\na: 3", "duplicate_key", 3, 1),
        ("a: {b: 1, 'b': 2}", "duplicate_key", 1, 11),
        ("a: 1\n---\nb: 2", "several_documents", 2, 1),
        ("a: b: c", "malformed", 1, 5),
        ("a:\n\tb: c", "malformed", 2, 1),
        ("a: [b", "malformed", 1, 6),
        ('a: "b', "malformed", 1, 6),
        ("a: @b", "malformed", 1, 4),
        ("a: b\n...\nmore", "malformed", 3, 1),
        ("ok: 1\na: x\x07", "control_character", 2, 5),
        ("a: x\u2028y", "control_character", 1, 5),
        ("a: x\ud800", "control_character", 1, 5),
        ('a: "\\0"', "control_character", 1, 4),
        ('a: "\\ud800"', "control_character", 1, 4),
    ],
)
def test_what_is_hostile_or_broken_is_refused_by_line_and_column(text, code, line, column):
    error = refusal(text, place="file.yaml")
    assert (error.reason, error.place) == (code, f"file.yaml:{line}")
    assert f"(line {line}, column {column})" in error.message
    assert error.hint


@pytest.mark.parametrize("text", ['a: "\\U99999999"', f"%YAML 1.{'9' * 5000}\n---\na"])
def test_numbers_that_no_parser_can_hold_are_malformed(text):
    assert refusal(text).reason == "malformed"


@pytest.mark.parametrize(
    "text", ["[" * 60_000, "{a: " * 15_000, "- " * 30_000, "a:\n" + "".join(f"{' ' * n}a:\n" for n in range(1, 300))]
)
def test_depth_is_bounded_before_anything_is_built(text):
    assert refusal(text).reason == "too_deep"


@pytest.mark.parametrize("text", ["{" * 60_000, "? " * 30_000])
def test_keys_of_keys_are_refused_at_the_first(text):
    assert refusal(text).reason == "yaml_feature"


def test_the_deepest_allowed_is_read():
    assert refusal("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)).reason == "too_deep"
    assert json.dumps(read("[" * MAX_DEPTH + "]" * MAX_DEPTH)) == "[" * MAX_DEPTH + "]" * MAX_DEPTH


def test_size_is_counted_in_bytes_and_can_be_allowed():
    text = "a: " + "é" * (MAX_BYTES // 2)
    assert refusal(text).reason == "too_large"
    assert len(read(text, most_bytes=2 * MAX_BYTES)["a"]) == MAX_BYTES // 2


def test_long_keys_are_refused():
    assert refusal(f'? "{"k" * 1025}"\n: v').reason == "key_too_long"


def test_lines_count_from_where_the_text_stands():
    node = compose("a: 1\nb:\n  - c: 2\n  - d\n", place="x.md", first_line=10)
    assert [line_of(node, path) for path in ((), ("a",), ("b",), ("b", 0, "c"), ("b", 1), ("b", 7), ("z",))] == [
        10,
        10,
        11,
        12,
        13,
        11,
        10,
    ]
    assert refusal("a: 1\na: 2", place="x.md", first_line=10).place == "x.md:11"
    assert refusal("a: 1\na: 2").place == "line 2"


def test_typed_values_are_those_of_json():
    node = compose(
        "{a: true, b: null, c: 12, d: -1.5e3, e: no, f: 2024-01-01, g: '12', h: 0x10, i: 123456789012345678901, j: .5, k: 1e999}"
    )
    assert typed(node) == {
        "a": True, "b": None, "c": 12, "d": -1500.0, "e": "no", "f": "2024-01-01", "g": "12",
        "h": "0x10", "i": "123456789012345678901", "j": 0.5, "k": "1e999",
    }  # fmt: skip


def test_the_tree_tells_plain_from_quoted():
    node = compose("a: b\nc: 'd'\ne: [f]")
    assert isinstance(node, Table)
    assert node.nodes["a"] == Scalar("b", plain=True, line=1, column=4)
    assert node.nodes["c"] == Scalar("d", plain=False, line=2, column=4)
    assert isinstance(node.nodes["e"], Items)


values = st.recursive(
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="\ufffe\uffff"), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc<=&*!é", max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_json_is_read_as_what_it_says(value):
    assert read(json.dumps(value, ensure_ascii=False)) == value


@given(st.text(st.sampled_from("ab:-[]{}#&*!|>'\"%@`,? \n\t\\u0xU9."), max_size=60))
def test_any_text_is_read_or_refused_and_never_breaks(text):
    try:
        node = compose(text)
    except FormatError:
        return
    json.dumps([strings(node), typed(node)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: b: c", "a second colon in one line"),
        ("a: [b] c", "something stands behind the end of a value"),
        ("a: [b", "not closed by ]"),
        ("a: @b", "a sign that YAML keeps for itself"),
        ("a: *.ts", "begins with *, & or !"),
        ('a: "b', "a quote is never closed"),
        ("a: - b", "a value begins with a dash"),
    ],
)
def test_what_is_no_yaml_is_told_in_plain_words_and_with_advice_to_quote(text, words):
    error = refusal(text)
    assert words in error.message
    assert "quotes around the value" in error.hint
