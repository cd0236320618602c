"""Deterministic stand-ins for clock, embedder and token counter. They need no key, no model and no network.

Rule of this file: each fake keeps the contract of its port exactly, except where its name says that it breaks it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np

from muniment.errors import EmbedderError
from muniment.ports import Embedder
from muniment.shelf import Floats, term_hash

Fault = Literal["short", "nan", "zero", "wide"]
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class FixedClock:
    """A clock that stands at `at` until told otherwise. `step` moves it on by that much after every reading."""

    def __init__(self, at: datetime = NOON, *, step: timedelta = timedelta(0)) -> None:
        self.at = at
        self.step = step

    def now(self) -> datetime:
        """The instant it stands at."""
        at = self.at
        self.at += self.step
        return at

    def advance(self, by: timedelta) -> None:
        """Move the clock on, or back when `by` is negative."""
        self.at += by


class TableEmbedder:
    """Vectors looked up by text; a text that is not in `table` gets one hashed from its words, near texts that share some.

    Rows are scaled to unit length. `calls` lists the texts of every call, passages and questions alike.
    """

    def __init__(self, table: Mapping[str, Sequence[float]] | None = None, *, dim: int | None = None, identity: str = "") -> None:
        self._table = {text: np.asarray(row, np.float32) for text, row in (table or {}).items()}
        self._dim = dim or next((len(row) for row in self._table.values()), 32)
        self._identity = identity or f"table-{self._dim}"
        self.calls: list[tuple[str, ...]] = []

    @property
    def identity(self) -> str:
        """The name given, or one made from the dimensions."""
        return self._identity

    @property
    def dim(self) -> int:
        """Dimensions of every row."""
        return self._dim

    async def passages(self, texts: Sequence[str]) -> Floats:
        """One unit row per text, in order."""
        self.calls.append(tuple(texts))
        return np.array([self._row(text) for text in texts], np.float32).reshape(-1, self._dim)

    async def query(self, text: str) -> Floats:
        """One unit row."""
        self.calls.append((text,))
        return self._row(text)

    async def close(self) -> None:
        """Nothing to release."""

    def _row(self, text: str) -> Floats:
        row = self._table.get(text)
        if row is None:
            row = hashed_vector(text, self._dim)
        return (row / np.linalg.norm(row)).astype(np.float32)


def hashed_vector(text: str, dim: int) -> Floats:
    """A unit vector that follows from the words of `text` alone, the same on every machine, never zero."""
    row = np.zeros(dim, np.float32)
    row[term_hash(text) % dim] = 0.01
    for word in text.casefold().split():
        code = term_hash(word)
        row[code % dim] += 1 if code >> 63 else -1
    return (row / np.linalg.norm(row)).astype(np.float32)


class FailingEmbedder:
    """Passes `after` calls on to `inner` and raises EmbedderError on every later one. With 0 it always fails."""

    def __init__(self, after: int = 0, *, inner: Embedder | None = None) -> None:
        self.inner = inner or TableEmbedder()
        self.left = after

    @property
    def identity(self) -> str:
        """The identity of `inner`."""
        return self.inner.identity

    @property
    def dim(self) -> int:
        """The dimensions of `inner`."""
        return self.inner.dim

    async def passages(self, texts: Sequence[str]) -> Floats:
        """Rows of `inner`, or EmbedderError."""
        self._spend()
        return await self.inner.passages(texts)

    async def query(self, text: str) -> Floats:
        """The row of `inner`, or EmbedderError."""
        self._spend()
        return await self.inner.query(text)

    async def close(self) -> None:
        """Close `inner`."""
        await self.inner.close()

    def _spend(self) -> None:
        if self.left <= 0:
            raise EmbedderError("the embedder does not answer.", hint="This one fails on purpose.")
        self.left -= 1


class FaultyEmbedder(TableEmbedder):
    """Breaks its contract the way real services do: too few rows, NaN, zero rows, or rows of another size."""

    def __init__(self, fault: Fault, *, dim: int = 32) -> None:
        super().__init__(dim=dim)
        self.fault = fault

    async def passages(self, texts: Sequence[str]) -> Floats:
        """Rows with the fault in the last of them."""
        return self._spoil(await super().passages(texts))

    async def query(self, text: str) -> Floats:
        """A row with the fault; for "short" an empty one."""
        return self._spoil((await super().query(text))[np.newaxis])[-1:].reshape(-1)

    def _spoil(self, rows: Floats) -> Floats:
        if self.fault == "short":
            return rows[:-1]
        if self.fault == "wide":
            return np.pad(rows, ((0, 0), (0, 1)))
        rows[-1:] = np.nan if self.fault == "nan" else 0
        return rows


class CountingTokens:
    """One token per word, words being what white space separates. Exact, and additive over texts joined by white space."""

    name = "words"
    exact = True
    additive = True

    def count(self, text: str) -> int:
        """The number of words."""
        return len(text.split())
