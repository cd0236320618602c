"""What the resolver finds: a time in a text, with every reading of it and the one that is meant.

Rule of this file: values only.
"""

from __future__ import annotations

from dataclasses import dataclass

from muniment.types import When


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One reading of a time, as text in the speaker's zone.

    `value` holds a date (`2016-11-07`), a time (`08:00:00`), both (`2016-11-07 08:00:00`) or a duration in seconds; a range has
    `start` and `end` instead, either of which is empty when it is open. All are empty when nothing can be reckoned ("daily").
    """

    timex: str
    value: str = ""
    start: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A time told in characters `start` to `end` of a text.

    `kind` is date, time, datetime, daterange, timerange, datetimerange, duration or set. `timex` is the TIMEX3 form of it,
    `values` are its readings, the one that is meant first, and `when` is that one as a stretch of time. `when` is None for a
    time of day and for a duration, which lie on no calendar.
    """

    start: int
    end: int
    kind: str
    timex: str
    when: When | None
    values: tuple[Value, ...]
    modifier: str = ""
