"""A narrower statement before a wider one: a user's own plan goes before the plan that their customer keeps for all.

Rule of this file: pure. Only a slot of one value is overruled, only by trusted words, and both sides are told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from muniment.knowledge.likeness import same_subject
from muniment.knowledge.values import Memory, MemoryId, Modality, Status
from muniment.types import Trust

Overruled = tuple[Memory, Memory]
"""What a wider rung holds, and what holds instead for whoever asks."""


def overruled(memories: Iterable[Memory], holds_one: Callable[[Memory], bool]) -> tuple[Overruled, ...]:
    """Pairs of current memories of one lineage that fill one slot of one subject with different values, the wider one first.

    `holds_one` says whether the slot of a memory holds one value.
    """
    slots: dict[str, list[Memory]] = {}
    for memory in memories:
        if _fills_a_slot(memory) and holds_one(memory):
            slots.setdefault(memory.attribute, []).append(memory)
    found = []
    for group in slots.values():
        for wider in group:
            narrower = [one for one in group if one.trust is Trust.TRUSTED and _goes_before(one, wider)]
            if narrower:
                found.append((wider, max(narrower, key=_depth)))
    return tuple(found)


def told_overruled(pairs: Sequence[Overruled], shown: Collection[MemoryId]) -> list[str]:
    """One sentence for each pair of which something is shown."""
    return [
        f"{_slot(narrower)}: {narrower.value} ({narrower.scope}) holds here; {wider.value} ({wider.scope}) is what is kept above."
        for wider, narrower in pairs
        if {wider.id, narrower.id} & set(shown)
    ]


def _fills_a_slot(memory: Memory) -> bool:
    asserted = memory.modality is Modality.ASSERTED and not memory.negated
    return bool(memory.attribute and memory.value) and asserted and memory.status is Status.CURRENT


def _goes_before(one: Memory, wider: Memory) -> bool:
    below = one.scope != wider.scope and wider.scope.covers(one.scope)
    return below and one.value.casefold() != wider.value.casefold() and same_subject(one, wider)


def _depth(memory: Memory) -> int:
    return len(memory.scope.rungs)


def _slot(memory: Memory) -> str:
    return f"{memory.attribute.replace('_', ' ').replace(':', ' ')} of {memory.subject}"
