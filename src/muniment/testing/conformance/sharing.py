"""Two openings of one store see each other's changes at the next call: nothing changed elsewhere is answered from memory."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from muniment.errors import EmbedderMismatch
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, BEN, MODEL, StoreUnderTest, fill, find_all, shelves_of, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_record, sample_write
from muniment.types import Outcome

Pair = tuple[Store, Store]


class SharingConformance(StoreUnderTest):
    """Only for stores that may be opened several times at once."""

    @pytest.fixture
    async def pair(self, tmp_path: Path) -> AsyncIterator[Pair]:
        if not self.shared:
            pytest.skip("this store is opened once")
        stores = (await self.open_store(tmp_path), await self.open_store(tmp_path))
        for store in stores:
            await store.adopt(MODEL)
        yield stores
        for store in stores:
            await store.close()

    async def test_writes_are_seen_by_the_other_opening(self, pair: Pair) -> None:
        for n in range(6):
            await fill(pair[n % 2], ANA, f"{n}")
            assert await texts_found(pair[1 - n % 2], ANA) == [f"{m}" for m in range(n + 1)]
        assert [record.seq for record in (await find_all(pair[0], ANA)).records] == list(range(1, 7))

    async def test_I09_an_erasure_is_seen_by_the_other_opening_at_once(self, pair: Pair) -> None:
        here, there = pair
        records = await fill(here, ANA, "a", "b", "c")
        assert await texts_found(there, ANA) == ["a", "b", "c"]
        await here.erase(Target(scope=ANA, ids=(records[1].id,)), NOON)
        assert await texts_found(there, ANA) == await texts_kept(there, ANA) == ["a", "c"]
        await there.erase(Target(scope=ANA), NOON)
        assert await texts_found(here, ANA) == []
        await fill(here, ANA, "d")
        assert await texts_found(there, ANA) == ["d"]

    async def test_erased_and_written_in_between_is_seen_as_it_is(self, pair: Pair) -> None:
        here, there = pair
        (old, _) = await fill(here, ANA, "old", "stays")
        assert len(await shelves_of(there, ANA)) == 1
        await here.erase(Target(scope=ANA, ids=(old.id,)), NOON)
        await fill(here, ANA, "new", "newer")
        assert await texts_found(there, ANA) == ["stays", "new", "newer"]
        (mine,), (theirs,) = await shelves_of(here, ANA), await shelves_of(there, ANA)
        assert mine.terms.tolist() == theirs.terms.tolist()
        assert mine.generation == theirs.generation

    async def test_I07_parallel_writes_of_both_are_all_kept(self, pair: Pair) -> None:
        await asyncio.gather(*(pair[n % 2].put([sample_write(scope, f"{n}")]) for n in range(40) for scope in (ANA, BEN)))
        for store in pair:
            for scope in (ANA, BEN):
                assert set(await texts_found(store, scope)) == {f"{n}" for n in range(40)}

    async def test_one_key_used_by_both_has_one_effect(self, pair: Pair) -> None:
        written = await asyncio.gather(*(pair[n % 2].put([sample_write(ANA, "once", key="k1")]) for n in range(20)))
        assert Counter(item.outcome for (item,) in written) == {Outcome.STORED: 1, Outcome.UNCHANGED: 19}
        (kept,) = await pair[0].get(ANA, [sample_record(ANA, "once").id])
        assert kept.occurrences == 1

    async def test_vector_22_a_model_adopted_by_one_binds_the_other(self, pair: Pair) -> None:
        await fill(pair[0], ANA, "a")
        with pytest.raises(EmbedderMismatch):
            await pair[1].adopt(("another-model", 3))

    async def test_a_rebuild_by_one_is_seen_by_the_other(self, pair: Pair) -> None:
        here, there = pair
        await fill(here, ANA, "one two three four five six seven eight")
        (before,) = await shelves_of(there, ANA)
        await here.reindex(sample_derive, MODEL)
        (after,) = await shelves_of(there, ANA)
        assert after.generation > before.generation
        assert after.terms.tolist() == before.terms.tolist()

    async def test_closing_one_leaves_the_other_at_work(self, pair: Pair) -> None:
        await fill(pair[0], ANA, "a")
        await pair[0].close()
        await fill(pair[1], ANA, "b")
        assert await texts_found(pair[1], ANA) == ["a", "b"]
