"""What is left of an entity when records are erased: an alias goes with the last record that names it so.

Rule of this file: pure; nothing may outlive its evidence, neither the name, nor a key, nor a date.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from muniment.knowledge.entities.keys import chosen_name, keys_of_aliases
from muniment.knowledge.entities.marks import MARK
from muniment.knowledge.values import Alias, Entity
from muniment.types import RecordId


def without(entity: Entity, gone: Collection[RecordId]) -> Entity | None:
    """`entity` as if the records `gone` had never been: None when nothing is left, itself when none of them named it.

    Aliases lose their evidence and an alias without any goes; name, keys and dates are made anew from what is left.
    """
    lost = frozenset(gone)
    if not any(piece.record in lost for alias in entity.aliases for piece in alias.evidence):
        return entity
    aliases = tuple(left for alias in entity.aliases if (left := _alias_without(alias, lost)) is not None)
    if all(alias.kind == MARK for alias in aliases):
        return None
    said = [piece.said_at for alias in aliases for piece in alias.evidence if piece.said_at is not None]
    return replace(
        entity,
        aliases=aliases,
        name=chosen_name(aliases, entity.kind),
        keys=keys_of_aliases(aliases, entity.kind),
        first_seen=max(entity.first_seen, min(said)) if said else entity.first_seen,
        last_seen=min(entity.last_seen, max(said)) if said else entity.last_seen,
    )


def _alias_without(alias: Alias, lost: frozenset[RecordId]) -> Alias | None:
    evidence = tuple(piece for piece in alias.evidence if piece.record not in lost)
    if not evidence:
        return None
    taken = len(alias.evidence) - len(evidence)
    return replace(alias, evidence=evidence, count=max(len(evidence), alias.count - taken)) if taken else alias
