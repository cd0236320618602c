"""Ranking sees each scope of the lineage as the columns of what was put, and reads what it chose from the same moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from muniment.ports import Store, Target, Write
from muniment.shelf import HEAD, NO_TIME, Entry, Place, Shelf, term_hashes
from muniment.testing.conformance.base import (
    ANA,
    BEN,
    CLIENT,
    CUSTOMER,
    STRANGERS,
    StoreUnderTest,
    every_place,
    fill,
    find_all,
    shelves_of,
    texts_found,
)
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_entries, sample_record, sample_write
from muniment.types import Kind, Record, Role

LONG = " ".join(f"word{n}" for n in range(40))


def shelf_equals(shelf: Shelf, writes: Sequence[tuple[Record, Sequence[Entry]]]) -> None:
    """Assert that the columns say what was put, name by name where they hold codes."""
    rows = [(record, part, entry) for record, entries in writes for part, entry in enumerate(entries)]
    assert len(shelf) == len(rows)
    columns = (shelf.head, shelf.bounds, shelf.terms, shelf.vectors, shelf.embedded)
    assert [column.dtype for column in columns] == [HEAD, *map(np.dtype, (np.int64, np.uint64, np.float32, np.bool_))]
    assert shelf.bounds.tolist() == np.cumsum([0, *(len(entry.terms) for _, _, entry in rows)]).tolist()
    for n, (record, part, entry) in enumerate(rows):
        head = shelf.head[n]
        assert (head["seq"], head["part"], head["start"], head["end"]) == (record.seq, part, entry.start, entry.end)
        assert shelf.terms[shelf.bounds[n] : shelf.bounds[n + 1]].tolist() == entry.terms.tolist()
        assert shelf.embedded[n] == (entry.vector is not None)
        assert (list(Role)[head["role"]], list(Kind)[head["kind"]]) == (record.role, record.kind)
        assert shelf.speakers[head["speaker"]] == record.speaker
        assert shelf.agents[head["agent"]] == record.agent
        assert shelf.conversations.get(head["conversation"]) == record.conversation
        assert (head["conversation"] == 0) == (record.conversation is None)
        assert head["said_at"] == (NO_TIME if record.said_at is None else int(record.said_at.timestamp() // 1))


class SearchConformance(StoreUnderTest):
    """Shelves, places and the moment they are of."""

    async def test_columns_say_what_was_put_in_order_of_arrival(self, store: Store) -> None:
        calls = [
            [
                sample_write(ANA, "one", conversation="c1", said_at=datetime(1969, 12, 31, 23, 59, 59, 500_000, tzinfo=UTC)),
                sample_write(ANA, LONG),
            ],
            [sample_write(ANA, "two", conversation="c2", speaker="Ben", agent="writer", role=Role.TOOL, kind=Kind.TOOL_RESULT)],
            [sample_write(ANA, f"{LONG} again", conversation="c1", speaker="Zoë", said_at=NOON), sample_write(BEN, "not here")],
        ]
        for writes in calls:
            await store.put(writes)
        mine = [write for writes in calls for write in writes if write.record.scope == ANA]
        kept = await store.get(ANA, [write.record.id for write in mine])
        (shelf,) = await shelves_of(store, ANA)
        assert shelf.scope == ANA
        shelf_equals(shelf, [(record, write.entries) for record, write in zip(kept, mine, strict=True)])

    async def test_names_alone_decide_which_codes_are_equal(self, store: Store) -> None:
        names = ["Ana", "ana", "Ana", "Zoe\u0308", "Zo\u00eb", "Ana"]
        await store.put([sample_write(ANA, f"{n}", speaker=name) for n, name in enumerate(names)])
        (shelf,) = await shelves_of(store, ANA)
        assert [shelf.speakers[code] for code in shelf.head["speaker"].tolist()] == names
        assert sorted(shelf.speakers.values()) == sorted(set(names))

    async def test_columns_are_read_only(self, store: Store) -> None:
        await fill(store, ANA, "one")
        (shelf,) = await shelves_of(store, ANA)
        assert not any(c.flags.writeable for c in (shelf.head, shelf.bounds, shelf.terms, shelf.vectors, shelf.embedded))

    async def test_a_record_without_entries_is_kept_but_on_no_shelf(self, store: Store) -> None:
        record = sample_record(ANA, "You are a helpful assistant.", role=Role.SYSTEM)
        await store.put([Write(record=record, entries=[]), sample_write(ANA, "heard")])
        assert await texts_found(store, ANA) == ["heard"]
        assert len(await store.get(ANA, [record.id])) == 1

    async def test_an_entry_without_terms_keeps_its_place(self, store: Store) -> None:
        record = sample_record(ANA, "🙂 word 🙂")
        spans = [(0, 2, []), (2, 7, ["word"]), (7, 8, [])]
        entries = [Entry(start=start, end=end, terms=term_hashes(words)) for start, end, words in spans]
        await store.put([Write(record=record, entries=entries)])
        (shelf,) = await shelves_of(store, ANA)
        assert shelf.bounds.tolist() == [0, 0, 1, 1]

    async def test_shelves_are_those_of_the_lineage_narrowest_first(self, store: Store) -> None:
        for scope in (CLIENT, ANA, CUSTOMER, *STRANGERS):
            await fill(store, scope, f"kept at {scope}")
        assert [shelf.scope for shelf in await shelves_of(store, ANA)] == [ANA, CUSTOMER, CLIENT]
        assert [shelf.scope for shelf in await shelves_of(store, CUSTOMER)] == [CUSTOMER, CLIENT]

    async def test_shelves_that_hold_nothing_are_left_out(self, store: Store) -> None:
        await fill(store, CLIENT, "house rules")
        (gone,) = await fill(store, CUSTOMER, "for a moment")
        await store.erase(Target(scope=CUSTOMER, ids=(gone.id,)), NOON)
        shelves = await shelves_of(store, ANA)
        assert [shelf.scope for shelf in shelves] == [CLIENT]
        found = await store.search(ANA, lambda shelves: [Place(0, 1)])
        assert [record.text for record in found.records] == ["house rules"]

    async def test_an_empty_store_finds_nothing(self, store: Store) -> None:
        found = await find_all(store, ANA)
        assert (list(found.records), list(found.lost)) == ([], [])

    async def test_records_come_in_the_order_of_the_ranking(self, store: Store) -> None:
        await fill(store, ANA, "a", "b", "c")
        await fill(store, CLIENT, "d")
        order = [Place(1, 1), Place(0, 3), Place(0, 1)]
        found = await store.search(ANA, lambda shelves: order)
        assert [record.text for record in found.records] == ["d", "c", "a"]
        assert [record.scope for record in found.records] == [CLIENT, ANA, ANA]

    async def test_a_place_that_holds_nothing_is_named_as_lost(self, store: Store) -> None:
        await fill(store, ANA, "a", "b")
        found = await store.search(ANA, lambda shelves: [Place(0, 2), Place(0, 99), Place(0, 1)])
        assert [record.text for record in found.records] == ["b", "a"]
        assert list(found.lost) == [Place(0, 99)]

    async def test_an_error_in_a_ranking_reaches_the_caller_and_harms_nothing(self, store: Store) -> None:
        await fill(store, ANA, "a")

        def rank(shelves: Sequence[Shelf]) -> list[Place]:
            raise ArithmeticError("of the ranking")

        with pytest.raises(ArithmeticError, match="of the ranking"):
            await store.search(ANA, rank)
        await fill(store, ANA, "b")
        assert await texts_found(store, ANA) == ["a", "b"]

    async def test_R07_a_write_and_an_erasure_are_seen_by_the_next_search(self, store: Store) -> None:
        seen = []
        for text in "abc":
            (record,) = await fill(store, ANA, text)
            seen.append("".join(await texts_found(store, ANA)))
        await store.erase(Target(scope=ANA, ids=(record.id,)), NOON)
        seen.append("".join(await texts_found(store, ANA)))
        assert seen == ["a", "ab", "abc", "ab"]

    async def test_a_count_is_seen_by_the_next_search(self, store: Store) -> None:
        await fill(store, ANA, "a")
        await find_all(store, ANA)
        await store.put([sample_write(ANA, "a")])
        assert [record.occurrences for record in (await find_all(store, ANA)).records] == [2]

    async def test_the_generation_grows_with_every_change_of_the_scope_and_no_other(self, store: Store) -> None:
        (record,) = await fill(store, ANA, "a")
        generations = [(await shelves_of(store, ANA))[0].generation]
        await fill(store, ANA, "b")
        generations.append((await shelves_of(store, ANA))[0].generation)
        await store.erase(Target(scope=ANA, ids=(record.id,)), NOON)
        generations.append((await shelves_of(store, ANA))[0].generation)
        assert generations == sorted(set(generations))
        await fill(store, BEN, "c")
        await fill(store, CLIENT, "d")
        assert (await shelves_of(store, ANA))[0].generation == generations[-1]

    async def test_a_scope_that_was_erased_and_filled_again_has_a_new_generation(self, store: Store) -> None:
        seen = set()
        for _ in range(3):
            await fill(store, ANA, "a")
            seen.add((await shelves_of(store, ANA))[0].generation)
            await store.erase(Target(scope=ANA), NOON)
        assert len(seen) == 3

    async def test_many_entries_of_one_record_are_one_place(self, store: Store) -> None:
        (record,) = await fill(store, ANA, LONG)
        (shelf,) = await shelves_of(store, ANA)
        assert len(shelf) == len(sample_entries(LONG)) > 1
        assert list((await find_all(store, ANA)).records) == [record]
        assert every_place([shelf]) == [Place(0, 1)]
