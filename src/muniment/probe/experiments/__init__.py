"""The experiments by name. Each plans its trials, attempts one, and reports on all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.probe.experiments import coordination, gating, groups, position, priming, scale, tools
from muniment.probe.plan import Setup, Trial
from muniment.probe.report import Report
from muniment.probe.trials import Outcome, Row
from muniment.providers.models.chat import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One of them. `models` is how many it needs at least."""

    name: str
    about: str
    plan: Callable[[Setup, str], Iterator[Trial]]
    attempt: Callable[[Trial, Setup, ChatModel], Outcome]
    report: Callable[[Sequence[Row]], Report]
    models: int = 1


_ALL: Final = (
    Experiment(
        name="position",
        about="success by the place of the critical block",
        plan=position.plan_position,
        attempt=position.attempt,
        report=position.report_position,
    ),
    Experiment(
        name="priming",
        about="whether a good place is good for the blocks beside it",
        plan=priming.plan,
        attempt=priming.attempt,
        report=priming.report,
    ),
    Experiment(
        name="groups",
        about="a block alone, with related blocks, with unrelated blocks",
        plan=groups.plan,
        attempt=groups.attempt,
        report=groups.report,
    ),
    Experiment(
        name="scale",
        about="a plain prompt against one with gate, group and promotion",
        plan=scale.plan,
        attempt=scale.attempt,
        report=scale.report,
    ),
    Experiment(
        name="gating",
        about="tokens saved by a gate, and what it loses",
        plan=gating.plan,
        attempt=gating.attempt,
        report=gating.report,
    ),
    Experiment(
        name="tools",
        about="calls of a tool that was evicted, emitted and dispatched",
        plan=tools.plan,
        attempt=tools.attempt,
        report=tools.report,
    ),
    Experiment(
        name="models",
        about="the same positions on several models",
        plan=position.plan_models,
        attempt=position.attempt,
        report=position.report_models,
        models=2,
    ),
    Experiment(
        name="coordination",
        about="handing a fact over by message and by writing a block",
        plan=coordination.plan,
        attempt=coordination.attempt,
        report=coordination.report,
    ),
)

EXPERIMENTS: Final[Mapping[str, Experiment]] = {experiment.name: experiment for experiment in _ALL}
