"""Text made safe to look at: nothing active is left, nothing is lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.cli.visible import one_line, to_json, visible

ANY_TEXT = st.text(st.characters() | st.sampled_from("\u202e\u2066\u200b\u200d\ufeff\x1b\x07\x9b\ud83d\U000e0041\u2028"))


FORBIDDEN = set(
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff\u2028\u2029\x07\x1b\x7f\x9b\ud83d"
)


@given(ANY_TEXT)
def test_one_line_holds_nothing_active(text):
    shown = one_line(text)
    assert not set(shown) & (FORBIDDEN | set("\n\r\t"))
    shown.encode()


@given(ANY_TEXT)
def test_lines_are_kept_and_nothing_else_that_moves_the_cursor(text):
    shown = visible(text)
    assert shown.count("\n") == text.replace("\r\n", "\n").count("\n")
    assert not set(shown) & (FORBIDDEN | set("\r\x08\x0b\x0c"))
    shown.encode()


PLAIN = st.none() | st.booleans() | st.integers() | ANY_TEXT
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner), max_leaves=8)


@given(VALUES)
def test_json_says_the_same_and_is_safe_to_print(value):
    for ascii_only in (False, True):
        shown = to_json(value, ascii_only=ascii_only)
        assert json.loads(shown) == value
        assert not set(shown) & FORBIDDEN
        shown.encode("ascii" if ascii_only else "utf-8")


@pytest.mark.parametrize("text", ["👩‍👩‍👧‍👦 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇵🇹 1️⃣", "می‌خواهم", "שלום עולם", "naïve Ångström é", "日本語 ไทย हिन्दी"])
def test_words_of_every_script_and_emoji_stay_as_they_are(text):
    assert visible(text) == text
    assert one_line(text) == text


def test_vector_05_a_reordering_mark_is_spelled_out():
    assert one_line("invoice\u202egnp.exe") == "invoice\\u202egnp.exe"
    assert one_line("two\nlines\tand \x1b[31mred") == "two\\nlines\\tand \\x1b[31mred"
