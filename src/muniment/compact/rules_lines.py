"""Chosen statements as the lines of a digest: what one speaker goes on to say stands together, results of tools row by row.

Rule of this file: pure. A line is verbatim only if it is nothing but its records' words. What is left out of a result is named in
its note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from muniment.compact.rules_results import left_out
from muniment.compact.rules_statements import Statement
from muniment.knowledge.digests import DigestLine, Span
from muniment.types import Record, words_of


def lines_of(said: Sequence[Statement], kept: frozenset[int]) -> tuple[DigestLine, ...]:
    """The lines that these statements make, in the order in which they were said.

    What a result leaves out is named behind the last that is kept of it.
    """
    whole = Counter(one.span.record for one in said if one.part)
    what: dict[str, str] = {}
    for one in said:
        if one.part:
            what[one.span.record] = one.part if what.get(one.span.record, one.part) == one.part else "part"
    there = Counter(one.span.record for one in said if one.part and one.number in kept)
    lines: list[DigestLine] = []
    before: Statement | None = None
    for one in (said[number] for number in sorted(kept)):
        if before is not None and _goes_on(before, one):
            last = lines[-1]
            between = " " if one.verbatim else "\n"
            lines[-1] = replace(last, text=f"{last.text}{between}{one.text}", spans=(*last.spans, one.span))
        else:
            lines.append(_line(one, header=one.header))
        gone = whole[one.span.record] - there[one.span.record]
        if one.part and gone and _is_last(said, one, kept):
            lines[-1] = replace(lines[-1], note=left_out(what[one.span.record], gone, one.span.record))
        before = one
    return tuple(lines)


def _line(one: Statement, header: str) -> DigestLine:
    return DigestLine(
        text=one.text,
        header=header,
        spans=(one.span,),
        speaker=one.speaker,
        said_at=one.said_at,
        trust=one.trust,
        verbatim=one.verbatim,
        pinned=one.pinned,
    )


def _goes_on(before: Statement, one: Statement) -> bool:
    """Whether a statement stands in the line of the one before it."""
    if one.pinned or before.pinned:
        return False
    if one.part or before.part:
        return one.span.record == before.span.record and one.header == before.header
    if one.pair is not None or before.pair is not None:
        return False
    alike = (before.speaker, before.trust, before.conversation) == (one.speaker, one.trust, one.conversation)
    return alike and (before.turn == one.turn or _day(before) == _day(one))


def _day(one: Statement) -> str:
    return f"{one.said_at:%Y-%m-%d}" if one.said_at else ""


def _is_last(said: Sequence[Statement], one: Statement, kept: frozenset[int]) -> bool:
    """Whether nothing of the same result is kept behind this one."""
    number = one.number + 1
    while number < len(said) and said[number].span.record == one.span.record:
        if number in kept:
            return False
        number += 1
    return True


def whole_lines(records: Sequence[Record], pinned: frozenset[str]) -> tuple[DigestLine, ...]:
    """Every record that says anything, as it stands."""
    return tuple(
        DigestLine(
            text=words,
            spans=(Span(record=record.id, start=0, end=len(words)),),
            speaker=record.speaker,
            said_at=record.said_at,
            trust=record.trust,
            pinned=record.id in pinned,
        )
        for record in records
        if (words := words_of(record)).strip()
    )
