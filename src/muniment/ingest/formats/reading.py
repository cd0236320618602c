"""Recognise what a file is by its content and read it as turns.

Rule of this file: half-broken input keeps its good part. A bad line or message is one refused receipt naming its place; only what
cannot be read at all raises FormatError. Work is done in memory and takes CPU time: call it off the event loop.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from io import BytesIO
from itertools import islice
from pathlib import PurePath

from muniment.errors import FormatError, InputError
from muniment.ingest.formats import datasets
from muniment.ingest.formats.documents import document_turns, is_markdown
from muniment.ingest.formats.export import EXPORT_VERSION, Body, check_header, is_header
from muniment.ingest.formats.files import file_kind, read_file, refuse_locked
from muniment.ingest.formats.html import charset, is_html, readable
from muniment.ingest.formats.lines import Line, as_utf8, decode, lines, too_long
from muniment.ingest.formats.messages import CONVERSATION, is_message, optional_id
from muniment.ingest.formats.parsed import Collector, History, Parsed, mapping
from muniment.ingest.formats.transcripts import transcript_kind, transcript_turns
from muniment.ingest.rules import is_blank, turn_of
from muniment.knowledge.values import Kept
from muniment.ports import Reader
from muniment.text.strict_json import loads_marked
from muniment.types import Record, Scope, Turn

FORMATS = (
    "chat messages (JSON or JSON Lines, as OpenAI's API has them)",
    "conversations ({'messages': […]}, one or many)",
    "LoCoMo",
    "LongMemEval",
    "tau-bench trajectories",
    "Markdown",
    "HTML",
    "transcripts (WebVTT, SubRip, lines with a time and a name)",
    "plain text",
    "PDF, Word documents and images, with their readers",
    "a Muniment export",
)
MESSAGES, CONVERSATIONS, LOCOMO, LONGMEMEVAL = "messages", "conversations", "locomo", "longmemeval"
TRAJECTORIES, MARKDOWN, HTML, TEXT, EXPORT = "trajectories", "markdown", "html", "text", "muniment-export"

_SAMPLE = 100
_MOST_SHORT = 200
_BLANK = re.compile(rb"\s*")
_TEMPLATE_SIGNS = b"%{#"


def read_turns(
    data: bytes,
    *,
    name: str,
    conversation: str | None = None,
    zone: tzinfo | None = None,
    began: datetime | None = None,
    readers: Mapping[str, Reader] | None = None,
) -> Parsed:
    """The turns of a file. Its format is recognised by content; `name` is kept as their origin and used in places.

    `conversation` names the conversation of turns that have none; when the file has several of its own, it goes in front of
    their names. `zone` is where times without an offset were written: without it they are refused in messages, and UTC in
    LoCoMo and LongMemEval. `began` is when a recording began, for the times in its transcript. `readers` take the text out of
    what is not text, by kind: "pdf", "docx", "image". Raises FormatError when nothing can be read: none of the known formats,
    not text, cut off, empty, or no reader for it; and MissingExtra when a reader's library is not installed.
    """
    reader = _Reader(name=name, into=Collector(name=name, zone=zone), began=began)
    refuse_locked(data, name)
    if kind := file_kind(data):
        reader.file(data, kind, readers or {})
        return reader.parsed(conversation)
    data = as_utf8(_recoded(data), name)
    start = _BLANK.match(data)
    at = start.end() if start else 0
    if at == len(data):
        raise FormatError("this file is empty.", place=name, code="empty_content", hint=_known())
    if not _read_json(data, at, reader):
        reader.document(_checked_text(data, name))
    return reader.parsed(conversation)


def _recoded(data: bytes) -> bytes:
    """A page in the encoding that it names for itself, in UTF-8; anything else as it is."""
    named = charset(data) if data.lstrip()[:1] == b"<" else ""
    try:
        return data.decode(named).encode() if named else data
    except (LookupError, UnicodeError):
        return data


def _read_json(data: bytes, at: int, reader: _Reader) -> bool:
    """Read `data` if it is meant as JSON; False when it is text."""
    following = _BLANK.match(data, at + 1)
    mark, after = data[at : at + 1], data[following.end() : following.end() + 1] if following else b""
    if mark == b"{" and (not after or after not in _TEMPLATE_SIGNS):
        if _is_lines(data):
            reader.lines(data)
        else:
            reader.whole(loads_marked(decode(data, reader.name), place=reader.name))
        return True
    if mark != b"[":
        return False
    try:
        value = loads_marked(decode(data, reader.name), place=reader.name)
    except FormatError as error:
        if after == b"{" or (after == b"[" and error.reason == "too_deep"):
            raise
        return False
    reader.whole(value)
    return True


def _is_lines(data: bytes) -> bool:
    """True for JSON Lines: more than one line, and at least half of the first ones are objects by themselves."""
    sample = list(islice(lines(BytesIO(data)), _SAMPLE))
    return len(sample) > 1 and 2 * sum(_is_object(line.data) for line in sample) >= len(sample)


def _is_object(data: bytes | None) -> bool:
    try:
        return data is not None and not isinstance(loads_marked(decode(data, "")), list | str | int | float | None)
    except FormatError:
        return False


def _checked_text(data: bytes, name: str) -> str:
    text = decode(data, name)
    if "\0" in text:
        raise FormatError(
            f"this is a binary file, or text in another encoding: there is a NUL at byte {data.index(0)}.",
            place=name,
            code="nul_not_allowed",
            hint="Give its text, saved as UTF-8.",
        )
    if is_blank(text):
        raise FormatError("there is nothing to see in this file.", place=name, code="empty_content", hint=_known())
    return text


def _known() -> str:
    return f"Formats that are read: {'; '.join(FORMATS)}."


@dataclass(slots=True)
class _Reader:
    """One file on its way to turns: sends each item to the reader of its shape."""

    name: str
    into: Collector
    began: datetime | None = None
    format: str = ""
    histories: list[History] = field(default_factory=list)

    @property
    def short(self) -> str:
        """The file's own name, fit to be part of an id."""
        last = PurePath(self.name.replace("\\", "/")).name
        plain = unicodedata.normalize("NFC", re.sub(r"[^\w.@+-]+", "_", last)).encode()[:_MOST_SHORT].decode(errors="ignore")
        return plain.strip("._") or "file"

    def document(self, text: str) -> None:
        """Read a page, a transcript, Markdown or plain text."""
        if spoken := transcript_kind(text):
            self.format = spoken
            turns = transcript_turns(text, spoken, document=self.short, began=self.began)
        elif is_html(text):
            self.format = HTML
            turns = document_turns(readable(text), document=self.short)
        else:
            self.format = MARKDOWN if is_markdown(text) else TEXT
            turns = document_turns(text, document=self.short)
        if not turns:
            raise FormatError("there is nothing to read in this file.", place=self.name, code="empty_content", hint=_known())
        for number, turn in enumerate(turns, 1):
            self.into.add(turn, f"{self.name}#{number}")

    def file(self, data: bytes, kind: str, readers: Mapping[str, Reader]) -> None:
        """Read a file that is not text."""
        self.format = kind
        read_file(data, kind, into=self.into, document=self.short, readers=readers)

    def lines(self, data: bytes) -> None:
        """Read JSON Lines: each line an item, a bad one refused by its number."""
        numbered = lines(BytesIO(data))
        for line in numbered:
            place = f"{self.name}:{line.number}"
            try:
                if line.data is None:
                    raise too_long()
                value = mapping(loads_marked(decode(line.data, "", line=line.number)))
                if not self.format and is_header(value):
                    check_header(value, self.name)
                    self.export(numbered, Body(last=line.number))
                else:
                    self.item(value, place, f"{self.short}:{line.number}")
            except InputError as error:
                if error.reason == EXPORT_VERSION:
                    raise
                self.into.refuse(place, error)

    def export(self, numbered: Iterator[Line], body: Body) -> None:
        """Read what follows the header of an export: one history per scope."""
        self.format = EXPORT
        scopes: dict[Scope, list[Turn]] = {}
        for line in numbered:
            place = f"{self.name}:{line.number}"
            try:
                item = body.read(line)
                record = item.record if isinstance(item, Kept) else item
                if isinstance(record, Record):
                    scopes.setdefault(record.scope, []).append(replace(turn_of(record), place=place))
            except InputError as error:
                self.into.refuse(place, error)
        if cut := body.cut_short():
            self.into.refuse(f"{self.name}:{body.last + 1}", cut)
        self.histories += [History(suggested_user=scope.user, turns=tuple(turns)) for scope, turns in scopes.items()]

    def whole(self, value: object) -> None:
        """Read one JSON document."""
        if isinstance(value, Mapping) and is_header(value):
            check_header(value, self.name)
            self.export(iter(()), Body(last=1))
            return
        if isinstance(value, Mapping) and self.haystacks(value):
            return
        many = value.get("conversations") if isinstance(value, Mapping) else value
        if not isinstance(many, list):
            self.try_item(value, self.name, None)
            return
        self.format = "" if many else MESSAGES
        for i, item in enumerate(many):
            self.try_item(item, f"{self.name}[{i}]", f"{self.short}:{i + 1}")

    def haystacks(self, value: Mapping[str, object]) -> bool:
        """Read LongMemEval with its sessions stored once; False when this is something else."""
        questions, sessions = value.get("questions"), value.get("sessions")
        if not isinstance(questions, list) or not isinstance(sessions, Mapping):
            return False
        self.format = LONGMEMEVAL
        asked: set[str] = set()
        for i, question in enumerate(questions):
            place = f"{self.name}.questions[{i}]"
            try:
                self.histories.append(datasets.read_longmemeval(mapping(question), sessions, place, self.into.beside()))
                asked.update(datasets.session_names(mapping(question)))
            except InputError as error:
                self.into.refuse(place, error)
        for name, said in sessions.items():
            if name not in asked:
                datasets.read_session(said, f"{self.name}.sessions.{name}", self.into, conversation=name)
        return True

    def try_item(self, value: object, place: str, fallback: str | None) -> None:
        """Read one item, or refuse it."""
        try:
            self.item(mapping(value), place, fallback)
        except InputError as error:
            self.into.refuse(place, error)

    def item(self, value: Mapping[str, object], place: str, fallback: str | None) -> None:
        """Read one item of any known shape. Raises FormatError for others; `fallback` names its conversation if it does not."""
        if datasets.is_locomo(value):
            self.format = self.format or LOCOMO
            self.histories.append(datasets.read_locomo(value, place, self.into.beside()))
        elif datasets.is_longmemeval(value):
            self.format = self.format or LONGMEMEVAL
            self.histories.append(datasets.read_longmemeval(value, None, place, self.into.beside()))
        elif datasets.is_trajectory(value):
            self.format = self.format or TRAJECTORIES
            datasets.read_trajectory(value, place, self.into, fallback=fallback)
        elif isinstance(value.get("messages"), list):
            self.format = self.format or CONVERSATIONS
            self.conversation(value, place, fallback)
        elif is_message(value):
            self.format = self.format or MESSAGES
            self.into.message(value, place)
        else:
            hint = f"An item is a chat message, an object with messages, or one of these: {'; '.join(FORMATS[2:5])}."
            raise FormatError("this is none of the shapes that are read.", code="format_unknown", hint=hint)

    def conversation(self, value: Mapping[str, object], place: str, fallback: str | None) -> None:
        """Read an object with messages as one conversation, named by its id."""
        name = optional_id(value, (*CONVERSATION, "id")) or fallback
        messages = value["messages"]
        for i, message in enumerate(messages if isinstance(messages, list) else ()):
            self.into.message(message, f"{place}.messages[{i}]", conversation=name)
        self.into.dropped |= value.keys() - {"messages", "id", *CONVERSATION}

    def parsed(self, conversation: str | None) -> Parsed:
        """All that was read. Raises FormatError when nothing had a known shape."""
        if not self.format:
            raise FormatError("this is none of the formats that are read.", place=self.name, hint=_known())
        common = self.into.take_turns()
        histories = ([History(turns=common)] if common or not self.histories else []) + self.histories
        return Parsed(
            format=self.format,
            histories=tuple(_named(history, conversation) for history in histories),
            refused=tuple(self.into.refused),
            notes=self.into.notes,
        )


def _named(history: History, conversation: str | None) -> History:
    """`history` with the caller's name for its conversation; when it has several, the name goes in front of theirs."""
    if conversation is None:
        return history
    several = len({turn.conversation for turn in history.turns}) > 1
    named = [
        replace(
            turn,
            conversation=f"{conversation}:{turn.conversation}" if several and turn.conversation is not None else conversation,
        )
        for turn in history.turns
    ]
    return replace(history, turns=tuple(named))
