"""What may be compiled. Rule of this file: every check raises before anything has been chosen or counted as shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Final, Protocol

from muniment.compilation import Compilation
from muniment.compile.gate import Gate
from muniment.errors import BlockError, BudgetError, ProviderError, shown
from muniment.registry import Handle
from muniment.types import Band, Block, Packing, Prices, Role, Trust

MOST_TOKENS: Final = 100_000_000

_CHOICES: Final[Mapping[str, tuple[type | UnionType, str]]] = {
    "reserve": (object, ""),  # see prompt_room
    "salt": (str, 'Give text, "" for none.'),
    "task": (str | None, "Give the task's words, for example the user's message."),
    "gate": (Gate | None, "Give a Gate around the scorer: Gate(Lexical(), top=8)."),
    "packing": (Packing, "Give a member of Packing, for example Packing.SKIP."),
    "prices": (Prices | None, "Give Prices(fresh=…, cached=…, written=…)."),
    "since": (Compilation | None, "Give what an earlier compile returned."),
    "dry": (bool, "Say True or False."),
}


class Counter(Protocol):
    """What counts tokens: see `ports.Tokens`, which this repeats so that compiling loads no port.

    It may also say that it is `additive`; one that does not is taken not to be. It must give the same text the same number every
    time: numbers are remembered from one compile of a registry to the next, and the budget holds by these. A counter that has
    changed is another one: give a new object.
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
            f"a {place} is a whole number of tokens from {least} to {MOST_TOKENS:,}, not {shown(value)}.",
            place=place,
            code="range",
            hint="Give an int, for example 4000.",
        )
    return value


def check_choices(choices: Mapping[str, object]) -> None:
    """Raise `BlockError` (range) for a choice of another type, and TypeError for one that `compile` does not know."""
    for place, value in choices.items():
        if place not in _CHOICES:
            raise TypeError(f"compile() has no argument {place!r}; it takes budget, tokens, {', '.join(_CHOICES)}")
        kind, hint = _CHOICES[place]
        if not isinstance(value, kind):
            raise BlockError(f"{shown(value)} cannot be the {place} of a compile.", place=place, code="range", hint=hint)


def check_counter(tokens: object) -> None:
    """Raise `BlockError` (type) for what is no token counter."""
    name, exact, count = (getattr(tokens, part, None) for part in ("name", "exact", "count"))
    if not (isinstance(name, str) and isinstance(exact, bool) and callable(count)) or isinstance(tokens, type):
        raise BlockError(
            f"{shown(tokens)} is no token counter.",
            place="tokens",
            code="type",
            hint="A counter has a name, exact (False for an estimate) and count(text); EstimatedTokens() is one.",
        )


def check_compiled(made: object) -> None:
    """Raise `BlockError` (type) for what is no compilation."""
    if not isinstance(made, Compilation):
        raise BlockError(
            f"{type(made).__name__} is not a Compilation.",
            place="compilation",
            code="type",
            hint="Compile first, and give what compile returned.",
        )


def checked(blocks: object) -> tuple[Block, ...]:
    """The blocks as a tuple, each of them one that can be compiled."""
    if isinstance(blocks, Handle) or not isinstance(blocks, Iterable):
        what = "a guest's handle" if isinstance(blocks, Handle) else type(blocks).__name__
        raise BlockError(
            f"{what} cannot be compiled.",
            place="blocks",
            code="not_a_block",
            hint="Give a Registry, its view(), or a sequence of blocks. A guest who may read compiles handle.blocks.",
        )
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
                f"the token counter {self._tokens.name} answered {shown(number)}.",
                code="counter_invalid",
                hint="A counter returns a whole number of tokens, 0 or more.",
            )
        return number
