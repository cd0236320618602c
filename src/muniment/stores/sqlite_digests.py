"""Digests in a file: the body of each version in a row, with the numbers of the records it was made from, with which it goes.

Rule of this file: a digest stands only while every record it was made from does; one whose hash fails is never believed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from muniment.knowledge.digests import Digest
from muniment.stores.digest_bodies import digest_body, digest_of, kept_hash, placed, read_digest
from muniment.stores.sqlite_beside import is_text
from muniment.stores.sqlite_file import run, run_all, run_value
from muniment.stores.sqlite_rows import MOST
from muniment.stores.sqlite_write import find_scope
from muniment.types import RecordId, Scope


def drop_digests(connection: apsw.Connection, no: int, records: Iterable[int]) -> int:
    """Remove every digest of a scope that was made from one of these records, by id; returns how many versions went."""
    run(connection, "digests_of_records_drop", no, json.dumps([place & MOST for place in records]))
    return connection.changes()


def keep(connection: apsw.Connection, *, digest: Digest) -> Digest | None:
    """Keep it as the newest version of its part, if all its records are here."""
    (scope, conversation), body = placed(digest), digest_body(digest)
    row = find_scope(connection, scope)
    records = [] if row is None else numbers(connection, row.no, digest.records)
    if row is None or len(records) < len(set(digest.records)):
        return None
    part = (row.no, conversation, digest.agent, digest.first)
    version = (run_value(connection, "digest_last", *part) or 0) + 1
    kept = digest_of(body, scope=scope, version=version)
    run(connection, "digest_add", *part, version, json.dumps(records), kept_hash(scope, version, body.encode()), body)
    return kept


def digests(
    connection: apsw.Connection, *, scope: Scope, conversation: str, agent: str, limit: int, versions: bool
) -> list[Digest]:
    """The newest version of each part, or with `versions` all, the latest part first."""
    row = find_scope(connection, scope) if is_text(conversation + agent) else None
    rows = [] if row is None else run(connection, "digests_of", row.no, conversation, agent, versions, limit)
    return [found for version, hash_, body in rows if (found := read_digest(scope, (version, hash_, body)))]


def numbers(connection: apsw.Connection, no: int, names: Iterable[RecordId]) -> list[int]:
    """The numbers of those of these records that a scope holds, in order."""
    return sorted(place & MOST for (place,) in run_all(connection, "records_by_name", no, json.dumps(list(set(names)))))
