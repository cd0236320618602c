"""Whether a sentence looks ahead: which reading of a time told without its year, week or half of the day is meant.

Rule of this file: the verb told last before the time decides, else the first behind it, within the same sentence; without one the
past is meant. One walk over the text, so that the work grows with the text and no further.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from datetime import date, datetime

from muniment.text.times.readings import Day, Moment, MomentSpan, Open, Span, Token

_SOON = (
    "start|begin|leave|arrive|return|depart|move|fly|travel|meet|open|close|launch|join|finish|end|go|graduate|retire|marry|resume"
    "|expire|get (?:married|back|paid|to)"
)
"""What one does on a day to come when it is told in the present: "on 1 June I start"."""

_EVENTS = (
    "appointment|meeting|exam|interview|flight|call|date|party|wedding|trip|concert|test|class|lesson|session|surgery|operation|game"
    "|match|race|launch|demo|review|conference|event|dinner|lunch|holiday|vacation|deadline"
)
"""What one has on a day to come."""

_PAST = (
    "was|were|had|did|didn't|wasn't|weren't|went|met|saw|came|got|took|made|left|told|said|began|bought|gave|spent|found|felt"
    "|thought|knew|ran|won|lost|sent|wrote|read|ate|drove|flew|became|broke|brought|built|caught|chose|fell|forgot|grew|heard|held"
    "|kept|paid|quit|sold|slept|spoke|stood|taught|wore|been"
)
_END = re.compile(r"[.!?]+(?=\s+[^a-z\s])|\n|;")
_CUE = re.compile(
    r"(?P<ahead>\b(?:will|shall|won't|going to|gonna|about to|plan(?:s|ning)? (?:to|on|for)|hop(?:e|es|ing) to|want(?:s)? to"
    rf"|(?<!to )(?:i|we|you|they|he|she|it) (?:(?:also|only|just|finally|officially) )?(?:{_SOON})"
    rf"|(?:have|has|got) (?:an?|the|my|our|another) (?:\w+ ){{0,2}}(?:{_EVENTS})"
    r"|intend(?:s|ing)? to|would like to|need(?:s)? to|have to|has to|must|let's|let us|(?:can|could) (?:we|you)"
    r"|please|remind me|(?:schedule|book|arrange|plan) (?:a|an|the|me|us|it|this)|due|deadline|takes place|kicks off"
    r"|starts|begins|opens|arrives|leaves|returns|departs|launches|expires|resumes|graduates|retires|moves"
    r"|(?:ends|finishes|closes) (?:on|in|at)|(?:am|is|are|i'm|we're|they're) (?:on|in|at|away|off|out)"
    r"|upcoming|looking forward|don't forget"
    r"|(?:am|is|are|i'm|we're|they're|you're|he's|she's|it's) (?:(?:also|only|just|finally) )?"
    r"(?:meeting|coming|leaving|going|flying|travelling|traveling|moving|starting|visiting|having|getting|hosting|returning"
    r"|arriving|due|planned|scheduled|expected))\b|\b\w+'ll\b)"
    rf"|(?P<behind>\b(?:{_PAST}|since|ago|\w{{3,}}(?<!ne)(?<!fe)ed)\b)",
    re.IGNORECASE,
)


class Tenses:
    """Where a text looks ahead."""

    def __init__(self, text: str) -> None:
        self._ends = [found.end() for found in _END.finditer(text)]
        cues = [(found.start(), found.lastgroup == "ahead") for found in _CUE.finditer(text)]
        self._places = [place for place, _ in cues]
        self._ahead = [ahead for _, ahead in cues]

    def ahead(self, token: Token) -> bool:
        """Whether the sentence a time stands in looks ahead there."""
        at = bisect_right(self._ends, token.start)
        start = self._ends[at - 1] if at else 0
        n = bisect_left(self._places, token.start)
        if n and self._places[n - 1] >= start:
            return self._ahead[n - 1]
        end = self._ends[at] if at < len(self._ends) else None
        return n < len(self._places) and (end is None or self._places[n] < end) and self._ahead[n]


def to_come(reading: object, now: datetime) -> Day | Span | Moment | MomentSpan | Open | None:
    """A reading with those options alone that are still to come; None where that changes nothing."""
    if isinstance(reading, Open):
        edge = to_come(reading.edge, now)
        return replace(reading, edge=edge) if edge is not None and not isinstance(edge, Open) else None
    if not isinstance(reading, (Day, Span, Moment, MomentSpan)) or len(reading.options) == 1:
        return None
    earliest = now if isinstance(reading, (Moment, MomentSpan)) else now.date()
    first = reading.told if isinstance(reading, (Moment, MomentSpan)) and reading.told else len(reading.options)
    kept = [n for n, one in enumerate(reading.options[:first]) if _start(one) >= earliest]  # the hour stays as it was told
    if not kept or len(kept) == len(reading.options):
        return None
    options = tuple(reading.options[n] for n in kept)
    more: dict[str, object] = {}
    if isinstance(reading, Span):
        more = {"tails": tuple(reading.tails[n] for n in kept) if reading.tails else ()}
    elif not isinstance(reading, Day):
        more = {"told": sum(n < reading.told for n in kept)}
    return replace(reading, options=options, **more)  # type: ignore[arg-type]  # fields of its own class


def _start(option: object) -> date:
    start = option[0] if isinstance(option, tuple) else option
    if not isinstance(start, date):
        raise TypeError(option)
    return start
