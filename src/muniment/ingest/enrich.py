"""Enrichment: what runs behind a record. Claimed records are read, settled against what is known, and completed with the writing.

Rule of this file: work is a state of the record in the store, never a queue of our own. A record whose reading fails is tried
again and then parked with its reason; the others of its batch go on. Reading runs off the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Protocol

from muniment.errors import MunimentError, ProviderError, StoreError
from muniment.ingest.extract import extract
from muniment.ingest.following import followed
from muniment.ingest.listening import Listeners
from muniment.ingest.rules_kinds import kept_by_kind
from muniment.ingest.served import Served
from muniment.knowledge.architecture import Architecture, Mode
from muniment.knowledge.copies import COPY
from muniment.knowledge.settle import Batch, name_keys, settle, wanted
from muniment.knowledge.values import Backlog, Claim, Enriched, Extraction, MemoryId, WorkItem, WorkState
from muniment.ports import Clock, Follow, Memories, Records, Wakes, Work
from muniment.types import Filter, Record, RecordId, Scope, check_scope

BATCH = 64
LEASE = timedelta(minutes=2)
MOST_ATTEMPTS = 3
RETRY = timedelta(seconds=5)
MOST_OPEN = 20_000
"""Records waiting for enrichment above which a writer has to help before it writes more."""
EARLIER_TURNS = 6
_PATIENCE = 0.05

ArchitectureOf = Callable[[str, str | None], Awaitable[Architecture]]


class ModelReader(Protocol):
    """Reads records with a model. What it gives back is checked already; of a record it could not read, it says so and why."""

    async def read(self, records: Sequence[Record], architecture: Architecture) -> Mapping[RecordId, Extraction]: ...

    def stop(self) -> None:
        """Cancel what is being read."""


class Store(Records, Memories, Work, Protocol):
    """What enrichment asks of a store."""


class Enrichment:
    """The work behind the records of one store: `wait` for it, ask its `status`, or `listen` to its events."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        architecture: ArchitectureOf,
        follow: Follow | None = None,
        model: ModelReader | None = None,
        most_open: int = MOST_OPEN,
    ) -> None:
        self._store = store
        self._clock = clock
        self._architecture = architecture
        self._follow = follow
        self._model = model
        self._listeners = Listeners()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._under_way: set[asyncio.Task[int]] = set()
        self._more = asyncio.Event()
        self._most_open = most_open
        self._open = 0
        self._closing = False
        self.servings = Served(store)

    async def status(self, scope: Scope, records: Sequence[RecordId]) -> Sequence[WorkItem]:
        """How far these records' enrichment is, in the order asked; those that are not here or wait for none are left out."""
        return await self._store.work(check_scope(scope), records)

    async def backlog(self) -> Backlog:
        """How much is open in the whole store, and how much is parked."""
        return await self._store.backlog()

    async def wait(self, scope: Scope | None = None, records: Sequence[RecordId] | None = None) -> Backlog:
        """Return when nothing is left to do: in the whole store, or, with `records` of `scope`, for these alone.

        It helps with the work, so it also serves where none runs behind. What is parked is done as far as it can be.
        """
        if scope is not None:
            check_scope(scope)
        while not await _settled(self._store, scope, records):
            if not await self.step():
                await asyncio.sleep(_PATIENCE)
        return await self._store.backlog()

    async def follow(self, *, seconds: float | None = None) -> int:
        """Be a worker: do what any process queues, for so many seconds or until the engine closes; returns how many records.

        A store on a server tells at once when there is more; any other is asked twice a second.
        """
        return await followed(self.step, self._store, seconds=seconds, ended=lambda: self._closing)

    async def listen(self) -> AsyncIterator[Enriched]:
        """Every enrichment that ends from now on, in this process, until the engine closes.

        A slow listener loses the oldest and is told how many.
        """
        async for event in self._listeners.listen():
            yield event

    async def retry(self, scope: Scope) -> int:
        """Queue the parked records of `scope` and all below it again; returns how many."""
        count = await self._store.requeue(check_scope(scope), now=self._clock.now(), parked=True)
        self.nudge(count)
        return count

    async def rederive(self, scope: Scope) -> int:
        """Read every record of `scope` and all below it again, under the present architecture; returns how many were queued."""
        count = await self._store.requeue(check_scope(scope), now=self._clock.now())
        self.nudge(count)
        return count

    async def refused(self, scope: Scope) -> Mapping[tuple[str, str], int]:
        """How often what was refused in `scope` and all below it, by (kind, reason)."""
        return await self._store.refused(check_scope(scope))

    def served(self, scope: Scope, ids: Sequence[MemoryId]) -> None:
        """Note that these memories were served; what is noted is kept with the next batch of work, or at the end."""
        if self.servings.note(scope, ids):
            self.nudge(0)

    def nudge(self, count: int) -> None:
        """Say that `count` more records wait, and see that they are worked on."""
        self._open += count
        loop = asyncio.get_running_loop()
        if self._task is None or self._task.done() or self._loop is not loop:
            self._more = asyncio.Event()
            self._task, self._loop = loop.create_task(self._run()), loop
        self._more.set()

    async def room(self) -> None:
        """Hold a writer up while too much waits, and let it help meanwhile."""
        while self._open > self._most_open:
            if not await self.step():
                self._open = 0

    async def step(self) -> int:
        """Do one batch of what is due; returns how many records were taken on, 0 when nothing is.

        A batch that was begun is ended even when the caller is cancelled: its records would else wait for their lease to end.
        """
        task = asyncio.get_running_loop().create_task(self._step())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    async def _step(self) -> int:
        await self.servings.keep(self._clock.now())
        claims = await self._store.claim(now=self._clock.now(), lease=LEASE, limit=BATCH)
        self._open = max(0, self._open - len(claims)) if claims else 0
        if claims:
            await self._enrich(claims)
        return len(claims)

    async def close(self) -> None:
        """Let the batch under way end, unless a model is reading it; what still waits stays in the store."""
        task, self._task = self._task, None
        self._closing = True
        if isinstance(self._store, Wakes):
            await self._store.deafen()
        if self._model is not None and self._loop is asyncio.get_running_loop():
            self._model.stop()
        if task is not None and self._loop is asyncio.get_running_loop():
            self._more.set()
            with suppress(asyncio.CancelledError):
                await task
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(step for step in self._under_way if step.get_loop() is loop), return_exceptions=True)
        with suppress(StoreError):  # how often a memory was served is no reason to fail a close
            await self.servings.keep(self._clock.now())
        self._listeners.end()

    async def _run(self) -> None:
        """Work until nothing is due, then wait to be nudged."""
        while True:
            self._more.clear()
            try:
                while not self._closing and await self.step():
                    pass
            except StoreError:
                return  # the next write nudges again, and meets the same error in the open
            if self._closing:
                return
            await self._more.wait()

    async def _enrich(self, claims: Sequence[Claim]) -> None:
        scope = claims[0].scope
        records = {r.id: r for r in await self._store.get(scope, [c.record for c in claims]) if r.scope == scope}
        before = await _earlier(self._store, scope, list(records.values()))
        by_agent: dict[str, list[Claim]] = {}
        for claim in claims:
            record = records.get(claim.record)
            by_agent.setdefault(record.agent if record else "", []).append(claim)
        for agent, theirs in by_agent.items():
            architecture = await self._architecture(agent or "default", scope.client)
            await self._settle(theirs, records, architecture=architecture, before=before)
        if self._follow is not None:
            await self._follow(scope)

    async def _settle(
        self,
        claims: Sequence[Claim],
        records: Mapping[RecordId, Record],
        *,
        architecture: Architecture,
        before: Mapping[RecordId, Sequence[Record]],
    ) -> None:
        """Read and settle claims of one agent; when that fails, one by one, so that one bad record harms no other."""
        try:
            mine = [records[c.record] for c in claims if c.record in records]
            read = await self._read(mine, architecture, before)
            unread = {one.record: one.note for one in read if one.failed}
            extractions = [one for one in read if not one.failed]
            there = [claim for claim in claims if claim.record not in unread]
            done = await self._write(there, records, extractions, architecture) if there else []
            done += [await self._fail(c, ProviderError(unread[c.record])) for c in claims if c.record in unread]
        except (StoreError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001  # whatever a record does to its reader, it is parked with the reason
            if len(claims) > 1:
                for claim in claims:
                    await self._settle([claim], records, architecture=architecture, before=before)
                return
            done = [await self._fail(claims[0], error)]
        self._listeners.tell(claims[0].scope, done)

    async def _read(
        self, records: Sequence[Record], architecture: Architecture, before: Mapping[RecordId, Sequence[Record]]
    ) -> list[Extraction]:
        found: dict[RecordId, Extraction] = {}
        if architecture.mode is not Mode.MODEL or self._model is None:
            found = {e.record: e for e in await asyncio.to_thread(_extract, records, architecture, before)}
        if architecture.mode is not Mode.RULES and self._model is not None:
            for record, more in (await self._model.read([one for one in records if one.origin != COPY], architecture)).items():
                found[record] = _joined(found[record], more) if record in found else more
        return [kept_by_kind(found[record.id], record, architecture) for record in records if record.id in found]

    async def _write(
        self,
        claims: Sequence[Claim],
        records: Mapping[RecordId, Record],
        extractions: Sequence[Extraction],
        architecture: Architecture,
    ) -> list[WorkItem]:
        scope, now = claims[0].scope, self._clock.now()
        batch = Batch(scope=scope, extractions=extractions, records=records, architecture=architecture, now=now)
        keys = name_keys(extractions)
        near = (await self._store.entities(scope, keys=keys, limit=1000)).entities if keys else ()
        proved = await self._store.proved_by(scope, [claim.record for claim in claims])
        known_before = [memory for memories in proved.values() for memory in memories if memory.scope == scope]
        asked = wanted(batch, near=near, proved=known_before)
        changes = await self._store.settle(
            scope, asked, partial(settle, batch), at=now, claims=claims, architecture=architecture.label
        )
        return [
            WorkItem(
                record=record,
                state=WorkState.PARTIAL if record in changes.partial else WorkState.COMPLETED,
                reason=changes.partial.get(record, ""),
                outcomes=tuple(outcomes),
                architecture=architecture.label,
            )
            for record, outcomes in changes.outcomes.items()
        ]

    async def _fail(self, claim: Claim, error: Exception) -> WorkItem:
        now = self._clock.now()
        reason = error.message if isinstance(error, MunimentError) else f"{type(error).__name__}: {error}"[:500]
        retry_at = now + RETRY * 2**claim.attempts if claim.attempts < MOST_ATTEMPTS else None
        await self._store.fail([claim], reason, now=now, retry_at=retry_at)
        if retry_at and self._loop is asyncio.get_running_loop():
            self._loop.call_later((retry_at - now).total_seconds(), self._more.set)
        state = WorkState.QUEUED if retry_at else WorkState.FAILED
        return WorkItem(record=claim.record, state=state, reason=reason, attempts=claim.attempts, retry_at=retry_at)


async def _settled(store: Store, scope: Scope | None, records: Sequence[RecordId] | None) -> bool:
    if scope is None or records is None:
        backlog = await store.backlog()
        return not (backlog.queued or backlog.processing)
    ended = {WorkState.COMPLETED, WorkState.PARTIAL, WorkState.FAILED}
    return all(item.state in ended for item in await store.work(scope, records))


async def _earlier(store: Records, scope: Scope, records: Sequence[Record]) -> dict[RecordId, Sequence[Record]]:
    """For each record, the turns of its conversation just before it."""
    last: dict[str | None, list[Record]] = {}
    found: dict[RecordId, Sequence[Record]] = {}
    for record in sorted(records, key=lambda r: r.seq):
        told = record.conversation
        if told not in last:
            where = Filter(conversation=told)
            page = await store.page(scope, where, limit=EARLIER_TURNS, before=record.seq) if told else None
            last[told] = list(reversed(page.records)) if page else []
        found[record.id] = tuple(last[told][-EARLIER_TURNS:])
        last[told].append(record)
    return found


def _extract(
    records: Sequence[Record], architecture: Architecture, before: Mapping[RecordId, Sequence[Record]]
) -> list[Extraction]:
    return [
        Extraction(record=record.id)
        if record.origin == COPY
        else extract(record, before=before.get(record.id, ()), architecture=architecture)
        for record in records
    ]


def _joined(rules: Extraction, model: Extraction) -> Extraction:
    """What both read; settling finds what they have in common."""
    return replace(
        rules,
        candidates=(*rules.candidates, *model.candidates),
        mentions=(*rules.mentions, *model.mentions),
        refusals=(*rules.refusals, *model.refusals),
        note=model.note or rules.note,
        tokens=rules.tokens + model.tokens,
    )
