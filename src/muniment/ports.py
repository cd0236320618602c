"""What the rooms ask of the world: small protocols in our own words. Adapters implement them; tests use those in `testing`.

A store is Records, Search, Memories, Work, Shelved, Told, Digests, Keys and Admin together; each call is one transaction. A call
that is cancelled has done all or nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol, TypeVar, runtime_checkable

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.credentials import AccessKey
from muniment.knowledge.digests import Digest
from muniment.knowledge.values import (
    AppliedArchitecture,
    Backlog,
    Blob,
    Changes,
    Claim,
    Entity,
    EntityPage,
    Feedback,
    Known,
    Memory,
    MemoryFilter,
    MemoryId,
    MemoryPage,
    Merge,
    Sealed,
    SharingChange,
    Wanted,
    WorkItem,
)
from muniment.shelf import Entry, Floats, Place, Shelf
from muniment.types import Erasure, Filter, Finding, Outcome, Page, Record, RecordId, Scope, Stats

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A record and the entries derived from it; `key` is the caller's idempotency key in the record's scope.

    `sealed` and `blobs` were taken out of its text and go where it goes. With `enrich` its enrichment is queued in the same
    transaction; with `work` it is as far as it was in the store that the record comes from, and one under way is queued. The
    enrichment of a record that has any stays as it is.
    """

    record: Record
    entries: Sequence[Entry]
    key: str | None = None
    sealed: Sequence[Sealed] = ()
    blobs: Sequence[Blob] = ()
    enrich: bool = False
    work: WorkItem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a store did with one `Write`: stored, unchanged (same id, or key and words), or refused (a key with other words)."""

    outcome: Outcome
    id: RecordId
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What to erase: a scope alone means it and all below it; ids and conversation narrow it to records of exactly that scope."""

    scope: Scope
    ids: tuple[RecordId, ...] = ()
    conversation: str | None = None


@dataclass(slots=True, kw_only=True)
class Watch:
    """What an erasure tells of what it reaches: `seen` are the memories tied to `tied`, as they are in its own transaction.

    They may be more than go.
    """

    tied: MemoryId
    seen: list[Memory] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Records at the places a ranking chose, in its order; `lost` are places whose row could not be read or fails its hash.

    `knowledge` is False when neither the scope nor an ancestor holds a memory, so that none need be looked for.
    """

    records: tuple[Record, ...]
    lost: tuple[Place, ...] = ()
    knowledge: bool = True


Rank = Callable[[Sequence[Shelf]], Sequence[Place]]
Derive = Callable[[Sequence[Record]], Awaitable[Sequence[Sequence[Entry]]]]
Decide = Callable[[Known], Changes]
ArchitectureOf = Callable[[str, str | None], Awaitable[Architecture]]
"""The architecture of an agent at a client."""
Architectures = Callable[[str, str | None], Awaitable[Sequence[AppliedArchitecture]]]
"""All versions of it, newest first: `Shelved.architectures`."""
Follow = Callable[[Scope], Awaitable[object]]
"""What is done once memories of a scope have changed: copies of them on wider rungs follow."""
Purge = Callable[[Scope, Sequence[Memory], datetime], Awaitable[bool]]
"""Removes memories of a scope for good, with their copies; True when the freed bytes are proved gone."""


class Records(Protocol):
    """Verbatim evidence, by scope."""

    async def put(self, writes: Sequence[Write]) -> Sequence[Written]:
        """Write all in one transaction; on return they are durable and searchable. Raises StoreError, and nothing is kept."""
        ...

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        """Records with these ids in `scope` or its ancestors, in the order asked; absent and foreign ids are left out alike."""
        ...

    async def page(self, scope: Scope, where: Filter, *, limit: int, before: int | None = None) -> Page:
        """Records of exactly this scope with `seq` below `before`, latest first. The cursor is the next `before` as text."""
        ...

    async def erase(self, target: Target, at: datetime, watch: Watch | None = None) -> Erasure:
        """Remove the target and all derived from it, overwrite the freed bytes, and report, also to `watch`."""
        ...


class Search(Protocol):
    """Candidates by scope."""

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """Call `rank` off the loop with the shelves of `scope.lineage` that hold anything, narrowest first, and read its choice.

        One consistent view: ranking and reading see the same moment.
        """
        ...


class Memories(Protocol):
    """What is derived from records: memories, entities and merges, by scope."""

    async def settle(
        self, scope: Scope, wanted: Wanted, decide: Decide, *, at: datetime, claims: Sequence[Claim] = (), architecture: str = ""
    ) -> Changes:
        """Read what is `wanted` of exactly this scope, call `decide` off the loop, write its changes: one transaction.

        Claims that are no longer held or whose record is gone are not in `Known.live`; the work of the others is completed, or
        partial, with the writing. Evidence of records that are not there is left out, and a new memory without any is not
        written. Returns what was written.
        """
        ...

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        """Memories of exactly this scope, or with `inherited` of its ancestors too, latest first. Expired ones are not shown."""
        ...

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """Memories with these ids in `scope` or its ancestors, in the order asked, of any status."""
        ...

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        """The memories, of any status, that these records of `scope` or its ancestors prove."""
        ...

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        """Entities of exactly this scope, latest seen first; with `keys` or `ids` those alone, merged ones included."""
        ...

    async def merges(self, scope: Scope, *, decided: bool | None = None) -> Sequence[Merge]:
        """Merges and pairs to look at, latest first."""
        ...

    async def recalled(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
        """Count that these were served. Unknown ids are passed over."""
        ...

    async def purge(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Erasure:
        """Remove memories that are not held for good, and overwrite the freed bytes. Their records stay."""
        ...


class Work(Protocol):
    """The enrichment of records, which is a state of theirs."""

    async def claim(self, *, now: datetime, lease: timedelta, limit: int) -> Sequence[Claim]:
        """Take up to `limit` records of one scope that wait, or whose lease has run out: its longest waiting first.

        Scopes with work take turns, in the order they began to hold something: one that has much does not hold up another.
        A scope of which anything is claimed already is passed over until that has ended or its lease has run out, so that
        what is said later never overtakes what was said before.
        """
        ...

    async def fail(self, claims: Sequence[Claim], reason: str, *, now: datetime, retry_at: datetime | None) -> int:
        """Give claims back, to be tried again at `retry_at`, or parked as failed with None. Stale claims are passed over."""
        ...

    async def work(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]:
        """The state of these records' enrichment, in the order asked; those without any are left out."""
        ...

    async def requeue(self, scope: Scope, *, now: datetime, parked: bool = False) -> int:
        """Queue every record of `scope` and all below it again, or with `parked` the parked ones only; returns how many."""
        ...

    async def backlog(self) -> Backlog:
        """How much is open in the whole store."""
        ...

    async def refused(self, scope: Scope) -> Mapping[tuple[str, str], int]:
        """How often what was refused in `scope` and all below it, by (kind, reason), when each record was read last."""
        ...


@runtime_checkable
class Wakes(Protocol):
    """What a store may also do whose work several processes share."""

    async def woken(self, seconds: float) -> bool:
        """Wait until some process has queued work since the last call, for so many seconds at most; False when none has."""
        ...

    async def deafen(self) -> None:
        """Let whoever waits for work go, before the store closes."""
        ...


class Shelved(Protocol):
    """What stands beside records and memories: architectures by agent, sealed values and blobs by scope."""

    async def apply_architecture(self, applied: AppliedArchitecture) -> AppliedArchitecture:
        """Keep it as the agent's newest version; its version is given by the store, from 1."""
        ...

    async def architectures(self, agent: str, client: str | None = None) -> Sequence[AppliedArchitecture]:
        """All versions of an agent's architecture, newest first: the client's own where there are any, else those of all."""
        ...

    async def applied(self) -> Sequence[AppliedArchitecture]:
        """Every version of every architecture in the store, oldest first within one agent of one client, for an export."""
        ...

    async def secret(self) -> bytes:
        """16 bytes or more that are this store's own and never shown: the key of the tokens that stand for sealed values."""
        ...

    async def reveal(self, scope: Scope, tokens: Sequence[str]) -> Sequence[Sealed]:
        """The sealed values of these tokens in `scope` or its ancestors; unknown and foreign ones are left out."""
        ...

    async def blob(self, scope: Scope, digest: str) -> Blob | None:
        """The blob that a record of `scope` or its ancestors refers to, or None."""
        ...

    async def keep_sharing(self, change: SharingChange) -> bool:
        """Keep a change of how far a scope shares. False when this very one is kept already. Erased with its scope."""
        ...

    async def sharing(self, within: Scope | None = None) -> Sequence[SharingChange]:
        """Every such change of `within` and all below it (None: of all), oldest first, as it is kept at this moment."""
        ...


class Reads(Search, Protocol):
    """What a question asks of a store; each as the port of that name has it."""

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]: ...
    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage: ...
    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]: ...
    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]: ...
    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage: ...
    async def work(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]: ...
    async def feedback_on(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]: ...
    async def architectures(self, agent: str, client: str | None = None) -> Sequence[AppliedArchitecture]: ...


@runtime_checkable
class Moments(Protocol):
    """What a store may also do for which going back and forth between its threads and the loop is what costs."""

    async def at_once(self, work: Callable[[Reads], Coroutine[object, object, Given]]) -> Given:
        """Run `work` to its end on a thread of the store, with reads that all see one moment.

        It may wait for nothing but these reads: there is no loop where it runs. Raises RuntimeError when it does.
        """
        ...


class Told(Protocol):
    """What was told of recall, by scope and record. It goes with the record it speaks of, and with its scope."""

    async def add_feedback(self, told: Sequence[Feedback]) -> None:
        """Add these counts to what is kept of their scopes and records; `at` and `by` are the latest then."""
        ...

    async def feedback(self, within: Scope | None = None) -> Sequence[Feedback]:
        """All that is kept of `within` and all below it (None: of all), by scope and record."""
        ...

    async def feedback_on(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]:
        """What is kept of exactly this scope and these records, by record."""
        ...


class Digests(Protocol):
    """Digests of parts of conversations, at one scope each. One goes with any record it was made from.

    They are in no export: a digest is made anew where it is needed, and what comes in a file was not verified here.
    """

    async def keep_digest(self, digest: Digest) -> Digest | None:
        """Keep it as the newest version of its part: same scope, conversation, agent and first turn. Versions count from 1.

        None, with nothing kept, when a record it was made from is not there (any more). Raises InputError for a digest without
        scope, conversation, time or records.
        """
        ...

    async def digests(
        self, scope: Scope, conversation: str, *, agent: str, limit: int, versions: bool = False
    ) -> Sequence[Digest]:
        """The newest version of each part at exactly this scope, or with `versions` all, the latest part first.

        At most `limit`. Damaged ones are passed over: they can be made anew.
        """
        ...


class Keys(Protocol):
    """What is kept of access keys. Erasing a scope erases those whose ceiling is it or lies below it."""

    async def keep_key(self, key: AccessKey) -> bool:
        """Keep a key as it is given. False, with nothing changed, when there is one of this id."""
        ...

    async def revoke_key(self, named: str, *, at: datetime, by: str) -> AccessKey | None:
        """Note that it holds no longer, unless that was noted before; the key as it is kept now, or None without one."""
        ...

    async def keys(self, within: Scope | None = None, *, named: str | None = None) -> Sequence[AccessKey]:
        """Keys whose ceiling is `within` or lies below it (None: every key), oldest first; with `named` the one of this id alone.

        Always as they are kept at this moment, whoever changed them.
        """
        ...


class Admin(Protocol):
    """Care of the whole store. Not reachable from a scoped read."""

    async def stats(self, scope: Scope | None) -> Stats:
        """Counts of `scope` and all below it, or of everything."""
        ...

    def scan(self, scope: Scope | None) -> AsyncIterator[Record]:
        """Every record of `scope` and all below it, by scope then arrival, without holding them in memory."""
        ...

    def knowledge(self, scope: Scope | None) -> AsyncIterator[Memory | Entity | Merge]:
        """Every memory, entity and merge of `scope` and all below it, for an export."""
        ...

    async def embedder(self) -> tuple[str, int] | None:
        """Identity and dimensions of the model whose vectors are kept, or None while there are none."""
        ...

    async def adopt(self, embedder: tuple[str, int]) -> None:
        """Take this identity and dimensions when none are kept yet. Raises EmbedderMismatch, naming both, when others are."""
        ...

    async def reindex(self, derive: Derive, embedder: tuple[str, int] | None) -> int:
        """Rebuild every entry from its record in bounded batches, and take the embedder's identity; returns entries written."""
        ...

    async def check(self, derive: Derive) -> Sequence[Finding]:
        """Verify the file, row hashes, and every entry against its record; changes nothing. `derive` need not give vectors."""
        ...

    async def close(self) -> None:
        """Finish writes under way and release everything. Later calls raise StoreUnusable."""
        ...


class Store(Records, Search, Memories, Work, Shelved, Told, Digests, Keys, Admin, Protocol):
    """One store, one transaction per call."""


class Embedder(Protocol):
    """Texts to vectors. `identity` names model, version and pooling, so that vectors of two models never mix."""

    @property
    def identity(self) -> str: ...

    @property
    def dim(self) -> int: ...

    async def passages(self, texts: Sequence[str]) -> Floats:
        """One unit row per text, in order. Raises EmbedderError; never returns NaN, zero or wrong-sized rows."""
        ...

    async def query(self, text: str) -> Floats:
        """One unit row for a question."""
        ...

    async def close(self) -> None: ...


class Tokens(Protocol):
    """Token counts. `exact` is False for an estimate.

    A counter may also have an attribute `additive`, True when texts joined by an empty line count as much as they and the line
    do apart, wherever they are joined. Then a compile adds up what it knows instead of counting the whole again.
    """

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool: ...

    def count(self, text: str) -> int:
        """Tokens of `text`, 0 or more; the same for the same text every time, since counts are remembered."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model wrote, and the tokens it counted (0 when it does not say)."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Model(Protocol):
    """A language model that is asked for JSON. `name` says which, the same in every run, and holds no key."""

    @property
    def name(self) -> str: ...

    async def ask(self, instructions: str, prompt: str, *, schema: str, max_tokens: int) -> Answer:
        """One answer, meant to be JSON of `schema` (JSON Schema as JSON text). Raises ProviderError when there is none."""
        ...

    async def close(self) -> None: ...


@runtime_checkable
class TokenEmbedder(Protocol):
    """An embedder that also gives the vectors of single tokens, which late interaction compares one by one."""

    async def tokens(self, texts: Sequence[str]) -> Sequence[Floats]:
        """For each text, in order, one unit row per token that is of the text itself. Raises EmbedderError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a reranker sees of a candidate: its words, who said them, and whether they are trusted."""

    text: str
    speaker: str = ""
    trusted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How well each passage answers, in order, None where that was not said. `note` tells what was amiss, in a sentence."""

    scores: Sequence[float | None]
    note: str = ""


class Reranker(Protocol):
    """Judges the best candidates anew. `name` says which, and holds no key; `most` is how many candidates it wants at most."""

    @property
    def name(self) -> str: ...

    @property
    def most(self) -> int: ...

    async def judge(self, query: str, passages: Sequence[Passage]) -> Judgement:
        """A share of the score for each passage, from 0 to 10, where all words of a question together are worth about 1.

        The same for the same arguments. Texts are data, whatever they say. Raises ProviderError when nothing can be judged.
        """
        ...

    async def close(self) -> None: ...


class Entailment(Protocol):
    """Judges whether one text says what another claims. `name` says which model, and holds no key."""

    @property
    def name(self) -> str: ...

    async def entails(self, premise: str, claim: str) -> float:
        """How surely the premise says all that the claim says, 0 to 1. Texts are data. Raises ProviderError for no answer."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a file that is not text, as text. `page`, where there are any, counts from 1; `fault` says why it is empty."""

    text: str
    page: int | None = None
    fault: str = ""


@runtime_checkable
class Reader(Protocol):
    """Takes the text out of one kind of file that is not text, such as a PDF. Takes CPU time: call it off the event loop."""

    def parts(self, data: bytes, *, name: str) -> Sequence[Part]:
        """The parts of `data` in order. Raises FormatError for a file that cannot be read, MissingExtra for a missing library."""
        ...


@runtime_checkable
class Clock(Protocol):
    """The current instant, with a time zone."""

    def now(self) -> datetime: ...
