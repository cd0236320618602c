"""What a tool gave back, as statements that can be chosen apart: a table's rows under one header, an object's fields.

Rule of this file: pure. Nothing is dropped here and no value is rewritten: each stands as it stood in the JSON, without the
quotation marks of strings. What is no JSON, or none that holds anything, is read as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_DECODER = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")
_LINES = re.compile(r"\s*[\r\n]\s*")
_DEEPEST = 2
_BETWEEN = " | "


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A row or a field of a result: as a line, where it stands, the header it stands under ("" for a field), its table's name."""

    text: str
    start: int
    end: int
    header: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A value with its key ("" in an array) and its place."""

    key: str
    value: object
    start: int
    end: int


def parts(text: str) -> tuple[Part, ...]:
    """The rows and fields of a result in order; none when it is no JSON array or object."""
    at = _skip(text, 0)
    if text[at : at + 1] not in ("{", "["):
        return ()
    try:
        value, end = _DECODER.raw_decode(text, at)
        if _skip(text, end) != len(text):
            return ()
        return tuple(_parts(text, _Piece("", value, at, end), "", 0))
    except (ValueError, RecursionError):
        return ()


def _parts(text: str, whole: _Piece, name: str, depth: int) -> Iterator[Part]:
    inner = list(_inside(text, whole))
    if isinstance(whole.value, list) and inner and all(isinstance(one.value, dict) for one in inner):
        keys = list(dict.fromkeys(key for one in whole.value if isinstance(one, dict) for key in one))
        header = _BETWEEN.join(([name] if name else []) + keys) if keys else name
        for one in inner:
            cells = {field.key: _shown(text, field) for field in _inside(text, one)}
            row = _BETWEEN.join(cells.get(key, "") for key in keys)
            yield Part(text=row, start=one.start, end=one.end, header=header, table=name or "rows")
        return
    for one in inner:
        path = ".".join(part for part in (name, one.key) if part)
        nested = isinstance(one.value, dict | list) and one.value
        table = isinstance(one.value, list) and all(isinstance(row, dict) for row in one.value)
        if nested and depth < _DEEPEST and (table or isinstance(one.value, dict)):
            yield from _parts(text, one, path, depth + 1)
        else:
            shown = _shown(text, one)
            yield Part(text=f"{path}: {shown}" if path else shown, start=one.start, end=one.end)


def _shown(text: str, one: _Piece) -> str:
    return _LINES.sub(" ", one.value if isinstance(one.value, str) else text[one.start : one.end])


def _inside(text: str, whole: _Piece) -> Iterator[_Piece]:
    """The items of an array or the fields of an object, with their places."""
    at = whole.start + 1
    keyed = isinstance(whole.value, dict)
    while (at := _skip(text, at)) < whole.end - 1:
        if text[at] == ",":
            at += 1
            continue
        key = ""
        if keyed:
            read, at = _DECODER.raw_decode(text, at)
            key = str(read)
            at = _skip(text, _skip(text, at) + 1)
        value, end = _DECODER.raw_decode(text, at)
        yield _Piece(key, value, at, end)
        at = end


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def left_out(what: str, number: int, record: str) -> str:
    """The line that names what a digest leaves out of a result, and where it stands."""
    return f"… {number} {what}{'' if number == 1 else 's'} left out, see record {record}"
