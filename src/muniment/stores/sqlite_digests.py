"""Digests in a file: the body of each version in a row, and the records it was made from, with which it goes.

Rule of this file: a digest stands only while every record it was made from does; one whose hash fails is never believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from muniment.knowledge.digests import Digest
from muniment.stores.digest_bodies import digest_body, digest_of, kept_hash, placed, read_digest
from muniment.stores.sqlite_beside import is_text
from muniment.stores.sqlite_file import SQL, run, run_all, run_value
from muniment.stores.sqlite_write import find_scope
from muniment.types import Scope


def drop_digests(connection: apsw.Connection, records: Iterable[int]) -> int:
    """Remove every digest that was made from one of these records, by id; returns how many versions went."""
    return _drop(connection, {one for record in records for (one,) in run_all(connection, "digests_of_record", record)})


def drop_digests_of_scope(connection: apsw.Connection, no: int) -> int:
    """Remove all of a scope; returns how many versions went."""
    return _drop(connection, [one for (one,) in run_all(connection, "digests_of_scope", no)])


def keep(connection: apsw.Connection, *, digest: Digest) -> Digest | None:
    """Keep it as the newest version of its part, if all its records are here."""
    (scope, conversation), body = placed(digest), digest_body(digest)
    row = find_scope(connection, scope)
    names = set(digest.records)
    records = run_all(connection, "records_by_name", row.no, json.dumps(list(names))) if row else []
    if row is None or len(records) < len(names):
        return None
    part = (row.no, conversation, digest.agent, digest.first)
    version = (run_value(connection, "digest_last", *part) or 0) + 1
    kept = digest_of(body, scope=scope, version=version)
    one = run_value(connection, "digest_add", *part, version, kept_hash(scope, version, body.encode()), body)
    connection.executemany(SQL["digest_record_add"], [(record, one) for (record,) in records])
    return kept


def digests(
    connection: apsw.Connection, *, scope: Scope, conversation: str, agent: str, limit: int, versions: bool
) -> list[Digest]:
    """The newest version of each part, or with `versions` all, the latest part first."""
    row = find_scope(connection, scope) if is_text(conversation + agent) else None
    rows = [] if row is None else run(connection, "digests_of", row.no, conversation, agent, versions, limit)
    return [found for version, hash_, body in rows if (found := read_digest(scope, (version, hash_, body)))]


def _drop(connection: apsw.Connection, ids: Iterable[int]) -> int:
    rows = [(one,) for one in ids]
    for statement in ("digest_records_drop", "digest_drop"):
        connection.executemany(SQL[statement], rows)
    return len(rows)
