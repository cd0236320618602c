"""The tools, system and messages of Anthropic's messages API, in the order in which it caches them.

Rules of this file: roles alternate and the user begins; results stand in the user message right after their calls; at most
four cache breakpoints, at the ends of the tools, the pinned band, the stable band and the conversation, never behind anything
volatile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, NotRequired, TypedDict

from muniment.compilation import Compilation
from muniment.compile.checks import check_compiled
from muniment.compile.messages import CallIds, Side, instructions, sides
from muniment.compile.tools import Offer, called, offers
from muniment.errors import FormatError
from muniment.text.strict_json import loads
from muniment.types import Band

OPENING: Final = "(The conversation shown here begins with the assistant.)"
"""Said by the user when the first turn shown is the assistant's, since the API wants the user to begin."""

_NOT_IN_ID: Final = re.compile(r"[^a-zA-Z0-9_-]")


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
    is_error: NotRequired[Literal[True]]
    cache_control: NotRequired[CacheControl]


Part = TextPart | ToolUsePart | ToolResultPart


class AnthropicMessage(TypedDict):
    """One message of several parts."""

    role: Literal["user", "assistant"]
    content: list[Part]


class AnthropicTool(TypedDict):
    """A tool that may be called; `input_schema` is its JSON Schema."""

    name: str
    description: NotRequired[str]
    input_schema: dict[str, object]
    cache_control: NotRequired[CacheControl]


class AnthropicPrompt(TypedDict):
    """Three arguments of a request: `tools` only when there are some; `system` and `messages` may be empty."""

    tools: NotRequired[list[AnthropicTool]]
    system: list[TextPart]
    messages: list[AnthropicMessage]


def to_anthropic(compilation: Compilation, *, cache: bool = True, same_tools: bool | None = None) -> AnthropicPrompt:
    """The compilation as `{"tools": …, "system": …, "messages": …}`; without `cache`, no cache breakpoints are set.

    The API caches tools before all else, so that while the volatile tools change from prompt to prompt one breakpoint is
    left: that of the tools before them. Where the prompt before offered the same tools, or `same_tools` says that the next
    one will, the other breakpoints stand; `same_tools=False` takes them away. A prefix shorter than the model's least (1,024
    to 4,096 tokens) is not cached, without an error.

    A note is a text part of its own on the user's side. Arguments that are not a JSON object become `{"arguments": …}`: with
    their text where they are not JSON by the standard (NaN, a key twice, a number too large to keep), so that all of it can be
    written as JSON. Call ids that the API would refuse, or that come twice, are rewritten together with their results. Raises
    `BlockError` for two tools of one name.
    """
    check_compiled(compilation)
    offered = offers(compilation.blocks, compilation.salt)
    steady_tools = next((place for place, offer in enumerate(offered) if offer.band is Band.VOLATILE), len(offered))
    if same_tools is None:
        same_tools = steady_tools == len(offered) or compilation.prefix.same_tools
    beyond_tools = cache and (same_tools or steady_tools == len(offered))
    system: list[TextPart] = []
    for band, text in instructions(compilation):
        system.append({"type": "text", "text": text})
        if beyond_tools and band in (Band.PINNED, Band.STABLE):
            system[-1]["cache_control"] = {"type": "ephemeral"}
    out: AnthropicPrompt = {"system": system, "messages": _messages(sides(compilation), cache=beyond_tools)}
    return {"tools": _tools(offered, steady_tools if cache else 0), **out} if offered else out


def _tools(offered: Sequence[Offer], cached: int) -> list[AnthropicTool]:
    """The tools, with a breakpoint behind the first `cached` of them."""
    tools: list[AnthropicTool] = []
    for offer in offered:
        tools.append({"name": offer.called, "description": offer.description, "input_schema": offer.schema})
        if not offer.description:
            del tools[-1]["description"]
    if cached:
        tools[cached - 1]["cache_control"] = {"type": "ephemeral"}
    return tools


def _messages(all_sides: Sequence[Side], *, cache: bool) -> list[AnthropicMessage]:
    messages: list[AnthropicMessage] = []
    ids = CallIds(_NOT_IN_ID)
    steady: Part | None = None
    moved = False
    for side in all_sides:
        parts = _parts(side, ids)
        if parts:
            messages.append({"role": side.who, "content": [part for part, _ in parts]})
        for part, band in parts:
            moved = moved or band is Band.VOLATILE
            steady = steady if moved else part
    if steady is not None and cache:
        steady["cache_control"] = {"type": "ephemeral"}
    if messages and messages[0]["role"] == "assistant":
        messages.insert(0, {"role": "user", "content": [{"type": "text", "text": OPENING}]})
    if messages and messages[-1]["role"] == "assistant" and (last := messages[-1]["content"][-1])["type"] == "text":
        last["text"] = last["text"].rstrip()  # the API refuses a prompt that ends with the assistant and a space
    return messages


def _parts(side: Side, ids: CallIds) -> list[tuple[Part, Band]]:
    parts: list[tuple[Part, Band]] = []
    for call_id, text, band in side.results:
        parts.append(({"type": "tool_result", "tool_use_id": ids.of_result(call_id), "content": text}, band))
    parts += [({"type": "text", "text": words.text}, words.band) for words in side.words]
    for call in side.calls:
        name = called(call.name)
        use: ToolUsePart = {"type": "tool_use", "id": ids.of_call(call.id), "name": name, "input": _input(call.arguments)}
        parts.append((use, Band.SESSION))
    return parts


def _input(arguments: str) -> dict[str, object]:
    try:
        value = loads(arguments or "{}")
    except FormatError:
        value = arguments
    return value if isinstance(value, dict) else {"arguments": value}
