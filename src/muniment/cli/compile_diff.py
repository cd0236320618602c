"""Two prompts compared: which blocks came, went, changed or moved, what it does to tokens and cache, and the text line by line.

Rule of this file: blocks are known again by their names, and those of one name by their order. Nothing is guessed to be renamed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import Final

from muniment.cli.compile_made import Made
from muniment.cli.compile_view import price_document
from muniment.cli.documents import REASONS, Document
from muniment.cli.output import BAD, GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.views import DOT, count
from muniment.cli.visible import one_line, visible
from muniment.compilation import Compilation
from muniment.types import Block, BlockId, BlockReceipt, Fate

Key = tuple[str, int]

_STYLES: Final = {"added": GOOD, "removed": BAD, "edited": WARN, "moved": MARK, "fate": SOFT}
_LINES: Final = {"+": GOOD, "-": BAD, "@": MARK}
_WORD: Final = max(map(len, _STYLES)) + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What became of one block: the ways it changed in, and its rows in the old and the new receipt, None where it is not."""

    name: str
    ways: tuple[str, ...]
    old: BlockReceipt | None
    new: BlockReceipt | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two compilations, the later compared with the earlier, and the blocks that changed, in the new order."""

    old: Compilation
    new: Compilation
    blocks: tuple[Changed, ...]

    @staticmethod
    def between(old: Made, new: Made) -> Difference:
        """Compare what two sets of seeds became under the same options."""
        return Difference(
            old=old.compilation,
            new=new.compilation.after(old.compilation),
            blocks=tuple(_changes(_keyed(old), _keyed(new))),
        )

    @property
    def first_byte(self) -> int | None:
        """Where in the UTF-8 of the new text the first change is; None when the two are the same."""
        if self.old.text == self.new.text:
            return None
        old, new = (made.text.encode("utf-8", "surrogatepass") for made in (self.old, self.new))
        low, high = 0, min(len(old), len(new))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if old[low:middle] == new[low:middle] else (low, middle - 1)
        return low

    def lines(self) -> list[str]:
        """The two texts as a unified diff."""
        return list(unified_diff(self.old.text.splitlines(), self.new.text.splitlines(), "old", "new", lineterm=""))


def _keyed(made: Made) -> dict[Key, tuple[Block, BlockReceipt]]:
    seen: Counter[str] = Counter()
    out = {}
    for block, row in zip(made.blocks, made.compilation.receipt, strict=True):
        out[block.name, seen[block.name]] = (block, row)
        seen[block.name] += 1
    return out


def _changes(old: dict[Key, tuple[Block, BlockReceipt]], new: dict[Key, tuple[Block, BlockReceipt]]) -> Iterator[Changed]:
    for key, (_, row) in old.items():
        if key not in new:
            yield Changed(name=key[0], ways=("removed",), old=row, new=None)
    places = {key: place for place, key in enumerate(old)}
    common = [key for key in new if key in old]
    steady = {common[at] for at in _longest_rise([places[key] for key in common])}
    for key, (block, row) in new.items():
        if key not in old:
            yield Changed(name=key[0], ways=("added",), old=None, new=row)
            continue
        before, old_row = old[key]
        ways = ("edited",) * (_content(before) != _content(block)) + ("moved",) * (key not in steady)
        ways += ("fate",) * ((row.fate, row.short) != (old_row.fate, old_row.short))
        if ways:
            yield Changed(name=key[0], ways=ways, old=old_row, new=row)


def _content(block: Block) -> Block:
    """Everything of a block that its file says."""
    return replace(block, id=BlockId(""), author="", created=None)


def _longest_rise(places: Sequence[int]) -> list[int]:
    """Where the longest rising run of numbers, not all next to each other, stands: what need not have moved."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, place in enumerate(places):
        length = bisect_left(ends, place)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        at[length : length + 1] = [index]
    out, index = [], at[-1] if at else -1
    while index >= 0:
        out.append(index)
        index = before[index]
    return out[::-1]


def difference_document(difference: Difference) -> Document:
    """What `compile --diff` prints with --json."""
    old, new = difference.old, difference.new
    return {
        "old": _side_document(old),
        "new": _side_document(new),
        "unchanged": new.prefix.text,
        "unchanged_chat": new.prefix.chat,
        "first_changed_byte": difference.first_byte,
        "price": price_document(new.price, new.after(new).price),
        "blocks": [_changed_document(one) for one in difference.blocks],
        "diff": difference.lines(),
    }


def _side_document(made: Compilation) -> Document:
    return {"tokens": made.tokens, "blocks": len(made.blocks), "left_out": len(made.left_out), "prompt_hash": made.prompt_hash}


def _changed_document(one: Changed) -> Document:
    return {
        "name": one.name,
        "ways": list(one.ways),
        "old": _row_document(one.old) if one.old else None,
        "new": _row_document(one.new) if one.new else None,
    }


def _row_document(row: BlockReceipt) -> Document:
    return {"band": row.band.name.lower(), "fate": row.fate.value, "tokens": row.tokens, "short": row.short}


def show_difference(screen: Screen, difference: Difference) -> None:
    """The blocks that changed, what that does to tokens and cache, and the text line by line."""
    for one in difference.blocks:
        _show_changed(screen, one)
    old, new = difference.old, difference.new
    if difference.blocks:
        screen.gap()
    about = "" if new.exact else "about "
    grown = f"{new.tokens - old.tokens:+,}"
    screen.line((f"{about}{new.tokens:,} tokens", STRONG), f"{DOT}{grown} against {old.tokens:,}")
    if difference.first_byte is None:
        screen.line(("the two prompts are the same, byte for byte", GOOD))
        return
    kept = f"the first {count(new.prefix.text, 'token')} ({count(difference.first_byte, 'byte')}) are unchanged"
    screen.line(f"{kept}; as a chat request, {new.prefix.chat:,}")
    if new.price:
        screen.line(f"price {new.price.now:.6g} with the old prompt in the cache, of it {new.price.lost:.6g} for changed order")
    screen.gap()
    for line in difference.lines():
        style = STRONG if line.startswith(("--- ", "+++ ")) else _LINES.get(line[:1], "")
        screen.line((visible(line), style))


def _show_changed(screen: Screen, one: Changed) -> None:
    tokens = " to ".join(f"{row.tokens:,}" for row in dict.fromkeys((one.old, one.new)) if row)
    if one.old and one.new and one.old.tokens == one.new.tokens:
        tokens = f"{one.new.tokens:,}"
    for way in one.ways:
        screen.line(
            (f"{way:<{_WORD}}", _STYLES[way]), one_line(one.name), (f"{DOT}{tokens} tokens{_told(way, one)}", SOFT), hang=_WORD
        )


def _told(way: str, one: Changed) -> str:
    """What a change of fate is, and where what was added or removed is not in a prompt."""
    rows = [row for row in (one.old, one.new) if row]
    if way == "fate":
        return f"{DOT}{' before, now '.join(_fate(row) for row in rows)}"
    outside = [row for row in rows if row.fate is not Fate.INCLUDED]
    return f"{DOT}{_fate(rows[0])}" if outside and len(rows) == 1 else ""


def _fate(row: BlockReceipt) -> str:
    if row.fate is Fate.INCLUDED:
        return "in, in short" if row.short else "in"
    return f"left out: {REASONS[row.fate]}"
