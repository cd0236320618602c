"""What the memories a record proves say about how well it answers: which slot, which kind, when, and whether it still holds.

Rule of this file: pure, and only among the candidates given. What no longer holds gives way to what took its place, unless the
question is about what was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from muniment.knowledge.unsaid import taken_back
from muniment.knowledge.values import Memory, MemoryId, Modality, Status
from muniment.retrieve.question import Question
from muniment.retrieve.rules_asked import asks_for
from muniment.retrieve.rules_rungs import Overruled, overruled
from muniment.retrieve.rules_slots import is_known, slot_words
from muniment.retrieve.rules_succession import Chain, asked_of, chains, held_in, lifts
from muniment.retrieve.weights import Weights
from muniment.text.names import without_terms
from muniment.text.terms import terms
from muniment.text.times import Window
from muniment.types import RecordId

_KINDS = {"decision": ("decision", "commitment"), "preference": ("preference", "instruction")}
_OF_WHAT_WAS = frozenset(("first", "past", "change", "when"))
_BEFORE_NOW = frozenset(("first", "past"))
_APART = 1e-9
"""What keeps two scores apart that rounding could swap."""
_LOST = 0.5
"""What a record loses that told only what was taken back."""
_HELD = (Status.CURRENT, Status.SUPERSEDED, Status.NOT_YET)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a question asks for, beyond its words. `words` are all its terms, `sought` the forms of those that are looked for."""

    about: frozenset[str]
    words: frozenset[str]
    sought: tuple[frozenset[str], ...] = ()
    windows: tuple[Window, ...] = ()
    held: tuple[Window, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Regarded:
    """What memories change: by record, what is added to its score; the chains that the question is about, and what gives way.

    `overruled` pairs what a wider rung holds with what holds instead for whoever asks; `filling` is what fills a slot asked
    for, at the time asked for.
    """

    gains: Mapping[RecordId, float]
    chains: tuple[Chain, ...] = ()
    filling: frozenset[MemoryId] = frozenset()
    overruled: tuple[Overruled, ...] = ()


def read_asked(question: Question, speakers: Sequence[str] = ()) -> Asked:
    """What kind of thing the question wants to know, of the `speakers` it names."""
    sought = tuple(frozenset(term.forms) for term in without_terms(question.terms, speakers))
    return Asked(
        about=asks_for(question.text),
        words=frozenset(terms(question.text)),
        sought=sought,
        windows=question.windows,
        held=question.held,
    )


def regard(
    asked: Asked,
    scores: Mapping[RecordId, float],
    proves: Mapping[RecordId, Sequence[Memory]],
    *,
    slots: Collection[MemoryId],
    weights: Weights,
    untrusted: Collection[RecordId] = (),
    holds_one: Callable[[Memory], bool] = lambda _: False,
) -> Regarded:
    """What each of these records gains, or loses, by the memories it proves. `slots` are memories of the very slots asked for.

    `holds_one` says whether the slot of a memory holds one value: then what a narrower rung says of it goes before a wider one.

    What the `untrusted` of them prove puts none ahead of a trusted one that its words did not put behind it.
    """
    held = {record: [m for m in proves.get(record, ()) if m.status in _HELD] for record in scores}
    every = {memory.id: memory for memories in held.values() for memory in memories}
    asked_chains = [
        (chain, asked_of(chain, asked.about, asked.words, asked.windows, held=asked.held))
        for chain in chains(memory for record in scores for memory in proves.get(record, ()))
        if _is_about(chain, slots, asked)
    ]
    rungs = () if asked.about & _OF_WHAT_WAS or asked.held else overruled(every.values(), holds_one)
    rungs = tuple(pair for pair in rungs if _is_about(pair, slots, asked))
    over = {wider.id for wider, _ in rungs}
    chosen = [(chain, tuple(memory for memory in here if memory.id not in over)) for chain, here in asked_chains]
    chosen += [(pair, pair[1:]) for pair in rungs]
    starts = lifts(scores, held, chosen)
    wanted = {memory.id for _, here in chosen for memory in here}
    passed = {memory.id for chain, _ in chosen for memory in chain} - wanted
    gains = {}
    for record, memories in held.items():
        gain = starts[record] - scores[record]
        ids = {memory.id for memory in memories}
        if ids & wanted:
            gain += weights.holds
        elif ids & passed and not asked.about & _OF_WHAT_WAS:
            gain -= weights.superseded
        elif ids & set(slots):
            gain += weights.slot * _share(memories, slots, asked)
        gains[record] = gain + _reasons(asked, memories, weights)
    gains |= _taken_back(scores, gains, proves)
    if untrusted:
        gains |= in_place(scores, gains, untrusted)
    then = [one for one in every.values() if not asked.held or held_in(one, asked.held)]
    filling = _filling(then, asked_chains, slots=slots, was=bool(asked.about & _BEFORE_NOW))
    return Regarded(gains=gains, chains=tuple(chain for chain, _ in asked_chains), overruled=rungs, filling=filling)


def _filling(
    memories: Iterable[Memory], asked_chains: Sequence[tuple[Chain, Chain]], *, slots: Collection[MemoryId], was: bool
) -> frozenset[MemoryId]:
    """What fills the slots asked for: of a chain what is asked for of it, else what holds, unless it is asked what `was`."""
    of_slots = [(chain, here) for chain, here in asked_chains if any(memory.id in slots for memory in chain)]
    chained = {memory.id for chain, _ in of_slots for memory in chain}
    loose = {one.id for one in memories if one.id in slots and one.status is Status.CURRENT} - chained if not was else set()
    return frozenset(loose | {memory.id for _, here in of_slots for memory in here})


def _taken_back(
    scores: Mapping[RecordId, float], gains: Mapping[RecordId, float], proves: Mapping[RecordId, Sequence[Memory]]
) -> dict[RecordId, float]:
    """The gains of the records that told only what was taken back: behind all that tells what held in the same slot."""
    behind = {}
    for record in scores:
        memories = proves.get(record, ())
        gone = {_slot(memory) for memory in memories if taken_back(memory, record)}
        if not gone or any(memory.status in _HELD for memory in memories):
            continue
        told = [one for one in scores if any(m.status in _HELD and _slot(m) in gone for m in proves.get(one, ()))]
        lowest = min((scores[one] + gains[one] for one in told), default=inf)
        behind[record] = min(gains[record] - _LOST, lowest - _APART - scores[record])
    return behind


def _slot(memory: Memory) -> tuple[str, str]:
    return memory.subject_id or memory.subject, memory.attribute or memory.id


def in_place(
    scores: Mapping[RecordId, float], gains: Mapping[RecordId, float], untrusted: Collection[RecordId]
) -> dict[RecordId, float]:
    """The gains of these records once none passes a trusted one that stood at least as high."""
    trusted = sorted((score, score + gains[record]) for record, score in scores.items() if record not in untrusted)
    held = {}
    for record in scores.keys() & set(untrusted):
        score = scores[record]
        lowest = min((moved for stood, moved in trusted if stood >= score), default=inf)
        held[record] = min(gains[record], max(0.0, lowest - score - _APART))
    return held


def in_view(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """A record's memories as a hit shows them: what holds first, then what no longer does."""
    shown = [memory for memory in memories if memory.status is not Status.MERGED]
    return tuple(sorted(shown, key=lambda memory: (memory.status is not Status.CURRENT, memory.kind, memory.id)))


def _reasons(asked: Asked, memories: Sequence[Memory], weights: Weights) -> float:
    if not memories:
        return 0.0
    kinds = {kind for name in asked.about for kind in _KINDS.get(name, ())}
    score = weights.fact + weights.kind * any(memory.kind in kinds for memory in memories)
    if "when" in asked.about:
        score += weights.dated * any(memory.event is not None and memory.event.since is not None for memory in memories)
    if asked.windows:
        score += weights.event * any(_inside(memory, asked.windows) for memory in memories)
    return score


def _is_about(chain: Chain, slots: Collection[MemoryId], asked: Asked) -> bool:
    """True when the question asks for this chain's slot, or names a value it held."""
    last = chain[-1]
    if not last.attribute or last.modality is not Modality.ASSERTED:
        return False
    if any(memory.id in slots for memory in chain):
        return True
    return is_known(last.attribute) and any(memory.value and set(terms(memory.value)) <= asked.words for memory in chain)


def _share(memories: Sequence[Memory], slots: Collection[MemoryId], asked: Asked) -> float:
    """How much of the question the slot covers."""
    there = [slot_words(memory.attribute) for memory in memories if memory.id in slots]
    shares = (sum(not forms.isdisjoint(words) for forms in asked.sought) for words in there)
    return max(shares, default=0) / max(1, len(asked.sought))


def _inside(memory: Memory, windows: Sequence[Window]) -> bool:
    event = memory.event
    if event is None or event.since is None or event.until is None:
        return False
    return any(
        window.since is not None and window.until is not None and event.since < window.until and event.until > window.since
        for window in windows
    )
