"""Whom a pronoun stands for: by gender, by the part it plays, from earlier records; nobody where that is not plain."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Role, Scope
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_pronouns import resolver, subject
from muniment.types import Kind, Record, RecordId

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def record(text, speaker="user"):
    who = {"role": Role.USER, "kind": Kind.TURN, "speaker": speaker, "agent": "default"}
    return Record(id=RecordId(text[:8]), scope=Scope(user="ana"), text=text, recorded_at=NOON, **who)


def meant(text, pronoun):
    return subject(pronoun, text.rindex(pronoun), text=text)


@pytest.mark.parametrize(
    ("text", "pronoun", "name"),
    [
        ("My sister Anna visited. She loves tea.", "She", "Anna"),
        ("Ben told Anna that she was late.", "she", "Anna"),
        ("Anna told Ben that he was late.", "he", "Ben"),
        ("Sarah Chen called. Sarah said her flight was late.", "her", "Sarah Chen"),
        ("Mr. Vale arrived. He was tired.", "He", "Mr. Vale"),
        ("Anna and Ben came. Her coat was wet.", "Her", "Anna"),
        ("Sherlock Holmes left. His brother Mycroft Holmes stayed.", "His", "Sherlock Holmes"),
        ("My dog Quibb is ill. He sleeps a lot.", "He", "Quibb"),
        ("We have a cat named Quibb. She is old.", "She", "Quibb"),
        ("In her last book, Anna writes about bees.", "her", "Anna"),
    ],
)
def test_a_pronoun_stands_for_the_fitting_name(text, pronoun, name):
    assert meant(text, pronoun) == name


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("Bob told him.", "him"),
        ("She is nice.", "She"),
        ("Sarah Chen and Emma Miller talked. She left.", "She"),
        ("Ben came. She left.", "She"),
        ("Ben came. They left.", "They"),
        ("my sister came. she left", "she"),
        ("His brother Ben stayed.", "His"),
    ],
)
def test_where_it_is_not_plain_nobody_is_named(text, pronoun):
    assert meant(text, pronoun) == ""


def test_names_of_earlier_records_are_candidates_and_the_speaker_is_not():
    now = record("I think she likes it there.", speaker="Caroline")
    ask = resolver(now, [record("Anna moved to Porto."), record("Really?")], mentions(now.text))
    assert ask("she", now.text.index("she")) == "Anna"
    own = record("She said so.", speaker="Anna")
    assert resolver(own, [record("Anna moved to Porto.")], ())("She", 0) == ""


def test_what_is_no_pronoun_stands_for_nobody():
    assert subject("table", 3, text="the table") == ""


@given(st.text(max_size=120), st.sampled_from(["he", "She", "her", "it", "they", "him"]), st.integers(0, 140))
def test_no_text_and_no_place_is_an_error(text, pronoun, place):
    assert isinstance(subject(pronoun, place, text=text), str)


@pytest.mark.parametrize("piece", ["Ben ", "Ben. ", "he ", "A", "("])
def test_a_long_text_is_looked_at_nearby_only(piece):
    text = piece * (100_000 // len(piece))
    assert isinstance(subject("he", 90_000, text=text), str)


LETTERS = "Please address letters to Dr. Chen. On invoices she signs as SC."


@pytest.mark.parametrize("before", ["We are on the Solo plan.", "Our Wi-Fi password is new.", "Flink was down."])
def test_no_plan_product_or_thing_is_ever_she(before):
    now = record(LETTERS, speaker="Ben")
    ask = resolver(now, [record(before, speaker="Sarah Chen")], mentions(now.text))
    assert ask("she", now.text.index("she")) == "Dr. Chen"


@pytest.mark.parametrize(
    "text",
    [
        "We are on the Solo plan. She likes it.",
        "We use Postgres. He set it up.",
        "Our Wi-Fi password is new. She wrote it down.",
        "We met at Lakeside Hall. She was late.",
        "We flew to Porto. He liked it.",
        "Acme Inc. grew. She left.",
        "We installed Obsidian. She likes it.",
        "Order ORD-10042 came. He opened it.",
        "I like Rust. She does too.",
        "Flink was down. She rebooted it.",
        "Flink had a bug. She fixed it.",
        "Atlas will launch soon. He knows.",
        "I like Purple Mornings. She sings well.",
        "I read Silent Harbor. He wrote it.",
        "We bought Brindle Loom. He loves it.",
        "Tell Globex Labs that she called.",
    ],
)
def test_a_thing_leaves_a_pronoun_of_a_person_unresolved(text):
    pronoun = next(word for word in ("She", "He", "she") if word in text.split())
    assert meant(text, pronoun) == ""


def test_a_person_of_the_same_record_goes_before_one_of_an_earlier_record():
    now = record("Dr. Chen wrote back. She said yes.")
    ask = resolver(now, [record("Maria called. Maria said hello. Maria is my boss.")], mentions(now.text))
    assert ask("She", now.text.index("She")) == "Dr. Chen"


def test_a_name_of_somebody_who_spoke_is_a_persons():
    now = record("I like Quenz. He is kind.", speaker="Ben")
    unknown = resolver(now, [record("Hello there.", speaker="Maria")], mentions(now.text))
    spoke = resolver(now, [record("Hello there.", speaker="Quenz")], mentions(now.text))
    place = now.text.index("He ")
    assert (unknown("He", place), spoke("He", place)) == ("", "Quenz")
