"""One scope as columns: what a store hands to ranking, and the form in which an index row is kept.

A record has one or more entries: the passages of its text that are searched. Everything here is derived from records and
can be rebuilt from them. Rule of this file: pure values and arithmetic, so that every store ranks identically.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from muniment.types import Scope

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]
Floats = NDArray[np.float32]

NO_TIME = np.iinfo(np.int64).min
_SIGN_AND_HALF = np.int32(-0x70000001)  # clears the three bits that sign extension filled between sign and exponent

HEAD = np.dtype(
    [
        ("seq", "<u4"),  # the record's place in its scope
        ("part", "<u4"),  # the passage's place in its record
        ("start", "<u4"),  # characters of the record's text, start to end
        ("end", "<u4"),
        ("conversation", "<u4"),  # codes: 0 is none, others are numbered per scope
        ("speaker", "<u4"),
        ("agent", "<u4"),
        ("role", "<u2"),  # places in types.Role and types.Kind
        ("kind", "<u2"),
        ("said_at", "<i8"),  # seconds since 1970, NO_TIME when unknown
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """One searchable passage of a record: character span, hashed terms in order, and a unit vector if there was an embedder."""

    start: int
    end: int
    terms: Hashes
    vector: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shelf:
    """All entries of exactly one scope, in order of arrival, as read-only columns.

    `head` has one HEAD row per entry. Entry i owns `terms[bounds[i]:bounds[i + 1]]`. Row i of `vectors` (float32, unit length, as
    wide as the store's embedder, 0 without one) is zero when `embedded[i]` is False. `speakers`, `conversations` and `agents` map
    the codes in `head` to names. `generation` grows with every change of the scope.
    """

    scope: Scope
    generation: int
    head: NDArray[np.void]
    bounds: Ints
    terms: Hashes
    vectors: Floats
    embedded: NDArray[np.bool_]
    speakers: Mapping[int, str]
    conversations: Mapping[int, str] = field(default_factory=dict)
    agents: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.head)

    @property
    def nbytes(self) -> int:
        """Memory the columns take, for bounded caches."""
        return self.head.nbytes + self.bounds.nbytes + self.terms.nbytes + self.vectors.nbytes + self.embedded.nbytes


@dataclass(frozen=True, slots=True)
class Place:
    """A record found on a shelf: which shelf (0 is the narrowest scope) and the record's `seq` there."""

    shelf: int
    seq: int


@lru_cache(maxsize=65_536)
def term_hash(term: str) -> int:
    """64 bits that stand for a term, the same on every machine. No word of a text is kept in the index itself."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "little")


def term_hashes(terms: Sequence[str]) -> Hashes:
    """Hashes of terms, in order, repeats kept (their count is the term frequency)."""
    return np.fromiter((term_hash(t) for t in terms), np.uint64, len(terms))


def pack_vector(vector: Floats) -> bytes:
    """Half-precision bytes of a unit vector, little-endian."""
    return vector.astype("<f2").tobytes()


def unpack_vectors(blob: bytes, dim: int) -> Floats:
    """Rows of float32 from half-precision bytes. Shifts bits instead of casting, which numpy does six times slower."""
    half = np.frombuffer(blob, "<i2").astype(np.int32)
    half <<= 13
    half &= _SIGN_AND_HALF
    rows = half.view(np.float32)
    rows *= np.float32(2.0**112)
    return rows.reshape(-1, dim) if dim else np.zeros((0, 0), np.float32)
