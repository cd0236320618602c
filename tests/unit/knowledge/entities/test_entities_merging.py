"""A merge is undone without a trace, a split gives names away with their evidence, what is forgotten leaves nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment import Scope
from muniment.knowledge.entities import following, merge, split, undo, without
from muniment.knowledge.entities.keys import chosen_name, keys_of_aliases
from muniment.knowledge.values import Alias, Entity, EntityId, Evidence
from muniment.types import RecordId

ANA = Scope(user="ana")
NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)


def entity(id_, **names):
    """An entity whose names were said in these records: `entity("e1", Sarah="r1 r2")`."""
    aliases = tuple(
        Alias(
            text=text.replace("_", " "),
            count=len(records.split()),
            evidence=tuple(Evidence(record=RecordId(r), start=0, end=4, said_at=NOON) for r in records.split()),
        )
        for text, records in names.items()
    )
    return Entity(
        id=EntityId(id_),
        scope=ANA,
        name=chosen_name(aliases, "person"),
        kind="person",
        aliases=aliases,
        keys=keys_of_aliases(aliases, "person"),
        first_seen=NOON,
        last_seen=NOON,
    )


def said_again(alias, record):
    again = Evidence(record=RecordId(record), start=0, end=4, said_at=NOON + timedelta(hours=1))
    return replace(alias, count=alias.count + 1, evidence=(*alias.evidence, again))


def test_a_merge_has_both_names_and_the_other_points_to_it():
    kept, gone, made = merge(entity("a", Sarah="r1"), entity("b", Sarah_Chen="r2"), at=NOON, by="ana")
    assert [alias.text for alias in kept.aliases] == ["Sarah", "Sarah Chen"]
    assert kept.name == "Sarah Chen"
    assert set(entity("b", Sarah_Chen="r2").keys) <= set(kept.keys)
    assert (gone.merged_into, made.kept, made.other, made.by) == ("a", "a", "b", "ana")


def test_undo_gives_back_the_two_as_they_were():
    first, second = entity("a", Sarah="r1", SC="r3"), entity("b", Sarah_Chen="r2", SC="r4")
    kept, gone, made = merge(first, second, at=NOON)
    left, freed, undone = undo(made, kept, gone, at=NOON)
    assert (left, freed, undone.undone) == (first, second, True)


def test_what_was_said_after_the_merge_under_the_others_name_goes_back_with_it():
    kept, gone, made = merge(entity("a", Sarah="r1"), entity("b", Sally="r2"), at=NOON)
    later = replace(kept, aliases=(kept.aliases[0], said_again(kept.aliases[1], "r5")))
    _, freed, _ = undo(made, later, gone, at=NOON)
    assert [e.record for e in freed.aliases[0].evidence] == ["r2", "r5"]


def test_what_cannot_be_merged_or_undone_says_so():
    one, two = entity("a", Sarah="r1"), entity("b", Bob="r2")
    kept, gone, made = merge(one, two, at=NOON)
    with pytest.raises(ValueError, match="only two entities"):
        merge(one, one, at=NOON)
    with pytest.raises(ValueError, match="only two entities"):
        merge(kept, gone, at=NOON)
    left, freed, undone = undo(made, kept, gone, at=NOON)
    with pytest.raises(ValueError, match="does not stand"):
        undo(undone, left, freed, at=NOON)
    for names in ([], ["Zoe"], ["Sarah"]):
        with pytest.raises(ValueError, match="a split takes some"):
            split(one, names, at=NOON)


def test_what_was_kept_and_has_lost_all_names_of_its_own_cannot_be_parted_again():
    kept, gone, made = merge(entity("a", Sarah="r1"), entity("b", Sally="r2"), at=NOON)
    with pytest.raises(ValueError, match="nothing but the other's names"):
        undo(made, without(kept, [RecordId("r1")]), gone, at=NOON)


def test_a_split_takes_names_with_their_evidence():
    whole = entity("a", Sarah_Chen="r1 r2", Sarah_Miller="r3")
    left, parted, made = split(whole, ["sarah miller"], at=NOON)
    assert [alias.text for alias in left.aliases] == ["Sarah Chen"]
    assert [(alias.text, len(alias.evidence)) for alias in parted.aliases] == [("Sarah Miller", 1)]
    assert parted.id not in ("", whole.id)
    assert parted.name == "Sarah Miller"
    assert made.undone


def test_following_ends_at_the_last_and_in_a_circle_too():
    a, b = entity("a", Ana="r1"), entity("b", Bob="r2")
    kept, gone, _ = merge(a, b, at=NOON)
    assert following(EntityId("b"), {kept.id: kept, gone.id: gone}) == "a"
    circle = {gone.id: gone, kept.id: merge(b, a, at=NOON)[1]}
    assert following(EntityId("b"), circle) in {"a", "b"}


def test_vector_62_an_erased_record_takes_its_alias_its_keys_and_the_name():
    whole = entity("a", Sarah="r1", Canary_Sarah="r2")
    left = without(whole, [RecordId("r2")])
    assert left is not None
    assert "canary" not in repr(left).lower()
    assert left.name == "Sarah"
    assert without(whole, [RecordId("r1"), RecordId("r2")]) is None
    assert without(whole, [RecordId("r9")]) is whole


def test_vector_62_a_merged_entity_forgets_on_both_sides_and_can_still_be_undone():
    kept, gone, made = merge(entity("a", Sarah="r1"), entity("b", Canary="r2", Sally="r3"), at=NOON)
    kept, gone = without(kept, [RecordId("r2")]), without(gone, [RecordId("r2")])
    assert kept is not None
    assert gone is not None
    left, freed, _ = undo(made, kept, gone, at=NOON)
    assert "canary" not in repr((left, freed)).lower()
    assert [alias.text for alias in freed.aliases] == ["Sally"]


RECORDS = st.lists(st.sampled_from([f"r{n}" for n in range(8)]), min_size=1, max_size=5, unique=True).map(" ".join)
ENTITIES = st.dictionaries(st.sampled_from(["Sarah", "Sarah_Chen", "SC", "Sally", "Zoë"]), RECORDS, min_size=1)


@given(ENTITIES, st.sets(st.sampled_from([f"r{n}" for n in range(8)])))
def test_nothing_outlives_its_evidence(names, gone):
    whole = entity("a", **names)
    left = without(whole, {RecordId(r) for r in gone})
    proof = {text.replace("_", " "): set(records.split()) - gone for text, records in names.items()}
    alive = {text for text, records in proof.items() if records}
    assert ({alias.text for alias in left.aliases} if left else set()) == alive
    if left:
        assert left.name in alive
        assert all(alias.count == len(alias.evidence) == len(proof[alias.text]) for alias in left.aliases)
        assert left.keys == keys_of_aliases(left.aliases, "person")


@given(ENTITIES, ENTITIES)
def test_undo_of_a_merge_restores_names_of_both(one, two):
    first = entity("a", **one)
    second = entity("b", **{text: " ".join(f"x{r}" for r in records.split()) for text, records in two.items()})
    kept, gone, made = merge(first, second, at=NOON)
    left, freed, _ = undo(made, kept, gone, at=NOON)
    assert {a.text: a.evidence for a in left.aliases} == {a.text: a.evidence for a in first.aliases}
    assert {a.text: a.evidence for a in freed.aliases} == {a.text: a.evidence for a in second.aliases}
