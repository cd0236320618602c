"""How much a statement is likely to be needed again, from plain signs.

Rule of this file: pure. The numbers were fitted on public dialogues, leaving each out in turn, and rounded; benchmarks/README.md
says what they come to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from typing import Final

from muniment.compact.rules_stated import AtomKind, Clause
from muniment.compact.rules_statements import Statement
from muniment.compact.words_worth import COMMON

SIGNS: Final = {
    "begin": -3.9,
    "told": 2.1,
    "named": 2.9,
    "dated": 1.7,
    "counted": 0.5,
    "exact": 1.5,
    "quoted": 1.1,
    "answers": 0.7,
    "asks": -0.5,
    "you": -0.5,
    "me": 0.6,
    "done": 0.4,
    "described": -0.6,
    "echoed": 0.3,
    "opens": 0.6,
    "about that": -0.4,
    "mentioned": 3.0,
    "result": -2.0,
}
"""What each sign adds to the odds, as a logarithm. The dialogues know no codes and no tools: those three are set by hand."""
_MOST_TOLD, _MOST_NAMED, _MOST_ECHOED = 8, 3, 2
_QUOTES = re.compile(r"[\"\u201c\u201e\u00ab][^\"\u201d\u00bb]{2,}[\"\u201d\u00bb]")
_TO_YOU = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)
_OF_ME = re.compile(r"\b(?:I|[Mm]y|[Mm]ine|[Ww]e|[Oo]ur|us)\b")
_DONE = re.compile(r"\b(?:\w{2,}ed|went|got|had|took|made|bought|won|met|saw|began|found|gave|was|were)\b", re.IGNORECASE)
_DESCRIBED = re.compile(r"^\W*\[[^\]]*\]\W*$|\[(?:image|photo|video|audio|file)\b")
_OF_THAT = re.compile(r"^\W*(?:(?:oh|wow|yeah|yes|aw+|haha)\W+)?(?:that|it|this|they|those|these)\b", re.IGNORECASE)


def worths(said: Sequence[Statement], speakers: frozenset[str]) -> list[float]:
    """Between 0 and 1 for each. `speakers` are words of the names of who speaks: to be called by name tells little."""
    told = [_told(one) for one in said]
    echoes = _echoes(said, told)
    return [_odds(signs(one, words=told[at], echoed=echoes[at], speakers=speakers)) for at, one in enumerate(said)]


def _odds(found: dict[str, float]) -> float:
    return 1 / (1 + exp(-sum(SIGNS[name] * value for name, value in found.items())))


def signs(statement: Statement, *, words: frozenset[str], echoed: int, speakers: frozenset[str]) -> dict[str, float]:
    """The signs of a statement, each 0 to 1."""
    kinds = {atom.kind for clause in statement.clauses for atom in clause.atoms}
    text = statement.text
    return {
        "begin": 1,
        "told": min(len(words), _MOST_TOLD) / _MOST_TOLD,
        "named": min(len(names_of(statement, speakers)), _MOST_NAMED) / _MOST_NAMED,
        "dated": float(bool(kinds & {AtomKind.DATE, AtomKind.TIME})),
        "counted": float(AtomKind.NUMBER in kinds),
        "exact": float(AtomKind.CODE in kinds),
        "quoted": float(bool(_QUOTES.search(text))),
        "answers": float(statement.answers),
        "asks": float(statement.asks),
        "you": float(bool(_TO_YOU.search(text))),
        "me": float(bool(_OF_ME.search(text))),
        "done": float(bool(_DONE.search(text))),
        "described": float(bool(_DESCRIBED.search(text))),
        "echoed": min(echoed, _MOST_ECHOED) / _MOST_ECHOED,
        "opens": float(statement.opens),
        "about that": float(bool(_OF_THAT.search(text))),
        "mentioned": float(statement.mentioned),
        "result": float(bool(statement.part)),
    }


def _echoes(said: Sequence[Statement], told: Sequence[frozenset[str]]) -> list[int]:
    """How many of the telling words of each are taken up in the next turn, if somebody else's."""
    turns: dict[int, frozenset[str]] = {}
    speakers: dict[int, str] = {}
    for one, words in zip(said, told, strict=True):
        turns[one.turn] = turns.get(one.turn, frozenset()) | words
        speakers[one.turn] = one.speaker
    return [
        len(words & turns.get(one.turn + 1, frozenset())) if speakers.get(one.turn + 1) != one.speaker else 0
        for one, words in zip(said, told, strict=True)
    ]


def _told(statement: Statement) -> frozenset[str]:
    return frozenset(word for clause in statement.clauses for word in telling(clause))


def telling(clause: Clause) -> frozenset[str]:
    """The words of a clause that tell something: all but those that every talk is full of."""
    return clause.words - COMMON


def names_of(statement: Statement, speakers: frozenset[str]) -> frozenset[str]:
    """Whom and what a statement names, besides who speaks."""
    return frozenset(name for clause in statement.clauses for name in clause.names if not speakers.issuperset(name.split()))
