"""How near a record was said to the stretch of time a question names.

Rule of this file: 1 inside the window, less and less outside it, since things are told before and after they happen; it never
filters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from muniment.retrieve.rules_columns import Scores
from muniment.retrieve.weights import Weights
from muniment.shelf import NO_TIME, Ints
from muniment.text.times import Window

_DAY = 86_400
_YEAR = 31_556_952
_MOST_YEARS = 200
_OPEN = 1 << 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearness:
    """`score` per entry; how many entries lie `inside`; and the day nearest to the window when none does."""

    score: Scores
    inside: int
    nearest: datetime | None = None


def nearness(said_at: Ints, windows: Sequence[Window], weights: Weights) -> Nearness:
    """How near each time in `said_at` is to the nearest of `windows`. An unknown time is near nothing."""
    score = np.zeros(len(said_at))
    known = said_at != NO_TIME
    if not known.any():
        return Nearness(score=score, inside=0)
    when = said_at[known]
    early, late = np.full(len(when), np.inf), np.full(len(when), np.inf)
    for since, until in _spans(windows, int(when.min()), int(when.max())):
        np.minimum(early, np.where(when < until, np.maximum(since - when, 0), np.inf), out=early)
        np.minimum(late, np.where(when >= since, np.maximum(when - until + 1, 0), np.inf), out=late)
    within = (early == 0) | (late == 0)
    fading = np.maximum(np.exp(-early / (_DAY * weights.before_days)), np.exp(-late / (_DAY * weights.after_days)))
    score[known] = np.where(within, 1.0, weights.outside * fading)
    inside = int(within.sum())
    if inside:
        return Nearness(score=score, inside=inside)
    closest = int(when[np.minimum(early, late).argmin()])
    return Nearness(score=score, inside=0, nearest=datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=closest))


def told_window(at: datetime | None, windows: Sequence[Window]) -> str:
    """Whether a moment lies inside or outside of all `windows`; "" without any, and where the moment is not known."""
    if at is None or not windows:
        return ""
    when = _seconds(at, 0)
    return "inside" if any(since <= when < until for since, until in _spans(windows, when, when)) else "outside"


def _spans(windows: Iterable[Window], first: int, last: int) -> Iterable[tuple[int, int]]:
    """Seconds from and until. A day or month of any year stands for that of every year between `first` and `last`."""
    for window in windows:
        if not window.month:
            yield _seconds(window.since, -_OPEN), _seconds(window.until, _OPEN)
            continue
        years = range(1970 + first // _YEAR - 1, 1970 + last // _YEAR + 2)
        for year in years[-_MOST_YEARS:]:
            yield from _in_year(window, year)


def _in_year(window: Window, year: int) -> Iterable[tuple[int, int]]:
    if not 1 < year < 9998:  # noqa: PLR2004  the years datetime can tell, with room for the next
        return
    try:
        since = datetime(year, window.month, window.day or 1, tzinfo=UTC)
    except ValueError:
        return  # 29 February of a common year
    if window.day:
        yield from _days_in_year(window, since)
        return
    last = window.through or window.month
    over = year + (last < window.month) + last // 12
    yield _seconds(since, 0), _seconds(datetime(over, last % 12 + 1, 1, tzinfo=UTC), 0)


def _days_in_year(window: Window, since: datetime) -> Iterable[tuple[int, int]]:
    """One day, or the days up to the last one named."""
    last = since
    if window.last_day:
        month = window.through or window.month
        try:
            last = datetime(since.year + (month < window.month), month, window.last_day, tzinfo=UTC)
        except ValueError:
            return
    yield _seconds(since, 0), _seconds(last, 0) + _DAY


def _seconds(at: datetime | None, unset: int) -> int:
    return unset if at is None else (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
