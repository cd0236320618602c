"""The texts of a block that reach a model, each once, and where they stand.

Rule of this file: of a tool that is every name and every text of its schema too, since a model reads all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from muniment.registry.lint.reading import line_at, shortened
from muniment.registry.lint.values import Place, Subject


class Part(NamedTuple):
    """A text of a block that reaches a model. `told` is what a message calls it."""

    text: str
    told: str = "this"
    is_body: bool = False

    def at(self, subject: Subject, offset: int) -> Place:
        """The place of a character of it; what is no body has the first line of its block."""
        return subject.at(line_at(self.text, offset) if self.is_body else 0)


def parts_of(subject: Subject) -> Iterator[Part]:
    """Everything of a block that reaches a model, each text once."""
    parts = [Part(subject.text, is_body=True), Part(subject.description), Part(subject.name)]
    if subject.tool:
        parts += [Part(subject.tool.name), Part(subject.tool.description)]
        parts += [Part(text, f'"{shortened(where)}" of its parameters') for where, text in _of_schema(subject.tool.parameters)]
    yield from {part.text: part for part in reversed(parts) if part.text}.values()


def _of_schema(schema: str) -> Iterator[tuple[str, str]]:
    """Every name and every text of a JSON Schema, with the way to it; all of it as one where it cannot be read."""
    try:
        todo: list[tuple[str, object]] = [("", json.loads(schema))]
    except (ValueError, RecursionError):
        yield "all", schema
        return
    while todo:
        where, value = todo.pop()
        if isinstance(value, str):
            yield where, value
        elif isinstance(value, list):
            todo += [(where, one) for one in reversed(value)]
        elif isinstance(value, dict):
            for name in value:
                yield where or name, name
            todo += [(f"{where}.{name}" if where else name, one) for name, one in reversed(value.items())]
