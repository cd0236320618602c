"""What lies before, after, since, until or around a time.

Rule of this file: "before" and "until" end where the time told begins, "after" begins where it ends, "since" where it begins.
"""

from __future__ import annotations

from dataclasses import replace

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.readings import Clock, ClockSpan, Day, Moment, MomentSpan, Open, Part, Span
from muniment.text.times.rules_clock import bare, in_part
from muniment.text.times.rules_moments import at_time
from muniment.text.times.rules_weeks import unit_span

OPENED = Cascade()
_FAR = 80
"""Tokens back to where "that year" may have been told."""

_EDGE = (
    "(?P<e>{date|span|time|moment|momentspan|daypart|clockspan}|{n2|w2}(?!{unit|other|month|ord|dash|slash|colon|of|n2|w2|half|length|times|percent"
    "|second|quarter}))"
)
_AFTERWARD = (
    (
        "(?P<k>{before}{or|and}{in|on|at}|{on|at|in}{or}{before|prior|earlier}{to|than}?|{le}|{before|earlier|less}{than}?{or}{equal}{to}|{no}{later}{than}|{as}{late}{as}|{earlier}{than}{or}{at|in|on|equal}{to}?)",
        "until",
    ),
    (
        "(?P<k>{after}{or|and}{in|on|at}|{on|at|in}{or}{after|later}{than}?|{ge}|{after|later|more}{than}?{or}{equal}{to}|{no}{earlier}{than}|{as}{early}{as}|{later}{than}{or}{at|in|on|equal}{to}?)",
        "since",
    ),
    ("(?P<k>{before}|{prior}{to}|{earlier}{than}|{lt}|{less}{than})", "before"),
    ("(?P<k>{after}|{later}{than}|{gt}|{more}{than})", "after"),
    ("(?P<k>{since}|{starting}{from|on|in}?|{begin}{from|on})", "since"),
    ("(?P<k>{till}|{ending}{on|in|at})", "till"),
    ("(?P<k>{by})", "by"),
)


def opened(found: Found, side: str) -> tuple[str, object] | None:  # noqa: C901, PLR0911, PLR0912  one way of telling it after another
    """What lies on one side of a time."""
    token, first = found.all("e")[0], found.all("k")[0] if "k" in found.match.groupdict() and found.has("k") else None
    edge = token.reading
    if token.name in ("n2", "w2"):
        if (
            side not in ("before", "after", "until", "till", "since")
            or first is None
            or first.text.lower() == "up to"
            or first.name in ("lt", "gt", "more", "less", "ge", "le", "since", "starting", "begin", "on")
        ):
            return None
        edge = bare(token)
        if edge is None or not 1 <= edge.hour <= 24:  # noqa: PLR2004  hours
            return None
    if first is not None and first.name == "gt" and _is_quoted(found):
        return None  # a quoted line
    if first is not None and first.name == "till" and first.text.lower() in ("through", "thru"):
        return None
    if isinstance(edge, ClockSpan):
        return None
    mod = "approx" if any(one.name == "around" for one in found.all(0)) else ""
    day = found.all("d")[0].reading if "d" in found.match.groupdict() and found.has("d") else None
    if isinstance(day, MomentSpan):
        base, _, code = day.timex.rpartition("T")
        edge = in_part(edge, code) if isinstance(edge, Clock) and base and base[0] != "(" else None
        if edge is None:
            return None
        day = Day(timex=base, options=tuple(dict.fromkeys(start.date() for start, _ in day.options)))
    if day is not None:
        if not isinstance(day, Day) or not isinstance(edge, Clock):
            return None
        edge = at_time(day, edge)
    if first is not None and any(one.text.lower() == "start" for one in found.all("k")):
        return None
    if isinstance(edge, Moment) and edge.now and side in ("by", "since", "after", "before"):
        return None
    if isinstance(edge, MomentSpan) and edge.timex[:1] != "(" and first is not None and first.name not in ("more", "less"):
        ends = tuple(one[side == "after"] for one in edge.options)
        edge = Moment(timex=edge.timex, options=ends, precision=edge.precision, mod=edge.mod, told=edge.told)
    if not isinstance(edge, (Day, Span, Clock, Moment, Part)):
        return None
    return "opened", Open(side={"till": "till", "by": "by"}.get(side, side), edge=edge, mod=mod)


def _is_quoted(found: Found) -> bool:
    """Whether the sign starts a line with more on it than a time."""
    before, after = found.before(), found.after()
    starts = found.all(0)[0].name == "gt" and (before is None or before.name in ("line", "gt"))
    return starts and after is not None and after.name != "line"


for _pattern, _side in _AFTERWARD:

    @OPENED.rule("(?:(?P<d>{date|momentspan}){comma}?)?" + _pattern + "{article}?{around}?" + _EDGE)
    def _open(found: Found, side: str = _side) -> tuple[str, object] | None:
        return opened(found, side)


@OPENED.rule(
    "(?P<e>{date|span|time|moment}){comma}?{and|or}(?P<s>{later|after|more|earlier|before|onward|less|above})(?!{other|my|date|time|article|it|span})",
    "{from}(?P<e>{date|span|time|moment})(?P<s>{onward|on})(?!{date|span|time|article|other})",
    "(?P<e>{date|span|time|moment})(?P<s>{onward})",
    "{from}(?P<e>{n2|w2})(?P<s>{onward})",
)
def _or_later(found: Found) -> tuple[str, object] | None:
    token = found.all("e")[0]
    edge = bare(token) if token.name in ("n2", "w2") else token.reading
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


@OPENED.rule("{to|till}(?P<k>{datew})")
def _to_date(found: Found) -> tuple[str, object] | None:
    before, after = found.before(), found.after()
    if before is not None and before.text.lower() in ("up", "equal", "equals", "out"):
        return None
    if after is not None and after.name in ("other", "word"):
        return None
    today = found.now.date()
    return "opened", Open(side="before", edge=Day(timex="PRESENT_REF", options=(today,)))


@OPENED.rule("{that}(?P<u>{unit})")
def _that_unit(found: Found) -> tuple[str, object] | None:
    """That week: the one of the time told last before it, else the present one."""
    unit, at = str(found.all("u")[0].reading), found.match.start()
    if unit not in ("week", "weekend", "month", "year", "decade", "century") or found.all("u")[0].text.lower().endswith("s"):
        return None
    for token in reversed(found.tokens[max(0, at - _FAR) : at]):
        reading = token.reading
        if isinstance(reading, Day):
            return unit_span(unit, 0, reading.options[0])
        if isinstance(reading, Span) and not reading.mod:
            return unit_span(unit, 0, reading.options[0][0])
        if isinstance(reading, Moment):
            return unit_span(unit, 0, reading.options[0].date())
    return unit_span(unit, 0, found.now.date())


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
    if isinstance(reading, Span):
        return "span", reading if reading.mod else replace(reading, mod="approx")
    return None
