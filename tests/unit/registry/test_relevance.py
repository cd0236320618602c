"""Relevance: any scorer ranks, ties keep their order, and promotion is one step inside each band."""

from __future__ import annotations

import math

import pytest

from muniment.errors import BlockError
from muniment.registry import Registry
from muniment.registry.relevance import find, promote_relevant
from muniment.types import Band, Role, Trust


def shared_letters(task, blocks):
    return [float(len(set(task) & set(block.text))) for block in blocks]


def registry_of(*texts):
    registry = Registry()
    for text in texts:
        registry.write(text, name=text)
    return registry


def names(registry):
    return [block.name for block in registry]


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint


class TestFind:
    def test_the_best_come_first_and_equals_in_order(self):
        registry = registry_of("ab", "xy", "abc", "bc", "ca")
        found = find(registry, "abc", shared_letters)
        assert [(block.name, score) for block, score in found] == [("abc", 3.0), ("ab", 2.0), ("bc", 2.0)]
        assert names(registry) == ["ab", "xy", "abc", "bc", "ca"]

    def test_how_many_is_asked_for(self):
        blocks = registry_of("a", "b").blocks
        assert len(find(blocks, "ab", shared_letters, top=None)) == 2
        assert find(blocks, "ab", shared_letters, top=0) == ()
        for wrong in (-1, 1.5, True):
            refused("range", find, blocks, "ab", shared_letters, top=wrong)

    def test_a_task_is_needed(self):
        for task in ("", " \n"):
            refused("task_needed", find, registry_of("a"), task, shared_letters)

    def test_an_empty_registry_finds_nothing(self):
        assert find(Registry(), "a", shared_letters) == ()

    @pytest.mark.parametrize("scores", [[1.0], [1.0, math.nan], [1.0, math.inf], [1.0, 2.0, 3.0]])
    def test_scores_that_are_not_one_finite_number_per_block_are_refused(self, scores):
        refused("scores", find, registry_of("a", "b"), "a", lambda task, blocks: scores)


class TestPromote:
    def test_the_most_relevant_go_to_the_front_best_first_in_one_step(self):
        registry = registry_of("x", "ab", "y", "abc", "b")
        before = registry.version
        found = promote_relevant(registry, "abc", shared_letters)
        assert [block.name for block, _ in found] == ["abc", "ab", "b"]
        assert names(registry) == ["abc", "ab", "b", "x", "y"]
        assert registry.version == before + 1

    def test_each_stays_in_its_band(self):
        registry = registry_of("x", "ab")
        registry.write("y", name="y", band=Band.VOLATILE)
        registry.write("abc", name="abc", band=Band.VOLATILE)
        promote_relevant(registry, "abc", shared_letters, top=2)
        assert names(registry) == ["ab", "x", "abc", "y"]

    def test_without_bands_the_best_is_first_of_all(self):
        registry = Registry(banded=False)
        for text, band in (("x", Band.STABLE), ("ab", Band.STABLE), ("abc", Band.VOLATILE)):
            registry.write(text, name=text, band=band)
        promote_relevant(registry, "abc", shared_letters, top=2)
        assert names(registry) == ["abc", "ab", "x"]

    def test_turns_and_untrusted_words_are_never_promoted(self):
        registry = Registry()
        for text, fields in (("x", {}), ("abcd", {"role": Role.USER}), ("abcde", {"trust": Trust.UNTRUSTED}), ("ab", {})):
            registry.write(text, name=text, band=Band.SESSION, **fields)
        assert [block.name for block, _ in promote_relevant(registry, "abcde", shared_letters, top=1)] == ["ab"]
        assert names(registry) == ["ab", "x", "abcd", "abcde"]

    def test_what_requires_another_block_is_not_brought_before_it(self):
        registry = registry_of("x", "base")
        registry.write("abc", name="abc", requires=["base"])
        promote_relevant(registry, "abc", shared_letters, top=1)
        assert names(registry) == ["base", "x", "abc"]

    def test_nothing_relevant_is_no_step(self):
        registry = registry_of("a")
        before = registry.version
        assert promote_relevant(registry, "a", shared_letters, top=0) == ()
        assert registry.version == before
