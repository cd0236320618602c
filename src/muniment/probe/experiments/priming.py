"""E2: whether a good position is good by itself or for the blocks beside it.

Three blocks on the question's subject stand together at the front, in the middle or at the back while the critical block takes
every position. If success follows the content, it is better beside them than at the same position away from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.probe.intervals import Difference, difference
from muniment.probe.plan import Setup, Trial, sweep
from muniment.probe.prompts import attempted, compiled, placed
from muniment.probe.report import Comparison, Report, curves, grouped, named, passed, told_difference
from muniment.probe.scenes import Scene, scene
from muniment.probe.trials import Outcome, Row
from muniment.providers.models.chat import ChatModel
from muniment.registry import Registry

ARMS: Final = ("front", "middle", "back")
TOGETHER: Final = 3


def plan(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position with the related blocks at each of three places."""
    return sweep("priming", model, setup, arms=ARMS)


def attempt(trial: Trial, setup: Setup, model: ChatModel) -> Outcome:
    """Fillers with the related blocks among them, the critical block promoted to its position."""
    about = scene(trial.seed, fillers=trial.n - 1 - TOGETHER, order=trial.order)
    return attempted(compiled(arranged(trial, about)), about, model=model, trial=trial, setup=setup)


def arranged(trial: Trial, about: Scene) -> Registry:
    """The trial's registry."""
    first = _first(trial)
    others = (*about.fillers[:first], *about.related[:TOGETHER], *about.fillers[first:])
    return placed(others, about, trial.position)


def report(rows: Sequence[Row]) -> Report:
    """Curves for each place of the related blocks, and the same positions beside them against away from them."""
    comparisons = []
    for where, group in grouped(rows, ("model", "layout", "n")):
        pairs = _pairs(group)
        comparisons.append(Comparison(where=where, first="away", second="beside", difference=pairs))
    return Report(
        experiment="priming",
        curves=curves(rows, by=("model", "layout", "n", "arm")),
        comparisons=tuple(comparisons),
        findings=tuple(_finding(one) for one in comparisons),
    )


def is_beside(trial: Trial) -> bool:
    """Whether a related block stands next to the critical one."""
    first = _first(trial)
    return first <= trial.position <= first + TOGETHER


def _first(trial: Trial) -> int:
    """Where the related blocks begin among the others: so that the critical block can stand between them."""
    last = trial.n - 1 - TOGETHER
    return {"front": 0, "middle": max(0, trial.n // 2 - 1), "back": last}[trial.arm] if last > 0 else 0


def _pairs(rows: Sequence[Row]) -> Difference:
    """For every trial beside the related blocks, the first one at the same position that is away from them."""
    results = {row.trial: passed(row) for row in rows}
    pairs = []
    for trial, success in results.items():
        if is_beside(trial):
            twins = (replace(trial, arm=arm) for arm in ARMS)
            away = next((results[twin] for twin in twins if twin in results and not is_beside(twin)), None)
            if away is not None:
                pairs.append((away, success))
    return difference(pairs)


def _finding(one: Comparison) -> str:
    low, high = one.difference.interval
    says = (
        "success follows the content" if low > 0 else "being beside them hurts" if high < 0 else "no effect of the content shown"
    )
    return (
        f"{named(one.where)}: beside related blocks {told_difference(one.difference)} against positions away from them: {says}."
    )
