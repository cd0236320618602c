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
    from muniment.architect import default_architecture, read_architecture
    from muniment.bundle import Bundle, Hit, Why
    from muniment.compilation import Assembly, Compilation
    from muniment.compile import Guard, openai_tools, to_anthropic, to_openai, to_text
    from muniment.compile.gate import Gate
    from muniment.compile.scorers import Dense, Fused, Lexical
    from muniment.engine import Engine
    from muniment.errors import MunimentError
    from muniment.knowledge.architecture import Architecture
    from muniment.knowledge.credentials import Credential, Permission
    from muniment.knowledge.values import Entity, Memory, MemoryFilter, Status
    from muniment.opening import open  # noqa: A004  # muniment.open reads as what it does
    from muniment.registry import Handle, Registry
    from muniment.registry.principals import Principal, Right
    from muniment.registry.seeds import Library, disclose
    from muniment.retrieve.rules import Weights
    from muniment.seedfiles import read_seed_files
from muniment.types import (
    Band,
    Block,
    Erasure,
    Fate,
    Filter,
    Group,
    Kind,
    Outcome,
    Packing,
    Prices,
    Receipt,
    Record,
    Role,
    Scope,
    Source,
    Tool,
    ToolCall,
    Trust,
    Turn,
)

__all__ = [
    "Architecture",
    "Assembly",
    "Band",
    "Block",
    "Bundle",
    "Compilation",
    "Credential",
    "Dense",
    "Engine",
    "Entity",
    "Erasure",
    "Fate",
    "Filter",
    "Fused",
    "Gate",
    "Group",
    "Guard",
    "Handle",
    "Hit",
    "Kind",
    "Lexical",
    "Library",
    "Memory",
    "MemoryFilter",
    "MunimentError",
    "Outcome",
    "Packing",
    "Permission",
    "Prices",
    "Principal",
    "Receipt",
    "Record",
    "Registry",
    "Right",
    "Role",
    "Scope",
    "Source",
    "Status",
    "Tool",
    "ToolCall",
    "Trust",
    "Turn",
    "Weights",
    "Why",
    "compile",
    "default_architecture",
    "disclose",
    "open",
    "openai_tools",
    "read_architecture",
    "read_seed_files",
    "sync",
    "to_anthropic",
    "to_openai",
    "to_text",
]

_HOMES = {
    "Architecture": "knowledge.architecture",
    "Assembly": "compilation",
    "Bundle": "bundle",
    "Compilation": "compilation",
    "Credential": "knowledge.credentials",
    "Dense": "compile.scorers",
    "Engine": "engine",
    "Entity": "knowledge.values",
    "Fused": "compile.scorers",
    "Gate": "compile.gate",
    "Guard": "compile",
    "Handle": "registry",
    "Hit": "bundle",
    "Lexical": "compile.scorers",
    "Library": "registry.seeds",
    "Memory": "knowledge.values",
    "MemoryFilter": "knowledge.values",
    "MunimentError": "errors",
    "Permission": "knowledge.credentials",
    "Principal": "registry.principals",
    "Registry": "registry",
    "Right": "registry.principals",
    "Status": "knowledge.values",
    "Weights": "retrieve.rules",
    "Why": "bundle",
    "default_architecture": "architect",
    "disclose": "registry.seeds",
    "open": "opening",
    "openai_tools": "compile",
    "read_architecture": "architect",
    "read_seed_files": "seedfiles",
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
