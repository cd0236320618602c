"""The system and messages of Anthropic's messages API.

Rules of this file: roles alternate and the user begins; results stand in the user message right after their calls; at most
three cache breakpoints, at the ends of the pinned band, the stable band and the conversation, never behind volatile text.
"""

from __future__ import annotations

import json
import re
from typing import Final, Literal, NotRequired, TypedDict

from muniment.compile.messages import Side, instructions, sides
from muniment.types import Band, Compilation

OPENING: Final = "(The conversation shown here begins with the assistant.)"
"""Said by the user when the first turn shown is the assistant's, since the API wants the user to begin."""

_ID: Final = re.compile(r"[a-zA-Z0-9_-]+")


class CacheControl(TypedDict):
    """A cache breakpoint: the prompt up to the end of this part may be cached."""

    type: Literal["ephemeral"]


class TextPart(TypedDict):
    """A part that is text."""

    type: Literal["text"]
    text: str
    cache_control: NotRequired[CacheControl]


class ToolUsePart(TypedDict):
    """A tool call; `input` is the parsed arguments."""

    type: Literal["tool_use"]
    id: str
    name: str
    input: dict[str, object]
    cache_control: NotRequired[CacheControl]


class ToolResultPart(TypedDict):
    """The result of the call with this id."""

    type: Literal["tool_result"]
    tool_use_id: str
    content: str
    cache_control: NotRequired[CacheControl]


Part = TextPart | ToolUsePart | ToolResultPart


class AnthropicMessage(TypedDict):
    """One message of several parts."""

    role: Literal["user", "assistant"]
    content: list[Part]


class AnthropicPrompt(TypedDict):
    """The two arguments of a request; `system` may be empty, and so may `messages` when no block is a turn or data."""

    system: list[TextPart]
    messages: list[AnthropicMessage]


def to_anthropic(compilation: Compilation, *, cache: bool = True) -> AnthropicPrompt:
    """The compilation as `{"system": …, "messages": …}`; without `cache`, no cache breakpoints are set.

    Arguments that are not a JSON object become `{"arguments": …}`. Call ids that the API would refuse, or that come twice,
    are rewritten together with their results.
    """
    system: list[TextPart] = []
    for band, text in instructions(compilation):
        system.append({"type": "text", "text": text})
        if cache and band in (Band.PINNED, Band.STABLE):
            system[-1]["cache_control"] = {"type": "ephemeral"}
    messages: list[AnthropicMessage] = []
    names = _Names()
    steady: Part | None = None
    for side in sides(compilation):
        parts, kept = _parts(side, names)
        if parts:
            messages.append({"role": side.who, "content": parts})
            steady = kept or steady
    if steady is not None and cache:
        steady["cache_control"] = {"type": "ephemeral"}
    if messages and messages[0]["role"] == "assistant":
        messages.insert(0, {"role": "user", "content": [{"type": "text", "text": OPENING}]})
    if messages and messages[-1]["role"] == "assistant" and (last := messages[-1]["content"][-1])["type"] == "text":
        last["text"] = last["text"].rstrip()  # the API refuses a prompt that ends with the assistant and a space
    return {"system": system, "messages": messages}


def _parts(side: Side, names: _Names) -> tuple[list[Part], Part | None]:
    """The parts of one side, and the last of them before anything volatile."""
    parts: list[tuple[Part, Band]] = []
    for call_id, text, band in side.results:
        parts.append(({"type": "tool_result", "tool_use_id": names.of_result(call_id), "content": text}, band))
    parts += [({"type": "text", "text": words.text}, words.band) for words in side.words]
    for call in side.calls:
        use: ToolUsePart = {"type": "tool_use", "id": names.of_call(call.id), "name": call.name, "input": _input(call.arguments)}
        parts.append((use, Band.SESSION))
    steady = None
    for part, band in parts:
        if band is Band.VOLATILE:
            break
        steady = part
    return [part for part, _ in parts], steady


def _input(arguments: str) -> dict[str, object]:
    try:
        value: object = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        value = arguments
    return value if isinstance(value, dict) else {"arguments": value}


class _Names:
    """Call ids as the API takes them: allowed characters only, none used twice."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._now: dict[str, str] = {}

    def of_call(self, call_id: str) -> str:
        plain = call_id if _ID.fullmatch(call_id) else re.sub(r"[^a-zA-Z0-9_-]", "_", call_id) or "call"
        name, n = plain, 1
        while name in self._used:
            n += 1
            name = f"{plain}_{n}"
        self._used.add(name)
        self._now[call_id] = name
        return name

    def of_result(self, call_id: str) -> str:
        return self._now.get(call_id, call_id)
