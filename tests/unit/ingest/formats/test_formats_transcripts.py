"""Transcripts: who said what and when in the recording, and at what time of day once it is known when that began."""

# ruff: noqa: E501  # samples stay whole
from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.ingest.formats import read_turns
from muniment.types import Kind, Role

VTT = """WEBVTT

NOTE made by a machine

1
00:00:01.000 --> 00:00:03.000
<v Ana Silva>We ship &amp; sell</v>
<v Ana Silva>on Friday.</v>

00:01:04.500 --> 00:01:05.000 align:start
<v Ben>Fine with <i>me</i>.
"""
SRT = "1\r\n00:00:01,000 --> 00:00:02,000\r\nAna: Hello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nhow are you\r\n\r\n3\r\n00:00:09,000 --> 00:00:10,000\r\nBen: Well.\r\n"
LINES = "[00:01:02] Ana: We ship on Friday.\n[00:01:09] Ben: ok\nand more\n"
AFTER = "Ana (10:02): hi\nBen (10:03): ho\n"
HEADS = "Ana Silva  00:12\nWe should go.\n\nBen  00:15\nYes.\n"


def read(text, **given):
    return read_turns(text.encode(), name="call.vtt", **given)


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (VTT, "webvtt", [("00:00:01", "Ana Silva", "We ship & sell on Friday."), ("00:01:04", "Ben", "Fine with me.")]),
        (SRT, "subrip", [("00:00:01", "Ana", "Hello how are you"), ("00:00:09", "Ben", "Well.")]),
        (LINES, "transcript", [("00:01:02", "Ana", "We ship on Friday."), ("00:01:09", "Ben", "ok\nand more")]),
        (AFTER, "transcript", [("10:02", "Ana", "hi"), ("10:03", "Ben", "ho")]),
        (HEADS, "transcript", [("00:12", "Ana Silva", "We should go."), ("00:15", "Ben", "Yes.")]),
    ],
)
def test_each_form_gives_who_said_what_when(text, kind, said):
    parsed = read(text)
    assert parsed.format == kind
    assert [(turn.metadata["at"], turn.speaker, turn.text) for turn in parsed.turns] == said
    assert {(turn.role, turn.kind, turn.said_at) for turn in parsed.turns} == {(Role.DOCUMENT, Kind.PASSAGE, None)}
    assert parsed.turns[0].ref == f"call.vtt, {said[0][0]}"


def test_times_of_day_follow_from_when_the_recording_began():
    turns = read(LINES, began=datetime(2026, 3, 1, 10, tzinfo=UTC)).turns
    assert [turn.said_at for turn in turns] == [
        datetime(2026, 3, 1, 10, 1, 2, tzinfo=UTC),
        datetime(2026, 3, 1, 10, 1, 9, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    "text", ["At 10:02 we met.\nThen: lunch.\n", "Note: this is text\nand more\n", "12:30\n", "Ratio 3:20 and 4:30\n"]
)
def test_prose_with_times_is_no_transcript(text):
    assert read(text).format in {"text", "markdown"}


@given(st.text(alphabet="Ana: 0123[]()<v>-\n\r.,W", max_size=200))
def test_any_text_is_read_without_a_fault(text):
    for start in (
        "",
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n",
        "[00:01] A: b\n[00:02] B: c\n",
        "1\n00:00:01,000 --> 00:00:02,000\n",
    ):
        if (start + text).strip():
            read(f"{start}x{text}")
