"""When something was said, from the ways formats write it: ISO 8601, seconds since 1970, and two data sets' own spellings.

Rule of this file: pure, and never a guess. A time without a zone gets one only from the caller or from the format's documented
rule.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from muniment.errors import InputError

MOST_OFFSET = timedelta(hours=14)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?",
    re.ASCII | re.IGNORECASE,
)
_CLOCK_THEN_DAY = re.compile(r"(\d{1,2}):(\d\d) ?([ap])m on (\d{1,2}) ([a-z]+),? (\d{4})", re.ASCII | re.IGNORECASE)
_DAY_THEN_CLOCK = re.compile(r"(\d{4})/(\d\d)/(\d\d) \([a-z]{3}\) (\d\d):(\d\d)", re.ASCII | re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LEAP_SECOND = 60
_NOON = 12
_MICROSECOND_DIGITS = 6
_LAST_SECOND = 253_402_300_799  # of the year 9999
_FIRST_SECOND = -62_135_596_800  # of the year 1
_SHOWN = 60


def read_time(value: object, *, zone: tzinfo | None = None) -> datetime:
    """The instant, in UTC, that `value` spells: an aware datetime, ISO 8601 text, or a number of seconds since 1970.

    Text or a datetime without an offset is taken in `zone`; with no `zone` it is refused (`tz_required`). A day without a
    clock time is its midnight. Fractions beyond microseconds are cut off. A leap second (:60) counts as the second before it.
    Hour 24, offsets beyond 14 hours, days that do not exist, years outside 1 to 9999 and any other spelling are refused
    (`timestamp_invalid`, an InputError).
    """
    if isinstance(value, datetime):
        return to_utc(value, zone)
    if isinstance(value, str):
        return _from_iso(value.strip(), zone)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_seconds(value)
    raise invalid(value, f"it is {type(value).__name__}, not a time")


def read_said_at(value: object, place: str, *, zone: tzinfo | None = None) -> datetime:
    """`read_time` of a field of a turn, be it a value or a mapping; an error names the field."""
    try:
        return read_time(value, zone=zone)
    except InputError as error:
        raise InputError(error.message, place=place, code=error.reason, hint=error.hint) from error


def read_session_time(value: object, *, zone: tzinfo) -> datetime:
    """Like `read_time`, and also `1:56 pm on 8 May, 2023` and `2023/04/10 (Mon) 17:50`, which name no zone."""
    text = value.strip() if isinstance(value, str) else ""
    if found := _CLOCK_THEN_DAY.fullmatch(text):
        hour, minute, half, day, month, year = found.groups()
        if not 1 <= int(hour) <= _NOON or month[:3].lower() not in _MONTHS:
            raise invalid(value, "there is no such hour or month")
        afternoon = _NOON if half.lower() == "p" else 0
        parts = (int(year), _MONTHS.index(month[:3].lower()) + 1, int(day), int(hour) % _NOON + afternoon, int(minute))
        return to_utc(_datetime(parts, value), zone)
    if found := _DAY_THEN_CLOCK.fullmatch(text):
        return to_utc(_datetime(tuple(int(part) for part in found.groups()), value), zone)
    return read_time(value, zone=zone)


def to_utc(at: datetime, zone: tzinfo | None = None) -> datetime:
    """The same instant as a plain UTC datetime with its microseconds. Raises InputError without an offset and a `zone`."""
    offset = at.utcoffset()
    if offset is None and zone is not None:
        at = at.replace(tzinfo=zone)
        offset = at.utcoffset()
    if offset is None:
        raise InputError(
            f"the time {at.isoformat()} has no zone.",
            code="tz_required",
            hint="Add an offset, for example +02:00 or Z, or say which zone it is in.",
        )
    if abs(offset) > MOST_OFFSET:
        raise invalid(at.isoformat(), "no place on earth is that far from UTC")
    try:
        instant = at.replace(tzinfo=None) - offset
    except OverflowError as error:
        raise invalid(at.isoformat(), "in UTC it lies outside the years 1 to 9999") from error
    return datetime(*instant.timetuple()[:6], instant.microsecond, tzinfo=UTC)


def invalid(value: object, why: str) -> InputError:
    """The error for a time that cannot be read."""
    shown = repr(value)
    return InputError(
        f"{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'} is not a time that can be kept: {why}.",
        code="timestamp_invalid",
        hint="Write it as 2026-03-02T12:00:00Z, or as seconds since 1970; leave it out if nobody knows.",
    )


def _from_iso(text: str, zone: tzinfo | None) -> datetime:
    found = _ISO.fullmatch(text)
    if not found:
        raise invalid(text, "the spelling is not ISO 8601")
    year, month, day, hour, minute, second, fraction, offset = found.groups()
    leap = int(second or 0) == _LEAP_SECOND
    micros = int((fraction or "0")[:_MICROSECOND_DIGITS].ljust(_MICROSECOND_DIGITS, "0"))
    parts = (
        int(year),
        int(month),
        int(day),
        int(hour or 0),
        int(minute or 0),
        _LEAP_SECOND - 1 if leap else int(second or 0),
        micros,
    )
    at = to_utc(_datetime(parts, text, _offset(offset, text)), zone)
    if leap and (at.hour, at.minute) != (23, 59):
        raise invalid(text, "a leap second exists only at the last second of a UTC day")
    return at


def _offset(text: str | None, whole: str) -> tzinfo | None:
    if not text:
        return None
    if text in "Zz":
        return UTC
    minutes = int(text[-2:]) if len(text) > len("+00") else 0
    hours = int(text[1:3])
    if minutes >= 60 or timedelta(hours=hours, minutes=minutes) > MOST_OFFSET:  # noqa: PLR2004  (minutes of an hour)
        raise invalid(whole, "no place on earth is that far from UTC")
    return timezone((-1 if text[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes))


def _datetime(parts: tuple[int, ...], value: object, zone: tzinfo | None = None) -> datetime:
    try:
        return datetime(*parts, tzinfo=zone)  # type: ignore[misc,arg-type]  # five to seven numbers, none of them a zone
    except ValueError as error:
        raise invalid(value, "there is no such day or time of day") from error


def _from_seconds(value: float) -> datetime:
    if not _FIRST_SECOND <= value <= _LAST_SECOND:
        raise invalid(value, "as seconds since 1970 it lies outside the years 1 to 9999 (milliseconds must be divided by 1000)")
    return EPOCH + timedelta(seconds=value)


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo:
    """The time zone an architecture names; UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
