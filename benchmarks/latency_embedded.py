"""The whole way of a question, with its embedding: by a model on this machine, when it is asked first and when it is asked again.

Rule of this file: the same model embeds for every side; a peer has no cache of questions, so that it embeds each time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from benchmarks.latency_build import Built, open_with
from benchmarks.latency_data import DIM, Question
from benchmarks.latency_rounds import Ask, Lane, retrieving
from muniment.errors import MissingExtra
from muniment.plugins import open_embedder
from muniment.ports import Embedder
from muniment.providers.embedders.cache import CachedEmbedder
from muniment.providers.embedders.local import LocalEmbedder
from muniment.shelf import Floats


def local_model() -> Embedder | None:
    """The local model without any cache, or None where it is not installed."""
    try:
        return LocalEmbedder() if open_embedder("auto") else None
    except MissingExtra:
        return None


class Standing:
    """A model that stands for the vectors a store was filled with: as wide, but for what is asked alone."""

    identity, dim = "given", DIM

    def __init__(self, model: Embedder) -> None:
        self._model = model

    async def passages(self, texts: Sequence[str]) -> Floats:
        return await self._model.passages(texts)

    async def query(self, text: str) -> Floats:
        return await self._model.query(text)

    async def close(self) -> None:
        """The model is another's to close."""


@asynccontextmanager
async def embedded_lanes(model: Embedder, file: Built, questions: list[Question], count: int) -> AsyncIterator[list[Lane]]:
    """Lanes of the engine that embeds each question anew, and of one that was asked it before."""
    every = max(1, len(questions) // count)
    async with AsyncExitStack() as stack:
        lanes = []
        for state, embedder in (("-embedded", Standing(model)), ("-embedded again", CachedEmbedder(Standing(model)))):
            engine = await stack.enter_async_context(open_with(f"sqlite:///{file.path}", embedder, cache=True))
            size, ask = questions[0].of, retrieving(engine)
            lanes.append(Lane(method="muniment", size=size, state=state, questions=questions, ask=ask, every=every, warm=True))
        yield lanes


def embedding(model: Embedder, ask: Callable[[Question], Sequence[int]]) -> Ask:
    """A peer asked with the vector that the model gives the question."""

    async def embedded(question: Question) -> Sequence[int]:
        return ask(replace(question, vector=await model.query(question.text)))

    return embedded
