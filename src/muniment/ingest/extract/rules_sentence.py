"""One sentence of a record as the readers see it, and what they may ask about it.

Rule of this file: values only. A reader is a pure function from a sentence and its context to candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Candidate, Mention, Modality
from muniment.types import Record

if TYPE_CHECKING:
    from muniment.text.times import Timed


class Function(StrEnum):
    """What a sentence does in the talk."""

    STATEMENT = "statement"
    PREFERENCE = "preference"
    EVENT = "event"
    DECISION = "decision"
    COMMITMENT = "commitment"
    QUESTION = "question"
    INSTRUCTION = "instruction"
    ACKNOWLEDGEMENT = "acknowledgement"
    GREETING = "greeting"
    BOILERPLATE = "boilerplate"
    OPINION = "opinion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Characters `start` to `end` of a record's text, without bullet and quotation marks around them.

    `speaker` is who says it: the record's speaker, or whoever is quoted, "" when that is not told. `quoted` marks what stands in
    quotation marks or is reported ("Ben said that …"). `negated` and `modality` are those of its main clause. `refusal` is the
    reason code for which nothing of it is kept, or "". `words` are casefolded tokens; scripts without spaces give pieces.
    """

    text: str
    start: int
    end: int
    function: Function
    speaker: str
    quoted: bool = False
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    refusal: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a reader may ask beside the sentence itself.

    `before` are up to six earlier records of the conversation, oldest first; `mentions` and `timed` the names and times found in
    the record's text. `subject(pronoun, place)` names whom a pronoun at a character of it stands for, "" when that is unclear.
    """

    record: Record
    before: Sequence[Record]
    architecture: Architecture
    mentions: tuple[Mention, ...]
    timed: tuple[Timed, ...]
    subject: Callable[[str, int], str]


Reader = Callable[[Sentence, Context], Sequence[Candidate]]
"""Reads the candidates one sentence gives."""
