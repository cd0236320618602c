"""What each channel and step of retrieval is worth: the same questions with one of them off, through the product's own weights.

Every talk is ingested and enriched once; each setting opens its store again. Differences are paired, question by question.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

import muniment
from benchmarks import locomo, longmemeval
from benchmarks.abstain import files_of
from benchmarks.harness import Answer, Row, arguments, remembering, report, rows_of, table
from muniment.ports import Embedder
from muniment.retrieve.weights import Weights
from muniment.testing import FixedClock
from muniment.types import Scope

METRICS = ("recall@10", "all@10", "in1000", "recall_all@5", "ndcg@10", "milliseconds")
SLICES = {"overall", "multi-hop", "multi-session", "temporal-reasoning"}
WHOLE = "whole"
_MEMORIES = ("fact", "slot", "holds", "superseded", "kind", "dated", "event")
_OFF = ("words", "meaning", "nearby", "conversation", "speaker", "time", "telling", "entities", *_MEMORIES)


def settings(names: Sequence[str] = ()) -> Mapping[str, Weights]:
    """The product's weights as they are, and with one reason, or what memories say, left out; `names` choose some of them."""
    whole = Weights()
    off = {f"- {name}": replace(whole, **{name: 0.0}) for name in _OFF if hasattr(whole, name)}
    off["- context"] = replace(whole, reach=(), nearby=0.0, conversation=0.0)
    off["- memories"] = replace(whole, **dict.fromkeys(_MEMORIES, 0.0))
    extra = [one.name for one in fields(Weights) if one.name == "feedback"]
    off |= {f"- {name}": replace(whole, **{name: 0.0}) for name in extra}
    return {WHOLE: whole} | {name: weights for name, weights in off.items() if not names or name.removeprefix("- ") in names}


async def of_talk(
    talk: locomo.Talk, store: str, embedder: Embedder | None, tried: Mapping[str, Weights]
) -> dict[str, list[Answer]]:
    """The answers to one conversation's questions under each setting."""
    scope = Scope(user=f"locomo-{talk.id}")
    async with muniment.open(store, embedder=embedder, tokens="estimate") as engine:
        receipt = await engine.ingest(scope, talk.turns)
        await engine.work.wait()
    place = {item.id: number for number, item in enumerate(receipt.items) if item.id is not None}
    found: dict[str, list[Answer]] = {}
    for name, weights in tried.items():
        async with muniment.open(store, embedder=embedder, tokens="estimate", weights=weights) as engine:
            await engine.retrieve(scope, talk.questions[0].text)  # reads the shelves, which is not what is compared
            for asked in talk.questions:
                before = time.perf_counter()
                bundle = await engine.retrieve(scope, asked.text, limit=locomo.MOST_TRIED)
                spent = 1000 * (time.perf_counter() - before)
                measures = locomo.measure([place[hit.record.id] for hit in bundle], asked.gold, talk.cost)
                kept = {metric: measures[metric] for metric in METRICS if metric in measures}
                found.setdefault(name, []).append(Answer(slice=asked.category, measures={**kept, "milliseconds": spent}))
    return found


async def of_haystack(
    hay: longmemeval.Haystack, bench: longmemeval.Bench, embedder: Embedder | None, tried: Mapping[str, Weights], folder: Path
) -> dict[str, list[Answer]]:
    """The answer to one question over its sessions under each setting, without waiting for memories."""
    scope = Scope(user=f"longmemeval-{hay.id}")
    store = f"sqlite:///{folder / 'hay.db'}"
    clock = FixedClock(hay.at)
    found: dict[str, list[Answer]] = {}
    async with muniment.open(store, embedder=embedder, tokens="estimate", clock=clock) as engine:
        await engine.ingest(scope, [turn for name in hay.sessions for turn in bench.turns[name]])
    for name, weights in tried.items():
        async with muniment.open(store, embedder=embedder, tokens="estimate", clock=clock, weights=weights) as engine:
            await engine.retrieve(scope, hay.text)
            before = time.perf_counter()
            bundle = await engine.retrieve(scope, hay.text, limit=longmemeval.MOST)
            spent = 1000 * (time.perf_counter() - before)
        best = {hit.record.conversation or "": hit.score for hit in reversed(bundle.hits)}
        measures = longmemeval.measure(sorted(best, key=lambda one: -best[one]), hay.gold)
        kept = {metric: measures[metric] for metric in METRICS if metric in measures}
        found[name] = [Answer(slice=hay.kind, measures={**kept, "milliseconds": spent})]
    return found


def rows(found: Mapping[str, Sequence[Answer]], data: str) -> Iterator[Row]:
    """The whole, and what each setting changes in it: the paired differences with their intervals."""
    whole = found[WHOLE]
    for name, answers in found.items():
        told = list(answers) if name == WHOLE else [_less(one, other) for one, other in zip(answers, whole, strict=True)]
        yield from (replace(row, slice=f"{data} {row.slice}") for row in rows_of(name, told) if row.slice in SLICES)


def _less(one: Answer, whole: Answer) -> Answer:
    return Answer(slice=one.slice, measures={name: value - whole.measures[name] for name, value in one.measures.items()})


async def run(args: argparse.Namespace, embedder: Embedder | None) -> list[Row]:
    """All rows, of every set that is there."""
    tried = settings(args.only)
    found: dict[str, dict[str, list[Answer]]] = {}
    for path in files_of(args.data):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            if "longmemeval" in (path.parent.name, path.stem):
                bench = longmemeval.sample(longmemeval.read(path), args.haystacks)
                for number, hay in enumerate(bench.haystacks):
                    part = folder / str(number)
                    await asyncio.to_thread(part.mkdir)
                    _add(found.setdefault("longmemeval", {}), await of_haystack(hay, bench, embedder, tried, part))
            else:
                for number, talk in enumerate(locomo.read(path)[: args.talks]):
                    store = f"sqlite:///{folder / f'{number}.db'}"
                    _add(found.setdefault("locomo", {}), await of_talk(talk, store, embedder, tried))
    return [row for data, answers in found.items() for row in rows(answers, data)]


def _add(found: dict[str, list[Answer]], more: Mapping[str, Sequence[Answer]]) -> None:
    for name, answers in more.items():
        found.setdefault(name, []).extend(answers)


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    parser = arguments("ablation", "What each channel and step of retrieval is worth, on LoCoMo and LongMemEval.")
    parser.add_argument("--talks", type=int, help="ask of so many talks only")
    parser.add_argument("--haystacks", type=int, default=40, help="ask so many questions of LongMemEval (default 40)")
    parser.add_argument("--only", nargs="*", default=(), help="the reasons to leave out, by name (default: each)")
    args = parser.parse_args(argv)
    started = time.time()
    found = asyncio.run(run(args, remembering(args)))
    print(table(found, METRICS))
    report("ablation", args, found, [], started=started)
    return 0
