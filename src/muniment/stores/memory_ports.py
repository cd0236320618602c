"""The ports of what is derived from records, and of what stands beside them, of a store in memory.

Rule of this file: who may see which scope is decided here, and what a scope holds in the file beside this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from heapq import nsmallest
from typing import Protocol, TypeVar

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
    WorkState,
)
from muniment.ports import Decide
from muniment.stores.memory_knowledge import Knowledge, lend
from muniment.stores.rules import EPOCH, utc
from muniment.stores.rules_knowledge import (
    Before,
    entity_page,
    latest_first,
    latest_seen_first,
    memory_page,
    named_only,
    oldest_first,
    order_of,
    passes,
    position,
    position_of,
    proofs,
    records_in,
    seen_from,
    split_claims,
)
from muniment.types import Erasure, Record, RecordId, Scope

T = TypeVar("T")
PartOf = tuple[Scope, str, str, int]
"""A part of a conversation: its scope, its name, whose digests, and its first turn."""


class Holding(Protocol):
    """One scope: its number, its records, and what is derived from them."""

    scope: Scope
    no: int
    knowledge: Knowledge

    def record(self, name: RecordId) -> Record | None:
        """The record of this id, if it is here."""
        ...

    def names(self) -> Sequence[RecordId]:
        """The ids of all its records, in order of arrival."""
        ...


class Holdings(Protocol):
    """All scopes that hold anything."""

    secret: bytes
    shared: Shared

    def lineage(self, scope: Scope) -> Sequence[Holding]:
        """`scope` and its ancestors, narrowest first."""
        ...

    def covered(self, scope: Scope | None) -> Sequence[Holding]:
        """`scope` and all below it, in the order they began to hold something."""
        ...


@dataclass(slots=True)
class Shared:
    """What belongs to no scope: the last fence, the scope claimed last, architectures by client and agent, keys by id."""

    fence: int = 0
    turn: int = 0
    architectures: dict[tuple[str | None, str], list[AppliedArchitecture]] = field(default_factory=dict)
    keys: dict[str, AccessKey] = field(default_factory=dict)
    sharing: dict[SharingChange, None] = field(default_factory=dict)
    feedback: dict[tuple[Scope, RecordId], Feedback] = field(default_factory=dict)
    digests: dict[PartOf, list[Digest]] = field(default_factory=dict)

    def drop_digests(self, scope: Scope, records: Collection[RecordId]) -> int:
        """Remove every digest of exactly this scope that was made from one of these records; returns how many versions went."""
        before = {part: kept for part, kept in self.digests.items() if part[0] == scope}
        left = {part: [one for one in kept if not any(name in records for name in one.records)] for part, kept in before.items()}
        self.digests = {part: kept for part, kept in (self.digests | left).items() if kept}
        return sum(len(kept) - len(left[part]) for part, kept in before.items())


class Asked:
    """What the store does with a call: one at a time."""

    async def _ask(self, work: Callable[[Holdings], T]) -> T:
        raise NotImplementedError


class MemoriesInMemory(Asked):
    """Memories and `knowledge` in plain dictionaries."""

    async def settle(
        self, scope: Scope, wanted: Wanted, decide: Decide, *, at: datetime, claims: Sequence[Claim] = (), architecture: str = ""
    ) -> Changes:
        """Read what is wanted, call `decide` on a thread, and write: nobody else is served meanwhile."""
        utc(at, "at")
        return await self._ask(
            partial(_settle, scope=scope, wanted=wanted, decide=decide, claims=claims, architecture=architecture)
        )

    async def memories(
        self, scope: Scope, where: MemoryFilter, *, limit: int, now: datetime, before: str | None = None, inherited: bool = False
    ) -> MemoryPage:
        """Memories of exactly this scope, or of its lineage, latest recorded first."""
        page = partial(_memories, scope=scope, where=where, limit=limit, now=now, before=before, inherited=inherited)
        return await self._ask(page)

    async def memory(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """Memories with these ids in `scope` or its ancestors, in the order asked, of any status."""
        return await self._ask(
            lambda rows: [lend(memory) for memory in seen_from(scope, [one for _, one in _find(rows, scope, ids)])]
        )

    async def proved_by(self, scope: Scope, records: Sequence[RecordId]) -> Mapping[RecordId, Sequence[Memory]]:
        """The memories, of any status, that these records of `scope` or its ancestors prove."""
        return await self._ask(partial(_proved_by, scope=scope, records=records))

    async def entities(
        self, scope: Scope, *, keys: Sequence[str] | None = None, ids: Sequence[str] = (), limit: int, before: str | None = None
    ) -> EntityPage:
        """Entities of exactly this scope, latest seen first; with `keys` or `ids` those alone, merged ones included."""
        return await self._ask(partial(_entities, scope=scope, keys=keys, ids=ids, limit=limit, before=before))

    async def merges(self, scope: Scope, *, decided: bool | None = None) -> Sequence[Merge]:
        """Merges and pairs to look at, latest first."""
        return await self._ask(partial(_merges, scope=scope, decided=decided))

    async def recalled(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
        """Count that these were served. Unknown ids are passed over."""
        await self._ask(partial(_recalled, scope=scope, ids=ids, at=at))

    async def purge(self, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Erasure:
        """Remove memories that are not held for good. Their records stay."""
        return await self._ask(partial(_purge, scope=scope, ids=ids, at=at))

    async def knowledge(self, scope: Scope | None) -> AsyncIterator[Memory | Entity | Merge]:
        """Every memory, entity and merge of `scope` and all below it, scope by scope."""
        for holding in await self._ask(lambda rows: list(rows.covered(scope))):
            for one in await self._ask(lambda _, kept=holding.knowledge: _all(kept)):  # type: ignore[misc]  # bound at once
                yield one


class WorkInMemory(Asked):
    """Work and Shelved in plain dictionaries."""

    async def claim(self, *, now: datetime, lease: timedelta, limit: int) -> Sequence[Claim]:
        """Take up to `limit` records of one scope, its longest waiting first; scopes take turns."""
        return await self._ask(partial(_claim, now=now, lease=lease, limit=limit))

    async def fail(self, claims: Sequence[Claim], reason: str, *, now: datetime, retry_at: datetime | None) -> int:
        """Give claims back, to be tried again or parked; returns how many were still held."""
        return await self._ask(partial(_fail, claims=claims, reason=reason, now=now, retry_at=retry_at))

    async def work(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]:
        """The state of these records' enrichment, in the order asked; those without any are left out."""
        return await self._ask(partial(_work, scope=scope, records=records))

    async def requeue(self, scope: Scope, *, now: datetime, parked: bool = False) -> int:
        """Queue every record of `scope` and all below it again, or the parked ones only; returns how many."""
        return await self._ask(partial(_requeue, scope=scope, now=now, parked=parked))

    async def backlog(self) -> Backlog:
        """How much is open in the whole store."""
        return await self._ask(_backlog)

    async def refused(self, scope: Scope) -> Mapping[tuple[str, str], int]:
        """How often what was refused in `scope` and all below it, by (kind, reason)."""
        return await self._ask(partial(_refused, scope=scope))

    async def apply_architecture(self, applied: AppliedArchitecture) -> AppliedArchitecture:
        """Keep it as the agent's newest version."""
        return await self._ask(partial(_apply, applied=applied))

    async def architectures(self, agent: str, client: str | None = None) -> Sequence[AppliedArchitecture]:
        """All versions of an agent's architecture, newest first: the client's own where there are any, else those of all."""
        return await self._ask(
            lambda rows: next(
                (list(reversed(kept)) for one in (client, None) if (kept := rows.shared.architectures.get((one or None, agent)))),
                [],
            )
        )

    async def applied(self) -> Sequence[AppliedArchitecture]:
        """Every version of every architecture, oldest first within one agent of one client."""
        return await self._ask(lambda rows: [one for _, kept in _by_owner(rows) for one in kept])

    async def secret(self) -> bytes:
        """The key of the tokens that stand for sealed values; gone with the store."""
        return await self._ask(lambda rows: rows.secret)

    async def reveal(self, scope: Scope, tokens: Sequence[str]) -> Sequence[Sealed]:
        """The sealed values of these tokens in `scope` or its ancestors."""
        return await self._ask(partial(_reveal, scope=scope, tokens=tokens))

    async def blob(self, scope: Scope, digest: str) -> Blob | None:
        """The blob that a record of `scope` or its ancestors refers to, or None."""
        return await self._ask(
            lambda rows: next((blob for h in rows.lineage(scope) if (blob := h.knowledge.blob(digest)) is not None), None)
        )

    async def keep_sharing(self, change: SharingChange) -> bool:
        """Keep a change of how far a scope shares, once."""
        return await self._ask(partial(_keep_sharing, change=replace(change, at=utc(change.at, "at"))))

    async def sharing(self, within: Scope | None = None) -> Sequence[SharingChange]:
        """Every change of this scope and below, oldest first."""
        return await self._ask(
            lambda rows: sorted(
                (one for one in rows.shared.sharing if within is None or within.covers(one.scope)), key=lambda one: one.at
            )
        )


class ToldInMemory(Asked):
    """What was told of recall, in memory."""

    async def add_feedback(self, told: Sequence[Feedback]) -> None:
        """Add these counts up, by scope and record."""
        await self._ask(partial(_add_feedback, told=[replace(one, at=utc(one.at, "at")) for one in told]))

    async def feedback(self, within: Scope | None = None) -> Sequence[Feedback]:
        """What is kept of this scope and below."""
        return await self._ask(
            lambda rows: sorted(
                (one for one in rows.shared.feedback.values() if within is None or within.covers(one.scope)), key=_told_place
            )
        )

    async def feedback_on(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]:
        """What is kept of exactly this scope and these records."""
        return await self._ask(
            lambda rows: [rows.shared.feedback[scope, one] for one in sorted({*records}) if (scope, one) in rows.shared.feedback]
        )


class KeysInMemory(Asked):
    """Keys in a plain dictionary."""

    async def keep_key(self, key: AccessKey) -> bool:
        """Keep a key as it is given, unless there is one of this id."""
        return await self._ask(lambda rows: rows.shared.keys.setdefault(key.credential.id, key) is key)

    async def revoke_key(self, named: str, *, at: datetime, by: str) -> AccessKey | None:
        """Note that it holds no longer, and give it as it is kept now."""
        return await self._ask(partial(_revoke, named=named, at=utc(at, "at"), by=by))

    async def keys(self, within: Scope | None = None, *, named: str | None = None) -> Sequence[AccessKey]:
        """Keys whose ceiling is `within` or lies below it, oldest first."""
        return await self._ask(partial(_keys, within=within, named=named))


def _settle(
    rows: Holdings, *, scope: Scope, wanted: Wanted, decide: Decide, claims: Sequence[Claim], architecture: str
) -> Changes:
    here = _exactly(rows, scope)
    live, stale = split_claims(claims, lambda claim: here is not None and here.knowledge.holds(claim))
    if claims and not live:
        return Changes()
    above = [holding.knowledge for holding in rows.lineage(scope) if holding.scope != scope]
    shared = [named_only(entity) for one in above for entity in latest_seen_first(one.named(wanted.keys))]
    if here is None:
        decide(Known(shared=tuple(shared), live=live))
        return Changes()
    kept = here.knowledge
    known = Known(
        memories=tuple(lend(memory) for memory in latest_first(kept.known(wanted))),
        entities=latest_seen_first(kept.named(wanted.keys, wanted.entities)),
        shared=tuple(shared),
        live=live,
    )
    changes = decide(known)
    before = Before(
        scope=scope,
        memories=kept.memories,
        entities=kept.entities,
        records={name for name in records_in(changes) if here.record(name)},
        stale=stale,
        live=live,
        names=lambda name: name in kept.entities,
    )
    written = kept.write(changes, before)
    for record in live:
        task = kept.work[record]
        reason = written.partial.get(record)
        done = replace(
            task,
            state=WorkState.COMPLETED if reason is None else WorkState.PARTIAL,
            due=None,
            failed_at=None,
            reason=reason or "",
            architecture=architecture,
            outcomes=written.outcomes.get(record, ()),
        )
        kept.task(record, done)
    return written


def _memories(
    rows: Holdings,
    *,
    scope: Scope,
    where: MemoryFilter,
    limit: int,
    now: datetime,
    before: str | None,
    inherited: bool,
) -> MemoryPage:
    after = position(before)
    moment = utc(now, "now")
    asked = list(scope.lineage) if inherited else [scope]
    found = []
    for holding in rows.lineage(scope):
        if holding.scope in asked:
            depth = asked.index(holding.scope)
            for memory in _narrowed(holding.knowledge, where):
                place = order_of(memory, depth)
                if (after is None or place[:2] < after.bound(depth)) and passes(memory, where, moment):
                    found.append((place, memory))
    found.sort(key=lambda one: one[0], reverse=True)
    page = memory_page(found, limit)
    return replace(page, memories=tuple(map(lend, page)))


def _narrowed(kept: Knowledge, where: MemoryFilter) -> Sequence[Memory]:
    if where.record is not None:
        return kept.proved_by(where.record)
    if where.entity is not None:
        return [kept.memories[MemoryId(name)] for name in kept.lookup.find("tie", where.entity)]
    return list(kept.memories.values())


def _proved_by(rows: Holdings, *, scope: Scope, records: Sequence[RecordId]) -> dict[RecordId, Sequence[Memory]]:
    found: dict[RecordId, Sequence[Memory]] = {}
    for holding in rows.lineage(scope):
        for record in records:
            if record not in found and (mine := holding.knowledge.proved_by(record)):
                found[record] = [lend(memory) for memory in seen_from(scope, mine)]
    return found


def _entities(
    rows: Holdings, *, scope: Scope, keys: Sequence[str] | None, ids: Sequence[str], limit: int, before: str | None
) -> EntityPage:
    after = position(before)
    here = _exactly(rows, scope)
    if here is None:
        return EntityPage(entities=())
    kept = here.knowledge
    every = keys is None and not ids
    named = [one for one in kept.entities.values() if one.merged_into is None] if every else kept.named(keys or (), ids)
    found = [one for one in latest_seen_first(named) if after is None or position_of(one) < after]
    return entity_page(found, limit)


def _merges(rows: Holdings, *, scope: Scope, decided: bool | None) -> list[Merge]:
    here = _exactly(rows, scope)
    kept = list(here.knowledge.merges.values())[::-1] if here else []
    kept.sort(key=lambda merge: merge.at, reverse=True)
    return [replace(one, why=dict(one.why)) for one in kept if decided is None or one.decided is decided]


def _recalled(rows: Holdings, *, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
    for kept, memory in _find(rows, scope, list(dict.fromkeys(ids))):
        kept.keep(replace(memory, recalled=memory.recalled + 1, recalled_at=utc(at, "at")))


def _purge(rows: Holdings, *, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> Erasure:
    utc(at, "at")
    here = _exactly(rows, scope)
    removed = Counter({"memory": 0, "evidence": 0, "digest": 0})
    if here is not None:
        kept = here.knowledge
        names = [name for name in dict.fromkeys(ids) if name in kept.memories and not kept.memories[name].held]
        told = {record for name in names for record in proofs(kept.memories[name])}
        gone = kept.drop(names)
        removed.update({table: gone[table] for table in ("memory", "evidence")})
        removed["digest"] = rows.shared.drop_digests(scope, told)  # whose claims may be in their words
    scopes = (scope,) if removed["memory"] else ()
    return Erasure(scopes=scopes, records=0, removed=dict(removed), at=at, clean=True)


def _claim(rows: Holdings, *, now: datetime, lease: timedelta, limit: int) -> list[Claim]:
    moment = utc(now, "now")
    every = sorted(rows.covered(None), key=lambda holding: (holding.no <= rows.shared.turn, holding.no))
    here, waiting = next(((one, turns) for one in every if (turns := _turns(one, moment))), (None, []))
    if here is None or limit < 1:
        return []
    kept, rows.shared.turn = here.knowledge, here.no
    rows.shared.fence += 1
    claims = []
    for _, _, record in nsmallest(limit, waiting):
        task = kept.work[record]
        taken = replace(
            task,
            state=WorkState.PROCESSING,
            due=utc(now + lease, "lease"),
            attempts=task.attempts + 1,
            fence=rows.shared.fence,
        )
        kept.task(record, taken)
        claims.append(Claim(scope=kept.scope, record=record, fence=taken.fence, attempts=taken.attempts))
    return claims


def _turns(holding: Holding, now: datetime) -> list[tuple[datetime, int, RecordId]]:
    """Those whose turn it is, by how long they wait; none while somebody is at this scope."""
    kept = holding.knowledge
    if any(kept.work[name].under_way(now) for name in kept.open):
        return []
    found = [(kept.work[name], holding.record(name)) for name in kept.open]
    return [(task.since, record.seq, record.id) for task, record in found if record is not None and task.claimable(now)]


def _fail(rows: Holdings, *, claims: Sequence[Claim], reason: str, now: datetime, retry_at: datetime | None) -> int:
    given = 0
    for claim in claims:
        here = _exactly(rows, claim.scope)
        if here is not None and here.knowledge.holds(claim):
            task = here.knowledge.work[claim.record]
            state = WorkState.FAILED if retry_at is None else WorkState.QUEUED
            due = None if retry_at is None else utc(retry_at, "retry_at")
            here.knowledge.task(claim.record, replace(task, state=state, due=due, failed_at=utc(now, "now"), reason=reason))
            given += 1
    return given


def _work(rows: Holdings, *, scope: Scope, records: Sequence[RecordId]) -> list[WorkItem]:
    items = []
    for name in records:
        here = next((holding for holding in rows.lineage(scope) if holding.record(name)), None)
        if here is not None and name in here.knowledge.work:
            items.append(here.knowledge.item(name))
    return items


def _requeue(rows: Holdings, *, scope: Scope, now: datetime, parked: bool) -> int:
    moment = utc(now, "now")
    queued = 0
    for holding in rows.covered(scope):
        kept = holding.knowledge
        parked_now = [name for name, task in kept.work.items() if task.state is WorkState.FAILED]
        for name in parked_now if parked else holding.names():
            kept.again(name, moment)
            queued += 1
    return queued


def _backlog(rows: Holdings) -> Backlog:
    every = [holding.knowledge.work[name] for holding in rows.covered(None) for name in holding.knowledge.open]
    states = Counter(task.state for task in every)
    failed = [task for task in every if task.failed_at is not None]
    last = max(failed, key=lambda task: task.failed_at or EPOCH, default=None)
    return Backlog(
        queued=states[WorkState.QUEUED],
        processing=states[WorkState.PROCESSING],
        parked=states[WorkState.FAILED],
        oldest=min((task.since for task in every if task.state is not WorkState.FAILED), default=None),
        last_error=last.reason if last else "",
    )


def _refused(rows: Holdings, *, scope: Scope) -> dict[tuple[str, str], int]:
    counts: Counter[tuple[str, str]] = Counter()
    for holding in rows.covered(scope):
        for refused in holding.knowledge.refusals.values():
            counts.update(refused)
    return dict(counts)


def _apply(rows: Holdings, *, applied: AppliedArchitecture) -> AppliedArchitecture:
    kept = rows.shared.architectures.setdefault((applied.client or None, applied.agent), [])
    kept.append(replace(applied, version=len(kept) + 1, at=utc(applied.at, "at")))
    return kept[-1]


def _by_owner(rows: Holdings) -> list[tuple[tuple[str | None, str], list[AppliedArchitecture]]]:
    return sorted(rows.shared.architectures.items(), key=lambda one: (one[0][0] or "", one[0][1]))


def _reveal(rows: Holdings, *, scope: Scope, tokens: Sequence[str]) -> list[Sealed]:
    kept = [
        sealed for holding in rows.lineage(scope) for name in holding.names() if (sealed := holding.knowledge.sealed.get(name))
    ]
    found = (next((one[token] for one in kept if token in one), None) for token in dict.fromkeys(tokens))
    return [one for one in found if one is not None]


def _all(kept: Knowledge) -> list[Memory | Entity | Merge]:
    memories = [lend(memory) for memory in kept.memories.values()]
    return [*memories, *kept.entities.values(), *kept.merges.values()]


def _exactly(rows: Holdings, scope: Scope) -> Holding | None:
    return next((holding for holding in rows.lineage(scope) if holding.scope == scope), None)


def _find(rows: Holdings, scope: Scope, ids: Sequence[MemoryId]) -> list[tuple[Knowledge, Memory]]:
    """These memories of the lineage, in the order asked, the narrowest scope's first."""
    found = []
    for name in ids:
        here = next((holding.knowledge for holding in rows.lineage(scope) if name in holding.knowledge.memories), None)
        if here is not None:
            found.append((here, here.memories[name]))
    return found


def _told_place(one: Feedback) -> tuple[str, str, str, str]:
    rungs = dict(one.scope.rungs)
    return rungs.get("client", ""), rungs.get("customer", ""), rungs.get("user", ""), one.record


def _add_feedback(rows: Holdings, *, told: Sequence[Feedback]) -> None:
    for one in told:
        kept = rows.shared.feedback.get((one.scope, one.record))
        if kept is not None:
            latest = max(kept, one, key=lambda each: (each.at, each is one))
            counts = {name: getattr(kept, name) + getattr(one, name) for name in ("used", "ignored", "corrected")}
            one = replace(latest, **counts)  # noqa: PLW2901  the sum takes the place of what is added
        rows.shared.feedback[one.scope, one.record] = one


def _keep_sharing(rows: Holdings, *, change: SharingChange) -> bool:
    new = change not in rows.shared.sharing
    rows.shared.sharing[change] = None
    return new


def _revoke(rows: Holdings, *, named: str, at: datetime, by: str) -> AccessKey | None:
    kept = rows.shared.keys.get(named)
    if kept is not None and kept.credential.revoked_at is None:
        kept = replace(kept, credential=replace(kept.credential, revoked_at=at, revoked_by=by))
        rows.shared.keys[named] = kept
    return kept


def _keys(rows: Holdings, *, within: Scope | None, named: str | None) -> list[AccessKey]:
    kept = rows.shared.keys
    asked = list(kept.values()) if named is None else [kept[named]] if named in kept else []
    return oldest_first(key for key in asked if key.lies_in(within))
