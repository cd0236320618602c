"""Which words of a question an entry holds, and how much that says: BM25 with statistics of what is being read, and nothing else.

Rule of this file: everything follows from the shelves given, so no other scope can move a score. A word counts where it
stands and, weaker, in the entries next to it: an answer seldom repeats the words of the question before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from muniment.retrieve.rules_columns import Columns, Scores, changes
from muniment.retrieve.weights import Weights
from muniment.shelf import Ints, term_hash

MOST_WORDS = 64
"""Words of a question that are scored; a longer one is read by its rarest."""

_CELLS = 1 << 21  # bounds the memory of one step on a very large scope
_LOW = np.uint64(0x1FFF)  # bits of a hash by which most terms are passed over: few, so that the table stays in the fastest cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Matches:
    """Where looked-for terms stand: term `row[i]` is `count[i]` times in entry `entry[i]` of the layout, rows in order.

    Those of term r are from `starts[r]` to `starts[r + 1]`.
    """

    starts: Sequence[int]
    row: Ints
    entry: Ints
    count: Scores

    def split(self, rows: int) -> tuple[Matches, Matches]:
        """The first `rows` terms, and the others numbered from 0."""
        cut = self.starts[rows]
        rest = [start - cut for start in self.starts[rows:]]
        return (
            Matches(starts=self.starts[: rows + 1], row=self.row[:cut], entry=self.entry[:cut], count=self.count[:cut]),
            Matches(starts=rest, row=self.row[cut:] - rows, entry=self.entry[cut:], count=self.count[cut:]),
        )

    def held(self) -> list[int]:
        """In how many entries each term is."""
        return [high - low for low, high in pairwise(self.starts)]

    def of(self, row: int) -> tuple[Ints, Scores]:
        """The entries that hold one term, and how often."""
        low, high = self.starts[row], self.starts[row + 1]
        return self.entry[low:high], self.count[low:high]

    def rows_in(self, entries: Ints, size: int) -> dict[int, list[int]]:
        """The terms that each of these entries (of `size` in all) holds, in the order they were asked for."""
        wanted = np.zeros(size, np.bool_)
        wanted[entries] = True
        here = wanted[self.entry]
        held: dict[int, list[int]] = {entry: [] for entry in entries.tolist()}
        for row, entry in zip(self.row[here].tolist(), self.entry[here].tolist(), strict=True):
            held[entry].append(row)
        return held


def match(found: Columns, wanted: Sequence[Sequence[str]]) -> Matches:
    """Find each of `wanted`, a term given by its forms, in all entries. Cost follows the text read, not the number of terms."""
    row_of = {term_hash(form): row for row, forms in enumerate(wanted) for form in forms}
    if not row_of:
        return Matches(starts=[0] * (len(wanted) + 1), row=_NONE, entry=_NONE, count=np.zeros(0))
    sought = sorted(row_of)
    hashes = np.array(sought, np.uint64)
    maybe = np.zeros(int(_LOW) + 1, np.bool_)
    maybe[hashes & _LOW] = True
    places = maybe.take((found.terms & _LOW).view(np.int64)).nonzero()[0]
    terms = found.terms[places]
    slot = hashes.searchsorted(terms)
    same = hashes.take(slot, mode="clip") == terms
    places, slot = places[same], slot[same]
    row = np.array([row_of[h] for h in sought], np.int64)[slot]
    entry = found.bounds.searchsorted(places, side="right") - 1
    if found.places is not None:
        entry = found.places[entry]
    keys = row * len(found) + entry
    keys.sort()
    at = changes(keys).nonzero()[0]
    count = np.empty(len(at))
    np.subtract(at[1:], at[:-1], out=count[:-1])
    count[-1:] = len(keys) - at[-1:]
    row, entry = np.divmod(keys[at], len(found))
    starts = row.searchsorted(np.arange(len(wanted) + 1)).tolist()
    return Matches(starts=starts, row=row, entry=entry, count=count)


_NONE = np.zeros(0, np.int64)


def _common(rarity: Scores, held: Ints) -> Ints:
    """The words of a very long question that are not scored: all but the rarest of those that are held anywhere."""
    return np.argsort(np.where(held > 0, -rarity, 0), kind="stable")[MOST_WORDS:]


def score_words(found: Columns, matches: Matches, weights: Weights) -> tuple[Scores, Scores]:
    """How much of the question each entry covers, by itself and with the entries around it: about 0 to 1, rare words count more.

    A word in an entry `step` places before or after, in the same conversation, counts by its share in `weights.reach`.
    """
    size = len(found)
    if not len(matches.row):
        return np.zeros(size), np.zeros(size)
    held = np.array(matches.held())
    rarity = np.log1p((size - held + 0.5) / (held + 0.5))
    row, entry, count = matches.row, matches.entry, matches.count
    if len(held) > MOST_WORDS:
        rarity[_common(rarity, held)] = 0
    length = found.lengths()
    norm = length[entry] * (weights.k1 * weights.b / max(1.0, len(found.terms) / size)) + weights.k1 * (1 - weights.b)
    gain = rarity[row] * count * ((weights.k1 + 1) / np.add.reduce(rarity)) / (count + norm)
    own: Scores = np.bincount(entry, gain, minlength=size).astype(np.float64, copy=False)
    around = np.zeros(size)
    together = {reach: found.talk[reach:] == found.talk[:-reach] for reach in {abs(step) for step, _ in weights.reach}}
    carries = [(step, share * together[abs(step)]) for step, share in weights.reach]
    block = max(1, _CELLS // size)
    for low in range(0, len(held), block):
        inside = slice(matches.starts[low], matches.starts[min(low + block, len(held))])
        around += _spread(row[inside] - low, entry[inside], gain[inside], size=size, carries=carries)
    return own, around


def _spread(row: Ints, entry: Ints, gain: Scores, *, size: int, carries: Sequence[tuple[int, Scores]]) -> Scores:
    """Sum over words of the best each entry gets for it, from itself or, by the share it carries, from near by."""
    if not len(row):
        return np.zeros(size)
    table = np.zeros((int(row[-1]) + 1, size))
    table[row, entry] = gain
    best = table.copy()
    for step, carry in carries:
        if step > 0:
            np.maximum(best[:, step:], table[:, :-step] * carry, out=best[:, step:])
        else:
            np.maximum(best[:, :step], table[:, -step:] * carry, out=best[:, :step])
    around: Scores = np.add.reduce(best)
    return around
