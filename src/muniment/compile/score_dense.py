"""Which blocks are near a task in meaning: the cosine of the task's vector and of the block's best passage.

Rules of this file: no embedder is known here, only functions that were given; a vector belongs to the words it was made of, so
an edited block has none until it is embedded again, and what was embedded once is not embedded twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from types import CoroutineType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from muniment.compile.wording import Content, content, wording
from muniment.errors import BlockError, EmbedderError, shown
from muniment.shelf import Floats, Ints
from muniment.types import Block

Embed = Callable[[Sequence[str]], ArrayLike]
"""Texts to vectors, one row for each, in order."""

EmbedQuery = Callable[[str], ArrayLike]
"""A task to its vector, for models that treat questions and passages differently."""

_KEPT: Final = 20_000
_SMALLEST: Final = 1e-12
_AXES: Final = 2
_FEW: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """The vectors of these blocks as one table; those of block i begin at row `starts[i]`. None: one row for each."""

    blocks: tuple[Block, ...]
    table: Floats
    starts: Ints | None


class Dense:
    """A scorer by meaning: the cosine of the task and the block's best passage, -1 to 1.

    `embed` takes texts and returns a vector for each; `embed_query`, if given, makes the task's. They may have any length; one
    of zeros is near nothing and scores 0. Vectors are kept by the words they were made of: `kept` passages, and always those of
    the last call. Safe to use from several threads if the two functions are.

    Raises EmbedderError for answers that are no usable vectors; what the functions raise passes through. Neither is kept.
    """

    def __init__(self, embed: Embed, *, embed_query: EmbedQuery | None = None, kept: int = _KEPT) -> None:
        given: tuple[tuple[str, object], ...] = (("embed", embed), ("embed_query", embed if embed_query is None else embed_query))
        for place, function in given:
            if not callable(function):
                hint = "Give a function of texts that returns a vector for each."
                raise BlockError(f"{shown(function)} cannot embed.", place=place, code="type", hint=hint)
        self._embed = embed
        self._embed_query = embed_query
        self._kept = kept
        self._read = lru_cache(maxsize=kept)(_marked)
        self._rows: Mapping[bytes, Floats] = {}
        self._stack = _Stack((), np.zeros((0, 0), np.float32), None)
        self._asked: tuple[bytes, Floats] | None = None

    def __call__(self, task: str, blocks: Sequence[Block]) -> list[float]:
        """One score per block, in order. Embeds first what has no vector yet: all new passages in one batch, then the task."""
        if not blocks:
            return []
        stack = self._stacked(blocks)
        scores: list[float] = _scores(stack, self._vector(task)).tolist()
        return scores

    def near(self, vector: ArrayLike, blocks: Sequence[Block]) -> Floats:
        """The same scores for a task whose vector, by the same model, is known already."""
        return _scores(self._stacked(blocks), np.asarray(vector, np.float32)) if blocks else np.zeros(0, np.float32)

    def nearest(self, task: str, blocks: Sequence[Block], top: int) -> list[tuple[int, float]]:
        """Places and scores of the `top` blocks that score highest, best first, equal ones in order. For `find`."""
        if not blocks:
            return []
        stack = self._stacked(blocks)
        return _best(_scores(stack, self._vector(task)), top)

    def toward(self, vector: ArrayLike) -> Toward:
        """A scorer for a task whose vector, by the same model, is known already."""
        return Toward(self, vector)

    def warm(self, blocks: Sequence[Block]) -> int:
        """Embed every passage of these blocks that has no vector yet, in one batch; returns how many there were."""
        wanted = {mark: text for block in blocks for mark, text in self._read(content(block))}
        missing = wanted.keys() - self._rows.keys()
        self._learned(wanted)
        return len(missing)

    def _stacked(self, blocks: Sequence[Block]) -> _Stack:
        key, stack = tuple(blocks), self._stack
        if key == stack.blocks:  # same objects compare at once, so this costs nothing while nothing changes
            return stack
        read = [self._read(content(block)) for block in key]
        rows = self._learned({mark: text for block in read for mark, text in block})
        table = np.stack([rows[mark] for block in read for mark, _ in block])
        starts = list(accumulate((len(block) for block in read[:-1]), initial=0))
        self._stack = stack = _Stack(key, table, None if len(table) == len(key) else np.array(starts, np.int64))
        return stack

    def _learned(self, wanted: Mapping[bytes, str]) -> Mapping[bytes, Floats]:
        """All vectors that are kept, among them those of `wanted`, embedded where they were not.

        The mapping is replaced whole and never changed, so that what another thread looks at stays as it is.
        """
        rows = self._rows
        missing = [mark for mark in wanted if mark not in rows]
        if missing:
            dim = len(next(iter(rows.values()))) if rows else None
            fresh = _unit_rows(self._embed([wanted[mark] for mark in missing]), len(missing), dim=dim)
            rows = {**rows, **dict(zip(missing, fresh, strict=True))}
            self._rows = rows = rows if len(rows) <= self._kept else {mark: rows[mark] for mark in wanted}
        return rows

    def _vector(self, task: str) -> Floats:
        mark = _mark(task)
        asked = self._asked
        if asked is None or asked[0] != mark:
            answer = self._embed([task]) if self._embed_query is None else [self._embed_query(task)]
            asked = self._asked = (mark, _unit_rows(answer, 1, dim=None)[0])
        return asked[1]


class Toward:
    """What `Dense` is for one task whose vector is known: the words it is asked with do not matter."""

    def __init__(self, dense: Dense, vector: ArrayLike) -> None:
        self._dense, self._vector = dense, vector

    def __call__(self, task: str, blocks: Sequence[Block]) -> list[float]:  # noqa: ARG002  # a scorer's shape
        """One score per block, in order."""
        scores: list[float] = self._dense.near(self._vector, blocks).tolist()
        return scores

    def nearest(self, task: str, blocks: Sequence[Block], top: int) -> list[tuple[int, float]]:  # noqa: ARG002  # a scorer's shape
        """Places and scores of the `top` blocks that score highest, best first, equal ones in order. For `find`."""
        return _best(self._dense.near(self._vector, blocks), top)


def _scores(stack: _Stack, vector: Floats) -> Floats:
    """The cosine of each block's best passage. All are finite, since both sides have length 1 or 0."""
    values: Floats = stack.table @ _unit(vector, stack.table.shape[1])
    return values if stack.starts is None else np.maximum.reduceat(values, stack.starts)


def _best(scores: Floats, top: int) -> list[tuple[int, float]]:
    """Changes `scores`. For a few of them looking for the highest again and again is quicker than sorting."""
    if top > _FEW:
        places = (-scores).argsort(kind="stable")[:top]
        return list(zip(places.tolist(), scores[places].tolist(), strict=True))
    best = []
    for _ in range(min(top, len(scores))):
        place = int(scores.argmax())
        best.append((place, scores.item(place)))
        scores[place] = -2  # below any cosine
    return best


def _marked(block: Content) -> tuple[tuple[bytes, str], ...]:
    return tuple((_mark(text), text) for text in wording(block).passages())


def _mark(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _unit(vector: Floats, dim: int) -> Floats:
    """A task's vector at length 1, or of zeros where it has no direction."""
    if vector.shape != (dim,):
        raise _unusable(f"a task's vector of shape {vector.shape}, and the blocks' have {dim} numbers", "dim_mismatch")
    length = math.sqrt(vector @ vector)
    if not math.isfinite(length):
        raise _unusable("a task's vector with numbers that are not finite or too large to compare", "non_finite")
    unit: Floats = vector / length if length >= _SMALLEST else np.zeros_like(vector)
    return unit


def _unit_rows(answer: object, count: int, *, dim: int | None) -> Floats:
    if isinstance(answer, CoroutineType):
        answer.close()
    try:
        table = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise _unusable(f"{type(answer).__name__}, not rows of numbers", "not_numbers") from error
    if table.ndim != _AXES or len(table) != count:
        raise _unusable(f"an array of shape {table.shape} for {count} texts", "count_mismatch")
    if dim is not None and table.shape[1] != dim:
        raise _unusable(f"vectors of {table.shape[1]} numbers, and of {dim} before", "dim_mismatch")
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise _unusable("vectors with numbers that are not finite or too large to compare", "non_finite")
    unit: Floats = np.where(lengths < _SMALLEST, 0.0, table / np.maximum(lengths, _SMALLEST)).astype(np.float32)
    return unit


def _unusable(what: str, code: str) -> EmbedderError:
    return EmbedderError(
        f"the embedding function answered with {what}.",
        place="embed",
        code=code,
        hint="It takes a list of texts and returns one vector of the same length for each, and is no async function.",
    )
