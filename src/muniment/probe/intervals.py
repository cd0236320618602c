"""How sure a share is: intervals for one share and for the difference of two arms that met the same trials.

Rule of this file: closed formulas on counts. All intervals are at 95%.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, log, sqrt
from typing import Final

Z: Final = 1.959963984540054
Interval = tuple[float, float]

_CLEAR: Final = 9.0
"""Twice the gain in log-likelihood from which a step counts: chance reaches it in one or two flat curves of a hundred."""


@dataclass(frozen=True, slots=True)
class Share:
    """`passed` of `trials`."""

    passed: int
    trials: int

    @property
    def rate(self) -> float:
        """From 0 to 1; 0 when nothing was tried."""
        return self.passed / self.trials if self.trials else 0.0

    @property
    def interval(self) -> Interval:
        """Where the true share lies: Wilson's score interval, which is (0, 1) when nothing was tried."""
        return wilson(self.passed, self.trials)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two arms on the same trials: how many both passed, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def trials(self) -> int:
        """How many pairs there are."""
        return self.both + self.first + self.second + self.neither

    @property
    def value(self) -> float:
        """Share of the second arm less that of the first."""
        return (self.second - self.first) / self.trials if self.trials else 0.0

    @property
    def interval(self) -> Interval:
        """Newcombe's interval for paired shares: Wilson's for each arm, put together with their correlation."""
        return _newcombe(self)

    @property
    def p(self) -> float:
        """McNemar's exact two-sided p: how often a fair coin would split the unlike pairs as unevenly."""
        unlike = self.first + self.second
        tail = sum(comb(unlike, k) for k in range(min(self.first, self.second) + 1))
        return min(1.0, tail / 2 ** (unlike - 1)) if unlike else 1.0


def difference(pairs: Sequence[tuple[bool, bool]]) -> Difference:
    """Count pairs of (first arm passed, second arm passed)."""
    return Difference(
        both=pairs.count((True, True)),
        first=pairs.count((True, False)),
        second=pairs.count((False, True)),
        neither=pairs.count((False, False)),
    )


def wilson(passed: int, trials: int) -> Interval:
    """Wilson's score interval of a share."""
    if not trials:
        return 0.0, 1.0
    share, square = passed / trials, Z * Z / trials
    middle = share + square / 2
    reach = Z * sqrt(share * (1 - share) / trials + square / (4 * trials))
    low, high = (middle - reach) / (1 + square), (middle + reach) / (1 + square)
    return (0.0 if passed == 0 else low), (1.0 if passed == trials else high)


def _newcombe(pairs: Difference) -> Interval:
    total = pairs.trials
    if not total:
        return -1.0, 1.0
    first, second = Share(pairs.both + pairs.first, total), Share(pairs.both + pairs.second, total)
    (low_1, high_1), (low_2, high_2) = first.interval, second.interval
    likeness = _correlation(pairs)

    def reach(to_second: float, to_first: float) -> float:
        return sqrt(max(0.0, to_second**2 - 2 * likeness * to_second * to_first + to_first**2))

    low = pairs.value - reach(second.rate - low_2, high_1 - first.rate)
    high = pairs.value + reach(high_2 - second.rate, first.rate - low_1)
    return low, high


def _correlation(pairs: Difference) -> float:
    """How far the arms pass the same trials, 0 when an arm passed all or none; with Newcombe's correction for chance."""
    cross = float(pairs.both * pairs.neither - pairs.first * pairs.second)
    margins = (pairs.both + pairs.first) * (pairs.second + pairs.neither) * (pairs.both + pairs.second)
    product = margins * (pairs.first + pairs.neither)
    if not product:
        return 0.0
    if cross > 0:
        cross = max(0.0, cross - pairs.trials / 2)
    return cross / sqrt(product)


def cliff(curve: Sequence[Share]) -> int | None:
    """Where a curve falls for good: the index of the first share behind the best step down, or None when no step is clear.

    The step is the split into two levels that explains the counts best; it is clear when it explains them much better than
    one level does.
    """
    whole = _likelihood(curve)
    splits = [
        (_likelihood(curve[:at]) + _likelihood(curve[at:]) - whole, at)
        for at in range(1, len(curve))
        if _pooled(curve[:at]).rate > _pooled(curve[at:]).rate
    ]
    gain, at = max(splits, default=(0.0, 0))
    return at if 2 * gain >= _CLEAR else None


def _pooled(curve: Sequence[Share]) -> Share:
    return Share(sum(share.passed for share in curve), sum(share.trials for share in curve))


def _likelihood(curve: Sequence[Share]) -> float:
    pooled = _pooled(curve)
    failed = pooled.trials - pooled.passed
    if not pooled.passed or not failed:
        return 0.0
    return pooled.passed * log(pooled.rate) + failed * log(1 - pooled.rate)
