"""The frozen values retrieve answers with: hits, the memories they prove, and whether the answer is whole.

Rule of this file: values only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from muniment.knowledge.contradicted import other_sides
from muniment.knowledge.unsaid import taken_back
from muniment.knowledge.values import Memory, Status
from muniment.types import Record, RecordId


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One piece of evidence and why it is here.

    `score` orders hits within one bundle, save where one source gives way to others, and means nothing across bundles. `channels`
    gives each channel's share of it (they add up to `score`), `terms` the words of the query it holds. `attached` marks context
    of the hit before it: a turn or passage beside it, or the start of its conversation; it has no score of its own.
    `relevance`, 0 to 1, does compare across bundles: how much of the query the record covers, in words or in meaning. `memories`
    are what the record proves, of any status: what no longer holds is marked and names what took its place. `against` is what
    other agents claim instead of it, each with its agent and speaker. `queries` are the numbers of the queries that found it,
    from 0, where several were asked. `path` are the names of the entities by which a walk reached it, from the question on.
    `window` is "inside" or "outside" of the stretch of time that is asked about, "" where none is or its own time is not known.
    """

    record: Record
    score: float
    tokens: int
    relevance: float = 0.0
    channels: Mapping[str, float] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    passage: tuple[int, int] = (0, 0)
    attached: bool = False
    memories: tuple[Memory, ...] = ()
    against: tuple[Memory, ...] = ()
    queries: tuple[int, ...] = (0,)
    path: tuple[str, ...] = ()
    window: str = ""

    @property
    def contradicted(self) -> tuple[Memory, ...]:
        """What the record proves that another agent contradicts."""
        others = {memory.id for memory in self.against}
        return tuple(m for m in self.memories if others.intersection(other_sides([m])))

    @property
    def outdated(self) -> tuple[Memory, ...]:
        """What the record proves that no longer holds, save what its own words put something else in place of."""
        own = {memory.id for memory in self.memories}
        over = [m for m in self.memories if m.status is Status.SUPERSEDED or taken_back(m, self.record.id)]
        return tuple(m for m in over if m.replaced_by not in own)

    @property
    def not_yet(self) -> bool:
        """True when all that the record proves holds only after the moment that is asked about."""
        return bool(self.memories) and all(memory.status is Status.NOT_YET for memory in self.memories)

    @property
    def superseded(self) -> bool:
        """True when the record proves something that no longer holds, and not what took its place."""
        return bool(self.outdated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Whether an answer is whole. `searched` counts the records looked at; `notes` says in sentences what was degraded."""

    searched: int
    embedder: str | None
    notes: tuple[str, ...] = ()

    @property
    def degraded(self) -> bool:
        """True when a channel was missing or something could not be read."""
        return bool(self.notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One thing that a question counts or lists, and the memories that tell of it."""

    name: str
    memories: tuple[Memory, ...]

    @property
    def evidence(self) -> tuple[RecordId, ...]:
        """The records that prove it, each once."""
        return _proofs(self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """All that a question counts or lists, from memories. Without items memories cannot answer, which is no proof of none.

    `count` is right also where `items` hold only the first of very many. `complete` is True when every memory of whom is asked
    was looked at and nothing is open: `uncertain` may belong, `past` would if it still held, `unread` are records that seem to
    tell of more without a memory of it. `selected` says by which slots, words and times; `notes` in sentences what is not sure.
    """

    items: tuple[Listed, ...]
    count: int
    complete: bool
    selected: str
    uncertain: tuple[Memory, ...] = ()
    past: tuple[Memory, ...] = ()
    unread: tuple[RecordId, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def evidence(self) -> tuple[RecordId, ...]:
        """The records that prove what is counted, each once."""
        return _proofs(memory for item in self.items for memory in item.memories)


def _proofs(memories: Iterable[Memory]) -> tuple[RecordId, ...]:
    return tuple(dict.fromkeys(one.record for memory in memories for one in memory.evidence if not one.lends))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """How one query was read, and how likely, 0 to 1, its own answer is among the hits that it found.

    `listing` is what it counts or lists, None where it does neither.
    """

    query: str
    confidence: float
    explanation: tuple[str, ...] = ()
    listing: Listing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What retrieve returns: hits best first, their tokens together, and health (empty is not the same as broken).

    `explanation` says in sentences how the query was read: dates and speakers it names, and when nothing comes close to it.
    `confidence`, 0 to 1, is how likely an answer is among the hits: what to go by when an agent may say that it does not know.
    Of several queries it is that of the least sure; `queries` tells of each, and `query` holds them in one text, a line each.
    `now` is the moment that the question was asked from: relative dates and ages are reckoned from it.
    """

    query: str
    hits: tuple[Hit, ...]
    tokens: int
    health: Health
    explanation: tuple[str, ...] = ()
    confidence: float = 0.0
    queries: tuple[Answered, ...] = ()
    now: datetime | None = None

    @property
    def listing(self) -> Listing | None:
        """What the first query that counts or lists asks for; None where none does."""
        return next((one.listing for one in self.queries if one.listing is not None), None)

    def found_by(self, number: int) -> int:
        """How many of the hits query `number` found, from 0."""
        return sum(number in hit.queries for hit in self.hits if not hit.attached)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What became of one record when a question was asked.

    `code` is found, filtered, below_threshold, below_limit, over_budget, no_match or not_searched. `rank` counts from 1 among all
    records that match at all (None where it does not), `hit` is the record with its scores there, `last` the score of the last
    hit that was given. `explanation` says it in sentences.
    """

    record: Record
    code: str
    rank: int | None
    hit: Hit | None
    last: float
    explanation: tuple[str, ...]
    now: datetime | None = None
