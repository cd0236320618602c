"""Which blocks to let go when a registry grows too large: by score, never without a target, never what must stay.

Rules of this file: the whole choice is made before anything goes; a block that is required, pinned, needed by a required one
or not removable is no candidate, whatever its score; the report says of every block why it went or stayed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from muniment.errors import BlockError, shown
from muniment.registry.ledger import Ledger, Step
from muniment.registry.principals import Actor, Right
from muniment.registry.reports import TokenCounter, check_counter, counted, printable, whole_text
from muniment.types import Band, Block

EvictionScorer = Callable[[Block, int], float]
"""How dispensable a block is, given how often it was shown: the larger, the sooner it goes. -inf keeps it; NaN is refused."""


_TRIES: Final = 20


def by_use(*, priority: float = 0.5, accesses: float = 0.5) -> EvictionScorer:
    """`priority` x (1 - the block's priority) + `accesses` / (times shown + 1): what matters little and is little shown goes."""
    for name, weight in (("priority", priority), ("accesses", accesses)):
        if not math.isfinite(weight):
            raise BlockError(
                f"a weight is a finite number, not {shown(weight)}.", place=name, code="range", hint="0.5 is the default."
            )
    return lambda block, shown_times: priority * (1 - block.priority) + accesses / (shown_times + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """When to stop: exactly one of these. Raises BlockError: target or range.

    A `count` of blocks; at least so many `tokens` (by the `counter`) or `characters`; or every block of at least this `score`.
    """

    count: int | None = None
    tokens: int | None = None
    characters: int | None = None
    score: float | None = None
    counter: TokenCounter | None = None

    def __post_init__(self) -> None:
        given = [name for name in ("count", "tokens", "characters", "score") if getattr(self, name) is not None]
        if len(given) != 1 or (self.tokens is not None) != (self.counter is not None):
            raise BlockError(
                f"an eviction takes exactly one target, not {len(given)}; tokens, and nothing else, need a counter.",
                place=" and ".join(given),
                code="target",
                hint="Give Target(count=3), Target(tokens=500, counter=…), Target(characters=2000) or Target(score=0.8).",
            )
        if self.counter is not None:
            check_counter(self.counter)
        value = getattr(self, given[0])
        of_amounts = isinstance(value, int) and value > 0
        of_scores = isinstance(value, int | float) and not math.isnan(value)
        if isinstance(value, bool) or not (of_scores if given == ["score"] else of_amounts):
            raise BlockError(f"{shown(value)} is no target.", place=given[0], code="range", hint="Give a number above 0; no NaN.")

    def measure(self, block: Block) -> int:
        """What taking this block away frees: 1, its tokens, or its characters."""
        if self.tokens is not None and self.counter is not None:
            return counted(self.counter, whole_text(block))
        return len(whole_text(block)) if self.characters is not None else 1

    def met(self, freed: int) -> bool:
        """Whether so much is enough. A target score has no amount to free: it is met when all of that score are gone."""
        amount = self.count if self.count is not None else self.tokens if self.tokens is not None else self.characters
        return amount is None or freed >= amount


class Stays(StrEnum):
    """Why a block is kept."""

    REQUIRED = "required"
    PINNED = "pinned"
    NEEDED = "needed by a required block"
    NOT_REMOVABLE = "not removable"
    NEVER = "scored never"
    BELOW_SCORE = "below the score"
    ENOUGH = "enough was freed before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One block: its score (None for what was no candidate), what it freed in the target's unit, or why it stays."""

    name: str
    score: float | None
    freed: int = 0
    stays: Stays | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Eviction:
    """What went, in the order of going, and what was kept, in registry order. `met` says whether the target was reached."""

    gone: tuple[Verdict, ...]
    kept: tuple[Verdict, ...]
    freed: int
    met: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the blocks that went."""
        return tuple(verdict.name for verdict in self.gone)

    def lines(self) -> tuple[str, ...]:
        """The report for a terminal, one block per line."""
        return (
            f"{len(self.gone)} evicted, {len(self.kept)} kept, {self.freed:,} freed; target {'met' if self.met else 'not met'}",
            *(f"- {printable(verdict.name)}: score {verdict.score:.3f}, {verdict.freed:,}" for verdict in self.gone),
            *(f"  {printable(verdict.name)}: {verdict.stays}" for verdict in self.kept),
        )

    def __str__(self) -> str:
        return "\n".join(self.lines())


def evict_by(ledger: Ledger, actor: Actor, target: Target, *, scorer: EvictionScorer | None = None) -> Eviction:
    """Evict what scores highest (by use, unless a `scorer` is given) until the target is met, as one step, and report it.

    The scorer and the counter are called without the lock; when a chosen block has changed meanwhile, all is chosen again.
    Raises BlockError (changed) when that never ends.
    """
    if not isinstance(target, Target):
        raise BlockError(f"{shown(target)} is not a Target.", place="target", code="target", hint="Give one: Target(count=3).")
    if scorer is not None and not callable(scorer):
        raise BlockError(
            f"{shown(scorer)} is no scorer.",
            place="scorer",
            code="range",
            hint="Give a function of a block and how often it was shown.",
        )
    for _ in range(_TRIES):
        with ledger.lock:
            actor.check(Right.WRITE)
            blocks = [block for block in ledger.order if actor.sees(block)]
            accesses = [ledger.accesses(block.id) for block in blocks]
        chosen, report = choose(blocks, accesses, target, scorer or by_use())
        with Step(ledger, actor=actor.id, note="eviction by policy") as step:
            if all(ledger.by_id.get(block.id) is block for block in chosen):
                for block in chosen:
                    actor.check_evict(block, force=False)
                    step.evict(block)
                return report
    raise BlockError(
        f"blocks changed {_TRIES} times while they were scored.",
        code="changed",
        hint="Use a scorer that is quick and changes nothing.",
    )


def choose(
    blocks: Sequence[Block], accesses: Sequence[int], target: Target, scorer: EvictionScorer
) -> tuple[list[Block], Eviction]:
    """The blocks to evict, in the order of going, and the report as it will be. Changes nothing.

    Of equal scores the block that stands last goes first: what is in front is what prompts are built on.
    """
    needed = _needed(blocks)
    stays = {place: why for place, block in enumerate(blocks) if (why := _stays(block, place in needed))}
    scores = {place: _score(scorer, blocks[place], accesses[place]) for place in range(len(blocks)) if place not in stays}
    stays |= {place: Stays.NEVER for place, score in scores.items() if score == -math.inf}
    if (least := target.score) is not None:
        stays |= {place: Stays.BELOW_SCORE for place, score in scores.items() if place not in stays and score < least}
    gone: list[int] = []
    freed = 0
    weights: dict[int, int] = {}
    for place in sorted((p for p in scores if p not in stays), key=lambda p: (-scores[p], -p)):
        if target.score is None and target.met(freed):
            stays[place] = Stays.ENOUGH
        else:
            gone.append(place)
            weights[place] = target.measure(blocks[place])
            freed += weights[place]

    def verdict(place: int) -> Verdict:
        return Verdict(name=blocks[place].name, score=scores.get(place), freed=weights.get(place, 0), stays=stays.get(place))

    report = Eviction(gone=tuple(map(verdict, gone)), kept=tuple(map(verdict, sorted(stays))), freed=freed, met=target.met(freed))
    return [blocks[place] for place in gone], report


def _score(scorer: EvictionScorer, block: Block, accesses: int) -> float:
    score: object = scorer(block, accesses)
    if isinstance(score, bool) or not isinstance(score, int | float) or math.isnan(score):
        raise BlockError(
            f"the eviction scorer gave {shown(score)}.", place="scorer", code="range", hint="Return a number; -inf keeps a block."
        )
    return float(score)


def _stays(block: Block, needed: bool) -> Stays | None:
    if block.required:
        return Stays.REQUIRED
    if block.band is Band.PINNED:
        return Stays.PINNED
    if not block.removable:
        return Stays.NOT_REMOVABLE
    return Stays.NEEDED if needed else None


def _needed(blocks: Sequence[Block]) -> set[int]:
    """Places of blocks without which a block that must be in every prompt could not: named by it, of its turn, or its call."""
    needed = {place for place, block in enumerate(blocks) if block.required or block.band is Band.PINNED}
    size = 0
    while len(needed) > size:
        size = len(needed)
        names = {name for place in needed for name in blocks[place].requires}
        keys = {blocks[place].turn_key for place in needed} - {None}
        calls = {blocks[place].tool_call_id for place in needed} - {None}
        needed |= {
            place
            for place, block in enumerate(blocks)
            if block.name in names or block.turn_key in keys or any(call.id in calls for call in block.tool_calls)
        }
    return needed
