"""How a trial's texts become a prompt: through a registry and the compiler, like any other prompt of this project.

Rule of this file: the registry has no bands, so that a block can stand anywhere; the compiled text and the task are one message,
in either order, so that the two layouts differ in nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from muniment.compilation import Compilation
from muniment.compile import compile, to_text  # noqa: A004  # the glossary's verb
from muniment.compile.gate import Gate
from muniment.probe.plan import Layout, Setup, Trial
from muniment.probe.scenes import CRITICAL, Scene, Text
from muniment.probe.trials import Outcome
from muniment.providers.models.chat import ChatModel, Entry
from muniment.providers.tokens import EstimatedTokens
from muniment.registry import Registry
from muniment.types import BlockId

BUDGET: Final = 1_000_000
TASK: Final = "{question} Answer with its name alone."
COUNTER: Final = EstimatedTokens()
SHOWN: Final = 200
"""Characters of an answer that a log keeps."""


def registered(texts: Sequence[Text]) -> Registry:
    """A registry of these texts in this order."""
    registry = Registry(banded=False)
    for text in texts:
        registry.write(text.text, name=text.name, tags=(text.name.partition("-")[0],))
    return registry


def id_of(registry: Registry, text: Text) -> BlockId:
    """The id of the block made of this text."""
    return registry.named(text.name)[0].id


def placed(others: Sequence[Text], scene: Scene, position: int) -> Registry:
    """The other texts in order, and the critical block promoted to its position."""
    registry = registered([*others, scene.critical])
    registry.promote(id_of(registry, scene.critical), to=position)
    return registry


def compiled(registry: Registry, *, task: str | None = None, gate: Gate | None = None) -> Compilation:
    """The prompt of a registry, with a budget that leaves out nothing."""
    return compile(registry, budget=BUDGET, tokens=COUNTER, task=task, gate=gate)


def message(text: str, question: str, layout: Layout, *, task: str = TASK) -> Entry:
    """One user's message of the compiled text and the task."""
    asks = task.format(question=question)
    parts = (text, asks) if layout is Layout.AFTER else (asks, text)
    return {"role": "user", "content": "\n\n".join(part for part in parts if part)}


def attempted(made: Compilation, scene: Scene, *, model: ChatModel, trial: Trial, setup: Setup) -> Outcome:
    """Ask for the made-up name. The trial is passed when it stands in the answer, in small or large letters."""
    asked = message(to_text(made), asked_in(scene, trial), trial.layout)
    reply = model.answer([asked], max_tokens=setup.max_tokens, seed=trial.seed)
    return Outcome(
        passed=scene.answer in reply.text.casefold(),
        answer=reply.text[:SHOWN],
        prompt_hash=digest(str(asked["content"])),
        tokens=made.tokens,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        recalled=CRITICAL in made.names,
    )


REWORDED: Final = "reworded"


def asked_in(scene: Scene, trial: Trial) -> str:
    """The trial's question, in words of the fact or in others."""
    return scene.reworded if trial.variant == REWORDED else scene.question


def digest(text: str) -> str:
    """SHA-256 of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
