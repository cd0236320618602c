"""YAML without its surprises: every scalar is text as it was written, and nothing is ever built, included, shared or merged.

Rule of this file: text in, a bounded tree with line numbers out. Anchors, aliases, tags, merge keys, directives, several
documents, duplicate keys and keys that are not text are refused, each by its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import yaml

from muniment.errors import FormatError, shown

Yaml: TypeAlias = "str | list[Yaml] | dict[str, Yaml]"
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

MAX_DEPTH: Final = 32
MAX_BYTES: Final = 64 * 1024
"""Bytes of UTF-8 read unless the caller allows more. A mebibyte takes a few seconds."""

_MAX_KEY = 1024
_MOST_DIGITS = 20
_FORBIDDEN = re.compile("[^\t\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNKEEPABLE = re.compile("[\0\ud800-\udfff]")
_WHOLE = re.compile(r"[-+]?\d+")
_FRACTION = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?")
_CONSTANTS: Final[Mapping[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_PLAIN_WORDS: Final = {
    "found character '\\t' that cannot start any token": "a tab cannot indent YAML",
    "could not find expected ':'": "a key without a colon",
    "mapping values are not allowed here": "a second colon in one line",
    "cannot start any token": "a value begins with a sign that YAML keeps for itself",
    "expected alphabetic or numeric character": "a value begins with *, & or !, which YAML keeps for itself",
    "sequence entries are not allowed here": "a value begins with a dash and a space",
    "mapping keys are not allowed here": "a value begins with a question mark and a space",
    "expected ',' or ']'": "a list that begins with [ is not closed by ]",
    "expected ',' or '}'": "a mapping that begins with { is not closed by }",
    "expected the node content": "a bracket or a comma stands where a value is expected",
    "expected <block end>": "something stands behind the end of a value",
    "found unexpected end of stream": "a quote is never closed",
    "found unexpected document separator": "a quote is never closed",
    "found unknown escape character": "a backslash in double quotes before a sign it cannot escape",
    "expected escape sequence": "a backslash in double quotes that is no escape",
    "expected '<document start>'": "text behind the end of the document",
    "expected a comment or a line break": "a value that begins with | or > goes on in its own line",
    "expected chomping or indentation indicators": "a value begins with | or >, which YAML keeps for itself",
}


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value as it was written. `plain` ones stand without quotes; `line` and `column` count from 1."""

    text: str
    plain: bool
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    nodes: tuple[Node, ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping: its nodes by key in the order written, and the line each key stands in."""

    nodes: Mapping[str, Node]
    line: int
    column: int
    lines: Mapping[str, int] = field(default_factory=dict)


Node: TypeAlias = "Scalar | Items | Table"


def compose(text: str, *, place: str = "", first_line: int = 1, most_bytes: int = MAX_BYTES) -> Node:
    """The tree of the one document `text` holds; nothing at all is an empty scalar.

    `first_line` is the line of `place` that `text` starts at. Raises FormatError with `place` as "place:line" and a code:
    too_large, too_deep, yaml_feature, duplicate_key, several_documents, control_character, malformed.
    """
    where = _Place(place, first_line)
    if len(text) > most_bytes or len(text.encode(errors="surrogatepass")) > most_bytes:
        raise where.error((1, 1), f"this YAML is longer than {most_bytes:,} bytes", "too_large", "Make it shorter, or split it.")
    if wrong := _FORBIDDEN.search(text):
        line = text.count("\n", 0, wrong.start()) + 1
        column = wrong.start() - text.rfind("\n", 0, wrong.start())
        what = f"the character U+{ord(wrong.group()):04X} cannot stand in YAML"
        raise where.error((line, column), what, "control_character", "Take it out, or spell it \\u.... in double quotes.")
    return _Reader(text, where).document()


def strings(node: Node) -> Yaml:
    """The plain value of a tree with every scalar as text: `no`, `1.10` and `2024-02-30` stay as they were written."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return [strings(item) for item in node.nodes]
    return {key: strings(item) for key, item in node.nodes.items()}


def typed(node: Node) -> Json:
    """The value a tree means as JSON: unquoted null, true, false and decimal numbers are those, all else is text.

    A number that JSON cannot carry exactly stays text.
    """
    if isinstance(node, Scalar):
        return _typed(node.text) if node.plain else node.text
    if isinstance(node, Items):
        return [typed(item) for item in node.nodes]
    return {key: typed(item) for key, item in node.nodes.items()}


def line_of(node: Node, path: Sequence[str | int] = ()) -> int:
    """The line of the value at `path`, keys and list positions from the outside in; of the nearest one there is, if it ends."""
    line = node.line
    for step in path:
        if isinstance(node, Table) and isinstance(step, str) and step in node.nodes:
            line, node = node.lines.get(step, node.line), node.nodes[step]
        elif isinstance(node, Items) and isinstance(step, int) and -len(node.nodes) <= step < len(node.nodes):
            node = node.nodes[step]
            line = node.line
        else:
            break
    return line


def _typed(text: str) -> Json:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if len(text) <= _MOST_DIGITS and text.isascii():
        if _WHOLE.fullmatch(text):
            return int(text)
        if _FRACTION.fullmatch(text) and abs(number := float(text)) != float("inf"):
            return number
    return text


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    first_line: int

    def line(self, line: int) -> int:
        return line + self.first_line - 1

    def error(self, at: tuple[int, int], what: str, code: str, hint: str) -> FormatError:
        """An error at a line and column of the text."""
        line, column = self.line(at[0]), at[1]
        place = f"{self.name}:{line}" if self.name else f"line {line}"
        return FormatError(f"{what} (line {line}, column {column}).", place=place, code=code, hint=hint)


class _Reader:
    """One pass over the parser's events. Depth is checked as they come, so nothing nested is ever built first."""

    def __init__(self, text: str, where: _Place) -> None:
        self._where = where
        self._events: Iterator[yaml.Event] = yaml.parse(text, Loader=yaml.SafeLoader)

    def document(self) -> Node:
        self._next()  # the stream starts
        start = self._next()
        if isinstance(start, yaml.StreamEndEvent):
            return Scalar("", plain=True, line=self._where.line(1), column=1)
        if isinstance(start, yaml.DocumentStartEvent) and (start.version or start.tags):
            raise self._feature(start, "a % directive")
        node = self._node(self._next(), 1)
        self._next()  # the document ends
        if not isinstance(after := self._next(), yaml.StreamEndEvent):
            raise self._error(after, "a second document begins here", "several_documents", "Keep one document per file.")
        return node

    def _node(self, event: yaml.Event, depth: int) -> Node:
        line, column = self._at(event)
        if isinstance(event, yaml.AliasEvent):
            raise self._feature(event, f"the alias {shown(event.anchor)}")
        assert isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent)
        if event.anchor is not None:
            raise self._feature(event, f"the anchor {shown(event.anchor)}")
        if event.tag is not None:
            raise self._feature(event, f"the tag {shown(event.tag)}")
        if isinstance(event, yaml.ScalarEvent):
            self._check_text(event)
            return Scalar(event.value, event.style is None, line, column)
        if depth > MAX_DEPTH:
            raise self._error(event, f"this is nested deeper than {MAX_DEPTH} levels", "too_deep", "Flatten it.")
        if isinstance(event, yaml.SequenceStartEvent):
            return Items(tuple(self._items(depth)), line, column)
        return self._table(depth, line, column)

    def _items(self, depth: int) -> Iterator[Node]:
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            yield self._node(event, depth + 1)

    def _table(self, depth: int, line: int, column: int) -> Table:
        nodes: dict[str, Node] = {}
        lines: dict[str, int] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, depth)
            if key in nodes:
                raise self._error(event, f"the key {shown(key)} stands twice", "duplicate_key", "Keep one of the two.")
            lines[key] = self._at(event)[0]
            nodes[key] = self._node(self._next(), depth + 1)
        return Table(nodes, line, column, lines)

    def _key(self, event: yaml.Event, depth: int) -> str:
        if isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            raise self._feature(event, "a key that is not text")
        node = self._node(event, depth)
        assert isinstance(node, Scalar)
        if node.plain and node.text == "<<":
            raise self._feature(event, "the merge key <<")
        if len(node.text) > _MAX_KEY:
            raise self._error(event, f"a key is longer than {_MAX_KEY} characters", "key_too_long", "Give it a shorter name.")
        return node.text

    def _check_text(self, event: yaml.ScalarEvent) -> None:
        if _UNKEEPABLE.search(event.value):
            what = "this text spells a NUL or half of a character pair"
            raise self._error(event, what, "control_character", "Take it out, or write the whole character.")

    def _next(self) -> yaml.Event:
        try:
            return next(self._events)
        except yaml.MarkedYAMLError as error:
            raise self._malformed(error) from error
        except (ValueError, OverflowError) as error:
            what = "an escape or a version number in this YAML is out of range"
            raise self._where.error((1, 1), what, "malformed", "Check its \\U escapes.") from error

    def _malformed(self, error: yaml.MarkedYAMLError) -> FormatError:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = str(error.problem or error.context or "this is not YAML")
        if "undefined tag handle" in problem:
            return self._where.error((line, column), problem, "yaml_feature", _NO_FEATURE)
        what = next((words for part, words in _PLAIN_WORDS.items() if part in problem), problem)
        return self._where.error((line, column), f"this is not YAML: {what}", "malformed", _QUOTE)

    def _feature(self, event: yaml.Event, what: str) -> FormatError:
        return self._error(event, f"{what} is not read here", "yaml_feature", _NO_FEATURE)

    def _error(self, event: yaml.Event, what: str, code: str, hint: str) -> FormatError:
        return self._where.error(_position(event), what, code, hint)

    def _at(self, event: yaml.Event) -> tuple[int, int]:
        line, column = _position(event)
        return self._where.line(line), column


def _position(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


_QUOTE: Final = 'Put quotes around the value, for example description: "Use it: now"; or mend this spot.'
_NO_FEATURE: Final = "Write the value itself. Put quotes around text that starts with &, * or !."
