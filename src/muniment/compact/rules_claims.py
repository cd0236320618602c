"""The claims of a span: everything in it that a digest must not change, and is the poorer for losing.

Rule of this file: pure and deterministic. What is claimed twice in the same words is one claim with two places; its weight is how
much its kind matters, times the worth of the statement it stands in. A clause is one claim beside the things it names, not two.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.compact import words_claims as words
from muniment.compact.rules_numbers import is_money
from muniment.compact.rules_stated import Atom, AtomKind, Clause, Names, read
from muniment.compact.rules_statements import Statement
from muniment.compact.words_stated import BINDING
from muniment.knowledge.digests import ClaimKind, DigestClaim, Span
from muniment.knowledge.values import Memory
from muniment.types import Role

_KINDS = {
    AtomKind.NUMBER: ClaimKind.NUMBER,
    AtomKind.DATE: ClaimKind.DATE,
    AtomKind.TIME: ClaimKind.DATE,
    AtomKind.NAME: ClaimKind.NAME,
    AtomKind.CODE: ClaimKind.CODE,
}
_WEIGHTS = {
    ClaimKind.NUMBER: 1.0,
    ClaimKind.MONEY: 1.0,
    ClaimKind.DATE: 1.0,
    ClaimKind.CODE: 1.0,
    ClaimKind.LINK: 1.0,
    ClaimKind.NAME: 0.5,
    ClaimKind.QUOTE: 0.7,
    ClaimKind.LIMIT: 0.7,
    ClaimKind.DECISION: 1.0,
    ClaimKind.COMMITMENT: 1.0,
    ClaimKind.PREFERENCE: 0.7,
    ClaimKind.QUESTION: 0.7,
    ClaimKind.TOOL: 1.0,
    ClaimKind.MEMORY: 0.7,
    ClaimKind.CONSTRAINT: 3.0,
}
_STEEP = 1.5
"""How much faster than the worth of its statement the weight of a claim falls."""
_LEAST_WORTH = 0.001
_RULE_WORTH = 0.5
"""The least worth of a statement that lays down a rule."""
_NEAREST = 2
_BINDS = BINDING - {"all", "before", "after", "over", "under", "if", "without"}
_RULES = frozenset(("barred", "must", "always", "only", "never", "most", "least", "except"))
_UNTOLD = frozenset(("command", "nor"))
_DECIDES = re.compile(rf"\b(?:{words.DECIDES})\b", re.IGNORECASE)
_PREFERS = re.compile(rf"(?<!\w)(?:{words.PREFERS})\b", re.IGNORECASE)
_COMMITS = re.compile(rf"(?<![^\W_])(?:{words.COMMITS})\b", re.IGNORECASE)
_COMMANDS = re.compile(rf"\W{{0,4}}(?:{words.COMMANDS})(?!\w)", re.IGNORECASE)
_DEFERS = re.compile(rf"\b(?:{words.DEFERS})\b", re.IGNORECASE)
_FAILED = re.compile(rf"\b(?:{words.FAILED})\b", re.IGNORECASE)
_QUOTED = re.compile(words.QUOTED)
_CALLED = 240
_ALONE = frozenset((AtomKind.NAME, AtomKind.DATE, AtomKind.CODE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A claim with what it was made of: the clause, the atom if it is one, and the numbers of the statements that make it.

    `clauses` are all that claim it. `quote` is what a digest must say letter by letter, for a claim that is no atom.
    """

    claim: DigestClaim
    clause: Clause
    atom: Atom | None
    statements: tuple[int, ...]
    clauses: tuple[Clause, ...] = ()
    quote: str = ""


_Key = tuple[object, ...]


def claims(
    said: Sequence[Statement], worths: Sequence[float], *, memories: Sequence[Memory] = (), names: Names | None = None
) -> tuple[Made, ...]:
    """The claims of these statements in order. `worths` are theirs, 0 to 1; `memories` were extracted from them before.

    `names` reads the memories; without it they are left out.
    """
    found: dict[_Key, Made] = {}
    together: dict[_Key, list[Made]] = defaultdict(list)
    open_ones = _open_questions(said)
    for statement, worth in zip(said, worths, strict=True):
        for key, made in _of_statement(statement, worth, is_open=statement.number in open_ones):
            together[key].append(made)
    for key, made in [*_of_tools(said, worths), *(_of_memories(said, worths, memories, names) if names else ())]:
        together[key].append(made)
    for key, same in together.items():
        best = max(same, key=lambda one: one.claim.weight)
        spans = tuple(dict.fromkeys(span for one in same for span in one.claim.spans))
        found[key] = replace(
            best,
            claim=replace(best.claim, spans=spans),
            statements=tuple(dict.fromkeys(number for one in same for number in one.statements)),
            clauses=tuple(dict.fromkeys(clause for one in same for clause in one.clauses)),
        )
    return tuple(found.values())


def _of_statement(statement: Statement, worth: float, *, is_open: bool) -> Iterator[tuple[_Key, Made]]:
    for clause in statement.clauses:
        for atom in clause.atoms:
            kind = _kind_of(atom)
            about = () if atom.kind in _ALONE else tuple(sorted(_nearest(clause, atom)))
            yield (atom.kind, atom.value, atom.unit, about), _made(statement, clause, kind, worth, atom)
        for quote in _QUOTED.finditer(clause.text):
            text = next(part for part in quote.groups() if part)
            yield (ClaimKind.QUOTE, text.casefold()), _made(statement, clause, ClaimKind.QUOTE, worth, quote=text)
        if (whole := _whole(statement, clause, is_open=is_open)) is not None:
            same = (whole, clause.words, clause.limits, clause.negations, clause.agents, frozenset(map(_value, clause.atoms)))
            least = _RULE_WORTH if whole is ClaimKind.CONSTRAINT else 0.0
            yield same, _made(statement, clause, whole, max(worth, least))


def _kind_of(atom: Atom) -> ClaimKind:
    if atom.kind is AtomKind.NUMBER and is_money(atom.unit):
        return ClaimKind.MONEY
    if atom.kind is AtomKind.CODE and ("://" in atom.value or "@" in atom.value):
        return ClaimKind.LINK
    return _KINDS[atom.kind]


def _value(atom: Atom) -> str:
    return f"{atom.value} {atom.unit}".strip()


def _whole(statement: Statement, clause: Clause, *, is_open: bool) -> ClaimKind | None:  # noqa: PLR0911  # one line a kind
    """What kind of claim a clause is as a whole: the heaviest that fits."""
    if statement.pair is not None or not (clause.stems or clause.atoms):
        return None
    if is_open:
        return ClaimKind.QUESTION
    if statement.asks:
        return None
    ruled = statement.role is Role.SYSTEM and clause.limits & _RULES
    if ruled or (statement.role in {Role.USER, Role.SYSTEM} and _COMMANDS.match(clause.text)):
        return ClaimKind.CONSTRAINT
    if _DECIDES.search(clause.text):
        return ClaimKind.DECISION
    if (clause.agent or "first" in clause.persons) and _COMMITS.search(clause.text):
        return ClaimKind.COMMITMENT
    if (clause.agent or clause.persons != {"second"}) and _PREFERS.search(clause.text):
        return ClaimKind.PREFERENCE
    return ClaimKind.LIMIT if clause.negations or clause.limits & _BINDS else None


def _made(
    statement: Statement, clause: Clause, kind: ClaimKind, worth: float, atom: Atom | None = None, *, quote: str = ""
) -> Made:
    told = quote or (_value(atom) if atom else "")
    told = told or ", ".join(sorted(clause.limits - _UNTOLD)) or ("not" if clause.negations % 2 else "")
    weight = _WEIGHTS[kind] * max(worth, _LEAST_WORTH) ** _STEEP
    span = Span(record=statement.span.record, start=clause.start, end=clause.end)
    claim = DigestClaim(kind=kind, text=clause.text, value=told or clause.text, weight=weight, spans=(span,))
    return Made(claim=claim, clause=clause, atom=atom, statements=(statement.number,), clauses=(clause,), quote=quote.casefold())


def _nearest(clause: Clause, atom: Atom) -> list[str]:
    """The words that stand next to an atom."""
    at = bisect_left([place for _, place in clause.stems], atom.start)
    around = clause.stems[max(0, at - _NEAREST) : at + _NEAREST]
    return [word for word, _ in sorted(around, key=lambda one: abs(one[1] - atom.start))[:_NEAREST]]


def _open_questions(said: Sequence[Statement]) -> frozenset[int]:
    """The questions that nobody answered in the next turn of somebody else."""
    asked: list[Statement] = []
    found: set[int] = set()
    for statement in said:
        if asked and statement.turn > asked[-1].turn and statement.speaker != asked[-1].speaker:
            if _DEFERS.search(statement.text):
                found |= {one.number for one in asked}
                asked = []
            elif not statement.asks:
                asked = []
        if statement.asks:
            asked.append(statement)
    return frozenset(found | {one.number for one in asked})


def _of_tools(said: Sequence[Statement], worths: Sequence[float]) -> Iterator[tuple[_Key, Made]]:
    """A call with how it came out: one claim for each pair."""
    pairs: dict[object, list[Statement]] = defaultdict(list)
    for statement in said:
        if statement.pair is not None:
            pairs[statement.pair].append(statement)
    for pair, both in pairs.items():
        call = both[0]
        if not call.clauses:
            continue
        came = " ".join(one.text for one in both[1:])
        value = "failed" if _FAILED.search(came[:_CALLED]) else "done" if came else "called"
        made = _made(call, call.clauses[0], ClaimKind.TOOL, max(worths[one.number] for one in both))
        text = f"{call.text[:_CALLED]} → {came[:_CALLED]}" if came else call.text[:_CALLED]
        claim = replace(made.claim, text=text, value=value, spans=tuple(one.span for one in both))
        clauses = tuple(one.clauses[0] for one in both if one.clauses)
        yield (ClaimKind.TOOL, pair), replace(made, claim=claim, statements=tuple(one.number for one in both), clauses=clauses)


def _of_memories(
    said: Sequence[Statement], worths: Sequence[float], memories: Sequence[Memory], names: Names
) -> Iterator[tuple[_Key, Made]]:
    """What was extracted from these statements before: each memory one claim, at its evidence."""
    at: Mapping[object, list[Statement]] = defaultdict(list)
    for statement in said:
        at[statement.span.record].append(statement)
    for memory in memories:
        spans = tuple(Span(record=one.record, start=one.start, end=one.end) for one in memory.evidence if not one.lends)
        where = [one for span in spans for one in at[span.record] if one.span.start < span.end and span.start < one.span.end]
        told = read(memory.text, names=names, reference=memory.said_at)
        if not where or not told:
            continue
        kind = next(
            (one for one in (ClaimKind.DECISION, ClaimKind.PREFERENCE, ClaimKind.COMMITMENT) if one == memory.kind),
            ClaimKind.MEMORY,
        )
        weight = _WEIGHTS[ClaimKind.MEMORY] * max(worths[one.number] for one in where) ** _STEEP
        claim = DigestClaim(
            kind=kind, text=memory.text, value=memory.value or memory.text, weight=max(weight, _LEAST_WORTH), spans=spans
        )
        clauses = tuple(
            clause for one in where for clause in one.clauses for span in spans
            if span.record == one.span.record and clause.start < span.end and span.start < clause.end
        )  # fmt: skip
        numbers = tuple(dict.fromkeys(one.number for one in where))
        yield (ClaimKind.MEMORY, memory.id), Made(claim=claim, clause=told[0], atom=None, statements=numbers, clauses=clauses)
