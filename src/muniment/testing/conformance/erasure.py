"""Erasing removes what was meant and all derived from it, nothing else, and says what went."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from muniment.ports import Store, Target
from muniment.testing.conformance.base import (
    ANA,
    BEN,
    CLEO,
    CLIENT,
    CUSTOMER,
    MODEL,
    RIVAL,
    SOUTH,
    STRANGERS,
    StoreUnderTest,
    fill,
    find_all,
    shelves_of,
    texts_found,
    texts_kept,
)
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_write
from muniment.types import RecordId, Scope

ALL = (CLIENT, CUSTOMER, ANA, *STRANGERS)
SUBTREES = {
    "user": (ANA, {ANA}),
    "customer": (CUSTOMER, {CUSTOMER, ANA, BEN}),
    "other_customer": (SOUTH, {SOUTH, CLEO}),
    "client": (CLIENT, {CLIENT, CUSTOMER, ANA, BEN, SOUTH, CLEO}),
    "other_client": (Scope(client="rival"), {RIVAL}),
    "absent": (Scope(client="nobody"), set()),
}


class ErasureConformance(StoreUnderTest):
    """Forgetting by id, conversation and scope."""

    @pytest.mark.parametrize(("target", "gone"), SUBTREES.values(), ids=SUBTREES)
    async def test_F01_a_scope_takes_all_below_it_along_and_nothing_else(
        self, store: Store, target: Scope, gone: set[Scope]
    ) -> None:
        for scope in ALL:
            await fill(store, scope, f"{scope} one", f"{scope} two")
        erased = await store.erase(Target(scope=target), NOON)
        assert (erased.records, set(erased.scopes), len(erased.scopes)) == (2 * len(gone), gone, len(gone))
        for scope in ALL:
            left = [] if scope in gone else [f"{scope} one", f"{scope} two"]
            assert await texts_kept(store, scope) == left
            assert [shelf for shelf in await shelves_of(store, scope) if shelf.scope in gone] == []
        assert (await store.stats(None)).records == 2 * len(set(ALL) - gone)
        assert {record.scope async for record in store.scan(None)} == set(ALL) - gone

    async def test_Q07_ids_reach_exactly_the_scope_named(self, store: Store) -> None:
        (above,) = await fill(store, CUSTOMER, "above")
        (own,) = await fill(store, ANA, "own")
        (below,) = await fill(store, BEN, "below")
        assert (await store.erase(Target(scope=ANA, ids=(above.id,)), NOON)).records == 0
        assert (await store.erase(Target(scope=CUSTOMER, ids=(own.id, below.id)), NOON)).records == 0
        assert (await store.erase(Target(scope=ANA, ids=(own.id, above.id)), NOON)).records == 1
        assert await texts_found(store, ANA) == ["above"]
        assert await texts_kept(store, BEN) == ["below"]

    async def test_a_conversation_reaches_exactly_the_scope_named(self, store: Store) -> None:
        for scope in (CUSTOMER, ANA, BEN):
            await store.put([sample_write(scope, f"{c}", conversation=c) for c in ("c1", "c2", None)])
        erased = await store.erase(Target(scope=ANA, conversation="c1"), NOON)
        assert (erased.records, erased.scopes) == (1, (ANA,))
        assert await texts_kept(store, ANA) == ["c2", "None"]
        assert len(await texts_kept(store, CUSTOMER)) == len(await texts_kept(store, BEN)) == 3

    async def test_ids_and_a_conversation_together_must_both_hold(self, store: Store) -> None:
        writes = [sample_write(ANA, text, conversation=c) for text, c in (("a", "c1"), ("b", "c1"), ("c", "c2"))]
        ids = [write.record.id for write in writes]
        await store.put(writes)
        assert (await store.erase(Target(scope=ANA, ids=(ids[0], ids[2]), conversation="c1"), NOON)).records == 1
        assert await texts_kept(store, ANA) == ["b", "c"]

    async def test_Q03_what_is_erased_is_found_by_nothing(self, store: Store) -> None:
        keep, drop = await fill(store, ANA, "keep this word", "drop that word " * 9)
        await find_all(store, ANA)
        await store.erase(Target(scope=ANA, ids=(drop.id,)), NOON)
        assert list(await store.get(ANA, [drop.id, keep.id])) == [keep]
        assert await texts_kept(store, ANA) == await texts_found(store, ANA) == ["keep this word"]
        assert [record async for record in store.scan(None)] == [keep]
        (shelf,) = await shelves_of(store, ANA)
        assert (len(shelf), len(shelf.terms)) == (1, 3)
        stats = await store.stats(ANA)
        assert (stats.records, stats.entries, stats.vectors) == (1, 1, 1)

    async def test_names_of_what_is_erased_leave_the_shelf(self, store: Store) -> None:
        await store.put(
            [sample_write(ANA, "a", speaker="Ana"), sample_write(ANA, "b", speaker="Ben", conversation="c2", agent="writer")]
        )
        await store.erase(Target(scope=ANA, conversation="c2"), NOON)
        (shelf,) = await shelves_of(store, ANA)
        assert (list(shelf.speakers.values()), list(shelf.conversations.values()), list(shelf.agents.values())) == (
            ["Ana"],
            [],
            ["default"],
        )

    async def test_the_receipt_counts_what_went_and_names_no_content(self, store: Store) -> None:
        await store.put([sample_write(ANA, "secret words", key="k1"), sample_write(ANA, "long " * 30)])
        at = datetime(2026, 6, 1, 8, 30, tzinfo=UTC)
        erased = await store.erase(Target(scope=ANA), at)
        assert (erased.records, erased.at, erased.scopes) == (2, at, (ANA,))
        assert sum(erased.removed.values()) >= 2 + 6
        assert "secret" not in repr(erased)

    async def test_erasing_what_is_not_there_is_an_empty_receipt(self, store: Store) -> None:
        await fill(store, BEN, "stays")
        for target in (Target(scope=ANA), Target(scope=ANA, ids=(RecordId("absent"),)), Target(scope=ANA, conversation="absent")):
            erased = await store.erase(target, NOON)
            assert (erased.records, erased.scopes, sum(erased.removed.values())) == (0, (), 0)
        await fill(store, ANA, "again")
        await store.erase(Target(scope=ANA), NOON)
        assert (await store.erase(Target(scope=ANA), NOON)).records == 0

    async def test_Q01_an_erasure_does_not_stop_at_a_round_number(self, store: Store) -> None:
        await fill(store, ANA, *map(str, range(1148)))
        assert (await store.erase(Target(scope=ANA), NOON)).records == 1148
        assert await texts_kept(store, ANA) == []

    async def test_vector_61_the_same_id_put_again_revives_nothing_old(self, store: Store) -> None:
        (old,) = await fill(store, ANA, "zany zebra " * 9)
        await store.erase(Target(scope=ANA, ids=(old.id,)), NOON)
        new = sample_write(ANA, "dogs", id=old.id, dim=0)
        await store.put([new])
        (shelf,) = await shelves_of(store, ANA)
        assert (shelf.terms.tolist(), shelf.embedded.tolist()) == (new.entries[0].terms.tolist(), [False])
        (kept,) = await store.get(ANA, [old.id])
        assert (kept.text, kept.occurrences) == ("dogs", 1)

    async def test_a_place_once_given_is_not_given_again_while_its_scope_lives(self, store: Store) -> None:
        await fill(store, ANA, "a", "b")
        (last,) = await fill(store, ANA, "c")
        await store.erase(Target(scope=ANA, ids=(last.id,)), NOON)
        assert (await fill(store, ANA, "d"))[0].seq > last.seq

    async def test_Q02_no_byte_of_it_stays_in_a_durable_stores_files(self, tmp_path: Path) -> None:
        if not (self.durable and self.overwrites):
            pytest.skip("this store keeps no files of its own")
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        marks = [f"canary{n}wren" for n in range(4)]
        await store.put([sample_write(BEN, f"stays {n}") for n in range(50)])
        await store.put(
            [sample_write(ANA, marks[0], speaker=marks[1], conversation=marks[2], key=marks[3], said_at=NOON - timedelta(days=1))]
        )
        await find_all(store, ANA)
        assert marks[0].encode() in b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
        erased = await store.erase(Target(scope=ANA), NOON)
        assert erased.clean, erased.notes
        left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert [mark for mark in marks if mark.encode() in left] == []
        await store.close()
