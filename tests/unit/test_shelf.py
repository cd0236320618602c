"""The index forms: hashes are the same on every machine, half-precision vectors come back exactly as a cast would give them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from muniment.shelf import HEAD, NO_TIME, Entry, Shelf, pack_vector, term_hash, term_hashes, unpack_vectors
from muniment.testing.strategies import texts
from muniment.types import Scope


def test_hashes_are_the_same_on_every_machine():
    assert [term_hash(term) for term in ("kettle", "Zo\u00eb", "")] == [
        12178856823605620760,
        11135694976992124792,
        13020603013274838756,
    ]


@given(st.lists(texts(), max_size=20))
def test_hashes_keep_order_and_repeats(words):
    hashes = term_hashes(words)
    assert hashes.dtype == np.uint64
    assert hashes.tolist() == [term_hash(word) for word in words]


@given(st.lists(st.text(max_size=12), unique=True, max_size=200))
def test_different_terms_have_different_hashes(words):
    assert len(set(term_hashes(words).tolist())) == len(words)


def test_every_finite_half_comes_back_as_a_cast_gives_it():
    halves = np.arange(0x10000, dtype=np.uint32).astype(np.uint16).view(np.float16)
    finite = halves[np.isfinite(halves)]
    unpacked = unpack_vectors(finite.astype("<f2").tobytes(), 1)[:, 0]
    assert unpacked.dtype == np.float32
    assert np.array_equal(unpacked.view(np.uint32), finite.astype(np.float32).view(np.uint32))


@given(arrays.arrays(np.float32, arrays.array_shapes(min_dims=2, max_dims=2, max_side=40), elements=st.floats(-1, 1, width=32)))
def test_vectors_come_back_within_half_precision_in_order(rows):
    back = unpack_vectors(b"".join(pack_vector(row) for row in rows), rows.shape[1])
    assert back.shape == rows.shape
    assert np.allclose(back, rows, rtol=2**-11, atol=2**-24)


def test_a_packed_vector_takes_two_bytes_a_number():
    assert len(pack_vector(np.ones(384, np.float32))) == 768


def test_no_vectors_have_no_rows():
    assert unpack_vectors(b"", 384).shape == (0, 384)
    assert unpack_vectors(b"", 0).shape == (0, 0)


def test_packing_twice_changes_nothing():
    vector = np.random.default_rng(7).standard_normal(384).astype(np.float32)
    once = unpack_vectors(pack_vector(vector), 384)[0]
    assert pack_vector(once) == pack_vector(vector)


def test_a_head_row_has_a_fixed_layout():
    assert HEAD.itemsize == 40
    assert HEAD.names == ("seq", "part", "start", "end", "conversation", "speaker", "agent", "role", "kind", "said_at")
    assert all(HEAD[name].newbyteorder("<") == HEAD[name] for name in HEAD.names)
    assert np.array(NO_TIME, HEAD["said_at"]) == NO_TIME


def shelf(entries: int, dim: int) -> Shelf:
    return Shelf(
        scope=Scope(user="ana"),
        generation=1,
        head=np.zeros(entries, HEAD),
        bounds=np.arange(entries + 1, dtype=np.int64),
        terms=np.zeros(entries, np.uint64),
        vectors=np.zeros((entries, dim), np.float32),
        embedded=np.zeros(entries, np.bool_),
        speakers={},
    )


@pytest.mark.parametrize(("entries", "dim"), [(0, 0), (1, 0), (3, 8)])
def test_a_shelf_knows_its_length_and_its_weight(entries, dim):
    assert len(shelf(entries, dim)) == entries
    assert shelf(entries, dim).nbytes == entries * 40 + (entries + 1) * 8 + entries * 8 + entries * dim * 4 + entries


def test_shelves_and_entries_are_compared_by_identity():
    entry = Entry(start=0, end=1, terms=term_hashes(["a"]))
    assert entry != Entry(start=0, end=1, terms=term_hashes(["a"]))
    assert entry.vector is None
    assert shelf(1, 2) != shelf(1, 2)
