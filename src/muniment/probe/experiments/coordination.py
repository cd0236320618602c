"""E8: what it costs to hand a fact from one agent to another.

`message`: the first agent's model reads its own prompt and composes a message, which the second agent's prompt carries. `write`:
the first agent writes its block into the second agent's registry, through a handle it was invited to. Either text then costs its
tokens in every prompt of the receiver, so both numbers are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from muniment.compile import to_text
from muniment.probe.plan import Setup, Trial, sweep
from muniment.probe.prompts import COUNTER, attempted, compiled, message, placed, registered
from muniment.probe.report import Number, Report, compared, curves, finding, grouped, named, passed, share, told
from muniment.probe.scenes import CRITICAL, Scene, scene
from muniment.probe.trials import Outcome, Row, with_costs
from muniment.providers.models.chat import ChatModel
from muniment.registry import Registry
from muniment.registry.principals import Right
from muniment.types import Trust

MESSAGE: Final = "message"
WRITE: Final = "write"
COMPOSE: Final = "Another agent has to answer this: {question} Write one sentence that tells it."
RECEIVER: Final = 1_000_000
"""What a sender's seed and its receiver's differ by; a multiple of nothing, so that their fillers differ as well."""


def plan(setup: Setup, model: str) -> Iterator[Trial]:
    """Every position in the sender's prompt and in the receiver's, both ways."""
    return sweep("coordination", model, setup, arms=(MESSAGE, WRITE))


def attempt(trial: Trial, setup: Setup, model: ChatModel) -> Outcome:
    """Hand the fact over, then ask the receiver for it."""
    about = scene(trial.seed, fillers=trial.n - 1, order=trial.order)
    sender = placed(about.fillers, about, trial.position)
    receiver = registered(scene(trial.seed + RECEIVER, fillers=trial.n - 1, order=trial.order).fillers)
    spent, text = 0, about.critical.text
    if trial.arm == MESSAGE:
        spent, text = _composed(sender, about, trial, setup, model)
    hand = sender.accept(receiver.invite(Right.WRITE, trust=Trust.TRUSTED))
    hand.write(text, name=CRITICAL, position=trial.position)
    outcome = attempted(compiled(receiver), about, model=model, trial=trial, setup=setup)
    return with_costs(outcome, coordination=spent, carried=COUNTER.count(text))


def _composed(sender: Registry, about: Scene, trial: Trial, setup: Setup, model: ChatModel) -> tuple[int, str]:
    """A message by the sender's model, and the tokens it took to read and write."""
    asked = message(to_text(compiled(sender)), about.question, trial.layout, task=COMPOSE)
    reply = model.answer([asked], max_tokens=setup.max_tokens, seed=trial.seed)
    return reply.prompt_tokens + reply.completion_tokens, reply.text


def report(rows: Sequence[Row]) -> Report:
    """Success, coordination tokens and carried tokens, both ways."""
    numbers, findings = [], []
    for where, group in grouped(rows, ("model", "layout", "n", "arm")):
        spent = fmean(row.outcome.coordination_tokens or 0 for row in group)
        carried = fmean(row.outcome.carried_tokens or 0 for row in group)
        numbers += [
            Number(where=where, name="coordination tokens, mean", value=spent),
            Number(where=where, name="carried tokens per prompt, mean", value=carried),
        ]
        won = share([passed(row) for row in group])
        findings.append(f"{named(where)}: {spent:,.0f} tokens to hand over, {carried:,.0f} to carry in each prompt; {told(won)}.")
    comparisons = compared(rows, MESSAGE, WRITE)
    return Report(
        experiment="coordination",
        curves=curves(rows, by=("model", "layout", "n", "arm")),
        comparisons=comparisons,
        numbers=tuple(numbers),
        findings=(*findings, *(finding(one) for one in comparisons)),
    )
