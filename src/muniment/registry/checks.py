"""What a block may be. Rule of this file: every check raises `BlockError` before anything has changed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import Enum
from typing import Final, TypeVar

from muniment.errors import BlockError, shown
from muniment.registry.toolchecks import check_tool
from muniment.types import Band, Block, Role, Source, ToolCall, Trust

Member = TypeVar("Member", bound=Enum)

TEXT_BYTES: Final = 1 << 20
NAME_CHARACTERS: Final = 1_000
"""Characters of a name, a tag, a run, a turn key or the id of a call."""

_NO_EXTRAS: Final = ("", "", "", "")


def check_block(block: Block) -> Block:
    """Return `block` if it may stand in a registry; raise `BlockError` naming the field otherwise."""
    check_text(block.text, "text")
    check_name(block.name)
    check_priority(block.priority)
    extras = (block.prefix, block.suffix, block.description, block.short)
    if extras != _NO_EXTRAS:
        for value, place in zip(extras, ("prefix", "suffix", "description", "short"), strict=True):
            check_text(value, place)
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


def check_name(value: object, place: str = "name") -> str:
    """Return `value` if it is short text that is not blank."""
    if not check_short(value, place).strip():
        raise BlockError(
            "a name cannot be empty.", place=place, code="name_empty", hint="Give a short word, for example 'rules'."
        )
    return str(value)


def check_short(value: object, place: str) -> str:
    """Return `value` if it is text of at most `NAME_CHARACTERS`."""
    text = check_text(value, place)
    if len(text) > NAME_CHARACTERS:
        raise BlockError(
            f"this is {len(text):,} characters long; the limit is {NAME_CHARACTERS:,}.",
            place=place,
            code="range",
            hint="Give a short one; long words belong in the text.",
        )
    return text


def check_words(value: object, place: str) -> tuple[str, ...]:
    """Return `value` as a tuple if it is a list of words, none of them blank."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BlockError(f"{shown(value)} is not a list of words.", place=place, code="not_text", hint="Give a list of str.")
    return tuple(check_name(word, place) for word in value)


def check_priority(value: object) -> float:
    """Return `value` if it is a finite number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or not 0 <= value <= 1:
        raise BlockError(
            f"a priority is a number from 0 to 1, not {shown(value)}.", place="priority", code="range", hint="0.5 is the default."
        )
    return float(value)


def check_whole(value: object, place: str, *, hint: str = "Positions count from 0.") -> int:
    """Return `value` if it is a whole number; booleans and numbers with a fraction are not."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BlockError(f"{shown(value)} is not a whole number.", place=place, code="range", hint=hint)
    return value


def check_member(value: object, kind: type[Member], place: str) -> Member:
    """Return `value` if it is a member of the enumeration."""
    if not isinstance(value, kind):
        names = ", ".join(f"{kind.__name__}.{member.name}" for member in kind)
        raise BlockError(f"{shown(value)} is not a {place}.", place=place, code="range", hint=f"Use one of {names}.")
    return value


def check_flag(value: object, place: str) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool):
        raise BlockError(f"{shown(value)} is neither True nor False.", place=place, code="range", hint="Say yes or no.")
    return value


def _check_kind(block: Block) -> None:
    check_member(block.band, Band, "band")
    check_member(block.role, Role, "role")
    check_member(block.trust, Trust, "trust")
    check_member(block.source, Source, "source")
    for value, place in ((block.required, "required"), (block.removable, "removable"), (block.gated, "gated")):
        check_flag(value, place)
    if block.run is not None:
        check_name(block.run, "run")
    for words, place in ((block.tags, "tags"), (block.requires, "requires")):
        if words != ():
            check_words(words, place)
    if block.group is not None:
        check_name(block.group.name, "group")


def _check_trust(block: Block) -> None:
    if block.trust is Trust.UNTRUSTED and block.band in (Band.PINNED, Band.STABLE):
        raise BlockError(
            f"untrusted text cannot stand in the {block.band.name} band, where instructions are.",
            place="band",
            code="untrusted_band",
            hint="Write it in Band.SESSION or Band.VOLATILE.",
        )


def _check_tools(block: Block) -> None:
    if block.tool is not None:
        check_tool(block.tool)
        if block.role is not Role.SYSTEM:
            raise BlockError(
                "a tool is offered by a system block.",
                place="role",
                code="tool_role",
                hint="Leave the role as it is: Role.SYSTEM.",
            )
    for call in block.tool_calls:
        _check_call(call)
    for value, place in ((block.turn_key, "turn_key"), (block.tool_call_id, "tool_call_id")):
        if value is not None:
            check_short(value, place)
    if block.tool_calls and block.role is not Role.ASSISTANT:
        raise BlockError(
            "only an assistant's block can hold tool calls.", place="role", code="tool_role", hint="Use Role.ASSISTANT."
        )
    if block.tool_call_id is not None and block.role is not Role.TOOL:
        raise BlockError("only a tool's block can answer a call.", place="role", code="tool_role", hint="Use Role.TOOL.")


def check_calls(value: object) -> tuple[ToolCall, ...]:
    """Return `value` as a tuple if it is a list of tool calls."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BlockError(f"{shown(value)} is not a list.", place="tool_calls", code="range", hint="Give a list of ToolCall.")
    calls = tuple(value)
    for call in calls:
        _check_call(call)
    return calls


def _check_call(call: object) -> None:
    if not isinstance(call, ToolCall):
        raise BlockError(f"{shown(call)} is not a ToolCall.", place="tool_calls", code="range", hint="Give ToolCall values.")
    for value in (call.id, call.name):
        check_short(value, "tool_calls")
    check_text(call.arguments, "tool_calls")
