"""Transcripts of talks: WebVTT, SubRip, and lines with a time and a name, as one passage for each time somebody speaks.

Rule of this file: pure. A time in the recording becomes `said_at` only when it is known when that began; it is always cited.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from muniment.types import Kind, Role, Turn

VTT, SRT, SPOKEN = "webvtt", "subrip", "transcript"

_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d{2}"
_CUE = re.compile(rf"({_CLOCK})[.,]\d{{1,3}}[ \t]+-->[ \t]+{_CLOCK}[.,]\d{{1,3}}")
_SRT = re.compile(rf"\s*\d+[ \t]*\r?\n{_CUE.pattern}")
_VOICE = re.compile(r"<v(?:\.[\w.-]{1,40})?[ \t]+([^>\n]{1,120})>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:v|c|i|b|u|ruby|rt|lang|font)\b[^>\n]{0,120}>|<\d[\d:.]{0,14}>", re.IGNORECASE)
_NAMED = re.compile(r"(?:-[ \t]*)?([^\W\d_][\w .'’-]{0,39}):[ \t]+(?=\S)")  # noqa: RUF001  # names have this sign
_NAME = r"(?P<name>[^\W\d_][^:\n()\[\]<>]{0,59}?)"
_LINES = (
    re.compile(rf"[ \t]*[\[(](?P<at>{_CLOCK})(?:[.,]\d{{1,3}})?[\])][ \t]*(?:-[ \t]*)?{_NAME}[ \t]*:[ \t]*(?P<text>.*)"),
    re.compile(rf"[ \t]*(?P<at>{_CLOCK})(?:[.,]\d{{1,3}})?[ \t]+(?:-[ \t]*)?{_NAME}[ \t]*:[ \t]*(?P<text>.*)"),
    re.compile(rf"[ \t]*{_NAME}[ \t]*[\[(](?P<at>{_CLOCK})(?:[.,]\d{{1,3}})?[\])][ \t]*:?[ \t]*(?P<text>.*)"),
)
_HEAD = re.compile(rf"[ \t]*(?P<name>[^\W\d_][^:\n()\[\]<>]{{0,59}}?)[ \t]{{1,8}}(?P<at>{_CLOCK})[ \t]*(?P<text>)")
_SAMPLE = 40
_MOST_TURN = 2000
"""Characters after which what one speaker says without a break begins another passage."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words of one speaker from `at`, a clock time within the recording."""

    at: str
    speaker: str
    text: str


def transcript_kind(text: str) -> str:
    """Which kind of transcript this is, or nothing. Lines are one when two, and half of the first, have time and name."""
    if text.startswith("WEBVTT") and _CUE.search(text):
        return VTT
    if _SRT.match(text):
        return SRT
    if _has_heads(text):
        return SPOKEN
    sample = [line for line in text.split("\n", _SAMPLE)[:_SAMPLE] if line.strip()]
    spoken = sum(any(form.fullmatch(line.rstrip("\r")) for form in _LINES) for line in sample)
    return SPOKEN if spoken > 1 and 2 * spoken >= len(sample) else ""


def transcript_turns(text: str, kind: str, *, document: str, began: datetime | None = None) -> list[Turn]:
    """One untrusted passage for each stretch of one speaker, citing its time; `began`, an aware time, gives it `said_at`."""
    said = _spoken(text) if kind == SPOKEN else _cues(text)
    return [
        Turn(
            text=one.text,
            role=Role.DOCUMENT,
            kind=Kind.PASSAGE,
            speaker=one.speaker or None,
            said_at=None if began is None else began + _offset(one.at),
            ref=f"{document}, {one.at}",
            metadata={"at": one.at},
        )
        for one in _joined(said)
    ]


def _has_heads(text: str) -> bool:
    """Whether names and times stand on lines of their own, each above what is said then, and the times go forward."""
    lines = [line for line in text.split("\n", _SAMPLE)[:_SAMPLE] if line.strip()]
    heads = [match and match["at"] for match in (_HEAD.fullmatch(line.rstrip("\r")) for line in lines)]
    times = [_offset(at) for at in heads if at]
    apart = all(not (one and other) for one, other in pairwise(heads))
    return len(times) > 1 and bool(heads[0]) and apart and times == sorted(times)


def _line(line: str) -> re.Match[str] | None:
    return next((match for form in (*_LINES, _HEAD) if (match := form.fullmatch(line.rstrip("\r")))), None)


def _spoken(text: str) -> Iterator[Said]:
    """Lines with a time and a name; one without goes on with what was said before."""
    at, speaker, words = "", "", list[str]()
    for line in text.split("\n"):
        match = _line(line)
        if match:
            yield Said(at, speaker, "\n".join(words).strip())
            at, speaker, words = match["at"], match["name"].strip(), [match["text"]]
        else:
            words.append(line.rstrip("\r"))
    yield Said(at, speaker, "\n".join(words).strip())


def _cues(text: str) -> Iterator[Said]:
    """The cues of a WebVTT or SubRip file; notes, styles and numbers are left out."""
    speaker = ""
    for block in re.split(r"\r?\n[ \t]*\r?\n", text):
        lines = block.strip("\r\n").splitlines()
        start = next((i for i, line in enumerate(lines[:2]) if _CUE.match(line)), None)
        if start is None:
            continue
        cue = _CUE.match(lines[start])
        for line in lines[start + 1 :]:
            voice, plain = _VOICE.search(line), html.unescape(_TAG.sub("", line)).strip()
            named = None if voice else _NAMED.match(plain)
            speaker = voice[1].strip() if voice else named[1].strip() if named else speaker
            words = plain[named.end() :] if named else plain
            yield Said(cue[1] if cue else "", speaker, words)


def _joined(said: Iterator[Said]) -> Iterator[Said]:
    """What one speaker says in a row as one, up to `_MOST_TURN` characters."""
    last: Said | None = None
    for one in said:
        if not one.text:
            continue
        if last and last.speaker == one.speaker and len(last.text) + len(one.text) < _MOST_TURN:
            last = Said(last.at, last.speaker, last.text if last.text.endswith(one.text) else f"{last.text} {one.text}")
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


def _offset(at: str) -> timedelta:
    seconds = 0
    for part in at.split(":") if at else ():
        seconds = 60 * seconds + int(part)
    return timedelta(seconds=seconds)
