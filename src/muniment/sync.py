"""The same surface for programs without an event loop: `with muniment.sync.open("sqlite:///agent.db") as engine:`.

Rule of this file: nothing is decided and nothing is written twice. One thread owns one event loop; every method forwards to the
async engine.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from muniment import engine as asynchronous
from muniment import opening
from muniment.bundle import Bundle, Why
from muniment.compilation import Assembly, Compilation
from muniment.compile.gate import Gate
from muniment.errors import StoreUnusable
from muniment.ports import Clock, Embedder, Model, Reranker, Tokens
from muniment.registry import Registry
from muniment.retrieve.rules import Weights
from muniment.scope import Credential
from muniment.scope.acting import Acting
from muniment.text.filters import Where
from muniment.types import Erasure, Finding, ItemReceipt, Page, Prices, Receipt, Record, RecordId, Scope, Stats, Turn

if TYPE_CHECKING:
    from muniment.verbs import BlockingActingEngine

T = TypeVar("T")


class Group:
    """One group of the engine's methods, blocking: the same names, parameters, results and errors."""

    def __init__(self, group: object, run: Callable[[Coroutine[object, object, object]], object]) -> None:
        self._group = group
        self._run = run

    def __dir__(self) -> list[str]:
        return [name for name in dir(self._group) if not name.startswith("_")]

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._group, name)
        if inspect.isasyncgenfunction(member):
            return lambda *given, **named: _each(member(*given, **named), self._run)
        if inspect.iscoroutinefunction(member):
            return lambda *given, **named: self._run(member(*given, **named))
        return Group(member, self._run) if isinstance(member, Acting) else member


def _each(items: AsyncIterator[T], run: Callable[[Coroutine[object, object, object]], object]) -> Iterator[T]:
    while (item := run(_following(items.__anext__))) is not None:
        yield item  # type: ignore[misc]  # what `run` gives is what the iterator gives


class Engine:
    """`muniment.engine.Engine` with blocking methods: same names, same parameters, same results, same errors."""

    def __init__(self, engine: asynchronous.Engine, loop: asyncio.AbstractEventLoop) -> None:
        self._engine = engine
        self._loop = loop
        self._born = os.getpid()
        self.architecture, self.work = Group(engine.architecture, self._run), Group(engine.work, self._run)
        self.memories, self.entities = Group(engine.memories, self._run), Group(engine.entities, self._run)
        self.decisions, self.runs = Group(engine.decisions, self._run), Group(engine.runs, self._run)
        self.sealed, self.retention = Group(engine.sealed, self._run), Group(engine.retention, self._run)
        self.keys, self.transfer = Group(engine.keys, self._run), Group(engine.transfer, self._run)
        self.sharing, self.feedback = Group(engine.sharing, self._run), Group(engine.feedback, self._run)
        self.digests = Group(engine.digests, self._run)

    def _run(self, coroutine: Coroutine[object, object, T]) -> T:
        if self._loop.is_closed() or os.getpid() != self._born:
            coroutine.close()
            why = "is closed" if os.getpid() == self._born else "was opened before this process was forked"
            raise StoreUnusable(f"this engine {why}.", hint="Open it again, and use it inside its `with` block.")
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def ingest(
        self,
        scope: Scope,
        turns: Iterable[Turn | Mapping[str, object] | str] | str,
        *,
        agent: str = "default",
        conversation: str | None = None,
    ) -> Receipt:
        """See `muniment.engine.Engine.ingest`."""
        return self._run(self._engine.ingest(scope, turns, agent=agent, conversation=conversation))

    def retrieve(
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
        """See `muniment.engine.Engine.retrieve`."""
        return self._run(
            self._engine.retrieve(
                scope,
                query,
                agent=agent,
                conversation=conversation,
                limit=limit,
                budget=budget,
                threshold=threshold,
                where=where,
                context=context,
            )
        )

    def explain(
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
        """See `muniment.engine.Engine.explain`."""
        return self._run(
            self._engine.explain(
                scope,
                query,
                record,
                agent=agent,
                conversation=conversation,
                limit=limit,
                budget=budget,
                threshold=threshold,
                where=where,
            )
        )

    def assemble(
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
        """See `muniment.engine.Engine.assemble`."""
        return self._run(
            self._engine.assemble(
                scope,
                message,
                budget=budget,
                agent=agent,
                conversation=conversation,
                reserve=reserve,
                context=context,
                registry=registry,
                instructions=instructions,
                task=task,
                gate=gate,
                prices=prices,
                since=since,
            )
        )

    def forget(self, scope: Scope, *, ids: Sequence[RecordId] | None = None, conversation: str | None = None) -> Erasure:
        """See `muniment.engine.Engine.forget`."""
        return self._run(self._engine.forget(scope, ids=ids, conversation=conversation))

    def list(self, scope: Scope, *, where: Where = None, limit: int = 50, cursor: str | None = None) -> Page:
        """See `muniment.engine.Engine.list`."""
        return self._run(self._engine.list(scope, where=where, limit=limit, cursor=cursor))

    def get(self, scope: Scope, record: RecordId) -> Record:
        """See `muniment.engine.Engine.get`."""
        return self._run(self._engine.get(scope, record))

    def stats(self, scope: Scope | None = None) -> Stats:
        """See `muniment.engine.Engine.stats`."""
        return self._run(self._engine.stats(scope))

    def doctor(self, *, repair: bool = False) -> tuple[Finding, ...]:
        """See `muniment.engine.Engine.doctor`."""
        return self._run(self._engine.doctor(repair=repair))

    def reindex(self) -> int:
        """See `muniment.engine.Engine.reindex`."""
        return self._run(self._engine.reindex())

    def export(self, scope: Scope | None = None) -> Iterator[Record]:
        """See `muniment.engine.Engine.export`."""
        records = self._engine.export(scope)
        while (record := self._run(_following(records.__anext__))) is not None:
            yield record

    def acting(self, credential: Credential) -> BlockingActingEngine:
        """See `muniment.engine.Engine.acting`."""
        return cast("BlockingActingEngine", Group(self._engine.acting(credential), self._run))

    def restore(self, records: Iterable[Record | ItemReceipt]) -> Receipt:
        """See `muniment.engine.Engine.restore`."""
        return self._run(self._engine.restore(records))


async def _following(step: Callable[[], Awaitable[T]]) -> T | None:
    try:
        return await step()
    except StopAsyncIteration:
        return None


@contextmanager
def open(  # noqa: A001  # muniment.sync.open reads as what it does; this file never opens a file
    url: str = "sqlite:///muniment.db",
    *,
    embedder: str | Embedder | None = "auto",
    tokens: str | Tokens = "auto",
    model: str | Model | None = None,
    reranker: str | Reranker | None = None,
    clock: Clock | None = None,
    weights: Weights | None = None,
    reembed: bool = False,
    create: bool = True,
) -> Iterator[Engine]:
    """Open a store by URL, blocking; see `muniment.open`. Usable from any thread while the block is open."""
    born = os.getpid()
    with _loop_thread() as loop:
        opened = opening.open(
            url,
            embedder=embedder,
            tokens=tokens,
            model=model,
            reranker=reranker,
            clock=clock,
            weights=weights,
            reembed=reembed,
            create=create,
        )
        engine = asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result()
        try:
            yield Engine(engine, loop)
        finally:
            if os.getpid() == born:
                asyncio.run_coroutine_threadsafe(opened.__aexit__(None, None, None), loop).result()


@contextmanager
def _loop_thread() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop running on a thread of its own until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=_run_and_close, args=(loop,), name="muniment-sync", daemon=True)
    thread.start()
    born = os.getpid()
    try:
        yield loop
    finally:
        if os.getpid() == born:  # a forked child has no such thread to wait for
            loop.call_soon_threadsafe(loop.stop)
            thread.join()


def _run_and_close(loop: asyncio.AbstractEventLoop) -> None:
    """All of a loop's life on one thread: whoever ends the block may have a running loop of their own, as in a notebook."""
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
