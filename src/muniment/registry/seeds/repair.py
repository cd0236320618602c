"""A head that is no YAML, read as far as each of its keys can be read alone.

Rule of this file: only free text is ever guessed, one key at a time and with a notice. A name is guessed in a SKILL.md
alone, the other keys that place a block never are, and what strict YAML refuses for its features stays refused.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from muniment.errors import FormatError, shown
from muniment.registry.seeds.values import Notice, SeedFile
from muniment.text.strict_yaml import Node, Scalar, Table, compose

_KEY_LINE = re.compile(r"""^(?![ \t\r#\-])[^:\n]+:(?=[ \t\r\n]|\Z)""", re.MULTILINE)
_PLAIN = re.compile(r"([A-Za-z][\w.-]*)[ \t]*:[ \t]*")
_MOST_GUESSED: Final = 100
_STRICT: Final = frozenset({"name", "priority", "tags", "band", "requires", "lines"})


class Repaired(NamedTuple):
    """The keys and values of a head, and what was guessed."""

    table: Table
    notices: tuple[Notice, ...]


def repaired(text: str, file: SeedFile, *, first_line: int) -> Repaired | None:
    """The head that `text` means, key by key; None when it cannot be told.

    Raises FormatError for features of YAML and for a key that stands twice, as `compose` does.
    """
    starts = [found.start() for found in _KEY_LINE.finditer(text)]
    if not starts or any(line.strip() and not line.startswith("#") for line in text[: starts[0]].splitlines()):
        return None
    named = re.search(r"^name[ \t]*:", text, re.MULTILINE) is not None
    nodes: dict[str, Node] = {}
    lines: dict[str, int] = {}
    notices: list[Notice] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line = first_line + text.count("\n", 0, start)
        part = _part(text[start:end], file, line)
        if part is None:
            part = _guessed(text[start:end], line, file, named=named)
            if part is None or len(notices) == _MOST_GUESSED:
                return None
            notices.append(_told(next(iter(part.nodes)), line))
        for key, node in part.nodes.items():
            if key in nodes:
                place = f"{file.path}:{line}"
                raise FormatError(
                    f"the key {shown(key)} stands twice.", place=place, code="duplicate_key", hint="Keep one of the two."
                )
            nodes[key], lines[key] = node, part.lines[key]
    return Repaired(Table(nodes, first_line, 1, lines), tuple(notices))


def _part(text: str, file: SeedFile, line: int) -> Table | None:
    """One key and its value as strict YAML; None where it is none. Tabs before the value count as spaces."""
    plain = _PLAIN.match(text)
    spaced = f"{plain[1]}: {text[plain.end() :]}" if plain and "\t" in plain[0] else text
    try:
        node = compose(spaced, place=file.path, first_line=line)
    except FormatError as error:
        if error.reason != "malformed":
            raise
        return None
    return node if isinstance(node, Table) else None


def _guessed(text: str, line: int, file: SeedFile, *, named: bool) -> Table | None:
    """A key whose value is the words behind it, lines joined by spaces."""
    plain = _PLAIN.match(text)
    if plain is None:
        return None
    key, words = plain[1], text[plain.end() :].split("\n")
    value = " ".join(word.strip() for word in words if word.strip())
    strict = key in _STRICT and named
    if file.is_skill and key != "name":
        strict = False
    if key == "name" and file.is_skill:
        strict = len([word for word in words if word.strip()]) != 1 or value[0] in "[{"
    return None if strict else Table({key: Scalar(value, plain=False, line=line, column=1)}, line, 1, {key: line})


def _told(key: str, line: int) -> Notice:
    told = f"the value of {key} is no YAML and was taken as the text it is; put quotes around it."
    return Notice(code="head_repaired", message=told, line=line)
