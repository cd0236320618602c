"""Words, meaning, and both, on search collections: how well each finds, what its index costs, how long a question takes.

Every document is ingested as one passage; words alone and meaning alone are the product with the other taken away. Weights are
the product's own, found on dialogues. Rule of this file: no number is chosen here, and nothing is derived.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import muniment
from benchmarks.harness import Answer, Remembering, Row, arguments, report, rows_of, table
from benchmarks.records_alone import gains, retrieve_alone
from benchmarks.study_data import Asked, Collection, read
from muniment.engine import Engine
from muniment.ingest.derive import derive
from muniment.plugins import open_embedder
from muniment.ports import Embedder
from muniment.types import Kind, Record, Role, Scope, Turn

KEYWORD, VECTOR, HYBRID = "keyword", "vector", "hybrid"
GAIN = "hybrid - best"
METRICS = ("mrr@10", "recall@10")
DEPTH = 10
COMMON = 10_000
TIMED = 300
SEED = 7
TOGETHER = 500
NAME = 200


@dataclass(frozen=True, slots=True)
class Slice:
    """Documents that are searched together, by name, and the questions asked of them, by the name they are reported under."""

    documents: Mapping[str, str]
    questions: Mapping[str, tuple[Asked, ...]]


def slices(collections: Sequence[Collection], padding: Sequence[str], common: int) -> Iterator[Slice]:
    """Each collection by itself; then, if there is enough, all of them and of `padding` what makes up `common` documents."""
    for one in collections:
        yield Slice(one.documents, {one.name: one.questions})
    documents = {f"{one.name}/{name}": text for one in collections for name, text in one.documents.items()}
    missing = common - len(documents)
    if common and 0 <= missing <= len(padding):
        documents |= {f"padding/{number}": text for number, text in enumerate(padding[:missing])}
        yield Slice(documents, {f"{one.name} in {common:,}": _within(one) for one in collections})


def _within(one: Collection) -> tuple[Asked, ...]:
    return tuple(replace(asked, gold=frozenset(f"{one.name}/{name}" for name in asked.gold)) for asked in one.questions)


def padding_of(data: Path) -> list[str]:
    """What assistants said in the chats of LongMemEval, each text once, where a folder holds them."""
    texts: dict[str, None] = {}
    for path in sorted(data.glob("longmemeval/*.json")) if data.is_dir() else ():
        raw = json.loads(path.read_text(encoding="utf-8"))
        for said in raw["sessions"].values() if isinstance(raw, dict) else ():
            texts.update({turn["content"]: None for turn in said if turn["role"] == "assistant" and turn["content"].strip()})
    return list(texts)


def turns_of(documents: Mapping[str, str]) -> list[Turn]:
    """Each document as one untrusted passage that cites its name."""
    return [Turn(text=text, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=name[:NAME]) for name, text in documents.items()]


async def answers_of(part: Slice, *, embedder: Embedder | None, store: str) -> dict[str, dict[str, list[Answer]]]:
    """By name of the questions and method, what is found: with all weights, without meaning, and with no weight on words."""
    scope = Scope(user="study")
    async with muniment.open(store, embedder=embedder, tokens="estimate") as engine:
        await engine.work.close()  # what would be derived is not asked for
        turns = turns_of(part.documents)
        for first in range(0, len(turns), TOGETHER):
            await engine.ingest(scope, turns[first : first + TOGETHER])
        answers = {
            name: {method: [await _answer(engine, scope, method, one, name) for one in asked] for method in _methods(embedder)}
            for name, asked in part.questions.items()
        }
        await engine.forget(scope)
    return answers


def _methods(embedder: Embedder | None) -> tuple[str, ...]:
    return (KEYWORD, VECTOR, HYBRID) if embedder else (KEYWORD,)


async def _answer(engine: Engine, scope: Scope, method: str, asked: Asked, name: str) -> Answer:
    if engine.index.embedder is not None:
        await engine.index.embedder.query(asked.text)  # what it takes to embed a question is measured apart
    weights = replace(engine.weights, words=0.0) if method == VECTOR else engine.weights
    started = time.perf_counter()
    bundle = await retrieve_alone(engine, scope, asked.text, limit=DEPTH, weights=weights, meaning=method != KEYWORD)
    spent = 1000 * (time.perf_counter() - started)
    refs = [hit.record.ref or "" for hit in bundle]
    log = {"id": asked.id, "query": asked.text, "gold": sorted(asked.gold), "ids": refs, "milliseconds": round(spent, 2)}
    return Answer(slice=name, measures=measure(refs, {name[:NAME] for name in asked.gold}), log=log)


def measure(ranking: Sequence[str], gold: set[str]) -> dict[str, float]:
    """One over the place of the first document that answers, and the share of those that do which are among the first ten."""
    at = [place for place, name in enumerate(ranking[:DEPTH], 1) if name in gold]
    return {"mrr@10": 1 / at[0] if at else 0.0, "recall@10": len(at) / len(gold)}


async def costs_of(collection: Collection, model: Embedder | None, *, timed: int) -> list[Row]:
    """What indexing a sample costs in processor time and on disk, with words alone and with vectors too.

    `vector_tax` is the time for vectors over that for words, `ingest_ratio` that of the whole ingest with both over words alone.
    """
    names = sorted(collection.documents)
    sample = random.Random(SEED).sample(names, min(timed, len(names)))
    turns = turns_of({name: collection.documents[name] for name in sample})
    words = await _ingested(turns, None)
    rows = _cost_rows(collection.name, KEYWORD, words, len(turns))
    if model is not None:
        await model.query("a first question loads the model")
        both = await _ingested(turns, model)
        started = time.process_time()
        for question in collection.questions[:50]:
            await model.query(question.text)
        embedding = 1000 * (time.process_time() - started) / min(50, len(collection.questions))
        vectors = max(both.index - words.index, 0.0)
        ratios = (("vector_tax", vectors / words.index), ("ingest_ratio", both.ingest / words.ingest))
        rows += _cost_rows(collection.name, HYBRID, both, len(turns))
        rows += [Row(method=HYBRID, slice=collection.name, metric=m, value=v, n=len(turns), unit="times") for m, v in ratios]
        rows.append(
            Row(method=VECTOR, slice=collection.name, metric="index_seconds", value=vectors, n=len(turns), unit="CPU s"),
        )
        rows.append(Row(method=VECTOR, slice=collection.name, metric="embed_query", value=embedding, n=50, unit="CPU ms"))
    return rows


@dataclass(frozen=True, slots=True)
class _Cost:
    index: float
    ingest: float
    disk: int


async def _ingested(turns: Sequence[Turn], embedder: Embedder | None) -> _Cost:
    with tempfile.TemporaryDirectory(prefix="muniment-study-") as folder:
        path = Path(folder) / "study.db"
        async with muniment.open(f"sqlite:///{path}", embedder=embedder, tokens="estimate") as engine:
            if embedder is not None:
                engine.closes_embedder = False
            await engine.work.close()
            started = time.process_time()
            await engine.ingest(Scope(user="study"), turns)
            ingest = time.process_time() - started
            records: list[Record] = [record async for record in engine.export()]
        started = time.process_time()
        await derive(records, embedder)
        return _Cost(time.process_time() - started, ingest, path.stat().st_size)


def _cost_rows(name: str, method: str, cost: _Cost, count: int) -> list[Row]:
    told = (
        ("index_seconds", cost.index, "CPU s"),
        ("ingest_seconds", cost.ingest, "CPU s"),
        ("disk", cost.disk / count, "bytes"),
    )
    return [Row(method=method, slice=name, metric=m, value=v, n=count, unit=unit) for m, v, unit in told]


def rows_for(answers: Mapping[str, Sequence[Answer]]) -> list[Row]:
    """Every method's measures and its median milliseconds; and what the hybrid adds to the better of the two alone."""
    rows = [row for method, theirs in answers.items() for row in rows_of(method, theirs) if row.slice != "overall"]
    for method, theirs in answers.items():
        spent = float(np.median([float(str(a.log["milliseconds"])) for a in theirs]))
        rows.append(Row(method=method, slice=theirs[0].slice, metric="ms", value=spent, n=len(theirs), unit="ms"))
    if HYBRID in answers:
        best = max((KEYWORD, VECTOR), key=lambda method: sum(a.measures["mrr@10"] for a in answers[method]))
        rows += [row for row in rows_of(GAIN, gains(answers[HYBRID], answers[best])) if row.slice != "overall"]
    return rows


async def run(
    data: Path,
    *,
    embedder: Embedder | None,
    model: Embedder | None,
    store: str = "memory://",
    common: int = COMMON,
    timed: int = TIMED,
) -> tuple[list[Row], list[dict[str, object]]]:
    """All rows, and the log. `embedder` may remember; `model`, whose work is timed, may not."""
    collections = read(data)
    if not collections:
        raise SystemExit(f"{data} holds no collection: a queries*.jsonl beside codes.json, documents.json or paragraphs.json.")
    rows: list[Row] = []
    logs: list[dict[str, object]] = []
    for part in slices(collections, padding_of(data), common):
        for name, answers in (await answers_of(part, embedder=embedder, store=store)).items():
            rows += rows_for(answers)
            logs += [{"method": method, "slice": name, **a.log} for method, theirs in answers.items() for a in theirs]
    for collection in collections if timed else ():
        rows += await costs_of(collection, model, timed=timed)
    return rows, logs


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    parser = arguments("study", "Words, meaning and both on CoSQA, XQuAD, HotpotQA and Cranfield: those that --data holds.")
    parser.add_argument("--common", type=int, default=COMMON, help="ask over this many documents together as well; 0: do not")
    parser.add_argument("--timed", type=int, default=TIMED, help="documents of each collection whose indexing is timed; 0: none")
    args = parser.parse_args(argv)
    started = time.time()
    model = open_embedder(args.embedder)
    remembering = Remembering(model, args.cache) if model else None
    with threadpool_limits(1):
        rows, logs = asyncio.run(
            run(args.data, embedder=remembering, model=model, store=args.store, common=args.common, timed=args.timed)
        )
    print(table([row for row in rows if row.metric in METRICS], METRICS))
    print(f"\n{'method':14s} {'slice':32s} {'metric':16s} {'value':>10s} unit (n)")
    for row in (row for row in rows if row.metric not in METRICS):
        print(f"{row.method:14s} {row.slice:32s} {row.metric:16s} {row.value:10.2f} {row.unit} ({row.n})")
    report("study", args, rows, logs, started=started)
    return 0
