"""Records as statements: sentence by sentence, each with where it stands, who said it, and what it states.

Rule of this file: pure. A statement is never part of a sentence; a call of a tool and its result are one statement's `pair`, so
that neither is ever without the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.compact.rules_stated import Clause, Names, names_in, read
from muniment.knowledge.digests import Span
from muniment.types import Record, RecordId, Role, Trust, words_of

_LEAST_LETTERS = 2
_ASKS = re.compile(r"[?\u061f\uff1f]\W*$")
_LAST = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence of a record. `number` counts the statements of the span, `turn` its records.

    `answers` is True when the turn before, of somebody else, ends in a question; `asks` when this is one. `pair` is the
    record that called the tool, for the call and for its results.
    """

    number: int
    turn: int
    text: str
    span: Span
    speaker: str
    said_at: datetime | None
    role: Role
    trust: Trust
    clauses: tuple[Clause, ...]
    answers: bool = False
    asks: bool = False
    pinned: bool = False
    pair: RecordId | None = None


def statements(records: Sequence[Record], *, names: Names, pinned: Iterable[RecordId] = ()) -> tuple[Statement, ...]:
    """The statements of a span of records, in order. What is `pinned` is one statement each, as it stands."""
    known = frozenset(word for record in records for word in names_in(words_of(record), names))
    whole = frozenset(pinned)
    called: dict[str, RecordId] = {}
    found: list[Statement] = []
    asked, asker = False, ""
    for turn, record in enumerate(records):
        called |= {call.id: record.id for call in record.tool_calls}
        pair = record.id if record.tool_calls else called.get(record.tool_call_id or "")
        text = words_of(record)
        clauses = read(text, names=names, known=known, reference=record.said_at)
        for start, end, own in _pieces(text, clauses, whole=record.id in whole or pair is not None):
            piece = text[start:end]
            found.append(
                Statement(
                    number=len(found),
                    turn=turn,
                    text=piece,
                    span=Span(record=record.id, start=start, end=end),
                    speaker=record.speaker,
                    said_at=record.said_at,
                    role=record.role,
                    trust=record.trust,
                    clauses=own,
                    answers=asked and asker != record.speaker,
                    asks=bool(_ASKS.search(piece)),
                    pinned=record.id in whole,
                    pair=pair,
                )
            )
        asked, asker = "?" in text[-_LAST:], record.speaker
    return tuple(found)


def _pieces(text: str, clauses: Sequence[Clause], *, whole: bool) -> Iterable[tuple[int, int, tuple[Clause, ...]]]:
    """Sentences with their clauses; a record that stays whole is one piece. What holds no letter or figure is none."""
    if whole:
        if text.strip():
            yield 0, len(text), tuple(clauses)
        return
    together: list[Clause] = []
    for clause in [*clauses, None]:
        if together and (clause is None or clause.sentence != together[0].sentence):
            start, end = together[0].start, together[-1].end
            if sum(letter.isalnum() for letter in text[start:end]) >= _LEAST_LETTERS:
                yield start, end, tuple(together)
            together = []
        if clause is not None:
            together.append(clause)
