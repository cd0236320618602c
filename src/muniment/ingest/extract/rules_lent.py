"""Words that a statement has from an earlier record: a name behind a pronoun, what was asked before a "yes".

Rule of this file: pure. A record that lends its words is told as such, so that a statement goes when what it borrowed is erased.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from muniment.knowledge.values import SELF, Candidate, Evidence
from muniment.types import Record

_WORD: Final = re.compile(r"\w+")
_SHORT: Final = 6
"""Words of an answer up to which all that it tells may be the question's."""
_LONG: Final = 4


def with_lenders(candidate: Candidate, record: Record, before: Sequence[Record]) -> Candidate:
    """The candidate with the earlier records whose words it uses, the latest that holds each."""
    if not before:
        return candidate
    lent: dict[str, Evidence] = {}
    for word in _borrowed(candidate, record):
        for earlier in reversed(before):
            found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", earlier.text, re.IGNORECASE)
            if found or word.casefold() in earlier.speaker.casefold():
                start, end = found.span() if found else (0, 0)
                lent[earlier.id] = Evidence(
                    record=earlier.id, start=start, end=end, said_at=earlier.said_at, speaker=earlier.speaker, lends=True
                )
                break
    return replace(candidate, lenders=tuple(lent.values())) if lent else candidate


def _borrowed(candidate: Candidate, record: Record) -> list[str]:
    """Telling words of the statement that are not its record's own."""
    own = {word.casefold() for word in _WORD.findall(f"{record.text} {record.speaker} {SELF}")}
    words = _WORD.findall(f"{candidate.subject} {candidate.value}")
    short = len(own) <= _SHORT
    for text in (candidate.text, *(piece for pieces in candidate.parts.values() for piece in pieces)):
        words += [word for word in _WORD.findall(text) if not word.islower() or (short and len(word) >= _LONG)]
    return [word for word in dict.fromkeys(words) if len(word) > 1 and word.casefold() not in own]
