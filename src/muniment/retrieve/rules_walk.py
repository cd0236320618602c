"""The walk from the entities a question names over what ties them to others: who and what it comes by, and which records.

Rule of this file: pure and bounded. What spreads fades with every hop, by how often a name is named and by how little of the
question a tie tells of; a tie that no longer holds counts only where the question is about what was.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log2

from muniment.knowledge.entities import keys_of
from muniment.knowledge.values import Entity, EntityId, Memory, Mention, Modality, Status
from muniment.retrieve.question import Question
from muniment.retrieve.rules import Ranked
from muniment.retrieve.rules_asked import asks_for
from muniment.retrieve.rules_slots import slot_words
from muniment.text.names import may_name, named
from muniment.text.terms import terms
from muniment.text.times import Window
from muniment.types import RecordId, Trust

HOPS = 2
FADES = 0.6
"""What is left of a share after a hop."""
UNTOLD = 0.4
"""What a tie passes on that holds no other word of the question; one that holds them all passes on everything."""
COMMON = 3.0
"""The larger, the more a name that many records hold still says."""
HEAD = 60
"""Characters at the beginning of a record: what is named there is what it is about."""
ASIDE = 0.5
"""What a record counts that names an entity further on, or as the object of what it tells."""
MOST_SEEDS = 4
MOST_BETWEEN = 6
"""Entities, one hop away, from which the walk goes on."""
MOST_NAMES = 60
"""Names in the best candidates that are looked up."""
_LONGEST_RUN = 6
_OF_WHAT_WAS = frozenset(("first", "past", "change"))
_EXACT = ("name:", "given:", "surname:", "joined:", "email:")
_CAPITAL = r"[^\W\d_a-z][\w'\u2019.&-]*"
_RUN = re.compile(rf"{_CAPITAL}(?:\s+(?:(?:of|the|de|van|von|and)\s+)?{_CAPITAL}){{0,{_LONGEST_RUN}}}")
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*")
_POSSESSIVE = re.compile(r"['\u2019]s?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """An entity or a record that a walk came by: its share, 0 to 1, the entities on the way, and whether all of it is trusted.

    `begins` is the candidate at which the way begins, when that is not the question itself.
    """

    share: float
    path: tuple[EntityId, ...]
    hops: int
    trusted: bool = True
    begins: RecordId | None = None


def name_keys(text: str, *, loose: bool) -> tuple[str, ...]:
    """Lookup keys of the entities that `text` names. `loose`: pairs of words are names where no word is written like one."""
    runs = [match[0] for match in _RUN.finditer(text)]
    if loose and (not may_name(text)):
        runs = [" ".join(pair) for pair in _pairs(text)]
    keys: dict[str, None] = {}
    for run in dict.fromkeys(runs):
        for name in _within(run, every=loose):
            found = keys_of(Mention(text=name, start=0, end=0))
            keys.update(dict.fromkeys(key for key in found if key.startswith(_EXACT if loose else _EXACT[0])))
            if len(keys) >= MOST_NAMES:
                return tuple(keys)[:MOST_NAMES]
    return tuple(keys)


def _pairs(text: str) -> list[tuple[str, ...]]:
    words = _WORD.findall(text)
    return list(pairwise(words)) or [tuple(words)]


def _within(run: str, *, every: bool) -> Iterable[str]:
    """The run, and the names that may be parts of it."""
    words = [bare for word in run.split() if (bare := _POSSESSIVE.sub("", word.rstrip(".")))]
    yield " ".join(words)
    spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1) if j - i < len(words)]
    for first, end in spans if every else [span for span in spans if span[1] - span[0] == len(words) - 1 > 1]:
        if words[first][:1].isupper() or not run[:1].isupper():
            yield " ".join(words[first:end])


def named_in(known: Iterable[Entity], keys: Collection[str], text: str, speakers: Sequence[str]) -> list[Entity]:
    """Those of the known entities that a question names: looked up by a key of it, and by a name that stands in it."""
    said = f"{text} {' '.join(speakers)}"
    found = {entity.id: entity for entity in known if not set(keys).isdisjoint(entity.keys)}
    return [entity for entity in found.values() if named(said, [alias.text for alias in entity.aliases])]


def tells(one: Ranked, rest: Sequence[frozenset[str]]) -> float:
    """How much the rest of the question speaks for a record: by its words, or by how near it comes as a whole."""
    held = set(one.terms)
    told = sum(not held.isdisjoint(forms) for forms in rest) / max(1, len(rest))
    return max(told, one.relevance)


def rarity(entity: Entity) -> float:
    """1 for what one record names, less for what many do: a name that is everywhere says little."""
    named = sum(alias.count for alias in entity.aliases)
    return 1 / (1 + log2(max(1, named)) / COMMON)


def records_naming(entity: Entity, memories: Iterable[Memory], most: int) -> dict[RecordId, float]:
    """The last records that name an entity or prove what is known of it, each with how much it is about it."""
    named: dict[RecordId, float] = {}
    for proof in [proof for alias in entity.aliases for proof in alias.evidence][-most:]:
        named[proof.record] = max(named.get(proof.record, 0.0), 1.0 if proof.start < HEAD else ASIDE)
    for memory in memories:
        about = 1.0 if memory.subject_id == entity.id else ASIDE
        for proof in memory.evidence:
            if not proof.lends:
                named[proof.record] = max(named.get(proof.record, 0.0), about)
    return named


def remaining(question: Question, named: Iterable[Entity]) -> tuple[frozenset[str], ...]:
    """The forms of the question's words that name none of these entities."""
    gone = {term for entity in named for alias in entity.aliases for term in terms(alias.text)}
    return tuple(forms for term in question.terms if gone.isdisjoint(forms := frozenset(term.forms)))


def passes_on(memory: Memory, question: Question, rest: Sequence[frozenset[str]]) -> float:
    """What a memory passes on to whom it ties: by how much of the rest of the question it tells; 0 where it does not hold."""
    if memory.negated or memory.modality not in (Modality.ASSERTED, Modality.PLANNED) or not _holds(memory, question):
        return 0.0
    words = slot_words(memory.attribute).union(terms(memory.text))
    told = sum(not words.isdisjoint(forms) for forms in rest) / max(1, len(rest))
    return UNTOLD + (1 - UNTOLD) * told


def _holds(memory: Memory, question: Question) -> bool:
    if question.held:
        return memory.status in (Status.CURRENT, Status.SUPERSEDED) and any(_valid_in(memory, w) for w in question.held)
    if memory.status is Status.CURRENT:
        dated = [window for window in question.windows if window.since is not None and window.until is not None]
        return not dated or any(_valid_in(memory, window) for window in dated)
    return memory.status is Status.SUPERSEDED and (bool(question.windows) or bool(asks_for(question.text) & _OF_WHAT_WAS))


def _valid_in(memory: Memory, window: Window) -> bool:
    """True unless the memory is known to hold outside of the window alone."""
    begins, ends = memory.valid_from, memory.valid_to
    return not (
        (begins is not None and window.until is not None and begins >= window.until)
        or (ends is not None and window.since is not None and ends <= window.since)
    )


def ends_of(memory: Memory) -> tuple[EntityId, ...]:
    """The entities that a memory ties to each other, each once."""
    return tuple(dict.fromkeys(one for one in (memory.subject_id, memory.object_id, *memory.entities) if one))


def starts_from(named: Sequence[Entity]) -> dict[EntityId, Reached]:
    """The entities of the question, the rarest first."""
    first = sorted(named, key=lambda entity: (-rarity(entity), entity.id))[:MOST_SEEDS]
    return {entity.id: Reached(share=1.0, path=(entity.id,), hops=0) for entity in first}


def hop(
    reached: Mapping[EntityId, Reached],
    ties: Mapping[EntityId, Sequence[tuple[Memory, float]]],
    weigh: Mapping[EntityId, float],
) -> dict[EntityId, Reached]:
    """The entities one hop on from these over their ties, each with what it is passed; those reached already are left out.

    `weigh` is how much each of the entities that are left says.
    """
    passed: dict[EntityId, list[Reached]] = {}
    for start, here in reached.items():
        for memory, fit in ties.get(start, ()):
            share = here.share * FADES * fit * weigh.get(start, 1.0)
            for end in ends_of(memory):
                if share > 0 and end not in reached:
                    trusted = here.trusted and memory.trust is Trust.TRUSTED
                    on = Reached(share=share, path=(*here.path, end), hops=here.hops + 1, trusted=trusted, begins=here.begins)
                    passed.setdefault(end, []).append(on)
    return {end: strongest(ways) for end, ways in passed.items()}


def strongest(ways: Sequence[Reached]) -> Reached:
    """The best of several ways to one thing; of equal ones the shorter, then by the names of its entities."""
    return min(ways, key=lambda way: (-way.share, way.hops, not way.trusted, way.path))


def nearest(reached: Mapping[EntityId, Reached], most: int) -> dict[EntityId, Reached]:
    """The `most` of these with the largest shares."""
    best = sorted(reached, key=lambda one: (-reached[one].share, one))[:most]
    return {one: reached[one] for one in best}


def records_of(
    reached: Mapping[EntityId, Reached], named_by: Mapping[EntityId, Mapping[RecordId, float]], weigh: Mapping[EntityId, float]
) -> dict[RecordId, Reached]:
    """The records that tell of an entity reached on the way, each by its best way; none is led to by its own words.

    `named_by` has the records of each entity, and how much each is about it.
    """
    ways: dict[RecordId, list[Reached]] = {}
    for entity, here in reached.items():
        if not here.hops:
            continue
        for record, about in named_by.get(entity, {}).items():
            if record != here.begins:
                way = replace(here, share=here.share * weigh.get(entity, 1.0) * about)
                ways.setdefault(record, []).append(way)
    return {record: strongest(some) for record, some in ways.items()}
