"""One source has one voice: copies, hits of one origin, and what people said, which is left alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from muniment.retrieve.rules import Ranked
from muniment.retrieve.rules_sources import PER_SOURCE, spread, told_sources
from muniment.shelf import Place
from muniment.types import Kind, Record, RecordId, Role, Scope, Trust


def record(text, *, seq, role):
    return Record(
        id=RecordId(f"r{seq:015d}"),
        scope=Scope(user="ana"),
        text=text,
        role=role,
        kind=Kind.TURN,
        speaker=role.value,
        agent="default",
        recorded_at=datetime(2026, 3, 20, tzinfo=UTC),
        seq=seq,
    )


def pairs_of(*given):
    """Candidates, best first, each (text, origin or None for what a person said, relevance)."""
    made = []
    for seq, (text, origin, relevance) in enumerate(given, 1):
        said = record(text, seq=seq, role=Role.USER if origin is None else Role.DOCUMENT)
        said = replace(said, origin=origin or "", trust=Trust.TRUSTED if origin is None else Trust.UNTRUSTED)
        one = Ranked(place=Place(0, seq), score=1 / seq, relevance=relevance, passage=(0, len(text)), channels={}, terms=())
        made.append((said, one))
    return made


def told(found):
    return [one.text for one, _ in found.pairs]


def test_copies_of_a_text_count_once_whatever_their_case_and_spacing():
    pairs = pairs_of(("Aurora is best.", "a", 1), ("AURORA  is best.", "b", 1), ("Bristol is good.", None, 0.5))
    found = spread(pairs)
    assert told(found) == ["Aurora is best.", "Bristol is good."]
    assert found.crowded
    assert list(found.copies.values()) == [2]


def test_more_than_a_few_hits_of_one_origin_stand_behind_what_is_close():
    pages = [(f"Aurora {n}", "web", 1.0) for n in range(6)]
    found = spread(pairs_of(*pages, ("Bristol", None, 0.4), ("Rain", None, 0.1)))
    assert told(found) == ["Aurora 0", "Aurora 1", "Aurora 2", "Bristol", "Aurora 3", "Aurora 4", "Aurora 5", "Rain"]
    assert found.gave_way


def test_what_people_said_keeps_its_order_when_a_source_gives_way():
    pages = [(f"Aurora {n}", "web", 1.0) for n in range(4)]
    found = spread(pairs_of(*pages, ("Rain", None, 0.1), ("Bristol", None, 0.9)))
    assert told(found) == ["Aurora 0", "Aurora 1", "Aurora 2", "Rain", "Bristol", "Aurora 3"]


def test_where_there_is_no_other_source_one_fills_the_places_in_its_order():
    pairs = pairs_of(*((f"Page {n}", "manual", 0.8) for n in range(9)))
    found = spread(pairs)
    assert found.pairs == pairs
    assert not found.gave_way


def test_what_people_say_again_and_again_is_left_alone():
    pairs = pairs_of(*(("Good morning!", None, 1.0) for _ in range(9)))
    assert spread(pairs).pairs == pairs
    assert not spread(pairs).crowded


def test_a_copy_on_a_page_takes_nothing_from_what_a_person_said():
    pairs = pairs_of(("Bristol is best.", "web", 1), ("Bristol is best.", None, 1), ("Bristol is best.", "web", 1))
    assert [one.seq for one, _ in spread(pairs).pairs] == [1, 2]


def test_what_no_origin_is_known_of_is_no_single_source():
    pairs = pairs_of(*((f"Page {n}", "", 0.8) for n in range(9)), ("Bristol", None, 0.5))
    assert spread(pairs).pairs == pairs


@given(st.lists(st.tuples(st.sampled_from("xyzuvw"), st.sampled_from(["a", "b", "", None]), st.floats(0, 1)), max_size=30))
def test_nothing_is_lost_but_copies_and_spreading_again_changes_nothing(given):
    pairs = pairs_of(*given)
    found = spread(pairs)
    assert spread(found.pairs).pairs == found.pairs
    assert len(found.pairs) + sum(count - 1 for count in found.copies.values()) == len(pairs)
    assert [one for one, _ in found.pairs if one.trust is Trust.TRUSTED] == [o for o, _ in pairs if o.trust is Trust.TRUSTED]
    of_source = [one.origin for one, _ in found.pairs[: next(iter(_places_of_surplus(found)), None)]]
    assert all(of_source.count(origin) <= PER_SOURCE for origin in ("a", "b"))


def _places_of_surplus(found):
    return [at for at, (one, _) in enumerate(found.pairs) if one.id in found.surplus]


def test_what_was_counted_once_and_what_gave_way_is_told():
    pages = [(f"Aurora {n}", "web", 1.0) for n in range(4)]
    found = spread(pairs_of(("Copy", "x", 1), ("Copy", "x", 1), *pages, ("Bristol", None, 0.4)))
    lines = told_sources(found.copies, [one.id for one, _ in found.pairs], found.surplus)
    assert lines == [
        "Hit 1 stands for 2 copies of its text.",
        "At most 3 hits of one source come first; 1 more gave way to those of others.",
    ]
