"""What speaks for each entry: its words, its meaning, what stands around it, who said it and when.

Rule of this file: every reason is an array over entries and the score is their sum, so that a hit can show each share of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from muniment.retrieve.question import Question
from muniment.retrieve.rules_columns import ROLES, Bools, Columns, Scores
from muniment.retrieve.rules_passages import asks_for_code, by_themselves, names_alone, passages
from muniment.retrieve.rules_time import Nearness, nearness
from muniment.retrieve.rules_words import Matches, match, score_words
from muniment.retrieve.weights import Weights
from muniment.shelf import Ints
from muniment.text.names import without_terms
from muniment.text.terms import ASKS, FIRST_PERSON, TELLS_TIME, QuestionTerm
from muniment.types import Role

_MARKS: tuple[tuple[str, ...], ...] = ((ASKS,), (TELLS_TIME,), FIRST_PERSON)
_MOST_SAID = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Per entry, in layout order: the `shares` that add up to its score, whether it `counts` as a hit at all, its `relevance`.

    `words` are the terms looked for and `matches` where they stand. `blank` counts entries that have no vector although the
    question has one. `closeness` is how much of the question the closest entry holds itself, in words and in meaning together (0
    to about 2); `lead` how far the closest of those whom the question names is ahead of all others (0 where it names nobody).
    """

    shares: dict[str, Scores]
    counts: Bools
    relevance: Scores
    words: Sequence[QuestionTerm]
    matches: Matches
    time: Nearness | None
    blank: int
    closeness: float
    lead: float

    def missing(self) -> float:
        """The share of the words looked for that no entry holds, rare ones counting more."""
        held = np.array(self.matches.held(), np.float64)
        rarity = np.log1p((len(self.counts) - held + 0.5) / (held + 0.5))
        return float(rarity[held == 0].sum() / rarity.sum()) if len(held) else 0.0

    def unheld(self) -> tuple[str, ...]:
        """Words that no entry holds."""
        return tuple(term.word for term, held in zip(self.words, self.matches.held(), strict=True) if not held)


def gather(found: Columns, question: Question, *, speakers: Sequence[str], weights: Weights) -> Evidence:
    """All reasons for all entries. `speakers` are those whom the question names; they are not looked for as words."""
    words = without_terms(question.terms, speakers)
    matches = match(found, [*_MARKS, *(term.forms for term in words)])
    marks, matches = matches.split(len(_MARKS))
    own, around = score_words(found, matches, weights)
    alone, names = passages(found), None
    if alone is not None:
        around = np.where(alone, own, around)
    shares: dict[str, Scores] = {"words": weights.words * own, "context": weights.words * (around - own)}
    relevance = np.minimum(around, 1.0)
    holds = own
    counts = around > 0
    blank = 0 if question.vector is None else len(found)
    if question.vector is not None and found.vectors.shape[1] == len(question.vector):
        cosine = found.cosines(question.vector)
        best = found.best_of_talk(cosine)
        shares["meaning"] = weights.meaning * cosine
        holds = own + cosine
        shares["context"] += weights.nearby * _neighbours(cosine, found.talk)
        shares["context"] += weights.conversation * best
        np.maximum(relevance, cosine, out=relevance)
        counts |= (cosine >= weights.least_meaning) | (best >= weights.least_conversation)
        if alone is not None and asks_for_code(found, cosine, alone):
            names, _ = score_words(found, names_alone(matches, words), weights)
        blank = len(found) - sum(int(np.count_nonzero(shelf.embedded)) for shelf in found.shelves)
    else:
        shares["context"] += weights.conversation * found.best_of_talk(around)
        counts |= not (words or question.windows)  # nothing can be looked for: the latest records are better than none
    said = _said_by(found, question, speakers)
    if said is not None:
        shares["speaker"] = weights.speaker * said.astype(np.float64)
    time = nearness(found.head["said_at"], question.windows, weights) if question.windows else None
    if time is not None:
        shares["time"] = weights.time * time.score
        inside = time.score == 1
        counts |= inside
        np.maximum(relevance, weights.inside * inside, out=relevance)
    shares["telling"] = weights.telling * _telling(marks, len(found))
    if alone is not None:
        by_themselves(shares, alone, weights, names=names)
    lead = 0.0 if said is None or not speakers else float(holds[said].max() - holds[~said].max())
    return Evidence(
        shares=shares,
        counts=counts,
        relevance=relevance,
        words=words,
        matches=matches,
        time=time,
        blank=blank,
        closeness=float(holds.max()),
        lead=lead,
    )


def _neighbours(values: Scores, talk: Ints) -> Scores:
    """For each entry, the sum over the entries right before and after it in its conversation."""
    together = talk[1:] == talk[:-1]
    out = np.zeros(len(values))
    np.multiply(values[:-1], together, out=out[1:])
    out[:-1] += values[1:] * together
    return out


def _said_by(found: Columns, question: Question, speakers: Sequence[str]) -> Bools | None:
    """Entries said by whom the question is about: the speakers it names, the assistant for "you", the user for "me".

    None when all or none are.
    """
    if speakers:
        said = found.holds("speaker", speakers)
    elif question.of_assistant or question.of_oneself:
        said = found.head["role"] == ROLES[Role.ASSISTANT if question.of_assistant else Role.USER]
    else:
        return None
    return said if said.any() and not said.all() else None


def _telling(marks: Matches, size: int) -> Scores:
    """How much an entry is the telling of something: it says when, speaks in the first person, and is no question."""
    out = np.zeros(size)
    asks, tells, first = (marks.of(row) for row in range(len(_MARKS)))
    out[tells[0]] += 1
    out[first[0]] += np.minimum(first[1], _MOST_SAID) / _MOST_SAID
    out[asks[0]] -= 1
    return out
