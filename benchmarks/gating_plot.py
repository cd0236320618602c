"""The curves of the gating benchmark as a picture: gold tools kept and tokens saved by the number of tools let through."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from benchmarks.gating import KEPT, OFFERED, Curves

_TITLES = {"whole": "all tools at once", f"of-{OFFERED}": f"gold and others, {OFFERED} tools"}
_COLOURS = {"bm25": "#999999", "lexical": "#d17a00", "dense": "#3a76c4", "fused": "#1a7f37"}


def draw(found: Mapping[str, Mapping[str, Curves]], folder: Path) -> None:
    """Write gating.png and gating.svg into `folder`."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    for axes, (slice_, title) in zip(figure.subplots(1, 2), _TITLES.items(), strict=True):
        for method, curves in found[slice_].items():
            recall, saved = curves.recall.mean(0), 1 - curves.tokens.mean(0)
            tools = np.arange(1, len(recall) + 1)
            at = int((recall >= KEPT - 1e-9).argmax())
            label = f"{method}: {saved[at]:.3f} saved with {tools[at]} tools"
            axes.plot(tools, recall, color=_COLOURS[method], label=label)
            axes.plot(tools, saved, color=_COLOURS[method], linestyle=":", linewidth=1)
            axes.plot(tools[at], saved[at], marker="o", markersize=5, color=_COLOURS[method])
        axes.axhline(KEPT, color="black", linewidth=0.6, linestyle="--")
        ticks = [tick for tick in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500) if tick <= len(tools)]
        axes.set(title=title, xlabel="tools let through", ylabel="share", ylim=(0.4, 1.01), xscale="log")
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.grid(alpha=0.25)
        axes.legend(
            loc="lower left", fontsize=8, title="lines: gold kept; dotted: tokens saved; dots: 97% kept", title_fontsize=8
        )
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "gating.png", dpi=130, metadata={"Software": None})
    with mpl.rc_context({"svg.hashsalt": "gating"}):
        figure.savefig(folder / "gating.svg", metadata={"Date": None})
