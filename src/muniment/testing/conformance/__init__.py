"""The conformance suite of stores. A store that passes it behaves like every other, ranking included.

    class TestMyStore(StoreConformance):
        async def open_store(self, folder):
            return await open_my_store(folder / "file")

Set `durable` and `shared` (see `StoreUnderTest`) where they hold, or what they promise is skipped.
Needs pytest, pytest-asyncio with `asyncio_mode = auto`, and in conftest.py, for readable failures,
`pytest.register_assert_rewrite("muniment.testing.conformance")`.
"""

from muniment.testing.conformance.admin import AdminConformance
from muniment.testing.conformance.base import StoreUnderTest
from muniment.testing.conformance.concurrency import ConcurrencyConformance
from muniment.testing.conformance.digests import DigestsConformance
from muniment.testing.conformance.erasure import ErasureConformance
from muniment.testing.conformance.forgetting import ForgettingConformance
from muniment.testing.conformance.idempotency import IdempotencyConformance
from muniment.testing.conformance.isolation import IsolationConformance
from muniment.testing.conformance.keys import KeysConformance
from muniment.testing.conformance.memories import MemoriesConformance
from muniment.testing.conformance.moving import MovingConformance
from muniment.testing.conformance.paging import PagingConformance
from muniment.testing.conformance.records import RecordsConformance
from muniment.testing.conformance.search import SearchConformance
from muniment.testing.conformance.settling import SettlingConformance
from muniment.testing.conformance.sharing import SharingConformance
from muniment.testing.conformance.told import ToldConformance
from muniment.testing.conformance.upwards import UpwardsConformance
from muniment.testing.conformance.vectors import VectorConformance
from muniment.testing.conformance.work import WorkConformance


class StoreConformance(
    RecordsConformance,
    PagingConformance,
    IdempotencyConformance,
    SearchConformance,
    VectorConformance,
    IsolationConformance,
    ErasureConformance,
    AdminConformance,
    ConcurrencyConformance,
    SharingConformance,
    SettlingConformance,
    MemoriesConformance,
    WorkConformance,
    ForgettingConformance,
    MovingConformance,
    KeysConformance,
    UpwardsConformance,
    ToldConformance,
    DigestsConformance,
):
    """All that a store owes. Subclass it, name the subclass Test…, and give it `open_store`."""


__all__ = ["StoreConformance", "StoreUnderTest"]
