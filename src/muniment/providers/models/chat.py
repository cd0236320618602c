"""What a chat model is asked and what it answers, for every model behind it.

Rule of this file: values and a protocol only. Messages and tools are in the form of OpenAI's chat completions, which is what
`compile.to_openai` gives and what servers of many makers take.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from muniment.errors import ProviderError
from muniment.types import ToolCall

Entry = Mapping[str, object]
"""One message or one tool, ready to be written as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered: its words, the tools it wants called, and the tokens it counted (0 when it does not say)."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatModel(Protocol):
    """Anything that answers chat messages. `name` says which model it is, the same in every run, and holds no key."""

    @property
    def name(self) -> str: ...

    def answer(
        self, messages: Sequence[Entry], tools: Sequence[Entry] = (), *, max_tokens: int, seed: int, schema: str = ""
    ) -> Reply:
        """One answer, as repeatable as the model can make it. Raises `ProviderError` when there is none.

        With `schema` (JSON Schema as JSON text) it is JSON of that form, where the model can be held to one.
        """

    def close(self) -> None:
        """Let go of connections and memory. Later calls of `answer` raise `ProviderError`."""


def asked(
    messages: Sequence[Entry], tools: Sequence[Entry], *, max_tokens: int, seed: int, schema: str = ""
) -> dict[str, object]:
    """The body of a request that leaves nothing to chance which the model can avoid."""
    body: dict[str, object] = {"messages": list(messages), "max_tokens": max_tokens, "temperature": 0, "seed": seed}
    if schema:
        form = {"name": "answer", "strict": True, "schema": json.loads(schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return {**body, "tools": list(tools)} if tools else body


def replied(answer: object, source: str) -> Reply:
    """The reply inside a chat completion. Raises `ProviderError` (answer_malformed) when it is none."""
    choices = answer.get("choices") if isinstance(answer, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(answer, dict) or not isinstance(message, dict):
        raise ProviderError(
            f"{source} answered with something else than a chat completion.",
            code="answer_malformed",
            hint="Check that it serves chat completions in OpenAI's form.",
        )
    usage = answer.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    content = message.get("content")
    return Reply(
        text=content if isinstance(content, str) else "",
        calls=_calls(message.get("tool_calls")),
        prompt_tokens=_count(counts.get("prompt_tokens")),
        completion_tokens=_count(counts.get("completion_tokens")),
    )


def _calls(given: object) -> tuple[ToolCall, ...]:
    calls = []
    for place, call in enumerate(given if isinstance(given, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if isinstance(function, dict) and isinstance(name, str):
            calls.append(
                ToolCall(id=str(call.get("id") or f"call-{place}"), name=name, arguments=str(function.get("arguments") or "{}"))
            )
    return tuple(calls)


def _count(number: object) -> int:
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0
