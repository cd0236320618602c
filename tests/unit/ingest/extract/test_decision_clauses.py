"""Decisions told in clauses: one thing for another, short verdicts, minutes and decision records, and ends of promises."""

from __future__ import annotations

import pytest
from tests.unit.ingest.extract.test_decisions_reading import ANA, candidates, one

from muniment.ingest.extract.rules_decisions_promised import settled
from muniment.ingest.extract.rules_decisions_sections import parts_of
from muniment.testing.samples import sample_record


@pytest.mark.parametrize(
    ("said", "chosen", "instead"),
    [
        ("We replaced the fax machine with a scanner.", "a scanner", ("the fax machine",)),
        ("The old logo was replaced by the new one.", "the new one", ("The old logo",)),
        ("The committee awarded the contract to Halvorsen.", "Halvorsen", ()),
        ("The motion to plant two lindens was carried.", "plant two lindens", ()),
        ("team's going with sqlite.", "sqlite", ()),
        ("Not renewing the lease. We'll work from home.", "work from home", ("renewing the lease",)),
    ],
)
def test_a_clause_tells_what_was_taken_and_what_was_not(said, chosen, instead):
    found = candidates(said)[0]
    assert (found.value, found.parts.get("alternatives", ())) == (chosen, instead)


def test_a_reason_may_follow_without_a_word_for_it():
    assert one("The committee awarded the contract to Halvorsen. They can start in a week.").parts["rationale"] == (
        "They can start in a week",
    )


def test_a_short_verdict_counts_after_a_question_and_alone_it_does_not():
    asked = sample_record(ANA, "Rome or Oslo?", speaker="Ben")
    assert one("Oslo then! It is cooler.", before=(asked,)).value == "Oslo"
    assert candidates("Oslo then! It is cooler.") == []


def test_a_decision_record_is_read_by_its_labels():
    found = one(
        "## Context\nPages are slow.\n## Decision\nWe cache them.\n## Rationale\nMost never change.\n"
        "## Alternatives\n- a CDN\n- more servers"
    )
    assert found.value.endswith("cache them")
    assert found.parts["rationale"] == ("Most never change",)
    assert found.parts["alternatives"] == ("a CDN", "more servers")
    assert candidates("## Decision\nTBD") == []
    assert parts_of("Nothing is labelled here.") == ()


@pytest.mark.parametrize(
    ("said", "deed", "done"),
    [
        ("I sent the report.", "send the report", True),
        ("The flights are booked.", "book The flights", True),
        ("I'm done with the slides.", "finish the slides", True),
        ("I can't do the review after all.", "do the review after all", False),
    ],
)
def test_the_end_of_a_promise_is_told(said, deed, done):
    found = settled(said)
    assert found is not None
    assert (found.deed, found.done) == (deed, done)


@pytest.mark.parametrize("said", ["Did you send the report?", "I haven't sent the report yet.", "I will send the report."])
def test_a_promise_still_open_is_not_told_as_ended(said):
    assert settled(said) is None


@pytest.mark.parametrize("said", ["a" * 60_000, "not " * 15_000, "X or " * 12_000, "Decision:\n" * 6_000])
def test_hostile_text_is_read_in_linear_time(said):
    candidates(said)
