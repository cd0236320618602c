"""A registry's text kept in strips, so that after one change one strip is joined again and not all of it.

Rules of this file: it only knows prompts in which every block stands, each with a piece that follows from the block alone. For
anything else it answers None, is closed, and the whole walk decides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from muniment.compilation import Compilation, Terms
from muniment.compile.checks import Counter
from muniment.compile.last import Last
from muniment.compile.partners import Rank, rank
from muniment.compile.render import GAP, piece
from muniment.compile.selection import Selection
from muniment.registry.journal import Change, Op, advance
from muniment.registry.ledger import Ledger
from muniment.types import Band, Block, BlockReceipt, Fate, Role

Log = list[tuple[Change, int]]

_STRIP: Final = 32
_LOG: Final = 256
_EDIT: Final = Op.EDIT


class Standing:
    """Blocks that are all in the prompt, with the tokens of their pieces."""

    def __init__(self, entries: Sequence[tuple[Block, int]]) -> None:
        self.entries = entries

    def included(self) -> tuple[Block, ...]:
        """All of them, in order."""
        return tuple(block for block, _ in self.entries)

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
            for block, cost in self.entries
        )


class Page:
    """Blocks and their tokens at one moment, and a log of what changed after it; the log only grows.

    An entry of the log is the change and the tokens of the block as it is after it.
    """

    __slots__ = ("_entries", "log")

    def __init__(self, entries: Sequence[tuple[Block, int]]) -> None:
        self._entries = entries
        self.log: Log = []

    def at(self, number: int) -> Standing:
        """The blocks after so many changes."""
        line = list(self._entries)
        for change, cost in self.log[:number]:
            advance(line, change, (change.block, cost) if change.block is not None else None)
        return Standing(line)

    def renewed(self) -> Page:
        """This page, or when its log is full, one that begins where it ends."""
        return self if len(self.log) < _LOG else Page(self.at(len(self.log)).entries)


class Sheet(Last):
    """The last compilation of a registry in which all is plain and fits, and its text in strips.

    With `additive`, tokens are summed, less the gap that is weighed behind the last block; otherwise the whole text is counted
    each time, and where it hangs on that gap the whole walk decides.
    """

    __slots__ = (
        "_added",
        "_additive",
        "_behind",
        "_book",
        "_costs",
        "_count",
        "_gap",
        "_page",
        "_pieces",
        "_room",
        "_starts",
        "_sum",
        "_terms",
        "_texts",
    )

    def __init__(
        self, made: Compilation, selection: Selection, terms: Terms, *, version: int, counter: Counter, additive: bool
    ) -> None:
        super().__init__(made, version=version, counter=counter)
        self._terms, self._count, self._additive = terms, terms.count, additive
        self._room = selection.room
        self._gap = selection.counting.part(GAP)
        self._behind, self._added = ("", self._gap) if additive else (GAP, 0)
        self._sum = sum(selection.costs)
        self._page: Page | None = Page(list(zip(selection.order, selection.costs, strict=True)))
        self._book = self._page
        self._pieces: list[list[str]] = []
        self._costs: list[list[int]] = []
        self._texts: list[str] = []
        self._starts: list[int] = []
        self._cut(selection.pieces, selection.costs)

    def counts(self) -> Mapping[str, int]:
        """Tokens of the pieces as they are now, also of a closed sheet: a page holds no half change."""
        entries = self._book.at(len(self._book.log)).entries
        counts = {piece(block, rank(block), self._terms.salt) + GAP: cost for block, cost in entries}
        return {GAP: self._gap, **counts}

    def follow(self, ledger: Ledger) -> Compilation | None:
        """The compilation of the registry as it is now, counted as shown; None when it takes the whole way."""
        page, changes = self._page, ledger.changes
        if page is None or ledger.version != self.version + 1 or not changes:
            return self._follow(ledger)
        change, log = changes[-1], page.log
        before, block = change.before, change.block
        if before is None or block is None or len(log) >= _LOG:
            return self._follow(ledger)
        # From here on the commonest change in one straight line, since calls cost too much: an edit of a block whose piece is
        # its text and nothing else. An edit leaves role, trust, band, tool, calls and requirements as they are.
        starts, words = self._starts, block.text
        number = bisect_right(starts, change.place) - 1
        place = change.place - starts[number]
        pieces, costs, texts = self._pieces[number], self._costs[number], self._texts
        if pieces[place] is not before.text or not words or block.prefix or block.suffix or words.isspace():
            return self._follow(ledger)
        cost = self._count(words + self._behind)
        if type(cost) is not int or cost < 0:
            return self._follow(ledger)
        cost += self._added
        total = self._sum = self._sum + cost - costs[place]
        pieces[place], costs[place] = words, cost
        texts[number] = GAP.join(pieces)
        log.append((change, cost))
        text = GAP.join(texts)
        tokens = total - self._gap
        if tokens > self._room or not self._additive:
            self._page = None
            if total > self._room or (tokens := self._counted(text)) < 0:
                return None
            self._page = page
        kept = (text, self._terms, page, len(log))
        made = self.made = Compilation(kept, tokens, self._kept)
        self.version, self._kept, self._fresh = change.version, kept, True
        ledger.epoch += 1
        return made

    def _follow(self, ledger: Ledger) -> Compilation | None:
        """The same for any changes."""
        version = ledger.version
        if version == self.version:
            return self._repeat(ledger)
        page, self._page = self._page, None  # whatever goes wrong from here on closes the sheet
        changes = ledger.changes_since(self.version)
        if page is None or changes is None or not all(self._make(change, page.log) for change in changes):
            return None
        page = self._book = page.renewed()
        text = GAP.join(self._texts)
        tokens = self._sum - self._gap if self._additive else self._counted(text)
        if (tokens if self._additive else self._sum) > self._room or not text or tokens < 0:
            return None
        kept = (text, self._terms, page, len(page.log))
        made = self.made = Compilation(kept, tokens, self._kept)
        self.version, self._kept, self._page, self._fresh = version, kept, page, True
        ledger.epoch += 1
        return made

    def _counted(self, text: str) -> int:
        """Tokens of the whole text; -1 when it does not fit, or the counter is not to be believed."""
        tokens = self._count(text)
        return tokens if type(tokens) is int and tokens <= self._room else -1

    def _make(self, change: Change, log: Log) -> bool:
        """Make any change; False when what it brings is not plain."""
        op, block, cost = change.op, change.block, 0
        if op is Op.REORDER:
            pieces, costs = [*chain.from_iterable(self._pieces)], [*chain.from_iterable(self._costs)]
            self._cut([pieces[old] for old in change.order], [costs[old] for old in change.order])
        elif op is Op.MOVE:
            text, cost = self._take(change.place)
            self._put(change.to, text, cost)
        elif op is Op.EVICT:
            self._take(change.place)
        elif block is None or block.tool is not None or not is_plain(block, what := rank(block)):
            return False
        else:
            text = piece(block, what, self._terms.salt)
            cost = self._count(text + GAP)
            if type(cost) is not int or cost < 0:
                return False
            if op is _EDIT:
                self._take(change.place)
            self._put(change.place, text, cost)
        log.append((change, cost))
        return True

    def _take(self, place: int) -> tuple[str, int]:
        number = bisect_right(self._starts, place) - 1
        pieces, costs = self._pieces[number], self._costs[number]
        place -= self._starts[number]
        text, cost = pieces.pop(place), costs.pop(place)
        self._sum -= cost
        self._shift(number + 1, -1)
        if pieces:
            self._texts[number] = GAP.join(pieces)
        else:
            del self._pieces[number], self._costs[number], self._texts[number], self._starts[number]
        return text, cost

    def _put(self, place: int, text: str, cost: int) -> None:
        if not self._pieces:
            self._cut([text], [cost])
            self._sum += cost
            return
        number = bisect_right(self._starts, place) - 1
        pieces, costs = self._pieces[number], self._costs[number]
        place -= self._starts[number]
        pieces.insert(place, text)
        costs.insert(place, cost)
        self._sum += cost
        self._shift(number + 1, 1)
        if len(pieces) > 2 * _STRIP:
            self._starts.insert(number + 1, self._starts[number] + _STRIP)
            self._pieces[number : number + 1] = [pieces[:_STRIP], pieces[_STRIP:]]
            self._costs[number : number + 1] = [costs[:_STRIP], costs[_STRIP:]]
            self._texts.insert(number + 1, GAP.join(pieces[_STRIP:]))
        self._texts[number] = GAP.join(self._pieces[number])

    def _shift(self, number: int, by: int) -> None:
        """Let strip `number` and those behind it start so much later."""
        self._starts[number:] = [start + by for start in self._starts[number:]]

    def _cut(self, pieces: Sequence[str], costs: Sequence[int]) -> None:
        """Cut all pieces into strips anew."""
        starts = range(0, len(pieces), _STRIP)
        self._pieces = [list(pieces[start : start + _STRIP]) for start in starts]
        self._costs = [list(costs[start : start + _STRIP]) for start in starts]
        self._texts = [GAP.join(part) for part in self._pieces]
        self._starts = list(starts)


def is_plain(block: Block, what: Rank) -> bool:
    """True when the block says something, in a piece that follows from it alone, and stands or falls with no other."""
    if what is Rank.DATA or block.requires:
        return False
    return block.tool is not None or (bool(block.text.strip()) and not block.tool_calls and block.role is not Role.TOOL)
