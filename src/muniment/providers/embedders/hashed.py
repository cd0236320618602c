"""Hashed features of words and their letters: a dense vector with nothing to install and nothing learned.

It knows spelling, not meaning: it can find a misspelt or inflected word, and cannot find a synonym. Beside word search it
measured no gain on conversations and a small loss at full weight (docs/reference/settings.md), so it is never chosen by itself.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from muniment.providers.embedders.vectors import unit_rows
from muniment.shelf import Floats, Ints

IDENTITY = "hashed-1"
"""Changes whenever the same text would give another vector."""

_WORD = re.compile(r"\w+")
_LONGEST = 64
_FULL_WEIGHT = 7  # letters; shorter words, mostly function words in any language, count for less


class HashedEmbedder:
    """Signed, hashed words and runs of their letters, one unit vector of `dim` numbers per text. Needs no model."""

    def __init__(self, dim: int = 256) -> None:
        self.dim = dim
        self.identity = f"{IDENTITY}:{dim}"

    async def passages(self, texts: Sequence[str]) -> Floats:
        """One unit row per text, in order; a text without words still has one."""
        return await asyncio.to_thread(self._rows, list(texts))

    async def query(self, text: str) -> Floats:
        """One unit row for a question."""
        row: Floats = (await self.passages([text]))[0]
        return row

    async def close(self) -> None:
        """Nothing is held."""

    def _rows(self, texts: list[str]) -> Floats:
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            folded = unicodedata.normalize("NFKC", text).casefold()
            for word, count in Counter(_WORD.findall(folded)).items():
                places, values = _features(word[:_LONGEST], self.dim)
                row[places] += values * np.float32(count**0.5)
            if np.abs(row).max() < _CANCELLED:  # no words at all, or signs that cancel out
                row[:] = 0
                row[_hash(f"t:{folded}") % self.dim] = 1
        return unit_rows(rows, count=len(texts), dim=self.dim, source=self.identity)


_CANCELLED = 1e-6  # what rounding leaves where signs cancel out


@lru_cache(maxsize=16_384)
def _features(word: str, dim: int) -> tuple[Ints, Floats]:
    """Where a word adds to a vector, and what: itself, and its letter runs sharing the weight of one more word."""
    # In scripts without capitals, which are mostly those without spaces too, single letters already tell words apart.
    dense = not word.isascii() and word.upper() == word.lower()
    letters, lengths = (word, range(1, 4)) if dense else (f"<{word}>", range(3, 6))
    runs = [letters[i : i + n] for n in lengths for i in range(len(letters) - n + 1)]
    share = float(max(len(runs), 1) ** -0.5)
    sums: dict[int, float] = {}
    for feature, weight in [(f"w:{word}", 1.0), *((f"c:{run}", share) for run in runs)]:
        number = _hash(feature)
        place = (number >> 1) % dim
        sums[place] = sums.get(place, 0.0) + (weight if number & 1 else -weight)
    scale = min(len(word), _FULL_WEIGHT) / _FULL_WEIGHT
    values = np.fromiter(sums.values(), np.float32, len(sums)) * np.float32(scale)
    return np.fromiter(sums, np.int64, len(sums)), values


def _hash(feature: str) -> int:
    return int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
