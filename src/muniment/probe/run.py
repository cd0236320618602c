"""Running an experiment: every trial of its plan that the log does not hold yet, one after the other.

Rule of this file: a trial that a model fails is kept with its error and tried again when the run is resumed; several in a row end
the run, since the next would fail as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final

from muniment.errors import InputError, ProviderError
from muniment.probe.experiments import Experiment
from muniment.probe.plan import Setup, Trial, fingerprint
from muniment.probe.report import Report
from muniment.probe.trials import Outcome, Row, TrialLog
from muniment.providers.models.chat import ChatModel

MOST_FAILURES: Final = 3
"""Trials in a row that a model may fail."""

Opener = Callable[[], ChatModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One experiment on one or more models. `models` opens each by the name it is asked for; names stand in the log."""

    experiment: Experiment
    setup: Setup
    models: Mapping[str, Opener]
    log: Path

    def __post_init__(self) -> None:
        if len(self.models) < self.experiment.models:
            raise InputError(
                f"the experiment {self.experiment.name} compares {self.experiment.models} models or more.",
                place="model",
                code="models_needed",
                hint="Give --model once for each.",
            )

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials, model by model."""
        return tuple(chain.from_iterable(self.experiment.plan(self.setup, name) for name in self.models))

    def attempt(self, *, resume: bool = False) -> Iterator[Row]:
        """Attempt what is left, and give each row when it is in the log; before the first, those of an earlier run.

        Raises InputError when the log cannot be used, and ProviderError when a model fails `MOST_FAILURES` trials in a row.
        """
        plan = fingerprint(self.experiment.name, list(self.models), self.setup)
        with TrialLog(self.log, plan=plan, setup=self.setup, resume=resume) as log:
            yield from log.rows.values()
            done = set(log.rows)
            for name, opener in self.models.items():
                left = [trial for trial in self.experiment.plan(self.setup, name) if trial.key not in done]
                if left:
                    yield from self._on(opener(), name, left, log)

    def _on(self, model: ChatModel, name: str, left: Sequence[Trial], log: TrialLog) -> Iterator[Row]:
        failures = 0
        try:
            log.meet(name, model.name)
            for trial in left:
                try:
                    outcome = self.experiment.attempt(trial, self.setup, model)
                    failures = 0
                except ProviderError as error:
                    outcome = Outcome(error=error.reason)
                    failures += 1
                    if failures == MOST_FAILURES:
                        log.keep(Row(trial, outcome))
                        raise
                row = Row(trial, outcome)
                log.keep(row)
                yield row
        finally:
            model.close()

    def report(self, rows: Sequence[Row]) -> Report:
        """What the rows say."""
        whole = [row for row in rows if not row.outcome.error]
        found = self.experiment.report(whole)
        return replace(found, models=tuple(self.models), trials=len(rows), errors=len(rows) - len(whole))
