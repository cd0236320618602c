"""Retention: what has expired is purged, what is never recalled fades and is purged later, and what is held stays.

Rule of this file: an expired memory is invisible to reads at once, whether or not a sweep has run. A sweep that would purge a
large share of all memories, as after a clock that jumped, does nothing until it is confirmed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from muniment.errors import InputError, ScopeError
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Changes, Known, Memory, MemoryId, Status, Wanted
from muniment.ports import Admin, ArchitectureOf, Clock, Follow, Memories, Purge
from muniment.types import Scope

MOST_SHARE = 0.2
FEW = 20
_BATCH = 500

Keep = Callable[[datetime], Awaitable[None]]
"""Keeps in the store which memories were served and not yet counted as such."""


class Store(Memories, Admin, Protocol):
    """What a sweep asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """Receipt of a sweep: memories looked at, purged and faded by kind, held ones passed over, and when it was done."""

    looked_at: int
    purged: Mapping[str, int]
    faded: Mapping[str, int]
    held: int
    at: datetime
    clean: bool = True


@dataclass(slots=True)
class _Due:
    looked_at: int = 0
    held: int = 0
    purge: dict[Scope, list[Memory]] = field(default_factory=dict)
    fade: dict[Scope, list[Memory]] = field(default_factory=dict)


class Retention:
    """Lets go of memories whose time is over (`engine.retention`)."""

    def __init__(
        self, store: Store, clock: Clock, architecture: ArchitectureOf, *, keep_served: Keep, purge: Purge, follow: Follow
    ) -> None:
        self._store = store
        self._clock = clock
        self._architecture = architecture
        self._keep_served = keep_served
        self._purge = purge
        self._follow = follow

    async def sweep(self, scope: Scope | None = None, *, confirm: bool = False) -> Swept:
        """Purge what has expired and fade what was never recalled, in `scope` and all below it, or in the whole store.

        Raises InputError (mass_purge), having changed nothing, when more than a fifth of all memories would go at once,
        and ScopeError for what is no scope.
        """
        _check(scope)
        now = self._clock.now()
        await self._keep_served(now)
        due = await self._due(scope, now)
        going = sum(map(len, due.purge.values()))
        if not confirm and going > FEW and going > MOST_SHARE * due.looked_at:
            raise InputError(
                f"this sweep would purge {going} of {due.looked_at} memories at once.",
                code="mass_purge",
                hint="Check the clock and the retention rules; then sweep again with confirm=True.",
            )
        clean = True
        for home, memories in due.fade.items():
            await self._fade(home, [m.id for m in memories], now)
            await self._follow(home)
        for home, memories in due.purge.items():
            for start in range(0, len(memories), _BATCH):
                clean &= await self._purge(home, memories[start : start + _BATCH], now)
        return Swept(
            looked_at=due.looked_at,
            purged=_by_kind(due.purge),
            faded=_by_kind(due.fade),
            held=due.held,
            at=now,
            clean=clean,
        )

    async def _due(self, scope: Scope | None, now: datetime) -> _Due:
        due = _Due()
        rules: dict[tuple[str, str | None], Architecture] = {}
        async for memory in self._store.knowledge(scope):
            if not isinstance(memory, Memory):
                continue
            due.looked_at += 1
            agent = (memory.agent or "default", memory.scope.client)
            if agent not in rules:
                rules[agent] = await self._architecture(*agent)
            rule = rules[agent].kind(memory.kind)
            verdict = _verdict(memory, rule.forget_unused if rule else None, now)
            if verdict and memory.held:
                due.held += 1
            elif verdict:
                (due.purge if verdict == "purge" else due.fade).setdefault(memory.scope, []).append(memory)
        return due

    async def _fade(self, scope: Scope, ids: list[MemoryId], now: datetime) -> None:
        def decide(known: Known) -> Changes:
            fading = [m for m in known.memories if m.status is Status.CURRENT and not m.held]
            return Changes(memories=[replace(m, status=Status.EXPIRED, retired_at=now) for m in fading])

        for start in range(0, len(ids), _BATCH):
            await self._store.settle(scope, Wanted(memories=tuple(ids[start : start + _BATCH])), decide, at=now)


def _check(scope: object) -> None:
    if not isinstance(scope, Scope | None):
        hint = "Give a Scope, for example Scope(user='ana'), or none for the whole store."
        raise ScopeError(f"a scope is a Scope value, not {type(scope).__name__}.", place="scope", hint=hint)


def _verdict(memory: Memory, unused: timedelta | None, now: datetime) -> str:
    """Whether a memory is to be purged, to fade, or to stay (empty)."""
    if memory.expires_at is not None and memory.expires_at <= now:
        return "purge"
    if unused is None:
        return ""
    idle = now - max(memory.recorded_at, memory.recalled_at or memory.recorded_at)
    if memory.status is Status.EXPIRED and idle > 2 * unused:
        return "purge"
    return "fade" if memory.status is Status.CURRENT and idle > unused else ""


def _by_kind(memories: Mapping[Scope, list[Memory]]) -> dict[str, int]:
    return dict(Counter(m.kind for theirs in memories.values() for m in theirs))
