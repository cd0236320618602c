"""Memories, entities and merges as the text a store keeps of them, and back. What stands at its default is left out.

Rule of this file: pure, and exact both ways; times become microseconds since 1970, UTC. A value that cannot be kept, such as half
of a character or a time without a zone, is refused here for every store alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any

from muniment.errors import InputError
from muniment.knowledge.values import (
    KEPT,
    Alias,
    Entity,
    EntityId,
    Evidence,
    Link,
    Memory,
    MemoryId,
    Merge,
    Modality,
)
from muniment.stores.rules import instant, micros, utc
from muniment.types import Precision, RecordId, Scope, Trust, When

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_TIMES = ("said_at", "valid_from", "valid_to", "retired_at", "expires_at", "recalled_at")
_PLAIN = (
    *("subject_id", "attribute", "value", "object_id", "negated", "modality", "speaker", "status", "replaced_by", "confidence"),
    *("trust", "conversation", "private", "agent", "architecture", "extractor", "held", "recalled"),
)
_DEFAULTS = {field.name: field.default for field in fields(Memory) if field.default is not MISSING}
_MODALITIES = {member.value: member for member in Modality}
_STATUSES = {member.value: member for member in KEPT}
_TRUSTS = {member.value: member for member in Trust}
_PRECISIONS = {member.value: member for member in Precision}

Row = dict[str, Any]


def memory_body(memory: Memory) -> str:
    """All of a memory but its scope and place. Raises InputError for what cannot be kept."""
    body: Row = {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "subject": memory.subject,
        "recorded_at": _micros(memory.recorded_at, "recorded_at"),
        "evidence": _evidence_out(memory.evidence),
    }
    for name in _PLAIN:
        value = getattr(memory, name)
        if value != _DEFAULTS[name]:
            body[name] = value
    body |= {name: _micros(at, name) for name in _TIMES if (at := getattr(memory, name)) is not None}
    if memory.event is not None:
        body["event"] = _when_out(memory.event)
    if memory.links:
        body["links"] = [[link.relation, link.memory] for link in memory.links]
    for name in ("entities", "replaces"):
        if value := getattr(memory, name):
            body[name] = list(value)
    if memory.parts:
        body["parts"] = {part: list(texts) for part, texts in memory.parts.items()}
    if memory.metadata:
        body["metadata"] = dict(memory.metadata)
    return _written(body, memory.id)


def memory_of(scope: Scope, seq: int, body: str) -> Memory:
    """The memory of a body that `memory_body` gave."""
    row: Row = json.loads(body)
    for name in row.keys() & _READ.keys():
        row[name] = _READ[name](row[name])
    return Memory(scope=scope, seq=seq, **row)


def entity_body(entity: Entity) -> str:
    """All of an entity but its scope and place. Raises InputError for what cannot be kept."""
    body: Row = {
        "id": entity.id,
        "name": entity.name,
        "kind": entity.kind,
        "aliases": [[alias.text, alias.kind, alias.count, _evidence_out(alias.evidence)] for alias in entity.aliases],
        "keys": list(entity.keys),
        "seen": [_micros(entity.first_seen, "first_seen"), _micros(entity.last_seen, "last_seen")],
        "merged_into": entity.merged_into,
        "trust": entity.trust,
    }
    if entity.conversation is not None:
        body["conversation"] = entity.conversation
    return _written(body, entity.id)


def entity_of(scope: Scope, seq: int, body: str) -> Entity:
    """The entity of a body that `entity_body` gave."""
    row: Row = json.loads(body)
    first, last = row["seen"]
    return Entity(
        id=EntityId(row["id"]),
        scope=scope,
        name=row["name"],
        kind=row["kind"],
        aliases=tuple(
            Alias(text=text, kind=kind, count=count, evidence=_evidence_in(proof)) for text, kind, count, proof in row["aliases"]
        ),
        keys=tuple(row["keys"]),
        first_seen=instant(first),
        last_seen=instant(last),
        merged_into=row["merged_into"],
        trust=_TRUSTS[row["trust"]],
        conversation=row.get("conversation"),
        seq=seq,
    )


def merge_body(merge: Merge) -> str:
    """All of a merge but its scope. Raises InputError for what cannot be kept."""
    body: Row = {
        "id": merge.id,
        "kept": merge.kept,
        "other": merge.other,
        "score": merge.score,
        "why": dict(merge.why),
        "at": _micros(merge.at, "at"),
        "decided": merge.decided,
        "undone": merge.undone,
        "by": merge.by,
    }
    return _written(body, merge.id)


def merge_of(scope: Scope, body: str) -> Merge:
    """The merge of a body that `merge_body` gave."""
    row: Row = json.loads(body)
    row["at"] = instant(row["at"])
    return Merge(scope=scope, **row)


def _written(body: Mapping[str, Any], name: str) -> str:
    try:
        text = _encode(body)
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "this holds half of a character (a lone surrogate).",
            place=repr(name),
            code="invalid_unicode",
            hint="Decode the text with errors='replace' before handing it over.",
        ) from error
    except ValueError as error:
        raise InputError(
            "this holds a number that is not finite.", place=name, code="range", hint="Give a finite one."
        ) from error
    return text


def _micros(at: datetime, place: str) -> int:
    return micros(utc(at, place))


def _evidence_out(evidence: Sequence[Evidence]) -> list[list[object]]:
    """A row for each; one that lends has a true value at its end."""
    return [
        [e.record, e.start, e.end, None if e.said_at is None else _micros(e.said_at, "said_at"), e.speaker]
        + ([True] if e.lends else [])
        for e in evidence
    ]


def _evidence_in(rows: Sequence[Sequence[Any]]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            record=RecordId(record),
            start=start,
            end=end,
            said_at=None if said_at is None else instant(said_at),
            speaker=speaker,
            lends=bool(more),
        )
        for record, start, end, said_at, speaker, *more in rows
    )


def _when_out(when: When) -> list[object]:
    ends = (None if at is None else _micros(at, "event") for at in (when.since, when.until))
    return [*ends, when.precision, when.words, when.recurrence, when.approximate, when.assumed]


def _when_in(row: Sequence[Any]) -> When:
    since, until, precision, words, recurrence, approximate, assumed = row
    return When(
        since=None if since is None else instant(since),
        until=None if until is None else instant(until),
        precision=_PRECISIONS[precision],
        words=words,
        recurrence=recurrence,
        approximate=approximate,
        assumed=assumed,
    )


def _links_in(rows: Sequence[Sequence[str]]) -> tuple[Link, ...]:
    return tuple(Link(relation=relation, memory=MemoryId(other)) for relation, other in rows)


def _parts_in(parts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    return {part: tuple(texts) for part, texts in parts.items()}


_READ: dict[str, Callable[[Any], object]] = {
    **dict.fromkeys(("recorded_at", *_TIMES), instant),
    **dict.fromkeys(("entities", "replaces"), tuple),
    "modality": _MODALITIES.__getitem__,
    "status": _STATUSES.__getitem__,
    "trust": _TRUSTS.__getitem__,
    "event": _when_in,
    "evidence": _evidence_in,
    "links": _links_in,
    "parts": _parts_in,
}
