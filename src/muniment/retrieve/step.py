"""Retrieve: check each query, embed it, find candidates, let what they prove count, and build the bundle.

Rule of this file: one stage after another, each in a file of its own. What is missing degrades the answer and is said; it never
turns into an empty success.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from muniment.bundle import Bundle, Health, Hit
from muniment.retrieve.asking import Asked, Means, check, checked, embed
from muniment.retrieve.context import Room, attached
from muniment.retrieve.counting import BOUNDED, listing
from muniment.retrieve.feedback import weighed
from muniment.retrieve.hits import counted, with_memories
from muniment.retrieve.reranked import reranked
from muniment.retrieve.rules_contradicted import told_contradictions
from muniment.retrieve.rules_sources import spread
from muniment.retrieve.rules_time import told_window
from muniment.retrieve.rules_told import (
    SHOWN,
    gave_way,
    told_as_of,
    told_blank,
    told_budget,
    told_lost,
    told_of_queries,
    told_of_sources,
    told_query,
)
from muniment.retrieve.searching import look, with_knowledge
from muniment.retrieve.several import Searched, found_by, queries_of, together
from muniment.retrieve.walk import led_to, walked
from muniment.shelf import Floats
from muniment.types import Scope


async def retrieve(query: str | Sequence[str], *, scope: Scope, asked: Asked, means: Means) -> Bundle:
    """Records of `scope` and its ancestors that answer `query`, best first: at most `limit`, within `budget` tokens together.

    Each is followed by what stands around it, as far as `context` tokens go. Several queries are one answer. A hit that does not
    fit into what is left of the budget is passed over for the next.
    Raises QueryError for a query, limit, budget, threshold or filter out of range.
    """
    queries = [checked(one, place) for place, one in queries_of(query).items()]
    check(asked)
    embedded = await asyncio.gather(*(embed(one, scope, means.records, means.embedder) for one in queries))
    searched = [
        await _searched(one, vector, note, scope=scope, asked=asked, means=means.for_question(one))
        for one, (vector, note) in zip(queries, embedded, strict=True)
    ]
    joined = together(searched, asked.limit)
    each = spread(joined.pairs)
    hits = await counted(each.pairs[: asked.limit], means.tokens, asked.budget)
    if joined.proved:
        hits = await with_memories(hits, joined, scope=scope, memories=means.memories, now=means.now)
    hits = led_to(hits, [one.walk for one in searched])
    if len(searched) > 1:
        by = found_by(searched, asked.limit)
        hits = tuple(replace(hit, queries=by.get(hit.record.id, ())) for hit in hits)
    hits = tuple(replace(hit, window=_window(hit, searched)) for hit in hits)
    left = asked.context if asked.budget is None else min(asked.context, asked.budget - sum(hit.tokens for hit in hits))
    around = await attached(hits, Room(tokens=left, where=asked.where), scope=scope, means=means)
    answered = tuple(told_query(one, number, hits, asked.threshold) for number, one in enumerate(searched))
    return Bundle(
        query="\n".join(queries),
        queries=answered,
        hits=around.hits,
        tokens=sum(hit.tokens for hit in around.hits),
        health=Health(
            searched=max(one.found.ranking.searched for one in searched),
            embedder=means.embedder.identity if means.embedder else None,
            notes=tuple(dict.fromkeys(note for one in searched for note in (*one.notes, told_lost(around.lost)) if note)),
        ),
        explanation=(
            *told_as_of(asked.where, wall=means.clock or means.now),
            *told_of_queries(answered),
            *gave_way(joined, hits),
            *told_contradictions(hits)[:SHOWN],
            *told_of_sources([one.found.wide for one in searched], each, hits),
            *([around.cut] if around.cut else []),
            *told_budget(len(each.pairs[: asked.limit]) - len(hits), asked.budget),
        ),
        confidence=min(one.confidence for one in answered),
        now=means.now,
    )


def _window(hit: Hit, searched: Sequence[Searched]) -> str:
    """Where it stands to the times that the queries which found it ask about."""
    return told_window(hit.record.said_at, [window for one in hit.queries for window in searched[one].found.question.windows])


async def _searched(query: str, vector: Floats | None, note: str, *, scope: Scope, asked: Asked, means: Means) -> Searched:
    """What one query found, ranked by all that speaks for it."""
    found = await look(query, vector, scope=scope, asked=asked, means=means)
    found, walk = await walked(found, scope=scope, asked=asked, means=means)
    joined = await with_knowledge(found, scope=scope, asked=asked, means=means)
    joined = await weighed(joined, scope=scope, asked=asked, means=means)
    joined, unjudged = await reranked(query, joined, means)
    listed = await listing(found, joined.pairs, scope=scope, where=asked.where, means=means)
    lost = told_lost(found.lost)
    bounded = BOUNDED if listed and BOUNDED in listed.notes else ""
    notes = (note, unjudged, told_blank(found.ranking), lost, bounded)
    return Searched(query=query, found=found, joined=joined, listing=listed, walk=walk, notes=notes)
