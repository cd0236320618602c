"""What stands beside records: sealed values and blobs, which go where their record goes, architectures of agents, and keys.

Rule of this file: what one scope keeps is found from it and from below, never from beside it. Whether a key holds is decided by
who asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import asyncpg

from muniment.knowledge.credentials import AccessKey, Credential
from muniment.knowledge.values import AppliedArchitecture, Blob, Feedback, Sealed, SharingChange
from muniment.stores.postgres_link import Transaction, area_of, path_of
from muniment.stores.postgres_rows import is_text, lineage_of, scope_at, word, words
from muniment.stores.rules import instant, micros, utc
from muniment.stores.rules_knowledge import oldest_first
from muniment.types import RecordId, Scope


async def secret(tx: Transaction) -> bytes:
    """What this store got when it was made."""
    return str(await tx.value("meta_get", "store")).encode()


async def reveal(tx: Transaction, *, scope: Scope, tokens: Sequence[str]) -> list[Sealed]:
    """The values of these tokens in the lineage, in the order asked, the narrowest scope's first."""
    lineage = await lineage_of(tx, scope)
    rows = await tx.rows("sealed_of", list(lineage), words(tokens))
    found: dict[bytes, asyncpg.Record] = {}
    for no in lineage:
        for row in rows:
            if row["scope"] == no:
                found.setdefault(row["token"], row)
    asked = {token: found[key] for token in tokens if is_text(token) and (key := word(token)) in found}
    return [Sealed(token=token, kind=row["kind"].decode(), value=row["value"].decode()) for token, row in asked.items()]


async def blob(tx: Transaction, *, scope: Scope, digest: str) -> Blob | None:
    """The blob of this digest in the lineage."""
    if not is_text(digest):
        return None
    lineage = await lineage_of(tx, scope)
    rows = {row["scope"]: row for row in await tx.rows("blobs_of", list(lineage), word(digest))}
    nearest = next((rows[no] for no in lineage if no in rows), None)
    return None if nearest is None else Blob(digest=digest, media=nearest["media"].decode(), data=nearest["data"])


async def apply(tx: Transaction, *, applied: AppliedArchitecture) -> AppliedArchitecture:
    """Keep it behind the agent's last version."""
    at = utc(applied.at, "at")
    told = (text.encode() for text in (applied.note, applied.by, applied.text))
    await tx.change("architecture_lock")
    version = await tx.value("architecture_add", (applied.client or "").encode(), applied.agent.encode(), micros(at), *told)
    return replace(applied, version=version, at=at)


async def architectures(tx: Transaction, *, agent: str, client: str | None) -> list[AppliedArchitecture]:
    """All versions, newest first: the client's own where there are any, else those of all."""
    if not is_text(agent) or not is_text(client or ""):
        return []
    for owner in [client, ""] if client else [""]:
        rows = await tx.rows("architectures_of", owner.encode(), agent.encode())
        if rows:
            return [_applied(row) for row in rows]
    return []


async def applied(tx: Transaction) -> list[AppliedArchitecture]:
    """All versions of all agents, by client and agent, oldest first."""
    return [_applied(row) for row in await tx.rows("architectures_all")]


async def keep_key(tx: Transaction, *, key: AccessKey) -> bool:
    """Keep it, unless there is one of this id."""
    one = key.credential
    created, expires, revoked = (None if at is None else micros(at) for at in (one.created_at, one.expires_at, one.revoked_at))
    ceiling = "" if one.ceiling is None else path_of(one.ceiling)
    told = (one.created_by.encode(), expires, revoked, one.revoked_by.encode(), one.note.encode())
    return bool(
        await tx.change("access_key_add", one.id.encode(), ceiling, " ".join(one.permissions), key.digest, created, *told)
    )


async def revoke_key(tx: Transaction, *, named: str, at: datetime, by: str) -> AccessKey | None:
    """Note when and by whom, once."""
    if not is_text(named):
        return None
    await tx.change("access_key_revoke", named.encode(), micros(utc(at, "at")), by.encode())
    return next(iter(await keys(tx, within=None, named=named)), None)


async def keys(tx: Transaction, *, within: Scope | None, named: str | None) -> list[AccessKey]:
    """Those of the ceiling and below, or the one of this id if its ceiling is there, oldest first."""
    if named is not None and not is_text(named):
        return []
    rows = await tx.rows("access_keys", None if named is None else named.encode(), *area_of(within))
    return oldest_first(_key(row) for row in rows)


async def keep_sharing(tx: Transaction, *, change: SharingChange) -> bool:
    """Keep it, unless it is there."""
    told = (change.agent.encode(), change.kind.encode(), change.share, micros(utc(change.at, "at")))
    return bool(await tx.change("sharing_add", path_of(change.scope), *told, change.by.encode(), change.note.encode()))


async def sharing(tx: Transaction, *, within: Scope | None) -> list[SharingChange]:
    """The changes of this scope and below, oldest first."""
    return [
        SharingChange(
            scope=scope_at(row["scope"]),
            agent=row["agent"].decode(),
            kind=row["kind"].decode(),
            share=row["share"],
            at=instant(row["at"]),
            by=row["told_by"].decode(),
            note=row["note"].decode(),
        )
        for row in await tx.rows("sharing", *area_of(within))
    ]


async def add_feedback(tx: Transaction, *, told: Sequence[Feedback]) -> None:
    """Add these counts up, by scope and record."""
    for one in told:
        counts = (one.used, one.ignored, one.corrected)
        await tx.change(
            "feedback_add", path_of(one.scope), one.record.encode(), *counts, micros(utc(one.at, "at")), one.by.encode()
        )


async def feedback(tx: Transaction, *, within: Scope | None) -> list[Feedback]:
    """What is kept of this scope and below."""
    found = [_feedback(row) for row in await tx.rows("feedback", *area_of(within))]
    return sorted(found, key=lambda one: (one.scope.client or "", one.scope.customer or "", one.scope.user or "", one.record))


async def feedback_on(tx: Transaction, *, scope: Scope, records: Sequence[RecordId]) -> list[Feedback]:
    """What is kept of exactly this scope and these records."""
    named = [one.encode() for one in records if is_text(one)]
    return sorted((_feedback(row) for row in await tx.rows("feedback_on", path_of(scope), named)), key=lambda one: one.record)


def _feedback(row: asyncpg.Record) -> Feedback:
    return Feedback(
        scope=scope_at(row["scope"]),
        record=RecordId(row["record"].decode()),
        used=row["used"],
        ignored=row["ignored"],
        corrected=row["corrected"],
        at=instant(row["at"]),
        by=row["told_by"].decode(),
    )


def _applied(row: asyncpg.Record) -> AppliedArchitecture:
    return AppliedArchitecture(
        agent=row["agent"].decode(),
        version=row["version"],
        text=row["text"].decode(),
        at=instant(row["at"]),
        note=row["note"].decode(),
        by=row["by"].decode(),
        client=row["client"].decode() or None,
    )


def _key(row: asyncpg.Record) -> AccessKey:
    created, expires, revoked = (
        None if row[name] is None else instant(row[name]) for name in ("created_at", "expires_at", "revoked_at")
    )
    credential = Credential(
        id=row["id"].decode(),
        ceiling=scope_at(row["ceiling"]) if row["ceiling"] else None,
        permissions=row["permissions"].split(),
        created_at=created,
        created_by=row["created_by"].decode(),
        expires_at=expires,
        revoked_at=revoked,
        revoked_by=row["revoked_by"].decode(),
        note=row["note"].decode(),
    )
    return AccessKey(credential=credential, digest=row["digest"])
