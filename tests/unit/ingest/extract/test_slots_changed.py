"""Which slot a change fills anew, whatever the change is called."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.facts_read import read


def slots(text: str) -> list[tuple[str, str]]:
    return [(c.attribute, c.value) for c in read(text) if c.attribute and not c.ends]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("I switched my major to chemistry.", "studies", "chemistry"),
        ("I'm studying economics at Leeds.", "studies", "economics"),
        ("We swapped the Basic plan for the Pro plan.", "plan", "Pro"),
        ("I moved us over to the Orchid tier.", "plan", "Orchid"),
        ("Our plan was upgraded to Business.", "plan", "Business"),
        ("We went back to the Free tier.", "plan", "Free"),
        ("I've gone vegetarian.", "diet", "vegetarian"),
        ("I turned pescatarian.", "diet", "pescatarian"),
        ("My home is in Oulu.", "lives_in", "Oulu"),
        ("Home is Oulu these days.", "lives_in", "Oulu"),
        ("Oulu is where I live now.", "lives_in", "Oulu"),
        ("We settled down in Oulu.", "lives_in", "Oulu"),
        ("I left my old job and joined Northwind.", "works_at", "Northwind"),
        ("Northwind hired me.", "works_at", "Northwind"),
        ("I accepted an offer from Northwind.", "works_at", "Northwind"),
        ("My company is called Northwind.", "works_at", "Northwind"),
        ("I retrained as a plumber.", "job", "plumber"),
        ("I was promoted to director.", "job", "director"),
        ("My favourite colour changed to teal.", "favourite:colour", "teal"),
        ("I changed doctors, Dr. Weiss is my doctor now.", "doctor", "Dr. Weiss"),
        ("Kim replaced Lee as my manager.", "manager", "Kim"),
        ("I moved to the Payments team.", "team", "Payments"),
        ("I am afraid of spiders.", "fears", "spiders"),
        ("Spiders terrify me.", "fears", "spiders"),
    ],
)
def test_a_change_fills_the_slot_of_what_changed(said, attribute, value):
    assert (attribute, value) in slots(said)


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("I started eating meat again.", "diet"),
        ("I stopped being vegetarian.", "diet"),
        ("I let my subscription lapse.", "plan"),
        ("I'm no longer with Acme.", "works_at"),
        ("I stopped playing tennis.", "plays"),
        ("We broke up.", "relationship"),
    ],
)
def test_what_is_given_up_is_ended(said, attribute):
    assert any(c.attribute == attribute and c.ends for c in read(said))


@pytest.mark.parametrize(
    "said",
    ["I changed my mind.", "I went to bed.", "I'm studying for my exam.", "I moved the meeting to Friday.", "I'm at Ben's now."],
)
def test_a_change_of_something_else_fills_nothing(said):
    assert slots(said) == []


@pytest.mark.parametrize("said", ["I sold my car.", "I traded my boat for a van."])
def test_what_was_given_away_is_not_had(said):
    assert not any(attribute == "has" for attribute, _ in slots(said))


def test_an_ongoing_change_is_planned():
    assert [c.modality.value for c in read("I'm switching to the Gold plan next month.") if c.attribute == "plan"] == ["planned"]


def test_100_kilobytes_of_one_letter_are_read_in_passing():
    for letter in ("a", "a ", "my ", "to the plan "):
        read("I changed my " + letter * (100_000 // len(letter)))
