"""Digests of conversations: made on demand, and kept part by part so that a long history enters a prompt at a bounded price.

Rule of this file: it reads, keeps and times; rules choose and verify. What is served was verified, and stands until what takes
its place was verified too. Each turn is read for a digest when its part is made, and once more when that is made shorter.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from muniment.compact.rules_digest import Wish, digest
from muniment.compact.rules_forms import told
from muniment.compact.rules_history import Layout, Policy, Told, laid_out, policy_of
from muniment.compact.rules_levels import AGGRESSIVE
from muniment.compact.rules_stated import Names
from muniment.errors import NotFound, StoreBusy, StoreFull, StoreReadOnly, shown
from muniment.knowledge.digests import Digest, DigestClaim, Excerpt, History, PastPart
from muniment.knowledge.values import Memory, Status
from muniment.ports import ArchitectureOf, Clock, Memories, Records, Tokens
from muniment.ports import Digests as KeptDigests
from muniment.types import Filter, Record, RecordId, Role, Scope, check_id, check_scope, check_whole, words_of

TURNS_AT_ONCE = 200
MOST_PARTS = 64
MOST_LISTED = 1000
MOST_BUDGET = 100_000_000
_HEADING = 4
"""Tokens that stand around a turn in a prompt, about."""


class Store(Records, Memories, KeptDigests, Protocol):
    """What this file asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Talk:
    """A conversation at one scope, as one agent tells it."""

    scope: Scope
    name: str
    agent: str


@dataclass(slots=True)
class Digests:
    """Digests of conversations (`engine.digests`): made on demand, kept up for prompts, listed, and led back to the records."""

    store: Store
    clock: Clock
    rules_of: ArchitectureOf = field(repr=False)
    names: Names = field(repr=False)
    tokens: Tokens = field(repr=False)

    async def make(
        self,
        scope: Scope,
        conversation: str,
        *,
        agent: str = "default",
        level: str | None = None,
        target: int | None = None,
        form: str = "narrative",
        pinned: Sequence[str] = (),
    ) -> Digest:
        """A verified digest of a whole conversation at exactly `scope`. It is given, and kept nowhere.

        `level` is conservative, balanced, aggressive or adaptive, by default what the agent's architecture says; `target` is
        tokens instead. `pinned` are ids of records that stay word for word. See `Digest` for what could not be kept, and for a
        target that could not be met truly. Raises NotFound for a conversation, or a pinned record, that is not there; QueryError
        for a level, form or target that is none.
        """
        talk = _talk(scope, conversation, agent)
        policy = await self._policy(talk) or Policy()
        wish = Wish(
            level=policy.level if level is None else level,
            target=target,
            threshold=policy.threshold,
            pinned=frozenset(RecordId(one) for one in pinned),
            form=form,
        )
        read = await self._read(talk, most=None)
        records = _speaking(read.records)
        if not records:
            hint = "Look at the conversations that list shows; a digest is made at the scope where it was had."
            raise NotFound(f"there is no conversation {shown(conversation)} in this scope.", hint=hint)
        if strange := wish.pinned - {record.id for record in records}:
            raise NotFound.record(min(strange))
        return await self._made(talk, records, wish)

    async def keep_up(self, scope: Scope, conversation: str, *, budget: int, agent: str = "default") -> tuple[Digest, ...]:
        """Make and keep what a prompt of `budget` tokens needs of this conversation; returns the digests it will show.

        `assemble` does the same when it meets a part that has none; done behind a turn, the next one need not wait for it. Where
        a record was forgotten, the digests that went with it are made anew.
        """
        check_whole("budget", budget, MOST_BUDGET)
        talk = _talk(scope, conversation, agent)
        layout, _ = await self._laid_out(talk, budget, whole=True)
        return layout.past

    async def list(
        self, scope: Scope, conversation: str, *, agent: str = "default", versions: bool = False, limit: int = 50
    ) -> tuple[Digest, ...]:
        """What is kept of a conversation at exactly `scope`, latest part first: the newest of each, or with `versions` all."""
        check_whole("limit", limit, MOST_LISTED)
        talk = _talk(scope, conversation, agent)
        found = await self.store.digests(talk.scope, talk.name, agent=talk.agent, limit=limit, versions=versions)
        return tuple(found)

    async def expand(self, scope: Scope, claim: DigestClaim) -> tuple[Excerpt, ...]:
        """The words of the records that make this claim, an excerpt for each place. Raises NotFound for a record that is gone."""
        found = {one.id: one for one in await self.store.get(check_scope(scope), [span.record for span in claim.spans])}
        for span in claim.spans:
            if span.record not in found:
                raise NotFound.record(span.record)
        return tuple(
            Excerpt(record=found[span.record], text=words_of(found[span.record])[span.start : span.end]) for span in claim.spans
        )

    async def history(self, scope: Scope, conversation: str | None, *, agent: str, room: int) -> History:
        """A conversation as a prompt with `room` tokens shows it: what is beyond its share of them, shortened."""
        if conversation is None:
            return History()
        talk = _talk(scope, conversation, agent)
        layout, read = await self._laid_out(talk, room, whole=False)
        past = tuple(PastPart(first=one.first, last=one.last, text=told(one)) for one in layout.past)
        return History(records=layout.turns, lost=read.lost, complete=layout.complete, past=past)

    async def _laid_out(self, talk: _Talk, room: int, *, whole: bool) -> tuple[Layout, _Read]:
        """How the conversation is laid out in a prompt, once what is wanted for that has been made."""
        policy = await self._policy(talk)
        read = await self._read(talk, most=room)
        if policy is None:
            return Layout(past=(), turns=read.records, complete=read.complete), read
        share = int(policy.share * room)
        if read.complete and sum(read.costs) <= share:
            return Layout(past=(), turns=read.records), read
        kept = list(await self.store.digests(talk.scope, talk.name, agent=talk.agent, limit=MOST_PARTS))
        if whole or not kept or not read.records or read.records[0].seq > kept[0].last:
            read = await self._read(talk, most=int(policy.reads * share), before=read)
        lay = partial(laid_out, read.told, room=share, policy=policy, size=self._size)
        layout = await asyncio.to_thread(lay, kept)
        while made := await self._wanted(talk, layout, policy):  # what was made may leave room for more, or be old already
            kept = list({one.first: one for one in (*kept, *made)}.values())
            layout = await asyncio.to_thread(lay, kept)
        return layout, read

    async def _wanted(self, talk: _Talk, layout: Layout, policy: Policy) -> Sequence[Digest]:
        """Make and keep what a layout wants: the latest part that has no digest, and shorter ones of old parts."""
        old = [(await self.store.get(talk.scope, one.records), AGGRESSIVE) for one in layout.aged]
        parts = [*((part, policy.level) for part in layout.wanted[-1:]), *old]
        made = [await self._part(talk, part, Wish(level=level, threshold=policy.threshold)) for part, level in parts if part]
        return [one for one in made if one]

    async def _part(self, talk: _Talk, part: Sequence[Record], wish: Wish) -> Digest | None:
        """A verified digest of a part, kept; None when there is nothing that may be served, or a record of it went meanwhile."""
        speaking = _speaking(part)
        if not speaking:
            return None
        made = replace(await self._made(talk, speaking, wish), first=part[0].seq, last=part[-1].seq)
        if not made.passed:
            return None
        try:
            return await self.store.keep_digest(made)
        except (StoreReadOnly, StoreBusy, StoreFull):
            return made  # it is verified, and the next prompt makes it again

    async def _made(self, talk: _Talk, records: Sequence[Record], wish: Wish) -> Digest:
        ids = [record.id for record in records]
        memories = _inside(await self.store.proved_by(talk.scope, ids), ids)
        make = partial(digest, records, wish, names=self.names, count=self.tokens.count, memories=memories)
        made = await asyncio.to_thread(make)
        return replace(
            made,
            scope=talk.scope,
            conversation=talk.name,
            agent=talk.agent,
            made_at=self.clock.now(),
            first=records[0].seq,
            last=records[-1].seq,
        )

    async def _policy(self, talk: _Talk) -> Policy | None:
        return policy_of((await self.rules_of(talk.agent, talk.scope.client)).compaction)

    def _size(self, one: Digest) -> int:
        return self.tokens.count(told(one)) + _HEADING

    async def _read(self, talk: _Talk, *, most: int | None, before: _Read | None = None) -> _Read:
        """The end of a conversation, as far back as `most` tokens could show; `before` is what was read of it already."""
        where = Filter(conversation=talk.name)
        read = before or _Read()
        while not read.complete and (most is None or sum(read.costs) <= most):
            page = await self.store.page(talk.scope, where, limit=TURNS_AT_ONCE, before=read.next)
            turns = tuple(reversed(page.records))
            costs = await asyncio.to_thread(_costs, turns, self.tokens.count)
            read = _Read(
                records=(*turns, *read.records),
                costs=(*costs, *read.costs),
                lost=tuple(sorted((*page.lost, *read.lost))),
                next=None if page.cursor is None else int(page.cursor),
                complete=page.cursor is None,
            )
        return read


def _talk(scope: Scope, conversation: str, agent: str) -> _Talk:
    return _Talk(scope=check_scope(scope), name=check_id(conversation, "conversation"), agent=check_id(agent, "agent"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """The end of a conversation, oldest first, what each turn takes, turns that cannot be read, and where to read on."""

    records: tuple[Record, ...] = ()
    costs: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    next: int | None = None
    complete: bool = False

    @property
    def told(self) -> Told:
        return Told(turns=self.records, costs=self.costs, complete=self.complete)


def _costs(turns: Sequence[Record], count: Callable[[str], int]) -> list[int]:
    return [count(words_of(turn)) + _HEADING for turn in turns]


def _speaking(records: Sequence[Record]) -> list[Record]:
    """What is part of the talk: not what the system told the agent."""
    return [record for record in records if record.role is not Role.SYSTEM]


def _inside(proved: Mapping[RecordId, Sequence[Memory]], ids: Sequence[RecordId]) -> list[Memory]:
    """Memories that hold, and that these records alone prove: a digest goes with its records, and so must its claims."""
    known = set(ids)
    every = {memory.id: memory for memories in proved.values() for memory in memories if memory.status is Status.CURRENT}
    return [memory for memory in every.values() if all(proof.record in known for proof in memory.evidence)]
