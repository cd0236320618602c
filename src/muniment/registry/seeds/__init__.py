"""Seeds: files read as blocks before a registry takes them. Text in, frozen values out; the edge reads the files."""

from __future__ import annotations

from muniment.registry.seeds.disclose import disclose
from muniment.registry.seeds.library import Library
from muniment.registry.seeds.parsers import PARSERS, Parser, Parsers, namespace_of, parse
from muniment.registry.seeds.render import render
from muniment.registry.seeds.tools import tool
from muniment.registry.seeds.values import Notice, Resource, Seed, SeedFile

__all__ = [
    "PARSERS",
    "Library",
    "Notice",
    "Parser",
    "Parsers",
    "Resource",
    "Seed",
    "SeedFile",
    "disclose",
    "namespace_of",
    "parse",
    "render",
    "tool",
]
