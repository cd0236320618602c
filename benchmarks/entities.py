"""Entities: person records and songs that are one, found without labels, and names that look alike and must stay apart.

Person records (FEBRL) and songs go through the product's record matching; names go through its linking, one name known and the
other heard. Beside them stands the classifier of the package recordlinkage, when asked for with --peer, on the same records.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import numpy as np

from benchmarks.entities_data import LOOKALIKES, Names, Pair, Persons, Songs, names, persons, songs
from benchmarks.harness import DRAWS, Row, commit, machine, table, write_lines
from muniment.ingest.extract.rules_names import mentions
from muniment.knowledge.architecture import EntityRule
from muniment.knowledge.entities import Named, link
from muniment.knowledge.entities.match import judge, learn, match, plain_rows
from muniment.knowledge.values import Evidence, Mention
from muniment.types import RecordId, Scope

METRICS = ("precision", "recall", "f1", "false_merges")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = Scope(user="benchmark")
RULES = tuple(EntityRule(name=name) for name in ("person", "organisation", "place", "product", "work"))

Peer = Callable[[Sequence[Mapping[str, str]]], set[Pair]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One pair: what was said, and what is right; `text` for the log."""

    said: bool
    right: bool
    text: str = ""


def score(judged: Sequence[Judged], method: str, slice_: str) -> list[Row]:
    """Precision, recall and F1 over pairs, with bootstrap intervals over the pairs that are said or right."""
    counts = np.array([(j.said and j.right, j.said, j.right) for j in judged], float)
    rng = np.random.default_rng(0)
    size = len(counts)
    draws = rng.multinomial(size, np.full(size, 1 / size), DRAWS) @ counts if size else np.zeros((1, 3))
    sums = np.vstack([counts.sum(0), draws])
    hit, said, right = sums.T
    found = {
        "precision": hit / np.maximum(said, 1),
        "recall": hit / np.maximum(right, 1),
        "f1": 2 * hit / np.maximum(said + right, 1),
    }
    return [_row(method, slice_, name, values, size) for name, values in found.items()]


def _row(method: str, slice_: str, metric: str, values: np.ndarray, size: int) -> Row:
    low, high = np.percentile(values[1:], [2.5, 97.5])
    return Row(method=method, slice=slice_, metric=metric, value=float(values[0]), low=float(low), high=float(high), n=size)


def of_pairs(found: Iterable[Pair], gold: frozenset[Pair]) -> list[Judged]:
    """One judgement per pair that was found or is right."""
    said = set(found)
    return [Judged(pair in said, pair in gold) for pair in sorted(said | gold)]


def measure_persons(data: Persons, peer: Peer | None = None) -> list[Row]:
    """Ours, and the peer's when there is one."""
    rows = score(of_pairs(match(data.rows).pairs, data.gold), "muniment", data.name)
    if peer is not None:
        rows += score(of_pairs(peer(data.rows), data.gold), "recordlinkage", data.name)
    return rows


def measure_songs(train: Songs, asked: Songs, slice_: str) -> list[Row]:
    """Learnt from the first file: without its labels, with a threshold from them, and with weights from them."""
    fields = tuple(train.left[0])
    left, right = plain_rows(train.left), plain_rows(train.right)
    new_left, new_right = plain_rows(asked.left), plain_rows(asked.right)
    rows: list[Row] = []
    for method, known in (("muniment", None), ("taught", train.same)):
        model = learn(left, train.pairs, fields, right=right, known=known)
        chances = judge(model, new_left, new_right, asked.pairs)[1]
        rows += score([Judged(bool(c >= 0.5), s) for c, s in zip(chances, asked.same, strict=True)], method, slice_)
        if known is None:
            level = threshold(judge(model, left, right, train.pairs)[0].sum(1), train.same)
            bits = judge(model, new_left, new_right, asked.pairs)[0].sum(1)
            rows += score([Judged(bool(b >= level), s) for b, s in zip(bits, asked.same, strict=True)], "threshold", slice_)
    return rows


def threshold(bits: np.ndarray, same: Sequence[bool]) -> float:
    """The middle of the stretch of levels that does best on the pairs it was given, smoothed over four bits."""
    right = np.asarray(same)
    levels = np.arange(-20.0, 30.0, 0.5)
    f1 = np.array([2 * ((bits >= t) & right).sum() / max((bits >= t).sum() + right.sum(), 1) for t in levels])
    return float(levels[np.convolve(f1, np.ones(9) / 9, "same").argmax()])


def linked(pair: Names) -> bool:
    """True when the second name, heard in another record, is taken for the first one's entity."""
    kinds = (pair.kind, pair.kind) if pair.kind else (guessed(pair.left), guessed(pair.right))
    known = link([_named(pair.left, kinds[0], "one")], [], rules=RULES, scope=SCOPE, now=NOW)
    heard = link([_named(pair.right, kinds[1], "two")], known.entities, rules=RULES, scope=SCOPE, now=NOW)
    return known.ids == heard.ids


def _named(text: str, kind: str, record: str) -> Named:
    mention = Mention(text=text, start=0, end=len(text), kind=kind)
    return Named(mention=mention, evidence=Evidence(record=RecordId(record), start=0, end=len(text), said_at=NOW))


def guessed(text: str) -> str:
    """The kind the product takes a name for, when nobody says it."""
    found = mentions(text)
    return found[0].kind if len(found) == 1 and found[0].text == text.strip() else ""


def measure_names(pairs: Sequence[Names], slice_: str) -> tuple[list[Row], list[dict[str, object]]]:
    """Both ways round: false merges among look-alikes, and how many true pairs are found."""
    judged = [Judged(linked(p) or linked(Names(left=p.right, right=p.left, kind=p.kind)), bool(p.same)) for p in pairs]
    both = [linked(p) and linked(Names(left=p.right, right=p.left, kind=p.kind)) for p in pairs]
    told = [(p, j, b) for p, j, b in zip(pairs, judged, both, strict=True) if p.same is not None]
    rows: list[Row] = []
    apart = [j for p, j, _ in told if not p.same]
    true = [Judged(b, right=True) for p, _, b in told if p.same]
    if apart:
        value = float(sum(j.said for j in apart))
        rows.append(Row(method="muniment", slice=slice_, metric="false_merges", value=value, n=len(apart), unit="pairs"))
    if true:
        rows += [row for row in score(true, "muniment", slice_) if row.metric == "recall"]
    log: list[dict[str, object]] = [
        {"left": p.left, "right": p.right, "kind": p.kind, "same": p.same, "merged": j.said}
        for p, j in zip(pairs, judged, strict=True)
    ]
    return rows, log


def measure(data: Path | None, pairs: Path, peer: Peer | None = None) -> tuple[list[Row], list[dict[str, object]]]:
    """Everything that there is data for."""
    rows: list[Row] = []
    if data is not None:
        for file in persons(data / "febrl" if (data / "febrl").is_dir() else data):
            rows += measure_persons(file, peer)
        folder = data / "deepmatcher" if (data / "deepmatcher").is_dir() else data
        lists = sorted(folder.glob("itunes_amazon_*.csv"), key=lambda path: "train" not in path.name)
        for path in lists[1:] or lists:  # a file that is alone is learnt from without its labels, and measured
            rows += measure_songs(songs(lists[0]), songs(path), f"songs-{path.stem.removeprefix('itunes_amazon_')}")
    found, log = measure_names(names(pairs), "lookalikes" if pairs == LOOKALIKES else pairs.stem)
    return rows + found, log


def arguments() -> argparse.ArgumentParser:
    """The options."""
    known = os.environ.get("MUNIMENT_DATA")
    parser = argparse.ArgumentParser(prog="python -m benchmarks entities", description="Entities that are one, and look-alikes.")
    parser.add_argument("--data", type=Path, default=known, help="folder with febrl/ and deepmatcher/; without it only the names")
    parser.add_argument("--pairs", type=Path, default=LOOKALIKES, help="pairs of names: left, right, kind, same")
    parser.add_argument(
        "--peer", action="store_true", help="measure the package recordlinkage beside (pip install recordlinkage)"
    )
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per pair of names")
    return parser


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for; status 1 when look-alikes were merged."""
    args = arguments().parse_args(argv)
    started = time.time()
    peer = import_module("benchmarks.entities_peers").recordlinkage_pairs if args.peer else None
    rows, log = measure(args.data, args.pairs, peer)
    print(table(rows, METRICS))
    merged = [line for line in log if line["same"] is False and line["merged"]]
    for line in merged:
        print(f"merged, but two: {line['left']} / {line['right']}")
    if args.json:
        results = [asdict(row) for row in rows]
        seconds = round(time.time() - started, 1)
        whole = {"benchmark": "entities", "data": str(args.data.name if args.data else args.pairs.name), "commit": commit()}
        document = {**whole, "machine": machine(), "seconds": seconds, "results": results}
        args.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if args.log:
        with args.log.open("w", encoding="utf-8") as out:
            write_lines(out, log)
    return 1 if merged else 0
