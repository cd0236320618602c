"""Tastes told by the way, facts beside a question, and answers of a few words."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.facts_read import read


@pytest.mark.parametrize(
    ("said", "liked"),
    [
        ("Hiking is so relaxing.", "hiking"),
        ("Nothing beats fresh bread.", "fresh bread"),
        ("There's nothing better than a good book.", "good book"),
        ("Musicals are a passion of mine.", "musicals"),
    ],
)
def test_praise_of_a_kind_of_thing_is_a_taste(said, liked):
    (taste,) = read(said)
    assert (taste.attribute, taste.value, taste.confidence) == (f"likes:{liked}", "likes", 0.75)
    assert taste.text == f"user likes {liked}"


@pytest.mark.parametrize("said", ["The trip was great.", "That is awesome.", "Your dog is adorable.", "It is fun."])
def test_praise_of_the_thing_at_hand_is_no_taste(said):
    assert not any(c.attribute.startswith("likes:") for c in read(said))


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("Do you have any kids?", "Two girls.", "user has two girls"),
        ("My favourite ice cream is vanilla.", "Mine is pistachio", "user's favourite ice cream is pistachio"),
    ],
)
def test_a_short_answer_is_read_with_its_question(asked, said, told):
    assert [c.text for c in read(said, before=[asked])] == [told]


def test_what_a_question_states_beside_it_is_inferred():
    assert [(c.text, c.confidence) for c in read("I am in my twenties, you?")] == [("user is in user's twenties", 0.75)]


@pytest.mark.parametrize("said", ["Should I buy a boat?", "Do you think I should plan a trip?", "I wonder if they sing?"])
def test_what_is_only_asked_is_not_stated(said):
    assert read(said) == []


@pytest.mark.parametrize("said", ["We should meet for a run.", "We can teach each other.", "I can't wait!", "I do my best."])
def test_proposals_and_idle_talk_are_not_kept(said):
    assert read(said) == []


def test_a_state_that_lasts_is_read_without_its_subject():
    assert [(c.text, c.value, c.ends) for c in read("Been a nurse for ten years.")] == [
        ("user has been a nurse for ten years", "nurse", False)
    ]
