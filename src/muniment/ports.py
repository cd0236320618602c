"""What the rooms ask of the world: small protocols in our own words. Adapters implement them; tests use those in `testing`.

A store is Records, Search and Admin together; each call is one transaction. A call that is cancelled has done all or nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, runtime_checkable

from muniment.shelf import Entry, Floats, Place, Shelf
from muniment.types import Erasure, Filter, Finding, Outcome, Page, Record, RecordId, Scope, Stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """A record and the entries derived from it; `key` is the caller's idempotency key in the record's scope."""

    record: Record
    entries: Sequence[Entry]
    key: str | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Records at the places a ranking chose, in its order; `lost` are places whose row could not be read or fails its hash."""

    records: tuple[Record, ...]
    lost: tuple[Place, ...] = ()


Rank = Callable[[Sequence[Shelf]], Sequence[Place]]
Derive = Callable[[Sequence[Record]], Awaitable[Sequence[Sequence[Entry]]]]


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

    async def erase(self, target: Target, at: datetime) -> Erasure:
        """Remove the target and all derived from it, overwrite the freed bytes, and report."""
        ...


class Search(Protocol):
    """Candidates by scope."""

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """Call `rank` off the loop with the shelves of `scope.lineage` that hold anything, narrowest first, and read its choice.

        One consistent view: ranking and reading see the same moment.
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


class Store(Records, Search, Admin, Protocol):
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


@runtime_checkable
class Clock(Protocol):
    """The current instant, with a time zone."""

    def now(self) -> datetime: ...
