"""Sentences in any script: spans that cover, never overlap, and end where a reader would end them."""

# ruff: noqa: RUF001  punctuation of other scripts

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved. It is nice.", ["I moved.", "It is nice."]),
        ("i moved to porto. it is nice", ["i moved to porto.", "it is nice"]),
        ("Dr. Smith met Mr. J. R. Jones at 5 p.m. They left.", ["Dr. Smith met Mr. J. R. Jones at 5 p.m.", "They left."]),
        ("He works at Acme Inc. They like him.", ["He works at Acme Inc.", "They like him."]),
        ("It costs 3.50 euros, e.g. at Lidl. Fine.", ["It costs 3.50 euros, e.g. at Lidl.", "Fine."]),
        ("Am 3. Mai zog ich um. Er trinkt z.B. Tee.", ["Am 3. Mai zog ich um.", "Er trinkt z.B. Tee."]),
        ("I was born in 1990. Then I left.", ["I was born in 1990.", "Then I left."]),
        ("See https://x.org/a?b=1.2 or mail a@b.co. Bye!", ["See https://x.org/a?b=1.2 or mail a@b.co.", "Bye!"]),
        ("well... maybe not... OK then", ["well... maybe not...", "OK then"]),
        ('"Where are you?" she asked. "Home."', ['"Where are you?" she asked.', '"Home."']),
        ("Yes!I did", ["Yes!", "I did"]),
        ("I lost my job :( Maybe next year", ["I lost my job :(", "Maybe next year"]),
        ("- one\n- two\n  - three", ["- one", "- two", "- three"]),
        ("1. Buy milk\n2. Sell it", ["1. Buy milk", "2. Sell it"]),
        ("Title\nI moved", ["Title", "I moved"]),
        ("Look:\n```py\na = 1. B\n\nc\n```\nDone. Yes", ["Look:", "```py\na = 1. B\n\nc\n```", "Done.", "Yes"]),
        ("我决定下周改用 PostgreSQL。好的！真的？", ["我决定下周改用 PostgreSQL。", "好的！", "真的？"]),
        ("彼は「行く。」と言った。", ["彼は「行く。」", "と言った。"]),
        ("أعيش في القاهرة. هل تعرف؟ نعم", ["أعيش في القاهرة.", "هل تعرف؟", "نعم"]),
        ("मैं पुणे में रहता हूँ। मुझे चाय पसंद है।", ["मैं पुणे में रहता हूँ।", "मुझे चाय पसंद है।"]),
        ("ฉันอาศัยอยู่ในกรุงเทพ ฉันชอบชา", ["ฉันอาศัยอยู่ในกรุงเทพ", "ฉันชอบชา"]),
        ("Party 🎉 Next we go 😀", ["Party 🎉", "Next we go 😀"]),
        ("저는 커피를 좋아해요. 내일 만나요.", ["저는 커피를 좋아해요.", "내일 만나요."]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_text_is_cut_where_a_reader_would_cut_it(text, expected):
    assert split(text) == expected


def test_a_wrapped_line_goes_on_in_the_next_one():
    text = "I have lived in this small house near the river\nsince my parents moved away."
    assert split(text) == [text]


@given(st.text(max_size=300) | st.text(alphabet="aA1. !?\n\"'-`>。？「」“”😀ก।", max_size=300))
def test_spans_cover_all_that_is_not_blank_and_never_overlap(text):
    spans = sentences(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    held = {place for start, end in spans for place in range(start, end)}
    assert all(text[place].isspace() for place in range(len(text)) if place not in held)


@pytest.mark.parametrize(
    "unit", [".", "!", "?", "\n", "a", "😀", '"', "`", "-", "。", "ก ", "a.", ". ", "...x", "```\n", "\x00", "\ud800"]
)
def test_a_long_run_of_anything_takes_time_in_proportion_to_its_length(unit):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        sentences(text)
        return time.process_time() - started

    seconds(2_000)
    assert seconds(100_000) < 40 * max(seconds(10_000), 0.02)
