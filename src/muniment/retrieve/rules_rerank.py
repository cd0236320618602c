"""What a reranker's judgement changes: each candidate's score grows by its share, under a channel of its own.

Rule of this file: pure. Who was not judged counts as the mean of those who were; a text of no trust passes no trusted one that
stood before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from muniment.retrieve.rules import Ranked
from muniment.retrieve.rules_memories import in_place
from muniment.types import Record, Trust

Pair = tuple[Record, Ranked]

CHANNEL = "reranker"
MOST_SHARE = 10.0


def usable(score: object) -> float | None:
    """The score, or None for what is no number from 0 to 10."""
    if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score):
        return None
    return float(score) if 0 <= score <= MOST_SHARE else None


def reranked_pairs(pairs: Sequence[Pair], scores: Sequence[float | None], *, weight: float) -> list[Pair]:
    """All candidates in their new order; `scores` are those of the first of them. Without any score nothing changes."""
    judged = [score for score in scores if score is not None]
    if not judged:
        return list(pairs)
    mean = sum(judged) / len(judged)
    first = pairs[: len(scores)]
    before = {record.id: one.score for record, one in first}
    gains = {record.id: weight * (mean if score is None else score) for (record, _), score in zip(first, scores, strict=True)}
    untrusted = {record.id for record, _ in first if record.trust is Trust.UNTRUSTED}
    if untrusted:
        gains |= in_place(before, gains, untrusted)
    moved = [(record, _with_share(one, gains[record.id])) for record, one in first]
    return sorted([*moved, *pairs[len(scores) :]], key=lambda pair: -pair[1].score)


def _with_share(one: Ranked, gain: float) -> Ranked:
    return replace(one, score=one.score + gain, channels={**one.channels, CHANNEL: gain}) if gain else one
