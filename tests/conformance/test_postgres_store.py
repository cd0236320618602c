"""The store on a server passes the conformance suite, on a real one."""

from __future__ import annotations

import pytest

from muniment.stores.postgres import open_postgres
from muniment.testing.conformance import StoreConformance


class TestPostgresStore(StoreConformance):
    durable = True
    shared = True
    overwrites = False

    @pytest.fixture(autouse=True)
    def address(self, emptied):
        self.url = emptied

    async def open_store(self, folder):
        return await open_postgres(self.url)
