"""The stretches of time a question names, for finding what was said then or tells of then.

Rule of this file: the same resolver as for what is said; only the reading differs. A day or month without a year means that one
in any year, and "two weeks ago" leaves room, since people round. Windows are half open: `since` is inside, `until` is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from muniment.text.times.lexicon import MONTHS
from muniment.text.times.readings import Clock, Day, Moment, MomentSpan, Open, Part, Span, Token
from muniment.text.times.reckoning import DAY, months_on
from muniment.text.times.resolving import SLACK, chosen, may_tell, read

_MOST = 16
_TICK = timedelta(microseconds=1)
_FIRST = datetime(1, 1, 1, tzinfo=UTC)
_MOST_TEXT = 4_000
_YEARS_TO_LEAP = 9
_TELLING = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:morning|summer|spring|fall|winter)|weeks?|weekend|months?"
    r"|years?|since|recently|soon|few days|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july"
    r"|august|september|october|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_YEAR_TOLD = re.compile(r"\d{4}|\d[-/.]\d+[-/.]\d|'\d\d|\bthousand\b|(?:nine|twen)t[ey]+\w* \w+$", re.IGNORECASE)


def tells_time(text: str) -> bool:
    """True when an English text says when something was or will be; a quick look, made for every passage that is indexed."""
    return bool(_TELLING.search(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of time named in a question, `words` being how it was put.

    Either `since` and `until` (UTC; None is open) or, when no year was given, a `month`, perhaps `through` another month, or a
    `day` of it, perhaps up to `last_day` of the month it goes through, in any year. `relative` ones were reckoned from the
    given now.
    """

    words: str
    since: datetime | None = None
    until: datetime | None = None
    month: int = 0
    through: int = 0
    day: int = 0
    last_day: int = 0
    relative: bool = False

    def latest(self, now: datetime) -> Window:
        """The same in the year of `now`, or the last before in which it had begun; one with a year is itself."""
        if not self.month:
            return self
        for year in range(now.year, max(now.year - _YEARS_TO_LEAP, 1), -1):
            try:
                since, until = _in_year(self, year)
            except (ValueError, OverflowError):
                continue  # 29 February of a common year
            if since <= now:
                return Window(words=self.words, since=since, until=until, relative=self.relative)
        return self

    def __str__(self) -> str:
        if self.month:
            first = f"{MONTHS[self.month - 1].capitalize()}{f' {self.day}' if self.day else ''}"
            end = f" {self.last_day}" if self.last_day else ""
            last_month = (
                f" to {MONTHS[(self.through or self.month) - 1].capitalize()}{end}" if self.through or self.last_day else ""
            )
            return f"{first}{last_month} of any year"
        last = self.until - _TICK if self.until and self.until > _FIRST else self.until
        if self.since and last:
            return f"{self.since:%Y-%m-%d}" if last - self.since <= DAY else f"{self.since:%Y-%m-%d} to {last:%Y-%m-%d}"
        return f"from {self.since:%Y-%m-%d}" if self.since else f"until {last:%Y-%m-%d}" if last else "any time"


def _in_year(window: Window, year: int) -> tuple[datetime, datetime]:
    since = datetime(year, window.month, window.day or 1, tzinfo=UTC)
    over = year + ((window.through or window.month) < window.month)
    last = datetime(over, window.through or window.month, window.last_day or window.day or 1, tzinfo=UTC)
    return since, last + DAY if window.day else datetime.combine(months_on(last.date(), 1), time(), UTC)


def windows(text: str, now: datetime, zone: tzinfo | None = None) -> tuple[Window, ...]:
    """Every stretch of time `text` names, in order, seen from `now` (aware) in `zone`, by default that of `now`.

    At most sixteen are read. Beside a date, words like "last week" are about that date, so they give none of their own.
    """
    if not may_tell(text):
        return ()
    zone = zone or now.tzinfo or UTC
    try:
        local = now.astimezone(zone).replace(tzinfo=None, fold=0)
    except OverflowError:
        local = now.replace(tzinfo=None, fold=0)
    found: list[Window] = []
    for token in read(text[:_MOST_TEXT], local, zone):
        try:
            found += _of(token, local, zone)
        except (OverflowError, ValueError):
            continue  # outside the years a calendar tells
        if len(found) >= _MOST:
            break
    fixed = tuple(w for w in found if not w.relative)
    return fixed or tuple(found)


def _of(token: Token, now: datetime, zone: tzinfo) -> Iterator[Window]:
    reading = token.reading
    relative = not _YEAR_TOLD.search(token.text)
    words = token.text
    if token.name == "date" and isinstance(reading, Day):
        yield from _of_day(words, reading, now, zone, relative=relative)
    elif token.name == "span" and isinstance(reading, Span):
        yield from _of_span(words, reading, now, zone, relative=relative)
    elif token.name == "moment" and isinstance(reading, Moment) and not reading.now:
        at = reading.options[chosen(list(reading.options), now)]
        yield _days(words, at.date(), at.date() + DAY, zone, relative=relative)
    elif token.name == "momentspan" and isinstance(reading, MomentSpan):
        start, end = reading.options[chosen([a for a, _ in reading.options], now)]
        if start.time() == now.time() or end.time() == now.time():
            yield _between(words, start, end, zone, relative=relative)
        else:
            yield _days(words, start.date(), max(start.date() + DAY, end.date()), zone, relative=relative)
    elif token.name == "opened" and isinstance(reading, Open):
        yield from _of_open(words, reading, now, zone, relative=relative)


def _between(words: str, start: datetime, end: datetime, zone: tzinfo, *, relative: bool) -> Window:
    since, until = (one.replace(tzinfo=zone).astimezone(UTC) for one in (start, end))
    return Window(words=words, since=since, until=until, relative=relative)


def _days(words: str, first: date, end: date, zone: tzinfo, *, relative: bool) -> Window:
    """From the start of `first` to the start of `end`, in `zone`."""
    since, until = (datetime.combine(one, time(), zone).astimezone(UTC) for one in (first, end))
    return Window(words=words, since=since, until=until, relative=relative)


def _of_day(words: str, day: Day, now: datetime, zone: tzinfo, *, relative: bool) -> Iterator[Window]:
    if day.month and day.yearless and len(day.options) > 1:
        yield Window(words=words, month=day.month, day=day.day)
        return
    if day.yearless and len({one.month for one in day.options}) == 1:
        yield Window(words=words, month=day.options[0].month)  # a feast that moves within its month
        return
    first = day.options[chosen([_start(one) for one in day.options], now - DAY if len(day.options) > 1 else now)]
    slack = timedelta(days=SLACK.get(day.mod.removeprefix("around-"), 0))
    yield _days(words, first - slack, first + DAY + slack, zone, relative=relative)
    if day.weekday is not None and len(day.options) == 1 and first < now.date():
        nearest = now.date() - timedelta(days=(now.weekday() - day.weekday - 1) % 7 + 1)
        if nearest != first:  # "last Monday", said on a Friday, may be either
            yield _days(words, nearest, nearest + DAY, zone, relative=relative)


def _start(day: date) -> datetime:
    return datetime.combine(day, time())


def _of_span(words: str, span: Span, now: datetime, zone: tzinfo, *, relative: bool) -> Iterator[Window]:
    if span.yearless and span.month:
        start, end = span.options[0]
        tail = (span.tails[0] if span.tails else end) - DAY
        whole = start.day == 1 and months_on(start.replace(day=1), 1) <= tail + DAY and (tail + DAY).day == 1
        if whole:
            through = tail.month if tail.month != span.month else 0
            yield Window(words=words, month=span.month, through=through)
        else:
            through = tail.month if tail.month != start.month else 0
            yield Window(words=words, month=start.month, day=start.day, through=through, last_day=tail.day)
        return
    place = chosen([_start(a) for a, _ in span.options], now)
    start, end = span.options[place]
    yield _days(words, start, span.tails[place] if span.tails else end, zone, relative=relative)


def _of_open(words: str, opened: Open, now: datetime, zone: tzinfo, *, relative: bool) -> Iterator[Window]:
    edge, side = opened.edge, opened.side
    if isinstance(edge, (Clock, Part)):
        return
    if isinstance(edge, Moment):
        at = edge.options[chosen(list(edge.options), now)]
        first, end = at.date(), at.date() + DAY
    elif isinstance(edge, Day):
        first = edge.options[chosen([_start(one) for one in edge.options], now)]
        end = first + DAY
    elif isinstance(edge, Span):
        place = chosen([_start(a) for a, _ in edge.options], now)
        first, end = edge.options[place]
    else:
        return
    if side == "by":  # what was so by then is told around then
        yield _days(words, first, end, zone, relative=relative)
        return
    at_start = side in ("since", "before")
    instant = datetime.combine(first if at_start else end, time(), zone).astimezone(UTC)
    if side in ("since", "after"):
        yield Window(words=words, since=instant, relative=relative)
    else:
        yield Window(words=words, until=instant, relative=relative)
