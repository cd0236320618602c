"""What may be compiled. Rule of this file: every check raises before anything has been chosen or counted as shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from muniment.compilation import Compilation
from muniment.errors import BlockError, BudgetError, ProviderError, shown
from muniment.types import Band, Block, Packing, Prices, Role, Trust

MOST_TOKENS: Final = 100_000_000


class Counter(Protocol):
    """What counts tokens: see `ports.Tokens`, which this repeats so that compiling loads no port.

    It may also say that it is `additive`; one that does not is taken not to be.
    """

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool: ...

    def count(self, text: str) -> int: ...


def prompt_room(budget: object, reserve: object) -> int:
    """Tokens a prompt may take: `budget` less `reserve`. Raises `BudgetError` (range) for what is no such pair of numbers."""
    whole, kept = _whole(budget, "budget", least=1), _whole(reserve, "reserve", least=0)
    if kept >= whole:
        raise BudgetError(
            f"reserving {kept:,} of {whole:,} tokens leaves no room for a prompt.",
            place="reserve",
            code="range",
            hint="The budget is prompt and answer together; the reserve is the answer's part.",
        )
    return whole - kept


def _whole(value: object, place: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_TOKENS:
        raise BudgetError(
            f"a {place} is a whole number of tokens from {least} to {MOST_TOKENS:,}, not {str(value)[:40]}.",
            place=place,
            code="range",
            hint="Give an int, for example 4000.",
        )
    return value


def check_choices(packing: object, prices: object, since: object) -> None:
    """Raise `BlockError` (range) for what is no packing, no price table or no compilation."""
    for value, kind, place in (
        (packing, Packing, "packing"),
        (prices, Prices | None, "prices"),
        (since, Compilation | None, "since"),
    ):
        if not isinstance(value, kind):
            raise BlockError(
                f"{shown(value)} cannot be a {place}.",
                place=place,
                code="range",
                hint="Give a value of its type, or leave it out.",
            )


def checked(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks as a tuple, each of them one that can be compiled."""
    order = tuple(blocks)
    for place, block in enumerate(order):
        _check_block(block, place)
    return order


def _check_block(value: object, place: int) -> None:
    if not isinstance(value, Block):
        raise BlockError(
            f"{type(value).__name__} is not a Block.",
            place=f"blocks[{place}]",
            code="not_a_block",
            hint="Give a Registry or a sequence of blocks.",
        )
    kinds: tuple[tuple[object, type], ...] = ((value.role, Role), (value.band, Band), (value.trust, Trust))
    for member, kind in kinds:
        if not isinstance(member, kind):
            raise BlockError(
                f"{shown(member)} is not a {kind.__name__}.",
                place=f"blocks[{place}]",
                code="range",
                hint=f"Use a member of {kind.__name__}.",
            )


class Counting:
    """A counter whose counts of `known` texts are remembered, and which refuses counts that are none."""

    __slots__ = ("_known", "_tokens", "seen")

    def __init__(self, tokens: Counter, known: Mapping[str, int]) -> None:
        self._tokens, self._known = tokens, known
        self.seen: dict[str, int] = {}

    def part(self, text: str) -> int:
        """Tokens of a text that may be asked for again, also by a later compile."""
        number = self.seen.get(text)
        if number is None:
            number = self._known.get(text)
            number = self.seen[text] = self.whole(text) if number is None else number
        return number

    def whole(self, text: str) -> int:
        """Tokens of a text. Raises `ProviderError` (counter_invalid)."""
        number: object = self._tokens.count(text)
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ProviderError(
                f"the token counter {self._tokens.name} answered {str(number)[:40]}.",
                code="counter_invalid",
                hint="A counter returns a whole number of tokens, 0 or more.",
            )
        return number
