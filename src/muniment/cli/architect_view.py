"""How proposals, faults, changes, versions and dry runs look: for people, one a line in a pipe, and as JSON.

Rule of this file: a fault's line begins with FILE:LINE, so that editors can jump to it. The most serious stands first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from muniment.architect import Change, Fault, Fit, Proposed, Refused, Report, Severity, Shift
from muniment.cli.documents import Document, instant
from muniment.cli.output import BAD, GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.views import DOT, count, stamp
from muniment.cli.visible import one_line
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import AppliedArchitecture

STYLES: Final = {Severity.SERIOUS: BAD, Severity.WARNING: WARN, Severity.NOTE: SOFT}
_SEVERITY: Final = max(map(len, Severity)) + 2
_SHOWN: Final = 6


def proposed_document(proposed: Proposed, out: str | None) -> Document:
    """What `architect` prints with --json."""
    return {
        "out": out,
        "agent": proposed.architecture.agent,
        "by": proposed.by,
        "archetypes": [_fit_document(fit) for fit in proposed.fits],
        "notes": list(proposed.notes),
        "faults": [fault_document(fault, "error") for fault in proposed.faults],
        "yaml": proposed.text,
    }


def _fit_document(fit: Fit) -> Document:
    return {
        "name": fit.archetype.name,
        "score": fit.score,
        "chosen": fit.chosen,
        "words": list(fit.words),
        "against": list(fit.against),
    }


def show_proposed(screen: Screen, proposed: Proposed, out: str) -> None:
    """Where the file went, and why it says what it says."""
    kinds = count(len(proposed.architecture.kinds), "kind")
    screen.line((one_line(out), STRONG), f"{DOT}agent {one_line(proposed.architecture.agent)}{DOT}{kinds} of memory")
    for note in proposed.notes:
        screen.line((f"  {one_line(note)}", SOFT), hang=2)


def show_refusal(screen: Screen, proposed: Proposed) -> None:
    """Why a model's proposal was refused."""
    for fault in proposed.faults[:_SHOWN]:
        screen.line(("model refused", WARN), f": line {fault.line}: {one_line(fault.what)}")
    if len(proposed.faults) > _SHOWN:
        screen.line((f"and {len(proposed.faults) - _SHOWN} more", SOFT))


def fault_document(fault: Fault, severity: str) -> Document:
    """One thing wrong in a file."""
    return {
        "severity": severity,
        "line": fault.line,
        "key": fault.path,
        "code": fault.code,
        "message": f"{fault.what}.",
        "hint": fault.hint,
    }


def show_fault(screen: Screen, name: str, fault: Fault, severity: str) -> None:
    """One thing wrong in a file, and what to do."""
    style = {"error": BAD, "warning": WARN}.get(severity, SOFT)
    told = (f"{one_line(name)}:{fault.line}: ", STRONG), (severity, style), f": {one_line(fault.what)}. "
    screen.line(*told, (one_line(fault.hint), SOFT), hang=4)


def show_valid(screen: Screen, name: str, architecture: Architecture) -> None:
    """That a file is an architecture, and of what."""
    kinds = ", ".join(rule.name for rule in architecture.kinds if rule.enabled)
    screen.line((f"{one_line(name)}: ", STRONG), ("valid", GOOD), f"{DOT}agent {one_line(architecture.agent)}{DOT}{kinds}")


def change_document(change: Change) -> Document:
    """One difference of two architectures."""
    return {
        "path": change.path,
        "severity": change.severity.value,
        "what": change.what,
        "old": change.old or None,
        "new": change.new or None,
    }


def change_counts(changes: Sequence[Change]) -> Document:
    """How many changes of each severity; every severity is named."""
    return {severity.value: sum(change.severity is severity for change in changes) for severity in Severity}


def show_changes(screen: Screen, changes: Sequence[Change]) -> None:
    """Every change, the most serious first."""
    for change in changes:
        arrow = f" ({one_line(change.old) or 'nothing'} → {one_line(change.new) or 'nothing'})"
        if not screen.wraps:
            screen.line(
                "\t".join((change.severity, change.path, one_line(change.what), one_line(change.old), one_line(change.new)))
            )
            continue
        pieces = (f"{change.severity:<{_SEVERITY}}", STYLES[change.severity]), (one_line(change.path), STRONG)
        screen.line(*pieces, f": {one_line(change.what)}", (arrow, SOFT), hang=_SEVERITY)
    summary = screen if screen.wraps else screen.beside()
    if not changes:
        summary.line(("no change for memory", GOOD))
        return
    told = [count(number, severity.value).removesuffix("s") for severity in Severity if (number := _count(changes, severity))]
    summary.line(", ".join(told))


def _count(changes: Sequence[Change], severity: Severity) -> int:
    return sum(change.severity is severity for change in changes)


def version_document(applied: AppliedArchitecture) -> Document:
    """One version as the store keeps it."""
    return {
        "agent": applied.agent,
        "version": applied.version,
        "client": applied.client,
        "at": instant(applied.at),
        "by": applied.by,
        "note": applied.note,
        "yaml": applied.text,
    }


def show_versions(screen: Screen, history: Sequence[AppliedArchitecture]) -> None:
    """One version a line, newest first; in a pipe fields are separated by tabs."""
    for place, applied in enumerate(history):
        words = (f"{applied.agent}@{applied.version}", stamp(applied.at), one_line(applied.by), one_line(applied.note))
        if screen.wraps:
            head = (one_line(words[0]), STRONG if place else f"{GOOD} bold")
            screen.line(head, (f"  {words[1]}", SOFT), f"  {DOT.join(filter(None, words[2:]))}", hang=2)
        else:
            screen.line("\t".join(map(one_line, words)))


def show_applied(screen: Screen, applied: AppliedArchitecture, *, fresh: bool, rederived: int | None) -> None:
    """What version holds now."""
    label = one_line(f"{applied.agent}@{applied.version}")
    screen.line((label, STRONG), " holds from now on" if fresh else " holds already; nothing was changed")
    if rederived is not None:
        screen.line((f"{count(rederived, 'record')} read again under it", SOFT))


def report_document(report: Report) -> Document:
    """What transcripts come to under one architecture."""
    return {
        "architecture": report.architecture,
        "records": report.records,
        "kinds": [
            {
                "kind": one.kind,
                "stored": one.stored,
                "merged": one.merged,
                "superseded": one.superseded,
                "retracted": one.retracted,
                "examples": list(one.examples),
            }
            for one in report.kinds
        ],
        "refused": [
            {"kind": one.kind or None, "reason": one.reason, "count": one.count, "examples": list(one.examples)}
            for one in report.refused
        ],
    }


def shift_document(shift: Shift) -> Document:
    """One statement that comes out otherwise."""
    return {"kind": shift.kind, "text": shift.text, "before": shift.before, "after": shift.after}


def show_report(screen: Screen, report: Report) -> None:
    """Kind by kind what would be kept, and what would be refused and why."""
    screen.line((one_line(report.architecture), STRONG), f"{DOT}{count(report.records, 'record')}")
    for kind in report.kinds:
        numbers = DOT.join(
            f"{number} {name}"
            for name, number in (
                ("stored", kind.stored),
                ("merged", kind.merged),
                ("superseded", kind.superseded),
                ("retracted", kind.retracted),
            )
            if number
        )
        screen.line((f"  {one_line(kind.kind)}", MARK), f": {numbers or 'nothing'}")
        for example in kind.examples:
            screen.line((f"    {one_line(example)}", SOFT), hang=4)
    if not report.kinds:
        screen.line(("  nothing would be kept", WARN))
    for line, examples in _refusals(report.refused):
        screen.line(("  refused", WARN), f": {line}")
        for example in examples:
            screen.line((f"    {one_line(example)}", SOFT), hang=4)


def _refusals(refused: Sequence[Refused]) -> Iterator[tuple[str, Sequence[str]]]:
    for one in refused:
        kind = f" ({one_line(one.kind)})" if one.kind not in ("", one.reason) else ""
        yield f"{one_line(one.reason)}{kind}{DOT}{one.count}", one.examples


def show_shifts(screen: Screen, shifts: Sequence[Shift], before: str) -> None:
    """What comes out otherwise than under the current version."""
    screen.line((f"against {one_line(before)}", STRONG), f"{DOT}{count(len(shifts), 'change') if shifts else 'no change'}")
    for shift in shifts:
        style = GOOD if shift.before is None else BAD if shift.after is None else WARN
        turn = f"{shift.before or 'not kept'} → {shift.after or 'not kept'}"
        screen.line((f"  {turn}", style), f": {one_line(shift.kind)}: {one_line(shift.text)}", hang=4)
