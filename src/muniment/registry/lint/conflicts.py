"""Statements that cannot both be followed.

Rules of this file: both sides are shown. Two orders conflict only when their content words are the same, or when one forbids
without exception what the other asks for in some case, and when they hold under the same conditions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Final, Generic, TypeVar

from muniment.registry.lint.directives import (
    NUMBERS,
    ORDERED,
    Directive,
    Force,
    Limit,
    Preference,
    directives_of,
    limits_of,
    preferences_of,
    terms_of,
)
from muniment.registry.lint.reading import shortened, statements
from muniment.registry.lint.values import Checked, LintFinding, Place, Severity, Subject

RULE: Final = "contradiction"
_MORE_TERMS: Final = 2
"""Content words that an order may have beyond those of a ban for the ban to cover it."""
_USING: Final = re.compile(r"\bus(?:e|es|ed|ing)\b", re.IGNORECASE)
_EVERY: Final = re.compile(r"\b(?:every|each|all)\b", re.IGNORECASE)
_MOST_COMPARED: Final = 200
_CLASH: Final = Force.FREE + Force.STRICT
"""Force that two opposite orders have together before they clash: both asked for plainly, or one without exception."""
_HINT: Final = "Keep one of them, or say in each when it holds."

_EXCLUSIVE: Final = tuple(
    {term: side for side, words in enumerate(sides.split("|")) for word in words.split() for term in terms_of(word)}
    for sides in (
        "tabs|spaces",
        "single|double|triple",
        "npm|yarn|pnpm|bun",
        "pip|poetry|uv|conda|pipenv",
        "pytest|unittest",
        "jest|vitest|mocha",
        "camelcase|snake_case|kebab-case|pascalcase",
        "uppercase|lowercase",
        "english|french|german|spanish|italian|portuguese|dutch|polish|russian|japanese|chinese|korean|hindi|arabic|turkish",
        "metric|imperial",
        "formal|informal casual",
        "concise brief short terse|detailed verbose long thorough",
        "rebase|merge|squash",
        "before|after",
        "first|last",
        "ascending|descending",
        "synchronous|asynchronous",
        "enable|disable",
        "include|exclude",
        "present|past|future",
        "british|american",
    )
)
"""Terms and the side each is on: sentences that are the same but for their sides cannot both be followed."""

Order = TypeVar("Order", Directive, Preference, Limit)


@dataclass(frozen=True, slots=True)
class _Said(Generic[Order]):
    """An order, and the block it stands in."""

    what: Order
    subject: Subject
    number: int

    @property
    def place(self) -> Place:
        statement = self.what.statement
        return self.subject.at(statement.line, shortened(statement.text))


def find_contradictions(checked: Checked) -> Iterator[LintFinding]:
    """Every pair of orders that cannot both be followed, told at the later one; one finding for each conflict."""
    pairs = ((subject, statement) for subject in checked.subjects for statement in statements(subject.text))
    said = [(number, subject, statement) for number, (subject, statement) in enumerate(pairs)]
    orders = [_Said(order, subject, number) for number, subject, statement in said for order in directives_of(statement)]
    preferences = [_Said(order, subject, number) for number, subject, statement in said for order in preferences_of(statement)]
    limits = [_Said(order, subject, number) for number, subject, statement in said for order in limits_of(statement)]
    told: set[tuple[Place, Place]] = set()
    for finding in (*_opposites(orders), *_bans(orders), *_alternatives(orders), *_swapped(preferences), *_numbers(limits)):
        if finding.other and (pair := (finding.other, finding.place)) not in told:
            told.add(pair)
            yield finding


def _opposites(orders: Sequence[_Said[Directive]]) -> Iterator[LintFinding]:
    """The same thing asked for and forbidden, or asked for without exception and left free."""
    for same in _grouped(orders, lambda order: (_content(order.terms), order.conditions)):
        for first, second in _pairs(same):
            one, other = first.what, second.what
            if one.positive is not other.positive and one.force + other.force >= _CLASH:
                plain = not one.conditions and _one_context(first, second)
                yield _finding(first, second, Severity.ERROR if plain else Severity.WARNING)
                break


def _bans(orders: Sequence[_Said[Directive]]) -> Iterator[LintFinding]:
    """Something forbidden without condition and asked for in one case, where one of the two knows no exception."""
    asked = [order for order in orders if order.what.positive and order.what.force >= Force.PLAIN and not order.what.conditions]
    holding: defaultdict[str, list[_Said[Directive]]] = defaultdict(list)
    for order in asked:
        for term in set(order.what.terms):
            holding[term].append(order)
    for ban in orders:
        terms = frozenset(ban.what.terms)
        if ban.what.positive or ban.what.force < Force.PLAIN or ban.what.conditions:
            continue
        if len(terms) == 1 and not _USING.search(ban.what.statement.text):
            continue
        rarest = min((holding[term] for term in terms), key=len)
        for order in rarest[:_MOST_COMPARED]:
            more = set(order.what.terms) - terms
            whole = ban.what.force is Force.STRICT or _is_general(order.what)
            if whole and terms < set(order.what.terms) and len(more) <= _MORE_TERMS and _may_meet(ban, order):
                first, second = (ban, order) if ban.number < order.number else (order, ban)
                yield _finding(first, second, Severity.WARNING)
                break


def _is_general(order: Directive) -> bool:
    """Whether an order says of itself that it knows no exception."""
    return order.force is Force.STRICT or bool(_EVERY.search(order.statement.text))


def _alternatives(orders: Sequence[_Said[Directive]]) -> Iterator[LintFinding]:
    """Two orders that differ in one word of a set of which only one can be."""
    asked = [order for order in orders if order.what.positive and order.what.force >= Force.PLAIN]
    for sides in _EXCLUSIVE:
        choosing = [order for order in asked if len(sides.keys() & set(order.what.terms)) == 1]
        for same in _grouped(choosing, lambda order: (*_split(order, sides)[1:], order.conditions)):  # noqa: B023  (used at once)
            for first, second in _pairs(same):
                if _split(first.what, sides)[0] != _split(second.what, sides)[0] and _one_context(first, second):
                    yield _finding(first, second, Severity.WARNING)
                    break


def _split(order: Directive, sides: Mapping[str, int]) -> tuple[int, tuple[str, ...]]:
    """The side an order is on, and its other terms but numbers: four spaces are spaces."""
    [side] = {sides[term] for term in order.terms if term in sides}
    return side, tuple(term for term in order.terms if term not in sides and term not in NUMBERS and not term.isdigit())


def _swapped(preferences: Sequence[_Said[Preference]]) -> Iterator[LintFinding]:
    """A preferred to B, and B preferred to A."""
    for same in _grouped(preferences, lambda order: (order.better | order.worse, order.conditions)):
        for first, second in _pairs(same):
            if first.what.better == second.what.worse:
                yield _finding(first, second, Severity.ERROR if not first.what.conditions else Severity.WARNING)
                break


def _numbers(limits: Sequence[_Said[Limit]]) -> Iterator[LintFinding]:
    """Different numbers for the same limit."""
    for same in _grouped(limits, lambda limit: (limit.subject, limit.unit, limit.conditions)):
        for first, second in _pairs(same):
            if _disagree(first.what, second.what) and _one_context(first, second):
                yield _finding(first, second, Severity.WARNING)
                break


def _disagree(one: Limit, other: Limit) -> bool:
    for exact, bound in ((one, other), (other, one)):
        if exact.least == exact.most:
            number = exact.least or 0
            return not (bound.least or 0) <= number <= (inf if bound.most is None else bound.most)
    differ = any(None not in pair and pair[0] != pair[1] for pair in ((one.least, other.least), (one.most, other.most)))
    return (
        differ
        or (one.least or 0) > (inf if other.most is None else other.most)
        or (other.least or 0) > (inf if one.most is None else one.most)
    )


def _content(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Terms in a form that is the same for the same content; in their order where a word such as "before" makes it matter."""
    return terms if ORDERED.intersection(terms) else tuple(sorted(set(terms)))


def _grouped(orders: Iterable[_Said[Order]], key: Callable[[Order], Hashable]) -> Iterator[list[_Said[Order]]]:
    groups: defaultdict[Hashable, list[_Said[Order]]] = defaultdict(list)
    for order in orders:
        groups[key(order.what)].append(order)
    return (group for group in groups.values() if len(group) > 1)


def _pairs(group: Sequence[_Said[Order]]) -> Iterator[tuple[_Said[Order], _Said[Order]]]:
    return (pair for pair in combinations(group[:_MOST_COMPARED], 2) if _may_meet(*pair))


def _may_meet(one: _Said[Order], other: _Said[Order]) -> bool:
    """Whether both may be meant of one thing: bold words in front of them, if both have some, share a term.

    Of two AGENTS.md files, one must lie above the other: those of sibling folders never hold together.
    """
    if one.subject.is_context and other.subject.is_context and not _in_one_chain(one.subject.path, other.subject.path):
        return False
    labels = set(terms_of(one.what.statement.label)), set(terms_of(other.what.statement.label))
    return not all(labels) or bool(labels[0] & labels[1])


def _in_one_chain(one: str, other: str) -> bool:
    above, below = sorted((f"{path.rpartition('/')[0]}/".removeprefix("./") for path in (one, other)), key=len)
    return above == "/" or below.startswith(above)


def _one_context(one: _Said[Order], other: _Said[Order]) -> bool:
    """Whether they stand in different files, or under the same headings of one file."""
    return one.subject.path != other.subject.path or (
        one.subject.name == other.subject.name and one.what.statement.section == other.what.statement.section
    )


def _finding(first: _Said[Order], second: _Said[Order], severity: Severity) -> LintFinding:
    here, there = second.place, first.place
    return LintFinding(
        rule=RULE,
        severity=severity,
        place=here,
        message=f'"{here.text}" contradicts "{there.text}"',
        hint=_HINT,
        block=second.subject.name,
        other=there,
    )
