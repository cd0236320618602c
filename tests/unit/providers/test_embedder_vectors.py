"""The one check of every embedder's output."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import EmbedderError
from muniment.providers.embedders.vectors import unit_rows


def reason(rows, *, count=None, dim=4):
    with pytest.raises(EmbedderError) as caught:
        unit_rows(rows, count=len(rows) if count is None else count, dim=dim, source="test")
    assert caught.value.hint
    return caught.value.reason


@pytest.mark.parametrize("size", [0, 3, 5, 100_000])
def test_vector_19_rows_of_another_size_are_refused(size):
    assert reason([[1.0] * size]) == "dim_mismatch"
    assert reason(np.ones((2, size), np.float32)) == "dim_mismatch"


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (float("nan"), "non_finite"),
        (float("inf"), "non_finite"),
        (float("-inf"), "non_finite"),
        (1e38, "non_finite"),
        (1e300, "non_finite"),
        (1e-40, "zero_norm"),
        (0.0, "zero_norm"),
    ],
)
def test_vector_20_numbers_that_cannot_be_compared_are_refused(bad, code):
    assert reason([[0.5] * 4, [bad] * 4]) == code
    with np.errstate(over="ignore"):
        assert reason(np.array([[0.5] * 4, [bad] * 4], np.float32)) == code


@pytest.mark.parametrize("given_rows", [[], [[1.0] * 4], [[1.0] * 4] * 3])
def test_vector_21_fewer_or_more_vectors_than_texts_are_refused(given_rows):
    assert reason(given_rows, count=2) == "count_mismatch"


@pytest.mark.parametrize("row", [None, "0.1,0.2", {"a": 1}, [None] * 4, ["a"] * 4, [[1.0]] * 4, [10**400] * 4])
def test_what_is_not_numbers_is_refused(row):
    assert reason([row]) in {"not_numbers", "dim_mismatch", "non_finite"}


def test_no_texts_give_an_empty_table_of_the_right_width():
    assert unit_rows([], count=0, dim=4, source="test").shape == (0, 4)


@given(
    st.lists(
        st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3).filter(lambda r: max(map(abs, r)) > 1e-3), max_size=5
    )
)
def test_rows_come_out_with_length_one_and_the_same_direction(rows):
    unit = unit_rows(rows, count=len(rows), dim=3, source="test")
    assert unit.dtype == np.float32
    for row, original in zip(unit, rows, strict=True):
        assert np.isclose(np.linalg.norm(row), 1, atol=1e-5)
        assert np.allclose(row * np.linalg.norm(original), original, rtol=1e-4, atol=1e-3)


def test_rows_cannot_be_changed_afterwards():
    row = unit_rows([[1.0, 2.0]], count=1, dim=2, source="test")
    with pytest.raises(ValueError, match="read-only"):
        row[0, 0] = 5
