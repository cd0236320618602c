"""Several queries, one answer: what each found stands together, every record as it answers best.

Rule of this file: pure. A score is the best that a record has with any of the queries, and each query keeps its own best hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from muniment.bundle import Listing
from muniment.errors import QueryError
from muniment.knowledge.values import Memory, MemoryId
from muniment.retrieve.joined import Joined, Pair
from muniment.retrieve.searching import Candidates
from muniment.retrieve.walk import Walk
from muniment.types import RecordId

MOST_QUERIES = 16

Tied = TypeVar("Tied", bound=tuple[Memory, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What one query found, in its order, and what was amiss on the way."""

    query: str
    found: Candidates
    joined: Joined
    listing: Listing | None = None
    walk: Walk = field(default_factory=Walk)
    notes: tuple[str, ...] = ()


def queries_of(query: object) -> dict[str, object]:
    """The queries by the name of their place. Raises QueryError for none, and for more than are asked at once."""
    if not isinstance(query, list | tuple):
        return {"query": query}
    if not query:
        raise QueryError("there is no query.", place="query", code="query_empty", hint="Give at least one query.")
    if len(query) > MOST_QUERIES:
        raise QueryError(
            f"{len(query)} queries were given; at most {MOST_QUERIES} are asked at once.",
            place="query",
            code="too_many",
            hint="Ask the rest apart.",
        )
    return {f"query[{number}]": one for number, one in enumerate(query)}


def together(searched: Sequence[Searched], limit: int) -> Joined:
    """What all of these found as one: the best `limit` of all first, among them the first of each query."""
    if len(searched) == 1:
        return searched[0].joined
    best: dict[RecordId, Pair] = {}
    proved: dict[RecordId, dict[MemoryId, Memory]] = {}
    for one in searched:
        for record, ranked in one.joined.pairs:
            if record.id not in best or ranked.score > best[record.id][1].score:
                best[record.id] = (record, ranked)
        for name, memories in one.joined.proved.items():
            proved.setdefault(name, {}).update((memory.id, memory) for memory in memories)
    joins = [one.joined for one in searched]
    return Joined(
        pairs=_ordered(best, {join.pairs[0][0].id for join in joins if join.pairs}, limit),
        proved={name: tuple(memories.values()) for name, memories in proved.items()},
        chains=_each_once(chain for join in joins for chain in join.chains),
        overruled=_each_once(pair for join in joins for pair in join.overruled),
        filling=frozenset().union(*(join.filling for join in joins)),
    )


def found_by(searched: Sequence[Searched], limit: int) -> Mapping[RecordId, tuple[int, ...]]:
    """By record, the numbers of the queries among whose first `limit` it is."""
    found: dict[RecordId, tuple[int, ...]] = {}
    for number, one in enumerate(searched):
        for record, _ in one.joined.pairs[:limit]:
            found[record.id] = (*found.get(record.id, ()), number)
    return found


def _each_once(tied: Iterable[Tied]) -> tuple[Tied, ...]:
    return tuple({tuple(memory.id for memory in one): one for one in tied}.values())


def _ordered(best: Mapping[RecordId, Pair], first: set[RecordId], limit: int) -> list[Pair]:
    """By score; of those behind the limit, the firsts of a query take the places of the last that are none."""
    pairs = sorted(best.values(), key=lambda pair: -pair[1].score)
    kept = [pair for pair in pairs if pair[0].id in first][:limit]
    others = [pair for pair in pairs if pair[0].id not in first][: limit - len(kept)]
    within = {record.id for record, _ in (*kept, *others)}
    return [pair for inside in (True, False) for pair in pairs if (pair[0].id in within) is inside]
