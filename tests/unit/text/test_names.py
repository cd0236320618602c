"""Speakers named in a question are recognised and taken out; ordinary words are not mistaken for them."""

from __future__ import annotations

import pytest

from muniment.text.names import may_name, named, without, without_terms
from muniment.text.terms import question_terms

PEOPLE = ("Rose Ibarra", "Tomás", "Will", "王芳", "assistant", "user")


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("What did Rose plant?", ("Rose Ibarra",)),
        ("What is Ibarra's plan?", ("Rose Ibarra",)),
        ("Tomás and Rose?", ("Rose Ibarra", "Tomás")),
        ("where does tomás work", ("Tomás",)),
        ("TOMÁS", ("Tomás",)),
        ("Tomas", ()),
        ("Which rose grows in Porto?", ()),
        ("Will it rain in Porto?", ()),
        ("What did the assistant say to the user?", ()),
        ("王芳昨天说了什么", ("王芳",)),
        ("", ()),
    ],
)
def test_who_is_named(question, who):
    assert named(question, PEOPLE) == who


def test_a_question_without_its_names_keeps_the_rest():
    assert without("What does Rose think of Tomás's boat?", ["Rose Ibarra", "Tomás"]) == "What does think of boat?"
    assert without("王芳昨天说了什么", ["王芳"]) == "昨天说了什么"


def test_a_question_that_is_only_a_name_is_kept():
    assert without("Rose?", ["Rose"]) == "Rose?"
    words = question_terms("Rose")
    assert without_terms(words, ["Rose"]) == words


def test_terms_of_names_are_dropped():
    kept = without_terms(question_terms("Did Rose plant tulips?"), ["Rose"])
    assert [term.word for term in kept] == ["plant", "tulips"]


@pytest.mark.parametrize(
    ("question", "may"), [("What did Rose say", True), ("What did she say", False), ("什么", True), ("who", False)]
)
def test_capitals_and_scripts_without_them_may_name_someone(question, may):
    assert may_name(question) is may
