"""How long ago, in words: "6 months ago", "yesterday", "last year"; and a date as finely as it was told, never finer.

Rule of this file: pure; the moment to reckon from is given, and days are those of its zone.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from muniment.types import Precision, When

_DAYS, _WEEKS, _MONTHS = 14, 60, 24
"""Up to how many days ago is told in days, in weeks, and up to how many months in months."""
_FINE = (Precision.DAYPART, Precision.HOUR, Precision.MINUTE, Precision.SECOND)
_YEARS = {Precision.DECADE: 10, Precision.CENTURY: 100}


def age(at: datetime, now: datetime) -> str:
    """How many days, weeks, months or years it was before `now`, or is after it. Both carry a zone; no time of day is told."""
    here = at.astimezone(now.tzinfo)
    days = (now.date() - here.date()).days
    if abs(days) < _DAYS:
        return _named("yesterday", "tomorrow", "day", days) if days else "today"
    if abs(days) < _WEEKS:
        return _named("", "", "week", _towards_zero(days, 7))
    return _by_months(_months(here, now))


def dated(at: datetime, now: datetime) -> str:
    """`12 May 2026, 6 months ago`, the day as it was in the zone of `now`."""
    return f"{_day(at.astimezone(now.tzinfo))}, {age(at, now)}"


def told_when(when: When, now: datetime) -> str:
    """A stretch of time as finely as it was told, and how long ago: `2026, this year`; `` where it has no beginning or end."""
    if when.since is None or when.until is None or when.recurrence:
        return ""
    middle = when.since + (when.until - when.since) / 2  # of a day or a year told elsewhere, the middle is the same day here
    at = (when.since if when.precision in _FINE else middle).astimezone(now.tzinfo)
    date, how_long = _coarse(when, at, now)
    return f"{'around ' if when.approximate else ''}{date}, {how_long}"


def _coarse(when: When, at: datetime, now: datetime) -> tuple[str, str]:
    years, months = now.year - at.year, (now.year - at.year) * 12 + now.month - at.month
    if when.precision in _YEARS:
        start = at.year // _YEARS[when.precision] * _YEARS[when.precision]
        return f"{start}s", _named("", "", "year", years) if years else "this year"
    if when.precision is Precision.YEAR:
        return f"{at.year}", _named("last year", "next year", "year", years) if years else "this year"
    if when.precision is Precision.MONTH:
        return f"{at:%b %Y}", _by_whole_months(months)
    if when.precision in (Precision.SEASON, Precision.QUARTER):
        first, last = (when.since or at).astimezone(now.tzinfo), ((when.until or at) - timedelta(1)).astimezone(now.tzinfo)
        return f"{first:%b} to {last:%b %Y}", _by_whole_months(months)
    if when.precision is Precision.WEEK:
        monday, own = (one.date() - timedelta(one.weekday()) for one in (now, at))
        weeks = (monday - own).days // 7
        how_long = _named("last week", "next week", "week", weeks) if weeks else "this week"
        return f"the week of {_day(at - timedelta(at.weekday()))}", how_long
    return _day(at), age(at, now)


def _by_whole_months(months: int) -> str:
    return {0: "this month", 1: "last month", -1: "next month"}.get(months) or _by_months(months)


def _by_months(months: int) -> str:
    return _named("", "", "month", months) if abs(months) < _MONTHS else _named("", "", "year", _towards_zero(months, 12))


def _months(at: datetime, now: datetime) -> int:
    """Whole months from `at` to `now`, below zero for what is to come."""
    early, late = sorted((at, now))
    whole = (late.year - early.year) * 12 + late.month - early.month - (late.day < early.day)
    return whole if at <= now else -whole


def _named(last: str, following: str, unit: str, number: int) -> str:
    if number in (1, -1) and (name := last if number == 1 else following):
        return name
    told = f"{abs(number)} {unit}{'' if abs(number) == 1 else 's'}"
    return f"{told} ago" if number > 0 else f"in {told}"


def _towards_zero(number: int, by: int) -> int:
    return abs(number) // by * (1 if number > 0 else -1)


def _day(at: datetime) -> str:
    return f"{at.day} {at:%b %Y}"
