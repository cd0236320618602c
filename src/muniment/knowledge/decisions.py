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

from muniment.knowledge.keys import plain
from muniment.knowledge.values import Act, Candidate, Link, Memory, Status
from muniment.text.terms import question_terms
from muniment.types import Trust

DECISION = "decision"
COMMITMENT = "commitment"
OUTCOME = "outcome"
"""The attribute of a statement that tells what came of a decision, where the decision itself is not known."""
KEPT, WITHDRAWN = "kept", "withdrawn"
"""The attributes of a statement that tells the end of a commitment."""
HINTED = 0.25
"""The confidence of what tells something of a decision or commitment only if one is known that it fits."""
BECAUSE_OF, LED_TO = "because_of", "led_to"
"""The relations that tie a decision to an earlier one that its reasons or conditions name, and that one to it."""
CONSIDERED_IN = "considered_in"
"""The part that names, by id, the records in which the options of a decision were weighed."""
PARTS = ("rationale", "alternatives", "depends_on", "outcome", "deadline")
"""The pieces a decision or commitment may have, in the order they are shown."""

_LEAST = 0.3
_CORE, _OPENING = 80, 10
"""Characters of what was decided, and words at the head of what is told, that name a decision."""
FINISHING = frozenset("do finish complete handle sort wrap close deliver make submit ship cancel drop skip".split())
"""Verbs that say of any deed that it is done, or that it will not be."""
_HALF, _ALL = 0.5, 0.75
"""How much of a promised thing must be named: with the verb of the promise, and with another."""
MOST_TOLD = 12
"""Outcomes that one decision keeps."""
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


_NAME = re.compile(r"(?<=[\w,] )(?:[A-Z][\w.+#-]*|[\w.+#-]*\d[\w.+#-]*)")
_TURNED = re.compile(
    r"\b(?:drop|reject|abandon|ditch|cancel|stop|scrap|shelv|kill|retir|remov|clos|against|ruled? out|turned down|moved? (?:off|away)|switch|replac|withdr|discontinu|not to)",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:(?P<against>drop(?:ped)?|reject(?:ed)?|abandon(?:ed)?|ditch(?:ed)?|cancel(?:led|ed)?|stop(?:ped)?(?: using)?|scrap(?:ped)?|shelved?|kill(?:ed)?|leave|left|turn(?:ed)? down|rul(?:e|ed) out|decided? against|move[d]? (?:off|away from)|switch(?:ed)? from|migrated? from|pass(?:ed)? on|get rid of|got rid of|fired?|sack(?:ed)?"
    r"|not (?:choose|pick|use|go with|take|adopt|buy|hire|keep))"
    r"|choose|chose|chosen|choosing|pick(?:ed|ing)?|us(?:e|ing)|go(?:ing)? (?:with|for)|went (?:with|for)|switch(?:ed)? to|moved? to|migrated? to|adopt(?:ed)?|buy|bought|hired?|decided? (?:on|for|to|about)|keep|kept|prefer(?:red)?|take|took|book(?:ed)?|settled? on|opt(?:ed)? for|replaced?|about|of|why) "
    r"(?P<thing>(?!(?:did|do|does|is|are|was|were|have|has|had|we|you|they|i|he|she|it)\b)[^?.,;]{2,80}?)(?= (?:for|over|instead|rather|in|on|at|because|and|when|as|by|last|this)\b|[?.,;]|$)",
    re.IGNORECASE,
)
"""What a question is about: what follows its verb."""


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
    shared = _ends if candidate.attribute in (KEPT, WITHDRAWN) else _names if hinted(candidate) else _shared
    said = candidate.evidence.said_at
    best: tuple[float, datetime, Memory] | None = None
    for memory in known:
        if not _open(memory, candidate, said):
            continue
        score = shared(words, memory, candidate)
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


def _shared(words: frozenset[str], memory: Memory, _candidate: Candidate) -> float:
    """The share of the fewer words, those told or the decision's own core, that both hold."""
    core = telling(memory.value) or telling(memory.text)
    if not words or not core:
        return 0.0
    both = words & core
    wider = words & telling(memory.text)
    return max(len(both) / min(len(words), len(core)), 0.8 * len(wider) / len(words)) if both or len(wider) > 1 else 0.0


def hinted(candidate: Candidate) -> bool:
    """True for what is nothing by itself: it is kept only where it fits a decision or commitment that is known."""
    return candidate.act is Act.OUTCOME and candidate.confidence <= HINTED


def _names(words: frozenset[str], memory: Memory, candidate: Candidate) -> float:
    """How much of what was decided the words name; they must name most of it, and not be the words that told it."""
    core = telling(memory.value.removeprefix("against ")[:_CORE])
    both = words & core
    told = {evidence.record for evidence in memory.evidence[:1]}
    if memory.kind != DECISION or not both or candidate.evidence.record in told or 2 * len(both) < min(len(core), 4):
        return 0.0
    if len(both) == 1 and not both & telling(" ".join(candidate.targets[:_OPENING])):
        return 0.0
    return max(_LEAST, len(both) / len(core))


def _ends(words: frozenset[str], memory: Memory, candidate: Candidate) -> float:
    """How much of what was promised the words tell as done or given up; it must be the same person's, unless nobody is named."""
    if memory.kind != COMMITMENT or (candidate.value != "*" and plain(candidate.subject) != plain(memory.subject)):
        return 0.0
    due = memory.value
    for deadline in memory.parts.get("deadline", ()):
        due = due.replace(deadline, " ")
    verb, _, rest = due.strip().partition(" ")
    deed = telling(rest)
    both = words & deed
    if not deed:
        return 1.0 if telling(verb) and telling(verb) <= words else 0.0
    near = len(both) / len(deed)
    if words <= telling(due):
        near = max(near, _ALL)
    done = candidate.targets[0] if candidate.targets else ""
    same = bool(telling(verb) & words) or plain(done) == plain(verb) or plain(done) in FINISHING
    return near if near >= (_HALF if same else _ALL) else 0.0


def causes(memory: Memory, known: Iterable[Memory]) -> tuple[Memory, ...]:
    """The decisions told before `memory`, a decision, that its reasons or conditions name: most of what each of them decided.

    What it decides itself names none, and untrusted words are never the cause of a trusted decision.
    """
    words = telling(" ".join((*memory.parts.get("rationale", ()), *memory.parts.get("depends_on", ())))) - telling(memory.value)
    at = memory.said_at or memory.recorded_at
    earlier = (one for one in known if one.kind == DECISION and one.id != memory.id and one.attribute != OUTCOME)
    return tuple(
        one
        for one in earlier
        if (one.said_at or one.recorded_at) <= at and one.trust is memory.trust and _named(words, telling(one.value[:_CORE]))
    )


def _named(words: frozenset[str], core: frozenset[str]) -> bool:
    return bool(words & core) and 2 * len(words & core) >= len(core)


def tied(memory: Memory, relation: str, other: Memory) -> Memory:
    """`memory` with this tie to `other`, once."""
    return replace(memory, links=tuple(dict.fromkeys((*memory.links, Link(relation=relation, memory=other.id)))))


def amended(memory: Memory, candidate: Candidate) -> Memory:
    """`memory` with the pieces that `candidate` adds to it and with its evidence: an outcome, or a reason told later."""
    more = {name: texts for name, texts in candidate.parts.items() if name in PARTS} or {"outcome": (candidate.text,)}
    parts = {
        **memory.parts,
        **{name: tuple(dict.fromkeys((*memory.parts.get(name, ()), *more[name])))[:MOST_TOLD] for name in more},
    }
    return replace(memory, parts=parts, evidence=tuple(dict.fromkeys((*memory.evidence, candidate.evidence))))


def answer(question: str, decisions: Sequence[Memory], *, least: float = 0.3) -> tuple[Ranked, ...]:
    """The decisions that answer `question`, best first; empty when none holds enough of its telling words, or not what it is about.

    A question without telling words ("What did we decide?") is answered by all, latest first. One that asks for a piece prefers,
    among decisions alike, those that have it.
    """
    words = telling(question)
    wants = asked(question)
    latest = sorted(decisions, key=lambda memory: memory.said_at or memory.recorded_at, reverse=True)
    if not words:
        return tuple(Ranked(memory=memory, score=1.0) for memory in latest)
    scored = [Ranked(memory=memory, score=len(words & _all_words(memory)) / len(words)) for memory in latest]
    kept = [one for one in scored if one.score >= least and _is_about(question, one.memory)]
    return tuple(sorted(kept, key=lambda one: (-round(one.score, 3), not _has(one.memory, wants))))


def _is_about(question: str, memory: Memory) -> bool:
    """Whether what the question names stands in the decision: what was taken, or, where it asks of turning down, what was not."""
    every = _all_words(memory)
    named = telling(" ".join(_NAME.findall(question)))
    if 2 * len(named & every) < len(named):
        return False
    things = [(found, telling(found["thing"])) for found in _THING.finditer(question)]
    things = [(found, words) for found, words in things if words]
    if not things:
        return True
    lost = telling(" ".join(memory.parts.get("alternatives", ()))) or (every if CONSIDERED_IN in memory.parts else frozenset())
    turned = memory.negated or bool(_TURNED.search(memory.text))
    return any(2 * len(words & (lost if found["against"] and not turned else every)) >= len(words) for found, words in things)


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
