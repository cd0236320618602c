"""The experiments by name. Each plans its trials, attempts one, and reports on all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

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


class _Study(Protocol):
    """One file of this room."""

    def plan(self, setup: Setup, model: str) -> Iterator[Trial]: ...

    def attempt(self, trial: Trial, setup: Setup, model: ChatModel) -> Outcome: ...

    def report(self, rows: Sequence[Row]) -> Report: ...


def _of(name: str, study: _Study, about: str) -> Experiment:
    return Experiment(name=name, about=about, plan=study.plan, attempt=study.attempt, report=study.report)


_ALL: Final = (
    Experiment(
        name="position",
        about="success by the place of the critical block",
        plan=position.plan_position,
        attempt=position.attempt,
        report=position.report_position,
    ),
    _of("priming", priming, "whether a good place is good for the blocks beside it"),
    _of("groups", groups, "a block alone, with related blocks, with unrelated blocks"),
    _of("scale", scale, "a plain prompt against one with gate, group and promotion"),
    _of("gating", gating, "tokens saved by a gate, and what it loses"),
    _of("tools", tools, "calls of a tool that was evicted, emitted and dispatched"),
    Experiment(
        name="models",
        about="the same positions on several models",
        plan=position.plan_models,
        attempt=position.attempt,
        report=position.report_models,
        models=2,
    ),
    _of("coordination", coordination, "handing a fact over by message and by writing a block"),
)

EXPERIMENTS: Final[Mapping[str, Experiment]] = {experiment.name: experiment for experiment in _ALL}
