"""Whose words they are: quotation marks, quoted blocks, reported speech."""

from __future__ import annotations

import pytest
from sentence_samples import judged, read


def said(text: str, **options) -> list[tuple[str, str, bool]]:
    return [(s.speaker, s.text, s.quoted) for s in judged(text, **options)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ben said that he is moving to Rome.", ("Ben", "he is moving to Rome.", True)),
        ("Ben told me he hates tea.", ("Ben", "he hates tea.", True)),
        ("According to Ben, the launch is on Friday.", ("Ben", "the launch is on Friday.", True)),
        ('Ben said "I moved to Rome last week".', ("Ben", "I moved to Rome last week", True)),
        ("“I moved to Rome last week,” said Ben.", ("Ben", "I moved to Rome last week,", True)),
        ("My sister told me that she got a job at Google.", ("user's sister", "she got a job at Google.", True)),
        ("Ben sagte, dass er nach Rom zieht.", ("Ben", "er nach Rom zieht.", True)),
        ("Ben a dit que Rome lui plaît.", ("Ben", "Rome lui plaît.", True)),
        ("Ana dijo que vive en Lima.", ("Ana", "vive en Lima.", True)),
        ("小王说他住在北京。", ("小王", "他住在北京。", True)),
        ("I said that I am leaving.", ("user", "I am leaving.", False)),
        ("Ben said I got the job.", ("user", "I got the job.", True)),
    ],
)
def test_reported_words_are_the_quoted_persons(text, expected):
    assert said(text) == [expected]


def test_a_pronoun_is_named_where_it_is_clear():
    assert said("She said that the flat is sold.", subject=lambda _pronoun, _place: "Ana")[0][0] == "Ana"


def test_a_quoted_block_belongs_to_who_wrote_it():
    assert said("On Monday Ben wrote:\n> I live in Rome.\n\nI live in Oslo.")[1:] == [
        ("Ben", "I live in Rome.", True),
        ("user", "I live in Oslo.", False),
    ]


def test_a_quotation_nobody_is_told_to_say_is_not_the_speakers():
    assert [s.refusal for s in judged("> I live in Rome.\nMe too, I have a flat there.")] == ["recalled", ""]
    assert not [c for c in read("“I live in a yellow submarine with all my friends.”").candidates if c.subject == "user"]


@pytest.mark.parametrize(
    "text", ['I love the song "Yesterday" by them.', 'My screen is 24" wide and my desk 60" long.', "I don't like Ben's car."]
)
def test_names_and_stray_marks_quote_nobody(text):
    assert said(text) == [("user", text, False)]


def test_nothing_quoted_becomes_a_fact_of_the_speaker():
    found = read('Ben said "I hate mushrooms". My boss said that she lives in Rome.')
    assert found.candidates
    assert not [candidate for candidate in found.candidates if candidate.subject == "user"]
