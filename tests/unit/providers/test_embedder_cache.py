"""Question vectors are kept in bounded memory, and only those that are sound."""

from __future__ import annotations

import numpy as np
import pytest

from muniment.errors import EmbedderError
from muniment.providers.embedders.cache import CachedEmbedder
from muniment.testing import FailingEmbedder, TableEmbedder


async def test_a_repeated_question_is_embedded_once():
    inner = TableEmbedder()
    cached = CachedEmbedder(inner)
    first, second = await cached.query("where is the kiln?"), await cached.query("where is the kiln?")
    assert np.array_equal(first, second)
    assert len(inner.calls) == 1


async def test_passages_are_not_kept():
    inner = TableEmbedder()
    cached = CachedEmbedder(inner)
    await cached.passages(["a", "b"])
    await cached.passages(["a", "b"])
    assert len(inner.calls) == 2
    assert cached.held == 0


async def test_O02_memory_is_bounded_and_the_oldest_question_goes_first():
    inner = TableEmbedder()
    cached = CachedEmbedder(inner, size=2)
    for question in ("one", "two", "one", "three", "one", "two"):
        await cached.query(question)
    assert cached.held == 2
    assert [call[0] for call in inner.calls] == ["one", "two", "three", "two"]


async def test_clear_and_close_forget_every_vector():
    inner = TableEmbedder()
    cached = CachedEmbedder(inner)
    await cached.query("one")
    cached.clear()
    assert cached.held == 0
    await cached.query("one")
    assert len(inner.calls) == 2
    await cached.close()
    assert cached.held == 0


async def test_vector_80_a_failure_is_passed_on_and_not_kept():
    cached = CachedEmbedder(FailingEmbedder())
    for _ in range(2):
        with pytest.raises(EmbedderError):
            await cached.query("one")
    assert cached.held == 0


def test_the_identity_is_that_of_the_embedder_inside():
    inner = TableEmbedder(dim=8, identity="table")
    assert (CachedEmbedder(inner).identity, CachedEmbedder(inner).dim) == ("table", 8)


def test_an_embedder_that_keeps_nothing_yet_is_not_mistaken_for_none():
    assert CachedEmbedder(TableEmbedder())
