"""What experiments found, for people and as JSON documents.

Rule of this file: a share never stands without the trials it is of, and where it says something, its interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from muniment.cli.documents import Document
from muniment.cli.output import MARK, SOFT, STRONG, Screen
from muniment.cli.views import DOT, INDENT, count
from muniment.cli.visible import one_line
from muniment.probe.intervals import Share
from muniment.probe.report import Comparison, Curve, Report, Where, percent, told, varying


def show_report(screen: Screen, report: Report) -> None:
    """A row for each curve, then the findings in sentences. All numbers are in the document."""
    errors = f"{DOT}{count(report.errors, 'error')}" if report.errors else ""
    models = ", ".join(one_line(model) for model in report.models)
    screen.line((report.experiment, STRONG), (f"{DOT}{models}{DOT}{count(report.trials, 'trial')}{errors}", SOFT))
    labels = varying(report.curves)
    width = max((len(label) for label in labels), default=0)
    for label, curve in zip(labels, report.curves, strict=True):
        cells = "  ".join(f"{position}: {percent(share.rate)}" for position, share in curve.points if position >= 0)
        screen.line(
            (label.ljust(width), MARK),
            f"  {cells}" if len(curve.points) > 1 else "",
            (f"  {told(curve.total)}", SOFT),
            indent=INDENT,
        )
    for finding in report.findings:
        screen.line(one_line(finding), indent=INDENT)
    screen.gap()


def show_files(screen: Screen, files: Sequence[Path]) -> None:
    """What was written beside the logs."""
    for file in files:
        screen.line((one_line(str(file)), SOFT))


def experiment_document(report: Report) -> Document:
    """A report, every number of it."""
    return {
        "name": report.experiment,
        "models": list(report.models),
        "trials": report.trials,
        "errors": report.errors,
        "curves": [_curve_document(curve) for curve in report.curves],
        "comparisons": [_comparison_document(comparison) for comparison in report.comparisons],
        "numbers": [{"where": _where(one.where), "name": one.name, "value": one.value} for one in report.numbers],
        "findings": list(report.findings),
    }


def _curve_document(curve: Curve) -> Document:
    points = [{"position": position, **_share_document(share)} for position, share in curve.points]
    return {"where": _where(curve.where), "points": points, "total": _share_document(curve.total), "cliff": curve.cliff}


def _share_document(share: Share) -> Document:
    low, high = share.interval
    return {"passed": share.passed, "trials": share.trials, "rate": share.rate, "low": low, "high": high}


def _comparison_document(one: Comparison) -> Document:
    low, high = one.difference.interval
    return {
        "where": _where(one.where),
        "first": one.first,
        "second": one.second,
        "pairs": one.difference.trials,
        "difference": one.difference.value,
        "low": low,
        "high": high,
        "p": one.difference.p,
    }


def _where(where: Where) -> dict[str, str]:
    return dict(where)
