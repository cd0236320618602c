"""E4: whether the library can make up for the size of a model.

`plain` shows all blocks in their order, `stack` uses what the library has: a gate by words, the blocks on one subject in a group,
and the most relevant ones promoted to the front. With two models the first is plain and the second has the stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from muniment.compile.gate import Gate
from muniment.compile.scorers import Lexical
from muniment.probe.plan import Setup, Trial, sweep
from muniment.probe.prompts import asked_in, attempted, compiled, id_of, placed
from muniment.probe.report import Report, compared, curves, finding
from muniment.probe.scenes import scene
from muniment.probe.trials import Outcome, Row
from muniment.providers.models.chat import ChatModel
from muniment.registry.relevance import promote_relevant

PLAIN: Final = "plain"
STACK: Final = "stack"
RELATED: Final = 2
PROMOTED: Final = 3


def plan(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position, plain and with the stack."""
    return sweep("scale", model, setup, arms=(PLAIN, STACK))


def attempt(trial: Trial, setup: Setup, model: ChatModel) -> Outcome:
    """The same blocks in both arms; with the stack grouped, promoted by relevance, and gated."""
    about = scene(trial.seed, fillers=trial.n - 1 - RELATED, order=trial.order)
    registry = placed((*about.fillers, *about.related[:RELATED]), about, trial.position)
    if trial.arm == PLAIN:
        return attempted(compiled(registry), about, model=model, trial=trial, setup=setup)
    task = asked_in(about, trial)
    promote_relevant(registry, task, Lexical(), top=PROMOTED)
    registry.group(
        [id_of(registry, text) for text in (about.critical, *about.related[:RELATED])], name="subject", gate_as_unit=True
    )
    made = compiled(registry, task=task, gate=Gate(scorer=Lexical(), top=setup.top))
    return attempted(made, about, model=model, trial=trial, setup=setup)


def report(rows: Sequence[Row]) -> Report:
    """Curves per arm and model; the stack against the plain order on each model, and on the second against plain on the first."""
    comparisons = compared(rows, PLAIN, STACK)
    models = list(dict.fromkeys(row.trial.model for row in rows))
    if len(models) > 1:
        mixed = [row for row in rows if (row.trial.model, row.trial.arm) in {(models[0], PLAIN), (models[1], STACK)}]
        as_one = [replace(row, trial=replace(row.trial, model="")) for row in mixed]
        both = (("model", f"{models[1]} with the stack, {models[0]} without"),)
        comparisons = (*comparisons, *(replace(one, where=both + one.where) for one in compared(as_one, PLAIN, STACK)))
    return Report(
        experiment="scale",
        curves=curves(rows, by=("model", "layout", "n", "arm")),
        comparisons=comparisons,
        findings=tuple(finding(one) for one in comparisons),
    )
