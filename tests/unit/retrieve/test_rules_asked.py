"""What a question asks for and of whom, by its words alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from muniment.knowledge.questions import QUESTIONS
from muniment.retrieve.question import read_question
from muniment.retrieve.rules_asked import asks_for, of_assistant, of_oneself
from muniment.retrieve.words_asked import ASKED

NOW = datetime(2026, 3, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Who repaired the violin?", "who"),
        ("Which friends came to dinner?", "who"),
        ("When did I move?", "when"),
        ("Where do I live?", "where"),
        ("What city is she from?", "where"),
        ("Why is the deck closed?", "why"),
        ("How many books did I read this year?", "how_many"),
        ("How often do I run?", "how_many"),
        ("List all the cities I visited.", "list"),
        ("Tell me every city I have seen", "list"),
        ("Which doctors did I see?", "list"),
        ("What have I decided about the boat?", "list decision"),
        ("What does Ana prefer for lunch?", "preference"),
        ("Why did we choose Postgres?", "why decision"),
        ("My boat is red.", ""),
        ("What is the boat called?", ""),
    ],
)
def test_a_question_tells_its_kinds(question, kinds):
    assert [name for name in QUESTIONS if name in asks_for(question)] == kinds.split()


def test_every_kind_of_question_has_its_words():
    assert QUESTIONS.keys() <= ASKED.keys()


@pytest.mark.parametrize(
    ("question", "asker", "assistant"),
    [
        ("What did I say about the boat?", "I", ""),
        ("What is my sister called?", "my", ""),
        ("Where did we go?", "we", ""),
        ("What does the user like?", "the user", ""),
        ("What is the user's plan?", "the user's", ""),
        ("What did you recommend?", "", "did you recommend"),
        ("The recipe you suggested last week", "", "you suggested"),
        ("What was your advice on the deck?", "", "your advice"),
        ("What did the assistant recommend to me?", "me", "did the assistant recommend"),
        ("Can you remind me of the colour?", "me", ""),
        ("Do you know where I live?", "I", ""),
        ("What did I tell you about Porto?", "I", ""),
        ("What did Ana say?", "", ""),
    ],
)
def test_a_question_tells_of_whom_it_asks(question, asker, assistant):
    assert (of_oneself(question), of_assistant(question)) == (asker, assistant)


def test_words_for_the_user_and_the_assistant_are_not_looked_for():
    assert [term.word for term in read_question("What does the user like?", NOW).terms] == ["like"]
    assert read_question("the user", NOW).terms


@pytest.mark.parametrize("question", ["a" * 100_000, "what " * 20_000, "did you " * 12_000, "which s " * 12_000])
def test_the_longest_questions_are_read_in_time_that_grows_with_them(question):
    assert isinstance(asks_for(question), frozenset)
    assert isinstance(of_assistant(question), str)
