"""Times told by their distance: three days ago, in a week, two weeks before May 3, the last ten minutes.

Rule of this file: distances are counted from the moment the text was said unless it names another; whole days give a day, hours
and less a moment.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.readings import Day, Length, Moment, MomentSpan, Open, Span, Token
from muniment.text.times.reckoning import CLOCK_UNITS, DAY, monday, months_on, nth_weekday, shifted
from muniment.text.times.rules_numbers import COUNT, length_timex, value_of
from muniment.text.times.rules_weeks import unit_span
from muniment.types import Precision

AWAY = Cascade()
_PRECISION = {"second": Precision.SECOND, "minute": Precision.MINUTE, "hour": Precision.HOUR}


_MODALS = frozenset(
    {"will", "would", "to", "can", "could", "should", "may", "might", "must", "usually", "typically", "not", "did", "does"}
)


_UNIT_PRECISION = {"week": Precision.WEEK, "month": Precision.MONTH, "year": Precision.YEAR, "quarter": Precision.QUARTER}


def is_clocked(length: Length) -> bool:
    """Whether a length is told in hours or less."""
    return any(unit in CLOCK_UNITS for unit, _ in length.units)


def _moved(found: Found, length: Length, sign: int, *, mod: str = "", base: datetime | None = None) -> tuple[str, object]:
    start = base or found.now
    moved = _business(start, length, sign) if length.business else shifted(start, length.units, sign)
    if length.least:
        near = shifted(start, ((length.units[0][0], length.least),), sign)
        return _range(found, min(near, moved), max(near, moved), length, clocked=is_clocked(length))
    if is_clocked(length):
        return "moment", Moment(
            timex=moved.isoformat(timespec="seconds"),
            options=(moved,),
            precision=_PRECISION.get(length.units[-1][0], Precision.HOUR),
            mod=mod,
        )
    return "date", Day(timex=moved.date().isoformat(), options=(moved.date(),), mod=mod or _coarse(length))


def _coarse(length: Length) -> str:
    """How roughly people count: in months and years they round."""
    return f"around-{length.units[-1][0]}"


def _business(start: datetime, length: Length, sign: int) -> datetime:
    left = int(sum(count for _, count in length.units))
    if left > 10_000:  # noqa: PLR2004  as good as never
        raise OverflowError(left)
    while left:
        start += sign * DAY
        left -= start.weekday() < 5  # noqa: PLR2004  Monday to Friday
    return start


def _length(token: Token | None) -> Length | None:
    reading = token.reading if token else None
    return reading if isinstance(reading, Length) else None


@AWAY.rule("(?P<m>{more|less}){than}(?P<l>{length})")
def _more_than(found: Found) -> tuple[str, object] | None:
    length = _length(found.token("l"))
    if length is None:
        return None
    return "length", Length(units=length.units, business=length.business, rounded=True, mod=found.name("m"))


@AWAY.rule(
    "{within|in}{article}?(?P<r>{next|coming|past|last})(?P<l>{length})(?:{from|after}(?P<d>{date}))?",
    "{within}{article}?(?P<r>{next|coming|past|last})(?P<u>{unit})",
    "{within}(?P<l>{length})(?:{from|of|after}(?P<d>{date|now}))?",
)
def _within(found: Found) -> tuple[str, object] | None:
    length, unit = _length(found.token("l")), found.token("u")
    if unit is not None and not unit.text.lower().endswith("s"):
        length = Length(units=((str(unit.reading), 1.0),))
    if length is None:
        return None
    first = found.all(0)[0]
    which = found.name("r")
    if first.name == "in":
        return None
    sign = -1 if which in ("past", "last") else 1
    start = found.now
    if found.has("d") and isinstance(day := found.all("d")[0].reading, Day):
        start = _midnight(day.options[-1])
    end = _business(start, length, sign) if length.business else shifted(start, length.units, sign)
    if sign < 0:
        start, end = end, start
    return _range(found, start, end, length, clocked=is_clocked(length))


@AWAY.rule(
    "(?P<l>{length}){comma}?(?:{starting}{from|on}?|{begin}{from|on}?)(?P<d>{date})",
    "{for}(?P<l>{length}){comma}?{from}(?P<d>{date})",
    "{from|starting}(?P<d>{date}){comma}?{for}(?P<l>{length})",
)
def _length_from(found: Found) -> tuple[str, object] | None:
    length, day = _length(found.token("l")), found.all("d")[0].reading
    if length is None or not isinstance(day, Day) or is_clocked(length):
        return None
    options = tuple((one, shifted(_midnight(one), length.units, 1).date()) for one in day.options)
    timex = f"({options[-1][0]},{options[-1][1]},{length_timex(length.units)})"
    return "span", Span(timex=timex, options=options, precision=Precision.DAY, yearless=day.yearless)


@AWAY.rule("(?P<d>{date}){of|in|comma}?{article}?(?P<y>{span})")
def _date_of_year(found: Found) -> tuple[str, object] | None:
    """May 4th of next year, the second Monday in January last year."""
    day, year, words = found.all("d")[0].reading, found.all("y")[0].reading, found.all("y")[0].text.lower()
    if not isinstance(day, Day) or not isinstance(year, Span) or len(year.timex) != 4 or year.mod or not words.endswith(" year"):  # noqa: PLR2004  a year
        return None
    told = year.options[0][0].year
    if day.month and day.yearless:
        only = date(told, day.month, day.day)
    elif "-WXX-" in day.timex and day.timex.startswith("XXXX-") and "#" in day.timex and len(day.options) > 1:
        month, weekday, nth = int(day.timex[5:7]), int(day.timex.partition("-WXX-")[2][0]), int(day.timex.partition("#")[2])
        only = nth_weekday(told, month, weekday - 1, nth)
    else:
        return None
    return "date", Day(timex=only.isoformat(), options=(only,))


@AWAY.rule("(?P<w>{date})(?P<s>{before|after}){article}?(?P<d>{date})")
def _weekday_beside(found: Found) -> tuple[str, object] | None:
    """The Sunday before May 3."""
    weekday, told = found.all("w")[0].reading, found.all("d")[0].reading
    if not isinstance(weekday, Day) or not isinstance(told, Day) or weekday.weekday is None or len(weekday.options) == 1:
        return None
    options = []
    for one in told.options:
        ahead = (weekday.weekday - one.weekday() - 1) % 7 + 1
        options.append(
            one - timedelta(days=(one.weekday() - weekday.weekday - 1) % 7 + 1)
            if found.name("s") == "before"
            else one + timedelta(days=ahead)
        )
    return "date", Day(timex=options[-1].isoformat(), options=tuple(options))


def _weekend(edge: date, sign: int) -> tuple[date, date]:
    """The last Saturday and Sunday before a day, or the first from it on."""
    first = monday(edge) + 5 * DAY
    if sign < 0:
        first -= 7 * DAY
    elif edge > first:
        first += 7 * DAY
    return first, first + 2 * DAY


@AWAY.rule("{article}(?P<u>{unit})(?P<s>{before|after}){article}?(?P<d>{date|span})")
def _unit_beside(found: Found) -> tuple[str, object] | None:
    """The week before May 3: the seven days that end there."""
    unit, told = str(found.all("u")[0].reading), found.all("d")[0].reading
    if unit in CLOCK_UNITS or not isinstance(told, (Day, Span)) or (len(told.options) > 1 and not told.yearless):
        return None
    sign, options = (-1 if found.name("s") == "before" else 1), []
    for one in told.options:
        first, end = (one, one + DAY) if isinstance(one, date) else one
        if unit == "weekend":
            options.append(_weekend(first if sign < 0 else end, sign))
            continue
        edge = first if sign < 0 else end
        other = shifted(_midnight(edge), [(unit, 1)], sign).date()
        options.append((other, edge) if sign < 0 else (edge, other))
    if unit in ("day", "night"):
        return "date", Day(timex=options[-1][0].isoformat(), options=tuple(first for first, _ in options))
    timex = f"({options[-1][0]},{options[-1][1]},{length_timex([(unit, 1)])})"
    return "span", Span(timex=timex, options=tuple(options), precision=_UNIT_PRECISION.get(unit, Precision.DAY))


@AWAY.rule(
    "(?P<l>{length})(?P<s>{before|after|from}){article}?(?P<d>{date|span|now})",
    "{in}(?P<l>{length})(?P<s>{since})(?P<d>{date|span})",
)
def _from_date(found: Found) -> tuple[str, object] | None:
    length, token = _length(found.token("l")), found.all("d")[0]
    if length is None:
        return None
    day = token.reading
    if isinstance(day, Span):
        return _from_span(found, length, day)
    if not isinstance(day, Day) or is_clocked(length):
        return None
    sign = -1 if found.name("s") == "before" else 1
    base = day.options[-1]
    options = tuple(
        (_business(_midnight(one), length, sign) if length.business else shifted(_midnight(one), length.units, sign)).date()
        for one in (base,)
    )
    if length.mod == "less":
        pair = (options[0], base) if sign < 0 else (base, options[0])
        return "span", Span(timex=f"({pair[0]},{pair[1]},{length_timex(length.units)})", options=(pair,), precision=Precision.DAY)
    if length.mod == "more":
        side = "before" if sign < 0 else "after"
        return "opened", Open(side=side, edge=Day(timex=options[0].isoformat(), options=options))
    return "date", Day(timex=options[0].isoformat(), options=options, mod=_coarse(length))


def _from_span(found: Found, length: Length, span: Span) -> tuple[str, object] | None:
    if is_clocked(length) or len(span.options) != 1 or found.name("s") == "from":
        return None
    start, end = span.options[0]
    base, sign = (start, -1) if found.name("s") == "before" else (end, 1) if found.name("s") == "after" else (start, 1)
    day = shifted(_midnight(base), length.units, sign).date()
    return "date", Day(timex=day.isoformat(), options=(day,))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time())


@AWAY.rule(
    "(?P<l>{length})(?:{ago}|{prior}(?!{to})|{before}(?={comma|dot|mark|line|close|quote}|$)|{back}(?!{other|word|to|in|at|from|on|for|and|my})|{before}{now}|{earlier}(?!{than}))"
)
def _ago(found: Found) -> tuple[str, object] | None:
    length = _length(found.token("l"))
    if length is None:
        return None
    moved = _moved(found, length, -1)
    if length.mod == "more" and isinstance(moved[1], (Day, Moment)):
        return "opened", Open(side="before", edge=moved[1])
    return moved


@AWAY.rule(
    "(?P<l>{length})(?:{later}|{from}{now}|{hence})",
    "{in}{around}?(?P<l>{length})(?:{quote|poss}?{timew}|{on}(?P<d>{date}))?(?!{ago|later|of})",
)
def _later(found: Found) -> tuple[str, object] | None:
    length = _length(found.token("l"))
    if length is None:
        return None
    made = _moved(found, length, 1, mod=length.mod)
    if length.mod == "more" and isinstance(made[1], (Day, Moment)):
        return "opened", Open(side="after", edge=made[1])
    if "d" in found.match.groupdict() and found.has("d"):
        day = found.all("d")[0].reading
        if not isinstance(day, Day) or day.weekday is None:
            return None
        return _on_weekday(made, day.weekday)
    return made


@AWAY.rule("(?<!{for|last|past|next|coming|every})(?P<l>{length}){on}(?P<d>{date})")
def _week_on_friday(found: Found) -> tuple[str, object] | None:
    """A week on Friday: so many weeks after the coming one."""
    length, day = _length(found.token("l")), found.all("d")[0].reading
    told = found.all("l")[0].text.lower().split()[0] not in ("all", "full", "whole", "entire") and length is not None
    if not told or length is None or not isinstance(day, Day) or day.weekday is None or len(day.options) == 1:
        return None
    if [unit for unit, _ in length.units] != ["week"] or length.least or length.units[0][1] % 1:
        return None
    only = day.options[-1] + timedelta(days=7 * int(length.units[0][1]))
    return "date", Day(timex=only.isoformat(), options=(only,))


@AWAY.rule("{article}?(?P<r>{next|coming|last})(?:{business}(?P<u>{unit})|(?P<k>{workdays}))(?!{of|in})")
def _next_workday(found: Found) -> tuple[str, object] | None:
    groups = found.match.groupdict()
    if found.all("u" if groups.get("u") else "k")[0].text.lower() not in ("day", "weekday"):
        return None
    only = _business(found.now, Length(units=(("day", 1.0),), business=True), -1 if found.name("r") == "last" else 1).date()
    return "date", Day(timex=only.isoformat(), options=(only,))


@AWAY.rule("(?P<k>{date}){on}(?P<d>{date})")
def _from_today_on(found: Found) -> tuple[str, object] | None:
    known, day = found.all("k")[0].reading, found.all("d")[0].reading
    if not isinstance(known, Day) or not isinstance(day, Day) or day.weekday is None or not known.mod.startswith("around-"):
        return None
    return _on_weekday(("date", known), day.weekday)


def _on_weekday(made: tuple[str, object], weekday: int) -> tuple[str, object] | None:
    day = made[1]
    if not isinstance(day, Day):
        return None
    base = day.options[-1]
    ahead = base + timedelta(days=(weekday - base.weekday()) % 7)
    back = base - timedelta(days=(base.weekday() - weekday) % 7)
    far = day.mod in ("around-month", "around-year")
    best = back if base - back < ahead - base and not far else ahead
    return "date", Day(timex=best.isoformat(), options=(best,))


def _range(found: Found, start: datetime, end: datetime, length: Length, *, clocked: bool) -> tuple[str, object]:
    told = length_timex(length.units)[: -1 if length.business else None] + ("BD" if length.business else "")
    if clocked:
        timex = f"({start.isoformat(timespec='seconds')},{end.isoformat(timespec='seconds')},{told})"
        return "momentspan", MomentSpan(timex=timex, options=((start, end),), precision=Precision.MINUTE)
    pair = (start.date(), end.date())
    unit = length.units[-1][0]
    tail = () if pair[1] > found.now.date() else (pair[1] + DAY,)
    precision = (
        Precision.DAY
        if unit in ("day", "night", "weekend")
        else Precision.WEEK
        if unit in ("week", "fortnight")
        else Precision.MONTH
    )
    return "span", Span(timex=f"({pair[0]},{pair[1]},{told})", options=(pair,), precision=precision, tails=tail)


@AWAY.rule(
    "{article}?(?P<r>{last|past|next|coming})(?P<l>{length})",
    "(?P<r>{last|past|next|coming})(?P<l>{length})",
    "(?P<c>" + COUNT + ")(?P<r>{last|past|next|coming})(?P<u>{unit|quarter|second})",
    "{article}(?P<r>{past})(?P<u>{unit})",
    "(?P<r>{past})(?P<u>{unit})",
    "(?P<r>{last|next|coming})(?P<u>{unit})",
)
def _near_length(found: Found) -> tuple[str, object] | None:  # noqa: C901, PLR0911  one way of telling it after another
    groups = found.match.groupdict()
    if groups.get("u"):
        token = found.all("u")[0]
        unit = token.name if token.name in ("second", "quarter") else str(token.reading)
        length: Length | None = Length(units=((unit, value_of(found.token("c")) if groups.get("c") else 1.0),))
        plural = token.text.lower().endswith("s")
        if unit == "weekend" and not groups.get("c") and not plural:
            return unit_span(unit, -1 if found.name("r") in ("last", "past") else 1, found.now.date())
        if not groups.get("c") and not plural and (unit == "day" or (found.name("r") != "past" and unit not in CLOCK_UNITS)):
            return None
    else:
        length = _length(found.token("l"))
        if length is None or found.all("l")[0].text.lower().startswith(("a ", "an ", "another", "all")):
            return None
    if length is None:
        return None
    before = found.before()
    if found.name("r") == "last" and before is not None and before.text.lower() in _MODALS:
        return None  # "will last three hours"
    ahead, now = found.name("r") in ("next", "coming"), found.now
    if found.all(0)[0].name == "article" and length.units[0][0] not in ("decade", "century"):
        return None
    if len(length.units) == 1 and length.units[0][0] in ("quarter", "decade", "century"):
        return _aligned(found, length, ahead=ahead)
    if is_clocked(length):
        other = shifted(now, length.units, 1 if ahead else -1)
        return _range(found, *((now, other) if ahead else (other, now)), length, clocked=True)
    if ahead:
        start = now + DAY
        end = _business(now, length, 1) + DAY if length.business else shifted(start, length.units, 1)
        return _range(found, start, end, length, clocked=False)
    start = _business(now, length, -1) if length.business else shifted(now, length.units, -1)
    return _range(found, start, now, length, clocked=False)


def _aligned(found: Found, length: Length, *, ahead: bool) -> tuple[str, object]:
    unit, count = length.units[0]
    size = {"quarter": 3, "decade": 120, "century": 1200}[unit]
    today = found.now.date()
    place = today.year * 12 + today.month - 1
    first = place // size * size
    begin, end = (first + size, first + size + int(count) * size) if ahead else (first - int(count) * size, first)
    pair = tuple(months_on(date(1, 1, 1), one - 12) for one in (begin, end))
    precision = {"quarter": Precision.QUARTER, "decade": Precision.DECADE, "century": Precision.CENTURY}[unit]
    return "span", Span(
        timex=f"({pair[0]},{pair[1]},{length_timex(length.units)})", options=((pair[0], pair[1]),), precision=precision
    )


@AWAY.rule("(?P<l>{length}){in}{article}{future}")
def _in_the_future(found: Found) -> tuple[str, object] | None:
    length = _length(found.token("l"))
    if length is None or is_clocked(length):
        return None
    start = found.now + DAY
    return _range(found, start, shifted(start, length.units, 1), length, clocked=False)
