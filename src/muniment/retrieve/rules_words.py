"""Which words of a question an entry holds, and how much that says: BM25 with statistics of what is being read, and nothing else.

Rule of this file: everything follows from the shelves given, so no other scope can move a score. A word counts where it
stands and, weaker, in the entries next to it: an answer seldom repeats the words of the question before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from muniment.retrieve.rules_columns import Bools, Columns, Scores
from muniment.retrieve.weights import Weights
from muniment.shelf import Ints, term_hash

MOST_WORDS = 64
"""Words of a question that are scored; a longer one is read by its rarest."""

_LOW = np.uint64(0xFFFF)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """Where looked-for terms stand: term `row[i]` is `count[i]` times in entry `entry[i]` of the layout, rows in order."""

    rows: int
    row: Ints
    entry: Ints
    count: Scores

    def split(self, rows: int) -> tuple[Matches, Matches]:
        """The first `rows` terms, and the others numbered from 0."""
        cut = int(np.searchsorted(self.row, rows))
        return (
            Matches(rows=rows, row=self.row[:cut], entry=self.entry[:cut], count=self.count[:cut]),
            Matches(rows=self.rows - rows, row=self.row[cut:] - rows, entry=self.entry[cut:], count=self.count[cut:]),
        )

    def of(self, row: int) -> tuple[Ints, Scores]:
        """The entries that hold one term, and how often."""
        low, high = np.searchsorted(self.row, (row, row + 1))
        return self.entry[low:high], self.count[low:high]

    def rows_in(self, entry: int) -> list[int]:
        """The terms that one entry holds, in the order they were asked for."""
        rows: list[int] = self.row[self.entry == entry].tolist()
        return rows


def match(found: Columns, wanted: Sequence[Sequence[str]]) -> Matches:
    """Find each of `wanted`, a term given by its forms, in all entries. Cost follows the text read, not the number of terms."""
    row_of = {term_hash(form): row for row, forms in enumerate(wanted) for form in forms}
    if not row_of:
        return Matches(rows=0, row=_NONE, entry=_NONE, count=np.zeros(0))
    hashes = np.array(sorted(row_of), np.uint64)
    maybe = np.zeros(1 << 16, np.bool_)
    maybe[hashes & _LOW] = True
    places = np.flatnonzero(maybe[found.terms & _LOW])
    terms = found.terms[places]
    slot = np.minimum(np.searchsorted(hashes, terms), len(hashes) - 1)
    same = hashes[slot] == terms
    places, slot = places[same], slot[same]
    row = np.array([row_of[h] for h in hashes.tolist()])[slot]
    entry = np.searchsorted(found.bounds, places, side="right") - 1
    if found.places is not None:
        entry = found.places[entry]
    keys, count = np.unique(row * len(found) + entry, return_counts=True)
    row, entry = np.divmod(keys, len(found))
    return Matches(rows=len(wanted), row=row, entry=entry, count=count.astype(np.float64))


_NONE = np.zeros(0, np.int64)


def _rarest(rarity: Scores, held: Ints) -> Bools:
    """The words of a very long question that are scored: the rarest of those that are held anywhere."""
    kept = np.zeros(len(rarity), np.bool_)
    kept[np.argsort(np.where(held > 0, -rarity, 0), kind="stable")[:MOST_WORDS]] = True
    return kept


def score_words(found: Columns, matches: Matches, weights: Weights) -> tuple[Scores, Scores]:
    """How much of the question each entry covers, by itself and with the entries around it: about 0 to 1, rare words count more.

    A word in an entry `step` places before or after, in the same conversation, counts by its share in `weights.reach`.
    """
    size = len(found)
    if not len(matches.row):
        return np.zeros(size), np.zeros(size)
    held = np.bincount(matches.row, minlength=matches.rows)
    rarity = np.log1p((size - held + 0.5) / (held + 0.5))
    kept = _rarest(rarity, held) if matches.rows > MOST_WORDS else None
    total = rarity.sum() if kept is None else rarity[kept].sum()
    length = found.lengths()
    norm = weights.k1 * (1 - weights.b + weights.b * length[matches.entry] / max(float(length.mean()), 1.0))
    gain = rarity[matches.row] * matches.count * (weights.k1 + 1) / (matches.count + norm) / total
    row, entry = matches.row, matches.entry
    if kept is not None:
        chosen = kept[row]
        row, entry, gain = (np.cumsum(kept) - 1)[row[chosen]], entry[chosen], gain[chosen]
    own: Scores = np.bincount(entry, gain, minlength=size).astype(np.float64)
    best = np.zeros((int(row[-1]) + 1) * size)
    best[row * size + entry] = gain
    talk = found.talk
    for step, share in weights.reach:
        near = entry + step
        inside = (near >= 0) & (near < size)
        np.minimum(near, size - 1, out=near)
        np.maximum(near, 0, out=near)
        inside &= talk[near] == talk[entry]
        at = (row * size + near)[inside]
        best[at] = np.maximum(best[at], share * gain[inside])
    around: Scores = best.reshape(-1, size).sum(0)
    return own, around
