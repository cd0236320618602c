"""Days with times of day, and ranges of times: "tomorrow at 5", "Friday afternoon between 1 and 4", "every Tuesday at noon".

Rule of this file: every reading of the day goes with every reading of the time; a range takes am or pm from its other end.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import product

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.lexicon import PARTS, RRULE_DAYS
from muniment.text.times.readings import Clock, ClockSpan, Day, Length, Moment, MomentSpan, Open, Part, Repeat, Span, Token
from muniment.text.times.reckoning import shifted
from muniment.text.times.rules_away import is_clocked
from muniment.text.times.rules_clock import bare, in_part
from muniment.text.times.rules_day_ranges import LEAD, SEPARATOR, joins
from muniment.text.times.rules_numbers import value_of
from muniment.text.times.zones import zone_told
from muniment.types import Precision

MOMENTS = Cascade()
_DAY = timedelta(days=1)


def precise(clock: Clock) -> Precision:
    return Precision.SECOND if clock.second is not None else Precision.MINUTE if clock.minute is not None else Precision.HOUR


def midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time())


def at_time(day: Day, clock: Clock) -> Moment:
    """A day and a time of day, in every reading of both."""
    hours = readings(clock)
    options = tuple(midnight(one) + hour.offset for hour in hours for one in day.options)
    return Moment(
        timex=f"{day.timex}T{clock.timex}",
        options=options,
        told=len(day.options),
        precision=precise(clock),
        yearless=day.yearless,
        mod=clock.mod,
    )


def readings(clock: Clock) -> tuple[Clock, ...]:
    """A time of day as told and, when it is not sure, half a day on."""
    if clock.sure:
        return (clock,)
    return clock, replace(clock, hour=(clock.hour + 12) % 24)


def _day_and_part(day: Day, part: Part) -> tuple[str, object]:
    options = tuple((midnight(one) + timedelta(hours=part.start), _end(one, part.end)) for one in day.options)
    return "momentspan", MomentSpan(timex=f"{day.timex}T{part.code}", options=options, precision=Precision.DAYPART, mod=part.mod)


def _end(day: date, hours: float) -> datetime:
    return midnight(day) + timedelta(hours=hours)


@MOMENTS.rule(
    "(?P<mod>{early|late|later|earlier})?(?P<w>{tonight})",
    "(?P<mod>{early|late|later|earlier})(?P<r>{this|last|next|coming})(?P<p>{part|daypart|unit})",
    "(?P<r>{this|last|next|coming}){dash}?(?P<p>{daypart|unit})",
)
def _this_part(found: Found) -> tuple[str, object] | None:
    groups, today = found.match.groupdict(), found.now.date()
    day = Day(timex=today.isoformat(), options=(today,))
    if groups.get("w"):
        return _day_and_part(day, _half_of(_NIGHT, found.name("mod")))
    token = found.all("p")[0]
    if token.name == "unit":
        if token.reading != "night":
            return None
        part = _NIGHT
    elif isinstance(token.reading, Part):
        part = token.reading
    else:
        return None
    if token.text.lower().startswith(("in", "at")):
        return None
    away = today + timedelta(days={"this": 0, "last": -1}.get(found.name("r"), 1))
    part = _half_of(part, found.name("mod")) if groups.get("mod") else part
    return _day_and_part(Day(timex=away.isoformat(), options=(away,)), part)


_NIGHT = Part(code="NI", start=20, end=24)


def _half_of(part: Part, word: str) -> Part:
    """The early or the late half of a part of the day, or all of it when neither is told."""
    if not word:
        return part
    middle = (part.start + part.end) / 2
    return replace(part, end=middle, mod="start") if word in ("early", "earlier") else replace(part, start=middle, mod="end")


@MOMENTS.rule("(?P<mod>{early|late}){on}?(?P<d>{date}){in|article}{0,2}(?P<p>{daypart|unit})")
def _early_on_a_day(found: Found) -> tuple[str, object] | None:
    day, part = found.all("d")[0].reading, found.all("p")[0].reading
    part = _NIGHT if part == "night" and not found.all("p")[0].text.endswith("s") else part
    if not isinstance(day, Day) or not isinstance(part, Part):
        return None
    return _day_and_part(day, _half_of(part, found.name("mod")))


@MOMENTS.rule("(?P<mod>{early|late|later|earlier}){in}?(?:(?P<u>{date})(?={date})|{article})?(?P<d>{date})")
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


@MOMENTS.rule(
    "(?P<a>{date}){comma|on|in|of|article|dash|poss}{0,2}(?P<b>{daypart|unit|am|pm})",
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
            part = Part(
                code="MO" if token.name == "am" else "AF",
                start=8 if token.name == "am" else 12,
                end=12 if token.name == "am" else 16,
            )
        elif token.name == "unit" and token.reading == "night" and not token.text.lower().endswith("s"):
            part = Part(code="NI", start=20, end=24)
    del tokens
    return _day_and_part(day, part) if day and part else None


@MOMENTS.rule("{at}?{this|same}{timew}(?P<d>{date})")
def _same_time(found: Found) -> tuple[str, object] | None:
    """At this time tomorrow."""
    day, now = found.all("d")[0].reading, found.now
    if not isinstance(day, Day):
        return None
    return "moment", at_time(day, Clock(hour=now.hour, minute=now.minute, sure=True))


@MOMENTS.rule("(?P<m>{moment}){comma|on}?(?P<d>{date})")
def _end_of_that_day(found: Found) -> tuple[str, object] | None:
    """By the end of day Friday."""
    end, day = found.all("m")[0], found.all("d")[0].reading
    told = end.text.lower().endswith(("day", "eod"))
    if not isinstance(end.reading, Moment) or not isinstance(day, Day) or not told or not end.reading.timex.endswith("23:59:59"):
        return None
    return "moment", at_time(day, Clock(hour=23, minute=59, second=59, sure=True))


@MOMENTS.rule("(?P<u>{unit})(?:{of|on}{article}?|{comma})(?P<d>{date})")
def _night_of(found: Found) -> tuple[str, object] | None:
    day, unit = found.all("d")[0].reading, found.all("u")[0]
    if not isinstance(day, Day) or unit.text.lower() != "night":
        return None
    return _day_and_part(day, Part(code="NI", start=20, end=24))


@MOMENTS.rule("(?P<d>{date}){of|in}(?P<s>{set})")
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
    return "set", Repeat(
        timex=f"XXXX-XX-WXX-{weekday}-#{nth}", rule=f"FREQ=MONTHLY;BYDAY={int(nth)}{RRULE_DAYS[int(weekday) - 1]}"
    )


@MOMENTS.rule("{every}(?P<d>{date})")
def _every_date(found: Found) -> tuple[str, object] | None:
    day = found.all("d")[0].reading
    if not isinstance(day, Day) or not day.month:
        return None
    return "set", Repeat(timex=day.timex, rule=f"FREQ=YEARLY;BYMONTH={day.month};BYMONTHDAY={day.day}")


@MOMENTS.rule("(?P<d>{date})(?P<t>{w2|n2})(?={mark|dot|comma}|$)")
def _tomorrow_three(found: Found) -> tuple[str, object] | None:
    day, told = found.all("d")[0].reading, bare(found.all("t")[0])
    if (
        not isinstance(day, Day)
        or told is None
        or not 1 <= told.hour <= 12  # noqa: PLR2004  of a clock or a calendar
        or found.all("d")[0].text.lower() not in ("tomorrow", "today")
    ):
        return None
    return "moment", at_time(day, told)


@MOMENTS.rule("(?P<s>{momentspan})(?P<u>{span})")
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
    base = midnight(start.date())
    options = ((midnight(day) + (start - base), midnight(day) + (end - base)),)
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


@MOMENTS.rule(
    LEAD + "(?P<a>{time})" + SEPARATOR + "(?P<b>{time})",
    "(?P<lead>{from|between})(?P<a>{time})" + SEPARATOR + "(?P<b>{n4})",
    LEAD + "(?P<a>{time})" + SEPARATOR + "(?P<b>{time|n2|w2})(?P<m>{w2})?(?!{unit|month|other|slash|colon})",
    LEAD + "(?P<a>{n2|w2|n4|n|decimal})(?P<am>{w2})?" + SEPARATOR + "(?P<b>{time})",
    "(?P<lead>{from|between})(?P<a>{n2|w2|n4|n|decimal})(?P<am>{w2})?"
    + SEPARATOR
    + "(?P<b>{n2|w2|n4|n|decimal})(?P<m>{w2})?(?!{unit|month|other|length|slash|ord|date|percent}(?<!{date}))",
    "(?<={date|momentspan})(?P<lead>{from|between})(?P<a>{n2|w2})"
    + SEPARATOR
    + "(?P<b>{n2|w2})(?!{unit|month|length|slash|ord|percent})",
    "(?<={date|momentspan|set})(?P<a>{n2|w2})" + SEPARATOR + "(?P<b>{n2|w2})(?!{unit|month|other|length|slash})",
    "(?<={date|momentspan}{comma})(?P<a>{n2|w2})" + SEPARATOR + "(?P<b>{n2|w2})(?!{unit|month|other|length|slash})",
    "(?P<a>{n2|w2})" + SEPARATOR + "(?P<b>{n2|w2})(?={comma|on}?{date|daypart|momentspan})",
)
def _clock_range(found: Found) -> tuple[str, object] | None:
    groups = found.match.groupdict()
    if not (joins(found) or (found.name("sep") == "and" and found.name("lead") == "between")):
        return None
    a, b = found.all("a")[0], found.all("b")[0]
    if {a.name, b.name} & {"n4", "n"} and (b.name == "n4" or a.name != "time" != b.name) and not _four_figures(a.text, b.text):
        return None
    if groups.get("am"):
        a = _with_minute(a, found.token("am"))
    if groups.get("m"):
        b = _with_minute(b, found.token("m"))
    pairs = clock_pairs(a, b)
    return ("clockspan", ClockSpan(options=pairs)) if pairs else None


def _four_figures(a: str, b: str) -> bool:
    """Whether two numbers are times such as 0930, and not years."""
    return len(a) == len(b) == len("0930") and "0" in (a[0], b[0])


def _with_minute(hour: Token, minute: Token | None) -> Token:
    told = bare(hour)
    if told is None or minute is None:
        return hour
    return hour._replace(name="time", reading=replace(told, minute=int(value_of(minute))))


@MOMENTS.rule(
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


@MOMENTS.rule(
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


@MOMENTS.rule(
    "(?P<d>{date}|{momentspan}){comma|on|in|at|dash|for}{0,2}(?P<s>{clockspan})",
    "(?P<s>{clockspan}){comma|on|of|in|for|article}{0,2}(?P<d>{date}|{momentspan})",
)
def _date_and_range(found: Found) -> tuple[str, object] | None:
    span, token = found.all("s")[0].reading, found.all("d")[0]
    if not isinstance(span, ClockSpan) or _in_range_of_days(found):
        return None
    pairs, day = span.options, token.reading
    if isinstance(day, MomentSpan) and day.timex.startswith("("):
        return None
    if isinstance(day, MomentSpan):
        code = day.timex.rpartition("T")[2]
        base = day.timex.rpartition("T")[0]
        ending = in_part(pairs[0][1], code)
        if ending is None:
            return None
        until = ending.offset
        pairs = ((min(readings(pairs[0][0]), key=lambda one: (until - one.offset) % _DAY), ending),)
        day = Day(timex=base, options=tuple(dict.fromkeys(start.date() for start, _ in day.options)))
    if not isinstance(day, Day):
        return None
    options = tuple(_spanned(one, pair) for pair in pairs for one in day.options)
    first, last = pairs[0]
    timex = pair_timex(f"{day.timex}T{first.timex}", f"{day.timex}T{last.timex}", options[0][1] - options[0][0])
    return "momentspan", MomentSpan(timex=timex, options=options, told=len(day.options))


def _in_range_of_days(found: Found) -> bool:
    """Whether the day is one end of a range of days ("Monday to Friday, 9 to 5"), so that the hours belong to all of them."""
    tokens, first, last = found.tokens, found.match.start(), found.match.end()
    joined = ("to", "till", "dash")
    if tokens[first].name == "date":
        between = first >= 3 and tokens[first - 1].name == "and" and tokens[first - 3].name == "between"  # noqa: PLR2004  tokens back
        if between and tokens[first - 2].name == "date":
            return True
        return first >= 2 and tokens[first - 1].name in joined and tokens[first - 2].name == "date"  # noqa: PLR2004  two tokens back
    ranged = last + 1 < len(tokens) and tokens[last].name in joined and tokens[last + 1].name == "date"
    return ranged and tokens[last - 1].name == "date"


def _spanned(day: date, pair: tuple[Clock, Clock]) -> tuple[datetime, datetime]:
    start, end = midnight(day) + pair[0].offset, midnight(day) + pair[1].offset
    return start, end if end > start else end + _DAY


@MOMENTS.rule(
    "(?P<p>{momentspan})(?:{comma|at|around|for|by}{0,2}|{open})(?P<t>{time})",
    "(?P<p>{momentspan})(?P<c>{at|around}{1,2})(?P<t>{n2|w2})(?!{unit|other|month})",
    "(?P<t>{time}){comma|on|in}{0,2}(?P<p>{momentspan})",
    "(?P<p>{momentspan})(?P<c>)(?P<t>{n2|w2})(?={mark|dot|comma|line}|$)",
    "(?P<t>{n2|w2})(?P<c>{comma})(?P<p>{momentspan})",
    "(?:^|(?<={at|by|till|before|after|around|since|from}))(?P<t>{n2|w2})(?P<p>{momentspan})",
)
def _part_and_clock(found: Found) -> tuple[str, object] | None:
    span, told = found.all("p")[0].reading, bare(found.all("t")[0])
    if not isinstance(span, MomentSpan) or told is None:
        return None
    base, _, code = span.timex.rpartition("T")
    if not base or span.timex.startswith("("):
        return None
    made = in_part(told, code)
    if made is None:
        return None
    days = tuple(dict.fromkeys(start.date() for start, _ in span.options))
    if found.name("t") == "time" and told.sure and not told.hour and not told.minute and code == "NI":
        made = replace(made, hour=24)  # midnight tonight ends the day
    return "moment", at_time(Day(timex=base, options=days), made)


@MOMENTS.rule(
    "(?P<a>{around})?(?P<t>{time})(?:{or}{later})?(?P<c>{comma|on|of|in|article}{0,2})(?P<d>{date})",
    "(?P<t>{time})(?P<z>{word}(?:{plus|dash}{n2})?)(?P<c>{comma|on|of|in|article}{0,2})(?P<d>{date})",
    "(?P<d>{date}){open}{at}?(?P<t>{time}){close}",
    "(?P<d>{date})(?P<c>{comma|at|dash|for|around|slash|poss}{0,2})(?P<t>{time})",
    "(?P<d>{date}){comma}?(?P<c>{at|around}{1,2})(?P<t>{n2|w2})(?!{unit|other|month|dash|to})",
)
def _date_and_clock(found: Found) -> tuple[str, object] | None:
    day, told = found.all("d")[0].reading, bare(found.all("t")[0])
    if not isinstance(day, Day) or told is None:
        return None
    zone = found.all("z")
    if zone and not zone_told(found.text, zone[0].start, zone[-1].end, day.options[0]):
        return None
    if not zone and any(one.name == "dash" for one in found.all(0)) and not found.glued():
        return None
    if _of_other_day(found):
        return None
    if "or" in {token.name for token in found.all(0)}:
        return "opened", Open(side="since", edge=at_time(day, told))
    mods = {token.name for token in found.all(0)}
    moment = at_time(day, told)
    if day.weekday is not None and len(day.options) == 2 and moment.options:  # noqa: PLR2004  both readings of a weekday
        moment = replace(moment, yearless=False)
    return "moment", replace(moment, mod="approx") if "around" in mods else moment


_JOINTS = frozenset({"comma", "at", "around", "on", "for"})


def _of_other_day(found: Found) -> bool:
    """Whether a time before a day goes with the day told before, or the day with the time behind: Monday at 5, Friday at 6."""
    tokens, first, last = found.tokens, found.match.start(), found.match.end()
    if found.all(0)[0].name == "date":
        return _in_range_of_days(found)
    names = {token.name for token in found.all("c")}
    if "comma" not in names and names:
        return False
    left = first - 1
    while left > first - 4 and left >= 0 and tokens[left].name in _JOINTS:
        left -= 1
    right = last
    while right < last + 3 and right < len(tokens) and tokens[right].name in _JOINTS:
        right += 1
    joined = right < len(tokens) and tokens[right].name in _HOURS and (right > last or tokens[right].name == "time")
    return joined or (left >= 0 and tokens[left].name == "date")


_HOURS = frozenset({"time", "n2", "w2"})


@MOMENTS.rule(
    "(?P<s>{set})(?P<t>{part|unit|daypart})(?={at|around}?{time|n2|w2})",
    "(?P<t>{time}){comma|on|at}?(?P<s>{set})",
    "(?P<s>{set}){comma|on|at|around}{0,2}(?P<t>{time})",
    "(?P<s>{set}){comma|on|at|around}{0,2}(?P<t>{n2|w2})(?!{unit|other|month})",
    "(?P<s>{set})(?P<t>{clockspan|daypart})",
    "(?P<s>{set})(?P<t>{part|unit})",
)
def _set_at(found: Found) -> tuple[str, object] | None:  # noqa: PLR0911  one way of telling it after another
    repeat, token = found.all("s")[0].reading, found.all("t")[0]
    if not isinstance(repeat, Repeat):
        return None
    if token.name in ("part", "unit"):
        code = "NI" if token.reading == "night" else str(token.reading)
        return ("set", replace(repeat, timex=f"{repeat.timex}T{code}", precision=Precision.DAYPART)) if code in PARTS else None
    if isinstance(token.reading, Part):
        return "set", replace(
            repeat,
            timex=f"{repeat.timex}T{token.reading.code}" if repeat.timex.startswith("X") else f"T{token.reading.code}",
            precision=Precision.DAYPART,
        )
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
    return "set", Repeat(timex=f"{base}T{told.timex}", rule=rule, precision=precise(told))


@MOMENTS.rule("(?P<k>{rest}){of}?{this|article|my}?(?P<u>{unit|date})")
def _rest_of_day(found: Found) -> tuple[str, object] | None:
    token, now = found.all("u")[0], found.now
    today = token.reading.options == (now.date(),) if isinstance(token.reading, Day) else token.reading == "day"
    if not today:
        return None
    end = datetime.combine(now.date(), datetime.min.time()) + _DAY - timedelta(seconds=1)
    timex = f"({now.isoformat(timespec='seconds')},{end.isoformat(timespec='seconds')},PT{int((end - now).total_seconds())}S)"
    return "momentspan", MomentSpan(timex=timex, options=((now, end),), precision=Precision.MINUTE)
