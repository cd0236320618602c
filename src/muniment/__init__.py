"""Muniment: the whole life of an LLM agent's context, from what is worth remembering to the text of the next prompt.

Rule of this file: names only. The pure parts (`Registry`, `compile`) come without a store, an engine or an event loop;
the rest loads when named.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

# `compile` is both a room and its verb. Bound here, once the room has loaded, `muniment.compile` stays the verb for good.
from muniment.compile import compile  # noqa: A004  # the glossary's verb

if TYPE_CHECKING:
    from muniment import sync
    from muniment.compilation import Assembly, Compilation
    from muniment.compile import to_anthropic, to_openai, to_text
    from muniment.engine import Engine, open  # noqa: A004  # muniment.open reads as what it does
    from muniment.errors import MunimentError
    from muniment.registry import Registry
    from muniment.retrieve.rules import Weights
    from muniment.types import (
        Band,
        Block,
        Bundle,
        Erasure,
        Filter,
        Hit,
        Kind,
        Outcome,
        Receipt,
        Record,
        Role,
        Scope,
        ToolCall,
        Trust,
        Turn,
    )

__all__ = [
    "Assembly",
    "Band",
    "Block",
    "Bundle",
    "Compilation",
    "Engine",
    "Erasure",
    "Filter",
    "Hit",
    "Kind",
    "MunimentError",
    "Outcome",
    "Receipt",
    "Record",
    "Registry",
    "Role",
    "Scope",
    "ToolCall",
    "Trust",
    "Turn",
    "Weights",
    "compile",
    "open",
    "sync",
    "to_anthropic",
    "to_openai",
    "to_text",
]

_HOMES = {
    "Assembly": "compilation",
    "Compilation": "compilation",
    "Engine": "engine",
    "MunimentError": "errors",
    "Registry": "registry",
    "Weights": "retrieve.rules",
    "open": "engine",
    "to_anthropic": "compile",
    "to_openai": "compile",
    "to_text": "compile",
}


def __getattr__(name: str) -> object:
    if name == "sync":
        return import_module("muniment.sync")
    if name not in __all__:
        raise AttributeError(f"module 'muniment' has no attribute {name!r}")
    # By sys.modules name, since the attribute `muniment.compile` is the verb.
    return getattr(import_module(f"muniment.{_HOMES.get(name, 'types')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
