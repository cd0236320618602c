"""How likely it is that the records hold an answer at all, so that an agent can say that it does not know.

Rule of this file: pure. The numbers were fitted on questions with and without an answer, of two kinds of history, each counting
as much as the other; benchmarks/README.md says how well they tell the two apart.
"""

from __future__ import annotations

from math import exp

HELD = 0.9
"""Confidence, at least, where a memory that holds fills the very place asked for."""
_CLOSENESS, _LEAD, _UNHELD, _BASE = 0.54, 1.61, 2.7, -0.46


def confidence(closeness: float, lead: float, unheld: float) -> float:
    """From 0 to 1. `closeness`: how much of the question the closest record holds, in words and in meaning together.

    `lead`: how much more of it the closest record of those whom it names holds than that of anybody else; what somebody else said
    of themselves is no answer. `unheld`: the share of its words, rare ones counting more, that no record holds
    at all; 0 where it names somebody, whose own words tell more.
    """
    return 1 / (1 + exp(-(_BASE + _CLOSENESS * closeness + _LEAD * lead - _UNHELD * unheld)))
