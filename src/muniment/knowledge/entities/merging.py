"""Two entities taken for one, parted again, or the merge undone: plain functions over values, every one reversible.

Rule of this file: a merged entity keeps its own names and evidence and points to the one it went into; the kept one gains copies.
So an undo needs nothing but the two. Memories keep the id they were written with; readers follow `merged_into`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from muniment.knowledge.entities.keys import chosen_name, keys_of_aliases
from muniment.knowledge.entities.marks import MARK
from muniment.knowledge.entities.spelling import normal
from muniment.knowledge.keys import short_id
from muniment.knowledge.values import Alias, Entity, EntityId, Merge
from muniment.types import Scope, Trust

_MOST_STEPS = 64


def merge(
    kept: Entity, other: Entity, *, score: float = 1.0, why: Mapping[str, float] | None = None, at: datetime, by: str = ""
) -> tuple[Entity, Entity, Merge]:
    """`kept` with the names of `other`, `other` pointing to it, and the merge that says so.

    Raises ValueError when they are one already, are of two scopes, or one of them is merged into something.
    """
    if kept.id == other.id or kept.scope != other.scope or kept.merged_into is not None or other.merged_into is not None:
        raise ValueError("only two entities of one scope, neither of them merged, can be merged")
    kind = kept.kind or other.kind
    aliases = _together(kept.aliases, other.aliases)
    whole = replace(
        kept,
        kind=kind,
        aliases=aliases,
        name=chosen_name(aliases, kind) or kept.name,
        keys=keys_of_aliases(aliases, kind),
        first_seen=min(kept.first_seen, other.first_seen),
        last_seen=max(kept.last_seen, other.last_seen),
        trust=Trust.TRUSTED if Trust.TRUSTED in (kept.trust, other.trust) else Trust.UNTRUSTED,
    )
    made = Merge(
        id=merge_id(kept.scope, kept.id, other.id),
        scope=kept.scope,
        kept=kept.id,
        other=other.id,
        score=score,
        why=dict(why or {}),
        at=at,
        by=by,
    )
    return whole, replace(other, merged_into=kept.id), made


def undo(made: Merge, kept: Entity, other: Entity, *, at: datetime, by: str = "") -> tuple[Entity, Entity, Merge]:
    """The two entities apart again, and the merge marked as undone.

    What was said after the merge under a name that only `other` had goes back with it. Raises ValueError when `other` is not
    merged into `kept`, or `kept` has gone into another since (that merge is to be undone first).
    """
    if (
        made.undone
        or kept.merged_into is not None
        or other.merged_into != kept.id
        or (made.kept, made.other) != (kept.id, other.id)
    ):
        raise ValueError("this merge does not stand between these two")
    taken = {(alias.kind, alias.text): _taken(alias, other, made.at) for alias in kept.aliases}
    left = tuple(stays for stays, _ in taken.values() if stays is not None)
    back = tuple(taken.get((alias.kind, alias.text), (None, None))[1] or alias for alias in other.aliases)
    freed = replace(_renamed(other, back), merged_into=None)
    if not left:
        raise ValueError("nothing but the other's names is left of what was kept, so there is nothing to part")
    return _renamed(kept, left), freed, replace(made, undone=True, at=at, by=by or made.by)


def split(entity: Entity, aliases: Collection[str], *, at: datetime, by: str = "") -> tuple[Entity, Entity, Merge]:
    """`entity` without these names, a new entity that has them, and the undone merge that says so (the two are not one).

    Names are compared as the entity spells them or in their normal form. Raises ValueError when none, or all, of its names
    are meant, or it is merged into another.
    """
    wanted = {normal(text) for text in aliases}
    out = tuple(alias for alias in entity.aliases if normal(alias.text) in wanted)
    left = tuple(alias for alias in entity.aliases if normal(alias.text) not in wanted)
    if any(all(alias.kind == MARK for alias in part) for part in (out, left)) or entity.merged_into is not None:
        raise ValueError("a split takes some of an unmerged entity's names, not none and not all")
    kind = entity.kind if any(alias.kind == "name" for alias in out) else out[0].kind
    other = replace(_renamed(replace(entity, kind=kind, seq=0), out), id=_split_id(entity, out), merged_into=None)
    parted = Merge(
        id=merge_id(entity.scope, entity.id, other.id),
        scope=entity.scope,
        kept=entity.id,
        other=other.id,
        score=0.0,
        why={"split": 0.0},
        at=at,
        undone=True,
        by=by,
    )
    return _renamed(entity, left), other, parted


def following(id_: EntityId, entities: Mapping[EntityId, Entity]) -> EntityId:
    """The entity an id stands for today: `merged_into` followed to its end, as far as `entities` tell."""
    for _ in range(_MOST_STEPS):
        entity = entities.get(id_)
        if entity is None or entity.merged_into is None:
            break
        id_ = entity.merged_into
    return id_


def merge_id(scope: Scope, kept: EntityId, other: EntityId) -> str:
    """The id of the merge of these two: one per pair, whichever way round, so that a pair is asked about once."""
    first, second = sorted((kept, other))
    return short_id(f"{scope}\0{first}\0{second}")


def _split_id(entity: Entity, aliases: tuple[Alias, ...]) -> EntityId:
    parts = [str(entity.scope), entity.id, *sorted(alias.text for alias in aliases)]
    return EntityId(short_id("\0".join(parts)))


def _together(first: tuple[Alias, ...], second: tuple[Alias, ...]) -> tuple[Alias, ...]:
    """Both lists of names, those of one spelling added up."""
    found = {(alias.kind, alias.text): alias for alias in first}
    for alias in second:
        key = (alias.kind, alias.text)
        if (mine := found.get(key)) is None:
            found[key] = alias
        else:
            new = tuple(e for e in alias.evidence if e not in mine.evidence)
            found[key] = replace(mine, count=mine.count + alias.count, evidence=(*mine.evidence, *new))
    return tuple(found.values())


def _taken(alias: Alias, other: Entity, since: datetime) -> tuple[Alias | None, Alias | None]:
    """What stays of a name of the kept entity, and what goes back to `other`, which was merged `since` then."""
    theirs = next((a for a in other.aliases if (a.kind, a.text) == (alias.kind, alias.text)), None)
    if theirs is None:
        return alias, None
    stays = tuple(e for e in alias.evidence if e not in theirs.evidence)
    if all(e.said_at is not None and e.said_at > since for e in stays):
        return None, alias
    return replace(alias, evidence=stays, count=max(len(stays), alias.count - theirs.count)), theirs


def _renamed(entity: Entity, aliases: tuple[Alias, ...]) -> Entity:
    kept_name = entity.name if any(alias.text == entity.name for alias in aliases) else chosen_name(aliases, entity.kind)
    return replace(entity, aliases=aliases, name=kept_name, keys=keys_of_aliases(aliases, entity.kind))
