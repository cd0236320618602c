"""A value fills a slot only when it is of the slot's kind, and what is denied, nearly so or held beside another says so."""

from __future__ import annotations

import pytest
from facts_read import read, slots
from sentence_samples import read as extracted


@pytest.mark.parametrize(
    "text",
    [
        "I moved to management.",
        "We moved to weekly releases.",
        "I moved to Kubernetes.",
        "I live near the river.",
        "I moved to accept the motion.",
        "I joined Ben for lunch.",
        "I joined Discord.",
        "I left Maps open all night.",
        "I upgraded to Windows 11.",
        "My plan is to go to Spain.",
        "I'm Batman.",
        "My name is mud.",
        "I almost moved to Berlin.",
        "Ben nearly joined Acme.",
        "I hardly ever drink coffee.",
        "Nobody at Acme lives in Boston.",
    ],
)
def test_a_value_of_another_kind_fills_no_slot_of_life(text):
    told = {attribute for attribute, _ in slots(text)}
    assert not told & {"lives_in", "works_at", "plan", "name", "likes:coffee"}


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I moved to Berlin.", ("lives_in", "Berlin")),
        ("i moved to berlin", ("lives_in", "berlin")),
        ("I moved to the countryside.", ("lives_in", "countryside")),
        ("I joined Acme as a welder.", ("works_at", "Acme")),
        ("I left Acme.", ("works_at", "Acme")),
        ("I left Acme for Borealis.", ("works_at", "Borealis")),
        ("I joined Acme for the money.", ("works_at", "Acme")),
        ("I upgraded to Pro.", ("plan", "Pro")),
        ("I upgraded to the Nebula plan.", ("plan", "Nebula")),
        ("I moved to Slack from Teams.", ("uses", "Slack")),
        ("I'm Ana.", ("name", "Ana")),
        ("I am on the Netflix Premium plan.", ("plan:netflix", "Premium")),
        ("My work email is b@y.org.", ("email:work", "b@y.org")),
        ("My favorite color is red.", ("favourite:colour", "red")),
        ("I don't work at Acme but at Borealis.", ("works_at", "Borealis")),
        ("I'm vegetarian, no wait, vegan.", ("diet", "vegan")),
        ("My birthday is not May 5th but June 5th.", ("birthday", "June 5th")),
        ("I also live in Oslo half of the year.", ("lives_in", "Oslo")),
    ],
)
def test_a_value_of_the_kind_fills_it(text, slot):
    assert slot in slots(text)


def test_a_plan_spoken_of_before_lets_an_unknown_name_be_one():
    assert ("plan", "Nebula") in slots("I upgraded to Nebula.", before=["Which plan would you like?"])
    assert ("plan", "Nebula") not in slots("I upgraded to Nebula.")


@pytest.mark.parametrize("text", ["I have no dog.", "My favorite color isn't blue.", "I work at neither Acme nor Borealis."])
def test_what_is_denied_is_kept_as_denied(text):
    found = [one for one in read(text) if one.attribute]
    assert found
    assert all(one.negated for one in found)


def test_neither_nor_denies_both():
    assert {("likes:tea", "dislikes"), ("likes:coffee", "dislikes")} <= slots("I like neither tea nor coffee.")


@pytest.mark.parametrize("text", ["I don't work at Acme on Fridays.", "I don't like tea in the morning."])
def test_what_is_denied_of_a_part_only_ends_nothing(text):
    assert not slots(text)


def test_a_decision_not_to_do_something_is_kept_as_denied():
    (found,) = [one for one in extracted("We decided not to use Postgres.").candidates if one.kind == "decision"]
    assert found.negated


def test_of_none_is_not_of_some():
    assert not [one for one in read("None of my kids like fish.") if one.attribute.startswith("likes:")]


def test_a_second_job_stands_beside_the_first():
    (job,) = [one for one in read("I also work at Acme on weekends.") if one.attribute == "works_at"]
    assert job.functional is False


@pytest.mark.parametrize(
    "text", ["neither " * 20_000, "I like " + "a" * 100_000, "I moved to " + "A " * 40_000, "I don't, but " * 9_000]
)
def test_long_texts_are_read(text):
    read(text)
