"""The enrichment of records as rows: claims with leases and fences, failures, and what is open.

Rule of this file: who claims gets a fence that was never given before, so that no late or stale worker can end another's work.
Scopes take turns, so that one with a hundred thousand records waiting does not hold up another's one.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

import apsw

from muniment.knowledge.values import Backlog, Claim, WorkItem, WorkState
from muniment.stores.rows import kept_scope
from muniment.stores.rules import instant, micros, utc
from muniment.stores.sqlite_file import find, run, run_all, run_one, run_value, snapshot
from muniment.stores.sqlite_read import below
from muniment.stores.sqlite_rows import span
from muniment.stores.sqlite_write import find_lineage, find_scope
from muniment.types import RecordId, Scope


def claim(connection: apsw.Connection, *, now: datetime, lease: timedelta, limit: int) -> list[Claim]:
    """Take the longest waiting records of the scope whose turn it is, under a new fence."""
    at = micros(utc(now, "now"))
    no = _next_scope(connection, at)
    if no is None or limit < 1:
        return []
    run(connection, "meta_set", "turn", str(no))
    scope = kept_scope(*run_all(connection, "scope_rungs", no)[0])
    fence = int(run_value(connection, "meta_get", "fence") or 0) + 1
    run(connection, "meta_set", "fence", str(fence))
    until = micros(utc(now + lease, "lease"))
    claims = []
    for place, attempts in run_all(connection, "work_to_claim", no, at, limit):
        run(connection, "work_claim", until, attempts + 1, fence, place)
        name = RecordId(run_value(connection, "record_name", place))
        claims.append(Claim(scope=scope, record=name, fence=fence, attempts=attempts + 1))
    return claims


def fail(connection: apsw.Connection, *, claims: Sequence[Claim], reason: str, now: datetime, retry_at: datetime | None) -> int:
    """Give back those that are still held; returns how many."""
    given = 0
    state = WorkState.FAILED if retry_at is None else WorkState.QUEUED
    due = None if retry_at is None else micros(utc(retry_at, "retry_at"))
    for one in claims:
        row = find_scope(connection, one.scope)
        place = None if row is None else held(connection, row.no, one)
        if place is not None:
            run(connection, "work_fail", state.value, due, micros(utc(now, "now")), reason, place)
            given += 1
    return given


def work(connection: apsw.Connection, *, scope: Scope, records: Sequence[RecordId]) -> list[WorkItem]:
    """The state of these records of exactly this scope or its ancestors."""
    items = []
    with snapshot(connection):
        lineage = find_lineage(connection, scope)
        for name in records:
            places = (find(connection, "record_by_name", no, name) for no, _ in lineage)
            place = next((place for place in places if place is not None), None)
            found = None if place is None else run_one(connection, "work_at", place)
            if found is not None:
                state, reason, attempts, due, outcomes, architecture, refused = found
                items.append(
                    WorkItem(
                        record=name,
                        state=WorkState(state),
                        reason=reason,
                        attempts=attempts,
                        retry_at=None if due is None else instant(due),
                        outcomes=tuple(json.loads(outcomes)),
                        architecture=architecture,
                        refused={(kind, why): count for kind, why, count in json.loads(refused)},
                    )
                )
    return items


def requeue(connection: apsw.Connection, *, scope: Scope, now: datetime, parked: bool) -> int:
    """Queue again all records of `scope` and below, or the parked ones; returns how many."""
    since = micros(utc(now, "now"))
    queued = 0
    for no, _ in list(below(connection, scope)):
        if parked:
            run(connection, "work_parked_again", no, since)
        else:
            run(connection, "work_all_again", *span(no), since)
        queued += connection.changes()
    return queued


def backlog(connection: apsw.Connection) -> Backlog:
    """How much is open."""
    with snapshot(connection):
        queued, processing, parked = run_all(connection, "work_counts")[0]
        oldest = run_value(connection, "work_oldest")
        last = run_value(connection, "work_last_failed")
    return Backlog(
        queued=queued,
        processing=processing,
        parked=parked,
        oldest=None if oldest is None else instant(oldest),
        last_error=last or "",
    )


def refused(connection: apsw.Connection, *, scope: Scope) -> dict[tuple[str, str], int]:
    """Counts of what was refused in `scope` and below."""
    counts: Counter[tuple[str, str]] = Counter()
    with snapshot(connection):
        for no, _ in below(connection, scope):
            for kind, reason, count in run_all(connection, "refusals_of", *span(no)):
                counts[kind, reason] += count
    return dict(counts)


def _next_scope(connection: apsw.Connection, at: int) -> int | None:
    """The scope behind the one that had its turn last, among those with work that are free; behind the last, the first."""
    last = int(run_value(connection, "meta_get", "turn") or 0)
    for after, until in ((last, None), (0, last)):
        no = _with_work(connection, after, at)
        while no is not None and run_value(connection, "work_under_way", no, at):
            no = _with_work(connection, no, at)
        if no is not None and (until is None or no <= until):
            return no
    return None


def _with_work(connection: apsw.Connection, after: int, at: int) -> int | None:
    rows = (run_one(connection, "work_waiting", after), run_one(connection, "work_due", after, at))
    return min((int(row[0]) for row in rows if row), default=None)


def held(connection: apsw.Connection, no: int, one: Claim) -> int | None:
    """The id of the record of this claim in scope `no`, if whoever has the claim may still end it."""
    place = find(connection, "record_by_name", no, one.record)
    return place if place is not None and run_value(connection, "work_fence", place) == one.fence else None
