"""The server's ports of what is derived from records and of what stands beside them.

Rule of this file: it says how far each call reaches, sends it down the link, and decides nothing else; what is done there stands
in the files beside it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

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
from muniment.stores import postgres_beside, postgres_digests, postgres_erase, postgres_memories, postgres_settle, postgres_work
from muniment.stores.digest_bodies import placed
from muniment.stores.postgres_link import EVERYWHERE, Link, reach_below, reach_of
from muniment.stores.postgres_wake import Bell
from muniment.stores.rows import Damaged
from muniment.stores.rules import utc
from muniment.types import Erasure, RecordId, Scope


class Linked:
    """A store over a link."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._bell = Bell(link)


class PostgresMemories(Linked):
    """Memories and `knowledge` over a link."""

    async def settle(
        self, scope: Scope, wanted: Wanted, decide: Decide, *, at: datetime, claims: Sequence[Claim] = (), architecture: str = ""
    ) -> Changes:
        """Read what is wanted, call `decide` on a thread, and write: one transaction. What it raises undoes all."""
        utc(at, "at")
        settle = partial(
            postgres_settle.settle, scope=scope, wanted=wanted, decide=decide, claims=claims, architecture=architecture
        )
        return await self._link.write(reach_of(scope.lineage), partial(settle, link=self._link))

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        """Memories of exactly this scope, or of its lineage, latest recorded first."""
        page = partial(
            postgres_memories.memories, scope=scope, where=where, limit=limit, now=now, before=before, inherited=inherited
        )
        return await self._link.read(reach_of(scope.lineage if inherited else [scope]), page)

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """Memories with these ids in `scope` or its ancestors, in the order asked, of any status."""
        return await self._link.read(reach_of(scope.lineage), partial(postgres_memories.memory, scope=scope, ids=ids))

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        """The memories, of any status, that these records of `scope` or its ancestors prove."""
        return await self._link.read(reach_of(scope.lineage), partial(postgres_memories.proved_by, scope=scope, records=records))

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        """Entities of exactly this scope, latest seen first; with `keys` or `ids` those alone, merged ones included."""
        page = partial(postgres_memories.entities, scope=scope, keys=keys, ids=ids, limit=limit, before=before)
        return await self._link.read(reach_of([scope]), page)

    async def merges(self, scope: Scope, *, decided: bool | None = None) -> Sequence[Merge]:
        """Merges and pairs to look at, latest first."""
        return await self._link.read(reach_of([scope]), partial(postgres_memories.merges, scope=scope, decided=decided))

    async def recalled(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
        """Count that these were served. Unknown ids are passed over."""
        if ids:
            await self._link.write(reach_of(scope.lineage), partial(postgres_memories.recalled, scope=scope, ids=ids, at=at))

    async def purge(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Erasure:
        """Remove memories that are not held. The server keeps the bytes of freed rows: see the receipt."""
        erased = await self._link.write(reach_of([scope]), partial(postgres_erase.purge, scope=scope, ids=ids, at=at))
        return postgres_erase.receipt(erased, at)

    async def knowledge(self, scope: Scope | None) -> AsyncIterator[Memory | Entity | Merge]:
        """Every memory, entity and merge of `scope` and all below it, in batches that each see one moment.

        Damaged ones are passed over until the end; then StoreUnusable names them.
        """
        position: tuple[int, int, int] | None = postgres_memories.START
        lost: list[str] = []
        while position is not None:
            stretch = partial(postgres_memories.stretch, scope=scope, position=position)
            rows, position = await self._link.read(reach_below(scope), stretch)
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


class PostgresTold(Linked):
    """What was told of recall, over a link."""

    async def add_feedback(self, told: Sequence[Feedback]) -> None:
        """Add these counts up, by scope and record."""
        reach = reach_of(one.scope for one in told)
        await self._link.write(reach, partial(postgres_beside.add_feedback, told=told))

    async def feedback(self, within: Scope | None = None) -> Sequence[Feedback]:
        """What is kept of this scope and below."""
        return await self._link.read(EVERYWHERE, partial(postgres_beside.feedback, within=within))

    async def feedback_on(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]:
        """What is kept of exactly this scope and these records."""
        return await self._link.read(reach_of([scope]), partial(postgres_beside.feedback_on, scope=scope, records=records))


class PostgresDigests(Linked):
    """Digests over a link."""

    async def keep_digest(self, digest: Digest) -> Digest | None:
        """Keep it as the newest version of its part, if all its records are here."""
        reach = reach_of([placed(digest)[0]])
        return await self._link.write(reach, partial(postgres_digests.keep, digest=digest))

    async def digests(
        self, scope: Scope, conversation: str, *, agent: str, limit: int, versions: bool = False
    ) -> Sequence[Digest]:
        """The newest version of each part, or with `versions` all, the latest part first."""
        part = partial(postgres_digests.digests, scope=scope, conversation=conversation, agent=agent)
        return await self._link.read(reach_of([scope]), partial(part, limit=limit, versions=versions))


class PostgresWork(Linked):
    """Work, Shelved and Keys over a link."""

    async def claim(self, *, now: datetime, lease: timedelta, limit: int) -> Sequence[Claim]:
        """Take up to `limit` records of one scope, the longest waiting first."""
        return await self._link.write(EVERYWHERE, partial(postgres_work.claim, now=now, lease=lease, limit=limit))

    async def fail(self, claims: Sequence[Claim], reason: str, *, now: datetime, retry_at: datetime | None) -> int:
        """Give claims back, to be tried again or parked; returns how many were still held."""
        fail = partial(postgres_work.fail, claims=claims, reason=reason, now=now, retry_at=retry_at)
        return await self._link.write(reach_of(claim.scope for claim in claims), fail)

    async def work(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]:
        """The state of these records' enrichment, in the order asked; those without any are left out."""
        return await self._link.read(reach_of(scope.lineage), partial(postgres_work.work, scope=scope, records=records))

    async def requeue(self, scope: Scope, *, now: datetime, parked: bool = False) -> int:
        """Queue every record of `scope` and all below it again, or the parked ones only; returns how many."""
        queued = await self._link.write(reach_below(scope), partial(postgres_work.requeue, scope=scope, now=now, parked=parked))
        if queued:
            await self._bell.ring()
        return queued

    async def woken(self, seconds: float) -> bool:
        """Wait until some process has queued work since the last call, for so many seconds at most."""
        return await self._bell.hear(seconds)

    async def deafen(self) -> None:
        """Let whoever waits for work go."""
        with suppress(StoreUnusable):  # closed before
            await self._bell.close()

    async def backlog(self) -> Backlog:
        """How much is open in the whole store."""
        return await self._link.read(EVERYWHERE, postgres_work.backlog)

    async def refused(self, scope: Scope) -> Mapping[tuple[str, str], int]:
        """How often what was refused in `scope` and all below it, by (kind, reason)."""
        return await self._link.read(reach_below(scope), partial(postgres_work.refused, scope=scope))

    async def apply_architecture(self, applied: AppliedArchitecture) -> AppliedArchitecture:
        """Keep it as the agent's newest version."""
        return await self._link.write(EVERYWHERE, partial(postgres_beside.apply, applied=applied))

    async def architectures(self, agent: str, client: str | None = None) -> Sequence[AppliedArchitecture]:
        """All versions of an agent's architecture, newest first: the client's own where there are any, else those of all."""
        return await self._link.read(EVERYWHERE, partial(postgres_beside.architectures, agent=agent, client=client))

    async def applied(self) -> Sequence[AppliedArchitecture]:
        """Every version of every architecture, oldest first within one agent of one client."""
        return await self._link.read(EVERYWHERE, postgres_beside.applied)

    async def secret(self) -> bytes:
        """The key of the tokens that stand for sealed values; it stays in the database."""
        return await self._link.read(EVERYWHERE, postgres_beside.secret)

    async def reveal(self, scope: Scope, tokens: Sequence[str]) -> Sequence[Sealed]:
        """The sealed values of these tokens in `scope` or its ancestors."""
        return await self._link.read(reach_of(scope.lineage), partial(postgres_beside.reveal, scope=scope, tokens=tokens))

    async def blob(self, scope: Scope, digest: str) -> Blob | None:
        """The blob that a record of `scope` or its ancestors refers to, or None."""
        return await self._link.read(reach_of(scope.lineage), partial(postgres_beside.blob, scope=scope, digest=digest))

    async def keep_sharing(self, change: SharingChange) -> bool:
        """Keep a change of how far a scope shares, once."""
        return await self._link.write(EVERYWHERE, partial(postgres_beside.keep_sharing, change=change))

    async def sharing(self, within: Scope | None = None) -> Sequence[SharingChange]:
        """Every change of this scope and below, oldest first, read from the server each time."""
        return await self._link.read(EVERYWHERE, partial(postgres_beside.sharing, within=within))

    async def keep_key(self, key: AccessKey) -> bool:
        """Keep a key as it is given, unless there is one of this id."""
        return await self._link.write(EVERYWHERE, partial(postgres_beside.keep_key, key=key))

    async def revoke_key(self, named: str, *, at: datetime, by: str) -> AccessKey | None:
        """Note that it holds no longer, and give it as it is kept now."""
        return await self._link.write(EVERYWHERE, partial(postgres_beside.revoke_key, named=named, at=at, by=by))

    async def keys(self, within: Scope | None = None, *, named: str | None = None) -> Sequence[AccessKey]:
        """Keys whose ceiling is `within` or lies below it, oldest first, read from the server each time."""
        return await self._link.read(EVERYWHERE, partial(postgres_beside.keys, within=within, named=named))
