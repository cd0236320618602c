"""Sentences of a text in any script, as character spans.

Rule of this file: linear time, spans never overlap, and every character that is not blank lies in one. A bullet belongs to its
sentence; a fenced piece of code is one sentence.
"""

# ruff: noqa: RUF001  sentence ends of other scripts

from __future__ import annotations

import re

from muniment.text.words_sentences import ABBREVIATIONS, BEFORE_DIGITS, MONTHS, OPENERS, TITLES

_FENCE = re.compile(r"^[ \t]*(```+|~~~+)", re.MULTILINE)
_CLOSERS = "\"'”’»)\\]」』】）›"
_MARKS = ".!?…؟۔।॥։።၊။༎"
_EMOJI = "\u2600-\u27bf\U0001f1e6-\U0001faff\ufe0f"
_CANDIDATE = re.compile(
    rf"(?P<line>[\n\r\x0b\x0c\x85\u2028\u2029]+)"
    rf"|(?P<wide>[。！？｡．]+[{_CLOSERS}]*)"
    rf"|(?P<mark>(?<![{_MARKS}])[{_MARKS}]++[{_CLOSERS}]*+)(?=\s|$)"
    rf"|(?P<tight>(?<![!?])[!?]++)(?=[A-ZÀ-ÖØ-Þ])"
    rf"|(?P<emoji>[{_EMOJI}](?=[ \t]{{1,3}}[A-ZÀ-ÖØ-ÞА-Я]))"
    rf"|(?P<face>(?<=\s)[:;]-?[)(DP](?=[ \t]{{1,3}}[A-ZÀ-ÖØ-Þ]))"
    rf"|(?P<thai>(?<=[\u0e01-\u0e4e])[ \t]+(?=[\u0e01-\u0e4e]))"
)
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣◦–—>|#]|\d{1,3}[.)]|[a-zA-Z][.)]\s)")
_WORD_BEFORE = re.compile(r"[^\s(\[{\"“«„'’]{1,14}$")
_NEXT_WORD = re.compile(r"[^\W_]{1,20}(?:'\w{1,3})?")
_WRAPPED = 40
_LOOK_BACK = 16
_THAI_CLAUSE = 12
_INDENT, _DAY, _LETTERS = 3, 2, 3


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the sentences of `text` in order, without the blanks around them; none for a blank text."""
    out: list[tuple[int, int]] = []
    done = 0
    for start, end in _fenced(text):
        _split(text, done, start, out)
        _add(text, start, end, out)
        done = end
    _split(text, done, len(text), out)
    return out


def _fenced(text: str) -> list[tuple[int, int]]:
    """Fenced code, each piece with its fences; one that is never closed runs to the end of the text."""
    if "```" not in text and "~~~" not in text:
        return []
    spans = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]):
            end = text.find("\n", fence.end())
            spans.append((opened.start(), len(text) if end < 0 else end))
            opened = None
    if opened is not None:
        spans.append((opened.start(), len(text)))
    return spans


def _split(text: str, low: int, high: int, out: list[tuple[int, int]]) -> None:
    start = low
    line = max(text.rfind("\n", 0, low) + 1, low)
    for found in _CANDIDATE.finditer(text, low, high):
        kind = found.lastgroup
        if kind == "line":
            if _breaks(text, line, found, high):
                _add(text, start, found.start(), out)
                start = found.end()
            line = found.end()
        elif kind == "thai":
            if found.start() - start >= _THAI_CLAUSE:
                _add(text, start, found.start(), out)
                start = found.end()
        elif kind != "mark" or _ends(text, found, start, line):
            _add(text, start, found.end(), out)
            start = found.end()
    _add(text, start, high, out)


def _add(text: str, start: int, end: int, out: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if not bare:
        return
    start += len(piece) - len(piece.lstrip())
    end = start + len(bare)
    if out and not any(c.isalnum() for c in bare) and not any(c in "\n\r" for c in text[out[-1][1] : start]):
        out[-1] = (out[-1][0], end)  # an emoji or stray sign stays with the sentence before it on its line
    else:
        out.append((start, end))


def _breaks(text: str, line: int, found: re.Match[str], high: int) -> bool:
    """False where a line was only wrapped: it is long, does not end a clause, and the next one goes on in lower case."""
    start, after = found.span()
    if after >= high or len(found[0].replace("\r", "")) > 1 or start - line < _WRAPPED:
        return True
    before = text[start - 1]
    return not (text[after].islower() and (before.isalnum() or before == ",") and not _BULLET.match(text, after))


def _ends(text: str, found: re.Match[str], start: int, line: int) -> bool:
    mark, after = found["mark"], found.end()
    following = text[after + 1 : after + 24].lstrip(" \t")
    if not following:
        return True
    lower = following[0].islower()
    if mark[-1] not in ".!?…" and not mark[-1].isalnum() and mark[0] in ".!?…":
        return not lower  # "Where are you?" she asked.
    if mark in ("…", "...", "..", "....", "?!") or mark[0] == "…":
        return not lower
    return mark[0] != "." or len(mark) > 1 or _full_stop(text, found.start(), start, line, following)


def _full_stop(text: str, at: int, start: int, line: int, following: str) -> bool:
    """Whether the single full stop at `at` ends a sentence, and not an abbreviation, an initial or a number of a list."""
    before = _WORD_BEFORE.search(text, max(start, at - _LOOK_BACK), at)
    if before is None:
        return True
    word = before[0]
    low = word.casefold()
    opener = _NEXT_WORD.match(following)
    named = opener[0].casefold() if opener else ""
    if word.isdigit():
        ends = before.start() > line + _INDENT and not (len(word) <= _DAY and named in MONTHS)
    elif len(word) == 1 and word.isupper():
        ends = word == "I" or named in OPENERS
    elif low in TITLES:
        ends = False
    elif low in ABBREVIATIONS or ("." in word and word[0].isalpha() and len(low.replace(".", "")) <= _LETTERS):
        ends = named in OPENERS and not following[0].islower()
    else:
        ends = not (low in BEFORE_DIGITS and following[0].isdigit())
    return ends
