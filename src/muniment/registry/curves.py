"""How good the places of a prompt are: simple curves, and curves that were measured on a model.

Rule of this file: a curve knows nothing of blocks; it has one number per place, first to last, and larger is better.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from muniment.errors import FormatError, shown
from muniment.text import strict_json

CLIFF_TASK_AFTER: Final = 7
CLIFF_TASK_BEFORE: Final = 12
"""Blocks that small models answered from nearly always when the task stood after, or before, the registry."""


class Curve(Protocol):
    """How good each of `count` places is, first to last; any finite numbers, larger is better."""

    def curve(self, count: int) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class FrontLoad:
    """The first `cliff` places are good and all others are not. See `CLIFF_TASK_AFTER` and `CLIFF_TASK_BEFORE`."""

    cliff: int = CLIFF_TASK_AFTER

    def curve(self, count: int) -> Sequence[float]:
        """1 before the cliff and 0 behind it."""
        return [1.0 if place < self.cliff else 0.0 for place in range(count)]


@dataclass(frozen=True, slots=True)
class Edges:
    """Both ends are good and the middle is not."""

    def curve(self, count: int) -> Sequence[float]:
        """1 at both ends, falling evenly to a half in the middle."""
        return [max(place, count - 1 - place) / (count - 1) if count > 1 else 1.0 for place in range(count)]


@dataclass(frozen=True, slots=True)
class Tail:
    """The nearer to the end, the better: for models that heed best what they read last."""

    def curve(self, count: int) -> Sequence[float]:
        """Rising evenly to 1."""
        return [(place + 1) / count for place in range(count)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How often, of `trials`, a model used a block at `position` (from 0) among `n`."""

    n: int
    position: int
    success: float
    trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A measured curve of one model. `layout` is task_after or task_before: where the task stood. Made by `read_profile`."""

    model: str
    layout: str
    points: tuple[Point, ...]

    def curve(self, count: int) -> Sequence[float]:
        """The success measured at each place, counted from the front and never scaled: place 6 of 8 is read at place 6 of 13.

        A count below every measured size reads the smallest of them. Between two sizes it is a straight line between what both
        have at that place, and the larger alone where the smaller has no such place. Beyond the largest, its last value holds.
        """
        sizes = sorted({point.n for point in self.points})
        right = min(bisect_left(sizes, count), len(sizes) - 1)
        larger = self._measured(sizes[right], count)
        if right == 0 or count >= sizes[right]:
            return larger
        n, more = sizes[right - 1], sizes[right]
        both = zip(self._measured(n, n), larger[:n], strict=True)
        return [_between(((n, low), (more, high)), count) for low, high in both] + larger[n:]

    def _measured(self, size: int, count: int) -> list[float]:
        """The first `count` places as measured among `size`: between measured places a straight line, flat outside."""
        at: dict[int, list[Point]] = {}
        for point in self.points:
            if point.n == size:
                at.setdefault(point.position, []).append(point)
        known = [
            (position, sum(p.success * p.trials for p in at[position]) / sum(p.trials for p in at[position]))
            for position in sorted(at)
        ]
        return [_between(known, place) for place in range(count)]


def read_profile(text: str, *, place: str = "") -> Profile:
    """A model's measured curve from JSON, as the position probe writes it. Raises FormatError naming the field."""
    whole = strict_json.loads(text, place=place)
    if not isinstance(whole, dict) or not isinstance(points := whole.get("curve"), list):
        raise _unfit("this is not a profile: an object with a list under 'curve' is wanted.", place)
    if whole.get("version") != 1:
        raise _unfit(f"version {shown(whole.get('version'))} of this format is not known; 1 is.", place, "version")
    if not isinstance(model := whole.get("model"), str):
        raise _unfit("the model's name is missing.", place, "model")
    if (layout := whole.get("layout")) not in ("task_after", "task_before"):
        raise _unfit(f"{shown(layout)} is neither 'task_after' nor 'task_before'.", place, "layout")
    if not points:
        raise _unfit("the curve has no points.", place, "curve")
    read = tuple(_point(point, f"{place}: curve[{n}]" if place else f"curve[{n}]") for n, point in enumerate(points))
    return Profile(model=model, layout=layout, points=read)


def _point(value: object, place: str) -> Point:
    if not isinstance(value, dict):
        raise _unfit("a point is an object with n, position, success and trials.", place)
    n, position, trials = (_whole(value.get(key), place, key) for key in ("n", "position", "trials"))
    success = value.get("success")
    if n < 1 or not 0 <= position < n or trials < 1:
        raise _unfit(f"position {position} of {n} in {trials} trials is not possible.", place)
    if isinstance(success, bool) or not isinstance(success, int | float) or not 0 <= success <= 1:
        raise _unfit(f"a success is a share from 0 to 1, not {shown(success)}.", place, "success")
    return Point(n=n, position=position, success=float(success), trials=trials)


def _whole(value: object, place: str, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _unfit(f"{shown(value)} is not a whole number.", place, key)
    return value


def _unfit(message: str, place: str, key: str = "") -> FormatError:
    at = f"{place}.{key}" if place and key else place or key
    return FormatError(message, place=at, code="profile_invalid", hint="Write it with the position probe's --profile.")


def _between(known: Sequence[tuple[float, float]], x: float) -> float:
    """Linear between neighbours, flat outside."""
    right = bisect_left(known, (x, -math.inf))
    if right == 0:
        return known[0][1]
    if right == len(known):
        return known[-1][1]
    (x0, y0), (x1, y1) = known[right - 1], known[right]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
