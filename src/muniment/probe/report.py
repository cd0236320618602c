"""What the rows of an experiment say: curves over positions, arms compared on the same trials, and plain numbers.

Rule of this file: pure; rows with an error count for nothing but the number of errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final

from muniment.probe.intervals import Difference, Share, cliff, difference
from muniment.probe.plan import Trial
from muniment.probe.trials import Row

Where = tuple[tuple[str, str], ...]
"""What a curve or number is about, for example (("layout", "after"), ("n", "19"))."""

DIMENSIONS: Final = ("model", "layout", "n", "order", "variant", "arm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Shares over positions."""

    where: Where
    points: tuple[tuple[int, Share], ...]

    @property
    def total(self) -> Share:
        """All positions together."""
        return pooled(share for _, share in self.points)

    @property
    def cliff(self) -> int | None:
        """The first position behind a clear fall, or None."""
        at = cliff([share for _, share in self.points])
        return None if at is None else self.points[at][0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two arms, the second against the first."""

    where: Where
    first: str
    second: str
    difference: Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A mean, a count or a ratio."""

    where: Where
    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that an experiment found. `findings` says it in sentences."""

    experiment: str
    models: tuple[str, ...] = ()
    trials: int = 0
    errors: int = 0
    curves: tuple[Curve, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    numbers: tuple[Number, ...] = ()
    findings: tuple[str, ...] = ()


def passed(row: Row) -> bool:
    """Whether the trial was passed."""
    return row.outcome.passed is True


def grouped(rows: Iterable[Row], by: Sequence[str]) -> list[tuple[Where, list[Row]]]:
    """Rows by these parts of their trials, in the order in which they come; the model is one where there are several."""
    given = list(rows)
    several = len({row.trial.model for row in given}) > 1
    parts = [name for name in by if name != "model" or several]
    groups: dict[Where, list[Row]] = {}
    for row in given:
        groups.setdefault(tuple((name, str(getattr(row.trial, name))) for name in parts), []).append(row)
    return list(groups.items())


def curves(rows: Iterable[Row], *, by: Sequence[str] = DIMENSIONS, success: Callable[[Row], bool] = passed) -> tuple[Curve, ...]:
    """One curve over positions for each group of rows."""
    found = []
    for where, group in grouped(rows, by):
        counts: dict[int, list[bool]] = {}
        for row in group:
            counts.setdefault(row.trial.position, []).append(success(row))
        points = tuple((position, share(counts[position])) for position in sorted(counts))
        found.append(Curve(where=where, points=points))
    return tuple(found)


def compared(
    rows: Sequence[Row], first: str, second: str, *, by: Sequence[str] = ("model", "layout", "n"), of: str = "arm"
) -> tuple[Comparison, ...]:
    """The second arm, or other part `of` a trial, against the first, on trials that differ in nothing else."""
    parts = [part.name for part in fields(Trial) if part.name != of]
    found = []
    for where, group in grouped(rows, by):
        arms: dict[str, dict[tuple[object, ...], bool]] = {first: {}, second: {}}
        for row in group:
            if (arm := str(getattr(row.trial, of))) in arms:
                arms[arm][tuple(getattr(row.trial, part) for part in parts)] = passed(row)
        both = [trial for trial in arms[first] if trial in arms[second]]
        if both:
            pairs = difference([(arms[first][trial], arms[second][trial]) for trial in both])
            found.append(Comparison(where=where, first=first, second=second, difference=pairs))
    return tuple(found)


def named(where: Where) -> str:
    """`after, N=19`."""
    return ", ".join(_said(name, value) for name, value in where)


def finding(one: Comparison) -> str:
    """A comparison in a sentence."""
    low, high = one.difference.interval
    says = "better" if low > 0 else "worse" if high < 0 else "not told apart"
    return f"{named(one.where)}: {one.second} against {one.first} {told_difference(one.difference)}: {says}."


def varying(curves: Sequence[Curve]) -> list[str]:
    """A label for each curve: what it does not share with all the others."""
    wheres = [dict(curve.where) for curve in curves]
    same = {name for name in DIMENSIONS if len({where.get(name) for where in wheres}) == 1}
    return [_label({name: value for name, value in where.items() if name not in same}) for where in wheres]


def _label(where: dict[str, str]) -> str:
    return " · ".join(_said(name, value) for name, value in where.items()) or "all"


def _said(name: str, value: str) -> str:
    return f"N={value}" if name == "n" else value or "plain"


def share(results: Sequence[bool]) -> Share:
    """How many of these are true."""
    return Share(sum(results), len(results))


def pooled(shares: Iterable[Share]) -> Share:
    """Several shares as one."""
    given = tuple(shares)
    return Share(sum(one.passed for one in given), sum(one.trials for one in given))


def percent(value: float) -> str:
    """`42%`."""
    return f"{100 * value:.0f}%"


def told(one: Share) -> str:
    """`7 of 10 (70%, 40 to 89%)`, the last being the interval."""
    low, high = one.interval
    return f"{one.passed:,} of {one.trials:,} ({percent(one.rate)}, {100 * low:.0f} to {percent(high)})"


def told_difference(one: Difference) -> str:
    """`+20 points (+5 to +34, p 0.013, 50 pairs)`."""
    low, high = one.interval
    return f"{100 * one.value:+.0f} points ({100 * low:+.0f} to {100 * high:+.0f}, p {one.p:.2g}, {one.trials:,} pairs)"
