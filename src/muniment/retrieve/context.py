"""Context around hits, within a budget of its own: neighbouring turns and passages, and the start of a conversation.

Rule of this file: one read for the first hits together, through the eyes of who asks; nothing is attached twice, and what the
filter leaves out is not, save that other speakers and roles may stand around a hit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.bundle import Hit
from muniment.ports import Tokens
from muniment.retrieve.asking import Means
from muniment.retrieve.rules_context import Around, around, groups
from muniment.retrieve.rules_memories import in_view
from muniment.retrieve.sight import Finding
from muniment.shelf import Place, Shelf
from muniment.text.filters import passes
from muniment.types import Filter, Record, RecordId, Scope, words_of

FIRST = 20
"""Hits that are given context at most: the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What may be attached: at most this many tokens, of what the filter lets through."""

    tokens: int
    where: Filter


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """The hits, each followed by what was attached to it in the order of arrival.

    `cut` says in a sentence what did not fit; `lost` counts records around them that could not be read.
    """

    hits: tuple[Hit, ...]
    cut: str = ""
    lost: int = 0


async def attached(hits: Sequence[Hit], room: Room, *, scope: Scope, means: Means) -> Attached:
    """The hits with what stands around them, as far as there is room."""
    if room.tokens <= 0 or not hits:
        return Attached(hits=tuple(hits))
    wide = replace(room.where, speaker=None, role=None)
    found, lost = await _groups([hit.record for hit in hits[:FIRST]], scope, means.records)
    found = {name: [one for one in every if all(passes(record, wide) for record in one)] for name, every in found.items()}
    chosen, cut = await means.aside(_chosen, hits, found, room.tokens, means.tokens)
    every = [one.record.id for some in chosen.values() for one in some]
    proved = await means.memories.proved_by(scope, every) if every else {}
    dressed = {
        name: [replace(one, memories=in_view(proved.get(one.record.id, ()))) for one in some] for name, some in chosen.items()
    }
    told = f"Context: {cut} more of what stands around the hits did not fit into {room.tokens} tokens." if cut else ""
    return Attached(hits=tuple(one for hit in hits for one in (hit, *dressed.get(hit.record.id, ()))), cut=told, lost=lost)


async def _groups(hits: Sequence[Record], scope: Scope, records: Finding) -> tuple[dict[RecordId, list[tuple[Record, ...]]], int]:
    """For each hit what stands around it, in groups that stay together, the most wanted first; and how many cannot be read."""
    seen: list[tuple[list[Around], list[Scope]]] = []

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        places = [around(shelves, record) for record in hits]
        seen.append((places, [shelf.scope for shelf in shelves]))
        return list(dict.fromkeys(place for one in places for place in (*one.near, *one.head)))

    read = await records.search(scope, choose)
    places, scopes = seen[-1]
    known = {(record.scope, record.seq): record for record in read.records}

    def there(wanted: Sequence[Place]) -> list[Record]:
        return [record for place in wanted if (record := known.get((scopes[place.shelf], place.seq)))]

    return {hit.id: groups(hit, there(one.near), there(one.head)) for hit, one in zip(hits, places, strict=True)}, len(read.lost)


def _chosen(
    hits: Sequence[Hit], found: Mapping[RecordId, Sequence[Sequence[Record]]], room: int, tokens: Tokens
) -> tuple[dict[RecordId, list[Hit]], int]:
    """By hit what fits, in the order of arrival, and how many records did not fit."""
    given = {hit.record.id for hit in hits}
    chosen: dict[RecordId, list[Hit]] = {}
    cut: set[RecordId] = set()
    for hit in hits:
        beside: list[Hit] = []
        for group in found.get(hit.record.id, ()):
            fresh = [record for record in group if record.id not in given]
            counts = [tokens.count(words_of(record)) for record in fresh]
            if sum(counts) > room:
                cut.update(record.id for record in fresh)
                continue
            room -= sum(counts)
            given.update(record.id for record in fresh)
            beside += [
                Hit(record=record, score=0.0, tokens=count, attached=True, queries=hit.queries)
                for record, count in zip(fresh, counts, strict=True)
            ]
        chosen[hit.record.id] = sorted(beside, key=lambda one: one.record.seq)
    return chosen, len(cut - given)
