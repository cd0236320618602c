"""Whether decisions are found with their reasons, alternatives and outcomes, and who may find them as precedents.

Rule of this file: it goes through the product: turns in, decisions out. Gold is for scoring alone; a text is found when most of
its content words are, and everything that is found must be in the gold.
"""

# ruff: noqa: E501  a template and a fact read best on one line

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from benchmarks.decisions_data import Gold, Talk, make, read_log, read_noise
from benchmarks.decisions_product import Product, open_product
from benchmarks.decisions_styles import read_styles
from benchmarks.harness import DRAWS, Row, commit, machine
from muniment.curate.decisions import Decision
from muniment.types import Scope

PIECES = ("decision", "rationale", "alternative", "outcome")
STYLES = {"styles-tuned": "decisions_styles_tuned.txt", "styles-held-out": "decisions_styles_reported.txt"}
_TURNS_DOWN = re.compile(
    r"(?:no|not|never|stop|drop|cancel|end|against|reject|retir|scrap|leav|quit|abandon|withdraw|kill|clos)", re.IGNORECASE
)
_SAME = 0.6
_WORD = re.compile(r"[^\W_]+")
_LITTLE = frozenset(
    [
        "a",
        "an",
        "the",
        "to",
        "of",
        "for",
        "in",
        "on",
        "at",
        "by",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "it",
        "its",
        "we",
        "our",
        "i",
        "my",
        "they",
        "them",
        "their",
        "that",
        "this",
        "these",
        "those",
        "and",
        "or",
        "with",
        "us",
        "as",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "from",
        "so",
        "not",
    ]
)


@dataclass(slots=True, kw_only=True)
class Count:
    """Right, wrong and missed of one talk and piece."""

    right: int = 0
    wrong: int = 0
    missed: int = 0


Counts = dict[str, Count]


def found_in(gold: str, told: str) -> bool:
    """True when most content words of `gold` stand in `told`."""
    words = _content(gold)
    return bool(words) and len(words & _content(told)) >= _SAME * len(words)


def _content(text: str) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if word not in _LITTLE}


def score(talk: Talk, found: Sequence[Decision], places: dict[str, int]) -> Counts:
    """Compare what was found in one talk with its gold. `places` gives the turn of each record."""
    counts = {piece: Count() for piece in PIECES}
    left = list(found)
    for gold in talk.gold:
        match = next((one for one in left if _same(gold, one, places)), None)
        if match is None:
            counts["decision"].missed += 1
            counts["rationale"].missed += bool(gold.rationale)
            counts["alternative"].missed += len(gold.alternatives)
            counts["outcome"].missed += bool(gold.outcome)
            continue
        left.remove(match)
        counts["decision"].right += 1
        _pieces(counts["rationale"], [gold.rationale] if gold.rationale else [], match.rationale)
        _pieces(counts["alternative"], list(gold.alternatives), match.alternatives)
        _pieces(counts["outcome"], [gold.outcome] if gold.outcome else [], match.outcome)
    counts["decision"].wrong += len(left)
    return counts


def _same(gold: Gold, told: Decision, places: dict[str, int]) -> bool:
    said = {places.get(evidence.record) for evidence in told.memory.evidence}
    return (
        gold.turn in said
        and found_in(gold.chosen, f"{told.memory.value} {told.memory.text}")
        and (not told.memory.value.startswith("against ") or bool(_TURNS_DOWN.match(gold.chosen)))
    )


def _pieces(count: Count, gold: list[str], told: Sequence[str]) -> None:
    left = list(told)
    for one in gold:
        match = next((text for text in left if found_in(one, text)), None)
        if match is None:
            count.missed += 1
        else:
            count.right += 1
            left.remove(match)
    count.wrong += len(left)


async def measure(
    talks: Sequence[Talk], product: Product
) -> tuple[list[tuple[Talk, Counts]], dict[str, tuple[int, int]], list[dict[str, object]]]:
    """What was found in each talk; the precedents found, of those to be found; and one log line per talk."""
    scored: list[tuple[Talk, Counts]] = []
    log: list[dict[str, object]] = []
    shared: list[tuple[Talk, Gold]] = []
    for talk in talks:
        scope = scope_of(talk)
        places = await product.add(scope, talk)
        found = await product.decisions(scope)
        scored.append((talk, score(talk, found, places)))
        log.append(_line(talk, found, places))
        for gold in talk.gold:
            match = next((one for one in found if _same(gold, one, places)), None)
            if match is not None:
                await product.share(scope, match.memory.id)
                shared.append((talk, gold))
    return scored, await _precedents(talks, shared, product), log


def scope_of(talk: Talk) -> Scope:
    return Scope(client=talk.client, customer=talk.customer, user=talk.user)


async def _precedents(talks: Sequence[Talk], shared: Sequence[tuple[Talk, Gold]], product: Product) -> dict[str, tuple[int, int]]:
    """For every shared decision: does a colleague find it, and does anybody of another customer?

    It counts as found when an answer rests on a record of that customer that holds what was chosen.
    """
    inside = across = colleagues = strangers = siblings = 0
    for talk, gold in shared:
        question = f"What did we decide about {gold.about}, why {gold.chosen}?"
        colleague = next(
            (t for t in talks if t.customer == talk.customer and t.client == talk.client and t.user != talk.user), None
        )
        stranger = next((t for t in talks if t.customer != talk.customer), None)
        if colleague is not None:
            colleagues += 1
            told = await product.precedents(scope_of(colleague), question)
            inside += any(found_in(gold.chosen, one.memory.text) for one in told)
            siblings += sum(one.memory.scope.user is not None for one in told)
        if stranger is not None:
            strangers += 1
            told = await product.precedents(scope_of(stranger), question)
            across += any(one.memory.scope.customer not in (None, stranger.customer) for one in told)
    return {
        "found within a customer": (inside, colleagues),
        "found across customers": (across, strangers),
        "read from a sibling": (siblings, colleagues),
    }


def _line(talk: Talk, found: Sequence[Decision], places: dict[str, int]) -> dict[str, object]:
    told = [
        {"text": one.memory.text, "value": one.memory.value, "turns": sorted(places.get(e.record, -1) for e in one.memory.evidence),
         "rationale": one.rationale, "alternatives": one.alternatives, "outcome": one.outcome}
        for one in found
    ]  # fmt: skip
    said = [talk.turns[gold.turn].text for gold in talk.gold]
    return {"id": talk.id, "slice": talk.slice, "gold": [asdict(gold) for gold in talk.gold], "said": said, "found": told}


def rows_of(scored: Sequence[tuple[Talk, Counts]]) -> list[Row]:
    """Precision, recall and F1 of each piece, over all talks and by slice, with 95% bootstrap intervals over talks."""
    out: list[Row] = []
    slices = {"overall": list(scored)} | {
        name: [s for s in scored if s[0].slice == name] for name in dict.fromkeys(t.slice for t, _ in scored)
    }
    for name, part in slices.items():
        for piece in PIECES:
            table = np.array([[c[piece].right, c[piece].wrong, c[piece].missed] for _, c in part], float)
            draws = np.random.default_rng(0).integers(0, len(table), (DRAWS, len(table)))
            means = np.stack([_measures(table[draw].sum(0)) for draw in draws])
            low, high = np.percentile(means, [2.5, 97.5], axis=0)
            for place, metric in enumerate(("precision", "recall", "f1")):
                value = _measures(table.sum(0))[place]
                out.append(
                    Row(
                        method="muniment",
                        slice=name,
                        metric=f"{piece}_{metric}",
                        value=float(value),
                        low=float(low[place]),
                        high=float(high[place]),
                        n=len(part),
                    )
                )
    return out


def _measures(counts: np.ndarray) -> tuple[float, float, float]:
    right, wrong, missed = counts
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def show(rows: Sequence[Row]) -> str:
    """One table per slice: pieces down, measures across."""
    out = []
    cells = {(row.slice, row.metric): row for row in rows}
    for name in dict.fromkeys(row.slice for row in rows if f"{PIECES[0]}_f1" in row.metric):
        out.append(f"\n{name} ({cells[name, 'decision_f1'].n} talks)\n{'':12s}{'precision':>12s}{'recall':>12s}{'f1':>24s}")
        for piece in PIECES:
            p, r, f = (cells[name, f"{piece}_{metric}"] for metric in ("precision", "recall", "f1"))
            out.append(f"{piece:12s}{p.value:12.3f}{r.value:12.3f}{f.value:10.3f} [{f.low:.3f}, {f.high:.3f}]")
    return "\n".join(out)


def arguments() -> argparse.ArgumentParser:
    """The options."""
    known = os.environ.get("MUNIMENT_DATA")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks decisions", description="Decisions, their pieces, and precedents."
    )
    parser.add_argument("--seed", type=int, default=7, help="which conversations are made")
    parser.add_argument("--talks", type=int, default=100, help="how many")
    parser.add_argument("--log", type=Path, help="conversations of your own instead, one JSON object a line")
    parser.add_argument("--data", type=Path, default=known, help="folder with tau_bench/, whose turns serve as noise")
    parser.add_argument("--styles", action="store_true", help="add conversations written in five styles, as slices of their own")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--found", type=Path, help="write one JSON line per conversation: its gold and what was found")
    return parser


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    args = arguments().parse_args(argv)
    started = time.time()
    talks = read_log(args.log) if args.log else make(seed=args.seed, talks=args.talks, noise=read_noise(args.data))
    if args.styles:
        for slice_, name in STYLES.items():
            talks += read_styles(Path(__file__).with_name(name), slice_=slice_)
    scored, precedents, log = asyncio.run(_run(talks))
    rows = rows_of(scored)
    rows += [
        Row(method="muniment", slice="precedents", metric=name, value=float(found), n=asked, unit="count")
        for name, (found, asked) in precedents.items()
    ]
    turns = sum(len(talk.turns) for talk in talks)
    print(
        f"{len(talks)} conversations, {turns} turns, {sum(len(talk.gold) for talk in talks)} decisions, {time.time() - started:.1f} s"
    )
    print(show(rows))
    print("\nprecedents: " + ", ".join(f"{name} {found} of {asked}" for name, (found, asked) in precedents.items()))
    if args.json:
        args.json.write_text(json.dumps(_document(args, talks, rows, started), indent=1) + "\n", encoding="utf-8")
    if args.found:
        args.found.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in log), encoding="utf-8")
    return 0


async def _run(talks: Sequence[Talk]) -> tuple[list[tuple[Talk, Counts]], dict[str, tuple[int, int]], list[dict[str, object]]]:
    async with open_product() as product:
        return await measure(talks, product)


def _document(args: argparse.Namespace, talks: Sequence[Talk], rows: Sequence[Row], started: float) -> dict[str, object]:
    told = json.dumps([asdict(replace(talk, turns=())) for talk in talks], sort_keys=True, default=str)
    name = args.log.name if args.log else f"generated, seed {args.seed}, {args.talks} talks"
    return {
        "benchmark": "decisions",
        "data": {"file": name, "sha256": sha256(told.encode()).hexdigest()},
        "commit": commit(),
        "machine": machine(),
        "seconds": round(time.time() - started, 1),
        "results": [asdict(row) for row in rows],
    }
