"""How far two names may be one thing's: the committed list, symmetry, and what each reason is called."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.knowledge.entities import keys_of, spelling
from muniment.knowledge.entities.compare import compare
from muniment.knowledge.entities.names import person_name
from muniment.knowledge.values import Mention

LIST = Path(__file__).parents[3] / "fixtures" / "lookalikes" / "pairs.tsv"
MERGE_AT = 0.92
REVIEW_AT = 0.75
OF_BOTH = {"Alex", "Chris", "Sam", "Pat"}
"""Short for names of men and of women: such a pair is looked at, not merged."""


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
        least = REVIEW_AT if left.split()[0] in OF_BOTH else MERGE_AT
        assert compare(left, right, kind, kind).score >= least, (left, right)
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


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Chris Martin", "Christine Martin"),
        ("Chris", "Christine Martin"),
        ("Sam Reed", "Samantha Reed"),
        ("Wei Chen", "Weiming Chen"),
    ],
)
def test_a_short_form_of_men_and_women_or_a_mere_beginning_is_looked_at(left, right):
    for found in (compare(left, right, "person", "person"), compare(right, left, "person", "person")):
        assert REVIEW_AT <= found.score < MERGE_AT
        assert found.why["given_name"] == found.score


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Bea", "Beatrix Holm"),
        ("Bea Holm", "Beatrix Holm"),
        ("Joss", "Joscelin Park"),
        ("JP", "Joscelin Park"),
        ("Tam", "Tamsel Quist"),
    ],
)
def test_a_beginning_or_initials_name_the_whole_person(left, right):
    assert compare(left, right, "person", "person").score >= MERGE_AT
    keys = [set(keys_of(Mention(text=text, start=0, end=len(text), kind="person"))) for text in (left, right)]
    assert not keys[0].isdisjoint(keys[1])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ann", "Annika Holm"),
        ("Joan Smith", "Joanna Smith"),
        ("Dan Weber", "Dana Weber"),
        ("Lee Chan", "Leela Chan"),
        ("Jo", "Joscelin Park"),
    ],
)
def test_a_full_name_that_begins_another_is_not_its_short_form(left, right):
    assert compare(left, right, "person", "person").score < REVIEW_AT
    assert compare(right, left, "person", "person").score < REVIEW_AT


def test_a_place_name_joins_a_person_only_as_a_person():
    assert compare("Virginia", "Virginia Woolf", "person", "person").score >= MERGE_AT
    assert compare("Virginia", "Virginia Woolf", "", "person").score < MERGE_AT
    assert compare("Virginia", "Virginia Woolf", "place", "person").score == 0


def test_what_is_remembered_of_names_is_bounded():
    modules = [sys.modules[f"muniment.knowledge.entities.{name}"] for name in ("compare", "names", "spelling")]
    kept = [
        f.cache_parameters()["maxsize"] for module in modules for f in vars(module).values() if hasattr(f, "cache_parameters")
    ]
    assert kept
    assert max(kept) <= spelling.KEPT <= 8192


def test_long_addresses_that_differ_at_their_end_are_two():
    start = "https://example.org/" + "a" * 300
    assert compare(f"{start}/1", f"{start}/2", "url", "url").conflict
    assert compare(f"{start}/1", f"http://www.{start[8:]}/1", "url", "url").score == 1.0
