"""Retrieval over one store: each question is asked with the weights and through the eyes of the agent that asks.

Rule of this file: it puts together what one question needs, and decides nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from muniment.bundle import Bundle, Why
from muniment.errors import NotFound
from muniment.knowledge.values import MemoryId
from muniment.ports import ArchitectureOf, Clock, Embedder, Reranker, Tokens, Told, Work
from muniment.retrieve.as_of import AsOf
from muniment.retrieve.asking import MOST_HITS, Asked, Means
from muniment.retrieve.rules_why import why
from muniment.retrieve.sight import Sight
from muniment.retrieve.sight import Store as Seen
from muniment.retrieve.step import retrieve
from muniment.retrieve.weights import Weights, adjusted
from muniment.text.filters import only_one
from muniment.types import Filter, RecordId, Scope, check_id, check_scope


class Embedding(Protocol):
    """Whoever has the embedder of the moment, or none."""

    @property
    def embedder(self) -> Embedder | None: ...


class Store(Seen, Work, Told, Protocol):
    """What this file asks of a store."""


class Retrieval:
    """What questions are asked with. `served` is told which memories an answer showed."""

    def __init__(
        self,
        store: Store,
        *,
        index: Embedding,
        tokens: Tokens,
        clock: Clock,
        weights: Weights,
        rules_of: ArchitectureOf,
        served: Callable[[Scope, Sequence[MemoryId]], None],
        reranker: Reranker | None = None,
    ) -> None:
        self._store = store
        self._index = index
        self._tokens = tokens
        self._clock = clock
        self._weights = weights
        self._rules_of = rules_of
        self._served = served
        self._reranker = reranker

    async def retrieve(self, scope: Scope, query: str | Sequence[str], asked: Asked) -> Bundle:
        """See `Engine.retrieve`."""
        bundle = await self._answer(await self._sight(scope, asked), scope, query, asked)
        self._served(scope, [memory.id for hit in bundle for memory in hit.memories])
        return bundle

    async def explain(self, scope: Scope, query: str | Sequence[str], record: RecordId, asked: Asked) -> Why:
        """See `Engine.explain`. What is only explained does not count as served."""
        clocks = Filter(valid_at=asked.where.valid_at, known_at=asked.where.known_at)
        today = await self._sight(scope, replace(asked, where=replace(asked.where, known_at=None)))
        found = await today.get(scope, [record])
        memory = None if found else next(iter(await today.memory(scope, [MemoryId(record)])), None)
        if memory:
            found = await today.get(scope, [evidence.record for evidence in memory.evidence[-1:]])
        if not found:
            raise NotFound.record(record)
        sight = await self._sight(scope, asked)
        given = await self._answer(sight, scope, query, asked)
        whole = await self._answer(sight, scope, query, replace(asked, limit=MOST_HITS, budget=None, threshold=0.0, where=clocks))
        return why(found[0], given, whole, asked=asked, wall=self._clock.now(), memory=memory)

    async def _sight(self, scope: Scope, asked: Asked) -> Sight:
        rules = await self._rules_of(check_id(asked.agent, "agent"), check_scope(scope).client)
        where = only_one(asked.where.conversation)
        asking = where if asked.conversation is None else check_id(asked.conversation, "conversation")
        store: Seen = self._store
        known_at, valid_at = asked.where.known_at, asked.where.valid_at
        if known_at or valid_at:
            store = AsOf(store=store, known_at=known_at, valid_at=valid_at)
        return Sight(store=store, rules=rules, rules_of=self._rules_of, conversation=asking)

    async def _answer(self, sight: Sight, scope: Scope, query: str | Sequence[str], asked: Asked) -> Bundle:
        means = Means(
            records=sight,
            memories=sight,
            embedder=self._index.embedder,
            tokens=self._tokens,
            weights=adjusted(self._weights, sight.rules.weights),
            now=asked.where.known_at or self._clock.now(),
            clock=self._clock.now(),
            rules=sight.rules,
            reranker=self._reranker,
            told=self._store.feedback_on,
            work=self._store.work,
        )
        return await retrieve(query, scope=scope, asked=asked, means=means)
