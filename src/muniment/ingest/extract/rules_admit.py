"""What of a record may become a memory at all, before anything is read out of it: every refusal has a stable reason code.

Rule of this file: pure; the architecture decides which reasons count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from muniment.ingest.extract.rules_sentence import Function, Sentence
from muniment.knowledge.architecture import Architecture
from muniment.text.sentences import sentences
from muniment.types import Record


@dataclass(frozen=True, slots=True)
class Judged:
    """The sentences of a record, each with its reason for refusal or ""."""

    sentences: tuple[Sentence, ...]


def judge(record: Record, *, before: Sequence[Record], architecture: Architecture) -> Judged:
    """Split, classify and judge what `record` says."""
    return Judged(
        tuple(
            Sentence(text=record.text[a:b], start=a, end=b, function=Function.STATEMENT, speaker=record.speaker)
            for a, b in sentences(record.text)
        )
    )
