"""Spans cover a text, prefer natural boundaries, and never cut a letter from its marks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.text.passages import PASSAGE, is_boundary, passages


def pieces(text, **options):
    return [text[start:end] for start, end in passages(text, **options)]


def test_a_short_text_is_one_span():
    assert passages("Hello there") == [(0, 11)]
    assert passages("") == [(0, 0)]


def test_paragraphs_come_before_sentences_and_words():
    text = "One. Two three.\n\nFour five. Six seven eight."
    assert pieces(text, size=30)[0] == "One. Two three.\n\n"


def test_sentences_come_before_words():
    assert pieces("The boat left early. We waved for a long time at it.", size=30)[0] == "The boat left early. "


def test_pieces_are_nearly_equal():
    sizes = [len(p) for p in pieces("word " * 1000, size=1000)]
    assert max(sizes) <= 1000
    assert min(sizes) > 700


def test_scripts_without_spaces_get_shorter_pieces():
    assert max(len(p) for p in pieces("今天我们去了海边。" * 200)) <= PASSAGE // 4
    assert max(len(p) for p in pieces("We went to the sea. " * 200)) > PASSAGE // 2


@pytest.mark.parametrize("unit", ["e\u0301", "👩‍👩‍👧", "🇩🇪", "👍🏽", "की", "\r\n", "각", "1\ufe0f\u20e3"])
def test_vector_04_no_cut_inside_what_is_seen_as_one_letter(unit):
    text = unit * 400
    for start, end in passages(text, size=97):
        assert start % len(unit) == 0
        assert end % len(unit) == 0


def test_vector_08_a_letter_longer_than_a_passage_stays_whole():
    text = "Z" + "\u0301" * 10_000 + " end"
    assert pieces(text, size=100)[0] == "Z" + "\u0301" * 10_000


def test_two_megabytes_without_a_space_are_cut():
    found = passages("x" * 2_000_000)
    assert found[0][0] == 0
    assert found[-1][1] == 2_000_000
    assert max(end - start for start, end in found) <= PASSAGE


def test_overlap_reaches_back_to_a_word():
    text = "alpha beta gamma delta epsilon zeta eta theta " * 10
    found = passages(text, size=100, overlap=20)
    assert all(later[0] < earlier[1] for earlier, later in pairwise(found))
    assert all(text[start - 1] == " " for start, _ in found[1:])


@given(st.text(max_size=600), st.integers(1, 80))
def test_spans_cover_the_text_without_gaps(text, size):
    found = passages(text, size=size)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(start < end for start, end in found) or text == ""
    assert all(is_boundary(text, start) for start, _ in found)
