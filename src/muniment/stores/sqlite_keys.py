"""What the file keeps of access keys, of how far scopes share, and of what was told of recall.

Rule of this file: it keeps and gives back; whether a key holds is decided by who asks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw

from muniment.knowledge.credentials import AccessKey, Credential
from muniment.knowledge.values import Feedback, SharingChange
from muniment.stores.rows import kept_scope
from muniment.stores.rules import instant, micros
from muniment.stores.rules_knowledge import oldest_first
from muniment.stores.sqlite_beside import is_text
from muniment.stores.sqlite_file import run, run_all
from muniment.stores.sqlite_rows import rungs
from muniment.types import RecordId, Scope


def keep(connection: apsw.Connection, key: AccessKey) -> bool:
    """Keep it, unless there is one of this id."""
    one = key.credential
    ceiling = ("", "", "") if one.ceiling is None else rungs(one.ceiling)
    times = [None if at is None else micros(at) for at in (one.created_at, one.expires_at, one.revoked_at)]
    row = (
        one.id,
        *ceiling,
        " ".join(one.permissions),
        key.digest,
        times[0],
        one.created_by,
        *times[1:],
        one.revoked_by,
        one.note,
    )
    run(connection, "access_key_add", *row)
    return bool(connection.changes())


def revoke(connection: apsw.Connection, named: str, *, at: datetime, by: str) -> AccessKey | None:
    """Note when and by whom, once."""
    if not is_text(named):
        return None
    run(connection, "access_key_revoke", named, micros(at), by)
    return next(iter(keys(connection, within=None, named=named)), None)


def keys(connection: apsw.Connection, *, within: Scope | None, named: str | None) -> Sequence[AccessKey]:
    """Those of the ceiling and below, or the one of this id if its ceiling is there, oldest first.

    Inside a ceiling an id is looked for among what lies there: one that is kept elsewhere costs as much as one that is not.
    """
    if within is None and named is not None:
        return [_key(row) for row in run_all(connection, "access_key_of", named)] if is_text(named) else []
    rows = run_all(connection, "access_keys_below", *rungs(within)) if within else run_all(connection, "access_keys_all")
    return oldest_first(_key(row) for row in rows if named in (None, row[0]))


def keep_sharing(connection: apsw.Connection, change: SharingChange) -> bool:
    """Keep it, unless it is there."""
    told = (change.agent, change.kind, change.share, micros(change.at), change.by, change.note)
    run(connection, "sharing_add", *rungs(change.scope), *told)
    return bool(connection.changes())


def sharing(connection: apsw.Connection, *, within: Scope | None) -> Sequence[SharingChange]:
    """The changes of this scope and below, oldest first."""
    rows = run_all(connection, "sharing_below", *rungs(within)) if within else run_all(connection, "sharing_all")
    return [
        SharingChange(
            scope=kept_scope(*row[:3]), agent=row[3], kind=row[4], share=row[5], at=instant(row[6]), by=row[7], note=row[8]
        )
        for row in rows
    ]


def add_feedback(connection: apsw.Connection, told: Sequence[Feedback]) -> None:
    """Add these counts up, by scope and record."""
    for one in told:
        counts = (one.used, one.ignored, one.corrected)
        run(connection, "feedback_add", *rungs(one.scope), one.record, *counts, micros(one.at), one.by)


def feedback(connection: apsw.Connection, *, within: Scope | None) -> Sequence[Feedback]:
    """What is kept of this scope and below."""
    rows = run_all(connection, "feedback_below", *rungs(within)) if within else run_all(connection, "feedback_all")
    return [_feedback(row) for row in rows]


def feedback_on(connection: apsw.Connection, *, scope: Scope, records: Sequence[RecordId]) -> Sequence[Feedback]:
    """What is kept of exactly this scope and these records."""
    named = json.dumps([one for one in records if is_text(one)])
    return [_feedback(row) for row in run_all(connection, "feedback_on", *rungs(scope), named)]


def _feedback(row: tuple[Any, ...]) -> Feedback:
    used, ignored, corrected = row[4:7]
    return Feedback(
        scope=kept_scope(*row[:3]),
        record=RecordId(row[3]),
        used=used,
        ignored=ignored,
        corrected=corrected,
        at=instant(row[7]),
        by=row[8],
    )


def _key(row: tuple[Any, ...]) -> AccessKey:
    times = [None if at is None else instant(at) for at in (row[6], row[8], row[9])]
    credential = Credential(
        id=row[0],
        ceiling=kept_scope(*row[1:4]) if any(row[1:4]) else None,
        permissions=row[4].split(),
        created_at=times[0],
        created_by=row[7],
        expires_at=times[1],
        revoked_at=times[2],
        revoked_by=row[10],
        note=row[11],
    )
    return AccessKey(credential=credential, digest=row[5])
