"""Builds one file of memories through the product's own path and measures that: ingest rates, file size, memory.

A build runs in a process of its own, so that its peak memory is its own. Rows arrive from random users, 100 to a transaction:
records as ingest makes them, written by one `put`, since a call of ingest belongs to one user. The last rows come by
`engine.ingest`, one turn a call, first one after the other and then many at once. Then everything is derived from all of them.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
import resource
import sys
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import muniment
from benchmarks.latency_data import BLOCK, DIM, FIRST, Block, Floats, Memories, Question, numbered, said_at, user_name
from muniment import Outcome, Record, Scope, Turn, plugins
from muniment.engine import Engine
from muniment.ingest.derive import derive
from muniment.ingest.rules import accept, content_digest, record_of
from muniment.ports import Embedder, Store, Write
from muniment.providers.clock import SystemClock
from muniment.retrieve.rules import Weights
from muniment.stores.sqlite import open_sqlite

TOGETHER = 100  # rows of one transaction
ONE_BY_ONE = 1000  # rows, and at most a block more, that come by ingest
AT_ONCE = 32  # calls of ingest under way
PER_CONVERSATION = 30
SEARCHES = 500  # answered before the memory of searching is read


@dataclass(frozen=True, slots=True)
class Figure:
    """One number measured while building."""

    slice: str
    metric: str
    value: float
    n: int
    unit: str


@dataclass(frozen=True, slots=True)
class Built:
    """A finished file."""

    path: Path
    memories: Memories
    figures: tuple[Figure, ...]

    @property
    def records(self) -> int:
        return len(self.memories)


class GivenEmbedder:
    """Vectors that were computed before: it looks them up by text, so that no model runs inside a measurement."""

    identity = "given"
    dim = DIM

    def __init__(self) -> None:
        self.table: dict[str, Floats] = {}

    def give(self, texts: Sequence[str], vectors: Floats) -> None:
        """Know these texts and forget those before."""
        self.table = dict(zip(texts, vectors, strict=True))

    async def passages(self, texts: Sequence[str]) -> Floats:
        return np.stack([self.table[text] for text in texts])

    async def query(self, text: str) -> Floats:
        return self.table[text]

    async def close(self) -> None:
        pass


@asynccontextmanager
async def open_engine(url: str, questions: Sequence[Question], *, cache: bool) -> AsyncIterator[Engine]:
    """An engine over a filled store that knows the questions' vectors. Without `cache` it keeps no shelf: all is read anew."""
    embedder = GivenEmbedder()
    embedder.give([question.text for question in questions], np.stack([question.vector for question in questions]))
    async with open_with(url, embedder, cache=cache) as engine:
        yield engine


@asynccontextmanager
async def open_with(url: str, embedder: Embedder, *, cache: bool) -> AsyncIterator[Engine]:
    """An engine over a filled store; see `open_engine`."""
    bounds = {} if cache else {"shelf_bytes": 0}
    store: Store
    if url.startswith("sqlite:///"):
        store = await open_sqlite(Path(url.removeprefix("sqlite:///")), **bounds)
    else:
        store = await import_module("muniment.stores.postgres").open_postgres(url, **bounds)
    engine = Engine(store, embedder=embedder, tokens=plugins.open_tokens("auto"), clock=SystemClock(), weights=Weights())
    try:
        await engine.index.check_embedder(reembed=False)
        yield engine
    finally:
        await engine.close()


async def filled(url: str, memories: Memories) -> None:
    """See that the store at `url` holds these memories: an empty one is filled. Raises ValueError when it holds others."""
    async with muniment.open(url, embedder=GivenEmbedder(), tokens="estimate") as engine:
        held = (await engine.stats()).records
    if not held:
        print(f"filling {len(memories):,} records into a server", file=sys.stderr, flush=True)
        await fill(memories, url)
    elif held != len(memories):
        raise ValueError(f"the database holds {held} records, not {len(memories)}; give an empty one for this size")


def build(users: int, wide: Sequence[int], folder: Path) -> Built:
    """The file of these users' memories in `folder`, built there unless a finished one is."""
    memories = Memories(users, wide)
    path = folder / f"muniment-{memories.mark}.db"
    notes = path.with_suffix(".json")
    if not notes.exists():
        for leftover in folder.glob(f"{path.name}*"):
            leftover.unlink()
        print(f"building {len(memories):,} records", file=sys.stderr, flush=True)
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as apart:
            figures = apart.submit(_build, users, wide, path).result()
        notes.write_text(json.dumps([asdict(figure) for figure in figures], indent=1) + "\n")
    return Built(path, memories, tuple(Figure(**figure) for figure in json.loads(notes.read_text())))


def _build(users: int, wide: Sequence[int], path: Path) -> list[Figure]:
    memories = Memories(users, wide)
    records = len(memories)
    with threadpool_limits(1):
        rates = asyncio.run(fill(memories, f"sqlite:///{path}"))
        built = peak_memory()
        asyncio.run(_answer(path, memories.questions(SEARCHES)))
    return [
        *(Figure(name, "ingest_rate", rate.rows / rate.seconds, rate.rows, "records/s") for name, rate in rates.items()),
        Figure("build", "file_size", path.stat().st_size / 1e6, records, "MB"),
        Figure("build", "peak_memory", built, records, "MB"),
        Figure("search", "peak_memory", peak_memory(), records, "MB"),
    ]


def peak_memory() -> float:
    """The most memory this process has held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # the other way would count what was held before this program was loaded
        return int(re.findall(r"VmHWM:\s+(\d+)", status.read_text())[0]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


async def _answer(path: Path, questions: Sequence[Question]) -> None:
    async with open_engine(f"sqlite:///{path}", questions, cache=True) as engine:
        for question in questions:
            await engine.retrieve(Scope(user=user_name(question.user)), question.text)


async def fill(memories: Memories, url: str) -> dict[str, Rate]:
    """Write all these memories to an empty store, and derive from them what there is; how fast each part went."""
    embedder = GivenEmbedder()
    rates: dict[str, Rate] = {}
    async with muniment.open(url, embedder=embedder, tokens="estimate") as engine:
        await engine.store.adopt((embedder.identity, embedder.dim))
        for block in memories.blocks():
            embedder.give(block.texts, block.vectors)
            if block.first < len(memories) - ONE_BY_ONE - BLOCK:
                await _put(engine, block, rates.setdefault("interleaved", Rate()))
            else:
                await _ingest(engine, block, rates)
        started = time.perf_counter()
        await engine.work.wait()
        rates["derived"] = Rate(len(memories), time.perf_counter() - started)
    return rates


@dataclass(slots=True)
class Rate:
    rows: int = 0
    seconds: float = 0.0

    def add(self, rows: int, seconds: float) -> None:
        self.rows += rows
        self.seconds += seconds


async def _put(engine: Engine, block: Block, rate: Rate) -> None:
    """The block in transactions of `TOGETHER` rows; making and deriving records counts as well."""
    turns = _turns(block)
    started = time.perf_counter()
    for first in range(0, len(turns), TOGETHER):
        records = [_record(scope, turn) for scope, turn in turns[first : first + TOGETHER]]
        derived = await derive(records, engine.index.embedder)
        await engine.store.put([Write(record=r, entries=e, enrich=True) for r, e in zip(records, derived.entries, strict=True)])
    rate.add(len(turns), time.perf_counter() - started)


async def _ingest(engine: Engine, block: Block, rates: dict[str, Rate]) -> None:
    """The block by `engine.ingest`, one turn a call: half of it one after the other, half of it `AT_ONCE` at a time."""
    turns = _turns(block)
    half = len(turns) // 2
    started = time.perf_counter()
    for scope, turn in turns[:half]:
        await _ingest_one(engine, scope, turn)
    middle = time.perf_counter()
    for first in range(half, len(turns), AT_ONCE):
        await asyncio.gather(*(_ingest_one(engine, scope, turn) for scope, turn in turns[first : first + AT_ONCE]))
    rates.setdefault("one-turn", Rate()).add(half, middle - started)
    rates.setdefault("at-once", Rate()).add(len(turns) - half, time.perf_counter() - middle)


async def _ingest_one(engine: Engine, scope: Scope, turn: Turn) -> None:
    receipt = await engine.ingest(scope, [turn])
    if receipt.count(Outcome.STORED) != 1 or receipt.degraded:
        raise RuntimeError(f"a turn was not stored whole: {receipt}")


def _turns(block: Block) -> list[tuple[Scope, Turn]]:
    return [
        (
            Scope(user=user_name(user)),
            Turn(
                text=text,
                ref=str(numbered(user, place)),
                conversation=f"conversation-{place // PER_CONVERSATION}",
                said_at=said_at(block.first + row),
            ),
        )
        for row, (user, place, text) in enumerate(zip(block.users, block.places, block.texts, strict=True))
    ]


def _record(scope: Scope, turn: Turn) -> Record:
    kept = accept(turn, now=FIRST).turn
    return record_of(kept, scope=scope, agent="default", now=FIRST, digest=content_digest(kept, scope), nth=0)
