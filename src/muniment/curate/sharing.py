"""Sharing upwards: a memory's copy on the customer's or the client's rung, that names nobody and goes with what it was made from.

Rule of this file: a copy stands as long as its original could be shared again as it is. What the architecture and the customer's
administrator let go up says how far; whoever sees the copy learns nothing of where it is from.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from muniment.curate.rules_asked import check_asked, check_text
from muniment.curate.rules_sharing import DEFAULT, SOMEONE, Personal, latest, may_go, nameless, wider_than
from muniment.errors import MunimentError, NotFound, QueryError, ScopeError, shown
from muniment.knowledge.copies import (
    COPY,
    SHARED,
    copies_of,
    is_copy,
    links_from,
    mark_of,
    marks_on,
    records_of,
    rung_of,
    with_copy,
    without_copies,
)
from muniment.knowledge.decisions import OUTCOME
from muniment.knowledge.keys import digest_of, memory_id
from muniment.knowledge.standing import BY_HAND
from muniment.knowledge.values import (
    Changes,
    EntityId,
    Evidence,
    Known,
    Link,
    Memory,
    MemoryFilter,
    MemoryId,
    SharingChange,
    Status,
    Wanted,
)
from muniment.ports import Admin, ArchitectureOf, Clock, Memories, Records, Shelved, Target, Watch
from muniment.types import RUNGS, Erasure, Filter, Record, RecordId, Scope, Trust

MOST = 200
_EVER = datetime(1970, 1, 1, tzinfo=UTC)
"""At this moment nothing has expired."""

State = Callable[..., Awaitable[tuple[Record, object]]]
"""Keeps a statement as a record of a scope and returns it first: (scope, text, agent=…, origin=…, ref=…)."""


class Store(Memories, Records, Shelved, Admin, Protocol):
    """What this file asks of a store."""


@dataclass(slots=True)
class Sharing:
    """What the scopes of one store share with the rungs above them. `memories` and `decisions` offer it."""

    store: Store
    clock: Clock
    state: State = field(repr=False)
    rules_of: ArchitectureOf = field(repr=False)
    personal: Personal = field(repr=False)

    async def share(self, scope: Scope, memory: MemoryId, *, to: str, by: str, agent: str | None) -> Memory:
        """The copy on the rung `to`, made anew unless it is there and stands."""
        check_asked(scope, memory=memory, to=to)
        check_text(by=by)
        original = await self._original(scope, memory)
        target = _target(scope, to)
        if refused := await self._refusal(original, to, agents=(original.agent, agent or "")):
            raise refused
        there = [copy for copy in await self._copies(original, target) if copy.status is Status.CURRENT]
        if there:
            return there[0]
        await self._drop(await self._copies(original, target))
        copy = await self._without_names(original, by=by)
        word = MemoryId(secrets.token_hex(10))
        await self._tie(original, lambda held: with_copy(held, to, word))
        mark = mark_of(scope, word)
        record, _ = await self.state(target, copy.text, agent=original.agent, origin=COPY, ref=mark)
        placed = _placed(copy, target, record, mark)
        await self.store.settle(target, Wanted(), lambda _: Changes(memories=(placed,)), at=self.clock.now())
        try:
            held = await self._original(scope, memory)
        except NotFound:  # it was forgotten meanwhile, and the copy goes the same way
            await self._drop([placed])
            raise
        if (target, mark) not in copies_of(held):
            await self._drop([placed])
            raise NotFound("this memory is no longer what was to be shared.", hint="Look at it, and share it again.")
        if refused := await self._refusal(held, to, agents=(original.agent, agent or "")):  # by what was changed meanwhile
            await self._take(held, [target])
            raise refused
        standing = [one for one in await self._copies(held, target) if one.status is Status.CURRENT]
        first = min(standing, key=lambda one: one.seq, default=placed)
        if mark not in marks_on(first):  # somebody else shared it at the same time: one copy is enough
            await self._drop([placed])
            await self._tie(original, lambda held: without_copies(held, {mark}))
        return first

    async def unshare(self, scope: Scope, memory: MemoryId) -> int:
        """Take copies away for good with the records that prove them: of a memory of `scope`, or the one copy that is named."""
        check_asked(scope, memory=memory)
        taken = 0
        for one in await self.store.memory(scope, [memory]):
            taken += await self._drop([one]) if is_copy(one) else await self._take(one, one.scope.lineage[1:])
        return taken

    async def erase(self, target: Target, at: datetime) -> Erasure:
        """Erase a target of the store, and before it the copies that were made of what goes."""
        taken = 0
        async for original in self._going(target):
            taken += await self._take(original, _beyond(target, original), tied=False)
        watch = Watch(tied=SHARED)
        erased = await self.store.erase(target, at, watch)
        for original in watch.seen:  # tied since it was listed above, or copied since the copies of it were taken
            if not any(one.scope == original.scope for one in await self.store.memory(original.scope, [original.id])):
                taken += await self._take(original, _beyond(target, original), tied=False)
        return replace(erased, removed={**erased.removed, "shared": taken}) if taken else erased

    async def purge(self, scope: Scope, memories: Sequence[Memory], at: datetime) -> bool:
        """Purge memories of a scope: copies with their records, and before them the copies that were made of the others.

        True when the freed bytes are proved gone.
        """
        for memory in memories:
            await self._take(memory, scope.lineage[1:], tied=False)
        mine = [memory for memory in memories if is_copy(memory) and not memory.held]
        own = await self._own(mine)
        clean = not own or (await self.store.erase(Target(scope=scope, ids=own), at)).clean
        erased = await self.store.purge(scope, [memory.id for memory in memories if not is_copy(memory)], at)
        return clean and erased.clean

    async def settings(self, scope: Scope) -> Sequence[SharingChange]:
        """What the customer of a scope, if it has one, has set, oldest first."""
        customers = [wider for wider in scope.lineage if rung_of(wider) == "customer"]
        return [change for wider in customers for change in await self.store.sharing(wider) if change.scope == wider]

    async def follow(self, scope: Scope) -> int:
        """Take the copies away whose originals in exactly `scope` could not be shared again as they are; returns how many."""
        taken = 0
        if len(scope.rungs) > 1:
            for original in [one async for one in self._shared(scope)]:
                rungs = {wider for wider, _ in copies_of(original)}
                gone = [wider for wider in rungs if await self._refusal(original, rung_of(wider), agents=(original.agent,))]
                taken += await self._take(original, gone)
        return taken

    async def _original(self, scope: Scope, memory: MemoryId) -> Memory:
        found = [one for one in await self.store.memory(scope, [memory]) if one.scope == scope]
        if not found:
            raise NotFound(f"there is no memory {shown(memory)} in this scope.", hint="Look at the ids that list shows.")
        return found[0]

    async def _shared(self, scope: Scope) -> AsyncIterator[Memory]:
        """The memories of exactly this scope that have copies, whatever became of them."""
        async for memory in self._tied(scope, SHARED):
            yield memory

    async def _tied(self, scope: Scope, name: MemoryId) -> AsyncIterator[Memory]:
        where, before = MemoryFilter(entity=EntityId(name), statuses=tuple(Status)), None
        while True:
            page = await self.store.memories(scope, where, limit=MOST, now=_EVER, before=before)
            for memory in page.memories:
                yield memory
            if (before := page.cursor) is None:
                return

    async def _copies(self, original: Memory, target: Scope) -> list[Memory]:
        """What was made of a memory in a wider scope, and by hand of that."""
        marks = [mark for wider, mark in copies_of(original) if wider == target]
        return [copy for mark in marks async for copy in self._tied(target, mark) if is_copy(copy)]

    async def _going(self, target: Target) -> AsyncIterator[Memory]:
        """The memories with copies that an erasure reaches."""
        scope = target.scope
        if target.ids or target.conversation is not None:
            proved = await self.store.proved_by(scope, await self._records(target))
            every = {memory.id: memory for some in proved.values() for memory in some if memory.scope == scope}
            for memory in every.values():
                yield memory
        elif len(scope.rungs) > 1 and scope.user is not None:
            async for memory in self._shared(scope):
                yield memory
        elif len(scope.rungs) > 1:
            async for one in self.store.knowledge(scope):
                if isinstance(one, Memory):
                    yield one

    async def _records(self, target: Target) -> Sequence[RecordId]:
        if target.conversation is None:
            return target.ids
        found: list[RecordId] = []
        before: int | None = None
        while True:
            page = await self.store.page(target.scope, Filter(conversation=target.conversation), limit=1000, before=before)
            found += [record.id for record in page.records if not target.ids or record.id in target.ids]
            if page.cursor is None:
                return found
            before = int(page.cursor)

    async def _take(self, original: Memory, rungs: Iterable[Scope], *, tied: bool = True) -> int:
        """Take the copies of a memory in these scopes away, and with `tied` note on it that they are gone."""
        asked = frozenset(rungs)
        marks = {mark for wider, mark in copies_of(original) if wider in asked}
        taken = sum([await self._drop(await self._copies(original, wider)) for wider in asked]) if marks else 0
        if marks and tied:
            await self._tie(original, lambda held: without_copies(held, marks))
            for wider in asked:  # written between the two, by whoever had tied it before
                taken += await self._drop(await self._copies(original, wider))
        return taken

    async def _drop(self, copies: Sequence[Memory]) -> int:
        """Erase the records that were made for copies, and before them what was shared on from these.

        Whoever else states the same keeps what was stated.
        """
        taken = sum([await self._take(copy, copy.scope.lineage[1:], tied=False) for copy in copies])
        own = await self._own(copies)
        if own:
            await self.store.erase(Target(scope=copies[0].scope, ids=own), self.clock.now())
        return taken + len({mark for copy in copies if not set(own).isdisjoint(records_of(copy)) for mark in marks_on(copy)})

    async def _own(self, copies: Sequence[Memory]) -> tuple[RecordId, ...]:
        """The records that sharing made for copies. One of other origin is nobody's copy, whatever an import says of it."""
        named = dict.fromkeys(record for copy in copies for record in records_of(copy))
        found = await self.store.get(copies[0].scope, list(named)) if named else ()
        others = {record.id for record in found if record.origin != COPY}
        return tuple(record for record in named if record not in others)

    async def _tie(self, original: Memory, links: Callable[[Memory], Sequence[Link]]) -> None:
        """Change what a memory keeps of its copies, unless it is gone."""

        def decide(known: Known) -> Changes:
            held = [one for one in known.memories if one.id == original.id]
            return Changes(memories=tuple(replace(one, links=tuple(links(one))) for one in held))

        await self.store.settle(original.scope, Wanted(memories=(original.id,)), decide, at=self.clock.now())

    async def _refusal(self, memory: Memory, to: str, *, agents: Iterable[str]) -> MunimentError | None:
        """Why a memory, as it is, may not be shared so far; None when it may."""
        for agent in dict.fromkeys(one or "default" for one in agents if one or one == memory.agent):
            rule = (await self.rules_of(agent, memory.scope.client)).kind(memory.kind)
            change = latest(await self.settings(memory.scope), agent, memory.kind)
            if rule is None or wider_than(to, may_go(rule, change.share if change else DEFAULT)):
                return _not_shared(memory.kind, to, set_by_customer=change is not None and change.share != DEFAULT)
        over = memory.expires_at is not None and memory.expires_at <= self.clock.now() and not memory.held
        whole = memory.status is Status.CURRENT and memory.trust is Trust.TRUSTED and not memory.private and not over
        if whole and memory.attribute != OUTCOME:
            return None
        return QueryError(
            "only what is current, from trusted words, and not said in private can be shared.",
            place="memory",
            code="not_shareable",
            hint="Look at its status, trust and conversation.",
        )

    async def _without_names(self, memory: Memory, *, by: str) -> Memory:
        """The memory as others may read it. Raises QueryError for what may name somebody all the same."""
        ids = [one for one in (memory.subject_id, memory.object_id, *memory.entities) if one]
        named = (await self.store.entities(memory.scope, ids=ids, limit=MOST)).entities if ids else ()
        bare = nameless(memory, named, self.personal)
        if bare.left:
            raise QueryError(
                f"this may name somebody: {', '.join(map(shown, bare.left[:5]))}.",
                place="memory",
                code="names_left",
                hint="State it where all may read it, in words that name nobody.",
            )
        return replace(
            bare.memory,
            subject_id=None,
            object_id=None,
            entities=(),
            speaker=SOMEONE,
            links=(),
            replaces=(),
            extractor=BY_HAND,
            metadata={"shared": "yes", **({"shared_by": by} if by else {})},
        )


def _beyond(target: Target, original: Memory) -> list[Scope]:
    """The rungs above a memory that an erasure does not reach."""
    return [rung for rung in original.scope.lineage[1:] if not target.scope.covers(rung)]


def _target(scope: Scope, to: str) -> Scope:
    for wider in scope.lineage[1:]:
        if rung_of(wider) == to:
            return wider
    hint = f"Use one of {', '.join(RUNGS)} above it."
    raise ScopeError(f"this scope has no {shown(to)} to share with.", place="to", code="rung_missing", hint=hint)


def _not_shared(kind: str, to: str, *, set_by_customer: bool) -> ScopeError:
    who = "its customer's administrator" if set_by_customer else "the architecture"
    hint = f"An administrator of the customer can: muniment sharing set {kind} {to}." if set_by_customer else ""
    return ScopeError(
        f"{who} does not share the kind {kind} with the {to}.",
        place="to",
        code="not_shared",
        hint=hint or f"Set share: {to} for the kind {kind} in the agent's architecture.",
    )


def _placed(copy: Memory, target: Scope, record: Record, mark: MemoryId) -> Memory:
    evidence = Evidence(record=record.id, start=0, end=len(record.text), said_at=copy.said_at)
    return replace(
        copy,
        id=memory_id(target, copy.kind, digest_of(copy), evidence),
        scope=target,
        evidence=(evidence,),
        links=links_from(mark, record.id),
        conversation=None,
        recorded_at=record.recorded_at,
        recalled=0,
        recalled_at=None,
        seq=0,
    )
