"""Clean a whole turn: its text, the arguments of its tool calls, which stay JSON, its metadata and where it came from.

Rule of this file: pure. The speaker and the ids stay as they are: without them nothing can be found, counted or forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from muniment.ingest.pii.rules_clean import clean
from muniment.ingest.pii.rules_secrets import is_secret_value
from muniment.ingest.pii.rules_values import Cleaned, CleanedTurn, Found, Token
from muniment.knowledge.architecture import Keep
from muniment.knowledge.values import Sealed
from muniment.types import ToolCall, Turn

_MOST_QUOTED = 512
"""Characters of a value after a name like "password" that are taken for one secret, blanks included."""


def clean_turn(turn: Turn, *, policy: Mapping[str, Keep], token: Token) -> CleanedTurn:
    """`turn` with every part cleaned as `clean` does. Raises InputError for a token that cannot stand for a value."""
    desk = _Desk(policy=policy, token=token)
    text = desk.text("text", turn.text)
    calls = tuple(desk.call(f"tool_calls[{i}].arguments", call) for i, call in enumerate(turn.tool_calls))
    metadata = {desk.text("metadata", key): desk.named(f"metadata.{key}", key, value) for key, value in turn.metadata.items()}
    origin = desk.text("origin", turn.origin)
    found, sealed = tuple(desk.found), tuple({s.token: s for s in desk.sealed}.values())
    if desk.refused:
        said_nothing = replace(turn, text="", tool_calls=(), metadata={}, origin="")
        return CleanedTurn(turn=said_nothing, found=found, refused=desk.refused)
    if (text, calls, metadata, origin) == (turn.text, turn.tool_calls, turn.metadata, turn.origin):
        return CleanedTurn(turn=turn, found=found)
    return CleanedTurn(
        turn=replace(turn, text=text, tool_calls=calls, metadata=metadata, origin=origin), found=found, sealed=sealed
    )


def clean_content(content: str, *, policy: Mapping[str, Keep], token: Token) -> Cleaned:
    """A tool's result or another payload cleaned: JSON stays JSON and is read with its keys, other text is cleaned as text.

    In JSON the spans of what was found count from the start of the value they stand in.
    """
    desk = _Desk(policy=policy, token=token)
    text = desk.json("content", content)
    found = tuple(find for _, find in desk.found)
    if desk.refused:
        return Cleaned(text="", found=found, refused=desk.refused)
    return Cleaned(text=text, found=found, sealed=tuple({s.token: s for s in desk.sealed}.values()))


class _Number(str):
    """A number of a JSON text, spelled as it was."""

    __slots__ = ()


class _Pairs(list[tuple[str, object]]):
    """An object of a JSON text with its keys in order, those given twice included."""


@dataclass(slots=True, kw_only=True)
class _Desk:
    """Cleans the parts of one turn and gathers what was found in them."""

    policy: Mapping[str, Keep]
    token: Token
    found: list[tuple[str, Found]] = field(default_factory=list)
    sealed: list[Sealed] = field(default_factory=list)
    refused: str = ""

    def text(self, place: str, text: str) -> str:
        """`text` cleaned."""
        return self._keep(place, clean(text, policy=self.policy, token=self.token), 0)

    def named(self, place: str, name: str, value: str) -> str:
        """`value` cleaned, read together with the name that says what it is."""
        lead = f"{name}: "
        quoted = '"' if _is_one_line(value) and _speaks_of_secret(name, value) else ""
        cleaned = clean(f"{lead}{quoted}{value}{quoted}", policy=self.policy, token=self.token)
        if cleaned.refused or cleaned.text.startswith(lead + quoted):
            text = self._keep(place, cleaned, len(lead + quoted))
            return text[len(lead + quoted) : len(text) - len(quoted)]
        return self.text(place, value)

    def call(self, place: str, call: ToolCall) -> ToolCall:
        """The call with its arguments cleaned."""
        arguments = self.json(place, call.arguments)
        return call if arguments == call.arguments else replace(call, arguments=arguments)

    def json(self, place: str, text: str) -> str:
        """JSON cleaned: the same characters when nothing is taken out, else JSON again. What is no JSON is cleaned as text."""
        try:
            value = json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=_Number, object_pairs_hook=_Pairs)
            fresh = self._value(place, "", value)
            return text if fresh == value else _spelled(fresh)
        except (ValueError, RecursionError):
            return self.text(place, text)

    def _value(self, place: str, name: str, value: object) -> object:
        if isinstance(value, _Pairs):
            return _Pairs((self.text(place, key), self._value(place, key, item)) for key, item in value)
        if isinstance(value, list):
            return [self._value(place, name, item) for item in value]
        if isinstance(value, str):
            fresh = self.named(place, name, value) if name else self.text(place, value)
            return value if fresh == value else fresh
        return value

    def _keep(self, place: str, cleaned: Cleaned, lead: int) -> str:
        self.found += [(place, replace(f, start=f.start - lead, end=f.end - lead)) for f in cleaned.found]
        self.sealed += cleaned.sealed
        self.refused = self.refused or cleaned.refused
        return cleaned.text


def _is_one_line(value: str) -> bool:
    return '"' not in value and "\n" not in value


def _speaks_of_secret(name: str, value: str) -> bool:
    strong = any(word in name.lower() for word in ("pass", "pwd", "secret"))
    return strong and len(value) <= _MOST_QUOTED and is_secret_value(value, strong=True, quoted=True)


def _spelled(value: object) -> str:
    if isinstance(value, _Pairs):
        return "{" + ", ".join(f"{_quoted(key)}: {_spelled(item)}" for key, item in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_spelled, value)) + "]"
    if isinstance(value, _Number):
        return str(value)
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
