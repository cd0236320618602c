"""Weeks, quarters and halves, and what is counted inside something longer: "week 12", "the first week of July".

Rule of this file: weeks are ISO weeks, and belong to the month or year that holds their Thursday; what is told without its year
has two readings.
"""

from __future__ import annotations

from datetime import date, timedelta

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.holidays import HOLIDAYS
from muniment.text.times.readings import Day, Length, Span
from muniment.text.times.reckoning import (
    DAY,
    MONTHS_IN,
    WEEK,
    around,
    full_year,
    monday,
    month_span,
    months_on,
    week_of_year,
    week_timex,
    weeks_of_month,
    year_span,
)
from muniment.text.times.rules_days import YEAR, months_of, which_week, year_of
from muniment.text.times.rules_numbers import length_timex, value_of
from muniment.types import Precision

WEEKS = Cascade()
_FEAST = 5
"""Words a feast may be told in."""
_DAYS_OF = {"week": 7, "fortnight": 14, "weekend": 2}


def months(timex: str, first: date, count: int, precision: Precision, **more: object) -> tuple[str, Span]:
    """Some whole months from `first`."""
    return "span", Span(timex=timex, options=((first, months_on(first, count)),), precision=precision, **more)  # type: ignore[arg-type]  # fields of Span


def _quarters(year: int, first: int, count: int, today: date) -> tuple[str, object]:
    """Months `first` and on of a year, or without one in the two nearest."""
    years = [year] if year else [today.year - 1, today.year]
    if not year and months_on(date(today.year, first, 1), count) <= today:
        years = [today.year, today.year + 1]
    options = tuple((date(one, first, 1), months_on(date(one, first, 1), count)) for one in years)
    told = f"{year:04d}" if year else "XXXX"
    over = first + count > 12  # noqa: PLR2004  months of a year
    end = f"{year + 1:04d}-01-01" if over and year else "XXXX-01-01" if over else f"{told}-{first + count:02d}-01"
    return "span", Span(
        timex=f"({told}-{first:02d}-01,{end},P{count}M)",
        options=options,
        precision=Precision.QUARTER,
        yearless=not year,
        month=first,
    )


def year_near(found: Found) -> int | None:
    """A year by number or as last, this or next year; 0 when none is told."""
    groups = found.match.groupdict()
    if groups.get("y"):
        return year_of(found)
    if groups.get("u"):
        if found.all("u")[0].reading != "year":
            return None
        return found.now.year + which_week(found.name("r")) if groups.get("r") else found.now.year
    return 0


NEAR = "(?P<r>{last|this|next|coming})(?P<u>{unit}){poss}?"


@WEEKS.rule(
    "(?<!{qn|hn})(?P<y>{n4})(?:{comma|dash|slash}?)(?P<q>{qn|hn})",
    NEAR + "(?P<o>{ord|second|last})(?P<k>{quarter|half})",
    "(?P<y>{n4}){article|poss}?(?P<o>{ord|second|last})(?P<k>{quarter|half})",
    "(?P<q>{qn|hn})(?:{of|in|comma|dash|slash}{article}?){0,2}(?:(?P<y>{n4}|{quote}{n2})|" + NEAR + ")",
    "(?P<q>{qn|hn}){dash|slash}?(?P<y2>{n2})(?!{colon|am|pm|unit|dash|slash|other|oclock})",
    "(?P<q>{qn|hn})",
    "{article}?(?P<o>{ord|second|last}){dash}?(?P<k>{quarter|half})(?:{of|in|comma}?{article}?(?:(?P<y>{n4}|{quote}{n2})|"
    + NEAR
    + "))?",
    "{article}?(?P<o>{ord|second|last})(?P<k>{quarter|half}){of|in}{article}(?P<u>{unit})",
)
def _quarter(found: Found) -> tuple[str, object] | None:
    year, groups = year_near(found), found.match.groupdict()
    if groups.get("y2"):
        year = full_year(int(value_of(found.token("y2"))), found.now.date()) if len(found.all("y2")[0].text) > 1 else None
    if year is None:
        return None
    if groups.get("q"):
        number, half = int(value_of(found.token("q"))), found.name("q") == "hn"
        if half and not year:
            return None
    else:
        half = found.name("k") == "half"
        if not year and (half or found.name("o") == "last"):
            return None
        number = (2 if half else 4) if found.name("o") == "last" else int(value_of(found.token("o")))
    if not 1 <= number <= (2 if half else 4):
        return None
    count = 6 if half else 3
    return _quarters(year, 1 + count * (number - 1), count, found.now.date())


@WEEKS.rule("(?P<r>{last|past|this|next|coming}){quarter}", "{article}{quarter}(?!{past|to|of|after|before|n2|w2})")
def _near_quarter(found: Found) -> tuple[str, object] | None:
    today = found.now.date()
    if not found.has("r"):
        first = date(today.year, 3 * ((today.month - 1) // 3) + 1, 1)
        return _quarters(first.year, first.month, 3, today)
    first = months_on(date(today.year, 3 * ((today.month - 1) // 3) + 1, 1), 3 * which_week(found.name("r")))
    return _quarters(first.year, first.month, 3, today)


@WEEKS.rule(
    "{article}?(?P<o>{ord|second|last|first})(?P<n>{length})(?:{of|in}{article}?)?(?:(?P<y>{n4})|(?P<m>{month})"
    + YEAR.replace("<y>", "<y2>")
    + "?|(?P<r>{last|this|next|coming})?(?P<v>{unit}))",
    "{article}?(?P<o>{ord|second|last})(?P<u>{unit}){of|in}?{article}?(?:(?P<y>{n4})|(?P<m>{month})"
    + YEAR.replace("<y>", "<y2>")
    + "?|(?P<r>{last|this|next|coming})?(?P<v>{unit}))",
)
def _nth_of(found: Found) -> tuple[str, object] | None:  # noqa: C901, PLR0911, PLR0912  one way of telling it after another
    """The first week of July, the last three weeks of this year, the 9th month of next year."""
    groups, today = found.match.groupdict(), found.now.date()
    last = found.name("o") == "last"
    if groups.get("n"):
        length = found.all("n")[0].reading
        if not isinstance(length, Length) or len(length.units) > 1 or not (last or value_of(found.token("o")) == 1):
            return None
        unit, count = length.units[0]
        return _some_of(found, unit, int(count), last)
    unit = str(found.all("u")[0].reading)
    nth = int(value_of(found.token("o"))) if not last else -1
    if groups.get("m"):
        year = year_of(found, "y2") if groups.get("y2") else 0
        if year is None:
            return None
        if unit == "day":
            return _day_of(nth, year, months_of(found.token("m")), today)
        if unit not in ("week", "weekend"):
            return None
        return _week_of_month(found, nth, year, months_of(found.token("m")), unit)
    if groups.get("y"):
        base: tuple[date, date] | None = year_span(int(value_of(found.token("y"))))
        outer = "year"
    else:
        outer = str(found.all("v")[0].reading)
        base = near_unit(outer, which_week(found.name("r")) if groups.get("r") else 0, today)
    if base is None or outer not in ("year", "month"):
        return None
    if unit == "month" and outer == "year":
        month = nth if nth > 0 else 12
        first = date(base[0].year, month, 1)
        return months(f"{first:%Y-%m}", first, 1, Precision.MONTH)
    if unit == "week" and outer == "year":
        start = week_of_year(base[0].year, nth) if nth > 0 else monday(date(base[0].year, 12, 28))
        return "span", Span(timex=week_timex(start), options=((start, start + WEEK),), precision=Precision.WEEK)
    if unit == "week" or (unit == "weekend" and outer == "month"):
        return _week_of_month(found, nth, base[0].year, base[0].month, unit)
    if unit == "day":
        day = base[1] - DAY if nth < 0 else base[0] + (nth - 1) * DAY
        if not base[0] <= day < base[1]:
            return "void", None
        return "date", Day(timex=day.isoformat(), options=(day,))
    return None


def _day_of(nth: int, year: int, month: int, today: date) -> tuple[str, object]:
    """The nth or, below zero, the last day of a month."""
    days = []
    for one in [year] if year else range(today.year - 1, today.year + 2):
        first, end = month_span(one, month)
        day = end - DAY if nth < 0 else first + (nth - 1) * DAY
        if day < end:
            days.append(day)
    options = tuple(days) if year else around(today, days)
    timex = options[0].isoformat() if year and options else f"XXXX-{month:02d}-{options[-1].day if options else nth:02d}"
    return ("date", Day(timex=timex, options=options)) if options else ("void", None)


def _some_of(found: Found, unit: str, count: int, last: bool) -> tuple[str, object] | None:
    groups, today = found.match.groupdict(), found.now.date()
    if groups.get("m"):
        year = year_of(found, "y2") if groups.get("y2") else today.year
        if not year:
            return None
        base: tuple[date, date] | None = month_span(year, months_of(found.token("m")))
    elif groups.get("y"):
        base = year_span(int(value_of(found.token("y"))))
    else:
        base = near_unit(str(found.all("v")[0].reading), which_week(found.name("r")) if groups.get("r") else 0, today)
    if base is None or unit in ("hour", "minute", "second"):
        return None
    start, end = base
    if unit == "week":
        start = monday(start) if start.weekday() <= 3 else monday(start) + WEEK  # noqa: PLR2004  Thursday
        end = monday(end)
    edge = _away(end if last else start, unit, -count if last else count)
    pair = (edge, end) if last else (start, edge)
    return "span", Span(timex=_range_timex(pair, unit, count), options=(pair,), precision=Precision.DAY)


def _range_timex(pair: tuple[date, date], unit: str, count: float) -> str:
    return f"({pair[0]},{pair[1]},{length_timex([(unit, count)])})"


def _away(day: date, unit: str, count: int) -> date:
    if unit in MONTHS_IN:
        return months_on(day, count * MONTHS_IN[unit])
    return day + timedelta(days=count * _DAYS_OF.get(unit, 1))


def _week_of_month(found: Found, nth: int, year: int, month: int, unit: str) -> tuple[str, object] | None:
    today = found.now.date()
    years = [year] if year else [today.year - 1, today.year, today.year + 1]
    options = []
    for one in years:
        starts = weeks_of_month(one, month)
        if nth <= len(starts):
            start = starts[nth - 1] if nth > 0 else starts[-1]
            options.append((start, start + WEEK) if unit == "week" else (start + 5 * DAY, start + WEEK))
    number = nth if nth > 0 else 5
    if not year:
        options = _two(options, today)
    timex = f"{year or 'XXXX'}-{month:02d}-W{number:02d}"
    return "span", Span(
        timex=timex, options=tuple(options), precision=Precision.WEEK, yearless=not year, month=0 if year else month
    )


def _two(options: list[tuple[date, date]], today: date) -> list[tuple[date, date]]:
    past = [one for one in options if one[0] < today]
    future = [one for one in options if one[0] >= today]
    return past[-1:] + future[:1]


def near_unit(unit: str, step: int, today: date) -> tuple[date, date] | None:
    """Last, this or next week, month, … as a stretch."""
    if unit == "week":
        first = monday(today) + step * WEEK
        return first, first + WEEK
    if unit == "weekend":
        first = monday(today) + step * WEEK + 5 * DAY
        return first, first + 2 * DAY
    if unit == "fortnight":
        first = monday(today) + 2 * step * WEEK
        return first, first + 2 * WEEK
    if unit == "month":
        first = months_on(today.replace(day=1), step)
        return first, months_on(first, 1)
    size = {"year": 1, "decade": 10, "century": 100}.get(unit)
    if size is None:
        return None
    year = (today.year // size + step) * size
    return date(year, 1, 1), date(year + size, 1, 1)


def unit_span(unit: str, step: int, today: date) -> tuple[str, object] | None:
    """The token of last, this or next unit."""
    pair = near_unit(unit, step, today)
    if pair is None:
        return None
    first = pair[0]
    timex = {
        "week": week_timex(first),
        "weekend": week_timex(first) + "-WE",
        "month": f"{first.year:04d}-{first.month:02d}",
        "year": f"{first.year:04d}",
    }.get(unit) or _range_timex(pair, unit, 1)
    return "span", Span(timex=timex, options=(pair,), precision=_PRECISION[unit])


_PRECISION = {
    "week": Precision.WEEK,
    "fortnight": Precision.WEEK,
    "weekend": Precision.DAY,
    "month": Precision.MONTH,
    "quarter": Precision.QUARTER,
    "year": Precision.YEAR,
    "decade": Precision.DECADE,
    "century": Precision.CENTURY,
}


@WEEKS.rule("{article}?(?P<u>{unit})(?P<s>{after|before})(?:{article}?(?P<r>{last|next})(?P<u2>{unit})?)(?!{weekday|month})")
def _after_next(found: Found) -> tuple[str, object] | None:
    unit = str(found.all("u")[0].reading)
    if (found.name("s") == "after") != (found.name("r") == "next"):
        return None
    if "u2" in found.match.groupdict() and found.has("u2") and found.all("u2")[0].reading != unit:
        return None
    return unit_span(unit, 2 if found.name("r") == "next" else -2, found.now.date())


@WEEKS.rule(
    "{article}?(?<!{next|last|this|coming})(?:(?P<c>{unit}){slash}?|(?P<k>{unit})){of|starting|ending|on|begin|article}{1,3}(?P<d>{date})"
)
def _week_of(found: Found) -> tuple[str, object] | None:
    day, unit = found.all("d")[0].reading, str(next(t for t in found.all(0) if t.name == "unit").reading)
    names = {token.name for token in found.all(0)}
    if (
        unit not in ("week", "weekend")
        or not isinstance(day, Day)
        or (names == {"unit", "article", "date"} and "of" not in names)
    ):
        return None
    options = tuple((monday(one) + (5 * DAY if unit == "weekend" else 0 * DAY), monday(one) + WEEK) for one in day.options)
    timex = day.timex if day.yearless or len(day.options) > 1 else week_timex(options[0][0])
    return "span", Span(timex=timex, options=options, precision=Precision.WEEK, yearless=day.yearless)


@WEEKS.rule("(?P<d>{date})(?P<u>{unit})")
def _weekend_at(found: Found) -> tuple[str, object] | None:
    """Labor Day weekend: the one nearest to a feast."""
    day, words = found.all("d")[0].reading, found.all("d")[0].text.lower().split()
    if found.all("u")[0].reading != "weekend" or not isinstance(day, Day) or day.weekday is not None or len(words) > _FEAST:
        return None
    feast = " ".join(words).replace("\u2019", "'").removesuffix(" day")
    fourth = (day.month, day.day) == HOLIDAYS["independence day"]
    if not fourth and not any(name in HOLIDAYS for name in (feast, feast + " day", " ".join(words))):
        return None
    options = []
    for one in day.options:
        saturday = one + (5 - one.weekday()) * DAY if one.weekday() > 2 else one - (one.weekday() + 2) * DAY  # noqa: PLR2004  Thursday on
        options.append((saturday, saturday + 2 * DAY))
    timex = day.timex if len(options) > 1 else week_timex(options[0][0]) + "-WE"
    return "span", Span(timex=timex, options=tuple(options), precision=Precision.DAY, yearless=day.yearless)


@WEEKS.rule("(?P<k>{weekof})(?P<d>{date})")
def _week_commencing(found: Found) -> tuple[str, object] | None:
    day = found.all("d")[0].reading
    if not isinstance(day, Day):
        return None
    options = tuple((monday(one), monday(one) + WEEK) for one in day.options)
    return "span", Span(timex=day.timex, options=options, precision=Precision.WEEK, yearless=day.yearless)


@WEEKS.rule(
    "(?P<y>{n4}){comma|dash}?(?P<u>{unit}){hash}?(?P<n>{n2})(?!{colon}|{am}|{pm})",
    "(?P<y>{n4}){dash}(?P<w>{weekno}){dash}(?P<d>{n2})",
    "(?P<y>{n4}){comma|dash}?(?P<w>{weekno})",
    "(?:(?<!{next|last|this|coming|every})(?P<u>{unit}){hash}?(?P<n>{n2|w2})(?!{unit|other|of}(?<!{of}))|(?P<w>{weekno}))(?!{colon}|{am}|{pm})(?:(?:{of|in|comma}{article}?)?(?P<y>{n4})|{of|in}{article}?(?P<r>{last|this|next|coming})?(?P<v>{unit}))?",
)
def _numbered_week(found: Found) -> tuple[str, object] | None:
    groups, year = found.match.groupdict(), found.now.year
    if groups.get("u") and (found.all("u")[0].reading != "week" or found.all("u")[0].text.lower() == "weeks"):
        return None
    if groups.get("y"):
        year = year_of(found) or year
    elif groups.get("v"):
        if found.all("v")[0].reading != "year":
            return None
        year += which_week(found.name("r")) if groups.get("r") else 0
    number = int(value_of(found.token("n") if groups.get("n") else found.token("w")))
    start = week_of_year(year, number)
    if groups.get("d"):
        only = date.fromisocalendar(year, number, int(value_of(found.token("d"))))
        return ("date", Day(timex=only.isoformat(), options=(only,))) if found.glued() else None
    return "span", Span(timex=f"{year:04d}-W{number:02d}", options=((start, start + WEEK),), precision=Precision.WEEK)
