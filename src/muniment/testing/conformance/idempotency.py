"""A retry is safe: the same evidence is kept once, whoever asks how often, and a key belongs to its scope."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, BEN, CLIENT, CUSTOMER, StoreUnderTest, fill, texts_found, texts_kept
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_record, sample_write
from muniment.types import Outcome

AGAIN = "I moved to Porto."


class IdempotencyConformance(StoreUnderTest):
    """Repeats, keys and conflicts."""

    async def test_B03_a_repeat_without_a_key_is_unchanged_and_counted(self, store: Store) -> None:
        first, second, third = [(await store.put([sample_write(ANA, AGAIN)]))[0] for _ in range(3)]
        assert [first.outcome, second.outcome, third.outcome] == [Outcome.STORED, Outcome.UNCHANGED, Outcome.UNCHANGED]
        (kept,) = await store.get(ANA, [first.id])
        assert (kept.seq, kept.occurrences) == (1, 3)
        assert first.id == second.id == third.id

    async def test_B04_repeats_inside_one_call_are_one_record(self, store: Store) -> None:
        written = await store.put([sample_write(ANA, AGAIN)] * 3)
        assert [item.outcome for item in written] == [Outcome.STORED, Outcome.UNCHANGED, Outcome.UNCHANGED]
        (kept,) = await store.get(ANA, [written[0].id])
        assert kept.occurrences == 3

    async def test_B03_a_retry_with_its_key_is_unchanged_and_not_counted(self, store: Store) -> None:
        outcomes = [(await store.put([sample_write(ANA, AGAIN, key="k1")]))[0].outcome for _ in range(3)]
        assert outcomes == [Outcome.STORED, Outcome.UNCHANGED, Outcome.UNCHANGED]
        (kept,) = await store.get(ANA, [sample_record(ANA, AGAIN).id])
        assert kept.occurrences == 1

    async def test_a_known_record_takes_a_new_key_and_its_retry_is_not_counted(self, store: Store) -> None:
        await store.put([sample_write(ANA, AGAIN)])
        outcomes = [(await store.put([sample_write(ANA, AGAIN, key="k1")]))[0].outcome for _ in range(2)]
        assert outcomes == [Outcome.UNCHANGED, Outcome.UNCHANGED]
        (kept,) = await store.get(ANA, [sample_record(ANA, AGAIN).id])
        assert kept.occurrences == 2

    async def test_a_key_used_with_other_words_is_refused_and_nothing_is_kept(self, store: Store) -> None:
        await store.put([sample_write(ANA, AGAIN, key="k1")])
        (refused,) = await store.put([sample_write(ANA, "I moved to Lisbon.", key="k1")])
        assert (refused.outcome, refused.reason) == (Outcome.REFUSED, "key_conflict")
        assert await texts_kept(store, ANA) == await texts_found(store, ANA) == [AGAIN]

    async def test_a_refused_item_leaves_the_rest_of_its_call_standing(self, store: Store) -> None:
        writes = [sample_write(ANA, text, key=key) for text, key in [("a", "k1"), ("b", "k1"), ("c", "k2"), ("a", "k1")]]
        written = await store.put(writes)
        assert [item.outcome for item in written] == [Outcome.STORED, Outcome.REFUSED, Outcome.STORED, Outcome.UNCHANGED]
        assert await texts_kept(store, ANA) == ["a", "c"]

    async def test_a_repeat_changes_neither_words_nor_times(self, store: Store) -> None:
        (kept,) = await fill(store, ANA, AGAIN)
        later = sample_write(ANA, AGAIN, recorded_at=NOON + timedelta(days=1), agent="other", metadata={"a": "b"})
        await store.put([later])
        assert list(await store.get(ANA, [kept.id])) == [replace(kept, occurrences=2)]

    async def test_vector_47_keys_and_words_of_one_scope_mean_nothing_in_another(self, store: Store) -> None:
        for scope in (ANA, BEN, CUSTOMER, CLIENT):
            (written,) = await store.put([sample_write(scope, f"words of {scope}", key="k1")])
            assert written.outcome is Outcome.STORED

    async def test_B11_the_same_id_in_a_sibling_scope_is_another_record(self, store: Store) -> None:
        for scope in (ANA, BEN):
            (written,) = await store.put([sample_write(scope, "prefers tea", id="same-id")])
            assert written.outcome is Outcome.STORED
        await store.erase(Target(scope=ANA), NOON)
        assert (await texts_kept(store, ANA), await texts_kept(store, BEN)) == ([], ["prefers tea"])

    async def test_fifty_at_once_without_a_key_store_one_and_count_all(self, store: Store) -> None:
        written = await asyncio.gather(*(store.put([sample_write(ANA, AGAIN)]) for _ in range(50)))
        assert Counter(item.outcome for (item,) in written) == {Outcome.STORED: 1, Outcome.UNCHANGED: 49}
        (kept,) = await store.get(ANA, [sample_record(ANA, AGAIN).id])
        assert kept.occurrences == 50

    async def test_fifty_at_once_with_one_key_have_one_effect(self, store: Store) -> None:
        written = await asyncio.gather(*(store.put([sample_write(ANA, AGAIN, key="k1")]) for _ in range(50)))
        assert Counter(item.outcome for (item,) in written) == {Outcome.STORED: 1, Outcome.UNCHANGED: 49}
        (kept,) = await store.get(ANA, [sample_record(ANA, AGAIN).id])
        assert kept.occurrences == 1

    async def test_fifty_different_at_once_with_one_key_store_one(self, store: Store) -> None:
        written = await asyncio.gather(*(store.put([sample_write(ANA, f"{n}", key="k1")]) for n in range(50)))
        assert Counter(item.outcome for (item,) in written) == {Outcome.STORED: 1, Outcome.REFUSED: 49}
        assert len(await texts_kept(store, ANA)) == 1

    async def test_an_erased_record_frees_its_key_and_its_id(self, store: Store) -> None:
        (first, _) = await store.put([sample_write(ANA, AGAIN, key="k1"), sample_write(ANA, "stays", key="k2")])
        await store.erase(Target(scope=ANA, ids=(first.id,)), NOON)
        (other,) = await store.put([sample_write(ANA, "I moved to Lisbon.", key="k1")])
        (again,) = await store.put([sample_write(ANA, AGAIN)])
        assert (other.outcome, again.outcome) == (Outcome.STORED, Outcome.STORED)
        (kept,) = await store.put([sample_write(ANA, "other", key="k2")])
        assert kept.reason == "key_conflict"

    @pytest.mark.parametrize("key", ["k", "é🙂", "x" * 255, "x" * 256, "a' OR '1'='1", "%"], ids=ascii)
    async def test_a_key_is_plain_text_of_any_length(self, store: Store, key: str) -> None:
        outcomes = [(await store.put([sample_write(ANA, AGAIN, key=key)]))[0].outcome for _ in range(2)]
        (other,) = await store.put([sample_write(ANA, "other", key=f"{key}.")])
        assert [*outcomes, other.outcome] == [Outcome.STORED, Outcome.UNCHANGED, Outcome.STORED]
