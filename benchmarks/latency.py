"""How long a retrieve takes while the store grows and the user's part of it does not, against peers and against a bare loop.

Every question goes to all sides in one shuffled round, so that all meet the same machine. `python -m benchmarks latency --help`.
Rule of this file: it plans, counts and prints; data, builds, peers, rounds and crowds live in the files beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.harness import Row, commit, machine
from benchmarks.latency_bare import Bare
from benchmarks.latency_build import Built, build, filled, open_engine
from benchmarks.latency_crowd import crowd_rows
from benchmarks.latency_data import DIM, PER_USER, STATED, WORDS, Question, chance, size_name
from benchmarks.latency_embedded import embedded_lanes, embedding, local_model
from benchmarks.latency_peers import PEERS, installed
from benchmarks.latency_rounds import Ask, Lane, ask_all, awaited, read_through, retrieving
from muniment.ports import Embedder

RESAMPLES = 1000
OURS = ("muniment", "postgres")
WIDE, WIDER = 3_000, 30_000
ROUNDS_IN = {WIDE: 5, WIDER: 20}
"""Of so many questions, one is asked of a scope of this size."""


@dataclass(frozen=True, slots=True)
class Size:
    """The users of one file, and how many memories each of the others has."""

    users: int
    wide: tuple[int, ...] = ()

    @property
    def records(self) -> int:
        return self.users * PER_USER + sum(self.wide)


@dataclass(frozen=True, slots=True)
class Peer:
    """How many questions a peer answers, and how many records it is given at most."""

    questions: int
    most: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Files, smallest first; questions per file; what is asked of peers; questions of each crowd, and of the embedder."""

    sizes: tuple[Size, ...]
    questions: int
    peers: Mapping[str, Peer]
    crowd: int
    embedded: int


_10K, _100K, _1M = Size(24, (WIDE,)), Size(224, (WIDE, WIDER)), Size(3224, (WIDE, WIDER))
_PEERS = {"chroma": Peer(50, 110_000), "lancedb": Peer(200, 110_000), "qdrant": Peer(25, 110_000), "mem0": Peer(25, 11_000)}
PLANS = {
    "smoke": Plan((Size(2), Size(2, (600,))), 6, {name: Peer(2, 3_000) for name in _PEERS}, 8, 2),
    "tiny": Plan((_10K,), 400, _PEERS, 200, 100),
    "small": Plan((_10K, _100K), 1000, _PEERS, 400, 200),
    "full": Plan((_10K, _100K, _1M), 1000, _PEERS, 400, 200),
}


def main(argv: list[str]) -> int:
    """Run the benchmark, print the table, write what was asked for."""
    args = _arguments(argv)
    plan = PLANS[args.size]
    peers = {name: peer for name, peer in plan.peers.items() if name in args.peers}
    plan = replace(plan, peers=peers, questions=args.questions or plan.questions)
    started = time.time()
    with ExitStack() as stack:
        folder = args.store or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="muniment-latency-")))
        folder.mkdir(parents=True, exist_ok=True)
        built = [build(size.users, size.wide, folder) for size in plan.sizes]
        stack.enter_context(threadpool_limits(1))
        lanes, crowds, absent = asyncio.run(_measure(plan, built, folder, args.postgres))
    results = [*_build_rows(built), *_lane_rows(lanes), *_ratio_rows(lanes, plan), *crowds]
    _print(results, absent)
    if args.log:
        _write_log(args.log, lanes)
    if args.json:
        args.json.write_text(json.dumps(_document(results, absent, args.size, started=started), indent=1) + "\n")
    return 0


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks latency", description="Retrieve latency while the store grows.")
    parser.add_argument("--size", choices=sorted(PLANS), default="small", help="tiny: 10k records; small: 100k too; full: 1M too")
    parser.add_argument("--store", type=Path, help="folder to keep the built files in, and to reuse them from")
    parser.add_argument(
        "--postgres",
        nargs="+",
        default=(),
        metavar="URL",
        help="empty databases with pgvector, one for each size, smallest first",
    )
    parser.add_argument("--questions", type=int, help="asked of each file, in place of the plan's number")
    parser.add_argument("--peers", nargs="*", choices=sorted(PEERS), default=sorted(PEERS), help="who is measured beside it")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per question and side")
    return parser.parse_args(argv)


async def _measure(
    plan: Plan, built: Sequence[Built], folder: Path, servers: Sequence[str]
) -> tuple[list[Lane], list[Row], list[str]]:
    absent = [name for name in plan.peers if not installed(PEERS[name].distribution)]
    lanes: list[Lane] = []
    crowds: list[Row] = []
    async with AsyncExitStack() as stack:
        model = local_model()
        if model is not None:
            stack.push_async_callback(model.close)
        for number, file in enumerate(built):
            read_through(file.path)
            asked = {size: file.memories.questions(plan.questions, size) for size in dict.fromkeys(file.memories.sizes)}
            stores = {"muniment": f"sqlite:///{file.path}"}
            if number < len(servers):
                await filled(servers[number], file.memories)
                stores["postgres"] = servers[number]
            for method, url in stores.items():
                own, crowd = await _own_lanes(stack, method, url, asked, crowd=plan.crowd)
                lanes += own
                crowds += crowd
            bares = {size: stack.enter_context(Bare(file.path, questions)) for size, questions in asked.items()}
            lanes += [_lane("bare", "", asked, size, awaited(bare.ask)) for size, bare in bares.items()]
            if model is not None:
                lanes += await stack.enter_async_context(embedded_lanes(model, file, asked[PER_USER], plan.embedded))
            there = {name: peer for name, peer in plan.peers.items() if name not in absent and file.records <= peer.most}
            lanes += _peer_lanes(stack, there, file, asked, folder=folder, model=model)
        await ask_all(lanes, plan.questions)
    return lanes, crowds, absent


Asked = Mapping[int, list[Question]]
"""Questions by how many memories those who ask have."""


def _lane(method: str, state: str, asked: Asked, size: int, ask: Ask, *, warm: bool = False) -> Lane:
    return Lane(
        method=method,
        size=asked[size][0].of,
        state=state,
        questions=asked[size],
        ask=ask,
        scope=size,
        every=ROUNDS_IN.get(size, 1),
        warm=warm,
    )


async def _own_lanes(stack: AsyncExitStack, method: str, url: str, asked: Asked, *, crowd: int) -> tuple[list[Lane], list[Row]]:
    """Cold and hot at every size of scope, and what several readers at once found."""
    every = [question for questions in asked.values() for question in questions]
    cold = await stack.enter_async_context(open_engine(url, every, cache=False))
    hot = await stack.enter_async_context(open_engine(url, every, cache=True))
    crowds = await crowd_rows(hot, method, questions=asked[PER_USER], count=crowd)
    lanes = [_lane(method, "-cold", asked, size, retrieving(cold)) for size in asked]
    return [*lanes, *(_lane(method, "-hot", asked, size, retrieving(hot), warm=True) for size in asked)], crowds


def _peer_lanes(
    stack: AsyncExitStack, peers: Mapping[str, Peer], file: Built, asked: Asked, *, folder: Path, model: Embedder | None
) -> Iterable[Lane]:
    for name, peer in peers.items():
        print(f"building {name} with {file.records:,} vectors", file=sys.stderr, flush=True)
        side = stack.enter_context(PEERS[name](folder / f"{name}-{file.memories.mark}", file.memories.blocks()))
        every = max(1, len(asked[PER_USER]) // peer.questions)
        yield replace(_lane(name, "", asked, PER_USER, awaited(side.ask)), every=every)
        if model is not None:
            yield replace(_lane(name, "-embedded", asked, PER_USER, embedding(model, side.ask)), every=every)


def _build_rows(built: Sequence[Built]) -> Iterable[Row]:
    for file in built:
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
        if lane.state.startswith("-embedded"):
            continue  # the model's vectors are not those that the store was filled with
        hits = np.array(list(lane.found.values()), np.float64)
        low, high = np.percentile(hits[picks].mean(axis=1), (2.5, 97.5))
        yield _row(lane, "found", (hits.mean(), low, high), len(hits), "share")


def _ratio_rows(lanes: Sequence[Lane], plan: Plan) -> Iterable[Row]:
    at = {(lane.method, lane.slice): lane for lane in lanes}
    sizes = [size_name(size.records) for size in plan.sizes]
    for lane in lanes:
        if lane.method not in OURS:
            continue
        if (floor := at.get(("bare", lane.slice.removesuffix(lane.state)))) and not lane.state.startswith("-embedded"):
            yield _row(lane, "floor_ratio", *_ratio(lane, floor), "times")
        state = "-embedded" if lane.state.startswith("-embedded") else ""
        for name in plan.peers:
            if (peer := at.get((name, f"{lane.size}/{lane.scope}{state}"))) is not None:
                yield _row(lane, f"{name}_ratio", *_ratio(peer, lane), "times")
        smallest = at.get((lane.method, f"{sizes[0]}/{lane.scope}{lane.state}"))
        if smallest is not None and lane.size != sizes[0]:
            growth = _row(lane, "growth", *_ratio(lane, smallest), "times")
            yield replace(growth, slice=f"{sizes[0]}-{lane.slice}")


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
            "synthetic": f"size {size}, {PER_USER} records a user and thousands of a few, {DIM} dimensions, {WORDS:,} words, "
            f"one record in {STATED} states something, users arrive interleaved",
            "peers": {name: version for name, version in versions.items() if name not in absent},
            "threads": "one for linear algebra, on all sides",
        },
        "commit": commit(),
        "machine": f"{machine()}, load {os.getloadavg()[0]:.1f} at the end",
        "seconds": round(time.time() - started),
        "results": [asdict(result) for result in results],
    }
