"""What a block says of itself to someone who looks for it: its names, what it is for, its words, its tool's parameters.

Rule of this file: one reading for every scorer, from the block's content alone. A schema is read for its words and never judged:
one that cannot be read counts as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from muniment.errors import FormatError
from muniment.text.passages import PASSAGE, passages
from muniment.text.strict_json import loads
from muniment.types import Block, Tool

_SEPARATORS: Final = re.compile(r"[\s_\-.:/]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_INSIDE: Final = ("items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties")
_NAMED: Final = ("$defs", "definitions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The parts of a block's words. `names` has the block's and its tool's; `purpose` their descriptions, one a line.

    `parameters` is a line "name: description" for each parameter of its tool, however deep, and `values` what they may be.
    """

    names: tuple[str, ...]
    purpose: str
    text: str
    tags: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    def passages(self) -> tuple[str, ...]:
        """Texts short enough for a small embedder that cover the block: what it is for, then all of it piece by piece."""
        head = f"{spaced(self.names[0])}. {self.purpose}".strip()
        whole = "\n".join(part for part in (head, self.text, *self.parameters) if part)
        pieces = (whole[start:end].strip() for start, end in passages(whole))
        first = (head,) if self.purpose and len(head) <= PASSAGE else ()
        return tuple(dict.fromkeys((*first, *pieces)))


class Content(NamedTuple):
    """What a block's wording is read from: equal for blocks that say the same, whatever else they are."""

    name: str
    description: str
    text: str
    tags: tuple[str, ...]
    tool: Tool | None


def content(block: Block) -> Content:
    """The part of a block that says what it is."""
    return Content(block.name, block.description, block.text, block.tags, block.tool)


def wording(said: Content) -> Wording:
    """Read a block's content."""
    tool = said.tool
    names = dict.fromkeys((said.name, *((tool.name,) if tool else ())))
    purpose = dict.fromkeys(part.strip() for part in (said.description, tool.description if tool else ""))
    parameters, values = _schema(tool) if tool else ((), ())
    text = said.text.strip()
    return Wording(
        names=tuple(names),
        purpose="\n".join(part for part in purpose if part),
        text="" if text in purpose else text,
        tags=said.tags,
        parameters=parameters,
        values=values,
    )


def spaced(name: str) -> str:
    """A name or a text with its identifiers in words: `get_userId` is "get user Id"."""
    return _SEPARATORS.sub(" ", humps(name)).strip()


def humps(text: str) -> str:
    """`text` with the words of camelCase identifiers apart."""
    return _HUMP.sub(" ", text)


def _schema(tool: Tool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    try:
        schema = loads(tool.parameters)
    except FormatError:
        return (tool.parameters,), ()
    lines: dict[str, None] = {}
    values: dict[str, None] = {}
    for name, node in _nodes("", schema):
        said = node.get("description")
        words = said.strip() if isinstance(said, str) else ""
        if name or words:
            lines[f"{spaced(name)}: {words}" if name else words] = None
        allowed = node.get("enum")
        values.update(dict.fromkeys(str(value) for value in allowed if value is not None) if isinstance(allowed, list) else {})
    return tuple(lines), tuple(values)


def _nodes(name: str, schema: object) -> Iterator[tuple[str, dict[str, object]]]:
    """Every schema inside a schema, with the name of the parameter it describes, if it is one. Depth is bounded by the reader."""
    if isinstance(schema, list):
        for part in schema:
            yield from _nodes("", part)
    if not isinstance(schema, dict):
        return
    yield name, schema
    properties = schema.get("properties")
    for key, part in properties.items() if isinstance(properties, dict) else ():
        yield from _nodes(key, part)
    for key in _INSIDE:
        yield from _nodes("", schema.get(key))
    for key in _NAMED:
        named = schema.get(key)
        yield from _nodes("", list(named.values()) if isinstance(named, dict) else None)
