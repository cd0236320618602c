"""Before anything is looked for: a query that can be asked, and its place in the space of meanings.

Rule of this file: what cannot be asked is refused with its reason; an embedder that fails costs meaning, not words, and is said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

import numpy as np

from muniment.errors import ProviderError, QueryError, shown
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Feedback, WorkItem
from muniment.ports import Embedder, Reranker, Search, Tokens
from muniment.retrieve.rules import speakers_named
from muniment.retrieve.rules_asked import asks_for
from muniment.retrieve.sight import Finding, Recalling
from muniment.retrieve.weights import Weights, adjusted
from muniment.shelf import Floats, Place, Shelf
from muniment.text.names import may_name, without
from muniment.text.terms import is_blank
from muniment.types import Filter, RecordId, Scope, check_whole

QUERY_BYTES = 8192
MOST_HITS = 1000
MOST_TOKENS = 1_000_000_000
_UNIT_WITHIN = 0.01
"""How far the length of a vector may be from 1, as rounding to half precision leaves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is wanted of an answer, by which agent, in which conversation. `threshold` is the least relevance of a hit.

    `context` is how many tokens what stands around the hits may take, within the `budget` where there is one.
    """

    limit: int
    budget: int | None = None
    threshold: float = 0.0
    where: Filter = field(default_factory=Filter)
    agent: str = "default"
    conversation: str | None = None
    context: int = 0


class Query(NamedTuple):
    """A query that can be asked, and its place in the space of meanings; None where there is none, and a `note` of why."""

    text: str
    vector: Floats | None = None
    note: str = ""


Speakers = Callable[[str], Awaitable[Sequence[str]]]
"""The speakers whom a query names."""
Work = ParamSpec("Work")
Value = TypeVar("Value")


class Aside(Protocol):
    """Does what takes long where it holds nobody up."""

    def __call__(self, work: Callable[Work, Value], /, *args: Work.args, **kwargs: Work.kwargs) -> Awaitable[Value]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a question is answered with. `rules` say by which channels a kind of memory is found.

    `now` is the moment that the question is asked from, and `clock` what the clock on the wall shows, where that is another.
    `told` gives what was told of recall, and `work` how far the reading of records is; without it nothing is taken to wait.
    `aside` is where what takes long is done.
    """

    records: Finding
    memories: Recalling
    embedder: Embedder | None
    tokens: Tokens
    weights: Weights
    now: datetime
    rules: Architecture = field(default_factory=Architecture)
    clock: datetime | None = None
    reranker: Reranker | None = None
    told: Callable[[Scope, Sequence[RecordId]], Awaitable[Sequence[Feedback]]] | None = None
    work: Callable[[Scope, Sequence[RecordId]], Awaitable[Sequence[WorkItem]]] | None = None
    aside: Aside = asyncio.to_thread

    def for_question(self, query: str) -> Means:
        """The same with the weights that the agent's rules give to questions of this kind."""
        by = self.rules.question_weights
        kinds = [kind for kind in by if kind in asks_for(query)]
        return replace(self, weights=reduce(adjusted, (by[kind] for kind in kinds), self.weights)) if kinds else self

    @property
    def judged(self) -> int:
        """How many candidates a reranker wants to see."""
        return self.reranker.most if self.reranker is not None and self.weights.reranker > 0 else 0


def checked(query: object, place: str) -> str:
    """Return what can be asked; raise QueryError, naming the place, for anything else."""
    if not isinstance(query, str) or is_blank(query):
        raise QueryError(
            "the query is empty.", place=place, code="query_empty", hint="Ask in words, or use list to see what is there."
        )
    try:
        size = len(query.encode())
    except UnicodeEncodeError as error:
        raise QueryError(
            "the query holds half of a character (a lone surrogate).",
            place=place,
            code="invalid_unicode",
            hint="Decode the text with errors='replace' before asking.",
        ) from error
    if "\0" in query:
        raise QueryError("the query holds a NUL.", place=place, code="nul_not_allowed", hint="Take it out.")
    if size > QUERY_BYTES:
        raise QueryError(
            f"the query is {size} bytes long; at most {QUERY_BYTES} are searched.",
            place=place,
            code="query_too_long",
            hint="Ask for the heart of it in a sentence or two.",
        )
    return query


def check(asked: Asked) -> None:
    """Raises QueryError for what is out of range."""
    check_whole("limit", asked.limit, MOST_HITS)
    check_whole("context", asked.context, MOST_TOKENS, least=0)
    if asked.budget is not None:
        check_whole("budget", asked.budget, MOST_TOKENS)
    threshold: object = asked.threshold
    where = asked.where
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise QueryError(f"threshold is {shown(threshold)}.", place="threshold", code="range", hint="Give a number from 0 to 1.")
    for name, at in (("since", where.since), ("until", where.until)):
        if at is not None and at.utcoffset() is None:
            raise QueryError(f"{name} has no time zone.", place=name, code="tz_required", hint="Give an aware datetime.")


async def embed(query: str, speakers: Speakers, embedder: Embedder | None) -> Query:
    """The query with its vector: without the names of speakers it speaks of, which would drown the rest."""
    if embedder is None:
        return Query(query)
    text = without(query, await speakers(query)) if may_name(query) else query
    try:
        vector = np.asarray(await embedder.query(text))
    except Exception as error:  # noqa: BLE001  # an embedder may be a stranger's code; its failure costs meaning, not words
        why = error.message if isinstance(error, ProviderError) else f"{type(error).__name__}."
        return Query(query, note=f"Found by words alone, since the embedder failed: {why}")
    if vector.shape != (embedder.dim,) or not abs(np.linalg.norm(vector.astype(np.float64)) - 1) < _UNIT_WITHIN:
        return Query(query, note="Found by words alone, since the embedder failed: it gave a vector that cannot be used.")
    return Query(query, vector)


async def speakers_in(query: str, scope: Scope, search: Search) -> Sequence[str]:
    """The speakers of the scope and its ancestors whom the query names."""
    names: list[str] = []

    def look(shelves: Sequence[Shelf]) -> Sequence[Place]:
        names.extend(speakers_named(shelves, query))
        return ()

    await search.search(scope, look)
    return names
