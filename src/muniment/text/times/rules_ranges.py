"""Now, and ranges between two days, stretches or moments.

Rule of this file: an end without a year takes the one that fits the other end; the value of a range ends where its last unit
begins, while its tail ends where that unit does.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.readings import Day, Moment, MomentSpan, Span, Token
from muniment.text.times.reckoning import DAY, months_on
from muniment.text.times.rules_clock import bare
from muniment.text.times.rules_day_ranges import SEPARATOR, joins
from muniment.text.times.rules_moments import midnight, pair_timex, readings
from muniment.text.times.rules_numbers import value_of
from muniment.types import Precision

RANGES = Cascade()
_DAY = timedelta(days=1)


@RANGES.rule(
    "{right}?(?P<n>{now})",
    "{at|as}{article}(?P<n>{present|this}){timew|moment}",
    "{at|as}(?:{of})?(?:{article|this})?(?P<n>{present|moment|timew})",
)
def _now(found: Found) -> tuple[str, object] | None:
    names = [token.name for token in found.all(0)]
    before, after = found.before(), found.after()
    if after is not None and after.name == "that" and "now" in names:
        return None  # now that we know
    if before is not None and before.name == "every":
        return None  # every now and then
    if "timew" in names and after is not None and isinstance(after.reading, Day):
        return None
    if "timew" in names and not {"this", "present"} & set(names):
        return None
    if "moment" in names and found.all("n")[0].text.lower() != "moment":
        return None
    return "moment", Moment(timex="PRESENT_REF", options=(found.now,), precision=Precision.SECOND, now=True)


@RANGES.rule("{at}{article}(?P<n>{unit})(?!{other|of})")
def _at_the_minute(found: Found) -> tuple[str, object] | None:
    if found.all("n")[0].text.lower() != "minute":
        return None
    return "moment", Moment(timex="PRESENT_REF", options=(found.now,), precision=Precision.SECOND, now=True)


@RANGES.rule("(?<={to|till|dash}){article}?{present}(?!{other})", "(?<={date|span}{to|till}){datew}")
def _present(found: Found) -> tuple[str, object] | None:
    return "moment", Moment(timex="PRESENT_REF", options=(found.now,), precision=Precision.SECOND, now=True)


@RANGES.rule("(?P<w>{recently|soon})", "{as}(?P<s>{soon}){as}{possible}")
def _near_now(found: Found) -> tuple[str, object] | None:
    soon = found.match.groupdict().get("s") or (found.match.groupdict().get("w") and found.name("w") == "soon")
    if soon and not found.match.groupdict().get("s") and found.all("w")[0].text.lower() != "asap":
        return None
    return "moment", Moment(timex="FUTURE_REF" if soon else "PAST_REF", options=(found.now,), precision=Precision.DAY, now=True)


def _ends(token: Token) -> tuple[tuple[date, date], ...]:
    """First day and the day after the last, for each reading of a day or stretch."""
    reading = token.reading
    if isinstance(reading, Day):
        return tuple((one, one + DAY) for one in reading.options)
    if isinstance(reading, Span):
        return reading.options
    if isinstance(reading, Moment) and reading.now:
        return ((reading.options[0].date(), reading.options[0].date() + DAY),)
    return ()


def _yearless(token: Token) -> bool:
    return isinstance(token.reading, (Day, Span)) and (token.reading.yearless or len(token.reading.options) > 1)


def _to_year(token: Token, other: Token, *, first: bool) -> Token:
    """A date without a year beside one with a year: in that year, or the one next to it."""
    reading = token.reading
    if not _yearless(token) or _yearless(other) or not _ends(other):
        return token
    if isinstance(other.reading, Moment):
        options = _ends(token)
        today = other.reading.options[0].date()
        fit = [one for one in options if (one[0] >= today if not first else one[0] <= today)]
        pick = (fit[0] if not first else fit[-1]) if fit else options[-1]
        return _fixed(token, pick)
    anchor = _ends(other)[0][0]
    year = anchor.year
    if isinstance(reading, Day) and reading.weekday is not None:
        ahead = (reading.weekday - anchor.weekday()) % 7
        only = anchor + timedelta(days=ahead) if not first else anchor - timedelta(days=(-ahead) % 7)
        return _fixed(token, (only, only + DAY))
    if isinstance(reading, Day) and reading.month:
        only = date(year, reading.month, reading.day)
        if first and only > anchor:
            only = date(year - 1, reading.month, reading.day)
        if not first and only < anchor:
            only = date(year + 1, reading.month, reading.day)
        return _fixed(token, (only, only + DAY))
    if isinstance(reading, Span) and reading.month:
        start = date(year, reading.month, 1)
        if first and start >= anchor:
            start = date(year - 1, reading.month, 1)
        if not first and start < anchor:
            start = date(year + 1, reading.month, 1)
        return _fixed(token, (start, months_on(start, 1)))
    fitting = [one for one in _ends(token) if (one[0] < anchor) == first]
    return _fixed(token, fitting[-1 if first else 0]) if fitting else token


def _fixed(token: Token, pair: tuple[date, date]) -> Token:
    reading = token.reading
    if isinstance(reading, Day):
        return token._replace(reading=Day(timex=pair[0].isoformat(), options=(pair[0],)))
    if isinstance(reading, Span):
        return token._replace(reading=replace(reading, options=(pair,), yearless=False))
    return token


def _edge(token: Token, pair: tuple[date, date]) -> date:
    reading = token.reading
    if isinstance(reading, Span) and reading.pointed and reading.mod == "mid":
        return pair[0] + (pair[1] - pair[0]) // 2 + DAY
    return pair[1] if isinstance(reading, Span) and reading.pointed and reading.mod == "end" else pair[0]


@RANGES.rule(
    "(?P<lead>{from|between|in})?{article}?(?P<a>{span|date|moment}){comma}?" + SEPARATOR + "{article}?(?P<b>{date|span|moment})"
)
def _range(found: Found) -> tuple[str, object] | None:
    a, b = found.all("a")[0], found.all("b")[0]
    if not joins(found) or (found.name("lead") == "in" and found.name("sep") == "dash"):
        return None
    if isinstance(a.reading, Moment) and isinstance(b.reading, Moment):
        return _moments(a.reading, b.reading)
    if any(isinstance(one.reading, Moment) and not one.reading.now for one in (a, b)):
        return None
    a, b = _to_year(a, b, first=True), _to_year(b, a, first=False)
    return _span_between(a, b)


def _span_between(a: Token, b: Token) -> tuple[str, object] | None:
    starts, ends = _ends(a), _ends(b)
    if not starts or not ends:
        return None
    pairs: list[tuple[date, date]] = []
    tails: list[date] = []
    pick_last, pick_first = (starts[0], ends[0]), (starts[-1], ends[-1])
    for n, (one, other) in enumerate((pick_last, pick_first)):
        if (
            isinstance(b.reading, Day)
            and b.reading.yearless
            and b.reading.month
            and one[0].year != other[0].year
            and isinstance(a.reading, Day)
        ):
            day = date(one[0].year, b.reading.month, b.reading.day)
            day = day if day > one[0] else date(one[0].year + 1, b.reading.month, b.reading.day)
            other = (day, day + DAY)  # noqa: PLW2901  the same day, in the year that fits
        start, end, tail = _edge(a, one), _edge(b, other), other[1]
        if end <= start:
            later = [two for two in ends if _edge(b, two) > start]
            earlier = [two for two in starts if _edge(a, two) < end]
            if n == 0 and later:
                end, tail = _edge(b, later[0]), later[0][1]
            elif earlier:
                start = _edge(a, earlier[-1])
            else:
                continue
        if (start, end) not in pairs:
            pairs.append((start, end))
            tails.append(tail)
    if not pairs:
        return None
    start, end = pairs[-1]
    timex = f"({_timex_of(a, start)},{_timex_of(b, end)},{_length_between(a, b, start, end)})"
    precision = (
        Precision.DAY if isinstance(b.reading, Day) else b.reading.precision if isinstance(b.reading, Span) else Precision.DAY
    )
    return "span", Span(
        timex=timex,
        options=tuple(pairs),
        tails=tuple(tails),
        precision=precision,
        yearless=len(pairs) > 1 or _any_year(a, b),
        month=_month_told(a),
    )


def _any_year(a: Token, b: Token) -> bool:
    return all(isinstance(one.reading, (Day, Span)) and bool(one.reading.month) and one.reading.yearless for one in (a, b))


def _month_told(token: Token) -> int:
    return token.reading.month if isinstance(token.reading, (Day, Span)) and token.reading.yearless else 0


def _timex_of(token: Token, day: date) -> str:
    reading = token.reading
    if isinstance(reading, Day):
        return reading.timex
    if isinstance(reading, Span) and reading.yearless:
        return f"XXXX-{day.month:02d}-{day.day:02d}"
    return day.isoformat()


def _length_between(a: Token, b: Token, start: date, end: date) -> str:
    if isinstance(a.reading, Span) and isinstance(b.reading, Span) and start.day == end.day == 1:
        months = (end.year - start.year) * 12 + end.month - start.month
        whole_years = a.reading.precision is b.reading.precision is Precision.YEAR and not months % 12
        return f"P{months // 12}Y" if whole_years and not b.reading.pointed else f"P{months}M"
    return f"P{(end - start).days}D"


def _moments(a: Moment, b: Moment) -> tuple[str, object] | None:
    pairs = []
    for start, end in zip(a.options * len(b.options), b.options * len(a.options), strict=False):
        if end > start and (start, end) not in pairs:
            pairs.append((start, end))
    if not pairs:
        return None
    pairs.sort(key=lambda one: (one[1] - one[0], one[0]))
    start, end = pairs[0]
    same = [one for one in pairs if one[1] - one[0] == end - start]
    return "momentspan", MomentSpan(timex=pair_timex(a.timex, b.timex, end - start), options=tuple(same))


@RANGES.rule(
    "(?P<lead>{from|between})?(?P<a>{moment})" + SEPARATOR + "(?P<b>{time|n2|w2|noon})(?!{unit|other|month|slash})",
    "(?P<lead>{from|between})?(?P<a>{time|n2|w2})" + SEPARATOR + "(?P<b>{moment})",
    "(?P<lead>{from|between})?(?P<a>{momentspan})" + SEPARATOR + "(?P<b>{moment})",
)
def _moment_and_clock(found: Found) -> tuple[str, object] | None:
    a, b = found.all("a")[0], found.all("b")[0]
    if not joins(found) or (not found.has("lead") and {a.name, b.name} & {"n2", "w2"}):
        return None
    if isinstance(a.reading, Moment):
        told = bare(b)
        if told is None:
            return None
        ends = tuple(midnight(one.date()) + hour.offset for one in a.reading.options for hour in readings(told))
        pairs = sorted(
            {(x, y) for x in a.reading.options for y in ends if x < y and y - x < _DAY}, key=lambda p: (p[1] - p[0], p[0])
        )
        end = told.timex
        base = a.reading.timex.partition("T")[0] if not a.reading.now else found.now.date().isoformat()
        timexes = a.reading.timex, f"{base}T{end}"
    else:
        told = bare(a)
        if told is None or not isinstance(b.reading, Moment):
            return None
        known = b.reading
        if known.now:
            return None
        ahead = found.name("sep") in ("to", "till") and b.text.lower().startswith("tomorrow")
        pairs = sorted(
            {
                (midnight(day) + hour.offset, y)
                for y in known.options
                for hour in readings(told)
                for day in (found.now.date() if ahead else y.date(),)
                if midnight(day) + hour.offset < y
            },
            key=lambda p: (p[1] - p[0], p[0]),
        )
        timexes = f"{known.timex.partition('T')[0]}T{told.timex}", known.timex
    if not pairs:
        return None
    least = pairs[0][1] - pairs[0][0]
    options = tuple(one for one in pairs if one[1] - one[0] == least)
    return "momentspan", MomentSpan(timex=pair_timex(*timexes, least), options=options)


@RANGES.rule(
    "(?P<lead>{from|between})?(?P<a>{momentspan|moment})" + SEPARATOR + "(?P<b>{momentspan})",
    "(?P<lead>{from|between})?(?P<a>{momentspan})" + SEPARATOR + "(?P<b>{date})",
)
def _between_parts(found: Found) -> tuple[str, object] | None:
    """Friday evening to Sunday morning, Monday morning to Wednesday."""
    a, b = found.all("a")[0].reading, found.all("b")[0].reading
    if not joins(found) or (found.name("sep") == "dash" and not found.has("lead") and found.glued()):
        return None
    starts = [one[0] for one in a.options] if isinstance(a, MomentSpan) else list(a.options) if isinstance(a, Moment) else []
    ends = [one[1] for one in b.options] if isinstance(b, MomentSpan) else []
    if isinstance(b, Day):
        ends = [midnight(one) + _DAY for one in b.options]
    pairs = sorted({(end - start, start, end) for start in starts for end in ends if end > start})
    if not pairs or not isinstance(a, (Moment, MomentSpan)) or not isinstance(b, (Day, MomentSpan)):
        return None
    least = pairs[0][0]
    options = tuple((start, end) for length, start, end in pairs if length == least)
    return "momentspan", MomentSpan(timex=pair_timex(a.timex, b.timex, least), options=options)


@RANGES.rule("{from|between}{article}?(?P<a>{ord|n2|w2})(?P<sep>{to|till|dash|and}){article}?(?P<b>{date})")
def _number_to_date(found: Found) -> tuple[str, object] | None:
    number, token = int(value_of(found.token("a"))), found.all("b")[0]
    day = token.reading
    if not isinstance(day, Day) or not 1 <= number <= 31:  # noqa: PLR2004  days of a month
        return None
    lead = found.all(0)[0].name
    if found.name("sep") == "and" and lead != "between":
        return None
    pairs = []
    for end in day.options:
        start = (end if end.day > number else months_on(end.replace(day=1), -1)).replace(day=number)
        pairs.append((start, end))
    timex = f"({_number_timex(day, number)},{day.timex},P{(pairs[-1][1] - pairs[-1][0]).days}D)"
    return "span", Span(
        timex=timex,
        options=tuple(pairs),
        tails=tuple(end + DAY for _, end in pairs),
        precision=Precision.DAY,
        yearless=day.yearless,
        month=day.month,
    )


def _number_timex(day: Day, number: int) -> str:
    return f"{day.timex[:-2]}{number:02d}"
