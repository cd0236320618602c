"""What may become a record, and which id it gets.

Rule of this file: pure. One turn is accepted or refused by itself, and every refusal is an InputError with a stable reason code;
what is accepted keeps its words byte for byte, apart from our own recalled text, which is taken out and said so.
"""

from __future__ import annotations

import unicodedata
from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import TypeVar

from muniment.errors import InputError, shown
from muniment.ingest.times import read_said_at, to_utc
from muniment.text.fence import strip_fenced
from muniment.types import ItemReceipt, Kind, Outcome, Record, RecordId, Role, Scope, ToolCall, Trust, Turn, check_id

E = TypeVar("E", bound=StrEnum)

MAX_TEXT = 1 << 20
"""Bytes of UTF-8 in the text of one turn, and in the arguments of its tool calls together."""
MAX_METADATA = 64 << 10
"""Bytes of UTF-8 in all keys and values of one turn's metadata."""
MAX_METADATA_KEYS = 1000
MAX_NAME = 255
"""Bytes in a speaker, key, ref, tool name or tool call id; characters in a key of metadata."""
MAX_ORIGIN = 4096
MAX_TOOL_CALLS = 1000
MAX_COPIES = 1000
"""Identical turns of one batch that get ids of their own; the ones after count as repeats of the last."""

MAX_FENCES = 8
"""Frames of recalled text hidden inside each other before a turn is refused."""

FUTURE_SLACK = timedelta(minutes=5)
_UNTRUSTED_ROLES = frozenset({Role.TOOL, Role.DOCUMENT})
_UNTRUSTED_KINDS = frozenset({Kind.PASSAGE, Kind.TOOL_RESULT})
_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
# Letters and marks that show nothing by themselves: fillers, the joiner, the blank braille cell, variation selectors.
_BLANKS = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0") | {chr(c) for c in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}
_ID_BYTES = 10
_DIGEST_BYTES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A turn that may be written; `note` is what its receipt must say about it, or empty."""

    turn: Turn
    note: str = ""


def accept(turn: Turn, *, now: datetime, conversation: str | None = None, most: int = MAX_TEXT) -> Accepted:
    """The turn as it will be kept: time in UTC, its conversation or else `conversation`, recalled text taken out.

    `most` is how many bytes its text may have. Raises InputError, with a reason code and the field as place, when it cannot be
    kept.
    """
    _check_types(turn)
    role, kind = member(Role, turn.role, "role"), member(Kind, turn.kind, "kind")
    _check_words(turn.text, "text", most)
    text, stripped = _without_recalled(turn.text)
    calls = _checked_calls(turn.tool_calls)
    if is_blank(text) and not calls:
        raise _empty(stripped=stripped)
    belongs = turn.conversation if turn.conversation is not None else conversation
    said_at = None if turn.said_at is None else read_said_at(turn.said_at, "said_at")
    if turn.speaker is not None:
        _check_name(turn.speaker, "speaker")
    for value, place in ((turn.key, "key"), (turn.ref, "ref"), (turn.tool_call_id, "tool_call_id")):
        if value is not None:
            _check_name(value, place)
    _check_words(turn.origin, "origin", MAX_ORIGIN)
    kept = replace(
        turn,
        text=text,
        role=role,
        kind=kind,
        said_at=said_at,
        conversation=None if belongs is None else check_id(belongs, "conversation"),
        tool_calls=calls,
        metadata=_checked_metadata(turn.metadata),
    )
    return Accepted(turn=kept, note=_note(stripped=stripped, future=said_at is not None and said_at > now + FUTURE_SLACK))


def _without_recalled(text: str) -> tuple[str, bool]:
    """`text` without our own fenced text. What is left may join to a fence anew, so it is taken out until none is found."""
    stripped = False
    for _ in range(MAX_FENCES):
        text, found = strip_fenced(text)
        if not found:
            return text, stripped
        stripped = True
    raise _only_recalled()


def refusal(place: str, error: InputError) -> ItemReceipt:
    """The receipt of an item that cannot be used, from the error that says why."""
    field = f"{error.place}: " if error.place and error.place != place else ""
    return ItemReceipt(
        place=place, outcome=Outcome.REFUSED, reason=error.reason, message=f"{field}{error.message} {error.hint}".strip()
    )


def trust_of(role: Role, kind: Kind) -> Trust:
    """Tools and documents are untrusted, whoever hands them in; what people, assistants and operators say is trusted."""
    return Trust.UNTRUSTED if role in _UNTRUSTED_ROLES or kind in _UNTRUSTED_KINDS else Trust.TRUSTED


def speaker_of(turn: Turn) -> str:
    """The display name kept with a record: the one given, else the word for the role."""
    return turn.speaker if turn.speaker is not None else turn.role.value


def is_blank(text: str) -> bool:
    """True when a reader would see nothing: no characters, or only spaces, invisible characters and fillers."""
    return all(unicodedata.category(c) in _UNSEEN or c in _BLANKS for c in text.strip())


def content_digest(turn: Turn, scope: Scope) -> bytes:
    """What makes two turns the same evidence: scope, conversation, role, speaker (in NFC), time, ref, tool fields and text."""
    said_at = None if turn.said_at is None else turn.said_at.isoformat(timespec="microseconds")
    fields: list[str | None] = [f"{rung}={value}" for rung, value in scope.rungs]
    speaker = unicodedata.normalize("NFC", speaker_of(turn))
    fields += [turn.conversation, turn.role.value, speaker, said_at, turn.ref, turn.tool_call_id]
    for call in turn.tool_calls:
        fields += [call.id, call.name, call.arguments]
    return _digest([*fields, turn.text], _DIGEST_BYTES)


def record_id(digest: bytes, nth: int = 0) -> RecordId:
    """The id, 16 characters, of the `nth` turn (from 0) with this content digest in its batch. The same in every store."""
    return RecordId(
        b32encode(blake2b(digest + nth.to_bytes(4, "big"), digest_size=_ID_BYTES, person=b"muniment.id").digest())
        .decode()
        .lower()
    )


def find_nth(record: Record) -> int | None:
    """Which copy of its content a record is, from 0; None when its id does not follow from its content."""
    digest = content_digest(turn_of(record), record.scope)
    return next((nth for nth in range(MAX_COPIES) if record_id(digest, nth) == record.id), None)


def turn_of(record: Record) -> Turn:
    """The turn a record was made from, as far as the record keeps it."""
    return Turn(
        text=record.text,
        role=record.role,
        speaker=record.speaker,
        said_at=record.said_at,
        conversation=record.conversation,
        kind=record.kind,
        ref=record.ref,
        origin=record.origin,
        tool_calls=record.tool_calls,
        tool_call_id=record.tool_call_id,
        metadata=record.metadata,
    )


def record_of(turn: Turn, *, scope: Scope, agent: str, now: datetime, digest: bytes, nth: int) -> Record:
    """The record of an accepted turn; the store gives it its `seq`."""
    return Record(
        id=record_id(digest, nth),
        scope=scope,
        text=turn.text,
        role=turn.role,
        kind=turn.kind,
        speaker=speaker_of(turn),
        agent=agent,
        recorded_at=now,
        said_at=turn.said_at,
        conversation=turn.conversation,
        ref=turn.ref,
        origin=turn.origin,
        trust=trust_of(turn.role, turn.kind),
        tool_calls=turn.tool_calls,
        tool_call_id=turn.tool_call_id,
        metadata=turn.metadata,
    )


def check_record(record: Record) -> None:
    """Raise InputError unless `record` could have been written here: every rule for turns holds, and its fields agree."""
    recorded_at = to_utc(record.recorded_at)
    kept = accept(turn_of(record), now=recorded_at).turn
    if kept.text != record.text:
        raise InputError("this holds recalled text, which is never kept.", place="text", code="recalled_text", hint=_EXPORT_AGAIN)
    if find_nth(record) is None:
        raise InputError(
            "the id of this record does not follow from its content.", place="id", code="id_mismatch", hint=_EXPORT_AGAIN
        )
    check_id(record.agent, "agent")
    if trust_of(record.role, record.kind) is Trust.UNTRUSTED and record.trust is not Trust.UNTRUSTED:
        raise InputError("a tool result or document is never trusted.", place="trust", code="trust_raised", hint=_EXPORT_AGAIN)
    if record.occurrences < 1:
        raise InputError("a record occurs at least once.", place="occurrences", code="type", hint=_EXPORT_AGAIN)


_EXPORT_AGAIN = "Export it again from the store it came from."


def _digest(fields: Iterable[str | None], size: int) -> bytes:
    """Hash of fields, each with its length before it, so that no two lists of fields run together alike."""
    state = blake2b(digest_size=size, person=b"muniment.record")
    for field in fields:
        data = b"" if field is None else field.encode()
        state.update(b"-" if field is None else str(len(data)).encode() + b":")
        state.update(data)
    return state.digest()


def _check_types(turn: Turn) -> None:
    wanted: tuple[tuple[str, object, type | tuple[type, ...]], ...] = (
        ("text", turn.text, str),
        ("speaker", turn.speaker, (str, type(None))),
        ("conversation", turn.conversation, (str, type(None))),
        ("ref", turn.ref, (str, type(None))),
        ("key", turn.key, (str, type(None))),
        ("origin", turn.origin, str),
        ("tool_calls", turn.tool_calls, (tuple, list)),
        ("tool_call_id", turn.tool_call_id, (str, type(None))),
        ("metadata", turn.metadata, Mapping),
    )
    for place, value, kinds in wanted:
        if not isinstance(value, kinds):
            raise wrong_type(place, value)


def wrong_type(place: str, value: object) -> InputError:
    """The error for a value of the wrong type: nothing is cast silently."""
    return InputError(
        f"this is {_TYPE_NAMES.get(type(value), type(value).__name__)}, which cannot stand here.",
        place=place,
        code="type",
        hint="Give the type the documentation names; nothing is converted silently.",
    )


_TYPE_NAMES = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    tuple: "a list",
    dict: "an object",
}


def member(kind: type[E], value: object, place: str) -> E:
    """The member of `kind` that `value` names. Raises InputError naming `place` when it is none."""
    try:
        return kind(str(value))
    except ValueError as error:
        names = ", ".join(member.value for member in kind)
        raise InputError(
            f"{shown(value)} is none of the known ones.", place=place, code="type", hint=f"Use one of {names}."
        ) from error


def _check_words(text: str, place: str, most: int) -> None:
    """The rules of all kept text: no NUL, no lone surrogates, at most `most` bytes."""
    if len(text) > most or (not text.isascii() and _size(text, place) > most):
        raise InputError(f"this is longer than {most} bytes.", place=place, code="too_large", hint="Split it into several parts.")
    if "\0" in text:
        raise InputError(
            f"there is a NUL character at position {text.index(chr(0))}.",
            place=place,
            code="nul_not_allowed",
            hint="Take it out.",
        )


def _size(text: str, place: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise InputError(
            f"there is half of a character pair (a lone surrogate) at position {error.start}.",
            place=place,
            code="invalid_unicode",
            hint="Repair the text where it was cut, or take that character out.",
        ) from error


def _check_name(value: object, place: str) -> None:
    """The rules of short display text: something to see, at most 255 bytes, no control characters."""
    if not isinstance(value, str):
        raise wrong_type(place, value)
    _check_words(value, place, MAX_NAME)
    if is_blank(value):
        raise InputError("this is empty.", place=place, code="empty_content", hint="Leave it out when there is none.")
    if any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in value):
        raise InputError("this holds a control character.", place=place, code="control_character", hint="Use visible text.")


def _checked_calls(calls: Iterable[object]) -> tuple[ToolCall, ...]:
    kept = tuple(calls)
    if len(kept) > MAX_TOOL_CALLS:
        raise InputError(
            f"one turn has more than {MAX_TOOL_CALLS} tool calls.", place="tool_calls", code="too_large", hint="Split it."
        )
    size = 0
    checked = []
    for i, call in enumerate(kept):
        place = f"tool_calls[{i}]"
        if not isinstance(call, ToolCall):
            raise wrong_type(place, call)
        _check_name(call.id, f"{place}.id")
        _check_name(call.name, f"{place}.name")
        if not isinstance(call.arguments, str):
            raise wrong_type(f"{place}.arguments", call.arguments)
        _check_words(call.arguments, f"{place}.arguments", MAX_TEXT - size)
        size += len(call.arguments.encode())
        checked.append(call)
    return tuple(checked)


def _checked_metadata(metadata: Mapping[str, str]) -> dict[str, str]:
    if len(metadata) > MAX_METADATA_KEYS:
        raise InputError(
            f"there are more than {MAX_METADATA_KEYS} keys.",
            place="metadata",
            code="too_many_keys",
            hint="Keep what you filter by.",
        )
    size = 0
    for key, value in metadata.items():
        if len(str(key)) > MAX_NAME:
            raise InputError(
                f"a key is longer than {MAX_NAME} characters.", place="metadata", code="key_too_long", hint="Shorten it."
            )
        for part, place in ((key, "metadata"), (value, f"metadata.{str(key)[:40]}")):
            if not isinstance(part, str):
                raise wrong_type(place, part)
            _check_words(part, place, MAX_METADATA)
            size += len(part.encode())
    if size > MAX_METADATA:
        raise InputError(
            f"this is more than {MAX_METADATA} bytes.", place="metadata", code="too_large", hint="Keep it in the text."
        )
    return dict(metadata)


def _empty(*, stripped: bool) -> InputError:
    if stripped:
        return _only_recalled()
    return InputError("there is nothing to see in this text.", place="text", code="empty_content", hint="Leave the item out.")


def _only_recalled() -> InputError:
    return InputError(
        "this turn holds nothing but text that was recalled from memory.",
        place="text",
        code="recalled_text",
        hint="Nothing to do: recalled text is never stored again.",
    )


def _note(*, stripped: bool, future: bool) -> str:
    notes = ["Text recalled from memory was left out."] if stripped else []
    return " ".join([*notes, "It is dated in the future."] if future else notes)
