"""Days with times of day, ranges between two times, and what lies before or after one.

Rule of this file: a range takes what its ends leave open (month, year, am or pm) from one another; `and` joins only after "between".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import product

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.lexicon import PARTS, RRULE_DAYS
from muniment.text.times.readings import Clock, ClockSpan, Day, Length, Moment, MomentSpan, Open, Part, Repeat, Span, Token
from muniment.text.times.reckoning import DAY, monday, months_on, shifted
from muniment.text.times.rules_away import is_clocked
from muniment.text.times.rules_clock import bare, in_part
from muniment.text.times.rules_days import YEAR, months_of, numbered_day, which_week, year_of
from muniment.text.times.rules_numbers import length_timex, plain, value_of
from muniment.types import Precision

DAY_RANGES = Cascade()
JOINED = Cascade()
OPENED = Cascade()
_SEP = "(?P<sep>{to|till|dash|and})"
_LEAD = "(?P<lead>{from|between})?"
_NUM = "{ord|second|n2|w2}"
_HALF_DAY = timedelta(hours=12)
_DAY = timedelta(days=1)


def _joins(found: Found) -> bool:
    """Whether the separator fits the lead: `and` after "between" only."""
    return found.name("sep") != "and" or found.name("lead") == "between"


# ── ranges of day numbers, before dates are read ──


@DAY_RANGES.rule(
    _LEAD + "{article}?(?P<a>" + _NUM + ")" + _SEP + "{article}?(?P<b>" + _NUM + "){of|comma|in}?{article}?(?:(?P<m>{month}){comma}?" + YEAR + "?|(?P<r>{last|this|next|coming})(?P<u>{unit}))",
    _LEAD + "(?P<m>{month}){dot|from|between}?{article}?(?P<a>" + _NUM + ")" + _SEP + "{article}?(?P<b>" + _NUM + ")" + "(?!{month|colon|am|pm|slash|dash})" + YEAR + "?",
)
def _numbers_of_month(found: Found) -> tuple[str, object] | None:
    groups, today = found.match.groupdict(), found.now.date()
    a, b = (int(value_of(found.token(one))) for one in "ab")
    fits = _joins(found) or "between" in {token.name for token in found.all(0)}
    if not fits or not 1 <= a < b <= 31:  # noqa: PLR2004  days of a month
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


def _days(first: date, last: date) -> tuple[str, object]:
    timex = f"({first},{last},P{(last - first).days}D)"
    return "span", Span(timex=timex, options=((first, last),), tails=(last + DAY,), precision=Precision.DAY)


@DAY_RANGES.rule(
    "(?P<r>{last|this|next|coming})(?P<u>{unit})" + _LEAD + "(?P<a>{weekday|shortday})" + _SEP + "(?P<b>{weekday|shortday})",
    _LEAD + "(?P<a>{weekday|shortday})" + _SEP + "(?P<b>{weekday|shortday}){of}?(?P<r>{last|this|next|coming})(?P<u>{unit})",
)
def _weekdays_of_week(found: Found) -> tuple[str, object] | None:
    if found.all("u")[0].reading != "week" or not _joins(found):
        return None
    start = monday(found.now.date()) + timedelta(days=7 * which_week(found.name("r")))
    a, b = (start + timedelta(days=int(value_of(found.token(one)))) for one in "ab")
    return _days(a, b) if a < b else None


@DAY_RANGES.rule("(?P<lead>{from|between})?(?P<a>{date})" + _SEP + "(?P<b>{date}){comma}(?P<y>{n4})")
def _dates_of_year(found: Found) -> tuple[str, object] | None:
    a, b, year = found.all("a")[0].reading, found.all("b")[0].reading, year_of(found)
    if not isinstance(a, Day) or not isinstance(b, Day) or not a.yearless or not b.yearless or not year or not _joins(found):
        return None
    return _days(date(year, a.month, a.day), date(year, b.month, b.day))


@DAY_RANGES.rule("{from|between}(?P<a>{weekno|unit}(?:{n2})?)(?P<sep>{to|till|and|dash})(?P<b>{weekno|unit}(?:{n2})?)")
def _weeks(found: Found) -> tuple[str, object] | None:
    numbers = []
    for group in "ab":
        tokens = found.all(group)
        if tokens[0].name == "unit" and (tokens[0].reading != "week" or len(tokens) == 1):
            return None
        numbers.append(int(value_of(tokens[-1])))
    a, b = (date.fromisocalendar(found.now.year, one, 1) for one in numbers)
    return "span", Span(timex=f"({a},{b},P{(b - a).days // 7}W)", options=((a, b),), tails=(b + 7 * DAY,), precision=Precision.WEEK)


# ── days with times ──


def _precise(clock: Clock) -> Precision:
    return Precision.SECOND if clock.second is not None else Precision.MINUTE if clock.minute is not None else Precision.HOUR


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time())


def at_time(day: Day, clock: Clock) -> Moment:
    """A day and a time of day, in every reading of both."""
    hours = readings(clock)
    options = tuple(_midnight(one) + hour.offset for hour in hours for one in day.options)
    return Moment(
        timex=f"{day.timex}T{clock.timex}",
        options=options,
        told=len(day.options),
        precision=_precise(clock),
        yearless=day.yearless,
        mod=clock.mod,
    )


def readings(clock: Clock) -> tuple[Clock, ...]:
    """A time of day as told and, when it is not sure, half a day on."""
    if clock.sure:
        return (clock,)
    return clock, replace(clock, hour=(clock.hour + 12) % 24)


def _day_and_part(day: Day, part: Part) -> tuple[str, object]:
    options = tuple((_midnight(one) + timedelta(hours=part.start), _end(one, part.end)) for one in day.options)
    return "momentspan", MomentSpan(timex=f"{day.timex}T{part.code}", options=options, precision=Precision.DAYPART, mod=part.mod)


def _end(day: date, hours: float) -> datetime:
    return _midnight(day) + timedelta(hours=hours)


@JOINED.rule(
    "(?P<w>{tonight})",
    "(?P<mod>{early|late|later|earlier})(?P<r>{this|last|next})(?P<p>{part|daypart})",
    "(?P<r>{this|last|next}){dash}?(?P<p>{daypart|unit})",
)
def _this_part(found: Found) -> tuple[str, object] | None:
    groups, today = found.match.groupdict(), found.now.date()
    day = Day(timex=today.isoformat(), options=(today,))
    if groups.get("w"):
        return _day_and_part(day, Part(code="NI", start=20, end=24))
    token = found.all("p")[0]
    if token.name == "unit":
        if token.reading != "night":
            return None
        part = Part(code="NI", start=20, end=24)
    elif isinstance(token.reading, Part):
        part = token.reading
    else:
        return None
    if token.text.lower().startswith(("in", "at")):
        return None
    away = today + timedelta(days={"this": 0, "last": -1, "next": 1}[found.name("r")])
    if groups.get("mod"):
        middle = (part.start + part.end) / 2
        start = found.name("mod") in ("early", "earlier")
        part = replace(part, start=part.start if start else middle, end=middle if start else part.end, mod="start" if start else "end")
    return _day_and_part(Day(timex=away.isoformat(), options=(away,)), part)


@JOINED.rule("(?P<mod>{early|late}){on}?(?P<d>{date}){in|article}{0,2}(?P<p>{daypart})")
def _early_on_a_day(found: Found) -> tuple[str, object] | None:
    day, part = found.all("d")[0].reading, found.all("p")[0].reading
    if not isinstance(day, Day) or not isinstance(part, Part):
        return None
    early, middle = found.name("mod") == "early", (part.start + part.end) / 2
    half = replace(part, start=part.start if early else middle, end=middle if early else part.end, mod="start" if early else "end")
    return _day_and_part(day, half)


@JOINED.rule("(?P<mod>{early|late|later|earlier}){in}?(?:(?P<u>{date})(?={date})|{article})?(?P<d>{date})")
def _part_of_day(found: Found) -> tuple[str, object] | None:
    day = found.all("d")[0].reading
    names = [token.name for token in found.all(0)]
    if not isinstance(day, Day) or (found.has("u") and found.all("u")[0].text.lower() != "the day"):
        return None
    if len(names) == 2 and found.name("mod") == "earlier":  # noqa: PLR2004  the word and the day
        return None
    start = found.name("mod") in ("early", "earlier")
    part = Part(code="", start=0 if start else 12, end=12 if start else 24, mod="start" if start else "end")
    made = _day_and_part(day, part)[1]
    return ("momentspan", replace(made, timex=day.timex)) if isinstance(made, MomentSpan) else None


@JOINED.rule(
    "(?P<a>{date}){comma|on|in|of|article|dash}{0,2}(?P<b>{daypart|unit|am|pm})",
    "(?P<a>{daypart}){comma|on|of|article}{0,2}(?P<b>{date})",
    "(?P<a>{date})(?P<b>{part})",
)
def _date_and_part(found: Found) -> tuple[str, object] | None:
    tokens = {"date": None, "part": None}
    part: Part | None = None
    day: Day | None = None
    for token in (found.all("a")[0], found.all("b")[0]):
        if isinstance(token.reading, Day):
            day = token.reading
        elif isinstance(token.reading, Part):
            part = token.reading
        elif token.name in ("am", "pm"):
            part = Part(code="MO" if token.name == "am" else "AF", start=8 if token.name == "am" else 12, end=12 if token.name == "am" else 16)
        elif token.name == "unit" and token.reading == "night" and not token.text.lower().endswith("s"):
            part = Part(code="NI", start=20, end=24)
    del tokens
    return _day_and_part(day, part) if day and part else None


@JOINED.rule("(?P<d>{date}){of|in}(?P<s>{set})")
def _day_of_each(found: Found) -> tuple[str, object] | None:
    """The fifth, or the first Monday, of every month."""
    day, repeat = found.all("d")[0].reading, found.all("s")[0].reading
    if not isinstance(day, Day) or not isinstance(repeat, Repeat) or repeat.rule != "FREQ=MONTHLY":
        return None
    if day.timex.startswith("XXXX-XX-"):
        return "set", Repeat(timex=day.timex, rule=f"FREQ=MONTHLY;BYMONTHDAY={int(day.timex[-2:])}")
    weekday, _, nth = day.timex.partition("-WXX-")[2].partition("-#")
    if not nth:
        return None
    return "set", Repeat(timex=f"XXXX-XX-WXX-{weekday}-#{nth}", rule=f"FREQ=MONTHLY;BYDAY={int(nth)}{RRULE_DAYS[int(weekday) - 1]}")


@JOINED.rule("{every}(?P<d>{date})")
def _every_date(found: Found) -> tuple[str, object] | None:
    day = found.all("d")[0].reading
    if not isinstance(day, Day) or not day.month:
        return None
    return "set", Repeat(timex=day.timex, rule=f"FREQ=YEARLY;BYMONTH={day.month};BYMONTHDAY={day.day}")


@JOINED.rule("(?P<d>{date})(?P<t>{w2|n2})(?={mark|dot|comma}|$)")
def _tomorrow_three(found: Found) -> tuple[str, object] | None:
    day, told = found.all("d")[0].reading, bare(found.all("t")[0])
    if not isinstance(day, Day) or told is None or not 1 <= told.hour <= 12 or found.all("d")[0].text.lower() not in ("tomorrow", "today"):  # noqa: PLR2004
        return None
    return "moment", at_time(day, told)


@JOINED.rule("(?P<s>{momentspan})(?P<u>{span})")
def _part_next_week(found: Found) -> tuple[str, object] | None:
    span = found.all("s")[0].reading
    week = found.all("u")[0].reading
    if not isinstance(span, MomentSpan) or not isinstance(week, Span) or not span.timex.startswith("XXXX-WXX-"):
        return None
    if week.precision is not Precision.WEEK or len(week.options) > 1 or week.mod:
        return None
    day = week.options[0][0] + timedelta(days=int(span.timex[9]) - 1)
    code = span.timex.partition("T")[2]
    start, end = span.options[0]
    base = _midnight(start.date())
    options = ((_midnight(day) + (start - base), _midnight(day) + (end - base)),)
    return "momentspan", replace(span, timex=f"{day}T{code}", options=options)


_TIME = "{time|n2|w2|n4|n|noon}"


def clock_pairs(a: Token, b: Token) -> tuple[tuple[Clock, Clock], ...]:
    """The readings of a range of times of day: the shortest ones."""
    first, last = bare(a), bare(b)
    if first is None or last is None:
        return ()
    pairs = [(x, y, (y.offset - x.offset) % _DAY) for x, y in product(readings(first), readings(last))]
    pairs = [one for one in pairs if one[2]]
    if not pairs:
        return ()
    least = min(length for _, _, length in pairs)
    best = [(x, y) for x, y, length in pairs if length == least]
    return tuple(sorted(best, key=lambda one: (one[1].offset <= one[0].offset, one[0].offset)))


@JOINED.rule(
    _LEAD + "(?P<a>{time})" + _SEP + "(?P<b>{time})",
    _LEAD + "(?P<a>{time})" + _SEP + "(?P<b>{time|n2|w2})(?P<m>{w2})?(?!{unit|month|other|slash|colon})",
    _LEAD + "(?P<a>{n2|w2|n4|n|decimal})(?P<am>{w2})?" + _SEP + "(?P<b>{time})",
    "(?P<lead>{from|between})(?P<a>{n2|w2|n4|n})(?P<am>{w2})?" + _SEP + "(?P<b>{n2|w2|n4|n})(?P<m>{w2})?(?!{unit|month|other|length|slash|ord|date|percent}(?<!{date}))",
    "(?<={date|momentspan})(?P<lead>{dummy})?(?P<a>{n2|w2})" + _SEP + "(?P<b>{n2|w2})(?!{unit|month|other|length|slash})",
    "(?P<lead>{dummy})?(?P<a>{n2|w2})" + _SEP + "(?P<b>{n2|w2})(?={comma|on}?{date|daypart})",
)
def _clock_range(found: Found) -> tuple[str, object] | None:
    groups = found.match.groupdict()
    if not (_joins(found) or found.name("sep") == "and" and found.name("lead") == "between"):
        return None
    a, b = found.all("a")[0], found.all("b")[0]
    if {a.name, b.name} & {"n4", "n"} and not (len(a.text) == len(b.text) == 4 and a.text[0] in "012" and int(a.text) < 2400 and (a.text[0] == "0" or b.text[0] == "0")):  # noqa: PLR2004
        if "time" not in (a.name, b.name):
            return None
    if groups.get("am"):
        a = _with_minute(a, found.token("am"))
    if groups.get("m"):
        b = _with_minute(b, found.token("m"))
    pairs = clock_pairs(a, b)
    return ("clockspan", ClockSpan(options=pairs)) if pairs else None


def _with_minute(hour: Token, minute: Token | None) -> Token:
    told = bare(hour)
    if told is None or minute is None:
        return hour
    return replace(hour, name="time", reading=replace(told, minute=int(value_of(minute))))


@JOINED.rule(
    "(?P<f>{from|starting|begin}{at}?)?(?P<t>{time}){for}(?P<l>{length})",
    "{for}(?P<l>{length})(?P<f>{from|starting|begin}{at}?)(?P<t>{time|n2|w2})",
    "(?P<f>{from})(?P<t>{n2|w2}){for}(?P<l>{length})",
)
def _clock_and_length(found: Found) -> tuple[str, object] | None:
    length, told = found.all("l")[0].reading, bare(found.all("t")[0])
    if not isinstance(length, Length) or told is None or not is_clocked(length) or not found.has("f"):
        return None
    start = datetime(2000, 1, 3) + told.offset  # noqa: DTZ001  any day: only its hours count
    end = shifted(start, length.units, 1)
    if end - start >= _DAY:
        return None
    stop = Clock(hour=end.hour, minute=end.minute, second=end.second, sure=True)
    return "clockspan", ClockSpan(options=((told, stop),))


@JOINED.rule(
    "(?P<s>{clockspan}){in|article}{0,2}(?P<p>{daypart})",
    "(?P<p>{daypart}){comma|dash}?(?P<s>{clockspan})",
)
def _range_in_part(found: Found) -> tuple[str, object] | None:
    span, part = found.all("s")[0].reading, found.all("p")[0].reading
    if not isinstance(span, ClockSpan) or not isinstance(part, Part):
        return None
    first, last = span.options[0]
    end = in_part(last, part.code)
    if end is None:
        return None
    starts = readings(first)
    best = min(starts, key=lambda one: (end.offset - one.offset) % _DAY)
    return "clockspan", ClockSpan(options=((best, end),))


def pair_timex(a: str, b: str, length: timedelta) -> str:
    """A range as (start,end,length)."""
    minutes, seconds = divmod(int(length.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    told = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M"), (seconds, "S")) if n)
    return f"({a},{b},PT{told})"


@JOINED.rule(
    "(?P<d>{date}|{momentspan}){comma|on|in|at|dash}{0,2}(?P<s>{clockspan})",
    "(?P<s>{clockspan}){comma|on|of|in|for}{0,2}(?P<d>{date}|{momentspan})",
)
def _date_and_range(found: Found) -> tuple[str, object] | None:
    span, token = found.all("s")[0].reading, found.all("d")[0]
    if not isinstance(span, ClockSpan):
        return None
    pairs, day = span.options, token.reading
    if isinstance(day, MomentSpan):
        code = day.timex.rpartition("T")[2]
        base = day.timex.rpartition("T")[0]
        last = in_part(pairs[0][1], code)
        if last is None:
            return None
        best = min(readings(pairs[0][0]), key=lambda one: (last.offset - one.offset) % _DAY)
        pairs = ((best, last),)
        day = Day(timex=base, options=tuple(dict.fromkeys(start.date() for start, _ in day.options)))
    if not isinstance(day, Day):
        return None
    options = tuple(_spanned(one, pair) for pair in pairs for one in day.options)
    first, last = pairs[0]
    timex = pair_timex(f"{day.timex}T{first.timex}", f"{day.timex}T{last.timex}", options[0][1] - options[0][0])
    return "momentspan", MomentSpan(timex=timex, options=options, told=len(day.options))


def _spanned(day: date, pair: tuple[Clock, Clock]) -> tuple[datetime, datetime]:
    start, end = _midnight(day) + pair[0].offset, _midnight(day) + pair[1].offset
    return start, end if end > start else end + _DAY


@JOINED.rule(
    "(?P<p>{momentspan})(?:{comma|at|around|for|by}{0,2}|{open})(?P<t>{time})",
    "(?P<p>{momentspan})(?P<c>{at|around}{1,2})(?P<t>{n2|w2})(?!{unit|other|month})",
    "(?P<t>{time}){comma|on|in}{0,2}(?P<p>{momentspan})",
    "(?P<t>{n2|w2})(?P<c>{comma})?(?P<p>{momentspan})",
)
def _part_and_clock(found: Found) -> tuple[str, object] | None:
    span, told, groups = found.all("p")[0].reading, bare(found.all("t")[0]), found.match.groupdict()
    if not isinstance(span, MomentSpan) or told is None or "c" in groups and not groups["c"]:
        return None
    base, _, code = span.timex.rpartition("T")
    if not base or span.timex.startswith("("):
        return None
    made = in_part(told, code)
    if made is None:
        return None
    days = tuple(dict.fromkeys(start.date() for start, _ in span.options))
    return "moment", at_time(Day(timex=base, options=days), made)


@JOINED.rule(
    "(?P<a>{around})?(?P<t>{time})(?:{or}{later})?(?P<c>{comma|on|of|in|article}{0,2})(?P<d>{date})",
    "(?P<d>{date})(?P<c>{comma|at|dash|for|open|around|slash}{0,2})(?P<t>{time})",
    "(?P<d>{date}){comma}?(?P<c>{at|around}{1,2})(?P<t>{n2|w2})(?!{unit|other|month|dash|to})",
    "(?P<a>{dummy})?(?P<t>{n2|w2})(?P<c>{at_dummy})(?P<d>{date})",
)
def _date_and_clock(found: Found) -> tuple[str, object] | None:
    day, told, groups = found.all("d")[0].reading, bare(found.all("t")[0]), found.match.groupdict()
    if not isinstance(day, Day) or told is None:
        return None
    if any(one.name == "dash" for one in found.all(0)) and not found.glued():
        return None
    if "or" in {token.name for token in found.all(0)}:
        return "opened", Open(side="since", edge=at_time(day, told))
    mods = {token.name for token in found.all(0)}
    moment = at_time(day, told)
    if day.weekday is not None and len(day.options) == 2 and moment.options:  # noqa: PLR2004  both readings of a weekday
        moment = replace(moment, yearless=False)
    return "moment", replace(moment, mod="approx") if "around" in mods else moment


@JOINED.rule(
    "(?P<t>{time}){comma|on|at}?(?P<s>{set})",
    "(?P<s>{set}){comma|on|at|around}{0,2}(?P<t>{time})",
    "(?P<s>{set}){comma|on|at|around}{0,2}(?P<t>{n2|w2})(?!{unit|other|month})",
    "(?P<s>{set})(?P<t>{clockspan|daypart})",
    "(?P<s>{set})(?P<t>{part|unit})",
)
def _set_at(found: Found) -> tuple[str, object] | None:
    repeat, token = found.all("s")[0].reading, found.all("t")[0]
    if not isinstance(repeat, Repeat):
        return None
    if token.name in ("part", "unit"):
        code = "NI" if token.reading == "night" else str(token.reading)
        return ("set", replace(repeat, timex=f"{repeat.timex}T{code}", precision=Precision.DAYPART)) if code in PARTS else None
    if isinstance(token.reading, Part):
        return "set", replace(repeat, timex=f"{repeat.timex}T{token.reading.code}" if repeat.timex.startswith("X") else f"T{token.reading.code}", precision=Precision.DAYPART)
    if token.name in ("n2", "w2") and not {"at", "around"} & {one.name for one in found.all(0)}:
        return None
    if isinstance(token.reading, ClockSpan):
        return None
    told = bare(token)
    if told is None:
        return None
    base, _, code = repeat.timex.rpartition("T")
    if code in PARTS:
        told = in_part(told, code) or told
    else:
        base = repeat.timex if repeat.timex.startswith("X") else ""
    rule = f"{repeat.rule};BYHOUR={told.hour % 24};BYMINUTE={told.minute or 0}"
    return "set", Repeat(timex=f"{base}T{told.timex}", rule=rule, precision=_precise(told))


@JOINED.rule("(?P<k>{rest}){of}?{this|article|my}?(?P<u>{unit|date})")
def _rest_of_day(found: Found) -> tuple[str, object] | None:
    token, now = found.all("u")[0], found.now
    today = token.reading.options == (now.date(),) if isinstance(token.reading, Day) else token.reading == "day"
    if not today:
        return None
    end = datetime.combine(now.date(), datetime.min.time()) + _DAY - timedelta(seconds=1)
    timex = f"({now.isoformat(timespec='seconds')},{end.isoformat(timespec='seconds')},PT{int((end - now).total_seconds())}S)"
    return "momentspan", MomentSpan(timex=timex, options=((now, end),), precision=Precision.MINUTE)


# ── now ──


@JOINED.rule(
    "{right}?(?P<n>{now})",
    "{at|as}(?:{of})?(?:{article|this})?(?P<n>{present|moment|timew})",
)
def _now(found: Found) -> tuple[str, object] | None:
    names = [token.name for token in found.all(0)]
    if "timew" in names and "this" not in names:
        return None
    if "moment" in names and found.all("n")[0].text.lower() != "moment":
        return None
    return "moment", Moment(timex="PRESENT_REF", options=(found.now,), precision=Precision.SECOND, now=True)


@JOINED.rule("(?<={to|till|dash}){article}?{present}(?!{other})")
def _present(found: Found) -> tuple[str, object] | None:
    return "moment", Moment(timex="PRESENT_REF", options=(found.now,), precision=Precision.SECOND, now=True)


@JOINED.rule("(?P<w>{recently|soon})", "{as}(?P<s>{soon}){as}{possible}")
def _near_now(found: Found) -> tuple[str, object] | None:
    soon = found.match.groupdict().get("s") or (found.match.groupdict().get("w") and found.name("w") == "soon")
    if soon and not found.match.groupdict().get("s") and found.all("w")[0].text.lower() != "asap":
        return None
    return "moment", Moment(timex="FUTURE_REF" if soon else "PAST_REF", options=(found.now,), precision=Precision.DAY, now=True)


# ── ranges ──


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
        if first and start > anchor:
            start = date(year - 1, reading.month, 1)
        if not first and start < anchor:
            start = date(year + 1, reading.month, 1)
        return _fixed(token, (start, months_on(start, 1)))
    options = [one for one in _ends(token) if (one[0] < anchor) == first]
    return _fixed(token, options[-1 if first else 0]) if options else token


def _fixed(token: Token, pair: tuple[date, date]) -> Token:
    reading = token.reading
    if isinstance(reading, Day):
        return replace(token, reading=Day(timex=pair[0].isoformat(), options=(pair[0],)))
    if isinstance(reading, Span):
        return replace(token, reading=replace(reading, options=(pair,), yearless=False))
    return token


def _edge(token: Token, pair: tuple[date, date]) -> date:
    reading = token.reading
    if isinstance(reading, Span) and reading.pointed and reading.mod == "mid":
        return pair[0] + (pair[1] - pair[0]) // 2 + DAY
    return pair[1] if isinstance(reading, Span) and reading.pointed and reading.mod == "end" else pair[0]


@JOINED.rule("(?P<lead>{from|between|in})?{article}?(?P<a>{span|date|moment}){comma}?" + _SEP + "{article}?(?P<b>{date|span|moment})")
def _range(found: Found) -> tuple[str, object] | None:
    a, b = found.all("a")[0], found.all("b")[0]
    if not _joins(found) or (found.name("lead") == "in" and found.name("sep") == "dash"):
        return None
    if isinstance(a.reading, Moment) and isinstance(b.reading, Moment):
        return _moments(a.reading, b.reading)
    if any(isinstance(one.reading, Moment) and not one.reading.now for one in (a, b)):
        return None
    if found.name("lead") == "" and found.name("sep") == "to" and isinstance(a.reading, Day) and isinstance(b.reading, Day):
        before = found.before()
        if before is not None and before.name == "other" and not found.glued() and False:
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
        if isinstance(b.reading, Day) and b.reading.yearless and b.reading.month and one[0].year != other[0].year and isinstance(a.reading, Day):
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
    precision = Precision.DAY if isinstance(b.reading, Day) else b.reading.precision if isinstance(b.reading, Span) else Precision.DAY
    return "span", Span(timex=timex, options=tuple(pairs), tails=tuple(tails), precision=precision, yearless=len(pairs) > 1 or _any_year(a, b), month=_month_told(a))


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


@JOINED.rule(
    "(?P<lead>{from|between})?(?P<a>{moment})" + _SEP + "(?P<b>{time|n2|w2|noon})(?!{unit|other|month|slash})",
    "(?P<lead>{from|between})?(?P<a>{time|n2|w2})" + _SEP + "(?P<b>{moment})",
    "(?P<lead>{from|between})?(?P<a>{momentspan})" + _SEP + "(?P<b>{moment})",
)
def _moment_and_clock(found: Found) -> tuple[str, object] | None:
    a, b = found.all("a")[0], found.all("b")[0]
    if not _joins(found) or (not found.has("lead") and {a.name, b.name} & {"n2", "w2"}):
        return None
    if isinstance(a.reading, Moment):
        told = bare(b)
        if told is None:
            return None
        ends = tuple(_midnight(one.date()) + hour.offset for one in a.reading.options for hour in readings(told))
        pairs = sorted({(x, y) for x in a.reading.options for y in ends if x < y and y - x < _DAY}, key=lambda p: (p[1] - p[0], p[0]))
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
            {(_midnight(day) + hour.offset, y) for y in known.options for hour in readings(told) for day in (found.now.date() if ahead else y.date(),) if _midnight(day) + hour.offset < y},
            key=lambda p: (p[1] - p[0], p[0]),
        )
        timexes = f"{known.timex.partition('T')[0]}T{told.timex}", known.timex
    if not pairs:
        return None
    least = pairs[0][1] - pairs[0][0]
    options = tuple(one for one in pairs if one[1] - one[0] == least)
    return "momentspan", MomentSpan(timex=pair_timex(*timexes, least), options=options)


@JOINED.rule("{from|between}{article}?(?P<a>{ord|n2|w2})(?P<sep>{to|till|dash|and}){article}?(?P<b>{date})")
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
    return "span", Span(timex=timex, options=tuple(pairs), tails=tuple(end + DAY for _, end in pairs), precision=Precision.DAY, yearless=day.yearless, month=day.month)


def _number_timex(day: Day, number: int) -> str:
    return f"{day.timex[:-2]}{number:02d}"


# ── open on one side ──

_EDGE = "(?P<e>{date|span|time|moment|daypart|clockspan}|{n2|w2}(?!{unit|other|month|ord|dash|slash|colon|of|n2|w2|dot|half|length|times|percent|second|quarter}))"
_AFTERWARD = (
    ("(?P<k>{before}{or|and}{in|on|at}|{on|at|in}{or}{before|prior|earlier}{to|than}?|{le}|{before|earlier|less}{than}?{or}{equal}{to}|{no}{later}{than}|{as}{late}{as}|{earlier}{than}{or}{at|in|on|equal}{to}?)", "until"),
    ("(?P<k>{after}{or|and}{in|on|at}|{on|at|in}{or}{after|later}{than}?|{ge}|{after|later|more}{than}?{or}{equal}{to}|{no}{earlier}{than}|{as}{early}{as}|{later}{than}{or}{at|in|on|equal}{to}?)", "since"),
    ("(?P<k>{before}|{prior}{to}|{earlier}{than}|{lt}|{less}{than})", "before"),
    ("(?P<k>{after}|{later}{than}|{gt}|{more}{than})", "after"),
    ("(?P<k>{since}|{starting}{from|on|in}?|{begin}{from|on})", "since"),
    ("(?P<k>{till})", "till"),
    ("(?P<k>{by})", "by"),
)


def opened(found: Found, side: str) -> tuple[str, object] | None:
    """What lies on one side of a time."""
    token, first = found.all("e")[0], found.all("k")[0] if "k" in found.match.groupdict() and found.has("k") else None
    edge = token.reading
    if token.name in ("n2", "w2"):
        if side not in ("before", "after", "until", "till", "since") or first is None or first.name in ("lt", "gt", "more", "less", "ge", "le", "since", "starting", "begin", "on"):
            return None
        edge = bare(token)
        if edge is None or not 1 <= edge.hour <= 24:  # noqa: PLR2004  hours
            return None
    if first is not None and first.name == "till" and first.text.lower() in ("through", "thru"):
        return None
    if isinstance(edge, ClockSpan):
        return None
    mod = "approx" if any(one.name == "around" for one in found.all(0)) else ""
    day = found.all("d")[0].reading if "d" in found.match.groupdict() and found.has("d") else None
    if day is not None:
        if not isinstance(day, Day) or not isinstance(edge, Clock):
            return None
        edge = at_time(day, edge)
    if first is not None and any(one.text.lower() == "start" for one in found.all("k")):
        return None
    if isinstance(edge, Moment) and edge.now and side in ("by", "since", "after", "before"):
        return None
    if not isinstance(edge, (Day, Span, Clock, Moment, Part)):
        return None
    return "opened", Open(side={"till": "till", "by": "by"}.get(side, side), edge=edge, mod=mod)


for _pattern, _side in _AFTERWARD:

    @OPENED.rule("(?:(?P<d>{date}){comma}?)?" + _pattern + "{article}?{around}?" + _EDGE)
    def _open(found: Found, side: str = _side) -> tuple[str, object] | None:
        return opened(found, side)


@OPENED.rule(
    "(?P<e>{date|span|time|moment}){comma}?{and|or}(?P<s>{later|after|more|earlier|before|onward|less})(?P<o>{on}{dummy})?(?!{other|my|date|time|article|it|span})",
    "{from}(?P<e>{date|span|time|moment})(?P<s>{onward|on})(?!{date|span|time|article|other})",
    "(?P<e>{date|span|time|moment})(?P<s>{onward})",
)
def _or_later(found: Found) -> tuple[str, object] | None:
    edge = found.all("e")[0].reading
    if not isinstance(edge, (Day, Span, Clock, Moment)):
        return None
    side = "until" if found.name("s") in ("earlier", "before", "less") else "since"
    return "opened", Open(side=side, edge=edge)


@OPENED.rule("(?P<e>{opened}){comma|on|in}{0,2}(?P<d>{date})")
def _open_on_day(found: Found) -> tuple[str, object] | None:
    reading, day = found.all("e")[0].reading, found.all("d")[0].reading
    if not isinstance(reading, Open) or not isinstance(reading.edge, Clock) or not isinstance(day, Day):
        return None
    return "opened", replace(reading, edge=at_time(day, reading.edge))


@OPENED.rule("{to}(?P<k>{datew})")
def _to_date(found: Found) -> tuple[str, object] | None:
    before, after = found.before(), found.after()
    if before is not None and before.text.lower() in ("up", "equal", "equals", "out"):
        return None
    if after is not None and after.name == "other":
        return None
    today = found.now.date()
    return "opened", Open(side="before", edge=Day(timex="PRESENT_REF", options=(today,)))


@OPENED.rule("{around}{article}?(?P<e>{date|time|moment|span})")
def _around(found: Found) -> tuple[str, object] | None:
    token = found.all("e")[0]
    reading = token.reading
    lead = found.before()
    if lead is not None and lead.text.lower() in ("how", "what"):
        return None
    if found.all(0)[0].text.lower() == "about" and not isinstance(reading, (Clock, Moment)):
        return None  # "how about Monday", "talking about May 3"
    if isinstance(reading, (Day, Clock, Moment)):
        return token.name, replace(reading, mod="approx")
    if isinstance(reading, Span) and not reading.mod:
        return "span", replace(reading, mod="approx")
    return None


_ = (Sequence, length_timex, plain, numbered_day, _HALF_DAY)
