"""Ranges whose ends share a month, a week or a year: "4 to 22 January 1995", "next week from Tuesday to Thursday".

Rule of this file: read before single dates are, so that no end is taken for a date of its own; `and` joins only after "between".
"""

from __future__ import annotations

from datetime import date, timedelta

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.readings import Day, Span
from muniment.text.times.reckoning import DAY, monday, months_on
from muniment.text.times.rules_days import YEAR, months_of, which_week, year_of
from muniment.text.times.rules_numbers import value_of
from muniment.types import Precision

DAY_RANGES = Cascade()
SEPARATOR = "(?P<sep>{to|till|dash|and})"
LEAD = "(?P<lead>{from|between})?"
_NUM = "{ord|second|n2|w2}"


def joins(found: Found) -> bool:
    """Whether the separator fits the lead: `and` after "between" only."""
    return found.name("sep") != "and" or found.name("lead") == "between"


@DAY_RANGES.rule(
    "(?<!{month})(?<!{month}{article})"
    + LEAD
    + "{article}?(?P<a>"
    + _NUM
    + ")"
    + SEPARATOR
    + "{article}?(?P<b>"
    + _NUM
    + "){of|comma|in}?{article}?(?:(?P<m>{month})(?!{article}?{ord|n2}(?!{n4}))"
    + YEAR
    + "?|(?P<r>{last|this|next|coming})(?P<u>{unit}))",
    LEAD
    + "(?P<m>{month}){dot|from|between}?{article}?(?P<a>"
    + _NUM
    + ")"
    + SEPARATOR
    + "{article}?(?P<b>"
    + _NUM
    + ")"
    + "(?!{month|colon|am|pm|slash|dash|oclock|w2|past}|{of}{month|next|last|this|coming|article}|{in}{article}{part})"
    + YEAR
    + "?",
)
def _numbers_of_month(found: Found) -> tuple[str, object] | None:
    groups, today = found.match.groupdict(), found.now.date()
    a, b = (int(value_of(found.token(one))) for one in "ab")
    fits = joins(found) or "between" in {token.name for token in found.all(0)}
    if _are_hours(found) or not fits or not 1 <= a < b <= 31:  # noqa: PLR2004  days of a month
        return None
    if groups.get("u"):
        if found.all("u")[0].reading != "month":
            return None
        base = months_on(today.replace(day=1), which_week(found.name("r")))
        return _days(base.replace(day=a), base.replace(day=b))
    year = year_of(found) if groups.get("y") else 0
    if year is None:
        return None
    month = months_of(found.token("m"))
    if year:
        return _days(date(year, month, a), date(year, month, b))
    ends = [(date(one, month, a), date(one, month, b)) for one in range(today.year - 1, today.year + 2)]
    past = [one for one in ends if one[0] < today][-1:]
    future = [one for one in ends if one[0] >= today][:1]
    timex = f"(XXXX-{month:02d}-{a:02d},XXXX-{month:02d}-{b:02d},P{b - a}D)"
    options = tuple(past + future)
    tails = tuple(end + DAY for _, end in options)
    return "span", Span(timex=timex, options=options, tails=tails, precision=Precision.DAY, yearless=True, month=month)


def _are_hours(found: Found) -> bool:
    """Whether the month has its day in front, so that the numbers are hours: 3 May from 3 to 5."""
    tokens, before = found.all(0), found.before()
    inner = tokens[0].name == "month" and any(token.name in ("from", "between") for token in tokens)
    return inner and before is not None and before.name in ("n2", "ord", "second", "of")


def _days(first: date, last: date) -> tuple[str, object]:
    timex = f"({first},{last},P{(last - first).days}D)"
    return "span", Span(timex=timex, options=((first, last),), tails=(last + DAY,), precision=Precision.DAY)


@DAY_RANGES.rule(
    "(?P<r>{last|this|next|coming})(?P<u>{unit})" + LEAD + "(?P<a>{weekday|shortday})" + SEPARATOR + "(?P<b>{weekday|shortday})",
    LEAD + "(?P<a>{weekday|shortday})" + SEPARATOR + "(?P<b>{weekday|shortday}){of}?(?P<r>{last|this|next|coming})(?P<u>{unit})",
)
def _weekdays_of_week(found: Found) -> tuple[str, object] | None:
    if found.all("u")[0].reading != "week" or not joins(found):
        return None
    start = monday(found.now.date()) + timedelta(days=7 * which_week(found.name("r")))
    a, b = (start + timedelta(days=int(value_of(found.token(one)))) for one in "ab")
    a = a - 7 * DAY if a.weekday() == _SUNDAY else a  # a week told from its Sunday on
    return _days(a, b) if a < b else None


_SUNDAY = 6


@DAY_RANGES.rule(
    "(?P<lead>{from|between})?(?P<a>{date})" + SEPARATOR + "(?P<b>{date}){comma}?(?P<y>{n4})(?!{dash|slash|colon|n2})"
)
def _dates_of_year(found: Found) -> tuple[str, object] | None:
    a, b, year = found.all("a")[0].reading, found.all("b")[0].reading, year_of(found)
    if not isinstance(a, Day) or not isinstance(b, Day) or not a.yearless or not b.yearless or not year or not joins(found):
        return None
    return _days(date(year, a.month, a.day), date(year, b.month, b.day))


@DAY_RANGES.rule(
    "{from|between}(?P<a>{weekno|unit}(?:{n2})?)(?P<sep>{to|till|and|dash})(?P<b>{weekno|unit}(?:{n2})?|{n2}(?!{unit|month|am|pm|colon}))"
)
def _weeks(found: Found) -> tuple[str, object] | None:
    numbers = []
    for group in "ab":
        tokens = found.all(group)
        if tokens[0].name == "unit" and (tokens[0].reading != "week" or len(tokens) == 1):
            return None
        numbers.append(int(value_of(tokens[-1])))
    a, b = (date.fromisocalendar(found.now.year, one, 1) for one in numbers)
    return "span", Span(
        timex=f"({a},{b},P{(b - a).days // 7}W)", options=((a, b),), tails=(b + 7 * DAY,), precision=Precision.WEEK
    )
