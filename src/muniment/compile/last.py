"""What a registry's last prompt leaves behind for its next one.

Rule of this file: whoever changes it holds the registry's lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from muniment.compilation import Chosen, Compilation, Terms
from muniment.compile.checks import Counter
from muniment.compile.gate import Gate
from muniment.compile.sheet import Sheet
from muniment.registry.ledger import Ledger
from muniment.types import BlockId, Packing, Prices


class Choices(TypedDict, total=False):
    """What a compile may be told besides its budget and counter.

    `reserve` is room kept for the answer (and for what a provider adds per message). `salt` goes into the markers of the
    frames around untrusted text: give a random one per conversation or process; the same salt keeps prompt caches warm.
    `gate` chooses by `task` among the blocks that it may leave out. `packing` says how the budget is filled. With `prices`,
    the compilation tells its price. `since` is the prompt to compare with; for a registry it is the last one. A `dry` compile
    chooses the same and has no effect on the registry.
    """

    reserve: int
    salt: str
    task: str | None
    gate: Gate | None
    packing: Packing
    prices: Prices | None
    since: Compilation | None
    dry: bool


class Last:
    """A registry's last compilation, and what it takes to make the next one the short way.

    `left_out` are the blocks that are not in it. The short way is open to calls with the same `budget`, `tokens` and `choices`.
    `repeats` is the version at which `made` can be given out again as it is.
    """

    __slots__ = ("_fresh", "_sheet", "_terms", "budget", "choices", "left_out", "made", "repeats", "tokens", "trace", "version")

    def __init__(self, made: Compilation, terms: Terms, chosen: Chosen, *, version: int, left_out: Sequence[BlockId]) -> None:
        self.made, self.version, self.left_out = made, version, left_out
        self.trace = (made.text, terms, chosen)
        self.repeats = -1
        self.budget: int | None = None
        self.tokens: Counter | None = None
        self.choices: Choices = {}
        self._terms = terms
        self._fresh = True
        self._sheet: Sheet | None = None

    def expect(self, choices: Choices, *, budget: int, tokens: Counter, sheet: Sheet | None) -> None:
        """Open the short way."""
        self.budget, self.tokens, self.choices = budget, tokens, choices
        self._sheet = sheet

    def follow(self, ledger: Ledger) -> Compilation | None:
        """The compilation of the registry as it is now, counted as shown; None when it takes the whole way."""
        version = ledger.version
        if version == self.version:
            ledger.shown(self.left_out)
            if self._fresh:
                self._fresh = False
                self.made = self.made.after(self.made)
                self.repeats = -1 if self.left_out else version
            return self.made
        sheet, self._sheet = self._sheet, None
        found = sheet.follow(ledger) if sheet is not None else None
        if found is None:
            return None
        text, tokens, strips = found
        self._sheet = sheet
        made = self.made = Compilation(text, tokens, self._terms, strips, self.trace)
        self.trace = (text, self._terms, strips)
        self.version = version
        self.left_out = ()
        self._fresh = True
        ledger.epoch += 1
        return made
