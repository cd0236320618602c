"""Vectors are kept beside their passages at half precision, belong to one model, and are refused when they cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from muniment.errors import EmbedderError, EmbedderMismatch
from muniment.ports import Store, Write
from muniment.shelf import Entry, Floats, pack_vector, unpack_vectors
from muniment.testing.conformance.base import ANA, BEN, MODEL, StoreUnderTest, fill, shelves_of, texts_found, texts_kept
from muniment.testing.fakes import hashed_vector
from muniment.testing.samples import DIM, sample_entries, sample_record, sample_write
from muniment.types import Record

GOOD = hashed_vector("good", DIM)


def spoiled(value: float) -> Floats:
    vector = GOOD.copy()
    vector[3] = value
    return vector


UNUSABLE: dict[str, Floats] = {
    "nan": spoiled(np.nan),
    "inf": spoiled(np.inf),
    "minus_inf": spoiled(-np.inf),
    "huge": np.full(DIM, 1e38, np.float32),
    "denormal": np.full(DIM, 1e-40, np.float32),
    "zero": np.zeros(DIM, np.float32),
    "no_dimensions": np.zeros(0, np.float32),
    "one_short": hashed_vector("short", DIM - 1),
    "one_long": hashed_vector("long", DIM + 1),
    "far_too_long": hashed_vector("far", 100_000),
}


def write_of(text: str, *vectors: Floats | None) -> Write:
    """A record whose entries are one character each and have these vectors."""
    entries = [Entry(start=n, end=n + 1, terms=np.array([n], np.uint64), vector=vector) for n, vector in enumerate(vectors)]
    return Write(record=sample_record(ANA, text), entries=entries)


class VectorConformance(StoreUnderTest):
    """Vectors on shelves, and the identity of the embedder."""

    async def test_vectors_are_those_put_at_half_precision(self, store: Store) -> None:
        texts = [f"text number {n}" for n in range(20)]
        await fill(store, ANA, *texts)
        (shelf,) = await shelves_of(store, ANA)
        put = [entry.vector for text in texts for entry in sample_entries(text) if entry.vector is not None]
        assert np.array_equal(shelf.vectors, unpack_vectors(b"".join(map(pack_vector, put)), DIM))

    async def test_passages_without_a_vector_are_marked_and_zero(self, store: Store) -> None:
        await store.put([write_of("abc", GOOD, None, GOOD), write_of("de", None, None)])
        (shelf,) = await shelves_of(store, ANA)
        assert shelf.embedded.tolist() == [True, False, True, False, False]
        assert shelf.vectors.shape == (5, DIM)
        assert np.linalg.norm(shelf.vectors, axis=1) == pytest.approx([1, 0, 1, 0, 0], abs=1e-3)

    async def test_without_an_embedder_vectors_have_no_width(self, tmp_path: Path) -> None:
        store = await self.open_store(tmp_path)
        await store.put([sample_write(ANA, "one", dim=0), sample_write(ANA, "two", dim=0)])
        (shelf,) = await shelves_of(store, ANA)
        assert (shelf.vectors.shape, shelf.embedded.tolist()) == ((2, 0), [False, False])
        assert await store.embedder() is None
        await store.close()

    @pytest.mark.parametrize("vector", UNUSABLE.values(), ids=UNUSABLE)
    async def test_vector_19_20_an_unusable_vector_is_refused_and_nothing_is_kept(self, store: Store, vector: Floats) -> None:
        await fill(store, ANA, "before")
        with pytest.raises(EmbedderError):
            await store.put([sample_write(ANA, "good"), sample_write(BEN, "good"), write_of("bad", GOOD, vector)])
        assert await texts_kept(store, ANA) == await texts_found(store, ANA) == ["before"]
        assert await texts_kept(store, BEN) == []
        assert (await fill(store, ANA, "after"))[0].seq == 2

    async def test_vector_19_vectors_without_a_known_model_are_refused(self, tmp_path: Path) -> None:
        store = await self.open_store(tmp_path)
        with pytest.raises(EmbedderError):
            await store.put([sample_write(ANA, "whose vectors are these?")])
        assert await texts_kept(store, ANA) == []
        await store.close()

    async def test_adopting_the_same_model_again_changes_nothing(self, store: Store) -> None:
        await fill(store, ANA, "a")
        await store.adopt(MODEL)
        assert await store.embedder() == MODEL

    @pytest.mark.parametrize("other", [("another-model", DIM), (MODEL[0], DIM * 2)], ids=["name", "dimensions"])
    async def test_vector_22_another_model_is_refused_by_name(self, store: Store, other: tuple[str, int]) -> None:
        await fill(store, ANA, "a")
        with pytest.raises(EmbedderMismatch) as caught:
            await store.adopt(other)
        assert all(part in str(caught.value) for part in (MODEL[0], str(MODEL[1]), other[0], str(other[1])))
        assert caught.value.hint
        assert await store.embedder() == MODEL

    async def test_J04_reindexing_takes_over_another_model_and_replaces_every_vector(self, store: Store) -> None:
        records = [*await fill(store, ANA, "one", "two"), *await fill(store, BEN, "uno")]

        async def derive(batch: Sequence[Record]) -> list[list[Entry]]:
            return [sample_entries(record.text, dim=3) for record in batch]

        assert await store.reindex(derive, ("another-model", 3)) == 3
        assert await store.embedder() == ("another-model", 3)
        for scope in (ANA, BEN):
            (shelf,) = await shelves_of(store, scope)
            texts = [record.text for record in records if record.scope == scope]
            put = [entry.vector for text in texts for entry in sample_entries(text, dim=3) if entry.vector is not None]
            assert np.array_equal(shelf.vectors, unpack_vectors(b"".join(map(pack_vector, put)), 3))
        assert list(await store.get(ANA, [record.id for record in records])) == records[:2]

    async def test_reindexing_without_a_model_drops_the_vectors_and_the_identity(self, store: Store) -> None:
        await fill(store, ANA, "one")

        async def derive(batch: Sequence[Record]) -> list[list[Entry]]:
            return [sample_entries(record.text, dim=0) for record in batch]

        assert await store.reindex(derive, None) == 1
        assert (await store.embedder(), (await store.stats(None)).vectors) == (None, 0)
        (shelf,) = await shelves_of(store, ANA)
        assert shelf.vectors.shape == (1, 0)
        await store.adopt(("another-model", 3))
