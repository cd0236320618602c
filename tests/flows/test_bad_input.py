"""Hostile input through every door of ingest: a Turn, a message in a program, a line of a file, an item of a document.

Each case has one expected answer, and all doors and stores give it. Whatever is refused leaves its neighbours standing.
"""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import FormatError, MunimentError
from muniment.ingest.derive import derive
from muniment.ingest.formats import read_turns
from muniment.ingest.rules import MAX_TEXT
from muniment.ingest.step import ingest
from muniment.types import Filter, Outcome, Scope, Turn

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ANA = Scope(user="ana")
GOOD = {"role": "user", "content": "a good neighbour"}


async def derived(records):
    return await derive(records, None)


async def put(store, turns):
    return await ingest(turns, scope=ANA, agent="default", conversation=None, records=store, derive=derived, now=NOW)


async def through_a_program(store, message):
    return (await put(store, [GOOD, message, GOOD])).items


async def through_a_file(store, data):
    parsed = read_turns(data, name="chat")
    return [*parsed.refused, *(await put(store, parsed.turns)).items]


async def through_lines(store, message):
    return await through_a_file(store, b"\n".join(json.dumps(item).encode() for item in (GOOD, message, GOOD)))


async def through_a_document(store, message):
    return await through_a_file(
        store, json.dumps({"messages": [GOOD, message, GOOD]}, ensure_ascii=False).encode("utf-16", "surrogatepass")
    )


DOORS = [through_a_program, through_lines, through_a_document]


@pytest.fixture(params=DOORS, ids=lambda door: door.__name__)
def door(request):
    return request.param


@pytest.fixture
async def store(open_store, tmp_path):
    opened = await open_store(tmp_path)
    yield opened
    await opened.close()


async def kept(store):
    return [record for record in (await store.page(ANA, Filter(), limit=10)).records if record.text != GOOD["content"]]


def message(**fields):
    return {"role": "user", "content": "words", **fields}


REFUSED = [
    ("V01", "nul_not_allowed", message(content="ab\0cd")),
    ("V01", "nul_not_allowed", message(name="ab\0cd")),
    ("V01", "nul_not_allowed", message(id="ab\0cd")),
    ("V01", "nul_not_allowed", message(metadata={"a": "ab\0cd"})),
    ("V01", "nul_not_allowed", message(metadata={"ab\0cd": "a"})),
    ("V10", "too_large", message(content="a" * (MAX_TEXT + 1))),
    ("V10", "too_large", message(content="é" * (MAX_TEXT // 2 + 1))),
    ("V11", "empty_content", message(content="")),
    ("V11", "empty_content", message(content="  ")),
    ("V11", "empty_content", message(content="\u200b")),
    ("V11", "empty_content", message(content="\n")),
    ("V11", "empty_content", message(content="\ufeff")),
    ("V11", "empty_content", message(content=[])),
    ("V11", "content_missing", {"role": "user"}),
    ("V11", "content_missing", message(content=None)),
    ("V16", "too_many_keys", message(metadata={str(n): "" for n in range(100_000)})),
    ("V16", "key_too_long", message(metadata={"k" * (1 << 20): ""})),
    ("V17", "type", message(content=42)),
    ("V17", "type", message(content={"text": "x"})),
    ("V17", "type", message(content=[42])),
    ("V17", "type", message(role=1)),
    ("V17", "type", message(name=["a"])),
    ("V17", "type", message(id=True)),
    ("V17", "type", message(metadata=["a"])),
    ("V17", "type", message(tool_calls="x")),
    ("V17", "type", message(tool_calls=[{"id": "c", "function": "x"}])),
    ("V17", "timestamp_invalid", message(created_at=True)),
    ("V17", "timestamp_invalid", message(created_at=["2026"])),
    ("V17", "role_missing", {"content": "x"}),
    ("V17", "role_unknown", message(role="root")),
    ("V06", "id_not_normalized", message(conversation="e\u0301")),
    ("V07", "id_invalid", message(conversation="admin\u200b")),
    ("V07", "id_invalid", message(conversation="admin ")),
    ("V30", "id_invalid", message(conversation="")),
    ("V30", "id_invalid", message(conversation="x" * 256)),
    ("V30", "id_invalid", message(conversation="con")),
    ("V30", "id_invalid", message(conversation="a.")),
    ("V30", "id_invalid", message(conversation="a\tb")),
    ("V39", "id_invalid", message(conversation="../../etc/hosts")),
    ("V39", "id_invalid", message(conversation="..\\..\\x")),
    ("V39", "id_invalid", message(conversation="/abs")),
    ("V39", "id_invalid", message(conversation="file:///x")),
    ("V63", "timestamp_invalid", message(created_at="2026-02-30T00:00:00Z")),
    ("V63", "timestamp_invalid", message(created_at="24:00:00")),
    ("V63", "timestamp_invalid", message(created_at="2026-03-02T24:00:00Z")),
    ("V63", "timestamp_invalid", message(created_at="10000-01-01T00:00:00Z")),
    ("V63", "timestamp_invalid", message(created_at="0000-01-01T00:00:00Z")),
    ("V63", "timestamp_invalid", message(created_at=1_772_384_712_250)),
    ("V63", "timestamp_invalid", message(created_at="yesterday")),
    ("V63", "timestamp_invalid", message(created_at="Mon, 02 Mar 2026 12:00:00 GMT")),
    ("V65", "tz_required", message(created_at="2026-03-29T02:30:00")),
    ("V65", "timestamp_invalid", message(created_at="2026-03-29T02:30:00+25:00")),
]


@pytest.mark.parametrize(("vector", "reason", "bad"), REFUSED, ids=[f"{v}-{n}" for n, (v, _, _) in enumerate(REFUSED)])
async def test_vectors_of_bad_input_are_refused_alike_at_every_door(store, door, vector, reason, bad):
    items = await door(store, bad)
    assert [item.reason for item in items if item.outcome is Outcome.REFUSED] == [reason]
    assert all(item.message for item in items if item.outcome is Outcome.REFUSED)
    assert [item.outcome for item in items].count(Outcome.STORED) == 2
    assert await kept(store) == []


@pytest.mark.parametrize("content", ["ab\ud83d", "\udc00", "\ude00\ud83d"], ids=ascii)
async def test_vector_03_a_lone_surrogate_is_refused_and_never_blocks_the_rest(store, content):
    for door in (through_a_program, through_lines):
        items = await door(store, message(content=content))
        assert [item.reason for item in items if item.outcome is Outcome.REFUSED] == ["invalid_unicode"]
    assert await kept(store) == []


KEPT = [
    ("V04", "👩‍👩‍👧 🇵🇹 1️⃣ 👍🏽"),
    ("V05", "invoice\u202egnp.exe"),
    ("V06", "e\u0301 é"),
    ("V08", "Z" + "\u0301" * 10_000),
    ("V09", "\ufdfa" * 60_000),
    ("V10", "a" * MAX_TEXT),
    ("V15", "__proto__ constructor __class__ $ref {{x}} ${jndi:x}"),
    ("L03", "'; DROP TABLE record; -- %_% NEAR( \" \\ "),
    ("G07", "مَرْحَبًا Zoe\u0308 สวัสดี 今天"),
    ("CR", "a\r\nb\rc\u2028d\x0be\x1b[31m"),
]


@pytest.mark.parametrize(("vector", "text"), KEPT, ids=[vector for vector, _ in KEPT])
async def test_vectors_of_strange_text_are_kept_byte_for_byte_at_every_door(store, door, vector, text):
    items = await door(store, message(content=text, name="Zoë \u202e", metadata={"__class__": text[:100]}))
    assert [item.outcome for item in items] == [Outcome.STORED] * 3
    (record,) = await kept(store)
    assert record.text.encode() == text.encode()
    assert record.metadata == {"__class__": text[:100]}


async def test_vector_14_numbers_in_metadata(store):
    for number in ("NaN", "Infinity", "-Infinity", "1e999", "9" * 400):
        line = f'{{"role": "user", "content": "x", "metadata": {{"a": {{"b": [{number}]}}}}}}'
        items = await through_a_file(store, json.dumps(GOOD).encode() + b"\n" + line.encode())
        assert [item.reason for item in items if item.reason] == ["number_out_of_range"]
        items = await through_a_program(store, message(metadata={"a": {"b": [json.loads(number)]}}))
        assert [item.reason for item in items if item.reason] == ["number_out_of_range"]
    await through_a_file(
        store, b'{"messages": [{"role": "user", "content": "x", "metadata": {"zero": -0, "deep": {"a": [1, null]}}}]}'
    )
    assert [record.metadata for record in await kept(store)] == [{"zero": "0", "deep": '{"a": [1, null]}'}]


async def test_vector_12_depth_is_bounded_at_every_door(store):
    deep = "[" * 100_000 + "]" * 100_000
    line = f'{{"role": "user", "content": "x", "metadata": {{"a": {deep}}}}}'
    items = await through_a_file(store, json.dumps(GOOD).encode() + b"\n" + line.encode())
    assert [item.reason for item in items if item.reason] == ["too_deep"]
    nested = []
    for _ in range(100):
        nested = [nested]
    items = await through_a_program(store, message(metadata={"a": nested}))
    assert [item.reason for item in items if item.reason] == ["too_deep"]
    nested.append(nested)
    items = await through_a_program(store, message(metadata={"a": nested}))
    assert [item.reason for item in items if item.reason] == ["malformed"]


async def test_vector_15_magic_keys_are_plain_data(store, door):
    magic = {"__proto__": {"lc": 1, "type": "constructor", "id": ["os", "system"]}, "$ref": "#/"}
    await door(store, message(metadata=magic, __class__="x", lc=1))
    (record,) = await kept(store)
    assert json.loads(record.metadata["__proto__"]) == magic["__proto__"]
    assert type(record.metadata) is dict


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("2016-12-31T23:59:60Z", datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("2026-03-02T12:00:00.123456+14:00", datetime(2026, 3, 1, 22, 0, 0, 123_456, tzinfo=UTC)),
        ("2026-03-02T12:00:00-12:00", datetime(2026, 3, 3, tzinfo=UTC)),
        ("1200-01-01T00:00:00Z", datetime(1200, 1, 1, tzinfo=UTC)),
        ("9999-12-31T00:00:00Z", datetime(9999, 12, 31, tzinfo=UTC)),
    ],
)
async def test_vectors_64_65_66_D01_D08_instants_are_kept_exactly(store, door, written, instant):
    await door(store, message(created_at=written))
    assert [record.said_at for record in await kept(store)] == [instant]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2026-03-02T12:00:00+02:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2026-03-02T12:00:00Z", datetime(2026, 3, 2, 12, tzinfo=UTC)),
        (datetime(2026, 3, 2, 12, tzinfo=UTC), datetime(2026, 3, 2, 12, tzinfo=UTC)),
        (1772452800, datetime(2026, 3, 2, 12, tzinfo=UTC)),
        ("2026-03-02", "tz_required"),
        ("2026-03-02T12:00:00", "tz_required"),
        ("yesterday", "timestamp_invalid"),
        ("", "timestamp_invalid"),
        (True, "timestamp_invalid"),
        ([], "timestamp_invalid"),
    ],
)
async def test_vector_65_a_time_is_read_or_refused_alike_in_a_turn_and_in_a_mapping(store, written, read):
    turns = [Turn(text="as a turn", said_at=written), {"role": "user", "content": "as a mapping", "said_at": written}]
    receipt = await put(store, turns)
    if isinstance(read, datetime):
        assert {record.said_at for record in await kept(store)} == {read}
    else:
        assert [item.reason for item in receipt.items] == [read, read]
        assert len({item.message for item in receipt.items}) == 1


async def test_vector_66_the_future_is_kept_and_flagged(store, door):
    items = await door(store, message(created_at="2026-03-03T12:00:00Z"))
    assert [bool(item.message) for item in items].count(True) == 1
    assert "future" in "".join(item.message for item in items)


async def test_vectors_02_18_what_is_no_text_is_refused_whole_and_named():
    body = json.dumps([GOOD]).encode()
    for data, reason in [
        (b'[{"role": "user", "content": "\xff"}]', "invalid_utf8"),
        (b'[{"role": "user", "content": "\xc0\xaf"}]', "invalid_utf8"),
        (json.dumps(["é"], ensure_ascii=False).encode("latin-1"), "invalid_utf8"),
        (body[:-5], "malformed"),
        (body + b"]", "malformed"),
        (body + body, "malformed"),
        (gzip.compress(body * 1000), "invalid_utf8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "reader_missing"),  # an image is read by an extra
        (b"\x7fELF\x02\x01\x01\xff", "invalid_utf8"),
        (b"PK\x03\x04\0\0", "nul_not_allowed"),
        (b"", "empty_content"),
    ]:
        with pytest.raises(FormatError) as error:
            read_turns(data, name="file")
        assert error.value.reason == reason
        assert error.value.place.startswith("file")


async def test_vector_13_duplicate_keys_are_refused(store):
    data = b'{"role": "user", "content": "a", "content": "b"}\n' + json.dumps(GOOD).encode()
    items = await through_a_file(store, data)
    assert [item.reason for item in items if item.reason] == ["duplicate_key"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda part: st.lists(part) | st.dictionaries(st.text(), part),
    )
)
async def test_whatever_a_program_hands_in_gets_a_receipt(value):
    class Nowhere:
        async def put(self, writes):
            raise AssertionError("only what was accepted may come here") if not writes else MunimentError("stop")

    for item in (
        value,
        {"role": "user", "content": value},
        {"role": "user", "content": "", "metadata": value},
        {"role": value, "content": "x"},
    ):
        try:
            receipt = await put(Nowhere(), [item])
        except MunimentError as error:
            assert error.message == "stop"  # noqa: PT017  what was accepted reached the store
        else:
            assert [one.outcome for one in receipt.items] == [Outcome.REFUSED]


async def test_K08_a_thousand_tool_outputs_and_one_giant_message(store):
    outputs = [{"role": "tool", "tool_call_id": f"c{n}", "content": "row " * 50} for n in range(1000)]
    receipt = await put(store, [*outputs, message(content="x" * (2 << 20)), message(content="y " * 200_000)])
    assert [receipt.count(outcome) for outcome in (Outcome.STORED, Outcome.REFUSED)] == [1001, 1]
    assert receipt.items[1000].reason == "too_large"
