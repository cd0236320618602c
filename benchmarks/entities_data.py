"""Reads the sets of the entities benchmark: person records with duplicates, pairs of songs, pairs of names.

Rule of this file: what is right is read here and given out apart, so that nothing that matches ever sees it.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

Pair = tuple[int, int]
LOOKALIKES = Path(__file__).parents[1] / "tests" / "fixtures" / "lookalikes" / "pairs.tsv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Persons:
    """Person records of one file and the pairs of places that are one person."""

    name: str
    rows: Sequence[Mapping[str, str]]
    gold: frozenset[Pair]


@dataclass(frozen=True, slots=True, kw_only=True)
class Songs:
    """Pairs of songs of two shops, side by side, and whether each is one song."""

    left: Sequence[Mapping[str, str]]
    right: Sequence[Mapping[str, str]]
    same: Sequence[bool]

    @property
    def pairs(self) -> list[Pair]:
        return [(n, n) for n in range(len(self.same))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Two names and, where it is told, whether they are one thing's."""

    left: str
    right: str
    kind: str = ""
    same: bool | None = None


def persons(folder: Path) -> list[Persons]:
    """Every FEBRL set of a folder; files of one number (4a and 4b) are one set."""
    files: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("dataset*.csv")):
        files[re.sub(r"\D", "", path.stem) or path.stem].append(path)
    return [_persons(f"febrl-{number}", paths) for number, paths in files.items()]


def _persons(name: str, paths: Sequence[Path]) -> Persons:
    rows: list[dict[str, str]] = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            rows += csv.DictReader(file, skipinitialspace=True)
    groups: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row["rec_id"].split("-")[1]].append(place)
    gold = frozenset(pair for places in groups.values() for pair in combinations(places, 2))
    bare = [{field: value or "" for field, value in row.items() if field and field != "rec_id"} for row in rows]
    return Persons(name=name, rows=bare, gold=gold)


def songs(path: Path) -> Songs:
    """One file of labelled pairs with columns `left_…` and `right_…`."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    sides = [
        [{key.removeprefix(side): value for key, value in row.items() if key.startswith(side)} for row in rows]
        for side in ("left_", "right_")
    ]
    return Songs(left=sides[0], right=sides[1], same=[row["label"] == "1" for row in rows])


def names(path: Path) -> list[Names]:
    """Pairs of names of a file: JSON lines, or a table with a heading, parted by tabs or commas.

    Columns are `left` and `right`, and if known `kind` and `same` (or `label`): 1 for one thing, 0 for two.
    """
    text = path.read_text(encoding="utf-8-sig")
    rows: list[dict[str, object]]
    if text.lstrip().startswith("{"):
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    else:
        tabs = "\t" in text.split("\n", 1)[0]
        quoting = csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL
        rows = list(csv.DictReader(text.splitlines(), delimiter="\t" if tabs else ",", quoting=quoting))
    return [_names(row) for row in rows]


def _names(row: Mapping[str, object]) -> Names:
    said = str(row.get("same", row.get("label", ""))).strip().casefold()
    same = None if said in ("", "none") else said in ("1", "true", "yes", "same")
    return Names(left=str(row["left"]), right=str(row["right"]), kind=str(row.get("kind") or ""), same=same)
