"""Hashed features: deterministic, spelling-aware, and always a vector."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from muniment.providers.embedders.hashed import HashedEmbedder


async def cosine(a, b):
    rows = await HashedEmbedder().passages([a, b])
    return float(rows[0] @ rows[1])


@given(st.text(st.characters(exclude_categories=[]), max_size=80), st.integers(1, 64))
async def test_every_text_has_a_unit_vector(text, dim):
    rows = await HashedEmbedder(dim).passages([text])
    assert rows.shape == (1, dim)
    assert np.isclose(np.linalg.norm(rows[0]), 1, atol=1e-5)


async def test_a_question_and_a_passage_of_the_same_words_agree():
    embedder = HashedEmbedder()
    assert np.array_equal(await embedder.query("The kiln is hot"), (await embedder.passages(["other", "The kiln is hot"]))[1])


async def test_spelling_counts_and_case_and_width_do_not():
    assert await cosine("Caroline", "Karoline") > 0.3 > await cosine("Caroline", "potter")
    assert np.isclose(await cosine("GREEN Teapot", "green \uff54\uff45\uff41\uff50\uff4f\uff54"), 1)


async def test_letters_without_spaces_are_compared_in_parts():
    embedder = HashedEmbedder(2048)
    rows = await embedder.passages(["昨日は京都へ行きました", "京都", "大阪", "札幌", "仙台"])
    near, *far = rows[1:] @ rows[0]
    assert near > max(far) + 0.1


def test_vectors_are_the_same_in_every_process():
    code = "import asyncio, hashlib\nfrom muniment.providers.embedders.hashed import HashedEmbedder\n"
    code += "print(hashlib.sha256(asyncio.run(HashedEmbedder().query('green teapot, glazed twice')).tobytes()).hexdigest())"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, check=True, capture_output=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_identity_tells_sizes_apart():
    assert HashedEmbedder(128).identity != HashedEmbedder(256).identity
    assert HashedEmbedder(128).dim == 128
