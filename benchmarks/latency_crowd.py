"""Several readers at once, with a writer beside them: what a question takes then, and how many are answered in a second.

Rule of this file: one reader and eight take turns, so that both meet the same machine; what was written is erased at the end.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import count as numbers

import numpy as np

from benchmarks.harness import Row
from benchmarks.latency_data import PER_USER, Question
from benchmarks.latency_rounds import retrieving
from muniment import Scope
from muniment.engine import Engine

CROWDS = (1, 8)
TURNS = 4
WRITER = Scope(user="writer")


async def crowd_rows(engine: Engine, method: str, *, questions: Sequence[Question], count: int) -> list[Row]:
    """Percentiles and rates of `count` questions asked by each number of readers."""
    spent: dict[int, list[float]] = {readers: [] for readers in CROWDS}
    seconds, written = dict.fromkeys(CROWDS, 0.0), dict.fromkeys(CROWDS, 0)
    part = max(1, count // TURNS)
    for turn in range(TURNS):
        for readers in CROWDS:
            asked = iter(questions[turn * part : (turn + 1) * part])
            began = time.perf_counter()
            writer = asyncio.create_task(_writing(engine, f"{turn}-{readers}"))
            await asyncio.gather(*(_reading(engine, asked, spent[readers]) for _ in range(readers)))
            writer.cancel()
            seconds[readers] += time.perf_counter() - began
            written[readers] += await _ended(writer)
    await engine.work.wait()
    await engine.forget(WRITER)
    return [
        row
        for n in CROWDS
        for row in _rows(method, f"{questions[0].of}/{PER_USER}-{n} at once", spent[n], seconds[n], written[n])
    ]


async def _reading(engine: Engine, asked: Iterator[Question], spent: list[float]) -> None:
    ask = retrieving(engine)
    for question in asked:
        started = time.perf_counter()
        await ask(question)
        spent.append(1000 * (time.perf_counter() - started))


async def _writing(engine: Engine, name: str) -> int:
    for number in numbers():
        try:
            await engine.ingest(WRITER, [f"Note {number} of turn {name}: the boat is painted again."])
        except asyncio.CancelledError:
            return number
    return 0


async def _ended(writer: asyncio.Task[int]) -> int:
    try:
        return await writer
    except asyncio.CancelledError:
        return 0


def _rows(method: str, slice_: str, spent: Sequence[float], seconds: float, written: int) -> list[Row]:
    told = (
        ("p50", float(np.percentile(spent, 50)), "ms"),
        ("p99", float(np.percentile(spent, 99)), "ms"),
        ("questions", len(spent) / seconds, "per second"),
        ("writes", written / seconds, "per second"),
    )
    return [Row(method=method, slice=slice_, metric=m, value=float(f"{v:.4g}"), n=len(spent), unit=unit) for m, v, unit in told]
