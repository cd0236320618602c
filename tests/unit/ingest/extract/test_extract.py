"""The whole extraction of one record: candidates with their places, names, times, refusals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from sentence_samples import NOW, PLAIN, read, record

from muniment.ingest.extract import extract
from muniment.knowledge.architecture import Admission
from muniment.knowledge.decisions import hinted
from muniment.knowledge.values import Act, Modality
from muniment.types import Role


def texts(text: str, role: Role = Role.USER, **options) -> list[str]:
    return [candidate.text for candidate in read(text, role, **options).candidates]


def test_each_candidate_is_proved_by_its_place_in_the_text():
    text = "Hi Ben! I moved to Porto in May 2026. What do you think?"
    (candidate,) = read(text).candidates
    assert text[candidate.evidence.start : candidate.evidence.end].startswith("I moved to Porto")
    assert (candidate.evidence.said_at, candidate.evidence.speaker) == (NOW, "user")
    assert (candidate.attribute, candidate.value) == ("lives_in", "Porto")


def test_names_and_times_come_with_what_is_said():
    found = read("My sister Marta moved to Oslo in May 2026.")
    assert {"Marta", "Oslo"} <= {mention.text for mention in found.mentions}
    assert any(c.event is not None and c.event.since == datetime(2026, 5, 1, tzinfo=UTC) for c in found.candidates)


def test_names_in_junk_are_not_names_of_anyone():
    assert read("Best regards,\nAnna Smith\nSent from my iPhone").mentions == ()
    assert read("Known facts:\n- Maria lives in Rome", Role.SYSTEM).mentions == ()


def test_a_contrast_keeps_each_side_as_it_was_meant():
    found = read("I don't like tea, but I love coffee.").candidates
    assert {(c.attribute, c.value) for c in found if not hinted(c)} == {("likes:tea", "dislikes"), ("likes:coffee", "loves")}


def test_a_decision_is_not_kept_as_a_plain_event_as_well():
    kinds = [c.kind for c in read("We decided to use Redis for the cache because it is fast.").candidates]
    assert kinds.count("decision") == 1
    assert "event" not in kinds


def test_a_correction_is_told_as_one():
    assert any(c.act is Act.CORRECT for c in read("Actually, I live in Rome.").candidates)


def test_what_may_be_is_not_said_to_be():
    assert all(c.modality is not Modality.ASSERTED for c in read("I might move to Lisbon.").candidates)


def test_more_than_an_architecture_takes_is_left_out_and_said_so():
    rules = replace(PLAIN, admission=Admission(most_per_record=2))
    found = read("I live in Rome. I love tea. I have a dog. I play the cello.", architecture=rules)
    assert len(found.candidates) == 2
    assert found.note


def test_a_time_is_assumed_where_nobody_told_when_it_was_said():
    one = replace(record("I visited Kyoto yesterday."), said_at=None)
    events = [c.event for c in extract(one, architecture=PLAIN).candidates if c.event]
    assert events
    assert all(event.assumed for event in events)


def test_an_unknown_time_zone_is_read_as_utc():
    assert read("I visited Kyoto yesterday.", architecture=replace(PLAIN, timezone="Nowhere/Land")).candidates


def test_the_same_record_is_read_the_same_way():
    text = "I moved to Porto in May 2026 and I love the food, but my brother hates it."
    assert read(text) == read(text)


def test_nothing_said_gives_nothing():
    for text in ("", "   \n", "\x00"):
        assert read(text).candidates == ()


def test_every_plain_fact_of_a_sentence_is_kept():
    found = texts("I baked a chocolate cake, and my brother painted the old shed.")
    assert any("baked" in one for one in found)
    assert any("painted" in one for one in found)


def test_a_question_tells_what_it_implies_and_nothing_surer():
    found = read("Can my dog eat chocolate? When did we visit Rome with my wife?")
    assert {c.text for c in found.candidates} == {"user has a dog", "user has a wife"}
    assert all(c.confidence <= 0.75 and c.kind != "event" for c in found.candidates)
    assert {refusal.reason for refusal in found.refusals} == {"question"}


def test_who_is_named_in_a_reporting_clause_alone_is_named():
    for text in ("Sarah said she is tired.", "I live in Rome. Sarah said she is tired.", "Sarah told me that she moved to Oslo."):
        found = read(text)
        assert "Sarah" in {candidate.subject for candidate in found.candidates}
        assert "Sarah" in {mention.text for mention in found.mentions}


def test_who_reports_what_is_refused_is_not_named():
    assert "Sarah" not in {mention.text for mention in read("I live in Rome. Sarah said hello.", Role.SYSTEM).mentions}
