"""How memories look: one a line in a list; one in full with the words that prove it; changes by hand; an audit; a sweep.

Rule of this file: ids are never cut, and what no longer holds always says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from muniment.cli.documents_derived import REFUSED, outcome_counts
from muniment.cli.output import BAD, GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.paint import Piece, Text, cells
from muniment.cli.views import DOT, INDENT, ago, count, moment, show_facts, stamp
from muniment.cli.visible import one_line
from muniment.curate.memories import Amended, Audit
from muniment.forget.retention import Swept
from muniment.knowledge.contradicted import told_by
from muniment.knowledge.values import Backlog, Memory, MemoryId, Status, WorkItem
from muniment.text.ages import dated, told_when
from muniment.types import Record, RecordId, Scope, When

STYLES: Final = {Status.CURRENT: GOOD, Status.RETRACTED: BAD}
_IDS_SHOWN: Final = 10


def show_memories(screen: Screen, memories: Sequence[Memory], now: datetime, disputed: Collection[MemoryId] = ()) -> None:
    """One line per memory, latest first; in a pipe: id, status, since when, kind, text, separated by tabs.

    `disputed` are those that another agent contradicts: they name whose claim they are.
    """
    if not screen.wraps:
        for memory in memories:
            fields = [memory.id, memory.status.value, stamp(_since(memory)), one_line(memory.kind), one_line(memory.text)]
            screen.line("\t".join(fields))
        return
    if not memories:
        return
    ids = max(cells(memory.id) for memory in memories)
    kinds = max(4, *(cells(one_line(memory.kind)) for memory in memories))
    since = [dated(_since(memory), now) for memory in memories]
    wide = max(map(len, since))
    screen.clipped((f"{'ID':<{ids}}  {'SINCE (UTC)':<{wide}}  {'KIND':<{kinds}}  TEXT", SOFT))
    for memory, told in zip(memories, since, strict=True):
        screen.clipped(
            (memory.id, MARK),
            f"  {told:<{wide}}  ",
            Text.of((one_line(memory.kind), SOFT)).fitted(kinds, pad=True),
            "  ",
            *([(f"contradicted, {told_by(memory)}: ", WARN)] if memory.id in disputed else []),
            *_marked(memory),
        )


def _since(memory: Memory) -> datetime:
    return memory.valid_from or memory.said_at or memory.recorded_at


def _marked(memory: Memory) -> list[Piece]:
    """The words, after the status where it is not current."""
    text = one_line(memory.text)
    if memory.status is Status.CURRENT:
        return [text]
    return [(f"{memory.status.value}: ", STYLES.get(memory.status, WARN)), (text, SOFT)]


def show_memory(
    screen: Screen,
    memory: Memory,
    history: Sequence[Memory],
    records: Mapping[RecordId, Record],
    *,
    against: Sequence[Memory] = (),
    now: datetime,
) -> None:
    """One memory in full: what it says, the words that prove it, what stood in its place, and what is claimed against it.

    A terminal is told how long before `now` that was; in a pipe the same is the same tomorrow.
    """
    reckoned = now if screen.wraps else None
    screen.words(memory.text, style=STRONG)
    screen.gap()
    show_facts(screen, [(name, value) for name, value in _facts(memory, reckoned) if value])
    screen.gap()
    screen.line(("proved by", SOFT))
    for evidence in memory.evidence:
        record = records.get(evidence.record)
        words = record.text[evidence.start : evidence.end] if record else "(its record is not here)"
        screen.line(f"“{one_line(words)}”", indent=INDENT)
        told = DOT.join(
            [one_line(evidence.speaker) or "?", moment(evidence.said_at) + ago(evidence.said_at, reckoned), evidence.record]
        )
        screen.line((told, SOFT), indent=INDENT)
    if against:
        screen.gap()
        screen.line(("contradicted by", SOFT))
    for other in against:
        screen.line(*_marked(other), (f"{DOT}{told_by(other)}{DOT}{other.id}", SOFT), indent=INDENT)
    if len(history) > 1:
        screen.gap()
        screen.line(("history", SOFT))
        show_history(screen, memory.id, history, indent=2)


def show_history(screen: Screen, asked: str, history: Sequence[Memory], *, indent: int = 0) -> None:
    """What stood in one place, oldest first, with a mark at the memory that was asked for."""
    for one in history:
        here: list[Piece] = [("→ " if one.id == asked else "  ", STRONG)]
        screen.line(*here, f"{stamp(_since(one))}  ", *_marked(one), (f"{DOT}{one.id}", SOFT), indent=indent, hang=4)


def _facts(memory: Memory, now: datetime | None) -> list[tuple[str, str]]:
    value = f" = {one_line(memory.value)}" if memory.value else ""
    return [
        ("id", memory.id),
        ("scope", str(memory.scope)),
        ("status", memory.status.value + (", held" if memory.held else "")),
        ("kind", memory.kind),
        ("about", memory.subject),
        ("says", f"{memory.attribute}{value}" if memory.attribute else ""),
        ("modality", "" if memory.modality.value == "asserted" else memory.modality.value),
        ("happens", _happens(memory.event, now) if memory.event else ""),
        ("holds", _span(memory, now)),
        ("known", f"{moment(memory.recorded_at)} UTC" + (f" to {moment(memory.retired_at)} UTC" if memory.retired_at else "")),
        ("replaced by", memory.replaced_by or ""),
        ("replaces", ", ".join(memory.replaces)),
        ("expires", f"{moment(memory.expires_at)} UTC" if memory.expires_at else ""),
        ("trust", memory.trust.value),
        ("derived", DOT.join(filter(None, [memory.extractor, memory.architecture, f"agent {memory.agent}"]))),
        ("recalled", count(memory.recalled, "time") if memory.recalled else ""),
        *((link.relation.replace("_", " "), link.memory) for link in memory.links),
        *((name.replace("_", " "), "; ".join(words)) for name, words in memory.parts.items() if any(words)),
        *((f"+ {key}", value) for key, value in memory.metadata.items()),
    ]


def _happens(event: When, now: datetime | None) -> str:
    """The words that tell the time and, at a terminal, the date and how long ago, no finer than it was told."""
    when = told_when(event, now.astimezone(UTC)) if now else ""
    return one_line(event.words) + (f" ({when})" if when else "")


def _span(memory: Memory, now: datetime | None) -> str:
    began = f"since {moment(memory.valid_from)} UTC{ago(memory.valid_from, now)}" if memory.valid_from else ""
    ended = f"until {moment(memory.valid_to)} UTC{ago(memory.valid_to, now)}" if memory.valid_to else ""
    return " ".join(filter(None, [began, ended]))


def show_amended(screen: Screen, amended: Amended, *, done: str) -> None:
    """What a change by hand did."""
    if amended.unchanged:
        screen.line(("Nothing changed: ", WARN), *_marked(amended.memory), (f"{DOT}{amended.memory.id}", SOFT))
        return
    screen.line((f"{done}: ", GOOD), *_marked(amended.memory), (f"{DOT}{amended.memory.id}", SOFT))
    for replaced in amended.replaced:
        screen.line((f"in place of {replaced}", SOFT), indent=INDENT)
    for again in amended.again:
        screen.line((f"what it had taken the place of holds again: {again}", SOFT), indent=INDENT)
    if amended.emptied:
        told = f"it fills the slot {one_line(amended.emptied)} no more: the words do not say with what (see update --value)"
        screen.line((told, WARN), indent=INDENT)


def show_held(screen: Screen, memory: Memory) -> None:
    """Whether it is under hold now."""
    told = "Held: neither expiry nor a sweep touches it." if memory.held else "No longer held."
    screen.line((told, GOOD), f" {one_line(memory.text)}", (f"{DOT}{memory.id}", SOFT))


def show_audit(screen: Screen, audit: Audit, scope: Scope) -> None:
    """How clean the memories of a scope are, and what to look at."""
    show_facts(
        screen,
        [
            ("scope", str(scope)),
            ("memories", ", ".join(f"{number:,} {status.value}" for status, number in audit.statuses.items()) or "none"),
            ("kinds", ", ".join(f"{number:,} {kind}" for kind, number in audit.kinds.items()) or "none"),
            ("duplicates", _told(["=".join(pair) for pair in audit.duplicates])),
            ("stale", _told(audit.stale)),
            ("never recalled", _told(audit.never_recalled)),
        ],
    )
    show_refused(screen, audit.refused)
    if not audit.complete:
        screen.line(("Only the latest memories were looked at.", WARN))


def _told(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _IDS_SHOWN:,} more" if len(ids) > _IDS_SHOWN else ""
    return f"{len(ids):,}" + (f": {', '.join(ids[:_IDS_SHOWN])}{more}" if ids else "")


def show_refused(screen: Screen, refused: Mapping[tuple[str, str], int]) -> None:
    """What was refused and why, the most frequent first."""
    by_reason: dict[str, int] = {}
    for (_, reason), number in refused.items():
        by_reason[reason] = by_reason.get(reason, 0) + number
    ranked = sorted(by_reason.items(), key=lambda one: (-one[1], one[0]))
    if ranked:
        screen.line(("refused  ", SOFT), ", ".join(f"{number:,} {_plain(reason)}" for reason, number in ranked), hang=9)


def _plain(reason: str) -> str:
    return one_line(reason).replace("_", " ")


def show_derived(screen: Screen, items: Sequence[WorkItem]) -> None:
    """What records came to: memories by what was done, refusals by reason, and what could not be read."""
    counts = outcome_counts(items)
    done: dict[str, int] = {}
    refused: dict[tuple[str, str], int] = {}
    for (what, which), number in counts.items():
        if what == REFUSED:
            refused["", which] = number
        else:
            done[what] = done.get(what, 0) + number
    words = {"stored": "new", "superseded": "new in place of an older one", "merged": "said before", "retracted": "taken back"}
    told = [f"{done[what]:,} {word}" for what, word in words.items() if done.get(what)]
    screen.line(("memories ", SOFT), ", ".join(told) or "none", indent=INDENT)
    if refused:
        with screen.margin(" " * INDENT):
            show_refused(screen, refused)
    for item in items:
        if item.reason:
            screen.line((f"{item.record}: ", SOFT), (f"{item.state.value} ", WARN), one_line(item.reason), indent=INDENT)


def show_swept(screen: Screen, swept: Swept) -> None:
    """What a sweep let go of."""
    gone = sum(swept.purged.values())
    told: list[Piece] = [("Purged " + count(gone, "memory"), STRONG), f" of {swept.looked_at:,} looked at"]
    if swept.purged:
        told.append(f" ({_by_kind(swept.purged)})")
    screen.line(*told)
    if swept.faded:
        faded = count(sum(swept.faded.values()), "memory")
        screen.line(f"{faded} not recalled for long: expired ({_by_kind(swept.faded)})", indent=INDENT)
    if swept.held:
        screen.line((f"{count(swept.held, 'memory')} under hold passed over", SOFT), indent=INDENT)
    if gone and swept.clean:
        screen.line(("their bytes are overwritten in the file, and its log is empty", SOFT), indent=INDENT)


def _by_kind(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {one_line(kind)}" for kind, number in kinds.items())


def show_backlog(screen: Screen, backlog: Backlog) -> None:
    """How much work is open."""
    open_ = backlog.queued + backlog.processing
    if not open_ and not backlog.parked:
        screen.line(("Nothing waits: every record has been read.", GOOD))
        return
    facts = [
        ("queued", f"{backlog.queued:,}"),
        ("processing", f"{backlog.processing:,}"),
        ("parked", f"{backlog.parked:,}"),
        ("oldest", f"{moment(backlog.oldest)} UTC" if backlog.oldest else ""),
        ("last error", backlog.last_error),
    ]
    show_facts(screen, [(name, value) for name, value in facts if value])


def show_work(screen: Screen, items: Sequence[WorkItem]) -> None:
    """One line per record: how far it is and what came of it."""
    for item in items:
        outcomes = ", ".join(item.outcomes) or "nothing to keep"
        told = one_line(item.reason or outcomes)
        screen.line((item.record, MARK), f"  {item.state.value:<10}  ", told)
