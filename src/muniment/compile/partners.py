"""Which blocks belong together: tool calls with their results, one author's blocks of one turn key, and what requires each other.

Rule of this file: a result belongs to the latest open call of its id; calls stay open until the assistant speaks again after
somebody else. A result without an open call is an orphan, and a call without a result is not shown. A turn key is its author's:
nobody's block belongs to another's by naming the same one. Units that require each other, through however many, are one.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from muniment.types import Band, Block, Role, ToolCall, Trust


class Rank(Enum):
    """What a block is in a prompt."""

    INSTRUCTION = auto()
    NOTE = auto()
    TOOL = auto()
    TURN = auto()
    DATA = auto()


_NO_SPEECH: Final = (Rank.INSTRUCTION, Rank.TOOL)

# Looking a member up in its enum costs five times what the rest of `rank` does, and every block is ranked.
_SYSTEM, _TRUSTED, _VOLATILE = Role.SYSTEM, Trust.TRUSTED, Band.VOLATILE
_NOTE, _INSTRUCTION = Rank.NOTE, Rank.INSTRUCTION


def rank(block: Block) -> Rank:
    """Trusted system blocks instruct, volatile ones as notes at their place; turns are what somebody said; all else is data.

    A block with a tool is that tool and nothing else, whoever it comes from.
    """
    if block.tool is not None:
        return Rank.TOOL
    if block.role is _SYSTEM and block.trust is _TRUSTED:
        return _NOTE if block.band is _VOLATILE else _INSTRUCTION
    recalled = block.band is Band.VOLATILE and block.trust is Trust.UNTRUSTED
    return Rank.DATA if recalled or block.role in (Role.SYSTEM, Role.DOCUMENT) else Rank.TURN


@dataclass(frozen=True, slots=True)
class Pairs:
    """`owners` maps the place of a result to that of its call's block; `orphans` are results without one."""

    owners: dict[int, int]
    orphans: frozenset[int]
    answered: dict[int, tuple[ToolCall, ...]]


def pair(blocks: Sequence[Block], ranks: Sequence[Rank]) -> Pairs:
    """Pair results with calls. `answered` has, per assistant's block with calls, those that have a result, each once."""
    owners: dict[int, int] = {}
    orphans: set[int] = set()
    got: dict[int, set[str]] = {}
    pool: dict[str, int] = {}
    speaking = False
    for place, block in enumerate(blocks):
        if ranks[place] in _NO_SPEECH:
            continue
        if ranks[place] is Rank.TURN and block.role is Role.ASSISTANT:
            pool = pool if speaking else {}
            pool.update((call.id, place) for call in block.tool_calls)
            speaking = True
            continue
        speaking = False
        if ranks[place] is Rank.TURN and block.role is Role.TOOL:
            owner = pool.pop(block.tool_call_id, None) if block.tool_call_id is not None else None
            if owner is None:
                orphans.add(place)
            else:
                owners[place] = owner
                got.setdefault(owner, set()).add(str(block.tool_call_id))
    answered = {place: _once(b.tool_calls, got.get(place, set())) for place, b in enumerate(blocks) if b.tool_calls}
    return Pairs(owners, frozenset(orphans), answered)


def _once(calls: tuple[ToolCall, ...], ids: set[str]) -> tuple[ToolCall, ...]:
    return tuple({call.id: call for call in calls if call.id in ids}.values())


def units(blocks: Sequence[Block], pairs: Pairs) -> list[list[int]]:
    """Places that stand or fall together, each unit in order; units in order of their first block.

    Partners do, one author's blocks of one turn key, and the members of a group that enters a prompt as a whole.
    """
    leader = list(range(len(blocks)))

    def lead(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    keys: dict[tuple[str, str], int] = {}
    groups: dict[str, int] = {}
    for place, block in enumerate(blocks):
        if block.turn_key is not None:
            leader[lead(place)] = lead(keys.setdefault((block.author, block.turn_key), place))
        if block.group is not None and block.group.budget_as_unit:
            leader[lead(place)] = lead(groups.setdefault(block.group.name, place))
        if (owner := pairs.owners.get(place)) is not None:
            leader[lead(place)] = lead(owner)
    members: dict[int, list[int]] = {}
    for place in range(len(blocks)):
        members.setdefault(lead(place), []).append(place)
    return list(members.values())


def nearest(place: int, options: Sequence[int]) -> int:
    """Which of several blocks that would do is required: the nearest one before `place`, else the nearest behind it."""
    return min(options, key=lambda other: (other > place, abs(other - place)))


def knit(units: Sequence[list[int]], needs: Mapping[int, Sequence[Sequence[int]]], there: Container[int]) -> list[list[int]]:
    """The units, those that require each other in a ring made one; in order of their first block.

    `needs` has, per place, the places of which one must stand, for each name; `there` are those that stand already. Of several
    that would do the nearest is in the ring, and none where one outside of it would do.
    """
    number = {place: n for n, unit in enumerate(units) for place in unit}
    free = {place for unit in units if not any(p in needs for p in unit) for place in unit}
    wants = [
        [
            (place, [other for other in options if other in number])
            for place in unit
            for options in needs.get(place, ())
            if not any(other in unit or other in there or other in free for other in options)
        ]
        for unit in units
    ]
    widest = _rings([[number[other] for _, options in want for other in options] for want in wants])
    rings = _rings(
        [
            [
                number[nearest(place, options)]
                for place, options in want
                if options and all(widest[number[other]] == widest[n] for other in options)
            ]
            for n, want in enumerate(wants)
        ]
    )
    members: dict[int, list[int]] = {}
    for n, unit in enumerate(units):
        members.setdefault(rings[n], []).extend(unit)
    return sorted((sorted(unit) for unit in members.values()), key=lambda unit: unit[0])


def _rings(edges: Sequence[Sequence[int]]) -> list[int]:
    """A number per node, the same for two when each leads to the other (strongly connected components, after Kosaraju)."""
    back: list[list[int]] = [[] for _ in edges]
    for node, others in enumerate(edges):
        for other in others:
            back[other].append(node)
    left: list[int] = []
    seen: set[int] = set()
    for start in range(len(edges)):
        path = [] if start in seen else [(start, iter(edges[start]))]
        seen.add(start)
        while path:
            node, others_of = path[-1]
            if (fresh := next((other for other in others_of if other not in seen), None)) is None:
                left.append(node)
                path.pop()
            else:
                seen.add(fresh)
                path.append((fresh, iter(edges[fresh])))
    ring = [-1] * len(edges)
    for start in reversed(left):
        reached = [start] if ring[start] < 0 else []
        while reached:
            node = reached.pop()
            if ring[node] < 0:
                ring[node] = start
                reached += (other for other in back[node] if ring[other] < 0)
    return ring
