"""The JSON documents of what is derived from records: memories, entities, decisions, and the work behind them.

Rule of this file: pure, as `documents` is. Every key is always there; what is unknown is null.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from muniment.cli.documents import (
    NO_REASONS,
    Document,
    Reasons,
    evidence_document,
    found_document,
    instant,
    record_document,
    scope_document,
    told_document,
)
from muniment.curate.decisions import Answer, Decision
from muniment.curate.entities import Joined, Open, Shown
from muniment.curate.memories import Amended, Audit
from muniment.forget.retention import Swept
from muniment.knowledge.values import (
    Alias,
    Backlog,
    Entity,
    Memory,
    Merge,
    WorkItem,
)
from muniment.types import Record, RecordId, Scope, When

MERGED_INTO = "merged_into"
REFUSED = "refused"


def when_document(when: When | None) -> Document | None:
    """A stretch of time, and the words that told it."""
    if when is None:
        return None
    return {
        "since": instant(when.since),
        "until": instant(when.until),
        "precision": when.precision.value,
        "words": when.words,
        "recurrence": when.recurrence or None,
        "approximate": when.approximate,
    }


def memory_document(
    memory: Memory,
    now: datetime | None,
    records: Mapping[RecordId, Record] | None = None,
    *,
    reasons: Reasons = NO_REASONS,
) -> Document:
    """Everything that is kept of a memory, and how old it is at `now`."""
    evidence = [evidence_document(one, records) for one in memory.evidence]
    return {
        **found_document(memory, now, status=memory.status, evidence=evidence, reasons=reasons),
        "subject": memory.subject,
        "subject_id": memory.subject_id,
        "attribute": memory.attribute or None,
        "value": memory.value or None,
        "object_id": memory.object_id,
        "entities": list(memory.entities),
        "negated": memory.negated,
        "modality": memory.modality.value,
        "event": when_document(memory.event),
        "valid_from": instant(memory.valid_from),
        "valid_to": instant(memory.valid_to),
        "retired_at": instant(memory.retired_at),
        "replaces": list(memory.replaces),
        "replaced_by": memory.replaced_by,
        "links": [{"relation": link.relation, "memory": link.memory} for link in memory.links],
        "parts": {name: list(words) for name, words in memory.parts.items()},
        "confidence": memory.confidence,
        "private": memory.private,
        "architecture": memory.architecture or None,
        "extractor": memory.extractor or None,
        "metadata": dict(memory.metadata),
        "expires_at": instant(memory.expires_at),
        "held": memory.held,
        "recalled": memory.recalled,
        "recalled_at": instant(memory.recalled_at),
    }


def amended_document(amended: Amended, now: datetime) -> Document:
    """What a change by hand prints."""
    return {
        "memory": memory_document(amended.memory, now),
        "replaced": list(amended.replaced),
        "again": list(amended.again),
        "unchanged": amended.unchanged,
        "emptied": amended.emptied or None,
    }


def refused_documents(refused: Mapping[tuple[str, str], int]) -> list[Document]:
    """How often what was refused and why, the most frequent first."""
    ranked = sorted(refused.items(), key=lambda one: (-one[1], one[0]))
    return [{"kind": kind or None, "reason": reason, "count": number} for (kind, reason), number in ranked]


def audit_document(audit: Audit, scope: Scope) -> Document:
    """What `memories audit` prints."""
    return {
        "scope": scope_document(scope),
        "complete": audit.complete,
        "statuses": {status.value: number for status, number in audit.statuses.items()},
        "kinds": dict(audit.kinds),
        "duplicates": [list(pair) for pair in audit.duplicates],
        "stale": list(audit.stale),
        "never_recalled": list(audit.never_recalled),
        "refused": refused_documents(audit.refused),
    }


def swept_document(swept: Swept, scope: Scope | None) -> Document:
    """What `sweep` prints."""
    return {
        "scope": scope_document(scope) if scope else None,
        "looked_at": swept.looked_at,
        "purged": dict(swept.purged),
        "faded": dict(swept.faded),
        "held": swept.held,
        "at": instant(swept.at),
        "clean": swept.clean,
    }


def entity_document(entity: Entity) -> Document:
    """An entity with its names and how often each was said."""
    return {
        "id": entity.id,
        "scope": scope_document(entity.scope),
        "name": entity.name,
        "kind": entity.kind or None,
        "aliases": [_alias_document(alias) for alias in entity.aliases],
        "first_seen": instant(entity.first_seen),
        "last_seen": instant(entity.last_seen),
        MERGED_INTO: entity.merged_into,
        "trust": entity.trust.value,
        "conversation": entity.conversation,
    }


def _alias_document(alias: Alias) -> Document:
    return {"text": alias.text, "kind": alias.kind, "count": alias.count, "records": [one.record for one in alias.evidence]}


def merge_document(merge: Merge) -> Document:
    """Two entities taken for one, or a pair to look at, with the parts of its score."""
    return {
        "id": merge.id,
        "kept": merge.kept,
        "other": merge.other,
        "score": merge.score,
        "why": dict(merge.why),
        "at": instant(merge.at),
        "decided": merge.decided,
        "undone": merge.undone,
        "by": merge.by or None,
    }


def joined_document(joined: Joined) -> Document:
    """What a merge, a split or an undo prints."""
    return {
        "kept": entity_document(joined.kept),
        "other": entity_document(joined.other),
        "merge": merge_document(joined.merge),
    }


def open_document(pair: Open) -> Document:
    """Two entities that may be one."""
    return {
        "merge": merge_document(pair.merge),
        "kept": entity_document(pair.kept),
        "other": entity_document(pair.other),
    }


def shown_document(shown: Shown, now: datetime) -> Document:
    """What `entities show` prints."""
    return {
        "asked": shown.asked,
        "entity": entity_document(shown.entity),
        "parts": [entity_document(one) for one in shown.parts],
        "memories": [memory_document(one, now) for one in shown.memories],
        "merges": [merge_document(one) for one in shown.merges],
    }


def decision_document(decision: Decision, now: datetime, *, asked: bool = False) -> Document:
    """A decision with what is known of it and the records that prove it; with its score where a question was `asked`."""
    records = {record.id: record for record in decision.records}
    reasons = Reasons(score=decision.score, relevance=decision.score) if asked else NO_REASONS
    return {
        **memory_document(decision.memory, now, records, reasons=reasons),
        "by": decision.by,
        "rationale": list(decision.rationale),
        "alternatives": list(decision.alternatives),
        "depends_on": list(decision.depends_on),
        "outcome": list(decision.outcome),
        "because_of": [told_document(memory, now) for memory in decision.because_of],
        "led_to": [told_document(memory, now) for memory in decision.led_to],
        "overdue": decision.overdue,
        "records": [record_document(record) for record in decision.records],
    }


def answer_document(answer: Answer, scope: Scope, now: datetime) -> Document:
    """What `decisions why` and `decisions precedents` print."""
    return {
        "scope": scope_document(scope),
        "question": answer.question,
        "wants": answer.wants,
        "message": answer.message,
        "searched": answer.searched,
        "decisions": [decision_document(one, now, asked=True) for one in answer.decisions],
    }


def backlog_document(backlog: Backlog) -> Document:
    """How much work is open in the whole store."""
    return {
        "queued": backlog.queued,
        "processing": backlog.processing,
        "parked": backlog.parked,
        "oldest": instant(backlog.oldest),
        "last_error": backlog.last_error or None,
    }


def work_document(item: WorkItem) -> Document:
    """How far the reading of one record is."""
    return {
        "record": item.record,
        "state": item.state.value,
        "reason": item.reason or None,
        "attempts": item.attempts,
        "retry_at": instant(item.retry_at),
        "outcomes": list(item.outcomes),
        "architecture": item.architecture or None,
    }


def derived_document(items: Sequence[WorkItem]) -> Document:
    """What the records of a write came to: counts by outcome, and why something was refused."""
    counts = outcome_counts(items)
    refused = {reason: number for (what, reason), number in counts.items() if what == REFUSED}
    return {
        "records": len(items),
        "stored": _sum(counts, {"stored", "superseded"}),
        "merged": _sum(counts, {"merged"}),
        "superseded": _sum(counts, {"superseded"}),
        "retracted": _sum(counts, {"retracted"}),
        "refused": [
            {"kind": None, "reason": reason, "count": number}
            for reason, number in sorted(refused.items(), key=lambda one: (-one[1], one[0]))
        ],
        "parked": [work_document(item) for item in items if item.reason],
    }


def outcome_counts(items: Sequence[WorkItem]) -> dict[tuple[str, str], int]:
    """How often each outcome came up, by what was done and the kind or reason."""
    counts: dict[tuple[str, str], int] = {}
    for item in items:
        for outcome in item.outcomes:
            what, _, which = outcome.partition(":")
            counts[what, which] = counts.get((what, which), 0) + 1
    return counts


def _sum(counts: Mapping[tuple[str, str], int], which: Collection[str]) -> int:
    return sum(number for (what, _), number in counts.items() if what in which)
