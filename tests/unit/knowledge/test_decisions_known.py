"""Which decision an outcome belongs to, and which answers a question."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from muniment.knowledge.decisions import Asked, amended, answer, asked, link_outcome
from muniment.knowledge.values import Act, Candidate, Evidence, Memory, MemoryId, Status
from muniment.knowledge.weighed import listed, weighed
from muniment.testing.fakes import NOON
from muniment.types import RecordId, Role, Scope, Trust


def decision(value, *, text="", day=0, **changes):
    at = NOON + timedelta(days=day)
    memory = Memory(
        id=MemoryId(value), scope=Scope(user="ana"), kind="decision", text=text or f"user decided on {value}", subject="user",
        attribute="decision", value=value, recorded_at=at, said_at=at,
        evidence=(Evidence(record=RecordId("r"), start=0, end=4, said_at=at),),
    )  # fmt: skip
    return replace(memory, **changes)


def outcome(text, *, day=9, **changes):
    told = Candidate(
        kind="decision", text=f"user: {text}", subject="user", role=Role.USER, act=Act.OUTCOME, targets=tuple(text.split()),
        evidence=Evidence(record=RecordId("later"), start=0, end=len(text), said_at=NOON + timedelta(days=day)),
    )  # fmt: skip
    return replace(told, **changes)


POSTGRES, LISBON = decision("Postgres", day=1), decision("Lisbon for the offsite", day=2)


def test_an_outcome_is_linked_by_shared_words():
    assert link_outcome(outcome("the move to Postgres halved latency"), [LISBON, POSTGRES]) is POSTGRES
    assert link_outcome(outcome("the weather was lovely"), [LISBON, POSTGRES]) is None


def test_of_two_that_fit_alike_the_latest_is_taken():
    later = replace(POSTGRES, id=MemoryId("again"), said_at=NOON + timedelta(days=5))
    assert link_outcome(outcome("Postgres paid off"), [later, POSTGRES]) is later


@pytest.mark.parametrize(
    "changes", [{"status": Status.RETRACTED}, {"attribute": "outcome"}, {"kind": "fact"}, {"said_at": NOON + timedelta(days=30)}]
)
def test_what_is_no_open_decision_has_no_outcome(changes):
    assert link_outcome(outcome("Postgres paid off"), [replace(POSTGRES, **changes)]) is None


def test_untrusted_words_never_tell_how_a_trusted_decision_came_out():
    assert link_outcome(outcome("Postgres paid off", trust=Trust.UNTRUSTED), [POSTGRES]) is None


def test_a_reason_told_later_is_added_with_its_evidence():
    told = outcome("because of the tooling", parts={"rationale": ("the tooling",)})
    grown = amended(replace(POSTGRES, parts={"rationale": ("the price",)}), told)
    assert grown.parts == {"rationale": ("the price", "the tooling")}
    assert [e.record for e in grown.evidence] == ["r", "later"]


def test_questions_ask_for_a_piece():
    assert asked("Why did we choose Postgres?") is Asked.WHY
    assert asked("What alternatives did we consider?") is Asked.ALTERNATIVES
    assert asked("What came of the move?") is Asked.OUTCOME
    assert asked("What did we decide about the offsite?") is Asked.WHAT


def test_the_answer_ranks_by_shared_words_and_knows_when_nothing_is_known():
    assert [one.memory for one in answer("Why did we choose Postgres?", [LISBON, POSTGRES])] == [POSTGRES]
    assert answer("Why did we hire Ben?", [LISBON, POSTGRES]) == ()
    assert [one.memory for one in answer("What did we decide?", [POSTGRES, LISBON])] == [LISBON, POSTGRES]


def test_of_two_alike_the_one_with_the_piece_asked_for_comes_first():
    told = replace(POSTGRES, id=MemoryId("told"), parts={"rationale": ("JSON",)})
    later = replace(POSTGRES, said_at=NOON + timedelta(days=8))
    assert [one.memory.id for one in answer("Why Postgres?", [later, told])] == ["told", later.id]


def test_options_are_read_out_of_words():
    assert weighed("We considered Rome, Oslo and Bern.") == ("Rome", "Oslo", "Bern")
    assert weighed("Should we use Redis or Kafka?") == ("Redis", "Kafka")
    assert weighed("Oslo was too expensive.") == ("Oslo",)
    assert weighed("The sky is blue.") == ()
    assert listed("both the red one and maybe the blue one") == ["the red one", "the blue one"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("I moved to Porto because Oslo was too loud.", ("Oslo",)),
        ("We went with Acme because Globex was too expensive.", ("Globex",)),
        ("Should we use Porto or Lisbon?", ("Porto", "Lisbon")),
        ("I ruled out to move. We also looked at Kiel.", ("Kiel",)),
        ("They were turned down.", ()),
    ],
)
def test_options_are_whole_words_of_the_text_and_never_what_somebody_did(text, options):
    found = weighed(text)
    assert all(option in text for option in found)
    assert set(options) <= set(found)
    assert not any(option.split()[0] in ("I", "We", "They") for option in found)
