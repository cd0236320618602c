"""The store on a server passes the conformance suite, on a real one, and lives like the store in memory."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from test_against_model import SCOPES, life
from test_knowledge_alike import LifeOfKnowledge

from muniment.stores.memory import MemoryStore
from muniment.stores.postgres import open_postgres
from muniment.testing.conformance import StoreConformance
from muniment.testing.strategies import acts


class TestPostgresStore(StoreConformance):
    durable = True
    shared = True
    overwrites = False

    @pytest.fixture(autouse=True)
    def address(self, emptied):
        self.url = emptied

    async def open_store(self, folder):
        return await open_postgres(self.url)


@pytest.fixture
def openers(postgres):
    """A new store in memory, and the one on the server, emptied."""

    async def in_memory(folder):
        return MemoryStore()

    async def on_server(folder):
        return await open_postgres(await postgres.empty())

    return {"memory": in_memory, "server": on_server}


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(acts(SCOPES, of=SCOPES), min_size=1, max_size=20))
def test_the_same_calls_get_the_same_answers_from_the_server(openers, trace):
    first, other = [asyncio.run(life(opener, trace)) for opener in openers.values()]
    assert other == first


def test_what_is_derived_lives_alike_on_the_server(openers):
    machine = type("Alike", (LifeOfKnowledge,), {"openers": openers})
    most = settings().max_examples
    run_state_machine_as_test(machine, settings=settings(max_examples=max(8, most // 4), stateful_step_count=25))
