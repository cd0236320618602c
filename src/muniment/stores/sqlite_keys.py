"""What the file keeps of access keys, and of how far scopes share.

Rule of this file: it keeps and gives back; whether a key holds is decided by who asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw

from muniment.knowledge.credentials import AccessKey, Credential
from muniment.knowledge.values import SharingChange
from muniment.stores.rows import kept_scope
from muniment.stores.rules import instant, micros
from muniment.stores.rules_knowledge import oldest_first
from muniment.stores.sqlite_beside import is_text
from muniment.stores.sqlite_file import run, run_all
from muniment.stores.sqlite_rows import rungs
from muniment.types import Scope


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
