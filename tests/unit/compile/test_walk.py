"""What enters the prompt: required first, order kept, budget held, and a fate for every block."""

from __future__ import annotations

import pytest

from muniment.compile import compile as compile_blocks
from muniment.errors import BlockError, BudgetError, ProviderError
from muniment.registry import Registry
from muniment.testing import CountingTokens
from muniment.types import Band, Block, BlockId, Fate, Role, ToolCall, Trust

WORDS = CountingTokens()


def block(name, text=None, **more):
    return Block(id=BlockId(f"id of {name}"), name=name, text=f"{name} text" if text is None else text, **more)


def turn(name, text=None, role=Role.USER, **more):
    return block(name, text, band=Band.SESSION, role=role, **more)


def memory(name, text=None, **more):
    return block(name, text, band=Band.VOLATILE, role=Role.DOCUMENT, trust=Trust.UNTRUSTED, **more)


def words(count):
    return " ".join(["word"] * count)


def compiled(blocks, budget=1000, **more):
    return compile_blocks(blocks, budget=budget, tokens=WORDS, **more)


def fates(compilation):
    return {row.name: row.fate for row in compilation.receipt}


class TestOrder:
    def test_order_is_the_registrys(self):
        registry = Registry()
        for name in "cab":
            registry.write(name, name=name)
        assert compiled(registry).text == "c\n\na\n\nb"
        registry.promote(registry.blocks[2].id, to="front")
        assert compiled(registry).names == ("b", "c", "a")

    def test_an_unbanded_order_is_kept_as_it_is(self):
        registry = Registry(banded=False)
        for name, band in (("late", Band.SESSION), ("early", Band.PINNED), ("middle", Band.STABLE)):
            registry.write(name, name=name, band=band)
        assert compiled(registry).text == "[system]\nlate\n\nearly\n\nmiddle"

    def test_a_compilation_says_what_it_was_made_with(self):
        made = compiled([block("a")], budget=50, reserve=20)
        assert (made.budget, made.reserve, made.counter, made.exact, made.tokens) == (50, 20, "words", True, 2)
        assert len(made.prompt_hash) == 64

    def test_nothing_compiles_to_nothing(self):
        made = compiled(Registry())
        assert (made.text, made.tokens, made.blocks, made.receipt) == ("", 0, (), ())

    def test_T02_the_same_state_gives_the_same_bytes(self):
        blocks = [block("a"), turn("b", trust=Trust.UNTRUSTED), memory("c")]
        first, second = compiled(blocks), compiled(list(blocks))
        assert first == second
        assert first.prompt_hash == second.prompt_hash
        assert compiled(blocks, salt="other").text != first.text


class TestBudget:
    @pytest.mark.parametrize("budget", [-1, 0, 10**12, 1e12, 3.7, "100", True, None, float("nan")])
    def test_vector_29_budgets_out_of_range_are_refused(self, budget):
        with pytest.raises(BudgetError) as error:
            compiled([block("a")], budget=budget)
        assert error.value.reason == "range"

    def test_vector_29_a_budget_of_one_is_possible(self):
        assert compiled([block("a", "two words"), block("b", "one")], budget=1).names == ("b",)

    @pytest.mark.parametrize("required", [{"required": True}, {"band": Band.PINNED}])
    def test_vector_29_pins_over_the_budget_are_refused_with_their_sizes(self, required):
        blocks = [block("rules", words(30), **required), block("nice", "x"), block("tools", words(12), **required)]
        with pytest.raises(BudgetError, match=r"take 42 tokens, and 40 are there: rules 30, tools 12\.") as error:
            compiled(blocks, budget=45, reserve=5)
        assert error.value.reason == "pinned_exceed_budget"
        assert compiled(blocks, budget=42).names == ("rules", "tools")

    def test_the_sizes_of_very_many_pins_stay_readable(self):
        with pytest.raises(BudgetError, match="and 92 more") as error:
            compiled([block(f"pin {n}" * 20, words(2), required=True) for n in range(100)], budget=100)
        assert len(str(error.value)) < 800

    @pytest.mark.parametrize("reserve", [-1, 100, 101, 2.5, "1", True])
    def test_a_reserve_out_of_range_is_refused(self, reserve):
        with pytest.raises(BudgetError) as error:
            compiled([block("a")], budget=100, reserve=reserve)
        assert error.value.reason == "range"

    def test_room_for_the_answer_is_kept(self):
        blocks = [block("a", words(5)), block("b", words(5))]
        assert compiled(blocks, budget=10).names == ("a", "b")
        assert compiled(blocks, budget=10, reserve=1).names == ("a",)

    @pytest.mark.parametrize("answer", [-1, 1.5, None, True])
    def test_a_counter_that_does_not_count_is_refused(self, answer):
        class Broken:
            name, exact = "broken", True

            def count(self, text):
                return answer

        with pytest.raises(ProviderError) as error:
            compile_blocks([block("a")], budget=10, tokens=Broken())
        assert error.value.reason == "counter_invalid"

    def test_what_is_not_a_block_is_refused(self):
        with pytest.raises(BlockError) as error:
            compiled(["text"])
        assert error.value.reason == "not_a_block"

    @pytest.mark.parametrize("wrong", [{"role": "user"}, {"band": 1}, {"trust": "untrusted"}])
    def test_words_that_only_look_like_a_kind_are_refused(self, wrong):
        with pytest.raises(BlockError) as error:
            compiled([block("a"), block("b", **wrong)])
        assert (error.value.reason, error.value.place) == ("range", "blocks[1]")


class TestWalk:
    def test_a_block_that_does_not_fit_is_skipped_and_smaller_ones_still_enter(self):
        made = compiled([block("a", words(4)), block("b", words(9)), block("c", words(4))], budget=10)
        assert made.names == ("a", "c")
        assert fates(made) == {"a": Fate.INCLUDED, "b": Fate.OVER_BUDGET, "c": Fate.INCLUDED}
        assert [row.tokens for row in made.left_out] == [9]

    def test_required_blocks_are_reserved_before_all_others(self):
        made = compiled([block("a", words(6)), turn("b", words(4), required=True), memory("m", words(2))], budget=10)
        assert made.names == ("b",)

    def test_the_stable_band_comes_before_memory_and_memory_before_conversation(self):
        blocks = [block("s", words(5)), turn("t", words(4)), memory("m", words(4))]
        order = [compiled(blocks, budget=budget).names for budget in (5, 17, 30)]
        assert order == [("s",), ("s", "m"), ("s", "t", "m")]

    def test_the_oldest_turns_go_first_and_order_is_kept(self):
        blocks = [turn(f"t{n}", words(3)) for n in range(10)]
        assert compiled(blocks, budget=14).names == ("t7", "t8", "t9")

    def test_a_turn_that_no_longer_fits_ends_the_conversation_there(self):
        blocks = [turn("small", "a"), turn("large", words(8)), turn("new", words(4))]
        made = compiled(blocks, budget=12)
        assert made.names == ("new",)
        assert fates(made)["small"] is Fate.OVER_BUDGET

    def test_a_turn_that_no_conversation_could_hold_is_skipped(self):
        blocks = [turn("small", "a"), turn("huge", words(80)), turn("new", words(4))]
        assert compiled(blocks, budget=12).names == ("small", "new")

    def test_empty_blocks_are_named_and_cost_nothing(self):
        made = compiled([block("a", " \n"), block("b", required=True), turn("c", "")])
        assert fates(made) == {"a": Fate.EMPTY, "b": Fate.INCLUDED, "c": Fate.EMPTY}
        assert [row.tokens for row in made.left_out] == [0, 0]

    def test_memory_that_is_shown_already_is_not_shown_twice(self):
        blocks = [block("s", "the key is red"), memory("m", "the key is red"), memory("n", "new"), memory("o", "new ")]
        assert fates(compiled(blocks)) == {
            "s": Fate.INCLUDED,
            "m": Fate.ALREADY_SHOWN,
            "n": Fate.INCLUDED,
            "o": Fate.ALREADY_SHOWN,
        }

    def test_memory_repeating_what_did_not_fit_is_still_shown(self):
        blocks = [memory("big", words(50)), memory("m", "new"), memory("again", words(50))]
        assert fates(compiled(blocks, budget=20))["again"] is Fate.OVER_BUDGET

    def test_the_receipt_has_a_row_per_block_in_order(self):
        blocks = [block("a", band=Band.PINNED), block("b", words(900)), turn("c"), memory("d", required=True)]
        made = compiled(blocks, budget=100)
        assert [(row.name, row.band, row.required) for row in made.receipt] == [
            ("a", Band.PINNED, True),
            ("b", Band.STABLE, False),
            ("c", Band.SESSION, False),
            ("d", Band.VOLATILE, True),
        ]
        assert made.tokens <= sum(row.tokens for row in made.receipt if row.fate is Fate.INCLUDED)


def call(name, *ids, text="", **more):
    calls = tuple(ToolCall(id=i, name="look", arguments="{}") for i in ids)
    return turn(name, text, role=Role.ASSISTANT, tool_calls=calls, **more)


def result(name, answers, text="found", **more):
    return turn(name, text, role=Role.TOOL, tool_call_id=answers, **more)


class TestPartners:
    def test_a_call_and_its_results_stand_or_fall_together(self):
        blocks = [call("c", "1", "2"), result("r1", "1", words(50)), result("r2", "2"), turn("u")]
        made = compiled(blocks, budget=30)
        assert fates(made) == {
            "c": Fate.PARTNER_LEFT_OUT,
            "r1": Fate.OVER_BUDGET,
            "r2": Fate.PARTNER_LEFT_OUT,
            "u": Fate.INCLUDED,
        }
        assert compiled(blocks).names == ("c", "r1", "r2", "u")

    def test_S04_nine_parallel_calls_stay_together_each_once(self):
        ids = [str(n) for n in range(9)]
        blocks = [turn("u"), call("c", *ids), *(result(f"r{i}", i, words(3)) for i in ids), turn("next", role=Role.ASSISTANT)]
        for budget in range(4, 140):
            names = compiled(blocks, budget=budget).names
            assert sum(name[0] in "cr" for name in names) in (0, 10)
            assert len(set(names)) == len(names)

    def test_S03_a_shortened_history_never_starts_with_an_orphan_result(self):
        one = [turn("u"), call("c", "1"), result("r", "1"), turn("a", role=Role.ASSISTANT)]
        blocks = [block("system"), *one, *one]
        for budget in range(1, 80):
            kept = compiled(blocks, budget=budget).blocks
            roles = [b.role for b in kept]
            assert all(role is not Role.TOOL or roles[place - 1] is Role.ASSISTANT for place, role in enumerate(roles))

    def test_results_without_a_call_are_left_out(self):
        blocks = [result("r", "1"), turn("u"), call("c", "2"), result("s", "3"), result("t", None)]
        made = compiled(blocks)
        assert made.names == ("u",)
        assert {row.fate for row in made.left_out} == {Fate.PARTNER_LEFT_OUT}

    def test_a_second_result_for_the_same_call_is_left_out(self):
        made = compiled([call("c", "1"), result("r", "1"), result("again", "1")])
        assert made.names == ("c", "r")

    def test_a_call_id_used_again_belongs_to_the_latest_call(self):
        blocks = [call("c", "1"), result("r", "1", words(90)), turn("u"), call("d", "1"), result("s", "1")]
        made = compiled(blocks, budget=40)
        assert made.names == ("u", "d", "s")

    def test_a_user_may_speak_between_a_call_and_its_result(self):
        blocks = [call("c", "1"), turn("u"), result("r", "1")]
        assert compiled(blocks).names == ("c", "u", "r")

    def test_calls_close_when_the_assistant_speaks_again(self):
        blocks = [call("c", "1"), turn("u"), turn("a", role=Role.ASSISTANT), result("r", "1")]
        assert compiled(blocks).names == ("u", "a")

    def test_a_turn_key_binds_any_blocks(self):
        blocks = [turn("q", words(3), turn_key="k"), turn("a", words(9), role=Role.ASSISTANT, turn_key="k"), turn("u")]
        assert compiled(blocks, budget=12).names == ("u",)
        assert compiled(blocks, budget=30).names == ("q", "a", "u")

    def test_a_required_partner_makes_the_others_required(self):
        blocks = [call("c", "1"), result("r", "1", words(20), required=True), turn("u", words(9))]
        assert compiled(blocks, budget=30).names == ("c", "r")
        with pytest.raises(BudgetError):
            compiled(blocks, budget=20)

    def test_a_required_result_without_a_call_is_refused(self):
        with pytest.raises(BlockError) as error:
            compiled([result("r", "1", required=True)])
        assert error.value.reason == "orphan"

    def test_an_empty_result_still_answers_its_call(self):
        assert compiled([call("c", "1"), result("r", "1", "")]).names == ("c", "r")


class TestCache:
    def test_T01_the_stable_part_is_byte_identical_whatever_is_recalled(self):
        registry = Registry()
        for name, band in (("role", Band.PINNED), ("policy", Band.STABLE), ("tools", Band.STABLE)):
            registry.write(f"{name}: {words(40)}", name=name, band=band)
        fronts = set()
        for n in range(10):
            registry.write(f"question {n} " + words(n * 7), name="u", band=Band.SESSION, role=Role.USER)
            recalled = [
                registry.write(f"fact {n} {m}", name="m", band=Band.VOLATILE, trust=Trust.UNTRUSTED) for m in range(n % 4)
            ]
            text = compiled(registry, budget=200).text
            fronts.add(text[: text.index("[user]")])
            assert not recalled or text.rindex("fact") > text.rindex("question")
            for block_id in recalled:
                registry.evict(block_id)
        assert len(fronts) == 1

    def test_T04_the_front_is_the_same_with_and_without_recall(self):
        blocks = [block("s"), turn("u")]
        with_memory, without = compiled([*blocks, memory("m")]).text, compiled(blocks).text
        assert with_memory.startswith(without)

    def test_an_unchanged_tool_result_keeps_its_frame(self):
        blocks = [call("c", "1"), result("r", "1", "sunny", trust=Trust.UNTRUSTED)]
        later = [*blocks, turn("u"), memory("m")]
        assert compiled(later, salt="s").text.startswith(compiled(blocks, salt="s").text)
