"""What every part of the suite stands on: opening the store under test, filling it, and looking at its shelves.

Rule of the suite: it speaks to the ports alone, and asserts what they promise, never how a store does it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from muniment.ports import Found, Store
from muniment.shelf import Place, Shelf
from muniment.testing.samples import DIM, sample_write
from muniment.types import Filter, Outcome, Record, Scope

MODEL = ("conformance-model", DIM)
EVERYTHING = Filter()

CLIENT = Scope(client="acme")
CUSTOMER = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
SOUTH = Scope(client="acme", customer="south")
CLEO = Scope(client="acme", customer="south", user="ana")
RIVAL = Scope(client="rival", customer="north", user="ana")
STRANGERS = (BEN, SOUTH, CLEO, RIVAL)


class StoreUnderTest:
    """Base of the suite's parts.

    `durable` says that `open_store` with the same folder finds what was kept there before, `shared` that it may be opened
    there several times at once, by other processes too, `overwrites` that the bytes of what is erased are gone from its files,
    which are in that folder.
    """

    durable: ClassVar[bool] = False
    shared: ClassVar[bool] = False
    overwrites: ClassVar[bool] = True

    async def open_store(self, folder: Path) -> Store:
        """Open a new, empty store, or for a durable one the store that lives in `folder`."""
        raise NotImplementedError

    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        yield store
        await store.close()


async def fill(store: Store, scope: Scope, *texts: str) -> list[Record]:
    """Put one record per text in one call and return them as the store gives them back."""
    writes = [sample_write(scope, text) for text in texts]
    written = await store.put(writes)
    assert [item.outcome for item in written] == [Outcome.STORED] * len(texts)
    return list(await store.get(scope, [item.id for item in written]))


async def shelves_of(store: Store, scope: Scope) -> list[Shelf]:
    """The shelves a search in `scope` is given."""
    seen: list[Shelf] = []

    def rank(shelves: Sequence[Shelf]) -> list[Place]:
        seen.extend(shelves)
        return []

    await store.search(scope, rank)
    return seen


def every_place(shelves: Sequence[Shelf]) -> list[Place]:
    """A ranking that takes all records, shelf by shelf in order of arrival."""
    return [Place(n, seq) for n, shelf in enumerate(shelves) for seq in dict.fromkeys(shelf.head["seq"].tolist())]


async def find_all(store: Store, scope: Scope) -> Found:
    """Everything a search in `scope` can find."""
    return await store.search(scope, every_place)


async def texts_found(store: Store, scope: Scope) -> list[str]:
    """The texts of everything a search in `scope` can find."""
    return [record.text for record in (await find_all(store, scope)).records]


async def texts_kept(store: Store, scope: Scope) -> list[str]:
    """The texts of the records of exactly `scope`, oldest arrival first."""
    page = await store.page(scope, EVERYTHING, limit=1000)
    return [record.text for record in reversed(page.records)]
