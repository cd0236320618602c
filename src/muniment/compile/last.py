"""What a registry's last prompt leaves behind for its next one.

Rule of this file: whoever changes it holds the registry's lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

from muniment.compilation import Compilation, kept
from muniment.compile.checks import Counter
from muniment.compile.gate import Gate
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
    """A registry's last compilation, and what the next one can use of it.

    `left_out` are the blocks that are not in it; `counter` is what counted. The short way is open to calls with the same
    `budget`, `tokens` and `choices`. `repeats` is the version at which `made` can be given out again as it is.
    """

    __slots__ = ("_counts", "_fresh", "_kept", "budget", "choices", "counter", "left_out", "made", "repeats", "tokens", "version")

    def __init__(
        self,
        made: Compilation,
        *,
        version: int,
        counter: Counter,
        left_out: Sequence[BlockId] = (),
        counts: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.made, self.version, self.counter, self.left_out = made, version, counter, left_out
        self._counts = counts
        self.repeats = -1
        self.budget: int | None = None
        self.tokens: Counter | None = None
        self.choices: Choices = {}
        self._kept = kept(made)
        self._fresh = True

    def expect(self, choices: Choices, *, budget: int, tokens: Counter) -> None:
        """Open the short way."""
        self.budget, self.tokens, self.choices = budget, tokens, choices

    def counts(self) -> Mapping[str, int]:
        """Tokens of texts, by `counter`."""
        return self._counts

    def follow(self, ledger: Ledger) -> Compilation | None:
        """The compilation of the registry as it is now, counted as shown; None when it takes the whole way."""
        return self._repeat(ledger) if ledger.version == self.version else None

    def _repeat(self, ledger: Ledger) -> Compilation:
        ledger.shown(self.left_out)
        if self._fresh:
            self._fresh = False
            self.made = self.made.after(self.made)
            self.repeats = -1 if self.left_out else self.version
        return self.made
