"""The first look: candidates among the records of a scope, ranked inside the store's own read.

Rule of this file: a bounded number of reads inside the scope. The event loop is never held: ranking runs on the store's thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.retrieve.asking import Asked, Means
from muniment.retrieve.crowded import Wide, widened
from muniment.retrieve.joined import DEPTH, Joined, Pair, Reading, join, pairs_of
from muniment.retrieve.marked import marked
from muniment.retrieve.rules import Question, Ranking, askers, rank, read_question
from muniment.retrieve.rules_sources import Spread, spread
from muniment.shelf import Floats, Place, Shelf
from muniment.types import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a question found among records, best first.

    `wide` is set when one source crowded the first places and a wider search was made. `speakers` are whom the question names or,
    where it asks about oneself, who speaks there as the user. `lost` counts records that could not be read; without `knowledge`
    nothing was ever derived here.
    """

    question: Question
    ranking: Ranking
    speakers: Sequence[str]
    pairs: Sequence[Pair]
    wide: Spread | None
    lost: int
    knowledge: bool


async def look(query: str, vector: Floats | None, *, scope: Scope, asked: Asked, means: Means) -> Candidates:
    """Candidates for `query`, whose place in the space of meanings is `vector`."""
    seen: list[tuple[Question, Ranking, Sequence[str]]] = []
    limit, where, weights = asked.limit, asked.where, means.weights
    only = await marked(means.records, scope, where) if where.metadata else None
    depth = max(limit, DEPTH, means.judged)

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        question = read_question(query, means.now).with_vector(vector)
        ranking = rank(shelves, question, weights=weights, limit=depth, where=where, threshold=asked.threshold, only=only)
        speakers = ranking.speakers or (askers(shelves) if question.of_oneself else ())
        seen.append((question, ranking, speakers))
        return ranking.places

    found = await means.records.search(scope, choose)
    question, ranking, speakers = seen[-1]
    pairs: Sequence[Pair] = pairs_of(found, ranking.ranked, where)
    wide = None
    if spread(pairs[:limit]).crowded:
        wider = Wide(question=question, weights=weights, limit=depth, where=where, threshold=asked.threshold, only=only)
        wide = await widened(means.records, scope, wider)
        pairs = wide.pairs
    return Candidates(
        question=question,
        ranking=ranking,
        speakers=speakers,
        pairs=pairs,
        wide=wide,
        lost=len(found.lost),
        knowledge=found.knowledge,
    )


async def with_knowledge(found: Candidates, *, scope: Scope, asked: Asked, means: Means) -> Joined:
    """The candidates in their order once what they prove counts too."""
    if not found.knowledge:
        return Joined(pairs=found.pairs, proved={})
    reading = Reading(
        scope=scope,
        records=means.records,
        memories=means.memories,
        where=asked.where,
        now=means.now,
        threshold=asked.threshold,
        rules=means.rules,
        near=means.weights.meaning * means.weights.least_meaning,
    )
    return await join(found.question, found.pairs, speakers=found.speakers, reading=reading, weights=means.weights)
