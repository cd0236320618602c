"""Whether a vector index on the server would answer a question sooner than comparing every vector of its scope, and how wrongly.

One scope grows; nothing else is in the database, which is the kindest case for an index: what lies outside a scope costs it time
and hits. At each size every question is answered by the store itself (its shelf kept, or read anew), by the server comparing
all, and by an HNSW index over half-precision vectors with iterative scan, built anew. `python -m benchmarks postgres-ann --help`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.harness import Row, commit, machine
from benchmarks.latency_build import GivenEmbedder
from benchmarks.latency_data import BLOCK, DIM, FIRST, PER_USER, Block, Memories
from benchmarks.latency_data import Question as Asked
from muniment import Filter, Scope, Turn
from muniment.ingest.derive import derive
from muniment.ingest.rules import accept, content_digest, record_of
from muniment.ports import Write
from muniment.retrieve.rules import Ranking, Weights, rank, read_question
from muniment.shelf import Floats, Place, Shelf, pack_vector
from muniment.stores.postgres import PostgresStore, open_postgres
from muniment.stores.postgres_link import prepare

SIZES = (3_000, 30_000, 100_000, 300_000)
QUESTIONS = 20
TOP = 10
CANDIDATES = 100
HOME = Scope(client="bench", user="one")
TOGETHER = 250

INDEX = "CREATE INDEX bench_near ON muniment.entry_vector USING hnsw ((value::halfvec(384)) halfvec_ip_ops)"
SETTINGS = f"SET hnsw.ef_search = {CANDIDATES}; SET hnsw.iterative_scan = relaxed_order; SET maintenance_work_mem = '2GB'"
FORCED = "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off"
REACH = "SELECT set_config('muniment.below', '*', true)"
NUMBER = "SELECT no FROM muniment.scope LIMIT 1"
EXACT = "SELECT no FROM muniment.entry_vector WHERE scope = $2 ORDER BY value <#> $1 LIMIT $3"
NEAR = "SELECT no FROM muniment.entry_vector WHERE scope = $2 ORDER BY value::halfvec(384) <#> $1::halfvec(384) LIMIT $3"
WORDS = """
SELECT string_agg(head, ''::bytea ORDER BY no), string_agg(terms, ''::bytea ORDER BY no) FROM muniment.entry
WHERE scope = $1 AND no > $2 AND no <= $3
"""
CHUNK = 1 << 14

Search = Callable[[Asked], Awaitable[object]]


def main(argv: list[str]) -> int:
    """Run the benchmark on an empty database with pgvector, print the table, write what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks postgres-ann", description=__doc__)
    parser.add_argument("--url", required=True, help="an empty PostgreSQL database with pgvector; what is made there stays")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="records in the scope")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    args = parser.parse_args(argv)
    started = time.time()
    with threadpool_limits(1):
        rows = asyncio.run(_measured(args.url, sorted(args.sizes)))
    if args.json:
        about = {"benchmark": "postgres-ann", "commit": commit(), "machine": machine(), "seconds": time.time() - started}
        args.json.write_text(json.dumps({**about, "rows": [asdict(row) for row in rows]}, indent=1) + "\n")
    return 0


async def _measured(url: str, sizes: Sequence[int]) -> list[Row]:
    memories = Memories(-(-sizes[-1] // PER_USER))
    questions = memories.questions(QUESTIONS)
    kept, anew = await open_postgres(url), await open_postgres(url, shelf_bytes=0)
    await kept.adopt((GivenEmbedder.identity, DIM))
    blocks, held, rows = memories.blocks(), 0, []
    for size in sizes:
        held = await _fill(kept, blocks, held, size)
        made = await _at_size(url, kept, anew, questions)
        rows += [replace(row, slice=f"{held:,} in scope") for row in made]
        print(f"{held:,} in scope")
        for row in made:
            print(f"  {row.method:<44}{row.metric:<14}{row.value:10.3f} {row.unit}", flush=True)
    await kept.close()
    await anew.close()
    return rows


async def _fill(store: PostgresStore, blocks: Iterator[Block], held: int, size: int) -> int:
    while held < size:
        block = next(blocks)
        embedder = GivenEmbedder()
        embedder.give(block.texts, block.vectors)
        for first in range(0, len(block.texts), TOGETHER):
            turns = [
                Turn(text=t, conversation=f"c{(held + first) // 30}", ref=f"{held + first}/{n}") for n, t in _some(block, first)
            ]
            made = [accept(turn, now=FIRST).turn for turn in turns]
            records = [record_of(t, scope=HOME, agent="default", now=FIRST, digest=content_digest(t, HOME), nth=0) for t in made]
            derived = await derive(records, embedder)
            await store.put([Write(record=r, entries=e) for r, e in zip(records, derived.entries, strict=True)])
        held += len(block.texts)
    return held


def _some(block: Block, first: int) -> list[tuple[int, str]]:
    return list(enumerate(block.texts[first : min(first + TOGETHER, BLOCK)]))


async def _at_size(url: str, kept: PostgresStore, anew: PostgresStore, questions: Sequence[Asked]) -> list[Row]:
    connection = await asyncpg.connect(url)
    await prepare(connection)
    await connection.execute("DROP INDEX IF EXISTS muniment.bench_near")
    await connection.execute(SETTINGS)
    await connection.execute("VACUUM (ANALYZE) muniment.entry, muniment.entry_vector")
    async with connection.transaction():
        await connection.execute(REACH)
        no = await connection.fetchval(NUMBER)
        last = await connection.fetchval("SELECT last_entry FROM muniment.scope WHERE no = $1", no)

    async def asked_of_server(statement: str, question: Asked, *, indexed: bool) -> list[int]:
        async with connection.transaction():
            await connection.execute(REACH)
            if indexed:
                await connection.execute(FORCED)
            return [row[0] for row in await connection.fetch(statement, pack_vector(question.vector), no, CANDIDATES)]

    async def words_alone() -> None:
        async with connection.transaction():
            await connection.execute(REACH)
            for first in range(0, last, CHUNK):
                await connection.fetchrow(WORDS, no, first, first + CHUNK)

    exact = {q.number: await asked_of_server(EXACT, q, indexed=False) for q in questions}
    rows = [
        await _timed("muniment, shelf kept", lambda q: _search(kept, q), questions),
        await _timed("muniment, shelf read anew", lambda q: _search(anew, q), questions[:5]),
        await _timed("words of the shelf read anew", lambda _: words_alone(), questions[:5]),
        await _timed("server compares all", lambda q: asked_of_server(EXACT, q, indexed=False), questions),
    ]
    started = time.perf_counter()
    await connection.execute(INDEX)
    rows.append(Row(method="HNSW", slice="", metric="build", value=time.perf_counter() - started, n=1, unit="s"))
    rows.append(await _timed("HNSW, iterative scan", lambda q: asked_of_server(NEAR, q, indexed=True), questions))
    near = {q.number: await asked_of_server(NEAR, q, indexed=True) for q in questions}
    await connection.execute("DROP INDEX muniment.bench_near")
    await connection.close()
    same = [len({*near[q.number]} & {*exact[q.number]}) / CANDIDATES for q in questions]
    rows.append(
        Row(method="HNSW, iterative scan", slice="", metric=f"recall@{CANDIDATES}", value=float(np.mean(same)), n=len(same))
    )
    whole = [await _share_kept(kept, q, near[q.number]) for q in questions]
    rows.append(
        Row(
            method="ranking with HNSW's cosines alone",
            slice="",
            metric=f"recall@{TOP}",
            value=float(np.mean(whole)),
            n=len(whole),
        )
    )
    return rows


async def _timed(method: str, search: Search, questions: Sequence[Asked]) -> Row:
    await search(questions[0])
    taken = []
    for question in questions:
        started = time.perf_counter()
        await search(question)
        taken.append((time.perf_counter() - started) * 1000)
    return Row(method=method, slice="", metric="p50", value=float(np.median(taken)), n=len(taken), unit="ms")


async def _search(store: PostgresStore, question: Asked) -> Sequence[Place]:
    """The whole ranking, as `retrieve` has it."""
    found: list[Sequence[Place]] = []

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        found.append(_ranked(shelves, question).places)
        return found[-1]

    await store.search(HOME, choose)
    return found[-1]


async def _share_kept(store: PostgresStore, question: Asked, near: Sequence[int]) -> float:
    """How many of the best stay so when only these entries have a cosine."""
    shares: list[float] = []

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        (shelf,) = shelves
        vectors: Floats = np.zeros_like(shelf.vectors)
        rows = np.array(near) - 1  # nothing was erased: entry n stands in row n - 1
        vectors[rows] = shelf.vectors[rows]
        whole, part = (_ranked([one], question).places for one in (shelf, replace(shelf, vectors=vectors)))
        shares.append(len({*whole} & {*part}) / max(1, len(whole)))
        return ()

    await store.search(HOME, choose)
    return shares[0]


def _ranked(shelves: Sequence[Shelf], question: Asked) -> Ranking:
    asked = read_question(question.text, datetime(2026, 2, 1, tzinfo=UTC)).with_vector(question.vector)
    return rank(shelves, asked, weights=Weights(), limit=TOP, where=Filter())
