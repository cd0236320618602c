"""Reading memories, entities and merges; counting what was served.

Rule of this file: every call sees one moment and looks up, never through, what other scopes hold. Damaged rows are left out of
pages, and named where they were asked for by id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from muniment.errors import StoreUnusable
from muniment.knowledge.keys import slot_key, subject_key
from muniment.knowledge.values import Entity, EntityPage, Memory, MemoryFilter, MemoryId, MemoryPage, Merge
from muniment.stores.postgres_bodies import Place, entities_in, memories_in, write_memory_body
from muniment.stores.postgres_link import Transaction
from muniment.stores.postgres_read import below
from muniment.stores.postgres_rows import body_row, by_name, is_text, lineage_of, lock, number_of, word, words
from muniment.stores.rows import MOST, Damaged, read_entity, read_memory, read_merge
from muniment.stores.rules import utc
from muniment.stores.rules_knowledge import (
    MOST_NEAR,
    Order,
    entity_page,
    latest_seen_first,
    memory_page,
    order_of,
    passes,
    position,
    position_of,
    seen_from,
)
from muniment.types import RecordId, Scope

STRETCH = 64  # rows read with one statement
BATCH = 256
FEW = 32  # scopes of a stream looked at with one statement
TOP = 1 << 62  # beyond every moment

START = (0, 0, 0)  # a stream's position before its first row


class Stretch(NamedTuple):
    """Some rows of a stream, and where it goes on (None at the end)."""

    rows: list[Memory | Entity | Merge | Damaged]
    next: tuple[int, int, int] | None


async def memories(
    tx: Transaction,
    *,
    scope: Scope,
    where: MemoryFilter,
    limit: int,
    now: datetime,
    before: str | None,
    inherited: bool,
) -> MemoryPage:
    """A page of memories of the scope, or of its lineage, latest recorded first."""
    after = position(before)
    moment = utc(now, "now")
    asked = list(scope.lineage) if inherited else [scope]
    numbers = {one: no for no, one in (await lineage_of(tx, scope)).items() if one in asked}
    statement, key = _path(where)
    if key is not None and not is_text(key):
        return MemoryPage(memories=())
    both = where.valid_at is not None or where.known_at is not None
    statuses = None if both or not where.statuses else [status.value for status in where.statuses]
    kinds = words(where.kinds) if where.kinds else None
    depths = [asked.index(one) for one in numbers]
    at, seq, depth = (after.at, after.seq, after.depth) if after else (TOP, MOST, len(asked))
    found: list[tuple[Order, Memory]] = []
    while len(found) <= limit:
        bounds = (list(numbers.values()), at, seq, depth, kinds, statuses, STRETCH, None if key is None else word(key), depths)
        rows = await tx.rows(statement, *bounds)
        for row in rows:
            at, seq, depth = row["recorded_at"], row["seq"], row["depth"]
            one = read_memory(asked[depth], body_row(row))
            if isinstance(one, Memory) and passes(one, where, moment):
                found.append((order_of(one, depth), one))
        if len(rows) < STRETCH:
            break
    return memory_page(found, limit)


async def memory(tx: Transaction, *, scope: Scope, ids: Sequence[MemoryId]) -> list[Memory]:
    """The memories with these ids in the lineage, in the order asked. Raises StoreUnusable for one that is damaged."""
    lineage = await lineage_of(tx, scope)
    rows = by_name(await tx.rows("memories_named", list(lineage), words(ids)), lineage)
    found = []
    for name in ids:
        row = rows.get(word(name)) if is_text(name) else None
        if row is None:
            continue
        one = read_memory(lineage[row["scope"]], body_row(row))
        if not isinstance(one, Memory):
            raise StoreUnusable(
                "this memory's row is damaged and cannot be read.",
                place=name,
                code="memory_damaged",
                hint="Queue its scope's records again to derive it anew, or restore it from an export.",
            )
        found.append(one)
    return seen_from(scope, found)


async def proved_by(tx: Transaction, *, scope: Scope, records: Sequence[RecordId]) -> dict[RecordId, list[Memory]]:
    """The memories these records of the lineage prove, latest first; records that prove none are left out."""
    lineage = await lineage_of(tx, scope)
    rows = await tx.rows("memories_proved", list(lineage), words(records))
    found: dict[RecordId, list[Memory]] = {}
    for no, one in lineage.items():
        mine = [row for row in rows if row["scope"] == no]
        for name in records:
            if name not in found and is_text(name):
                proved = memories_in(one, [row for row in mine if row["record"] == word(name)])
                if proved:
                    found[name] = seen_from(scope, proved)
    return found


async def entities(
    tx: Transaction, *, scope: Scope, keys: Sequence[str] | None, ids: Sequence[str], limit: int, before: str | None
) -> EntityPage:
    """A page of entities of exactly this scope, latest seen first."""
    after = position(before)
    no = await number_of(tx, scope)
    if no is None:
        return EntityPage(entities=())
    if keys is None and not ids:
        moment, seq = after.bound(0) if after else (TOP, MOST)
        return entity_page(entities_in(scope, await tx.rows("entities_page", no, moment, seq, limit + 1)), limit)
    rows = await tx.rows("entities_of_keys", no, words(keys or ()), MOST_NEAR)
    rows += await tx.rows("entities_named", no, words(ids))
    found = latest_seen_first(entities_in(scope, rows))
    return entity_page([one for one in found if after is None or position_of(one) < after], limit)


async def merges(tx: Transaction, *, scope: Scope, decided: bool | None) -> list[Merge]:
    """The merges of exactly this scope, latest first."""
    no = await number_of(tx, scope)
    rows = [] if no is None else await tx.rows("merges_after", no, 0, None)
    found = [(one, row["seq"]) for row in rows if isinstance(one := read_merge(scope, body_row(row)), Merge)]
    found.sort(key=lambda pair: (pair[0].at, pair[1]), reverse=True)
    return [one for one, _ in found if decided is None or one.decided is decided]


async def recalled(tx: Transaction, *, scope: Scope, ids: Sequence[MemoryId], at: datetime) -> None:
    """Count that these of the lineage were served."""
    locked = await lock(tx, scope.lineage)
    lineage = {locked[one].no: one for one in scope.lineage if one in locked}
    moment = utc(at, "at")
    for row in by_name(await tx.rows("memories_named", list(lineage), words(ids)), lineage).values():
        one = read_memory(lineage[row["scope"]], body_row(row))
        if isinstance(one, Memory):
            served = replace(one, recalled=one.recalled + 1, recalled_at=moment)
            await write_memory_body(tx, Place(row["scope"], one.scope), served)


async def stretch(tx: Transaction, *, scope: Scope | None, position: tuple[int, int, int]) -> Stretch:
    """Rows of one kind and one scope after `position`: a scope's number, a kind of row, and its number."""
    start, part, last = position
    while scopes := await below(tx, scope, after=start - 1, some=FEW):
        for no, one in scopes:
            for kind, (statement, read) in enumerate(_PARTS):
                if no == start and kind < part:
                    continue
                rows = await tx.rows(statement, no, last if (no, kind) == (start, part) else 0, BATCH)
                if rows:
                    return Stretch([read(one, body_row(row)) for row in rows], (no, kind, rows[-1]["seq"]))
        start, part, last = scopes[-1][0] + 1, 0, 0
    return Stretch([], None)


_PARTS = (("memories_after", read_memory), ("entities_after", read_entity), ("merges_after", read_merge))


def _path(where: MemoryFilter) -> tuple[str, str | None]:
    """The lookup that narrows most, and its key."""
    if where.record is not None:
        return "memories_page_of_record", where.record
    if where.subject is not None and where.attribute and isinstance(where.attribute, str):
        return "memories_page_of_slot", slot_key(where.subject, where.attribute)
    if where.entity is not None:
        return "memories_page_of_entity", where.entity
    if where.subject is not None:
        return "memories_page_of_subject", subject_key(where.subject)
    return "memories_page", None
