"""Kinds that an architecture adds: their cues decide, slots with one value stay where they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.architect import archetypes, default_architecture, read_architecture
from muniment.knowledge.kinds import kind_of
from muniment.knowledge.values import Candidate, Evidence
from muniment.types import RecordId, Role

ISSUES = read_architecture(
    "kinds:\n  fact: {}\n  event: {}\n  preference: {}\n"
    "  issue: {cues: [broken, error, does not work]}\n  cause: {cues: [broken, because, due to]}\n"
)


def candidate(text, *, kind="fact", attribute="", functional=None):
    return Candidate(
        kind=kind,
        text=text,
        subject="user",
        evidence=Evidence(record=RecordId("r"), start=0, end=len(text)),
        role=Role.USER,
        attribute=attribute,
        functional=functional,
    )


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (candidate("user has a broken router"), "issue"),
        (candidate("user saw errors"), "issue"),
        (candidate("The router does not work"), "issue"),
        (candidate("The router is broken because of the storm"), "cause"),
        (candidate("The router broke", kind="event"), "event"),
        (candidate("The router was broken in May", kind="event"), "issue"),
        (candidate("user lives in Broken Hill", attribute="lives_in"), "fact"),
        (candidate("user has broken skis", attribute="has"), "issue"),
        (candidate("user has broken skis", attribute="has", functional=True), "fact"),
        (candidate("user prefers broken rice", kind="preference"), "preference"),
        (candidate("they decided to fix the error", kind="decision"), "issue"),
        (candidate("they decided to go", kind="decision"), "decision"),
        (candidate(""), "fact"),
    ],
)
def test_cues_make_a_candidate_one_of_the_kinds_that_were_added(one, kind):
    assert kind_of(one, ISSUES) == kind


@given(st.text())
def test_the_standard_kinds_are_left_as_they_are_read(text):
    assert kind_of(candidate(text), default_architecture()) == "fact"


@given(st.text(), st.sampled_from(archetypes()))
def test_any_words_give_a_kind_the_architecture_has_or_the_one_that_was_read(text, archetype):
    assert kind_of(candidate(text), archetype.architecture) in {"fact", *(rule.name for rule in archetype.architecture.kinds)}
