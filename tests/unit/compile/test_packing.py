"""How a budget is filled: four packings, short forms, requirements, groups, and a gate before them all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from muniment.compile import compile as compile_blocks
from muniment.compile.gate import Gate
from muniment.errors import BlockError, BudgetError
from muniment.registry import Registry
from muniment.testing import CountingTokens
from muniment.types import Band, Block, BlockId, Fate, Group, Packing, Role, Tool, ToolCall, Trust

WORDS = CountingTokens()


def words(count):
    return " ".join(["word"] * count)


def block(name, size=2, **more):
    return Block(id=BlockId(f"id of {name}"), name=name, text=more.pop("text", words(size)), **more)


def compiled(blocks, budget=1000, packing=Packing.SKIP, **more):
    return compile_blocks(blocks, budget=budget, tokens=WORDS, packing=packing, **more)


def fates(made):
    return {row.name: row.fate for row in made.receipt}


def named(made):
    return "".join(made.names)


class TestStop:
    def test_nothing_after_the_first_overflow_enters_however_small(self):
        blocks = [block("a", 4), block("b", 9), block("c", 1), block("d", 1, band=Band.VOLATILE)]
        made = compiled(blocks, 10, Packing.STOP)
        assert fates(made) == {
            "a": Fate.INCLUDED,
            "b": Fate.OVER_BUDGET,
            "c": Fate.AFTER_OVERFLOW,
            "d": Fate.AFTER_OVERFLOW,
        }

    def test_required_blocks_behind_the_overflow_are_in(self):
        made = compiled([block("a", 4), block("b", 9), block("c", 1), block("d", 3, required=True)], 10, Packing.STOP)
        assert named(made) == "ad"

    def test_conversation_is_walked_in_its_order_too(self):
        turns = [block(name, 3, band=Band.SESSION, role=Role.USER) for name in "abc"]
        assert named(compiled(turns, 9, Packing.STOP)) == "ab"
        assert named(compiled(turns, 9, Packing.SKIP)) == "bc"

    def test_what_is_shown_already_and_what_lacks_something_stop_nothing(self):
        blocks = [
            block("a", text="the key is red"),
            block("b", requires=("nobody",)),
            block("m", text="the key is red", band=Band.VOLATILE, trust=Trust.UNTRUSTED),
            block("c"),
        ]
        made = compiled(blocks, 99, Packing.STOP)
        assert list(fates(made).values()) == [Fate.INCLUDED, Fate.REQUIREMENT_MISSING, Fate.ALREADY_SHOWN, Fate.INCLUDED]


class TestPriority:
    def test_all_below_the_lowest_priority_that_fits_is_left_out_and_order_stays(self):
        blocks = [block("a", 3, priority=0.2), block("b", 3, priority=0.9), block("c", 1, priority=0.1), block("d", 3)]
        made = compiled(blocks, 7, Packing.PRIORITY)
        assert named(made) == "bd"
        assert fates(made)["c"] is fates(made)["a"] is Fate.BELOW_CUTOFF

    def test_blocks_of_one_priority_enter_together_or_not_at_all(self):
        blocks = [block("a", 3, priority=0.9), block("b", 3), block("c", 3), block("d", 1)]
        assert named(compiled(blocks, 9, Packing.PRIORITY)) == "a"
        assert named(compiled(blocks, 10, Packing.PRIORITY)) == "abcd"

    def test_a_unit_counts_as_much_as_its_best_block(self):
        blocks = [block("q", 2, turn_key="k", priority=0.1), block("a", 2, turn_key="k", priority=0.9), block("b", 4)]
        assert named(compiled(blocks, 4, Packing.PRIORITY)) == "qa"

    def test_what_is_said_already_costs_nothing(self):
        data = {"text": "the key is red", "band": Band.VOLATILE, "trust": Trust.UNTRUSTED}
        blocks = [block("s", text="the key is red"), *(block(str(n), priority=0.4, **data) for n in range(9)), block("x", 3)]
        made = compiled(blocks, 7, Packing.PRIORITY)
        assert named(made) == "sx"
        assert {row.fate for row in made.left_out} == {Fate.ALREADY_SHOWN}

    def test_a_requirement_below_the_cutoff_leaves_its_block_out(self):
        blocks = [block("card", 5, priority=0.1), block("body", 2, priority=0.9, requires=("card",)), block("b", 2)]
        made = compiled(blocks, 6, Packing.PRIORITY)
        assert fates(made) == {"card": Fate.BELOW_CUTOFF, "body": Fate.PARTNER_LEFT_OUT, "b": Fate.INCLUDED}
        assert named(compiled(blocks, 9, Packing.PRIORITY)) == "cardbodyb"

    @given(
        st.lists(st.tuples(st.integers(1, 5), st.sampled_from([0.1, 0.3, 0.5, 0.9]), st.booleans()), max_size=8),
        st.integers(1, 25),
    )
    def test_it_is_the_largest_such_set_that_fits(self, sizes, budget):
        blocks = [block(str(n), size, priority=p, required=must) for n, (size, p, must) in enumerate(sizes)]
        must = sum(size for size, _, must in sizes if must)
        assume(must <= budget)
        cutoffs = [2.0, *{p for _, p, must in sizes if not must}]
        fitting = [[b.name for b in blocks if b.required or b.priority >= c] for c in cutoffs]
        cost = {b.name: len(b.text.split()) for b in blocks}
        best = max((names for names in fitting if sum(cost[n] for n in names) <= budget), key=len)
        assert list(compiled(blocks, budget, Packing.PRIORITY).names) == best


class TestShort:
    def test_the_short_form_stands_in_where_the_text_does_not_fit(self):
        blocks = [block("a", 4, short="in short"), block("b", 9, short="be brief"), block("c", 1)]
        made = compiled(blocks, 7, Packing.SHORT)
        assert made.text == f"{words(4)}\n\nbe brief\n\nword"
        assert [row.short for row in made.receipt] == [False, True, False]
        assert [row.tokens for row in made.receipt] == [4, 2, 1]
        assert made.blocks[1].text == "be brief"

    def test_without_a_short_form_the_description_does(self):
        assert compiled([block("a", 9, description="about boats")], 3, Packing.SHORT).text == "about boats"

    def test_a_short_form_that_does_not_fit_either_changes_nothing(self):
        made = compiled([block("a", 9, short=words(5)), block("b", 2)], 4, Packing.SHORT)
        assert [(row.fate, row.tokens, row.short) for row in made.receipt] == [
            (Fate.OVER_BUDGET, 9, False),
            (Fate.INCLUDED, 2, False),
        ]

    def test_only_this_packing_shortens(self):
        for packing in (Packing.SKIP, Packing.STOP, Packing.PRIORITY):
            assert compiled([block("a", 9, short="x")], 3, packing).names == ()

    def test_the_short_form_is_wrapped_and_fenced_as_the_text_would_be(self):
        made = compiled([block("a", 9, short="x", prefix="- ")], 3, Packing.SHORT)
        assert made.text == "- x"
        data = block("m", 99, short="x", band=Band.VOLATILE, role=Role.DOCUMENT, trust=Trust.UNTRUSTED)
        assert compiled([data], 20, Packing.SHORT).text.startswith("<muniment-data-")

    def test_a_turn_that_fits_in_short_does_not_end_the_conversation(self):
        turns = [block(n, s, band=Band.SESSION, role=Role.USER, short="x") for n, s in (("a", 2), ("b", 9), ("c", 3))]
        assert compiled(turns, 12, Packing.SHORT).names == ("a", "b", "c")
        assert compiled(turns, 12).names == ("c",)

    def test_required_blocks_are_never_shortened(self):
        with pytest.raises(BudgetError):
            compiled([block("a", 9, short="x", required=True)], 5, Packing.SHORT)

    def test_a_tool_keeps_its_schema(self):
        tool = block("pay", 9, short="x", tool=Tool(name="pay", description=words(9)))
        assert compiled([tool], 5, Packing.SHORT).names == ()


class TestRequires:
    def test_a_block_without_what_it_requires_is_left_out_and_so_is_what_requires_it(self):
        blocks = [block("a", 9), block("b", requires=("a",)), block("c", requires=("b",)), block("d")]
        made = compiled(blocks, 8)
        assert fates(made) == {
            "a": Fate.OVER_BUDGET,
            "b": Fate.PARTNER_LEFT_OUT,
            "c": Fate.PARTNER_LEFT_OUT,
            "d": Fate.INCLUDED,
        }
        assert named(compiled(blocks)) == "abcd"

    @pytest.mark.parametrize("packing", Packing)
    def test_a_block_behind_it_will_do_in_every_packing(self, packing):
        blocks = [block("b", requires=("a",)), block("a")]
        assert named(compiled(blocks, packing=packing)) == "ba"
        assert named(compiled([block("c", requires=("b",)), *blocks], packing=packing)) == "cba"
        assert named(compiled([replace(blocks[0], required=True), blocks[1]], packing=packing)) == "ba"

    @pytest.mark.parametrize("packing", Packing)
    def test_what_required_a_later_block_is_left_out_without_it(self, packing):
        made = compiled([block("b", priority=0.9, requires=("a",)), block("a", 30), block("x")], 5, packing)
        assert fates(made)["b"] is Fate.PARTNER_LEFT_OUT

    def test_a_block_that_names_itself_requires_another_of_its_name(self):
        assert named(compiled([block("a", requires=("a",))])) == ""
        assert named(compiled([block("a", requires=("a",)), block("a")])) == "aa"

    def test_promoting_a_required_block_ahead_of_what_it_requires_changes_the_order_and_nothing_else(self):
        registry = Registry()
        registry.write("base", name="base")
        how = registry.write("how", name="how", required=True, requires=("base",))
        registry.promote(how, to=0)
        assert compile_blocks(registry, budget=20, tokens=CountingTokens()).names == ("how", "base")

    def test_any_block_of_the_name_will_do(self):
        assert named(compiled([block("a", 99), block("a", 1), block("b", requires=("a",))], 10)) == "ab"

    def test_every_name_must_be_there(self):
        assert named(compiled([block("a"), block("b", requires=("a", "x"))])) == "a"

    def test_a_recalled_block_may_require_a_turn_although_turns_come_last(self):
        blocks = [block("t", band=Band.SESSION, role=Role.USER), block("m", band=Band.VOLATILE, requires=("t",))]
        assert named(compiled(blocks)) == "tm"
        assert named(compiled([block("x", 3), *blocks], 4)) == "x"

    def test_a_turn_may_require_an_earlier_turn_although_the_newest_come_first(self):
        turns = [
            block("q", band=Band.SESSION, role=Role.USER),
            block("a", band=Band.SESSION, role=Role.ASSISTANT, requires=("q",)),
        ]
        assert named(compiled(turns)) == "qa"
        assert named(compiled(turns, 2)) == ""
        assert named(compiled(turns, 3)) == "q"

    def test_data_that_waited_is_not_shown_twice_either(self):
        data = {"text": "the key is red", "band": Band.VOLATILE, "trust": Trust.UNTRUSTED}
        blocks = [block("t", band=Band.SESSION, role=Role.USER), block("m", **data), block("n", requires=("t",), **data)]
        assert fates(compiled(blocks))["n"] is Fate.ALREADY_SHOWN

    def test_what_a_required_block_requires_is_required_too(self):
        blocks = [block("x", 5), block("a", 3), block("b", 3, requires=("a",)), block("c", 2, required=True, requires=("b",))]
        assert named(compiled(blocks, 9)) == "abc"
        with pytest.raises(BudgetError):
            compiled(blocks, 7)

    def test_a_required_block_that_requires_what_is_not_there_is_refused(self):
        for others in ([], [block("a", text=" ")]):
            with pytest.raises(BlockError) as error:
                compiled([*others, block("c", required=True, requires=("a",))])
            assert error.value.reason == "requires"

    def test_what_is_taken_back_takes_with_it_what_required_it(self):
        class Joints:
            name, exact = "joints", True

            def count(self, text):
                return len(text.split()) + 5 * max(0, text.count("\n\n") - 1)

        blocks = [block("a", priority=0.1), block("b", priority=0.9, requires=("a",)), block("c", priority=0.8)]
        made = compile_blocks(blocks, budget=9, tokens=Joints(), packing=Packing.PRIORITY)
        assert fates(made) == {"a": Fate.OVER_BUDGET, "b": Fate.PARTNER_LEFT_OUT, "c": Fate.INCLUDED}

    def test_words_are_not_shown_already_by_what_was_taken_back(self):
        def count(text):
            return len(text.split()) + (4 if "big" in text and "\n\n" in text.strip() else 0)

        tokens = type("Odd", (), {"name": "odd", "exact": True, "count": staticmethod(count)})()
        memory = {"band": Band.VOLATILE, "trust": Trust.UNTRUSTED}
        blocks = [block("a", text="small"), block("m", text="big", **memory), block("n", text="big", **memory)]
        made = compile_blocks(blocks, budget=10, tokens=tokens)
        assert [row.fate for row in made.receipt] == [Fate.INCLUDED, Fate.OVER_BUDGET, Fate.OVER_BUDGET]


def ring(names, size=2, **more):
    """Blocks of which each requires the next, and the last one the first."""
    return [block(name, size, requires=(after,), **more) for name, after in zip(names, names[1:] + names[:1], strict=True)]


@pytest.mark.parametrize("packing", Packing)
class TestRings:
    """Blocks that require each other enter together or not at all."""

    @pytest.mark.parametrize("names", ["ab", "ba", "abc", "cab", "dcba"])
    def test_they_enter_together_in_their_order(self, packing, names):
        made = compiled([block("x"), *ring(names), block("y")], packing=packing)
        assert named(made) == f"x{names}y"

    @pytest.mark.parametrize("bands", [(Band.STABLE, Band.VOLATILE), (Band.SESSION, Band.VOLATILE)])
    def test_they_may_stand_in_different_bands(self, packing, bands):
        blocks = [replace(one, band=band) for one, band in zip(ring("ab"), bands, strict=True)]
        assert named(compiled(blocks, packing=packing)) == "ab"

    def test_a_budget_too_small_for_all_of_them_holds_none(self, packing):
        blocks = [block("x", 1, priority=0.9), *ring("abc", 3)]
        assert {named(compiled(blocks, budget, packing)) for budget in range(1, 10)} == {"x"}
        assert named(compiled(blocks, 10, packing)) == "xabc"
        assert set(fates(compiled(blocks, 9, packing)).values()) <= {Fate.INCLUDED, Fate.OVER_BUDGET, Fate.BELOW_CUTOFF}

    def test_one_that_is_too_large_alone_leaves_the_others_out(self, packing):
        a, b = ring("ab", 3)
        made = compiled([a, replace(b, text=words(30))], 20, packing)
        assert named(made) == ""

    def test_they_are_worth_as_much_as_their_best(self, packing):
        a, b = ring("ab")
        blocks = [replace(a, priority=0.1), replace(b, priority=0.9), block("x", priority=0.5)]
        assert named(compiled(blocks, 5, packing)) == "ab"

    def test_they_have_their_turn_where_the_first_stands_and_not_after_all_others(self, packing):
        assert named(compiled([*ring("ab", priority=0.9), block("x", 30), block("y", 2)], 5, packing)) == "ab"

    def test_a_required_one_requires_them_all(self, packing):
        a, b, c = ring("abc", 3)
        blocks = [block("x", 4, priority=1), a, replace(b, required=True), c]
        assert named(compiled(blocks, 12, packing)) == "abc"
        with pytest.raises(BudgetError):
            compiled(blocks, 8, packing)

    def test_what_requires_them_enters_with_them_and_they_do_without_it(self, packing):
        blocks = [block("x", 2, requires=("a",), priority=0.1), *ring("ab")]
        assert named(compiled(blocks, packing=packing)) == "xab"
        assert named(compiled([replace(blocks[0], text=words(30)), *blocks[1:]], 8, packing)) == "ab"

    def test_a_ring_that_lacks_something_is_left_out_and_the_row_says_whose_fault_it_is(self, packing):
        a, b = ring("ab")
        made = compiled([a, replace(b, requires=("a", "nobody")), block("x")], packing=packing)
        assert fates(made) == {"a": Fate.PARTNER_LEFT_OUT, "b": Fate.REQUIREMENT_MISSING, "x": Fate.INCLUDED}

    def test_a_gate_that_refuses_one_leaves_all_out(self, packing):
        blocks = [*ring("abc", band=Band.VOLATILE), block("x", band=Band.VOLATILE)]
        gate = Gate(scores(a=1, b=0, c=1, x=1), threshold=1)
        made = compiled(blocks, packing=packing, task="t", gate=gate)
        left = Fate.PARTNER_LEFT_OUT
        assert fates(made) == {"a": left, "b": Fate.BELOW_THRESHOLD, "c": left, "x": Fate.INCLUDED}
        gate = Gate(scores(a=1, b=1, c=1, x=0), threshold=1)
        assert named(compiled(blocks, packing=packing, task="t", gate=gate)) == "abc"

    def test_partners_close_a_ring_too(self, packing):
        blocks = [block("a", requires=("c",), turn_key="t"), block("b", turn_key="t"), block("c", requires=("b",))]
        assert named(compiled(blocks, packing=packing)) == "abc"
        assert named(compiled(blocks, 5, packing)) == ""

    def test_two_that_would_do_need_not_both_enter(self, packing):
        free, tied = block("b", 2, priority=0.4), block("b", 4, requires=("a",), priority=0.3)
        assert named(compiled([block("a", requires=("b",)), free, tied], 6, packing)) == "ab"

    def test_a_long_ring_is_no_deeper_than_a_short_one(self, packing):
        names = [f"n{number}" for number in range(1500)]
        assert len(compiled(ring(names, 1), 10_000, packing).names) == 1500

    @given(
        st.lists(st.tuples(st.sampled_from("abcd"), st.sets(st.sampled_from("abcdz"), max_size=2)), max_size=7),
        st.integers(1, 30),
    )
    def test_nothing_stands_without_what_it_requires_and_with_room_all_that_can_stand_does(self, packing, given_blocks, budget):
        blocks = [replace(block(name, requires=tuple(needs)), id=BlockId(str(n))) for n, (name, needs) in enumerate(given_blocks)]

        def standing(those):
            while True:
                kept = [one for one in those if all(any(o.name == n and o is not one for o in those) for n in one.requires)]
                if len(kept) == len(those):
                    return kept
                those = kept

        assert list(compiled(blocks, 1000, packing).blocks) == standing(blocks)
        some = list(compiled(blocks, budget, packing).blocks)
        ids = {one.id for one in some}
        some = [one for one in blocks if one.id in ids]
        assert standing(some) == some


def test_what_is_taken_back_takes_the_whole_ring():
    class Joints:
        name, exact = "joints", True

        def count(self, text):
            return len(text.split()) + 5 * max(0, text.count("\n\n") - 1)

    made = compile_blocks([block("x"), *ring("ab")], budget=9, tokens=Joints())
    assert fates(made) == {"x": Fate.INCLUDED, "a": Fate.OVER_BUDGET, "b": Fate.OVER_BUDGET}


def test_a_ring_enters_in_short_together():
    a, b = ring("ab", 9)
    made = compiled([replace(a, short="x"), replace(b, short="y")], 6, Packing.SHORT)
    assert made.text == "x\n\ny"


class TestGroups:
    def test_a_group_that_enters_as_a_whole_enters_whole_or_not_at_all(self):
        group = Group(name="g", budget_as_unit=True)
        blocks = [block("a", 2, group=group), block("b", 3, group=group), block("c", 1, group=group), block("d", 2)]
        assert named(compiled(blocks, 8)) == "abcd"
        made = compiled(blocks, 5)
        assert named(made) == "d"
        assert named(compiled(blocks, 6, Packing.STOP)) == "abc"
        assert named(compiled([*blocks, block("e", required=True, group=group)], 8)) == "abce"

    def test_another_group_is_only_a_place(self):
        blocks = [block("a", 2, group=Group(name="g")), block("b", 9, group=Group(name="g"))]
        assert named(compiled(blocks, 5)) == "a"

    def test_a_short_form_helps_a_whole_group(self):
        group = Group(name="g", budget_as_unit=True)
        blocks = [block("a", 3, group=group), block("b", 9, short="x", group=group)]
        assert [b.text for b in compiled(blocks, 5, Packing.SHORT).blocks] == [words(3), "x"]


def scores(**numbers):
    """A scorer that knows the score of every block by name."""
    return lambda task, blocks: [numbers[one.name] for one in blocks]


VOLATILE = {"band": Band.VOLATILE}


class TestGate:
    def test_survivors_stand_in_registry_order_each_with_its_score(self):
        blocks = [block("s"), block("a", **VOLATILE), block("b", **VOLATILE), block("c", **VOLATILE)]
        made = compiled(blocks, task="t", gate=Gate(scores(a=0.2, b=0.1, c=0.9), top=2))
        assert named(made) == "sac"
        assert [(row.fate, row.score) for row in made.receipt] == [
            (Fate.INCLUDED, None),
            (Fate.INCLUDED, 0.2),
            (Fate.BELOW_TOP, 0.1),
            (Fate.INCLUDED, 0.9),
        ]

    def test_a_threshold_and_the_budget_are_told_apart(self):
        blocks = [block("a", 9, **VOLATILE), block("b", **VOLATILE)]
        made = compiled(blocks, 5, task="t", gate=Gate(scores(a=1, b=0), threshold=0.5))
        assert fates(made) == {"a": Fate.OVER_BUDGET, "b": Fate.BELOW_THRESHOLD}

    def test_only_optional_volatile_instructions_and_tools_are_gated_where_bands_are_kept(self):
        asked = []

        def nothing(task, blocks):
            asked.extend(one.name for one in blocks)
            return [0.0] * len(blocks)

        blocks = [
            block("pinned", band=Band.PINNED),
            block("stable"),
            block("turn", band=Band.SESSION, role=Role.USER),
            block("note", **VOLATILE),
            block("tool", tool=Tool(name="x"), **VOLATILE),
            block("exempt", gated=False, **VOLATILE),
            block("required", required=True, **VOLATILE),
            block("memory", text="recalled", role=Role.DOCUMENT, trust=Trust.UNTRUSTED, **VOLATILE),
            block("stranger", text="from afar", trust=Trust.UNTRUSTED, **VOLATILE),
            block("message", role=Role.USER, **VOLATILE),
        ]
        made = compiled(blocks, task="t", gate=Gate(nothing, threshold=1))
        assert asked == ["note", "tool"]
        assert made.names == ("pinned", "stable", "turn", "exempt", "required", "memory", "stranger", "message")

    def test_without_bands_all_optional_instructions_are_gated(self):
        registry = Registry(banded=False)
        for name, band in (("late", Band.SESSION), ("rule", Band.PINNED), ("early", Band.STABLE)):
            registry.write(name, name=name, band=band)
        made = compiled(registry, task="t", gate=Gate(scores(late=0, early=1), top=1))
        assert made.names == ("rule", "early")
        assert compiled(registry.blocks, task="t", gate=Gate(scores(late=0, early=1), top=1)).names == ("rule", "early")

    def test_a_requirement_of_a_required_block_is_exempt(self):
        blocks = [block("a", **VOLATILE), block("b", required=True, requires=("a",), **VOLATILE)]
        assert named(compiled(blocks, task="t", gate=Gate(scores(), threshold=1))) == "ab"

    def test_what_requires_a_refused_block_is_left_out(self):
        blocks = [block("card"), block("body", **VOLATILE), block("more", requires=("body",), gated=False, **VOLATILE)]
        made = compiled(blocks, task="t", gate=Gate(scores(body=0), threshold=1))
        assert fates(made)["more"] is Fate.PARTNER_LEFT_OUT

    def test_a_group_that_enters_whole_falls_with_its_refused_member(self):
        group = Group(name="g", budget_as_unit=True)
        blocks = [block("a", group=group, **VOLATILE), block("b", group=group, **VOLATILE), block("c", **VOLATILE)]
        made = compiled(blocks, task="t", gate=Gate(scores(a=1, b=0, c=1), threshold=1))
        assert fates(made) == {"a": Fate.PARTNER_LEFT_OUT, "b": Fate.BELOW_THRESHOLD, "c": Fate.INCLUDED}
        whole = Group(name="g", budget_as_unit=True, gate_as_unit=True)
        blocks = [block("a", group=whole, **VOLATILE), block("b", group=whole, **VOLATILE)]
        assert named(compiled(blocks, task="t", gate=Gate(scores(a=1, b=0), threshold=1))) == "ab"

    @pytest.mark.parametrize("exempt", [{"gated": False}, {"required": True}, {"role": Role.DOCUMENT, "text": "data"}])
    def test_a_member_that_no_gate_leaves_out_admits_its_whole_unit(self, exempt):
        group = Group(name="g", gate_as_unit=True)
        asked = []

        def nothing(task, blocks):
            asked.extend(one.name for one in blocks)
            return [0.0] * len(blocks)

        blocks = [
            block("a", group=group, **VOLATILE),
            block("b", group=group, **VOLATILE, **exempt),
            block("c", group=group, **VOLATILE),
            block("d", group=Group(name="h", gate_as_unit=True), **VOLATILE),
            block("e", group=Group(name="loose"), gated=False, **VOLATILE),
            block("f", group=Group(name="loose"), **VOLATILE),
        ]
        made = compiled(blocks, task="t", gate=Gate(nothing, threshold=1))
        assert made.names == ("a", "b", "c", "e")
        assert asked == ["d", "f"]

    def test_a_member_that_cannot_stand_at_all_admits_nobody(self):
        group = Group(name="g", gate_as_unit=True)
        blocks = [block("a", group=group, **VOLATILE), block("empty", text=" ", gated=False, group=group, **VOLATILE)]
        assert compiled(blocks, task="t", gate=Gate(scores(a=0), threshold=1)).names == ()

    def test_a_gate_needs_a_task(self):
        for blocks in ([], [block("a")], Registry()):
            with pytest.raises(BlockError) as error:
                compiled(blocks, gate=Gate(scores(), top=1))
            assert error.value.reason == "task_needed"

    def test_a_registry_asks_its_gate_each_time(self):
        registry = Registry()
        for name in "ab":
            registry.write(name, name=name, band=Band.VOLATILE)
        asked = []

        def scorer(task, blocks):
            asked.append(task)
            return [float(one.name == task) for one in blocks]

        gate = Gate(scorer, top=1)
        assert [compiled(registry, task=task, gate=gate).names for task in "aabb"] == [("a",), ("a",), ("b",), ("b",)]
        assert asked == list("aabb")
        assert compiled(registry).names == ("a", "b")

    def test_T01_a_gate_leaves_the_prefix_as_it_is(self):
        registry = Registry()
        registry.write(words(30), name="rules")
        for n in range(5):
            registry.write(f"tool {n}", name=str(n), band=Band.VOLATILE)
        fronts = set()
        for n in range(5):
            made = compiled(
                registry, task="t", gate=Gate(lambda task, blocks, n=n: [float(b.name == str(n)) for b in blocks], top=1)
            )
            fronts.add(made.text.removesuffix(f"tool {n}"))
            assert made.text.endswith(f"tool {n}")
        assert len(fronts) == 1


class TestTools:
    def test_the_tools_of_a_prompt_are_told(self):
        blocks = [block("a"), block("b", tool=Tool(name="pay")), block("c", tool=Tool(name="look"), **VOLATILE)]
        made = compiled(blocks, task="t", gate=Gate(scores(c=0), threshold=1))
        assert [tool.name for tool in made.tools] == ["pay"]

    def test_two_tools_of_one_name_are_refused_only_when_both_are_in(self):
        blocks = [block("a", text="", tool=Tool(name="pay")), block("b", 99, tool=Tool(name="pay"))]
        with pytest.raises(BlockError) as error:
            compiled(blocks)
        assert error.value.reason == "tool_clash"
        assert compiled(blocks, 30).names == ("a",)

    def test_a_tool_that_comes_into_a_registry_later_is_checked_as_well(self):
        registry = Registry()
        registry.write("", name="a", tool=Tool(name="pay"))
        compiled(registry)
        second = registry.write("", name="b", tool=Tool(name="pay"))
        with pytest.raises(BlockError):
            compiled(registry)
        registry.evict(second)
        assert compiled(registry).names == ("a",)


def call(name, *ids):
    return block(
        name,
        text="",
        band=Band.SESSION,
        role=Role.ASSISTANT,
        tool_calls=tuple(ToolCall(id=i, name="f", arguments="{}") for i in ids),
    )


@pytest.mark.parametrize("packing", Packing)
def test_partners_stand_or_fall_together_in_every_packing(packing):
    result = block("r", 6, band=Band.SESSION, role=Role.TOOL, tool_call_id="1")
    blocks = [call("c", "1"), result, block("u", 2, band=Band.SESSION, role=Role.USER)]
    assert {named(compiled(blocks, budget, packing)) for budget in range(1, 30)} <= {"", "u", "cr", "cru"}
    assert named(compiled(blocks, 40, packing)) == "cru"


def test_what_passed_a_gate_is_offered_the_room_nearest_first_and_still_stands_in_order():
    blocks = [block("far", 4, band=Band.VOLATILE), block("near", 6, band=Band.VOLATILE), block("nearer", 3, band=Band.VOLATILE)]
    near = {"far": 0.1, "near": 0.7, "nearer": 0.9}
    gate = Gate(lambda _, candidates: [near[one.name] for one in candidates], top=3)
    assert compiled(blocks, budget=11, task="x", gate=gate).names == ("near", "nearer")
    assert compiled(blocks, budget=11).names == ("far", "nearer")


def test_what_a_gate_left_out_is_told_with_what_it_would_have_cost():
    blocks = [block("near", 6, band=Band.VOLATILE), block("far", 4, band=Band.VOLATILE)]
    made = compiled(blocks, task="x", gate=Gate(lambda _, both: [float(one.name == "near") for one in both], top=1))
    assert [(row.fate, row.tokens) for row in made.receipt] == [(Fate.INCLUDED, 7), (Fate.BELOW_TOP, 5)]
