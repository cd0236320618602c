"""Whether counting questions find all their evidence: LongMemEval's "How many …" over several sessions.

The measure is the share of questions for which the records of the listing, alone or with what it leaves open, come from every
evidence session; beside it the first hits. Whether the number is right is not measured: the answers need reading.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterable
from dataclasses import replace

from benchmarks.harness import Answer, arguments, remembering, report, rows_of, table
from benchmarks.longmemeval import Haystack, Way, read, remembered, sample
from muniment.bundle import Bundle
from muniment.engine import Engine
from muniment.types import RecordId, Scope

METRICS = ("all_sessions", "any_session", "share", "precision", "items")
KIND, BEGINS = "multi-session", "How many"
_LIMIT = 10


async def ask(engine: Engine, scope: Scope, hay: Haystack) -> dict[str, Answer]:
    """What the listing proves, what it proves or leaves open, and what the first hits hold."""
    bundle = await engine.retrieve(scope, hay.text, limit=_LIMIT)
    sure, open_ = _listed(bundle)
    hits = [hit.record.id for hit in bundle]
    items = bundle.listing.count if bundle.listing else 0
    found = {"listing": sure, "listing and open": [*sure, *open_], f"first {_LIMIT}": hits}
    return {method: await _measured(engine, scope, hay, ids, items) for method, ids in found.items()}


def _listed(bundle: Bundle) -> tuple[list[RecordId], list[RecordId]]:
    if bundle.listing is None:
        return [], []
    open_ = [one.record for memory in bundle.listing.uncertain for one in memory.evidence]
    return list(bundle.listing.evidence), [*open_, *bundle.listing.unread]


async def _measured(engine: Engine, scope: Scope, hay: Haystack, ids: Iterable[RecordId], items: int) -> Answer:
    records = [await engine.get(scope, one) for one in dict.fromkeys(ids)]
    sessions = {record.conversation for record in records}
    held = len(hay.gold & sessions)
    measures = {
        "all_sessions": float(held == len(hay.gold)),
        "any_session": float(held > 0),
        "share": held / len(hay.gold),
        "precision": held / len(sessions) if sessions else 0.0,
        "items": float(items),
    }
    return Answer(slice=hay.kind, measures=measures, log={"id": hay.id, "gold": len(hay.gold), **measures})


async def ask_all(args: argparse.Namespace) -> list[dict[str, Answer]]:
    """For each counting question of the file, what every method gave."""
    bench = read(args.data)
    asked = tuple(hay for hay in bench.haystacks if hay.kind == KIND and hay.text.startswith(BEGINS))
    bench = sample(replace(bench, haystacks=asked), args.haystacks)
    embedder = remembering(args)
    answers = []
    for hay in bench.haystacks:
        async with remembered(hay, bench, embedder, Way(store=args.store)) as (engine, scope):
            answers.append(await ask(engine, scope, hay))
    return answers


def main(argv: list[str]) -> int:
    """Run the benchmark, print its table, write what was asked for."""
    parser = arguments("counting", "Whether LongMemEval's counting questions find all their evidence.")
    parser.add_argument("--haystacks", type=int, help="ask only so many questions, drawn by the hash of their id")
    args = parser.parse_args(argv)
    started = time.time()
    answers = asyncio.run(ask_all(args))
    rows = [row for method in answers[0] for row in rows_of(method, [one[method] for one in answers])]
    print(table(rows, METRICS))
    logs = [{"method": method} | answer.log for one in answers for method, answer in one.items()]
    report("counting", args, rows, logs, started=started)
    return 0
