"""The one check every embedder's output passes: as many rows as texts, the right size, finite, and not zero.

Rule of this file: what cannot be compared is refused here, so no other room ever sees NaN, zero or another model's size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from muniment.errors import EmbedderError
from muniment.shelf import Floats

SMALLEST = 1e-12
"""A shorter vector has no direction worth keeping: no model gives one, broken ones give zeros and denormals."""

_AXES = 2


def unit_rows(rows: Sequence[object] | Floats, *, count: int, dim: int, source: str) -> Floats:
    """Rows scaled to length 1, as read-only float32 of shape (count, dim). `source` names the embedder in messages.

    Raises EmbedderError with reason `count_mismatch`, `dim_mismatch`, `not_numbers`, `non_finite` or `zero_norm`.
    """
    if len(rows) != count:
        raise _unusable(source, f"{len(rows)} vectors for {count} texts", "count_mismatch")
    if not count:
        return np.zeros((0, dim), np.float32)
    table = _table(rows, dim, source)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.square(table.astype(np.float32)).sum(axis=1)
    if not np.isfinite(squares).all():
        raise _unusable(source, "a vector with numbers that are not finite or too large to compare", "non_finite")
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    if float(lengths.min()) < SMALLEST:
        raise _unusable(source, "a vector of zeros", "zero_norm")
    unit: Floats = (table / lengths).astype(np.float32)
    unit.flags.writeable = False
    return unit


def _table(rows: Sequence[object] | Floats, dim: int, source: str) -> NDArray[np.float64]:
    if not isinstance(rows, np.ndarray):
        for row in rows:
            if not isinstance(row, list | tuple | np.ndarray):
                raise _unusable(source, "something that is not numbers", "not_numbers")
            if len(row) != dim:
                raise _unusable(source, f"a vector of {len(row)} numbers where {dim} were expected", "dim_mismatch")
    try:
        table = np.asarray(rows, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise _unusable(source, "something that is not numbers", "not_numbers") from error
    if table.ndim != _AXES or table.shape[1] != dim:
        raise _unusable(
            source, f"an array of shape {table.shape} where {len(rows)} vectors of {dim} were expected", "dim_mismatch"
        )
    return table


def _unusable(source: str, what: str, code: str) -> EmbedderError:
    return EmbedderError(
        f"the embedder {source} answered with {what}.",
        code=code,
        hint="Nothing of this answer was kept. Check the model's name and its number of dimensions.",
    )
