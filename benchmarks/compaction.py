"""What a digest keeps of a talk at a given size: answers to questions and claims of the records, beside plain ways to shorten.

Rule of this file: nothing is chosen here, and a digest is asked of the product's public verbs alone. At a share of the tokens all
methods get the same budget and the product may not relax; what it would serve instead is a method of its own (`served`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchmarks.compaction_data import Literal, Stretch, holds, read
from benchmarks.compaction_peers import PEERS, Count, Said, lines, pieces
from benchmarks.compaction_playbook import reenacted
from benchmarks.harness import DRAWS, Answer, Row, document, rows_of, table, write_lines
from muniment.compact import Digest, Wish, digest
from muniment.ingest.extract.rules_names import mentions
from muniment.knowledge.digests import ClaimFate
from muniment.plugins import open_tokens
from muniment.types import words_of

Made = TypeVar("Made")
SHARES = {"70%": 0.7, "40%": 0.4, "15%": 0.15, "5%": 0.05}
OURS, SERVED, WHOLE = "muniment", "served", "all"
LEAST_ASKED = 5
"""Questions a session must have for its score to be held against what it answers."""
METRICS = ("answerable", "claims_kept", "altered", "lost", "invented", "ratio", "ms")


def answers(said: Sequence[Said], asked: Literal) -> float:
    """1 if a line that was made from a turn with the answer says it."""
    return float(any(records & asked.gold and holds(text, asked.answer) for text, records in said))


def said_in(made: Digest) -> list[Said]:
    """The lines of a digest, each with the records it was made from."""
    return [(line.text, frozenset(span.record for span in line.spans)) for line in made.lines]


def kept(made: Digest) -> dict[str, float]:
    """The shares of the claims, by weight, that were kept, altered and lost; by number too; and what was invented."""
    weight = {fate: sum(one.claim.weight for one in made.claims if one.fate is fate) for fate in ClaimFate}
    whole = sum(weight.values())
    number = sum(one.fate is ClaimFate.KEPT for one in made.claims)
    return {
        "claims_kept": weight[ClaimFate.KEPT] / whole if whole else 1.0,
        "altered": weight[ClaimFate.ALTERED] / whole if whole else 0.0,
        "lost": weight[ClaimFate.LOST] / whole if whole else 0.0,
        "kept_by_number": number / len(made.claims) if made.claims else 1.0,
        "invented": float(len(made.verification.inventions)),
    }


class Run:
    """The rows and the log of one run over some stretches."""

    def __init__(self, count: Count) -> None:
        self.count = count
        self.asked: dict[tuple[str, str], list[Answer]] = defaultdict(list)
        self.spans: dict[tuple[str, str], list[Answer]] = defaultdict(list)
        self.ranked: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.log: list[dict[str, object]] = []

    def add(self, method: str, share: str, stretch: Stretch, said: Sequence[Said], measures: Mapping[str, float]) -> None:
        """Take in what one method made of one stretch."""
        got = [answers(said, one) for one in stretch.questions]
        self.asked[method, share] += [Answer(slice="", measures={"answerable": one}) for one in got]
        self.spans[method, share].append(Answer(slice="", measures=dict(measures)))
        found = {one.id: right for one, right in zip(stretch.questions, got, strict=True)}
        self.log.append({"method": method, "slice": share, "span": stretch.name, "answerable": found, **measures})

    def take(self, other: Run) -> None:
        """All that another run took in."""
        for key, answered in other.asked.items():
            self.asked[key] += answered
        for key, spans in other.spans.items():
            self.spans[key] += spans
        for share, pairs in other.ranked.items():
            self.ranked[share] += pairs
        self.log += other.log

    def shorten(self, stretch: Stretch, peers: Sequence[str]) -> None:
        """One stretch, by every method, at every size."""
        size = sum(self.count(f"{record.speaker}: {words_of(record)}") for record in stretch.records)
        whole = [(words_of(record), frozenset({record.id})) for record in stretch.records]
        said = pieces(stretch)
        for share, part in SHARES.items():
            for method, threshold in ((OURS, 0.0), (SERVED, None)):
                wish = Wish(target=round(part * size))
                wish = wish if threshold is None else replace(wish, threshold=threshold)
                made, spent = timed(lambda wish=wish: digest(stretch.records, wish, names=mentions, count=self.count))
                self.add(method, share, stretch, said_in(made), {**kept(made), "ratio": made.tokens / max(1, size), "ms": spent})
            for name in peers:
                chosen, spent = timed(lambda name=name, part=part: PEERS[name](said, round(part * size), self.count))
                self.add(name, share, stretch, lines(said, chosen), {"ms": spent})
            self.add(WHOLE, share, stretch, whole, {"ratio": 1.0})
        for session in stretch.sessions():
            if len(session.questions) >= LEAST_ASKED:
                self._rank(session)

    def _rank(self, session: Stretch) -> None:
        size = sum(self.count(f"{record.speaker}: {words_of(record)}") for record in session.records)
        for share, part in SHARES.items():
            wish = Wish(target=round(part * size), threshold=0.0)
            made = digest(session.records, wish, names=mentions, count=self.count)
            got = [answers(said_in(made), one) for one in session.questions]
            self.ranked[share].append((made.verification.score, sum(got) / len(got)))

    def rows(self, name: str = "") -> list[Row]:
        """Every measure with its interval. `name` is put behind each slice."""
        found = []
        for (method, share), some in [*self.asked.items(), *self.spans.items()]:
            if some and some[0].measures:
                made = rows_of(method, some, overall=f"{share} {name}".strip())
                found += [replace(row, unit={"ms": "ms", "invented": "number"}.get(row.metric, row.unit)) for row in made]
        for share, pairs in self.ranked.items():
            value, low, high = correlated(pairs)
            where = f"{share} {name}".strip()
            found.append(
                Row(method=OURS, slice=where, metric="spearman", value=value, low=low, high=high, n=len(pairs), unit="rho")
            )
        return found


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """What `work` gives, and the milliseconds it takes."""
    started = time.perf_counter()
    made = work()
    return made, 1000 * (time.perf_counter() - started)


def correlated(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Spearman's rank correlation, equal values sharing their rank, and its bounds at 95% (bootstrap over spans)."""
    values = np.array(pairs, np.float64)
    rng = np.random.default_rng(0)
    draws = [_spearman(values[rng.integers(0, len(values), len(values))]) for _ in range(DRAWS)]
    low, high = np.percentile(draws, [2.5, 97.5])
    return _spearman(values), float(low), float(high)


def _spearman(values: np.ndarray) -> float:
    ranks = np.stack([_ranks(values[:, side]) for side in (0, 1)])
    spread = ranks.std(axis=1)
    return float(np.corrcoef(ranks)[0, 1]) if spread.min() > 0 else 0.0


def _ranks(values: np.ndarray) -> np.ndarray:
    _, where, times = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(times)
    ranks: np.ndarray = (ends - (times - 1) / 2)[where]
    return ranks


def main(argv: list[str]) -> int:
    """Run the benchmark, print its tables, write what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks compaction", description="What a digest keeps at a given size.")
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="LoCoMo, tau-bench, or any file of talk")
    parser.add_argument("--tokens", default="estimate", help="as in muniment.open")
    parser.add_argument("--peers", default=",".join(PEERS), help="plain methods to run beside, or nothing")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per method, size and span")
    args = parser.parse_args(argv)
    started = time.time()
    count = open_tokens(args.tokens).count
    together, rows = Run(count), list[Row]()
    peers = [name for name in args.peers.split(",") if name]
    for path in args.data:
        alone = Run(count)
        for stretch in read(path):
            alone.shorten(stretch, peers)
        rows += alone.rows(path.stem) if len(args.data) > 1 else []
        together.take(alone)
    rows = [*together.rows(), *rows]
    print(table(rows, (*METRICS, "spearman")))
    print(reenacted(count))
    if args.json:
        made = document("compaction", args.data[0], rows, started=started)
        args.json.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    if args.log:
        with args.log.open("w", encoding="utf-8") as out:
            write_lines(out, together.log)
    return 0
