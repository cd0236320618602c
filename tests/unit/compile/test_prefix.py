"""What of a prompt is as it was, for a provider's cache, and what a change of order costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compile import compile as compile_blocks
from muniment.compile import to_openai
from muniment.errors import BlockError
from muniment.registry import Registry
from muniment.testing import CountingTokens
from muniment.types import Band, Block, BlockId, Prices, Role, Tool, Trust

WORDS = CountingTokens()
PRICES = Prices(fresh=1_000_000, cached=100_000, written=1_250_000)


def block(name, text=None, **more):
    return Block(id=BlockId(f"id of {name}"), name=name, text=f"{name} text" if text is None else text, **more)


def turn(name, **more):
    return block(name, band=Band.SESSION, role=Role.USER, **more)


def compiled(blocks, **more):
    return compile_blocks(blocks, budget=10_000, tokens=WORDS, **more)


class TestUnchanged:
    def test_without_a_prompt_before_nothing_is_known(self):
        made = compiled([block("a")])
        assert (made.unchanged, made.price) == (None, None)

    def test_leading_tokens_are_counted_up_to_the_first_byte_that_differs(self):
        before = compiled([block("a"), block("b"), block("c")])
        assert compiled([block("a"), block("b"), block("c")], since=before).unchanged == 6
        assert compiled([block("a"), block("x"), block("c")], since=before).unchanged == 2
        assert compiled([block("a"), block("b"), block("c"), block("d")], since=before).unchanged == 6
        assert compiled([block("a")], since=before).unchanged == 2
        assert compiled([block("x")], since=before).unchanged == 0
        assert compiled([], since=before).unchanged == 0

    def test_a_registry_compares_with_its_last_prompt_whatever_was_asked_then(self):
        registry = Registry()
        for name in "abc":
            registry.write(f"{name} text", name=name)
        assert compiled(registry).unchanged is None
        registry.edit(registry.blocks[1].id, "x text")
        assert compile_blocks(registry, budget=50, tokens=WORDS).unchanged == 2
        assert compiled(registry, since=compiled([block("y")])).unchanged == 0
        registry.write("d", name="d")
        assert compiled(registry, dry=True).unchanged == compiled(registry).unchanged == 6

    def test_T04_recall_leaves_the_prefix_as_it_was(self):
        recalled = block("m", band=Band.VOLATILE, role=Role.DOCUMENT, trust=Trust.UNTRUSTED)
        blocks = [block("rules"), turn("u")]
        before = compiled([*blocks, recalled])
        made = compiled(blocks, since=before)
        assert made.unchanged == made.prefix.chat == made.tokens

    def test_what_is_no_compilation_is_refused(self):
        with pytest.raises(BlockError) as error:
            compiled([block("a")], since="the last one")
        assert (error.value.reason, error.value.place) == ("range", "since")

    @given(st.text("ab\n ", max_size=60), st.text("ab\n ", max_size=60))
    def test_the_shared_beginning_is_the_longest(self, one, two):
        before, made = (compile_blocks([block("x", text + "!")], budget=999, tokens=Letters(), since=None) for text in (one, two))
        made = compile_blocks(made.blocks, budget=999, tokens=Letters(), since=before)
        shared = 0
        while shared < min(len(before.text), len(made.text)) and before.text[shared] == made.text[shared]:
            shared += 1
        assert made.unchanged == shared


class Letters:
    """One token per character."""

    name, exact, additive = "letters", True, True

    def count(self, text):
        return len(text)


class TestChatOrder:
    def test_a_new_tool_changes_the_whole_chat_prompt_although_it_stands_late(self):
        blocks = [block("rules"), turn("u")]
        before = compiled(blocks)
        made = compiled([*blocks, block("t", "", band=Band.VOLATILE, tool=Tool(name="pay"))], since=before)
        assert (made.unchanged, made.prefix.chat) == (before.tokens, 0)

    def test_an_instruction_after_the_talk_is_read_before_it(self):
        registry = Registry(banded=False)
        registry.write("hello", name="u", role=Role.USER, band=Band.SESSION)
        registry.write("be brief", name="rules")
        before = compiled(registry)
        assert to_openai(before)[0]["role"] == "system"
        registry.edit(registry.blocks[0].id, "good day")
        made = compiled(registry)
        assert (made.unchanged, made.prefix.chat) == (1, 3)  # of the talk only its heading

    def test_data_that_shares_a_frame_changes_with_it(self):
        data = [block(n, band=Band.VOLATILE, role=Role.DOCUMENT, trust=Trust.UNTRUSTED) for n in "ab"]
        before = compiled([block("rules"), *data])
        assert compiled([block("rules"), *data], since=before).prefix.chat == before.tokens
        assert compiled([block("rules"), data[0]], since=before).prefix.chat == 3  # up to the frame's marker


class TestPrice:
    def test_a_first_prompt_is_written_up_to_what_is_volatile(self):
        made = compiled([block("rules"), turn("u"), block("m", band=Band.VOLATILE)], prices=PRICES)
        assert made.unchanged is None
        assert made.price.now == made.price.kept == pytest.approx(1.25 * 5 + 1.0 * 3)  # headings are one token each

    def test_what_is_unchanged_is_read_from_the_cache(self):
        blocks = [block("rules"), block("more")]
        made = compiled([*blocks, turn("u")], since=compiled(blocks), prices=PRICES)
        assert made.price.now == pytest.approx(0.1 * 4 + 1.25 * 3)
        assert made.price.lost == 0

    def test_a_change_of_order_costs_what_is_read_again(self):
        registry = Registry()
        ids = [registry.write(f"{name} text", name=name) for name in "abcd"]
        assert compiled(registry, prices=PRICES).price.lost == 0
        registry.promote(ids[3], to="front")
        price = compiled(registry, prices=PRICES).price
        assert (price.now, price.kept) == (pytest.approx(1.25 * 8), pytest.approx(0.1 * 8))
        assert price.lost == pytest.approx(price.now - price.kept)

    def test_a_change_of_words_is_no_change_of_order(self):
        registry = Registry()
        ids = [registry.write(f"{name} text", name=name) for name in "abcd"]
        compiled(registry, prices=PRICES)
        registry.edit(ids[1], "x text")
        price = compiled(registry, prices=PRICES).price
        assert price.lost == 0
        assert price.now == pytest.approx(0.1 * 2 + 1.25 * 6)

    def test_a_block_put_in_front_costs_the_order_of_all_behind_it(self):
        registry = Registry()
        for name in "ab":
            registry.write(f"{name} text", name=name)
        compiled(registry, prices=PRICES)
        registry.write("new text", name="new", position=0)
        price = compiled(registry, prices=PRICES).price
        assert (price.now, price.kept) == (pytest.approx(1.25 * 6), pytest.approx(0.1 * 4 + 1.25 * 2))

    @pytest.mark.parametrize("prices", [5, {"fresh": 1}])
    def test_what_is_no_price_table_is_refused(self, prices):
        with pytest.raises(BlockError) as error:
            compiled([block("a")], prices=prices)
        assert error.value.place == "prices"
