"""What probe prompts are made of: fields of work with their fillers, and topics with one fact each that can be asked for.

Rules of the files in texts/: no text holds an underscore, only questions hold a question mark, and `{name}` stands in facts
alone, so that the name asked for is nowhere else. Every text is one paragraph of about forty tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import yaml

NAMES: Final = ("firmware", "http-service", "data-pipeline", "finance-operations")


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One thing that can be asked for. `fact` holds `{name}`; `related` are texts on the same subject that do not tell it.

    `question` asks in words of the fact, `reworded` in others, which is harder for a gate that looks at words.
    """

    question: str
    reworded: str
    fact: str
    related: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A field of work. Each filler holds `{subject}` and `{number}`, so that a few of them make many different blocks."""

    name: str
    subjects: tuple[str, ...]
    fillers: tuple[str, ...]
    topics: tuple[Topic, ...]


@cache
def domains() -> tuple[Domain, ...]:
    """All domains, in the order of `NAMES`."""
    return tuple(_read(name) for name in NAMES)


def _read(name: str) -> Domain:
    given = yaml.safe_load(files("muniment.probe").joinpath("texts", f"{name}.yaml").read_text(encoding="utf-8"))
    topics = (Topic(**{**topic, "related": tuple(topic["related"])}) for topic in given["topics"])
    return Domain(name=name, subjects=tuple(given["subjects"]), fillers=tuple(given["fillers"]), topics=tuple(topics))
