"""How much a statement is likely to be needed again, from plain signs.

Rule of this file: pure. The numbers were fitted on public dialogues, leaving each out in turn, and rounded; benchmarks/README.md
says what each sign is worth.
"""

from __future__ import annotations

import re
from math import exp

from muniment.compact.rules_stated import AtomKind, Clause
from muniment.compact.rules_statements import Statement
from muniment.compact.words_worth import COMMON

_BEGIN = -3.8
_TOLD, _MOST_TOLD = 2.6, 8
_NAMED, _MOST_NAMED = 2.3, 3
_DATED = 1.9
_COUNTED = 0.5
_EXACT = 1.5
_QUOTED = 1.2
_ANSWERS = 0.9
_ASKS = -0.8
_YOU = -0.7
_QUOTES = re.compile(r"[\"\u201c\u201e\u00ab][^\"\u201d\u00bb]{2,}[\"\u201d\u00bb]")
_TO_YOU = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)


def worth(statement: Statement, speakers: frozenset[str]) -> float:
    """Between 0 and 1. `speakers` are words of the names of who speaks: to be called by name tells little."""
    kinds = {atom.kind for clause in statement.clauses for atom in clause.atoms}
    told = {word for clause in statement.clauses for word in telling(clause)}
    score = _BEGIN + _TOLD * min(len(told), _MOST_TOLD) / _MOST_TOLD
    score += _NAMED * min(len(names_of(statement, speakers)), _MOST_NAMED) / _MOST_NAMED
    score += _DATED * bool(kinds & {AtomKind.DATE, AtomKind.TIME}) + _COUNTED * (AtomKind.NUMBER in kinds)
    score += _EXACT * (AtomKind.CODE in kinds) + _QUOTED * bool(_QUOTES.search(statement.text))
    score += _ANSWERS * statement.answers + _ASKS * statement.asks + _YOU * bool(_TO_YOU.search(statement.text))
    return 1 / (1 + exp(-score))


def telling(clause: Clause) -> frozenset[str]:
    """The words of a clause that tell something: all but those that every talk is full of."""
    return clause.words - COMMON


def names_of(statement: Statement, speakers: frozenset[str]) -> frozenset[str]:
    """Whom and what a statement names, besides who speaks."""
    return frozenset(name for clause in statement.clauses for name in clause.names if not speakers.issuperset(name.split()))
