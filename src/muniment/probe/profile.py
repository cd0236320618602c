"""A position sweep as a profile, which the placement policy reads.

Rule of this file: one layout to a profile, since a model's curve is another in each; controls and errors are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from muniment.errors import InputError
from muniment.probe.experiments.position import PLAIN
from muniment.probe.plan import Layout
from muniment.probe.report import curves
from muniment.probe.trials import Row

VERSION: Final = 1
LAYOUTS: Final[Mapping[Layout, str]] = {Layout.AFTER: "task_after", Layout.BEFORE: "task_before"}


def profile(rows: Sequence[Row], model: str, layout: Layout) -> dict[str, object]:
    """The success at each position of each size. Raises InputError (no_trials) when there is none of this model and layout."""
    measured = list(_of(rows, model, layout))
    if not measured:
        raise InputError(
            "there is no trial to make a profile of.",
            place="profile",
            code="no_trials",
            hint="Run the position experiment first.",
        )
    points = [
        {"n": int(dict(curve.where)["n"]), "position": position, "success": share.rate, "trials": share.trials}
        for curve in curves(measured, by=("n",))
        for position, share in curve.points
    ]
    return {"version": VERSION, "model": model, "layout": LAYOUTS[layout], "curve": points}


def _of(rows: Iterable[Row], model: str, layout: Layout) -> Iterable[Row]:
    for row in rows:
        trial = row.trial
        if (trial.arm, trial.model, trial.layout) == (PLAIN, model, layout) and not row.outcome.error:
            yield row
