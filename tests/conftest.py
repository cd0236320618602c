"""For every test: nothing leaves this machine, and properties are tried on the same bounded examples in every run."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings
from running_postgres import DRIVER, database, emptied, postgres

from muniment.stores.memory import MemoryStore
from muniment.stores.sqlite import open_sqlite
from muniment.testing.guard import no_foreign_sockets

pytest.register_assert_rewrite("muniment.testing.conformance")

__all__ = ["database", "emptied", "no_foreign_sockets", "postgres"]

collect_ignore_glob = [] if DRIVER else ["*/test_postgres_*.py", "flows/test_migrate.py"]

QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]

settings.register_profile("steady", max_examples=30, derandomize=True, deadline=None, database=None, suppress_health_check=QUIET)
settings.register_profile("wide", max_examples=1000, deadline=None, database=None, suppress_health_check=QUIET)
settings.load_profile("steady")


def pytest_collection_finish(session):
    """What was collected stays to the end, so that looking for garbage need not walk it again and again."""
    gc.collect()
    gc.freeze()


async def open_memory(folder):
    return MemoryStore()


async def open_file(folder):
    return await open_sqlite(folder / "store.db")


OPENERS = {"memory": open_memory, "file": open_file}


@pytest.fixture(params=OPENERS)
def open_store(request):
    """`await open_store(folder)` opens a new store in `folder`, of each kind in turn."""
    return OPENERS[request.param]


@pytest.fixture
def open_each():
    """All openers, by name."""
    return OPENERS
