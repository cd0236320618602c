"""A passage of a document speaks for itself: what stands around it, and how it is told, count in talks alone.

Rule of this file: pure. So that passages and turns can be compared, a passage's own words and meaning count for a talk's context
too. Words of code are mostly pieces of names: where code is asked for, meaning counts in place of all but the names themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from muniment.retrieve.rules_columns import KINDS, Bools, Columns, Scores
from muniment.retrieve.rules_words import Matches
from muniment.retrieve.weights import Weights
from muniment.retrieve.words_code import CODE
from muniment.shelf import term_hashes
from muniment.text.terms import QuestionTerm
from muniment.types import Kind

NEAREST = 10
"""Code is asked for when half of this many entries, the nearest in meaning, are code."""
LEAST_SHARE = 1 / 16
"""Of a passage's words, those that programming languages use from which it is code; prose has one in forty at most."""

DEFINED_AND_USED = 2
"""A word that no more entries hold than this is a name; so is one that the question writes as code does (`os.path`)."""

_CODE = term_hashes(CODE.split())
_JOINS = frozenset("_.:")


def passages(found: Columns) -> Bools | None:
    """Entries that are passages of documents, or None where there are none."""
    there: Bools = found.head["kind"] == KINDS[Kind.PASSAGE]
    return there if there.any() else None


def asks_for_code(found: Columns, cosine: Scores, alone: Bools) -> bool:
    """Whether what is nearest to the question in meaning is code, in whatever language."""
    most = min(NEAREST, len(found))
    nearest = np.argpartition(-cosine, most - 1)[:most]
    return 2 * sum(_is_code(found, entry) for entry in nearest[alone[nearest]].tolist()) >= most


def _is_code(found: Columns, entry: int) -> bool:
    at = entry if found.order is None else int(found.order[entry])
    terms = found.terms[found.bounds[at] : found.bounds[at + 1]]
    held = np.isin(terms, _CODE)
    return len(np.unique(terms[held])) > 1 and int(np.count_nonzero(held)) >= LEAST_SHARE * len(terms)


def names_alone(matches: Matches, words: Sequence[QuestionTerm]) -> Matches:
    """The same matches, of which only names count."""
    plain = [held > DEFINED_AND_USED and _JOINS.isdisjoint(term.word) for term, held in zip(words, matches.held(), strict=True)]
    return replace(matches, count=np.where(np.array(plain, np.bool_)[matches.row], 0.0, matches.count))


def by_themselves(shares: dict[str, Scores], alone: Bools, weights: Weights, *, names: Scores | None) -> None:
    """Put right what counts for the passages in `shares`. `names`, where code is asked for, is what its names are worth."""
    shares["telling"][alone] = 0
    meaning = shares.get("meaning")
    if meaning is None:
        shares["context"][alone] = weights.conversation * shares["words"][alone] / max(weights.words, 1.0)
    elif names is None:
        own = shares["words"][alone] + meaning[alone]
        shares["context"][alone] = own * (weights.conversation / max(weights.words + weights.meaning, 1.0))
    else:
        shares["words"][alone] = weights.words * names[alone]
        shares["context"][alone] = meaning[alone] * ((weights.conversation + weights.words) / max(weights.meaning, 1.0))
