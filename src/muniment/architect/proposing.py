"""Proposing an architecture for an agent described in plain words: by the archetypes that come with the package, or a model.

Rule of this file: it reads the package's own files; rules decide.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files

from muniment.architect.rules_archetypes import Archetype, read_archetype
from muniment.architect.rules_model import judged, question
from muniment.architect.rules_propose import Proposed, propose_from
from muniment.architect.step import is_zone

PROMPT = "propose-1.md"

Ask = Callable[[str, str], Awaitable[str]]


@cache
def archetypes() -> tuple[Archetype, ...]:
    """The archetypes that come with this package, by name."""
    folder = files("muniment.architect").joinpath("archetypes")
    found = sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir() if entry.name.endswith(".yaml"))
    return tuple(read_archetype(name.removesuffix(".yaml"), text) for name, text in found)


def propose(use_case: str, *, agent: str = "", place: str = "") -> Proposed:
    """The architecture for an agent that is described in plain words, without a model: the same words give the same file.

    Raises InputError when the description is empty, longer than 512 KiB, or no text.
    """
    return propose_from(use_case, archetypes(), agent=agent, place=place, is_zone=is_zone)


async def propose_with(ask: Ask, use_case: str, draft: Proposed, *, model: str) -> Proposed:
    """A model's improvement of a draft, or the draft with the reasons for which the answer was refused.

    `ask` is given the orders and the question and gives the answer. Whatever it raises goes through.
    """
    orders = files("muniment.architect").joinpath("prompts", PROMPT).read_text(encoding="utf-8")
    return judged(await ask(orders, question(use_case, draft)), draft, model=model, is_zone=is_zone)
