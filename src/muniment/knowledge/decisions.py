"""Decisions among what is known: which one an outcome belongs to, what a later word adds to one, and which answer a question.

Rule of this file: pure. Matching is by shared telling words, then by what was decided last; nothing is matched by nearness alone.
"""

# ruff: noqa: E501, SIM905  a pattern and a list of words read best unbroken

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from muniment.knowledge.values import Candidate, Memory, Status
from muniment.text.terms import question_terms
from muniment.types import Trust

DECISION = "decision"
COMMITMENT = "commitment"
OUTCOME = "outcome"
"""The attribute of a statement that tells what came of a decision, where the decision itself is not known."""
PARTS = ("rationale", "alternatives", "depends_on", "outcome", "deadline")
"""The pieces a decision or commitment may have, in the order they are shown."""

_LEAST = 0.3
_CLOSE = 0.999
_GENERIC = frozenset(
    "decid decis choos chose chosen choic pick opt agre settl go went use switch move user other someth thing way work turn out came come "
    "result outcom altern option reason happen becaus plan instead rather adopt approach will team final commit promis why hindsight "
    "get got end make made good great bad well fine better month week year day time later ago now sinc like about want".split()
)


class Asked(StrEnum):
    """What a question wants of a decision."""

    WHAT = "what"
    WHY = "why"
    ALTERNATIVES = "alternatives"
    OUTCOME = "outcome"
    DEPENDS = "depends_on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A decision that answers a question; `score`, 0 to 1, is the share of the question's telling words it holds."""

    memory: Memory
    score: float


_ASKED = (
    (
        Asked.ALTERNATIVES,
        re.compile(
            r"\b(?:alternativ|other option|options? (?:did|were|was)|what else|instead of|(?:ruled|rule) out|reject|considered)",
            re.IGNORECASE,
        ),
    ),
    (
        Asked.OUTCOME,
        re.compile(
            r"\b(?:came of|come of|turn(?:ed)? out|outcome|result|work(?:ed)? out|how did|pay off|paid off|happened (?:after|with|to))",
            re.IGNORECASE,
        ),
    ),
    (Asked.DEPENDS, re.compile(r"\b(?:depends? on|condition|contingent|subject to)", re.IGNORECASE)),
    (
        Asked.WHY,
        re.compile(r"\b(?:why|reason|rationale|how come|what made)\b|为什么|为何|warum|pourquoi|por qu[ée]|なぜ", re.IGNORECASE),
    ),
)


def asked(question: str) -> Asked:
    """Which piece of a decision `question` wants."""
    return next((what for what, pattern in _ASKED if pattern.search(question)), Asked.WHAT)


def link_outcome(candidate: Candidate, known: Iterable[Memory]) -> Memory | None:
    """The current decision or commitment that `candidate`, an outcome, tells about; None when its words fit none.

    A decision fits when it shares enough telling words with the candidate's targets (its text where it has none), was not told
    later, and is trusted no less than asked for: untrusted words never tell how a trusted decision came out. Among those that
    fit alike the latest is taken.
    """
    words = telling(" ".join(candidate.targets)) or telling(candidate.text)
    said = candidate.evidence.said_at
    best: tuple[float, datetime, Memory] | None = None
    for memory in known:
        if not _open(memory, candidate, said):
            continue
        score = _shared(words, memory)
        at = memory.said_at or memory.recorded_at
        if score >= _LEAST and (best is None or (round(score, 1), at) > (round(best[0], 1), best[1])):
            best = (score, at, memory)
    return best[2] if best else None


def _open(memory: Memory, candidate: Candidate, said: datetime | None) -> bool:
    if memory.kind not in (DECISION, COMMITMENT) or memory.attribute == OUTCOME or memory.status is not Status.CURRENT:
        return False
    if candidate.trust is Trust.UNTRUSTED and memory.trust is Trust.TRUSTED:
        return False
    return not (said and memory.said_at and memory.said_at > said)


def _shared(words: frozenset[str], memory: Memory) -> float:
    """The share of the fewer words, those told or the decision's own core, that both hold."""
    core = telling(memory.value) or telling(memory.text)
    if not words or not core:
        return 0.0
    both = words & core
    wider = words & telling(memory.text)
    return max(len(both) / min(len(words), len(core)), 0.8 * len(wider) / len(words)) if both or len(wider) > 1 else 0.0


def amended(memory: Memory, candidate: Candidate) -> Memory:
    """`memory` with the pieces that `candidate` adds to it and with its evidence: an outcome, or a reason told later."""
    more = {name: texts for name, texts in candidate.parts.items() if name in PARTS} or {"outcome": (candidate.text,)}
    parts = {**memory.parts, **{name: tuple(dict.fromkeys((*memory.parts.get(name, ()), *more[name]))) for name in more}}
    return replace(memory, parts=parts, evidence=tuple(dict.fromkeys((*memory.evidence, candidate.evidence))))


def answer(question: str, decisions: Sequence[Memory], *, least: float = 0.3) -> tuple[Ranked, ...]:
    """The decisions that answer `question`, best first; empty when none holds enough of its telling words.

    A question without telling words ("What did we decide?") is answered by all, latest first. One that asks for a piece prefers,
    among decisions alike, those that have it.
    """
    words = telling(question)
    wants = asked(question)
    latest = sorted(decisions, key=lambda memory: memory.said_at or memory.recorded_at, reverse=True)
    if not words:
        return tuple(Ranked(memory=memory, score=1.0) for memory in latest)
    scored = [Ranked(memory=memory, score=len(words & _all_words(memory)) / len(words)) for memory in latest]
    kept = [one for one in scored if one.score >= least]
    return tuple(sorted(kept, key=lambda one: (-round(one.score, 3), not _has(one.memory, wants))))


def _has(memory: Memory, wants: Asked) -> bool:
    return wants is Asked.WHAT or bool(memory.parts.get("rationale" if wants is Asked.WHY else wants.value))


def _all_words(memory: Memory) -> frozenset[str]:
    told = (text for name in PARTS for text in memory.parts.get(name, ()))
    return telling(" ".join((memory.text, memory.value, *told)))


@lru_cache(maxsize=8192)
def telling(text: str) -> frozenset[str]:
    """The stems of the words of `text` that say what it is about, without those that any decision may hold."""
    found = (term.forms[0] for term in question_terms(text[:LONGEST], fall_back=False))
    return frozenset(stem for stem in found if stem not in _GENERIC)


LONGEST = 2000
"""Characters of a text that are matched."""
