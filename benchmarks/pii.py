"""Personal data and secrets: what is found, what is found by mistake, and what harmless texts set off an alarm.

A planted value is found when finds of its kind cover all of it; a find is right when it touches a planted value of its kind. The
look-alikes hold nothing to find: one alarm and the text counts.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.harness import DRAWS, Row, commit, machine, table, write_lines
from benchmarks.pii_data import LOOK_ALIKES, SECRET_SLICES, Case, Span, labelled, look_alikes, read_log
from muniment.ingest.pii import DEFAULT_POLICY, clean
from muniment.knowledge.architecture import Keep

Find = Callable[[str], Sequence[Span]]
MASKED = frozenset(kind for kind, keep in DEFAULT_POLICY.items() if keep is Keep.MASK)
METRICS = ("precision", "recall", "exact", "false_alarms", "masked_alarms")
SCRUBADUB = {
    "email": "email",
    "phone": "phone",
    "credential": "secret",
    "credit_card": "card",
    "social_security_number": "national_id",
    "national_insurance_number": "national_id",
}


def product(text: str) -> Sequence[Span]:
    """What the product finds, kept kinds included."""
    found = clean(text, policy={}, token=lambda _kind, _value: "x").found
    return [Span(kind=f.kind, start=f.start, end=f.end) for f in found]


def scrubadub() -> Find:
    """scrubadub with its detectors as they come."""
    scrubber = import_module("scrubadub").Scrubber()

    def find(text: str) -> Sequence[Span]:
        found = scrubber.iter_filth(text)
        return [Span(kind=SCRUBADUB[f.type], start=f.beg, end=f.end) for f in found if f.type in SCRUBADUB]

    return find


def judged(case: Case, found: Sequence[Span]) -> list[tuple[str, str, float]]:
    """Per planted value and per find: (kind, metric, 1 or 0)."""
    out = []
    for gold in case.spans:
        covered = set().union(*(range(f.start, f.end) for f in found if f.kind == gold.kind))
        out.append((gold.kind, "recall", float(covered >= set(range(gold.start, gold.end)))))
        out.append((gold.kind, "exact", float(gold in found)))
    for find in found:
        right = any(g.kind == find.kind and g.start < find.end and find.start < g.end for g in case.spans)
        out.append((find.kind, "precision", float(right)))
    return out


def rows_of(method: str, cases: Sequence[Case], find: Find, log: list[dict[str, object]]) -> list[Row]:
    """Precision and recall by kind and overall, and of secrets by their form."""
    measured: dict[tuple[str, str], list[float]] = {}
    for case in cases:
        found = find(case.text)
        for kind, metric, value in judged(case, found):
            forms = (
                (f"secret: {case.slice}",) if kind == "secret" and case.slice in SECRET_SLICES and metric != "precision" else ()
            )
            for name in ("overall", *(("masked kinds",) if kind in MASKED else ()), kind, *forms):
                measured.setdefault((name, metric), []).append(value)
        log.append(
            {"method": method, "text": case.text, "gold": [asdict(s) for s in case.spans], "found": [asdict(s) for s in found]}
        )
    return [_row(method, name, metric, values) for (name, metric), values in measured.items()]


def alarms(method: str, cases: Sequence[Case], find: Find, log: list[dict[str, object]]) -> list[Row]:
    """The share of harmless texts in which something is found, and in which something would be taken out."""
    any_: dict[str, list[float]] = {}
    taken: dict[str, list[float]] = {}
    for case in cases:
        found = find(case.text)
        for name in ("look-alikes", f"look-alikes: {case.slice}"):
            any_.setdefault(name, []).append(float(bool(found)))
            taken.setdefault(name, []).append(float(any(f.kind in MASKED for f in found)))
        if found:
            log.append({"method": method, "text": case.text, "gold": [], "found": [asdict(s) for s in found]})
    rows = [_row(method, name, "false_alarms", values) for name, values in any_.items()]
    return rows + [_row(method, name, "masked_alarms", values) for name, values in taken.items()]


def _row(method: str, name: str, metric: str, values: Sequence[float]) -> Row:
    drawn = np.random.default_rng(0).binomial(len(values), np.mean(values), DRAWS) / len(values)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Row(method=method, slice=name, metric=metric, value=float(np.mean(values)), low=low, high=high, n=len(values))


def speed(cases: Iterable[Case], find: Find) -> float:
    """Milliseconds per text."""
    texts = [case.text for case in cases]
    started = time.perf_counter()
    for text in texts:
        find(text)
    return 1000 * (time.perf_counter() - started) / len(texts)


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks pii", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the generated cases")
    parser.add_argument("--count", type=int, default=3200, help="how many labelled texts are made")
    parser.add_argument("--log", type=Path, help="labelled cases of your own instead: a JSON object per line with text and spans")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--found", type=Path, help="write one JSON line per text: what was planted and what was found")
    return parser


def main(argv: list[str]) -> int:
    """Run the benchmark and print one table."""
    args = arguments().parse_args(argv)
    started = time.time()
    cases = read_log(args.log) if args.log else list(labelled(args.seed, args.count))
    harmless = look_alikes(args.seed)
    methods: Mapping[str, Find] = {"muniment": product, **({"scrubadub": scrubadub()} if find_spec("scrubadub") else {})}
    log: list[dict[str, object]] = []
    rows: list[Row] = []
    for method, find in methods.items():
        rows += rows_of(method, cases, find, log) + alarms(method, harmless, find, log)
        spent = speed(harmless, find)
        rows.append(Row(method=method, slice="look-alikes", metric="ms_per_text", value=spent, n=len(harmless), unit="ms"))
    shown = [row for row in rows if not row.slice.startswith("look-alikes:")]
    print(table(shown, (*METRICS, "ms_per_text")))
    if args.json:
        args.json.write_text(json.dumps(_document(args, rows, started), indent=1) + "\n", encoding="utf-8")
    if args.found:
        with args.found.open("w", encoding="utf-8") as out:
            write_lines(out, log)
    return 0


def _document(args: argparse.Namespace, rows: Sequence[Row], started: float) -> dict[str, object]:
    data = {"file": args.log.name} if args.log else {"seed": args.seed, "count": args.count, "look-alikes": LOOK_ALIKES.name}
    return {
        "benchmark": "pii",
        "data": data,
        "commit": commit(),
        "machine": machine(),
        "seconds": round(time.time() - started, 1),
        "results": [asdict(row) for row in rows],
    }
