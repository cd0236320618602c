"""The claims of a span: everything in it that a digest must not change, and is the poorer for losing.

Rule of this file: pure and deterministic. What is claimed twice in the same words is one claim with two places; its weight is how
much its kind matters, times the worth of the statement it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from muniment.compact.rules_stated import Atom, AtomKind, Clause
from muniment.compact.rules_statements import Statement
from muniment.compact.words_stated import BINDING
from muniment.knowledge.digests import ClaimKind, DigestClaim, Span

_KINDS = {
    AtomKind.NUMBER: ClaimKind.NUMBER,
    AtomKind.DATE: ClaimKind.DATE,
    AtomKind.TIME: ClaimKind.DATE,
    AtomKind.NAME: ClaimKind.NAME,
    AtomKind.CODE: ClaimKind.CODE,
}
_WEIGHTS = {
    ClaimKind.NUMBER: 1.0,
    ClaimKind.DATE: 1.0,
    ClaimKind.CODE: 1.0,
    ClaimKind.NAME: 0.5,
    ClaimKind.LIMIT: 0.7,
    ClaimKind.TOOL: 1.0,
    ClaimKind.CONSTRAINT: 3.0,
}
_STEEP = 1.5
"""How much faster than the worth of its statement the weight of a claim falls."""
_NEAREST = 2
_BINDS = BINDING - {"all", "before", "after", "over", "under"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A claim with what it was made of: the clause, the atom if it is one, and the numbers of the statements that make it."""

    claim: DigestClaim
    clause: Clause
    atom: Atom | None
    statements: tuple[int, ...]


def claims(said: Sequence[Statement], worths: Sequence[float]) -> tuple[Made, ...]:
    """The claims of these statements in order. `worths` are theirs, 0 to 1."""
    found: dict[tuple[object, ...], Made] = {}
    for statement, worth in zip(said, worths, strict=True):
        for key, made in _of_statement(statement, worth):
            known = found.get(key)
            if known is None:
                found[key] = made
            else:
                spans = tuple(dict.fromkeys((*known.claim.spans, *made.claim.spans)))
                best = known if known.claim.weight >= made.claim.weight else made
                places = tuple(dict.fromkeys((*known.statements, statement.number)))
                found[key] = replace(best, claim=replace(best.claim, spans=spans), statements=places)
    return tuple(found.values())


def _of_statement(statement: Statement, worth: float) -> Iterable[tuple[tuple[object, ...], Made]]:
    for clause in statement.clauses:
        for atom in clause.atoms:
            kind = _KINDS[atom.kind]
            alone = atom.kind in {AtomKind.NAME, AtomKind.DATE, AtomKind.CODE}
            about = () if alone else tuple(sorted(word for word, _ in _nearest(clause, atom)))
            yield (kind, atom.value, atom.unit, about), _made(statement, clause, kind, worth, atom)
        if clause.negations or clause.limits & _BINDS:
            yield (ClaimKind.LIMIT, clause.words, clause.limits), _made(statement, clause, ClaimKind.LIMIT, worth, None)


def _made(statement: Statement, clause: Clause, kind: ClaimKind, worth: float, atom: Atom | None) -> Made:
    value = f"{atom.value} {atom.unit}".strip() if atom else ", ".join(sorted(clause.limits)) or "not"
    weight = _WEIGHTS[kind] * max(worth, 0.001) ** _STEEP
    span = Span(record=statement.span.record, start=clause.start, end=clause.end)
    claim = DigestClaim(kind=kind, text=clause.text, value=value, weight=weight, spans=(span,))
    return Made(claim=claim, clause=clause, atom=atom, statements=(statement.number,))


def _nearest(clause: Clause, atom: Atom) -> list[tuple[str, int]]:
    return sorted(clause.stems, key=lambda one: abs(one[1] - atom.start))[:_NEAREST]
