"""What a dry run came to: kind by kind what would be stored, merged, superseded and refused, with reasons and examples.

Rule of this file: it counts what an engine did in a store of its own; it decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.knowledge.values import Memory, Status

MOST_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCount:
    """What became of one kind. `merged` counts repeats that became evidence of a memory that was there."""

    kind: str
    stored: int = 0
    merged: int = 0
    superseded: int = 0
    retracted: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """How often something was refused for one reason; `kind` is empty where it was refused before it had one."""

    kind: str
    reason: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What transcripts come to under one architecture."""

    architecture: str
    records: int
    kinds: tuple[KindCount, ...]
    refused: tuple[Refused, ...]
    statements: Mapping[tuple[str, str], Status] = field(default_factory=dict)
    """Status by (kind, text)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """What another architecture does to one statement: kept by one alone, or with another status. None is not kept."""

    kind: str
    text: str
    before: str | None
    after: str | None


def report(
    memories: Sequence[Memory],
    refused: Mapping[tuple[str, str], int],
    *,
    architecture: str = "",
    records: int = 0,
    examples: Mapping[str, Sequence[str]] | None = None,
) -> Report:
    """The report of a run: its memories of every status, its refusals by (kind, reason), and examples of those by reason."""
    by_kind: dict[str, list[Memory]] = {}
    for memory in memories:
        by_kind.setdefault(memory.kind, []).append(memory)
    shown = examples or {}
    return Report(
        architecture=architecture,
        records=records,
        kinds=tuple(_count(kind, found) for kind, found in sorted(by_kind.items())),
        refused=tuple(
            Refused(kind=kind, reason=reason, count=count, examples=tuple(shown.get(reason, ()))[:MOST_EXAMPLES])
            for (kind, reason), count in sorted(refused.items(), key=lambda item: (-item[1], item[0]))
        ),
        statements={(memory.kind, memory.text): memory.status for memory in memories},
    )


def _count(kind: str, memories: Sequence[Memory]) -> KindCount:
    counted = Counter(memory.status for memory in memories)
    return KindCount(
        kind=kind,
        stored=counted[Status.CURRENT],
        merged=sum(max(len(memory.evidence) - 1, 0) for memory in memories) + counted[Status.MERGED],
        superseded=counted[Status.SUPERSEDED],
        retracted=counted[Status.RETRACTED],
        examples=tuple(memory.text for memory in memories if memory.status is Status.CURRENT)[:MOST_EXAMPLES],
    )


def shifts(before: Report, after: Report) -> tuple[Shift, ...]:
    """What changes from one run to another over the same transcripts, statement by statement."""
    out = []
    for key in dict.fromkeys((*before.statements, *after.statements)):
        old, new = before.statements.get(key), after.statements.get(key)
        if old is not new:
            out.append(Shift(kind=key[0], text=key[1], before=old and old.value, after=new and new.value))
    return tuple(out)
