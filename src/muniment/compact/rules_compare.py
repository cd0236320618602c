"""Whether a digest says what its source says: every clause of it beside the clauses it was made from.

Rule of this file: pure and deterministic, linear in both texts. What stands in the source word by word, said by the same
speaker, is true to it. Any other clause is compared with the source that says most of its words; what is a number, a date, a
name, a limit or a negation there must be the same here. What no source says is invented. When in doubt it is told.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import log

from muniment.compact.rules_places import contrary, is_aside, misplaced, subject, swapped
from muniment.compact.rules_stated import Atom, AtomKind, Clause, stem_of
from muniment.compact.words_stated import BINDING, LOOSE, WHOLLY

MOST_SOURCES = 4
"""Clauses of the source that one clause of a digest may have been merged from."""
_CANDIDATES = 12
_LOOKED_AT = 1200
"""Places of words that are looked at for one clause, the rarest words first."""
_UNSAID = 0.5
"""Share of a clause's words, by how rare they are, from which what no source says makes it invented."""
_ATOM = 0.6
_MORE = 0.05
_COMPARED = 0.4
_NEAREST = 2
_BACK = 8
"""Clauses back in which whom a pronoun stands for is looked for."""
_BLANKS = re.compile(r"\s+")
_COUNTER = re.compile(r"\W*\d{1,3}[.)]?\W*")
_QUESTION = 0.5
"""What a question counts for as the source of what is no question."""
_OUTSIDE = " .,;:!?\"'\u2018\u2019\u201c\u201d"


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
    _beside: dict[tuple[int, int], list[Clause]] = field(init=False, repr=False)
    _number: dict[Clause, int] = field(init=False, repr=False)
    _group: list[int] = field(init=False, repr=False)
    _rare: dict[str, float] = field(init=False, repr=False)
    _word_by_word: dict[str, set[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._holding, self._beside, self._word_by_word = defaultdict(list), defaultdict(list), defaultdict(set)
        self._number, self._group = {}, []
        text = 0
        last: Clause | None = None
        for number, clause in enumerate(self.clauses):
            text += last is not None and clause.start < last.end
            last = clause
            self._number[clause] = number
            self._group.append(text)
            self._beside[text, clause.sentence].append(clause)
            self._word_by_word[_plainly(clause.text)].add(clause.speaker)
            for key in _keys(clause):
                self._holding[key].append(number)
        count = Counter(word for clause in self.clauses for word in clause.words | _named(clause))
        self._rare = {word: log(1 + len(self.clauses) / (times + 0.5)) for word, times in count.items()}

    def says(self, word: str) -> bool:
        """Whether any clause says this word."""
        return word in self._rare

    def says_so(self, clause: Clause) -> bool:
        """Whether a clause stands here word by word, said by the same speaker where both are told."""
        speakers = self._word_by_word.get(_plainly(clause.text))
        return speakers is not None and (not clause.speaker or "" in speakers or clause.speaker in speakers)

    def weight(self, words: Iterable[str]) -> float:
        """How much these words tell together: rare ones tell more."""
        unheard = log(1 + 2 * len(self.clauses))
        return sum(self._rare.get(word, unheard) for word in words)

    def near(self, clause: Clause) -> list[Clause]:
        """The clauses that say most of what `clause` says, nearest first."""
        shared: Counter[int] = Counter()
        looked = 0
        for places in sorted((self._holding[key] for key in _keys(clause) if key in self._holding), key=len):
            shared.update(places[: _LOOKED_AT - looked])
            looked += len(places)
            if looked >= _LOOKED_AT:
                break
        best = sorted(shared, key=lambda number: (-shared[number], number))[: 4 * _CANDIDATES]
        return sorted((self.clauses[number] for number in best), key=lambda one: -self.likeness(clause, one))[:_CANDIDATES]

    def holding(self, atom: Atom) -> Iterable[Clause]:
        """The clauses that hold an atom, as far as they are looked at."""
        numbers = {number for key in atom_keys(atom) for number in self._holding.get(key, ())[:_LOOKED_AT]}
        return [self.clauses[number] for number in sorted(numbers)]

    def beside(self, clause: Clause) -> list[Clause]:
        """The other clauses of the sentence that a clause of the source stands in."""
        group = self._group[self._number[clause]]
        return [one for one in self._beside[group, clause.sentence] if one is not clause]

    def meant(self, clause: Clause) -> frozenset[str]:
        """Whom the words of a clause may stand for without naming them: its speaker, and who was named last before."""
        found = {clause.speaker} if clause.speaker else set()
        if "second" in clause.persons:
            found |= {one.speaker for one in self._around(clause) if one.speaker}
        if "third" in clause.persons:
            number = self._number[clause]
            last = next(
                (one for one in reversed(self.clauses[max(0, number - _BACK) : number]) if one.names or one.speaker), None
            )
            found |= set() if last is None else {*last.names, *((last.speaker,) if not last.names else ())}
        return frozenset(found)

    def _around(self, clause: Clause) -> Sequence[Clause]:
        number = self._number[clause]
        return self.clauses[max(0, number - _BACK) : number + _BACK]

    def likeness(self, clause: Clause, other: Clause) -> float:
        """How much of `clause` the other says, about 0 to 1."""
        own = _exact(clause)
        whole = self.weight(clause.words) + _ATOM * len(own)
        said = self.weight(clause.words & other.words) + _ATOM * len(own & _exact(other))
        share = (said - _MORE * self.weight(other.words - clause.words)) / whole if whole else 0.0
        return share * (_QUESTION if other.asks and not clause.asks else 1.0)


def faults(digest: Sequence[Clause], source: Source) -> tuple[Fault, ...]:
    """What the clauses of a digest say that the source does not."""
    said = (clause for clause in digest if _tells(clause) and not source.says_so(clause))
    return tuple(fault for clause in said for fault in _of_clause(clause, source))


def _tells(clause: Clause) -> bool:
    return bool(clause.stems or clause.atoms) and not _COUNTER.fullmatch(clause.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """What one clause of a digest was made from: the nearest clause, those beside it, and others that say the rest."""

    clause: Clause
    best: Clause
    beside: Sequence[Clause]
    others: Sequence[Clause]
    source: Source

    @property
    def all(self) -> tuple[Clause, ...]:
        return (self.best, *self.beside, *self.others)

    def fault(self, why: str, *, kind: str = "altered", atom: Atom | None = None) -> Fault:
        return Fault(kind=kind, clause=self.clause, why=why, atom=atom, source=self.best)


def _of_clause(clause: Clause, source: Source) -> list[Fault]:
    near = source.near(clause)
    if not near:
        return [Fault(kind="invented", clause=clause, why="nothing in the source speaks of it")]
    best = near[0]
    beside = source.beside(best)
    missing = clause.words - {word for one in (best, *beside) for word in one.words | _named(one)}
    others: list[Clause] = []
    for one in near[1:]:
        if not missing or len(others) == MOST_SOURCES - 1:
            break
        if one not in beside and (got := (one.words | _named(one)) & missing):
            others.append(one)
            missing -= got
    made = _Made(clause=clause, best=best, beside=beside, others=others, source=source)
    if fault := _invented(made, missing):
        return [fault]
    found = [fault for atom in clause.atoms if (fault := _altered(atom, made))]
    if source.likeness(clause, best) > _COMPARED:
        found += _turned(made)
    return found


def _invented(made: _Made, missing: Collection[str]) -> Fault | None:
    clause, source = made.clause, made.source
    unheard = sorted(word for word in missing if not source.says(word))
    whole = source.weight(clause.words)
    told = ", ".join(unheard or sorted(missing))
    if clause.words and source.weight(missing) > _UNSAID * whole:
        return made.fault(f"no source says {told}", kind="invented")
    if len(unheard) > 1 and 3 * len(unheard) > len(clause.words):
        return made.fault(f"no source says {told}", kind="invented")
    for word, at in clause.stems:
        if word in unheard and clause.text[at - clause.start].isupper() and at > clause.start:
            return made.fault(f"no source names {clause.text[at - clause.start :].split()[0]}")
        if word in unheard and (other := contrary(word, made.best, clause)):
            return made.fault(f"it says {word}, the source {other}")
    return _recombined(made)


def _recombined(made: _Made) -> Fault | None:
    """Words of one source said of what another is about."""
    clause = made.clause
    who = subject(clause)
    if not made.others or not who:
        return None
    named = any(word in who for name in clause.names for word in name.split())
    for one in (made.best, *made.others) if named else (made.best,):
        about = subject(one)
        heard = {*one.words, *(word for name in (*one.names, *made.source.meant(one)) for word in name.split())}
        if not about or heard & who or about & who or clause.passive != one.passive:
            continue
        said = {*clause.words, *(word for name in clause.names for word in name.split())}
        if not about & said or any(is_aside(word, clause) for word in about & said):
            return made.fault(
                f"what the source says of {', '.join(sorted(about))} is said of {', '.join(sorted(who))}", kind="invented"
            )
    return None


def _altered(atom: Atom, made: _Made) -> Fault | None:
    """Why this atom is not what the source has in its place, or None."""
    clause, best = made.clause, made.best
    there = [one for one in best.atoms if one.kind is atom.kind]
    if any(same(atom, one) for one in there):
        rival = misplaced(atom, clause, best, same)
        return made.fault(f"{_shown(atom)}: there the source has {_shown(rival)}", atom=atom) if rival else None
    if atom.kind is AtomKind.NAME and _is_word(atom.value, made):
        return None
    if atom.kind is AtomKind.NAME and any(_alike(atom.value, name) for one in made.all for name in made.source.meant(one)):
        return None
    rivals = [one for one in there if not any(same(one, own) for own in clause.atoms)]
    if not rivals:
        if any(same(atom, one) for other in (*made.beside, *made.others) for one in other.atoms):
            return None
        if any(_stands_near(atom, clause, one) for one in made.source.holding(atom)):
            return None
    told = _shown(rivals[0]) if rivals else "nothing of the kind"
    return made.fault(f"{_shown(atom)}: the source has {told}", atom=atom)


def _is_word(name: str, made: _Made) -> bool:
    """Whether the source says a name without knowing it for one."""
    return all(any(stem_of(word) in one.words for one in made.all) for word in name.split())


def _shown(atom: Atom) -> str:
    return f"{atom.value} {atom.unit}".strip()


def same(atom: Atom, other: Atom) -> bool:
    """Whether two atoms are the same thing; one word of a name may stand for the whole."""
    if atom.kind is not other.kind:
        return False
    if atom.kind is AtomKind.NAME:
        return _alike(atom.value, other.value)
    values = {atom.value, *atom.also} & {other.value, *other.also}
    return bool(values) and (atom.unit == other.unit or not (atom.unit and other.unit))


def _alike(name: str, other: str) -> bool:
    return name == other or name in other.split() or other in name.split()


def _stands_near(atom: Atom, clause: Clause, other: Clause) -> bool:
    """Whether the other clause holds the atom beside what stands next to it here."""
    if not any(same(atom, one) for one in other.atoms):
        return False
    nearest = sorted(clause.stems, key=lambda one: abs(one[1] - atom.start))[:_NEAREST]
    names = [one for one in clause.atoms if one.kind is AtomKind.NAME and one is not atom]
    return any(word in other.words for word, _ in nearest) or any(same(name, one) for name in names for one in other.atoms)


def _turned(made: _Made) -> list[Fault]:
    """Negations, limits and who acts, where they are not those of the source."""
    clause, best = made.clause, made.best
    found = []
    also = [one for one in made.beside if one.words & clause.words - best.words]
    merged = best.negations + sum(one.negations for one in (*made.others, *also))
    allowed = {best.negations % 2} | ({merged % 2} if made.others or also else set())
    if clause.negations % 2 not in allowed:
        found.append(made.fault("a negation is gone or was added"))
    lost, gained = _limits(made)
    if lost or gained:
        told = " and ".join([f"lost: {one}" for one in sorted(lost)] + [f"added: {one}" for one in sorted(gained)])
        found.append(made.fault(f"a limit changed ({told})"))
    found += _acting(made)
    return found


def _limits(made: _Made) -> tuple[set[str], set[str]]:
    """The limits of the source that are gone, where what they bound is still said, and those that were added."""
    clause, best = made.clause, made.best
    around = {limit for one in made.all for limit in one.limits}
    said = {*clause.words, *(value for atom in clause.atoms for value in (atom.value, *atom.also))}
    lost: set[str] = {
        limit for limit, word in best.bound if limit in BINDING and (limit in WHOLLY or word in said)
    } - clause.limits
    if clause.negations and clause.limits & {"can", "command", "barred"}:
        lost -= {"barred"}
    gained = set(clause.limits & (BINDING | LOOSE)) - around
    if "barred" in gained and best.negations and best.limits & {"can", "never", "command"}:
        gained.discard("barred")
    if gained & {"can", "may"} and around & {"can", "may"}:
        gained -= {"can", "may"}
    return lost, gained


def _acting(made: _Made) -> list[Fault]:
    clause, best = made.clause, made.best
    rival = swapped(clause, best)
    if rival:
        return [made.fault(f"{rival[0]} and {rival[1]} changed places")]
    who = clause.agents or _opening(clause, made.all)
    there = best.agents or (_begins(best) - clause.words if who and not clause.passive else frozenset())
    if not who or not there:
        return []
    if any(stem_of(word) in one.words for one in made.all for name in who for word in name.split()):
        return []
    more = [one for one in (*made.beside, *made.others) if one.words & clause.words - best.words]
    meant = {*there, *(name for one in more for name in one.agents)}
    if any(_alike(one, other) for one in who for other in meant):
        return []
    return [made.fault(f"{', '.join(sorted(who))} does what {', '.join(sorted(there))} did")]


def _opening(clause: Clause, sources: Sequence[Clause]) -> frozenset[str]:
    """The word a clause opens with when it is written like a name and its sources do not say it."""
    return frozenset(word for word in _begins(clause) if not any(word in one.words for one in sources))


def _begins(clause: Clause) -> frozenset[str]:
    """The first word of a clause where that may be a name: written so, and no function word."""
    opens = clause.stems and clause.stems[0][1] == clause.start and clause.text[0].isupper()
    return frozenset((clause.stems[0][0],)) if opens else frozenset()


def _plainly(text: str) -> str:
    return _BLANKS.sub(" ", text).strip(_OUTSIDE)


def atom_keys(atom: Atom) -> frozenset[str]:
    """What an atom is found by: every way to read it, and every word of a name."""
    words = atom.value.split() if atom.kind is AtomKind.NAME else (atom.value, *atom.also)
    return frozenset(f"{atom.kind.value}:{word}" for word in words)


def _named(clause: Clause) -> frozenset[str]:
    """The words of the names of a clause as they would stand there if they were none."""
    return frozenset(stem_of(word) for name in clause.names for word in name.split())


def _exact(clause: Clause) -> frozenset[str]:
    return frozenset(key for atom in clause.atoms for key in atom_keys(atom))


def _keys(clause: Clause) -> frozenset[str]:
    return clause.words | _exact(clause)
