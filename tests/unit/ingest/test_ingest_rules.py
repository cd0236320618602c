"""One turn at a time: what is kept and as what, what is refused and why, and which id follows."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import InputError
from muniment.ingest import rules
from muniment.ingest.rules import (
    accept,
    check_record,
    content_digest,
    find_nth,
    is_blank,
    record_id,
    record_of,
    refusal,
    trust_of,
)
from muniment.testing import strategies as draw
from muniment.text.fence import fence
from muniment.types import Kind, Outcome, Role, Scope, ToolCall, Trust, Turn

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ANA = Scope(client="acme", user="ana")
PINNED = ["l6b6mucrax232qsp", "dz4wxrckhq6pcadd"]
"""Ids of one turn and its first copy. They are kept in stores and exports, so they never change."""
SAID = datetime(2026, 3, 1, 8, 30, 0, 123_456, tzinfo=UTC)


def reason(turn: Turn) -> str:
    with pytest.raises(InputError) as error:
        accept(turn, now=NOW)
    assert error.value.message
    assert error.value.hint
    return error.value.reason


def id_of(turn: Turn, scope: Scope = ANA, nth: int = 0) -> str:
    return record_id(content_digest(accept(turn, now=NOW).turn, scope), nth)


def record(turn: Turn, nth: int = 0):
    kept = accept(turn, now=NOW).turn
    return record_of(kept, scope=ANA, agent="default", now=NOW, digest=content_digest(kept, ANA), nth=nth)


@given(draw.turns())
def test_what_is_accepted_keeps_its_words_and_is_accepted_again(turn):
    try:
        kept = accept(turn, now=NOW).turn
    except InputError as error:
        assert refusal("turns[0]", error).outcome is Outcome.REFUSED  # noqa: PT017  refusing is one of two right answers
        return
    assert kept.text == turn.text
    assert accept(kept, now=NOW).turn == kept


@pytest.mark.parametrize("field", ["text", "speaker", "conversation", "ref", "key", "origin", "tool_call_id"])
def test_vector_01_nul_is_refused_in_every_field(field):
    assert reason(replace(Turn(text="x"), **{field: "ab\0cd"})) in {"nul_not_allowed", "id_invalid"}


def test_vector_01_nul_is_refused_in_metadata_and_tool_calls():
    assert reason(Turn(text="x", metadata={"k": "ab\0cd"})) == "nul_not_allowed"
    assert reason(Turn(text="x", metadata={"a\0b": "v"})) == "nul_not_allowed"
    for part in ("id", "name", "arguments"):
        call = ToolCall(**{"id": "c", "name": "n", "arguments": "{}", part: "a\0b"})
        assert reason(Turn(text="x", tool_calls=(call,))) == "nul_not_allowed"


def test_vector_03_lone_surrogates_are_refused():
    assert reason(Turn(text="ab\ud83d")) == "invalid_unicode"
    assert reason(Turn(text="x", metadata={"k": "\udc00"})) == "invalid_unicode"


@pytest.mark.parametrize(
    "text", ["👩‍👩‍👧 🇵🇹 1️⃣ 👍🏽", "e\u0301 and é", "invoice\u202egnp.exe", "Z" + "\u0301" * 10_000, "\ufdfa" * 60_000]
)
def test_vectors_04_05_08_09_strange_text_is_kept_byte_for_byte(text):
    assert accept(Turn(text=text), now=NOW).turn.text == text


def test_vector_10_the_limit_counts_bytes_of_utf8():
    assert accept(Turn(text="a" * rules.MAX_TEXT), now=NOW)
    assert accept(Turn(text="é" * (rules.MAX_TEXT // 2)), now=NOW)
    assert reason(Turn(text="a" * (rules.MAX_TEXT + 1))) == "too_large"
    assert reason(Turn(text="é" * (rules.MAX_TEXT // 2 + 1))) == "too_large"
    assert reason(Turn(text="a" * (100 << 20))) == "too_large"


@pytest.mark.parametrize(
    "text", ["", "   ", "\u200b", "\n", "\ufeff", "\u2060\u200d\ufe0f", "\u3164", "\u2028\u00a0\t", "\u202e"], ids=ascii
)
def test_vector_11_nothing_to_see_is_refused(text):
    assert is_blank(text)
    assert reason(Turn(text=text)) == "empty_content"


@pytest.mark.parametrize("text", ["0", ".", "ok", "👍", "的", "\u200bx"])
def test_short_text_is_kept(text):
    assert accept(Turn(text=text), now=NOW).turn.text == text


def test_a_call_without_words_is_kept():
    kept = accept(
        Turn(text="", role=Role.ASSISTANT, kind=Kind.TOOL_CALL, tool_calls=(ToolCall(id="c", name="n", arguments=""),)), now=NOW
    )
    assert kept.turn.tool_calls[0].name == "n"


def test_vector_16_metadata_is_bounded():
    assert accept(Turn(text="x", metadata={"Key": "1", "key": "2"}), now=NOW).turn.metadata == {"Key": "1", "key": "2"}
    assert reason(Turn(text="x", metadata={str(n): "" for n in range(1001)})) == "too_many_keys"
    assert reason(Turn(text="x", metadata={"k" * 256: ""})) == "key_too_long"
    assert reason(Turn(text="x", metadata={"k": "v" * (64 << 10)})) == "too_large"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 42),
        ("text", None),
        ("text", b"x"),
        ("speaker", 1),
        ("conversation", True),
        ("metadata", [("a", "b")]),
        ("metadata", {"a": 1}),
        ("metadata", {1: "a"}),
        ("tool_calls", "call"),
        ("tool_calls", ({"id": "c"},)),
        ("tool_calls", (ToolCall(id="c", name="n", arguments={}),)),
        ("tool_calls", (ToolCall(id=None, name="n", arguments=""),)),
        ("role", "wizard"),
        ("kind", None),
    ],
)
def test_vector_17_wrong_types_are_refused_with_the_field(field, value):
    with pytest.raises(InputError) as error:
        accept(replace(Turn(text="x"), **{field: value}), now=NOW)
    assert error.value.reason == "type"
    assert error.value.place.startswith(field)


def test_roles_and_kinds_may_be_words():
    kept = accept(Turn(text="x", role="tool", kind="tool_result"), now=NOW).turn
    assert (kept.role, kept.kind) == (Role.TOOL, Kind.TOOL_RESULT)


@pytest.mark.parametrize(
    "value", ["", "x" * 256, ".", "..", "/", "a/b", "con", "a.", "a\nb", "a\tb", "admin ", "admin\u200b", "../../etc/hosts"]
)
def test_vectors_07_30_39_a_conversation_is_a_strict_id(value):
    assert reason(Turn(text="x", conversation=value)) == "id_invalid"


def test_vector_06_a_conversation_must_be_nfc():
    assert reason(Turn(text="x", conversation="e\u0301")) == "id_not_normalized"


def test_a_speaker_is_any_visible_short_name_kept_verbatim():
    for name in ("Zoe\u0308", "عائشة", "Dr. O'Neill / QA", "👩‍🔬 Mia"):
        assert accept(Turn(text="x", speaker=name), now=NOW).turn.speaker == name
    assert reason(Turn(text="x", speaker="a\nb")) == "control_character"
    assert reason(Turn(text="x", speaker=" \u200b")) == "empty_content"
    assert reason(Turn(text="x", speaker="é" * 128)) == "too_large"


def test_a_speaker_in_two_spellings_is_the_same_evidence():
    assert id_of(Turn(text="x", speaker="Zoë")) == id_of(Turn(text="x", speaker=unicodedata.normalize("NFD", "Zoë")))
    assert id_of(Turn(text="x", speaker="Zoë")) != id_of(Turn(text="x", speaker="Zoe"))


def test_D01_D08_times_are_kept_in_utc_with_microseconds():
    local = SAID.astimezone(timezone(timedelta(hours=-7)))
    kept = accept(Turn(text="x", said_at=local), now=NOW).turn
    assert kept.said_at == SAID
    assert kept.said_at.tzinfo is UTC


def test_vector_65_naive_and_impossible_zones_are_refused():
    assert reason(Turn(text="x", said_at=datetime(2026, 3, 29, 2, 30))) == "tz_required"  # noqa: DTZ001  the missing zone is the case
    assert reason(Turn(text="x", said_at=datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=23))))) == "timestamp_invalid"


def test_vector_66_the_future_is_kept_and_flagged():
    kept = accept(Turn(text="x", said_at=NOW + timedelta(days=1)), now=NOW)
    assert kept.turn.said_at == NOW + timedelta(days=1)
    assert "future" in kept.note
    assert not accept(Turn(text="x", said_at=NOW + timedelta(minutes=1)), now=NOW).note
    assert not accept(Turn(text="x", said_at=datetime(1200, 1, 1, tzinfo=UTC)), now=NOW).note


def test_D05_an_unknown_time_stays_unknown():
    assert accept(Turn(text="yesterday the sensors failed"), now=NOW).turn.said_at is None


def test_D09_a_date_in_the_words_is_not_a_time():
    text = "[imported 2026-05-18 10:00] Ben joined in 2021"
    kept = accept(Turn(text=text), now=NOW).turn
    assert (kept.text, kept.said_at) == (text, None)


def test_A02_recalled_text_is_left_out_and_said_so():
    framed = fence("I am allergic to nuts", "ab12cd34")
    kept = accept(Turn(text=f"What can I cook?\n\n{framed}"), now=NOW)
    assert "allergic" not in kept.turn.text
    assert "What can I cook?" in kept.turn.text
    assert "recalled" in kept.note.lower()
    assert reason(Turn(text=framed)) == "recalled_text"


def test_recalled_text_that_joins_anew_is_taken_out_or_refused():
    framed = fence("inner", "ab12cd34")
    opening, rest = framed[:5], framed[5:]
    nested = opening + fence("bait", "ffff0000") + rest
    try:
        kept = accept(Turn(text=nested), now=NOW).turn
    except InputError as error:
        assert error.reason == "recalled_text"  # noqa: PT017  refusing is one of two right answers
        return
    assert accept(kept, now=NOW).turn == kept


@pytest.mark.parametrize(
    ("role", "kind", "trust"),
    [
        (Role.USER, Kind.TURN, Trust.TRUSTED),
        (Role.ASSISTANT, Kind.TOOL_CALL, Trust.TRUSTED),
        (Role.TOOL, Kind.TURN, Trust.UNTRUSTED),
        (Role.USER, Kind.TOOL_RESULT, Trust.UNTRUSTED),
        (Role.DOCUMENT, Kind.PASSAGE, Trust.UNTRUSTED),
        (Role.USER, Kind.PASSAGE, Trust.UNTRUSTED),
    ],
)
def test_trust_follows_from_role_and_kind(role, kind, trust):
    assert trust_of(role, kind) is trust


@pytest.mark.parametrize(
    "other",
    [
        Turn(text="hello "),
        Turn(text="hello", role=Role.ASSISTANT),
        Turn(text="hello", speaker="Ana"),
        Turn(text="hello", conversation="b"),
        Turn(text="hello", said_at=SAID),
        Turn(text="hello", ref="m1"),
        Turn(text="hello", tool_call_id="m1"),
        Turn(text="hello", tool_calls=(ToolCall(id="c", name="n", arguments="{}"),)),
    ],
)
def test_an_id_differs_when_the_evidence_does(other):
    assert id_of(other) != id_of(Turn(text="hello"))


def test_an_id_does_not_depend_on_where_a_copy_came_from():
    same = Turn(text="hello", origin="other.json", key="k", metadata={"a": "b"}, place="other.json:3", speaker="user")
    assert id_of(same) == id_of(Turn(text="hello"))


def test_vector_47_B11_the_same_words_in_another_scope_are_another_id():
    scopes = [ANA, Scope(client="acme", user="ben"), Scope(client="acme"), Scope(user="ana"), Scope(customer="acme", user="ana")]
    assert len({id_of(Turn(text="prefers tea"), scope) for scope in scopes}) == len(scopes)


def test_fields_never_run_together():
    pairs = [("ab", "c"), ("a", "bc"), ("", "abc")]
    ids = {id_of(Turn(text="x", conversation=a or None, ref=b)) for a, b in pairs}
    assert len(ids) == len(pairs)
    assert id_of(Turn(text="x", ref="m")) != id_of(Turn(text="x", tool_call_id="m"))


def test_ids_are_the_same_on_every_machine():
    turn = Turn(text="The ferry leaves at noon.", speaker="Zoë", conversation="a", said_at=SAID)
    assert [id_of(turn), id_of(turn, nth=1)] == PINNED
    assert all(len(value) == 16 and value.isascii() and value.isalnum() for value in PINNED)


def test_the_copy_a_record_is_can_be_found_again():
    turn = Turn(text="ok", role=Role.ASSISTANT)
    assert [find_nth(record(turn, nth)) for nth in (0, 1, 999)] == [0, 1, 999]
    assert find_nth(replace(record(turn), text="not ok")) is None


@given(draw.turns())
def test_what_ingest_writes_passes_the_check_of_restore(turn):
    try:
        kept = record(turn)
    except InputError:
        return
    check_record(kept)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"text": "forged"}, "id_mismatch"),
        ({"scope": Scope(user="eve")}, "id_mismatch"),
        ({"id": "aaaaaaaaaaaaaaaa"}, "id_mismatch"),
        ({"said_at": NOW}, "id_mismatch"),
        ({"role": Role.TOOL, "trust": Trust.TRUSTED}, "id_mismatch"),
        ({"agent": "../x"}, "id_invalid"),
        ({"occurrences": 0}, "type"),
        ({"recorded_at": datetime(2026, 3, 2)}, "tz_required"),  # noqa: DTZ001  the missing zone is the case
        ({"kind": Kind.PASSAGE}, "trust_raised"),
        ({"metadata": {"k": "\0"}}, "nul_not_allowed"),
    ],
)
def test_a_record_that_could_not_have_been_written_here_is_refused(change, code):
    with pytest.raises(InputError) as error:
        check_record(replace(record(Turn(text="true")), **change))
    assert error.value.reason == code


@given(st.text(max_size=30))
def test_blank_means_that_nothing_shows(text):
    shown = [c for c in text if unicodedata.category(c)[0] in "LNPS" and c not in "\u115f\u1160\u2800\u3164\uffa0"]
    assert not (shown and is_blank(text))
