"""Care of the whole store: counts, scans, rebuilding, checking and closing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from muniment.errors import StoreUnusable
from muniment.ports import Store, Target
from muniment.shelf import Entry, term_hashes
from muniment.testing.conformance.base import (
    ANA,
    BEN,
    CLIENT,
    CUSTOMER,
    EVERYTHING,
    MODEL,
    RIVAL,
    StoreUnderTest,
    fill,
    find_all,
    shelves_of,
    texts_found,
    texts_kept,
)
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write
from muniment.types import Record, Scope


async def _scan(store: Store) -> None:
    async for _ in store.scan(None):
        pass


CALLS: dict[str, Callable[[Store], Awaitable[object]]] = {
    "put": lambda store: store.put([sample_write(ANA)]),
    "get": lambda store: store.get(ANA, []),
    "page": lambda store: store.page(ANA, EVERYTHING, limit=1),
    "erase": lambda store: store.erase(Target(scope=ANA), NOON),
    "search": lambda store: find_all(store, ANA),
    "stats": lambda store: store.stats(None),
    "scan": _scan,
    "embedder": lambda store: store.embedder(),
    "adopt": lambda store: store.adopt(MODEL),
    "reindex": lambda store: store.reindex(sample_derive, MODEL),
    "check": lambda store: store.check(sample_derive),
}


async def other_words(batch: Sequence[Record]) -> list[list[Entry]]:
    """A derivation of one entry per record, whatever its text."""
    return [[Entry(start=0, end=1, terms=term_hashes(["other"]))] for _ in batch]


class AdminConformance(StoreUnderTest):
    """Verbs that no scoped read reaches."""

    async def test_counts_are_of_a_scope_and_all_below_or_of_everything(self, store: Store) -> None:
        await store.put([sample_write(ANA, "a " * 20, conversation="c1"), sample_write(ANA, "b", conversation="c1", dim=0)])
        await store.put(
            [sample_write(BEN, "c", conversation="c1"), sample_write(RIVAL, "d"), sample_write(CLIENT, "e", conversation="c2")]
        )
        counted = {}
        for scope in (ANA, CUSTOMER, CLIENT, None):
            stats = await store.stats(scope)
            counted[scope] = (stats.records, stats.entries, stats.vectors, stats.conversations, stats.scopes)
        assert counted == {ANA: (2, 5, 4, 1, 1), CUSTOMER: (3, 6, 5, 2, 2), CLIENT: (4, 7, 6, 3, 3), None: (5, 8, 7, 3, 4)}
        assert (await store.stats(None)).embedder == MODEL[0]

    async def test_an_empty_scope_counts_nothing(self, store: Store) -> None:
        await fill(store, BEN, "stays")
        await fill(store, ANA, "goes")
        await store.erase(Target(scope=ANA), NOON)
        stats = await store.stats(ANA)
        assert (stats.records, stats.entries, stats.vectors, stats.conversations, stats.scopes) == (0, 0, 0, 0, 0)
        assert (stats.oldest, stats.newest, stats.embedder) == (None, None, None)

    async def test_a_scan_gives_everything_once_scope_by_scope_in_order_of_arrival(self, store: Store) -> None:
        scopes = (ANA, RIVAL, CUSTOMER, BEN)
        for n in range(30):
            await fill(store, scopes[n % 4], f"{n}")
        scanned = [record async for record in store.scan(None)]
        groups = [
            (scope, [record.text for record in group]) for scope, group in groupby(scanned, key=lambda record: record.scope)
        ]
        assert len(groups) == 4
        assert dict(groups) == {scope: await texts_kept(store, scope) for scope in scopes}
        assert [(await store.get(record.scope, [record.id]))[0] for record in scanned] == scanned

    async def test_a_scan_covers_a_scope_and_all_below(self, store: Store) -> None:
        for scope in (ANA, RIVAL, CUSTOMER, BEN, CLIENT):
            await fill(store, scope, f"{scope}")
        assert {record.scope async for record in store.scan(CUSTOMER)} == {CUSTOMER, ANA, BEN}
        assert [record async for record in store.scan(Scope(user="ana", client="nobody"))] == []

    async def test_a_scan_left_early_holds_up_nothing(self, store: Store) -> None:
        await fill(store, ANA, *map(str, range(600)))
        scan = store.scan(None)
        assert (await anext(scan)).text == "0"
        await fill(store, ANA, "later")
        assert len(await texts_kept(store, ANA)) == 601

    async def test_a_scan_longer_than_a_batch_is_whole(self, store: Store) -> None:
        texts = [str(n) for n in range(1203)]
        await fill(store, ANA, *texts)
        assert [record.text async for record in store.scan(None)] == texts

    async def test_a_sound_store_passes_its_check(self, store: Store) -> None:
        await store.put([sample_write(ANA, "word " * 30), sample_write(BEN, "two")])
        findings = await store.check(sample_derive)
        assert findings
        assert [finding for finding in findings if not finding.ok] == []

    async def test_a_check_finds_entries_that_do_not_follow_from_their_record_and_changes_nothing(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        (before,) = await shelves_of(store, ANA)
        findings = await store.check(other_words)
        assert [finding for finding in findings if not finding.ok]
        assert all(finding.message for finding in findings)
        (after,) = await shelves_of(store, ANA)
        assert (after.generation, after.terms.tolist()) == (before.generation, before.terms.tolist())

    async def test_reindexing_mends_what_a_check_found(self, store: Store) -> None:
        await fill(store, ANA, "one two three four five six seven eight", "nine")
        await fill(store, CLIENT, "ten")
        assert await store.reindex(other_words, MODEL) == 3
        assert await store.reindex(sample_derive, MODEL) == 4
        assert [finding for finding in await store.check(sample_derive) if not finding.ok] == []
        assert await texts_found(store, ANA) == ["one two three four five six seven eight", "nine", "ten"]

    async def test_a_reindex_that_fails_leaves_everything_searchable(self, store: Store) -> None:
        await fill(store, ANA, *map(str, range(10)))

        async def derive(batch: Sequence[Record]) -> list[list[Entry]]:
            raise ArithmeticError("of the derivation")

        with pytest.raises(ArithmeticError, match="of the derivation"):
            await store.reindex(derive, MODEL)
        assert len(await texts_found(store, ANA)) == 10

    @pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
    async def test_a_closed_store_refuses_every_call_with_a_next_step(
        self, tmp_path: Path, call: Callable[[Store], Awaitable[object]]
    ) -> None:
        store = await self.open_store(tmp_path)
        await store.close()
        with pytest.raises(StoreUnusable) as caught:
            await call(store)
        assert caught.value.hint

    async def test_closing_twice_does_nothing(self, tmp_path: Path) -> None:
        store = await self.open_store(tmp_path)
        await store.close()
        await store.close()

    async def test_F09_a_durable_store_opened_again_holds_and_finds_the_same(self, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("this store is gone when closed")
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        await store.put([sample_write(ANA, "one", key="k1"), sample_write(CLIENT, "two")])
        kept = [record async for record in store.scan(None)]
        await store.close()
        store = await self.open_store(tmp_path)
        assert [record async for record in store.scan(None)] == kept
        assert (await texts_found(store, ANA), await store.embedder()) == (["one", "two"], MODEL)
        (again,) = await store.put([sample_write(ANA, "other", key="k1")])
        assert again.reason == "key_conflict"
        assert (await fill(store, ANA, "three"))[0].seq == 2
        await store.close()
