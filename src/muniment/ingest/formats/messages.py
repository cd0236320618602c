"""One chat message as turns: the shapes of OpenAI's API (also its older function calls) and tool parts as Anthropic writes them.

Read from a message: role; content (or text) as a string or a list of parts; name or speaker; tool_calls, function_call,
tool_call_id; said_at, created_at, timestamp or created; id or ref; conversation, conversation_id, session_id or thread_id;
key; origin; metadata. Rule of this file: pure, and no silent casts. A part that is not text leaves a mark such as `[image]`,
an unknown one is refused.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from itertools import chain

from muniment.errors import MOST_SHOWN, FormatError, InputError, shown
from muniment.ingest.rules import is_blank, wrong_type
from muniment.ingest.times import read_said_at
from muniment.text.strict_json import loads
from muniment.types import Kind, Role, ToolCall, Turn

ROLES = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "document": Role.DOCUMENT,
}
_CONTENT = ("content", "text")
_SPEAKER = ("name", "speaker")
_TIME = ("said_at", "created_at", "timestamp", "created")
_REF = ("ref", "id")
CONVERSATION = ("conversation", "conversation_id", "session_id", "thread_id")
_KEY = ("key", "idempotency_key")
_CALLS = ("tool_calls", "function_call", "tool_call_id")
KNOWN_KEYS = frozenset(
    chain(_CONTENT, _SPEAKER, _TIME, _REF, CONVERSATION, _KEY, _CALLS, ("role", "refusal", "origin", "metadata"))
)

_NAMED = 20

_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_IMAGE_PARTS = frozenset({"image_url", "input_image", "image", "image_file"})
_OTHER_PARTS = {"input_audio": "audio", "audio": "audio", "file": "file", "input_file": "file", "video": "video"}
_KINDS = {Role.TOOL: Kind.TOOL_RESULT, Role.DOCUMENT: Kind.PASSAGE}


@dataclass(slots=True)
class _Content:
    """What the parts of one message's content hold."""

    words: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[tuple[str, str]] = field(default_factory=list)


def is_message(value: Mapping[str, object]) -> bool:
    """True for an object that is meant as one message, whether or not it can be used."""
    return "role" in value or "content" in value


def read_message(value: object, *, zone: tzinfo | None = None) -> tuple[Turn, ...]:
    """The turns of one message: usually one, and one more per tool result among its parts. Raises InputError naming the field.

    A time without an offset is taken in `zone`, and refused without one.
    """
    if not isinstance(value, Mapping):
        raise wrong_type("", value)
    role = _role(value)
    content = _content(value)
    content.calls += _calls(value)
    tool = value.get("tool_call_id")
    if tool is None and value.get("role") == "function":
        tool = _legacy_id(value.get("name"))
    shared = Turn(
        text="",
        said_at=_time(value, zone),
        conversation=optional_id(value, CONVERSATION),
        ref=optional_id(value, _REF),
        key=_optional_text(value, _KEY),
        origin=_optional_text(value, ("origin",)) or "",
        metadata=_metadata(value.get("metadata")),
    )
    turns = [
        replace(shared, text=words, role=Role.TOOL, kind=Kind.TOOL_RESULT, tool_call_id=call) for call, words in content.results
    ]
    text = "\n".join(content.words)
    if turns and is_blank(text) and not content.calls:
        return tuple(turns)
    said = replace(
        shared,
        text=text,
        role=role,
        kind=Kind.TOOL_CALL if content.calls and is_blank(text) else _KINDS.get(role, Kind.TURN),
        speaker=_optional_text(value, _SPEAKER),
        tool_calls=tuple(content.calls),
        tool_call_id=None if tool is None else _text(tool, "tool_call_id"),
    )
    return (*turns, said)


def unkept(names: Collection[object]) -> str:
    """The sentence that names keys which are not kept, or nothing when there are none."""
    shown_names = sorted(str(name)[:MOST_SHOWN] for name in names)[:_NAMED]
    more = ", …" if len(names) > _NAMED else ""
    return f"Keys that are not kept: {', '.join(shown_names)}{more}." if names else ""


def optional_id(value: Mapping[str, object], keys: Sequence[str]) -> str | None:
    """The first of `keys` that is given, as text; a whole number stands for its digits."""
    key = _first(value, keys)
    if key is None:
        return None
    found = value[key]
    return str(found) if isinstance(found, int) and not isinstance(found, bool) else _text(found, key)


def _first(value: Mapping[str, object], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if value.get(key) is not None), None)


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise wrong_type(place, value)
    return value


def _optional_text(value: Mapping[str, object], keys: Sequence[str]) -> str | None:
    key = _first(value, keys)
    return None if key is None else _text(value[key], key)


def _role(value: Mapping[str, object]) -> Role:
    role = value.get("role")
    if role is None:
        raise FormatError("this message has no role.", place="role", code="role_missing", hint=f"Use one of {', '.join(ROLES)}.")
    if _text(role, "role") not in ROLES:
        raise FormatError(
            f"the role {shown(role)} is not known.", place="role", code="role_unknown", hint=f"Use one of {', '.join(ROLES)}."
        )
    return ROLES[str(role)]


def _time(value: Mapping[str, object], zone: tzinfo | None) -> datetime | None:
    key = _first(value, _TIME)
    return None if key is None else read_said_at(value[key], key, zone=zone)


def _content(value: Mapping[str, object]) -> _Content:
    content = _Content()
    key = _first(value, _CONTENT)
    if key is None:
        refusal = _optional_text(value, ("refusal",))
        if refusal is None and _first(value, ("tool_calls", "function_call")) is None:
            raise FormatError(
                "this message has no content.", place="content", code="content_missing", hint="Leave it out, or fill it."
            )
        content.words += [refusal] if refusal else []
        return content
    found = value[key]
    for i, part in enumerate(found if isinstance(found, list | tuple) else ()):
        if not _read_tool_part(part, content, f"{key}[{i}]"):
            content.words.append(_words(part, f"{key}[{i}]"))
    if not isinstance(found, list | tuple):
        content.words.append(_text(found, key))
    return content


def _read_tool_part(part: object, content: _Content, place: str) -> bool:
    """Take in a part that calls a tool or answers a call; False for any other part."""
    kind = part.get("type") if isinstance(part, Mapping) else None
    if not isinstance(part, Mapping) or kind not in {"tool_use", "tool_result"}:
        return False
    if kind == "tool_use":
        call_id, name = _text(part.get("id"), f"{place}.id"), _text(part.get("name"), f"{place}.name")
        content.calls.append(ToolCall(id=call_id, name=name, arguments=_json_text(part.get("input"), f"{place}.input")))
        return True
    found = part.get("content") or ""
    parts = found if isinstance(found, list | tuple) else (found,)
    words = "\n".join(_words(inner, f"{place}.content[{i}]") for i, inner in enumerate(parts))
    content.results.append((_text(part.get("tool_use_id"), f"{place}.tool_use_id"), words))
    return True


def _words(part: object, place: str) -> str:
    """The words of one part, or the mark it leaves."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        raise wrong_type(place, part)
    kind = part.get("type")
    if kind in _TEXT_PARTS:
        inner = part.get("text")
        return _text(inner.get("value") if isinstance(inner, Mapping) else inner, f"{place}.text")
    if kind == "refusal":
        return _text(part.get("refusal"), f"{place}.refusal")
    if kind in _IMAGE_PARTS:
        return _image_mark(part)
    if kind in _OTHER_PARTS:
        return f"[{_OTHER_PARTS[str(kind)]}]"
    raise FormatError(
        f"a part of the kind {shown(kind)} is not known.", place=place, code="part_unknown", hint="Give its words as text."
    )


def _image_mark(part: Mapping[str, object]) -> str:
    source = part.get("image_url")
    address = source.get("url") if isinstance(source, Mapping) else source
    shown = isinstance(address, str) and address.startswith(("https://", "http://"))
    return f"[image: {address}]" if shown else "[image]"


def _calls(value: Mapping[str, object]) -> list[ToolCall]:
    found = value.get("tool_calls") or []
    if not isinstance(found, list | tuple):
        raise wrong_type("tool_calls", found)
    calls = [_call(call, f"tool_calls[{i}]") for i, call in enumerate(found)]
    legacy = value.get("function_call")
    return calls if legacy is None else [*calls, _function(legacy, None, "function_call")]


def _call(call: object, place: str) -> ToolCall:
    if isinstance(call, ToolCall):
        return call
    if not isinstance(call, Mapping):
        raise wrong_type(place, call)
    inner = call.get("function", call.get("custom", call))
    return _function(inner, _text(call.get("id"), f"{place}.id"), place)


def _function(function: object, call_id: str | None, place: str) -> ToolCall:
    if not isinstance(function, Mapping):
        raise wrong_type(place, function)
    name = _text(function.get("name"), f"{place}.name")
    given = function.get("arguments", function.get("input", ""))
    arguments = given if isinstance(given, str) else _json_text(given, f"{place}.arguments")
    return ToolCall(id=_legacy_id(name) if call_id is None else call_id, name=name, arguments=arguments)


def _legacy_id(name: object) -> str:
    """Older function calls have no id; the function's name pairs a call with its result."""
    return f"function:{_text(name, 'name')}"


def _metadata(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong_type("metadata", value)
    return {
        _text(key, "metadata"): item if isinstance(item, str) else _json_text(item, f"metadata.{str(key)[:40]}")
        for key, item in value.items()
    }


def _json_text(value: object, place: str) -> str:
    """A value that is not text, as the JSON that spells it, under the same rules as JSON that is read."""
    try:
        spelled = json.dumps(value, ensure_ascii=False)
    except TypeError as error:
        raise wrong_type(place, value) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            "this value has no spelling in JSON.", place=place, code="malformed", hint="Use finite numbers and plain lists."
        ) from error
    loads(spelled, place=place)
    return spelled
