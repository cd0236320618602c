"""E3: whether a critical block does better in a group of three, and whether company helps or its subject.

All arms hold the same blocks and so cost the same. `single`: the critical block by itself. `group`: between two blocks on its
subject, which stand apart from it otherwise. `unrelated`: between two fillers of about the same length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from muniment.probe.plan import Setup, Trial, sweep
from muniment.probe.prompts import COUNTER, attempted, compiled, id_of, placed
from muniment.probe.report import Report, compared, curves, finding
from muniment.probe.scenes import Scene, Text, scene
from muniment.probe.trials import Outcome, Row
from muniment.providers.models.chat import ChatModel
from muniment.registry import Registry

SINGLE: Final = "single"
GROUP: Final = "group"
UNRELATED: Final = "unrelated"
BESIDE: Final = 2


def plan(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position in each arm."""
    return sweep("groups", model, setup, arms=(SINGLE, GROUP, UNRELATED))


def attempt(trial: Trial, setup: Setup, model: ChatModel) -> Outcome:
    """Place the critical block, and in two of the arms group it with its neighbours."""
    about = scene(trial.seed, fillers=trial.n - 1 - BESIDE, order=trial.order)
    return attempted(compiled(arranged(trial, about)), about, model=model, trial=trial, setup=setup)


def arranged(trial: Trial, about: Scene) -> Registry:
    """The trial's registry: the related blocks far from the critical one, then the group, if any, moved to its place."""
    related = about.related[:BESIDE]
    far_behind = trial.position < trial.n / 2
    others = (*about.fillers, *related) if far_behind else (*related, *about.fillers)
    registry = placed(others, about, trial.position)
    if trial.arm == SINGLE:
        return registry
    beside = related if trial.arm == GROUP else _matched(about.fillers, related)
    if trial.position == 0:
        members = (about.critical, *beside)
    elif trial.position == trial.n - 1:
        members = (*beside, about.critical)
    else:
        members = (beside[0], about.critical, beside[1])
    registry.group([id_of(registry, member) for member in members], name="subject")
    registry.promote(id_of(registry, about.critical), to=trial.position - members.index(about.critical))
    return registry


def _matched(fillers: Sequence[Text], related: Sequence[Text]) -> tuple[Text, ...]:
    """For each related text the filler, used once, whose length is nearest to it."""
    left = list(fillers)
    chosen = []
    for text in related:
        wanted = COUNTER.count(text.text)
        chosen.append(min(left, key=lambda filler: abs(COUNTER.count(filler.text) - wanted)))
        left.remove(chosen[-1])
    return tuple(chosen)


def report(rows: Sequence[Row]) -> Report:
    """Curves per arm, and the group against a single block and against company on other subjects."""
    comparisons = (*compared(rows, SINGLE, GROUP), *compared(rows, UNRELATED, GROUP), *compared(rows, SINGLE, UNRELATED))
    return Report(
        experiment="groups",
        curves=curves(rows, by=("model", "layout", "n", "arm")),
        comparisons=comparisons,
        findings=tuple(finding(one) for one in comparisons),
    )
