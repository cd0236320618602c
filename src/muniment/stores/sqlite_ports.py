"""The file store's ports of what is derived from records and of what stands beside them.

Rule of this file: it sends each call down one lane and decides nothing else; what is done there stands in the files beside it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import apsw

from muniment.errors import StoreUnusable
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
from muniment.ports import Decide
from muniment.stores import sqlite_beside, sqlite_digests, sqlite_forget, sqlite_keys, sqlite_memories, sqlite_settle, sqlite_work
from muniment.stores.rules import utc
from muniment.stores.sqlite_erase import Erased, receipt
from muniment.stores.sqlite_rows import Damaged
from muniment.types import Erasure, RecordId, Scope

T = TypeVar("T")


class Lanes:
    """What the store does with a call: read beside others, write alone, and empty the log."""

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        raise NotImplementedError

    async def _write(self, work: Callable[[apsw.Connection], T], *, alone: bool = False) -> T:
        raise NotImplementedError

    async def _settle(self) -> bool:
        raise NotImplementedError


class SqliteMemories(Lanes):
    """Memories and `knowledge` over the lanes of a file."""

    async def settle(
        self, scope: Scope, wanted: Wanted, decide: Decide, *, at: datetime, claims: Sequence[Claim] = (), architecture: str = ""
    ) -> Changes:
        """Read what is wanted, call `decide` on the writer's thread, and write: one transaction. What it raises undoes all."""
        utc(at, "at")
        work = partial(sqlite_settle.settle, scope=scope, wanted=wanted, decide=decide, claims=claims, architecture=architecture)
        return await self._write(work)

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        """Memories of exactly this scope, or of its lineage, latest recorded first."""
        page = partial(
            sqlite_memories.memories, scope=scope, where=where, limit=limit, now=now, before=before, inherited=inherited
        )
        return await self._read(page)

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """Memories with these ids in `scope` or its ancestors, in the order asked, of any status."""
        return await self._read(partial(sqlite_memories.memory, scope=scope, ids=ids))

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        """The memories, of any status, that these records of `scope` or its ancestors prove."""
        return await self._read(partial(sqlite_memories.proved_by, scope=scope, records=records))

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        """Entities of exactly this scope, latest seen first; with `keys` or `ids` those alone, merged ones included."""
        page = partial(sqlite_memories.entities, scope=scope, keys=keys, ids=ids, limit=limit, before=before)
        return await self._read(page)

    async def merges(self, scope: Scope, *, decided: bool | None = None) -> Sequence[Merge]:
        """Merges and pairs to look at, latest first."""
        return await self._read(partial(sqlite_memories.merges, scope=scope, decided=decided))

    async def recalled(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
        """Count that these were served. Unknown ids are passed over."""
        if ids:
            await self._write(partial(sqlite_memories.recalled, scope=scope, ids=ids, at=at))

    async def purge(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Erasure:
        """Remove memories that are not held for good, then empty the log so that no byte of them is left in any file."""
        removed = await self._write(partial(sqlite_forget.purge, scope=scope, ids=ids, at=utc(at, "at")), alone=True)
        erased = Erased(removed=removed, scopes={0: scope} if removed["memory"] else {})
        return receipt(erased, at, await self._settle() if removed["memory"] else True)

    async def knowledge(self, scope: Scope | None) -> AsyncIterator[Memory | Entity | Merge]:
        """Every memory, entity and merge of `scope` and all below it, in batches that each see one moment.

        Damaged ones are passed over until the end; then StoreUnusable names them.
        """
        position: tuple[int, int, int] | None = sqlite_memories.START
        lost: list[str] = []
        while position is not None:
            rows, position = await self._read(partial(sqlite_memories.stream, scope=scope, position=position))
            for row in rows:
                if isinstance(row, Damaged):
                    lost.append(f"{row.scope} #{row.seq}")
                else:
                    yield row
        if lost:
            raise StoreUnusable(
                f"{len(lost)} memories or entities are damaged and were left out: {'; '.join(lost[:10])}.",
                code="memory_damaged",
                hint="All others were given. Run the doctor.",
            )


class SqliteDigests(Lanes):
    """Digests over a reader's and the writer's threads."""

    async def keep_digest(self, digest: Digest) -> Digest | None:
        """Keep it as the newest version of its part, if all its records are here."""
        return await self._write(partial(sqlite_digests.keep, digest=digest))

    async def digests(
        self, scope: Scope, conversation: str, *, agent: str, limit: int, versions: bool = False
    ) -> Sequence[Digest]:
        """The newest version of each part, or with `versions` all, the latest part first."""
        asked = partial(
            sqlite_digests.digests, scope=scope, conversation=conversation, agent=agent, limit=limit, versions=versions
        )
        return await self._read(asked)


class SqliteWork(Lanes):
    """Work and Shelved over the lanes of a file."""

    async def claim(self, *, now: datetime, lease: timedelta, limit: int) -> Sequence[Claim]:
        """Take up to `limit` records of one scope, the longest waiting first."""
        return await self._write(partial(sqlite_work.claim, now=now, lease=lease, limit=limit))

    async def fail(self, claims: Sequence[Claim], reason: str, *, now: datetime, retry_at: datetime | None) -> int:
        """Give claims back, to be tried again or parked; returns how many were still held."""
        return await self._write(partial(sqlite_work.fail, claims=claims, reason=reason, now=now, retry_at=retry_at))

    async def work(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]:
        """The state of these records' enrichment, in the order asked; those without any are left out."""
        return await self._read(partial(sqlite_work.work, scope=scope, records=records))

    async def requeue(self, scope: Scope, *, now: datetime, parked: bool = False) -> int:
        """Queue every record of `scope` and all below it again, or the parked ones only; returns how many."""
        return await self._write(partial(sqlite_work.requeue, scope=scope, now=now, parked=parked))

    async def backlog(self) -> Backlog:
        """How much is open in the whole store."""
        return await self._read(sqlite_work.backlog)

    async def refused(self, scope: Scope) -> Mapping[tuple[str, str], int]:
        """How often what was refused in `scope` and all below it, by (kind, reason)."""
        return await self._read(partial(sqlite_work.refused, scope=scope))

    async def apply_architecture(self, applied: AppliedArchitecture) -> AppliedArchitecture:
        """Keep it as the agent's newest version."""
        return await self._write(partial(sqlite_beside.apply, applied=applied))

    async def architectures(self, agent: str, client: str | None = None) -> Sequence[AppliedArchitecture]:
        """All versions of an agent's architecture, newest first: the client's own where there are any, else those of all."""
        return await self._read(partial(sqlite_beside.architectures, agent=agent, client=client))

    async def applied(self) -> Sequence[AppliedArchitecture]:
        """Every version of every architecture, oldest first within one agent of one client."""
        return await self._read(sqlite_beside.applied)

    async def secret(self) -> bytes:
        """The key of the tokens that stand for sealed values; it stays in the file."""
        return await self._read(sqlite_beside.secret)

    async def reveal(self, scope: Scope, tokens: Sequence[str]) -> Sequence[Sealed]:
        """The sealed values of these tokens in `scope` or its ancestors."""
        return await self._read(partial(sqlite_beside.reveal, scope=scope, tokens=tokens))

    async def blob(self, scope: Scope, digest: str) -> Blob | None:
        """The blob that a record of `scope` or its ancestors refers to, or None."""
        return await self._read(partial(sqlite_beside.blob, scope=scope, digest=digest))

    async def keep_sharing(self, change: SharingChange) -> bool:
        """Keep a change of how far a scope shares, once."""
        return await self._write(partial(sqlite_keys.keep_sharing, change=replace(change, at=utc(change.at, "at"))))

    async def sharing(self, within: Scope | None = None) -> Sequence[SharingChange]:
        """Every change of this scope and below, oldest first, read from the file each time."""
        return await self._read(partial(sqlite_keys.sharing, within=within))


class SqliteTold(Lanes):
    """What was told of recall, over the lanes of a file."""

    async def add_feedback(self, told: Sequence[Feedback]) -> None:
        """Add these counts up, by scope and record."""
        await self._write(partial(sqlite_keys.add_feedback, told=[replace(one, at=utc(one.at, "at")) for one in told]))

    async def feedback(self, within: Scope | None = None) -> Sequence[Feedback]:
        """What is kept of this scope and below."""
        return await self._read(partial(sqlite_keys.feedback, within=within))

    async def feedback_on(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]:
        """What is kept of exactly this scope and these records."""
        return await self._read(partial(sqlite_keys.feedback_on, scope=scope, records=records))


class SqliteKeys(Lanes):
    """Keys over the lanes of a file."""

    async def keep_key(self, key: AccessKey) -> bool:
        """Keep a key as it is given, unless there is one of this id."""
        return await self._write(partial(sqlite_keys.keep, key=key))

    async def revoke_key(self, named: str, *, at: datetime, by: str) -> AccessKey | None:
        """Note that it holds no longer, and give it as it is kept now."""
        return await self._write(partial(sqlite_keys.revoke, named=named, at=utc(at, "at"), by=by))

    async def keys(self, within: Scope | None = None, *, named: str | None = None) -> Sequence[AccessKey]:
        """Keys whose ceiling is `within` or lies below it, oldest first, read from the file each time."""
        return await self._read(partial(sqlite_keys.keys, within=within, named=named))
