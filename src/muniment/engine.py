"""The composition root: one short method per verb. Each checks its scope, calls its room, and returns what the room returned.

Rule of this file: it decides nothing. It passes values, and functions as arguments, between rooms that do not know each other.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast
from uuid import uuid4

from muniment import browse
from muniment.architect.step import Architectures, current, read_text
from muniment.assemble import EXCERPTS, MEMORY_HITS, TurnParts, search_words
from muniment.assemble import assemble as assemble_turn
from muniment.bundle import Bundle, Why
from muniment.compact.step import Digests
from muniment.compilation import Assembly, Compilation
from muniment.compile import compile as compile_blocks
from muniment.compile import count_shown, prompt_room
from muniment.compile.gate import Gate
from muniment.compile.last import Choices
from muniment.curate.decisions import Decisions
from muniment.curate.entities import EntityCuration
from muniment.curate.feedback import RecallFeedback
from muniment.curate.memories import Curation
from muniment.curate.runs import Runs
from muniment.curate.sealed import SealedValues
from muniment.curate.sharing import Sharing
from muniment.curate.sharing_settings import SharingSettings
from muniment.errors import NotFound
from muniment.forget.retention import Retention
from muniment.forget.step import forget as forget_step
from muniment.ingest.enrich import Enrichment
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.index import Index
from muniment.ingest.intake import Intake
from muniment.ingest.model import reader
from muniment.ingest.pii import personal
from muniment.ingest.transfer import Transfer
from muniment.ports import Clock, Embedder, Model, Reranker, Store, Tokens
from muniment.registry import Registry
from muniment.registry.checks import check_text
from muniment.retrieve.asking import Asked
from muniment.retrieve.retrieval import Retrieval
from muniment.retrieve.rules import Weights
from muniment.scope import Credential
from muniment.scope.acting import Acting, Guard
from muniment.scope.keys import AccessKeys
from muniment.text.filters import Where, check_filter
from muniment.types import (
    Erasure,
    Finding,
    ItemReceipt,
    Page,
    Prices,
    Receipt,
    Record,
    RecordId,
    Scope,
    Stats,
    Turn,
    check_id,
    check_scope,
)

if TYPE_CHECKING:
    from muniment.verbs import ActingEngine


class Engine:
    """One store with an embedder and a token counter. Open it with `muniment.open`; it closes what it opened.

    Every verb takes an explicit Scope first. `agent` names who acts and is kept with what it writes. What else can be done
    stands in groups: `architecture`, `work` (what runs behind a write), `memories`, `entities`, `decisions`, `runs`, `sealed`,
    `retention`, `keys`, `sharing`, `feedback`, `digests` and `transfer` (all that a scope holds, to another store).
    """

    def __init__(
        self,
        store: Store,
        *,
        embedder: Embedder | None,
        tokens: Tokens,
        clock: Clock,
        weights: Weights,
        model: Model | None = None,
        reranker: Reranker | None = None,
    ) -> None:
        self.store, self.tokens, self.clock, self.weights = store, tokens, clock, weights
        self.closes_embedder, self.index = True, Index(store, embedder)
        self.architecture = Architectures(store, clock)
        rules = self.architecture.current
        self.work = Enrichment(store, clock=clock, architecture=rules, model=reader(model), follow=self._follow)
        self.intake = Intake(store, clock=clock, index=self.index, architecture=rules, work=self.work)
        self._shared = Sharing(store, clock, self.intake.state, rules, personal)
        self.memories = Curation(store, clock, self.intake.state, rules, self._shared)
        self.entities, self.decisions = EntityCuration(store, clock), Decisions(store, clock, self._shared)
        self.sharing, self.feedback = SharingSettings(store, clock, rules, self._shared), RecallFeedback(store, clock)
        self.runs = Runs(store, clock, rules, self._shared.purge)
        self.sealed, self.keys = SealedValues(store), AccessKeys(store, clock)
        self._retrieval = Retrieval(
            store,
            index=self.index,
            tokens=tokens,
            clock=clock,
            weights=weights,
            rules_of=partial(partial, current),
            served=self.work.served,
            reranker=reranker,
        )
        self.retention = Retention(
            store, clock, rules, keep_served=self.work.servings.keep, purge=self._shared.purge, follow=self._follow
        )
        self.transfer = Transfer(store, clock, rules, self.intake.restore, read_text, self._follow)
        self.digests = Digests(store, clock, rules, mentions, tokens)
        self.salt = uuid4().hex  # one per engine: frames keep their bytes from turn to turn, and nobody outside can foretell them

    async def _follow(self, scope: Scope) -> None:
        await self._shared.follow(scope)  # which writes records, whose work calls this

    async def ingest(
        self,
        scope: Scope,
        turns: Iterable[Turn | Mapping[str, object] | str] | str,
        *,
        agent: str = "default",
        conversation: str | None = None,
    ) -> Receipt:
        """Remember turns at exactly `scope`. On return each is durable and findable; the receipt has one outcome per item.

        `turns` are Turn values, OpenAI-style message mappings, or plain strings (the user speaking). Retries and second
        imports are `unchanged`, never copies. Items that cannot be used are `refused` with a reason; the rest stands.
        """
        return await self.intake.ingest(check_scope(scope), turns, agent=check_id(agent, "agent"), conversation=conversation)

    async def retrieve(
        self,
        scope: Scope,
        query: str | Sequence[str],
        *,
        agent: str = "default",
        conversation: str | None = None,
        limit: int = 10,
        budget: int | None = None,
        threshold: float = 0.0,
        where: Where = None,
        context: int = 0,
    ) -> Bundle:
        """Evidence for `query` from `scope` and its ancestors, best first, at most `limit` hits and `budget` tokens.

        Several queries (wordings, or the questions inside a question; at most 16) are one answer: see `Bundle.queries`.
        `threshold` is the least relevance of a hit, 0 to 1; what lies below it is counted in the explanation. `conversation` is
        the one that asks, else the one that `where` narrows to: what is private to another one is not there. Every hit says why
        it is there; `bundle.health` says what was searched and what was missing.
        With `context`, turns and passages beside the hits and the start of their conversations follow them (`attached`), in at
        most so many tokens. Raises QueryError for an empty or oversized query or a limit out of range.
        """
        asked = Asked(
            agent=agent,
            conversation=conversation,
            limit=limit,
            budget=budget,
            threshold=threshold,
            where=check_filter(where),
            context=context,
        )
        return await self._retrieval.retrieve(scope, query, asked)

    async def explain(
        self,
        scope: Scope,
        query: str | Sequence[str],
        record: RecordId,
        *,
        agent: str = "default",
        conversation: str | None = None,
        limit: int = 10,
        budget: int | None = None,
        threshold: float = 0.0,
        where: Where = None,
    ) -> Why:
        """Why `retrieve`, asked the same, gives this record, or what proves this memory, or not. Raises NotFound as `get`."""
        asked = Asked(
            agent=agent, conversation=conversation, limit=limit, budget=budget, threshold=threshold, where=check_filter(where)
        )
        return await self._retrieval.explain(scope, query, record, asked)

    async def assemble(
        self,
        scope: Scope,
        message: str,
        *,
        budget: int,
        agent: str = "default",
        conversation: str | None = None,
        reserve: int = 0,
        context: int = 0,
        registry: Registry | None = None,
        instructions: str = "",
        task: str | None = None,
        gate: Gate | None = None,
        prices: Prices | None = None,
        since: Compilation | None = None,
    ) -> Assembly:
        """The next prompt: instructions and `registry` blocks, the running conversation, recalled evidence, and the message.

        The prompt never exceeds `budget - reserve` tokens; the compilation names what was left out and why. `gate` chooses among
        volatile instructions and tools by the `task`, else the message; `since` is the prompt to compare with, and to price.
        `context` is as in `retrieve`, in the room that the hits leave.
        Raises BudgetError when the required blocks alone do not fit.
        """
        room = prompt_room(budget, reserve)
        check_text(instructions, "instructions")
        words = search_words(check_text(message, "message"))
        find = partial(self.retrieve, scope, words, agent=agent, conversation=conversation)
        bundle = await find(limit=MEMORY_HITS, context=context)
        history = await self.digests.history(scope, conversation, agent=agent, room=room)
        parts = TurnParts(
            own=() if registry is None else registry.blocks,
            instructions=instructions,
            history=history,
            bundle=bundle,
            message=message,
            room=room,
            excerpts=(await find(limit=EXCERPTS, where={"conversation": conversation})).hits if history.past else (),
        )
        how: Choices = {"reserve": reserve, "salt": self.salt, "gate": gate, "prices": prices, "since": since}
        how["task"] = task or words
        compiled = partial(compile_blocks, budget=budget, tokens=self.tokens, **how)
        made = await asyncio.to_thread(assemble_turn, parts, compile_blocks=compiled, count=self.tokens.count)
        if registry is not None:
            count_shown(registry, made)
        return Assembly(compilation=made, bundle=bundle)

    async def forget(self, scope: Scope, *, ids: Sequence[RecordId] | None = None, conversation: str | None = None) -> Erasure:
        """Erase records by id or conversation at exactly `scope`, or, with neither, the scope and everything below it.

        All that was derived goes with them, and the bytes are overwritten; the receipt counts what went. Cannot be undone.
        """
        return await forget_step(check_scope(scope), ids=ids, conversation=conversation, store=self._shared, now=self.clock.now())

    async def list(self, scope: Scope, *, where: Where = None, limit: int = 50, cursor: str | None = None) -> Page:
        """Records kept at exactly `scope`, latest arrival first. Pass a page's cursor to get the next one."""
        asked = browse.Listed(where=check_filter(where), limit=limit, cursor=cursor)
        return await browse.browse(check_scope(scope), asked, store=self.store, now=self.clock.now())

    async def get(self, scope: Scope, record: RecordId) -> Record:
        """The record with this id in `scope` or its ancestors. Raises NotFound, the same for foreign ids as for absent ones."""
        found = await self.store.get(check_scope(scope), [record])
        if not found:
            raise NotFound.record(record)
        return found[0]

    async def stats(self, scope: Scope | None = None) -> Stats:
        """Counts of `scope` and all below it, or of the whole store."""
        return await self.store.stats(None if scope is None else check_scope(scope))

    async def doctor(self, *, repair: bool = False) -> tuple[Finding, ...]:
        """Verify the store: the file, every row's hash, every index entry against its record.

        With `repair` what is derived is rebuilt if anything is wrong or waits for a vector, and the store is verified again.
        """
        return await self.index.doctor(repair=repair)

    async def reindex(self) -> int:
        """Rebuild every index entry from its record with the current embedder; returns how many were written.

        Raises EmbedderError, with the old index untouched, when the embedder fails on the way.
        """
        return await self.index.rebuild()

    def export(self, scope: Scope | None = None) -> AsyncIterator[Record]:
        """Every record of `scope` and all below it, or of the whole store, one by one. `transfer` gives what is derived too."""
        return self.store.scan(None if scope is None else check_scope(scope))

    async def restore(self, records: Iterable[Record | ItemReceipt] | AsyncIterable[Record | ItemReceipt]) -> Receipt:
        """Take in exported records with their ids, scopes and times. Those already here are `unchanged`.

        What was derived from them is derived anew. Receipts among them (from a reader of damaged files) are passed through.
        """
        return await self.intake.restore(records)

    def acting(self, credential: Credential) -> ActingEngine:
        """This engine as `credential` may use it, see `keys.check`: every verb bounded by it."""
        guard = Guard(credential, still_holds=self.keys.still_holds, memories=self.store, clock=self.clock)
        return cast("ActingEngine", Acting(self, guard))

    async def close(self) -> None:
        """Finish what is under way and release the store and the embedder."""
        await self.work.close()
        try:
            if self.index.embedder and self.closes_embedder:
                await self.index.embedder.close()
        finally:
            await self.store.close()
