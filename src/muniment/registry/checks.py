"""What a block may be. Rule of this file: every check raises `BlockError` before anything has changed."""

from __future__ import annotations

import math
from enum import Enum
from typing import Final

from muniment.errors import BlockError, shown
from muniment.types import Band, Block, Role, ToolCall, Trust

TEXT_BYTES: Final = 1 << 20


def check_block(block: Block) -> Block:
    """Return `block` if it may stand in a registry; raise `BlockError` naming the field otherwise."""
    check_text(block.text, "text")
    check_text(block.name, "name")
    if not block.name.strip():
        raise BlockError("a block needs a name.", place="name", code="name_empty", hint="Give a short word, for example 'rules'.")
    check_priority(block.priority)
    _check_kind(block)
    _check_trust(block)
    _check_tools(block)
    return block


def check_text(value: object, place: str) -> str:
    """Return `value` if it is text that can be encoded, holds no NUL, and is at most 1 MiB of UTF-8."""
    if not isinstance(value, str):
        raise BlockError(f"this is {type(value).__name__}, not text.", place=place, code="not_text", hint="Give a str.")
    try:
        size = len(value) if value.isascii() else len(value.encode())
    except UnicodeEncodeError as error:
        raise BlockError(
            "this holds half of a surrogate pair.",
            place=place,
            code="invalid_unicode",
            hint="Decode the text again with errors='replace'.",
        ) from error
    if "\0" in value:
        raise BlockError("this holds a NUL character.", place=place, code="nul_not_allowed", hint="Take it out.")
    if size > TEXT_BYTES:
        raise BlockError(
            f"this is {size:,} bytes long; the limit is {TEXT_BYTES:,}.",
            place=place,
            code="range",
            hint="Split it into several blocks.",
        )
    return value


def check_priority(value: object) -> float:
    """Return `value` if it is a finite number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or not 0 <= value <= 1:
        raise BlockError(
            f"a priority is a number from 0 to 1, not {shown(value)}.", place="priority", code="range", hint="0.5 is the default."
        )
    return float(value)


def check_whole(value: object, place: str) -> int:
    """Return `value` if it is a whole number; booleans and numbers with a fraction are not."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BlockError(f"{shown(value)} is not a whole number.", place=place, code="range", hint="Positions count from 0.")
    return value


def _check_kind(block: Block) -> None:
    _check_member(block.band, Band, "band")
    _check_member(block.role, Role, "role")
    _check_member(block.trust, Trust, "trust")
    _check_flag(block.required)


def _check_member(value: object, kind: type[Enum], place: str) -> None:
    if not isinstance(value, kind):
        names = ", ".join(f"{kind.__name__}.{member.name}" for member in kind)
        raise BlockError(f"{shown(value)} is not a {place}.", place=place, code="range", hint=f"Use one of {names}.")


def _check_flag(value: object) -> None:
    if not isinstance(value, bool):
        raise BlockError(
            f"{shown(value)} is neither True nor False.", place="required", code="range", hint="Say whether it may be left out."
        )


def _check_trust(block: Block) -> None:
    if block.trust is Trust.UNTRUSTED and block.band in (Band.PINNED, Band.STABLE):
        raise BlockError(
            f"untrusted text cannot stand in the {block.band.name} band, where instructions are.",
            place="band",
            code="untrusted_band",
            hint="Write it in Band.SESSION or Band.VOLATILE.",
        )


def _check_tools(block: Block) -> None:
    for call in block.tool_calls:
        _check_call(call)
    for value, place in ((block.turn_key, "turn_key"), (block.tool_call_id, "tool_call_id")):
        if value is not None:
            check_text(value, place)
    if block.tool_calls and block.role is not Role.ASSISTANT:
        raise BlockError(
            "only an assistant's block can hold tool calls.", place="role", code="tool_role", hint="Use Role.ASSISTANT."
        )
    if block.tool_call_id is not None and block.role is not Role.TOOL:
        raise BlockError("only a tool's block can answer a call.", place="role", code="tool_role", hint="Use Role.TOOL.")


def _check_call(call: object) -> None:
    if not isinstance(call, ToolCall):
        raise BlockError(f"{shown(call)} is not a ToolCall.", place="tool_calls", code="range", hint="Give ToolCall values.")
    for value in (call.id, call.name, call.arguments):
        check_text(value, "tool_calls")
