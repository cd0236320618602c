"""How much each reason counts when hits are ranked. One set serves every kind of history.

Rule of this file: numbers only. They were chosen on public dialogue and assistant histories together; benchmarks/README.md
says how, and what each is worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Shares of a hit's score. Words and meaning are about 0 to 1 before they are weighted; the others are bonuses.

    `words`: how much of the question stands in the entry or, by `reach` (steps away, share), around it. `meaning`: cosine of
    question and entry; `nearby`: the same of each entry one place away; `conversation`: the best cosine of the conversation.
    `speaker`: said by whom the question is about. `time`: said in the stretch of time the question names; it fades outside by
    `before_days` and `after_days`, from `outside` down. `telling`: says when, speaks of oneself, asks nothing.

    What a record proves counts too: `fact` that it proves anything, `slot` the very attribute asked for, by the share of the
    question that it covers, `kind` the kind asked for, `dated` a dated event where the question asks when, `event` an event
    inside the stretch of time it names. What took the place of something asked for has at least its score, and `holds` on top;
    what gave way loses `superseded`.

    `entities`: the entities that the question names, or its best candidates, lead to it over what ties them.

    `feedback`: the most that what was told of recall adds or takes; a bound, not a measure.

    `reranker` multiplies what a reranker says, where there is one; with 0 it is not asked.

    `inside` is the relevance of being said in that stretch alone. An entry without any word is a hit from `least_meaning` on,
    or in a conversation with one of `least_conversation`. `k1` and `b` are BM25's.
    """

    words: float = 1.3
    meaning: float = 1.0
    nearby: float = 0.2
    conversation: float = 1.2
    speaker: float = 0.6
    time: float = 0.6
    telling: float = 0.1
    reach: tuple[tuple[int, float], ...] = ((1, 0.7), (-1, 0.5), (2, 0.4), (-2, 0.3))
    fact: float = 0.03
    slot: float = 0.2
    holds: float = 0.4
    superseded: float = 0.1
    kind: float = 0.05
    dated: float = 0.05
    event: float = 0.2
    entities: float = 0.8
    feedback: float = 0.05
    reranker: float = 1.0
    outside: float = 0.6
    before_days: float = 3.0
    after_days: float = 7.0
    inside: float = 0.5
    least_meaning: float = 0.15
    least_conversation: float = 0.3
    k1: float = 1.2
    b: float = 0.4


def adjusted(weights: Weights, by: Mapping[str, float]) -> Weights:
    """`weights` with those that an architecture names put in their place."""
    return replace(weights, **by) if by else weights  # type: ignore[arg-type]  # `reach`, which is no number, cannot be named
