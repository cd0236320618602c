"""Whether the rules find what is worth keeping in talk between people: Multi-Session Chat, gold persona facts per turn.

Rule of this file: gold is for scoring alone. A stored statement and a gold fact are the same when their content words, stemmed,
overlap with F1 of at least one half; pronouns, function words and the speaker's name do not count.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks import extraction_names, harness
from benchmarks.harness import Row
from muniment.architect import default_architecture
from muniment.ingest.extract import extract
from muniment.knowledge.decisions import hinted
from muniment.text.languages import ENGLISH, FUNCTION_WORDS, stems
from muniment.types import Kind, Record, RecordId, Role, Scope

SAME = 0.5
_THIRDS = 3
_BEFORE = 6
_AT = datetime(2026, 1, 1, tzinfo=UTC)
_WORD = re.compile(r"[^\W_]+")
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+")
_SPEAKER = frozenset({"user", "assistant", "others", "m", "s", "t", "ve", "re", "ll", "d", "don", "doesn", "didn", "isn", "im"})
_FIRST = re.compile(r"\b(?:i|i'?m|my|we|our|i've)\b", re.IGNORECASE)

_ARCHITECTURE = default_architecture()

Extract = Callable[[Record, Sequence[Record]], Sequence[str]]
"""What is stored of one record, as texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn of the first speaker with what came before it and the gold facts of it."""

    talk: str
    record: Record
    before: tuple[Record, ...]
    gold: tuple[str, ...]
    whole: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What came of one turn: whether something was stored and should have been, and how many facts met."""

    talk: str
    stored: int
    wanted: bool
    facts: int
    recalled: int
    right: int
    sentences: int
    stored_sentences: int


def held_out(talk: str) -> bool:
    """Whether a talk belongs to the third that no rule was made on."""
    return hashlib.sha256(f"extraction:{talk}".encode()).digest()[0] % _THIRDS == 0


def read_talks(path: Path, *, most: int | None = None) -> Iterator[Said]:
    """The first speaker's turns of each dialogue, in order."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if most is not None and number >= most:
                return
            row = json.loads(line)
            yield from _turns(f"{row['id']}#{row['session']}", row["id"], row["dialogue"], row["user_memory"])


def _turns(name: str, talk: str, dialogue: Sequence[Sequence[str]], memory: Sequence[Sequence[str]]) -> Iterator[Said]:
    said: list[Record] = []
    for pair, gold in zip(dialogue, memory, strict=True):
        record = _record(f"{name}:{len(said)}", pair[0], Role.USER)
        facts = tuple(part for text in gold for part in _ENDS.split(text.strip()) if part)
        yield Said(talk=talk, record=record, before=tuple(said[-_BEFORE:]), gold=facts, whole=tuple(gold))
        said.append(record)
        if len(pair) > 1:
            said.append(_record(f"{name}:{len(said)}", pair[1], Role.ASSISTANT))


def _record(name: str, text: str, role: Role) -> Record:
    return Record(
        id=RecordId(name),
        scope=Scope(user="reader"),
        text=text,
        role=role,
        kind=Kind.TURN,
        speaker=role.value,
        agent="benchmark",
        recorded_at=_AT,
        said_at=_AT,
    )


def content(text: str) -> frozenset[str]:
    """The stems of a text's content words."""
    words = [word for word in _WORD.findall(text.casefold()) if word not in FUNCTION_WORDS[ENGLISH] and word not in _SPEAKER]
    return frozenset(stems(words, ENGLISH))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """F1 of two sets of stems; 0 when either is empty."""
    both = len(one & other)
    return 2 * both / (len(one) + len(other)) if both else 0.0


def score(said: Said, stored: Sequence[str]) -> Scored:
    """Hold what was stored of a turn against its gold facts."""
    gold = [content(text) for text in said.gold]
    whole = [content(text) for text in said.whole]
    kept = [content(text) for text in stored]
    parts = [part for part in _ENDS.split(said.record.text.strip()) if part]
    return Scored(
        talk=said.talk,
        stored=len(stored),
        wanted=bool(gold),
        facts=len(gold),
        recalled=sum(any(overlap(fact, text) >= SAME for text in kept) for fact in gold),
        right=sum(any(overlap(text, fact) >= SAME for fact in (*gold, *whole)) for text in kept),
        sentences=len(parts),
        stored_sentences=sum(any(len(content(part) & text) >= max(1, len(text) // 2) for text in kept) for part in parts),
    )


def every_sentence(record: Record, _before: Sequence[Record]) -> Sequence[str]:
    """The baseline: each sentence is stored as it stands."""
    return [part for part in _ENDS.split(record.text.strip()) if part]


def first_person(record: Record, _before: Sequence[Record]) -> Sequence[str]:
    """A harder baseline: each sentence with "I" or "my" in it that asks nothing."""
    return [part for part in every_sentence(record, ()) if _FIRST.search(part) and not part.endswith("?")]


_METRICS = ("precision", "recall", "f1", "facts_recalled", "stored_right", "per_sentence")


def measure(scored: Sequence[Scored]) -> dict[str, float]:
    """The metrics of a set of turns."""
    return dict(zip(_METRICS, _rates(_sums(scored)).tolist(), strict=True))


def _sums(scored: Iterable[Scored]) -> np.ndarray:
    return np.array(
        [
            (
                bool(s.stored) and s.wanted,
                bool(s.stored),
                s.wanted,
                s.recalled,
                s.facts,
                s.right,
                s.stored,
                s.stored_sentences,
            )
            for s in scored
        ],
        dtype=np.float64,
    ).sum(0)


def _rates(sums: np.ndarray) -> np.ndarray:
    hit, stored, wanted, recalled, facts, right, texts, sentences = np.maximum(sums, 1e-9)
    precision, recall = hit / stored, hit / wanted
    return np.array(
        [precision, recall, 2 * precision * recall / (precision + recall), recalled / facts, right / texts, texts / sentences]
    )


def rows_of(method: str, name: str, scored: Sequence[Scored]) -> list[Row]:
    """One row per metric, with 95% bootstrap intervals over talks."""
    talks: dict[str, list[Scored]] = {}
    for one in scored:
        talks.setdefault(one.talk, []).append(one)
    sums = np.stack([_sums(part) for part in talks.values()])
    rng = np.random.default_rng(0)
    draws = np.stack([_rates(sums[rng.integers(0, len(sums), len(sums))].sum(0)) for _ in range(harness.DRAWS)])
    low, high = np.percentile(draws, [2.5, 97.5], axis=0)
    values = _rates(sums.sum(0))
    return [
        Row(
            method=method,
            slice=name,
            metric=metric,
            value=float(values[i]),
            low=float(low[i]),
            high=float(high[i]),
            n=len(scored),
            unit="count" if metric == "per_sentence" else "share",
        )
        for i, metric in enumerate(_METRICS)
    ]


def rules(record: Record, before: Sequence[Record]) -> Sequence[str]:
    """The product's rules, as a store would see their candidates."""
    found = extract(record, before=before, architecture=_ARCHITECTURE).candidates
    return [candidate.text for candidate in found if not hinted(candidate)]


METHODS: dict[str, Extract] = {"rules": rules, "every sentence": every_sentence, "first person": first_person}


def run(path: Path, *, most: int | None = None) -> tuple[list[Row], list[dict[str, object]]]:
    """Every method over every turn: rows of `overall` and of the third that was put aside, and one log line per turn."""
    said = list(read_talks(path, most=most))
    rows: list[Row] = []
    logs: list[dict[str, object]] = []
    for method, stores in METHODS.items():
        began = time.perf_counter()
        kept = [list(stores(turn.record, turn.before)) for turn in said]
        seconds = time.perf_counter() - began
        scored = [score(turn, texts) for turn, texts in zip(said, kept, strict=True)]
        rows += rows_of(method, "overall", scored)
        if aside := [one for one in scored if held_out(one.talk)]:
            rows += rows_of(method, "held-out", aside)
        if method == "rules":
            rate = len(said) / max(seconds, 1e-9)
            rows.append(Row(method=method, slice="overall", metric="turns_per_second", value=rate, n=len(said), unit="1/s"))
            logs = [_log(turn, texts) for turn, texts in zip(said, kept, strict=True)]
    return rows, logs


def _log(turn: Said, texts: Sequence[str]) -> dict[str, object]:
    return {"turn": turn.record.id, "held_out": held_out(turn.talk), "stored": list(texts), "gold": len(turn.gold)}


def _names(folder: Path) -> list[Row]:
    """Rows of names (WNUT17) and pronouns (GAP), for each set that lies in `folder`."""
    rows: list[Row] = []
    for posts in sorted(folder.glob("wnut17/*.conll"))[:1]:
        rows += extraction_names.names(posts)
    for pronouns in sorted(folder.glob("gap/*.tsv"))[:1]:
        rows += extraction_names.pronouns(pronouns)
    return rows


def main(argv: list[str]) -> int:
    """Run the benchmark over `valid.jsonl` (or the folder that holds `msc/`, with the slices of names and pronouns)."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks extraction", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the set's folder, or its valid.jsonl")
    parser.add_argument("--json", type=Path, help="write the results as one JSON document")
    parser.add_argument("--log", type=Path, help="write one JSON line per turn")
    parser.add_argument("--most", type=int, help="only so many dialogues")
    args = parser.parse_args(argv)
    started = time.time()
    folder: Path = args.data
    file = folder if folder.is_file() else next(iter([*folder.glob("msc/*.jsonl"), *folder.glob("*.jsonl")]), None)
    if file is None:
        parser.error(f"{folder} holds no dialogues: expected a file like valid.jsonl")
    rows, logs = run(file, most=args.most)
    rows += _names(folder if (folder / "msc").is_dir() else file.parent.parent)
    print(harness.table(rows, [*dict.fromkeys(row.metric for row in rows)]))
    args.data = file
    harness.report("extraction", args, rows, logs, started=started)
    return 0
