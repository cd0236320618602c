"""What stands beside records: sealed values and blobs, which go where their record goes, and the architectures of agents.

Rule of this file: what one scope keeps is found from it and from below, never from beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import apsw

from muniment.knowledge.values import AppliedArchitecture, Blob, Sealed
from muniment.stores.rules import instant, micros, utc
from muniment.stores.sqlite_file import find, run, run_all, run_one, run_value, snapshot
from muniment.stores.sqlite_write import find_lineage
from muniment.types import Scope


def secret(connection: apsw.Connection) -> bytes:
    """The random name that this file got when it was made."""
    return str(run_value(connection, "meta_get", "store")).encode()


def reveal(connection: apsw.Connection, *, scope: Scope, tokens: Sequence[str]) -> list[Sealed]:
    """The values of these tokens in the lineage, in the order asked, the narrowest scope's first."""
    found = []
    with snapshot(connection):
        lineage = find_lineage(connection, scope)
        for token in dict.fromkeys(tokens):
            rows = (run_one(connection, "sealed_of_token", no, token) for no, _ in lineage if is_text(token))
            row = next((row for row in rows if row), None)
            if row:
                found.append(Sealed(token=row[0], kind=row[1], value=row[2]))
    return found


def blob(connection: apsw.Connection, *, scope: Scope, digest: str) -> Blob | None:
    """The blob of this digest in the lineage."""
    with snapshot(connection):
        places = (find(connection, "blob_by_digest", no, digest) for no, _ in find_lineage(connection, scope))
        place = next((place for place in places if place is not None), None)
        row = None if place is None else run_one(connection, "blob_at", place)
    return None if row is None else Blob(digest=row[0], media=row[1], data=row[2])


def apply(connection: apsw.Connection, applied: AppliedArchitecture) -> AppliedArchitecture:
    """Keep it behind the agent's last version."""
    client = applied.client or ""
    version = int(run_value(connection, "architecture_last", client, applied.agent)) + 1
    kept = replace(applied, version=version, at=utc(applied.at, "at"))
    run(connection, "architecture_add", client, kept.agent, version, micros(kept.at), kept.note, kept.by, kept.text)
    return kept


def architectures(connection: apsw.Connection, *, agent: str, client: str | None) -> list[AppliedArchitecture]:
    """All versions, newest first: the client's own where there are any, else those of all."""
    if not is_text(agent) or not is_text(client or ""):
        return []
    for owner in [client, None] if client else [None]:
        rows = run_all(connection, "architectures_of", owner or "", agent)
        if rows:
            return [
                AppliedArchitecture(agent=agent, version=version, text=text, at=instant(at), note=note, by=by, client=owner)
                for version, text, at, note, by in rows
            ]
    return []


def applied(connection: apsw.Connection) -> list[AppliedArchitecture]:
    """All versions of all agents, by client and agent, oldest first."""
    return [
        AppliedArchitecture(agent=agent, version=version, text=text, at=instant(at), note=note, by=by, client=client or None)
        for client, agent, version, text, at, note, by in run_all(connection, "architectures_all")
    ]


def is_text(word: str) -> bool:
    """False for what holds half of a character, which was never kept."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
