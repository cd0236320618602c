"""What tokens become on their way to a time: numbers, clocks, days, stretches, lengths and what repeats.

Rule of this file: values of local time, without a zone. `options` are the readings of one thing, earlier ones first; stretches
are half open.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from muniment.types import Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number as it was told; `worded` when in words."""

    value: float
    text: str
    worded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A calendar day. `month` and `day` stand when the year was not told, `weekday` (0 is Monday) when only that was."""

    timex: str
    options: tuple[date, ...]
    month: int = 0
    day: int = 0
    weekday: int | None = None
    yearless: bool = False
    mod: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Some days: from a day (inside) to a day (outside).

    `tails` are the true ends when the value ends before the last unit told.
    """

    timex: str
    options: tuple[tuple[date, date], ...]
    precision: Precision
    month: int = 0
    year: int = 0
    yearless: bool = False
    unresolved: bool = False
    mod: str = ""
    tails: tuple[date, ...] = ()
    pointed: bool = False
    """Told as a start or an end of something longer, so that a range reaches to its outer edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time of day. `sure` when morning and afternoon cannot be mistaken. `bare` when it is a mere number."""

    hour: int
    minute: int | None = None
    second: int | None = None
    sure: bool = False
    bare: bool = False
    mod: str = ""

    @property
    def timex(self) -> str:
        """Its form without the leading T."""
        out = f"{self.hour:02d}"
        if self.minute is not None:
            out += f":{self.minute:02d}"
        if self.second is not None:
            out += f":{self.second:02d}"
        return out

    @property
    def offset(self) -> timedelta:
        """How long after midnight it is."""
        return timedelta(hours=self.hour, minutes=self.minute or 0, seconds=self.second or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the day, as hours from midnight."""

    code: str
    start: float
    end: float
    mod: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSpan:
    """From one time of day to another."""

    options: tuple[tuple[Clock, Clock], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A day and a time of day."""

    timex: str
    options: tuple[datetime, ...]
    precision: Precision
    yearless: bool = False
    mod: str = ""
    now: bool = False
    told: int = 0
    """How many of the options, from the first, take the hour as it was told; 0 for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentSpan:
    """From one moment to another."""

    timex: str
    options: tuple[tuple[datetime, datetime], ...]
    precision: Precision = Precision.MINUTE
    mod: str = ""
    told: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """A length of time: how many of each unit, in the order told."""

    units: tuple[tuple[str, float], ...]
    business: bool = False
    rounded: bool = False
    mod: str = ""
    least: float = 0
    """The smaller count of two ("2-3 days"), whose larger one is told in `units`; 0 for a single count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """What returns, with its RFC 5545 rule."""

    timex: str
    rule: str
    precision: Precision = Precision.DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """All that lies on one side of something: `side` is before, after, since or until."""

    side: str
    edge: Day | Span | Clock | Moment | Part | ClockSpan | MomentSpan
    mod: str = ""


Reading = Number | Day | Span | Clock | Part | ClockSpan | Moment | MomentSpan | Length | Repeat | Open


class Token(NamedTuple):
    """A stretch of text with its class; `reading` is what it is worth."""

    name: str
    start: int
    end: int
    text: str
    reading: object = None
