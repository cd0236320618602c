"""Records to judge, and how their sentences come out."""

from __future__ import annotations

from datetime import UTC, datetime

from muniment.ingest.extract import extract
from muniment.ingest.extract.rules_admit import judge
from muniment.knowledge.architecture import Architecture
from muniment.types import Kind, Record, RecordId, Role, Scope, Trust

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
PLAIN = Architecture()


def record(text: str, role: Role = Role.USER, *, speaker: str = "", trust: Trust = Trust.TRUSTED, ref: str = "r1") -> Record:
    return Record(
        id=RecordId(ref),
        scope=Scope(user="ana"),
        text=text,
        role=role,
        kind=Kind.TOOL_RESULT if role is Role.TOOL else Kind.TURN,
        speaker=speaker or role.value,
        agent="default",
        recorded_at=NOW,
        said_at=NOW,
        trust=trust,
    )


def judged(text: str, role: Role = Role.USER, *, before=(), speaker="", trust=Trust.TRUSTED, subject=lambda _p, _at: ""):
    one = record(text, role, speaker=speaker, trust=trust)
    return judge(one, before=before, architecture=PLAIN, subject=subject).sentences


def reasons(text: str, role: Role = Role.USER, **options) -> list[str]:
    return [sentence.refusal for sentence in judged(text, role, **options)]


def read(text: str, role: Role = Role.USER, *, before=(), speaker="", architecture=PLAIN):
    return extract(record(text, role, speaker=speaker), before=before, architecture=architecture)
