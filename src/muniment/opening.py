"""Opening an engine by URL and names: what the names stand for is found, and what was opened here is closed at the end.

Rule of this file: it opens and closes, and decides nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from muniment import plugins
from muniment.engine import Engine
from muniment.ports import Clock, Embedder, Model, Reranker, Tokens
from muniment.providers.clock import SystemClock
from muniment.retrieve.rules import Weights


@asynccontextmanager
async def open(  # noqa: A001  # muniment.open reads as what it does; this file never opens a file
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
) -> AsyncIterator[Engine]:
    """Open a store by URL (`sqlite:///agent.db`, `memory://`) and close it at the end of the block.

    `embedder` and `tokens` are names (see docs/reference/settings.md) or objects of your own; without an embedder words alone
    are searched. `model` is one too, and reads records where the architecture says so; `reranker` judges the best
    candidates of a question anew. `reembed` replaces the vectors of another embedder. Without `create` a store that is missing
    is an error.
    Raises StoreUnusable when the store cannot be opened, and EmbedderMismatch when its vectors come from another model.
    """
    vectors = await asyncio.to_thread(plugins.open_embedder, embedder) if isinstance(embedder, str) else embedder
    asked = await asyncio.to_thread(plugins.open_model, model) if isinstance(model, str) else model
    judge = await asyncio.to_thread(plugins.open_reranker, reranker, embedder=vectors) if isinstance(reranker, str) else reranker
    counter = await asyncio.to_thread(plugins.open_tokens, tokens) if isinstance(tokens, str) else tokens
    store = await plugins.open_store(url, create=create)
    clock, weights = clock or SystemClock(), weights or Weights()
    engine = Engine(store, embedder=vectors, tokens=counter, clock=clock, weights=weights, model=asked, reranker=judge)
    engine.closes_embedder = isinstance(embedder, str)  # what the caller opened, the caller closes
    try:
        await engine.index.check_embedder(reembed=reembed)
        yield engine
    finally:
        await engine.close()
        if asked is not None and isinstance(model, str):
            await asked.close()
        if judge is not None and isinstance(reranker, str):
            await judge.close()
