"""What the doctor says of records, their index, and what is derived from them: the checks, their words, and what mends a fault.

Rule of this file: pure, and the same for every store that keeps rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from muniment.shelf import Entry
from muniment.stores.rows import Codes, Packed, entry_rows
from muniment.stores.rules import UNIT_TOLERANCE
from muniment.types import Finding, Record

SHOWN = 5  # places named in a finding

RESTORE = "Restore from an export, or ingest the same words again."
_MEND = "Rebuild what is derived: run the doctor with repair."

CHECKS = {
    "memories": "memories read back as they were written.",
    "lookups": "memories and entities are found by what they say.",
    "evidence": "of them are proved by records that are there.",
    "blobs": "blobs have the digest they are kept under.",
    "digests": "digests read back as they were kept.",
}
_HINTS = {
    "memories": "Forget the records that prove them and ingest those again, or import an export into a new store.",
    "lookups": "Queue the records of that scope again: what is derived anew is written anew. Else import an export.",
    "evidence": "Forget what is left of them by their scope, or import an export into a new store.",
    "blobs": "Forget the records that refer to them and ingest those again.",
    "digests": "None of them is served: they are made anew where they are needed.",
}


def findings(counts: Mapping[str, int], faults: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """One finding of every check, good ones included: how many were looked at, or where the first faults are."""
    for name, sound in CHECKS.items():
        found = faults.get(name, ())
        if not found:
            yield Finding(check=name, ok=True, message=f"{counts.get(name, 0)} {sound}")
        else:
            where = "; ".join(found[:SHOWN]) + ("; and others" if len(found) > SHOWN else "")
            yield Finding(check=name, ok=False, message=f"{len(found)} do not hold: {where}.", hint=_HINTS[name])


class Faults:
    """How many faults of one kind there are, and where the first few are."""

    def __init__(self) -> None:
        self.count = 0
        self.places: list[str] = []

    def add(self, place: str, count: int = 1) -> None:
        """Note a fault at a place."""
        self.count += count
        if count and len(self.places) < SHOWN:
            self.places.append(place)


@dataclass(slots=True)
class Tally:
    """What was looked at of records and their index rows, and what was found."""

    records: int = 0
    entries: int = 0
    damaged: Faults = field(default_factory=Faults)
    wrong: Faults = field(default_factory=Faults)
    vectors: Faults = field(default_factory=Faults)
    blank: int = 0
    counts: Faults = field(default_factory=Faults)
    names: Faults = field(default_factory=Faults)


class KeptRows(NamedTuple):
    """A record with what its index rows are made from, and those rows."""

    record: Record
    codes: Codes
    rows: list[Packed]


def compare(kept: KeptRows, entries: Sequence[Entry], *, tally: Tally, dim: int) -> None:
    """Look at the index rows of a record beside the entries that follow from it."""
    place = f"{kept.record.scope} #{kept.record.seq}"
    expected = [(head, terms) for head, terms, _ in entry_rows(kept.record, entries, kept.codes, seq=kept.record.seq)]
    if [(head, terms) for head, terms, _ in kept.rows] != expected:
        tally.wrong.add(place)
    tally.entries += len(kept.rows)
    for _, _, vector in kept.rows:
        if vector is None:
            tally.blank += dim > 0
        elif not _is_unit(vector, dim):
            tally.vectors.add(place)


def index_findings(tally: Tally, staged: int) -> Iterator[Finding]:
    """One finding of every check of records and index; `staged` are entries of a rebuild that lie beside the index."""
    yield _finding("records", tally.damaged, f"{tally.records} records read back as they were written.", hint=RESTORE)
    yield _finding("entries", tally.wrong, f"{tally.entries} index rows follow from their records.", hint=_MEND)
    blank = f" {tally.blank} wait for a vector." if tally.blank else ""
    yield _finding("vectors", tally.vectors, f"All vectors are of unit length.{blank}", hint=_MEND)
    yield _finding("counts", tally.counts, "The counts of every scope agree with what it holds.", hint=_MEND)
    yield _finding("names", tally.names, "Every name is used by a record.", hint=_MEND)
    rest = f"{staged} entries of a rebuild lie beside the index." if staged else "No rebuild was left half-way."
    yield Finding(check="rebuild", ok=True, message=rest, hint="Rebuild again if none is running." if staged else "")


def _is_unit(vector: bytes, dim: int) -> bool:
    if len(vector) != 2 * dim:
        return False
    length = float(np.linalg.norm(np.frombuffer(vector, "<f2").astype(np.float64)))
    return abs(length - 1) <= 2 * UNIT_TOLERANCE  # false for NaN too


def _finding(check: str, faults: Faults, sound: str, *, hint: str) -> Finding:
    if not faults.count:
        return Finding(check=check, ok=True, message=sound)
    where = "; ".join(faults.places) + ("; and others" if faults.count > len(faults.places) else "")
    return Finding(check=check, ok=False, message=f"{faults.count} do not hold: {where}.", hint=hint)
