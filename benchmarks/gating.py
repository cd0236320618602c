"""Tool choice: how few tools a gate may let through and still keep the one that answers the question.

Each of the product's scorers ranks the tools for every question as a gate would, beside plain BM25. Gold names decide what is
counted and are used for nothing else. The weights are the product's own; the slice `whole-held-out` chooses one on other tools.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import numpy as np

from benchmarks.gating_data import Cases, files, read, spelled
from benchmarks.harness import DRAWS, Bm25, Remembering, Row, best_first, report, table
from muniment.compile.scorers import Dense, Fused, Lexical
from muniment.plugins import open_embedder, open_tokens
from muniment.providers.embedders.blocking import BlockingEmbedder
from muniment.registry.groups import Scorer
from muniment.types import Block

CUTS = (1, 3, 5, 10, 20)
KEPT = 0.97
OFFERED = 31
METRICS = (*(f"recall@{cut}" for cut in CUTS), "saved@97", "tools@97")
WEIGHTS = (0.5, 0.7, 1.0, 1.4, 2.0)
LOGGED = 20

Choose = Callable[[int], Sequence[int]]
"""The places of the tools that one question is asked among."""

Scores = list[np.ndarray]
"""For each question, the score of each of its tools."""


@dataclass(frozen=True, slots=True)
class Curves:
    """One method on one slice, by question and number of tools let through (from one up): gold kept, and tokens kept."""

    recall: np.ndarray
    tokens: np.ndarray

    def metrics(self, weights: np.ndarray) -> dict[str, np.ndarray]:
        """Each metric under each row of `weights`, which say how often each question counts."""
        share = weights / weights.sum(axis=1, keepdims=True)
        recall, tokens = share @ self.recall, share @ self.tokens
        enough = recall >= KEPT - 1e-9
        least = np.where(enough.any(axis=1), enough.argmax(axis=1), recall.shape[1] - 1)
        out = {f"recall@{cut}": recall[:, min(cut, recall.shape[1]) - 1] for cut in CUTS}
        return {**out, "saved@97": 1 - tokens[np.arange(len(least)), least], "tools@97": least + 1.0}


class Plain:
    """BM25 over the schemas as they are written, the yardstick."""

    def __init__(self) -> None:
        self._blocks: Sequence[Block] = ()
        self._index = Bm25([""])

    def __call__(self, task: str, blocks: Sequence[Block]) -> Sequence[float]:
        if blocks is not self._blocks:
            self._blocks, self._index = blocks, Bm25([spelled(block) for block in blocks])
        scores: list[float] = self._index.scores(task).tolist()
        return scores


def drawn(cases: Cases, seed: int) -> Choose:
    """A question's own tools and others drawn for it alone, `OFFERED` together, in the order of the file."""

    def choose(number: int) -> Sequence[int]:
        gold = cases.questions[number].gold
        others = [place for place in range(len(cases.tools)) if place not in gold]
        wanted = min(max(0, OFFERED - len(gold)), len(others))
        return sorted([*gold, *np.random.default_rng([seed, number]).choice(others, wanted, replace=False).tolist()])

    return choose


def score(scorer: Scorer, tools: Sequence[Block], cases: Cases, choose: Choose | None = None) -> Scores:
    """What a scorer gives for every question: to all tools, or to those that are chosen for it."""
    of_each = [tools if choose is None else [tools[place] for place in choose(number)] for number in range(len(cases.questions))]
    return [np.array(scorer(asked.text, mine)) for asked, mine in zip(cases.questions, of_each, strict=True)]


def ranked(scores: Scores, choose: Choose | None = None) -> list[list[int]]:
    """Places of tools, best first. Equal scores keep the order of the file, as in a registry."""
    orders = [best_first(own) for own in scores]
    return orders if choose is None else [[choose(n)[at] for at in order] for n, order in enumerate(orders)]


def curves(cases: Cases, orders: Sequence[Sequence[int]]) -> Curves:
    """What the first one, two, … tools of each question's order keep."""
    pairs = zip(orders, cases.questions, strict=True)
    recall = np.array([np.isin(order, asked.gold).cumsum() / len(asked.gold) for order, asked in pairs])
    spent = np.array([cases.cost[list(order)].cumsum() for order in orders])
    return Curves(recall, spent / spent[:, -1:])


def held_out(cases: Cases, words: Scores, meaning: Scores) -> Curves:
    """Fused, with the weight that is best for the questions of the other half. The halves share no tool that answers."""
    tried = [curves(cases, ranked([w + weight * m for w, m in zip(words, meaning, strict=True)])) for weight in WEIGHTS]
    half = np.array([asked.gold[0] % 2 for asked in cases.questions])
    recall, tokens = tried[0].recall.copy(), tried[0].tokens.copy()
    for number in (0, 1):
        mine, other = half == number, (half != number).astype(np.float64)[None]
        if other.any():
            measured = [one.metrics(other) for one in tried]
            best = max(range(len(tried)), key=lambda i: (measured[i]["saved@97"][0], measured[i]["recall@5"][0]))
            recall[mine], tokens[mine] = tried[best].recall[mine], tried[best].tokens[mine]
    return Curves(recall, tokens)


def rows_of(slice_: str, found: Mapping[str, Curves]) -> list[Row]:
    """Every metric of every method with its interval, and the paired differences of `fused` to the others."""
    size = len(next(iter(found.values())).recall)
    counts = np.random.default_rng(0).multinomial(size, np.full(size, 1 / size), DRAWS).astype(np.float64)
    draws = np.vstack([np.ones(size), counts])  # the first row is the data as it is
    values = {method: one.metrics(draws) for method, one in found.items()}
    for other in [method for method in found if "fused" in found and method != "fused"]:
        values[f"fused-{other}"] = {name: values["fused"][name] - values[other][name] for name in METRICS}
    rows = []
    for method, measured in values.items():
        for name in METRICS:
            low, high = np.percentile(measured[name][1:], [2.5, 97.5])
            value = float(measured[name][0])
            rows.append(Row(method=method, slice=slice_, metric=name, value=value, low=float(low), high=float(high), n=size))
    return [replace(row, unit="tools") if row.metric == "tools@97" else row for row in rows]


def measure(cases: Cases, dense: Dense | None, seed: int) -> tuple[dict[str, dict[str, Curves]], list[dict[str, object]]]:
    """Curves by slice and method, and the log of the whole set."""
    lexical = Lexical()
    methods: dict[str, Scorer] = {"bm25": Plain(), "lexical": lexical}
    if dense is not None:
        methods |= {"dense": dense, "fused": Fused(dense, lexical=lexical)}
    found: dict[str, dict[str, Curves]] = {}
    log: list[dict[str, object]] = []
    for suffix, tools in (("", cases.tools), ("-first", cases.firsts)):
        for name, choose in ((f"whole{suffix}", None), (f"of-{OFFERED}{suffix}", drawn(cases, seed))):
            scores = {method: score(scorer, tools, cases, choose) for method, scorer in methods.items()}
            orders = {method: ranked(own, choose) for method, own in scores.items()}
            found[name] = {method: curves(cases, order) for method, order in orders.items()}
            if name == "whole":
                log = logged(cases, orders)
                if dense is not None:
                    found["whole-held-out"] = {"fused": held_out(cases, scores["lexical"], scores["dense"])}
    return found, log


def logged(cases: Cases, orders: Mapping[str, Sequence[Sequence[int]]]) -> list[dict[str, object]]:
    """One line per question: its gold tools, where each method has the first of them, and the last method's best tools."""
    last = list(orders.values())[-1]
    return [
        {
            "id": asked.id,
            "query": asked.text,
            "gold": [cases.tools[place].name for place in asked.gold],
            "places": {method: min(order[number].index(place) for place in asked.gold) + 1 for method, order in orders.items()},
            "ids": [cases.tools[place].name for place in last[number][:LOGGED]],
        }
        for number, asked in enumerate(cases.questions)
    ]


def arguments() -> argparse.ArgumentParser:
    """The options."""
    known = os.environ.get("MUNIMENT_DATA")
    parser = argparse.ArgumentParser(prog="python -m benchmarks gating", description="Tool choice on BFCL's live_multiple.")
    parser.add_argument("--data", type=Path, default=known, required=not known, help="folder with bfcl/, or a questions file")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per question")
    parser.add_argument("--plot", type=Path, help="folder for the curves as gating.png and gating.svg")
    parser.add_argument("--embedder", default="auto", help="as in muniment.open; 'none' scores words alone")
    parser.add_argument("--cache", type=Path, help="folder that keeps vectors between runs")
    parser.add_argument("--tokens", default="auto", help="the token counter: auto, estimate, o200k or cl100k")
    parser.add_argument("--seed", type=int, default=31, help="which tools are drawn beside a question's own")
    return parser


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    args = arguments().parse_args(argv)
    started = time.time()
    args.data, tools = files(args.data)
    counter = open_tokens(args.tokens)
    cases = read(args.data, tools, counter.count)
    with ExitStack() as stack:
        model, dense = open_embedder(args.embedder), None
        if model is not None:
            embedder = stack.enter_context(BlockingEmbedder(Remembering(model, args.cache)))
            dense = Dense(embedder.passages, embed_query=embedder.query)
        found, log = measure(cases, dense, args.seed)
    rows = [row for slice_, curves_ in found.items() for row in rows_of(slice_, curves_)]
    vectors = model.identity if model else "none, so words alone"
    print(f"{len(cases.tools)} tools, {cases.cost.sum():,.0f} tokens ({counter.name}), embedder: {vectors}")
    print(table(rows, METRICS))
    report("gating", args, rows, log, started=started)
    if args.plot:
        import_module("benchmarks.gating_plot").draw(found, args.plot)
    return 0
