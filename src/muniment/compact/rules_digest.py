"""One span of records, shortened and verified: chosen, checked claim by claim, repaired, and relaxed until it may be served.

Rule of this file: pure. Nothing leaves it unverified. What must stay stays as it was said; what could not be kept is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from muniment.compact.rules_choose import Choosing, chosen
from muniment.compact.rules_claims import claims
from muniment.compact.rules_levels import BALANCED, named, share_of, wider
from muniment.compact.rules_stated import Clause, Names, name_key
from muniment.compact.rules_statements import Statement, statements
from muniment.compact.rules_verify import verified
from muniment.compact.rules_worth import worth
from muniment.knowledge.digests import Digest, DigestLine
from muniment.types import Record, RecordId, words_of

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked of a digest: a level or a target in tokens, the least share of claims that must be kept, what is pinned."""

    level: str = BALANCED
    target: int | None = None
    threshold: float = 0.8
    pinned: frozenset[RecordId] = frozenset()


def digest(records: Sequence[Record], wish: Wish, *, names: Names, count: Count) -> Digest:
    """A verified digest of `records`, oldest first. Where the target cannot be met truly, it is exceeded, and that is said."""
    said = statements(records, names=names, pinned=wish.pinned)
    speakers = frozenset(word for record in records for word in name_key(record.speaker).split())
    worths = [worth(one, speakers) for one in said]
    made = claims(said, worths)
    size = sum(count(f"{record.speaker}: {words_of(record)}") for record in records)
    what = Choosing(said=said, worths=worths, made=made, count=count)
    density = sum(worths) / max(1, size)
    share = wish.target / max(1, size) if wish.target is not None else share_of(wish.level, tokens=size, density=density)
    target = wish.target if wish.target is not None else round(share * size)
    source = [clause for one in said for clause in one.clauses]
    first = frozenset(one.number for one in said if one.pinned)
    for step in wider(share):
        kept = chosen(what, round(step * size), first=first) if step < 1 else frozenset(one.number for one in said)
        lines = _lines([one for one in said if one.number in kept])
        checked = verified(made, source, [_clauses(said, line) for line in lines])
        found = Digest(
            lines=lines,
            verification=checked,
            level=wish.level,
            relaxed=named(step),
            target=target,
            tokens=sum(count(f"{line.speaker}: {line.text}") for line in lines),
            source_tokens=size,
            threshold=wish.threshold,
            records=tuple(record.id for record in records),
        )
        if found.passed:
            break
    return found


def _lines(kept: Sequence[Statement]) -> tuple[DigestLine, ...]:
    """One line for what is kept of each turn."""
    lines: list[DigestLine] = []
    turn = -1
    for one in kept:
        if one.turn == turn and not one.pinned:
            last = lines[-1]
            lines[-1] = replace(last, text=f"{last.text} {one.text}", spans=(*last.spans, one.span))
        else:
            lines.append(
                DigestLine(
                    text=one.text,
                    spans=(one.span,),
                    speaker=one.speaker,
                    said_at=one.said_at,
                    trust=one.trust,
                    pinned=one.pinned,
                )
            )
        turn = one.turn
    return tuple(lines)


def _clauses(said: Sequence[Statement], line: DigestLine) -> Sequence[Clause]:
    spans = frozenset(line.spans)
    return [clause for one in said if one.span in spans for clause in one.clauses]
