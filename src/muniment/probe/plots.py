"""A report's curves as a heat map, in PNG and SVG.

Rule of this file: it needs the extra `plots`, so it is imported by none but who draws. The same report gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from muniment.probe.report import Curve, Report, varying

WIDEST_WITH_NUMBERS: Final = 20
DARK: Final = 0.55
"""The share from which a cell is dark and its number white."""


def heat_map(report: Report, folder: Path) -> tuple[Path, ...]:
    """Draw success by position, a row for each curve, into `folder`; gives the files, none when no curve has positions."""
    curves = [curve for curve in report.curves if len(curve.points) > 1]
    if not curves:
        return ()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "muniment", "font.size": 9}):
        figure = _figure(report, curves)
        png, svg = (folder / f"{report.experiment}.{kind}" for kind in ("png", "svg"))
        figure.savefig(png, dpi=110, metadata={"Software": None})
        figure.savefig(svg, metadata={"Date": None})
    return png, svg


def _figure(report: Report, curves: list[Curve]) -> Figure:
    width = 1 + max(position for curve in curves for position, _ in curve.points)
    figure = Figure(figsize=(3.6 + 0.42 * width, 1.5 + 0.3 * len(curves)), layout="constrained")
    axes = figure.subplots()
    cells = [[float("nan")] * width for _ in curves]
    for row, curve in zip(cells, curves, strict=True):
        for position, share in curve.points:
            row[position] = share.rate
    axes.set_facecolor("0.93")
    mesh = axes.pcolormesh(cells, cmap="Blues", vmin=0, vmax=1, edgecolors="white", linewidth=0.5)
    figure.colorbar(mesh, ax=axes, label="share passed", ticks=[0, 0.5, 1])
    if width <= WIDEST_WITH_NUMBERS:
        _number(axes, curves)
    axes.set_yticks([row + 0.5 for row in range(len(curves))], varying(curves))
    axes.set_xticks([position + 0.5 for position in range(width)], [str(position) for position in range(width)])
    axes.invert_yaxis()
    axes.set_xlabel("position of the critical block, 0 is the front")
    axes.set_title(f"{report.experiment}: {', '.join(report.models)}")
    return figure


def _number(axes: Axes, curves: list[Curve]) -> None:
    for row, curve in enumerate(curves):
        for position, share in curve.points:
            colour = "white" if share.rate > DARK else "black"
            place = (position + 0.5, row + 0.5)
            axes.annotate(f"{100 * share.rate:.0f}", place, ha="center", va="center", color=colour, fontsize=8)
