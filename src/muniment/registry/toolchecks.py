"""What a tool may be. Rule of this file: pure checks that raise `BlockError` naming the field before anything has changed."""

from __future__ import annotations

import re
from typing import Final

from muniment.errors import BlockError, FormatError, shown
from muniment.text.strict_json import loads
from muniment.types import Tool

TOOL_BYTES: Final = 1 << 18
"""Bytes that a tool's description and parameters may take together."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")


def check_tool(value: object) -> Tool:
    """Return `value` if it is a tool that can be offered.

    A name is 1 to 128 letters and digits of ASCII and `_ - . : /` (longer names than a provider takes, and its forbidden
    signs, are mapped when rendered). `parameters` is strict JSON: an object whose `type` is "object". Raises `BlockError`
    with code tool_invalid, tool_name or tool_schema.
    """
    if not isinstance(value, Tool):
        raise BlockError(f"{shown(value)} is not a Tool.", place="tool", code="tool_invalid", hint="Give a Tool value.")
    name: object = value.name
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BlockError(
            f"{shown(name)} cannot be a tool's name.",
            place="tool.name",
            code="tool_name",
            hint="Use 1 to 128 ASCII letters, digits and _ - . : /, for example get_weather.",
        )
    for text, place in ((value.description, "tool.description"), (value.parameters, "tool.parameters")):
        _check_text(text, place)
    if len(value.description.encode()) + len(value.parameters.encode()) > TOOL_BYTES:
        raise BlockError(
            f"this tool's schema is larger than {TOOL_BYTES:,} bytes.",
            place="tool.parameters",
            code="range",
            hint="Shorten its descriptions, or split the tool.",
        )
    _check_parameters(value.parameters)
    return value


def _check_text(value: object, place: str) -> None:
    if not isinstance(value, str):
        raise BlockError(f"this is {type(value).__name__}, not text.", place=place, code="not_text", hint="Give a str.")
    if "\0" in value:
        raise BlockError("this holds a NUL character.", place=place, code="nul_not_allowed", hint="Take it out.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BlockError(
            "this holds half of a surrogate pair.", place=place, code="invalid_unicode", hint="Decode it again."
        ) from error


def _check_parameters(text: str) -> None:
    try:
        schema = loads(text, place="tool.parameters")
    except FormatError as error:
        raise BlockError(
            error.message, place=error.place, code="tool_schema", hint="Give the JSON Schema as JSON text."
        ) from error
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise BlockError(
            "a tool's parameters are a JSON Schema of an object.",
            place="tool.parameters",
            code="tool_schema",
            hint='Start with {"type": "object", "properties": {…}}.',
        )
