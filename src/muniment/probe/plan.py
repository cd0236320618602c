"""What a run tries: the setup a user chooses and the trials that follow from it, each with a key that no other has.

Rule of this file: a plan follows from the setup and the models' names alone, so that a run that was cut off can go on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import product
from typing import Final

from muniment.errors import InputError
from muniment.probe.domains import domains
from muniment.probe.scenes import Order

LEAST_BLOCKS: Final = 5
MOST_BLOCKS: Final = 100
NOWHERE: Final = -1
"""The position of a critical block that is not there."""


class Layout(StrEnum):
    """Where the task stands: behind the compiled blocks, or in front of them."""

    AFTER = "after"
    BEFORE = "before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How much is tried. `sizes` are numbers of blocks; `positions` is how many of each are tried, spread evenly; None for all.

    `top` is how many blocks a gate lets through. Raises InputError (range) for what makes no experiment.
    """

    sizes: tuple[int, ...] = (7, 13, 19)
    positions: int | None = 5
    seeds: int = 5
    layouts: tuple[Layout, ...] = (Layout.AFTER,)
    orders: tuple[Order, ...] = (Order.FIXED, Order.SHUFFLED)
    top: int = 5
    max_tokens: int = 48

    def __post_init__(self) -> None:
        _check("n", min(self.sizes, default=0), LEAST_BLOCKS, MOST_BLOCKS)
        _check("n", max(self.sizes, default=0), LEAST_BLOCKS, MOST_BLOCKS)
        _check("positions", self.positions if self.positions is not None else 2, 2, MOST_BLOCKS)
        _check("seeds", self.seeds, 1, 10_000)
        _check("top", self.top, 1, MOST_BLOCKS)
        _check("max-tokens", self.max_tokens, 1, 10_000)

    def places(self, size: int) -> tuple[int, ...]:
        """The positions tried in a prompt of this many blocks, from the first to the last."""
        count = size if self.positions is None else min(self.positions, size)
        return tuple(round(step * (size - 1) / (count - 1)) for step in range(count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One question to one model. `position` is where the critical block stands before an arm does anything about it."""

    experiment: str
    model: str
    arm: str
    layout: Layout
    order: Order
    n: int
    position: int
    seed: int
    variant: str = ""

    @property
    def key(self) -> str:
        """What the trial is called in a log."""
        parts = (self.arm, self.layout, self.order, f"n{self.n}", f"p{self.position}", f"s{self.seed}", self.variant, self.model)
        return "/".join(str(part) for part in parts)


def sweep(experiment: str, model: str, setup: Setup, *, arms: Sequence[str], variants: Sequence[str] = ("",)) -> Iterator[Trial]:
    """Every arm at every position of every size, in every layout and order, for every seed."""
    for layout, size, order, seed in product(setup.layouts, setup.sizes, setup.orders, range(setup.seeds)):
        for position, arm, variant in product(setup.places(size), arms, variants):
            yield Trial(
                experiment=experiment,
                model=model,
                arm=arm,
                layout=layout,
                order=order,
                n=size,
                position=position,
                seed=seed,
                variant=variant,
            )


def fingerprint(experiment: str, models: Sequence[str], setup: Setup) -> str:
    """What two runs share that try the same things: a hash of the setup, the models' names and the texts."""
    texts = sha256(repr(domains()).encode()).hexdigest()
    plan = json.dumps([experiment, list(models), asdict(setup), texts], sort_keys=True)
    return sha256(plan.encode()).hexdigest()


def _check(place: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise InputError(
            f"this is a number from {least:,} to {most:,}, not {value:,}.", place=place, code="range", hint="Give another number."
        )
