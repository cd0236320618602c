"""What the quality benchmarks share: arguments, an embedder that remembers, intervals, tables and one tidy document.

Rule of this file: nothing here knows a data set. A result is a row: method, slice, metric, value, low, high, n, unit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import platform
import re
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from muniment.plugins import open_embedder
from muniment.ports import Embedder
from muniment.shelf import Floats

DRAWS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number of a result document; `low` and `high` bound it at 95% (bootstrap over questions)."""

    method: str
    slice: str
    metric: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int
    unit: str = "share"


@dataclass(slots=True, kw_only=True)
class Answer:
    """What one method gave for one question: its measures, and what the log tells of it. With no slice it counts overall only."""

    slice: str
    measures: dict[str, float]
    log: dict[str, object] = field(default_factory=dict)


def arguments(name: str, about: str) -> argparse.ArgumentParser:
    """A parser with the options that every quality benchmark has."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {name}", description=about)
    parser.add_argument("--data", type=Path, required=True, help="the data set's JSON file")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per question")
    parser.add_argument("--embedder", default="auto", help="as in muniment.open; 'none' searches words alone")
    parser.add_argument("--store", default="memory://", help="as in muniment.open")
    parser.add_argument("--cache", type=Path, help="folder that keeps vectors between runs")
    return parser


class Remembering:
    """An embedder whose vectors of passages and questions are kept, by text, so that no text is embedded twice in a run.

    With `folder`, they are kept between runs as well, apart for each identity. Never used where speed is measured.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self._rows: dict[bytes, Floats] = {}
        name = hashlib.sha256(embedder.identity.encode()).hexdigest()[:16]
        self._file = folder / f"{name}.npz" if folder else None
        self._saved = 0
        if self._file and self._file.exists():
            with np.load(self._file) as kept:
                self._rows = {bytes(k): row for k, row in zip(kept["keys"], kept["rows"].astype(np.float32), strict=True)}
            self._saved = len(self._rows)

    @property
    def identity(self) -> str:
        return self._embedder.identity

    @property
    def dim(self) -> int:
        return self._embedder.dim

    async def passages(self, texts: Sequence[str]) -> Floats:
        keys = [_key("p", text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
        if missing:
            rows = await self._embedder.passages(list(missing.values()))
            self._rows.update(zip(missing, rows, strict=True))
            if len(self._rows) >= self._saved + 2000:
                self.save()
        return np.stack([self._rows[key] for key in keys])

    async def query(self, text: str) -> Floats:
        key = _key("q", text)
        if key not in self._rows:
            self._rows[key] = await self._embedder.query(text)
        return self._rows[key]

    async def close(self) -> None:
        self.save()
        await self._embedder.close()

    def save(self) -> None:
        """Write what is new to the folder, if there is one."""
        if self._file is None or len(self._rows) == self._saved:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(f".{os.getpid()}.npz")
        keys = np.array([np.frombuffer(key, np.uint8) for key in self._rows])
        np.savez(fresh, keys=keys, rows=np.stack(list(self._rows.values())))
        fresh.replace(self._file)
        self._saved = len(self._rows)


def remembering(args: argparse.Namespace) -> Remembering | None:
    """The embedder that was asked for, with what the cache folder keeps; None for words alone. Reads model files."""
    model = open_embedder(args.embedder)
    return Remembering(model, args.cache) if model else None


def _key(role: str, text: str) -> bytes:
    return hashlib.sha256(f"{role}\0{text}".encode()).digest()


class Bm25:
    """Plain Okapi BM25 over lower-case words, as the yardstick: no stems, no stop words, k1 1.2 and b .75."""

    def __init__(self, texts: Sequence[str]) -> None:
        docs = [Counter(_words(text)) for text in texts]
        self._length = np.array([sum(doc.values()) for doc in docs], np.float64)
        self._holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for i, doc in enumerate(docs):
            for word, count in doc.items():
                self._holders[word].append((i, count))

    def scores(self, query: str) -> np.ndarray:
        size = len(self._length)
        out = np.zeros(size)
        norm = 1.2 * (0.25 + 0.75 * self._length / max(self._length.mean(), 1e-9))
        for word in set(_words(query)) & self._holders.keys():
            where, count = np.array(self._holders[word]).T
            rarity = math.log1p((size - len(where) + 0.5) / (len(where) + 0.5))
            out[where] += rarity * count * 2.2 / (count + norm[where])
        return out


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def best_first(scores: np.ndarray) -> list[int]:
    """Places by falling score; equal scores keep their order."""
    return np.argsort(-scores, kind="stable").tolist()


def estimated_tokens(text: str) -> int:
    """One token per four characters, rounded up."""
    return math.ceil(len(text) / 4)


def rows_of(method: str, answers: Sequence[Answer], *, overall: str = "overall") -> list[Row]:
    """Means with 95% bootstrap intervals over questions: of all of them, then of each slice."""
    slices: dict[str, list[Answer]] = {overall: list(answers)}
    for answer in (a for a in answers if a.slice):
        slices.setdefault(answer.slice, []).append(answer)
    return [row for name, part in slices.items() for row in _slice_rows(method, name, part)]


def _slice_rows(method: str, name: str, answers: Sequence[Answer]) -> list[Row]:
    metrics = list(answers[0].measures)
    table = np.array([[a.measures[m] for m in metrics] for a in answers])
    rng = np.random.default_rng(0)
    means = np.stack([table[rng.integers(0, len(table), len(table))].mean(0) for _ in range(DRAWS)])
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return [
        Row(method=method, slice=name, metric=m, value=float(v), low=float(a), high=float(b), n=len(answers))
        for m, v, a, b in zip(metrics, table.mean(0), low, high, strict=True)
    ]


def table(rows: Sequence[Row], metrics: Sequence[str]) -> str:
    """One table per slice: methods down, metrics across, each with its interval."""
    out = []
    for name in dict.fromkeys(row.slice for row in rows):
        part = [row for row in rows if row.slice == name]
        shown = [m for m in metrics if any(row.metric == m for row in part)]
        out.append(f"\n{name} ({part[0].n} questions)\n")
        out.append(f"{'':12s} " + " ".join(f"{m:>20s}" for m in shown))
        for method in dict.fromkeys(row.method for row in part):
            cells = {row.metric: _cell(row) for row in part if row.method == method}
            out.append(f"{method:12s} " + " ".join(f"{cells.get(m, ''):>20s}" for m in shown))
    return "\n".join(out)


def _cell(row: Row) -> str:
    interval = "" if row.low is None or row.high is None else f" [{row.low:.3f}, {row.high:.3f}]"
    return f"{row.value:.3f}{interval}"


def _digest(data: Path) -> str:
    """SHA-256 of a file, or of all files of a folder with their names."""
    if data.is_file():
        return hashlib.sha256(data.read_bytes()).hexdigest()
    state = hashlib.sha256()
    for path in sorted(path for path in data.rglob("*") if path.is_file()):
        state.update(str(path.relative_to(data)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return state.hexdigest()


def document(benchmark: str, data: Path, rows: Sequence[Row], *, started: float) -> dict[str, object]:
    """The tidy document: what was measured, on what, where, how long it took, and every row."""
    return {
        "benchmark": benchmark,
        "data": {"file": data.name, "sha256": _digest(data)},
        "commit": commit(),
        "machine": machine(),
        "seconds": round(time.time() - started, 1),
        "results": [asdict(row) for row in rows],
    }


def machine() -> str:
    """What this runs on."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"


def commit() -> str:
    """The checked-out commit, or nothing outside of a repository."""
    asked = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603  fixed words
    except (OSError, subprocess.CalledProcessError):
        return ""


def report(
    name: str, args: argparse.Namespace, rows: Sequence[Row], logs: Sequence[Mapping[str, object]], *, started: float
) -> None:
    """Write the document and the log that were asked for."""
    if args.json:
        args.json.write_text(json.dumps(document(name, args.data, rows, started=started), indent=1) + "\n", encoding="utf-8")
    if args.log:
        with args.log.open("w", encoding="utf-8") as out:
            write_lines(out, logs)


def write_lines(out: IO[str], lines: Sequence[Mapping[str, object]]) -> None:
    """One JSON object per line."""
    for line in lines:
        out.write(json.dumps(line, ensure_ascii=False) + "\n")
