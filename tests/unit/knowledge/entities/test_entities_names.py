"""How far two names may be one thing's: the committed list, symmetry, and what each reason is called."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.knowledge.entities import keys_of
from muniment.knowledge.entities.compare import compare
from muniment.knowledge.entities.names import person_name
from muniment.knowledge.values import Mention

LIST = Path(__file__).parents[3] / "fixtures" / "lookalikes" / "pairs.tsv"
MERGE_AT = 0.92


def pairs(same):
    with LIST.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["left"], row["right"], row["kind"]) for row in rows if row["same"] == same]


def test_the_list_is_long_enough():
    assert len(pairs("0")) >= 200
    assert len(pairs("1")) >= 100


def test_no_lookalikes_are_taken_for_one_whatever_is_known_of_their_kind():
    for left, right, kind in pairs("0"):
        assert compare(left, right, kind, kind).score < MERGE_AT, (left, right)
        assert compare(right, left, kind, kind).score < MERGE_AT, (left, right)


def test_true_pairs_are_found_by_their_keys_and_taken_for_one():
    for left, right, kind in pairs("1"):
        assert compare(left, right, kind, kind).score >= MERGE_AT, (left, right)
        keys = [set(keys_of(Mention(text=text, start=0, end=len(text), kind=kind))) for text in (left, right)]
        assert not keys[0].isdisjoint(keys[1]), (left, right)


@pytest.mark.parametrize(
    ("left", "right", "kind", "reason"),
    [
        ("Mr. Chen", "Sarah Chen", "person", "gender"),
        ("John Smith Jr.", "John Smith Sr.", "person", "generation"),
        ("iPhone 14", "iPhone 15", "product", "digits"),
        ("ORD-1", "ORD-2", "code", "exact"),
        ("Sarah Chen", "Sarah Miller", "person", "surname"),
        ("C++", "C#", "product", "signs"),
        ("Paris, Texas", "Paris, France", "place", "within"),
    ],
)
def test_a_contradiction_is_called_by_its_name(left, right, kind, reason):
    found = compare(left, right, kind, kind)
    assert found.conflict
    assert list(found.why) == [reason]


def test_a_score_is_the_least_of_its_named_parts():
    found = compare("Bob", "Robert Miller", "person", "person")
    assert found.score == min(found.why.values())
    assert set(found.why) == {"given_name", "surname_missing"}


@pytest.mark.parametrize(
    ("text", "given_names", "surname"),
    [
        ("Ludwig van der Berg", ("ludwig",), "van der berg"),
        ("Chen, Sarah", ("sarah",), "chen"),
        ("Dr. Adrian Vale", ("adrian",), "vale"),
        ("Don Porter", ("don",), "porter"),
        ("Martin Luther King Jr.", ("martin", "luther"), "king"),
        ("JRR Tolkien", ("j", "r", "r"), "tolkien"),
    ],
)
def test_a_persons_name_is_taken_apart(text, given_names, surname):
    name = person_name(text)
    assert (name.given, name.surname) == (given_names, surname)


KINDS = st.sampled_from(["person", "organisation", "place", "product", "code", "email", "phone", ""])
TEXTS = st.text(max_size=30) | st.sampled_from([text for pair in pairs("1") for text in pair[:2]])


@given(TEXTS, TEXTS, KINDS, KINDS)
def test_comparing_is_symmetric_and_bounded(left, right, kind, other):
    one, two = compare(left, right, kind, other), compare(right, left, other, kind)
    assert (one.score, one.conflict) == (two.score, two.conflict)
    assert 0 <= one.score <= 1
    assert not (one.conflict and one.score)


@given(TEXTS.filter(str.strip), KINDS)
def test_a_name_is_itself(text, kind):
    assert compare(text, text, kind, kind).score in (0.0, 1.0)
