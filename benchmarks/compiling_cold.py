"""Relevance and the cold start for `benchmarks compile`: what is spent beside the matrix product, and beside the embedding.

Rule of this file: the embedding alone is given the same texts in the same batch, taken down in an untimed run.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median

import numpy as np

from benchmarks.harness import Row
from muniment import Block, MunimentError, Registry, compile  # noqa: A004  its verb
from muniment.compile.scorers import Dense
from muniment.plugins import open_embedder
from muniment.providers.embedders.blocking import BlockingEmbedder
from muniment.registry.relevance import find
from muniment.registry.seeds import parse
from muniment.seedfiles import read_seed_files
from muniment.shelf import Floats
from muniment.testing import CountingTokens
from muniment.types import BlockId

DIM = 384
WORDS = (
    "check",
    "every",
    "answer",
    "against",
    "the",
    "manual",
    "before",
    "it",
    "leaves",
    "desk",
    "and",
    "say",
    "what",
    "is",
    "not",
)


def find_rows(size: int, rounds: int) -> Iterator[Row]:
    """The three nearest of `size` blocks for a query vector that is given, beside one product of the same matrix."""
    rng = np.random.default_rng(size)
    table = rng.standard_normal((size, DIM)).astype(np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    query = table[0] + table[1]
    blocks = tuple(Block(id=BlockId(str(n)), name=f"block {n}", text=_text(n)) for n in range(size))
    dense = Dense(lambda texts: table[: len(texts)])
    dense.warm(blocks)

    calls: dict[str, Callable[[], object]] = {
        "muniment": lambda: find(blocks, "task", dense.toward(query)),
        "scores only": lambda: dense.near(query, blocks),
        "matrix product": lambda: table @ query,
    }
    times = _in_turn(calls, rounds)
    for method, ns in times.items():
        yield Row(method=method, slice=f"{size}-find", metric="p50", value=_short(ns / 1e3), n=rounds, unit="us")
        if method != "matrix product":
            ratio = _short(ns / times["matrix product"])
            yield Row(method=method, slice=f"{size}-find", metric="product_ratio", value=ratio, n=rounds, unit="times")


def cold_rows(size: int, embedder: str, *, rounds: int) -> Iterator[Row]:
    """From a seed file on disk to the first prompt: read, parse, load, embed, compile."""
    try:
        opened = open_embedder(embedder)
    except MunimentError as error:
        print(f"the cold start is left out: {error}", file=sys.stderr)
        return
    if opened is None:
        return
    with BlockingEmbedder(opened) as model, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed.md"
        path.write_text("".join(f"---\nname: rule-{n}\n---\n{_text(n)}\n" for n in range(size)), encoding="utf-8")
        asked: list[str] = []

        def embed(texts: Sequence[str]) -> Floats:
            asked[:] = texts
            return model.passages(texts)

        warm = Dense(embed)
        _start(path, warm, size)
        calls: dict[str, Callable[[], object]] = {
            "muniment": lambda: _start(path, Dense(embed), size),
            "muniment, vectors kept": lambda: _start(path, warm, size),
            "embedding alone": lambda: model.passages(asked),
        }
        times = _in_turn(calls, rounds)
        for method, ns in times.items():
            slice_ = f"{size}-cold"
            yield Row(method=method, slice=slice_, metric="p50", value=_short(ns / 1e3), n=rounds, unit="us")
            if method != "embedding alone":
                ratio = _short(ns / times["embedding alone"])
                yield Row(method=method, slice=slice_, metric="embedding_ratio", value=ratio, n=rounds, unit="times")


def _start(path: Path, dense: Dense, size: int) -> None:
    registry = Registry()
    for file in read_seed_files([path]):
        registry.load(parse(file))
    dense.warm(registry.blocks)
    assert len(compile(registry, budget=100_000, tokens=CountingTokens()).blocks) == size


def _in_turn(calls: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    times: dict[str, list[int]] = {name: [] for name in calls}
    for number in range(-1, rounds):
        for name, call in calls.items():
            start = time.perf_counter_ns()
            call()
            if number >= 0:
                times[name].append(time.perf_counter_ns() - start)
    return {name: median(ns) for name, ns in times.items()}


def _text(number: int) -> str:
    chance = Random(number)
    return f"{number}. {' '.join(chance.choice(WORDS) for _ in range(48))}"[:180]


def _short(value: float) -> float:
    return float(f"{value:.4g}")
