"""Where a long text may be cut for searching: between paragraphs, else sentences, else words, else letters.

Rule of this file: spans cover the text without gaps, and a cut never falls inside what a reader sees as one letter.
"""

# ruff: noqa: RUF001  sentence ends of other scripts

from __future__ import annotations

import re
import unicodedata

PASSAGE = 1000
"""Characters in one passage: about the 256 tokens a small sentence embedder reads."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_LINE = re.compile(r"\n\s*")
_SENTENCE = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？｡؟۔।]+\s*")
_WORD = re.compile(r"\s+")
_BOUNDARIES = (_PARAGRAPH, _LINE, _SENTENCE, _WORD)

_ZWJ = "\u200d"
_VIRAMA = 9
_TRAILING = frozenset({"Mn", "Mc", "Me"})
_JOINERS = frozenset({_ZWJ, "\u200c"})


def passages(text: str, *, size: int = PASSAGE, overlap: int = 0) -> list[tuple[int, int]]:
    """Character spans that cover `text` in order, each about `size` characters or fewer; one span for a short text.

    A text in a script without spaces says as much in a quarter of the letters, so its pieces are as much shorter. Pieces come
    out nearly equal in length. With `overlap`, each span after the first starts up to that many characters
    earlier, on a word boundary. A single letter longer than `size` (with its marks) stays whole.
    """
    size = max(1, min(size, round(size / (1 + 3 * dense_share(text)))))
    if len(text) <= size:
        return [(0, len(text))]
    spans = []
    start = 0
    while len(text) - start > size:
        left = len(text) - start
        target = start + -(-left // -(-left // size))
        end = _cut(text, start, target, start + size)
        spans.append((start, end))
        start = end
    if start < len(text):
        spans.append((start, len(text)))
    return [spans[0], *((_earlier(text, a, overlap), b) for a, b in spans[1:])] if overlap else spans


def dense_share(text: str) -> float:
    """The share of letters of East and South East Asian scripts in `text`, 0 to 1."""
    return (
        0.0
        if text.isascii()
        else sum("\u0e00" <= c <= "\u109f" or "\u1780" <= c <= "\u17ff" or c >= "\u2e80" for c in text) / len(text)
    )


def _cut(text: str, start: int, target: int, limit: int) -> int:
    """The best place to end a passage that starts at `start`: the strongest boundary, and of those the nearest to `target`."""
    low = start + max(1, (target - start) * 6 // 10)
    for boundary in _BOUNDARIES:
        ends = [m.end() for m in boundary.finditer(text, low, limit)]
        ends = [e for e in ends if low < e <= limit and is_boundary(text, e)]
        if ends:
            return min(ends, key=lambda e: (abs(e - target), e))
    for end in range(limit, low, -1):
        if is_boundary(text, end):
            return end
    return next((e for e in range(limit, len(text)) if is_boundary(text, e)), len(text))


def _earlier(text: str, start: int, overlap: int) -> int:
    low = max(0, start - overlap)
    found = _WORD.search(text, low, start)
    return found.end() if found and found.end() < start and is_boundary(text, found.end()) else start


def is_boundary(text: str, at: int) -> bool:
    """True when `text` may be cut before index `at` without splitting a letter from its marks or an emoji from its parts."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if after < "\u0300" and before < "\u0300":
        return not (before == "\r" and after == "\n")
    if _is_flag(before) and _is_flag(after):
        return _flags_before(text, at) % 2 == 0
    return not _belongs(before, after)


def _belongs(before: str, after: str) -> bool:
    """True when `after` continues the letter or emoji that `before` ends."""
    return (
        before == _ZWJ
        or after in _JOINERS
        or unicodedata.category(after) in _TRAILING
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or "\U000e0020" <= after <= "\U000e007f"
        or (unicodedata.combining(before) == _VIRAMA and unicodedata.category(after) == "Lo")
        or ("\u1160" <= after <= "\u11ff" and ("\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"))
    )


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    """How many regional indicators stand right before `at`; only their parity matters, so the look back is bounded."""
    count = 0
    while count < 256 and at - count > 0 and _is_flag(text[at - count - 1]):  # noqa: PLR2004  (a longer run of flags is no text)
        count += 1
    return count
