"""Evidence retrieval on LoCoMo: which turns of a very long conversation prove the answer to a question.

Every turn is ingested, one user per conversation, and every question is asked as it stands. Beside the product, the same run
measures plain BM25 and plain vectors, and the product without what was derived behind the
records, and that with weights chosen without the conversation they are tried on.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import product
from pathlib import Path

import numpy as np

import muniment
from benchmarks.harness import (
    Answer,
    Bm25,
    Row,
    arguments,
    best_first,
    estimated_tokens,
    remembering,
    report,
    rows_of,
    table,
)
from benchmarks.records_alone import ALONE, GAIN, gains, retrieve_alone, with_option
from muniment.bundle import Bundle
from muniment.engine import Engine
from muniment.ingest.formats import read_turns
from muniment.ports import Embedder
from muniment.providers.clock import SystemClock
from muniment.retrieve import Question, Weights, rank, read_question
from muniment.shelf import Place, Shelf
from muniment.text.names import named, without
from muniment.types import Filter, Scope, Turn

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
CUTS = (5, 10, 20, 50)
BUDGETS = (500, 1000, 2000)
METRICS = (*(f"recall@{k}" for k in CUTS), "all@10", "mrr@10", *(f"in{n}" for n in BUDGETS))
MOST = 1000
MOST_TRIED = 100
_NOWHERE = 1 << 30
GRID = {"words": (1.0, 1.3, 1.7), "conversation": (0.8, 1.2, 1.6), "speaker": (0.4, 0.6, 0.8), "telling": (0.05, 0.1, 0.15)}
_TURN_ID = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the places, among the turns, of its evidence."""

    id: str
    category: str
    text: str
    gold: frozenset[int]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation: its turns in order, what each costs, and its questions."""

    id: str
    turns: tuple[Turn, ...]
    cost: np.ndarray
    questions: tuple[Asked, ...]

    def lines(self) -> list[str]:
        return [f"{turn.speaker}: {turn.text}" for turn in self.turns]


def read(path: Path) -> list[Talk]:
    """One Talk per sample. Questions of category 5, and those whose evidence names no turn, are left out."""
    return [_talk(sample, str(number)) for number, sample in enumerate(json.loads(path.read_text(encoding="utf-8")), 1)]


def _talk(sample: dict, name: str) -> Talk:
    turns = read_turns(json.dumps(sample["conversation"]).encode(), name=name).turns
    place = {turn.ref: i for i, turn in enumerate(turns)}
    questions = []
    for number, qa in enumerate(sample["qa"]):
        named_turns = {ref for cell in qa.get("evidence") or () for ref in _TURN_ID.findall(cell)}
        gold = frozenset(place[ref] for ref in named_turns if ref in place)
        if gold and qa["category"] in CATEGORIES:
            questions.append(Asked(f"{name}/{number}", CATEGORIES[qa["category"]], qa["question"], gold))
    cost = np.array([estimated_tokens(f"{turn.speaker}: {turn.text}") for turn in turns])
    return Talk(sample.get("sample_id", name), turns, cost, tuple(questions))


def measure(ranking: Sequence[int], gold: frozenset[int], cost: np.ndarray) -> dict[str, float]:
    """`inN` is 1 if walking down, adding whole turns and stopping at the first that would pass N tokens, meets all evidence."""
    place = {turn: at for at, turn in enumerate(ranking)}
    at = sorted(place.get(g, _NOWHERE) for g in gold)
    out: dict[str, float] = {f"recall@{k}": sum(p < k for p in at) / len(gold) for k in CUTS}
    out["all@10"] = float(at[-1] < 10)
    out["mrr@10"] = 1 / (at[0] + 1) if at[0] < 10 else 0.0
    spent = np.cumsum(cost[np.array(ranking, np.int64)])
    for budget in BUDGETS:
        out[f"in{budget}"] = float(at[-1] < np.searchsorted(spent, budget, side="right"))
    return out


async def ask_product(engine: Engine, talk: Talk, scope: Scope, *, memories: bool) -> tuple[list[Answer], list[Answer]]:
    """Ingest one conversation and ask its questions, one after another: with what was derived from it, and of records alone."""
    receipt = await engine.ingest(scope, talk.turns)
    if memories:
        await engine.work.wait()
    place = {item.id: i for i, item in enumerate(receipt.items) if item.id is not None}
    joined, alone = [], []
    for asked in talk.questions:
        if memories:
            before = time.perf_counter()
            bundle = await engine.retrieve(scope, asked.text, limit=MOST)
            spent = 1000 * (time.perf_counter() - before)
            joined.append(_answer(talk, asked, [place[hit.record.id] for hit in bundle], bundle, spent))
        before = time.perf_counter()
        bundle = await retrieve_alone(engine, scope, asked.text, limit=MOST)
        spent = 1000 * (time.perf_counter() - before)
        alone.append(_answer(talk, asked, [place[hit.record.id] for hit in bundle], bundle, spent))
    return joined, alone


def _answer(talk: Talk, asked: Asked, ranking: Sequence[int], bundle: Bundle, spent: float) -> Answer:
    log = {
        "id": asked.id,
        "query": asked.text,
        "gold": sorted(talk.turns[g].ref or "" for g in asked.gold),
        "ids": [hit.record.ref for hit in bundle.hits[:50]],
        "scores": [round(hit.score, 4) for hit in bundle.hits[:50]],
        "tokens": [int(talk.cost[turn]) for turn in ranking[:50]],
        "milliseconds": round(spent, 2),
    }
    return Answer(slice=asked.category, measures=measure(ranking, asked.gold, talk.cost), log=log)


async def ask_plain(talk: Talk, embedder: Embedder | None) -> dict[str, list[Answer]]:
    """The yardsticks, both over "speaker: text": BM25, and the cosine of the question and each turn."""
    index = Bm25(talk.lines())
    rows = await embedder.passages(talk.lines()) if embedder else None
    out: dict[str, list[Answer]] = {"bm25": [], "dense": []}
    for asked in talk.questions:
        scores = {"bm25": index.scores(asked.text)}
        if embedder and rows is not None:
            scores["dense"] = rows @ await embedder.query(asked.text)
        for method, row in scores.items():
            out[method].append(Answer(slice=asked.category, measures=measure(best_first(row), asked.gold, talk.cost)))
    return {method: answers for method, answers in out.items() if answers}


async def leave_one_out(
    engine: Engine, talks: Sequence[Talk], scopes: Sequence[Scope], embedder: Embedder | None
) -> tuple[list[Answer], list[Weights]]:
    """For each conversation, the weights of a small grid that do best on the others, and what they do on this one."""
    grid = [replace(engine.weights, **dict(zip(GRID, values, strict=True))) for values in product(*GRID.values())]
    now = engine.clock.now()
    tried = [
        await _with_each(engine, talk, scope, embedder, grid=grid, now=now) for talk, scope in zip(talks, scopes, strict=True)
    ]
    answers, chosen = [], []
    for left_out, mine in enumerate(tried):
        others = [theirs for number, theirs in enumerate(tried) if number != left_out]
        means = [np.mean([a.measures["recall@10"] for theirs in others for a in theirs[i]]) for i in range(len(grid))]
        best = max(range(len(grid)), key=lambda i: (means[i], grid[i] == engine.weights, -i))
        answers.extend(mine[best])
        chosen.append(grid[best])
    return answers, chosen


async def _with_each(
    engine: Engine, talk: Talk, scope: Scope, embedder: Embedder | None, *, grid: Sequence[Weights], now: datetime
) -> list[list[Answer]]:
    """The answers to one conversation's questions under each set of weights, ranked on one reading of its shelves."""
    held: list[Shelf] = []

    def keep(shelves: Sequence[Shelf]) -> Sequence[Place]:
        held[:] = shelves
        return ()

    await engine.store.search(scope, keep)
    turn_of = {seq: i for i, seq in enumerate(dict.fromkeys(held[0].head["seq"].tolist()))}
    questions = [await _question(asked.text, held, embedder, now) for asked in talk.questions]

    def answers(weights: Weights) -> list[Answer]:
        out = []
        for asked, question in zip(talk.questions, questions, strict=True):
            ranking = rank(held, question, weights=weights, limit=MOST_TRIED, where=Filter())
            turns = [turn_of[place.seq] for place in ranking.places]
            out.append(Answer(slice=asked.category, measures=measure(turns, asked.gold, talk.cost)))
        return out

    return await asyncio.to_thread(lambda: [answers(weights) for weights in grid])


async def _question(text: str, shelves: Sequence[Shelf], embedder: Embedder | None, now: datetime) -> Question:
    question = read_question(text, now)
    if embedder is None:
        return question
    names = named(text, [name for shelf in shelves for name in shelf.speakers.values()])
    return question.with_vector(await embedder.query(without(text, names)))


async def run(
    path: Path, *, embedder: Embedder | None, store: str, memories: bool = True
) -> tuple[list[Row], list[dict[str, object]]]:
    """All rows, and the log of the product's answers; without `memories` nothing is waited for, and records alone are ranked."""
    talks = read(path)
    joined: list[Answer] = []
    alone: list[Answer] = []
    plain: dict[str, list[Answer]] = {}
    async with muniment.open(store, embedder=embedder, tokens="estimate", clock=SystemClock()) as engine:
        scopes = [Scope(user=f"locomo-{number}") for number, _ in enumerate(talks, 1)]
        for talk, scope in zip(talks, scopes, strict=True):
            with_memories, without = await ask_product(engine, talk, scope, memories=memories)
            joined += with_memories
            alone += without
            for method, theirs in (await ask_plain(talk, embedder)).items():
                plain.setdefault(method, []).extend(theirs)
        answers = joined or alone
        rows = [*rows_of("muniment", answers), *(row for m, theirs in plain.items() for row in rows_of(m, theirs))]
        if joined:
            rows += [*rows_of(ALONE, alone), *rows_of(GAIN, gains(joined, alone))]
        if len(talks) > 1:
            out_of_one, _ = await leave_one_out(engine, talks, scopes, embedder)
            unsliced = [Answer(slice="", measures=a.measures) for a in out_of_one]
            rows += rows_of("muniment", unsliced, overall="leave-one-out")
    return rows, [answer.log for answer in answers]


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    args = with_option(arguments("locomo", "Evidence retrieval on a LoCoMo file.")).parse_args(argv)
    started = time.time()
    rows, logs = asyncio.run(run(args.data, embedder=remembering(args), store=args.store, memories=args.memories))
    print(table(rows, METRICS))
    report("locomo", args, rows, logs, started=started)
    return 0
