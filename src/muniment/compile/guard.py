"""The dispatcher's guard: a model may call what its prompt offered, and nothing else.

Rules of this file: a name counts as it is written, to the character; whatever is refused was not run; and every attempt is
counted, so that attempted and dispatched calls can be told apart afterwards, in bounded room. A guard belongs to one prompt:
make a new one for the next.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import length_hint
from typing import Final, Literal, TypedDict

from muniment.compilation import Compilation
from muniment.compile.anthropic import ToolResultPart
from muniment.compile.openai import OpenAIMessage
from muniment.compile.tools import called, offers
from muniment.errors import MOST_SHOWN, BlockError, FormatError, ToolRefused, shown
from muniment.text.strict_json import loads
from muniment.types import ToolCall

DISPATCHED: Final = "dispatched"
ALLOWED: Final = "allowed"
OTHERS: Final = "…"
"""Stands for all names beyond the first `MOST_NAMES` in the counts."""
MOST_NAMES: Final = 1_000
MOST_ATTEMPTS: Final = 1_000
_NAMED: Final = 20
_MOST_CALLS: Final = 2**62

Handlers = Mapping[str, Callable[..., object]]
"""What runs a tool, by the tool's own name; called with the arguments as keywords."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call a model asked for: the name as it wrote it (cut when long), and `allowed`, `dispatched` or a reason code."""

    name: str
    outcome: str


class FunctionMessage(TypedDict):
    """The answer to a `function_call`, the form OpenAI's calls had before they had ids."""

    role: Literal["function"]
    name: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """A reply's calls: those to run, under the tools' own names, and a ready answer for every other, in its call's format."""

    allowed: tuple[ToolCall, ...]
    refusals: tuple[OpenAIMessage | ToolResultPart | FunctionMessage, ...]


class Guard:
    """Refuses what a prompt did not offer. Made from a compilation, or from names alone, whose arguments are not checked.

    Tools answer to their own name and to the one chat APIs know them by. Several threads may share a guard. Raises
    `BlockError` for what is neither, and when two tools of the compilation have one name.
    """

    def __init__(self, offered: Compilation | Iterable[str]) -> None:
        if isinstance(offered, Compilation):
            self._schemas = {offer.name: offer.schema for offer in offers(offered.blocks)}
        else:
            self._schemas = {name: {} for name in _names(offered)}
        self._names = {spelled: name for name in self._schemas for spelled in (called(name), name)}
        self._log: deque[Attempt] = deque(maxlen=MOST_ATTEMPTS)
        self._attempted, self._dispatched = _Tally(self._schemas), _Tally(self._schemas)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The tools on offer, by their own names, in the order of the prompt."""
        return tuple(self._schemas)

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """The last attempts, at most `MOST_ATTEMPTS`, oldest first."""
        return tuple(self._log.copy())

    @property
    def attempted(self) -> Counter[str]:
        """How often each name was asked for, refused or not; names beyond the first thousand are counted together as `…`."""
        return self._attempted.counts()

    @property
    def dispatched(self) -> Counter[str]:
        """How often each tool was run by `dispatch`."""
        return self._dispatched.counts()

    def check(self, name: str) -> str:
        """The own name of the tool that a model calls `name`. Raises `ToolRefused` (unknown_tool) when none was offered.

        Counts as an attempt; for hosts that run their tools themselves.
        """
        tool = self._tool(name)
        self._note(tool, ALLOWED)
        return tool

    def dispatch(self, name: str, arguments: str | Mapping[str, object], handlers: Handlers) -> object:
        """Run the handler of the tool that a model calls `name`, and return what it returns (an awaitable for an async one).

        `arguments` is a JSON object, as text or read. They must have every key that the schema requires and none that it does
        not know; their values are the handler's to check. Raises `ToolRefused`: unknown_tool, bad_arguments or no_handler;
        `BlockError` (type) for handlers that are no mapping, which counts as no attempt.
        """
        _check_handlers(handlers)
        tool = self._tool(name)
        values = self._values(tool, arguments)
        handler = handlers.get(tool)
        if not callable(handler):
            raise self._refused(tool, "no_handler", "no handler for this tool was given.", f"Add one for {tool}.")
        self._note(tool, DISPATCHED)
        return handler(**values)

    def calls(self, reply: Mapping[str, object]) -> Calls:
        """The tool calls of a model's message, OpenAI's or Anthropic's, sorted into allowed ones and answers to refused ones.

        A message that has calls in several formats is asked for all of them. An old `function_call` has an empty id. Refused
        calls count as attempts here, allowed ones when they are dispatched. Raises `FormatError` for what is no message.
        """
        allowed: list[ToolCall] = []
        refusals: list[OpenAIMessage | ToolResultPart | FunctionMessage] = []
        for call, answer in _asked(reply):
            try:
                allowed.append(ToolCall(id=call.id, name=self._tool(call.name), arguments=call.arguments))
            except ToolRefused as refused:
                refusals.append(answer(call, f"{refused.message} {refused.hint}"))
        return Calls(allowed=tuple(allowed), refusals=tuple(refusals))

    def _tool(self, name: object) -> str:
        tool = self._names.get(name) if isinstance(name, str) and name else None
        if tool is None:
            names = [called(own) for own in self._schemas]
            listed = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
            hint = f"Call one of: {listed}." if names else "Answer without calling a tool."
            raise self._refused(name, "unknown_tool", "no tool of this name is offered here.", hint)
        return tool

    def _values(self, tool: str, arguments: object) -> dict[str, object]:
        try:
            read = loads(arguments or "{}") if isinstance(arguments, str) else arguments
        except FormatError as error:
            raise self._refused(tool, "bad_arguments", error.message, "Give the arguments as one JSON object.") from error
        if not isinstance(read, Mapping) or not all(isinstance(key, str) for key in read):
            raise self._refused(tool, "bad_arguments", "these are no JSON object.", "Give the arguments as one JSON object.")
        required, known = _keys(self._schemas[tool])
        if missing := [key for key in required if key not in read]:
            raise self._refused(tool, "bad_arguments", f"these lack {shown(missing[0])}.", "Give every required argument.")
        if known is not None and (strange := [key for key in read if key not in known]):
            hint = "Give only arguments that the schema names."
            raise self._refused(tool, "bad_arguments", f"{shown(strange[0])} is not an argument of this tool.", hint)
        return dict(read)

    def _refused(self, name: object, code: str, message: str, hint: str) -> ToolRefused:
        self._note(name if isinstance(name, str) else shown(name), code)
        return ToolRefused(message, place=shown(name), code=code, hint=hint)

    def _note(self, name: str, outcome: str) -> None:
        self._log.append(Attempt(name=name[:MOST_SHOWN], outcome=outcome))
        self._attempted.add(name[:MOST_SHOWN])
        if outcome == DISPATCHED:
            self._dispatched.add(name[:MOST_SHOWN])


class _Tally:
    """Counts by name that several threads may add to without a lock: each is an iterator, and to add is to take a step."""

    def __init__(self, known: Iterable[str]) -> None:
        self._steps: dict[str, Iterator[int]] = {name[:MOST_SHOWN]: iter(range(_MOST_CALLS)) for name in known}
        self._most = len(self._steps) + MOST_NAMES

    def add(self, name: str) -> None:
        """Count once more."""
        steps = self._steps.get(name)
        if steps is None:
            steps = self._steps.setdefault(name if len(self._steps) < self._most else OTHERS, iter(range(_MOST_CALLS)))
        next(steps)

    def counts(self) -> Counter[str]:
        """How often each name was counted."""
        counts = Counter({name: _MOST_CALLS - length_hint(steps) for name, steps in self._steps.copy().items()})
        return +counts


def _keys(schema: Mapping[str, object]) -> tuple[list[str], set[str] | None]:
    """The keys a schema requires, and those it knows; None when it leaves others open."""
    required, properties = schema.get("required"), schema.get("properties")
    needed = [key for key in required if isinstance(key, str)] if isinstance(required, list) else []
    is_open = schema.get("additionalProperties") or "patternProperties" in schema or not isinstance(properties, dict)
    return needed, None if is_open or not isinstance(properties, dict) else set(properties)


def _names(offered: object) -> list[str]:
    given: list[object] = list(offered) if isinstance(offered, Iterable) and not isinstance(offered, str | bytes) else [None]
    names = [name for name in given if isinstance(name, str) and name]
    if len(names) < len(given):
        raise BlockError(
            f"{shown(offered)} is neither a compilation nor names of tools.",
            place="offered",
            code="type",
            hint='Give what compile returned, or a list of names: Guard(["get_weather"]).',
        )
    return names


def _check_handlers(handlers: object) -> None:
    if not isinstance(handlers, Mapping):
        hint = "Give a mapping from a tool's name to the function that runs it."
        raise BlockError(f"{shown(handlers)} cannot be handlers.", place="handlers", code="type", hint=hint)


_Answer = Callable[[ToolCall, str], OpenAIMessage | ToolResultPart | FunctionMessage]


def _asked(reply: object) -> list[tuple[ToolCall, _Answer]]:
    """The calls of a message as they were written, each with what words an answer to it in its format."""
    if not isinstance(reply, Mapping) or not {"content", "tool_calls", "function_call"} & reply.keys():
        raise FormatError(
            "this is no message of a model.",
            code="reply_malformed",
            hint="Give the message as a mapping: reply['choices'][0]['message'] of OpenAI's chat API, the reply of Anthropic's.",
        )
    content, listed, old = (reply.get(key) for key in ("content", "tool_calls", "function_call"))
    if not isinstance(content, list | str | None) or not isinstance(listed, list | None):
        raise FormatError("the calls of this message are no list.", code="reply_malformed", hint="Pass it on as it came.")
    parts = [part for part in map(_mapping, content) if part.get("type") == "tool_use"] if isinstance(content, list) else []
    out: list[tuple[ToolCall, _Answer]] = [
        (_call(part.get("id"), part.get("name"), part.get("input")), _anthropic_answer) for part in parts
    ]
    for entry in map(_mapping, listed or ()):
        asked = _mapping(entry.get("function") or entry.get("custom"))
        out.append((_call(entry.get("id"), asked.get("name"), asked.get("arguments", asked.get("input"))), _openai_answer))
    if old is not None:
        asked = _mapping(old)
        out.append((_call("", asked.get("name"), asked.get("arguments")), _function_answer))
    return out


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _anthropic_answer(call: ToolCall, text: str) -> ToolResultPart:
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def _openai_answer(call: ToolCall, text: str) -> OpenAIMessage:
    return {"role": "tool", "content": text, "tool_call_id": call.id}


def _function_answer(call: ToolCall, text: str) -> FunctionMessage:
    return {"role": "function", "name": call.name, "content": text}


def _call(call_id: object, name: object, arguments: object) -> ToolCall:
    """A call whose name, when it is no text, is empty, which no tool answers to."""
    given = "" if arguments is None else json.dumps(arguments, ensure_ascii=False, default=str)
    return ToolCall(
        id=call_id if isinstance(call_id, str) else "",
        name=name if isinstance(name, str) else "",
        arguments=arguments if isinstance(arguments, str) else given,
    )
