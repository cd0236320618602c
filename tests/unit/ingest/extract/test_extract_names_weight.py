"""Capitals for weight are no names, and a name inside a sentence is one where it opens another."""

from __future__ import annotations

import pytest

from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_pronouns import subject


def names(text):
    return [mention.text for mention in mentions(text)]


@pytest.mark.parametrize(
    "text",
    [
        "He was such a Coward about it.",
        "That took real Boredom and much Kindness.",
        "It was late AF and I left.",
        "She praised our Dedication and the Realism of it.",
        "the S E C R E T plan",
    ],
)
def test_plain_words_with_a_capital_for_weight_are_no_names(text):
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My dog Smoke is old.", ["Smoke"]),
        ("I have a cat named Coward.", ["Coward"]),
        ("We installed Signal.", ["Signal"]),
        ("I saw Quillon Steel.", ["Quillon Steel"]),
        ("We toured U.S.A. last year.", ["U.S.A."]),
    ],
)
def test_what_stands_beside_a_plain_word_may_make_it_a_name(text, found):
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ana & Ben came.", ["Ana", "Ben"]),
        ("I like Marks & Spencer.", ["Marks & Spencer"]),
        ("We moved to Quillon. Quillon costs less.", ["Quillon", "Quillon"]),
        ("Quillon costs less.", []),
    ],
)
def test_two_given_names_are_two_and_a_known_name_opens_a_sentence(text, found):
    assert names(text) == found


def test_whom_one_married_is_a_person():
    text = "In 1990 the duke married Quillon. Later he left for Rome with his men."
    assert subject("his", text.index("his men"), text=text) == "Quillon"
