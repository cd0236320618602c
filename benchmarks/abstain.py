"""Whether an agent can tell what it does not know: questions without an answer must come back with less confidence.

LoCoMo's category 5 asks of one speaker what another said; LongMemEval's abstention questions ask for what no session says. The
measure is the area under the curve: how often a question with an answer has more confidence than one without.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import muniment
from benchmarks import longmemeval
from benchmarks.harness import DRAWS, Bm25, Row, arguments, remembering, report, table
from muniment.bundle import Bundle
from muniment.engine import Engine
from muniment.ingest.formats import read_turns
from muniment.ports import Embedder
from muniment.testing import FixedClock
from muniment.types import Scope

METRICS = ("auc",)
WITHOUT_ANSWER = 5
"""LoCoMo's category of questions that the conversation does not answer."""
_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure each method was about one question, and whether it has an answer."""

    id: str
    slice: str
    answerable: bool
    by: Mapping[str, float]

    def log(self) -> dict[str, object]:
        """The line of the log."""
        return {"id": self.id, "slice": self.slice, "answerable": self.answerable, **self.by}


def _samples(path: Path) -> list[dict]:
    samples: list[dict] = json.loads(path.read_text(encoding="utf-8"))
    return samples


async def of_locomo(engine: Engine, path: Path, embedder: Embedder | None) -> list[Sureness]:
    """Every question of every conversation, each conversation one user."""
    out = []
    for number, sample in enumerate(_samples(path), 1):
        scope = Scope(user=f"locomo-{number}")
        turns = read_turns(json.dumps(sample["conversation"]).encode(), name=path.name).turns
        await engine.ingest(scope, turns)
        await engine.work.wait()
        plain = await Plain.of([f"{turn.speaker}: {turn.text}" for turn in turns], embedder)
        for asked, qa in enumerate(sample["qa"]):
            bundle = await engine.retrieve(scope, qa["question"], limit=_LIMIT)
            answerable = qa["category"] != WITHOUT_ANSWER
            by = await plain.beside(bundle)
            out.append(Sureness(f"{number}/{asked}", "locomo", answerable, by))
    return out


async def of_longmemeval(engine: Engine, clock: FixedClock, path: Path, embedder: Embedder | None) -> list[Sureness]:
    """Every question over its haystack, forgotten before the next."""
    bench = longmemeval.read(path, abstention=True)
    out = []
    for hay in bench.haystacks:
        scope = Scope(user=f"longmemeval-{hay.id}")
        clock.at = hay.at
        turns = [turn for name in hay.sessions for turn in bench.turns[name]]
        await engine.ingest(scope, turns)
        await engine.work.wait()
        bundle = await engine.retrieve(scope, hay.text, limit=_LIMIT)
        by = await (await Plain.of([turn.text for turn in turns], embedder)).beside(bundle)
        out.append(Sureness(hay.id, "longmemeval", not hay.id.endswith(longmemeval.ABSTAINS), by))
        await engine.forget(scope)
    return out


@dataclass(frozen=True, slots=True)
class Plain:
    """The yardsticks: the best score of BM25, and the best cosine."""

    words: Bm25
    rows: np.ndarray | None
    embedder: Embedder | None

    @classmethod
    async def of(cls, texts: Sequence[str], embedder: Embedder | None) -> Plain:
        """Over these texts."""
        return cls(Bm25(texts), await embedder.passages(texts) if embedder else None, embedder)

    async def beside(self, bundle: Bundle) -> dict[str, float]:
        """The product's confidence and those of the yardsticks."""
        by = {"muniment": bundle.confidence, "bm25": float(self.words.scores(bundle.query).max())}
        if self.embedder is not None and self.rows is not None:
            by["dense"] = float((self.rows @ await self.embedder.query(bundle.query)).max())
        return by


def area(answered: np.ndarray, unanswered: np.ndarray) -> float:
    """How often a value of the first is above one of the second; equal ones count half."""
    above = (answered[:, None] > unanswered[None]).mean() + (answered[:, None] == unanswered[None]).mean() / 2
    return float(above)


def rows_of(asked: Sequence[Sureness]) -> list[Row]:
    """One row per slice and method, with its 95% interval over questions drawn anew on both sides."""
    rows = []
    for name in dict.fromkeys(one.slice for one in asked):
        part = [one for one in asked if one.slice == name]
        if len({one.answerable for one in part}) < 2:
            continue
        for method in part[0].by:
            yes, no = (np.array([one.by[method] for one in part if one.answerable is side]) for side in (True, False))
            rng = np.random.default_rng(0)
            drawn = [area(rng.choice(yes, len(yes)), rng.choice(no, len(no))) for _ in range(DRAWS // 10)]
            low, high = np.percentile(drawn, [2.5, 97.5])
            value = area(yes, no)
            rows.append(Row(method=method, slice=name, metric="auc", value=value, low=float(low), high=float(high), n=len(part)))
    return rows


async def run(files: Sequence[Path], *, embedder: Embedder | None, store: str) -> tuple[list[Row], list[dict[str, object]]]:
    """All rows, and one line of the log per question."""
    clock = FixedClock()
    asked: list[Sureness] = []
    async with muniment.open(store, embedder=embedder, tokens="estimate", clock=clock) as engine:
        for path in files:
            if "sample_id" in path.read_text(encoding="utf-8")[:1_000_000]:
                asked += await of_locomo(engine, path, embedder)
            else:
                asked += await of_longmemeval(engine, clock, path, embedder)
    return rows_of(asked), [one.log() for one in asked]


def files_of(data: Path) -> list[Path]:
    """The file itself, or those of both sets in a folder. Raises SystemExit when there are none."""
    found = [data] if data.is_file() else sorted(p for name in ("locomo", "longmemeval") for p in data.glob(f"{name}/*.json"))
    if not found:
        raise SystemExit(f"{data} holds neither locomo/*.json nor longmemeval/*.json; give such a folder, or one such file.")
    return found


def main(argv: list[str]) -> int:
    """Run the benchmark, print its table, write what was asked for."""
    parser: argparse.ArgumentParser = arguments("abstain", "Confidence where there is an answer, and where there is none.")
    args = parser.parse_args(argv)
    started = time.time()
    rows, logs = asyncio.run(run(files_of(args.data), embedder=remembering(args), store=args.store))
    print(table(rows, METRICS))
    report("abstain", args, rows, logs, started=started)
    return 0
