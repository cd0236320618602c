"""How clean memory stays: a month of an agent's log, of which a few dozen messages state something true.

A current memory is junk unless it holds more than half of the words of a fact that is true now, or says nothing but what stands
in the words such a fact was told in. A fact is current when one current memory holds all of its words. Nothing of the product's
extraction takes part in the judging.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import muniment
from benchmarks.harness import DRAWS, Row, commit, machine
from benchmarks.junk_log import KNOWN_BY, Fact, Log, content_words, generate, holds, read_log
from muniment.engine import Engine
from muniment.knowledge.values import Memory
from muniment.providers.clock import SystemClock
from muniment.types import Scope

SCOPE = Scope(client="acme", customer="north", user="ana")
_PAGE = 1000
_FRAME = frozenset({"user", "named", "called"})
_PIECE = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was kept at the end, and how many current memories there were after each day."""

    memories: tuple[Memory, ...]
    daily: tuple[int, ...]
    messages: int
    seconds: float


async def remember(log: Log, *, store: str) -> Outcome:
    """Feed the log through the product, day by day, and wait for its memories."""
    started, daily, count = time.perf_counter(), [], 0
    async with muniment.open(store, embedder="none", tokens="estimate", clock=SystemClock()) as engine:
        for day in log.days:
            for place in range(0, len(day), _PIECE):
                await engine.ingest(SCOPE, day[place : place + _PIECE], agent="operations")
                await engine.work.wait(SCOPE)
            count += len(day)
            daily.append(len(await _current(engine)))
        memories = await _current(engine)
    return Outcome(tuple(memories), tuple(daily), count, time.perf_counter() - started)


async def _current(engine: Engine) -> list[Memory]:
    found: list[Memory] = []
    cursor: str | None = None
    while True:
        page = await engine.memories.list(SCOPE, limit=_PAGE, cursor=cursor)
        found += page.memories
        cursor = page.cursor
        if cursor is None:
            return found


def supported(text: str, facts: Sequence[Fact]) -> bool:
    """True when more than half of the words of some fact stand in `text`, or all of its own in what was said of the fact."""
    own = [word for word in content_words(text) if word not in _FRAME]
    return any(
        sum(holds(text, word) for word in fact.words) * 2 > len(fact.words)
        or any(own and all(holds(said, word) for word in own) for said in fact.said)
        for fact in facts
    )


def told(text: str, fact: Fact) -> bool:
    """True when all words of the fact stand in `text`."""
    return all(holds(text, word) for word in fact.words)


def rows_of(outcome: Outcome, facts: Sequence[Fact]) -> tuple[list[Row], list[str], list[Fact]]:
    """The numbers, the texts that are junk, and the facts that are missing."""
    true = [fact for fact in facts if fact.current]
    junk = [not supported(memory.text, true) for memory in outcome.memories]
    kept = [any(told(memory.text, fact) for memory in outcome.memories) for fact in true]
    rows = [_share("junk_share", junk), _share("facts_current", kept)]
    n = len(outcome.memories)
    rows.append(_row("memories", float(n), n=outcome.messages, unit="memories"))
    rows.append(_row("turns_per_second", outcome.messages / outcome.seconds, n=outcome.messages, unit="turns/s"))
    for day, (count, before) in enumerate(zip(outcome.daily, (0, *outcome.daily), strict=False), 1):
        rows.append(_row("growth", float(count - before), n=count, unit="memories", slice_=f"day {day:02d}"))
    late = outcome.daily[KNOWN_BY:]
    if late:
        gained = (late[-1] - outcome.daily[KNOWN_BY - 1]) / len(late)
        rows.append(_row("growth_per_day", gained, n=len(late), unit="memories", slice_="after the facts are known"))
    texts = [memory.text for memory, bad in zip(outcome.memories, junk, strict=True) if bad]
    return rows, texts, [fact for fact, good in zip(true, kept, strict=True) if not good]


def _row(metric: str, value: float, *, n: int, unit: str, slice_: str = "overall") -> Row:
    return Row(method="muniment", slice=slice_, metric=metric, value=value, n=n, unit=unit)


def _share(metric: str, hits: Sequence[bool]) -> Row:
    if not hits:
        return _row(metric, 0.0, n=0, unit="share")
    values = np.array(hits, np.float64)
    means = values[np.random.default_rng(0).integers(0, len(values), (DRAWS, len(values)))].mean(1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Row(
        method="muniment",
        slice="overall",
        metric=metric,
        value=float(values.mean()),
        low=float(low),
        high=float(high),
        n=len(values),
    )


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks junk", description="A month of an agent's log.")
    parser.add_argument("--seed", type=int, default=31, help="which log is made")
    parser.add_argument("--log", type=Path, help="somebody else's log instead, as JSON lines")
    parser.add_argument("--data", type=Path, default=os.environ.get("MUNIMENT_DATA"), help="folder with msc/ and tau_bench/")
    parser.add_argument("--messages", type=int, default=10_000, help="length of the log that is made")
    parser.add_argument("--store", default="memory://", help="as in muniment.open")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--show", action="store_true", help="print what is junk and what is missing")
    return parser


def main(argv: list[str]) -> int:
    """Run the benchmark, print its numbers, write what was asked for."""
    args = arguments().parse_args(argv)
    log = read_log(args.log) if args.log else generate(args.seed, args.data, messages=args.messages)
    outcome = asyncio.run(remember(log, store=args.store))
    rows, junk, missing = rows_of(outcome, log.facts)
    for row in rows:
        interval = "" if row.low is None else f" [{row.low:.3f}, {row.high:.3f}]"
        print(f"{row.slice:28s} {row.metric:18s} {row.value:9.3f}{interval}  n={row.n}")
    if args.show:
        print("\n".join([*(f"junk: {text}" for text in junk), *(f"missing: {fact.words} {fact.said}" for fact in missing)]))
    if args.json:
        source = {"log": args.log.name} if args.log else {"seed": args.seed, "public": bool(args.data)}
        document = {
            "benchmark": "junk",
            "data": source,
            "commit": commit(),
            "machine": machine(),
            "seconds": round(outcome.seconds, 1),
            "results": [asdict(row) for row in rows],
        }
        args.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0
