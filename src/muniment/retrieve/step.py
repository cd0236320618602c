"""Retrieve: check the query, embed it, rank inside the store's own read, and build the bundle.

Rule of this file: what is missing degrades the answer and is said; it never turns into an empty success. The event loop is never
held: reading and ranking run on the store's thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from muniment.bundle import Bundle, Health, Hit
from muniment.errors import ProviderError, QueryError, shown
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.contradicted import against, other_sides
from muniment.ports import Embedder, Search, Tokens
from muniment.retrieve.crowded import Wide, widened
from muniment.retrieve.joined import DEPTH, FIRST, Joined, Pair, Reading, join, pairs_of
from muniment.retrieve.rules import Question, Ranked, Ranking, Weights, askers, rank, read_question, speakers_named
from muniment.retrieve.rules_confidence import HELD
from muniment.retrieve.rules_contradicted import told_contradictions
from muniment.retrieve.rules_memories import in_view
from muniment.retrieve.rules_rungs import told_overruled
from muniment.retrieve.rules_sources import Spread, spread, told_sources
from muniment.retrieve.rules_succession import told
from muniment.retrieve.sight import Finding, Recalling
from muniment.shelf import Floats, Place, Shelf
from muniment.text.names import may_name, without
from muniment.text.terms import is_blank
from muniment.types import Filter, Record, Scope, check_whole, words_of

QUERY_BYTES = 8192
MOST_HITS = 1000
MOST_TOKENS = 1_000_000_000
CLOSE = 0.3
"""Relevance under which a hit is more likely chance than an answer; `CLOSE_UNSAID` when no record holds a word of the query."""
CLOSE_UNSAID = 0.4
_SHOWN = 10
_ON_LOOP = 20_000
_UNIT_WITHIN = 0.01
"""How far the length of a vector may be from 1, as rounding to half precision leaves it."""


async def retrieve(
    query: str,
    *,
    scope: Scope,
    search: Finding,
    memories: Recalling,
    embedder: Embedder | None,
    tokens: Tokens,
    weights: Weights,
    limit: int,
    budget: int | None,
    where: Filter,
    now: datetime,
    threshold: float = 0.0,
    rules: Architecture | None = None,
) -> Bundle:
    """Records of `scope` and its ancestors that answer `query`, best first: at most `limit`, within `budget` tokens together.

    A hit that does not fit into what is left of the budget is passed over for the next. `threshold` is the least relevance;
    `rules` say by which channels a kind of memory is found.
    Raises QueryError for a query, limit, budget, threshold or filter out of range.
    """
    _check(query, limit=limit, budget=budget, threshold=threshold, where=where)
    vector, note = await _embed(query, scope, search, embedder)
    seen: list[tuple[Question, Ranking, Sequence[str], Sequence[Scope]]] = []
    first = max(limit, FIRST)

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        question = read_question(query, now).with_vector(vector)
        ranking = rank(shelves, question, weights=weights, limit=max(limit, DEPTH), where=where, threshold=threshold)
        speakers = ranking.speakers or (askers(shelves) if question.of_oneself else ())
        seen.append((question, ranking, speakers, [shelf.scope for shelf in shelves]))
        return ranking.places[:first]

    def more(shelves: Sequence[Shelf]) -> Sequence[Place]:
        same = [shelf.scope for shelf in shelves] == seen[-1][3]
        return seen[-1][1].places[first:] if same else ()

    async def deeper() -> Sequence[Pair]:
        rest = () if wide else seen[-1][1].ranked[first:]
        return pairs_of(await search.search(scope, more), rest, where) if rest else ()

    found = await search.search(scope, choose)
    question, ranking, speakers, _ = seen[-1]
    pairs: Sequence[Pair] = pairs_of(found, ranking.ranked[:first], where)
    wide = None
    if spread(pairs[:limit]).crowded:
        wider = Wide(question=question, weights=weights, limit=max(limit, DEPTH), where=where, threshold=threshold)
        wide = await widened(search, scope, wider)
        pairs = wide.pairs
    joined = Joined(pairs=pairs, proved={})
    if found.knowledge:
        reading = Reading(scope=scope, records=search, memories=memories, where=where, now=now, threshold=threshold)
        reading = replace(reading, rules=rules or Architecture(), near=weights.meaning * weights.least_meaning)
        joined = await join(question, pairs, deeper=deeper, speakers=speakers, reading=reading, weights=weights)
    each = spread(joined.pairs)
    hits = await _counted(each.pairs[:limit], tokens, budget)
    hits = await _with_memories(hits, joined, scope=scope, memories=memories, now=now) if joined.proved else hits
    notes = [note, _blank(ranking), f"{len(found.lost)} records could not be read; run the doctor." if found.lost else ""]
    return Bundle(
        query=query,
        hits=hits,
        tokens=sum(hit.tokens for hit in hits),
        health=Health(
            searched=ranking.searched,
            embedder=embedder.identity if embedder else None,
            notes=tuple(n for n in notes if n),
        ),
        explanation=(
            *_explanation(question, ranking, threshold, found=bool(hits)),
            *_gave_way(joined, hits),
            *told_contradictions(hits)[:_SHOWN],
            *_sources(wide, each, hits),
        ),
        confidence=_confidence(ranking, joined, hits),
    )


def _check(query: object, *, limit: object, budget: object, threshold: object, where: Filter) -> None:
    if not isinstance(query, str) or is_blank(query):
        raise QueryError(
            "the query is empty.", place="query", code="query_empty", hint="Ask in words, or use list to see what is there."
        )
    try:
        size = len(query.encode())
    except UnicodeEncodeError as error:
        raise QueryError(
            "the query holds half of a character (a lone surrogate).",
            place="query",
            code="invalid_unicode",
            hint="Decode the text with errors='replace' before asking.",
        ) from error
    if "\0" in query:
        raise QueryError("the query holds a NUL.", place="query", code="nul_not_allowed", hint="Take it out.")
    if size > QUERY_BYTES:
        raise QueryError(
            f"the query is {size} bytes long; at most {QUERY_BYTES} are searched.",
            place="query",
            code="query_too_long",
            hint="Ask for the heart of it in a sentence or two.",
        )
    check_whole("limit", limit, MOST_HITS)
    if budget is not None:
        check_whole("budget", budget, MOST_TOKENS)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise QueryError(f"threshold is {shown(threshold)}.", place="threshold", code="range", hint="Give a number from 0 to 1.")
    for name, at in (("since", where.since), ("until", where.until)):
        if at is not None and at.utcoffset() is None:
            raise QueryError(f"{name} has no time zone.", place=name, code="tz_required", hint="Give an aware datetime.")


async def _embed(query: str, scope: Scope, search: Search, embedder: Embedder | None) -> tuple[Floats | None, str]:
    """The query's vector, without the names of speakers it speaks of, which would drown the rest; or None and why."""
    if embedder is None:
        return None, ""
    text = without(query, await _speakers(query, scope, search)) if may_name(query) else query
    try:
        vector = np.asarray(await embedder.query(text))
    except Exception as error:  # noqa: BLE001  # an embedder may be a stranger's code; its failure costs meaning, not words
        why = error.message if isinstance(error, ProviderError) else f"{type(error).__name__}."
        return None, f"Found by words alone, since the embedder failed: {why}"
    if vector.shape != (embedder.dim,) or not abs(np.linalg.norm(vector.astype(np.float64)) - 1) < _UNIT_WITHIN:
        return None, "Found by words alone, since the embedder failed: it gave a vector that cannot be used."
    return vector, ""


async def _speakers(query: str, scope: Scope, search: Search) -> tuple[str, ...]:
    names: list[str] = []

    def look(shelves: Sequence[Shelf]) -> Sequence[Place]:
        names.extend(speakers_named(shelves, query))
        return ()

    await search.search(scope, look)
    return tuple(names)


def _hits(records: Sequence[Record], ranked: Sequence[Ranked], tokens: Tokens, budget: int | None) -> tuple[Hit, ...]:
    hits = []
    left = budget
    for record, one in zip(records, ranked, strict=True):
        count = tokens.count(words_of(record))
        if left is not None:
            if count > left:
                continue
            left -= count
        hits.append(
            Hit(
                record=record,
                score=one.score,
                tokens=count,
                relevance=one.relevance,
                channels=one.channels,
                terms=one.terms,
                passage=one.passage,
            )
        )
    return tuple(hits)


async def _counted(pairs: Sequence[Pair], tokens: Tokens, budget: int | None) -> tuple[Hit, ...]:
    """The hits that fit the budget, counted off the loop where that takes long."""
    records, ranked = [record for record, _ in pairs], [one for _, one in pairs]
    if sum(len(record.text) for record in records) > _ON_LOOP:
        return await asyncio.to_thread(_hits, records, ranked, tokens, budget)
    return _hits(records, ranked, tokens, budget)


async def _with_memories(
    hits: Sequence[Hit], joined: Joined, *, scope: Scope, memories: Recalling, now: datetime
) -> tuple[Hit, ...]:
    """The hits with what they prove, and what other agents claim instead of that."""
    shown = [replace(hit, memories=in_view(joined.proved.get(hit.record.id, ()))) for hit in hits]
    sides = other_sides(memory for hit in shown for memory in hit.memories)
    if not sides:
        return tuple(shown)
    known = {memory.id: memory for memory in await memories.memory(scope, sides)}
    return tuple(replace(hit, against=against(hit.memories, known, now)) for hit in shown)


def _blank(ranking: Ranking) -> str:
    return (
        f"{ranking.blank} passages have no vector and were found by words alone; `muniment doctor --repair` adds them."
        if ranking.blank
        else ""
    )


def _least(question: Question, ranking: Ranking) -> float:
    """The relevance under which an answer is more likely chance."""
    unsaid = bool(question.terms) and len(ranking.unheld) >= len(question.terms)
    return CLOSE_UNSAID if unsaid else CLOSE


def _explanation(question: Question, ranking: Ranking, threshold: float, *, found: bool) -> tuple[str, ...]:
    """How the question was read and how close the answer comes, in sentences."""
    lines = []
    if ranking.speakers:
        lines.append(f"About what these said: {', '.join(ranking.speakers)}.")
    if question.windows:
        asked = " or ".join(f"{window} ({window.words})" for window in question.windows)
        said = f"{ranking.inside} passages were said then" if ranking.inside else "nothing was said then"
        nearest = f"; the nearest is of {ranking.nearest:%Y-%m-%d}" if ranking.nearest else ""
        lines.append(f"Asked about {asked}: {said}{nearest}.")
    if not question.terms and not question.windows:
        lines.append("The query holds no word to look for.")
    if ranking.below:
        lines.append(f"{ranking.below} records were below the threshold of {threshold:g}.")
    if ranking.unheld:
        lines.append(f"In no record: {', '.join(ranking.unheld[:_SHOWN])}{', …' if len(ranking.unheld) > _SHOWN else ''}.")
    if not ranking.ranked and not found:
        lines.append(
            "Nothing found: no record holds a word of the query or comes near its meaning; nothing is known here about it."
        )
    elif ranking.ranked and max(one.relevance for one in ranking.ranked) < _least(question, ranking):
        lines.append("Low confidence: nothing here comes close to the query.")
    return tuple(lines)


def _sources(wide: Spread | None, each: Spread, hits: Sequence[Hit]) -> list[str]:
    """What stands for several, and what gave way to other sources."""
    copies = {**each.copies, **(wide.copies if wide else {})}
    return told_sources(copies, [hit.record.id for hit in hits], each.surplus if each.gave_way else ())


def _confidence(ranking: Ranking, joined: Joined, hits: Sequence[Hit]) -> float:
    """That of the ranking; of what holds now in the very place asked for, when it comes first."""
    if not hits:
        return 0.0
    answers = any(memory.id in joined.held for memory in hits[0].memories)
    return max(ranking.confidence, HELD) if answers else ranking.confidence


def _gave_way(joined: Joined, hits: Sequence[Hit]) -> list[str]:
    """What no longer holds among the hits and what took its place, and what holds on a wider rung but not for who asks."""
    shown = {memory.id for hit in hits for memory in hit.memories}
    gone = [told(chain) for chain in joined.chains if any(memory.id in shown for memory in chain)]
    return [*gone, *told_overruled(joined.overruled, shown)][:_SHOWN]
