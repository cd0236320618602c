"""How many turns a second go through the rules: stored alone, read and settled alone, and both, on one core without a model.

Rule of this file: nothing is scored. Machines are noisy, so each rate is told by processor time and by the clock, and beside what
a plain loop over the same texts does; what a turn costs is told for the first, the middle and the last tenth of a run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

import muniment
from benchmarks.harness import Row, commit, machine
from benchmarks.throughput_data import Talk, first, made, sources
from benchmarks.throughput_stages import TimedStore, stages
from muniment.engine import Engine
from muniment.ingest.enrich import Enrichment
from muniment.ingest.intake import Intake
from muniment.ports import Store
from muniment.types import Scope, Turn

TURNS = 2000
GOAL = 500
_STRETCH = 200
_LOOPS = 10
_WORD = re.compile(r"\w+")
_MIB = 1 << 20


class Waiting(Enrichment):
    """Enrichment that does nothing by itself, so that storing and reading can be timed apart."""

    def nudge(self, count: int) -> None:
        """Let it wait."""


@dataclass(slots=True)
class Spent:
    """What a stretch of turns took, in seconds of the processor and of the clock."""

    turns: int = 0
    cpu: float = 0.0
    clock: float = 0.0

    def add(self, turns: int, since: tuple[float, float]) -> None:
        """Add what passed `since`."""
        self.turns += turns
        self.cpu += time.process_time() - since[0]
        self.clock += time.perf_counter() - since[1]

    @property
    def rate(self) -> float:
        return self.turns / max(self.cpu, 1e-9)


@dataclass(slots=True, kw_only=True)
class Run:
    """One run: storing and reading apart, what each stretch of turns cost in all, and the memory held after it."""

    stored: Spent = field(default_factory=Spent)
    read: Spent = field(default_factory=Spent)
    stretches: list[Spent] = field(default_factory=list)
    resident: list[int] = field(default_factory=list)
    settled: float = 0.0


def now() -> tuple[float, float]:
    """Processor time and the clock."""
    return time.process_time(), time.perf_counter()


def one_core() -> str:
    """Keep to one core where the system lets us; says whether it did."""
    if not hasattr(os, "sched_setaffinity"):
        return "cores not bound"
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return "bound to one core"


def resident() -> int:
    """Bytes of memory this process holds now, or at most so far where that cannot be told."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return peak()


def peak() -> int:
    """Bytes of memory this process held at most."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[tuple[Engine, TimedStore]]:
    """An engine without an embedder, whose work waits to be asked for and whose settling is timed."""
    async with muniment.open(url, embedder=None, tokens="estimate") as engine:
        timed = TimedStore(engine.store)
        store: Store = timed  # what it has not itself it passes on
        rules = engine.architecture.current
        engine.work = Waiting(store, clock=engine.clock, architecture=rules)
        engine.intake = Intake(engine.store, clock=engine.clock, index=engine.index, architecture=rules, work=engine.work)
        yield engine, timed


async def go_through(talks: Sequence[Talk], url: str, *, scopes: int = 1) -> Run:
    """Store and read all turns, some hundred at a time, in `scopes` scopes in turn."""
    run = Run()
    async with opened(url) as (engine, timed):
        batch: list[tuple[Scope, Talk]] = []
        for number, talk in enumerate(talks):
            batch.append((Scope(user=f"user-{number % scopes}"), talk))
            if sum(len(one.turns) for _, one in batch) >= _STRETCH or number == len(talks) - 1:
                await _stretch(engine, batch, run)
                batch = []
        run.settled = timed.seconds
    return run


async def _stretch(engine: Engine, batch: Sequence[tuple[Scope, Talk]], run: Run) -> None:
    turns = sum(len(talk.turns) for _, talk in batch)
    began = now()
    for scope, talk in batch:
        await engine.ingest(scope, talk.turns, conversation=talk.name)
    run.stored.add(turns, began)
    reading = now()
    await engine.work.wait()
    run.read.add(turns, reading)
    both = Spent()
    both.add(turns, began)
    run.stretches.append(both)
    run.resident.append(resident())


def plain_loop(turns: Sequence[Turn]) -> Spent:
    """What it takes to cut the same texts into words, some times over: a measure of the machine."""
    spent = Spent()
    began = now()
    for _ in range(_LOOPS):
        for turn in turns:
            _WORD.findall(turn.text)
    spent.add(len(turns), began)
    return spent


def rates(name: str, method: str, run: Run, loop: Spent) -> list[Row]:
    """Turns a second of each part, and how many plain loops a turn costs."""
    both = Spent(run.stored.turns, run.stored.cpu + run.read.cpu, run.stored.clock + run.read.clock)
    rows = [
        _row(method, name, f"{part}_per_second", spent.rate, n=spent.turns, unit="1/s")
        for part, spent in (("stored", run.stored), ("read", run.read), ("both", both))
    ]
    rows.append(_row(method, name, "both_per_second_clock", both.turns / max(both.clock, 1e-9), n=both.turns, unit="1/s"))
    rows.append(_row(method, name, "plain_loops", both.cpu / max(loop.cpu / _LOOPS, 1e-9), n=both.turns, unit="ratio"))
    rows.append(_row(method, name, "settle_ms", 1000 * run.settled / max(1, both.turns), n=both.turns, unit="ms"))
    return rows


def growth(name: str, method: str, run: Run) -> list[Row]:
    """What a turn costs at the start, in the middle and at the end, and how memory grows with turns."""
    costs = [1000 * one.cpu / one.turns for one in run.stretches if one.turns]
    tenth = max(1, len(costs) // 10)
    middle = (len(costs) - tenth) // 2
    parts = {"first": costs[:tenth], "middle": costs[middle : middle + tenth], "last": costs[-tenth:]}
    turns = run.stored.turns
    rows = [_row(method, name, f"{part}_tenth_ms", float(np.median(some)), n=turns, unit="ms") for part, some in parts.items()]
    rows.append(_row(method, name, "peak_mib", peak() / _MIB, n=turns, unit="MiB"))
    half = run.resident[len(run.resident) // 2 :]
    if len(half) > 2:
        places = np.cumsum([one.turns for one in run.stretches])[-len(half) :]
        slope = float(np.polyfit(places / 10_000, np.array(half) / _MIB, 1)[0])
        rows.append(_row(method, name, "mib_per_10k_turns", slope, n=turns, unit="MiB"))
    return rows


def _row(method: str, name: str, metric: str, value: float, *, n: int, unit: str) -> Row:
    return Row(method=method, slice=name, metric=metric, value=float(f"{value:.4g}"), n=n, unit=unit)


async def measure(args: argparse.Namespace, folder: Path) -> list[Row]:
    """All rows: each source on each store, the stages, and, with `--long`, a long run in one scope and in a thousand."""
    urls: dict[str, Callable[[str], str]] = {
        "memory": lambda _: "memory://",
        "sqlite": lambda name: f"sqlite:///{folder / name}.db",
    }
    rows: list[Row] = []
    for name, talks in sources(args.data).items():
        some = first(talks, args.turns)
        texts = [turn for talk in some for turn in talk.turns]
        loop = plain_loop(texts)
        words = sum(len(turn.text.split()) for turn in texts) / max(1, len(texts))
        rows.append(_row("texts", name, "words_per_turn", words, n=len(texts), unit="words"))
        for method, url in urls.items():
            rows += rates(name, method, await go_through(some, url(name)), loop)
        rows += [_row("stages", name, f"{stage}_ms", ms, n=len(texts), unit="ms") for stage, ms in stages(some).items()]
        if args.embedder != "none":
            rows.append(_row("embedder", name, "embed_ms", await embedding(args.embedder, texts), n=len(texts), unit="ms"))
    for scopes in (1, 1000) if args.long else ():
        name = f"{args.long} turns, {scopes} scope{'s' if scopes > 1 else ''}"
        run = await go_through(first(made(11), args.long), urls["sqlite"](f"long-{scopes}"), scopes=scopes)
        rows += growth(name, "sqlite", run)
    return rows


async def embedding(name: str, turns: Sequence[Turn]) -> float:
    """Milliseconds per turn that an embedder takes, apart from everything else."""
    embedder = muniment.plugins.open_embedder(name)
    if embedder is None:
        return 0.0
    began = now()
    for at in range(0, len(turns), 64):
        await embedder.passages([turn.text for turn in turns[at : at + 64]])
    spent = Spent()
    spent.add(len(turns), began)
    await embedder.close()
    return 1000 * spent.cpu / max(1, spent.turns)


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks throughput", description="Turns a second through the rules.")
    parser.add_argument("--turns", type=int, default=TURNS, help="turns of each source")
    parser.add_argument("--long", type=int, default=0, help="turns of a long run, in one scope and in a thousand; 0 for none")
    parser.add_argument("--data", type=Path, help="folder with msc/, locomo/ or longmemeval/ to measure with as well")
    parser.add_argument("--embedder", default="none", help="as in muniment.open; timed apart")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    return parser


def main(argv: list[str]) -> int:
    """Run the benchmark, print its numbers, write what was asked for."""
    args = arguments().parse_args(argv)
    started, core = time.time(), one_core()
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measure(args, Path(folder)))
    for row in rows:
        print(f"{row.slice:28s} {row.method:9s} {row.metric:24s} {row.value:12g} {row.unit:6s} n={row.n}")
    if args.json:
        document = {
            "benchmark": "throughput",
            "data": {"made": "seeds 7 and 11", "public": bool(args.data)},
            "commit": commit(),
            "machine": f"{machine()}, {core}, load {os.getloadavg()[0]:.1f} at the end",
            "seconds": round(time.time() - started, 1),
            "results": [asdict(row) for row in rows],
        }
        args.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0
