"""Which memories a question counts, which are one thing, and what is left open."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from muniment.knowledge.values import Evidence, Memory, MemoryId, Modality, Status
from muniment.retrieve.question import read_question
from muniment.retrieve.rules_counting import read_wanted, says, selected_by, sort, things, told_doubts
from muniment.types import Precision, RecordId, Scope, Trust, When

NOW = datetime(2026, 3, 20, tzinfo=UTC)


def day(month, of_month=1):
    return datetime(2025, month, of_month, tzinfo=UTC)


def memory(text, attribute="", value="", *, at=None, event=None, **more):
    said = at or day(3)
    fields = {"id": MemoryId(text), "kind": "fact", "subject": "user", **more}
    return Memory(
        scope=Scope(user="ana"),
        text=f"user {text}",
        recorded_at=NOW,
        evidence=(Evidence(record=RecordId(f"r {text}"), start=0, end=1, said_at=said),),
        attribute=attribute,
        value=value,
        said_at=said,
        event=event and When(since=event[0], until=event[1], precision=Precision.DAY, words=""),
        **fields,
    )


def wanted(text):
    return read_wanted(read_question(text, NOW), ())


def counted(question, *memories):
    asked = wanted(question)
    return [item.name for item in things(sort(memories, asked).sure, asked)]


PORTO = memory("visited Porto", "visited", "Porto")


def test_what_neither_counts_nor_lists_asks_for_nothing():
    assert wanted("Where did I go?") is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How many cities did I visit last year?", ["cities", "visit"]),
        ("How many times did I go running in May?", ["running"]),
        ("List all the books that I have read", ["books", "read"]),
        ("How many kinds of tea do I have?", ["tea"]),
        ("How many things did I make?", ["make"]),
    ],
)
def test_what_only_asks_is_no_word_to_count_by(question, words):
    assert list(wanted(question).words) == words


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("How many cities did I visit?", PORTO),
        ("How many places have I traveled to?", PORTO),
        ("How many countries have I visited?", memory("visited Spain", "visited", "Spain")),
        ("How many bikes did I buy?", memory("bought a red bike", "owns", "red bike")),
        ("How many books did I read?", memory("finished reading Dune", kind="event")),
        ("How many siblings do I have?", memory("has a sister named Lea", "has", "sister named Lea")),
        ("What do I like?", None),
        ("List all the teas I like", memory("loves green tea", "likes:green tea", "loves", kind="preference")),
    ],
)
def test_slots_and_other_forms_of_a_word_tell_what_is_asked(question, memory):
    if memory is None:
        assert wanted(question) is None
    else:
        assert len(counted(question, memory)) == 1


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("How many cities did I visit?", memory("visited Spain", "visited", "Spain")),
        ("How many books did I read?", memory("read a report on Dune", kind="event")),
        ("How many cities did I visit?", memory("did not visit Porto", "visited", "Porto", negated=True)),
        ("How many cities did I visit?", memory("visited Porto", "visited", "Porto", status=Status.RETRACTED)),
        ("How many boats do I own?", memory("owns a desk", "owns", "desk")),
        ("What have I decided about the boat?", memory("decided on a desk", "decision", "desk", kind="decision")),
    ],
)
def test_another_thing_is_neither_counted_nor_told_as_open(question, memory):
    found = sort([memory], wanted(question))
    assert found.sure == found.unsure == ()


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("How many countries did I visit?", PORTO),
        ("How many cities did I visit?", memory("may visit Porto", "visited", "Porto", modality=Modality.PLANNED)),
        ("How many cities did I visit?", memory("visited Porto", "visited", "Porto", trust=Trust.UNTRUSTED)),
        ("How many cities did I visit in May 2025?", memory("visited Rome", "visited", "Rome", event=(day(4), day(6)))),
        ("Which doctors did I see?", memory("has a doctor named Patel", "has", "doctor named Patel")),
    ],
)
def test_what_tells_a_part_of_it_is_open(question, memory):
    found = sort([memory], wanted(question))
    assert (found.sure, found.unsure) == ((), (memory,))


def test_what_is_planned_counts_where_what_is_to_come_is_asked_for():
    plan = memory("will visit Porto", "visited", "Porto", modality=Modality.PLANNED)
    assert counted("How many cities will I visit?", plan, PORTO) == ["Porto"]


@pytest.mark.parametrize(
    ("when", "names"),
    [("in May 2025", ["Rome"]), ("in May", ["Rome"]), ("in 2025", ["Porto", "Rome"]), ("in 2024", [])],
)
def test_a_window_bounds_what_counts(when, names):
    rome = memory("visited Rome", "visited", "Rome", at=day(8), event=(day(5, 3), day(5, 4)))
    assert counted(f"How many cities did I visit {when}?", PORTO, rome) == names


def test_equal_values_are_one_thing_and_occasions_are_each_their_own():
    runs = [memory(f"went running on day {n}", kind="event", event=(day(5, n), day(5, n + 1))) for n in (1, 2)]
    assert len(counted("How many times did I run?", *runs)) == 2
    again = memory("visited porto again", "visited", "porto")
    asked = wanted("Which cities did I visit?")
    [thing] = things([PORTO, again], asked)
    assert thing.memories == (PORTO, again)
    assert thing.evidence == ("r visited Porto", "r visited porto again")


def test_what_keeps_a_count_from_being_sure_is_told():
    asked = wanted("How many pets do I have?")
    cats = memory("has three cats", "has_pet", "three cats")
    assert told_doubts(things([cats], asked), asked, {}) == ["“three cats” tells a number of its own and counts once."]
    two = memory("visited Rome and Oslo", "visited", "Rome")
    assert told_doubts(things([two], asked), asked, {}) == ["“Rome” is told together with more."]
    words = [memory(text, kind="event") for text in ("wed Ann", "went to a wedding")]
    assert "by their words alone" in told_doubts(things(words, asked), asked, {})[0]
    asked = wanted("How often did I swim?")
    swims = memory("went swimming", kind="event")
    later = replace(swims.evidence[0], said_at=day(7))
    swims = replace(swims, evidence=(*swims.evidence, later))
    assert told_doubts(things([swims], asked), asked, {}) == [
        "“user went swimming” was said on 2 days; each may be a time of its own."
    ]


def test_it_says_by_what_it_selected():
    asked = wanted("How many cities did I visit in May 2025?")
    assert selected_by([PORTO], asked) == "slot visited; words cities, visit; time 2025-05-01 to 2025-05-31"


def test_a_record_says_it_when_it_holds_every_word_in_time_and_asks_nothing(make_record):
    asked = wanted("How many doctors did I see in May 2025?")
    assert says(make_record("I saw a doctor.", said_at=day(5, 2)), asked)
    assert not says(make_record("I saw a doctor.", said_at=day(6, 2)), asked)
    assert not says(make_record("Did I see a doctor?", said_at=day(5, 2)), asked)
    assert not says(make_record("I saw a film.", said_at=day(5, 2)), asked)


@pytest.mark.parametrize("text", ["how many " + "x" * 8000, "how many " + "book " * 1600, "list all the " * 600])
def test_long_questions_are_read(text):
    assert wanted(text) is not None
