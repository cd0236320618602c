"""What two agents claim against each other among the hits, in sentences.

Rule of this file: pure; both sides are told with their authors, and each pair once.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.bundle import Hit
from muniment.knowledge.contradicted import other_sides, told_by
from muniment.knowledge.values import MemoryId


def told_contradictions(hits: Sequence[Hit]) -> list[str]:
    """One sentence for each pair of claims that contradict each other."""
    seen: set[frozenset[MemoryId]] = set()
    lines = []
    for hit in hits:
        for one in hit.contradicted:
            for other in hit.against:
                pair = frozenset((one.id, other.id))
                if other.id in other_sides([one]) and pair not in seen:
                    seen.add(pair)
                    lines.append(f"Contradiction: {one.text} ({told_by(one)}) against {other.text} ({told_by(other)}).")
    return lines
