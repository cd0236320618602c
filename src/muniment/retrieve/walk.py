"""The entities channel: from whom and what a question names, and whom its best candidates name, on to the records they lead to.

Rule of this file: a bounded number of lookups inside the scope, none where nothing was ever derived, few where no entity is
known. It lifts candidates and adds some, the same ones whatever the limit; what spreads how far is in rules_walk.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from muniment.bundle import Hit
from muniment.knowledge.values import Entity, EntityId, Memory, MemoryFilter, Status
from muniment.retrieve.asking import Asked, Means
from muniment.retrieve.joined import CLOSE, DEPTH, Pair
from muniment.retrieve.question import Question
from muniment.retrieve.rules import Ranked, rank
from muniment.retrieve.rules_memories import in_place
from muniment.retrieve.rules_walk import (
    HOPS,
    MOST_BETWEEN,
    Reached,
    ends_of,
    hop,
    name_keys,
    named_in,
    nearest,
    passes_on,
    rarity,
    records_naming,
    records_of,
    remaining,
    starts_from,
    strongest,
    tells,
)
from muniment.retrieve.searching import Candidates
from muniment.shelf import Place, Shelf
from muniment.text.filters import passes
from muniment.types import Record, RecordId, Scope, Trust, words_of

LEADS = 5
"""Best candidates whose names the question leads on to."""
PER_ENTITY = 12
"""Memories read of one entity, and records that name it: those of last."""
MOST_READ = 60
"""Entities, and records, that a walk looks at."""
_LEAST = 1e-9
_HELD = (Status.CURRENT, Status.SUPERSEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a walk came to: the names the question was read as naming, and by record the names on the way to it."""

    named: tuple[str, ...] = ()
    paths: Mapping[RecordId, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """A walk under way: where it goes, and what is known of the entities it met."""

    question: Question
    scope: Scope
    means: Means
    known: dict[EntityId, Entity] = field(default_factory=dict)
    ties: dict[EntityId, list[Memory]] = field(default_factory=dict)

    async def meet(self, *, keys: Collection[str] = (), ids: Collection[str] = ()) -> list[Entity]:
        """The entities of these keys and ids in the scope and its ancestors; merged ones by what they were merged into."""
        found = await self._entities(keys, ids)
        there = {one.id for one in found}
        into = {one.merged_into for one in found if one.merged_into and one.merged_into not in there}
        found += await self._entities((), into) if into else []
        here = [one for one in found if one.merged_into is None]
        self.known.update((one.id, one) for one in here)
        return here

    async def _entities(self, keys: Collection[str], ids: Collection[str]) -> list[Entity]:
        found: list[Entity] = []
        for rung in self.scope.lineage:
            page = await self.means.memories.entities(rung, keys=sorted(keys), ids=sorted(ids), limit=MOST_READ)
            found += page.entities
        return found

    async def tie(self, entities: Iterable[EntityId]) -> None:
        """Learn the memories that tie these entities to others, the latest of each."""
        for entity in entities:
            if entity not in self.ties:
                where = MemoryFilter(entity=entity, statuses=_HELD)
                page = await self.means.memories.memories(self.scope, where, limit=PER_ENTITY, now=self.means.now, inherited=True)
                self.ties[entity] = list(page.memories)

    def records(self, name: EntityId) -> dict[RecordId, float]:
        return records_naming(self.known[name], self.ties.get(name, ()), PER_ENTITY)

    @property
    def weigh(self) -> dict[EntityId, float]:
        return {name: rarity(entity) for name, entity in self.known.items()}


async def walked(found: Candidates, *, scope: Scope, asked: Asked, means: Means) -> tuple[Candidates, Walk]:
    """The candidates with those that the entities of the question lead to, each with its share, and the ways there."""
    weight = means.weights.entities
    if not found.knowledge or not weight or not found.pairs:
        return found, Walk()
    way = _Way(question=found.question, scope=scope, means=means)
    spoken, leads = await _starts(found, way)
    if not spoken and not leads:
        return found, Walk()
    reached = await _spread(way, spoken, leads)
    records = records_of(reached, {name: way.records(name) for name in reached}, way.weigh)
    pairs = await _with_records(found.pairs, records, asked=asked, way=way)
    gains = _gains(pairs, records, weight=weight, way=way, spoken=spoken)
    moved = [(record, _with_gain(one, gains.get(record.id, 0.0))) for record, one in pairs]
    ordered = sorted(moved, key=lambda pair: -pair[1].score)
    paths = {
        name: tuple(way.known[step].name for step in records[name].path if step in way.known)
        for name, gain in gains.items()
        if gain > 0
    }
    walk = Walk(named=tuple(entity.name for entity in spoken), paths=paths)
    return replace(found, pairs=ordered), walk


def led_to(hits: Sequence[Hit], walks: Sequence[Walk]) -> tuple[Hit, ...]:
    """The hits, each with the shortest way by which a walk reached it."""
    ways: dict[RecordId, tuple[str, ...]] = {}
    for walk in walks:
        for name, path in walk.paths.items():
            ways[name] = min(ways.get(name, path), path, key=len)
    return tuple(replace(hit, path=ways[hit.record.id]) if hit.record.id in ways else hit for hit in hits)


async def _starts(found: Candidates, way: _Way) -> tuple[list[Entity], dict[EntityId, Reached]]:
    """The entities that the question names, and those that its best candidates name beside them."""
    first = found.pairs[:LEADS]
    proved = await way.means.memories.proved_by(way.scope, [record.id for record, _ in first])
    asked_by = set(name_keys(way.question.text, loose=True))
    for speaker in found.speakers:
        asked_by |= set(name_keys(speaker, loose=True))
    texts = {record.id: _passage(record, one) for record, one in first}
    keys = {name: set(name_keys(text, loose=False)) for name, text in texts.items()}
    told = {record.id: {end for memory in proved.get(record.id, ()) for end in ends_of(memory)} for record, _ in first}
    every = await way.meet(keys=asked_by.union(*keys.values()), ids=set().union(*told.values()))
    spoken = named_in(every, asked_by, way.question.text, found.speakers)
    own = {entity.id for entity in spoken}
    leads: dict[EntityId, Reached] = {}
    top = max(first[0][1].score, _LEAST)
    for record, one in first:
        for entity in every:
            named = entity.id in told[record.id] or not keys[record.id].isdisjoint(entity.keys)
            if not named or entity.id in own or way.records(entity.id).keys() <= {record.id}:
                continue
            share = max(0.0, one.score / top) * rarity(entity)
            trusted = record.trust is Trust.TRUSTED
            lead = Reached(share=share, path=(entity.id,), hops=1, trusted=trusted, begins=record.id)
            leads[entity.id] = strongest([lead, *([leads[entity.id]] if entity.id in leads else [])])
    return spoken, leads


async def _spread(way: _Way, spoken: Sequence[Entity], leads: Mapping[EntityId, Reached]) -> dict[EntityId, Reached]:
    """All entities the walk comes by, from those of the question over the memories that tie them."""
    reached = starts_from(spoken)
    front = dict(reached)
    rest = remaining(way.question, spoken)
    for step in range(HOPS):
        await way.tie(front)
        ties = {name: [(one, passes_on(one, way.question, rest)) for one in way.ties[name]] for name in front}
        passed = hop(front, ties, way.weigh)
        for name, lead in leads.items() if step == 0 else ():
            passed[name] = strongest([lead, *([passed[name]] if name in passed else [])])
        front = nearest({name: here for name, here in passed.items() if name not in reached}, MOST_BETWEEN)
        if missing := [name for name in front if name not in way.known]:
            await way.meet(ids=missing)
        front = {name: here for name, here in front.items() if name in way.known}
        reached |= front
    return reached


async def _with_records(seen: Sequence[Pair], records: Mapping[RecordId, Reached], *, asked: Asked, way: _Way) -> list[Pair]:
    """The candidates with the records that only the walk found, each with what its own words and meaning say for it."""
    there = {record.id for record, _ in seen}
    best = sorted(records, key=lambda name: (-records[name].share, name))[:MOST_READ]
    missing = [name for name in best if name not in there]
    fresh = [one for one in await way.means.records.get(way.scope, missing) if passes(one, asked.where)] if missing else []
    if not fresh:
        return list(seen)
    places: dict[Scope, set[int]] = {}
    for record in fresh:
        places.setdefault(record.scope, set()).add(record.seq)
    ranked: dict[tuple[Scope, int], Ranked] = {}

    def choose(shelves: Sequence[Shelf]) -> Sequence[Place]:
        found = rank(shelves, way.question, weights=way.means.weights, limit=len(fresh), where=asked.where, only=places)
        ranked.update({(shelves[one.place.shelf].scope, one.place.seq): one for one in found.ranked})
        return ()

    await way.means.records.search(way.scope, choose)
    pairs = [(record, ranked.get((record.scope, record.seq)) or _unranked(record)) for record in fresh]
    return [*seen, *((record, one) for record, one in pairs if one.relevance >= asked.threshold)]


def _unranked(record: Record) -> Ranked:
    """A record that neither holds a word of the question nor comes near its meaning."""
    whole = (0, len(words_of(record)))
    return Ranked(place=Place(0, record.seq), score=0.0, relevance=CLOSE, passage=whole, channels={}, terms=())


def _gains(
    pairs: Sequence[Pair], records: Mapping[RecordId, Reached], *, weight: float, way: _Way, spoken: Sequence[Entity]
) -> dict[RecordId, float]:
    """What the walk adds to each record's score."""
    rest = remaining(way.question, spoken)
    depth = {record.id for record, _ in pairs[:DEPTH]} | records.keys()
    near = [(record, one) for record, one in pairs if record.id in depth]
    trusted = {record.id for record, _ in near if record.trust is Trust.TRUSTED}
    gains = dict.fromkeys((record.id for record, _ in near), 0.0)
    for record, one in near:
        here = records.get(record.id)
        if here is not None and (here.trusted or record.id not in trusted):
            gains[record.id] = weight * here.share * tells(one, rest)
    untrusted = gains.keys() - trusted
    scores = {record.id: one.score for record, one in near}
    return gains | in_place(scores, gains, untrusted) if untrusted else gains


def _passage(record: Record, one: Ranked) -> str:
    start, end = one.passage
    return record.text[start:end] or words_of(record)


def _with_gain(one: Ranked, gain: float) -> Ranked:
    return replace(one, score=one.score + gain, channels={**one.channels, "entities": gain}) if gain else one
