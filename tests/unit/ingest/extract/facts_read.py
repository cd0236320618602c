"""Reads records the way the pipeline does, but with the reader of facts alone; shared by the tests of that reader."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from muniment.architect import default_architecture
from muniment.ingest.extract import rules_facts
from muniment.ingest.extract.rules_admit import judge
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_pronouns import resolver
from muniment.ingest.extract.rules_sentence import Context
from muniment.knowledge.values import Candidate
from muniment.text.times import resolve
from muniment.types import Kind, Record, RecordId, Role, Scope, Trust

NOON = datetime(2026, 7, 27, 12, tzinfo=UTC)
_ARCHITECTURE = default_architecture()


def record(text: str, *, speaker: str = "user", role: Role = Role.USER, trust: Trust = Trust.TRUSTED) -> Record:
    """One record said on Monday 27 July 2026 at noon."""
    return Record(
        id=RecordId("r1"),
        scope=Scope(user="u"),
        text=text,
        role=role,
        kind=Kind.TURN,
        speaker=speaker,
        agent="a",
        recorded_at=NOON,
        said_at=NOON,
        trust=trust,
    )


def read(
    text: str,
    *,
    before: Sequence[Record | str] = (),
    speaker: str = "user",
    role: Role = Role.USER,
    trust: Trust = Trust.TRUSTED,
) -> list[Candidate]:
    """What is read out of `text`; a bare text in `before` is the assistant's."""
    one = record(text, speaker=speaker, role=role, trust=trust)
    earlier = [b if isinstance(b, Record) else record(b, speaker="assistant", role=Role.ASSISTANT) for b in before]
    named = mentions(text)
    context = Context(
        record=one,
        before=earlier,
        architecture=_ARCHITECTURE,
        mentions=named,
        timed=resolve(text, reference=NOON, zone=UTC),
        subject=resolver(one, earlier, named),
    )
    judged = judge(one, before=earlier, architecture=_ARCHITECTURE)
    return [candidate for sentence in judged.sentences for candidate in rules_facts.read(sentence, context)]


def slots(text: str, **given: object) -> set[tuple[str, str]]:
    """Attribute and value of what is read."""
    return {(c.attribute, c.value) for c in read(text, **given) if c.attribute}  # type: ignore[arg-type]  # passed on as given


def texts(text: str, **given: object) -> list[str]:
    """The words of what is read."""
    return [c.text for c in read(text, **given)]  # type: ignore[arg-type]  # passed on as given
