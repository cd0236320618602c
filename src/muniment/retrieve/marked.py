"""Which records have the metadata that a filter asks for. No index knows it, so the records are read.

Rule of this file: through the eyes of who asks, a bounded number of records at a time; what other fields leave out is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from muniment.retrieve.rules_columns import Places, allowed, columns
from muniment.retrieve.sight import Finding
from muniment.shelf import Place, Shelf
from muniment.text.filters import passes
from muniment.types import Filter, Scope

AT_ONCE = 1000


async def marked(records: Finding, scope: Scope, where: Filter) -> Places:
    """The records of `scope` and its ancestors that pass `where`."""
    found: dict[Scope, set[int]] = {}
    seen: set[tuple[Scope, int]] = set()

    def next_ones(shelves: Sequence[Shelf]) -> Sequence[Place]:
        chosen = list(
            islice((place for place in _places(shelves, where) if (shelves[place.shelf].scope, place.seq) not in seen), AT_ONCE)
        )
        seen.update((shelves[place.shelf].scope, place.seq) for place in chosen)
        return chosen

    before = -1
    while len(seen) > before:
        before = len(seen)
        for record in (await records.search(scope, next_ones)).records:
            if passes(record, where):
                found.setdefault(record.scope, set()).add(record.seq)
    return found


def _places(shelves: Sequence[Shelf], where: Filter) -> Sequence[Place]:
    """The places of all that may pass, each once."""
    numbers = [number for number, shelf in enumerate(shelves) if len(shelf)]
    if not numbers:
        return ()
    there = columns([shelves[number] for number in numbers])
    ok = allowed(there, where)
    kept = there.records if ok is None else there.records[ok[there.records]]
    return [
        Place(numbers[shelf], seq)
        for shelf, seq in zip(there.shelf[kept].tolist(), there.head["seq"][kept].tolist(), strict=True)
    ]
