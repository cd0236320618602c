"""The frozen values every room speaks in. The glossary in docs/ gives each its one meaning.

Rule of this file: values only. Nothing here reads a clock, a file or the environment, and nothing here is mutable.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum, StrEnum
from math import inf
from typing import Literal, NewType

from muniment.errors import BlockError, QueryError, ScopeError, shown

RecordId = NewType("RecordId", str)
BlockId = NewType("BlockId", str)
Rung = Literal["client", "customer", "user"]
RUNGS: tuple[Rung, ...] = ("client", "customer", "user")

ID_BYTES = 255
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks by category that show nothing.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|null|none|undefined|nan|\*)(?:\..*)?", re.IGNORECASE)


def check_id(value: object, place: str) -> str:
    """Return `value` if it may name a rung, conversation or agent; raise `ScopeError` naming `place` otherwise.

    An id is 1 to 255 bytes of UTF-8 in NFC, compared exactly. It has no slash, backslash, control or invisible
    character, no space at its ends, does not start with `..` or end with a dot, and is no device name or null word.
    """
    why = _id_fault(value)
    if why:
        raise ScopeError(
            f"this is not a usable id ({why}).",
            place=place,
            code="id_not_normalized" if why == _NOT_NFC else "id_invalid",
            hint="Use 1 to 255 bytes of visible text without / or \\, for example 'acme' or 'ana@example.org'.",
        )
    return str(value)


_NOT_NFC = "it is not in Unicode NFC form"


def _id_fault(value: object) -> str:  # noqa: PLR0911  # a list of faults reads best as one
    if not isinstance(value, str):
        return f"it is {type(value).__name__}, not text"
    if not value:
        return "it is empty"
    if _BLANK.search(value) or any(unicodedata.category(c) in _INVISIBLE for c in value):
        return "it holds a control or invisible character"
    if len(value.encode()) > ID_BYTES:
        return f"it is longer than {ID_BYTES} bytes"
    if value != value.strip() or value.startswith("..") or value.endswith("."):
        return "it starts or ends with a space or dots"
    if "/" in value or "\\" in value:
        return "it holds a slash"
    if _RESERVED.fullmatch(value):
        return "it is a reserved word"
    if not unicodedata.is_normalized("NFC", value):
        return _NOT_NFC
    return ""


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """Where something lives: `client` ⊃ `customer` ⊃ `user`, each optional, at least one given.

    A write lands on exactly this rung. A read starts here and includes the ancestors, never a sibling.
    Raises `ScopeError` when no rung is given or a rung is not a usable id.
    """

    client: str | None = field(default=None, kw_only=True)
    customer: str | None = field(default=None, kw_only=True)
    user: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for rung in RUNGS:
            value = getattr(self, rung)
            if value is not None:
                check_id(value, rung)
        if not self.rungs:
            raise ScopeError(
                "no scope was given.",
                code="scope_required",
                hint="Name at least one of client, customer and user, for example Scope(user='ana').",
            )

    @property
    def rungs(self) -> tuple[tuple[Rung, str], ...]:
        """The rungs that are given, widest first."""
        return tuple((r, v) for r in RUNGS if (v := getattr(self, r)) is not None)

    @property
    def lineage(self) -> tuple[Scope, ...]:
        """This scope and its ancestors, narrowest first: exactly what a read may see."""
        rungs = self.rungs
        return (self, *(Scope(**dict(rungs[:n])) for n in range(len(rungs) - 1, 0, -1)))

    def covers(self, other: Scope) -> bool:
        """True when `other` is this scope or lies below it, and so reads from it. A user without a client is in no client."""
        return other.rungs[: len(self.rungs)] == self.rungs

    def __str__(self) -> str:
        return " / ".join(f"{rung}={value}" for rung, value in self.rungs)


def check_scope(value: object) -> Scope:
    """Return `value` if it is a Scope. Raises ScopeError for none at all and for anything else, which never mean "everything"."""
    if isinstance(value, Scope):
        return value
    raise ScopeError(
        "no scope was given." if value is None else f"a scope is a Scope value, not {type(value).__name__}.",
        place="scope",
        code="scope_required" if value is None else "scope_invalid",
        hint="Name at least one of client, customer and user, for example Scope(user='ana').",
    )


class Role(StrEnum):
    """Who a record comes from, in the words chat APIs use."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    DOCUMENT = "document"


class Kind(StrEnum):
    """What a record is."""

    TURN = "turn"
    PASSAGE = "passage"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"


class Trust(StrEnum):
    """How far a text may be believed. It only ever falls on the way through the house."""

    TRUSTED = "trusted"
    UNTRUSTED = "untrusted"


class Precision(StrEnum):
    """How finely a time was told. What is told as a year is known as a year, never as its first day."""

    CENTURY = "century"
    DECADE = "decade"
    YEAR = "year"
    SEASON = "season"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    DAYPART = "daypart"
    HOUR = "hour"
    MINUTE = "minute"
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A stretch of time as told by `words`: from `since` (inside) to `until` (outside), both aware; None is open on that side.

    `recurrence` is an RFC 5545 RRULE for what returns, else empty; `approximate` marks "around"; `assumed` that the moment it was
    reckoned from is not when it was said but when it came in.
    """

    since: datetime | None
    until: datetime | None
    precision: Precision
    words: str
    recurrence: str = ""
    approximate: bool = False
    assumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call an assistant asked for; `arguments` is the JSON text exactly as it was given."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a caller hands to `ingest`: one turn of a conversation, one passage of a document, one tool result.

    `said_at` carries a time zone or is None (unknown, never invented); as in a mapping, ISO 8601 text with an offset will do.
    `key` makes a retry safe whatever its words. `ref` is the message's own id where it came from. `origin` names the source, for
    example a file.
    """

    text: str
    role: Role = Role.USER
    speaker: str | None = None
    said_at: datetime | None = None
    conversation: str | None = None
    kind: Kind = Kind.TURN
    ref: str | None = None
    key: str | None = None
    origin: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Verbatim, immutable evidence. Never rewritten, only erased.

    `id` follows from scope and content, so the same evidence has the same id in every store. `seq` counts from 1 inside
    the scope in order of arrival; a store gives it. Both times are UTC; `said_at` is None when nobody told it.
    """

    id: RecordId
    scope: Scope
    text: str
    role: Role
    kind: Kind
    speaker: str
    agent: str
    recorded_at: datetime
    said_at: datetime | None = None
    conversation: str | None = None
    ref: str | None = None
    origin: str = ""
    trust: Trust = Trust.TRUSTED
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    seq: int = 0
    occurrences: int = 1


def words_of(record: Record) -> str:
    """What a record says: its text, or, when it only calls tools, the calls with their arguments."""
    return record.text or "\n".join(f"{call.name} {call.arguments}" for call in record.tool_calls)


class Outcome(StrEnum):
    """What became of one item of a write."""

    STORED = "stored"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemReceipt:
    """The outcome of one item: its `place` in what was given, and for refused or failed ones a reason code and sentence."""

    place: str
    outcome: Outcome
    id: RecordId | None = None
    reason: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One `ItemReceipt` per item given, in the order given. `degraded` says what could not be done for all of them."""

    items: tuple[ItemReceipt, ...]
    degraded: tuple[str, ...] = ()

    def count(self, outcome: Outcome) -> int:
        """How many items had this outcome."""
        return sum(item.outcome is outcome for item in self.items)

    @property
    def ids(self) -> tuple[RecordId, ...]:
        """Ids of all items that are in the store now, stored or unchanged, in the order given."""
        return tuple(item.id for item in self.items if item.id is not None)

    @property
    def ok(self) -> bool:
        """True when nothing was refused or failed."""
        return not any(item.outcome in (Outcome.REFUSED, Outcome.FAILED) for item in self.items)


MOST_VALUES = 100
"""Values of which one may be asked for in one field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Narrows a read inside its scope; all that is given must hold. `since` is inclusive and `until` exclusive, on `said_at`.

    A tuple asks for one of several. `metadata` asks part by part: the parts that are named must be there and be so. `known_at` is
    the moment until which records had come in: `retrieve` answers with what was known then, and with `valid_at` from what held
    in the world at that moment.

    Raises QueryError naming the field for a value of another type, an unknown role or kind, too many, or a time without a zone.
    """

    conversation: str | tuple[str, ...] | None = None
    agent: str | tuple[str, ...] | None = None
    speaker: str | tuple[str, ...] | None = None
    role: Role | tuple[Role, ...] | None = None
    kind: Kind | tuple[Kind, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    metadata: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place in ("conversation", "agent", "speaker"):
            object.__setattr__(self, place, _wanted(place, getattr(self, place), None))
        object.__setattr__(self, "role", _wanted("role", self.role, Role))
        object.__setattr__(self, "kind", _wanted("kind", self.kind, Kind))
        for place in ("since", "until", "valid_at", "known_at"):
            if not isinstance(value := getattr(self, place), datetime | None):
                raise _unfit(place, value, "Give an aware datetime.")
            if value is not None:
                check_instant(place, value)
        metadata: object = self.metadata
        parts = list(metadata.items()) if isinstance(metadata, Mapping) else [(None, None)]
        if any(not isinstance(name, str) or value is None for name, value in parts):
            raise _unfit("metadata", metadata, "Give a mapping of names to text.")
        object.__setattr__(self, "metadata", {name: _wanted("metadata", value, None) for name, value in parts})

    @property
    def several(self) -> bool:
        """True when a field asks for one of several values, parts of the metadata or what was known, which no index knows."""
        asked = (self.conversation, self.agent, self.speaker, self.role, self.kind)
        return bool(self.metadata) or self.known_at is not None or any(isinstance(value, tuple) for value in asked)


def check_instant(place: str, at: datetime) -> datetime:
    """Return a time that is one instant of UTC; raise QueryError naming the place for one without a zone or out of its years."""
    hint = "Give a time with its offset, such as 2026-03-01T12:00:00Z."
    if at.utcoffset() is None:
        raise QueryError("this time has no zone.", place=place, code="tz_required", hint=hint)
    try:
        at.astimezone(UTC)
    except OverflowError:
        raise QueryError("this time lies outside the years 1 to 9999 of UTC.", place=place, code="range", hint=hint) from None
    return at


def _wanted(place: str, value: object, members: type[StrEnum] | None) -> object:
    """One value as it is, several as a sorted tuple of different ones; raises QueryError naming the place for anything else."""
    if value is None:
        return None
    given = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(given) <= MOST_VALUES:
        hint = f"Give 1 to {MOST_VALUES}, or leave it out."
        raise QueryError(f"{len(given)} values were given.", place=place, code="range", hint=hint)
    for one in given:
        if not isinstance(one, str) or (members is not None and one not in list(members)):
            hint = f"Use one of {', '.join(members)}." if members else "Give text, compared exactly, or leave it out."
            raise _unfit(place, one, hint)
    each = [one if members is None else members(one) for one in sorted({str(one) for one in given})]
    return tuple(each) if len(each) > 1 else each[0]


def check_whole(place: str, value: object, most: int, *, least: int = 1) -> int:
    """Return `value` if it is a whole number from `least` to `most`; raise QueryError naming `place` otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        hint = f"Give a whole number from {least} to {most}."
        raise QueryError(f"{place} is {shown(value)}.", place=place, code="range", hint=hint)
    return value


def _unfit(place: str, value: object, hint: str) -> QueryError:
    return QueryError(f"{shown(value)} cannot be asked for here.", place=place, code="type", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A stretch of records, newest first, and the cursor for the next one (None at the end).

    `lost` are the `seq` of records that belong here but whose row is damaged.
    """

    records: tuple[Record, ...]
    cursor: str | None = None
    lost: tuple[int, ...] = ()


class Band(IntEnum):
    """Where in the prompt a block may stand. Blocks never leave their band, so what is stable stays byte-identical in front."""

    PINNED = 0
    STABLE = 1
    SESSION = 2
    VOLATILE = 3


class Source(StrEnum):
    """Where a block came from. Only the content of what an agent wrote can be edited."""

    SEED = "seed"
    AGENT = "agent"
    ORCHESTRATOR = "orchestrator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool a model may call. `parameters` is the JSON Schema of its arguments (an object) as JSON text."""

    name: str
    description: str = ""
    parameters: str = '{"type":"object","properties":{}}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What blocks of one group share; they stand together and move as one.

    With `gate_as_unit` one member that passes the gate admits all; with `budget_as_unit` all enter a prompt or none.
    """

    name: str
    gate_as_unit: bool = False
    budget_as_unit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A named, ordered piece of prompt text. `role` is the message role it is rendered under; untrusted text is fenced.

    `required` blocks are reserved before any other and never dropped. `turn_key` groups blocks that stand or fall together
    (a tool call and its result). `priority` (0 to 1) is advice for eviction, packing and placement and never moves a block.

    `source`, `author` (the id of a principal), `run` and `created` say where it came from and are stamped by the registry.
    Unless it is `removable`, only its author may take it away. `prefix` and `suffix` are put around the text when it is
    rendered. A block that is not `gated` passes every gate. `description` says what it is for: the gate scores it with the
    text. `short` stands in when the text does not fit. `requires` names blocks without which it is left out: its author's own
    where there are any, else trusted ones. A block with a `tool` is that tool's schema.
    """

    id: BlockId
    name: str
    text: str
    band: Band = Band.STABLE
    role: Role = Role.SYSTEM
    required: bool = False
    trust: Trust = Trust.TRUSTED
    priority: float = 0.5
    turn_key: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    source: Source = Source.AGENT
    author: str = ""
    removable: bool = True
    run: str | None = None
    created: datetime | None = None
    tags: tuple[str, ...] = ()
    prefix: str = ""
    suffix: str = ""
    gated: bool = True
    description: str = ""
    short: str = ""
    requires: tuple[str, ...] = ()
    group: Group | None = None
    tool: Tool | None = None


class Fate(StrEnum):
    """What the compiler did with a block, and why."""

    INCLUDED = "included"
    OVER_BUDGET = "over_budget"
    OVER_SHARE = "over_share"
    AFTER_OVERFLOW = "after_overflow"
    BELOW_CUTOFF = "below_cutoff"
    BELOW_THRESHOLD = "below_threshold"
    BELOW_TOP = "below_top"
    ALREADY_SHOWN = "already_shown"
    PARTNER_LEFT_OUT = "partner_left_out"
    REQUIREMENT_MISSING = "requirement_missing"
    NAME_TAKEN = "name_taken"
    EMPTY = "empty"
    UNREADABLE = "unreadable"


class Packing(StrEnum):
    """How a budget is filled once the required and pinned blocks have their room.

    STOP at the first block that does not fit, SKIP it and go on, leave out all below the lowest PRIORITY that still fits, or
    take the SHORT form of what does not fit. STOP offers blocks in their order. SKIP and SHORT offer the stable band first, then
    the volatile one, the nearest first where a gate has scored, and the session last, newest first. PRIORITY offers by priority
    whatever the band, so that a volatile block of high priority can take a stable one's room; and in every packing a required
    block that grows can. Then the front of the prompt changes, and a provider's cache of it is lost.
    """

    STOP = "stop"
    SKIP = "skip"
    PRIORITY = "priority"
    SHORT = "short"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million prompt tokens cost: read `fresh`, read from the provider's cache, and `written` to it.

    Each is a finite number, 0 or more. Raises `BlockError` (range) otherwise.
    """

    fresh: float
    cached: float
    written: float

    def __post_init__(self) -> None:
        for place in ("fresh", "cached", "written"):
            value = getattr(self, place)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
                hint = "Give what a million tokens cost, for example 3.0."
                raise BlockError(f"{shown(value)} cannot be a price.", place=place, code="range", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockReceipt:
    """One block's fate and its cost in tokens. `score` is what a gate gave it; `short` says that its short form stands in."""

    name: str
    band: Band
    fate: Fate
    tokens: int
    required: bool
    score: float | None = None
    short: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """Receipt of a forget: rows gone per table, the scopes touched, and whether the bytes were proved gone.

    `clean` is True when the freed bytes are overwritten and the log is empty; otherwise `notes` says what is pending.
    """

    scopes: tuple[Scope, ...]
    records: int
    removed: Mapping[str, int]
    at: datetime
    clean: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing `doctor` looked at. `ok` is False for a fault; `repaired` says it was mended from the records."""

    check: str
    ok: bool
    message: str
    repaired: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts over one scope and everything below it. `embedder` is whose vectors are counted, None where there are none."""

    records: int
    entries: int
    conversations: int
    scopes: int
    vectors: int
    embedder: str | None
    bytes: int
    oldest: datetime | None = None
    newest: datetime | None = None
