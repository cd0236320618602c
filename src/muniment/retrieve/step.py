"""Retrieve: check each query, embed it, find candidates, let what they prove count, and build the bundle.

Rule of this file: one stage after another, each in a file of its own. What is missing degrades the answer and is said; it never
turns into an empty success.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from muniment.bundle import Bundle, Health, Hit
from muniment.ports import Embedder
from muniment.retrieve.asking import Asked, Means, Query, Speakers, check, checked, embed, speakers_in
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
from muniment.types import Scope


async def retrieve(query: str | Sequence[str], *, scope: Scope, asked: Asked, means: Means) -> Bundle:
    """Records of `scope` and its ancestors that answer `query`, best first: at most `limit`, within `budget` tokens together.

    Each is followed by what stands around it, as far as `context` tokens go. Several queries are one answer. A hit that does not
    fit into what is left of the budget is passed over for the next.
    Raises QueryError for a query, limit, budget, threshold or filter out of range.
    """
    check(asked)
    queries = await embedded(checked_queries(query), partial(speakers_in, scope=scope, search=means.records), means.embedder)
    return await answer(queries, scope=scope, asked=asked, means=means)


def checked_queries(query: str | Sequence[str]) -> list[str]:
    """The queries, each of which can be asked. Raises QueryError for one that cannot."""
    return [checked(one, place) for place, one in queries_of(query).items()]


async def embedded(queries: Sequence[str], speakers: Speakers, embedder: Embedder | None) -> list[Query]:
    """Each query with its place in the space of meanings."""
    return await asyncio.gather(*(embed(one, speakers, embedder) for one in queries))


async def answer(queries: Sequence[Query], *, scope: Scope, asked: Asked, means: Means) -> Bundle:
    """The answer to queries that are checked and embedded. It waits for nothing but its `means`."""
    searched = [await _searched(one, scope=scope, asked=asked, means=means.for_question(one.text)) for one in queries]
    joined = together(searched, asked.limit)
    each = spread(joined.pairs)
    hits = await counted(each.pairs[: asked.limit], means, asked.budget)
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
        query="\n".join(one.text for one in queries),
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


async def _searched(query: Query, *, scope: Scope, asked: Asked, means: Means) -> Searched:
    """What one query found, ranked by all that speaks for it."""
    found = await look(query.text, query.vector, scope=scope, asked=asked, means=means)
    found, walk = await walked(found, scope=scope, asked=asked, means=means)
    joined = await with_knowledge(found, scope=scope, asked=asked, means=means)
    joined = await weighed(joined, scope=scope, asked=asked, means=means)
    joined, unjudged = await reranked(query.text, joined, means)
    listed = await listing(found, joined.pairs, scope=scope, where=asked.where, means=means)
    lost = told_lost(found.lost)
    bounded = BOUNDED if listed and BOUNDED in listed.notes else ""
    notes = (query.note, unjudged, told_blank(found.ranking), lost, bounded)
    return Searched(query=query.text, found=found, joined=joined, listing=listed, walk=walk, notes=notes)
