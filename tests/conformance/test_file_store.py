"""The store in one file passes the conformance suite."""

from __future__ import annotations

from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance import StoreConformance


class TestFileStore(StoreConformance):
    durable = True
    shared = True

    async def open_store(self, folder):
        return await open_sqlite(folder / "store.db")
