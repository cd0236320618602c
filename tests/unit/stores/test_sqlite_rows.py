"""A row gives back the record it was made from, and any other row is noticed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import StoreFull
from muniment.shelf import Place
from muniment.stores import sqlite_rows
from muniment.stores.rules import instant, micros
from muniment.stores.sqlite import open_sqlite
from muniment.stores.sqlite_rows import MOST, Damaged, fetch, numbered, span
from muniment.stores.sqlite_write import put
from muniment.testing.conformance.base import ANA, BEN, EVERYTHING, MODEL, fill, texts_kept
from muniment.testing.samples import sample_record, sample_write
from muniment.types import Kind, Record, Role, ToolCall, Trust

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
MAYBE = st.none() | TEXT
TIME = st.datetimes(timezones=st.just(UTC))
NAME = TEXT.filter(bool)

RECORDS = st.builds(
    Record,
    id=NAME,
    scope=st.just(ANA),
    text=TEXT,
    role=st.sampled_from(Role),
    kind=st.sampled_from(Kind),
    speaker=TEXT,
    agent=TEXT,
    recorded_at=TIME,
    said_at=st.none() | TIME,
    conversation=st.none() | NAME,
    ref=MAYBE,
    origin=TEXT,
    trust=st.sampled_from(Trust),
    tool_calls=st.lists(st.builds(ToolCall, id=TEXT, name=TEXT, arguments=TEXT), max_size=2).map(tuple),
    tool_call_id=MAYBE,
    metadata=st.dictionaries(TEXT, TEXT, max_size=3),
    occurrences=st.integers(1, 9),
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "store.db"
    asyncio.run(asyncio.run(open_sqlite(path)).close())
    connection = apsw.Connection(str(path))
    yield connection
    connection.close()


@given(RECORDS)
def test_a_record_comes_back_in_every_field(connection, record):
    connection.execute("BEGIN")
    try:
        put(connection, [replace(sample_write(ANA, dim=0), record=record)], None)
        (place,) = connection.execute("SELECT max(id) FROM record").fetchone()
        assert fetch(connection, ANA, place) == replace(record, seq=1)
    finally:
        connection.execute("ROLLBACK")


COLUMNS = (
    "id name occurrences role kind trust conversation speaker agent said_at recorded_at ref origin "
    "tool_calls tool_call_id metadata text hash"
)


@pytest.mark.parametrize("column", COLUMNS.split()[1:])
@pytest.mark.parametrize("value", ["''", "'x'", "7", "x'00'", "NULL"])
def test_a_change_of_any_column_is_noticed(connection, column, value):
    record = sample_record(
        ANA, conversation="c1", ref="r", origin="o", said_at=datetime(2026, 1, 1, tzinfo=UTC), metadata={"a": "b"}
    )
    connection.execute("BEGIN")
    try:
        put(connection, [replace(sample_write(ANA, dim=0), record=record)], None)
        (place,) = connection.execute("SELECT max(id) FROM record").fetchone()
        try:
            connection.execute(f"UPDATE record SET {column} = {value}")
        except apsw.ConstraintError:
            return  # the schema refuses it before the hash can
        changed = connection.execute(f"SELECT {column} FROM record").get
        if changed != sqlite_rows.record_row(record, place, sqlite_rows.Codes(1, 2, 3))[COLUMNS.split().index(column)]:
            assert fetch(connection, ANA, place) == Damaged(ANA, 1)
    finally:
        connection.execute("ROLLBACK")


@given(TIME)
def test_an_instant_keeps_its_microseconds(at):
    assert instant(micros(at)) == at
    assert instant(micros(at)).utcoffset() == timedelta(0)


@given(st.integers(1, 2**31 - 1), st.integers(1, MOST))
def test_a_number_stays_within_the_span_of_its_scope(no, number):
    lowest, highest = span(no)
    assert lowest < numbered(no, number) <= highest < span(no + 1)[0]
    assert highest < 2**63


def test_a_scope_out_of_numbers_says_so():
    with pytest.raises(StoreFull) as caught:
        numbered(1, MOST + 1)
    assert caught.value.reason == "scope_full"


async def test_a_scope_out_of_numbers_keeps_what_it_has(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    await fill(store, ANA, "one")
    await store._writer.run(lambda connection: connection.execute(f"UPDATE scope SET last_seq = {MOST - 1}").fetchall())
    await fill(store, ANA, "the last")
    with pytest.raises(StoreFull):
        await fill(store, ANA, "too many")
    await fill(store, BEN, "elsewhere")
    assert await texts_kept(store, ANA) == ["one", "the last"]
    await store.close()


async def test_a_place_beyond_a_scopes_numbers_reaches_no_other_scope(tmp_path):
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    await fill(store, ANA, "of ana")
    await fill(store, BEN, "of ben")
    for seq in (1 << 24 | 1, 0, -1, -(1 << 24) + 1):
        found = await store.search(ANA, lambda shelves, seq=seq: [Place(0, seq)])
        assert (list(found.records), list(found.lost)) == ([], [Place(0, seq)])
    for before in (1 << 24, 1 << 25 | 2, 2**62):
        assert [record.text for record in (await store.page(ANA, EVERYTHING, limit=9, before=before)).records] == ["of ana"]
    for before in (0, -1, -(2**62)):
        assert (await store.page(ANA, EVERYTHING, limit=9, before=before)).records == ()
    await store.close()
