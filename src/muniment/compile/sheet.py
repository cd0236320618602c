"""A registry's text kept in strips, so that after one change one strip is joined again and not all of it.

Rules of this file: it only knows prompts in which every block stands, each with a piece that follows from the block alone. For
anything else it answers None, and the whole walk decides. What it gives out never changes: a strip that changes is copied.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from typing import Final

from muniment.compile.partners import Rank, rank
from muniment.compile.render import GAP, piece
from muniment.compile.selection import Selection
from muniment.registry.journal import Change, Op
from muniment.registry.ledger import Ledger
from muniment.types import Band, Block, BlockReceipt, Fate, Role

Strip = tuple[list[Block], list[str], list[int]]
"""Neighbouring blocks, their pieces, and the tokens of each piece with the gap behind it."""

Entry = tuple[Block, str, int]

_SIZE: Final = 32
_EDIT: Final = Op.EDIT


class Strips(list[Strip]):
    """All strips of a sheet at one moment."""

    __slots__ = ()

    def included(self) -> tuple[Block, ...]:
        """All blocks, in order."""
        return tuple(chain.from_iterable(blocks for blocks, _, _ in self))

    def rows(self) -> tuple[BlockReceipt, ...]:
        """Every block is included."""
        return tuple(
            BlockReceipt(
                name=block.name,
                band=block.band,
                fate=Fate.INCLUDED,
                tokens=cost,
                required=block.required or block.band is Band.PINNED,
            )
            for blocks, _, costs in self
            for block, cost in zip(blocks, costs, strict=True)
        )


class Sheet:
    """The text of a registry in which all is plain and fits, at `version`; `follow` brings it up to date.

    With `additive`, tokens are summed; otherwise the whole text is counted each time.
    """

    __slots__ = ("_additive", "_count", "_gap", "_room", "_salt", "_starts", "_strips", "_sum", "_texts", "version")

    def __init__(self, selection: Selection, version: int, *, additive: bool, count: Callable[[str], int]) -> None:
        self.version = version
        self._additive, self._count = additive, count
        self._room, self._salt = selection.room, selection.salt
        self._gap = selection.count(GAP)
        self._sum = sum(selection.costs)
        self._strips = Strips()
        self._texts: list[str] = []
        self._starts = [0]
        self._cut(list(zip(selection.order, selection.pieces, selection.costs, strict=True)))

    def follow(self, ledger: Ledger) -> tuple[str, int, Strips] | None:
        """The text, its tokens and all strips after the changes since `version`; None when the sheet cannot tell.

        For a caller that holds the lock. After None, or after an error of the counter, the sheet is of no more use.
        """
        version = ledger.version
        changes: Sequence[Change] | None = ledger.changes
        if version != self.version + 1 or not changes:
            changes = ledger.changes_since(self.version)
            if changes is None or not all(map(self._make, changes)):
                return None
        elif not self._make(changes[-1]):
            return None
        self.version = version
        if self._sum > self._room or not self._texts:
            return None
        text = GAP.join(self._texts)
        if self._additive:
            return text, self._sum - self._gap, self._strips
        tokens = self._count(text)
        return (text, tokens, self._strips) if type(tokens) is int and 0 <= tokens <= self._room else None

    def _make(self, change: Change) -> bool:
        """Make one change of the registry here too; False when that cannot be done plainly."""
        if change.op is _EDIT:
            return self._edit(change)
        if change.op is Op.REORDER:
            entries = [entry for strip in self._strips for entry in zip(*strip, strict=True)]
            self._cut([entries[old] for old in change.order])
            return True
        if change.op is Op.WRITE:
            entry = self._entry(change.block) if change.block is not None and change.block.tool is None else None
            if entry is None:
                return False
            self._put(change.place, entry)
        elif change.op is Op.MOVE:
            self._put(change.to, self._take(change.place))
        else:
            self._take(change.place)
        return True

    def _edit(self, change: Change) -> bool:
        block, before, place = change.block, change.before, change.place
        number = bisect_right(self._starts, place) - 1
        blocks, pieces, costs = self._strips[number]
        place -= self._starts[number]
        if block is None or before is None or block.tool is not None:
            return False
        text = block.text
        if (
            pieces[place] is before.text  # so the piece is the text and nothing else, and stays that while these stay
            and block.role is before.role
            and block.trust is before.trust
            and block.band is before.band
            and text
            and not (block.prefix or block.suffix or text.isspace())
        ):
            cost = self._count(text + GAP)
            if type(cost) is not int or cost < 0:
                return False
        else:
            entry = self._entry(block)
            if entry is None:
                return False
            _, text, cost = entry
        blocks, pieces, costs = blocks.copy(), pieces.copy(), costs.copy()
        self._sum += cost - costs[place]
        blocks[place], pieces[place], costs[place] = block, text, cost
        strips = self._strips = Strips(self._strips)
        strips[number] = (blocks, pieces, costs)
        self._texts[number] = GAP.join(pieces)
        return True

    def _entry(self, block: Block) -> Entry | None:
        what = rank(block)
        if not is_plain(block, what):
            return None
        text = piece(block, what, self._salt)
        cost = self._count(text + GAP)
        return (block, text, cost) if type(cost) is int and cost >= 0 else None

    def _put(self, place: int, entry: Entry) -> None:
        number = max(0, bisect_right(self._starts, place) - 1)
        entries = list(zip(*self._strips[number], strict=True)) if self._strips else []
        entries.insert(place - self._starts[number] if self._strips else 0, entry)
        self._sum += entry[2]
        self._replace(number, entries)

    def _take(self, place: int) -> Entry:
        number = bisect_right(self._starts, place) - 1
        entries = list(zip(*self._strips[number], strict=True))
        entry = entries.pop(place - self._starts[number])
        self._sum -= entry[2]
        self._replace(number, entries)
        return entry

    def _replace(self, number: int, entries: Sequence[Entry]) -> None:
        """Put `entries` where strip `number` is: as one strip, as two when they have become many, or as none."""
        middle = len(entries) // 2
        halves = [entries] if len(entries) <= 2 * _SIZE else [entries[:middle], entries[middle:]]
        strips = [_strip(half) for half in halves if half]
        self._strips = Strips(self._strips)
        self._strips[number : number + 1] = strips
        self._texts[number : number + 1] = [GAP.join(pieces) for _, pieces, _ in strips]
        self._starts = [0, *accumulate(len(blocks) for blocks, _, _ in self._strips[:-1])]

    def _cut(self, entries: Sequence[Entry]) -> None:
        """Cut all entries into strips anew."""
        self._strips = Strips(_strip(entries[start : start + _SIZE]) for start in range(0, len(entries), _SIZE))
        self._texts = [GAP.join(pieces) for _, pieces, _ in self._strips]
        self._starts = list(range(0, len(entries), _SIZE)) or [0]


def is_plain(block: Block, what: Rank) -> bool:
    """True when the block says something, in a piece that follows from it alone, and stands or falls with no other."""
    if what is Rank.DATA or block.requires:
        return False
    return block.tool is not None or (bool(block.text.strip()) and not block.tool_calls and block.role is not Role.TOOL)


def _strip(entries: Sequence[Entry]) -> Strip:
    return [block for block, _, _ in entries], [text for _, text, _ in entries], [cost for _, _, cost in entries]
