"""Bodies and keys: whatever a memory or an entity holds comes back as it was, and one statement has one digest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from muniment.knowledge.keys import memory_id, slot_key, statement_digest, subject_key
from muniment.stores.bodies import entity_body, entity_of, memory_body, memory_of
from muniment.stores.rules_knowledge import Position, holds_words, position
from muniment.testing.conformance.base import ANA, BEN
from muniment.testing.samples import sample_evidence, sample_memory
from muniment.testing.strategies import entities, memories


@given(memories(ANA))
def test_a_memory_comes_back_as_it_was(memory):
    assert memory_of(ANA, 7, memory_body(memory)) == replace(memory, seq=7)


@given(entities(ANA))
def test_an_entity_comes_back_as_it_was(entity):
    assert entity_of(ANA, 7, entity_body(entity)) == replace(entity, seq=7)


def test_what_stands_at_its_default_takes_no_room():
    assert len(memory_body(sample_memory(ANA, "one"))) < 180


def digest(text, **changes):
    return statement_digest(**{"kind": "fact", "subject": "Ana", "attribute": "likes", "negated": False, "text": text, **changes})


@pytest.mark.parametrize("text", ["ana likes TEA", "Ana likes tea.", "  Ana\tlikes \u201ctea\u201d!", "Ana likes \uff34ea"])
def test_one_statement_has_one_digest(text):
    assert digest(text) == digest("Ana likes tea")


def test_other_statements_have_others():
    same = [
        digest("Ana likes C"),
        digest("Ana likes C++"),
        digest("Ana likes C#"),
        digest("Ana likes 5"),
        digest("Ana likes -5"),
        digest("Ana likes \u0e01\u0e48"),
        digest("Ana likes \u0e01"),
        digest("Ana likes C", negated=True),
        digest("Ana likes C", kind="preference"),
        digest("Ana likes C", attribute=""),
        digest("Ana likes C", subject="Ben"),
    ]
    assert len(set(same)) == len(same)


def test_keys_ignore_what_makes_no_difference():
    assert subject_key(" Ana  LEE ") == subject_key("ana lee") != subject_key("analee")
    assert slot_key("Ana ", "plan") == slot_key("ana", "plan") != slot_key("ana", "job")
    assert slot_key("ana", "") == ""
    told = (sample_evidence(ANA, "one"), sample_evidence(ANA, "two"))
    names = {memory_id(scope, "fact", "d", evidence) for scope in (ANA, BEN) for evidence in told}
    assert len(names) == 4
    assert {len(name) for name in names} == {16}


@pytest.mark.parametrize("text", ["!" * 100_000, "\ud800" * 100_000, "a!" * 50_000, " " * 100_000, "\u0301" * 100_000])
def test_long_and_broken_texts_have_digests_too(text):
    assert len(digest(text)) == 24
    assert not holds_words(text, "boat")


@pytest.mark.parametrize(
    ("asked", "found"), [("move porto", True), ("ORTO", False), ("", True), ("\u5929\u6c14", True), ("c++", False), ("!", True)]
)
def test_words_are_matched_from_their_beginning(asked, found):
    assert holds_words("She moved to Porto. \u4eca\u5929\u5929\u6c14\u5f88\u597d", asked) is found


def test_a_cursor_says_where_to_go_on():
    assert position(None) is None
    assert position("12.3.1") == position(str(Position(12, 3, 1))) == Position(12, 3, 1)
    assert (Position(12, 3, 1).bound(0), Position(12, 3, 1).bound(2)) == ((12, 3), (12, 4))
