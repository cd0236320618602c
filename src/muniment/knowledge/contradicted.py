"""Claims of two agents that cannot both hold: which memories stand against each other, and how both sides are told.

Rule of this file: pure. Settling ties the sides and decides nothing between them; a side counts as long as it is held to be so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from muniment.knowledge.values import Memory, MemoryId, Status

CONTRADICTS = "contradicts"
"""The relation that settling ties them by."""


def other_sides(memories: Iterable[Memory]) -> tuple[MemoryId, ...]:
    """The ids of what stands against those of `memories` that hold now, each once."""
    ties = (link for memory in memories if memory.status is Status.CURRENT for link in memory.links)
    return tuple(dict.fromkeys(link.memory for link in ties if link.relation == CONTRADICTS))


def against(memories: Iterable[Memory], known: Mapping[MemoryId, Memory], now: datetime) -> tuple[Memory, ...]:
    """What of the `known` stands against those of `memories` that hold now, and holds itself."""
    sides = (known.get(id_) for id_ in other_sides(memories))
    return tuple(one for one in sides if one is not None and _holds(one, now))


def told_by(memory: Memory) -> str:
    """Who claims it: "agent support on 2026-03-05"."""
    said = memory.said_at or memory.recorded_at
    return f"agent {memory.agent or 'default'} on {said:%Y-%m-%d}"


def _holds(memory: Memory, now: datetime) -> bool:
    lives = memory.held or memory.expires_at is None or memory.expires_at > now
    return memory.status is Status.CURRENT and lives
