"""Pages are complete, in order of arrival, and filtered by all that is asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment.ports import Store
from muniment.testing.conformance.base import ANA, BEN, CUSTOMER, EVERYTHING, StoreUnderTest, fill
from muniment.testing.samples import sample_write
from muniment.types import Filter, Kind, Page, Role, Scope

MAY = datetime(2026, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MOST_PAGES = 50

SAID = (
    {"text": "a", "conversation": "c1", "agent": "planner", "speaker": "Ana", "said_at": MAY},
    {"text": "b", "conversation": "c1", "agent": "writer", "speaker": "Ben", "said_at": MAY + DAY, "role": Role.ASSISTANT},
    {"text": "c", "conversation": "c2", "agent": "planner", "speaker": "Ana", "kind": Kind.PASSAGE, "role": Role.DOCUMENT},
    {"text": "d", "conversation": None, "agent": "planner", "speaker": "Ben", "said_at": MAY + 2 * DAY},
    {"text": "e", "conversation": "C1", "agent": "planner", "speaker": "ana", "said_at": MAY + DAY - timedelta(microseconds=1)},
)

FILTERS = {
    "nothing asked": (Filter(), "edcba"),
    "conversation": (Filter(conversation="c1"), "ba"),
    "agent": (Filter(agent="writer"), "b"),
    "speaker": (Filter(speaker="Ana"), "ca"),
    "role": (Filter(role=Role.DOCUMENT), "c"),
    "kind": (Filter(kind=Kind.TURN), "edba"),
    "since is inclusive": (Filter(since=MAY + DAY), "db"),
    "until is exclusive": (Filter(until=MAY + DAY), "ea"),
    "window": (Filter(since=MAY, until=MAY + 2 * DAY), "eba"),
    "zones": (Filter(since=datetime(2026, 5, 2, 2, tzinfo=timezone(timedelta(hours=2)))), "db"),
    "all at once": (
        Filter(conversation="c1", agent="planner", speaker="Ana", role=Role.USER, kind=Kind.TURN, since=MAY, until=MAY + DAY),
        "a",
    ),
    "nothing fits": (Filter(conversation="c1", agent="planner", speaker="Ben"), ""),
    "absent name": (Filter(conversation="c9"), ""),
    "wildcards are text": (Filter(conversation="c%"), ""),
    "a statement is text": (Filter(speaker="x' OR '1'='1"), ""),
}


async def walk(store: Store, scope: Scope, where: Filter, limit: int) -> list[Page]:
    pages = [await store.page(scope, where, limit=limit)]
    while (cursor := pages[-1].cursor) is not None and len(pages) < MOST_PAGES:
        pages.append(await store.page(scope, where, limit=limit, before=int(cursor)))
    return pages


def texts(*pages: Page) -> str:
    return "".join(record.text for page in pages for record in page.records)


class PagingConformance(StoreUnderTest):
    """Looking through a scope."""

    @pytest.mark.parametrize(("where", "expected"), FILTERS.values(), ids=FILTERS)
    async def test_M04_a_page_holds_what_passes_all_filters(self, store: Store, where: Filter, expected: str) -> None:
        await store.put([sample_write(ANA, **said) for said in SAID])
        assert texts(await store.page(ANA, where, limit=50)) == expected

    async def test_P04_the_latest_arrival_comes_first_whatever_its_id_and_time(self, store: Store) -> None:
        old, new = MAY, MAY + DAY
        await store.put([sample_write(ANA, "z", id="z-old", said_at=new)])
        await store.put([sample_write(ANA, "a", id="a-new", said_at=old)])
        assert texts(await store.page(ANA, EVERYTHING, limit=10)) == "az"

    async def test_P03_a_repeat_does_not_move_a_record(self, store: Store) -> None:
        await fill(store, ANA, "a", "b", "c")
        await store.put([sample_write(ANA, "a")])
        assert texts(await store.page(ANA, EVERYTHING, limit=10)) == "cba"

    @pytest.mark.parametrize("limit", [1, 2, 3, 4, 12, 13])
    async def test_P02_cursors_walk_through_everything_once(self, store: Store, limit: int) -> None:
        await fill(store, ANA, *"abcdefghijkl")
        pages = await walk(store, ANA, EVERYTHING, limit)
        assert texts(*pages) == "lkjihgfedcba"
        assert [len(page.records) for page in pages[:-1]] == [limit] * (len(pages) - 1)

    async def test_the_last_page_has_no_cursor_even_when_it_is_full(self, store: Store) -> None:
        await fill(store, ANA, *"abcd")
        pages = await walk(store, ANA, EVERYTHING, 2)
        assert [texts(page) for page in pages] == ["dc", "ba"]

    async def test_cursors_walk_through_what_a_filter_passes(self, store: Store) -> None:
        await store.put(
            [sample_write(ANA, text, conversation="vowel" if text in "aeiou" else "rest") for text in "abcdefghijklmno"]
        )
        pages = await walk(store, ANA, Filter(conversation="vowel"), 2)
        assert [texts(page) for page in pages] == ["oi", "ea"]

    async def test_a_walk_is_not_disturbed_by_new_arrivals_and_erased_records(self, store: Store) -> None:
        await fill(store, ANA, *"abcd")
        first = await store.page(ANA, EVERYTHING, limit=2)
        await fill(store, ANA, "e")
        assert first.cursor is not None
        assert texts(await store.page(ANA, EVERYTHING, limit=2, before=int(first.cursor))) == "ba"

    async def test_M03_an_empty_scope_has_an_empty_page(self, store: Store) -> None:
        assert await store.page(ANA, EVERYTHING, limit=5) == Page(records=())
        await fill(store, ANA, "a")
        assert await store.page(ANA, EVERYTHING, limit=5, before=1) == Page(records=())

    async def test_a_page_is_of_exactly_its_scope(self, store: Store) -> None:
        await fill(store, CUSTOMER, "office")
        await fill(store, BEN, "neighbour")
        await fill(store, ANA, "own")
        assert texts(await store.page(ANA, EVERYTHING, limit=10)) == "own"
        assert texts(await store.page(CUSTOMER, EVERYTHING, limit=10)) == "office"
