"""Digests in a database: the body of each version in a row, with the numbers of the records it was made from, with which it goes.

Rule of this file: a digest stands only while every record it was made from does; one whose hash fails is never believed.
"""

from __future__ import annotations

from muniment.knowledge.digests import Digest
from muniment.stores.digest_bodies import digest_body, digest_of, kept_hash, placed, read_digest
from muniment.stores.postgres_link import Transaction
from muniment.stores.postgres_rows import is_text, lock, number_of, numbers_of, word
from muniment.types import Scope


async def keep(tx: Transaction, *, digest: Digest) -> Digest | None:
    """Keep it as the newest version of its part, if all its records are here."""
    (scope, conversation), body = placed(digest), digest_body(digest)
    row = (await lock(tx, [scope])).get(scope)
    records = {} if row is None else await numbers_of(tx, row.no, digest.records)
    if row is None or len(records) < len(set(digest.records)):
        return None
    part = (row.no, word(conversation), word(digest.agent), digest.first)
    version = (await tx.value("digest_last", *part) or 0) + 1
    kept = digest_of(body, scope=scope, version=version)
    told = body.encode()
    await tx.change("digest_add", *part, version, sorted(records.values()), kept_hash(scope, version, told), told)
    return kept


async def digests(tx: Transaction, *, scope: Scope, conversation: str, agent: str, limit: int, versions: bool) -> list[Digest]:
    """The newest version of each part, or with `versions` all, the latest part first."""
    no = await number_of(tx, scope) if is_text(conversation + agent) else None
    rows = [] if no is None else await tx.rows("digests_of", no, word(conversation), word(agent), versions, limit)
    return [found for row in rows if (found := read_digest(scope, (row["version"], row["hash"], row["body"])))]
