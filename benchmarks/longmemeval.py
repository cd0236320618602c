"""Session retrieval on LongMemEval: which of fifty chats with an assistant hold the answer to a question.

Haystacks are built from the sessions of the file itself: a question's own evidence sessions and those of other questions, so
results are not comparable with the published sets. Weights are the product's defaults, the same as for every other use.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import random
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import repeat, zip_longest
from multiprocessing import get_context
from pathlib import Path

import muniment
from benchmarks.harness import Answer, Bm25, Row, arguments, best_first, remembering, report, rows_of, table
from benchmarks.records_alone import ALONE, GAIN, gains, retrieve_alone, with_option
from muniment.bundle import Bundle
from muniment.engine import Engine
from muniment.ingest.formats import read_turns
from muniment.ingest.times import read_session_time
from muniment.ports import Embedder
from muniment.testing import FixedClock
from muniment.text.passages import passages
from muniment.types import Scope, Turn

METRICS = ("recall_any@5", "recall_all@5", "recall_all@10", "ndcg@10")
SESSIONS = 50
SEED = 7
MOST = 1000
ABSTAINS = "_abs"
"""How the id of a question ends that the sessions do not answer."""


@dataclass(frozen=True, slots=True)
class Haystack:
    """One question, the names of the sessions it is asked over, and those that hold the answer."""

    id: str
    kind: str
    text: str
    at: datetime
    sessions: tuple[str, ...]
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Bench:
    """All haystacks of a file; each session's turns are kept once."""

    haystacks: tuple[Haystack, ...]
    turns: Mapping[str, tuple[Turn, ...]]


def read(path: Path, *, size: int = SESSIONS, seed: int = SEED, abstention: bool = False) -> Bench:
    """Haystacks of `size` sessions, drawn with one generator per question. Without `abstention` its questions are left out.

    A session whose words equal those of an evidence session, or of another distractor, is not drawn. Takes the original list
    and the form that stores sessions once ({"questions", "sessions"}).
    """
    raw = json.loads(path.read_text(encoding="utf-8"))
    questions, sessions = (raw["questions"], raw["sessions"]) if isinstance(raw, dict) else (raw, {})
    dates: dict[str, str] = {}
    for item in questions:
        for number, name in enumerate(item["haystack_session_ids"]):
            dates.setdefault(name, item["haystack_dates"][number])
            if "haystack_sessions" in item:
                sessions.setdefault(name, item["haystack_sessions"][number])
    words = {
        name: hashlib.sha1(json.dumps([t["content"] for t in said]).encode()).hexdigest()  # noqa: S324  compares, secures nothing
        for name, said in sessions.items()
    }
    asked = [item for item in questions if abstention or not item["question_id"].endswith(ABSTAINS)]
    haystacks = tuple(_haystack(item, words, size=size, seed=seed) for item in asked)
    turns = {name: _turns(name, said, dates.get(name)) for name, said in sessions.items()}
    return Bench(haystacks, turns)


def _haystack(item: dict, words: Mapping[str, str], *, size: int, seed: int) -> Haystack:
    own = list(dict.fromkeys(item["answer_session_ids"]))
    own_words = {words[name] for name in own}
    rng = random.Random(f"{seed}:{item['question_id']}")
    others, seen = [], set()
    for name in rng.sample(sorted(words), len(words)):
        if len(others) >= size - len(own):
            break
        if words[name] not in own_words and words[name] not in seen:
            seen.add(words[name])
            others.append(name)
    mixed = own + others
    rng.shuffle(mixed)
    at = read_session_time(item["question_date"], zone=UTC)
    return Haystack(item["question_id"], item["question_type"], item["question"], at, tuple(mixed), frozenset(own))


def _turns(name: str, said: Sequence[Mapping[str, object]], date: str | None) -> tuple[Turn, ...]:
    """The turns of one session, read by the product's own reader of this format."""
    held: dict[str, object] = {"haystack_session_ids": [name], "haystack_sessions": [said]}
    if date is not None:
        held["haystack_dates"] = [date]
    return read_turns(json.dumps([held]).encode(), name=name).turns


def measure(ranking: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Of sessions, best first: any or all evidence within the first 5 or 10, and ndcg@10 with binary gain."""
    gain = [float(name in gold) for name in ranking]
    ideal = sum(1 / math.log2(i + 2) for i in range(min(len(gold), 10)))
    return {
        "recall_any@5": float(any(gain[:5])),
        "recall_all@5": float(sum(gain[:5]) == len(gold)),
        "recall_all@10": float(sum(gain[:10]) == len(gold)),
        "ndcg@10": sum(g / math.log2(i + 2) for i, g in enumerate(gain[:10])) / ideal,
    }


async def ask_product(engine: Engine, scope: Scope, hay: Haystack, *, memories: bool) -> dict[str, Answer]:
    """Ask a question and rank sessions by their best hit: with what was derived, if `memories`, and of records alone."""
    answers = {}
    if memories:
        before = time.perf_counter()
        bundle = await engine.retrieve(scope, hay.text, limit=MOST)
        answers["muniment"] = _answer(hay, bundle, 1000 * (time.perf_counter() - before))
    before = time.perf_counter()
    bundle = await retrieve_alone(engine, scope, hay.text, limit=MOST)
    answers[ALONE if memories else "muniment"] = _answer(hay, bundle, 1000 * (time.perf_counter() - before))
    return answers


def _answer(hay: Haystack, bundle: Bundle, spent: float) -> Answer:
    best = {hit.record.conversation or "": hit for hit in reversed(bundle.hits)}
    ranking = sorted(best, key=lambda name: -best[name].score)
    log = {
        "id": hay.id,
        "query": hay.text,
        "gold": sorted(hay.gold),
        "ids": ranking[:20],
        "scores": [round(best[name].score, 4) for name in ranking[:20]],
        "tokens": [best[name].tokens for name in ranking[:20]],
        "milliseconds": round(spent, 2),
    }
    return Answer(slice=hay.kind, measures=measure(ranking, hay.gold), log=log)


async def ask_plain(hay: Haystack, bench: Bench, embedder: Embedder | None) -> dict[str, Answer]:
    """The yardsticks: a session's best passage by BM25, and by the cosine to the question."""
    pieces = [(name, piece) for name in hay.sessions for piece in _pieces(bench.turns[name])]
    texts = [piece for _, piece in pieces]
    scores = {"bm25": Bm25(texts).scores(hay.text)}
    if embedder is not None:
        scores["dense"] = await embedder.passages(texts) @ await embedder.query(hay.text)
    out = {}
    for method, row in scores.items():
        ranking = list(dict.fromkeys(pieces[at][0] for at in best_first(row)))
        out[method] = Answer(slice=hay.kind, measures=measure(ranking, hay.gold))
    return out


def _pieces(turns: Sequence[Turn]) -> Iterator[str]:
    for turn in turns:
        yield from (turn.text[start:end] for start, end in passages(turn.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How haystacks are asked. With `keep`, each has a store in that folder that later runs use again, and is not forgotten."""

    store: str = "memory://"
    memories: bool = True
    keep: Path | None = None


@asynccontextmanager
async def remembered(hay: Haystack, bench: Bench, embedder: Embedder | None, way: Way) -> AsyncIterator[tuple[Engine, Scope]]:
    """An engine whose clock stands at the day of the question, and the scope that holds its haystack."""
    scope = Scope(user=f"longmemeval-{hay.id}")
    stem = hashlib.sha256(f"{hay.id}:{hay.sessions}:{embedder.identity if embedder else ''}:{way.memories}".encode()).hexdigest()
    done = None if way.keep is None else way.keep / f"{stem[:16]}.done"
    store = way.store if done is None else f"sqlite:///{done.with_suffix('.db')}"
    async with muniment.open(store, embedder=embedder, tokens="estimate", clock=FixedClock(hay.at)) as engine:
        if done is None or not done.exists():
            await engine.ingest(scope, [turn for name in hay.sessions for turn in bench.turns[name]])
            if way.memories:
                await engine.work.wait()
            if done is not None:
                done.touch()
        yield engine, scope
        if done is None:
            await engine.forget(scope)


async def ask_all(bench: Bench, embedder: Embedder | None, way: Way) -> list[dict[str, Answer]]:
    """For each haystack, what every method gave."""
    if way.keep is not None:
        await asyncio.to_thread(way.keep.mkdir, parents=True, exist_ok=True)
    asked = []
    for hay in bench.haystacks:
        async with remembered(hay, bench, embedder, way) as (engine, scope):
            answers = await ask_product(engine, scope, hay, memories=way.memories)
        asked.append(answers | await ask_plain(hay, bench, embedder))
    return asked


def sample(bench: Bench, most: int | None) -> Bench:
    """At most so many haystacks, drawn by the hash of their question's id, so that a larger sample holds a smaller one."""
    drawn = sorted(bench.haystacks, key=lambda hay: hashlib.sha256(hay.id.encode()).digest())[:most]
    return replace(bench, haystacks=tuple(hay for hay in bench.haystacks if hay in drawn))


def rows_and_log(asked: Sequence[dict[str, Answer]]) -> tuple[list[Row], list[dict[str, object]]]:
    """All rows, and the log of the product's answers."""
    answers = {method: [one[method] for one in asked] for method in asked[0]}
    if ALONE in answers:
        answers[GAIN] = gains(answers["muniment"], answers[ALONE])
    rows = [row for method, theirs in answers.items() for row in rows_of(method, theirs)]
    return rows, [answer.log for answer in answers["muniment"]]


def _worker(args: argparse.Namespace, way: Way, number: int) -> list[dict[str, Answer]]:
    bench = sample(read(args.data), args.haystacks)
    mine = replace(bench, haystacks=bench.haystacks[number :: args.workers])
    return asyncio.run(ask_all(mine, remembering(args), way))


def run_in_processes(args: argparse.Namespace, way: Way) -> list[dict[str, Answer]]:
    """The same in several processes, each with every nth haystack."""
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(_worker, repeat(args, args.workers), repeat(way), range(args.workers)))
    return [one for row in zip_longest(*parts) for one in row if one is not None]


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    about = "Session retrieval on a LongMemEval file, over haystacks built from it."
    parser = with_option(arguments("longmemeval", about))
    parser.add_argument("--haystacks", type=int, help="ask only so many questions, drawn by the hash of their id")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the work")
    parser.add_argument(
        "--keep", type=Path, help="folder that keeps a store per haystack for later runs; empty it when rules change"
    )
    args = parser.parse_args(argv)
    started = time.time()
    way = Way(store=args.store, memories=args.memories, keep=args.keep)
    if args.workers > 1:
        asked = run_in_processes(args, way)
    else:
        asked = asyncio.run(ask_all(sample(read(args.data), args.haystacks), remembering(args), way))
    rows, logs = rows_and_log(asked)
    print(table(rows, METRICS))
    report("longmemeval", args, rows, logs, started=started)
    return 0
