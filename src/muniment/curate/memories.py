"""Memories by hand: list them, see their history, state, correct, update, take back, restore, hold, and audit them.

Rule of this file: evidence or nothing. What a person states or corrects is first a record of theirs, which then proves it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from muniment.curate.rules_asked import (
    check_asked,
    check_kind,
    check_metadata,
    check_said,
    check_scope,
    check_statement,
    check_text,
)
from muniment.curate.rules_filters import MemoryWhere, check_memory_filter, kind_unknown
from muniment.curate.rules_slot import changed_slot
from muniment.curate.sharing import Sharing
from muniment.errors import NotFound, QueryError, shown
from muniment.knowledge.contradicted import against, other_sides
from muniment.knowledge.copies import COPY, is_copy, links_on
from muniment.knowledge.cursors import Listing, opened, sealed
from muniment.knowledge.keys import digest_of, memory_id, statement_digest
from muniment.knowledge.likeness import overlap, same_statement, same_subject
from muniment.knowledge.standing import BY_HAND, Standing
from muniment.knowledge.told import Told
from muniment.knowledge.values import (
    SELF,
    Changes,
    Evidence,
    Known,
    Memory,
    MemoryFilter,
    MemoryId,
    MemoryPage,
    Modality,
    Status,
    Wanted,
)
from muniment.ports import ArchitectureOf, Clock, Memories, Shelved, Work
from muniment.types import Record, Scope, check_id, check_whole

MOST = 1000
STALE = timedelta(days=180)
_CHAIN = 100
_NEAR = 0.5

State = Callable[..., Awaitable[tuple[Record, Told]]]
"""Keeps a statement as a record of a scope: (scope, text, agent=…, told=Told, kind=…, …).

Returns it and `told`, cleaned by one policy.
"""


class Store(Memories, Shelved, Work, Protocol):
    """What this room asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """What a change by hand did: the memory as it is now, and the ids it took the place of or took back.

    `again` are those that hold again since it was taken back. `emptied` is the slot that it fills no more, since its new words do
    not say with what; "" for none.
    """

    memory: Memory
    replaced: tuple[MemoryId, ...] = ()
    again: tuple[MemoryId, ...] = ()
    unchanged: bool = False
    emptied: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """How clean the memories of a scope are.

    How many there are of each status and kind; duplicates, stale and never recalled ones by id; and how often what was refused,
    by (kind, reason). `complete` is False when only the latest were looked at.
    """

    statuses: Mapping[Status, int]
    kinds: Mapping[str, int]
    duplicates: tuple[tuple[MemoryId, MemoryId], ...]
    stale: tuple[MemoryId, ...]
    never_recalled: tuple[MemoryId, ...]
    refused: Mapping[tuple[str, str], int]
    complete: bool = True


@dataclass(slots=True)
class Curation:
    """The memories of one store (`engine.memories`)."""

    store: Store
    clock: Clock
    state: State = field(repr=False)
    rules_of: ArchitectureOf = field(repr=False)
    sharing: Sharing = field(repr=False)

    async def list(
        self,
        scope: Scope,
        where: MemoryWhere = None,
        *,
        limit: int = 50,
        cursor: str | None = None,
        inherited: bool = False,
    ) -> MemoryPage:
        """Memories of exactly `scope`, or with `inherited` of its ancestors too, latest first; current ones by default.

        `where`, a MemoryFilter or a mapping, may ask what held at a moment (`valid_at`) or what was held to be so then
        (`known_at`). Raises QueryError for a limit, cursor or filter that cannot be asked for, and for an unknown kind.
        """
        check_scope(scope)
        check_whole("limit", limit, MOST)
        asked, now, inherited = check_memory_filter(where), self.clock.now(), bool(inherited)
        listing, secret = Listing(verb="memories.list", scope=scope, asked=(asked, inherited)), await self.store.secret()
        before = opened(cursor, listing, secret=secret, now=now)
        await _check_kinds(self, scope, asked, now)
        page = await self.store.memories(scope, asked, limit=limit, now=now, before=before, inherited=inherited)
        return replace(page, cursor=sealed(page.cursor, listing, secret=secret, now=now))

    async def get(self, scope: Scope, memory: MemoryId) -> Memory:
        """The memory with this id in `scope` or its ancestors, of any status. Raises NotFound, foreign or absent alike."""
        check_asked(scope, memory=memory)
        found = await self._there(scope, [memory])
        if not found:
            raise NotFound(f"there is no memory {shown(memory)} in this scope.", hint="Look at the ids that list shows.")
        return found[0]

    async def history(self, scope: Scope, memory: MemoryId) -> tuple[Memory, ...]:
        """What stood in this memory's place before and after it, oldest first, itself among them."""
        asked = await self.get(scope, memory)
        chain = {asked.id: asked}
        ahead: list[MemoryId] = [*asked.replaces, *([asked.replaced_by] if asked.replaced_by else [])]
        while ahead and len(chain) < _CHAIN:
            found = await self._there(scope, [id_ for id_ in ahead if id_ not in chain])
            chain.update((one.id, one) for one in found)
            ahead = [
                id_
                for one in found
                for id_ in (*one.replaces, *([one.replaced_by] if one.replaced_by else []))
                if id_ not in chain
            ]
        return tuple(sorted(chain.values(), key=lambda m: (m.valid_from or m.recorded_at, m.recorded_at, m.seq)))

    async def against(self, scope: Scope, memory: MemoryId) -> tuple[Memory, ...]:
        """What other agents claim instead of this memory, each with its agent; nothing is decided between them."""
        asked = await self.get(scope, memory)
        known = {one.id: one for one in await self._there(scope, other_sides([asked]))}
        return against([asked], known, self.clock.now())

    async def add(
        self,
        scope: Scope,
        text: str,
        *,
        kind: str = "fact",
        subject: str = SELF,
        attribute: str = "",
        value: str = "",
        functional: bool = False,
        agent: str = "default",
        metadata: Mapping[str, str] | None = None,
    ) -> Amended:
        """State something as it stands, without any extraction. Said before, it becomes more evidence for the same memory.

        Text, subject, attribute, value and metadata are cleaned by the agent's rules for personal data. Raises InputError, with
        nothing written, for a kind that the agent's architecture does not have, blank text, and what those rules refuse.
        """
        check_scope(scope)
        check_statement(text)
        check_said("subject", subject, hint="Name whom or what it is about; left out, it is the user.")
        check_text(attribute=attribute, value=value)
        check_kind(kind, await self.rules_of(check_id(agent, "agent"), scope.client))
        told = Told(subject=subject, attribute=attribute, value=value, metadata=check_metadata(metadata))
        record, told = await self.state(scope, text, agent=agent, told=told, kind=kind)
        fresh = _stated(record, kind=kind, told=told, now=self.clock.now())
        asked = Wanted(
            subjects=(told.subject,),
            slots=((told.subject, told.attribute),) if told.attribute else (),
            digests=(digest_of(fresh),),
            memories=(fresh.id,),
        )
        came: list[tuple[str, MemoryId]] = []

        def change(standing: Standing) -> None:
            came[:] = [standing.state(fresh, functional=functional)]

        changes = await self._settle(scope, asked, change)
        code, held = came[0]
        memory = next((m for m in changes.memories if m.id == held), fresh)
        gone = tuple(m.id for m in changes.memories if m.status is Status.SUPERSEDED and m.id != held)
        return Amended(memory=memory, replaced=gone, unchanged=code in ("unchanged", "merged"))

    async def update(
        self, scope: Scope, memory: MemoryId, text: str, *, value: str | None = None, agent: str = "default"
    ) -> Amended:
        """Put `text` in the memory's place; kind, subject, metadata and first day stay. The same text is `unchanged`.

        Without a `value`, what fills the slot follows from the words: where only the old value changed in them, what stands in
        its place. Where more changed the slot is emptied, and the receipt names it in `emptied`.
        The new words of what is private are kept in its conversation, under the rules of the agent that heard the old ones.
        """
        check_statement(text)
        check_text(**({} if value is None else {"value": value}))
        old = await self.get(scope, memory)
        if old.text.strip() == text.strip() and value in (None, old.value):
            return Amended(memory=old, unchanged=True)
        told = Told(subject=old.subject, attribute=old.attribute, value=value or "", metadata=old.metadata)
        private = await _private(old, self.rules_of)
        room, agent = (old.conversation, old.agent or agent) if private else (None, agent)
        more = {"origin": COPY} if is_copy(old) else {}
        record, told = await self.state(old.scope, text, agent=agent, told=told, kind=old.kind, conversation=room, **more)
        now = self.clock.now()
        slot = changed_slot(old, record.text, None if value is None else told.value)
        told = replace(told, attribute=slot.attribute, value=slot.value)
        fresh = replace(
            _stated(record, kind=old.kind, told=told, negated=slot.negated, now=now),
            subject_id=old.subject_id,
            entities=old.entities if slot.value == old.value else tuple(e for e in old.entities if e != old.object_id),
            valid_from=old.valid_from,
            private=private,
            links=links_on(old, record.id),
            replaces=(old.id,),
        )

        def change(standing: Standing) -> None:
            held = standing.get(old.id) or old
            standing.put(replace(held, status=Status.SUPERSEDED, retired_at=now, replaced_by=fresh.id))
            standing.put(fresh)

        await self._settle(old.scope, Wanted(memories=(old.id,)), change)
        return Amended(memory=fresh, replaced=(old.id,), emptied="" if slot.attribute else old.attribute)

    async def correct(self, scope: Scope, query: str, text: str, *, agent: str = "default") -> Amended:
        """Put `text` in the place of the one current memory that `query` speaks of, or of the one with this id, as `update` does.

        Raises QueryError when none or several do.
        """
        check_said("query", query, hint="Use words of the memory.")
        check_statement(text)
        if await self._there(scope, [MemoryId(query)]):
            return await self.update(scope, MemoryId(query), text, agent=agent)
        page = await self.list(scope, limit=MOST)
        near = sorted(((overlap(m, query), m.seq, m) for m in page.memories), key=lambda one: one[:2], reverse=True)
        near = [one for one in near if one[0] >= _NEAR]
        if not near:
            raise QueryError(
                "no memory speaks of this.", place="query", code="no_match", hint="Use words of the memory, or its id."
            )
        best = [one for one in near if one[0] == near[0][0]]
        if len(best) > 1 and len({m.text for _, _, m in best}) > 1:
            ids = ", ".join(m.id for _, _, m in best[:5])
            hint = f"Say more, or update one of them by id: {ids}."
            raise QueryError(f"{len(best)} memories speak of this alike.", place="query", code="ambiguous", hint=hint)
        return await self.update(scope, best[0][2].id, text, agent=agent)

    async def retract(self, scope: Scope, memory: MemoryId) -> Amended:
        """Take it back: it is no longer held to be so, and stays in history.

        What it had taken the place of holds again, and where that was taken back, what it had replaced itself; unless its slot
        holds one value and another fills it.
        """
        old = await self.get(scope, memory)
        if old.status is Status.RETRACTED:
            return Amended(memory=old, unchanged=True)
        now, alone, again = self.clock.now(), await self._alone(old), list[MemoryId]()
        gone, before = await _before(self.store, old)

        def change(standing: Standing) -> None:
            held = standing.get(old.id) or old
            standing.put(replace(held, status=Status.RETRACTED, retired_at=now))
            filled = alone and any(_same_slot(other, held) for other in standing.current())
            known = [standing.get(id_) for id_ in before if held.status is Status.CURRENT and not filled]
            back = [one for one in known if one and one.status is Status.SUPERSEDED and one.replaced_by in gone]
            again[:] = [one.id for one in back]
            for one in back:
                standing.put(_held_again(one))

        await self._settle(old.scope, Wanted(memories=(old.id, *before), slots=_slots(old, alone=alone)), change)
        return Amended(memory=await self.get(scope, memory), again=tuple(again))

    async def restore(self, scope: Scope, memory: MemoryId) -> Amended:
        """Hold it again. What had taken its place is retracted, and so is what fills a slot of one value now.

        What it had itself taken the place of is superseded by it once more.
        """
        old = await self.get(scope, memory)
        if old.status is Status.CURRENT:
            return Amended(memory=old, unchanged=True)
        now, alone, since, taken = self.clock.now(), await self._alone(old), await self._since(old), list[MemoryId]()
        _, before = await _before(self.store, old)

        def change(standing: Standing) -> None:
            held = standing.get(old.id) or old
            taken.clear()
            for other in standing.current():
                if other.id in before:
                    ended = max(filter(None, (held.valid_from, other.valid_from)), default=now)
                    gone = replace(other, status=Status.SUPERSEDED, valid_to=ended, retired_at=now, replaced_by=held.id)
                elif other.id in since or (alone and _same_slot(other, held)):
                    gone = replace(other, status=Status.RETRACTED, retired_at=now)
                else:
                    continue
                taken.append(other.id)
                standing.put(gone)
            standing.put(_held_again(held))

        asked = Wanted(memories=(old.id, *since, *before), slots=_slots(old, alone=alone))
        await self._settle(old.scope, asked, change)
        return Amended(memory=await self.get(scope, memory), replaced=tuple(taken))

    async def hold(self, scope: Scope, memory: MemoryId, *, held: bool = True) -> Memory:
        """Put it under legal hold, or lift that: what is held neither expires nor is swept. `forget` still reaches it."""
        old = await self.get(scope, memory)
        changed = await self._settle(
            old.scope, Wanted(memories=(old.id,)), lambda standing: standing.put(replace(standing.get(old.id) or old, held=held))
        )
        return changed.memories[0]

    async def share(
        self, scope: Scope, memory: MemoryId, *, to: str = "customer", by: str = "", agent: str | None = None
    ) -> Memory:
        """Put a copy of a memory of `scope` on its customer's or client's rung, for all below to find; returns the copy.

        The copy names nobody and is proved by a record of its own there; it says who shared it (`by`). It goes with `unshare`,
        when a record that proved the original is forgotten, and as soon as the original could not be shared again as it is.
        Shared before, it is the copy that is there. Raises ScopeError (not_shared) when this kind does not go up so far,
        QueryError for what is not current, not from trusted words, private, or may name somebody (names_left), NotFound.
        """
        return await self.sharing.share(scope, memory, to=to, by=by, agent=agent)

    async def unshare(self, scope: Scope, memory: MemoryId) -> int:
        """Take back what was shared, with the records that prove it; returns how many copies went.

        `memory` is the original, for all that was made of it, or one copy by its own id on the wider rung.
        """
        return await self.sharing.unshare(scope, memory)

    async def audit(self, scope: Scope) -> Audit:
        """How clean the memories of exactly `scope` are."""
        every = await self.list(scope, MemoryFilter(statuses=tuple(Status)), limit=MOST)
        current = [m for m in every.memories if m.status is Status.CURRENT]
        now = self.clock.now()
        return Audit(
            statuses=dict(Counter(m.status for m in every.memories)),
            kinds=dict(Counter(m.kind for m in current)),
            duplicates=_duplicates(current),
            stale=tuple(m.id for m in current if now - _last_said(m) > STALE),
            never_recalled=tuple(m.id for m in current if not m.recalled),
            refused=await self.store.refused(scope),
            complete=every.cursor is None,
        )

    async def _there(self, scope: Scope, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """Those of these memories whose time is not over."""
        now = self.clock.now()
        found = await self.store.memory(scope, ids)
        return [m for m in found if m.held or m.expires_at is None or m.expires_at > now]

    async def _since(self, old: Memory) -> tuple[MemoryId, ...]:
        """What came in this memory's place, and in the place of that."""
        chain: dict[MemoryId, None] = {}
        ahead = old.replaced_by
        while ahead and ahead not in chain and ahead != old.id and len(chain) < _CHAIN:
            chain[ahead] = None
            found = await self.store.memory(old.scope, [ahead])
            ahead = found[0].replaced_by if found else None
        return tuple(chain)

    async def _alone(self, memory: Memory) -> bool:
        """Whether its slot holds one value, as the architecture of its agent says."""
        if not memory.attribute or memory.negated or memory.modality is not Modality.ASSERTED:
            return False
        rule = (await self.rules_of(memory.agent or "default", memory.scope.client)).kind(memory.kind)
        return rule is not None and rule.holds_one(memory.attribute)

    async def _settle(self, scope: Scope, asked: Wanted, change: Callable[[Standing], object]) -> Changes:
        now = self.clock.now()

        def decide(known: Known) -> Changes:
            standing = Standing(known.memories, now=now)
            change(standing)
            return Changes(memories=standing.changed())

        changes = await self.store.settle(scope, asked, decide, at=now)
        await self.sharing.follow(scope)
        return changes


async def _check_kinds(curation: Curation, scope: Scope, asked: MemoryFilter, now: datetime) -> None:
    """Raise QueryError for a kind that is in no architecture asked about, and of which nothing is kept here."""
    agents = asked.agent if isinstance(asked.agent, tuple) else (asked.agent or "default",)
    rules = [await curation.rules_of(check_id(agent, "agent"), scope.client) for agent in agents] if asked.kinds else []
    known = dict.fromkeys(rule.name for one in rules for rule in one.kinds)
    for kind in asked.kinds:
        if kind not in known:
            where = MemoryFilter(kinds=(kind,), statuses=tuple(Status))
            if not (await curation.store.memories(scope, where, limit=1, now=now, inherited=True)).memories:
                raise kind_unknown(kind, known)


async def _before(store: Store, old: Memory) -> tuple[tuple[MemoryId, ...], tuple[MemoryId, ...]]:
    """What this memory took the place of, where that was taken back what it had replaced itself.

    Returns the memory with those that were taken back on the way, and those that were not.
    """
    gone, left, ahead = {old.id: None}, dict[MemoryId, None](), list(old.replaces)
    while ahead and len(gone) + len(left) < _CHAIN:
        found = await store.memory(old.scope, ahead)
        back = [one for one in found if one.status is Status.RETRACTED and one.id not in gone]
        gone.update((one.id, None) for one in back)
        left.update((one.id, None) for one in found if one.status is not Status.RETRACTED)
        ahead = [id_ for one in back for id_ in one.replaces if id_ not in left]
    return tuple(gone), tuple(left)


async def _private(memory: Memory, rules_of: ArchitectureOf) -> bool:
    """Whether it stays in its conversation, as it was made or by its agent's rules of today."""
    if memory.private or memory.conversation is None:
        return memory.private
    return (await rules_of(memory.agent or "default", memory.scope.client)).private_conversations


def _stated(record: Record, *, kind: str, told: Told, now: datetime, negated: bool = False) -> Memory:
    """What a record says as a whole, as a memory."""
    proof = Evidence(record=record.id, start=0, end=len(record.text), said_at=record.said_at, speaker=record.speaker)
    digest = statement_digest(kind=kind, subject=told.subject, attribute=told.attribute, negated=negated, text=record.text)
    return Memory(
        id=memory_id(record.scope, kind, digest, proof),
        scope=record.scope,
        kind=kind,
        text=record.text,
        subject=told.subject,
        attribute=told.attribute,
        value=told.value,
        negated=negated,
        metadata=told.metadata,
        recorded_at=now,
        said_at=record.said_at,
        valid_from=record.said_at or now,
        speaker=record.speaker,
        agent=record.agent,
        conversation=record.conversation,
        trust=record.trust,
        extractor=BY_HAND,
        evidence=(proof,),
    )


def _held_again(memory: Memory) -> Memory:
    return replace(memory, status=Status.CURRENT, retired_at=None, valid_to=None, replaced_by=None)


def _slots(memory: Memory, *, alone: bool) -> tuple[tuple[str, str], ...]:
    """The slot to look at where it holds one value."""
    return ((memory.subject, memory.attribute),) if alone else ()


def _same_slot(other: Memory, memory: Memory) -> bool:
    return (
        other.id != memory.id
        and other.attribute == memory.attribute
        and other.trust is memory.trust
        and other.modality is Modality.ASSERTED
        and same_subject(other, memory)
    )


def _duplicates(memories: Sequence[Memory]) -> tuple[tuple[MemoryId, MemoryId], ...]:
    """Pairs that say the same; only memories of one kind, subject and attribute are compared."""
    groups: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in memories:
        groups.setdefault((memory.kind, memory.subject, memory.attribute), []).append(memory)
    return tuple(
        (one.id, other.id)
        for group in groups.values()
        for number, one in enumerate(group)
        for other in group[number + 1 :]
        if same_statement(one, other)
    )


def _last_said(memory: Memory) -> datetime:
    return max((e.said_at for e in memory.evidence if e.said_at), default=memory.recorded_at)
