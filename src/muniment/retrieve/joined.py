"""Memories join the records found: what those prove, the slots asked for, and what took the place of what no longer holds.

Rule of this file: a bounded number of lookups inside the scope, none where nothing was ever derived; what counts how much is in
the rules. Only the best candidates are moved, the same ones whatever the limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Memory, MemoryFilter, MemoryId, Status
from muniment.ports import Found
from muniment.retrieve.question import Question
from muniment.retrieve.rules import Ranked
from muniment.retrieve.rules_memories import read_asked, regard
from muniment.retrieve.rules_rungs import Overruled
from muniment.retrieve.rules_slots import asked_slots
from muniment.retrieve.rules_succession import Chain
from muniment.retrieve.sight import Finding, Recalling
from muniment.retrieve.slots import in_slots
from muniment.retrieve.weights import Weights
from muniment.shelf import Place
from muniment.text.filters import in_time, passes
from muniment.types import Filter, Record, RecordId, Scope, Trust

DEPTH = 30
"""Candidates among which what records prove may change the order."""
CLOSE = 0.3
"""Relevance of what is found by its slot alone."""
_PROOFS = 2
_STEPS = 3
"""How often what took a memory's place is looked up, and what took the place of that."""

_BOTH = frozenset({"lexical", "vector"})

Pair = tuple[Record, Ranked]


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Candidates in their order, what each proves, the chains of memories that the question is about, and what gives way.

    `overruled` pairs what a wider rung holds with what holds instead for whoever asks; `filling` is what fills the slot asked
    for, at the time asked for.
    """

    pairs: Sequence[Pair]
    proved: Mapping[RecordId, Sequence[Memory]]
    chains: tuple[Chain, ...] = ()
    overruled: tuple[Overruled, ...] = ()
    filling: frozenset[MemoryId] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is read from: whose memories and records, by the rules of which agent, and what narrows it.

    `near` is the share of a score from which a record was found by its meaning.
    """

    scope: Scope
    records: Finding
    memories: Recalling
    where: Filter
    now: datetime
    threshold: float = 0.0
    rules: Architecture = field(default_factory=Architecture)
    near: float = 0.0


async def join(
    question: Question,
    pairs: Sequence[Pair],
    *,
    speakers: Sequence[str],
    reading: Reading,
    weights: Weights,
) -> Joined:
    """Candidates in their order once what they prove counts too, with those that only a memory finds.

    `speakers` are whom the question names or, where it asks about oneself, who speaks there as the user.
    """
    scope, memories = reading.scope, reading.memories
    proved = await _proved(pairs, reading)
    wanted = asked_slots(question.text)
    if not proved and not (wanted and await _any_kept(reading)):
        return Joined(pairs=pairs, proved={})
    slots: list[Memory] = []
    if wanted:
        found = await in_slots(wanted, question, scope=scope, speakers=speakers, memories=memories, now=reading.now)
        slots = [memory for memory in found if _found_by(memory, reading) & {"lexical"}]
    tied = [*slots, *(memory for record, _ in pairs[:DEPTH] for memory in proved.get(record.id, ()) if memory.attribute)]
    near = [*slots, *await _successors(tied, reading)]
    beside = await _beside(near, {record.id for record, _ in pairs}, reading)
    if beside:
        proved |= await _proved(beside, reading)
    if not proved:
        return Joined(pairs=pairs, proved={})
    candidates = [*pairs[:DEPTH], *beside]
    regarded = regard(
        read_asked(question, speakers),
        {record.id: one.score for record, one in candidates},
        proved,
        slots={memory.id for memory in slots},
        untrusted={record.id for record, _ in candidates if record.trust is Trust.UNTRUSTED},
        weights=weights,
        holds_one=lambda memory: _holds_one(memory, reading),
    )
    moved = [(record, _with_gain(one, regarded.gains[record.id])) for record, one in candidates]
    ordered = sorted([*moved, *pairs[DEPTH:]], key=lambda pair: -pair[1].score)
    return Joined(pairs=ordered, proved=proved, chains=regarded.chains, overruled=regarded.overruled, filling=regarded.filling)


def _holds_one(memory: Memory, reading: Reading) -> bool:
    rule = reading.rules.kind(memory.kind)
    return rule is not None and rule.holds_one(memory.attribute)


async def _proved(pairs: Sequence[Pair], reading: Reading) -> dict[RecordId, Sequence[Memory]]:
    """What these candidates prove, without what has had its time."""
    if not pairs:
        return {}
    found = await reading.memories.proved_by(reading.scope, [record.id for record, _ in pairs])
    reasons = {record.id: _reasons(one, reading) for record, one in pairs}
    there = {
        record: tuple(m for m in proved if not _expired(m, reading.now) and _found_by(m, reading) & reasons[record])
        for record, proved in found.items()
    }
    return {record: proved for record, proved in there.items() if proved}


def _found_by(memory: Memory, reading: Reading) -> frozenset[str]:
    """The channels that find this memory."""
    rule = reading.rules.kind(memory.kind)
    return rule.found_by if rule is not None else _BOTH


def _reasons(one: Ranked, reading: Reading) -> frozenset[str]:
    """The channels that found a record; both for one that was found otherwise, by its time or by a slot."""
    near = one.channels.get("meaning", 0.0) >= reading.near > 0
    return frozenset([*(["lexical"] if one.terms else []), *(["vector"] if near else [])]) or _BOTH


def _expired(memory: Memory, now: datetime) -> bool:
    return memory.expires_at is not None and memory.expires_at <= now and not memory.held


async def _any_kept(reading: Reading) -> bool:
    everything = MemoryFilter(statuses=tuple(Status))
    page = await reading.memories.memories(reading.scope, everything, limit=1, now=reading.now, inherited=True)
    return bool(page.memories)


async def _successors(memories: Sequence[Memory], reading: Reading) -> list[Memory]:
    """What took the place of these, as far as it is not among them, and what took the place of that."""
    known = {memory.id for memory in memories}
    found: list[Memory] = []
    latest = memories
    for _ in range(_STEPS):
        missing = {m.replaced_by for m in latest if m.replaced_by and m.status is Status.SUPERSEDED} - known
        if not missing:
            break
        latest = await reading.memories.memory(reading.scope, sorted(missing))
        known |= missing
        found += latest
    return found


async def _beside(memories: Sequence[Memory], there: set[RecordId], reading: Reading) -> list[Pair]:
    """The records that prove these memories and were not found by their own words, each with the words that prove it."""
    if reading.threshold > CLOSE:
        return []
    spans = {e.record: (e.start, e.end) for memory in memories for e in memory.evidence[-_PROOFS:] if e.record not in there}
    found = await reading.records.get(reading.scope, list(spans)) if spans else ()
    return [
        (
            record,
            Ranked(place=Place(0, record.seq), score=0.0, relevance=CLOSE, passage=spans[record.id], channels={}, terms=()),
        )
        for record in found
        if passes(record, reading.where)
    ]


def pairs_of(found: Found, ranked: Sequence[Ranked], where: Filter) -> list[Pair]:
    """What was read, with why it was chosen."""
    lost = set(found.lost)
    there = [one for one in ranked if one.place not in lost][: len(found.records)]
    return [(record, one) for record, one in zip(found.records, there, strict=True) if in_time(record, where)]


def _with_gain(one: Ranked, gain: float) -> Ranked:
    return replace(one, score=one.score + gain, channels={**one.channels, "memory": gain}) if gain else one
