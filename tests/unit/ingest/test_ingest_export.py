"""Our own file: what is written can be read, by streams, and a record that cannot prove its id is refused."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
from hypothesis import given

from muniment.errors import FormatError, InputError, StoreFull
from muniment.ingest.derive import Derived
from muniment.ingest.formats import export_lines, read_export, read_turns
from muniment.ingest.formats.lines import MAX_LINE
from muniment.ingest.rules import accept, content_digest, record_of
from muniment.ingest.step import ingest, restore
from muniment.stores.memory import MemoryStore
from muniment.testing import sample_entries
from muniment.testing import strategies as draw
from muniment.types import ItemReceipt, Kind, Outcome, Record, Role, Scope, Turn

NOW = datetime(2026, 3, 2, 12, 0, 0, 5, tzinfo=UTC)
ANA = Scope(client="acme", user="ana")
TEAM = Scope(client="acme")


async def derived(records):
    return Derived(entries=[sample_entries(record.text, dim=0) for record in records], note="")


async def fill(store, scope=ANA, **given):
    turns = [
        Turn(text="Ich wohne in Köln.", speaker="Zoë", said_at=NOW, conversation="a", ref="m1", metadata={"x": "y"}),
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "price", "arguments": "{}"}}], "content": None},
        {"role": "tool", "tool_call_id": "c1", "content": "3.20"},
        "ok",
        "ok",
    ]
    return await ingest(turns, scope=scope, agent="guide", conversation=None, records=store, derive=derived, now=NOW, **given)


async def exported(store, scope=None) -> bytes:
    return b"".join([line async for line in export_lines(store.scan(scope))])


def read(data: bytes):
    return list(read_export(BytesIO(data), name="e.jsonl"))


def lines_of(records) -> bytes:
    async def gather():
        async def stream():
            for record in records:
                yield record

        return b"".join([line async for line in export_lines(stream())])

    return asyncio.run(gather())


def back(items, store=None):
    return asyncio.run(restore(items, store=store or MemoryStore(), derive=derived))


async def test_V01_an_export_restores_to_the_same_store_and_the_second_time_is_a_no_op():
    one, two = MemoryStore(), MemoryStore()
    for scope in (ANA, TEAM):
        await fill(one, scope)
    await fill(one)
    data = await exported(one)
    first = await restore(read_export(BytesIO(data), name="e"), store=two, derive=derived)
    assert first.count(Outcome.STORED) == 10
    again = await restore(read_export(BytesIO(data), name="e"), store=two, derive=derived)
    assert again.count(Outcome.UNCHANGED) == 10
    assert again.ids == first.ids
    assert await exported(two) == data


async def test_a_restore_of_what_is_here_is_not_counted_as_said_again():
    store = MemoryStore()
    await fill(store)
    before = await exported(store)
    await restore([record async for record in store.scan(None)], store=store, derive=derived)
    assert await exported(store) == before


async def test_restore_takes_streams_and_passes_receipts_through():
    store, other = MemoryStore(), MemoryStore()
    await fill(store)
    assert (await restore(store.scan(None), store=other, derive=derived)).count(Outcome.STORED) == 5
    damaged = ItemReceipt(place="e:2", outcome=Outcome.REFUSED, reason="malformed", message="x")
    receipt = await restore([damaged], store=other, derive=derived)
    assert receipt.items == (damaged,)


async def test_V03_the_form_is_named_and_versioned():
    store = MemoryStore()
    await fill(store)
    header, *rest, end = (await exported(store)).splitlines()
    assert json.loads(header) == {"muniment": "export", "version": 2}
    assert json.loads(end) == {"end": True, "records": len(rest)}
    first = json.loads(rest[0])
    assert first["scope"] == {"client": "acme", "user": "ana"}
    assert first["said_at"] == "2026-03-02T12:00:00.000005+00:00"
    assert "tool_calls" not in first
    assert "Köln" in rest[0].decode()


@given(draw.turns())
def test_any_record_comes_back_equal(turn):
    try:
        kept = accept(turn, now=NOW).turn
    except InputError:
        return
    record = record_of(kept, scope=ANA, agent="default", now=NOW, digest=content_digest(kept, ANA), nth=0)
    data = lines_of([record])
    assert data.count(b"\n") == 3
    assert read(data) == [record]
    assert back(read(data)).items[0].outcome is Outcome.STORED


def tampered(**changes) -> bytes:
    async def make():
        store = MemoryStore()
        await fill(store)
        return await exported(store)

    header, first, *rest = asyncio.run(make()).splitlines(keepends=True)
    value = json.loads(first)
    value.update(changes)
    value = {key: item for key, item in value.items() if item is not ...}
    return b"".join([header, json.dumps(value).encode() + b"\n", *rest])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"text": "Ich wohne in Bonn."}, "id_mismatch"),
        ({"scope": {"user": "eve"}}, "id_mismatch"),
        ({"id": "aaaaaaaaaaaaaaaa"}, "id_mismatch"),
        ({"speaker": "Eve"}, "id_mismatch"),
        ({"said_at": ...}, "id_mismatch"),
        ({"role": "tool"}, "id_mismatch"),
        ({"kind": "passage"}, "trust_raised"),
        ({"agent": "../x"}, "id_invalid"),
        ({"text": "a\0b"}, "nul_not_allowed"),
    ],
)
def test_a_record_that_does_not_prove_its_id_is_refused_and_the_rest_stands(changes, reason):
    receipt = back(read(tampered(**changes)))
    assert [item.reason for item in receipt.items] == [reason, "", "", "", ""]
    assert receipt.items[0].place == "records[0]"
    assert receipt.count(Outcome.STORED) == 4


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"id": ...}, "field_missing"),
        ({"id": 5}, "type"),
        ({"scope": {}}, "scope_required"),
        ({"scope": {"planet": "x"}}, "scope_invalid"),
        ({"scope": {"user": "../x"}}, "id_invalid"),
        ({"scope": {"user": 5}}, "id_invalid"),
        ({"role": "wizard"}, "type"),
        ({"occurrences": True}, "type"),
        ({"occurrences": "3"}, "type"),
        ({"recorded_at": "yesterday"}, "timestamp_invalid"),
        ({"recorded_at": "2026-03-02T12:00:00"}, "tz_required"),
        ({"said_at": 5}, "type"),
        ({"tool_calls": [{"id": "c"}]}, "type"),
        ({"tool_calls": ["c"]}, "type"),
        ({"metadata": {"a": 1}}, "type"),
        ({"text": "\ud83d"}, "invalid_unicode"),
        ({"__class__": "os.system", "type": "constructor"}, None),
    ],
)
def test_vector_17_a_line_of_the_wrong_shape_is_refused_by_its_number(changes, reason):
    first, *rest = read(tampered(**changes))
    assert all(isinstance(item, Record) for item in rest)
    if reason is None:
        assert isinstance(first, Record)
    else:
        assert (first.place, first.outcome, first.reason) == ("e.jsonl:2", Outcome.REFUSED, reason)


def test_damaged_and_giant_lines_cost_only_themselves():
    good = tampered()
    header, *rest = good.splitlines(keepends=True)
    giant = b'{"text": "' + b"x" * MAX_LINE + b'"}\n'
    items = read(b"".join([header, rest[0], b'{"id": "half\n', b"\n", giant, b"[1]\n", *rest[1:]]))
    assert [(item.place, item.reason) for item in items if isinstance(item, ItemReceipt)] == [
        ("e.jsonl:3", "malformed"),
        ("e.jsonl:5", "too_large"),
        ("e.jsonl:6", "type"),
        ("e.jsonl:11", "count_mismatch"),
    ]
    assert len(items) == 9


@pytest.mark.parametrize(
    "data", [b"", b"x", b"{}", b'{"role": "user", "content": "x"}\n', b'[{"muniment": "export"}]', b"\xff\n"]
)
def test_what_is_no_export_is_refused(data):
    with pytest.raises(FormatError, match="no Muniment export"):
        read(data)


@pytest.mark.parametrize("version", [3, 0, "1", None, True, 1.5])
def test_another_version_is_refused_by_both_doors(version):
    data = json.dumps({"muniment": "export", "version": version}).encode() + b"\n" + tampered().splitlines()[1]
    for door in (read, lambda data: read_turns(data, name="e")):
        with pytest.raises(FormatError, match="version") as error:
            door(data)
        assert error.value.reason == "export_version"


async def test_an_export_read_as_turns_goes_where_the_caller_says():
    store = MemoryStore()
    for scope in (ANA, TEAM):
        await fill(store, scope)
    parsed = read_turns(await exported(store), name="e.jsonl")
    assert (parsed.format, parsed.refused) == ("muniment-export", ())
    assert {history.suggested_user: len(history.turns) for history in parsed.histories} == {None: 5, "ana": 5}
    assert {history.turns[0].said_at for history in parsed.histories} == {NOW}
    empty = read_turns((await exported(MemoryStore())), name="e")
    assert (empty.format, empty.turns) == ("muniment-export", ())


@pytest.mark.parametrize("kept", range(1, 7))
def test_an_export_that_was_cut_at_a_line_break_says_so_and_gives_what_it_has(kept):
    data = b"".join(tampered().splitlines(keepends=True)[:kept])
    items = read(data)
    assert sum(isinstance(item, Record) for item in items) == kept - 1
    assert (items[-1].place, items[-1].outcome, items[-1].reason) == (f"e.jsonl:{kept + 1}", Outcome.REFUSED, "cut_short")
    parsed = read_turns(data, name="e.jsonl")
    assert (parsed.format, len(parsed.turns)) == ("muniment-export", kept - 1)
    assert parsed.refused == (items[-1],)


def test_an_export_that_lost_or_gained_a_line_says_so_and_gives_the_rest():
    header, first, *rest, end = tampered().splitlines(keepends=True)
    for lines, said in (([header, *rest, end], "4 lines"), ([header, first, first, *rest, end], "6 lines")):
        *records, receipt = read(b"".join(lines))
        assert all(isinstance(record, Record) for record in records)
        assert (receipt.place, receipt.reason) == (f"e.jsonl:{len(lines)}", "count_mismatch")
        assert said in receipt.message
        assert read_turns(b"".join(lines), name="e.jsonl").refused == (receipt,)


def test_what_stands_behind_the_closing_line_is_refused():
    *lines, end = tampered().splitlines(keepends=True)
    items = read(b"".join([*lines, end, lines[1], end]))
    assert [(item.place, item.reason) for item in items if isinstance(item, ItemReceipt)] == [
        ("e.jsonl:8", "after_end"),
        ("e.jsonl:9", "after_end"),
    ]


def test_a_restore_that_can_write_nothing_raises():
    class Full(MemoryStore):
        async def put(self, writes):
            raise StoreFull("full.")

    with pytest.raises(StoreFull):
        back(read(tampered()), Full())


def test_a_record_twice_in_one_file_is_stored_once():
    items = read(tampered())
    receipt = back(items + items)
    assert [receipt.count(Outcome.STORED), receipt.count(Outcome.UNCHANGED)] == [5, 5]


def test_K06_an_export_streams_both_ways_in_bounded_memory():
    turn = accept(Turn(text="x" * 2000, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref="doc"), now=NOW).turn

    async def many(count):
        for n in range(count):
            yield record_of(replace(turn, ref=f"{n}"), scope=ANA, agent="a", now=NOW, digest=b"", nth=0)

    class Pipe:
        """Reads the export of `count` records line by line as it is asked for."""

        def __init__(self, count):
            self.loop = asyncio.new_event_loop()
            self.source = export_lines(many(count))

        def readline(self, size):
            return self.loop.run_until_complete(anext(self.source, b""))

    pipe = Pipe(3_000)
    tracemalloc.start()
    try:
        counted = sum(isinstance(item, Record) for item in read_export(pipe, name="e"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        pipe.loop.close()
    assert counted == 3_000
    assert peak < 2 << 20
