"""An async embedder used from plain code."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

from muniment.errors import EmbedderError
from muniment.providers.embedders.blocking import BlockingEmbedder
from muniment.providers.embedders.hashed import HashedEmbedder
from muniment.testing import FailingEmbedder


class LoopBound:
    """An embedder that, like a pooled HTTP client, works on the loop it was first used on and on no other."""

    identity, dim = "loop-bound", 2

    def __init__(self):
        self.loops = set()
        self.closed_on = None

    async def passages(self, texts):
        self.loops.add(asyncio.get_running_loop())
        return np.ones((len(texts), 2), np.float32)

    async def query(self, text):
        return (await self.passages([text]))[0]

    async def close(self):
        self.closed_on = asyncio.get_running_loop()


def test_it_gives_the_vectors_of_the_embedder_it_wraps():
    hashed = HashedEmbedder(64)
    with BlockingEmbedder(hashed) as embedder:
        assert (embedder.identity, embedder.dim) == (hashed.identity, 64)
        assert np.array_equal(embedder.passages(["a boat", "a tram"]), asyncio.run(hashed.passages(["a boat", "a tram"])))
        assert np.array_equal(embedder.query("a boat"), asyncio.run(hashed.query("a boat")))


def test_every_call_and_the_close_run_on_one_loop_whatever_thread_asks():
    inner = LoopBound()
    with BlockingEmbedder(inner) as embedder:
        askers = [threading.Thread(target=embedder.passages, args=(["x"],)) for _ in range(4)]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
        embedder.query("y")
    assert inner.loops == {inner.closed_on}


async def test_it_answers_from_a_worker_thread_while_a_loop_runs():
    with BlockingEmbedder(HashedEmbedder(16)) as embedder:
        assert (await asyncio.to_thread(embedder.passages, ["x"])).shape == (1, 16)


def test_a_failure_passes_through_and_the_next_call_works_on():
    with BlockingEmbedder(FailingEmbedder()) as embedder:
        for _ in range(2):
            with pytest.raises(EmbedderError):
                embedder.query("x")


def test_a_closed_one_says_so_and_closes_twice_without_harm():
    embedder = BlockingEmbedder(HashedEmbedder(16))
    embedder.close()
    embedder.close()
    with pytest.raises(EmbedderError) as caught:
        embedder.passages(["x"])
    assert caught.value.reason == "closed"
