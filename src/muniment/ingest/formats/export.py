"""Muniment's own file: JSON Lines, a header, one value per line, and a closing line, so that any size streams both ways.

Version 2; version 1, of records alone, is read. A line is a record, with `work` when its reading need not be done again, or one
of architecture, sharing, memory, entity and merge under its name. Fields that hold nothing are left out. The closing line counts
each, so that a file that was cut short is noticed. Rule of this file: a damaged line is refused by its number; the others stand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import BinaryIO, TypeVar

from muniment.errors import FormatError, InputError, shown
from muniment.ingest.formats.lines import Line, as_utf8, decode, lines, too_long
from muniment.ingest.formats.parsed import mapping
from muniment.ingest.formats.spelled import HINT, scope_of, spelled, value_of
from muniment.ingest.rules import member, refusal, wrong_type
from muniment.ingest.times import read_time
from muniment.knowledge.values import (
    AppliedArchitecture,
    Blob,
    Entity,
    Feedback,
    Kept,
    Memory,
    Merge,
    Sealed,
    SharingChange,
    WorkItem,
)
from muniment.text.strict_json import first_fault, loads_marked
from muniment.types import ItemReceipt, Kind, Record, RecordId, Role, ToolCall, Trust

VERSION = 2
READ = (1, 2)
EXPORT_VERSION = "export_version"
_TEXT_FIELDS = ("conversation", "ref", "tool_call_id")
_NAMED: Mapping[str, type[Named]] = {
    "architecture": AppliedArchitecture,
    "sharing": SharingChange,
    "memory": Memory,
    "entity": Entity,
    "merge": Merge,
    "feedback": Feedback,
}
_PLURALS = {
    "record": "records",
    "architecture": "architectures",
    "sharing": "sharing",
    "memory": "memories",
    "entity": "entities",
    "merge": "merges",
    "feedback": "feedback",
}

Named = AppliedArchitecture | SharingChange | Memory | Entity | Merge | Feedback
"""What stands under its name in a line."""
Moved = Record | Kept | Named
"""What a line may hold."""

T = TypeVar("T")
Member = TypeVar("Member", bound=StrEnum)


async def export_lines(items: AsyncIterable[Moved], told: Counter[str] | None = None) -> AsyncIterator[bytes]:
    """The lines of an export, each with its line feed: write them one by one; no more than one value is held.

    `told` is what the closing line says beside its own counts, as it is when that is reached; there it is added up.
    """
    yield _line({"muniment": "export", "version": VERSION})
    counts = Counter[str]() if told is None else told
    counts["records"] += 0
    async for item in items:
        name = next((name for name, kind in _NAMED.items() if isinstance(item, kind)), "record")
        counts[_PLURALS[name]] += 1
        yield _line(_fields(item) if isinstance(item, Record | Kept) else {name: spelled(item)})
    yield _line({"end": True, **{name: count for name, count in counts.items() if count or name == "records"}})


def read_export(stream: BinaryIO, *, name: str) -> Iterator[Moved | ItemReceipt]:
    """What an export holds, in order, and a refusal naming `name:line` for each line that holds nothing of it.

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
            item = body.read(line)
        except InputError as error:
            yield refusal(f"{name}:{line.number}", error)
        else:
            if item:
                yield item
    if cut := body.cut_short():
        yield refusal(f"{name}:{body.last + 1}", cut)


@dataclass(slots=True)
class Body:
    """What follows the header: what was read so far, and whether the closing line was there. `last` is the last line."""

    last: int
    counts: Counter[str] = field(default_factory=Counter)
    closed: bool = False

    def read(self, line: Line) -> Moved | None:
        """What a line spells, None for the closing line. Raises InputError for a line that is neither."""
        self.last = line.number
        if self.closed:
            raise FormatError("this stands behind the closing line.", code="after_end", hint=HINT)
        if line.data is None:
            self.counts["records"] += 1
            raise too_long()
        try:
            value = mapping(loads_marked(decode(line.data, "", line=line.number)))
        except InputError:
            self.counts["records"] += 1
            raise
        if value.get("end") is True:
            self._close(value)
            return None
        name = next((name for name in _NAMED if name in value), "record")
        self.counts[_PLURALS[name]] += 1
        return kept_from(value) if name == "record" else _named_from(name, value)

    def _close(self, value: Mapping[str, object]) -> None:
        """Compare all lines, whatever they were: one that could not be read may have been of any kind."""
        self.closed = True
        told = {name: value.get(name, 0) for name in _PLURALS.values()}
        whole = sum(count for count in told.values() if isinstance(count, int))
        if whole != sum(self.counts.values()) or "records" not in value:
            lines = f"it closes with {shown(value.get('records'))} records and {whole} lines in all"
            there = f"{sum(self.counts.values())} lines stand before that"
            raise FormatError(f"this export is not whole: {lines}, and {there}.", code="count_mismatch", hint=HINT)

    def cut_short(self) -> FormatError | None:
        """The error for a file that ends without its closing line."""
        if self.closed:
            return None
        return FormatError("this export is cut short: its closing line is missing.", code="cut_short", hint=HINT)


def is_header(value: Mapping[str, object]) -> bool:
    """True for the first line of an export, of any version."""
    return value.get("muniment") == "export"


def check_header(value: Mapping[str, object], name: str) -> None:
    """Raise FormatError unless this is a version that can be read."""
    version = value.get("version")
    if version not in READ or isinstance(version, bool):
        raise FormatError(
            f"this export is of version {shown(version)}; versions 1 to {VERSION} are read.",
            place=name,
            code=EXPORT_VERSION,
            hint="Update Muniment, or export it again with this version.",
        )


def kept_from(value: Mapping[str, object]) -> Record | Kept:
    """The record one line spells, with what goes with it where the line says how far its reading is."""
    record = record_from(value)
    if "work" not in value:
        return record
    work = value["work"]
    return Kept(
        record=record,
        work=None if work is None else value_of(WorkItem, {"record": record.id, **mapping(work)}, "work"),
        sealed=tuple(value_of(Sealed, one, f"sealed[{n}]") for n, one in enumerate(_typed(value, "sealed", list, []))),
        blobs=tuple(value_of(Blob, one, f"blobs[{n}]") for n, one in enumerate(_typed(value, "blobs", list, []))),
    )


def _named_from(name: str, value: Mapping[str, object]) -> Named:
    _check_sound(value)
    return value_of(_NAMED[name], value[name], name)


def _check_sound(value: Mapping[str, object]) -> None:
    if found := first_fault(value):
        raise FormatError(found[1].message, place=found[0], code=found[1].code, hint=HINT)


def record_from(value: Mapping[str, object]) -> Record:
    """The record one line spells. Raises InputError naming the field that is missing or of the wrong type."""
    _check_sound(value)
    calls = _typed(value, "tool_calls", list, [])
    metadata = _typed(value, "metadata", dict, {})
    for key, item in metadata.items():
        if not isinstance(item, str):
            raise wrong_type(f"metadata.{key[:40]}", item)
    return Record(
        id=RecordId(_typed(value, "id", str)),
        scope=scope_of(_typed(value, "scope", dict), "scope"),
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


def _fields(item: Record | Kept) -> dict[str, object]:
    """A record as JSON names it; `seq` is left to the store that takes it in, which sees the same order."""
    if isinstance(item, Kept):
        work = None if item.work is None else spelled(item.work)
        told = {"work": {key: held for key, held in work.items() if key != "record"} if isinstance(work, dict) else None}
        beside = {"sealed": spelled(item.sealed), "blobs": spelled(item.blobs)}
        return {**_fields(item.record), **told, **{key: held for key, held in beside.items() if held}}
    record = item
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
        raise FormatError(f"the field {key!r} is missing.", place=key, code="field_missing", hint=HINT)
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
