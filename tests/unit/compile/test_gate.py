"""The gate chooses a set by scores, and believes no scorer unchecked."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compile.gate import Gate, sift
from muniment.errors import BlockError
from muniment.types import Block, BlockId, Fate, Group


def block(name, group=None):
    return Block(id=BlockId(name), name=name, text=f"About {name}.", group=group)


def scorer_of(table):
    return lambda task, blocks: [table[b.name] for b in blocks]


def passed(blocks, candidates, gate, task="task"):
    sifted = sift(blocks, candidates, task=task, gate=gate)
    return [blocks[place].name for place in sorted(candidates) if place not in sifted.refused]


ABC = [block("a"), block("b"), block("c")]


def test_the_top_best_pass_and_the_others_say_so():
    sifted = sift(ABC, [0, 1, 2], task="task", gate=Gate(scorer_of({"a": 0.1, "b": 0.9, "c": 0.5}), top=2))
    assert sifted.refused == {0: Fate.BELOW_TOP}
    assert sifted.scores == {0: 0.1, 1: 0.9, 2: 0.5}


def test_a_threshold_is_inclusive_and_comes_before_the_top():
    gate = Gate(scorer_of({"a": 0.5, "b": 0.9, "c": 0.4999}), top=1, threshold=0.5)
    assert sift(ABC, [0, 1, 2], task="task", gate=gate).refused == {0: Fate.BELOW_TOP, 2: Fate.BELOW_THRESHOLD}


def test_of_equal_scores_the_earlier_block_passes():
    assert passed(ABC, [2, 0, 1], Gate(lambda task, blocks: [1] * len(blocks), top=2)) == ["a", "b"]


def test_only_candidates_are_scored_and_refused():
    seen = []

    def scorer(task, blocks):
        seen.append((task, [b.name for b in blocks]))
        return [0.0] * len(blocks)

    sifted = sift(ABC, [2, 0], task="the task", gate=Gate(scorer, threshold=1))
    assert seen == [("the task", ["a", "c"])]
    assert sifted.refused.keys() == {0, 2}


def test_without_candidates_no_scorer_is_asked():
    def scorer(task, blocks):
        raise AssertionError

    sifted = sift(ABC, [], task="task", gate=Gate(scorer, top=1))
    assert (dict(sifted.scores), dict(sifted.refused)) == ({}, {})


def test_one_member_that_passes_admits_its_unit_which_counts_once():
    unit = Group(name="kit", gate_as_unit=True)
    blocks = [block("a", unit), block("x"), block("b", unit), block("y")]
    gate = Gate(scorer_of({"a": 0.0, "x": 0.5, "b": 0.9, "y": 0.4}), top=2)
    assert passed(blocks, [0, 1, 2, 3], gate) == ["a", "x", "b"]
    assert passed(blocks, [0, 1, 2, 3], replace(gate, top=None, threshold=0.9)) == ["a", "b"]


def test_members_of_another_group_stand_alone():
    loose = Group(name="kit")
    blocks = [block("a", loose), block("b", loose)]
    assert passed(blocks, [0, 1], Gate(scorer_of({"a": 0.0, "b": 0.9}), top=1)) == ["b"]


@pytest.mark.parametrize("task", [None, "", " \n"])
def test_a_gate_needs_a_task(task):
    with pytest.raises(BlockError) as caught:
        sift(ABC, [0], task=task, gate=Gate(scorer_of({}), top=1))
    assert (caught.value.reason, caught.value.place) == ("task_needed", "task")


async def slow(task, blocks):
    return [0.0] * len(blocks)


@pytest.mark.parametrize(
    ("scorer", "told"),
    [
        (lambda task, blocks: [0.1], "1 scores for 3 blocks"),
        (lambda task, blocks: [0.1, float("nan"), 0.2], "'b'"),
        (lambda task, blocks: [0.1, 0.2, float("-inf")], "'c'"),
        (lambda task, blocks: [0.1, None, 0.2], "None"),
        (lambda task, blocks: ["1", "2", "3"], "'1'"),
        (lambda task, blocks: [1j, 1, 1], "1j"),
        (lambda task, blocks: [10**400, 1, 1], "'a'"),
        (lambda task, blocks: None, "NoneType"),
        (lambda task, blocks: 0.5, "float"),
        (slow, "coroutine"),
    ],
)
def test_what_no_scorer_may_answer_is_an_error_that_says_what_it_was(scorer, told):
    with pytest.raises(BlockError) as caught:
        sift(ABC, [0, 1, 2], task="task", gate=Gate(scorer, top=1))
    assert caught.value.reason == "scores"
    assert told in caught.value.message


def test_what_a_scorer_raises_passes_through():
    def scorer(task, blocks):
        raise TimeoutError

    with pytest.raises(TimeoutError):
        sift(ABC, [0], task="task", gate=Gate(scorer, top=1))


@pytest.mark.parametrize("answer", [np.array([0.25, 0.5, 0.75], np.float32), (0.25, 0.5, 0.75), iter([0.25, 0.5, 0.75])])
def test_any_row_of_numbers_is_taken(answer):
    sifted = sift(ABC, [0, 1, 2], task="task", gate=Gate(lambda task, blocks: answer, top=1))
    assert sifted.scores == {0: 0.25, 1: 0.5, 2: 0.75}
    assert all(type(score) is float for score in sifted.scores.values())


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({}, "top"),
        ({"top": 0}, "top"),
        ({"top": 2.0}, "top"),
        ({"top": True}, "top"),
        ({"threshold": float("nan")}, "threshold"),
        ({"threshold": float("inf")}, "threshold"),
        ({"threshold": "0.5"}, "threshold"),
    ],
)
def test_a_gate_that_cannot_work_is_refused(arguments, place):
    with pytest.raises(BlockError) as caught:
        Gate(scorer_of({}), **arguments)
    assert (caught.value.reason, caught.value.place) == ("range", place)


def test_a_gate_without_a_scorer_is_refused():
    with pytest.raises(BlockError) as caught:
        Gate("lexical", top=3)
    assert caught.value.place == "scorer"


def test_a_gate_loads_no_numpy():
    code = "import sys; from muniment.compile.gate import Gate; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@given(
    scores=st.lists(st.floats(-5, 5), min_size=1, max_size=12),
    data=st.data(),
    top=st.none() | st.integers(1, 14),
    threshold=st.none() | st.floats(-5, 5),
)
def test_who_passes_scores_at_least_as_high_as_who_does_not(scores, data, top, threshold):
    """Units included: a gate's choice is exactly the best contenders at or above the threshold, whatever the scores."""
    if top is None and threshold is None:
        top = 1
    unit = Group(name="unit", gate_as_unit=True)
    inside = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    blocks = [block(str(n), unit if member else None) for n, member in enumerate(inside)]
    candidates = sorted(data.draw(st.sets(st.integers(0, len(scores) - 1))))
    gate = Gate(lambda task, chosen: [scores[int(b.name)] for b in chosen], top=top, threshold=threshold)
    sifted = sift(blocks, candidates, task="task", gate=gate)
    assert sifted == sift(blocks, list(reversed(candidates)), task="task", gate=gate)
    assert sifted.scores.keys() == set(candidates)
    best = max((scores[n] for n in candidates if inside[n]), default=0.0)
    worth = {n: best if inside[n] else scores[n] for n in candidates}
    through = [n for n in candidates if n not in sifted.refused]
    assert all(worth[n] >= worth[m] for n in through for m, fate in sifted.refused.items() if fate is Fate.BELOW_TOP)
    assert all(
        (worth[n] < threshold) == (sifted.refused.get(n) is Fate.BELOW_THRESHOLD) for n in candidates if threshold is not None
    )
    contenders = {"unit" if inside[n] else n for n in through}
    if top is not None:
        assert len(contenders) <= top
        assert len(contenders) == top or Fate.BELOW_TOP not in sifted.refused.values()
    assert len({n in sifted.refused for n in candidates if inside[n]}) <= 1
