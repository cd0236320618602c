"""Everyday lines: devices that work or not, new names, tools gone back to, and what begins on a day to come."""

from __future__ import annotations

import pytest
from facts_read import read, slots

from muniment.knowledge.values import Modality


@pytest.mark.parametrize(
    ("text", "subject", "state"),
    [
        ("The printer works again.", "The printer", "works"),
        ("The wifi is down again.", "The wifi", "down"),
        ("The heating is fixed now.", "The heating", "fixed"),
        ("The dishwasher broke yesterday.", "The dishwasher", "broken"),
        ("The kitchen tap leaks.", "The kitchen tap", "leaks"),
        ("My printer isn't working.", "user's printer", "not working"),
        ("Our car is at the garage.", "user's car", "at the garage"),
    ],
)
def test_whether_a_device_works_is_its_state(text, subject, state):
    (found,) = [one for one in read(text) if one.attribute == "status"]
    assert (found.subject, found.value, found.functional) == (subject, state, True)


@pytest.mark.parametrize("text", ["The news is down.", "My heart broke.", "The weather is fine again.", "The printer was down."])
def test_what_is_no_device_or_is_over_has_no_state(text):
    assert not [one for one in read(text) if one.attribute == "status"]


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I renamed my boat to Perseverance.", ("boat", "Perseverance")),
        ("I renamed my boat Perseverance.", ("boat", "Perseverance")),
        ("We renamed the company to Fable.", ("company", "Fable")),
        ("My laptop is called Hal.", ("laptop", "Hal")),
        ("Our cat is now called Max.", ("has_pet", "cat named Max")),
        ("The project was renamed to Atlas.", ("name", "Atlas")),
        ("I switched back to Firefox from Chrome.", ("uses", "Firefox")),
        ("I returned to Firefox.", ("uses", "Firefox")),
        ("I went back to Vim.", ("uses", "Vim")),
    ],
)
def test_new_names_and_tools_gone_back_to_fill_slots(text, slot):
    assert slot in slots(text)


@pytest.mark.parametrize("text", ["I renamed the file to Notes.", "I renamed my mind."])
def test_a_new_name_of_what_nobody_has_fills_none(text):
    assert slots(text) == set()


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I start at Acme in ten days.", Modality.PLANNED),
        ("I move to Rome next week.", Modality.PLANNED),
        ("I started at Acme last week.", Modality.ASSERTED),
        ("I live in Rome since May.", Modality.ASSERTED),
    ],
)
def test_what_begins_on_a_day_to_come_does_not_hold_yet(text, modality):
    assert {one.modality for one in read(text) if one.attribute in ("works_at", "lives_in")} == {modality}
