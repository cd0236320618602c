"""How much what was told of recall counts: a little, less and less with time, and never more however often it is told.

Rule of this file: pure. It can tip what stands near each other; it hides nothing, and lifts no untrusted record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import inf

from muniment.knowledge.values import Feedback
from muniment.retrieve.joined import DEPTH, Pair
from muniment.types import RecordId, Trust

HALF_DAYS = 90.0
"""After so many days it counts half."""
_DOUBT = 2.0
"""How often it is told until it counts half of what it ever can."""
_DAY = 86400.0
_APART = 1e-9


def share_of(told: Feedback, now: datetime) -> float:
    """Between -1 and 1: below 0 for what was passed over or put right more often than used."""
    net = told.used - told.ignored - told.corrected
    age = max(0.0, (now - told.at).total_seconds() / _DAY)
    return float(net / (abs(net) + _DOUBT) * 0.5 ** (age / HALF_DAYS))


def with_feedback(pairs: Sequence[Pair], told: Mapping[RecordId, Feedback], *, weight: float, now: datetime) -> Sequence[Pair]:
    """The candidates in their order once it counts; the first ones alone are moved."""
    untrusted = [one.score for record, one in pairs[:DEPTH] if record.trust is Trust.UNTRUSTED]
    moved = []
    for record, one in pairs[:DEPTH]:
        gain = weight * share_of(told[record.id], now) if record.id in told else 0.0
        if record.trust is Trust.UNTRUSTED:
            gain = min(0.0, gain)
        elif gain < 0:  # and it falls behind none that is not
            least = max((score for score in untrusted if score <= one.score), default=-inf)
            gain = max(gain, min(0.0, least + _APART - one.score))
        kept = replace(one, score=one.score + gain, channels={**one.channels, "feedback": gain}) if gain else one
        moved.append((record, kept))
    return [*sorted(moved, key=lambda pair: -pair[1].score), *pairs[DEPTH:]]
