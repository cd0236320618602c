"""What the memories a record proves say about how well it answers: which slot, which kind, when, and whether it still holds.

Rule of this file: pure, and only among candidates that words, meaning and time have found. What no longer holds gives way to what
took its place, unless the question is about what was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from muniment.knowledge.values import Memory, Modality, Status
from muniment.retrieve.question import Question
from muniment.retrieve.weights import Weights
from muniment.retrieve.words_slots import ASKED_BY
from muniment.text.terms import terms
from muniment.text.times import Window

_ASKED = {
    "past": r"at first|original(?:ly)?|initial(?:ly)?|used to|previous(?:ly)?|former(?:ly)?|before|back then|earlier|old",
    "change": r"chang\w*|switch\w*|upgrad\w*|downgrad\w*|mov(?:e|ed)|since when|becom\w*|became|replac\w*",
    "when": r"when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long ago|since when",
    "decision": r"why did|why do|why are we|decid\w*|decisions?|cho(?:se|osen?|ice)|agreed?|reason\w*|rationale|alternatives?",
    "preference": r"prefer\w*|favou?rites?|likes?|enjoys?|loves?|hates?|dislikes?|recommend\w*|suggest\w*",
}
_PATTERNS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in _ASKED.items()}
_CHANGED, _STATED = 1.5, 0.4
"""Shares of a slot's weight: for what brought a change, when that is asked for; and for what is of the slot but not asked for."""
_KINDS = {"decision": ("decision", "commitment"), "preference": ("preference", "instruction")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question asks for, beyond its words."""

    about: frozenset[str]
    words: frozenset[str]
    windows: tuple[Window, ...]


def read_asked(question: Question) -> Asked:
    """What kind of thing the question wants to know."""
    about = frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(question.text))
    return Asked(about=about, words=frozenset(terms(question.text)), windows=question.windows)


def regard(asked: Asked, memories: Sequence[Memory], weights: Weights) -> float:
    """What a record gains, or loses, by the memories it proves."""
    held = [memory for memory in memories if memory.status in (Status.CURRENT, Status.SUPERSEDED)]
    if not held:
        return 0.0
    slot = [memory for memory in held if _in_slot(memory, asked.words)]
    score = weights.fact
    if slot:
        score += weights.slot * max(_standing(memory, asked, weights) for memory in slot)
    elif all(memory.status is Status.SUPERSEDED for memory in held) and "past" not in asked.about:
        score -= weights.slot * weights.superseded / 2
    kinds = {kind for name in asked.about for kind in _KINDS.get(name, ())}
    score += weights.kind * any(memory.kind in kinds for memory in held)
    if "when" in asked.about:
        score += weights.dated * any(memory.event is not None and memory.event.since is not None for memory in held)
    if asked.windows:
        score += weights.event * any(_inside(memory, asked.windows) for memory in held)
    return score


def in_view(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """A record's memories as a hit shows them: what holds first, then what no longer does."""
    shown = [memory for memory in memories if memory.status is not Status.MERGED]
    return tuple(sorted(shown, key=lambda memory: (memory.status is not Status.CURRENT, memory.kind, memory.id)))


def _standing(memory: Memory, asked: Asked, weights: Weights) -> float:
    """How a memory of the very slot asked for counts: the one that holds now, or the ones before it."""
    if memory.modality is not Modality.ASSERTED:
        return 0.0
    if "change" in asked.about or "when" in asked.about:
        return _CHANGED if memory.replaces else _STATED
    current = memory.status is Status.CURRENT
    if "past" in asked.about:
        return _STATED if current else 1.0
    return 1.0 if current else -weights.superseded


def _in_slot(memory: Memory, words: frozenset[str]) -> bool:
    return bool(memory.attribute) and not _slot_words(memory.attribute).isdisjoint(words)


@lru_cache(maxsize=4096)
def _slot_words(attribute: str) -> frozenset[str]:
    head, _, rest = attribute.partition(":")
    return frozenset(terms(f"{head.replace('_', ' ')} {rest} {ASKED_BY.get(head, '')}")) - _COMMON


_COMMON = frozenset(terms("in at of has is"))


def _inside(memory: Memory, windows: Sequence[Window]) -> bool:
    event = memory.event
    if event is None or event.since is None or event.until is None:
        return False
    return any(
        window.since is not None and window.until is not None and event.since < window.until and event.until > window.since
        for window in windows
    )
