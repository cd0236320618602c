"""What is taken back later, put right late, or only so under a condition."""

from __future__ import annotations

import pytest
from facts_read import read, record, slots

from muniment.knowledge.values import Act


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Sorry, forget that, it's Porto after all.", "Porto"),
        ("No wait, I was right the first time: Porto.", "Porto"),
        ("Not Lisbon, Porto.", "Porto"),
    ],
)
def test_a_late_value_takes_the_place_of_the_last_one(text, value):
    (found,) = [one for one in read(text, before=[record("I live in Lisbon.")]) if one.attribute]
    assert (found.act, found.attribute, found.value) == (Act.CORRECT, "lives_in", value)


def test_a_joke_owned_up_to_a_turn_later_is_taken_back():
    assert [one.act for one in read("Just kidding.", before=[record("I live in Lisbon.")])] == [Act.RETRACT]


@pytest.mark.parametrize("text", ["I don't like pizza anymore.", "I no longer like pizza."])
def test_a_taste_lost_replaces_the_taste(text):
    (found,) = [one for one in read(text) if one.attribute == "likes:pizza"]
    assert (found.value, found.ends, found.negated) == ("no longer likes", False, False)


def test_it_stands_for_what_was_liked():
    assert ("likes:pizza", "no longer likes") in slots("I no longer like it.", before=[record("I like pizza.")])


def test_it_turns_out_is_an_opening():
    (found,) = [one for one in read("It turns out I'm not allergic to nuts.") if one.attribute]
    assert (found.attribute, found.value, found.negated) == ("allergic_to", "nuts", True)


def test_a_switch_back_takes_the_place_of_what_was_switched_to():
    before = [record("We switched from Postgres to MySQL.")]
    assert [one.targets for one in read("We switched back to Postgres.", before=before) if one.attribute == "uses"] == [
        ("MySQL",)
    ]


def test_a_condition_that_is_not_met_states_nothing():
    assert not read("If I moved to Berlin, I would need a visa.")


def test_a_dog_that_died_is_no_pet():
    assert not [one for one in read("My dog died last year.") if one.attribute == "has_pet"]
