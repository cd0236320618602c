"""Muniment's own file: JSON Lines, a header, one record per line, and a closing line, so that any size streams both ways.

Version 1. Fields that hold nothing are left out. The closing line counts the records, so that a file that was cut short is
noticed. Rule of this file: a line that was damaged or does not prove its own id is refused by its number; the others stand.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import BinaryIO, TypeVar

from muniment.errors import FormatError, InputError, shown
from muniment.ingest.formats.lines import Line, as_utf8, decode, lines, too_long
from muniment.ingest.formats.parsed import mapping
from muniment.ingest.rules import member, refusal, wrong_type
from muniment.ingest.times import read_time
from muniment.text.strict_json import first_fault, loads_marked
from muniment.types import RUNGS, ItemReceipt, Kind, Record, RecordId, Role, Scope, ToolCall, Trust

VERSION = 1
EXPORT_VERSION = "export_version"
_TEXT_FIELDS = ("conversation", "ref", "tool_call_id")
_HINT = "Export it again from the store it came from."

T = TypeVar("T")
Member = TypeVar("Member", bound=StrEnum)


async def export_lines(records: AsyncIterable[Record]) -> AsyncIterator[bytes]:
    """The lines of an export, each with its line feed: write them one by one; no more than one record is held."""
    yield _line({"muniment": "export", "version": VERSION})
    count = 0
    async for record in records:
        yield _line(_fields(record))
        count += 1
    yield _line({"end": True, "records": count})


def read_export(stream: BinaryIO, *, name: str) -> Iterator[Record | ItemReceipt]:
    """The records of an export in order, and a refusal naming `name:line` for each line that is none.

    Holds one line at a time. The last item is a refusal when the file was cut short. Raises FormatError when the stream is no
    export, or one of a newer version.
    """
    numbered = lines(stream)
    first = next(numbered, None)
    header = _header(first.data if first else None)
    if header is None:
        raise FormatError(
            "this is no Muniment export: its first line is not a header.",
            place=name,
            hint="Use a file that `muniment export` wrote; other files are read by ingest.",
        )
    check_header(header, name)
    body = Body(last=1)
    for line in numbered:
        try:
            record = body.read(line)
        except InputError as error:
            yield refusal(f"{name}:{line.number}", error)
        else:
            if record:
                yield record
    if cut := body.cut_short():
        yield refusal(f"{name}:{body.last + 1}", cut)


@dataclass(slots=True)
class Body:
    """What follows the header: `lines` of records so far, and whether their closing line was there. `last` is the last line."""

    last: int
    lines: int = 0
    closed: bool = False

    def read(self, line: Line) -> Record | None:
        """The record a line spells, None for the closing line. Raises InputError for a line that is neither."""
        self.last = line.number
        if self.closed:
            raise FormatError("this stands behind the closing line.", code="after_end", hint=_HINT)
        self.lines += 1
        if line.data is None:
            raise too_long()
        value = mapping(loads_marked(decode(line.data, "", line=line.number)))
        if value.get("end") is not True:
            return record_from(value)
        self.closed = True
        self.lines -= 1
        if value.get("records") != self.lines:
            told = f"it closes with {shown(value.get('records'))} records, and {self.lines} lines stand before that"
            raise FormatError(f"this export is not whole: {told}.", code="count_mismatch", hint=_HINT)
        return None

    def cut_short(self) -> FormatError | None:
        """The error for a file that ends without its closing line."""
        if self.closed:
            return None
        return FormatError("this export is cut short: its closing line is missing.", code="cut_short", hint=_HINT)


def is_header(value: Mapping[str, object]) -> bool:
    """True for the first line of an export, of any version."""
    return value.get("muniment") == "export"


def check_header(value: Mapping[str, object], name: str) -> None:
    """Raise FormatError unless this is a version that can be read."""
    version = value.get("version")
    if version != VERSION or isinstance(version, bool):
        raise FormatError(
            f"this export is of version {shown(version)}; version {VERSION} is read.",
            place=name,
            code=EXPORT_VERSION,
            hint="Update Muniment, or export it again with this version.",
        )


def record_from(value: Mapping[str, object]) -> Record:
    """The record one line spells. Raises InputError naming the field that is missing or of the wrong type."""
    if found := first_fault(value):
        raise FormatError(found[1].message, place=found[0], code=found[1].code, hint=_HINT)
    rungs = _typed(value, "scope", dict)
    wrong = [rung for rung in rungs if rung not in RUNGS]
    if wrong:
        raise FormatError(f"{shown(wrong[0])} is no rung of a scope.", place="scope", code="scope_invalid", hint=_HINT)
    calls = _typed(value, "tool_calls", list, [])
    metadata = _typed(value, "metadata", dict, {})
    for key, item in metadata.items():
        if not isinstance(item, str):
            raise wrong_type(f"metadata.{key[:40]}", item)
    return Record(
        id=RecordId(_typed(value, "id", str)),
        scope=Scope(**rungs),
        text=_typed(value, "text", str, ""),
        role=_member(Role, value, "role"),
        kind=_member(Kind, value, "kind"),
        trust=_member(Trust, value, "trust"),
        speaker=_typed(value, "speaker", str),
        agent=_typed(value, "agent", str),
        recorded_at=_time(value, "recorded_at"),
        said_at=_time(value, "said_at") if value.get("said_at") is not None else None,
        conversation=_optional(value, "conversation"),
        ref=_optional(value, "ref"),
        origin=_typed(value, "origin", str, ""),
        tool_calls=tuple(_call(call, f"tool_calls[{i}]") for i, call in enumerate(calls)),
        tool_call_id=_optional(value, "tool_call_id"),
        metadata=metadata,
        occurrences=_count(value),
    )


def _fields(record: Record) -> dict[str, object]:
    """A record as JSON names it; `seq` is left to the store that takes it in, which sees the same order."""
    fields: dict[str, object | None] = {
        "id": record.id,
        "scope": dict(record.scope.rungs),
        "text": record.text,
        "role": record.role.value,
        "kind": record.kind.value,
        "trust": record.trust.value,
        "speaker": record.speaker,
        "agent": record.agent,
        "recorded_at": record.recorded_at.isoformat(),
        "said_at": record.said_at.isoformat() if record.said_at else None,
        **{field: getattr(record, field) for field in _TEXT_FIELDS},
        "origin": record.origin or None,
        "tool_calls": [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in record.tool_calls] or None,
        "metadata": dict(record.metadata) or None,
        "occurrences": record.occurrences if record.occurrences != 1 else None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _header(data: bytes | None) -> Mapping[str, object] | None:
    try:
        value = loads_marked(decode(as_utf8(data or b"", ""), "", line=1))
    except FormatError:
        return None
    return value if isinstance(value, Mapping) and is_header(value) else None


def _typed(value: Mapping[str, object], key: str, kind: type[T], default: T | None = None) -> T:
    found = value.get(key, default)
    if found is None:
        raise FormatError(f"the field {key!r} is missing.", place=key, code="field_missing", hint=_HINT)
    if not isinstance(found, kind) or isinstance(found, bool):
        raise wrong_type(key, found)
    return found


def _optional(value: Mapping[str, object], key: str) -> str | None:
    return None if value.get(key) is None else _typed(value, key, str)


def _member(kind: type[Member], value: Mapping[str, object], key: str) -> Member:
    return member(kind, _typed(value, key, str), key)


def _time(value: Mapping[str, object], key: str) -> datetime:
    return read_time(_typed(value, key, str))


def _count(value: Mapping[str, object]) -> int:
    return _typed(value, "occurrences", int, 1)


def _call(value: object, place: str) -> ToolCall:
    call = mapping(value)
    for key in ("id", "name", "arguments"):
        if not isinstance(call.get(key), str):
            raise wrong_type(f"{place}.{key}", call.get(key))
    return ToolCall(id=str(call["id"]), name=str(call["name"]), arguments=str(call["arguments"]))
