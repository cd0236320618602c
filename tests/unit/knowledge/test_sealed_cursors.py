"""A cursor is good for one listing of one scope and store, for a day; whatever else is handed over is refused alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import QueryError
from muniment.knowledge.cursors import KEPT, Listing, opened, sealed
from muniment.knowledge.values import MemoryFilter, Status
from muniment.types import Filter, Scope

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
ANA = Scope(client="acme", user="ana")
SECRET = b"0123456789abcdef"
LISTING = Listing(verb="list", scope=ANA, asked=Filter(conversation="monday"))
OTHERS = (
    Listing(verb="memories.list", scope=ANA, asked=Filter(conversation="monday")),
    Listing(verb="list", scope=Scope(client="acme", user="ben"), asked=Filter(conversation="monday")),
    Listing(verb="list", scope=Scope(client="acme"), asked=Filter(conversation="monday")),
    Listing(verb="list", scope=ANA, asked=Filter(conversation="tuesday")),
    Listing(verb="list", scope=ANA, asked=Filter(conversation="monday", since=NOON)),
    Listing(verb="list", scope=ANA, asked=(Filter(conversation="monday"), True)),
    Listing(verb="list", scope=ANA),
)


def refused(cursor, listing=LISTING, *, secret=SECRET, now=NOON):
    with pytest.raises(QueryError) as error:
        opened(cursor, listing, secret=secret, now=now)
    assert error.value.hint
    return error.value.code


@given(place=st.from_regex(r"-?[0-9]{1,18}(\.[0-9]{1,8}){0,2}", fullmatch=True))
def test_a_cursor_says_where_its_listing_goes_on(place):
    cursor = sealed(place, LISTING, secret=SECRET, now=NOON)
    assert opened(cursor, LISTING, secret=SECRET, now=NOON) == place
    assert {refused(cursor, other) for other in OTHERS} == {"bad_cursor"}


def test_there_is_none_at_the_end():
    assert sealed(None, LISTING, secret=SECRET, now=NOON) is None
    assert opened(None, LISTING, secret=SECRET, now=NOON) is None


@given(at=st.integers(0, 200), to=st.characters(codec="utf-8"))
def test_vector_28_an_altered_byte_is_refused(at, to):
    cursor = sealed("12", LISTING, secret=SECRET, now=NOON)
    altered = cursor[: at % len(cursor)] + to + cursor[at % len(cursor) + 1 :]
    if altered != cursor:
        assert refused(altered) == "bad_cursor"


@pytest.mark.parametrize("cursor", ["", "12", "_", "٣_1_" + "0" * 32, "\ud800", "9" * (1 << 20), 7, b"12", ["12"], float("nan")])
def test_vector_28_what_no_page_gave_is_refused(cursor):
    assert refused(cursor) == "bad_cursor"


def test_vector_28_a_cursor_ends_after_a_day_and_nobody_prolongs_it():
    cursor = sealed("12", LISTING, secret=SECRET, now=NOON)
    assert opened(cursor, LISTING, secret=SECRET, now=NOON + KEPT - timedelta(seconds=1)) == "12"
    assert refused(cursor, now=NOON + KEPT) == "bad_cursor"
    place, until, mark = cursor.split("_")
    assert refused(f"{place}_{int(until, 16) + 1:x}_{mark}") == "bad_cursor"


def test_a_cursor_of_another_store_is_refused():
    assert refused(sealed("12", LISTING, secret=SECRET, now=NOON), secret=b"another store's.") == "bad_cursor"


def test_a_filter_that_asks_the_same_is_the_same():
    here = NOON.astimezone(timezone(timedelta(hours=2)))
    one = Listing(verb="memories.list", scope=ANA, asked=MemoryFilter(since=NOON, statuses=(Status.CURRENT,)))
    same = Listing(verb="memories.list", scope=ANA, asked=MemoryFilter(since=here, statuses=("current",)))
    assert opened(sealed("1.2.0", one, secret=SECRET, now=NOON), same, secret=SECRET, now=NOON) == "1.2.0"
