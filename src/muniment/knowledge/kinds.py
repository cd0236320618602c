"""Kinds of an architecture's own: which of them a candidate is, by the cues that the architecture names.

Rule of this file: readers know the standard kinds. What fills a slot with one current value stays of its kind, so that slots stay
whole; anything else becomes the kind whose cues speak most for it.
"""

from __future__ import annotations

from functools import lru_cache

from muniment.knowledge.architecture import Architecture, KindRule
from muniment.knowledge.values import Candidate
from muniment.text.terms import normal, terms

READ_KINDS = frozenset({"fact", "preference", "event", "decision", "commitment", "procedure", "instruction"})
"""The kinds that readers give."""

_SHORTEST = len("due")
"""Letters of a cue that tells something by itself."""
_OPEN = frozenset({"fact", "event"})


def kind_of(candidate: Candidate, architecture: Architecture) -> str:
    """The kind this candidate is under an architecture: its own, or one that the architecture adds and whose cues it holds.

    Facts and events may become one, and whatever is of a kind that is not kept. Of two kinds the one with more cues wins, then
    the first.
    """
    rule = architecture.kind(candidate.kind)
    if rule is not None and (candidate.kind not in _OPEN or _fills_a_slot(candidate, rule)):
        return candidate.kind
    added = _added(architecture)
    if not added:
        return candidate.kind
    found, folded = frozenset(terms(candidate.text)), f" {normal(candidate.text)} "
    counts = [sum(_holds(cue, found, folded) for cue in _cues(one.cues)) for one in added]
    most = max(counts)
    return added[counts.index(most)].name if most else candidate.kind


def cued(text: str, architecture: Architecture) -> bool:
    """True when `text` holds a cue of a kind that the architecture adds, or then of its events: what its agent is to remember."""
    added = _added(architecture)
    event = architecture.kind("event") if added else None
    kinds = [*added, event] if event is not None and event.enabled else added
    cues = [cue for one in kinds for cue in _cues(one.cues) if len(cue[0]) >= _SHORTEST]
    if not cues:
        return False
    found, folded = frozenset(terms(text)), f" {normal(text)} "
    return any(_holds(cue, found, folded) for cue in cues)


def _added(architecture: Architecture) -> list[KindRule]:
    return [one for one in architecture.kinds if one.enabled and one.cues and one.name not in READ_KINDS]


def _fills_a_slot(candidate: Candidate, rule: KindRule) -> bool:
    functional = candidate.functional if candidate.functional is not None else rule.holds_one(candidate.attribute)
    return bool(candidate.attribute) and functional


def _holds(cue: tuple[str, str], found: frozenset[str], folded: str) -> bool:
    """A cue of one word is met by any of its forms, one of several words as it stands."""
    phrase, stem = cue
    return f" {phrase} " in folded if " " in phrase else stem in found


@lru_cache(maxsize=1024)
def _cues(cues: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((normal(cue), next(iter(terms(cue)), "")) for cue in cues)
