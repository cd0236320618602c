"""The gate: which of the optional blocks a task needs, before the first token is spent on them.

Rules of this file: a gate chooses a set and never an order. Scores decide, then registry order; what a scorer answers is checked
before anything is believed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import CoroutineType
from typing import Final

from muniment.errors import BlockError, shown
from muniment.registry.groups import Scorer
from muniment.types import Block, Fate

__all__ = ["Gate", "Scorer", "Sifted", "sift"]

_EXAMPLE: Final = "For example Gate(Lexical(), top=8)."


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets the blocks through that a task needs: those that score at least `threshold`, and of them the `top` best.

    `scorer` is any function that takes the task and the blocks and returns one finite number for each, higher for nearer. What
    a threshold means is the scorer's affair. At least one of `top` (1 or more) and `threshold` (finite) must be given, else the
    gate would let everything through. Raises `BlockError` (range or type) otherwise.
    """

    scorer: Scorer
    top: int | None = field(default=None, kw_only=True)
    threshold: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        top: object = self.top
        threshold: object = self.threshold
        if not callable(self.scorer):
            raise _refused("scorer", f"{shown(self.scorer)} is not a function of a task and blocks.", code="type")
        if top is None and threshold is None:
            raise _refused("top", "a gate needs a top or a threshold; without them it lets everything through.", code="range")
        if top is not None and (isinstance(top, bool) or not isinstance(top, int) or top < 1):
            raise _refused("top", f"{shown(top)} is not a whole number of blocks, 1 or more.", code="range")
        if threshold is not None and not _is_finite(threshold):
            raise _refused("threshold", f"{shown(threshold)} is not a finite number.", code="range")


@dataclass(frozen=True, slots=True)
class Sifted:
    """What a gate made of its candidates, by place among all blocks: every one's score, and why some are refused."""

    scores: Mapping[int, float]
    refused: Mapping[int, Fate]


def sift(blocks: Sequence[Block], candidates: Sequence[int], *, task: str | None, gate: Gate) -> Sifted:
    """Score `blocks` at the places `candidates` for `task` and refuse those below the gate's threshold or beyond its top.

    Members of a group that is gated as a unit are one contender, as near as their nearest: they pass together and count once.
    Of equal scores the earlier block passes. Raises `BlockError`: task_needed for a task without words, scores when the scorer
    did not answer with one finite number per candidate.
    """
    if not isinstance(task, str) or not task.strip():
        raise BlockError(
            "a gate cannot tell what to let through without a task.",
            place="task",
            code="task_needed",
            hint="Give the task's words, for example the user's message, or compile without a gate.",
        )
    if not candidates:
        return Sifted({}, {})
    places = sorted(candidates)
    scores = dict(zip(places, _scores(gate.scorer, task, [blocks[place] for place in places]), strict=True))
    contenders = _contenders(blocks, places)
    best = {unit[0]: max(scores[place] for place in unit) for unit in contenders}
    refused: dict[int, Fate] = {}
    passed = 0
    for unit in sorted(contenders, key=lambda unit: (-best[unit[0]], unit[0])):
        if gate.threshold is not None and best[unit[0]] < gate.threshold:
            refused.update(dict.fromkeys(unit, Fate.BELOW_THRESHOLD))
        elif gate.top is not None and passed == gate.top:
            refused.update(dict.fromkeys(unit, Fate.BELOW_TOP))
        else:
            passed += 1
    return Sifted(scores, refused)


def _contenders(blocks: Sequence[Block], candidates: Sequence[int]) -> list[list[int]]:
    """Places that pass or fail together, each list in order."""
    units: dict[str | int, list[int]] = {}
    for place in candidates:
        group = blocks[place].group
        units.setdefault(group.name if group is not None and group.gate_as_unit else place, []).append(place)
    return list(units.values())


def _scores(scorer: Scorer, task: str, chosen: Sequence[Block]) -> list[float]:
    answer: object = scorer(task, chosen)
    if isinstance(answer, CoroutineType):
        answer.close()
    try:
        values = list(answer)  # type: ignore[call-overload]  # what strangers' functions return is found out here
    except TypeError as error:
        raise _unscored(f"the scorer answered with {type(answer).__name__}, not with a sequence of numbers.") from error
    if len(values) != len(chosen):
        raise _unscored(f"the scorer gave {len(values):,} scores for {len(chosen):,} blocks.")
    for value, block in zip(values, chosen, strict=True):
        if not _is_finite(value):
            raise _unscored(f"the scorer gave {shown(value)} for the block {shown(block.name)}.")
    return [float(value) for value in values]


def _is_finite(value: object) -> bool:
    """True for a number that can be compared. Numbers of numpy are such numbers too, whatever their type."""
    try:
        return not isinstance(value, str | bytes) and math.isfinite(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def _unscored(message: str) -> BlockError:
    hint = "Return one finite number per block, in the order given. A scorer is a plain function, not an async one."
    return BlockError(message, place="scorer", code="scores", hint=hint)


def _refused(place: str, message: str, *, code: str) -> BlockError:
    return BlockError(message, place=place, code=code, hint=_EXAMPLE)
