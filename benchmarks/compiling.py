"""How long a compile takes after one change and after none, against a plain join of the same strings in the same run.

Every round makes one change, untimed, and then times the compile and the join, each first in every other round, so that both
meet the same machine. What a compile leaves for later (hash, receipt), recounting, the whole walk, relevance and the cold start
are measured apart. `python -m benchmarks compile --help`.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.compiling_cold import cold_rows, find_rows
from benchmarks.harness import Row, commit, machine
from muniment import Band, Block, Compilation, MunimentError, Registry, Role, ToolCall, Trust, compile  # noqa: A004  its verb
from muniment.plugins import open_tokens

GAP = "\n\n"
PLENTY = 100_000_000
RESAMPLES = 300
ROUNDS = {31: 2400, 200: 2400, 1000: 800, 10_000: 200}
BATCH = {31: 200, 200: 100, 1000: 50, 10_000: 10}
KINDS = {"changed": "edit", "moved": "move", "written": "write", "evicted": "evict"}
WORDS = (
    "the",
    "agent",
    "reads",
    "each",
    "rule",
    "of",
    "this",
    "house",
    "before",
    "it",
    "answers",
    "and",
    "names",
    "what",
    "nobody",
)
PAPER = (("200-changed", "p50", 12.5, "us"), ("200-find", "p50", 5000.0, "us"), ("31-cold", "p50", 230_000.0, "us"))

Call = Callable[[], object]
T = TypeVar("T")


class Characters:
    """The additive counter: a token is a character."""

    name = "characters"
    exact = True
    additive = True
    count = staticmethod(len)


class Prompt:
    """A registry of `size` blocks of about 180 characters, and changes to it by a seeded generator."""

    def __init__(self, size: int) -> None:
        self.chance = Random(size)
        self.registry = Registry()
        self.made = 0
        for number in range(size):
            self.registry.write(self.text(), name=f"block {number}", priority=self.chance.random())

    def text(self) -> str:
        self.made += 1
        words = " ".join(self.chance.choice(WORDS) for _ in range(48))
        return f"{self.made}. {words}"[:180]

    def prepare(self, kind: str) -> bool:
        """Before a change of this kind, what keeps the number of blocks as it is; True when that was something."""
        opposite = {"write": "evict", "evict": "write"}.get(kind)
        if opposite:
            self.change(opposite)
        return bool(opposite)

    def change(self, kind: str) -> None:
        blocks = self.registry.blocks
        block, place = self.chance.choice(blocks), self.chance.randrange(len(blocks))
        if kind == "edit":
            self.registry.edit(block.id, self.text())
        elif kind == "move":
            self.registry.promote(block.id, to=place)
        elif kind == "write":
            self.registry.write(self.text(), name="new", position=place, priority=self.chance.random())
        else:
            self.registry.evict(block.id)


def naive(blocks: Sequence[Block], count: Callable[[str], int], budget: int) -> str:
    """Sort by priority, take what fits, join: what a compile is without order, roles, fences, locks, counts and receipt."""
    chosen, used = [], 0
    for block in sorted(blocks, key=lambda block: -block.priority):
        cost = count(block.text) + len(GAP)
        if used + cost <= budget:
            used += cost
            chosen.append(block.text)
    return GAP.join(chosen)


def main(argv: list[str]) -> int:
    """Run the benchmark, print the table, write what was asked for."""
    args = _arguments(argv)
    started = time.time()
    with threadpool_limits(1):
        rows = list(_rows(args))
    _print(rows)
    if args.json:
        args.json.write_text(json.dumps(_document(rows, started=started), indent=1) + "\n", encoding="utf-8")
    return 0


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks compile", description="Time of a compile after one change.")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(ROUNDS), help="numbers of blocks")
    parser.add_argument("--rounds", type=float, default=1.0, help="times as many rounds; 0.05 is a smoke run")
    parser.add_argument("--embedder", default="auto", help="as in muniment.open; 'none' leaves out the cold start")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    return parser.parse_args(argv)


def _rows(args: argparse.Namespace) -> Iterator[Row]:
    tick = _tick()
    for size in args.sizes:
        rounds = max(10, int(ROUNDS.get(size, 400) * args.rounds))
        _say(f"{size} blocks, {rounds} rounds")
        yield from _changed_rows(size, rounds, tick)
        yield from _unchanged_rows(size, max(10, rounds // 10))
    _say("what is left for later, recounting, a tight budget, a mixed registry")
    rounds = max(10, int(300 * args.rounds))
    yield from _later_rows(200, rounds, tick)
    yield from _recount_rows(200, max(10, rounds // 5), tick)
    yield from _whole_rows(200, rounds, tick)
    _say("relevance and the cold start")
    yield from find_rows(200, rounds)
    yield from cold_rows(31, args.embedder, rounds=max(3, int(10 * args.rounds)))
    for name, metric, value, unit in PAPER:
        yield Row(method="paper, another machine", slice=name, metric=metric, value=value, n=0, unit=unit)


def _changed_rows(size: int, rounds: int, tick: float) -> Iterator[Row]:
    """After new words for one block, and, in a quarter of the rounds each, after a move, a write and an evict."""
    for state, kind in KINDS.items():
        wanted = rounds if kind == "edit" else max(10, rounds // 4)
        ours, join = _changed(Prompt(size), kind, wanted, tick)
        slice_ = f"{size}-{state}"
        yield from _pair_rows(slice_, ours, join)
    blocks = Prompt(size).registry.blocks
    texts = [block.text for block in blocks]
    few = max(10, rounds // 10)
    simple = median(_timed(lambda: naive(blocks, len, PLENTY), tick)[0] for _ in range(few))
    join = [_timed(lambda: GAP.join(texts), tick)[0] for _ in range(few)]
    yield _row("naive", f"{size}-changed", "p50", simple / 1e3, n=few)
    yield _row("naive", f"{size}-changed", "join_ratio", simple / median(join), n=few, unit="times")


def _changed(prompt: Prompt, kind: str, rounds: int, tick: float) -> tuple[list[float], list[float]]:
    """Nanoseconds of the compile and of the join after each of so many changes."""
    registry, tokens = prompt.registry, Characters()
    times: tuple[list[float], list[float]] = ([], [])
    held: deque[object] = deque(maxlen=6)  # of both sides alike, so that neither gets the memory of its last text back at once
    compile(registry, budget=PLENTY, tokens=tokens)
    with _quiet():
        for number in range(-rounds // 10, rounds):
            if prompt.prepare(kind):
                compile(registry, budget=PLENTY, tokens=tokens)
            prompt.change(kind)
            texts = [block.text for block in registry.blocks]
            calls: tuple[Call, Call] = (
                lambda: compile(registry, budget=PLENTY, tokens=tokens),
                lambda texts=texts: GAP.join(texts),
            )
            for side in (0, 1) if number % 2 else (1, 0):
                ns, made = _timed(calls[side], tick)
                held.append(made)
                if number >= 0:
                    times[side].append(ns)
                if isinstance(made, Compilation):
                    assert made.tokens == len(made.text) == sum(map(len, texts)) + len(GAP) * (len(texts) - 1)
    return times


def _unchanged_rows(size: int, batches: int) -> Iterator[Row]:
    prompt = Prompt(size)
    registry, tokens = prompt.registry, Characters()
    texts = [block.text for block in registry.blocks]
    ours: list[float] = []
    join: list[float] = []
    repeat = range(BATCH.get(size, 20))
    for _ in range(3):
        compile(registry, budget=PLENTY, tokens=tokens)
    with _quiet():
        for _ in range(batches):
            start = time.perf_counter_ns()
            for _ in repeat:
                compile(registry, budget=PLENTY, tokens=tokens)
            middle = time.perf_counter_ns()
            for _ in repeat:
                GAP.join(texts)
            end = time.perf_counter_ns()
            ours.append((middle - start) / len(repeat))
            join.append((end - middle) / len(repeat))
    yield from _pair_rows(f"{size}-unchanged", ours, join)


def _later_rows(size: int, rounds: int, tick: float) -> Iterator[Row]:
    """What a compile leaves for when it is first read."""
    prompt = Prompt(size)
    reads: dict[str, Callable[[Compilation], object]] = {
        "hash": lambda made: made.prompt_hash,
        "blocks": lambda made: made.blocks,
        "receipt": lambda made: made.receipt,
        "prefix": lambda made: made.unchanged,
    }
    times: dict[str, list[float]] = {name: [] for name in reads}
    tokens = Characters()
    with _quiet():
        for _ in range(rounds):
            prompt.change("edit")
            made = compile(prompt.registry, budget=PLENTY, tokens=tokens)
            for name, read in reads.items():
                times[name].append(_timed(lambda read=read, made=made: read(made), tick)[0])
    for name, ns in times.items():
        yield _row("muniment", f"{size}-{name}", "p50", median(ns) / 1e3, n=rounds)


def _recount_rows(size: int, rounds: int, tick: float) -> Iterator[Row]:
    """A counter that does not add up: the whole text is counted after each change, which is nearly all of the time."""
    for name in ("estimate", "o200k"):
        try:
            tokens = open_tokens(name)
        except MunimentError as error:
            _say(f"{name} is left out: {error}")
            continue
        prompt = Prompt(size)
        registry = prompt.registry
        ours, alone = [], []
        compile(registry, budget=PLENTY, tokens=tokens)
        with _quiet():
            for _ in range(rounds):
                prompt.change("edit")
                ns, made = _timed(partial(compile, registry, budget=PLENTY, tokens=tokens), tick)
                ours.append(ns)
                alone.append(_timed(partial(tokens.count, made.text), tick)[0])
        yield _row("muniment", f"{size}-recount-{name}", "p50", median(ours) / 1e3, n=rounds)
        yield _row("counting alone", f"{size}-recount-{name}", "p50", median(alone) / 1e3, n=rounds)


def _whole_rows(size: int, rounds: int, tick: float) -> Iterator[Row]:
    """Where the short way is closed and the whole registry is walked: a tight budget, and calls, results and recalled data."""
    tokens = Characters()
    for name, prompt, budget in (("tight", Prompt(size), size * 164), ("mixed", _mixed(size), PLENTY)):
        ours, join = [], []
        with _quiet():
            for _ in range(rounds):
                prompt.change("edit")
                ns, made = _timed(partial(compile, prompt.registry, budget=budget, tokens=tokens), tick)
                ours.append(ns)
                join.append(_timed(partial(GAP.join, [block.text for block in made.blocks]), tick)[0])
        yield from _pair_rows(f"{size}-{name}", ours, join)


def _pair_rows(slice_: str, ours: Sequence[float], join: Sequence[float]) -> Iterator[Row]:
    """Medians of both sides, and their ratio with its 95% bootstrap bounds over rounds."""
    yield _row("muniment", slice_, "p50", median(ours) / 1e3, n=len(ours))
    yield _row("join", slice_, "p50", median(join) / 1e3, n=len(join))
    rounds = np.random.default_rng(0).integers(0, len(ours), (RESAMPLES, len(ours)))
    drawn = np.median(np.array(ours)[rounds], axis=1) / np.median(np.array(join)[rounds], axis=1)
    low, high = (float(f"{bound:.4g}") for bound in np.percentile(drawn, (2.5, 97.5)))
    ratio = _row("muniment", slice_, "join_ratio", median(ours) / median(join), n=len(ours), unit="times")
    yield replace(ratio, low=low, high=high)


def _mixed(size: int) -> Prompt:
    """Three quarters instructions, then a talk with tool calls and results, then recalled data and a message."""
    prompt = Prompt(size * 3 // 4)
    for number in range((size - size * 3 // 4) // 5):
        call = ToolCall(id=str(number), name="look", arguments="{}")
        write = prompt.registry.write
        write(prompt.text(), name="question", band=Band.SESSION, role=Role.USER)
        write("", name="call", band=Band.SESSION, role=Role.ASSISTANT, tool_calls=[call])
        write(prompt.text(), name="result", band=Band.SESSION, role=Role.TOOL, tool_call_id=call.id)
        write(prompt.text(), name="answer", band=Band.SESSION, role=Role.ASSISTANT)
        write(prompt.text(), name="memory", band=Band.VOLATILE, role=Role.DOCUMENT, trust=Trust.UNTRUSTED)
    return prompt


def _timed(call: Callable[[], T], tick: float) -> tuple[float, T]:
    start = time.perf_counter_ns()
    made = call()
    return time.perf_counter_ns() - start - tick, made


def _tick() -> float:
    """What timing an empty call takes."""
    nothing: Call = lambda: None  # noqa: E731  the shape of what is timed
    return median(_timed(nothing, 0)[0] for _ in range(5000))


class _quiet:  # noqa: N801  used as a statement
    """No garbage collection inside; what was there before is not looked at again."""

    def __enter__(self) -> None:
        gc.collect()
        gc.freeze()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        gc.enable()
        gc.unfreeze()


def _row(method: str, slice_: str, metric: str, value: float, *, n: int, unit: str = "us") -> Row:
    return Row(method=method, slice=slice_, metric=metric, value=float(f"{value:.4g}"), n=n, unit=unit)


def _print(rows: Iterable[Row]) -> None:
    print(f"{'slice':<22} {'method':<24} {'metric':<16} {'value':>10} {'low':>9} {'high':>9} unit")
    for row in rows:
        low, high = ("" if bound is None else f"{bound:g}" for bound in (row.low, row.high))
        print(f"{row.slice:<22} {row.method:<24} {row.metric:<16} {row.value:>10g} {low:>9} {high:>9} {row.unit}")


def _document(rows: Sequence[Row], *, started: float) -> dict[str, object]:
    return {
        "benchmark": "compile",
        "data": {
            "synthetic": "blocks of about 180 characters, changes by a seeded generator; garbage collection off while timing"
        },
        "commit": commit(),
        "machine": f"{machine()}, load {os.getloadavg()[0]:.1f} at the end, numpy {np.__version__}",
        "seconds": round(time.time() - started),
        "results": [asdict(row) for row in rows],
    }


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
