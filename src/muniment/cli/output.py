"""Where words go: results to standard output; progress, notes and errors to standard error.

Rule of this file: at a terminal there is colour and lines are fitted to its width; anywhere else lines are plain and never cut.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from muniment.cli.documents import Document, error_document
from muniment.cli.visible import one_line, to_json, visible
from muniment.errors import MunimentError

T = TypeVar("T")
Piece = str | Text | tuple[str, str]
"""Words, styled words, or words with the name of their style."""

WIDEST = 110
"""Columns that running text uses at most; longer lines are tiring to read."""

SOFT, STRONG, GOOD, BAD, WARN, MARK = "dim", "bold", "green", "red", "yellow", "cyan"


class Screen:
    """One run's output. `as_json` turns results and errors into JSON documents; progress and notes then stay silent."""

    def __init__(self, *, as_json: bool = False) -> None:
        self.as_json = as_json
        self.out = _console(stderr=False)
        self.err = _console(stderr=True)

    @property
    def wraps(self) -> bool:
        """True at a terminal, where lines are fitted to its width."""
        return self.out.is_terminal

    @property
    def width(self) -> int:
        """Columns for running text at a terminal."""
        return min(self.out.width, WIDEST)

    def line(self, *pieces: Piece, indent: int = 0) -> None:
        """One line, made of pieces that follow each other; at a terminal it wraps under its indent."""
        text = Text.assemble(*pieces)
        for row in self._rows(text, self.width - indent) if self.wraps else [text]:
            self.out.print(Text(" " * indent) + row, soft_wrap=True)

    def words(self, text: str | Text, *, indent: int = 0, style: str = "") -> None:
        """Text from a record or a prompt, with its own line breaks, made safe to look at."""
        shown = text if isinstance(text, Text) else Text(visible(text), style=style)
        for part in shown.split("\n", allow_blank=True):
            self.line(part, indent=indent)

    def gap(self) -> None:
        """An empty line."""
        self.out.print()

    def clipped(self, *pieces: Piece) -> None:
        """One line that a terminal cuts at its right edge with an ellipsis; never cut elsewhere."""
        text = Text.assemble(*pieces)
        if self.wraps:
            text.truncate(self.out.width, overflow="ellipsis")
        self.out.print(text, soft_wrap=True)

    def document(self, document: Document) -> None:
        """One JSON document on standard output."""
        self._raw(to_json(document, indent=2, ascii_only=self.ascii_only))

    def verbatim(self, text: str) -> None:
        """A text for another program: exactly as it is in a pipe, safe to look at on a terminal."""
        if self.wraps:
            self.words(text)
        else:
            self._raw(text)

    def _raw(self, text: str) -> None:
        self.out.file.write(text + "\n")

    def beside(self) -> Screen:
        """The same, with standard error for results: for a receipt next to what is piped on."""
        screen = Screen(as_json=self.as_json)
        screen.out = screen.err
        return screen

    @property
    def ascii_only(self) -> bool:
        """True when standard output cannot carry every character."""
        return not self.out.encoding.lower().replace("_", "-").startswith("utf")

    def note(self, text: str, style: str = WARN) -> None:
        """One line beside the result, on standard error; nothing with `--json`, whose document says it all."""
        if not self.as_json:
            self.err.print(Text(text, style=style), soft_wrap=True)

    def error(self, error: MunimentError) -> None:
        """What went wrong and what to do next, on standard error."""
        if self.as_json:
            self.err.file.write(to_json(error_document(error), ascii_only=True) + "\n")
            return
        where = f"{one_line(error.place)}: " if error.place else ""
        said = Text.assemble(("Error: ", f"{BAD} bold"), where + one_line(error.message))
        self.err.print(said, soft_wrap=True)
        if error.hint:
            self.err.print(Text(f"       {one_line(error.hint)}", style=SOFT), soft_wrap=True)

    def followed(self, items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
        """The same items; while they are taken, a progress bar stands on standard error if that is a terminal."""
        if self.as_json or not self.err.is_terminal:
            yield from items
            return
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.completed:,}"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self.err, transient=True) as progress:
            task = progress.add_task(one_line(label), total=total)
            for item in items:
                yield item
                progress.advance(task)

    def _rows(self, text: Text, width: int) -> list[Text]:
        return list(text.wrap(self.out, max(width, 20), overflow="fold")) or [text]


def _console(*, stderr: bool) -> Console:
    return Console(file=sys.stderr if stderr else sys.stdout, markup=False, emoji=False, highlight=False, soft_wrap=False)
