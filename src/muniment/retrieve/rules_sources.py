"""One source has one voice: copies of a text count once, and no source that is not trusted fills the first places alone.

Rule of this file: pure. It only touches what is not trusted: what people said to each other keeps its place, repeated or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.retrieve.rules import Ranked
from muniment.text.terms import normal
from muniment.types import Record, RecordId, Trust, words_of

PER_SOURCE = 3
"""Hits of one source that stand before those of others."""
CLOSE = 0.3
"""Relevance from which a hit stands before what one source has too many of."""

_SHOWN = 10

Pair = tuple[Record, Ranked]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Candidates in their order, without copies. `copies` is how often the text of a record was found, where more than once.

    `surplus` are those that one source had too many of, `gave_way` says that others stand before them for it.
    """

    pairs: Sequence[Pair]
    copies: Mapping[RecordId, int] = field(default_factory=dict)
    surplus: frozenset[RecordId] = frozenset()
    gave_way: bool = False

    @property
    def crowded(self) -> bool:
        """True when copies or a single source take places that others may deserve."""
        return bool(self.copies or self.surplus)


def spread(pairs: Sequence[Pair]) -> Spread:
    """The candidates, best first, each text of no trust once, and what is too much of one origin behind what is close.

    The order is otherwise kept. Equal texts are equal without regard to case and spacing.
    """
    first: dict[str, RecordId] = {}
    copies: Counter[RecordId] = Counter()
    of_source: Counter[str] = Counter()
    kept: list[Pair] = []
    surplus: set[RecordId] = set()
    for record, one in pairs:
        if record.trust is not Trust.UNTRUSTED:
            kept.append((record, one))
            continue
        best = first.setdefault(" ".join(normal(words_of(record)).split()), record.id)
        copies[best] += 1
        if best != record.id:
            continue
        of_source[record.origin] += 1
        if record.origin and of_source[record.origin] > PER_SOURCE:
            surplus.add(record.id)
        kept.append((record, one))
    repeated = {name: count for name, count in copies.items() if count > 1}
    ordered = _behind(kept, surplus)
    return Spread(pairs=ordered, copies=repeated, surplus=frozenset(surplus), gave_way=ordered != kept)


def _behind(pairs: Sequence[Pair], surplus: set[RecordId]) -> list[Pair]:
    """The surplus goes behind the last hit that is close, and stays before what is likely chance."""
    if not surplus:
        return list(pairs)
    start = next(at for at, (record, _) in enumerate(pairs) if record.id in surplus)
    close = [at for at, (record, one) in enumerate(pairs) if record.id not in surplus and one.relevance >= CLOSE]
    end = max([start, *(at + 1 for at in close)])
    ahead = [record.id not in surplus and at < end for at, (record, _) in enumerate(pairs)]
    return [pair for wanted in (True, False) for pair, first in zip(pairs, ahead, strict=True) if first is wanted]


def told_sources(copies: Mapping[RecordId, int], shown: Sequence[RecordId], gave_way: Collection[RecordId]) -> list[str]:
    """What was counted once, and what gave way to other sources, in sentences; `shown` are the records of the hits in order."""
    lines = [f"Hit {at} stands for {copies[name]} copies of its text." for at, name in enumerate(shown, 1) if name in copies]
    if gave_way:
        lines.append(f"At most {PER_SOURCE} hits of one source come first; {len(gave_way)} more gave way to those of others.")
    return lines[:_SHOWN]
