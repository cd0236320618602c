"""How a walk spreads: what fades it, what holds it up, and what it never does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.knowledge.values import Alias, Entity, Evidence, Memory, Modality, Status
from muniment.retrieve.question import read_question
from muniment.retrieve.rules_walk import (
    ASIDE,
    MOST_NAMES,
    Reached,
    hop,
    name_keys,
    nearest,
    passes_on,
    rarity,
    records_naming,
    records_of,
    remaining,
    strongest,
)
from muniment.types import Scope, Trust

NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
ANA = Scope(user="ana")


def entity(name, *, count=1, at=0):
    alias = Alias(text=name, count=count, evidence=(Evidence(record=f"r-{name}", start=at, end=at + len(name)),))
    return Entity(id=name, scope=ANA, name=name, kind="person", aliases=(alias,), keys=(), first_seen=NOW, last_seen=NOW)


def tie(one, other, text, **how):
    return Memory(
        id=f"{one}-{other}",
        scope=ANA,
        kind="fact",
        text=text,
        subject=one,
        subject_id=one,
        object_id=other,
        recorded_at=NOW,
        evidence=(Evidence(record=f"r-{one}-{other}", start=0, end=4),),
        **how,
    )


def question(text):
    return read_question(text, NOW)


def share(text, memory, named=()):
    asked = question(text)
    return passes_on(memory, asked, remaining(asked, named))


def test_a_name_that_is_everywhere_says_less():
    assert rarity(entity("Ana")) == 1
    assert rarity(entity("Ana", count=4)) > rarity(entity("Ana", count=400)) > 0


def test_a_tie_that_tells_of_the_question_passes_on_more():
    manages = tie("Dora", "Ben", "Dora manages Ben")
    meets = tie("Dora", "Ben", "Dora met Ben")
    assert share("Who manages Ben?", manages, [entity("Ben")]) == 1
    assert 0 < share("Who manages Ben?", meets, [entity("Ben")]) < 1


def test_the_words_of_a_slot_count_as_told():
    works = tie("Clara", "Nordhavn", "Clara is with Nordhavn", attribute="works_at")
    plain = tie("Clara", "Nordhavn", "Clara is with Nordhavn")
    assert share("Where does Clara work?", works) > share("Where does Clara work?", plain)


@pytest.mark.parametrize("how", [{"negated": True}, {"modality": Modality.WISHED}, {"status": Status.RETRACTED}])
def test_what_is_not_so_leads_nowhere(how):
    assert share("Who manages Ben?", tie("Dora", "Ben", "Dora manages Ben", **how)) == 0


def test_what_held_before_counts_only_where_the_past_is_asked_for():
    before = tie("Dora", "Ben", "Dora manages Ben", status=Status.SUPERSEDED)
    assert share("Who manages Ben?", before) == 0
    assert share("Who used to manage Ben?", before) > 0


def test_a_tie_counts_only_if_it_held_in_the_stretch_of_time_asked_for():
    later = tie("Dora", "Ben", "Dora manages Ben", valid_from=NOW - timedelta(days=3))
    earlier = replace(later, valid_from=NOW - timedelta(days=900))
    assert share("Who managed Ben in May 2025?", later) == 0
    assert share("Who managed Ben in May 2025?", earlier) > 0


def test_a_hop_fades_and_never_comes_back():
    start = {"Ben": Reached(share=1.0, path=("Ben",), hops=0)}
    memory = tie("Dora", "Ben", "Dora manages Ben")
    passed = hop(start, {"Ben": [(memory, 1.0)]}, {"Ben": 1.0})
    assert set(passed) == {"Dora"}
    assert passed["Dora"].share < 1
    assert (passed["Dora"].path, passed["Dora"].hops) == (("Ben", "Dora"), 1)
    assert hop(start, {"Ben": [(memory, 1.0)]}, {"Ben": 0.5})["Dora"].share < passed["Dora"].share


def test_what_untrusted_words_tie_is_marked():
    start = {"Ben": Reached(share=1.0, path=("Ben",), hops=0)}
    memory = tie("Dora", "Ben", "Dora manages Ben", trust=Trust.UNTRUSTED)
    assert not hop(start, {"Ben": [(memory, 1.0)]}, {})["Dora"].trusted


def test_no_record_is_led_to_by_its_own_words():
    lead = {"Dora": Reached(share=0.5, path=("Dora",), hops=1, begins="r1")}
    assert set(records_of(lead, {"Dora": {"r1": 1.0, "r2": 1.0}}, {})) == {"r2"}


def test_the_entities_of_the_question_itself_lift_nothing():
    start = {"Ben": Reached(share=1.0, path=("Ben",), hops=0)}
    assert records_of(start, {"Ben": {"r1": 1.0}}, {}) == {}


def test_a_record_that_begins_with_a_name_is_more_about_it():
    assert records_naming(entity("Dora"), (), 5) == {"r-Dora": 1.0}
    assert records_naming(entity("Dora", at=300), (), 5) == {"r-Dora": ASIDE}


def test_names_inside_a_name_are_looked_up_in_a_question_and_whole_ones_in_a_record():
    assert "name:harbour" in name_keys("Who directed The Glass Harbour?", loose=True)
    assert "name:the glass harbour" in name_keys("It was called The Glass Harbour.", loose=False)
    assert "name:ana lopez" in name_keys("where does ana lopez live", loose=True)


@given(st.text(max_size=400), st.booleans())
def test_any_text_gives_a_bounded_number_of_keys(text, loose):
    assert len(name_keys(text, loose=loose)) <= MOST_NAMES


@pytest.mark.parametrize("text", ["A" * 100_000, "A " * 50_000, "Ab of " * 20_000, "\ud800 A\0" * 1000])
def test_hostile_text_takes_linear_time(text):
    assert len(name_keys(text, loose=True)) <= MOST_NAMES


SHARES = st.builds(
    lambda share, path, hops: Reached(share=share, path=tuple(path), hops=hops),
    st.sampled_from([0.1, 0.5]),
    st.lists(st.sampled_from("ab"), min_size=1, max_size=3),
    st.integers(1, 2),
)


@given(st.lists(SHARES, min_size=1, max_size=6), st.randoms())
def test_the_best_way_does_not_depend_on_the_order_of_reading(ways, random):
    mixed = random.sample(ways, len(ways))
    assert strongest(ways) == strongest(mixed)
    named = {f"e{number}": way for number, way in enumerate(ways)}
    shuffled = dict(random.sample(list(named.items()), len(named)))
    assert list(nearest(named, 3)) == list(nearest(shuffled, 3))
