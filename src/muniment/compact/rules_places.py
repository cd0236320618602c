"""Where in a clause a thing stands: what it counts, whence and whither, who does it to whom.

Rule of this file: pure. Two clauses that say the same words are compared by what stands beside what; only where the source has
another thing in the same place is a place wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from muniment.compact.rules_stated import Atom, AtomKind, Clause, stem_of
from muniment.compact.words_stated import ANTONYMS

_CONTRARY: Final = {
    (stem_of(one), stem_of(other)) for pair in ANTONYMS for one, other in (pair, pair[::-1]) if stem_of(one) != stem_of(other)
}
_PLACED = re.compile(r"\b(from|to|before|after|until|since|below|above|between)\s+(?:the\s+)?\W?$", re.IGNORECASE)
_ASIDE = re.compile(r"\b(?:for|of|to|by|with|from|in|on|at|about)\s+(?:(?:the|a|an|his|her|their|my|our)\s+)?$", re.IGNORECASE)
_LOOK_BACK = 16
_PRONOUN = re.compile(
    r"(?:\W*(?:and|but|so|then|because|while|when|if)\b)?\W*(?:he|she|it|they|you|we|i|this|that|these|those|there|who|which)\b",
    re.IGNORECASE,
)
_DATES = frozenset((AtomKind.DATE, AtomKind.TIME))


def contrary(word: str, source: Clause, clause: Clause) -> str:
    """The word of the source that says the contrary of `word`, where the clause does not say it too, or ""."""
    return next((other for other in source.words - clause.words if (word, other) in _CONTRARY), "")


def misplaced(atom: Atom, clause: Clause, source: Clause, same: Callable[[Atom, Atom], bool]) -> Atom | None:
    """The thing that the source has where the clause has this one, when it has this one elsewhere."""
    here = _beside(atom, clause)
    alike = [one for one in source.atoms if one.kind is atom.kind]
    if not here or len(alike) == 1:
        return None
    own = {place for one in alike if same(atom, one) for place in _beside(one, source)}
    rivals = [one for one in alike if not same(atom, one)]
    return next((one for one in rivals if (here & _beside(one, source)) - own), None)


def _beside(atom: Atom, clause: Clause) -> set[tuple[str, str]]:
    found = set()
    before = clause.text[max(0, atom.start - clause.start - _LOOK_BACK) : atom.start - clause.start]
    if placed := _PLACED.search(before):
        found.add(("place", placed[1].casefold()))
    at = bisect_left([place for _, place in clause.stems], atom.start)
    if atom.kind is AtomKind.NUMBER and at < len(clause.stems) and clause.stems[at][1] - atom.end <= 1:
        found.add(("counts", clause.stems[at][0]))
    if atom.kind in _DATES and at and atom.start - clause.stems[at - 1][1] <= _LOOK_BACK:
        found.add(("when", clause.stems[at - 1][0]))
    return found


def subject(clause: Clause) -> frozenset[str]:
    """The words a clause is about, those it begins with; none where that is a pronoun."""
    if _PRONOUN.match(clause.text):
        return frozenset()
    named = next((atom for atom in clause.atoms if atom.kind in {AtomKind.NAME, AtomKind.CODE}), None)
    if named is not None and (not clause.stems or named.start < clause.stems[0][1]):
        return frozenset(named.value.split())
    return frozenset((clause.stems[0][0],)) if clause.stems else frozenset()


def is_aside(word: str, clause: Clause) -> bool:
    """Whether a word stands behind a preposition, and so is not what anything is said of."""
    places = [at for one, at in clause.stems if one == word]
    places += [atom.start for atom in clause.atoms if word in atom.value.split()]
    return all(_ASIDE.search(clause.text, max(0, at - clause.start - _LOOK_BACK), at - clause.start) for at in places)


def swapped(clause: Clause, source: Clause) -> tuple[str, str] | None:
    """The two things that changed places around what one does to the other, or None."""
    if clause.passive or source.passive:
        return None
    ours, theirs = _order(clause), _order(source)
    if not ours or not theirs or ours[0] == theirs[0] or theirs[0] not in ours or ours[0] not in theirs:
        return None
    other, one = ours[0], theirs[0]
    between = set(ours[1 : ours.index(one)]) & set(theirs[1 : theirs.index(other)])
    return (one, other) if between else None


def _order(clause: Clause) -> list[str]:
    things = [(at, word) for word, at in clause.stems]
    things += [(atom.start, atom.value) for atom in clause.atoms if atom.kind is AtomKind.NAME]
    return [word for _, word in sorted(things)]
