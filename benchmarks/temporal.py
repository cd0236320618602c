"""Times in English phrases: are they found, and is the right time reckoned? Beside dateparser and parsedatetime.

Rule of this file: the gold spans and values decide what is counted and are used for nothing else. A file of one kind
(`DateParser`) is scored on that kind alone; a library that knows no kinds is scored there on what touches an expected span, to
its advantage.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.harness import DRAWS, Row, report, table
from muniment.text.times import Timed, Value, resolve

METRICS = ("span_f1", "value_accuracy")
KINDS = {
    "DateParser": ("date",),
    "TimeParser": ("time",),
    "DateTimeParser": ("datetime", "datetimerange"),
    "DatePeriodParser": ("daterange", "date"),
    "TimePeriodParser": ("timerange",),
    "DateTimePeriodParser": ("datetimerange",),
    "DurationParser": ("duration",),
    "SetParser": ("set",),
    "DateTimeModel": (),
    "MergedParser": (),
}
"""The files that are scored as `overall`, each with its kinds; none is every kind."""

SINGLE = {name: kinds[:1] for name, kinds in KINDS.items() if kinds}
OTHERS = {
    "DateExtractor": ("date",),
    "TimeExtractor": ("time",),
    "DateTimeExtractor": ("datetime",),
    "DatePeriodExtractor": ("daterange",),
    "TimePeriodExtractor": ("timerange",),
    "DateTimePeriodExtractor": ("datetimerange",),
    "DurationExtractor": ("duration",),
    "SetExtractor": ("set",),
    "HolidayParser": ("date",),
    "HolidayExtractor": ("date",),
}
_ZONES = re.compile(r"[+-]\d\d:\d\d$")
_LIST = ("start", "end", "value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """One expected time: where it stands and any of the values that are right for it (none: only the span is told)."""

    start: int
    end: int
    kind: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One phrase, when it is said, and the times in it."""

    file: str
    index: int
    text: str
    reference: datetime
    gold: tuple[Gold, ...]

    @property
    def held_out(self) -> bool:
        """Whether it was left aside while the rules were written: a third of all, by hash."""
        return int.from_bytes(hashlib.blake2b(f"{self.file}:{self.index}".encode(), digest_size=8).digest(), "big") % 3 == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """One time a method found. `kind` is empty when the method tells none."""

    start: int
    end: int
    values: tuple[Value, ...]
    kind: str = ""


Method = Callable[[str, datetime], Sequence[Guess]]


def read(path: Path) -> list[Case]:
    """The cases of a file in the set's own format, one JSON object per line."""
    file = path
    if path.is_dir():
        files = sorted(path.glob("**/datetime_en*.jsonl")) or sorted(path.glob("*.jsonl"))
        if not files:
            raise SystemExit(f"{path} holds no file like datetime_en….jsonl. Give the file itself with --data.")
        file = files[0]
    return [_case(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def _case(raw: Mapping[str, object]) -> Case:
    context = raw.get("Context")
    told = str(context.get("ReferenceDateTime", "")) if isinstance(context, Mapping) else ""
    results = raw.get("Results")
    return Case(
        file=str(raw["file"]),
        index=int(str(raw["index"])),
        text=str(raw["Input"]),
        reference=_moment(told),
        gold=tuple(_gold(one) for one in results) if isinstance(results, list) else (),
    )


def _moment(told: str) -> datetime:
    if not told:
        return datetime(2016, 11, 7, tzinfo=UTC)
    plain = re.sub(r"\.(\d{6})\d+", r".\1", _ZONES.sub("", told))
    return datetime.fromisoformat(plain).replace(tzinfo=UTC)


def _gold(one: Mapping[str, object]) -> Gold:
    start = int(str(one["Start"]))
    end = start + int(str(one["Length"])) if "Length" in one else int(str(one["End"])) + 1
    kind = str(one.get("Type") or one.get("TypeName") or "").removeprefix("datetimeV2.")
    return Gold(start=start, end=end, kind=kind, values=tuple(_values(one)))


def _values(one: Mapping[str, object]) -> Iterable[Value]:
    for holder in (one.get("Resolution"), one.get("Value")):
        if not isinstance(holder, Mapping):
            continue
        if isinstance(holder.get("values"), list):
            yield from (_value({str(k): str(v) for k, v in told.items()}) for told in holder["values"])
            continue
        for name in ("FutureResolution", "PastResolution"):
            told = holder.get(name)
            if isinstance(told, Mapping):
                yield _resolved(str(holder.get("Timex", "")), {str(k): str(v) for k, v in told.items()})


def _value(told: Mapping[str, str]) -> Value:
    parts = {name: told.get(name, "") for name in _LIST}
    if parts["value"] == "not resolved":
        parts["value"] = ""
    return Value(timex=told.get("timex", ""), **parts)


def _resolved(timex: str, told: Mapping[str, str]) -> Value:
    out = {"start": "", "end": "", "value": ""}
    for name, text in told.items():
        if text.startswith("Set: ") or text == "0001-01-01":
            continue
        key = "start" if name.startswith("start") else "end" if name.startswith("end") else "value"
        out[key] = text
    return Value(timex=timex, **out)


def same(one: Value, other: Value) -> bool:
    """Whether two values are equal: by what they resolve to, or by TIMEX where nothing is resolved."""
    if not (other.value or other.start or other.end):
        return one.timex == other.timex and not (one.value or one.start or one.end)
    return (one.value, one.start, one.end) == (other.value, other.start, other.end)


def ours(text: str, reference: datetime) -> Sequence[Guess]:
    """What the resolver finds."""
    return [_guess(one) for one in resolve(text, reference=reference)]


def _guess(one: Timed) -> Guess:
    return Guess(start=one.start, end=one.end, values=one.values[:1], kind=one.kind)


def by_dateparser() -> Method:
    """dateparser's search in English, relative to the reference."""
    search = import_module("dateparser.search").search_dates

    def find(text: str, reference: datetime) -> Sequence[Guess]:
        settings = {"RELATIVE_BASE": reference.replace(tzinfo=None), "RETURN_AS_TIMEZONE_AWARE": False}
        at, out = 0, []
        for words, when in search(text, languages=["en"], settings=settings) or ():
            start = text.find(words, at)
            if start >= 0:
                at = start + len(words)
                out.append(Guess(start=start, end=at, values=tuple(_forms(when))))
        return out

    return find


def by_parsedatetime() -> Method:
    """parsedatetime's scan of a text, relative to the reference."""
    calendar = import_module("parsedatetime").Calendar()

    def find(text: str, reference: datetime) -> Sequence[Guess]:
        found = calendar.nlp(text, sourceTime=reference.replace(tzinfo=None).timetuple()) or ()
        return [Guess(start=start, end=end, values=tuple(_forms(when))) for when, _, start, end, _ in found]

    return find


def _forms(when: datetime) -> Iterable[Value]:
    """A moment as any value it may stand for: libraries that give a moment alone are right by any of them."""
    when = when.replace(microsecond=0, tzinfo=None)
    yield Value(timex="", value=f"{when:%Y-%m-%d}")
    yield Value(timex="", value=f"{when:%H:%M:%S}")
    yield Value(timex="", value=when.isoformat(sep=" "))


def methods() -> dict[str, Method]:
    """Ours, and the libraries that are installed."""
    out: dict[str, Method] = {"muniment": ours}
    for name, build in (("dateparser", by_dateparser), ("parsedatetime", by_parsedatetime)):
        if find_spec(name):
            out[name] = build()
    return out


def counts(case: Case, guesses: Sequence[Guess]) -> tuple[int, int, int, int, int]:
    """Spans found that are right, found, and expected; values right, and expected."""
    kinds = SINGLE.get(case.file) or OTHERS.get(case.file)
    if kinds:
        wanted = {one.kind for one in case.gold} | set(kinds)
        guesses = [one for one in guesses if (one.kind in wanted if one.kind else any(_touch(one, gold) for gold in case.gold))]
    spans = {(one.start, one.end) for one in case.gold}
    hit = len({(one.start, one.end) for one in guesses} & spans)
    valued = [one for one in case.gold if one.values]
    right = sum(_is_right(one, guesses) for one in valued)
    return hit, len(guesses), len(case.gold), right, len(valued)


def _touch(one: Guess, gold: Gold) -> bool:
    return one.start < gold.end and gold.start < one.end


def _is_right(gold: Gold, guesses: Sequence[Guess]) -> bool:
    near = [one for one in guesses if _touch(one, gold)]
    if not near:
        return False
    best = max(near, key=lambda one: min(one.end, gold.end) - max(one.start, gold.start))
    return any(same(value, told) for value in best.values for told in gold.values)


def rows_of(method: str, slice_: str, table_: np.ndarray) -> list[Row]:
    """Micro-averaged F1 of spans and share of values right, with intervals over cases."""
    rng = np.random.default_rng(0)
    weights = np.vstack([np.ones(len(table_)), rng.multinomial(len(table_), np.full(len(table_), 1 / len(table_)), DRAWS)])
    hit, found, wanted, right, valued = (weights @ table_).T
    measured = {"span_f1": 2 * hit / np.maximum(found + wanted, 1)}
    if table_[:, 4].any():
        measured["value_accuracy"] = right / np.maximum(valued, 1)
    out = []
    for metric, values in measured.items():
        low, high = np.percentile(values[1:], [2.5, 97.5])
        out.append(
            Row(
                method=method,
                slice=slice_,
                metric=metric,
                value=float(values[0]),
                low=float(low),
                high=float(high),
                n=len(table_),
            )
        )
    return out


def slices(cases: Sequence[Case]) -> dict[str, list[int]]:
    """Places of the cases of each slice: overall, its held-out third, and every file."""
    out: dict[str, list[int]] = {"overall": [], "held-out": []}
    for n, case in enumerate(cases):
        if case.file in KINDS:
            out["overall"].append(n)
            if case.held_out:
                out["held-out"].append(n)
        out.setdefault(case.file, []).append(n)
    return {name: places for name, places in out.items() if places}


def measure(cases: Sequence[Case], run: Mapping[str, Method]) -> tuple[list[Row], list[dict[str, object]]]:
    """Rows of every method and slice, and the log of every case."""
    tables: dict[str, np.ndarray] = {}
    log: list[dict[str, object]] = []
    for name, method in run.items():
        lines = []
        for case in cases:
            guesses = method(case.text, case.reference)
            lines.append(counts(case, guesses))
            log.append(
                {"method": name, "file": case.file, "index": case.index, "counts": lines[-1], "held_out": case.held_out}
                | {"found": [[one.start, one.end, one.kind] for one in guesses]}
            )
        tables[name] = np.array(lines, np.float64)
    rows = [
        row
        for slice_, places in slices(cases).items()
        for name, own in tables.items()
        for row in rows_of(name, slice_, own[places])
    ]
    return rows, log


def main(argv: Sequence[str]) -> int:
    """Run the benchmark on a set and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks temporal", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the set's file, or the folder it lies in")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per phrase and method")
    parser.add_argument("--alone", action="store_true", help="without the other libraries")
    args = parser.parse_args(argv)
    started = time.time()
    cases = read(args.data)
    run = methods()
    rows, log = measure(cases, {"muniment": run["muniment"]} if args.alone else run)
    print(table([replace(row) for row in rows], METRICS))
    if missing := [name for name in ("dateparser", "parsedatetime") if name not in run]:
        print(f"\nnot measured, since not installed: {', '.join(missing)}", file=sys.stderr)
    report("temporal", args, rows, log, started=started)
    return 0
