"""A second, wider search, for when copies of one text or hits of one source crowd the first places.

Rule of this file: bounded, and inside the scope. What users said themselves is looked for apart, so that no number of copies
hides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from muniment.ports import Search
from muniment.retrieve.joined import pairs_of
from muniment.retrieve.question import Question
from muniment.retrieve.rules import Ranked, rank
from muniment.retrieve.rules_columns import Places
from muniment.retrieve.rules_sources import Spread, spread
from muniment.retrieve.weights import Weights
from muniment.shelf import Place, Shelf
from muniment.types import Filter, Role, Scope

WIDELY = 50
"""Candidates looked at beyond the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """What is searched again: the question, how reasons count, how many hits are wanted, what narrows them."""

    question: Question
    weights: Weights
    limit: int
    where: Filter
    threshold: float
    only: Places | None = None


async def widened(search: Search, scope: Scope, wide: Wide) -> Spread:
    """More candidates than the limit, each source with one voice, best first."""
    chosen: list[Ranked] = []

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        chosen[:] = _best(shelves, wide)
        return [one.place for one in chosen]

    found = await search.search(scope, choose)
    return spread(pairs_of(found, chosen, wide.where))


def _best(shelves: Sequence[Shelf], wide: Wide) -> list[Ranked]:
    found = _ranked(shelves, wide, wide.limit + WIDELY, wide.where)
    if len(found) < wide.limit + WIDELY or wide.where.role is not None:
        return found
    there = {one.place for one in found}
    own = _ranked(shelves, wide, wide.limit, replace(wide.where, role=Role.USER))
    return [*found, *(one for one in own if one.place not in there)]


def _ranked(shelves: Sequence[Shelf], wide: Wide, limit: int, where: Filter) -> list[Ranked]:
    ranking = rank(
        shelves, wide.question, weights=wide.weights, limit=limit, where=where, threshold=wide.threshold, only=wide.only
    )
    return list(ranking.ranked)
