"""How long a retrieve takes while the store grows and the user's part of it does not, against peers and against a bare loop.

Every question goes to all sides in one shuffled round, so that all meet the same machine. `python -m benchmarks latency --help`.
Rule of this file: it asks, counts and prints; data, builds and peers live in the files beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.harness import Row, commit, machine
from benchmarks.latency_bare import Bare
from benchmarks.latency_build import Built, build, open_engine
from benchmarks.latency_data import DIM, PER_USER, WORDS, Memories, Question, chance, numbered, user_name
from benchmarks.latency_peers import LIMIT, PEERS, installed
from muniment import Scope
from muniment.engine import Engine

Ask = Callable[[Question], Awaitable[Sequence[int]]]
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Plan:
    """Users per file, smallest first; questions per file; how many each peer answers, in files of at most `peer_users`."""

    users: tuple[int, ...]
    questions: int
    peer_users: int
    peers: Mapping[str, int]


PLANS = {
    "smoke": Plan((2, 8), 6, 8, {"chroma": 2, "qdrant": 2}),
    "small": Plan((34, 334), 1000, 334, {"chroma": 50, "qdrant": 25}),
    "full": Plan((34, 334, 3334), 1000, 334, {"chroma": 200, "qdrant": 50}),
}


@dataclass(slots=True, kw_only=True)
class Lane:
    """One side's answers at one size. A lane with `warm` is asked once untimed at the start of each of its rounds."""

    method: str
    size: str
    state: str
    questions: list[Question]
    ask: Ask
    every: int = 1
    warm: bool = False
    ms: dict[int, float] = field(default_factory=dict)
    found: dict[int, bool] = field(default_factory=dict)

    @property
    def slice(self) -> str:
        return f"{self.size}/{PER_USER}{self.state}"


def main(argv: list[str]) -> int:
    """Run the benchmark, print the table, write what was asked for."""
    args = _arguments(argv)
    plan = PLANS[args.size]
    started = time.time()
    with ExitStack() as stack:
        folder = args.store or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muniment-latency-")))
        folder.mkdir(parents=True, exist_ok=True)
        built = {users: build(users, folder) for users in plan.users}
        stack.enter_context(threadpool_limits(1))
        lanes, absent = asyncio.run(_measure(plan, built, folder))
    results = [*_build_rows(built), *_lane_rows(lanes), *_ratio_rows(lanes, plan)]
    _print(results, absent)
    if args.log:
        _write_log(args.log, lanes)
    if args.json:
        args.json.write_text(json.dumps(_document(results, absent, args.size, started=started), indent=1) + "\n")
    return 0


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks latency", description="Retrieve latency while the store grows.")
    parser.add_argument("--size", choices=sorted(PLANS), default="small", help="small: 10k and 100k records; full: 1M as well")
    parser.add_argument("--store", type=Path, help="folder to keep the built files in, and to reuse them from")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per question and side")
    return parser.parse_args(argv)


async def _measure(plan: Plan, built: Mapping[int, Built], folder: Path) -> tuple[list[Lane], list[str]]:
    absent = [name for name in plan.peers if not installed(PEERS[name].distribution)]
    lanes: list[Lane] = []
    async with AsyncExitStack() as stack:
        for users, file in built.items():
            memories = Memories(users)
            questions = memories.questions(plan.questions)
            _read_through(file.path)
            own = {"size": size_name(len(memories)), "questions": questions}
            for state, cache in (("-cold", False), ("-hot", True)):
                engine = await stack.enter_async_context(open_engine(file.path, questions, cache=cache))
                lanes.append(Lane(method="muniment", state=state, ask=_retrieving(engine), warm=cache, **own))
            bare = stack.enter_context(Bare(file.path, questions))
            lanes.append(Lane(method="bare", state="", ask=_awaited(bare.ask), **own))
            for name in plan.peers if users <= plan.peer_users else ():
                if name not in absent:
                    _say(f"building {name} with {len(memories):,} vectors")
                    peer = stack.enter_context(PEERS[name](folder / f"{name}-{memories.mark}", memories.blocks()))
                    every = max(1, plan.questions // plan.peers[name])
                    lanes.append(Lane(method=name, state="", ask=_awaited(peer.ask), every=every, **own))
        await _ask_all(lanes, plan.questions)
    return lanes, absent


async def _ask_all(lanes: Sequence[Lane], rounds: int) -> None:
    _say(f"asking {rounds} questions of {len(lanes)} sides")
    rng = chance("order")
    for lane in lanes:
        await lane.ask(lane.questions[0])
    gc.collect()
    gc.freeze()  # what peers hold in memory must not slow the collector down for others
    for number in range(rounds):
        due = [lane for lane in lanes if number % lane.every == 0]
        for lane in due:
            if lane.warm:
                await lane.ask(lane.questions[number])
        due = [due[place] for place in rng.permutation(len(due))]
        for lane in sorted(due, key=lambda lane: lane.every):  # peers last: what they push out of the processor's cache is theirs
            await _ask(lane, lane.questions[number])
    gc.unfreeze()


async def _ask(lane: Lane, question: Question) -> None:
    started = time.perf_counter_ns()
    answer = await lane.ask(question)
    lane.ms[question.number] = (time.perf_counter_ns() - started) / 1e6
    lane.found[question.number] = numbered(question.user, question.target) in answer


def _read_through(path: Path) -> None:
    """Bring a file into the operating system's cache, so that no side pays for another's first touch."""
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass


def _retrieving(engine: Engine) -> Ask:
    async def retrieving(question: Question) -> Sequence[int]:
        bundle = await engine.retrieve(Scope(user=user_name(question.user)), question.text, limit=LIMIT)
        return [int(hit.record.ref or 0) for hit in bundle]

    return retrieving


def _awaited(ask: Callable[[Question], Sequence[int]]) -> Ask:
    async def awaited(question: Question) -> Sequence[int]:
        return ask(question)

    return awaited


def size_name(records: int) -> str:
    """10200 is 10k, 1000200 is 1M."""
    rounded = float(f"{records:.1g}")
    if rounded >= 1e6:
        return f"{rounded / 1e6:.0f}M"
    return f"{rounded / 1e3:.0f}k" if rounded >= 1e3 else str(records)


def _build_rows(built: Mapping[int, Built]) -> Iterable[Row]:
    for file in built.values():
        for figure in file.figures:
            slice_ = f"{size_name(file.records)}/{figure.slice}"
            value = _round(figure.value)
            yield Row(method="muniment", slice=slice_, metric=figure.metric, value=value, n=figure.n, unit=figure.unit)


def _lane_rows(lanes: Iterable[Lane]) -> Iterable[Row]:
    for lane in lanes:
        ms = np.array(list(lane.ms.values()))
        picks = _resamples(len(ms))
        for metric, q in (("p50", 50), ("p99", 99)):
            low, high = np.percentile(np.percentile(ms[picks], q, axis=1), (2.5, 97.5))
            yield _row(lane, metric, (np.percentile(ms, q), low, high), len(ms), "ms")
        hits = np.array(list(lane.found.values()), np.float64)
        low, high = np.percentile(hits[picks].mean(axis=1), (2.5, 97.5))
        yield _row(lane, "found", (hits.mean(), low, high), len(hits), "share")


def _ratio_rows(lanes: Sequence[Lane], plan: Plan) -> Iterable[Row]:
    at = {(lane.method, lane.slice): lane for lane in lanes}
    ours = [lane for lane in lanes if lane.method == "muniment"]
    smallest, largest = (size_name(users * PER_USER) for users in (plan.users[0], plan.users[-1]))
    for lane in ours:
        plain = f"{lane.size}/{PER_USER}"
        yield _row(lane, "floor_ratio", *_ratio(lane, at["bare", plain]), "times")
        for name in plan.peers:
            if (name, plain) in at:
                yield _row(lane, f"{name}_ratio", *_ratio(at[name, plain], lane), "times")
    for lane in ours:
        if lane.size == largest:
            growth = _ratio(lane, at["muniment", f"{smallest}/{PER_USER}{lane.state}"])
            yield replace(_row(lane, "growth", *growth, "times"), slice=f"{smallest}-{largest}/{PER_USER}{lane.state}")


def _ratio(top: Lane, bottom: Lane) -> tuple[tuple[float, float, float], int]:
    """Median over median, in the rounds where both answered, and its interval when rounds are drawn anew."""
    rounds = sorted(top.ms.keys() & bottom.ms.keys())
    above, below = (np.array([lane.ms[r] for r in rounds]) for lane in (top, bottom))
    picks = _resamples(len(rounds))
    drawn = np.median(above[picks], axis=1) / np.median(below[picks], axis=1)
    low, high = np.percentile(drawn, (2.5, 97.5))
    return (float(np.median(above) / np.median(below)), low, high), len(rounds)


def _resamples(n: int) -> np.ndarray:
    return chance("resample", n).integers(0, n, (RESAMPLES, n))


def _row(lane: Lane, metric: str, value: tuple[float, float, float], n: int, unit: str) -> Row:
    at, low, high = (_round(v) for v in value)
    return Row(method=lane.method, slice=lane.slice, metric=metric, value=at, low=low, high=high, n=n, unit=unit)


def _round(value: float) -> float:
    return float(f"{value:.4g}")


def _print(results: Sequence[Row], absent: Sequence[str]) -> None:
    print(f"{'method':<10} {'slice':<22} {'metric':<14} {'value':>10} {'low':>9} {'high':>9} {'n':>8} unit")
    for r in results:
        low, high = ("" if bound is None else f"{bound:g}" for bound in (r.low, r.high))
        print(f"{r.method:<10} {r.slice:<22} {r.metric:<14} {r.value:>10g} {low:>9} {high:>9} {r.n:>8} {r.unit}")
    for name in absent:
        print(f"{name:<10} not installed; pip install {PEERS[name].distribution} adds it to the table")


def _write_log(path: Path, lanes: Iterable[Lane]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for lane in lanes:
            for question in lane.questions:
                if question.number in lane.ms:
                    line = {
                        "method": lane.method,
                        "slice": lane.slice,
                        "question": question.number,
                        "user": question.user,
                        "text": question.text,
                        "ms": round(lane.ms[question.number], 4),
                        "found": lane.found[question.number],
                    }
                    file.write(json.dumps(line) + "\n")


def _document(results: Sequence[Row], absent: Sequence[str], size: str, *, started: float) -> dict[str, object]:
    versions = {name: installed(peer.distribution) for name, peer in PEERS.items()}
    return {
        "benchmark": "latency",
        "data": {
            "synthetic": f"size {size}, {PER_USER} records a user, {DIM} dimensions, {WORDS:,} words, users arrive interleaved",
            "peers": {name: version for name, version in versions.items() if name not in absent},
            "threads": "one for linear algebra, on all sides",
        },
        "commit": commit(),
        "machine": f"{machine()}, load {os.getloadavg()[0]:.1f} at the end",
        "seconds": round(time.time() - started),
        "results": [asdict(result) for result in results],
    }


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
