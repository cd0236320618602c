"""Whether a digest says what its source says: every clause of it beside the clauses it was made from.

Rule of this file: pure and deterministic. A clause is compared with the source that says most of its words; what is a number, a
date, a name, a limit or a negation there must be the same here. What no source says is invented. When in doubt it is told.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import log

from muniment.compact.rules_stated import Atom, AtomKind, Clause
from muniment.compact.words_stated import BINDING, LOOSE

MOST_SOURCES = 4
"""Clauses of the source that one clause of a digest may have been merged from."""
_CANDIDATES = 12
_UNSAID = 0.5
"""Share of a clause's words, by how rare they are, from which what no source says makes it invented."""
_ATOM = 0.6
_COMPARED = 0.4
_NEAREST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing a digest says otherwise (`kind` altered) or of itself (invented): the words, where, and why."""

    kind: str
    clause: Clause
    why: str
    atom: Atom | None = None
    source: Clause | None = None


@dataclass(slots=True)
class Source:
    """The clauses a digest is held against, with how rare their words are."""

    clauses: Sequence[Clause]
    _holding: dict[str, list[int]] = field(init=False, repr=False)
    _beside: dict[int, list[Clause]] = field(init=False, repr=False)
    _count: Counter[str] = field(init=False, repr=False)
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._holding, self._beside = defaultdict(list), defaultdict(list)
        for number, clause in enumerate(self.clauses):
            self._beside[clause.sentence].append(clause)
            for key in _keys(clause):
                self._holding[key].append(number)
        self._count = Counter(word for clause in self.clauses for word in clause.words)
        self.names = frozenset(name for clause in self.clauses for name in clause.names)

    def says(self, word: str) -> bool:
        """Whether any clause says this word."""
        return word in self._count

    def weight(self, words: Iterable[str]) -> float:
        """How much these words tell together: rare ones tell more."""
        size = len(self.clauses)
        return sum(log(1 + size / (self._count[word] + 0.5)) for word in words)

    def near(self, clause: Clause) -> list[Clause]:
        """The clauses that say most of what `clause` says, nearest first."""
        shared = Counter(number for key in _keys(clause) for number in self._holding.get(key, ()))
        best = sorted(shared, key=lambda number: (-shared[number], number))[: 4 * _CANDIDATES]
        return sorted((self.clauses[number] for number in best), key=lambda one: -self._likeness(clause, one))[:_CANDIDATES]

    def beside(self, clause: Clause) -> list[Clause]:
        """The other clauses of the sentence that a clause of the source stands in."""
        return [one for one in self._beside[clause.sentence] if one is not clause]

    def likeness(self, clause: Clause, other: Clause) -> float:
        """How much of `clause` the other says, about 0 to 1."""
        return self._likeness(clause, other)

    def _likeness(self, clause: Clause, other: Clause) -> float:
        own = _exact(clause)
        whole = self.weight(clause.words) + _ATOM * len(own)
        said = self.weight(clause.words & other.words) + _ATOM * len(own & _exact(other))
        return (said - 0.05 * self.weight(other.words - clause.words)) / whole if whole else 0.0


def faults(digest: Sequence[Clause], source: Source) -> tuple[Fault, ...]:
    """What the clauses of a digest say that the source does not."""
    return tuple(fault for clause in digest if clause.stems or clause.atoms for fault in _of_clause(clause, source))


def _of_clause(clause: Clause, source: Source) -> list[Fault]:
    near = source.near(clause)
    if not near:
        return [Fault(kind="invented", clause=clause, why="nothing in the source speaks of it")]
    best = near[0]
    beside = source.beside(best)
    missing = clause.words - best.words - {word for one in beside for word in one.words}
    others: list[Clause] = []
    for one in near[1:]:
        if not missing or len(others) == MOST_SOURCES - 1:
            break
        if one not in beside and (got := one.words & missing):
            others.append(one)
            missing -= got
    if fault := _invented(clause, missing, source, best):
        return [fault]
    found = [fault for atom in clause.atoms if (fault := _altered(atom, clause, best, (beside, others), source))]
    if source.likeness(clause, best) > _COMPARED:
        found += _turned(clause, best, (beside, others))
    return found


def _invented(clause: Clause, missing: Collection[str], source: Source, best: Clause) -> Fault | None:
    unheard = sorted(word for word in missing if not source.says(word))
    whole = source.weight(clause.words)
    told = ", ".join(unheard or sorted(missing))
    if clause.words and source.weight(missing) > _UNSAID * whole:
        return Fault(kind="invented", clause=clause, why=f"no source says {told}", source=best)
    if len(unheard) > 1 and 3 * len(unheard) > len(clause.words):
        return Fault(kind="invented", clause=clause, why=f"no source says {told}", source=best)
    for word, at in clause.stems:
        if word in unheard and clause.text[at - clause.start].isupper():
            return Fault(
                kind="altered", clause=clause, why=f"no source names {clause.text[at - clause.start :].split()[0]}", source=best
            )
    return None


def _altered(
    atom: Atom, clause: Clause, best: Clause, more: tuple[Sequence[Clause], Sequence[Clause]], source: Source
) -> Fault | None:
    """Why this atom is not what the source has in its place, or None."""
    there = [one for one in best.atoms if one.kind is atom.kind]
    if any(same(atom, one) for one in there):
        return None
    rivals = [one for one in there if not any(same(one, own) for own in clause.atoms)]
    around = [one for some in more for other in some for one in other.atoms]
    if not rivals:
        if any(same(atom, one) for one in around):
            return None
        if any(_stands_near(atom, clause, one) for one in source.clauses):
            return None
    told = f"{rivals[0].value} {rivals[0].unit}".strip() if rivals else "nothing of the kind"
    why = f"{f'{atom.value} {atom.unit}'.strip()}: the source has {told}"
    return Fault(kind="altered", clause=clause, why=why, atom=atom, source=best)


def same(atom: Atom, other: Atom) -> bool:
    """Whether two atoms are the same thing; one word of a name may stand for the whole."""
    if atom.kind is not other.kind:
        return False
    if atom.kind is AtomKind.NAME:
        return atom.value == other.value or atom.value in other.value.split() or other.value in atom.value.split()
    return atom.value == other.value and (atom.unit == other.unit or not (atom.unit and other.unit))


def _stands_near(atom: Atom, clause: Clause, other: Clause) -> bool:
    """Whether the other clause holds the atom beside what stands next to it here."""
    if not any(same(atom, one) for one in other.atoms):
        return False
    nearest = sorted(clause.stems, key=lambda one: abs(one[1] - atom.start))[:_NEAREST]
    names = [one for one in clause.atoms if one.kind is AtomKind.NAME and one is not atom]
    return any(word in other.words for word, _ in nearest) or any(same(name, one) for name in names for one in other.atoms)


def _turned(clause: Clause, best: Clause, more: tuple[Sequence[Clause], Sequence[Clause]]) -> list[Fault]:
    """Negations, limits and who acts, where they are not those of the source."""
    beside, others = more
    found = []
    merged = best.negations + sum(one.negations for one in others)
    if clause.negations % 2 not in {best.negations % 2, merged % 2} or (
        not others and clause.negations % 2 != best.negations % 2
    ):
        found.append(Fault(kind="altered", clause=clause, why="a negation is gone or was added", source=best))
    around = frozenset(limit for one in (best, *beside, *others) for limit in one.limits)
    lost, gained = (best.limits & BINDING) - clause.limits, (clause.limits & (BINDING | LOOSE)) - around
    if lost or gained:
        told = " and ".join([f"lost: {one}" for one in sorted(lost)] + [f"added: {one}" for one in sorted(gained)])
        found.append(Fault(kind="altered", clause=clause, why=f"a limit changed ({told})", source=best))
    agent = clause.agent or _opening(clause, (best, *beside))
    swapped = agent in best.names and best.agent in clause.names
    unknown = not clause.agent and best.agent not in clause.names
    if agent and best.agent and agent != best.agent and (swapped or unknown):
        found.append(Fault(kind="altered", clause=clause, why=f"{agent} does what {best.agent} did", source=best))
    return found


def _opening(clause: Clause, sources: Sequence[Clause]) -> str:
    """The word a clause opens with when it is written like a name and its sources do not say it."""
    if not clause.stems or clause.stems[0][1] != clause.start or not clause.text[0].isupper():
        return ""
    word = clause.stems[0][0]
    return "" if any(word in one.words for one in sources) else word


def _exact(clause: Clause) -> frozenset[tuple[str, str]]:
    return frozenset((atom.kind.value, atom.value) for atom in clause.atoms)


def _keys(clause: Clause) -> frozenset[str]:
    return clause.words | {f"{kind}:{value}" for kind, value in _exact(clause)}
