"""Questions that need two paragraphs, one of which the question does not name: are both found, with and without the walk?

Every paragraph is ingested as one passage under its title and read for names; the walk is the product's channel of entities. Rule
of this file: no number is chosen here. Any file of HotpotQA's shape works; fifty questions tell a direction, not a rate.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import muniment
from benchmarks.harness import Answer, Bm25, Row, arguments, best_first, remembering, report, rows_of, table
from benchmarks.records_alone import ALONE, gains, retrieve_alone
from benchmarks.study import NAME, turns_of
from benchmarks.study_data import Asked, Collection, read
from muniment.architect import default_architecture
from muniment.engine import Engine
from muniment.ports import Embedder
from muniment.retrieve.asking import Asked as Wanted
from muniment.retrieve.asking import Means
from muniment.retrieve.step import retrieve
from muniment.types import Scope

CUTS = (5, 10)
METRICS = tuple(name for k in CUTS for name in (f"all@{k}", f"recall@{k}"))
WALK, NO_WALK, WORDS, GAIN = "muniment", "without the walk", "words alone", "walk's gain"
TOGETHER = 200


def measure(ranking: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """`allN` is 1 if all paragraphs that are needed are among the first N; `recallN` the share of them that is."""
    out = {}
    for k in CUTS:
        found = len(gold.intersection(ranking[:k]))
        out |= {f"all@{k}": float(found == len(gold)), f"recall@{k}": found / len(gold)}
    return out


async def ask(engine: Engine, scope: Scope, questions: Sequence[Asked]) -> dict[str, list[Answer]]:
    """By method, the answers to each question, asked of the same store."""
    answers: dict[str, list[Answer]] = {}
    for asked in questions:
        if engine.index.embedder is not None:
            await engine.index.embedder.query(asked.text)  # what it takes to embed a question is no part of a method's time
        for method in (WALK, NO_WALK, ALONE, WORDS):
            started = time.perf_counter()
            refs = await _refs(engine, scope, asked.text, method)
            spent = 1000 * (time.perf_counter() - started)
            log = {"id": asked.id, "query": asked.text, "gold": sorted(asked.gold), "ids": refs, "milliseconds": round(spent, 2)}
            gold = frozenset(name[:NAME] for name in asked.gold)
            answers.setdefault(method, []).append(Answer(slice="", measures=measure(refs, gold), log=log))
    return answers


async def _refs(engine: Engine, scope: Scope, query: str, method: str) -> list[str]:
    most = max(CUTS)
    if method in (ALONE, WORDS):
        bundle = await retrieve_alone(engine, scope, query, limit=most, meaning=method == ALONE)
    else:
        means = Means(
            records=engine.store,
            memories=engine.store,
            embedder=engine.index.embedder,
            tokens=engine.tokens,
            weights=engine.weights if method == WALK else replace(engine.weights, entities=0.0),
            now=engine.clock.now(),
            rules=default_architecture(),
        )
        bundle = await retrieve(query, scope=scope, asked=Wanted(limit=most), means=means)
    return [hit.record.ref or "" for hit in bundle]


async def ask_plain(collection: Collection, embedder: Embedder | None) -> dict[str, list[Answer]]:
    """The yardsticks over the same paragraphs: BM25, and the cosine of question and paragraph."""
    names, texts = list(collection.documents), list(collection.documents.values())
    index = Bm25(texts)
    rows = await embedder.passages(texts) if embedder else None
    answers: dict[str, list[Answer]] = {}
    for asked in collection.questions:
        scores = {"bm25": index.scores(asked.text)}
        if embedder is not None and rows is not None:
            scores["dense"] = rows @ await embedder.query(asked.text)
        for method, row in scores.items():
            refs = [names[at] for at in best_first(row)[: max(CUTS)]]
            answers.setdefault(method, []).append(Answer(slice="", measures=measure(refs, asked.gold)))
    return answers


async def run(data: Path, *, embedder: Embedder | None, store: str = "memory://") -> tuple[list[Row], list[dict[str, object]]]:
    """All rows, and the log of the answers of every method of the product."""
    collection = next((one for one in read(data) if one.name == "hotpotqa"), None)
    if collection is None:
        raise SystemExit(f"{data} holds no HotpotQA: a queries*.jsonl beside paragraphs.json with sentences by title.")
    scope = Scope(user="multihop")
    async with muniment.open(store, embedder=embedder, tokens="estimate") as engine:
        turns = turns_of(collection.documents)
        for first in range(0, len(turns), TOGETHER):
            await engine.ingest(scope, turns[first : first + TOGETHER])
            await engine.work.wait()
        answers = await ask(engine, scope, collection.questions)
        plain = await ask_plain(collection, embedder)
        await engine.forget(scope)
    return rows_for({**answers, **plain}), [{"method": m, **a.log} for m, theirs in answers.items() for a in theirs]


def rows_for(answers: Mapping[str, Sequence[Answer]]) -> list[Row]:
    """Every method's measures, what the walk adds question by question, and the median milliseconds with and without it."""
    rows = [row for method, theirs in answers.items() for row in rows_of(method, theirs)]
    rows += rows_of(GAIN, gains(answers[WALK], answers[NO_WALK]))
    for method in (WALK, NO_WALK):
        spent = float(np.median([float(str(one.log["milliseconds"])) for one in answers[method]]))
        rows.append(Row(method=method, slice="overall", metric="ms", value=spent, n=len(answers[method]), unit="ms"))
    return rows


def main(argv: list[str]) -> int:
    """Run the benchmark, print its table, write what was asked for."""
    args = arguments("multihop", "Both paragraphs of a question that needs two, on a HotpotQA sample.").parse_args(argv)
    started = time.time()
    rows, logs = asyncio.run(run(args.data, embedder=remembering(args), store=args.store))
    print(table([row for row in rows if row.metric in METRICS], METRICS))
    for row in (row for row in rows if row.metric == "ms"):
        print(f"{row.method}: {row.value:.1f} ms in the median")
    report("multihop", args, rows, logs, started=started)
    return 0
