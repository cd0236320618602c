"""Intervals against published values and against their own meaning; falls of a curve against chance."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.probe.intervals import Difference, Share, cliff, difference, wilson


@pytest.mark.parametrize(
    ("passed", "trials", "low", "high"),
    [(5, 20, 0.1119, 0.4687), (6, 20, 0.1455, 0.5190), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1)],
)
def test_a_share_has_wilsons_interval(passed, trials, low, high):
    assert wilson(passed, trials) == pytest.approx((low, high), abs=5e-5)


def test_nothing_tried_says_nothing():
    assert Share(0, 0).interval == (0, 1)
    assert difference([]).interval == (-1, 1)
    assert difference([]).p == 1


@given(st.integers(1, 300).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_an_interval_holds_its_share_and_stays_between_none_and_all(counts):
    passed, trials = counts
    low, high = wilson(passed, trials)
    assert 0 <= low <= passed / trials <= high <= 1


def test_a_paired_difference_has_newcombes_interval():
    """The worked example of the paper the method comes from: 36, 12, 2 and 0 pairs."""
    assert Difference(both=36, first=2, second=12, neither=0).interval == pytest.approx((0.0569, 0.3404), abs=5e-5)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_a_difference_lies_in_its_interval_and_turns_round_with_its_arms(pairs):
    found, turned = difference(pairs), difference([(second, first) for first, second in pairs])
    low, high = found.interval
    assert -1 <= low <= found.value <= high <= 1
    assert turned.value == -found.value
    assert turned.interval == pytest.approx((-high, -low))
    assert turned.p == found.p


def test_mcnemars_p_is_that_of_a_fair_coin():
    assert Difference(both=0, first=0, second=5, neither=0).p == pytest.approx(2 / 32)
    assert Difference(both=9, first=3, second=3, neither=9).p == 1


def test_a_fall_is_found_where_it_is():
    assert cliff([Share(10, 10)] * 7 + [Share(1, 10)] * 6) == 7
    assert cliff([Share(19, 20), Share(18, 20), Share(9, 20), Share(10, 20)]) == 2


def test_a_rise_or_a_flat_curve_has_no_fall():
    assert cliff([Share(1, 10)] * 5 + [Share(10, 10)] * 5) is None
    assert cliff([Share(5, 5)] * 5) is None
    assert cliff([]) is None


def test_chance_makes_few_falls():
    chance = random.Random(7)
    flat = [[Share(sum(chance.random() < 0.5 for _ in range(5)), 5) for _ in range(19)] for _ in range(500)]
    assert sum(cliff(curve) is not None for curve in flat) < 500 * 0.04
