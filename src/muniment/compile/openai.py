"""The messages list of OpenAI's chat completions, which many servers share.

Rules of this file: one system message at most; every call is followed by its results; data stands inside a user's message,
before the words it comes with, and never in the system message.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from muniment.compile.messages import Side, instructions, sides
from muniment.types import Compilation, ToolCall


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


def to_openai(compilation: Compilation) -> list[OpenAIMessage]:
    """The compilation as `messages`. Each user turn is its own message; data joins the turn after it, else the one before."""
    system = "\n\n".join(text for _, text in instructions(compilation))
    out: list[OpenAIMessage] = [{"role": "system", "content": system}] if system else []
    for side in sides(compilation):
        out += _assistant(side) if side.who == "assistant" else _user(side)
    return out


def _assistant(side: Side) -> list[OpenAIMessage]:
    message: OpenAIMessage = {"role": "assistant", "content": "\n\n".join(words.text for words in side.words) or None}
    if side.calls:
        message["tool_calls"] = [_call(call) for call in side.calls]
    return [message] if side.calls or side.words else []


def _call(call: ToolCall) -> OpenAIToolCall:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _user(side: Side) -> list[OpenAIMessage]:
    results: list[OpenAIMessage] = [{"role": "tool", "content": text, "tool_call_id": call} for call, text, _ in side.results]
    texts: list[str] = []
    waiting: list[str] = []
    for words in side.words:
        waiting.append(words.text)
        if words.is_turn:
            texts.append("\n\n".join(waiting))
            waiting = []
    if waiting:
        texts = [*texts[:-1], "\n\n".join([*texts[-1:], *waiting])]
    users: list[OpenAIMessage] = [{"role": "user", "content": text} for text in texts]
    return results + users
