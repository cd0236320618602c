"""How findings of lint look: by file at a terminal, one a line in a pipe, and as JSON.

Rule of this file: a line in a pipe begins with FILE:LINE, so that editors and search tools can jump to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from muniment.cli.documents import Document
from muniment.cli.output import BAD, GOOD, SOFT, STRONG, WARN, Screen
from muniment.cli.paint import Piece
from muniment.cli.views import DOT, count
from muniment.cli.visible import one_line
from muniment.registry.lint import LintFinding, Place, Severity

LEVELS: Final = tuple(severity.name.lower() for severity in sorted(Severity, reverse=True))
_STYLES: Final = {"error": BAD, "warning": WARN, "note": SOFT}
_LINE: Final = 6
_LEVEL: Final = max(map(len, LEVELS)) + 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """What one run of lint found, in how much; `failed` when that is as bad as `--fail-on` says."""

    findings: tuple[LintFinding, ...]
    files: int
    blocks: int
    failed: bool

    @property
    def counts(self) -> dict[str, int]:
        """How many findings of each severity, the worst first."""
        return {level: sum(_level(finding) == level for finding in self.findings) for level in LEVELS}


def lint_document(linted: Linted) -> Document:
    """What `lint` prints with --json."""
    return {
        "ok": not linted.failed,
        "files": linted.files,
        "blocks": linted.blocks,
        "counts": dict(linted.counts),
        "findings": [_finding_document(finding) for finding in linted.findings],
    }


def _finding_document(finding: LintFinding) -> Document:
    return {
        "rule": finding.rule,
        "severity": _level(finding),
        "path": finding.place.path,
        "line": finding.place.line,
        "block": finding.block or None,
        "message": finding.message,
        "hint": finding.hint,
        "other": _other_document(finding.other) if finding.other else None,
    }


def _other_document(other: Place) -> Document:
    return {"path": other.path, "line": other.line, "text": other.text}


def show_lint(screen: Screen, linted: Linted) -> None:
    """Every finding, and how many there are; in a pipe the sum goes to standard error."""
    for path, findings in groupby(linted.findings, key=lambda finding: finding.place.path):
        if screen.wraps:
            screen.line((one_line(path), STRONG))
            hints: set[str] = set()
            for finding in findings:
                _show(screen, finding, hint=finding.hint not in hints)
                hints.add(finding.hint)
            screen.gap()
        else:
            _print(screen, findings)
    looked = f"in {count(linted.blocks, 'block')} of {count(linted.files, 'file')}"
    pieces: list[Piece] = []
    for level, number in linted.counts.items():
        if number:
            pieces += [", ", (count(number, level), _STYLES[level])]
    pieces = pieces[1:] or [("nothing found", GOOD)]
    summary = screen if screen.wraps else screen.beside()
    summary.line(*pieces, (f" {looked}", SOFT))


def _show(screen: Screen, finding: LintFinding, *, hint: bool) -> None:
    """A finding; its rule, and what to do about it unless that was said for this file already."""
    level = _level(finding)
    indent = _LINE + _LEVEL + 1
    screen.line(
        (f"{finding.place.line:>{_LINE - 1}}  ", SOFT),
        (f"{level:<{_LEVEL}}", _STYLES[level]),
        one_line(finding.message),
        hang=indent,
    )
    if finding.other:
        screen.line((f"the other stands in {_spelled(finding.other)}", SOFT), indent=indent)
    told = f"{DOT}{one_line(finding.hint)}" if hint else ""
    screen.line((f"{finding.rule}{told}", SOFT), indent=indent)


def _print(screen: Screen, findings: Iterable[LintFinding]) -> None:
    for finding in findings:
        other = f" (the other: {_spelled(finding.other)})" if finding.other else ""
        told = f"{_level(finding)}: {one_line(finding.message)}{other} [{finding.rule}]"
        screen.line(f"{_spelled(finding.place)}: {told}")


def _spelled(place: Place) -> str:
    return f"{one_line(place.path)}:{place.line}"


def _level(finding: LintFinding) -> str:
    return finding.severity.name.lower()
