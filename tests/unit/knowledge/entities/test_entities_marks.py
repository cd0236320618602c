"""What stands beside a name tells two who share it apart, and goes with the record that says it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from muniment import Scope, sync
from muniment.knowledge.entities import Named, link, marks_of, names_of, split, without
from muniment.knowledge.values import Evidence, MemoryFilter, Mention, Status
from muniment.types import RecordId

T0 = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANA = Scope(user="ana")


def marks(text, name, kind="person"):
    start = text.index(name)
    return marks_of(text, Mention(text=name, start=start, end=start + len(name), kind=kind))


def named(text, name, *, record="r1", days=0, kind="person"):
    start = text.index(name)
    mention = Mention(text=name, start=start, end=start + len(name), kind=kind)
    proof = Evidence(record=RecordId(record), start=start, end=mention.end, said_at=T0 + timedelta(days=days))
    return Named(mention=mention, evidence=proof, marks=marks_of(text, mention))


def linked(*texts, name, kind="person"):
    told = [named(text, name, record=f"r{n}", days=n, kind=kind) for n, text in enumerate(texts)]
    return link(told, (), rules=(), scope=ANA, now=T0)


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("Sarah Chen the plumber fixed it.", "Sarah Chen", ("plumber",)),
        ("Sarah Chen, a nurse, called.", "Sarah Chen", ("nurse",)),
        ("Sarah Chen from accounting wrote.", "Sarah Chen", ("from accounting",)),
        ("My mum Ana is here.", "Ana", ("mother",)),
        ("I fed our old puppy Rex.", "Rex", ("dog",)),
        ("another Sarah Chen called", "Sarah Chen", ("another",)),
        ("Sarah Chen is 34.", "Sarah Chen", ("aged 34",)),
        ("Actually Sarah Chen is 62, not 34.", "Sarah Chen", ()),
        ("I gave Luna the cat.", "Luna", ()),
        ("I told Luna my sister is ill.", "Luna", ()),
        ("I saw Sarah Chen, my friend Bob and Eva.", "Sarah Chen", ()),
        ("Sarah Chen from the hall spoke.", "Sarah Chen", ()),
        ("my boss told Luna", "Luna", ()),
    ],
)
def test_marks_are_read_right_beside_the_name(text, name, found):
    assert marks(text, name) == found


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("Sarah Chen from accounting wrote.", "Sarah Chen the plumber came.", "Sarah Chen"),
        ("Sarah Chen the plumber came.", "Sarah Chen the dentist called.", "Sarah Chen"),
        ("My cat Luna is ill.", "My sister Luna is ill.", "Luna"),
        ("My friend Bob lives in Rome.", "My boss Bob lives in Paris.", "Bob"),
        ("Sarah Chen is 34.", "Sarah Chen is 62 years old.", "Sarah Chen"),
        ("Sarah Chen called.", "A different Sarah Chen called.", "Sarah Chen"),
    ],
)
def test_who_are_told_apart_are_two_and_a_pair_to_look_at(one, other, name):
    made = linked(one, other, name=name)
    assert len(set(made.ids)) == 2
    assert [("told_apart" in pair.why, pair.decided) for pair in made.merges] == [(True, False)]


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("Sarah Chen the plumber came.", "Sarah Chen called.", "Sarah Chen"),
        ("My girlfriend Eva called.", "My wife Eva called.", "Eva"),
        ("My mum Eva called.", "My mother Eva called.", "Eva"),
        ("My colleague Eva called.", "My friend Eva called.", "Eva"),
        ("Sarah Chen is 34.", "Sarah Chen is 35.", "Sarah Chen"),
        ("Sarah Chen from accounting wrote.", "Sarah Chen, an accountant, wrote.", "Sarah Chen"),
        ("Sarah Chen works at Acme.", "Sarah Chen works at Globex.", "Sarah Chen"),
    ],
)
def test_what_may_be_said_of_one_keeps_one(one, other, name):
    assert len(set(linked(one, other, name=name).ids)) == 1


def test_a_mark_finds_its_own_and_a_bare_name_the_one_spoken_of_last():
    texts = (
        "Sarah Chen from accounting wrote.",
        "Sarah Chen the plumber came.",
        "Sarah Chen sent a bill.",
        "Sarah Chen from accounting paid.",
        "Sarah Chen called.",
    )
    first, second, bare, again, last = linked(*texts, name="Sarah Chen").ids
    assert (bare, again, last) == (second, first, first)


def test_a_mark_goes_with_the_record_that_says_it_and_names_nothing_alone():
    made = linked("Sarah Chen called.", "Sarah Chen the plumber came.", name="Sarah Chen")
    (entity,) = made.entities
    assert [alias.text for alias in names_of(entity)] == ["Sarah Chen"]
    left = without(entity, ["r1"])
    assert left is not None
    assert [alias.text for alias in left.aliases] == ["Sarah Chen"]
    with pytest.raises(ValueError, match="split"):
        split(entity, ["plumber"], at=T0)


def test_what_holds_of_a_namesake_is_not_superseded():
    with sync.open("memory://", embedder=None) as engine:
        for text in ("My friend Bob lives in Rome.", "My boss Bob lives in Paris."):
            engine.ingest(ANA, text)
            engine.work.wait()
        held = engine.memories.list(ANA, MemoryFilter(attribute="lives_in", statuses=(Status.CURRENT,))).memories
        assert {memory.value for memory in held} == {"Rome", "Paris"}


def test_what_is_told_of_her_is_tied_to_whom_an_earlier_record_names():
    with sync.open("memory://", embedder=None) as engine:
        for text in ("Sarah Chen joined the team last week.", "She moved to Porto."):
            engine.ingest(ANA, text, conversation="c")
            engine.work.wait()
        (sarah,) = (entity for entity in engine.entities.list(ANA).entities if entity.name == "Sarah Chen")
        (moved,) = engine.memories.list(ANA, MemoryFilter(attribute="lives_in")).memories
        assert (moved.subject_id, sarah.id in moved.entities) == (sarah.id, True)


def test_of_two_namesakes_she_is_neither():
    with sync.open("memory://", embedder=None) as engine:
        engine.ingest(ANA, "Sarah Chen from accounting wrote. Then another Sarah Chen called.", conversation="a")
        engine.ingest(ANA, "Sarah Chen the plumber came.", conversation="a")
        engine.work.wait()
        engine.ingest(ANA, "She moved to Porto.", conversation="a")
        engine.work.wait()
        moved = engine.memories.list(ANA, MemoryFilter(attribute="lives_in")).memories
        assert [memory.subject_id for memory in moved] == [None]
