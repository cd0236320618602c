"""The messages and tools of OpenAI's chat completions, which many servers share.

Rules of this file: instructions are one system message in front, and each note one at its place; every call is followed by its
results; data stands inside a user's message, before the words it comes with, and never in a system message.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from muniment.compilation import Compilation
from muniment.compile.checks import check_compiled
from muniment.compile.messages import CallIds, Side, Words, instructions, sides
from muniment.compile.partners import Rank
from muniment.compile.tools import Offer, called, offers
from muniment.types import ToolCall


class OpenAIFunction(TypedDict):
    """The called function; `arguments` is JSON text."""

    name: str
    arguments: str


class OpenAIToolCall(TypedDict):
    """One entry of an assistant message's `tool_calls`."""

    id: str
    type: Literal["function"]
    function: OpenAIFunction


class OpenAIMessage(TypedDict):
    """One message. `content` is None only for an assistant that says nothing and calls tools."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None
    tool_calls: NotRequired[list[OpenAIToolCall]]
    tool_call_id: NotRequired[str]


class OpenAIParameters(TypedDict):
    """A function that may be called; `parameters` is its JSON Schema."""

    name: str
    description: NotRequired[str]
    parameters: dict[str, object]


class OpenAITool(TypedDict):
    """One entry of a request's `tools`."""

    type: Literal["function"]
    function: OpenAIParameters


def to_openai(compilation: Compilation, *, one_system: bool = False) -> list[OpenAIMessage]:
    """The compilation as `messages`. Each user turn is its own message; data joins the turn after it, else the one before.

    Call ids that are empty, or that come twice, are rewritten together with their results; arguments stay the text they are.

    Some servers' chat templates refuse a system message that is not the first: with `one_system`, notes join the user's
    words instead. The tools are apart: see `openai_tools`.
    """
    check_compiled(compilation)
    system = "\n\n".join(text for _, text in instructions(compilation))
    out: list[OpenAIMessage] = [{"role": "system", "content": system}] if system else []
    ids = CallIds()
    for side in sides(compilation):
        out += _assistant(side, ids) if side.who == "assistant" else _user(side, ids, one_system=one_system)
    return out


def openai_tools(compilation: Compilation) -> list[OpenAITool]:
    """The tools of the compilation as the request's `tools`, in order; leave the field out when the list is empty.

    Schemas are passed on as they were given; nothing is added, `strict` and `additionalProperties` included. Raises
    `BlockError` for two tools of one name. A `Guard` knows every name as it stands here.
    """
    check_compiled(compilation)
    return [_tool(offer) for offer in offers(compilation.blocks, compilation.salt)]


def _tool(offer: Offer) -> OpenAITool:
    function: OpenAIParameters = {"name": offer.called, "description": offer.description, "parameters": offer.schema}
    if not offer.description:
        del function["description"]
    return {"type": "function", "function": function}


def _assistant(side: Side, ids: CallIds) -> list[OpenAIMessage]:
    message: OpenAIMessage = {"role": "assistant", "content": "\n\n".join(words.text for words in side.words) or None}
    if side.calls:
        message["tool_calls"] = [_call(call, ids.of_call(call.id)) for call in side.calls]
    return [message] if side.calls or side.words else []


def _call(call: ToolCall, call_id: str) -> OpenAIToolCall:
    return {"id": call_id, "type": "function", "function": {"name": called(call.name), "arguments": call.arguments}}


def _user(side: Side, ids: CallIds, *, one_system: bool) -> list[OpenAIMessage]:
    out: list[OpenAIMessage] = [
        {"role": "tool", "content": text, "tool_call_id": ids.of_result(call)} for call, text, _ in side.results
    ]
    start = 0
    for place, words in enumerate(side.words):
        if words.rank is Rank.NOTE and not one_system:
            out += [*_said(side.words[start:place]), {"role": "system", "content": words.text}]
            start = place + 1
    return out + _said(side.words[start:])


def _said(words: Sequence[Words]) -> list[OpenAIMessage]:
    """One message per turn; what is no turn joins the one after it, else the one before."""
    texts: list[str] = []
    waiting: list[str] = []
    for part in words:
        waiting.append(part.text)
        if part.rank is Rank.TURN:
            texts.append("\n\n".join(waiting))
            waiting = []
    if waiting:
        texts = [*texts[:-1], "\n\n".join([*texts[-1:], *waiting])]
    return [{"role": "user", "content": text} for text in texts]
