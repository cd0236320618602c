"""Entities by hand: list and show them, merge two, part one, undo a merge, and go through the pairs that were left open.

Rule of this file: it reads, asks the plain functions of `knowledge.entities`, and writes what they give in one transaction.
Memories are not rewritten: they keep the id they were written with, and who reads follows `merged_into`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from muniment.curate.rules_asked import check_asked, check_ids, check_scope, check_text
from muniment.curate.rules_filters import EntityWhere, check_entity_filter, entity_passes
from muniment.errors import NotFound, QueryError, shown
from muniment.knowledge.cursors import Listing, opened, sealed
from muniment.knowledge.entities import keys_of, merge, split, undo
from muniment.knowledge.values import (
    Changes,
    Entity,
    EntityId,
    EntityPage,
    Known,
    Memory,
    MemoryFilter,
    Mention,
    Merge,
    Status,
    Wanted,
)
from muniment.ports import Clock, Memories, Shelved
from muniment.types import Scope, check_whole

MOST = 1000
_STEPS = 64
_MOST_MEMORIES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Receipt of a merge, a split or an undo: both entities as they are now, and the merge that tells what became of them."""

    kept: Entity
    other: Entity
    merge: Merge


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An entity with all that hangs on it.

    `asked` is the id that was asked for, which may have been merged into `entity`. `parts` are the entities merged into it,
    `memories` what is told of any of them, latest first, `merges` how they came together, undone ones and open pairs among them.
    """

    asked: EntityId
    entity: Entity
    parts: tuple[Entity, ...]
    memories: tuple[Memory, ...]
    merges: tuple[Merge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Two entities that may be one, and why; to be merged, or left apart with `undo`."""

    merge: Merge
    kept: Entity
    other: Entity


class Store(Memories, Shelved, Protocol):
    """What this file asks of a store."""


@dataclass(slots=True)
class EntityCuration:
    """The entities of one store (`engine.entities`)."""

    store: Store
    clock: Clock

    async def list(self, scope: Scope, *, where: EntityWhere = None, limit: int = 50, cursor: str | None = None) -> EntityPage:
        """Entities of exactly `scope`, latest seen first; those merged into another are left out.

        `where` narrows them by kind and trust, and by when they were last seen.
        """
        check_scope(scope)
        check_whole("limit", limit, MOST)
        asked, secret, now = check_entity_filter(where), await self.store.secret(), self.clock.now()
        listing = Listing(verb="entities.list", scope=scope, asked=asked or None)
        before = opened(cursor, listing, secret=secret, now=now)
        kept: list[Entity] = []
        while True:
            page = await self.store.entities(scope, limit=limit, before=before)
            for place, entity in enumerate(page.entities, 1):
                kept += [entity] if entity.merged_into is None and entity_passes(entity, asked) else []
                if len(kept) == limit and place < len(page.entities):
                    page = await self.store.entities(scope, limit=place, before=before)  # for where the next page begins
                    break
            before = page.cursor
            if before is None or len(kept) == limit or not asked:
                return EntityPage(entities=tuple(kept), cursor=sealed(before, listing, secret=secret, now=now))

    async def find(self, scope: Scope, name: str, *, kind: str = "") -> tuple[Entity, ...]:
        """Entities of `scope` that may be called so, most mentioned first."""
        check_scope(scope)
        check_text(name=name, kind=kind)
        keys = keys_of(Mention(text=name, start=0, end=len(name), kind=kind))
        page = await self.store.entities(scope, keys=keys, limit=MOST) if keys else EntityPage(entities=())
        found = [e for e in page.entities if e.merged_into is None]
        return tuple(sorted(found, key=lambda e: -sum(alias.count for alias in e.aliases)))

    async def show(self, scope: Scope, entity: EntityId) -> Shown:
        """The entity with its names and their evidence, what is told of it, and its merges. Raises NotFound."""
        check_asked(scope, entity=entity)
        asked = await self._entity(scope, entity)
        whole = await self._whole(scope, asked)
        merges = await self.store.merges(scope)
        ids = _gathered(whole.id, merges)
        told: dict[str, Memory] = {}
        for id_ in ids:
            where = MemoryFilter(entity=id_, statuses=tuple(Status))
            page = await self.store.memories(scope, where, limit=_MOST_MEMORIES, now=self.clock.now())
            told.update((memory.id, memory) for memory in page.memories)
        parts = await self.store.entities(scope, ids=ids[1:], limit=MOST) if ids[1:] else EntityPage(entities=())
        return Shown(
            asked=asked.id,
            entity=whole,
            parts=parts.entities,
            memories=tuple(sorted(told.values(), key=lambda m: (m.recorded_at, m.seq), reverse=True)),
            merges=tuple(m for m in merges if not {m.kept, m.other}.isdisjoint(ids)),
        )

    async def merge(self, scope: Scope, keep: EntityId, other: EntityId, *, by: str = "") -> Joined:
        """Take two entities of `scope` for one: `keep` has all names from now on, `other` points to it.

        Raises NotFound, and QueryError (not_mergeable) when they are one already.
        """
        check_asked(scope, keep=keep, other=other)
        check_text(by=by)
        now = self.clock.now()

        def decide(kept: Entity, gone: Entity) -> tuple[Entity, Entity, Merge]:
            return merge(kept, gone, why={"by_hand": 1.0}, at=now, by=by)

        return await self._settled(scope, (keep, other), decide, at=now, code="not_mergeable")

    async def split(self, scope: Scope, entity: EntityId, aliases: Collection[str], *, by: str = "") -> Joined:
        """Part these names from an entity of `scope` as a new one. The two are not taken for one again by themselves.

        Raises NotFound, and QueryError (not_splittable) when none or all of its names are meant.
        """
        check_asked(scope, entity=entity)
        check_ids("aliases", aliases)
        check_text(by=by)
        now = self.clock.now()

        def decide(whole: Entity, _: Entity) -> tuple[Entity, Entity, Merge]:
            return split(whole, aliases, at=now, by=by)

        return await self._settled(scope, (entity, entity), decide, at=now, code="not_splittable")

    async def undo(self, scope: Scope, merge: str, *, by: str = "") -> Joined:
        """Undo a merge, or close an open pair as two.

        Raises NotFound, and QueryError (not_undoable) when it is undone already.
        """
        check_asked(scope, merge=merge)
        check_text(by=by)
        made = next((m for m in await self.store.merges(scope) if m.id == merge), None)
        if made is None:
            raise NotFound(
                f"there is no merge {shown(merge)} in this scope.", hint="Look at the merges that show and review give."
            )
        now = self.clock.now()

        def decide(kept: Entity, other: Entity) -> tuple[Entity, Entity, Merge]:
            if not made.decided:
                return kept, other, replace(made, decided=True, undone=True, at=now, by=by)
            return undo(made, kept, other, at=now, by=by)

        return await self._settled(scope, (made.kept, made.other), decide, at=now, code="not_undoable")

    async def review(self, scope: Scope) -> tuple[Open, ...]:
        """The pairs of `scope` that may be one and were left open, most alike first."""
        check_scope(scope)
        pairs = [m for m in await self.store.merges(scope, decided=False) if not m.undone]
        ids = tuple(dict.fromkeys(id_ for pair in pairs for id_ in (pair.kept, pair.other)))
        entities: dict[EntityId, Entity] = {}
        for start in range(0, len(ids), MOST):
            page = await self.store.entities(scope, ids=ids[start : start + MOST], limit=MOST)
            entities.update((e.id, e) for e in page.entities if e.merged_into is None)
        there = [pair for pair in pairs if pair.kept in entities and pair.other in entities]
        ranked = sorted(there, key=lambda pair: -pair.score)
        return tuple(Open(merge=pair, kept=entities[pair.kept], other=entities[pair.other]) for pair in ranked)

    async def _entity(self, scope: Scope, id_: EntityId) -> Entity:
        page = await self.store.entities(scope, ids=[id_], limit=1)
        if not page.entities:
            raise _missing(id_)
        return page.entities[0]

    async def _whole(self, scope: Scope, entity: Entity) -> Entity:
        """The entity that this one stands for today."""
        for _ in range(_STEPS):
            if entity.merged_into is None:
                break
            entity = await self._entity(scope, entity.merged_into)
        return entity

    async def _settled(
        self,
        scope: Scope,
        pair: tuple[EntityId, EntityId],
        decide: Callable[[Entity, Entity], tuple[Entity, Entity, Merge]],
        *,
        at: datetime,
        code: str,
    ) -> Joined:
        """Decide on two entities as they are now, and write what comes of it, in one transaction."""
        done: list[Joined] = []

        def change(known: Known) -> Changes:
            entities = {entity.id: entity for entity in known.entities}
            for id_ in pair:
                if id_ not in entities:
                    raise _missing(id_)
            try:
                kept, other, made = decide(entities[pair[0]], entities[pair[1]])
            except ValueError as error:
                raise QueryError(
                    f"{error}.", code=code, hint="Look at the entity with show: it may be merged already."
                ) from error
            done[:] = [Joined(kept=kept, other=other, merge=made)]
            return Changes(entities=tuple({e.id: e for e in (kept, other)}.values()), merges=(made,))

        await self.store.settle(scope, Wanted(entities=tuple(dict.fromkeys(pair))), change, at=at)
        return done[0]


def _gathered(id_: EntityId, merges: Sequence[Merge]) -> tuple[EntityId, ...]:
    """This entity and all that were merged into it, directly or through others."""
    inside = {m.other: m.kept for m in merges if m.decided and not m.undone}
    into = {other: _end(other, inside) for other in inside}
    return (id_, *(other for other, end in into.items() if end == id_ and other != id_))


def _end(id_: EntityId, inside: dict[EntityId, EntityId]) -> EntityId:
    for _ in range(_STEPS):
        if id_ not in inside:
            break
        id_ = inside[id_]
    return id_


def _missing(id_: EntityId) -> NotFound:
    return NotFound(f"there is no entity {shown(id_)} in this scope.", hint="Look at the ids that list shows.")
