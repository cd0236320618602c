"""The frozen values of what is derived from records: memories and what proves them, entities, candidates and changes.

Rule of this file: values only. A memory is never rewritten: what becomes of it is told by its status and by the memory that took
its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

from muniment.types import Record, RecordId, Role, Scope, Trust, When

MemoryId = NewType("MemoryId", str)
EntityId = NewType("EntityId", str)

SELF = "user"
"""The subject of what a nameless user says of themselves."""


class Modality(StrEnum):
    """How surely something is said to be so. Only what is asserted, planned or habitual can change what holds."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    POSSIBLE = "possible"
    CONDITIONAL = "conditional"
    WISHED = "wished"
    ASKED = "asked"


class Status(StrEnum):
    """Whether a memory holds, and if not, why. None is kept as not yet: that is how one looks as of a moment before it held."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    MERGED = "merged"
    EXPIRED = "expired"
    NOT_YET = "not_yet"


KEPT = tuple(status for status in Status if status is not Status.NOT_YET)
"""The statuses that a store keeps."""


class Act(StrEnum):
    """What a candidate asks for: state something, put it in place of what held, take it back, or say how something came out."""

    STATE = "state"
    CORRECT = "correct"
    RETRACT = "retract"
    OUTCOME = "outcome"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The words that prove something: characters `start` to `end` of a record's text, and when and by whom they were said.

    A record that `lends` does not say it: the statement uses words of it, such as the name behind a pronoun.
    """

    record: RecordId
    start: int
    end: int
    said_at: datetime | None = None
    speaker: str = ""
    lends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One place where something is named. `kind` is an entity type of the architecture, such as person, organisation or code."""

    text: str
    start: int
    end: int
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One memory's tie to another by a `relation`: contradicts, because_of, led_to."""

    relation: str
    memory: MemoryId


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A derived statement and what proves it; whole in itself, so that it can be read without the talk around it.

    `subject` is who or what it is about, as told; `subject_id` and `object_id` are entities. `attribute` names the slot it fills
    ("lives_in", "plan"), `value` what it fills it with; a slot of a functional attribute holds one current value. A memory with a
    subject, an attribute and an object is a relation, dated by its validity. `event` is when what it tells happens;
    `valid_from`/`valid_to` when it holds in the world; `recorded_at`/`retired_at` when we came to know it and stopped to hold it:
    two clocks. `parts` are the pieces of a decision or a rule (rationale, alternatives, outcome, …). `agent`, `architecture`
    ("support@3") and `extractor` say who derived it, under which rules, how. `private` marks what stays in its conversation.
    `recalled` counts the times it was served.
    """

    id: MemoryId
    scope: Scope
    kind: str
    text: str
    subject: str
    recorded_at: datetime
    evidence: tuple[Evidence, ...]
    subject_id: EntityId | None = None
    attribute: str = ""
    value: str = ""
    object_id: EntityId | None = None
    entities: tuple[EntityId, ...] = ()
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    speaker: str = ""
    event: When | None = None
    said_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    retired_at: datetime | None = None
    status: Status = Status.CURRENT
    replaced_by: MemoryId | None = None
    replaces: tuple[MemoryId, ...] = ()
    links: tuple[Link, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    confidence: float = 1.0
    trust: Trust = Trust.TRUSTED
    conversation: str | None = None
    private: bool = False
    agent: str = ""
    architecture: str = ""
    extractor: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    expires_at: datetime | None = None
    held: bool = False
    recalled: int = 0
    recalled_at: datetime | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """One way something is named, how often it was, and the records that name it so."""

    text: str
    kind: str = "name"
    count: int = 1
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A thing that is spoken of in one scope. `keys` are what it is looked up by; `merged_into` is set once it is another's.

    Aliases carry their evidence, so that an erased record takes its alias with it. `conversation` is the one it is known in
    alone, where conversations are private.
    """

    id: EntityId
    scope: Scope
    name: str
    kind: str
    aliases: tuple[Alias, ...]
    keys: tuple[str, ...]
    first_seen: datetime
    last_seen: datetime
    merged_into: EntityId | None = None
    trust: Trust = Trust.TRUSTED
    conversation: str | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Two entities taken for one, or a pair to look at (`decided` is False). `why` gives the score's parts by name."""

    id: str
    scope: Scope
    kept: EntityId
    other: EntityId
    score: float
    why: Mapping[str, float]
    at: datetime
    decided: bool = True
    undone: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What an extractor read out of one record, not yet admitted, dated against the world, or tied to what is known.

    `subject` and `value` are surface words; `mentions` are the names in the record's text that it speaks of. `ends` marks that
    the slot was left without a new value ("no longer works at"). `targets` are words of what a correction, retraction or outcome
    is about, for finding it. `functional` is None when the architecture's kind decides.
    """

    kind: str
    text: str
    subject: str
    evidence: Evidence
    role: Role
    act: Act = Act.STATE
    attribute: str = ""
    value: str = ""
    functional: bool | None = None
    ends: bool = False
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    speaker: str = ""
    mentions: tuple[Mention, ...] = ()
    event: When | None = None
    targets: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    confidence: float = 1.0
    trust: Trust = Trust.TRUSTED
    extractor: str = ""
    lenders: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why something in a record did not become a memory: a stable `reason`, and where it stands."""

    reason: str
    evidence: Evidence
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was read out of one record: candidates, names, and what was refused. `note` says what could not be done.

    `failed` marks a record that could not be read at all, so that reading it again may help. `tokens` is what a model counted.
    """

    record: RecordId
    candidates: tuple[Candidate, ...] = ()
    mentions: tuple[Mention, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    note: str = ""
    tokens: int = 0
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What must be known before a batch can be settled, as keys a store looks up inside one scope. Bounded reads, no scans.

    `subjects`: latest current memories about them; `slots`: (subject, attribute) pairs whose current memories matter; `digests`:
    normalised statements; `keys`: names of entities; `memories`, `entities`: ids.
    """

    subjects: tuple[str, ...] = ()
    slots: tuple[tuple[str, str], ...] = ()
    digests: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    memories: tuple[MemoryId, ...] = ()
    entities: tuple[EntityId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a store found for a `Wanted`, of one moment."""

    memories: Sequence[Memory] = ()
    entities: Sequence[Entity] = ()
    shared: Sequence[Entity] = ()
    """Canonical names of ancestors' scopes, for types the architecture shares upwards: names only."""
    live: frozenset[RecordId] = frozenset()
    """Records of the claims that are still held and still there; nothing may be written for any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is to be written in one transaction: memories and entities as they are from now on, new and changed alike."""

    memories: Sequence[Memory] = ()
    entities: Sequence[Entity] = ()
    merges: Sequence[Merge] = ()
    refusals: Sequence[Refusal] = ()
    outcomes: Mapping[RecordId, tuple[str, ...]] = field(default_factory=dict)
    """Per record, what its enrichment came to, in short codes ("stored:fact", "merged:fact", "refused:greeting")."""
    partial: Mapping[RecordId, str] = field(default_factory=dict)
    """Records of which a part could not be done, and why: their work ends as partial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Narrows a read of memories inside its scope; all that is given must hold.

    `valid_at` asks what held in the world then, `known_at` what we held to be so then; with either, any status may be given back.
    `since`/`until` are on the event, or where there is none on when it was said. `text` is matched word by word. A tuple asks for
    one of several; `metadata` asks part by part: those that are named must be there and be so.
    """

    kinds: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = (Status.CURRENT,)
    subject: str | None = None
    attribute: str | tuple[str, ...] | None = None
    speaker: str | tuple[str, ...] | None = None
    agent: str | tuple[str, ...] | None = None
    conversation: str | tuple[str, ...] | None = None
    entity: EntityId | None = None
    record: RecordId | None = None
    trust: Trust | tuple[Trust, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    text: str | None = None
    metadata: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """A stretch of memories, latest first, and the cursor for the next one (None at the end)."""

    memories: tuple[Memory, ...]
    cursor: str | None = None

    def __iter__(self) -> Iterator[Memory]:
        return iter(self.memories)

    def __len__(self) -> int:
        return len(self.memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPage:
    """A stretch of entities, latest first, and the cursor for the next one (None at the end)."""

    entities: tuple[Entity, ...]
    cursor: str | None = None

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.entities)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedArchitecture:
    """One version of an agent's architecture as a store keeps it: the YAML as it was applied, when, by whom and why."""

    agent: str
    version: int
    text: str
    at: datetime
    note: str = ""
    by: str = ""
    client: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingChange:
    """How far a customer lets one kind of memory of one agent go up from some moment on, and who said so.

    `share` is the widest rung, "none", or "default" for what the agent's architecture says.
    """

    scope: Scope
    agent: str
    kind: str
    share: str
    at: datetime
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What those who ask in a scope did with one record they were given, added up: how often used, ignored, corrected.

    `at` is when, and `by` who, told it last. The record may stand on a rung above the scope.
    """

    scope: Scope
    record: RecordId
    used: int = 0
    ignored: int = 0
    corrected: int = 0
    at: datetime
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A value taken out of a record's text: the token in its place, its kind, and the value, kept apart and erased with it."""

    token: str
    kind: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """Bytes too large for a record's text; the record keeps an excerpt and `digest` (SHA-256, hexadecimal)."""

    digest: str
    media: str
    data: bytes


class WorkState(StrEnum):
    """How far the enrichment of a record is."""

    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A record taken for enrichment until its lease ends. Only the holder of the newest `fence` may complete it."""

    scope: Scope
    record: RecordId
    fence: int
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkItem:
    """The enrichment of one record: its state, why it failed or is partial, and when it is tried again.

    `outcomes` are what it came to, in short codes, and `refused` how often what was refused of it, by (kind, reason).
    """

    record: RecordId
    state: WorkState
    reason: str = ""
    attempts: int = 0
    retry_at: datetime | None = None
    outcomes: tuple[str, ...] = ()
    architecture: str = ""
    refused: Mapping[tuple[str, str], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A record as one store gives it to another: with how far its reading is (None: it is not read), and what goes with it."""

    record: Record
    work: WorkItem | None = None
    sealed: tuple[Sealed, ...] = ()
    blobs: tuple[Blob, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """An event: the enrichment of a record ended so. `missed` counts events this listener was too slow for, just before."""

    scope: Scope
    item: WorkItem
    missed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """How much enrichment is open in a store."""

    queued: int = 0
    processing: int = 0
    parked: int = 0
    oldest: datetime | None = None
    last_error: str = ""
