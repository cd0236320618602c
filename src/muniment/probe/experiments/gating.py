"""E5: what a gate saves, and what it loses.

`full` shows all blocks in their order, `promoted` brings the most relevant ones to the front, `gated` shows only what a gate by
words lets through. Each task is asked in words of the fact and in others, since a gate can only be trusted as far as it finds
the block that is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from muniment.compile.gate import Gate
from muniment.compile.scorers import Lexical
from muniment.probe.plan import Setup, Trial, sweep
from muniment.probe.prompts import REWORDED, asked_in, attempted, compiled, placed
from muniment.probe.report import Number, Report, Where, compared, curves, finding, grouped, named, passed, percent, share, told
from muniment.probe.scenes import scene
from muniment.probe.trials import Outcome, Row
from muniment.providers.models.chat import ChatModel
from muniment.registry.relevance import promote_relevant

FULL: Final = "full"
PROMOTED: Final = "promoted"
GATED: Final = "gated"
FIRST: Final = 3
RELATED: Final = 2


def plan(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position in each arm, in both wordings."""
    return sweep("gating", model, setup, arms=(FULL, PROMOTED, GATED), variants=("", REWORDED))


def attempt(trial: Trial, setup: Setup, model: ChatModel) -> Outcome:
    """The same blocks in all arms, among them two on the subject that do not tell the name."""
    about = scene(trial.seed, fillers=trial.n - 1 - RELATED, order=trial.order)
    registry = placed((*about.related[:1], *about.fillers, *about.related[1:RELATED]), about, trial.position)
    task = asked_in(about, trial)
    if trial.arm == PROMOTED:
        promote_relevant(registry, task, Lexical(), top=FIRST)
    gate = Gate(scorer=Lexical(), top=setup.top) if trial.arm == GATED else None
    return attempted(compiled(registry, task=task, gate=gate), about, model=model, trial=trial, setup=setup)


def report(rows: Sequence[Row]) -> Report:
    """Success, tokens, tokens per success and recall per arm, and the arms against each other."""
    comparisons = (*compared(rows, FULL, PROMOTED), *compared(rows, FULL, GATED), *compared(rows, PROMOTED, GATED))
    numbers, findings = [], []
    for where, group in grouped(rows, ("model", "layout", "n")):
        for arm in (FULL, PROMOTED, GATED):
            costs = _costs((*where, ("arm", arm)), [row for row in group if row.trial.arm == arm])
            numbers += costs
            findings.append(f"{named(where)}, {arm}: {'; '.join(f'{one.name} {one.value:,.0f}' for one in costs)}.")
        if full := _tokens(group, FULL):
            saved = 1 - _tokens(group, GATED) / full
            numbers.append(Number(where=where, name="share of prompt tokens saved by the gate", value=saved))
            findings.append(f"{named(where)}: the gate saves {percent(saved)} of the prompt's tokens; {_recall(group)}.")
    return Report(
        experiment="gating",
        curves=curves(rows, by=("model", "layout", "n", "arm", "variant")),
        comparisons=comparisons,
        numbers=tuple(numbers),
        findings=(*findings, *(finding(one) for one in comparisons)),
    )


def _costs(where: Where, rows: Sequence[Row]) -> list[Number]:
    if not rows:
        return []
    tokens, won = _tokens(rows, rows[0].trial.arm), sum(passed(row) for row in rows)
    numbers = [Number(where=where, name="mean prompt tokens", value=tokens)]
    if won:
        numbers.append(Number(where=where, name="prompt tokens per success", value=tokens * len(rows) / won))
    return numbers


def _tokens(group: Sequence[Row], arm: str) -> float:
    return fmean([row.outcome.prompt_tokens or row.outcome.tokens for row in group if row.trial.arm == arm] or [0])


def _recall(group: Sequence[Row]) -> str:
    gated = [row for row in group if row.trial.arm == GATED]
    plain = share([row.outcome.recalled is True for row in gated if not row.trial.variant])
    reworded = share([row.outcome.recalled is True for row in gated if row.trial.variant])
    return f"it lets the needed block through in {told(plain)}, asked in other words in {told(reworded)}"
