"""The store in memory passes the conformance suite."""

from __future__ import annotations

from muniment.stores.memory import MemoryStore
from muniment.testing.conformance import StoreConformance


class TestMemoryStore(StoreConformance):
    async def open_store(self, folder):
        return MemoryStore()
