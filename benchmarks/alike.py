"""Whether what is another's and what is not there take alike long to be refused: interleaved pairs, and which is slower.

Times are compared within one run and never asserted: a busy machine tells apart what is alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np

import muniment
from benchmarks.harness import Row, commit, machine, table
from muniment import MunimentError, Scope
from muniment.engine import Engine

METRICS = ("slower", "ratio")
ANA, BEN = Scope(client="acme", user="ana"), Scope(client="acme", user="ben")
ABSENT = "a" * 16
WARM = 20
LINES = 40

Call = Callable[[], Awaitable[object]]


async def calls(engine: Engine) -> Mapping[str, tuple[Call, Call]]:
    """By verb, a call that names something of Ben's and one that names nothing, both made with a key of Ana's."""
    for scope in (ANA, BEN):
        await engine.ingest(scope, [f"I live in City{n} and Ben Ortega knows it." for n in range(LINES)])
    await engine.work.wait()
    record, memory = (await engine.list(BEN)).records[0].id, (await engine.memories.list(BEN)).memories[0].id
    entity = (await engine.entities.list(BEN)).entities[0].id
    theirs = await engine.keys.create(BEN, ["read"])
    own = engine.acting(await engine.keys.check((await engine.keys.create(ANA, ["read", "administer"])).text))
    name, _, secret = theirs.text.rpartition("_")
    return {
        "get": (lambda: own.get({}, record), lambda: own.get({}, ABSENT)),
        "memory": (lambda: own.memories.get({}, memory), lambda: own.memories.get({}, ABSENT)),
        "entity": (lambda: own.entities.show({}, entity), lambda: own.entities.show({}, ABSENT)),
        "scope": (lambda: own.list({"user": "ben"}), lambda: own.list({"user": "nobody"})),
        "revoke": (
            lambda: own.keys.revoke(theirs.credential.id, scope={}),
            lambda: own.keys.revoke(ABSENT, scope={}),
        ),
        "check": (
            lambda: engine.keys.check(f"{name}_{secret[::-1]}"),
            lambda: engine.keys.check(f"{name[:-4]}zzzz_{secret[::-1]}"),
        ),
    }


async def took(call: Call) -> float:
    """Seconds until it is refused. Raises ValueError when it is not."""
    began = time.perf_counter()
    try:
        await call()
    except MunimentError:
        return time.perf_counter() - began
    raise ValueError("this was to be refused")


async def compare(foreign: Call, absent: Call, *, samples: int) -> tuple[Row, Row]:
    """How often the foreign one of a pair is the slower, and the ratio of the medians, with intervals."""
    pairs = []
    for number in range(samples + WARM):
        first, second = (foreign, absent) if number % 2 else (absent, foreign)
        one, other = await took(first), await took(second)
        pairs.append((one, other) if number % 2 else (other, one))
        await asyncio.sleep(0)
    times = np.array(pairs[WARM:])
    rng = np.random.default_rng(0)
    drawn = [times[rng.integers(0, samples, samples)] for _ in range(500)]
    measures = {
        "slower": lambda kept: float((kept[:, 0] > kept[:, 1]).mean()),
        "ratio": lambda kept: statistics.median(kept[:, 0]) / statistics.median(kept[:, 1]),
    }
    rows = []
    for metric, measure in measures.items():
        low, high = np.percentile([measure(kept) for kept in drawn], [2.5, 97.5])
        rows.append(
            Row(
                method="",
                slice="",
                metric=metric,
                value=measure(times),
                low=float(low),
                high=float(high),
                n=samples,
                unit="ratio",
            )
        )
    return rows[0], rows[1]


async def run(stores: Mapping[str, str], *, samples: int) -> list[Row]:
    """Every verb on every store."""
    rows = []
    for name, url in stores.items():
        async with muniment.open(url, embedder=None, tokens="estimate") as engine:
            for verb, (foreign, absent) in (await calls(engine)).items():
                found = await compare(foreign, absent, samples=samples)
                rows += [Row(**{**asdict(row), "method": verb, "slice": name}) for row in found]
    return rows


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks alike", description="Are foreign and absent things refused alike?"
    )
    parser.add_argument("--samples", type=int, default=400, help="pairs per verb (default 400)")
    parser.add_argument("--postgres", help="the URL of an empty database, to compare there too")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as scratch:
        stores = {"memory": "memory://", "sqlite": f"sqlite:///{Path(scratch) / 'alike.db'}"}
        stores |= {"postgresql": args.postgres} if args.postgres else {}
        rows = asyncio.run(run(stores, samples=args.samples))
    print(table(rows, METRICS))
    if args.json:
        told = {"benchmark": "alike", "commit": commit(), "machine": machine(), "results": [asdict(row) for row in rows]}
        args.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0
