"""Digests of a store in memory.

Rule of this file: a digest stands only while every record it was made from does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from muniment.knowledge.digests import Digest
from muniment.stores.digest_bodies import digest_body, digest_of, placed
from muniment.stores.memory_ports import Asked, Holdings, PartOf
from muniment.types import Scope


class DigestsInMemory(Asked):
    """Digests in a plain dictionary, each part with its versions, oldest first."""

    async def keep_digest(self, digest: Digest) -> Digest | None:
        """Keep it as the newest version of its part, if all its records are here."""
        return await self._ask(partial(_keep, digest=digest, at=placed(digest), body=digest_body(digest)))

    async def digests(
        self, scope: Scope, conversation: str, *, agent: str, limit: int, versions: bool = False
    ) -> Sequence[Digest]:
        """The newest version of each part, or with `versions` all, the latest part first."""
        ask = partial(_digests, scope=scope, conversation=conversation, agent=agent, versions=versions)
        return (await self._ask(ask))[:limit]


def _keep(rows: Holdings, *, digest: Digest, at: tuple[Scope, str], body: str) -> Digest | None:
    scope, conversation = at
    here = next((holding for holding in rows.lineage(scope) if holding.scope == scope), None)
    if here is None or not all(here.record(one) for one in digest.records):
        return None
    part: PartOf = (scope, conversation, digest.agent, digest.first)
    before = rows.shared.digests.setdefault(part, [])
    kept = digest_of(body, scope=scope, version=before[-1].version + 1 if before else 1)
    before.append(kept)
    return kept


def _digests(rows: Holdings, *, scope: Scope, conversation: str, agent: str, versions: bool) -> list[Digest]:
    found: list[Digest] = []
    for part in sorted((one for one in rows.shared.digests if one[:3] == (scope, conversation, agent)), reverse=True, key=_first):
        kept = rows.shared.digests[part]
        found += list(reversed(kept)) if versions else kept[-1:]
    return found


def _first(part: PartOf) -> int:
    return part[3]
