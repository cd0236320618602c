"""Markdown and plain text as passages: one per paragraph, with the headings above it, and the front matter as one.

Rule of this file: pure, and passages are verbatim spans. Put together in order they are the text again, to the last character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muniment.ingest.rules import is_blank
from muniment.text.passages import PASSAGE, passages
from muniment.types import Kind, Role, Turn

MOST = 2 * PASSAGE
"""Characters in one passage; a longer paragraph is cut at sentences, else words, else letters."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t\r\n]|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_MARKDOWN = re.compile(r"^ {0,3}(?:#{1,6}[ \t]|```|~~~)|\]\(|\*\*\S", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)(?:[ \t]*\r?\n)*")
_MOST_HEADING = 200


@dataclass(frozen=True, slots=True)
class Passage:
    """One verbatim span of a document and the headings it stands under, outermost first."""

    text: str
    headings: tuple[str, ...] = ()


def is_markdown(text: str) -> bool:
    """True when `text` uses any of Markdown's own signs."""
    return bool(_FRONT_MATTER.match(text) or _MARKDOWN.search(text))


def document_turns(text: str, *, document: str, metadata: Mapping[str, str] | None = None) -> list[Turn]:
    """The passages of a document as untrusted turns; `document` becomes their ref, so that two documents share no record.

    Each tells the headings above it and its `offset` in `text`, in characters, beside what `metadata` says of all of them.
    """
    turns, at = [], 0
    for passage in split_document(text):
        cited = {**(metadata or {}), "offset": str(at)}
        at += len(passage.text)
        if passage.headings:
            cited["heading"] = " > ".join(passage.headings)
        turns.append(Turn(text=passage.text, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=document, metadata=cited))
    return turns


def split_document(text: str) -> list[Passage]:
    """`text` cut into passages. Their texts, joined, are `text`; none is blank unless all of it is."""
    front = _FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    if is_blank(body):
        return [Passage(text)] if text else []
    pieces = [Passage(front.group())] if front else []
    pieces += _paragraphs(body)
    return [Passage(piece.text[a:b], piece.headings) for piece in pieces for a, b in _cuts(piece.text)]


def _cuts(text: str) -> list[tuple[int, int]]:
    """Where a long piece is cut; a cut that would leave a blank passage is left out."""
    if len(text) <= MOST:
        return [(0, len(text))]
    ends = [end for start, end in passages(text, size=PASSAGE) if not is_blank(text[start:end])]
    starts = [0, *ends[:-1]]
    return list(zip(starts, [*ends[:-1], len(text)], strict=True)) if ends else [(0, len(text))]


def _paragraphs(text: str) -> Iterator[Passage]:
    """Spans that end where blank lines end, outside fenced code; headings stay with the paragraph below them."""
    start = at = 0
    fence = ""
    levels: dict[int, str] = {}
    has_words = after_blank = False
    for line in _lines(text):
        heading = None if fence else _HEADING.match(line)
        blank = is_blank(line)
        if has_words and not fence and not blank and (after_blank or heading):
            yield Passage(text[start:at], tuple(levels.values()))
            start, has_words = at, False
        if heading:
            levels = {level: name for level, name in levels.items() if level < len(heading[1])}
            levels[len(heading[1])] = line[heading.end() :].strip().rstrip("#").rstrip()[:_MOST_HEADING]
        fence = _fence_after(fence, line)
        has_words = has_words or not (blank or heading)
        after_blank = blank
        at += len(line)
    if start < len(text):
        yield Passage(text[start:], tuple(levels.values()))


def _lines(text: str) -> Iterator[str]:
    """The lines of `text` with their line feeds; other separators stay inside a line."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after `line`, or nothing."""
    found = _FENCE.match(line)
    if not found:
        return fence
    mark = found[1]
    if not fence:
        return "" if mark[0] == "`" and "`" in found[2] else mark
    closes = mark[0] == fence[0] and len(mark) >= len(fence) and not found[2].strip()
    return "" if closes else fence
