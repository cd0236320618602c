"""Where a text stops being its writer's own words: what is pasted or forwarded, and whose line of a transcript it is.

Rule of this file: pure and linear; a line that announces a text makes all behind it that text, up to the mark that closes it. In
doubt words are not the writer's, for what is trusted of a stranger does more harm than what is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from muniment.ingest.extract import words_pasted as words

_I: Final = re.IGNORECASE
_LINE: Final = 300
_ASKED: Final = r"\W*(?:(?:please|pls|hi|hello|hey|can you|could you|would you|will you|help me|kindly|now),? )*"
_WORKING: Final = re.compile(
    rf"{_ASKED}(?:{words.WORKING}\b[^:\n]{{0,80}}|{words.WORKING_ON}[^:.!?\n]{{0,40}}|lyrics|poem): *", _I
)
_ANNOUNCED: Final = re.compile(rf"[^:\n]{{0,160}}\b{words.TEXTS}\b[^:\n]{{0,60}}:\s*$", _I)
_HANDED_OVER: Final = re.compile(rf"[^\n]{{0,160}}\b(?:this|following|below) (?:[\w-]+ ){{0,2}}{words.TEXTS}\b[^\n]{{0,80}}$", _I)
_OWN: Final = re.compile(words.OWN, _I)
_FORWARDED: Final = re.compile(words.FORWARDED, _I)
_FROM: Final = re.compile(r"\W{0,3}from: *\S", _I)
_HEADER: Final = re.compile(rf"\W{{0,3}}{words.HEADER}", _I)
_FENCE: Final = re.compile(r"\s*(-{3,}|={3,}|\*{3,}|_{3,}|\"{3}|'{3}|`{3,}|~{3,}|<{3,}|>{3,})\s*$")
_RULED: Final = re.compile(r"\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|\"{3})\s*$")
_LABEL: Final = re.compile(
    r"\s*(?:\[[^\]\n]{1,30}\]\s*)?(?P<who>[A-Z][\w'.-]{0,24}(?: (?:[A-Z][\w'.-]{0,24}|\d{1,3})){0,2}): +(?=\S)"
)
_FIRST: Final = re.compile(r"\b(?:i|i'm|i've|my|we|our|me)\b", _I)

Stretch = tuple[int, int, str]
"""From, to, and the reason for which it is not the writer's own."""


def pasted(text: str) -> list[Stretch]:
    """The stretches of `text` that are pasted or forwarded, in order and apart from each other."""
    if "\n" not in text and ":" not in text:
        return []
    lines, at = [], 0
    for line in text.splitlines(keepends=True):
        lines.append((at, line))
        at += len(line)
    out: list[Stretch] = []
    place = 0
    while place < len(lines):
        found = _begins(lines, place)
        if found is None:
            place += 1
            continue
        begin, place = found
        close, place = _closes(lines, place)
        end = lines[close - 1][0] + len(lines[close - 1][1]) if close else begin
        if text[begin:end].strip():
            out.append((begin, end, "recalled"))
    return out


def _begins(lines: Sequence[tuple[int, str]], place: int) -> tuple[int, int] | None:
    """Where what the line at `place` announces begins, and the line that it begins in."""
    at, whole = lines[place]
    line = whole[:_LINE].rstrip()
    if found := _WORKING.match(line):
        rest = found.end() < len(line)
        return (at + found.end(), place) if rest else (at + len(whole), place + 1)
    headed = _FROM.match(line) and any(_HEADER.match(other) for _, other in lines[place + 1 : place + 4])
    ruled = _RULED.match(line) and any(_RULED.match(other[:_LINE]) for _, other in lines[place + 1 : place + 200])
    if headed or ruled or _FORWARDED.match(line):
        return at, place
    return (at + len(whole), place + 1) if line and _announces(lines, place, line) else None


def _announces(lines: Sequence[tuple[int, str]], place: int, line: str) -> bool:
    """Whether a line hands over the text below it: "Here is the letter:", or "Can you check this letter?" and an empty line."""
    follows = next((n for n in range(place + 1, len(lines)) if lines[n][1].strip()), 0)
    if not follows or _OWN.search(line):
        return False
    apart = line[-1:] in ("?", ":", ".") and follows > place + 1
    return _ANNOUNCED.match(line) is not None or (apart and _HANDED_OVER.match(line) is not None)


def _closes(lines: Sequence[tuple[int, str]], place: int) -> tuple[int, int]:
    """The line behind the last one of what begins at `place`, and where to look on."""
    first = next((n for n in range(place, len(lines)) if lines[n][1].strip()), len(lines))
    fence = _FENCE.match(lines[first][1][:_LINE]) if first < len(lines) else None
    if fence is None:
        return len(lines), len(lines)
    close = next((n for n in range(first + 1, len(lines)) if _FENCE.match(lines[n][1][:_LINE])), len(lines) - 1)
    return close + 1, close + 1


def labels(text: str, speaker: str) -> list[tuple[int, int, str]]:
    """Lines of a transcript in `text`: where the words behind "Ben:" begin and end, and "Ben"; none for `speaker` themselves."""
    out: list[tuple[int, int, str]] = []
    who, at = "", 0
    if ": " not in text or not _FIRST.search(text):
        return out
    for line in text.splitlines(keepends=True):
        begin = 0
        for found in _starts(line):
            if who and found.start("who") > begin:
                out.append((at + begin, at + found.start("who"), who))
            who, begin = _speaks(found["who"], speaker), found.end()
        who = who if line.strip() else ""
        if who and begin < len(line):
            out.append((at + begin, at + len(line), who))
        at += len(line)
    return out


def _starts(line: str) -> list[re.Match[str]]:
    """Labels at the start of a line and, once there is one, behind the ends of its sentences."""
    first = _LABEL.match(line)
    if first is None or first["who"].casefold() in words.NO_LABELS:
        return []
    more = (_LABEL.match(line, end.end()) for end in re.finditer(r"[.!?] ", line))
    return [first, *(found for found in more if found and found["who"].casefold() not in words.NO_LABELS)]


def _speaks(label: str, speaker: str) -> str:
    return "" if label.casefold() in (speaker.casefold(), *words.ME) else label


def cut(parts: Sequence[tuple[int, int]], stretches: Sequence[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """`parts` of a text, cut where one of `stretches` begins within them; both in order."""
    out: list[tuple[int, int]] = []
    place = 0
    for start, end in parts:
        while place < len(stretches) and stretches[place][0] <= start:
            place += 1
        begin = start
        while place < len(stretches) and stretches[place][0] < end:
            if stretches[place][0] > begin:
                out.append((begin, stretches[place][0]))
            begin = stretches[place][0]
            place += 1
        out.append((begin, end))
    return out
