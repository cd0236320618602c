"""One span of records, shortened and verified: chosen, checked claim by claim, repaired, and relaxed until it may be served.

Rule of this file: pure. Nothing leaves it unverified. What must stay stays as it was said; what could not be kept is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from muniment.compact.rules_choose import TOLD, Choosing, chosen
from muniment.compact.rules_claims import Made, claims
from muniment.compact.rules_forms import FORMS, NARRATIVE, Count, size_of
from muniment.compact.rules_levels import BALANCED, named, share_of, wider
from muniment.compact.rules_lines import lines_of, whole_lines
from muniment.compact.rules_stated import Names, name_key
from muniment.compact.rules_statements import Statement, statements
from muniment.compact.rules_verify import held
from muniment.compact.rules_worth import telling, worths
from muniment.errors import QueryError, shown
from muniment.knowledge.digests import ClaimKind, Digest, DigestLine
from muniment.knowledge.values import Memory
from muniment.types import Record, RecordId, words_of

_AIM = 0.95
"""The share of claims below which, where there is room, what is lost is put back in the place of what only tells."""
_ROOM = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked of a digest: a level or a target in tokens, the least share of claims that must be kept, what is pinned.

    `form` is narrative, structured or inject, see `rendered`. Raises QueryError for a form that is none, a target below 0 or a
    threshold outside 0 to 1.
    """

    level: str = BALANCED
    target: int | None = None
    threshold: float = 0.8
    pinned: frozenset[RecordId] = frozenset()
    form: str = NARRATIVE

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            hint = f"Use one of {', '.join(FORMS)}."
            raise QueryError(f"the form is {shown(self.form)}.", place="form", code="range", hint=hint)
        if self.target is not None and self.target < 0:
            raise QueryError(f"the target is {self.target} tokens.", place="target", code="range", hint="Give 0 or more.")
        if not 0 <= self.threshold <= 1:
            raise QueryError(f"the threshold is {self.threshold}.", place="threshold", code="range", hint="Give 0 to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """The records with what they say and claim, read once."""

    records: Sequence[Record]
    said: Sequence[Statement]
    worths: Sequence[float]
    made: Sequence[Made]
    tokens: int
    wish: Wish
    names: Names
    count: Count


def digest(records: Sequence[Record], wish: Wish, *, names: Names, count: Count, memories: Sequence[Memory] = ()) -> Digest:
    """A verified digest of `records`, oldest first. Where the target cannot be met truly, it is exceeded, and that is said.

    `memories` were extracted from the records before and count as claims. A share of the tokens is chosen; what that loses is put
    back, by weight, in the place of what only tells; when too much is lost still, the next wider share is tried, the records as
    they stand at last.
    """
    said = statements(records, names=names, pinned=wish.pinned)
    speakers = frozenset(word for record in records for word in name_key(record.speaker).split())
    worth = worths(said, speakers)
    span = _Span(
        records=records,
        said=said,
        worths=worth,
        made=claims(said, worth, memories=memories, names=names),
        tokens=size_of(whole_lines(records, wish.pinned), wish.form, count),
        wish=wish,
        names=names,
        count=count,
    )
    share = _share(span)
    target = wish.target if wish.target is not None else round(share * span.tokens)
    found: Digest | None = None
    for step, lines in _tries(span, share, target):
        found = _checked(span, lines, relaxed=named(step), target=target)
        if found.passed:
            break
    if found is None:
        found = _checked(span, (), relaxed=named(share), target=target)
    return _with_notes(found, span)


def _share(span: _Span) -> float:
    wish = span.wish
    if wish.target is not None:
        return min(1.0, wish.target / max(1, span.tokens))
    weight = sum(one.claim.weight for one in span.made)
    words = [word for one in span.said for clause in one.clauses for word in telling(clause)]
    repeated = 1 - len(set(words)) / len(words) if words else 0.0
    return share_of(wish.level, tokens=span.tokens, density=weight / max(1, span.tokens), repeated=repeated)


def _tries(span: _Span, share: float, target: int) -> Iterator[tuple[float, tuple[DigestLine, ...]]]:
    """The lines to try one after another: only those are worth the verification that keep enough claims."""
    first = frozenset(one.number for one in span.said if one.pinned)
    before: frozenset[int] | None = None
    for step in wider(share):
        if step >= 1:
            break
        budget = target if step == share else round(step * span.tokens)
        best: frozenset[int] | None = None
        for told in (TOLD, TOLD / 4, 0.0):
            what = Choosing(
                said=span.said,
                worths=span.worths,
                made=span.made,
                count=span.count,
                size=lambda numbers: size_of(lines_of(span.said, numbers), span.wish.form, span.count),
                told=told,
            )
            kept = chosen(what, budget, first=first)
            if best is None or _keeps(span.made, kept) > _keeps(span.made, best):
                best = kept
            if _keeps(span.made, best) >= max(span.wish.threshold, _AIM if step >= _ROOM else 0.0):
                break
        if best is not None and best != before and _keeps(span.made, best) >= span.wish.threshold:
            yield step, lines_of(span.said, best)
        before = best
    yield 1.0, whole_lines(span.records, span.wish.pinned)


def _keeps(made: Sequence[Made], kept: frozenset[int]) -> float:
    """The share of the claims, by weight, that statements of these numbers make."""
    whole = sum(one.claim.weight for one in made)
    there = sum(one.claim.weight for one in made if _made_in(one, kept))
    return there / whole if whole else 1.0


def _made_in(one: Made, kept: frozenset[int]) -> bool:
    return kept.issuperset(one.statements) if one.claim.kind is ClaimKind.TOOL else not kept.isdisjoint(one.statements)


def _checked(span: _Span, lines: tuple[DigestLine, ...], *, relaxed: str, target: int) -> Digest:
    return Digest(
        lines=lines,
        verification=held(span.said, span.made, lines, records=span.records, names=span.names, pinned=_pins(span)),
        level=span.wish.level,
        relaxed=relaxed,
        target=target,
        tokens=size_of(lines, span.wish.form, span.count),
        source_tokens=span.tokens,
        threshold=span.wish.threshold,
        records=tuple(record.id for record in span.records),
        form=span.wish.form,
    )


def _pins(span: _Span) -> frozenset[RecordId]:
    """What is pinned and says anything."""
    return frozenset(one.id for one in span.records if one.id in span.wish.pinned and words_of(one).strip())


def _with_notes(found: Digest, span: _Span) -> Digest:
    """The same, saying why it exceeds its target where it does."""
    if not found.over:
        return found
    pins = sum(span.count(line.shown) for line in found.lines if line.pinned)
    if pins > found.target:
        why = f"what is pinned alone takes {pins} tokens of {found.target}: nothing of it was dropped"
    else:
        why = f"{found.target} tokens cannot keep {found.threshold:.0%} of the claims: {found.tokens} are needed"
    notes = (*found.verification.notes, why)
    return replace(found, verification=replace(found.verification, notes=notes))
