"""The JSON documents behind `--json`: one function per value, keys as docs/reference/cli.md promises them.

Rule of this file: pure. Every key is always there; what is unknown is null. Times are UTC in ISO 8601 with a Z.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Final

from muniment.bundle import Answered, Bundle, Hit, Listing, Why
from muniment.compilation import Assembly, Compilation
from muniment.errors import MunimentError
from muniment.knowledge.values import Evidence, Memory, Status
from muniment.text.ages import age
from muniment.types import (
    Erasure,
    Fate,
    Filter,
    Finding,
    ItemReceipt,
    Outcome,
    Page,
    Record,
    RecordId,
    Scope,
    Stats,
    ToolCall,
    words_of,
)

Document = dict[str, object]

REASONS = {
    Fate.OVER_BUDGET: "no room left in the budget",
    Fate.UNREADABLE: "its row is damaged; run the doctor",
    Fate.OVER_SHARE: "memory's share of the budget was used up",
    Fate.AFTER_OVERFLOW: "a block before it did not fit",
    Fate.BELOW_CUTOFF: "its priority is below the lowest that fits",
    Fate.BELOW_THRESHOLD: "it scores below the threshold",
    Fate.BELOW_TOP: "others score higher",
    Fate.ALREADY_SHOWN: "its words already stand in the prompt",
    Fate.PARTNER_LEFT_OUT: "what it belongs to is not in",
    Fate.REQUIREMENT_MISSING: "nothing here that it may count on has the name it requires",
    Fate.NAME_TAKEN: "a tool of another author has its name",
    Fate.EMPTY: "empty",
}
"""Why a block is not in the prompt, for people."""


def instant(at: datetime | None) -> str | None:
    """`2026-03-09T10:02:00Z`, with a fraction only where there is one."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def scope_document(scope: Scope) -> Document:
    """The three rungs, null where not given."""
    return {"client": scope.client, "customer": scope.customer, "user": scope.user}


def record_document(record: Record) -> Document:
    """Everything that is kept of a record."""
    return {
        "id": record.id,
        "scope": scope_document(record.scope),
        "seq": record.seq,
        "role": record.role.value,
        "kind": record.kind.value,
        "speaker": record.speaker,
        "agent": record.agent,
        "conversation": record.conversation,
        "said_at": instant(record.said_at),
        "recorded_at": instant(record.recorded_at),
        "text": record.text,
        "origin": record.origin,
        "ref": record.ref,
        "trust": record.trust.value,
        "tool_calls": [_call_document(call) for call in record.tool_calls],
        "tool_call_id": record.tool_call_id,
        "metadata": dict(record.metadata),
        "occurrences": record.occurrences,
    }


def _call_document(call: ToolCall) -> Document:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasons:
    """Why an item was found, where it was looked for."""

    score: float | None = None
    relevance: float | None = None
    channels: Mapping[str, float] = field(default_factory=dict)
    terms: Sequence[str] = ()


NO_REASONS: Final = Reasons()


def found_document(
    one: Record | Memory, now: datetime | None, *, status: Status, evidence: Sequence[Document], reasons: Reasons = NO_REASONS
) -> Document:
    """What every item has, whatever its kind: docs/reference/formats.md says what each key means."""
    return {
        "id": one.id,
        "kind": f"{one.kind}",
        "text": words_of(one) if isinstance(one, Record) else one.text,
        "scope": scope_document(one.scope),
        "speaker": one.speaker,
        "agent": one.agent,
        "conversation": one.conversation,
        "trust": one.trust.value,
        "status": status.value,
        "said_at": instant(one.said_at),
        "recorded_at": instant(one.recorded_at),
        "age": age(one.said_at, now) if one.said_at and now else None,
        "score": None if reasons.score is None else round(reasons.score, 6),
        "relevance": None if reasons.relevance is None else round(reasons.relevance, 6),
        "channels": {name: round(share, 6) for name, share in reasons.channels.items()},
        "terms": list(reasons.terms),
        "evidence": list(evidence),
    }


def evidence_document(evidence: Evidence, records: Mapping[RecordId, Record] | None = None) -> Document:
    """Where something is said, and, if its record was read, the words themselves."""
    record = (records or {}).get(evidence.record)
    return {
        "record": evidence.record,
        "start": evidence.start,
        "end": evidence.end,
        "said_at": instant(evidence.said_at),
        "speaker": evidence.speaker,
        "words": record.text[evidence.start : evidence.end] if record else None,
    }


def hit_document(hit: Hit, now: datetime | None) -> Document:
    """One piece of evidence with its reasons. `passage` is the span of characters of the text that matched best."""
    record, (start, end) = hit.record, hit.passage
    proof = Evidence(record=record.id, start=start, end=end or len(record.text), said_at=record.said_at, speaker=record.speaker)
    found = not hit.attached
    return {
        **found_document(
            record,
            now,
            status=_status(hit),
            evidence=[evidence_document(proof, {record.id: record})],
            reasons=Reasons(score=hit.score, relevance=hit.relevance, channels=hit.channels, terms=hit.terms)
            if found
            else NO_REASONS,
        ),
        "passage": list(hit.passage),
        "attached": hit.attached,
        "tokens": hit.tokens,
        "queries": list(hit.queries),
        "window": hit.window or None,
        "path": list(hit.path),
        "record": record_document(record),
        "superseded": hit.superseded,
        "memories": [told_document(memory, now) for memory in hit.memories],
        "against": [told_document(memory, now) for memory in hit.against],
    }


def _status(hit: Hit) -> Status:
    if hit.outdated:
        return hit.outdated[0].status
    return Status.NOT_YET if hit.not_yet else Status.CURRENT


def told_document(memory: Memory, now: datetime | None) -> Document:
    """What a hit's record proves, in short; `muniment memories show` has all of it."""
    return {
        **found_document(memory, now, status=memory.status, evidence=[evidence_document(one) for one in memory.evidence]),
        "valid_from": instant(memory.valid_from),
        "valid_to": instant(memory.valid_to),
        "replaced_by": memory.replaced_by,
    }


NO_WORD = "Nothing found: no record holds"
"""How the sentence begins that is true of the whole scope only."""


def explained(bundle: Bundle, *, where: Filter, threshold: float, budget: int | None) -> tuple[str, ...]:
    """The explanation of `bundle`; when it is empty because of an option, that option in place of what holds for all records."""
    if bundle.hits:
        return bundle.explanation
    said = tuple(sentence for sentence in bundle.explanation if not sentence.startswith(NO_WORD))
    if any("below the threshold" in sentence for sentence in said):
        return (*said, f"Nothing is as relevant as --threshold {threshold:g} asks.")
    if len(said) == len(bundle.explanation) and budget is not None and bundle.health.searched:
        return (*said, f"What was found is longer than --budget {budget} allows.")
    if asked := [field.name for field in fields(where) if getattr(where, field.name) != getattr(Filter(), field.name)]:
        return (*said, f"Nothing that the filter by {' and '.join(asked)} let through answers the query.")
    return bundle.explanation


def bundle_document(bundle: Bundle, scope: Scope) -> Document:
    """What `retrieve` prints."""
    return {
        "query": bundle.query,
        "scope": scope_document(scope),
        "now": instant(bundle.now),
        "hits": [hit_document(hit, bundle.now) for hit in bundle],
        "tokens": bundle.tokens,
        "confidence": round(bundle.confidence, 6),
        "queries": [_query_document(one, bundle.now, bundle.found_by(number)) for number, one in enumerate(bundle.queries)],
        "explanation": list(bundle.explanation),
        "health": {
            "searched": bundle.health.searched,
            "embedder": bundle.health.embedder,
            "degraded": bundle.health.degraded,
            "notes": list(bundle.health.notes),
        },
    }


def _query_document(one: Answered, now: datetime | None, hits: int) -> Document:
    """One of the queries, how many of the hits it found, and what it counts or lists, null where it does neither."""
    return {
        "query": one.query,
        "hits": hits,
        "confidence": round(one.confidence, 6),
        "listing": one.listing and _listing_document(one.listing, now),
    }


def _listing_document(listing: Listing, now: datetime | None) -> Document:
    return {
        "items": [
            {
                "name": item.name,
                "memories": [told_document(memory, now) for memory in item.memories],
                "records": list(item.evidence),
            }
            for item in listing.items
        ],
        "count": listing.count,
        "complete": listing.complete,
        "selected": listing.selected,
        "uncertain": [told_document(memory, now) for memory in listing.uncertain],
        "past": [told_document(memory, now) for memory in listing.past],
        "unread": list(listing.unread),
        "notes": list(listing.notes),
    }


def why_document(why: Why, query: str, scope: Scope) -> Document:
    """What `explain` prints: what became of the record, and the record as a hit where it matches at all."""
    return {
        "query": query,
        "scope": scope_document(scope),
        "now": instant(why.now),
        "record": record_document(why.record),
        "code": why.code,
        "rank": why.rank,
        "hit": None if why.hit is None else hit_document(why.hit, why.now),
        "last": round(why.last, 6),
        "explanation": list(why.explanation),
    }


def compilation_document(compilation: Compilation) -> Document:
    """The counts and the fate of every block, in the order of the prompt."""
    return {
        "tokens": compilation.tokens,
        "budget": compilation.budget,
        "reserve": compilation.reserve,
        "counter": compilation.counter,
        "exact": compilation.exact,
        "prompt_hash": compilation.prompt_hash,
        "blocks": [
            {
                "name": row.name,
                "band": row.band.name.lower(),
                "fate": row.fate.value,
                "reason": REASONS.get(row.fate),
                "tokens": row.tokens,
                "required": row.required,
                "score": None if row.score is None else round(row.score, 6),
                "short": row.short,
            }
            for row in compilation.receipt
        ],
    }


def assembly_document(assembly: Assembly, scope: Scope, *, form: str, prompt: object) -> Document:
    """What `assemble` prints: `prompt` in the form asked for, the receipt, and the evidence it came from."""
    return {
        "scope": scope_document(scope),
        "format": form,
        "prompt": prompt,
        **compilation_document(assembly.compilation),
        "bundle": bundle_document(assembly.bundle, scope),
    }


def page_document(page: Page, scope: Scope) -> Document:
    """What `list` prints."""
    return {
        "scope": scope_document(scope),
        "records": [record_document(record) for record in page.records],
        "cursor": page.cursor,
        "lost": list(page.lost),
    }


def item_document(item: ItemReceipt) -> Document:
    """The outcome of one item of a write."""
    return {"place": item.place, "outcome": item.outcome.value, "id": item.id, "reason": item.reason, "message": item.message}


def counts_document(items: Sequence[ItemReceipt]) -> Document:
    """How many items had each outcome; every outcome is named."""
    counted = Counter(item.outcome for item in items)
    return {outcome.value: counted[outcome] for outcome in Outcome}


def erasure_document(erasure: Erasure) -> Document:
    """What `forget` prints."""
    return {
        "scopes": [scope_document(scope) for scope in erasure.scopes],
        "records": erasure.records,
        "removed": dict(erasure.removed),
        "at": instant(erasure.at),
        "clean": erasure.clean,
        "notes": list(erasure.notes),
    }


def stats_document(stats: Stats, scope: Scope | None) -> Document:
    """What `stats` prints; `scope` is null for the whole store."""
    return {
        "scope": scope_document(scope) if scope else None,
        "records": stats.records,
        "entries": stats.entries,
        "conversations": stats.conversations,
        "scopes": stats.scopes,
        "vectors": stats.vectors,
        "embedder": stats.embedder,
        "bytes": stats.bytes,
        "oldest": instant(stats.oldest),
        "newest": instant(stats.newest),
    }


def findings_document(findings: Sequence[Finding]) -> Document:
    """What `doctor` prints; `ok` is true when nothing is wrong any more."""
    return {
        "ok": all(finding.ok for finding in findings),
        "findings": [
            {
                "check": finding.check,
                "ok": finding.ok,
                "message": finding.message,
                "repaired": finding.repaired,
                "hint": finding.hint,
            }
            for finding in findings
        ],
    }


def error_document(error: MunimentError) -> Document:
    """What goes to standard error instead of the line `Error: …`."""
    return {"error": {"code": error.reason, "message": error.message, "hint": error.hint, "place": error.place}}
