"""What a compilation tells, when it is read, and that nobody can change it."""

from __future__ import annotations

import copy
import pickle
from hashlib import sha256

import pytest

from muniment.compilation import with_rows
from muniment.compile import compile as compile_blocks
from muniment.registry import Registry
from muniment.testing import CountingTokens
from muniment.types import Band, Block, BlockId, BlockReceipt, Fate

WORDS = CountingTokens()


def block(name, text=None, **more):
    return Block(id=BlockId(f"id of {name}"), name=name, text=text or f"{name} text", **more)


def compiled(*blocks, budget=99, **more):
    return compile_blocks(blocks, budget=budget, tokens=WORDS, **more)


def test_it_names_what_is_in_and_what_is_left_out():
    made = compiled(block("a"), block("b", "word " * 200), block("c", " "))
    assert made.names == ("a",)
    assert [(row.name, row.fate) for row in made.left_out] == [("b", Fate.OVER_BUDGET), ("c", Fate.EMPTY)]


def test_it_can_only_be_read():
    made = compiled(block("a"))
    for name in ("text", "tokens", "blocks", "receipt", "prompt_hash", "unchanged", "budget"):
        with pytest.raises(AttributeError):
            setattr(made, name, None)
    with pytest.raises(AttributeError):
        made.more = 1


def test_two_are_equal_when_all_but_their_history_is():
    one, two = compiled(block("a")), compiled(block("a"), since=compiled(block("b")))
    assert one == two
    assert hash(one) == hash(two)
    for other in (compiled(block("a", "other")), compiled(block("a"), budget=98), compiled(block("a", priority=0.1)), "text"):
        assert one != other


def test_the_hash_is_of_the_text_even_where_half_a_surrogate_pair_is_in_it():
    assert compiled(block("a", "x")).prompt_hash == sha256(b"x").hexdigest()
    assert len(compiled(block("a", "\ud800")).prompt_hash) == 64


def test_rows_can_be_added_behind_the_receipt():
    made = compiled(block("a"))
    row = BlockReceipt(name="b", band=Band.SESSION, fate=Fate.UNREADABLE, tokens=0, required=False)
    more = with_rows(made, [row])
    assert more.receipt == (*made.receipt, row)
    assert (more.text, more.blocks, more.prompt_hash) == (made.text, made.blocks, made.prompt_hash)
    assert row not in made.receipt


def test_it_says_in_short_what_it_is():
    assert repr(compiled(block("a"), budget=4000)) == "<Compilation of 1 blocks, 2 of 4,000 tokens>"


def test_it_can_be_copied_and_sent_to_another_process():
    registry = Registry()
    block_id = registry.write("a", name="a")
    compile_blocks(registry, budget=9, tokens=WORDS)
    registry.edit(block_id, "b")
    made = compile_blocks(registry, budget=9, tokens=WORDS)
    for twin in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin == made
        assert twin.unchanged == made.unchanged == 0


def test_a_compilation_does_not_keep_all_that_came_before_it():
    registry = Registry()
    block_id = registry.write("a", name="a")
    made = compile_blocks(registry, budget=9, tokens=WORDS)
    for n in range(1000):
        registry.edit(block_id, f"text {n}")
        made = compile_blocks(registry, budget=9, tokens=WORDS)
    kept = pickle.dumps(made)
    assert made.text == "text 999"
    assert b"text 998" in kept
    assert b"text 99\x94" not in kept
    assert len(kept) < 200_000
