"""How a compiled prompt looks: its budget as a bar, what went in, what was left out and why.

Rule of this file: the bar is drawn from the receipt alone, so it can show nothing the compiler did not count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from muniment.cli.documents import REASONS
from muniment.cli.output import SOFT, STRONG, WARN, Screen
from muniment.cli.paint import Piece, Text
from muniment.cli.views import DOT, count
from muniment.cli.visible import one_line
from muniment.compilation import Compilation
from muniment.types import Band, BlockReceipt, Fate

BAND_STYLES = ("bright_blue", "cyan", "green", "magenta")
RESERVED, FREE, USED = "░", "─", "━"
NAMES_LEFT_OUT = 8
KINDS_TOLD = 8


def show_budget(screen: Screen, compilation: Compilation) -> None:
    """The bar, the sum under it, and every block that is not in the prompt."""
    show_sum(screen, compilation)
    left_out = compilation.left_out
    if not left_out:
        screen.line(("nothing was left out", SOFT))
        return
    for fate, rows in groupby(sorted(left_out, key=lambda row: row.fate.value), key=lambda row: row.fate):
        _show_left_out(screen, fate, list(rows))


def show_sum(screen: Screen, compilation: Compilation) -> None:
    """The bar and the sum under it."""
    if screen.wraps:
        screen.line(_bar(compilation, screen.width - 2))
    screen.line(*_sum(compilation))


def _show_left_out(screen: Screen, fate: Fate, rows: Sequence[BlockReceipt]) -> None:
    tokens = count(sum(row.tokens for row in rows), "token")
    names = [one_line(row.name) for row in rows[:NAMES_LEFT_OUT]]
    more = [f"{len(rows) - NAMES_LEFT_OUT:,} more"] if len(rows) > NAMES_LEFT_OUT else []
    told = f"left out {count(len(rows), 'block')}, {tokens}"
    screen.line((told, WARN), (f"{DOT}{REASONS[fate]}{DOT}{', '.join([*names, *more])}", SOFT))


def _bar(compilation: Compilation, width: int) -> Text:
    pieces: list[Piece] = []
    drawn = counted = 0
    included = [row for row in compilation.receipt if row.fate is Fate.INCLUDED]
    for band, rows in groupby(included, key=lambda row: row.band):
        counted += sum(row.tokens for row in rows)
        end = _cells(min(counted, compilation.tokens), compilation.budget, width)
        pieces.append((USED * (end - drawn), BAND_STYLES[band]))
        drawn = end
    end = _cells(compilation.tokens, compilation.budget, width)
    reserved = _cells(compilation.reserve, compilation.budget, width)
    return Text.of(*pieces, (USED * (end - drawn) + FREE * (width - end - reserved) + RESERVED * reserved, SOFT))


def _cells(tokens: int, budget: int, width: int) -> int:
    return round(width * tokens / budget) if budget else 0


def _sum(compilation: Compilation) -> list[Piece]:
    about = "" if compilation.exact else "about "
    free = compilation.budget - compilation.reserve - compilation.tokens
    pieces: list[Piece] = [(f"{about}{compilation.tokens:,} of {count(compilation.budget, 'token')}", STRONG)]
    for kind in _kinds(compilation):
        pieces += [DOT, (f"{kind.told} {kind.tokens:,}", BAND_STYLES[kind.band])]
    if compilation.reserve:
        pieces += [DOT, (f"{compilation.reserve:,} reserved for the reply", SOFT)]
    return [*pieces, DOT, (f"{free:,} free", SOFT)]


@dataclass(slots=True)
class _Kind:
    """Included blocks whose names begin with the same word."""

    name: str
    band: Band
    blocks: int = 0
    tokens: int = 0

    @property
    def told(self) -> str:
        return self.name if self.blocks == 1 else count(self.blocks, self.name)


def _kinds(compilation: Compilation) -> Iterable[_Kind]:
    """Blocks by the first word of their name; by band where those are too many to tell."""
    named = _by(compilation, lambda row: one_line(row.name).split(" ")[0])
    return named if len(named) <= KINDS_TOLD else _by(compilation, lambda row: f"{row.band.name.lower()} block")


def _by(compilation: Compilation, name_of: Callable[[BlockReceipt], str]) -> Collection[_Kind]:
    kinds: dict[str, _Kind] = {}
    for row in compilation.receipt:
        if row.fate is Fate.INCLUDED:
            name = name_of(row)
            kind = kinds.setdefault(name, _Kind(name, row.band))
            kind.blocks += 1
            kind.tokens += row.tokens
    return kinds.values()
