"""What a compile returns: the prompt's text, and a receipt whose costly parts are made when they are first read.

Rules of this file: read-only from outside, and equal when everything but the history is. Nothing here chooses, renders or
counts on its own account; what does is handed in with the terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from muniment.bundle import Bundle
from muniment.types import Block, BlockReceipt, Fate, Prices, Tool


class Chosen(Protocol):
    """What became of the blocks offered for a prompt."""

    def included(self) -> tuple[Block, ...]:
        """The blocks in the prompt, in order, as they are rendered."""
        ...

    def rows(self) -> tuple[BlockReceipt, ...]:
        """The fate of every block, in order."""
        ...


class Choice(Protocol):
    """One choice, or several of which each has a number."""

    def at(self, number: int) -> Chosen:
        """The choice of this number; what it says never changes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What one prompt costs, in the currency of the price table. `kept` is what it would cost had no block changed its place."""

    now: float
    kept: float

    @property
    def lost(self) -> float:
        """What the change of order costs."""
        return self.now - self.kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """How much of a prompt begins as the one before did, in tokens: as flat text, and in chat order (tools, system, messages).

    `same_tools` says that there was one before, and that it offered the same tools in the same order.
    """

    text: int
    chat: int
    same_tools: bool = False
    price: Price | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a prompt was made under: the same for every prompt of one registry, budget and counter.

    `count` is the counter's function; `prefix` compares a compilation under these terms with the one before it.
    """

    budget: int
    reserve: int
    counter: str
    exact: bool
    salt: str
    count: Callable[[str], int]
    prefix: Callable[[Compilation, Compilation | None, Terms], Prefix]
    prices: Prices | None = None


Kept = tuple[str, Terms, Choice, int]
"""A text, the terms it was made under, and the choice with its number: all that is kept of a prompt for the next one."""


class Compilation:
    """The prompt and its receipt. `blocks` are the included ones in order; `receipt` has every block of the registry in order.

    `tokens` never exceeds `budget - reserve`, counted by `counter` over the rendered text. `prompt_hash` is SHA-256 of that
    text. `salt` is what the markers of the frames were made with. A block whose short form stands in has it as its text.
    """

    __slots__ = ("_before", "_blocks", "_kept", "_prefix", "_prompt_hash", "_receipt", "_tokens")

    def __init__(self, kept: Kept, tokens: int, before: Kept | None) -> None:
        self._kept = kept
        self._tokens = tokens
        self._before = before  # not the compilation before: that would keep the one before it, and so all there ever were
        self._blocks: tuple[Block, ...] | None = None
        self._receipt: tuple[BlockReceipt, ...] | None = None
        self._prompt_hash: str | None = None
        self._prefix: Prefix | None = None

    @property
    def text(self) -> str:
        """The whole prompt as one text."""
        return self._kept[0]

    @property
    def tokens(self) -> int:
        """Tokens of the text."""
        return self._tokens

    @property
    def budget(self) -> int:
        """Tokens for prompt and answer together."""
        return self._kept[1].budget

    @property
    def reserve(self) -> int:
        """Tokens of the budget that are kept for the answer."""
        return self._kept[1].reserve

    @property
    def counter(self) -> str:
        """Name of the token counter."""
        return self._kept[1].counter

    @property
    def exact(self) -> bool:
        """False when the counter estimates."""
        return self._kept[1].exact

    @property
    def salt(self) -> str:
        """What the markers of the frames were made with."""
        return self._kept[1].salt

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The included blocks, in order."""
        if self._blocks is None:
            _, _, choice, number = self._kept
            self._blocks = choice.at(number).included()
        return self._blocks

    @property
    def receipt(self) -> tuple[BlockReceipt, ...]:
        """The fate of every block, in order."""
        if self._receipt is None:
            _, _, choice, number = self._kept
            self._receipt = choice.at(number).rows()
        return self._receipt

    @property
    def prompt_hash(self) -> str:
        """SHA-256 of the text, in hexadecimal."""
        if self._prompt_hash is None:
            self._prompt_hash = sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        return self._prompt_hash

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the included blocks, in order."""
        return tuple(block.name for block in self.blocks)

    @property
    def left_out(self) -> tuple[BlockReceipt, ...]:
        """The blocks that are not in the prompt, each with its reason."""
        return tuple(row for row in self.receipt if row.fate is not Fate.INCLUDED)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that the prompt offers, in order."""
        return tuple(block.tool for block in self.blocks if block.tool is not None)

    @property
    def prefix(self) -> Prefix:
        """How much begins as the prompt before did, and the price that follows from it; nothing does when there was none."""
        if self._prefix is None:
            before = None if self._before is None else Compilation(self._before, 0, None)
            terms = self._kept[1]
            self._prefix = terms.prefix(self, before, terms)
        return self._prefix

    @property
    def unchanged(self) -> int | None:
        """Leading tokens of the flat text that are as they were in the prompt before; None when there is none before.

        A chat API sends tools first: there `prefix.chat` counts.
        """
        return None if self._before is None else self.prefix.text

    @property
    def price(self) -> Price | None:
        """What the prompt costs when it is sent; None without a price table."""
        return self.prefix.price

    def after(self, before: Compilation) -> Compilation:
        """The same, compared with `before`."""
        return Compilation(self._kept, self._tokens, before._kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Compilation):
            return NotImplemented
        return (_values(self), self.blocks, self.receipt) == (_values(other), other.blocks, other.receipt)

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        return f"<Compilation of {len(self.blocks)} blocks, {self.tokens:,} of {self.budget:,} tokens>"


def _values(made: Compilation) -> tuple[object, ...]:
    """What a compilation says without its blocks, for comparing."""
    return (made.text, made.tokens, made.budget, made.reserve, made.counter, made.exact, made.salt)


def kept(made: Compilation) -> Kept:
    """What a later compilation keeps of this one."""
    return made._kept  # noqa: SLF001  # made in this file


def with_rows(made: Compilation, rows: Iterable[BlockReceipt]) -> Compilation:
    """The same with these rows behind the others of the receipt: things that were not even offered as blocks."""
    more = Compilation(made._kept, made.tokens, made._before)  # noqa: SLF001  # made in this file
    more._receipt = (*made.receipt, *rows)  # noqa: SLF001  # the same
    return more


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """One turn's prompt: the compilation, and the bundle its memory came from."""

    compilation: Compilation
    bundle: Bundle
