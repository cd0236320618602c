"""Which records answer a question best, and why.

Rule of this file: pure and deterministic. Every store hands over the same columns and gets the same ranking, and nothing outside
the shelves it is given (a scope and its ancestors) can move a score. Without vectors the other reasons still rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

import numpy as np

from muniment.retrieve.question import Question, read_question
from muniment.retrieve.rules_columns import ROLES, Bools, Columns, Places, Scores, allowed, columns
from muniment.retrieve.rules_confidence import confidence
from muniment.retrieve.rules_evidence import Evidence, gather
from muniment.retrieve.weights import Weights
from muniment.shelf import Ints, Place, Shelf
from muniment.text.names import named
from muniment.types import Filter, Role

__all__ = ["Question", "Ranked", "Ranking", "Weights", "askers", "rank", "read_question", "speakers_named"]

_LEAST = float(np.finfo(np.float64).min)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One record chosen: its best `passage`, the share of each reason in its `score`, and the words of the question it holds.

    `relevance` is 0 to 1 and comparable between questions: how much of the question it covers, in words or in meaning.
    """

    place: Place
    score: float
    relevance: float
    passage: tuple[int, int]
    channels: Mapping[str, float]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Records best first. `searched` counts the records looked at, `below` those left out for too little relevance.

    `inside` counts the passages said inside the question's windows, `nearest` is the time closest to them when there are none.
    `confidence`, 0 to 1, says how likely the answer is among them, as far as the records' own words and speakers tell.
    `unheld` are the words of the question that no record holds. `blank` counts passages without a vector although the question
    has one.
    """

    ranked: tuple[Ranked, ...] = ()
    searched: int = 0
    below: int = 0
    speakers: tuple[str, ...] = ()
    inside: int = 0
    nearest: datetime | None = None
    unheld: tuple[str, ...] = ()
    blank: int = 0
    confidence: float = 0.0

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the records are, best first."""
        return tuple(one.place for one in self.ranked)


def speakers_named(shelves: Sequence[Shelf], text: str) -> tuple[str, ...]:
    """The speakers on these shelves whom `text` names, each once."""
    return named(text, dict.fromkeys(name for shelf in shelves for name in shelf.speakers.values()))


def askers(shelves: Sequence[Shelf]) -> tuple[str, ...]:
    """The speakers on these shelves who speak as the user, each once."""
    names = (
        shelf.speakers[code]
        for shelf in shelves
        for code in np.unique(shelf.head["speaker"][shelf.head["role"] == ROLES[Role.USER]]).tolist()
    )
    return tuple(dict.fromkeys(names))


def rank(
    shelves: Sequence[Shelf],
    question: Question,
    *,
    weights: Weights,
    limit: int,
    where: Filter,
    threshold: float = 0.0,
    only: Places | None = None,
) -> Ranking:
    """The `limit` records of these shelves that answer `question` best, of those that pass `where`, and are among `only`.

    A record counts by its best passage. It needs a word of the question in or next to it, some nearness in meaning, or to be
    said when the question asks about; and a relevance of at least `threshold`. Equal scores put the narrower scope first, then
    the later arrival.
    """
    numbers = [number for number, shelf in enumerate(shelves) if len(shelf)]
    if not numbers:
        return Ranking()
    found = columns([shelves[number] for number in numbers])
    speakers = speakers_named(found.shelves, question.text)
    evidence = gather(found, question, speakers=speakers, weights=weights)
    total = reduce(np.add, evidence.shares.values())
    counts = evidence.counts
    if (ok := allowed(found, where, only)) is not None:
        counts &= ok
    below = 0
    if threshold > 0:
        kept = counts & (evidence.relevance >= threshold)
        below = _records(found, counts) - _records(found, kept)
        counts = kept
    total[~counts] = -np.inf
    time = evidence.time
    return Ranking(
        ranked=_ranked(found, evidence, total, _best(found, total, limit), numbers),
        searched=len(found.records),
        below=below,
        speakers=speakers,
        inside=time.inside if time else 0,
        nearest=time.nearest if time else None,
        unheld=evidence.unheld(),
        blank=evidence.blank,
        confidence=confidence(evidence.closeness, evidence.lead, 0.0 if speakers else evidence.missing())
        if counts.any()
        else 0.0,
    )


def _records(found: Columns, counts: Bools) -> int:
    """How many records have a passage that counts."""
    return int(np.count_nonzero(np.logical_or.reduceat(counts, found.records)))


def _best(found: Columns, total: Scores, limit: int) -> Ints:
    """Numbers of the best records, best first; of equal ones those of the narrower scope, then the later arrival, first."""
    score = total if len(found.records) == len(found) else np.maximum.reduceat(total, found.records)
    enough = _LEAST
    if len(score) > limit:
        enough = max(enough, float(np.partition(score, len(score) - limit)[len(score) - limit]))
    picked = (score >= enough).nonzero()[0]
    at = found.records[picked]
    order = np.lexsort((-found.head["seq"][at].astype(np.int64), found.shelf[at], -score[picked]))
    return picked[order[:limit]]


def _ranked(found: Columns, evidence: Evidence, total: Scores, chosen: Ints, numbers: Sequence[int]) -> tuple[Ranked, ...]:
    at = chosen if len(found.records) == len(found) else _passages(found, total, chosen)
    head = found.head[at]
    names = tuple(evidence.shares)
    shares = zip(*(evidence.shares[name][at].tolist() for name in names), strict=True)
    held = evidence.matches.rows_in(at, len(found))
    relevance = np.minimum(1.0, np.maximum(0.0, evidence.relevance[at]))
    columns = (total[at], found.shelf[at], head["seq"], head["start"], head["end"], relevance)
    return tuple(
        Ranked(
            place=Place(numbers[shelf], seq),
            score=score,
            relevance=close,
            passage=(start, end),
            channels={name: value for name, value in zip(names, share, strict=True) if value},
            terms=tuple(evidence.words[row].word for row in held[entry]),
        )
        for entry, share, score, shelf, seq, start, end, close in zip(
            at.tolist(), shares, *(column.tolist() for column in columns), strict=True
        )
    )


def _passages(found: Columns, total: Scores, chosen: Ints) -> Ints:
    """The entry that is the best passage of each of these records."""
    starts = [*found.records.tolist(), len(found)]
    spans = [(starts[number], starts[number + 1]) for number in chosen.tolist()]
    return np.array([low if high - low == 1 else low + int(total[low:high].argmax()) for low, high in spans], np.int64)
