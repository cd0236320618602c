"""E1 and E7: how success depends on where the critical block stands, for one model or for several.

The control is the same prompt without the critical block; who passes there guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import StatisticsError, correlation
from typing import Final

from muniment.probe.intervals import Difference
from muniment.probe.plan import NOWHERE, Layout, Setup, Trial, sweep
from muniment.probe.prompts import attempted, compiled, placed, registered
from muniment.probe.report import (
    Curve,
    Number,
    Report,
    Where,
    compared,
    curves,
    finding,
    grouped,
    named,
    passed,
    pooled,
    share,
    told,
)
from muniment.probe.scenes import scene
from muniment.probe.trials import Outcome, Row
from muniment.providers.models.chat import ChatModel

PLAIN: Final = "plain"
CONTROL: Final = "control"


def plan_position(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position, and one control per size, layout, order and seed."""
    for trial in sweep("position", model, setup, arms=(PLAIN,)):
        if trial.position == 0:
            yield _control(trial)
        yield trial


def plan_models(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position, without controls."""
    return sweep("models", model, setup, arms=(PLAIN,))


def attempt(trial: Trial, setup: Setup, model: ChatModel) -> Outcome:
    """Fillers in order, the critical block promoted to its position; in a control one filler more instead."""
    if trial.position == NOWHERE:
        about = scene(trial.seed, fillers=trial.n, order=trial.order)
        return attempted(compiled(registered(about.fillers)), about, model=model, trial=trial, setup=setup)
    about = scene(trial.seed, fillers=trial.n - 1, order=trial.order)
    return attempted(compiled(placed(about.fillers, about, trial.position)), about, model=model, trial=trial, setup=setup)


def _control(trial: Trial) -> Trial:
    return Trial(
        experiment=trial.experiment,
        model=trial.model,
        arm=CONTROL,
        layout=trial.layout,
        order=trial.order,
        n=trial.n,
        position=NOWHERE,
        seed=trial.seed,
    )


def report_position(rows: Sequence[Row]) -> Report:
    """Curves, where they fall, one layout against the other, and what the controls say."""
    plain = [row for row in rows if row.trial.arm == PLAIN]
    tried = curves(plain, by=("model", "layout", "n", "order"))
    controls = curves((row for row in rows if row.trial.arm == CONTROL), by=("model", "layout", "arm"))
    layouts = compared(plain, Layout.AFTER, Layout.BEFORE, by=("model", "n"), of="layout")
    findings = [
        *map(_fall, curves(plain, by=("model", "layout", "n"))),
        *map(finding, layouts),
        *map(_halves, grouped(plain, ("model", "layout"))),
        *map(_seeds, grouped(plain, ("model", "layout"))),
        *(f"{named(one.where)}, no critical block: {told(one.total)}." for one in controls),
    ]
    return Report(experiment="position", curves=(*tried, *controls), comparisons=layouts, findings=tuple(findings))


def report_models(rows: Sequence[Row]) -> Report:
    """Curves per model, and how far the models' curves go together."""
    tried = curves(rows, by=("model", "layout", "n", "order"))
    together = curves(rows, by=("model", "layout", "n"))
    models = list(dict.fromkeys(row.trial.model for row in rows))
    numbers = [
        Number(where=(("models", f"{one} and {other}"),), name="correlation of success over positions", value=value)
        for one, other in combinations(models, 2)
        if (value := _likeness(together, one, other)) is not None
    ]
    findings = [*map(_fall, together), *(f"{one}: {told(pooled(c.total for c in together if _of(c, one)))}." for one in models)]
    return Report(experiment="models", curves=tried, numbers=tuple(numbers), findings=tuple(findings))


def _halves(group: tuple[Where, list[Row]]) -> str:
    """The front half of the positions against the back half, a seed counting once however many trials it has."""
    where, rows = group
    halves: dict[int, tuple[list[bool], list[bool]]] = {}
    for row in rows:
        front, back = halves.setdefault(row.trial.seed, ([], []))
        if row.trial.position != (middle := (row.trial.n - 1) / 2):
            (front if row.trial.position < middle else back).append(passed(row))
    gains = [share(front).rate - share(back).rate for front, back in halves.values()]
    better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    p = Difference(both=0, first=better, second=worse, neither=0).p
    return f"{named(where)}: the front half was better in {better} of {len(gains)} seeds and worse in {worse} (p {p:.2g})."


def _seeds(group: tuple[Where, list[Row]]) -> str:
    """How far it depends on the subject alone: a seed that is passed everywhere or nowhere says nothing on positions."""
    where, rows = group
    results: dict[int, set[bool]] = {}
    for row in rows:
        results.setdefault(row.trial.seed, set()).add(passed(row))
    ever, never = (sum(found == {only} for found in results.values()) for only in (True, False))
    return f"{named(where)}: of {len(results)} seeds {ever} passed in every trial and {never} in none."


def _fall(curve: Curve) -> str:
    where = "no clear fall" if curve.cliff is None else f"a clear fall at position {curve.cliff}"
    return f"{named(curve.where)}: {where}; {told(curve.total)} over all positions."


def _of(curve: Curve, model: str) -> bool:
    return ("model", model) in curve.where


def _likeness(tried: Sequence[Curve], one: str, other: str) -> float | None:
    """Pearson's correlation over all cells both have; None when one of them does not vary."""
    cells = [
        {(curve.where[1:], position): share.rate for curve in tried if _of(curve, model) for position, share in curve.points}
        for model in (one, other)
    ]
    common = [cell for cell in cells[0] if cell in cells[1]]
    try:
        return correlation([cells[0][cell] for cell in common], [cells[1][cell] for cell in common])
    except StatisticsError:
        return None
