"""Reckoning with calendar days, months and years.

Rule of this file: proleptic Gregorian calendar, weeks start on Monday (ISO 8601), a day that a month lacks becomes its last;
what lies outside the years 1 to 9999 raises OverflowError or ValueError.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from datetime import date, datetime, timedelta

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
SECONDS_IN = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86_400,
    "night": 86_400,
    "weekend": 2 * 86_400,
    "week": 7 * 86_400,
    "fortnight": 14 * 86_400,
    "month": 30 * 86_400,
    "quarter": 90 * 86_400,
    "year": 365 * 86_400,
    "decade": 3650 * 86_400,
    "century": 36_500 * 86_400,
}
CLOCK_UNITS = frozenset({"second", "minute", "hour"})
_HALF_CENTURY = 50


def months_on(day: date, months: int) -> date:
    """The same day `months` later, or the last of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= date.max.year:
        raise OverflowError(year)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def monday(day: date) -> date:
    """The first day of its week."""
    return day - timedelta(days=day.weekday())


def month_span(year: int, month: int) -> tuple[date, date]:
    """A month, half open."""
    first = date(year, month, 1)
    return first, months_on(first, 1)


def year_span(year: int) -> tuple[date, date]:
    """A year, half open."""
    return date(year, 1, 1), date(year + 1, 1, 1)


def week_of_year(year: int, number: int) -> date:
    """Monday of an ISO week."""
    return date.fromisocalendar(year, number, 1)


def week_timex(day: date) -> str:
    """The ISO week of a day, as 2018-W09."""
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def weeks_of_month(year: int, month: int) -> list[date]:
    """Mondays of the weeks that belong to a month: those with their Thursday in it."""
    first, end = month_span(year, month)
    start = monday(first) if first.weekday() <= 3 else monday(first) + WEEK  # noqa: PLR2004  Thursday
    out = []
    while start + 3 * DAY < end:
        out.append(start)
        start += WEEK
    return out


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month; -1 is the last. Raises ValueError when there is none."""
    if nth < 0:
        last = months_on(date(year, month, 1), 1) - DAY
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return date(year, month, 1 + (weekday - first.weekday()) % 7 + 7 * (nth - 1))


def easter(year: int) -> date:
    """Easter Sunday, by the Gregorian computus (anonymous algorithm)."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


_HIJRA = 227_013
"""The ordinal of the day before the first of the Islamic calendar (Thursday, 15 July 622, Julian)."""


def islamic(year: int, month: int, day: int) -> date:
    """A day of the tabular Islamic calendar in a Gregorian year; the first when there are two. Raises ValueError for none."""
    first = (year - 622) * 3_652_425 // 3_543_667
    for hijri in range(first - 1, first + 3):
        if hijri >= 1:
            days = day + (59 * (month - 1) + 1) // 2 + (hijri - 1) * 354 + (3 + 11 * hijri) // 30
            if (found := date.fromordinal(_HIJRA + days)).year == year:
                return found
    raise ValueError(year)


def holiday(rule: tuple[int, int] | str, year: int) -> date:
    """The day of a holiday in a year, by its rule in the lexicon."""
    if not isinstance(rule, str):
        return date(year, *rule)
    parts = rule.split()
    if parts[0] == "easter":
        return easter(year) + timedelta(days=int(parts[1]) if len(parts) > 1 else 0)
    if parts[0] == "hijri":
        return islamic(year, int(parts[1]), int(parts[2]))
    month, weekday, nth, *on = (int(part) for part in parts)
    return nth_weekday(year, month, weekday - 1, nth) + timedelta(days=on[0] if on else 0)


def around(today: date, make: Iterable[date]) -> tuple[date, ...]:
    """Of days in order of time, the last before today and the first from today on."""
    past: date | None = None
    for day in make:
        if day >= today:
            return (past, day) if past else (day,)
        past = day
    return (past,) if past else ()


def in_each_year(today: date, month: int, day: int) -> tuple[date, ...]:
    """The last such day before today and the first from today on; nothing when no year has it."""
    return around(today, _yearly(today, month, day))


def _yearly(today: date, month: int, day: int) -> Iterable[date]:
    for year in range(today.year - 8, today.year + 9):
        if 1 <= year <= date.max.year and 1 <= day <= calendar.monthrange(year, month)[1]:
            yield date(year, month, day)


def full_year(year: int, today: date) -> int:
    """A year of two digits as one of four, from fifty years back to fifty on."""
    if year >= 100:  # noqa: PLR2004  two digits
        return year
    out = today.year - today.year % 100 + year
    if out > today.year + _HALF_CENTURY:
        return out - 100
    return out + 100 if out <= today.year - _HALF_CENTURY else out


def shifted(moment: datetime, units: Iterable[tuple[str, float]], sign: int) -> datetime:
    """A moment moved by lengths of calendar time; parts of a month count as days of it (30)."""
    for unit, count in units:
        if unit in MONTHS_IN:
            whole = count * MONTHS_IN[unit]
            moved = months_on(moment.date(), sign * int(whole))
            moment = datetime.combine(moved, moment.time()) + sign * timedelta(days=(whole - int(whole)) * 30)
        else:
            moment += sign * timedelta(seconds=count * SECONDS_IN[unit])
    return moment
