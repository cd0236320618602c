"""Calendar days: dates in words, weekdays, holidays, today and its neighbours.

Rule of this file: a date without a year has two readings, the last before today and the first from today on.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.lexicon import WEEKDAYS
from muniment.text.times.readings import Clock, Day, Moment, Number, Token
from muniment.text.times.reckoning import DAY, around, full_year, holiday, in_each_year, monday, months_on, nth_weekday
from muniment.text.times.rules_numbers import value_of
from muniment.types import Precision

DAYS = Cascade()
_LAST_DAY = 31
_NOON = 12
_WHICH = "{last|past|this|next|coming}"
YEAR = "(?:{comma|of|in|dot|dash|slash}{0,2}(?P<y>{n4}|{w2}{w2}{w2}?|{quote}{n2}))"
_FIRST_CENTURY, _LAST_CENTURY = 15, 21


def months_of(token: Token | None) -> int:
    """The number of a month token."""
    return int(value_of(token))


def year_of(found: Found, group: str = "y") -> int | None:
    """The year a group tells, 0 when it matched nothing; None when it is no year."""
    tokens = found.all(group)
    if not tokens:
        return 0
    if tokens[0].name == "quote":
        return full_year(int(value_of(tokens[1])), found.now.date()) if tokens[0].end == tokens[1].start else None
    if tokens[0].name == "w2":
        first, second, *third = (int(value_of(token)) for token in tokens)
        if third:
            return first * 100 + third[0] if _FIRST_CENTURY <= first <= _LAST_CENTURY and not second and third[0] < 10 else None  # noqa: PLR2004  of a clock or a calendar
        return first * 100 + second if _FIRST_CENTURY <= first <= _LAST_CENTURY and second >= 10 else None  # noqa: PLR2004  two digits
    value = int(value_of(tokens[0]))
    if tokens[0].name == "n2":
        return full_year(value, found.now.date()) if len(tokens[0].text) == 2 and value > _NOON else None  # noqa: PLR2004  two digits
    return value if 1000 <= value <= 2999 else None  # noqa: PLR2004  four digits that are years


def dated(today: date, year: int, month: int, day: int) -> tuple[str, object]:
    """A day, of any year when `year` is 0; `void` when there is no such day."""
    if not 1 <= day <= _LAST_DAY:
        raise ValueError(day)
    if year:
        try:
            only = date(year, month, day)
        except ValueError:
            return "void", None
        return "date", Day(timex=only.isoformat(), options=(only,))
    options = in_each_year(today, month, day)
    if not options:
        return "void", None
    return "date", Day(timex=f"XXXX-{month:02d}-{day:02d}", options=options, month=month, day=day, yearless=True)


_MDY = (
    "(?<!{ord|second}{of})(?P<m>{month}){dot|dash|slash|comma}?{article}?(?P<d>{ord|second|n2|w2})(?!{colon}|{oclock}|{am}|{pm})"
)
_DMY = "(?P<d>{ord|second|n2|w2})(?:{unit})?{dot|dash|slash}?(?:{of}|(?<={ord|second}){in})?(?P<m>{month})"
_WEEKDAY = "(?:(?P<w>{weekday|shortday}){comma|dot|open}{0,2}{article}?)?"


def _loose(found: Found) -> bool:
    """Whether a dash with a space beside it stands in the match: it joins two times, not the parts of one."""
    tokens = found.all(0)
    if any(
        a.name == "month" and b.name == "dot" and len(a.text) > len("sept") and b.end < c.start
        for a, b, c in zip(tokens, tokens[1:], tokens[2:], strict=False)
    ):
        return True
    return any(
        b.name == "dash" and (a.end < b.start or b.end < c.start) for a, b, c in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _of_other_month(found: Found) -> bool:
    """Whether a number behind a month is no day of it: the month has its day in front, or a year in words follows."""
    day, month, before, after = found.all("d")[0], found.all("m")[0], found.before(), found.after()
    if day.name not in ("n2", "w2") or month.start > day.start or found.match.groupdict().get("y"):
        return False
    if before is not None and before.name in ("n2", "ord") and found.all(0)[0] is month:
        return True
    in_words = day.name == "w2" and after is not None and after.name == "w2" and value_of(after) >= 10  # noqa: PLR2004  two digits
    return in_words and _FIRST_CENTURY <= value_of(day) <= _LAST_CENTURY


def _full(found: Found) -> tuple[str, object] | None:
    day, groups = int(value_of(found.token("d"))), found.match.groupdict()
    if not 1 <= day <= _LAST_DAY:
        return None
    year = year_of(found) if groups.get("y") else 0
    if year is None:
        return None
    if _loose(found) or _of_other_month(found):
        return None
    unit = next((token for token in found.all(0) if token.name == "unit"), None)
    if unit is not None and (unit.reading != "day" or found.name("d") not in ("ord", "second")):
        return None
    return dated(found.now.date(), year, months_of(found.token("m")), day)


@DAYS.rule(
    "{article}?(?P<d>{ord})(?={comma|and|or|dash}{1,2}{article}?(?:{ord}{comma|and|or|dash}{1,2}{article}?){0,4}{ord}{of}?{month})"
)
def _listed_day(found: Found) -> tuple[str, object] | None:
    """The 3rd, 4th and 5th of June: days of the month told at the end."""
    tokens, at = found.tokens, found.match.end()
    month = next(token for token in tokens[at:] if token.name == "month")
    joint = tokens[at].name != "dash" and found.all("d")[0].text[:1].isdigit()
    return dated(found.now.date(), 0, months_of(month), int(value_of(found.token("d")))) if joint else None


@DAYS.rule(_WEEKDAY + _MDY + "(?P<t>{time})(?P<y>{n4})(?!{dash|slash})")
def _stamped(found: Found) -> tuple[str, object] | None:
    """As mail headers and logs have it: the year behind the time."""
    year, told = year_of(found), found.all("t")[0].reading
    if not year or not isinstance(told, Clock):
        return None
    only = date(year, months_of(found.token("m")), int(value_of(found.token("d"))))
    moment = datetime.combine(only, datetime.min.time()) + told.offset
    precision = Precision.MINUTE if told.second is None else Precision.SECOND
    return "moment", Moment(timex=f"{only}T{told.timex}", options=(moment,), precision=precision)


for _text in (
    "(?<!{n2|dash|slash})(?P<y>{n4}){comma}?" + _MDY,
    _WEEKDAY + _MDY + YEAR + "{open}(?P<w2>{weekday|shortday}){close}",
    _WEEKDAY + _MDY + "(?:{open|slash}?(?P<w2>{weekday|shortday}){close}?)?" + YEAR,
    _WEEKDAY + _DMY + "{dot}?" + YEAR,
    _WEEKDAY + _DMY + "(?P<y>{n2})(?={comma|dot|mark|line|close}|$)",
):
    DAYS.rule(_text)(_full)


@DAYS.rule(
    "(?P<h>{holiday})(?:" + YEAR + "|{of|in}?(?P<r>{last|this|next|coming})(?P<u>{unit}))",
    "(?P<r>{last|this|next|coming|past})(?P<h>{holiday})",
    "(?P<h>{holiday})",
)
def _holiday(found: Found) -> tuple[str, object] | None:
    rule, today, groups = found.all("h")[0].reading, found.now.date(), found.match.groupdict()
    if not isinstance(rule, (str, tuple)):
        return None
    year = year_of(found) if groups.get("y") else 0
    if year is None:
        return None
    if groups.get("u"):
        if found.all("u")[0].reading != "year":
            return None
        year = today.year + which_week(found.name("r"))
    if year:
        only = holiday(rule, year)
        return "date", Day(timex=only.isoformat(), options=(only,))
    options = around(today, [holiday(rule, one) for one in range(today.year - 1, today.year + 2)])
    if groups.get("r"):
        which = found.name("r")
        only = options[0] if which in ("last", "past") else options[-1] if which != "this" else holiday(rule, today.year)
        return "date", Day(timex=only.isoformat(), options=(only,))
    timex = f"XXXX-{rule[0]:02d}-{rule[1]:02d}" if isinstance(rule, tuple) else "XXXX"
    fixed = isinstance(rule, tuple)
    return "date", Day(
        timex=timex,
        options=options,
        month=options[-1].month if fixed else 0,
        day=options[-1].day if fixed else 0,
        yearless=True,
    )


@DAYS.rule(
    "{article}?(?P<n>{ord|last|second})(?P<w>{weekday})(?:{of|in}{article}?(?P<m>{month})"
    + YEAR
    + "?|{of|in}{article}?(?P<u>{unit})|(?:{of|in}{article}?)?(?P<r>{last|this|next|coming})(?P<u2>{unit}))?"
)
def _nth_weekday(found: Found) -> tuple[str, object] | None:
    today, groups = found.now.date(), found.match.groupdict()
    unit = found.token("u") or found.token("u2")
    if found.name("n") == "last" and not (groups.get("m") or unit):
        return None
    if unit is not None and unit.reading not in ("month", "year"):
        return None
    if unit is not None and unit.reading == "year":
        step = which_week(found.name("r")) if groups.get("r") else 0
        weekday, nth = int(value_of(found.token("w"))), int(value_of(found.token("n"))) if found.name("n") != "last" else -1
        if nth < 0:
            only = nth_weekday(today.year + step, 12, weekday, -1)
        else:
            only = nth_weekday(today.year + step, 1, weekday, 1) + timedelta(days=7 * (nth - 1))
        return "date", Day(timex=only.isoformat(), options=(only,))
    weekday = int(value_of(found.token("w")))
    nth = -1 if found.name("n") == "last" else int(value_of(found.token("n")))
    if groups.get("m"):
        year, month = year_of(found) if groups.get("y") else 0, months_of(found.token("m"))
        if year is None:
            return None
        years = [year] if year else range(today.year - 1, today.year + 2)
        options = tuple(nth_weekday(one, month, weekday, nth) for one in years)
        options = options if year else around(today, options)
        timex = f"{year or 'XXXX'}-{month:02d}-WXX-{weekday + 1}-#{nth}"
        return "date", Day(timex=timex, options=options)
    base = months_on(today.replace(day=1), which_week(found.name("r")) if groups.get("r") else 0)
    only = nth_weekday(base.year, base.month, weekday, nth)
    return "date", Day(timex=f"XXXX-{base.month:02d}-WXX-{weekday + 1}-#{nth}", options=(only,))


def _full_or_relative(found: Found) -> tuple[str, object] | None:
    """A month and a day, with "of next month" or "this" and "next" in front."""
    return _full(found)


for _text in (
    "(?P<r>{last|this|next|coming})?(?P<w>{weekday|shortday}){open}(?P<known>{date}){close}",
    "(?P<r>{last|this|next|coming})?" + _WEEKDAY + "(?P<known>{date})(?!{dash}{n4})",
    "(?P<r>{last|this|next|coming})?(?P<w>{weekday}){dash|comma}?{open}" + _MDY + "{close}",
    "(?P<r>{last|this|next|coming})?(?P<w>{weekday}){dash|comma}{0,2}" + _MDY,
    "(?P<r>{last|this|next|coming})" + _MDY,
    "(?P<r>{last|this|next|coming})" + _DMY,
    _WEEKDAY + _MDY + "(?!{colon}|{month})(?:{open}(?P<w2>{weekday}){close}|{slash}?{open}(?P<w3>{weekday}){close})?",
    _WEEKDAY + _DMY,
):

    @DAYS.rule(_text)
    def _day_and_weekday(found: Found) -> tuple[str, object] | None:
        groups = found.match.groupdict()
        known = found.token("known") if "known" in groups else None
        if _loose(found):
            return None
        day = known.reading if known else None
        if known is None:
            made = _full(found)
            if made is None or not groups.get("r"):
                return made
            day = made[1]
        if not isinstance(day, Day) or not (found.has("w") or found.has("r")):
            return None
        weekday = found.token("w")
        if weekday is not None and weekday.name == "shortday" and weekday.text[0].islower():
            return None
        if found.has("r") and day.yearless:
            today = found.now.date()
            if found.name("r") == "this" or weekday is not None:
                only = date(today.year, day.month, day.day)
            else:
                only = day.options[-1] if found.name("r") == "next" else day.options[0]
            return "date", Day(timex=day.timex, options=(only,))
        return "date", day


@DAYS.rule(
    "(?P<w>{weekday})(?:{comma}?(?P<t>{article})(?P<d>{ord|n2|w2|second})|(?P<d2>{ord|n2})(?!{n2}{am|pm}|{in}{article}{part}))(?!{colon}|{am}|{pm}|{oclock}|{dash|to|till}{n2|time|ord}|{month}|{dash}?{ish})"
)
def _weekday_and_number(found: Found) -> tuple[str, object] | None:
    today, weekday = found.now.date(), int(value_of(found.token("w")))
    day = int(value_of(found.token("d") or found.token("d2")))
    if not 1 <= day <= _LAST_DAY:
        return None
    if found.has("t"):
        this = date(today.year, today.month, day)
        if this.weekday() == weekday:
            return "date", Day(timex=this.isoformat(), options=(this,))
    first = months_on(today.replace(day=1), -14)
    options = []
    for n in range(29):
        month = months_on(first, n)
        try:
            one = month.replace(day=day)
        except ValueError:
            continue
        if one.weekday() == weekday:
            options.append(one)
    return "date", Day(timex=f"XXXX-WXX-{weekday + 1}", options=around(today, options), weekday=None)


def which_week(name: str) -> int:
    """How many weeks on "last", "this" and "next" are."""
    return {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}[name]


@DAYS.rule(
    "{on}?(?P<w>{weekday})(?P<r>{last|next})(?P<u>{unit})",
    "(?P<w>{weekday}){comma}?{of|in}?{article}?(?P<r>{last|this|next|coming})(?P<u>{unit})",
    "(?P<w>{weekday}){from}(?P<r>{last})(?P<u>{unit})(?!{to|till|dash})",
    "(?P<r>{last|this|next|coming})(?P<u>{unit}){comma|on|poss}?(?P<w>{weekday})(?!{dash|to|till}{article}?{weekday|shortday|next|last|this|coming|ord|n2|month|date|today|tomorrow|now|unit|holiday|end})",
    "(?P<r>{this})(?P<r2>{last|past|coming|next})(?P<w>{weekday})",
    "(?P<r>{last|past|this|next|coming})(?P<w>{weekday})",
)
def _weekday_of_week(found: Found) -> tuple[str, object] | None:
    today, weekday, groups = found.now.date(), int(value_of(found.token("w"))), found.match.groupdict()
    if groups.get("u") and found.all("u")[0].reading != "week":
        return None
    which = found.name("r2") if groups.get("r2") else found.name("r")
    if not groups.get("u") and which in ("past", "coming"):
        only = (
            today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
            if which == "past"
            else today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
        )
        return "date", Day(timex=only.isoformat(), options=(only,), weekday=weekday)
    only = monday(today) + timedelta(days=7 * which_week(which) + weekday)
    return "date", Day(timex=only.isoformat(), options=(only,), weekday=weekday)


@DAYS.rule("{article}?(?P<w>{weekday|unit})(?P<s>{after|before})(?P<r>{next|last})(?!{unit|weekday|month|holiday})")
def _after_next(found: Found) -> tuple[str, object] | None:
    """The Monday after next, the Friday before last, the day after next."""
    token, today, ahead = found.all("w")[0], found.now.date(), found.name("s") == "after"
    if ahead != (found.name("r") == "next") or (token.name == "unit" and token.text.lower() != "day"):
        return None
    only = today + timedelta(days=2 if ahead else -2)
    if token.name == "weekday":
        only = monday(today) + timedelta(days=int(value_of(token)) + (14 if ahead else -14))
    return "date", Day(timex=only.isoformat(), options=(only,))


@DAYS.rule("(?P<n>{n2|w2|few})(?P<w>{weekday|weekdays|set})(?P<s>{later|ago|hence|earlier}|{from}{now|today})")
def _weekdays_away(found: Found) -> tuple[str, object] | None:
    token, today = found.all("w")[0], found.now.date()
    weekday = WEEKDAYS.index(token.text.lower().removesuffix("s")) if token.name == "set" else int(value_of(token))
    if found.name("s") in ("ago", "earlier"):
        last = today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
        only = last - timedelta(days=7 * (int(value_of(found.token("n"))) - 1))
        return "date", Day(timex=only.isoformat(), options=(only,))
    first = today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    only = first + timedelta(days=7 * (int(value_of(found.token("n"))) - 1))
    return "date", Day(timex=only.isoformat(), options=(only,))


@DAYS.rule(
    "(?P<r>{this|next|last|coming})?(?P<w>{weekday}){comma}?(?P<d>{decimal})",
    "(?<={on})(?P<d>{decimal})(?!{other|unit|length|am|pm|slash|dash})",
)
def _dotted(found: Found) -> tuple[str, object] | None:
    """On 4.22, Friday 4.22: month and day, or day and month where only that fits."""
    token = found.all("d")[0]
    month, _, day = token.text.partition(".")
    if not (month.isdigit() and day.isdigit()) or max(len(month), len(day)) > 2:  # noqa: PLR2004  two digits
        return None
    first, second = int(month), int(day)
    if first > 12:  # noqa: PLR2004  months of a year
        first, second = second, first
    if not 1 <= first <= 12 or not 1 <= second <= _LAST_DAY:  # noqa: PLR2004  months of a year
        return None
    made = dated(found.now.date(), 0, first, second)
    if "r" in found.match.groupdict() and found.has("r") and isinstance(made[1], Day):
        only = date(found.now.year, first, second)
        return "date", Day(timex=made[1].timex, options=(only,))
    return made


@DAYS.rule("(?<={on|in})(?P<m>{n2})(?P<s>{dash})(?P<d>{n2})(?!{dash|colon|am|pm|unit})")
def _month_dash_day(found: Found) -> tuple[str, object] | None:
    if not found.glued():
        return None
    month, day = int(value_of(found.token("m"))), int(value_of(found.token("d")))
    if month > 12:  # noqa: PLR2004  months of a year
        month, day = day, month
    return dated(found.now.date(), 0, month, day) if 1 <= month <= 12 else None  # noqa: PLR2004  months of a year


@DAYS.rule("{this}{datew}")
def _current_date(found: Found) -> tuple[str, object] | None:
    today = found.now.date()
    return "date", Day(timex=today.isoformat(), options=(today,))


@DAYS.rule(
    "(?P<d>{date}){open}(?P<w>{weekday|shortday}){close}",
    "(?P<d>{date}){comma}(?P<w>{weekday|shortday})(?!{poss|and|or|to|till|dash|at|date|month|ord|n2|time|part})",
)
def _day_then_weekday(found: Found) -> tuple[str, object] | None:
    """Jul 18, Fri, Jul 18 (Fri): only where the weekday is that of the date in one of its years."""
    day, weekday = found.all("d")[0].reading, int(value_of(found.token("w")))
    if isinstance(day, Day) and len(day.options) == 1 and not day.yearless:
        return ("date", day) if day.options[0].weekday() == weekday else None
    if not isinstance(day, Day) or not day.month:
        return None
    years = range(found.now.year - 6, found.now.year + 7)
    days = [one for year in years if (one := _of_year(year, day)) is not None and one.weekday() == weekday]
    return "date", replace(day, options=around(found.now.date(), days))


def _of_year(year: int, day: Day) -> date | None:
    try:
        return date(year, day.month, day.day)
    except ValueError:
        return None


@DAYS.rule("(?<!{last|this|next|coming|every})(?P<w>{weekday})(?P<u>{unit})(?={at|comma|dot|mark|line|close}|$)")
def _week_after(found: Found) -> tuple[str, object] | None:
    """Friday week: the one after the coming."""
    today, weekday = found.now.date(), int(value_of(found.token("w")))
    if found.all("u")[0].text.lower() != "week":
        return None
    only = today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 8)
    return "date", Day(timex=only.isoformat(), options=(only,))


@DAYS.rule("(?P<w>{weekday})")
def _weekday(found: Found) -> tuple[str, object] | None:
    today, weekday = found.now.date(), int(value_of(found.token("w")))
    future = today + timedelta(days=(weekday - today.weekday()) % 7)
    return "date", Day(timex=f"XXXX-WXX-{weekday + 1}", options=(future - 7 * DAY, future), weekday=weekday)


@DAYS.rule("(?:{article}?(?P<d>{unit})(?P<s>{after|before}))?(?P<n>{today|tomorrow|yesterday})")
def _near(found: Found) -> tuple[str, object] | None:
    away = int(value_of(found.token("n")))
    if found.has("s"):
        if found.all("d")[0].reading != "day":
            return None
        away += 1 if found.name("s") == "after" else -1
    only = found.now.date() + timedelta(days=away)
    return "date", Day(timex=only.isoformat(), options=(only,))


@DAYS.rule(
    "(?:{article}|{of})?(?P<end>{end}){of}{article}?(?P<d>{unit|date})(?!{unit})",
    "{article}?(?P<eod>{eod})",
)
def _end_of_day(found: Found) -> tuple[str, object] | None:
    if found.name("d") == "date" if "d" in found.match.groupdict() else False:
        day = found.all("d")[0].reading
        if not isinstance(day, Day):
            return None
    else:
        groups = found.match.groupdict()
        if groups.get("eod") and found.all("eod")[0].reading != "day":
            return None
        if groups.get("d") and found.all("d")[0].reading != "day":
            return None
        day = Day(timex=found.now.date().isoformat(), options=(found.now.date(),))
    end = Clock(hour=23, minute=59, second=59)
    options = tuple(_at_midnight(one) + end.offset for one in day.options)
    return "moment", Moment(
        timex=f"{day.timex}T{end.timex}",
        options=tuple(datetime.combine(one, datetime.min.time()) + end.offset for one in day.options) or options,
        precision=Precision.SECOND,
        yearless=day.yearless,
    )


@DAYS.rule(
    "(?P<t>{my})(?P<u>{unit})",
    "(?P<t>{article})(?P<r>{next|last|coming})?(?P<u>{unit})(?:(?P<s>{before|after})(?!{date|month|article|article|last|next|n4}))?(?!{before|after}{date|month|article|last|next|n4}|{of|in}{article}?{month|n4|last|this|next|coming}|{of}{article}{unit})",
    "{article}?(?P<same>{same})(?P<u>{unit})",
    "(?P<r>{next|last|this})(?P<u>{unit})(?!{of}|{in}{article}?{month|n4|last|this|next|coming|unit})",
)
def _the_day(found: Found) -> tuple[str, object] | None:
    if found.all("u")[0].reading != "day" or found.all("u")[0].text.lower() == "days":
        return None
    groups = found.match.groupdict()
    side = found.name("s") if groups.get("s") else ""
    away = {"next": 1, "coming": 1, "last": -1}.get(found.name("r") if groups.get("r") else "", 0) + {
        "before": -1,
        "after": 1,
    }.get(side, 0)
    before, after = found.before(), found.after()
    if not side and not away and after is not None and (after.name == "that" or after.text.lower() in _OF_A_CLAUSE):
        return None
    if before and before.name in ("rest", "of") and not side and not away and (before.name == "rest" or _is_part(found)):
        return None
    only = found.now.date() + timedelta(days=away)
    return "date", Day(timex=only.isoformat(), options=(only,))


_OF_A_CLAUSE = frozenset({"when", "i", "we", "he", "she", "they", "it", "you", "which"})


def _is_part(found: Found) -> bool:
    at = found.match.start()
    return at >= 2 and found.tokens[at - 2].name in ("rest", "ord", "second", "begin", "end", "mid")  # noqa: PLR2004  two tokens back


@DAYS.rule(
    "{article}(?P<d>{ord})(?P<u>{unit}){of|in}{article}?(?P<r>{last|this|next|coming})?(?P<m>{unit})",
    "{article}?(?P<d>{ord}){of|in}{article}?(?P<r>{last|this|next|coming})?(?P<m>{unit})",
    "{article}?(?P<d>{ord})(?P<r>{last|this|next|coming})(?P<m>{unit})",
)
def _day_of_month(found: Found) -> tuple[str, object] | None:
    if found.all("m")[0].reading != "month":
        return None
    groups = found.match.groupdict()
    if groups.get("u") and found.all("u")[0].reading != "day":
        return None
    base = months_on(found.now.date().replace(day=1), which_week(found.name("r")) if groups.get("r") else 0)
    try:
        only = base.replace(day=int(value_of(found.token("d"))))
    except ValueError:
        return "void", None
    return "date", Day(timex=only.isoformat(), options=(only,))


def numbered_day(today: date, day: int) -> Day | None:
    """A day of which only the number was told."""
    if not 1 <= day <= _LAST_DAY:
        return None
    found = []
    for n in range(-3, 4):
        try:
            found.append(months_on(today.replace(day=1), n).replace(day=day))
        except ValueError:
            continue
    return Day(timex=f"XXXX-XX-{day:02d}", options=around(today, found))


_AFTER_DATE = "{article}?(?P<d>{ord})(?!{unit|other|quarter|half|weekday|part|season|of|month|length})"


@DAYS.rule(
    *2
    * (
        "(?<={date}{comma|and|or|slash})" + _AFTER_DATE,
        "(?<={date}{comma}{and|or})" + _AFTER_DATE,
    )
)
def _next_listed_day(found: Found) -> tuple[str, object] | None:
    """June 3rd, 5th and 7th: the month is that of the day before."""
    token, at = found.all("d")[0], found.match.start() - 1
    while found.tokens[at].name != "date":
        at -= 1
    day = found.tokens[at].reading
    if not token.text[0].isdigit() or not isinstance(day, Day) or day.weekday is not None:
        return None
    if day.yearless and day.month:
        return dated(found.now.date(), 0, day.month, int(value_of(token)))
    if len(day.options) != 1 or day.mod:
        return None
    only = day.options[0]
    return dated(found.now.date(), only.year, only.month, int(value_of(token))) if only.day < value_of(token) else None


@DAYS.rule(
    "(?<={on})(?P<d>{w2})(?={at|comma|dot|mark|line|time}|$)",
    "(?<={on})(?P<d>{n2})(?!{unit|other|dash|slash|colon|oclock|am|pm|times|n2})",
    "(?<={on|for}){article}(?P<d>{second})(?!{unit|other|part|month|n2|w2|time|weekday|quarter|half})",
    "(?<={on|for}){article}(?P<d>{n2})(?!{unit|other|dash|slash|colon|oclock|am|pm|times|n2})",
    "{article}?(?P<d>{ord})(?!{unit|other|quarter|half|weekday|part|season|second|my|month|length|last|next}|{dash}{n2|ord|w2|other})",
)
def _number_alone(found: Found) -> tuple[str, object] | None:
    token, before = found.all("d")[0], found.before()
    led = before is not None and before.name in (
        "on",
        "for",
        "by",
        "till",
        "to",
        "since",
        "between",
        "from",
        "before",
        "after",
        "and",
    )
    if token.name == "ord" and not (led and before is not None and before.name in ("on", "for")):
        article = found.all(0)[0].name == "article"
        if not token.text[0].isdigit() and not (article and led):
            return None
        if not article and not led:
            return None
    if token.name == "w2" and value_of(token) <= _NOON:
        return None  # working on two
    day = numbered_day(found.now.date(), int(value_of(token)))
    return ("date", day) if day else None


def _at_midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time())


__all__ = ["DAYS", "YEAR", "Number", "dated", "months_of", "numbered_day", "which_week", "year_of"]
