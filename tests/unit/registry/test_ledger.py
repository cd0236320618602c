"""The ledger: changes are made whole or not at all, what a compiler reads is cheap and right, counts follow compiles."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import BlockError
from muniment.registry import Op, Registry, replay
from muniment.registry.ledger import Ledger, Step
from muniment.registry.registry import ledger_of as state_of
from muniment.types import Band, Block, BlockId


def block(name, band=Band.STABLE, **fields):
    return Block(id=BlockId(name), name=name, text=f"text of {name}", band=band, **fields)


def ledger_of(names, **options):
    numbers = count(1)
    ledger = Ledger(ids=lambda: f"id{next(numbers)}", **options)
    with Step(ledger, actor="me") as step:
        for name in names:
            step.write(block(name), len(ledger.order))
    return ledger


def names(ledger):
    return "".join(ledger.ids)


class TestStep:
    def test_a_step_that_fails_half_way_has_never_been(self):
        ledger = ledger_of("abcd")
        ledger.shown([])
        before = (ledger.version, ledger.blocks, list(ledger.ids), list(ledger.changes), ledger.span(Band.STABLE))

        def change_much(step):
            step.write(block("p", Band.PINNED), 0)
            step.evict(ledger.by_id[BlockId("b")])
            step.edit(block("c", priority=1.0))
            step.move(1, 3, 0)
            step.reorder(list(reversed(ledger.ids)))
            step.write(block("a"), 0)

        with pytest.raises(BlockError), Step(ledger, actor="me") as step:
            change_much(step)
        assert (ledger.version, ledger.blocks, list(ledger.ids), list(ledger.changes), ledger.span(Band.STABLE)) == before
        assert ledger.by_id == {each.id: each for each in ledger.blocks}
        assert [ledger.accesses(BlockId(name)) for name in "abcd"] == [1, 1, 1, 1]
        assert not ledger.span(Band.PINNED)[1]

    def test_a_failed_step_makes_nothing_forgotten(self):
        ledger = ledger_of("abc", history=3)
        with pytest.raises(BlockError), Step(ledger, actor="me") as step:
            step.become([block("d"), block("e"), block("")])
        assert replay(ledger.changes_since(0) or ()) == ledger.blocks

    def test_a_used_or_empty_id_is_refused(self):
        ledger = ledger_of("ab")
        for wrong in (block("a"), block("")):
            with pytest.raises(BlockError) as error, Step(ledger, actor="me") as step:
                step.write(wrong, 0)
            assert error.value.reason == "id_taken"
        assert names(ledger) == "ab"

    @pytest.mark.parametrize(
        ("start", "end", "to"), [(0, 2, 3), (3, 5, 0), (1, 3, 2), (2, 4, 1), (0, 5, 0), (4, 5, 0), (0, 1, 4)]
    )
    def test_a_run_of_blocks_moves_in_one_change_each(self, start, end, to):
        ledger = ledger_of("abcde")
        with Step(ledger, actor="me") as step:
            step.move(start, end, to)
        rest = "abcde"[:start] + "abcde"[end:]
        assert names(ledger) == rest[:to] + "abcde"[start:end] + rest[to:]
        assert ledger.version == 5 + (end - start if start != to else 0)


class TestReorder:
    @given(st.permutations(range(30)))
    def test_any_order_can_be_had(self, order):
        ledger = ledger_of([f"{n} " for n in range(30)])
        goal = [ledger.ids[n] for n in order]
        with Step(ledger, actor="me") as step:
            step.reorder(goal)
        assert ledger.ids == goal
        assert replay(ledger.changes) == ledger.blocks

    @given(st.lists(st.integers(0, 39), min_size=1, max_size=5, unique=True), st.permutations(range(5)), st.booleans())
    def test_a_few_blocks_out_of_many_are_moved_one_by_one(self, some, order, hinted):
        ledger = ledger_of([f"{n} " for n in range(40)])
        moving = [ledger.ids[n] for n in some]
        goal = [block_id for block_id in ledger.ids if block_id not in moving]
        for n, block_id in zip(order, moving, strict=False):
            goal.insert(n * 7, block_id)
        with Step(ledger, actor="me") as step:
            step.reorder(goal, moving=set(moving) if hinted else None)
        assert ledger.ids == goal
        assert {change.op for change in ledger.changes[40:]} <= {Op.MOVE}
        assert ledger.version <= 40 + len(moving)
        assert replay(ledger.changes) == ledger.blocks


class TestBecome:
    @given(st.permutations("abcdef"), st.integers(0, 6), st.sets(st.sampled_from("abcdef")), st.integers(0, 3))
    def test_any_other_blocks_in_any_order(self, order, kept, edited, new):
        ledger = ledger_of("abcdef")
        goal = [block(name, priority=0.9) if name in edited else ledger.by_id[BlockId(name)] for name in order[:kept]]
        for n in range(new):
            goal.insert(n * 2 % (len(goal) + 1), block(f"new{n}"))
        with Step(ledger, actor="me") as step:
            step.become(goal)
        assert list(ledger.blocks) == goal
        assert list(ledger.ids) == [each.id for each in goal]
        assert replay(ledger.changes) == ledger.blocks

    def test_it_takes_no_change_to_stay_the_same(self):
        ledger = ledger_of("abc")
        with Step(ledger, actor="me") as step:
            step.become(list(ledger.blocks))
        assert ledger.version == 3

    def test_bands_and_ids_are_kept(self):
        ledger = ledger_of("ab")
        for wrong in ([block("x"), block("p", Band.PINNED)], [block("x"), block("x")]):
            with pytest.raises(BlockError), Step(ledger, actor="me") as step:
                step.become(wrong)
        assert names(ledger) == "ab"


class TestReading:
    def test_changes_since_a_version_lead_to_now(self):
        ledger = ledger_of("abc")
        blocks = ledger.blocks
        with Step(ledger, actor="me") as step:
            step.move(2, 3, 0)
            step.evict(ledger.by_id[BlockId("a")])
        changes = ledger.changes_since(3)
        assert [change.op for change in changes] == [Op.MOVE, Op.EVICT]
        assert replay(changes, start=blocks) == ledger.blocks
        assert ledger.changes_since(5) == []
        assert ledger.changes_since(6) is None

    def test_changes_that_were_dropped_are_told_by_none(self):
        ledger = ledger_of("abcdef", history=2)
        assert len(ledger.changes) == 2
        assert ledger.changes_since(3) is None
        assert len(ledger.changes_since(4)) == 2

    def test_spans_follow_every_change(self):
        registry = Registry()
        ids = [registry.write("x", name="x", band=band) for band in (Band.VOLATILE, Band.PINNED, Band.SESSION, Band.PINNED)]
        assert [state_of(registry).span(band) for band in Band] == [(0, 2), (2, 2), (2, 3), (3, 4)]
        registry.evict(ids[1])
        registry.undo(to=3)
        assert [state_of(registry).span(band) for band in Band] == [(0, 1), (1, 1), (1, 2), (2, 3)]
        assert state_of(Registry(banded=False)).span(Band.SESSION) == (0, 0)

    @given(
        st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200), st.sampled_from(["move", "evict", "write"])), max_size=20)
    )
    def test_a_block_is_found_wherever_it_went(self, calls):
        ledger = ledger_of([f"{n} " for n in range(200)])
        fresh = count(1000)
        for one, other, verb in calls:
            with Step(ledger, actor="me") as step:
                if verb == "write":
                    step.write(block(f"{next(fresh)} "), min(one, len(ledger.order)))
                elif verb == "evict":
                    step.evict(ledger.order[one % len(ledger.order)])
                else:
                    start = one % len(ledger.order)
                    step.move(start, start + 1, other % len(ledger.order))
            for place in range(0, len(ledger.order), 7):
                assert ledger.place(ledger.ids[place]) == place
        with Step(ledger, actor="me") as step:
            step.reorder(list(reversed(ledger.ids)))
        assert [ledger.place(block_id) for block_id in ledger.ids] == list(range(len(ledger.ids)))


class TestAccesses:
    def test_a_block_counts_the_compiles_it_was_in(self):
        ledger = ledger_of("abc")
        left_out = (BlockId("b"),)
        for out in (left_out, left_out, (), (BlockId("a"), BlockId("b")), left_out):
            ledger.shown(out)
        assert [ledger.accesses(BlockId(name)) for name in "abc"] == [4, 1, 5]

    def test_a_new_block_starts_at_nothing(self):
        registry = Registry()
        state_of(registry).shown([])
        block_id = registry.write("x", name="x")
        state_of(registry).shown([])
        assert registry.accesses(block_id) == 1
        assert registry.version == 1

    def test_a_block_that_an_undo_brings_back_keeps_its_count(self):
        registry = Registry()
        block_id = registry.write("x", name="x")
        state_of(registry).shown((block_id,))
        state_of(registry).shown(())
        registry.evict(block_id)
        state_of(registry).shown(())
        registry.undo()
        assert registry.accesses(block_id) == 1
        state_of(registry).shown(())
        assert registry.accesses(block_id) == 2
        registry.evict(block_id)
        registry.undo()
        assert registry.accesses(block_id) == 2

    def test_a_failed_undo_loses_no_count(self):
        ledger = ledger_of("a")
        ledger.shown(())
        gone = ledger.by_id[BlockId("a")]
        with Step(ledger, actor="me") as step:
            step.evict(gone)
        ledger.shown(())
        with suppress(ZeroDivisionError), Step(ledger, actor="me") as step:
            step.write(gone, 0)
            1 / 0  # noqa: B018  # the call fails
        ledger.shown(())
        with Step(ledger, actor="me") as step:
            step.write(gone, 0)
        assert ledger.accesses(BlockId("a")) == 1

    def test_counts_can_be_set(self):
        ledger = ledger_of("ab")
        ledger.shown(())
        ledger.recount({BlockId("b"): 7})
        ledger.shown(())
        assert [ledger.accesses(BlockId(name)) for name in "ab"] == [2, 8]

    @given(
        st.lists(st.tuples(st.sampled_from(["show", "again", "evict", "write"]), st.sets(st.sampled_from("abcdef"))), max_size=30)
    )
    def test_counts_are_what_counting_one_by_one_gives(self, calls):
        ledger = ledger_of("abcdef")
        expected, out = Counter(dict.fromkeys("abcdef", 0)), ()
        for verb, some in calls:
            here = set(names(ledger))
            if verb == "show":
                out = tuple(BlockId(name) for name in sorted(some & here))
            if verb in ("show", "again"):
                out = out if set(out) <= here else ()
                ledger.shown(out)
                expected.update(here - set(out))
                continue
            with Step(ledger, actor="me") as step:
                for name in some:
                    if verb == "evict" and name in here:
                        step.evict(ledger.by_id[BlockId(name)])
                    elif verb == "write" and name not in here:
                        step.write(block(name), 0)
        assert {name: ledger.accesses(BlockId(name)) for name in names(ledger)} == {n: expected[n] for n in names(ledger)}
