"""Eviction by policy: it has a target, says why, takes only what may go, and does all or nothing."""

from __future__ import annotations

import math
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BlockError
from muniment.registry import Principal, Registry, Right
from muniment.registry.eviction import Stays, Target, by_use
from muniment.registry.registry import ledger_of
from muniment.types import Band, Role, ToolCall


class Letters:
    name, exact = "letters", True

    def count(self, text):
        return len(text)


def registry_of(**priorities):
    registry = Registry()
    for name, priority in priorities.items():
        registry.write(name * 10, name=name, priority=priority)
    return registry


def names(registry):
    return "".join(block.name for block in registry)


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint
    return error.value


class TestTarget:
    @pytest.mark.parametrize(
        "given",
        [
            {},
            {"count": 1, "characters": 5},
            {"count": 1, "score": 0.5},
            {"tokens": 5},
            {"count": 1, "counter": Letters()},
            {"counter": Letters()},
        ],
    )
    def test_exactly_one_target_is_needed(self, given):
        refused("target", Target, **given)

    @pytest.mark.parametrize(
        "given", [{"count": 0}, {"count": -1}, {"count": 1.0}, {"count": True}, {"characters": "9"}, {"score": math.nan}]
    )
    def test_a_target_that_is_no_amount_is_refused(self, given):
        refused("range", Target, **given)

    def test_a_count_is_how_many_go(self):
        registry = registry_of(a=0.9, b=0.1, c=0.5)
        report = registry.evict_by(Target(count=2))
        assert names(registry) == "a"
        assert (report.names, report.freed, report.met) == (("b", "c"), 2, True)

    def test_characters_and_tokens_are_freed_until_it_is_enough(self):
        for target in (Target(characters=11), Target(tokens=11, counter=Letters())):
            registry = registry_of(a=0.9, b=0.1, c=0.5)
            report = registry.evict_by(target)
            assert (names(registry), report.freed, report.met) == ("a", 20, True)

    def test_text_around_a_block_counts_too(self):
        registry = registry_of(a=0.9)
        registry.write("b", name="b", priority=0.1, prefix="1234", suffix="567890")
        assert registry.evict_by(Target(characters=11)).names == ("b",)

    def test_a_score_takes_all_that_reach_it(self):
        registry = registry_of(a=1.0, b=0.6, c=0.4)
        report = registry.evict_by(Target(score=0.7))
        assert (report.names, report.met, names(registry)) == (("c", "b"), True, "a")
        assert report.kept[0].stays is Stays.BELOW_SCORE

    def test_a_target_out_of_reach_is_said_so(self):
        registry = registry_of(a=0.5, b=0.5)
        report = registry.evict_by(Target(count=5))
        assert (names(registry), report.met, report.freed) == ("", False, 2)
        assert registry.evict_by(Target(count=1)).met is False


class TestScore:
    def test_low_priority_and_few_accesses_go_first_by_the_papers_weights(self):
        registry = registry_of(shown=0.5, unshown=0.5, dear=1.0)
        for _ in range(3):
            ledger_of(registry).shown([registry.named("unshown")[0].id])
        report = registry.evict_by(Target(count=3))
        assert [(verdict.name, verdict.score) for verdict in report.gone] == [
            ("unshown", 0.25 + 0.5),
            ("shown", 0.25 + 0.125),
            ("dear", 0.125),
        ]

    def test_weights_are_given_by_name(self):
        registry = registry_of(a=0.2, b=0.4)
        report = registry.evict_by(Target(count=2), scorer=by_use(priority=1.0, accesses=0.0))
        assert [round(verdict.score, 9) for verdict in report.gone] == [0.8, 0.6]
        for wrong in ({"priority": math.nan}, {"accesses": math.inf}):
            refused("range", by_use, **wrong)

    def test_of_equal_scores_the_last_goes_first(self):
        registry = registry_of(a=0.5, b=0.5, c=0.5)
        registry.write("", name="v", band=Band.VOLATILE)
        assert registry.evict_by(Target(count=2)).names == ("v", "c")

    def test_any_scorer_may_take_its_place_and_minus_infinity_keeps_a_block(self):
        registry = registry_of(a=0.5, b=0.5, c=0.5)
        report = registry.evict_by(Target(count=3), scorer=lambda block, accesses: -math.inf if block.name == "c" else 1)
        assert (names(registry), report.met) == ("c", False)
        assert [(verdict.name, verdict.stays) for verdict in report.kept] == [("c", Stays.NEVER)]

    @pytest.mark.parametrize("score", [math.nan, None, True, "high"])
    def test_a_scorer_that_gives_no_number_changes_nothing(self, score):
        registry = registry_of(a=0.5, b=0.5)
        before = registry.version
        refused("range", registry.evict_by, Target(count=1), scorer=lambda block, accesses: score)
        assert (names(registry), registry.version) == ("ab", before)

    def test_a_scorer_that_fails_changes_nothing(self):
        registry = registry_of(a=0.5, b=0.5)

        def fail(block, accesses):
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            registry.evict_by(Target(count=1), scorer=fail)
        assert names(registry) == "ab"


class TestWhatMayGo:
    def test_required_pinned_and_irremovable_blocks_stay_whatever_their_score(self):
        registry = registry_of(a=0.5)
        registry.write("x", name="must", required=True, priority=0)
        registry.write("x", name="pinned", band=Band.PINNED, priority=0)
        registry.write("x", name="kept", removable=False, priority=0)
        report = registry.evict_by(Target(score=-10))
        assert report.names == ("a",)
        assert [(verdict.name, verdict.score, str(verdict.stays)) for verdict in report.kept] == [
            ("pinned", None, "pinned"),
            ("must", None, "required"),
            ("kept", None, "not removable"),
        ]

    def test_what_a_required_block_cannot_be_without_stays(self):
        registry = Registry()
        call = ToolCall(id="1", name="look", arguments="{}")
        registry.write("", name="call", role=Role.ASSISTANT, band=Band.SESSION, tool_calls=[call])
        registry.write("", name="other", role=Role.ASSISTANT, band=Band.SESSION, turn_key="k")
        registry.write("x", name="base", requires=["deep"])
        registry.write("x", name="deep")
        registry.write("x", name="loose")
        registry.write("r", name="result", role=Role.TOOL, band=Band.SESSION, tool_call_id="1", required=True)
        registry.write("k", name="key", role=Role.USER, band=Band.SESSION, turn_key="k", required=True)
        registry.write("x", name="must", requires=["base"], required=True)
        report = registry.evict_by(Target(count=9))
        assert report.names == ("loose",)
        assert {v.name for v in report.kept if v.stays is Stays.NEEDED} == {"call", "other", "base", "deep"}

    def test_what_others_made_irremovable_is_no_candidate(self):
        registry = registry_of(a=0.5)
        guest = Principal("guest").accept(registry.invite(Right.READ, Right.WRITE))
        guest.write("x", name="held", removable=False, priority=0)
        guest.write("x", name="lent", priority=0)
        assert registry.evict_by(Target(count=9)).names == ("lent", "a")
        assert names(registry) == "held"


class TestReport:
    def test_it_prints_what_went_and_what_was_kept_and_no_ids(self):
        registry = registry_of(a=0.9, b=0.1, c=0.5)
        ids = [block.id for block in registry]
        text = str(registry.evict_by(Target(count=1)))
        assert text.splitlines() == [
            "1 evicted, 2 kept, 1 freed; target met",
            "- b: score 0.950, 1",
            "  a: enough was freed before",
            "  c: enough was freed before",
        ]
        assert not any(block_id in text for block_id in ids)

    def test_all_of_it_is_one_step_and_can_be_undone(self):
        registry = registry_of(a=0.5, b=0.5, c=0.5)
        before, blocks = registry.version, registry.blocks
        registry.evict_by(Target(count=2))
        entries = registry.journal.entries[-2:]
        assert len({entry.step for entry in entries}) == 1
        assert {entry.note for entry in entries} == {"eviction by policy"}
        registry.undo(to=before)
        assert registry.blocks == blocks

    def test_nothing_to_evict_is_no_step(self):
        registry = Registry()
        registry.write("x", name="must", required=True)
        before = registry.version
        assert registry.evict_by(Target(count=1)).gone == ()
        assert registry.version == before

    @given(
        st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.booleans(), st.booleans(), st.sampled_from(Band)), max_size=12),
        st.integers(1, 12),
    )
    def test_everything_is_either_gone_or_kept_and_only_the_target_decides_how_many(self, drawn, count):
        registry = Registry()
        for number, (priority, required, removable, band) in enumerate(drawn):
            registry.write("x", name=f"{number}", priority=priority, required=required, removable=removable, band=band)
        before = [block.name for block in registry]
        able = [b for b in registry if b.removable and not b.required and b.band is not Band.PINNED]
        report = registry.evict_by(Target(count=count))
        assert sorted([*report.names, *(v.name for v in report.kept)]) == sorted(before)
        assert len(report.gone) == min(count, len(able)) == report.freed
        assert report.met is (len(able) >= count)
        assert [v.name for v in report.kept] == [block.name for block in registry]
        scores = [v.score for v in report.gone]
        assert scores == sorted(scores, reverse=True)


def test_a_choice_that_another_thread_overtook_is_made_again():
    registry = registry_of(a=0.1, b=0.5, c=0.9)
    seen = []

    def slow(block, accesses):
        if not seen:
            other = Thread(target=lambda: registry.evict(registry.named("a")[0].id))
            other.start()
            other.join()
        seen.append(block.name)
        return 1 - block.priority

    assert registry.evict_by(Target(count=1), scorer=slow).names == ("b",)
    assert names(registry) == "c"
    assert seen == ["a", "b", "c", "b", "c"]


def test_a_scorer_that_changes_what_it_scores_is_given_up_on():
    registry = registry_of(a=0.5)

    def restless(block, accesses):
        registry.edit(block.id, block.text + "!")
        return 1.0

    refused("changed", registry.evict_by, Target(count=1), scorer=restless)
    assert names(registry) == "a"
