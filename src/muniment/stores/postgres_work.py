"""The enrichment of records as rows: claims with leases and fences, failures, and what is open.

Rule of this file: who claims gets a fence that was never given before, so that no late or stale worker can end another's work.
Scopes take turns, and one that somebody is at is passed over; only when every scope with work is locked is one waited for.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from muniment.knowledge.values import Backlog, Claim, WorkItem, WorkState
from muniment.stores.postgres_link import Transaction, area_of
from muniment.stores.postgres_rows import by_name, is_text, lineage_of, lock, scope_at, unword, word, words
from muniment.stores.rules import instant, micros, utc
from muniment.types import RecordId, Scope


async def claim(tx: Transaction, *, now: datetime, lease: timedelta, limit: int) -> list[Claim]:
    """Take the longest waiting records of the scope whose turn it is, under a new fence."""
    at = micros(utc(now, "now"))
    found = await _take_turn(tx, at) if limit > 0 else None
    if found is None:
        return []
    no, path = found
    scope = scope_at(path)
    fence = await tx.value("fence_next")
    await tx.change("meta_set", "turn", str(no))
    rows = await tx.rows("work_take", no, at, limit, micros(utc(now + lease, "lease")), fence)
    return [Claim(scope=scope, record=RecordId(unword(row)), fence=fence, attempts=row["attempts"]) for row in rows]


async def fail(tx: Transaction, *, claims: Sequence[Claim], reason: str, now: datetime, retry_at: datetime | None) -> int:
    """Give back those that are still held; returns how many."""
    state = WorkState.FAILED if retry_at is None else WorkState.QUEUED
    due = None if retry_at is None else micros(utc(retry_at, "retry_at"))
    given = 0
    for scope, row in (await lock(tx, (claim.scope for claim in claims))).items():
        mine = [claim for claim in claims if claim.scope == scope]
        numbers = list(set((await held(tx, row.no, mine)).values()))
        told = (state.value, due, micros(utc(now, "now")), reason.encode(errors="replace"))
        given += await tx.change("work_fail", row.no, numbers, *told) if numbers else 0
    return given


async def held(tx: Transaction, no: int, claims: Collection[Claim]) -> dict[Claim, int]:
    """Of these claims of a scope those that whoever has them may still end, with the number of their record."""
    asked = words(claim.record for claim in claims)
    rows = {row["name"]: row for row in await tx.rows("work_held", no, asked)} if asked else {}
    found = {}
    for claim in claims:
        row = rows.get(word(claim.record)) if is_text(claim.record) else None
        if row is not None and row["fence"] == claim.fence:
            found[claim] = row["record"]
    return found


async def work(tx: Transaction, *, scope: Scope, records: Sequence[RecordId]) -> list[WorkItem]:
    """The state of these records of exactly this scope or its ancestors."""
    lineage = await lineage_of(tx, scope)
    rows = by_name(await tx.rows("work_of", list(lineage), words(records)), lineage)
    items = []
    for name in records:
        row = rows.get(word(name)) if is_text(name) else None
        if row is not None and row["state"] is not None:
            refused = zip(row["kinds"], row["reasons"], row["counts"], strict=True)
            items.append(
                WorkItem(
                    record=name,
                    state=WorkState(row["state"]),
                    reason=row["reason"].decode(),
                    attempts=row["attempts"],
                    retry_at=None if row["due"] is None else instant(row["due"]),
                    outcomes=tuple(json.loads(row["outcomes"])),
                    architecture=row["architecture"].decode(),
                    refused={(kind.decode(), why.decode()): count for kind, why, count in refused},
                )
            )
    return items


async def requeue(tx: Transaction, *, scope: Scope, now: datetime, parked: bool) -> int:
    """Queue again all records of `scope` and below, or the parked ones; returns how many."""
    since = micros(utc(now, "now"))
    queued = 0
    for row in await tx.rows("scopes_below_lock", *area_of(scope)):
        if parked:
            queued += await tx.change("work_parked_again", row["no"], since)
        else:
            queued += await tx.change("work_again", row["no"], None, since)
    return queued


async def backlog(tx: Transaction) -> Backlog:
    """How much is open."""
    row = await tx.row("backlog")
    assert row is not None
    return Backlog(
        queued=row["queued"],
        processing=row["processing"],
        parked=row["parked"],
        oldest=None if row["oldest"] is None else instant(row["oldest"]),
        last_error=(row["last"] or b"").decode(),
    )


async def refused(tx: Transaction, *, scope: Scope) -> dict[tuple[str, str], int]:
    """Counts of what was refused in `scope` and below."""
    return {(kind.decode(), reason.decode()): count for kind, reason, count in await tx.rows("refusals_below", *area_of(scope))}


async def _take_turn(tx: Transaction, at: int) -> tuple[int, str] | None:
    """The free scope with work behind the one that had its turn last, locked; behind the last, the first."""
    last = int(await tx.value("meta_get", "turn") or 0)
    taken: list[int] = []
    for after, until in ((last, None), (0, last)):
        no = await tx.value("work_waiting", after, at)
        while no is not None and (until is None or no <= until):
            path = await tx.value("scope_skip_locked", no)
            if path is None:
                taken.append(no)
            elif await _is_free(tx, no, at):
                return no, path
            no = await tx.value("work_waiting", no, at)
    for no in taken:  # whoever writes there is soon done, and what waits there must not look like nothing
        path = await tx.value("scope_lock", no)
        if path is not None and await _is_free(tx, no, at):
            return no, path
    return None


async def _is_free(tx: Transaction, no: int, at: int) -> bool:
    """Whether a locked scope still has work, and nobody is at it."""
    return await tx.value("work_waiting", no - 1, at) == no and not await tx.value("work_under_way", no, at)
