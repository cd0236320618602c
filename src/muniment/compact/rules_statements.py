"""Records as statements: sentence by sentence, each with where it stands, who said it, and what it states.

Rule of this file: pure. A statement is never part of a sentence. It names the statements it cannot be understood without: the
result of a tool needs its call, a call needs all its results, a pronoun the sentence before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.compact.rules_results import Part, parts
from muniment.compact.rules_stated import Clause, Names, names_in, read
from muniment.knowledge.digests import Span
from muniment.types import Record, RecordId, Role, Trust, words_of

_LEAST_LETTERS = 2
_ASKS = re.compile(r"[?\u061f\uff1f]\W*$")
_LAST = 80
_DOES = r"is|was|are|were|will|would|has|had|can|could|did|does|do|should|may|might|must|\w+(?:ed|s)"
_VERB = rf"(?:['\u2019](?:s|re|ll|d)\b|\s+(?:{_DOES})\b)"
_POINTS_BACK = re.compile(
    rf"\W{{0,4}}(?:(?:and|but|so|then|also|because)\s+)?(?:(?:he|she|they)\b|(?:it|this|that|these|those){_VERB})", re.IGNORECASE
)
_TOLD_AGAIN = re.compile(r"(?=[\w.-]{0,40}\d)[\w][\w.-]{1,40}\w")
"""Ids and numbers that can be told again: three letters or figures at least, a figure among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One sentence of a record. `number` counts the statements of the span, `turn` its records.

    `answers` is True when the turn before, of somebody else, ends in a question; `asks` when this is one, `opens` when its turn
    begins with it. `pair` is the record that called the tool, for the call and for its results; `part` says what a piece of a
    result is ("row", "field", "sentence"), `mentioned` that a later turn comes back to it. `needs` are the numbers of the
    statements without which it may not stand. `verbatim` is False where the text is a row written as a line.
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
    opens: bool = False
    pinned: bool = False
    pair: RecordId | None = None
    conversation: str | None = None
    part: str = ""
    header: str = ""
    mentioned: bool = False
    verbatim: bool = True
    needs: tuple[int, ...] = ()


@dataclass(slots=True)
class _Calls:
    """Which call each result belongs to, and what of each pair must stand together."""

    by_id: dict[str, RecordId] = field(default_factory=dict)
    core: dict[RecordId, list[int]] = field(default_factory=lambda: defaultdict(list))


def statements(records: Sequence[Record], *, names: Names, pinned: Iterable[RecordId] = ()) -> tuple[Statement, ...]:
    """The statements of a span of records, in order. What is `pinned` is one statement each, as it stands."""
    known = frozenset(word for record in records for word in names_in(words_of(record), names))
    whole = frozenset(pinned)
    calls = _Calls()
    again = _said_again(records)
    found: list[Statement] = []
    asked, asker = False, ""
    for turn, record in enumerate(records):
        calls.by_id |= {call.id: record.id for call in record.tool_calls}
        pair = record.id if record.tool_calls else calls.by_id.get(record.tool_call_id or "")
        text = words_of(record)
        result = pair is not None and not record.tool_calls
        base = Statement(
            number=len(found),
            turn=turn,
            text=text,
            span=Span(record=record.id, start=0, end=len(text)),
            speaker=record.speaker,
            said_at=record.said_at,
            role=record.role,
            trust=record.trust,
            clauses=(),
            answers=asked and asker != record.speaker,
            pinned=record.id in whole,
            pair=pair,
            conversation=record.conversation,
        )
        rows = parts(text) if result and not base.pinned else ()
        if rows:
            stated = [read(one.text, names=names, known=known, reference=record.said_at) for one in rows]
            found += _rows(base, rows, stated, again)
        else:
            clauses = read(text, names=names, known=known, reference=record.said_at, speaker=record.speaker)
            cut = _pieces(text, clauses, whole=base.pinned or bool(record.tool_calls))
            found += _sentences(base, cut, part="sentence" if result and not base.pinned else "")
        if pair is not None and len(found) > base.number:
            calls.core[pair].append(base.number)
        asked, asker = "?" in text[-_LAST:], record.speaker
    return tuple(_bound(found, calls))


def _sentences(base: Statement, cut: Iterable[tuple[int, int, tuple[Clause, ...]]], *, part: str) -> Iterator[Statement]:
    for at, (start, end, own) in enumerate(cut):
        number = base.number + at
        text = base.text[start:end]
        yield replace(
            base,
            number=number,
            text=text,
            span=replace(base.span, start=start, end=end),
            clauses=own,
            asks=bool(_ASKS.search(text)),
            opens=at == 0,
            part=part,
            needs=(number - 1,) if at and not part and _POINTS_BACK.match(text) else (),
        )


def _rows(
    base: Statement, rows: Sequence[Part], stated: Sequence[Sequence[Clause]], again: dict[str, int]
) -> Iterator[Statement]:
    """The parts of a result; a row carries its header, so that neither stands alone."""
    for at, (one, clauses) in enumerate(zip(rows, stated, strict=True)):
        span = replace(base.span, start=one.start, end=one.end)
        own = tuple(replace(clause, start=one.start, end=one.end, sentence=at) for clause in clauses)
        words = {word.casefold() for word in _TOLD_AGAIN.findall(one.text)}
        yield replace(
            base,
            number=base.number + at,
            text=one.text,
            span=span,
            clauses=own,
            opens=at == 0,
            part="row" if one.header else "field",
            header=one.header,
            mentioned=any(again.get(word, -1) > base.turn for word in words),
            verbatim=False,
        )


def _said_again(records: Sequence[Record]) -> dict[str, int]:
    """For every id and number, the last turn that says it and is no result of a tool."""
    found: dict[str, int] = {}
    if not any(record.tool_call_id for record in records):
        return found
    for turn, record in enumerate(records):
        if record.role is not Role.TOOL:
            said = " ".join([record.text, *(call.arguments for call in record.tool_calls)])
            found |= {word.casefold(): turn for word in _TOLD_AGAIN.findall(said)}
    return found


def _bound(found: Sequence[Statement], calls: _Calls) -> Iterator[Statement]:
    """The same statements, those of a call and its results bound to each other."""
    for one in found:
        core = calls.core.get(one.pair, []) if one.pair is not None else []
        yield replace(one, needs=tuple(n for n in core if n != one.number)) if len(core) > 1 else one


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
