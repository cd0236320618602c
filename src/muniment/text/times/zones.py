"""Time zones as they are written behind a time of day: "3 pm EST", "15:00 UTC+2", "9 am PT".

Rule of this file: an abbreviation stands for the zone most people mean by it; one without its season (ET) takes that of the day,
by the rule of the United States.
"""

from __future__ import annotations

import re
from datetime import date, timedelta, timezone

from muniment.text.times.reckoning import nth_weekday

_HOURS = {
    name: hours
    for hours, names in (
        *((0.0, "UTC GMT WET"), (1.0, "CET BST"), (2.0, "CEST EET"), (3.0, "EEST MSK"), (5.5, "IST"), (8.0, "SGT HKT")),
        *((9.0, "JST KST"), (10.0, "AEST"), (11.0, "AEDT"), (12.0, "NZST"), (13.0, "NZDT"), (-4.0, "EDT"), (-5.0, "EST CDT")),
        *((-6.0, "CST MDT"), (-7.0, "MST PDT"), (-8.0, "PST AKDT"), (-9.0, "AKST"), (-10.0, "HST")),
    )
    for name in names.split()
}
_BOTH = {"ET": -5.0, "CT": -6.0, "MT": -7.0, "PT": -8.0}
"""Zones told without their season: hours from UTC in winter."""

_NAMED = "|".join(sorted((*_HOURS, *_BOTH), key=len, reverse=True))
_OFFSET = r"(?:UTC|GMT)\s?(?P<sign>[+-])\s?(?P<h>\d{1,2})(?::?(?P<m>\d\d))?(?!\w)"
_ZONE = re.compile(rf"\s?\(?(?:{_OFFSET}|(?P<name>{_NAMED})\b(?![+-]\d))")
_MOST = 14


def zone_told(text: str, start: int, end: int, day: date) -> timezone | None:
    """The zone told inside or right behind characters `start` to `end`, as it is on `day`; None when none is."""
    found = _ZONE.match(text, end) or _ZONE.search(text, start, end)
    if found is None:
        return None
    if found["sign"]:
        hours = int(found["h"]) + int(found["m"] or 0) / 60
        return timezone(timedelta(hours=-hours if found["sign"] == "-" else hours)) if hours <= _MOST else None
    name = found["name"]
    return timezone(timedelta(hours=_HOURS[name] if name in _HOURS else _BOTH[name] + _is_summer(day)))


def _is_summer(day: date) -> bool:
    return nth_weekday(day.year, 3, 6, 2) <= day < nth_weekday(day.year, 11, 6, 1)
