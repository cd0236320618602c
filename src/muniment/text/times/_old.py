"""Dates and stretches of time a question names, as windows on `said_at`.

Rule of this file: deterministic English patterns against a given `now`; what is not understood gives no window, and a day
without a year means that day in any year. Windows are half open: `since` is inside, `until` is not.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
_SMALL = {
    word: number
    for number, words in enumerate(
        ("", "a an one", "two couple", "three few", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
    for word in words.split()
}
_LENGTH = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_SLACK = {"day": 0, "week": 3, "fortnight": 7, "month": 15, "year": 182}
_MOST = 16
_FIRST_YEAR, _LAST_YEAR = 1900, 2099


_TELLING = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:morning|summer|spring|fall|winter)|weeks?|weekend|months?"
    r"|years?|since|recently|soon|few days|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july"
    r"|august|september|october|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def tells_time(text: str) -> bool:
    """True when an English text says when something was or will be."""
    return bool(_TELLING.search(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of time named in a question, `words` being how it was put.

    Either `since` and `until` (UTC; None is open) or, when no year was given, a `month`, perhaps `through` another month,
    or a `day` of it, in any year. `relative` ones were reckoned from the given now.
    """

    words: str
    since: datetime | None = None
    until: datetime | None = None
    month: int = 0
    through: int = 0
    day: int = 0
    relative: bool = False

    def __str__(self) -> str:
        if self.month:
            last_month = f" to {MONTHS[self.through - 1].capitalize()}" if self.through else ""
            return f"{MONTHS[self.month - 1].capitalize()}{f' {self.day}' if self.day else ''}{last_month} of any year"
        last = self.until - timedelta(days=1) if self.until else None
        if self.since and last:
            return f"{self.since:%Y-%m-%d}" if last <= self.since else f"{self.since:%Y-%m-%d} to {last:%Y-%m-%d}"
        return f"from {self.since:%Y-%m-%d}" if self.since else f"until {last:%Y-%m-%d}" if last else "any time"


_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<{0}>(?:19|20)\d\d)"
_DAY = r"(?P<{0}>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT = r"(?P<{0}>\d{{1,3}}|an?|one|two|(?:a )?couple(?: of)?|three|(?:a )?few|four|five|six|seven|eight|nine|ten)"
_UNIT = r"(?P<{0}>day|week|fortnight|month|year)s?"


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    window: Window | None


def windows(text: str, now: datetime) -> tuple[Window, ...]:
    """Every stretch of time `text` names, in order, seen from `now` (which carries a time zone).

    At most the first sixteen of a kind are read. "Between A and B" is one window. Beside a date, words like "last week" are
    about that date, so they give none of their own.
    """
    lower = text.lower()
    if not any(part in lower for part in _TELLTALES):
        return ()  # none of the patterns can match; nearly all queries end here
    found: list[_Found] = []
    for pattern, build in _PATTERNS:
        for match in islice(pattern.finditer(text), _MOST):
            if not any(match.start() < f.end and f.start < match.end() for f in found):
                found.append(_Found(match.start(), match.end(), _built(build, match, now)))
    found.sort(key=lambda f: f.start)
    all_of_them = tuple(_joined(text, [(f, f.window) for f in found if f.window]))
    fixed = tuple(w for w in all_of_them if not w.relative)
    return fixed or all_of_them


def _built(build: Callable[[re.Match[str], datetime], Window | None], match: re.Match[str], now: datetime) -> Window | None:
    try:
        return build(match, now)
    except (OverflowError, ValueError):
        return None  # outside the years a calendar tells


def _joined(text: str, found: list[tuple[_Found, Window]]) -> Iterator[Window]:
    """Ranges made of two neighbours ("between A and B"), what lies before or after one ("since A"), and the rest as found."""
    i = 0
    while i < len(found):
        here, window = found[i]
        before = text[max(0, here.start - 30) : here.start].lower()
        if i + 1 < len(found) and re.search(r"\b(?:between|from)(?: the)? ?$", before):
            after, last = found[i + 1]
            if re.fullmatch(r"and|to|until|till|through|-|\u2013", text[here.end : after.start].strip().lower()):
                yield _span(window, last, text[here.start : after.end])
                i += 2
                continue
        yield _opened(window, before)
        i += 1


def _span(first: Window, last: Window, words: str) -> Window:
    if first.month and last.until:
        year = (last.until - timedelta(days=1)).year
        first = _calendar(first.words, UTC, year, first.month, first.day) or first
    if first.since and last.until and first.since < last.until:
        return Window(words=words, since=first.since, until=last.until, relative=first.relative or last.relative)
    if first.month and last.month and not first.day:
        return Window(words=words, month=first.month, through=last.month)
    return replace(last, words=words)


_BEFORE = re.compile(
    rf"\b(?:(?:{_COUNT.format('count')} {_UNIT.format('unit')}|(?:the )?{_UNIT.format('one')}) )?"
    r"(?P<side>before|after)(?: the)? ?$"
)


def _opened(window: Window, before: str) -> Window:
    """The window moved or opened by the words in front of it: "since", "before", "the week before", "two days after"."""
    if window.month:
        return window
    if re.search(r"\bsince(?: the)? ?$", before):
        return Window(words=f"since {window.words}", since=window.since, relative=window.relative)
    if re.search(r"\b(?:until|till)(?: the)? ?$", before):
        return Window(words=f"until {window.words}", until=window.until, relative=window.relative)
    found = _BEFORE.search(before)
    if not found or not window.since or not window.until:
        return window
    words, earlier = f"{found[0].strip()} {window.words}", found["side"] == "before"
    if found["one"]:
        days = timedelta(days=_LENGTH[found["one"]])
        since, until = (window.since - days, window.since) if earlier else (window.until, window.until + days)
    elif found["unit"]:
        away, slack = timedelta(days=_count(found["count"]) * _LENGTH[found["unit"]]), timedelta(days=_SLACK[found["unit"]])
        move = -away if earlier else away
        since, until = window.since + move - slack, window.until + move + slack
    else:
        return Window(words=words, until=window.since) if earlier else Window(words=words, since=window.until)
    return Window(words=words, since=since, until=until, relative=window.relative)


def _days(words: str, first: date, last: date, zone: tzinfo | None, *, relative: bool = False) -> Window:
    """From the start of `first` to the end of `last`, both in `zone`."""
    start = datetime.combine(first, time(), zone).astimezone(UTC)
    end = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
    return Window(words=words, since=start, until=end, relative=relative)


def _from_now(match: re.Match[str], first: date, last: date, now: datetime) -> Window:
    return _days(match[0], first, last, now.tzinfo, relative=True)


def _calendar(words: str, zone: tzinfo | None, year: int, month: int, day: int) -> Window | None:
    """A day, month or year of the calendar; None when there is no such date. Year 0 means any year."""
    if not _FIRST_YEAR <= (year or 2000) <= _LAST_YEAR or not 0 <= month <= 12:  # noqa: PLR2004  (months of a year)
        return None
    if day and not 1 <= day <= calendar.monthrange(year or 2000, month)[1]:
        return None
    if not year:
        return Window(words=words, month=month, day=day)
    if day:
        return _days(words, date(year, month, day), date(year, month, day), zone)
    first = date(year, month or 1, 1)
    return _days(words, first, date(year, month or 12, calendar.monthrange(year, month or 12)[1]), zone)


def _month(name: str) -> int:
    return next(i for i, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _dated(match: re.Match[str], now: datetime) -> Window | None:
    parts = match.groupdict()
    name = parts.get("month") or ""
    if name.lower() in {"may", "mar", "march"} and not (parts.get("day") or parts.get("year")) and not _is_month(match, name):
        return None
    month = int(name) if name.isdigit() else _month(name) if name else 0
    return _calendar(match[0], now.tzinfo, int(parts.get("year") or 0), month, int(parts.get("day") or 0))


def _is_month(match: re.Match[str], name: str) -> bool:
    """May and March are also verbs: alone they count after a preposition, or with a capital inside a sentence."""
    before = match.string[: match.start()].rstrip()
    led = re.search(
        r"\b(?:in|of|since|until|till|before|after|during|last|this|next|early|late|mid|by|and|or|from|to)$",
        before,
        re.IGNORECASE,
    )
    return bool(led) or (name[0].isupper() and bool(before) and before[-1] not in ".!?")


def _named_day(match: re.Match[str], now: datetime) -> Window:
    back = {"today": 0, "tonight": 0, "yesterday": 1, "last night": 1, "day before yesterday": 2, "tomorrow": -1}[
        match["name"].lower()
    ]
    day = now.date() - timedelta(days=back)
    return _from_now(match, day, day, now)


def _weekday(match: re.Match[str], now: datetime) -> Window:
    """The latest such day before today; with "next", the first after it."""
    wanted = _WEEKDAYS.index(match["name"].lower())
    back = (now.weekday() - wanted - 1) % 7 + 1
    day = now.date() + timedelta(days=7 - back if match["which"].lower() == "next" else -back)
    return _from_now(match, day, day, now)


def _unit(match: re.Match[str], now: datetime) -> Window:
    """Last, this or next week, weekend, month, year or season; weeks start on Monday."""
    step = {"last": -1, "previous": -1, "this": 0, "next": 1}[match["which"].lower()]
    unit, today = match["unit"].lower(), now.date()
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    if unit == "week":
        return _from_now(match, monday, monday + timedelta(days=6), now)
    if unit == "weekend":
        return _from_now(match, monday + timedelta(days=5), monday + timedelta(days=6), now)
    if unit == "month":
        first = _months_on(today.replace(day=1), step)
        return _from_now(match, first, _months_on(first, 1) - timedelta(days=1), now)
    if unit == "year":
        return _from_now(match, date(today.year + step, 1, 1), date(today.year + step, 12, 31), now)
    year = today.year + step + (step < 0 and _SEASONS[unit][0] < today.month)
    return replace(_season(match[0], unit, year, now.tzinfo), relative=True)


def _season(words: str, name: str, year: int, zone: tzinfo | None) -> Window:
    first, last = _SEASONS[name]
    ending = year + (last < first)
    return _days(words, date(year, first, 1), date(ending, last, calendar.monthrange(ending, last)[1]), zone)


def _season_of(match: re.Match[str], now: datetime) -> Window:
    return _season(match[0], match["name"].lower(), int(match["year"]), now.tzinfo)


def _months_on(day: date, months: int) -> date:
    place = day.year * 12 + day.month - 1 + months
    year, month = divmod(place, 12)
    year = min(max(year, 1), 9998)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _count(text: str) -> int:
    words = [w for w in text.lower().split() if w in _SMALL]
    return int(text) if text.isdigit() else _SMALL[words[-1]] if words else 1


def _back(now: datetime, count: int, unit: str) -> date:
    if unit not in ("month", "year"):
        return now.date() - timedelta(days=count * _LENGTH[unit])
    return _months_on(now.date(), -count * (12 if unit == "year" else 1))


def _ago(match: re.Match[str], now: datetime) -> Window:
    """N units ago, give or take half a unit: people round."""
    count, unit = _count(match["count"]), match["unit"].lower()
    middle = _back(now, count, unit)
    slack = timedelta(days=_SLACK[unit])
    return _from_now(match, middle - slack, middle + slack, now)


def _past(match: re.Match[str], now: datetime) -> Window:
    """The past N units up to today."""
    return _from_now(match, _back(now, _count(match["count"] or "one"), match["unit"].lower()), now.date(), now)


_TELLTALES = (
    "19",
    "20",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "day",
    "night",
    "tomorrow",
    "week",
    "month",
    "year",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
)
_M, _D, _Y = _MONTH.format("month"), _DAY.format("day"), _YEAR.format("year")
_N, _U = _COUNT.format("count"), _UNIT.format("unit")
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Window | None]], ...] = (
    (re.compile(r"(?<![\d-])(?P<year>(?:19|20)\d\d)[-/](?P<month>[01]?\d)[-/](?P<day>[0-3]?\d)(?![\d-])"), _dated),
    (re.compile(rf"\b{_D}(?: of)? {_M},?\s*{_Y}\b", re.IGNORECASE), _dated),
    (re.compile(rf"\b{_M} {_D},?\s*{_Y}\b", re.IGNORECASE), _dated),
    (re.compile(rf"\b{_M},?(?: of)? {_Y}\b", re.IGNORECASE), _dated),
    (re.compile(rf"\b{_D}(?: of)? {_M}(?![a-z])", re.IGNORECASE), _dated),
    (re.compile(rf"\b{_M} {_D}\b(?!\d)", re.IGNORECASE), _dated),
    (re.compile(rf"\b(?P<name>spring|summer|autumn|fall|winter)(?: of)? {_Y}\b", re.IGNORECASE), _season_of),
    (
        re.compile(r"\b(?:the )?(?P<name>day before yesterday|yesterday|last night|today|tonight|tomorrow)\b", re.IGNORECASE),
        _named_day,
    ),
    (re.compile(rf"\b{_N} {_U} ago\b", re.IGNORECASE), _ago),
    (re.compile(rf"\b(?:(?:last|past|previous) {_N}|past) {_U}\b", re.IGNORECASE), _past),
    (
        re.compile(
            r"\b(?P<which>last|previous|this|next) (?P<unit>weekend|week|month|year|spring|summer|autumn|fall|winter)\b",
            re.IGNORECASE,
        ),
        _unit,
    ),
    (re.compile(rf"\b(?P<which>last|on|this past|next) (?P<name>{'|'.join(_WEEKDAYS)})\b", re.IGNORECASE), _weekday),
    (re.compile(rf"\b{_M}(?![a-z]| \d)", re.IGNORECASE), _dated),
    (re.compile(rf"(?<![\w.,$/-]){_Y}(?![\w/-])"), _dated),
)
