"""Styled text: words with a style for each character, measured in cells, wrapped, cut, and painted with ANSI codes.

Rule of this file: pure. A cell is one column of a terminal; a letter with its marks, or an emoji with its parts, is never split.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from typing import Any

import click

from muniment.text.passages import is_boundary

TAB = 8
ELLIPSIS = "…"
_WORD = re.compile(r"\s*\S+\s*")
_ATTRIBUTES = frozenset({"bold", "dim", "italic"})


@dataclass(frozen=True, slots=True)
class Text:
    """Words and, for each of their characters, the name of its style: attributes and one colour, such as `bold cyan`."""

    plain: str = ""
    styles: tuple[str, ...] = ()

    @staticmethod
    def of(*pieces: Piece) -> Text:
        """The pieces, one behind the other."""
        texts = [_text(piece) for piece in pieces]
        return Text("".join(text.plain for text in texts), tuple(chain.from_iterable(text.styles for text in texts)))

    def __bool__(self) -> bool:
        return bool(self.plain)

    def __getitem__(self, span: slice) -> Text:
        return Text(self.plain[span], self.styles[span])

    @property
    def cells(self) -> int:
        """Columns it takes at a terminal."""
        return cells(self.plain)

    def marked(self, words: Iterable[str], style: str) -> Text:
        """The same with every occurrence of these words, in any case, in this style."""
        styles = list(self.styles)
        if wanted := "|".join(re.escape(word) for word in words):
            for found in re.finditer(wanted, self.plain, re.IGNORECASE):
                styles[slice(*found.span())] = [style] * (found.end() - found.start())
        return Text(self.plain, tuple(styles))

    def split(self, mark: str = "\n") -> list[Text]:
        """Its parts between the marks, which are one character; empty ones too."""
        ends = [found.start() for found in re.finditer(re.escape(mark), self.plain)]
        return [self[start:end] for start, end in zip([0, *(end + 1 for end in ends)], [*ends, len(self.plain)], strict=True)]

    def wrapped(self, width: int) -> list[Text]:
        """Rows of at most `width` cells, broken between words, and inside a word that is longer. Tabs become spaces."""
        text = self._without_tabs()
        breaks = [0, *_breaks(text.plain, width), len(text.plain)]
        rows = [text[start:end] for start, end in pairwise(breaks)]
        return [row[: len(row.plain.rstrip())] for row in rows]

    def fitted(self, width: int, *, pad: bool = False) -> Text:
        """One row of at most `width` cells, with an ellipsis where it was cut; with `pad`, exactly as wide."""
        text = self._without_tabs()
        if text.cells > width:
            end = next(_folds(text.plain, width - cells(ELLIPSIS)), 0)
            text = Text.of(text[:end], (ELLIPSIS, text.styles[end]))
        return Text.of(text, " " * (width - text.cells)) if pad else text

    def ansi(self) -> str:
        """The words with their colours."""
        pieces, start = [], 0
        for style, run in groupby(self.styles):
            end = start + sum(1 for _ in run)
            pieces.append(click.style(self.plain[start:end], **_codes(style)) if style else self.plain[start:end])
            start = end
        return "".join(pieces)

    def _without_tabs(self) -> Text:
        if "\t" not in self.plain:
            return self
        *columns, last = self.split("\t")
        return Text.of(*(Text.of(column, " " * (TAB - column.cells % TAB)) for column in columns), last)


Piece = str | Text | tuple[str, str]
"""Words, styled words, or words with the name of their style."""


def cells(text: str) -> int:
    """Columns that `text` takes at a terminal."""
    return len(text) if text.isascii() else sum(_width(letter) for letter in _letters(text))


def _text(piece: Piece) -> Text:
    if isinstance(piece, Text):
        return piece
    words, style = (piece, "") if isinstance(piece, str) else piece
    return Text(words, (style,) * len(words))


def _codes(style: str) -> dict[str, Any]:
    """What click calls a style."""
    words = style.split()
    colour = next((word for word in words if word not in _ATTRIBUTES), None)
    return {"fg": colour, **{word: True for word in words if word in _ATTRIBUTES}}


def _letters(text: str) -> Iterator[str]:
    """What a reader sees as letters, one by one."""
    start = 0
    for end in range(1, len(text) + 1):
        if is_boundary(text, end):
            yield text[start:end]
            start = end


def _width(letter: str) -> int:
    """Columns of one letter. Terminals differ on rare ones; then it is the larger number, so that a row never overflows."""
    if unicodedata.east_asian_width(letter[0]) in "WF" or "\ufe0f" in letter:
        return 2
    return sum(unicodedata.category(char) not in {"Mn", "Me"} and char not in "\u200c\u200d" for char in letter)


def _breaks(text: str, width: int) -> Iterator[int]:
    """Where rows after the first begin."""
    taken = 0
    for found in _WORD.finditer(text):
        word, start = found.group(), found.start()
        needed = cells(word.rstrip())
        if taken + needed <= width:
            taken += cells(word)
            continue
        if start:
            yield start
        last = 0
        for last in filter(None, _folds(word.rstrip(), width)):
            yield start + last
        taken = cells(word[last:])


def _folds(text: str, width: int) -> Iterator[int]:
    """Where a text is broken between any two letters to fit into rows; at 0 when not even one fits."""
    taken = at = 0
    for letter in _letters(text):
        wide = _width(letter)
        if taken + wide > width:
            yield at
            taken = 0
        taken += wide
        at += len(letter)
