"""Served: which memories were given to somebody, noted when it happens and kept later, many at once.

Rule of this file: a read never waits for a write. What is noted and not yet kept is lost with the process; it is a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from muniment.knowledge.values import MemoryId
from muniment.ports import Memories
from muniment.types import Scope

MOST_NOTED = 500
"""Memories noted above which they should be kept."""


class Served:
    """The memories served since they were last kept."""

    def __init__(self, store: Memories) -> None:
        self._store = store
        self._noted: dict[Scope, dict[MemoryId, None]] = {}

    def note(self, scope: Scope, ids: Sequence[MemoryId]) -> bool:
        """Note these; True when it is time to keep them."""
        if ids:
            self._noted.setdefault(scope, {}).update(dict.fromkeys(ids))
        return sum(map(len, self._noted.values())) >= MOST_NOTED

    async def keep(self, at: datetime) -> None:
        """Count them in the store as served at `at`."""
        noted, self._noted = self._noted, {}
        for scope, ids in noted.items():
            await self._store.recalled(scope, list(ids), at)
