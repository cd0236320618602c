"""Writing turns: one receipt per item whatever happens, each chunk whole, and retries that change nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import EmbedderError, MissingExtra, ScopeError, StoreBusy, StoreError, StoreFull, StoreReadOnly
from muniment.ingest.derive import Derived, derive
from muniment.ingest.rules import MAX_COPIES
from muniment.ingest.step import CHUNK_ITEMS, ingest
from muniment.stores.memory import MemoryStore
from muniment.testing import FailingEmbedder, sample_entries
from muniment.types import Filter, Kind, Outcome, Role, Scope, ToolCall, Trust, Turn

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ANA = Scope(client="acme", user="ana")
BEN = Scope(client="acme", user="ben")


async def words(records):
    return Derived(entries=[sample_entries(record.text, dim=0) for record in records], note="")


async def vectors(records):
    return Derived(entries=[sample_entries(record.text) for record in records], note="")


async def wordless(records):
    return Derived(entries=[sample_entries(record.text, dim=0) for record in records], note="The embedder did not answer.")


class Brittle(MemoryStore):
    """A memory store whose n-th put (from 0) raises what `faults` says for n, or for "all"."""

    def __init__(self, faults):
        super().__init__()
        self.faults = faults
        self.sizes = []

    async def put(self, writes):
        fault = self.faults.get(len(self.sizes)) or self.faults.get("all")
        self.sizes.append(len(writes))
        if fault:
            raise fault
        return await super().put(writes)


async def put(store, turns, **given):
    options = {"scope": ANA, "agent": "default", "conversation": None, "records": store, "derive": words, "now": NOW}
    return await ingest(turns, **options | given)


async def kept(store, scope=ANA):
    return (await store.page(scope, Filter(), limit=1000)).records[::-1]


def outcomes(receipt):
    return [item.outcome for item in receipt.items]


async def test_turns_messages_and_strings_are_taken_in_order():
    store = MemoryStore()
    receipt = await put(
        store,
        [
            "plain words",
            Turn(text="a turn", speaker="Ana", place="notes.txt:7"),
            {"role": "assistant", "content": "a message", "id": "m1"},
            {"role": "tool", "tool_call_id": "c1", "content": "a result"},
        ],
        conversation="a",
        agent="guide",
    )
    assert outcomes(receipt) == [Outcome.STORED] * 4
    assert [item.place for item in receipt.items] == ["turns[0]", "notes.txt:7", "turns[2]", "turns[3]"]
    records = await kept(store)
    assert [record.text for record in records] == ["plain words", "a turn", "a message", "a result"]
    assert [record.speaker for record in records] == ["user", "Ana", "assistant", "tool"]
    assert {(record.conversation, record.agent, record.recorded_at) for record in records} == {("a", "guide", NOW)}
    assert [record.trust for record in records] == [Trust.TRUSTED] * 3 + [Trust.UNTRUSTED]
    assert (records[2].ref, records[3].kind) == ("m1", Kind.TOOL_RESULT)
    assert receipt.ids == tuple(record.id for record in records)


@pytest.mark.parametrize("one", ["one", Turn(text="one"), {"role": "user", "content": "one"}])
async def test_a_single_item_stands_for_itself(one):
    assert len((await put(MemoryStore(), one)).items) == 1


async def test_N04_words_are_stored_as_they_are():
    store = MemoryStore()
    text = "  exactly this,\r\n\twith spaces \u202e and all  "
    await put(store, text)
    assert [record.text for record in await kept(store)] == [text]


async def test_a_bad_item_is_refused_by_itself():
    store = MemoryStore()
    receipt = await put(
        store, ["good", "", 42, {"role": "user"}, {"role": "wizard", "content": "x"}, "ab\ud83d", None, "also good"]
    )
    assert [(item.place, item.reason) for item in receipt.items if item.outcome is Outcome.REFUSED] == [
        ("turns[1]", "empty_content"),
        ("turns[2]", "type"),
        ("turns[3]", "content_missing"),
        ("turns[4]", "role_unknown"),
        ("turns[5]", "invalid_unicode"),
        ("turns[6]", "type"),
    ]
    assert [record.text for record in await kept(store)] == ["good", "also good"]
    assert not receipt.ok


async def test_a_message_of_several_turns_is_refused_and_says_what_to_do():
    parts = [{"type": "tool_result", "tool_use_id": f"t{n}", "content": "x"} for n in range(2)]
    receipt = await put(MemoryStore(), [{"role": "user", "content": parts}])
    assert receipt.items[0].reason == "several_turns"


async def test_messages_in_a_program_follow_the_same_rules_of_time_as_files():
    receipt = await put(
        MemoryStore(),
        [
            {"role": "user", "content": "a", "created_at": "2026-03-01T10:00:00"},
            {"role": "user", "content": "b", "created_at": datetime(2026, 3, 1, tzinfo=UTC)},
            {"role": "user", "content": "c", "created_at": "yesterday"},
        ],
    )
    assert [item.reason for item in receipt.items] == ["tz_required", "", "timestamp_invalid"]


async def test_D14_when_it_was_said_is_kept_beside_when_it_was_recorded():
    store = MemoryStore()
    said = datetime(2020, 2, 29, 23, 59, 59, 999_999, tzinfo=UTC)
    await put(store, [{"role": "user", "content": "x", "created_at": said.isoformat()}, "no time"])
    assert [(record.said_at, record.recorded_at) for record in await kept(store)] == [(said, NOW), (None, NOW)]


async def test_F10_metadata_cannot_move_a_record():
    store = MemoryStore()
    await put(store, [{"role": "user", "content": "x", "user": "ben", "user_id": "ben", "metadata": {"user": "ben"}}])
    assert [record.scope for record in await kept(store)] == [ANA]
    assert await kept(store, BEN) == ()


async def test_unusable_names_are_refused_before_anything_is_read():
    store = MemoryStore()
    for names in ({"agent": "../x"}, {"conversation": "a/b"}, {"agent": ""}, {"conversation": "e\u0301"}):
        with pytest.raises(ScopeError):
            await put(store, ["x"], **names)
    assert await kept(store) == ()


async def test_B02_B12_a_second_import_is_unchanged_and_says_so():
    store = MemoryStore()
    turns = [Turn(text=f"paragraph {n}", role=Role.DOCUMENT, kind=Kind.PASSAGE, ref="doc") for n in range(4)]
    first, second = await put(store, turns), await put(store, turns)
    assert (outcomes(first), outcomes(second)) == ([Outcome.STORED] * 4, [Outcome.UNCHANGED] * 4)
    assert second.ids == first.ids
    assert second.ok


async def test_B03_a_retry_is_one_record_with_and_without_its_key():
    store = MemoryStore()
    first = await put(store, [Turn(text="pay the rent", key="k1")])
    for retry in (Turn(text="pay the rent", key="k1"), Turn(text="pay the rent")):
        again = await put(store, [retry])
        assert (outcomes(again), again.ids) == ([Outcome.UNCHANGED], first.ids)


async def test_B04_the_same_capture_three_times_is_one_record_seen_three_times():
    store = MemoryStore()
    for _ in range(3):
        await put(store, ["same content here"], conversation="a")
    assert [record.occurrences for record in await kept(store)] == [3]


async def test_identical_turns_of_one_call_are_records_of_their_own_and_a_retry_adds_none():
    store = MemoryStore()
    turns = ["ok", "and?", "ok", "ok"]
    first, again = await put(store, turns), await put(store, turns)
    assert [record.text for record in await kept(store)] == turns
    assert len(set(first.ids)) == 4
    assert again.ids == first.ids


async def test_identical_turns_are_counted_across_chunks():
    store = MemoryStore()
    receipt = await put(store, ["ok"] * (CHUNK_ITEMS + 2))
    assert len(set(receipt.ids)) == CHUNK_ITEMS + 2


async def test_copies_beyond_the_limit_are_repeats():
    receipt = await put(MemoryStore(), ["ok"] * (MAX_COPIES + 2))
    assert len(set(receipt.ids)) == MAX_COPIES
    assert outcomes(receipt)[-2:] == [Outcome.UNCHANGED] * 2


async def test_a_keyed_turn_has_the_same_id_in_whatever_batch_it_comes():
    store = MemoryStore()
    both = await put(store, [Turn(text="ok", key="k1"), Turn(text="ok", key="k2")])
    alone = await put(store, [Turn(text="ok", key="k2")])
    assert alone.items[0].outcome is Outcome.UNCHANGED
    assert alone.ids[0] == both.ids[1]


async def test_a_key_used_with_other_words_is_refused():
    store = MemoryStore()
    await put(store, [Turn(text="pay the rent", key="k1")])
    receipt = await put(store, [Turn(text="pay the tax", key="k1")])
    assert (receipt.items[0].outcome, receipt.items[0].reason, receipt.items[0].id) == (Outcome.REFUSED, "key_conflict", None)
    assert receipt.items[0].message


async def test_B11_vector_46_vector_47_scopes_know_nothing_of_each_other():
    store = MemoryStore()
    turn = Turn(text="prefers tea", key="k1", conversation="shared-name")
    for scope in (ANA, BEN, Scope(client="acme")):
        assert outcomes(await put(store, [turn], scope=scope)) == [Outcome.STORED]
    assert [len(await kept(store, scope)) for scope in (ANA, BEN)] == [1, 1]


async def test_a_call_without_words_is_stored():
    store = MemoryStore()
    call = {"id": "c1", "type": "function", "function": {"name": "price", "arguments": "{}"}}
    await put(store, [{"role": "assistant", "content": None, "tool_calls": [call]}])
    (record,) = await kept(store)
    assert (record.kind, record.tool_calls) == (Kind.TOOL_CALL, (ToolCall(id="c1", name="price", arguments="{}"),))


async def test_a_note_about_an_item_stands_in_its_receipt():
    receipt = await put(MemoryStore(), [Turn(text="x", said_at=datetime(2030, 1, 1, tzinfo=UTC))])
    assert receipt.items[0].outcome is Outcome.STORED
    assert "future" in receipt.items[0].message


async def test_vector_80_without_vectors_words_are_stored_and_the_receipt_says_so_once():
    store = MemoryStore()
    receipt = await put(store, [f"note {n}" for n in range(CHUNK_ITEMS + 1)], derive=wordless)
    assert receipt.count(Outcome.STORED) == CHUNK_ITEMS + 1
    assert receipt.degraded == ("The embedder did not answer.",)


async def test_many_different_notes_are_told_in_part_and_counted():
    calls = iter(range(100))

    async def worse(records):
        return Derived(entries=[[] for _ in records], note=f"Chunk {next(calls)} has no vectors.")

    receipt = await put(MemoryStore(), (f"note {n}" for n in range(8 * CHUNK_ITEMS)), derive=worse)
    assert receipt.degraded[0] == "Chunk 0 has no vectors."
    assert receipt.degraded[-1].startswith("3 more")
    assert len(receipt.degraded) == 6


async def test_vector_80_the_real_embedder_may_fail_in_the_middle():
    store = MemoryStore()
    failing = FailingEmbedder(after=1)
    await store.adopt((failing.identity, failing.dim))
    receipt = await put(store, [f"note {n}" for n in range(200)], derive=partial(derive, embedder=failing))
    assert receipt.count(Outcome.STORED) == 200
    assert receipt.degraded


async def test_vector_21_vectors_the_store_will_not_have_cost_the_vectors_and_not_the_words():
    store = MemoryStore()
    await store.adopt(("other", 3))
    receipt = await put(store, ["one", "two"], derive=vectors)
    assert receipt.count(Outcome.STORED) == 2
    assert len(receipt.degraded) == 1
    assert [record.text for record in await kept(store)] == ["one", "two"]


async def test_chunks_are_bounded_by_items_and_by_size():
    store = Brittle({})
    await put(store, [f"note {n}" for n in range(2 * CHUNK_ITEMS + 1)])
    await put(store, [f"{n}" * 300_000 for n in range(8)])
    await put(store, ({"role": "user", "content": f"{n}" * 300_000} for n in range(8)))
    assert store.sizes == [CHUNK_ITEMS, CHUNK_ITEMS, 1, 4, 4, 4, 4]


async def test_a_failed_chunk_is_failed_and_the_next_ones_go_on():
    store = Brittle({1: StoreError("this chunk cannot be kept.", hint="Look at it.")})
    receipt = await put(store, [f"note {n}" for n in range(3 * CHUNK_ITEMS)])
    counts = [receipt.count(outcome) for outcome in (Outcome.STORED, Outcome.FAILED)]
    assert counts == [2 * CHUNK_ITEMS, CHUNK_ITEMS]
    assert {item.reason for item in receipt.items[CHUNK_ITEMS : 2 * CHUNK_ITEMS]} == {"store_error"}


@pytest.mark.parametrize(
    "fault", [StoreFull("the disk is full."), StoreReadOnly("it refuses writes."), StoreBusy("another holds it.")]
)
async def test_when_the_store_cannot_go_on_the_rest_is_failed_and_not_tried(fault):
    store = Brittle({1: fault})
    receipt = await put(store, ["", *(f"note {n}" for n in range(3 * CHUNK_ITEMS)), ""])
    assert len(store.sizes) == 2
    assert receipt.count(Outcome.STORED) == CHUNK_ITEMS - 1
    failed = [item for item in receipt.items if item.outcome is Outcome.FAILED]
    assert {item.reason for item in failed} == {fault.reason}
    assert len(receipt.items) == 3 * CHUNK_ITEMS + 2
    again = await put(store, [f"note {n}" for n in range(3 * CHUNK_ITEMS)])
    assert again.count(Outcome.STORED) == 2 * CHUNK_ITEMS + 1


@pytest.mark.parametrize(
    "fault", [StoreFull("full."), StoreReadOnly("read-only."), StoreError("odd."), MissingExtra("not installed.")]
)
async def test_when_nothing_could_be_written_the_error_is_raised(fault):
    store = Brittle({"all": fault})
    with pytest.raises(type(fault)):
        await put(store, ["one", "two"])


async def test_an_embedder_error_that_is_no_longer_about_vectors_is_raised():
    with pytest.raises(EmbedderError):
        await put(Brittle({"all": EmbedderError("odd.")}), ["one"])


async def test_refused_items_alone_write_nothing_and_raise_nothing():
    store = Brittle({"all": StoreFull("full.")})
    receipt = await put(store, ["", " "])
    assert outcomes(receipt) == [Outcome.REFUSED] * 2
    assert store.sizes == []
    assert (await put(store, [])).items == ()


async def test_a_cancelled_call_leaves_whole_chunks():
    calls = 0
    second = asyncio.Event()

    async def slow(records):
        nonlocal calls
        calls += 1
        if calls == 2:
            second.set()
            await asyncio.Event().wait()
        return await words(records)

    store = MemoryStore()
    task = asyncio.create_task(put(store, [f"note {n}" for n in range(3 * CHUNK_ITEMS)], derive=slow))
    await second.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(await kept(store)) == CHUNK_ITEMS


@given(st.lists(st.sampled_from(["a", "b", "", "c\0"]), max_size=12))
def test_every_item_has_its_receipt_in_order_and_a_retry_is_a_no_op(texts):
    async def both():
        store = MemoryStore()
        return await put(store, texts), await put(store, texts), await kept(store)

    first, again, records = asyncio.run(both())
    assert [item.place for item in first.items] == [f"turns[{n}]" for n in range(len(texts))]
    assert [item.outcome is Outcome.STORED for item in first.items] == [text in "abc" and bool(text) for text in texts]
    assert again.ids == first.ids == tuple(record.id for record in records)
    assert [replace(item, outcome=Outcome.STORED) if item.id else item for item in again.items] == list(first.items)
