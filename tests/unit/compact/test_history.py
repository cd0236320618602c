"""Which turns stay word for word and in which parts the older ones are shortened: nothing split, nothing gone unnamed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from muniment.compact.rules_history import Policy, Told, laid_out, policy_of
from muniment.knowledge.digests import Digest, Verification
from muniment.testing.samples import sample_record
from muniment.types import Role, Scope, ToolCall

ANA = Scope(user="ana")
CALL = (ToolCall(id="c", name="look", arguments="{}"),)
ROLES = {"u": Role.USER, "a": Role.ASSISTANT, "c": Role.ASSISTANT, "t": Role.TOOL}


def talk(letters, costs=None):
    """A conversation of one turn per letter: user, assistant, a call, its result. Numbers have gaps, as in a shared scope."""
    turns = [
        replace(sample_record(ANA, f"{n}"), seq=3 * n + 1, role=ROLES[letter], tool_calls=CALL if letter == "c" else ())
        for n, letter in enumerate(letters)
    ]
    return Told(turns=turns, costs=list(costs or [10] * len(turns)), complete=True)


def made(part, level="balanced"):
    """A digest of a part."""
    return Digest(
        lines=(),
        verification=Verification(claims=(), inventions=(), score=1.0),
        level=level,
        relaxed=level,
        target=0,
        tokens=0,
        source_tokens=0,
        threshold=0.8,
        records=tuple(one.id for one in part),
        first=part[0].seq,
        last=part[-1].seq,
        version=1,
    )


def lay(told, digests=(), *, room, size=4, **policy):
    return laid_out(told, digests, room=room, policy=Policy(**policy), size=lambda _: size)


def kept_up(told, digests=(), **asked):
    """The layout once all that is wanted was made, and the digests there are then."""
    digests = {one.first: one for one in digests}
    while (layout := lay(told, digests.values(), **asked)).wanted or layout.aged:
        digests |= {part[0].seq: made(part) for part in layout.wanted}
        digests |= {one.first: replace(one, level="aggressive") for one in layout.aged}
    return layout, list(digests.values())


letters = st.lists(st.sampled_from(["u", "a", "ct", "ctt"]), min_size=1, max_size=40).map("".join)


@given(letters, st.integers(20, 400), st.integers(0, 6))
def test_each_turn_is_shown_or_stands_in_one_part(said, room, keep):
    told = talk(said)
    layout = lay(told, room=room, keep_turns=keep)
    shown = [*(one for part in layout.wanted for one in part), *layout.turns]
    assert shown == list(told.turns)[len(told.turns) - len(shown) :]
    after, _ = kept_up(told, room=room, keep_turns=keep, size=0)  # digests that take no room: all of them are shown
    assert after.turns == layout.turns
    assert after.complete
    assert [*(name for one in after.past for name in one.records), *(one.id for one in after.turns)] == [
        one.id for one in told.turns
    ]


@given(letters, st.integers(20, 400))
def test_a_call_is_never_parted_from_its_results(said, room):
    layout = lay(talk(said), room=room)
    for part in (*layout.wanted, layout.turns):
        assert not part or part[0].role is not Role.TOOL or part[0].seq == 1


@given(letters, st.integers(1, 400), st.integers(0, 8))
def test_the_latest_turns_stay_whatever_they_take(said, room, keep):
    told = talk(said)
    layout = lay(told, room=room, keep_turns=keep)
    speaking = [one for one in told.turns if one.role is not Role.TOOL][-keep:] if keep else []
    assert all(one in layout.turns for one in speaking)


@given(letters, st.integers(20, 400))
def test_what_fits_stays_as_it_is_and_else_the_turns_leave_room_for_digests(said, room):
    told = talk(said)
    layout = lay(told, room=room, keep_turns=0)
    if sum(told.costs) <= room:
        assert list(layout.turns) == list(told.turns)
    elif layout.wanted:
        assert 10 * len(layout.turns[1:]) <= room  # what a part of the largest size leaves


@given(st.integers(60, 400), st.integers(1, 30))
def test_the_front_of_the_prompt_moves_a_part_at_a_time(room, cost):
    whole = talk("ua" * 60, [cost] * 120)
    digests, borders = [], []
    for end in range(2, 121, 2):
        told = Told(turns=whole.turns[:end], costs=whole.costs[:end], complete=True)
        layout, digests = kept_up(told, digests, room=room, size=1)
        borders.append(layout.turns[0].seq)
    verbatim = room - int(room * 0.4)
    assert borders == sorted(borders)
    assert len(set(borders)) <= 2 + 120 * cost // max(2 * cost, verbatim // 2)


@given(letters, st.integers(20, 200), st.integers(0, 60))
def test_digests_take_no_more_than_their_room_and_what_is_not_shown_is_said(said, room, size):
    layout, digests = kept_up(talk(said), room=room, size=size, keep_turns=2)
    assert len(layout.past) * size <= int(room * 0.4)
    assert layout.complete == (len(layout.past) == len([one for one in digests if one.last < layout.turns[0].seq]))


def test_older_digests_are_made_shorter_once_and_the_latest_stay():
    told = talk("ua" * 30)
    layout, _ = kept_up(told, room=200, size=20)
    levels = [one.level for one in layout.past]
    assert levels == sorted(levels)
    assert {"aggressive", "balanced"} == set(levels)
    assert "aggressive" not in {one.level for one in kept_up(told, room=200, size=1)[0].past}


def test_a_part_that_lost_its_digest_is_wanted_again_as_it_was():
    told = talk("ua" * 30)
    _, digests = kept_up(told, room=200)
    lost = sorted(digests, key=lambda one: one.first)[1]
    layout = lay(told, [one for one in digests if one is not lost], room=200)
    assert [tuple(one.id for one in part) for part in layout.wanted] == [lost.records]


def test_digests_that_overlap_are_not_both_shown():
    told = talk("ua" * 30)
    _, digests = kept_up(told, room=200)
    double = made(told.turns[2:7])
    past = lay(told, [*digests, double], room=200).past
    assert all(one.last < other.first for one, other in pairwise(past))


def test_with_more_room_parts_that_have_a_digest_are_told_word_for_word_again():
    told = talk("ua" * 30)
    _, digests = kept_up(told, room=200)
    assert lay(told, digests, room=600).past == ()
    assert len(lay(told, digests, room=400).past) < len(lay(told, digests, room=200).past)


def test_an_architecture_says_how_histories_are_shortened():
    assert policy_of({}) == Policy()
    assert policy_of({"strategy": "off", "share": "0.3"}) is None
    given = policy_of({"strategy": "adaptive", "share": "0.3", "keep_turns": "0", "threshold": "0.95"})
    assert given == Policy(level="adaptive", share=0.3, keep_turns=0, threshold=0.95)
