"""A record comes back as it was put, in every field."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from muniment.errors import InputError
from muniment.ports import Store, Target, Write
from muniment.testing.conformance.base import ANA, BEN, CUSTOMER, StoreUnderTest, fill
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_record, sample_write
from muniment.types import Filter, Kind, Outcome, RecordId, Role, ToolCall, Trust

TEXTS = {
    "plain": "The kettle is in the blue cupboard.",
    "composed": "Zo\u00eb",
    "combining": "Zoe\u0308 \u0061\u0323\u0307",
    "emoji": "👩‍👩‍👧 🇵🇹 1️⃣ 👍🏽",
    "right_to_left": "الطقس جميل اليوم، שלום",
    "override": "invoice\u202egnp.exe",
    "cjk": "今天天气很好。昨日、京都へ行きました",
    "thai": "วันนี้อากาศดี",
    "line_ends": "one\r\ntwo\rthree\nfour\u2028five\x1f",
    "edges": "  \n leading and trailing \t ",
    "statement": "'; DROP TABLE record; -- %_ \" \\ ? :name",
    "astral": "\U0001f9ff\U00020000\U0010fffd",
    "long": "word " * 20_000,
}


class RecordsConformance(StoreUnderTest):
    """Putting and getting."""

    async def test_D08_every_field_of_a_record_comes_back(self, store: Store) -> None:
        record = sample_record(
            ANA,
            "Call the harbour office.",
            role=Role.ASSISTANT,
            kind=Kind.TOOL_CALL,
            speaker="Ben Vale 👋",
            agent="planner",
            recorded_at=datetime(2026, 3, 1, 10, 0, 0, 123457, tzinfo=UTC),
            said_at=datetime(2026, 2, 28, 23, 59, 59, 999999, tzinfo=UTC),
            conversation="the trip",
            ref="message-17",
            origin="notes.md",
            trust=Trust.UNTRUSTED,
            tool_calls=(
                ToolCall(id="c1", name="dial", arguments='{"n": "\\u00e9"}'),
                ToolCall(id="c2", name="wait", arguments="not json"),
            ),
            tool_call_id="c0",
            metadata={"user": "ben", "__class__": "x", "$.a'": '"', "": "", "é": "🙂"},
            occurrences=3,
        )
        await store.put([Write(record=record, entries=[])])
        (kept,) = await store.get(ANA, [record.id])
        assert kept == replace(record, seq=1)
        assert kept.recorded_at.utcoffset() == timedelta(0)

    @pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
    async def test_a_text_comes_back_unchanged(self, store: Store, text: str) -> None:
        (kept,) = await fill(store, ANA, text)
        assert kept.text == text

    @pytest.mark.parametrize("role", Role)
    @pytest.mark.parametrize("kind", Kind)
    async def test_every_role_and_kind_comes_back(self, store: Store, role: Role, kind: Kind) -> None:
        write = sample_write(ANA, role=role, kind=kind)
        await store.put([write])
        (kept,) = await store.get(ANA, [write.record.id])
        assert (kept.role, kept.kind) == (role, kind)

    async def test_what_was_not_given_stays_not_given(self, store: Store) -> None:
        (kept,) = await fill(store, ANA, "Nobody said when.")
        assert (kept.said_at, kept.conversation, kept.ref, kept.tool_call_id) == (None, None, None, None)
        assert (kept.origin, kept.tool_calls, dict(kept.metadata), kept.trust) == ("", (), {}, Trust.TRUSTED)

    @pytest.mark.parametrize("hours", [-12, -3.5, 0, 5.75, 14])
    async def test_D02_a_time_in_any_zone_is_kept_as_the_same_instant_in_utc(self, store: Store, hours: float) -> None:
        local = datetime(2026, 7, 25, 1, 30, 0, 1, tzinfo=timezone(timedelta(hours=hours)))
        write = sample_write(ANA, said_at=local, recorded_at=local)
        await store.put([write])
        (kept,) = await store.get(ANA, [write.record.id])
        assert kept.said_at == kept.recorded_at == local
        assert kept.said_at is not None
        assert (kept.said_at.utcoffset(), kept.recorded_at.utcoffset()) == (timedelta(0), timedelta(0))

    @pytest.mark.parametrize("year", [2, 1200, 1969, 2038, 9998])
    async def test_far_years_keep_their_microseconds(self, store: Store, year: int) -> None:
        at = datetime(year, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
        write = sample_write(ANA, said_at=at)
        await store.put([write])
        (kept,) = await store.get(ANA, [write.record.id])
        assert kept.said_at == at

    async def test_seq_counts_from_one_in_each_scope_in_order_of_arrival(self, store: Store) -> None:
        first = await fill(store, ANA, "one", "two")
        other = await fill(store, BEN, "uno")
        later = await fill(store, ANA, "three")
        assert [r.seq for r in [*first, *later]] == [1, 2, 3]
        assert [r.seq for r in other] == [1]

    async def test_get_answers_in_the_order_asked_and_leaves_out_the_absent(self, store: Store) -> None:
        one, two, three = await fill(store, ANA, "one", "two", "three")
        assert await store.get(ANA, [three.id, RecordId("absent"), one.id, two.id]) == [three, one, two]
        assert list(await store.get(ANA, [])) == []

    async def test_get_sees_ancestors_but_nothing_below(self, store: Store) -> None:
        (above,) = await fill(store, CUSTOMER, "The office opens at nine.")
        (own,) = await fill(store, ANA, "My desk is by the window.")
        assert list(await store.get(ANA, [own.id, above.id])) == [own, above]
        assert list(await store.get(CUSTOMER, [own.id, above.id])) == [above]

    @pytest.mark.parametrize(
        "spoiled",
        [
            {"text": "half \ud83d"},
            {"speaker": "\udc00"},
            {"conversation": "a\ud800"},
            {"metadata": {"a": "\ud83d"}},
            {"metadata": {"\ud83d": "a"}},
            {"tool_calls": (ToolCall(id="1", name="a", arguments="\ud83d"),)},
        ],
        ids=["text", "speaker", "conversation", "metadata", "metadata_key", "tool_call"],
    )
    async def test_vector_03_half_a_character_is_refused_and_nothing_is_kept(self, store: Store, spoiled: dict[str, Any]) -> None:
        bad = Write(record=replace(sample_record(ANA, "spoiled"), **spoiled), entries=[])
        with pytest.raises(InputError) as caught:
            await store.put([sample_write(ANA, "sound"), bad])
        assert (caught.value.reason, caught.value.place) == ("invalid_unicode", bad.record.id)
        assert (await store.stats(None)).records == 0

    async def test_vector_03_asking_for_half_a_character_finds_nothing(self, store: Store) -> None:
        with pytest.raises(InputError):
            await store.put([sample_write(ANA, "sound", key="\ud83d")])
        await fill(store, ANA, "sound")
        assert list(await store.get(ANA, [RecordId("\ud83d")])) == []
        assert (await store.page(ANA, Filter(conversation="\ud83d"), limit=5)).records == ()
        for target in (Target(scope=ANA, ids=(RecordId("\ud83d"),)), Target(scope=ANA, conversation="\ud83d")):
            assert (await store.erase(target, NOON)).records == 0

    @pytest.mark.parametrize("field", ["said_at", "recorded_at"])
    async def test_D01_a_time_without_a_zone_is_refused_and_never_guessed(self, store: Store, field: str) -> None:
        naive: dict[str, Any] = {field: datetime(2026, 7, 25, 2)}  # noqa: DTZ001  that is the point
        with pytest.raises(InputError) as caught:
            await store.put([sample_write(ANA, "sound"), sample_write(ANA, "when?", **naive)])
        assert (caught.value.reason, caught.value.place) == ("tz_required", field)
        assert (await store.stats(None)).records == 0

    async def test_putting_nothing_does_nothing(self, store: Store) -> None:
        assert list(await store.put([])) == []
        assert (await store.stats(None)).records == 0

    async def test_one_call_may_write_to_several_scopes(self, store: Store) -> None:
        writes = [sample_write(scope, "same words") for scope in (ANA, BEN, CUSTOMER)]
        written = await store.put(writes)
        assert [item.outcome for item in written] == [Outcome.STORED] * 3
        for write in writes:
            (kept,) = await store.get(write.record.scope, [write.record.id])
            assert (kept.scope, kept.seq) == (write.record.scope, 1)

    async def test_a_caller_cannot_change_what_is_kept(self, store: Store) -> None:
        given = {"colour": "blue"}
        write = sample_write(ANA, metadata=given)
        await store.put([write])
        given["colour"] = "red"
        for _ in range(2):
            (kept,) = await store.get(ANA, [write.record.id])
            assert kept.metadata == {"colour": "blue"}
            if isinstance(kept.metadata, dict):
                kept.metadata["colour"] = "green"
