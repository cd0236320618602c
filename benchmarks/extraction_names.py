"""Names and pronouns found by the rules: spans of WNUT17 (noisy posts) and who a pronoun stands for in GAP.

Rule of this file: scored over whole spans, untyped, since the product's kinds are not WNUT's. A third of each set, chosen by the
hash of its place, was never looked at while the rules were written and is the slice `held-out`.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.harness import DRAWS, Row
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_pronouns import subject

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Counted:
    """What was found of one post or passage: right, found in all, there in all; and its slices."""

    right: int
    found: int
    gold: int
    slices: tuple[str, ...]


def held_out(place: int) -> bool:
    """True for the third that is set aside."""
    return hashlib.sha256(str(place).encode()).digest()[0] % 3 == 0


def posts(path: Path) -> Iterator[tuple[str, list[Span]]]:
    """Each post with its words joined by spaces, and the spans of its names."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        text, spans = "", []
        for line in block.strip("\n").split("\n"):
            word, _, tag = line.partition("\t")
            if not tag:
                continue
            start = len(text) + bool(text)
            text += f" {word}" if text else word
            if tag.startswith("B"):
                spans.append((start, len(text)))
            elif tag.startswith("I") and spans:
                spans[-1] = (spans[-1][0], len(text))
        if text:
            yield text, spans


def names(path: Path) -> list[Row]:
    """Span precision, recall and F1 on a WNUT17 file. Addresses, handles and codes are no names there and are left out."""
    counted = []
    for place, (text, gold) in enumerate(posts(path)):
        found = {(m.start, m.end) for m in mentions(text) if m.kind not in {"url", "email", "handle", "phone", "code"}}
        part = ("wnut17", "wnut17-held-out" if held_out(place) else "wnut17-tuned")
        counted.append(Counted(len(found & set(gold)), len(found), len(gold), part))
    return _rows("names", counted)


def pronouns(path: Path) -> list[Row]:
    """Pronoun F1 on a GAP file, as its makers score it: each of two names is or is not who the pronoun stands for."""
    counted = []
    with path.open(encoding="utf-8", newline="") as file:
        for place, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
            meant = subject(row["Pronoun"], int(row["Pronoun-offset"]), text=row["Text"])
            said = [_same(meant, row[name]) for name in ("A", "B")]
            gold = [row[f"{name}-coref"].upper() == "TRUE" for name in ("A", "B")]
            right = sum(s and g for s, g in zip(said, gold, strict=True))
            sex = "masculine" if row["Pronoun"].lower() in {"he", "him", "his"} else "feminine"
            part = "gap-held-out" if held_out(place) else "gap-tuned"
            counted.append(Counted(right, sum(said), sum(gold), ("gap", f"gap-{sex}", part)))
    return _rows("pronouns", counted)


def _same(meant: str, name: str) -> bool:
    """True when the name that was found and the one that is marked are one, or one is a part of the other."""
    a, b = set(meant.replace(".", "").split()), set(name.replace(".", "").split())
    return bool(a and b) and (a <= b or b <= a)


def _rows(method: str, counted: Sequence[Counted]) -> list[Row]:
    out = []
    for name in dict.fromkeys(s for c in counted for s in c.slices):
        part = np.array([(c.right, c.found, c.gold) for c in counted if name in c.slices], float)
        rng = np.random.default_rng(0)
        draws = np.stack([part[rng.integers(0, len(part), len(part))].sum(0) for _ in range(DRAWS)])
        value, drawn = _measures(part.sum(0)[None]), _measures(draws)
        for metric in value:
            low, high = np.percentile(drawn[metric], [2.5, 97.5])
            point = float(value[metric][0])
            out.append(Row(method=method, slice=name, metric=metric, value=point, low=float(low), high=float(high), n=len(part)))
    return out


def _measures(sums: np.ndarray) -> dict[str, np.ndarray]:
    right, found, gold = sums.T
    precision, recall = right / np.maximum(found, 1), right / np.maximum(gold, 1)
    return {"precision": precision, "recall": recall, "f1": 2 * right / np.maximum(found + gold, 1)}
