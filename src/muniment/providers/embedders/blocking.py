"""Any embedder for code that is not async, such as a scorer: plain methods that wait for the answer.

Rule of this file: one thread with one event loop for the embedder's whole life, since a client may be bound to its loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from muniment.errors import EmbedderError
from muniment.ports import Embedder
from muniment.shelf import Floats

T = TypeVar("T")


class BlockingEmbedder:
    """The same vectors as the embedder given, without await; a context manager that closes it at the end.

    Calls may come from any thread and are answered one after the other. On the thread of a running event loop they would hold
    it up: there, run what needs them with `asyncio.to_thread`.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="muniment-blocking")
        self._runner = asyncio.Runner()
        self._closed = False

    @property
    def identity(self) -> str:
        """The wrapped embedder's."""
        return self._embedder.identity

    @property
    def dim(self) -> int:
        """The wrapped embedder's."""
        return self._embedder.dim

    def passages(self, texts: Sequence[str]) -> Floats:
        """One unit row per text, in order. Raises EmbedderError."""
        return self._wait(self._embedder.passages(texts))

    def query(self, text: str) -> Floats:
        """One unit row for a question. Raises EmbedderError."""
        return self._wait(self._embedder.query(text))

    def close(self) -> None:
        """Close the embedder, its loop and its thread. Later calls raise EmbedderError; closing again does nothing."""
        if not self._closed:
            self._wait(self._embedder.close())
            self._closed = True
            self._thread.submit(self._runner.close).result()
            self._thread.shutdown()

    def _wait(self, work: Coroutine[object, object, T]) -> T:
        if self._closed:
            work.close()
            raise EmbedderError("this embedder is closed.", code="closed", hint="Open it again.")
        return self._thread.submit(self._runner.run, work).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
