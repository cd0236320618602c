"""Hits out of candidates: what fits the budget, and what each record proves.

Rule of this file: it counts and dresses what was chosen; it chooses only by the budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from muniment.bundle import Hit
from muniment.knowledge.contradicted import against, other_sides
from muniment.ports import Tokens
from muniment.retrieve.asking import Means
from muniment.retrieve.joined import Joined, Pair
from muniment.retrieve.rules import Ranked
from muniment.retrieve.rules_memories import in_view
from muniment.retrieve.sight import Recalling
from muniment.types import Record, Scope, words_of

_ON_LOOP = 20_000


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


async def counted(pairs: Sequence[Pair], means: Means, budget: int | None) -> tuple[Hit, ...]:
    """The hits that fit the budget, counted off the loop where that takes long."""
    records, ranked = [record for record, _ in pairs], [one for _, one in pairs]
    if sum(len(record.text) for record in records) > _ON_LOOP:
        return await means.aside(_hits, records, ranked, means.tokens, budget)
    return _hits(records, ranked, means.tokens, budget)


async def with_memories(
    hits: Sequence[Hit], joined: Joined, *, scope: Scope, memories: Recalling, now: datetime
) -> tuple[Hit, ...]:
    """The hits with what they prove, and what other agents claim instead of that."""
    shown = [replace(hit, memories=in_view(joined.proved.get(hit.record.id, ()))) for hit in hits]
    sides = other_sides(memory for hit in shown for memory in hit.memories)
    if not sides:
        return tuple(shown)
    known = {memory.id: memory for memory in await memories.memory(scope, sides)}
    return tuple(replace(hit, against=against(hit.memories, known, now)) for hit in shown)
