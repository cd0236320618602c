"""Private conversations: what of the known may meet what is said in one of them, and what of it may be read in another.

Rule of this file: pure. What is said in a private conversation changes nothing outside it, and nothing outside changes it; what
was said in no conversation belongs to all. The rules of who said it decide, and in reading those of who asks as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Changes, Entity, Known, Memory
from muniment.types import Record


def room_of(record: Record | None, architecture: Architecture) -> str | None:
    """The conversation outside of which nothing may come of this record; None where it may be known in all."""
    return record.conversation if record is not None and architecture.private_conversations else None


def rooms_of(records: Sequence[Record], rules: Sequence[Architecture], *, reader: str) -> frozenset[str]:
    """The conversations that are private to who heard these records or to who reads them, the agent `reader`."""
    apart = {one.agent for one in rules if one.private_conversations}
    told = (one.conversation for one in records if one.agent in apart or reader in apart)
    return frozenset(room for room in told if room is not None)


def met(known: Known, room: str | None, architecture: Architecture) -> Known:
    """What is known in this room: memories and entities of it alone, or with None those that are of no room."""
    memories = tuple(memory for memory in known.memories if _room_now(memory, architecture) == room)
    entities = tuple(entity for entity in known.entities if entity.conversation == room)
    return replace(known, memories=memories, entities=entities)


def _room_now(memory: Memory, architecture: Architecture) -> str | None:
    """Where a memory belongs under present rules; what another agent made stays as that one made it."""
    own = memory.agent == architecture.agent
    private = architecture.private_conversations if own else memory.private
    return memory.conversation if private else None


def settled_together(rooms: Sequence[Changes]) -> Changes:
    """The changes of rooms that have nothing in common, as one."""
    if len(rooms) == 1:
        return rooms[0]
    return Changes(
        memories=tuple(chain.from_iterable(one.memories for one in rooms)),
        entities=tuple(chain.from_iterable(one.entities for one in rooms)),
        merges=tuple(chain.from_iterable(one.merges for one in rooms)),
        refusals=tuple(chain.from_iterable(one.refusals for one in rooms)),
        outcomes={record: codes for one in rooms for record, codes in one.outcomes.items()},
        partial={record: note for one in rooms for record, note in one.partial.items()},
    )


def kept_in(room: str | None, changes: Changes) -> Changes:
    """What changed among the memories and entities of this room, as known in it alone."""
    private = room is not None
    return replace(
        changes,
        memories=tuple(one if one.private is private else replace(one, private=private) for one in changes.memories),
        entities=tuple(one if one.conversation == room else replace(one, conversation=room) for one in changes.entities),
    )


def in_sight(one: Memory | Entity, conversation: str | None, *, alone: bool) -> bool:
    """True when it may be read in `conversation`. `alone` is True for a reader to whom every other conversation is private."""
    if one.conversation in (None, conversation):
        return True
    return not alone and isinstance(one, Memory) and not one.private
