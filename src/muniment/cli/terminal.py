"""The two streams a command prints to: whether a person looks at them, how wide they are, and a bar while work is under way.

Rule of this file: only a terminal gets codes, and only if neither NO_COLOR nor its name says otherwise.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from time import monotonic
from typing import TextIO, TypeVar

import click

from muniment import settings
from muniment.cli.paint import Text

T = TypeVar("T")

USUAL = 80, 24
BAR = 30
DRAWN_EVERY = 0.1
CLEAR = "\r\x1b[K"


class Stream:
    """Standard output or standard error."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.is_terminal = file.isatty()
        self.moves = self.is_terminal and not settings.is_dumb()
        self.colours = self.moves and not settings.no_colour()

    @property
    def columns(self) -> int:
        """How wide the terminal is; what COLUMNS says comes first."""
        try:
            size = os.get_terminal_size(self.file.fileno())
        except (OSError, ValueError):
            size = os.terminal_size(USUAL)
        return shutil.get_terminal_size(size).columns

    @property
    def ascii_only(self) -> bool:
        """True when it cannot carry every character."""
        return not (self.file.encoding or "").lower().replace("_", "-").startswith("utf")

    def show(self, row: Text, *, end: str = "\n") -> None:
        """One row, with the colours that may be used."""
        click.echo((row.ansi() if self.colours else row.plain) + end, file=self.file, nl=False, color=self.colours)

    def write(self, text: str) -> None:
        """A text and a line end, as they are."""
        self.file.write(text + "\n")

    @contextmanager
    def counted(self, items: Iterable[T], label: str, total: int | None) -> Iterator[Iterable[T]]:
        """The same items; inside the block a bar shows how many were taken, where one can be drawn."""
        if not self.moves:
            yield items
            return
        progress, done = Progress(label, total), Event()
        drawing = Thread(target=self._draw, args=(progress, done), daemon=True)
        drawing.start()
        try:
            yield progress.counting(items)
        finally:
            done.set()
            drawing.join()

    def _draw(self, progress: Progress, done: Event) -> None:
        """Draw the bar over and over, then clear it away. What is done soon draws none."""
        drawn = Text()
        while not done.wait(DRAWN_EVERY):
            drawn = progress.row().fitted(self.columns - 1)
            self._clear()
            self.show(drawn, end="")
        if drawn:
            self._clear()

    def _clear(self) -> None:
        click.echo(CLEAR, file=self.file, nl=False, color=True)


@dataclass(slots=True)
class Progress:
    """How far a piece of work is; `total` is None when nobody knows how much it will be."""

    label: str
    total: int | None
    taken: int = 0
    began: float = field(default_factory=monotonic)

    def counting(self, items: Iterable[T]) -> Iterator[T]:
        """The same items, each counted when the next one is asked for."""
        for item in items:
            yield item
            self.taken += 1

    def row(self) -> Text:
        """What is under way, a bar, how many were taken, and for how long."""
        seconds = int(monotonic() - self.began)
        full = BAR * self.taken // self.total if self.total else 0
        bar = [("━" * full, "magenta"), ("━" * (BAR - full) + " ", "bright_black")] if self.total else []
        clock = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        return Text.of(f"{self.label} ", *bar, f"{self.taken:,} ", (clock, "yellow"))
