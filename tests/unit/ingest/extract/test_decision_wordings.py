"""Decisions told by whole wordings: what was taken, what was not, why; and what only sounds like one."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.test_decisions_reading import candidates, one

from muniment.ingest.extract.rules_decisions_frames import framed
from muniment.knowledge.values import Act
from muniment.testing.samples import sample_record
from muniment.types import Scope


@pytest.mark.parametrize(
    ("said", "chosen"),
    [
        ("Our money is on Hetzner.", "Hetzner"),
        ("It came down to price, so Hetzner it is.", "Hetzner"),
        ("We voted 4-1 for Lisbon.", "Lisbon"),
        ("I'm sold on the Leica, mostly for the lens.", "the Leica"),
        ("Starting Monday we use Slack instead of email.", "Slack"),
        ("No more meetings on Friday, we decided.", "No more meetings on Friday"),
        ("Redis lost to Memcached on cost.", "Memcached"),
        ("We're throwing in our lot with Kotlin.", "Kotlin"),
        ("The rewrite is off the table, it would take a year.", "against The rewrite"),
        ("I turned the offer down because of the commute.", "against the offer"),
    ],
)
def test_a_whole_wording_tells_what_was_decided(said, chosen):
    assert one(said).value == chosen


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("We scrapped the rewrite: too risky.", "too risky"),
        ("We picked Berlin, the rents are lower.", "the rents are lower"),
        ("Going Berlin, cheaper than Paris.", "cheaper than Paris"),
        ("We went for granite; what tipped it was easy cleaning.", "easy cleaning"),
    ],
)
def test_a_reason_needs_no_word_for_it(said, why):
    assert candidates(said)[0].parts["rationale"] == (why,)


@pytest.mark.parametrize(
    "said",
    [
        "Germany won against France 2-1.",
        "My dog beat cancer.",
        "Nothing beats fresh bread.",
        "We agreed to disagree.",
        "Let's go with the flow.",
        "I'm going with mom to the store.",
        "Dinner can wait.",
        "It is such a dreamy place, so it's nice to get out.",
        "We broke up.",
    ],
)
def test_what_only_sounds_like_a_decision_is_none(said):
    assert candidates(said) == []


def test_an_outcome_is_looked_for_under_whoever_decided():
    decided = sample_record(Scope(user="ana"), "We decided to move to Postgres because it is boring.", speaker="Ben")
    out = one("It came back to bite us.", speaker="Ana", before=(decided,))
    assert (out.act, out.subject, out.speaker) == (Act.OUTCOME, "Ben", "Ana")
    assert "Postgres" in out.targets


def test_a_reason_told_a_turn_later_goes_to_the_decision():
    decided = sample_record(Scope(user="ana"), "We settled on the Leica.", speaker="user")
    out = one("What tipped it was the lens.", before=(decided,))
    assert (out.act, out.parts) == (Act.OUTCOME, {"rationale": ("the lens",)})


@pytest.mark.parametrize("piece", ["a", "so ", "it is ", "we dropped ", ": ", "let's do "])
def test_100_kilobytes_of_one_piece_are_read_in_passing(piece):
    framed(piece * (100_000 // len(piece)))
    candidates("We decided " + piece * (100_000 // len(piece)))
