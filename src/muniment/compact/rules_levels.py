"""How far a span is shortened: levels by name, and the size each asks for.

Rule of this file: pure. A level is a share of the tokens; what cannot be said truly in it is said in the next wider one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.errors import QueryError, shown

CONSERVATIVE, BALANCED, AGGRESSIVE, ADAPTIVE, VERBATIM = "conservative", "balanced", "aggressive", "adaptive", "verbatim"
SHARES: Final = {AGGRESSIVE: 0.15, BALANCED: 0.4, CONSERVATIVE: 0.7, VERBATIM: 1.0}
LEVELS: Final = (CONSERVATIVE, BALANCED, AGGRESSIVE, ADAPTIVE)
STEPS: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85)
"""Shares tried one after another, from the one asked for up, before the records are served as they stand."""
_SHORT = 200
_DENSE, _THIN = 0.06, 0.02


def share_of(level: str, *, tokens: int, density: float) -> float:
    """The share of `tokens` that a level asks for. `density` is the worth of the span's statements per token, for adaptive.

    Raises QueryError for a level that is none.
    """
    if level == ADAPTIVE:
        if tokens <= _SHORT:
            return SHARES[VERBATIM]
        return SHARES[CONSERVATIVE] if density >= _DENSE else SHARES[BALANCED] if density >= _THIN else SHARES[AGGRESSIVE]
    if level not in SHARES:
        raise QueryError(f"the level is {shown(level)}.", place="level", code="range", hint=f"Use one of {', '.join(LEVELS)}.")
    return SHARES[level]


def wider(share: float) -> Sequence[float]:
    """The shares from `share` on, the last one the whole."""
    return (share, *(step for step in STEPS if step > share), 1.0)


def named(share: float) -> str:
    """The level whose size a share comes to: the nearest that is not smaller."""
    return next((level for level, most in SHARES.items() if share <= most), VERBATIM)
