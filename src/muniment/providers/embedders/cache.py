"""Remembers the vectors of recent questions, so that asking again costs nothing.

Rule of this file: bounded, in the memory of this process only, and keyed by a digest, so the words of a question are not kept.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b

from muniment.ports import Embedder
from muniment.shelf import Floats


class CachedEmbedder:
    """An embedder whose last `size` question vectors are kept. Passages pass through: each is embedded once anyway."""

    def __init__(self, embedder: Embedder, *, size: int = 512) -> None:
        self._embedder = embedder
        self._size = size
        self._rows: OrderedDict[bytes, Floats] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def inner(self) -> Embedder:
        """The wrapped embedder."""
        return self._embedder

    @property
    def identity(self) -> str:
        """The wrapped embedder's: caching changes no vector."""
        return self._embedder.identity

    @property
    def dim(self) -> int:
        """The wrapped embedder's."""
        return self._embedder.dim

    @property
    def held(self) -> int:
        """How many question vectors are kept now."""
        return len(self._rows)

    async def passages(self, texts: Sequence[str]) -> Floats:
        """Straight from the wrapped embedder."""
        return await self._embedder.passages(texts)

    async def query(self, text: str) -> Floats:
        """The kept vector of this question, or a new one, which is then kept. A failure is never kept."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        with self._lock:
            if key in self._rows:
                self._rows.move_to_end(key)
                return self._rows[key]
        row = await self._embedder.query(text)
        with self._lock:
            self._rows[key] = row
            while len(self._rows) > self._size:
                self._rows.popitem(last=False)
        return row

    def clear(self) -> None:
        """Forget every kept vector."""
        with self._lock:
            self._rows.clear()

    async def close(self) -> None:
        """Forget every kept vector and close the wrapped embedder."""
        self.clear()
        await self._embedder.close()
