"""Retrieve: check the query, embed it, find candidates, let what they prove count, and build the bundle.

Rule of this file: one stage after another, each in a file of its own. What is missing degrades the answer and is said; it never
turns into an empty success.
"""

from __future__ import annotations

from muniment.bundle import Bundle, Health
from muniment.retrieve.asking import Asked, Means, check, embed
from muniment.retrieve.hits import counted, with_memories
from muniment.retrieve.reranked import reranked
from muniment.retrieve.rules_contradicted import told_contradictions
from muniment.retrieve.rules_sources import spread
from muniment.retrieve.rules_told import SHOWN, confidence, gave_way, told_blank, told_of_sources, told_question
from muniment.retrieve.searching import look, with_knowledge
from muniment.types import Scope


async def retrieve(query: str, *, scope: Scope, asked: Asked, means: Means) -> Bundle:
    """Records of `scope` and its ancestors that answer `query`, best first: at most `limit`, within `budget` tokens together.

    A hit that does not fit into what is left of the budget is passed over for the next.
    Raises QueryError for a query, limit, budget, threshold or filter out of range.
    """
    check(query, asked)
    vector, note = await embed(query, scope, means.records, means.embedder)
    found = await look(query, vector, scope=scope, asked=asked, means=means)
    joined = await with_knowledge(found, scope=scope, asked=asked, means=means)
    joined, unjudged = await reranked(query, joined, means)
    each = spread(joined.pairs)
    hits = await counted(each.pairs[: asked.limit], means.tokens, asked.budget)
    if joined.proved:
        hits = await with_memories(hits, joined, scope=scope, memories=means.memories, now=means.now)
    notes = [
        note,
        unjudged,
        told_blank(found.ranking),
        f"{found.lost} records could not be read; run the doctor." if found.lost else "",
    ]
    return Bundle(
        query=query,
        hits=hits,
        tokens=sum(hit.tokens for hit in hits),
        health=Health(
            searched=found.ranking.searched,
            embedder=means.embedder.identity if means.embedder else None,
            notes=tuple(n for n in notes if n),
        ),
        explanation=(
            *told_question(found.question, found.ranking, asked.threshold, found=bool(hits)),
            *gave_way(joined, hits),
            *told_contradictions(hits)[:SHOWN],
            *told_of_sources(found.wide, each, hits),
        ),
        confidence=confidence(found.ranking, joined, hits),
    )
