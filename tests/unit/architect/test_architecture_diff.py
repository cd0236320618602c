"""Differences of two architectures: what each means for memory, and how serious it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from test_architecture_round_trip import architectures

from muniment.architect import Severity, default_architecture, diff, read_architecture
from muniment.architect.rules_report import report, shifts

CHANGES = [
    ("kinds:\n  fact: {}\n", "kinds:\n  fact: {}\n  mood: {}\n", "kinds.mood", Severity.NOTE),
    ("kinds:\n  fact: {}\n  mood: {}\n", "kinds:\n  fact: {}\n", "kinds.mood", Severity.SERIOUS),
    ("kinds:\n  fact: {}\n", "kinds:\n  fact: {enabled: false}\n", "kinds.fact", Severity.SERIOUS),
    ("kinds:\n  fact: {}\n", "kinds:\n  fact: {keep: 30d}\n", "kinds.fact.keep", Severity.SERIOUS),
    ("kinds:\n  fact: {keep: 30d}\n", "kinds:\n  fact: {keep: 1 year}\n", "kinds.fact.keep", Severity.NOTE),
    ("kinds:\n  fact: {functional: [plan]}\n", "kinds:\n  fact: {functional: []}\n", "kinds.fact.functional", Severity.WARNING),
    ("kinds:\n  fact: {}\n", "kinds:\n  fact: {share: client}\n", "kinds.fact.share", Severity.SERIOUS),
    ("kinds:\n  fact: {share: client}\n", "kinds:\n  fact: {share: user}\n", "kinds.fact.share", Severity.NOTE),
    ("kinds:\n  fact: {}\n", "kinds:\n  fact: {pii: {card: keep}}\n", "kinds.fact.pii.card", Severity.SERIOUS),
    ("kinds:\n  fact: {}\n", "kinds:\n  fact: {storage: [lexical, graph]}\n", "kinds.fact.storage", Severity.WARNING),
    ("pii: {email: mask}\n", "pii: {email: keep}\n", "pii.email", Severity.SERIOUS),
    ("pii: {email: keep}\n", "pii: {email: refuse}\n", "pii.email", Severity.NOTE),
    ("", "languages: [en]\n", "languages", Severity.WARNING),
    ("languages: [en]\n", "languages: [en, pt]\n", "languages", Severity.NOTE),
    ("languages: [en, pt]\n", "languages: [pt]\n", "languages", Severity.WARNING),
    ("private_conversations: true\n", "private_conversations: false\n", "private_conversations", Severity.SERIOUS),
    ("agent: a\n", "agent: a\nextraction: {mode: both, model: openai:m}\n", "extraction", Severity.WARNING),
    ("admission: {confidence: 0.7}\n", "admission: {confidence: 0.5}\n", "admission.confidence", Severity.WARNING),
    (
        "entities: {person: {merge_at: 0.9}}\n",
        "entities: {person: {merge_at: 0.8}}\n",
        "entities.person.merge_at",
        Severity.WARNING,
    ),
    ("admission: {refuse: [greeting]}\n", "admission: {refuse: []}\n", "admission.refuse", Severity.WARNING),
    ("admission: {refuse: [recalled]}\n", "admission: {refuse: []}\n", "admission.refuse", Severity.SERIOUS),
    ("timezone: UTC\n", "timezone: Asia/Tokyo\n", "timezone", Severity.WARNING),
    ("weights: {}\n", "weights: {words: 2}\n", "weights.words", Severity.NOTE),
    ("agent: a\n", "agent: a\nquestion_weights: {when: {time: 2}}\n", "question_weights.when.time", Severity.NOTE),
]


@pytest.mark.parametrize(
    ("old", "new", "path", "severity"), CHANGES, ids=[path + str(n) for n, (*_, path, _) in enumerate(CHANGES)]
)
def test_a_change_is_told_with_its_weight(old, new, path, severity):
    [change] = diff(read_architecture(old), read_architecture(new))
    assert (change.path, change.severity) == (path, severity)
    assert change.what


@settings(deadline=None)
@given(architectures(), architectures())
def test_two_architectures_differ_exactly_when_they_are_not_the_same(one, other):
    assert diff(one, one) == ()
    relabelled = replace(other, archetypes=one.archetypes)
    order_of = lambda a: (sorted(a.kinds, key=lambda k: k.name), sorted(a.entities, key=lambda e: e.name))  # noqa: E731  (one use)
    if order_of(one) != order_of(relabelled) or one.pii != relabelled.pii:
        found = diff(one, relabelled)
        severities = [tuple(Severity).index(change.severity) for change in found]
        assert severities == sorted(severities)


def test_the_order_of_kinds_means_nothing():
    default = default_architecture()
    assert diff(default, replace(default, kinds=default.kinds[::-1])) == ()


def test_an_empty_run_reports_nothing_and_shifts_nothing():
    empty = report([], {})
    assert (empty.kinds, empty.refused, shifts(empty, empty)) == ((), (), ())
