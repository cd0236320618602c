"""Session retrieval on LongMemEval: which of fifty chats with an assistant hold the answer to a question.

Haystacks are built from the sessions of the file itself: a question's own evidence sessions and those of other questions, so
results are not comparable with the published sets. Weights are the product's defaults, the same as for every other use.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import muniment
from benchmarks.harness import Answer, Bm25, Remembering, Row, arguments, best_first, report, rows_of, table
from benchmarks.records_alone import ALONE, GAIN, gains, retrieve_alone, with_option
from muniment.bundle import Bundle
from muniment.engine import Engine
from muniment.ingest.formats import read_turns
from muniment.ingest.times import read_session_time
from muniment.plugins import open_embedder
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


async def ask_product(engine: Engine, clock: FixedClock, hay: Haystack, bench: Bench, *, memories: bool) -> list[Answer]:
    """Ingest one haystack as one user, ask its question on its day, rank sessions by their best hit, and forget it all.

    The last answer is that of records alone; with `memories` the one before it is that with what was derived from them.
    """
    scope = Scope(user=f"longmemeval-{hay.id}")
    clock.at = hay.at
    await engine.ingest(scope, [turn for name in hay.sessions for turn in bench.turns[name]])
    answers = []
    if memories:
        await engine.work.wait()
        before = time.perf_counter()
        bundle = await engine.retrieve(scope, hay.text, limit=MOST)
        answers.append(_answer(hay, bundle, 1000 * (time.perf_counter() - before)))
    before = time.perf_counter()
    bundle = await retrieve_alone(engine, scope, hay.text, limit=MOST)
    answers.append(_answer(hay, bundle, 1000 * (time.perf_counter() - before)))
    await engine.forget(scope)
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


async def run(
    path: Path, *, embedder: Embedder | None, store: str, memories: bool = True
) -> tuple[list[Row], list[dict[str, object]]]:
    """All rows, and the log of the product's answers; without `memories` nothing is waited for, and records alone are ranked."""
    bench = await asyncio.to_thread(read, path)
    names = ("muniment", ALONE) if memories else ("muniment",)
    answers: dict[str, list[Answer]] = {name: [] for name in names}
    clock = FixedClock()
    async with muniment.open(store, embedder=embedder, tokens="estimate", clock=clock) as engine:
        for hay in bench.haystacks:
            for method, answer in zip(names, await ask_product(engine, clock, hay, bench, memories=memories), strict=True):
                answers[method].append(answer)
            for method, answer in (await ask_plain(hay, bench, embedder)).items():
                answers.setdefault(method, []).append(answer)
    if memories:
        answers[GAIN] = gains(answers["muniment"], answers[ALONE])
    rows = [row for method, theirs in answers.items() for row in rows_of(method, theirs)]
    return rows, [answer.log for answer in answers["muniment"]]


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    about = "Session retrieval on a LongMemEval file, over haystacks built from it."
    args = with_option(arguments("longmemeval", about)).parse_args(argv)
    started = time.time()
    model = open_embedder(args.embedder)
    rows, logs = asyncio.run(
        run(args.data, embedder=Remembering(model, args.cache) if model else None, store=args.store, memories=args.memories)
    )
    print(table(rows, METRICS))
    report("longmemeval", args, rows, logs, started=started)
    return 0
