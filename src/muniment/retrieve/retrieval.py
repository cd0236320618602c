"""Retrieval over one store: each question is asked with the weights and through the eyes of the agent that asks.

Rule of this file: it puts together what one question needs, and decides nothing about it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import ParamSpec, Protocol, TypeVar

from muniment.bundle import Bundle, Why
from muniment.errors import NotFound
from muniment.knowledge.values import MemoryId
from muniment.ports import ArchitectureOf, Architectures, Clock, Embedder, Moments, Reads, Reranker, Tokens
from muniment.retrieve.as_of import AsOf
from muniment.retrieve.asking import MOST_HITS, Asked, Means, Query, check, speakers_in
from muniment.retrieve.rules_why import why
from muniment.retrieve.sight import Sight
from muniment.retrieve.sight import Store as Seen
from muniment.retrieve.step import answer, checked_queries, embedded
from muniment.retrieve.weights import Weights, adjusted
from muniment.text.filters import only_one
from muniment.types import Filter, RecordId, Scope, check_id, check_scope

P = ParamSpec("P")
Given = TypeVar("Given")


class Embedding(Protocol):
    """Whoever has the embedder of the moment, or none."""

    @property
    def embedder(self) -> Embedder | None: ...


class Retrieval:
    """What questions are asked with. `served` is told which memories an answer showed."""

    def __init__(
        self,
        store: Reads,
        *,
        index: Embedding,
        tokens: Tokens,
        clock: Clock,
        weights: Weights,
        rules_of: Callable[[Architectures], ArchitectureOf],
        served: Callable[[Scope, Sequence[MemoryId]], None],
        reranker: Reranker | None = None,
    ) -> None:
        self._store = store
        self._moments = store if isinstance(store, Moments) else None
        self._index = index
        self._tokens = tokens
        self._clock = clock
        self._weights = weights
        self._rules_of = rules_of
        self._served = served
        self._reranker = reranker

    async def retrieve(self, scope: Scope, query: str | Sequence[str], asked: Asked) -> Bundle:
        """See `Engine.retrieve`."""
        queries = await self._embedded(scope, query, asked)

        async def answered(reads: Reads) -> Bundle:
            return await self._answer(reads, await self._sight(reads, scope, asked), queries, scope=scope, asked=asked)

        bundle = await self._at_once(answered)
        self._served(scope, [memory.id for hit in bundle for memory in hit.memories])
        return bundle

    async def explain(self, scope: Scope, query: str | Sequence[str], record: RecordId, asked: Asked) -> Why:
        """See `Engine.explain`. What is only explained does not count as served."""
        queries = await self._embedded(scope, query, asked)

        async def explained(reads: Reads) -> Why:
            clocks = Filter(valid_at=asked.where.valid_at, known_at=asked.where.known_at)
            today = await self._sight(reads, scope, replace(asked, where=replace(asked.where, known_at=None)))
            found = await today.get(scope, [record])
            memory = None if found else next(iter(await today.memory(scope, [MemoryId(record)])), None)
            if memory:
                found = await today.get(scope, [evidence.record for evidence in memory.evidence[-1:]])
            if not found:
                raise NotFound.record(record)
            sight = await self._sight(reads, scope, asked)
            whole = replace(asked, limit=MOST_HITS, budget=None, threshold=0.0, where=clocks)
            given, every = [await self._answer(reads, sight, queries, scope=scope, asked=one) for one in (asked, whole)]
            return why(found[0], given, every, asked=asked, wall=self._clock.now(), memory=memory)

        return await self._at_once(explained)

    async def _at_once(self, work: Callable[[Reads], Coroutine[object, object, Given]]) -> Given:
        """Do it at one moment where the store can. A reranker is waited for, which no store does."""
        if self._moments is None or self._reranker is not None:
            return await work(self._store)
        return await self._moments.at_once(work)

    async def _embedded(self, scope: Scope, query: str | Sequence[str], asked: Asked) -> list[Query]:
        check_id(asked.agent, "agent")
        check_scope(scope)
        queries = checked_queries(query)
        check(asked)

        async def speakers(text: str) -> Sequence[str]:
            async def named(reads: Reads) -> Sequence[str]:
                return await speakers_in(text, scope, await self._sight(reads, scope, asked))

            return await self._at_once(named)

        return await embedded(queries, speakers, self._index.embedder)

    async def _sight(self, reads: Reads, scope: Scope, asked: Asked) -> Sight:
        rules_of = self._rules_of(reads.architectures)
        rules = await rules_of(asked.agent, scope.client)
        where = only_one(asked.where.conversation)
        asking = where if asked.conversation is None else check_id(asked.conversation, "conversation")
        store: Seen = reads
        known_at, valid_at = asked.where.known_at, asked.where.valid_at
        if known_at or valid_at:
            store = AsOf(store=store, known_at=known_at, valid_at=valid_at)
        return Sight(store=store, rules=rules, rules_of=rules_of, conversation=asking)

    async def _answer(self, reads: Reads, sight: Sight, queries: Sequence[Query], *, scope: Scope, asked: Asked) -> Bundle:
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
            told=reads.feedback_on,
            work=reads.work,
            aside=asyncio.to_thread if reads is self._store else _here,
        )
        return await answer(queries, scope=scope, asked=asked, means=means)


async def _here(work: Callable[P, Given], /, *args: P.args, **kwargs: P.kwargs) -> Given:
    """Where no loop is held up."""
    return work(*args, **kwargs)
