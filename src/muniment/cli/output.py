"""Where words go: results to standard output; progress, notes and errors to standard error.

Rule of this file: at a terminal there is colour and lines are fitted to its width; anywhere else lines are plain and never cut.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from muniment.cli.documents import Document, error_document
from muniment.cli.paint import Piece, Text
from muniment.cli.terminal import Stream
from muniment.cli.visible import one_line, to_json, visible
from muniment.errors import MunimentError

T = TypeVar("T")

WIDEST = 110
"""Columns that running text uses at most; longer lines are tiring to read."""
NARROWEST = 20
BULLET = "- "

SOFT, STRONG, GOOD, BAD, WARN, MARK = "dim", "bold", "green", "red", "yellow", "cyan"


class Screen:
    """One run's output: lines for people or, with `as_json`, one JSON document for programs and nothing else.

    Commands give both; the screen prints the one that was asked for.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        self.as_json = as_json
        self.out = Stream(sys.stdout)
        self.err = Stream(sys.stderr)
        self._margin = Text()

    @property
    def wraps(self) -> bool:
        """True at a terminal, where lines are fitted to its width."""
        return self.out.is_terminal and not self.as_json

    @property
    def width(self) -> int:
        """Columns for running text at a terminal."""
        return min(self.out.columns, WIDEST) - self._margin.cells

    def line(self, *pieces: Piece, indent: int = 0, hang: int = 0) -> None:
        """One line of pieces that follow each other; at a terminal it wraps, rows after the first `hang` further right."""
        text = Text.of(*pieces)
        if not self.wraps:
            self._print(text, indent)
            return
        for number, row in enumerate(text.wrapped(max(self.width - indent - hang, NARROWEST))):
            self._print(row, indent + (hang if number else 0))

    @contextmanager
    def margin(self, *pieces: Piece) -> Iterator[None]:
        """Every line inside the block begins with these pieces."""
        before = self._margin
        self._margin = Text.of(before, *pieces)
        try:
            yield
        finally:
            self._margin = before

    def words(self, text: str | Text, *, indent: int = 0, style: str = "") -> None:
        """Text from a record or a prompt, with its own line breaks, made safe to look at."""
        shown = text if isinstance(text, Text) else Text.of((visible(text), style))
        for part in shown.split():
            self.line(part, indent=indent, hang=len(BULLET) if part.plain.startswith(BULLET) else 0)

    def gap(self) -> None:
        """An empty line."""
        self._print(Text())

    def clipped(self, *pieces: Piece) -> None:
        """One line that a terminal cuts at its right edge with an ellipsis; never cut elsewhere."""
        text = Text.of(*pieces)
        if self.wraps:
            text = text.fitted(self.out.columns - self._margin.cells)
        self._print(text)

    def unwrapped(self, *pieces: Piece) -> None:
        """One line that nothing may break, such as a command to be copied."""
        self._print(Text.of(*pieces))

    def document(self, document: Document) -> None:
        """The result as a JSON document, if that is what was asked for."""
        if self.as_json:
            self.out.write(to_json(document, indent=2, ascii_only=self.out.ascii_only))

    def verbatim(self, text: str) -> None:
        """A text for another program: exactly as it is in a pipe, safe to look at on a terminal."""
        if self.wraps:
            self.words(text)
        elif not self.as_json:
            self.out.write(text)

    def _print(self, text: Text, indent: int = 0) -> None:
        whole = Text.of(self._margin, " " * indent, text) if text else Text.of((self._margin.plain.rstrip(), SOFT))
        if self.wraps:
            self.out.show(whole)
        elif not self.as_json:
            self.out.write(whole.plain)

    def beside(self) -> Screen:
        """The same, with standard error for results: for a receipt next to what is piped on."""
        screen = Screen(as_json=self.as_json)
        screen.out = self.err
        return screen

    def note(self, text: str, style: str = WARN) -> None:
        """One line beside the result, on standard error."""
        self.beside().unwrapped((text, style))

    def error(self, error: MunimentError) -> None:
        """What went wrong and what to do next, on standard error."""
        if self.as_json:
            self.err.write(to_json(error_document(error), ascii_only=True))
            return
        where = f"{one_line(error.place)}: " if error.place else ""
        beside = self.beside()
        beside.unwrapped(("Error: ", f"{BAD} bold"), where + one_line(error.message))
        if error.hint:
            beside.unwrapped((f"       {one_line(error.hint)}", SOFT))

    @contextmanager
    def followed(self, items: Iterable[T], label: str, total: int | None = None) -> Iterator[Iterable[T]]:
        """The same items; inside the block a bar on standard error, if that is a terminal, shows how many were taken."""
        if self.as_json:
            yield items
            return
        with self.err.counted(items, one_line(label), total) as counted:
            yield counted
