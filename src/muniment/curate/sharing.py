"""Sharing upwards: a memory's copy on the customer's or the client's rung, that names nobody and goes with what it was made from.

Rule of this file: the architecture says how far a kind goes. A copy keeps marks of where it came from that only this store can
read, so that forgetting takes it along; whoever sees the copy learns from them nothing.
"""

from __future__ import annotations

import json
import re
from base64 import b32encode
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from typing import Protocol

from muniment.curate.pages import pages
from muniment.curate.rules_asked import check_asked, check_text
from muniment.errors import NotFound, QueryError, ScopeError, shown
from muniment.knowledge.decisions import DECISION, OUTCOME, PARTS
from muniment.knowledge.entities.given import BOTH, FEMALE, MALE, SHORT_FEMALE, SHORT_MALE
from muniment.knowledge.keys import digest_of, memory_id
from muniment.knowledge.values import (
    SELF,
    Changes,
    Entity,
    EntityId,
    Evidence,
    Known,
    Link,
    Memory,
    MemoryFilter,
    MemoryId,
    Status,
    Wanted,
)
from muniment.ports import ArchitectureOf, Clock, Memories, Records, Shelved, Target
from muniment.types import RUNGS, Erasure, Filter, Record, RecordId, Scope, Trust

SHARED_AS = "shared_as"
"""The relation that names, on a copy, the record that sharing made of it."""
SHARED_FROM = "shared_from"
"""The relation by which a copy keeps its marks."""
MOST = 200
_SOMEONE = "someone"
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_GIVEN = MALE | FEMALE | BOTH | SHORT_MALE | SHORT_FEMALE
_WIDER = {"": 0, "user": 0, "customer": 1, "client": 2}

Remember = Callable[..., Awaitable[Record]]
"""Keeps a statement as a record of a scope and returns it: (scope, text, agent=…)."""


class Store(Memories, Records, Shelved, Protocol):
    """What this file asks of a store."""


@dataclass(slots=True)
class Sharing:
    """What the scopes of one store share with the rungs above them. `memories` and `decisions` offer it."""

    store: Store
    clock: Clock
    remember: Remember = field(repr=False)
    rules_of: ArchitectureOf = field(repr=False)

    async def share(self, scope: Scope, memory: MemoryId, *, to: str, by: str, agent: str | None) -> Memory:
        """The copy on the rung `to`, made anew unless it is there already."""
        check_asked(scope, memory=memory, to=to)
        check_text(by=by)
        original = await self._original(scope, memory)
        target = _target(scope, to)
        await self._check_may(original, to, agent=agent)
        secret = await self.store.secret()
        links = _marks(secret, original)
        there = [one for one in await self._copies(secret, original.scope, target) if set(links) <= set(one.links)]
        if there:
            return there[0]
        copy = _without_names(original, await self._people(scope, original), by=by)
        record = await self.remember(target, copy.text, agent=original.agent)
        placed = replace(_placed(copy, target, record), links=(*links, Link(relation=SHARED_AS, memory=MemoryId(record.id))))
        await self.store.settle(target, Wanted(memories=(placed.id,)), lambda known: _kept(known, placed), at=self.clock.now())
        try:
            await self._original(scope, memory)
        except NotFound:  # it was forgotten meanwhile, and the copy goes the same way
            await self._take(placed)
            raise
        return placed

    async def unshare(self, scope: Scope, memory: MemoryId) -> int:
        """Take copies away for good with the records that prove them: of a memory of `scope`, or the one copy that is named."""
        check_asked(scope, memory=memory)
        secret = await self.store.secret()
        taken = 0
        for one in await self.store.memory(scope, [memory]):
            own = _mark(secret, one.scope, one.id)
            made = [copy for wider in one.scope.lineage[1:] for copy in await self._copies(secret, one.scope, wider)]
            named = [one] if _is_copy(one) else [copy for copy in made if any(link.memory == own for link in copy.links)]
            for copy in named:
                await self._take(copy)
                taken += 1
        return taken

    async def erase(self, target: Target, at: datetime) -> Erasure:
        """Erase a target of the store, and before it the copies that were made of what goes."""
        taken = 0
        secret = await self.store.secret()
        wider = target.scope.lineage[1:]
        copies = [copy for rung in wider for copy in await self._copies(secret, target.scope, rung)]
        if copies and (target.ids or target.conversation is not None):
            going = {_mark(secret, target.scope, record) for record in await self._records(target)}
            copies = [copy for copy in copies if any(link.memory in going for link in copy.links)]
        for copy in copies:
            await self._take(copy)
            taken += 1
        erased = await self.store.erase(target, at)
        return replace(erased, removed={**erased.removed, "shared": taken}) if taken else erased

    async def _original(self, scope: Scope, memory: MemoryId) -> Memory:
        found = [one for one in await self.store.memory(scope, [memory]) if one.scope == scope]
        if not found:
            raise NotFound(f"there is no memory {shown(memory)} in this scope.", hint="Look at the ids that list shows.")
        return found[0]

    async def _copies(self, secret: bytes, source: Scope, target: Scope) -> list[Memory]:
        """What stands on a wider rung and was shared from `source` or from below it."""
        where = MemoryFilter(entity=EntityId(_mark(secret, source)), statuses=tuple(Status))
        now = self.clock.now()
        return [one async for page in pages(self.store, target, where, now=now, inherited=False) for one in page]

    async def _records(self, target: Target) -> Sequence[RecordId]:
        if target.conversation is None:
            return target.ids
        found: list[RecordId] = []
        before: int | None = None
        while True:
            page = await self.store.page(target.scope, Filter(conversation=target.conversation), limit=1000, before=before)
            found += [record.id for record in page.records]
            if page.cursor is None:
                return found
            before = int(page.cursor)

    async def _take(self, copy: Memory) -> None:
        """Erase the record that sharing made; whoever else states the same keeps what was stated."""
        own = tuple(RecordId(link.memory) for link in copy.links if link.relation == SHARED_AS)
        await self.store.erase(Target(scope=copy.scope, ids=own), self.clock.now())

    async def _check_may(self, memory: Memory, to: str, *, agent: str | None) -> None:
        agents = dict.fromkeys((memory.agent or "default", agent or memory.agent or "default"))
        rules = [(await self.rules_of(one, memory.scope.client)).kind(memory.kind) for one in agents]
        if any(rule is None or _WIDER.get(rule.share, 0) < _WIDER[to] for rule in rules):
            raise ScopeError(
                f"the architecture does not share the kind {memory.kind} with the {to}.",
                place="to",
                code="not_shared",
                hint=f"Set share: {to} for the kind {memory.kind} in the agent's architecture.",
            )
        whole = memory.status is Status.CURRENT and memory.trust is Trust.TRUSTED and not memory.private
        if not whole or memory.attribute == OUTCOME:
            raise QueryError(
                "only what is current, from trusted words, and not said in private can be shared.",
                place="memory",
                code="not_shareable",
                hint="Look at its status, trust and conversation.",
            )

    async def _people(self, scope: Scope, memory: Memory) -> tuple[str, ...]:
        """Every name by which people it speaks of are known, longest first; whom it is about is among them if it is somebody."""
        ids = [one for one in (memory.subject_id, *memory.entities) if one]
        named = (await self.store.entities(scope, ids=ids, limit=MOST)).entities if ids else ()
        people = {memory.speaker, memory.subject if _is_somebody(memory, named) else ""} - {SELF, "assistant", ""}
        for entity in named:
            if entity.kind == "person" and not _is_option(entity.name, memory):
                people |= {entity.name, *(alias.text for alias in entity.aliases)}
        return tuple(sorted(people, key=lambda name: (-len(name), name)))


def _target(scope: Scope, to: str) -> Scope:
    for wider in scope.lineage[1:]:
        if wider.rungs[-1][0] == to:
            return wider
    hint = f"Use one of {', '.join(RUNGS)} above it."
    raise ScopeError(f"this scope has no {shown(to)} to share with.", place="to", code="rung_missing", hint=hint)


def _mark(secret: bytes, scope: Scope, name: str = "") -> MemoryId:
    """What stands for a scope, or for something of it, and means nothing without the store's own secret."""
    words = json.dumps([scope.rungs, name]).encode()
    return MemoryId(b32encode(blake2b(words, key=secret[:64], digest_size=10).digest()).decode().lower())


def _marks(secret: bytes, original: Memory) -> tuple[Link, ...]:
    """Of where a copy comes from: its scope and all above it, itself, and every record that proves it."""
    home = original.scope
    names = [original.id, *(evidence.record for evidence in original.evidence)]
    marks = [*(_mark(secret, one) for one in home.lineage), *(_mark(secret, home, name) for name in names)]
    return tuple(Link(relation=SHARED_FROM, memory=mark) for mark in dict.fromkeys(marks))


def _is_copy(memory: Memory) -> bool:
    return any(link.relation == SHARED_FROM for link in memory.links)


def _kept(known: Known, placed: Memory) -> Changes:
    """The copy, with the marks of what else it was made of at the same moment."""
    before = next((one for one in known.memories if one.id == placed.id), placed)
    return Changes(memories=(replace(placed, links=tuple(dict.fromkeys((*before.links, *placed.links)))),))


def _is_somebody(memory: Memory, named: Collection[Entity]) -> bool:
    """Whether it is about a person, or may be: what is known as another thing, or written small like one, is none."""
    if memory.kind == DECISION or memory.subject in {SELF, memory.speaker}:
        return True
    kinds = [entity.kind for entity in named if entity.id == memory.subject_id]
    words = memory.subject.split()
    return "person" in kinds if kinds else not all(word.islower() and word not in _GIVEN for word in words)


def _is_option(name: str, memory: Memory) -> bool:
    """True for what was chosen between and is taken for somebody, though no word of it is a given name that is known."""
    low = name.casefold()
    options = {option.casefold() for option in (memory.value.removeprefix("against "), *memory.parts.get("alternatives", ()))}
    return any(f" {low} " in f" {option} " for option in options) and not any(word in _GIVEN for word in low.split())


def _without_names(memory: Memory, names: Sequence[str], *, by: str) -> Memory:
    """The memory with "someone" for every person it names, and nothing that leads back to whoever said it."""
    parts = {name: tuple(_nameless(text, names) for text in memory.parts[name]) for name in PARTS if name in memory.parts}
    about = _SOMEONE if memory.subject in {SELF, *names} else memory.subject
    text = re.sub(rf"^{re.escape(SELF)}\b", _SOMEONE, memory.text)
    return replace(
        memory,
        text=_nameless(text, names),
        value=_nameless(memory.value, names),
        subject=about,
        subject_id=None,
        object_id=None,
        entities=(),
        speaker=_SOMEONE,
        parts=parts,
        links=(),
        replaces=(),
        metadata={"shared": "yes", **({"shared_by": by} if by else {})},
    )


def _nameless(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _SOMEONE, text, flags=re.IGNORECASE)
    return _ADDRESS.sub("an address", text)


def _placed(copy: Memory, target: Scope, record: Record) -> Memory:
    evidence = Evidence(record=record.id, start=0, end=len(record.text), said_at=copy.said_at)
    return replace(
        copy,
        id=memory_id(target, copy.kind, digest_of(copy), evidence),
        scope=target,
        evidence=(evidence,),
        conversation=None,
        recorded_at=record.recorded_at,
        recalled=0,
        recalled_at=None,
        seq=0,
    )
