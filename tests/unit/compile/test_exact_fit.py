"""A prompt that takes the budget to the last token is given, and a counter that does not add up loses few blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.compile import compile as compile_blocks
from muniment.errors import BudgetError
from muniment.registry import Registry
from muniment.types import Band, Block, BlockId, Fate, Packing, Role, Tool, Trust


class By:
    """A token counter from a function."""

    exact = True

    def __init__(self, count, *, additive=False):
        self.name, self.count, self.additive = "by function", count, additive


CHARACTERS = By(len, additive=True)
UNDECLARED = By(len)


def block(name, size=10, **more):
    return Block(id=BlockId(f"id of {name}"), name=name, text=(name * size)[:size], **more)


DATA = {"role": Role.DOCUMENT, "trust": Trust.UNTRUSTED}
KINDS = {
    "instructions": {},
    "notes": {"band": Band.VOLATILE},
    "required": {"required": True},
    "turns": {"band": Band.SESSION, "role": Role.USER},
    "documents": DATA,
    "memories": {"band": Band.VOLATILE, **DATA},
    "tool": {"tool": Tool(name="look")},
}


@pytest.mark.parametrize("tokens", [CHARACTERS, UNDECLARED], ids=["additive", "undeclared"])
@pytest.mark.parametrize("packing", Packing)
class TestToTheLastToken:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("number", [1, 2, 5])
    def test_blocks_enter_a_budget_of_exactly_their_text(self, kind, number, packing, tokens):
        blocks = [block(name, **KINDS[kind]) for name in "abcde"[: 1 if kind == "tool" else number]]
        exact = compile_blocks(blocks, budget=10**6, tokens=tokens, packing=packing).tokens
        made = compile_blocks(blocks, budget=exact, tokens=tokens, packing=packing)
        assert (len(made.blocks), made.tokens) == (len(blocks), exact)
        assert compile_blocks(blocks, budget=exact + 9, reserve=9, tokens=tokens, packing=packing).names == made.names
        if kind == "required":
            with pytest.raises(BudgetError):
                compile_blocks(blocks, budget=exact - 1, tokens=tokens, packing=packing)
        elif exact > 1:
            assert len(compile_blocks(blocks, budget=exact - 1, tokens=tokens, packing=packing).blocks) < len(blocks)

    def test_nothing_is_charged_behind_the_last_block(self, packing, tokens):
        one, two = [block("a")], [block("a"), block("b")]
        assert [len(compile_blocks(one, budget=n, tokens=tokens, packing=packing).blocks) for n in (9, 10, 11, 12)] == [
            0,
            1,
            1,
            1,
        ]
        lengths = [len(compile_blocks(two, budget=n, tokens=tokens, packing=packing).text) for n in (21, 22, 23, 24)]
        assert lengths == ([0] if packing is Packing.PRIORITY else [10]) + [22] * 3

    def test_bands_together_fit_exactly(self, packing, tokens):
        blocks = [
            block("rule", band=Band.PINNED),
            block("said", band=Band.SESSION, role=Role.USER),
            block("memory", band=Band.VOLATILE, **DATA),
            block("more", band=Band.VOLATILE, **DATA),
            block("note", band=Band.VOLATILE),
        ]
        exact = compile_blocks(blocks, budget=10**6, tokens=tokens, packing=packing).tokens
        assert len(compile_blocks(blocks, budget=exact, tokens=tokens, packing=packing).blocks) == 5
        assert len(compile_blocks(blocks, budget=exact - 1, tokens=tokens, packing=packing).blocks) < 5


def test_a_short_form_that_fits_exactly_stands_in():
    blocks = [block("a"), block("b", 30, short="in short")]
    assert len(compile_blocks(blocks, budget=20, tokens=CHARACTERS, packing=Packing.SHORT).text) == 20
    assert len(compile_blocks(blocks, budget=19, tokens=CHARACTERS, packing=Packing.SHORT).text) == 10


def test_a_turn_that_would_fit_an_empty_conversation_exactly_ends_it():
    turns = [block(name, size, band=Band.SESSION, role=Role.USER) for name, size in (("old", 1), ("large", 43), ("new", 23))]
    assert compile_blocks(turns, budget=50, tokens=CHARACTERS).names == ("new",)
    assert compile_blocks(turns, budget=49, tokens=CHARACTERS).names == ("old", "new")


def test_what_no_sum_can_tell_is_counted_as_a_whole_once():
    asked = []

    def count(text):
        asked.append(text)
        return len(text)

    blocks = [block(f"block {n}", 98) for n in range(50)]  # each costs 100, and the last one 98
    assert len(compile_blocks(blocks, budget=999, tokens=By(count)).blocks) == 10
    assert sum(len(text) > 100 for text in asked) == 2


@given(st.lists(st.integers(1, 12), min_size=1, max_size=6), st.integers(-3, 3), st.data(), st.sampled_from(Packing))
def test_near_the_edge_a_followed_registry_gives_what_walking_it_gives(sizes, off, data, packing):
    registry = Registry()
    ids = [registry.write("x" * size, name=f"b{n}") for n, size in enumerate(sizes)]
    for tokens in (CHARACTERS, UNDECLARED):
        budget = max(1, sum(sizes) + 2 * len(sizes) - 2 + off)
        asked = {"budget": budget, "tokens": tokens, "packing": packing}
        for _ in range(4):
            compile_blocks(registry, **asked)
            if data.draw(st.booleans()):
                registry.edit(data.draw(st.sampled_from(ids)), "y" * data.draw(st.integers(1, 12)))
            else:
                registry.promote(data.draw(st.sampled_from(ids)), to="front")
            followed, walked = compile_blocks(registry, **asked), compile_blocks(registry.blocks, **asked)
            assert followed == walked
            if len(walked.text) < len(walked.blocks) * 2 - 2 + sum(len(one.text) for one in registry.blocks):
                assert any(row.fate is not Fate.INCLUDED for row in walked.receipt)


def test_a_registry_that_fits_exactly_is_followed_and_not_walked():
    registry = Registry()
    ids = [registry.write("x" * 10, name=f"b{n}") for n in range(40)]
    asked = []

    def count(text):
        asked.append(text)
        return len(text)

    tokens = By(count, additive=True)
    for n in range(3):
        registry.edit(ids[n], "y" * 10)
        asked.clear()
        assert compile_blocks(registry, budget=478, tokens=tokens).tokens == 478
    assert len(asked) == 1


class TestTakenBack:
    """After a recount found too much, as many as fit come back."""

    @pytest.mark.parametrize("packing", Packing)
    def test_a_whole_dearer_than_its_parts_is_not_emptied(self, packing):
        tokens = By(lambda text: len(text) * (3 if len(text) > 50 else 1))
        blocks = [block(name, 30, priority=0.9 - n / 10) for n, name in enumerate("abcd")]
        made = compile_blocks(blocks, budget=150, tokens=tokens, packing=packing)
        assert (made.tokens, len(made.blocks)) == (30, 1)
        assert [row.fate for row in made.receipt].count(Fate.OVER_BUDGET) == 3
        assert len(compile_blocks(blocks, budget=200, tokens=tokens, packing=packing).blocks) == 2

    def test_required_blocks_stay(self):
        tokens = By(lambda text: len(text) * (3 if len(text) > 50 else 1))
        blocks = [*(block(name, 20) for name in "abc"), block("must", 20, required=True), block("d", 20)]
        assert compile_blocks(blocks, budget=130, tokens=tokens).names == ("a", "must")

    @given(st.lists(st.integers(1, 40), max_size=20), st.integers(1, 900), st.integers(1, 300), st.integers(2, 9))
    def test_with_a_counter_that_only_grows_no_block_that_could_have_stayed_is_gone(self, sizes, budget, edge, times):
        tokens = By(lambda text: len(text) * (times if len(text) > edge else 1))
        blocks = [block(f"{n:02}", size) for n, size in enumerate(sizes)]
        made = compile_blocks(blocks, budget=budget, tokens=tokens, packing=Packing.STOP)
        assert made.names == tuple(one.name for one in blocks[: len(made.blocks)])
        assert made.tokens <= budget
        if 0 < len(made.blocks) < len(blocks):
            more = "\n\n".join(one.text for one in blocks[: len(made.blocks) + 1])
            parts = [tokens.count(one.text + "\n\n") for one in blocks[: len(made.blocks) + 1]]
            assert tokens.count(more) > budget or sum(parts) > budget

    def test_shown_and_required_ones_come_back_with_what_they_hang_on(self):
        tokens = By(lambda text: len(text.split()) * (9 if len(text.split()) > 40 else 1))
        memory = {"band": Band.VOLATILE, "trust": Trust.UNTRUSTED, "text": "the key is red"}
        blocks = [
            block("a", 10),
            Block(id=BlockId("m"), name="m", **memory),
            Block(id=BlockId("n"), name="n", **memory),
            Block(id=BlockId("z"), name="z", text="word " * 60, band=Band.VOLATILE, requires=("a",)),
        ]
        made = compile_blocks(blocks, budget=100, tokens=tokens)
        assert [row.fate for row in made.receipt] == [Fate.INCLUDED, Fate.INCLUDED, Fate.ALREADY_SHOWN, Fate.OVER_BUDGET]

    def test_it_takes_few_recounts(self):
        asked = []

        def count(text):
            asked.append(text)
            return len(text) * (3 if len(text) > 5000 else 1)

        blocks = [block(str(n), 30) for n in range(1000)]
        made = compile_blocks(blocks, budget=10**5 // 2, tokens=By(count))
        assert len(made.blocks) == (10**5 // 6 + 2) // 32
        assert sum(len(text) > 50 for text in asked) < 20
