"""Reads every time a text tells and reckons it from when and where the text was said.

Rule of this file: pure and deterministic; the words are kept, and what was told as a year, a month or a week stays a stretch of
that length. Local times become instants by PEP 495 with fold 0: in a gap the offset before it holds, and of a repeated hour the
first is meant. What falls outside the years 1 to 9999 is left out, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from muniment.text.times.grammar import Cascade, run
from muniment.text.times.readings import Clock, ClockSpan, Day, Length, Moment, MomentSpan, Open, Part, Repeat, Span, Token
from muniment.text.times.reckoning import DAY, SECONDS_IN
from muniment.text.times.rules_away import AWAY
from muniment.text.times.rules_clock import CLOCKS
from muniment.text.times.rules_day_ranges import DAY_RANGES
from muniment.text.times.rules_days import DAYS
from muniment.text.times.rules_moments import MOMENTS, pair_timex, readings
from muniment.text.times.rules_numbers import LENGTHS, NUMBERS, length_timex, plain
from muniment.text.times.rules_open import OPENED
from muniment.text.times.rules_ranges import RANGES
from muniment.text.times.rules_spans import SPANS
from muniment.text.times.rules_support import SUPPORT
from muniment.text.times.rules_tense import Tenses, to_come
from muniment.text.times.rules_weeks import WEEKS
from muniment.text.times.scanning import scan
from muniment.text.times.values import Timed, Value
from muniment.text.times.zones import zone_told
from muniment.types import Precision, When

MOST = 200_000
"""Characters of a text that are read; a longer one is read up to there."""

_CASCADES: tuple[Cascade, ...] = (
    NUMBERS,
    SUPPORT,
    LENGTHS,
    DAY_RANGES,
    DAYS,
    WEEKS,
    SPANS,
    CLOCKS,
    AWAY,
    MOMENTS,
    RANGES,
    OPENED,
)
_RULES = tuple(rule for cascade in _CASCADES for rule in cascade.rules)
_SIGNAL = re.compile(
    r"\d|@|day|month|year|week|hour|minute|second|morning|noon|night|evening|quarter|season|now\b|ago\b|present|moment|date\b|later"
    r"|january|february|march|april|\bmay\b|june|july|august|september|october|november|december|o.?clock|lunch|dinner|breakfast"
    r"|decade|centur|half|(?:twen|thir|for|fif)ty|teen\b|thanks ?giving|yuandan|[ap]\s?\.\s?m\b|patrick|recently"
    r"|lately|previously|as soon|asap|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thur?s?|fri|sat|sun|otd"
    r"|spring|summer|autumn|fall|winter|tomorrow|tmr|tmrw|easter|christmas|xmas|valentine\S*|ramad\w+|eid|ashura|mawlid|hogmanay"
    r"|kwanzaa|candlemas|nye|whitsun|hijri|islamic|arabic|muslim|isra|laylat|sacrifice|april|all hallows\S*|hallowe.en"
    r"|wks?|mths?|mos|qtrs?|yrs?"
    r"|halloween|mardi|epiphany|pentecost|juneteenth|cinco|guy|corpus|hrs?|mins?"
    r"|secs?|\w*ann?ual\w*|hourly|daily|fortnight\w*|pm|am|eo[dwmy]|[ym]td|at \w+|[a-z]+-?ish|tens|thousands|\w+ties"
    r"|(?:by|to|till?|until|before|after|from|between|around|than|past|-) "
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b"
)
_KINDS = {
    "date": "date",
    "span": "daterange",
    "time": "time",
    "clockspan": "timerange",
    "daypart": "timerange",
    "moment": "datetime",
    "momentspan": "datetimerange",
    "length": "duration",
    "set": "set",
}


def may_tell(text: str) -> bool:
    """False when a text surely tells no time: a quick look."""
    return _SIGNAL.search(text.lower()) is not None


def resolve(text: str, *, reference: datetime, zone: tzinfo | None = None, ahead: bool | None = None) -> tuple[Timed, ...]:
    """Every time `text` tells, in order, reckoned from `reference` (aware) as the clock of `zone` shows it.

    `zone` is the speaker's; without one, that of `reference`. `ahead` says whether a time with a reading before and one after
    the reference means the later; None reads it from the sentence ("we met on Friday", "we will meet on Friday"). Raises
    ValueError for a reference without a time zone.
    """
    if reference.utcoffset() is None:
        raise ValueError("the reference has no time zone")
    if not may_tell(text):
        return ()
    zone = zone or reference.tzinfo or UTC
    try:
        now = reference.astimezone(zone).replace(tzinfo=None, fold=0)
    except OverflowError:
        now = reference.replace(tzinfo=None, fold=0)
    tokens = [token for token in read(text[:MOST], now, zone) if token.name in _KINDS or token.name == "opened"]
    tenses = Tenses(text[:MOST]) if ahead is None and tokens else None
    out = []
    for token in tokens:
        later = tenses.ahead(token) if tenses else bool(ahead)
        if timed := _meant(token, now, _told_zone(token, text, now) or zone, ahead=later):
            out.append(timed)
    return tuple(out)


def _told_zone(token: Token, text: str, now: datetime) -> tzinfo | None:
    """The zone told behind a moment, which its instant is reckoned in; its value stays as it was told."""
    if not isinstance(token.reading, (Moment, MomentSpan)) or (isinstance(token.reading, Moment) and token.reading.now):
        return None
    first = token.reading.options[0] if token.reading.options else now
    return zone_told(text, token.start, token.end, (first[0] if isinstance(first, tuple) else first).date())


def _meant(token: Token, now: datetime, zone: tzinfo, *, ahead: bool) -> Timed | None:
    """The time of a token, with that reading first that is meant."""
    timed = _timed(token, now, zone)
    reading = to_come(token.reading, now) if ahead and timed else None
    later = _timed(token._replace(reading=reading), now, zone) if reading is not None else None
    if timed is None or later is None:
        return timed
    return replace(later, values=tuple(dict.fromkeys((*later.values, *timed.values))))


def read(text: str, now: datetime, zone: tzinfo = UTC) -> list[Token]:
    """The tokens of a text after all rules, at local time `now` of `zone`."""
    return run(_RULES, scan(text, now, zone), text, now)


def _timed(token: Token, now: datetime, zone: tzinfo) -> Timed | None:
    build = _BUILD.get(type(token.reading))
    if build is None:
        return None
    try:
        timed = build(token, now, zone)
    except (OverflowError, ValueError):
        return None
    when = timed.when
    empty = when is not None and when.since is not None and when.until is not None and when.since >= when.until
    return None if empty else timed


def _made(token: Token, kind: str, timex: str, values: Iterable[Value], *, when: When | None = None, modifier: str = "") -> Timed:
    told = tuple(dict.fromkeys(values)) or (Value(timex=timex),)
    return Timed(start=token.start, end=token.end, kind=kind, timex=timex, when=when, values=told, modifier=modifier)


def _when(
    token: Token, since: datetime | None, until: datetime | None, zone: tzinfo, *, precision: Precision, approximate: bool = False
) -> When:
    return When(
        since=_instant(since, zone) if since else None,
        until=_instant(until, zone) if until else None,
        precision=precision,
        words=token.text,
        approximate=approximate,
    )


def _instant(local: datetime, zone: tzinfo) -> datetime:
    if local.tzinfo is not None:
        return local
    return local.replace(tzinfo=zone)


def _start(day: date) -> datetime:
    return datetime.combine(day, time())


def chosen(starts: list[datetime], now: datetime) -> int:
    """Which of the readings is meant: the last that has begun, or the first when none has."""
    past = [n for n, one in enumerate(starts) if one.replace(tzinfo=None) <= now]
    return past[-1] if past else 0


def _ordered(options: Iterable[tuple[datetime, Value]], now: datetime, told: int = 0) -> tuple[int, list[Value]]:
    pairs = list(options)
    best = max(
        (n for n in range(told or len(pairs)) if pairs[n][0].replace(tzinfo=None) <= now),
        key=lambda n: pairs[n][0].replace(tzinfo=None),
        default=0,
    )
    return best, [pairs[best][1], *(value for n, (_, value) in enumerate(pairs) if n != best)]


SLACK = {"week": 3, "fortnight": 7, "month": 15, "quarter": 45, "year": 182, "decade": 1825, "century": 18_250}
"""Days by which people round when they count back or on in a unit."""


def _day(token: Token, now: datetime, zone: tzinfo) -> Timed:
    day = token.reading
    assert isinstance(day, Day)
    best, values = _ordered([(_start(one), Value(timex=day.timex, value=one.isoformat())) for one in day.options], now)
    first = day.options[best]
    since, until, precision = _start(first), _start(first) + DAY, Precision.DAY
    rounded = day.mod == "approx"
    if day.mod.startswith("around-"):
        unit = day.mod.removeprefix("around-")
        slack = timedelta(days=SLACK.get(unit, 0))
        since, until, rounded = since - slack, until + slack, bool(slack)
        precision = {"week": Precision.WEEK, "fortnight": Precision.WEEK, "month": Precision.MONTH, "year": Precision.YEAR}.get(
            unit, Precision.DAY
        )
    when = _when(token, since, until, zone, precision=precision, approximate=rounded)
    return _made(token, "date", day.timex, values, when=when, modifier=day.mod if day.mod == "approx" else "")


def _span(token: Token, now: datetime, zone: tzinfo) -> Timed:
    span = token.reading
    assert isinstance(span, Span)
    told = [
        (
            _start(a),
            Value(timex=span.timex) if span.unresolved else Value(timex=span.timex, start=a.isoformat(), end=b.isoformat()),
        )
        for a, b in span.options
    ]
    best, values = _ordered(told, now)
    end = span.tails[best] if span.tails else span.options[best][1]
    when = _when(
        token,
        _start(span.options[best][0]),
        _start(end),
        zone,
        precision=span.precision,
        approximate=span.mod not in ("", "start", "end", "mid"),
    )
    return _made(token, "daterange", span.timex, values, when=when, modifier=span.mod)


def _seconds(clock: Clock) -> str:
    return f"{clock.hour % 24:02d}:{clock.minute or 0:02d}:{clock.second or 0:02d}"


def _clock(token: Token, _now: datetime, _zone: tzinfo) -> Timed:
    clock = token.reading
    assert isinstance(clock, Clock)
    values = [Value(timex=f"T{one.timex}", value=_seconds(one)) for one in readings(clock)]
    return _made(token, "time", f"T{clock.timex}", values, modifier=clock.mod)


def _clock_span(token: Token, _now: datetime, _zone: tzinfo) -> Timed:
    span = token.reading
    assert isinstance(span, ClockSpan)
    values = []
    for a, b in span.options:
        timex = pair_timex(f"T{a.timex}", f"T{b.timex}", (b.offset - a.offset) % DAY)
        values.append(Value(timex=timex, start=_seconds(a), end=_seconds(b)))
    return _made(token, "timerange", values[0].timex, values)


def _hours(hours: float) -> str:
    return "23:59:59" if hours >= 24 else f"{int(hours):02d}:{int(hours * 60) % 60:02d}:00"  # noqa: PLR2004  a day's hours


def _part(token: Token, _now: datetime, _zone: tzinfo) -> Timed:
    part = token.reading
    assert isinstance(part, Part)
    timex = f"T{part.code}"
    return _made(
        token, "timerange", timex, [Value(timex=timex, start=_hours(part.start), end=_hours(part.end))], modifier=part.mod
    )


def _stamp(local: datetime) -> str:
    return local.replace(tzinfo=None, microsecond=0).isoformat(sep=" ")


_SIZE: dict[Precision, timedelta] = {
    Precision.SECOND: timedelta(seconds=1),
    Precision.MINUTE: timedelta(minutes=1),
    Precision.HOUR: timedelta(hours=1),
}


def _moment(token: Token, now: datetime, zone: tzinfo) -> Timed:
    moment = token.reading
    assert isinstance(moment, Moment)
    told = [(one, Value(timex=moment.timex, value=_stamp(one))) for one in moment.options]
    best, values = _ordered(told, now, moment.told)
    at = moment.options[best]
    # a time told to the hour ("at 7") is that minute, not the hour that follows
    size = _SIZE[Precision.SECOND if moment.precision is Precision.SECOND else Precision.MINUTE]
    when = _when(token, at, at + size, zone, precision=moment.precision, approximate=moment.mod == "approx")
    if moment.timex in ("PAST_REF", "FUTURE_REF"):
        past = moment.timex == "PAST_REF"
        when = _when(token, None if past else now, now if past else None, zone, precision=Precision.DAY, approximate=True)
    return _made(token, "datetime", moment.timex, values, when=when, modifier=moment.mod)


def _moment_span(token: Token, now: datetime, zone: tzinfo) -> Timed:
    span = token.reading
    assert isinstance(span, MomentSpan)
    told = [(a, Value(timex=span.timex, start=_stamp(a), end=_stamp(_closing(span, b)))) for a, b in span.options]
    best, values = _ordered(told, now, span.told)
    a, b = span.options[best]
    when = _when(token, a, b, zone, precision=span.precision)
    return _made(token, "datetimerange", span.timex, values, when=when, modifier=span.mod)


def _closing(span: MomentSpan, end: datetime) -> datetime:
    """A night's value ends with the last second of its day."""
    return end - timedelta(seconds=1) if span.timex.endswith("TNI") else end


def _length(token: Token, _now: datetime, _zone: tzinfo) -> Timed:
    length = token.reading
    assert isinstance(length, Length)
    timex = length_timex(length.units)
    if length.least:
        unit, most = length.units[0]
        ends = [plain(round(count * SECONDS_IN[unit], 3)) for count in (length.least, most)]
        told = Value(timex=f"({length_timex([(unit, length.least)])},{timex})", start=ends[0], end=ends[1])
        return _made(token, "duration", told.timex, [told], modifier="approx")
    seconds = sum(count * SECONDS_IN[unit] for unit, count in length.units)
    if length.units[0][0] == "weekend":
        seconds = length.units[0][1] * SECONDS_IN["weekend"]
    return _made(token, "duration", timex, [Value(timex=timex, value=plain(round(seconds, 3)))], modifier=length.mod)


def _repeat(token: Token, _now: datetime, _zone: tzinfo) -> Timed:
    repeat = token.reading
    assert isinstance(repeat, Repeat)
    when = When(since=None, until=None, precision=repeat.precision, words=token.text, recurrence=repeat.rule)
    return _made(token, "set", repeat.timex, [Value(timex=repeat.timex)], when=when)


def _open(token: Token, now: datetime, zone: tzinfo) -> Timed:
    opened = token.reading
    assert isinstance(opened, Open)
    edge, side = opened.edge, opened.side
    ends = side in ("before", "until", "till", "by")
    if isinstance(edge, (Clock, Part)):
        return _open_clock(token, edge, side, ends=ends)
    told: list[tuple[datetime, Value]] = []
    edges: list[datetime] = []
    kind, timex = ("datetimerange", "") if isinstance(edge, Moment) else ("daterange", "")
    if isinstance(edge, Moment):
        timex = edge.timex
        for one in edge.options:
            edges.append(one)
            told.append((one, _ended(timex, _stamp(one), ends=ends)))
    elif isinstance(edge, (Day, Span)):
        timex = edge.timex
        pairs = [(one, one) for one in edge.options] if isinstance(edge, Day) else list(edge.options)
        for a, b in pairs:
            outer = side in ("after", "until") or (
                isinstance(edge, Span) and edge.mod == "end" and side in ("before", "till", "by")
            )
            at = b if outer and not (side == "after" and isinstance(edge, Span) and edge.mod == "start") else a
            full = (
                at + DAY
                if isinstance(edge, Day) and side in ("after", "until", "till", "by")
                else b
                if side in ("till", "by")
                else at
            )
            edges.append(_start(full))
            told.append((_start(a), _ended(timex, at.isoformat(), ends=ends)))
    best, values = _ordered(told, now)
    at_ = edges[best]
    precision = edge.precision if isinstance(edge, (Span, Moment)) else Precision.DAY
    when = _when(token, None if ends else at_, at_ if ends else None, zone, precision=precision, approximate=bool(opened.mod))
    return _made(token, kind, timex, values, when=when, modifier=side)


def _ended(timex: str, at: str, *, ends: bool) -> Value:
    return Value(timex=timex, end=at) if ends else Value(timex=timex, start=at)


def _open_clock(token: Token, edge: Clock | Part, side: str, *, ends: bool) -> Timed:
    if isinstance(edge, Part):
        at = _hours(edge.start if side in ("before", "since") or ends else edge.end)
        return _made(token, "timerange", f"T{edge.code}", [_ended(f"T{edge.code}", at, ends=ends)], modifier=side)
    values = [_ended(f"T{one.timex}", _seconds(one), ends=ends) for one in readings(edge)]
    return _made(token, "timerange", f"T{edge.timex}", values, modifier=side)


_BUILD: dict[type, Callable[[Token, datetime, tzinfo], Timed]] = {
    Day: _day,
    Span: _span,
    Clock: _clock,
    ClockSpan: _clock_span,
    Part: _part,
    Moment: _moment,
    MomentSpan: _moment_span,
    Length: _length,
    Repeat: _repeat,
    Open: _open,
}
