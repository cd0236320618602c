"""What memories change in a ranking: chains, which of a chain is asked for, gains and losses, and slots."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.knowledge.values import Evidence, Memory, MemoryId, Status
from muniment.retrieve.question import read_question
from muniment.retrieve.rules_memories import read_asked, regard
from muniment.retrieve.rules_slots import asked_slots
from muniment.retrieve.rules_succession import asked_of, chains, told
from muniment.retrieve.weights import Weights
from muniment.types import Precision, RecordId, Scope, When

NOW = datetime(2026, 3, 20, tzinfo=UTC)
W = Weights()


def memory(name, *, record="", value="", month=1, status=Status.CURRENT, replaces=(), replaced_by=None, attribute="plan", **more):
    at = datetime(2026, month, 1, tzinfo=UTC)
    return Memory(
        id=MemoryId(name),
        scope=Scope(user="ana"),
        kind="fact",
        text=f"Ana is on {value or name}",
        subject="Ana",
        recorded_at=NOW,
        evidence=(Evidence(record=RecordId(record or f"r-{name}"), start=0, end=5),),
        attribute=attribute,
        value=value or name,
        said_at=at,
        valid_from=at,
        status=status,
        replaces=tuple(map(MemoryId, replaces)),
        replaced_by=None if replaced_by is None else MemoryId(replaced_by),
        **more,
    )


BASIC = memory("basic", status=Status.SUPERSEDED, replaced_by="pro")
PRO = memory("pro", month=2, status=Status.SUPERSEDED, replaces=["basic"], replaced_by="gold")
GOLD = memory("gold", month=3, replaces=["pro"])
CHAIN = (BASIC, PRO, GOLD)
PROVES = {RecordId(f"r-{one.id}"): [one] for one in CHAIN}


def asked(text, speakers=()):
    return read_asked(read_question(text, NOW), speakers)


def gains(text, scores, proves=PROVES, slots=CHAIN):
    found = regard(asked(text), scores, proves, slots={one.id for one in slots}, weights=W).gains
    return {record: scores[record] + gain for record, gain in found.items()}


@given(st.permutations(CHAIN))
def test_a_chain_is_found_in_any_order_first_one_first(order):
    assert chains(order) == [CHAIN]


def test_what_replaced_nothing_stands_in_no_chain():
    assert chains([memory("lone"), memory("other")]) == []


def test_what_was_retracted_is_no_link_of_a_chain():
    assert chains([replace(BASIC, status=Status.RETRACTED), GOLD]) == []


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which plan is she on?", GOLD),
        ("Which plan was she on at first?", BASIC),
        ("What was her original plan?", BASIC),
        ("Which plan did she use to have? She used to pay less.", PRO),
        ("Which plan was she on before?", PRO),
        ("Which plan did she have before she was on pro?", BASIC),
        ("When did her plan change?", GOLD),
        ("When did she switch to pro?", PRO),
        ("When did she leave basic?", PRO),
    ],
)
def test_a_question_asks_for_one_of_a_chain(question, wanted):
    read = asked(question)
    assert asked_of(CHAIN, read.about, read.words) == (wanted,)


HOMES = tuple(
    replace(
        one, valid_from=datetime(year, 5, 1, tzinfo=UTC), valid_to=datetime(year + 1, 5, 1, tzinfo=UTC) if year < 2025 else None
    )
    for year, one in zip((2023, 2024, 2025), CHAIN, strict=True)
)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which plan was she on in 2024?", 1),
        ("Which plan was she on in January 2024?", 0),
        ("Which plan was she on in March 2024 or in 2023?", 0),
        ("Which plan was she on last year?", 2),
        ("Which plan did she used to have in 2023?", 0),
        ("Which plan was she on at first in 2024?", 0),
        ("When did her plan change in 2024?", 1),
        ("Which plan was she on in June 2025?", 2),
        ("Which plan was she on in 2019?", 2),
        ("Which plan was she on in May?", 2),
    ],
)
def test_E13_a_question_about_a_time_asks_for_what_held_then(question, wanted):
    read = asked(question)
    assert asked_of(HOMES, read.about, read.words, read.windows) == (HOMES[wanted],)


def test_E13_without_an_end_a_memory_holds_until_the_next_began():
    open_ended = tuple(replace(one, valid_to=None) for one in HOMES)
    read = asked("Which plan was she on in 2024?")
    assert asked_of(open_ended, read.about, read.words, read.windows) == (open_ended[1],)


def test_what_the_untrusted_proves_lifts_it_over_no_trusted_record_that_stood_before_it():
    page, said, talk = RecordId("page"), RecordId("said"), RecordId("talk")
    plan = memory("gold", record="page")
    scores = {said: 1.0, page: 0.95, talk: 0.5}
    free = regard(asked("Which plan is she on?"), scores, {page: [plan]}, slots={plan.id}, weights=W).gains
    bound = regard(asked("Which plan is she on?"), scores, {page: [plan]}, slots={plan.id}, untrusted={page}, weights=W).gains
    assert scores[page] + free[page] > scores[said]
    assert scores[talk] < scores[page] <= scores[page] + bound[page] < scores[said]


@given(
    st.dictionaries(st.sampled_from(sorted(PROVES)), st.floats(-2, 5), min_size=1),
    st.sets(st.sampled_from(sorted(PROVES))),
)
def test_no_untrusted_record_passes_a_trusted_one_that_memories_did_not_set_back(scores, untrusted):
    read = asked("Which plan is she on?")
    moved = regard(read, scores, PROVES, slots={one.id for one in CHAIN}, untrusted=untrusted, weights=W).gains
    for page in scores.keys() & untrusted:
        for said in scores.keys() - untrusted:
            if scores[said] > scores[page] and moved[said] >= 0:
                assert scores[said] + moved[said] > scores[page] + moved[page]


def test_what_holds_takes_the_place_of_what_it_replaced():
    scores = {RecordId("r-basic"): 2.0, RecordId("r-pro"): 1.0, RecordId("r-gold"): 0.0, RecordId("r-talk"): 1.9}
    found = gains("Which plan is she on?", scores)
    assert max(found, key=found.__getitem__) == "r-gold"
    assert found["r-gold"] >= 2.0
    assert found["r-basic"] < 2.0 + W.fact


def test_a_question_about_what_was_takes_nothing_from_it():
    scores = {RecordId("r-basic"): 1.0, RecordId("r-pro"): 1.0, RecordId("r-gold"): 1.0}
    found = gains("Which plan was she on at first?", scores)
    assert max(found, key=found.__getitem__) == "r-basic"
    assert min(found.values()) >= 1.0


def test_records_that_prove_nothing_keep_their_score():
    scores = {RecordId("a"): 0.7, RecordId("b"): -0.1}
    assert gains("Which plan is she on?", scores, {}) == scores


@given(
    st.dictionaries(st.sampled_from(sorted(PROVES)), st.floats(-2, 5), min_size=1),
    st.sampled_from(["now", "at first", "before", ""]),
)
def test_what_is_asked_for_never_ranks_below_another_of_its_chain(scores, when):
    read = asked(f"Which plan is she on {when}?")
    wanted = f"r-{asked_of(CHAIN, read.about, read.words)[0].id}"
    found = gains(f"Which plan is she on {when}?", scores)
    if wanted in found and {m.id for r in scores for m in PROVES[r]} == {m.id for m in CHAIN}:
        assert found[RecordId(wanted)] == max(found.values())


def test_a_chain_that_is_not_asked_about_moves_nothing_but_what_every_proof_adds():
    scores = {RecordId("r-basic"): 1.0, RecordId("r-gold"): 0.5}
    found = gains("What did the weather do?", scores, slots=())
    assert found == {"r-basic": 1.0 + W.fact, "r-gold": 0.5 + W.fact}


def test_a_dated_event_counts_where_the_question_asks_when_and_inside_the_time_it_names():
    day = When(
        since=datetime(2026, 3, 2, tzinfo=UTC),
        until=datetime(2026, 3, 3, tzinfo=UTC),
        precision=Precision.DAY,
        words="on the second",
    )
    tale = memory("tale", attribute="", event=day)
    proves, scores = {RecordId("r-tale"): [tale]}, {RecordId("r-tale"): 0.0}
    assert gains("When did it happen?", scores, proves, ())["r-tale"] == pytest.approx(W.fact + W.dated)
    assert gains("What happened on 2 March 2026?", scores, proves, ())["r-tale"] == pytest.approx(W.fact + W.event)
    assert gains("What happened on 5 March 2026?", scores, proves, ())["r-tale"] == pytest.approx(W.fact)


def test_the_way_of_a_chain_is_told_in_a_sentence():
    assert told(CHAIN) == "plan of Ana: basic, superseded by pro (2026-02-01), then by gold (2026-03-01)."


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("Which plan am I on?", "plan"),
        ("What tier is she on?", "plan"),
        ("Where does Ana live?", "lives_in"),
        ("What did he say?", None),
    ],
)
def test_slots_are_asked_for_by_their_words(question, slot):
    assert (slot in asked_slots(question)) if slot else not asked_slots(question)


@pytest.mark.parametrize("text", ["", "in at of on to", "🦜" * 50, "before " * 2000, "x" * 100_000])
def test_any_question_is_read(text):
    assert asked(text).about <= {"past"}
    assert isinstance(asked_slots(text), tuple)
