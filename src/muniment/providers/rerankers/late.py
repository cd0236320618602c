"""Late interaction: each token of the question meets the nearest token of the passage; a mean of that is the judgement.

A token in which the passages differ counts more: what all of them hold tells nothing.

Rule of this file: nothing is trained and nothing is kept on disk; token vectors of recent passages stay in memory, within a bound
and by a digest of their text.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from muniment.ports import Judgement, Passage, TokenEmbedder
from muniment.shelf import Floats
from muniment.text.names import named, without

Halves = NDArray[np.float16]

MOST = 30
WEIGHT = 0.6
_KEPT_BYTES = 64 << 20
_LEAST = 1e-6


class LateInteraction:
    """Judges with the vectors of single tokens that an embedder gives; it neither owns nor closes the embedder.

    `weight` is what a passage is worth that holds every token of the question. Names of speakers are taken out of the question,
    as they are for its own vector. About `kept` bytes of token vectors are remembered.
    """

    def __init__(self, embedder: TokenEmbedder, *, most: int = MOST, weight: float = WEIGHT, kept: int = _KEPT_BYTES) -> None:
        self.name = "late"
        self.most = most
        self._embedder = embedder
        self._weight = weight
        self._most_bytes = kept
        self._bytes = 0
        self._rows: OrderedDict[bytes, Halves] = OrderedDict()
        self._lock = threading.Lock()

    async def judge(self, query: str, passages: Sequence[Passage]) -> Judgement:
        """How near the question's tokens are to those of each passage. Raises EmbedderError."""
        text = without(query, named(query, list(dict.fromkeys(passage.speaker for passage in passages if passage.speaker))))
        rows = await self._vectors([text or query, *(passage.text for passage in passages)])
        return Judgement(scores=await asyncio.to_thread(self._scores, rows[0], rows[1:]))

    async def close(self) -> None:
        """Forget the vectors."""
        with self._lock:
            self._rows.clear()
            self._bytes = 0

    @property
    def held(self) -> int:
        """Bytes of token vectors kept now."""
        return self._bytes

    def _scores(self, question: Halves, passages: Sequence[Halves]) -> list[float | None]:
        near = np.array([_nearest(question.astype(np.float32), rows.astype(np.float32)) for rows in passages])
        if not near.size:
            return [0.0] * len(passages)
        counts = near.std(axis=0) + _LEAST
        shares = np.clip((near * counts).sum(axis=1) / counts.sum(), 0, 1)
        return [self._weight * share for share in shares.tolist()]

    async def _vectors(self, texts: Sequence[str]) -> list[Halves]:
        keys = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
        with self._lock:
            known = {key: self._rows[key] for key in keys if key in self._rows}
            for key in known:
                self._rows.move_to_end(key)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            found = await self._embedder.tokens(list(missing.values()))
            fresh = {key: rows.astype(np.float16) for key, rows in zip(missing, found, strict=True)}
            known |= fresh
            self._keep(fresh)
        return [known[key] for key in keys]

    def _keep(self, fresh: dict[bytes, Halves]) -> None:
        with self._lock:
            for key, rows in fresh.items():
                self._bytes += rows.nbytes - (self._rows[key].nbytes if key in self._rows else 0)
                self._rows[key] = rows
            while self._bytes > self._most_bytes and self._rows:
                self._bytes -= self._rows.popitem(last=False)[1].nbytes


def _nearest(asked: Floats, rows: Floats) -> NDArray[np.float64]:
    """For each token asked for, the cosine of the nearest one there is."""
    if not len(rows):
        return np.zeros(len(asked))
    nearest: NDArray[np.float64] = (asked @ rows.T).max(axis=1).astype(np.float64)
    return nearest
