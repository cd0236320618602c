"""What takes an earlier statement back or puts it right."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.facts_read import read, record

from muniment.ingest.extract.rules_corrections import NONE, read_correction
from muniment.knowledge.values import Act


def test_actually_puts_a_slot_right():
    (home,) = read("Actually, I live in Milan.")
    assert (home.act, home.attribute, home.value) == (Act.CORRECT, "lives_in", "Milan")


def test_actually_for_emphasis_is_a_statement():
    (dog,) = read("I actually have two dogs.")
    assert dog.act is Act.STATE


def test_a_bare_value_puts_the_last_statement_right():
    wrong, right = read("I'm on the Silver plan. Actually it's Gold.")
    assert (wrong.act, wrong.value) == (Act.STATE, "Silver")
    assert (right.act, right.attribute, right.value, right.targets) == (Act.CORRECT, "plan", "Gold", ("Silver",))


def test_what_was_meant_is_found_in_the_turn_before():
    (right,) = read("Sorry, I meant Lisbon.", before=[record("I live in Porto.")])
    assert (right.act, right.attribute, right.value, right.targets) == (Act.CORRECT, "lives_in", "Lisbon", ("Porto",))


def test_a_day_is_put_right_in_an_event():
    found = read("The meeting is on Tuesday. Sorry, I meant Wednesday.")
    right = found[-1]
    assert (right.act, right.text) == (Act.CORRECT, "The meeting is on Wednesday")
    assert "Tuesday" in right.targets


def test_not_one_but_the_other_names_both():
    found = read_correction("It's not Tuesday but Wednesday.")
    assert (found.act, found.old, found.new) == (Act.CORRECT, "Tuesday", "Wednesday")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("I was wrong about the deadline.", ("deadline",)),
        ("Forget what I said about my diet.", ("diet",)),
        ("Ignore what I said about Porto, please.", ("Porto",)),
    ],
)
def test_what_is_taken_back_is_named(said, words):
    (back,) = [c for c in read(said) if c.act is Act.RETRACT]
    assert back.targets == words


@pytest.mark.parametrize("said", ["Scratch that.", "That's not true anymore.", "I take that back."])
def test_taking_that_back_is_about_the_last_statement(said):
    (back,) = [c for c in read(said, before=[record("I live in Porto.")]) if c.act is Act.RETRACT]
    assert "Porto" in back.targets


@pytest.mark.parametrize(
    "said", ["That's true.", "I do not have one.", "Sorry to hear that.", "I am not into cars.", "Wait, what?", ""]
)
def test_ordinary_words_correct_nothing(said):
    assert read_correction(said) == NONE


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I no longer work at Acme.", "works_at", "Acme"),
        ("I don't live in Rome anymore.", "lives_in", "Rome"),
        ("I quit my job at Acme.", "works_at", "Acme"),
        ("I used to live in Rome.", "lives_in", "Rome"),
        ("I cancelled my subscription.", "plan", ""),
        ("I broke up with Tom.", "relationship", ""),
        ("At first I was on the Basic plan.", "plan", "Basic"),
    ],
)
def test_what_is_over_ends_its_slot(said, attribute, value):
    (over,) = [c for c in read(said) if c.attribute == attribute]
    assert over.ends
    assert over.value == value


def test_what_used_to_be_is_open_to_the_past():
    (home,) = read("I used to live in Rome.")
    assert home.event is not None
    assert home.event.since is None
    assert home.event.until is not None


@pytest.mark.parametrize(
    ("said", "attribute", "old", "new"),
    [
        ("I moved from Porto to Lisbon in May.", "lives_in", "Porto", "Lisbon"),
        ("We switched from Basic to Pro.", "plan", "Basic", "Pro"),
        ("I switched from Vim to Emacs.", "uses", "Vim", "Emacs"),
        ("We moved from Silver to Gold on March 3.", "plan", "Silver", "Gold"),
        ("My account email changed from a@x.org to b@x.org", "email", "a@x.org", "b@x.org"),
    ],
)
def test_a_change_names_what_it_replaces(said, attribute, old, new):
    (change,) = read(said)
    assert (change.attribute, change.value, change.targets) == (attribute, new, (old,))


def test_moves_carry_their_time():
    (change,) = read("I moved from Porto to Lisbon last year.")
    assert change.event is not None
    assert change.event.since is not None
    assert change.event.since.year == 2025


def test_a_moved_deadline_lives_nowhere():
    (event,) = read("The deadline moved from Friday to Monday.")
    assert (event.kind, event.attribute) == ("event", "")


def test_no_not_that_names_what_was_wrong():
    (home,) = read("No, I live in Lisbon, not Porto.")
    assert (home.act, home.value, home.targets) == (Act.CORRECT, "Lisbon", ("Porto",))
