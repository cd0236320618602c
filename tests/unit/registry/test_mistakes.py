"""What is easily given by mistake is refused in words that help, and never with an error of Python's own."""

from __future__ import annotations

import pytest

from muniment.errors import BlockError
from muniment.registry import EchoTwice, Registry, Target, propose, replay
from muniment.registry.seeds import Seed
from muniment.types import Group


class Letters:
    name, exact = "letters", True

    def __init__(self, answer=None):
        self.answer = answer

    def count(self, text):
        return self.answer


@pytest.fixture
def registry():
    registry = Registry()
    for name in "abc":
        registry.write(f"text of {name}", name=name)
    registry.group([registry.blocks[0].id], name="pair")
    return registry


SEED = Seed(name="x", text="x")

MISTAKES = {
    "load a name": (lambda r: r.load("x"), "range", "load([seed])"),
    "load nothing": (lambda r: r.load(None), "range", "load([seed])"),
    "load one seed": (lambda r: r.load(SEED), "range", "load([seed])"),
    "load a dict": (lambda r: r.load({"name": "x"}), "range", "load([seed])"),
    "load dicts": (lambda r: r.load([SEED, {"name": "x", "text": "y"}]), "range", "Seed(name="),
    "get a dict": (lambda r: r.get({}), "unknown_block", "Give one id"),
    "get a block": (lambda r: r.get(r.blocks[0]), "unknown_block", "block.id"),
    "edit a list": (lambda r: r.edit([r.blocks[0].id], "x"), "unknown_block", "Give one id"),
    "edit a block": (lambda r: r.edit(r.blocks[0], "x"), "unknown_block", "block.id"),
    "edit expecting a number": (lambda r: r.edit(r.blocks[0].id, "x", expect=5), "not_text", "str"),
    "evict a list": (lambda r: r.evict([r.blocks[0].id]), "unknown_block", "Give one id"),
    "evict with a word": (lambda r: r.evict(r.blocks[0].id, force="yes"), "range", "yes or no"),
    "move beside a block": (lambda r: r.promote(r.blocks[1].id, before=r.blocks[2]), "unknown_block", "block.id"),
    "accesses of a block": (lambda r: r.accesses(r.blocks[0]), "unknown_block", "block.id"),
    "reorder nothing": (lambda r: r.reorder(None), "range", "[block.id]"),
    "reorder one id": (lambda r: r.reorder(r.blocks[0].id), "range", "[block.id]"),
    "reorder blocks": (lambda r: r.reorder(r.blocks), "unknown_block", "block.id"),
    "group one id": (lambda r: r.group(r.blocks[0].id, name="g"), "range", "[block.id]"),
    "group a tag nobody has": (lambda r: r.group_tagged("x"), "duplicate", "tag"),
    "group near without a scorer": (lambda r: r.group_near(r.blocks[1].id, name="g", scorer=None), "range", "Lexical"),
    "ungroup an unknown group": (lambda r: r.ungroup("pear"), "unknown_group", "'pair'"),
    "ungroup where is none": (lambda r: Registry().ungroup("pear"), "unknown_group", "group([...]"),
    "write calls of None": (lambda r: r.write("x", name="x", tool_calls=None), "range", "ToolCall"),
    "evict by nothing": (lambda r: r.evict_by(None), "target", "Target(count=3)"),
    "evict by a number": (lambda r: r.evict_by(3), "target", "Target(count=3)"),
    "evict by no scorer": (lambda r: r.evict_by(Target(count=1), scorer=5), "range", "function"),
    "evict by odd counts": (lambda r: r.evict_by(Target(tokens=5, counter=Letters("3"))), "range", "whole number"),
    "summary of len": (lambda r: r.summary(counter=len), "range", "count(text)"),
    "summary of odd counts": (lambda r: r.summary(counter=Letters(None)), "range", "whole number"),
    "arrange nothing": (lambda r: r.arrange(None), "range", "propose(registry, policy)"),
    "arrange blocks": (lambda r: r.arrange(r.blocks), "range", "propose(registry, policy)"),
    "propose by nothing": (lambda r: propose(r, None), "range", "FrontLoad()"),
    "propose by a function": (lambda r: propose(r, lambda n: [1.0] * n), "range", "FrontLoad()"),
    "propose of nothing": (lambda r: propose(None, EchoTwice()), "range", "registry"),
    "propose by words": (lambda r: propose(r, EchoTwice(), importance="x"), "range", "finite"),
    "propose at a word": (lambda r: propose(r, EchoTwice(), margin="x"), "range", "finite"),
    "own by a name": (lambda r: Registry(principal="x"), "range", "Principal(name"),
    "revoke a name": (lambda r: r.revoke("x"), "range", "invite(...)"),
    "replay from the middle": (lambda r: replay(r.journal.entries[3:]), "range", "journal.at"),
    "replay upon others": (lambda r: replay(r.journal.entries[3:], r.blocks[::-1]), "range", "journal.at"),
    "replay nothing": (lambda r: replay(None), "range", "journal.at"),
    "replay numbers": (lambda r: replay([5]), "range", "journal.at"),
    "less than no history": (lambda r: Registry(history=-1), "range", "looked back on"),
    "a history of words": (lambda r: Registry(history="all"), "range", "looked back on"),
    "an unknown label": (lambda r: Registry.labelled("nobody"), "unknown_label", "Registry(label="),
    "a target without a counter": (lambda r: Target(tokens=5), "target", "counter="),
    "a target counted by len": (lambda r: Target(tokens=5, counter=len), "range", "count(text)"),
    "a target counted by text": (lambda r: Target(tokens=5, counter="cl100k"), "range", "count(text)"),
    "an echo of a word": (lambda r: EchoTwice(top="x"), "range", "how many"),
    "an echo of less than none": (lambda r: EchoTwice(top=-1), "range", "how many"),
    "an echo from a word on": (lambda r: EchoTwice(least="x"), "range", "finite"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_the_way_out_and_changes_nothing(registry, mistake):
    call, code, way_out = MISTAKES[mistake]
    before = (registry.blocks, registry.version)
    with pytest.raises(BlockError) as error:
        call(registry)
    assert error.value.reason == code
    assert way_out in error.value.hint
    assert (registry.blocks, registry.version) == before


def test_what_is_no_id_is_not_there(registry):
    for other in ({}, [registry.blocks[0].id], registry.blocks[0], None):
        assert other not in registry


def test_changes_from_the_middle_replay_upon_the_blocks_before_them(registry):
    journal = registry.journal
    for version in range(registry.version + 1):
        assert replay(journal.entries[version:], journal.at(version)) == registry.blocks


def test_words_of_others_cannot_colour_a_message(registry):
    odd = "pear\x1b[31m\nall is well"
    registry.group([registry.blocks[1].id], name=odd)
    held = registry.write("x", name=odd, removable=False)
    for call in (
        lambda: registry.ungroup(odd + "!"),
        lambda: registry.evict(held),
        lambda: registry.group([registry.blocks[1].id], name="other"),
        lambda: registry.labelled(odd),
        lambda: registry.load([{odd: 1}]),
    ):
        with pytest.raises(BlockError) as error:
            call()
        assert str(error.value).isprintable()
    assert registry.blocks[1].group == Group(name=odd)
