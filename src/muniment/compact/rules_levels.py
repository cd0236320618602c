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
_STEP = 1.25
"""How much wider each share is than the one before, when a span is relaxed."""
_SMALLEST, _WIDEST = 0.02, 0.9
_SHORT = 200
_DENSE, _THIN = 0.03, 0.002
_LEAST, _MOST = 0.15, 0.7


def share_of(level: str, *, tokens: int, density: float, repeated: float) -> float:
    """The share of `tokens` that a level asks for.

    For adaptive, `density` is the weight of the span's claims per token and `repeated` the share of its telling words that had
    been told before: what claims much is shortened little, what repeats itself much. Raises QueryError for a level that is none.
    """
    if level == ADAPTIVE:
        if tokens <= _SHORT:
            return SHARES[VERBATIM]
        dense = min(1.0, max(0.0, (density - _THIN) / (_DENSE - _THIN)))
        return _LEAST + (_MOST - _LEAST) * dense * (1 - min(1.0, repeated) / 2)
    if level not in SHARES:
        raise QueryError(f"the level is {shown(level)}.", place="level", code="range", hint=f"Use one of {', '.join(LEVELS)}.")
    return SHARES[level]


def wider(share: float) -> Sequence[float]:
    """The shares from `share` on, the last one the whole."""
    found = [share]
    step = max(share, _SMALLEST) * _STEP
    while share < 1 and step < _WIDEST:
        found.append(step)
        step *= _STEP
    return (*(one for one in found if one < 1), 1.0)


def named(share: float) -> str:
    """The level whose size a share comes to: the nearest that is not smaller."""
    return next((level for level, most in SHARES.items() if share <= most), VERBATIM)
