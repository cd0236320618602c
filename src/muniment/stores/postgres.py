"""The server's store: a PostgreSQL database behind the Store port, shared by any number of processes.

Rule of this file: it says how far each call reaches, sends it down the link, and decides nothing else; what is done there stands
in the files beside it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial

from muniment.errors import StoreUnusable
from muniment.ports import Derive, Found, Rank, Target, Watch, Write, Written
from muniment.stores import postgres_check, postgres_erase, postgres_read, postgres_rebuild, postgres_write
from muniment.stores.postgres_link import CONNECTIONS, EVERYWHERE, WAIT, Link, reach_below, reach_of
from muniment.stores.postgres_open import prepared
from muniment.stores.postgres_ports import PostgresDigests, PostgresMemories, PostgresTold, PostgresWork
from muniment.stores.postgres_shelves import Shelves
from muniment.stores.rules import mismatch
from muniment.stores.rules_knowledge import work_of
from muniment.types import Erasure, Filter, Finding, Page, Record, RecordId, Scope, Stats

SHELF_BYTES = 256 << 20


async def open_postgres(
    url: str, *, create: bool = True, connections: int = CONNECTIONS, shelf_bytes: int = SHELF_BYTES, wait: float = WAIT
) -> PostgresStore:
    """Open the store in the database at `url`, and with `create` make its tables if there are none.

    `connections` are those to the server at most, `shelf_bytes` bounds the memory of kept shelves, `wait` is how many seconds the
    server may take to answer a connection. Raises StoreUnusable, StoreReadOnly or StoreBusy, each with the next step.
    """
    place, settings = await prepared(url, create=create, wait=wait)
    return PostgresStore(Link(settings, place=place, most=connections, wait=wait), shelf_bytes=shelf_bytes)


class PostgresStore(PostgresMemories, PostgresTold, PostgresDigests, PostgresWork):
    """The Store port over one database. One object may be used from several threads and event loops at once."""

    def __init__(self, link: Link, *, shelf_bytes: int = SHELF_BYTES) -> None:
        super().__init__(link)
        self._shelves = Shelves(shelf_bytes)
        self._adopted: tuple[str, int] | None = None

    @property
    def kept_bytes(self) -> int:
        """Memory that kept shelves take."""
        return self._shelves.nbytes

    async def put(self, writes: Sequence[Write]) -> Sequence[Written]:
        """Write all in one transaction; on return they are durable and searchable. Raises StoreError with nothing kept."""
        reach = reach_of(write.record.scope for write in writes)
        written = await self._link.write(reach, partial(postgres_write.put, writes=writes, adopted=self._adopted))
        if any(map(work_of, writes)):
            await self._bell.ring()
        return written

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        """Records with these ids in `scope` or its ancestors, in the order asked."""
        return await self._link.read(reach_of(scope.lineage), partial(postgres_read.get, scope=scope, ids=ids))

    async def page(self, scope: Scope, where: Filter, *, limit: int, before: int | None = None) -> Page:
        """Records of exactly this scope, latest arrival first."""
        page = partial(postgres_read.page, scope=scope, where=where, limit=limit, before=before)
        return await self._link.read(reach_of([scope]), page)

    async def erase(self, target: Target, at: datetime, watch: Watch | None = None) -> Erasure:
        """Remove the target in one transaction. The server keeps the bytes of freed rows: see the receipt."""
        erased = await self._link.write(
            reach_below(target.scope), partial(postgres_erase.erase, target=target, at=at, watch=watch)
        )
        self._shelves.drop(erased.scopes)
        return postgres_erase.receipt(erased, at)

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """Call `rank` on a thread of its own with the shelves of the lineage, and read the places it returns."""
        search = partial(
            postgres_read.search, link=self._link, shelves=self._shelves, scope=scope, rank=rank, adopted=self._adopted
        )
        return await self._link.read(reach_of(scope.lineage), search)

    async def stats(self, scope: Scope | None) -> Stats:
        """Counts of `scope` and all below it, or of everything."""
        return await self._link.read(reach_below(scope), partial(postgres_read.stats, scope=scope))

    async def scan(self, scope: Scope | None) -> AsyncIterator[Record]:
        """Every record of `scope` and all below it, by scope then arrival, in batches that each see one moment.

        Damaged records are passed over until the end; then StoreUnusable names them.
        """
        position: tuple[int, int] | None = postgres_read.START
        lost: list[str] = []
        while position is not None:
            scan = partial(postgres_read.scan, scope=scope, position=position)
            rows, position = await self._link.read(reach_below(scope), scan)
            for row in rows:
                if isinstance(row, Record):
                    yield row
                else:
                    lost.append(f"{row.scope} #{row.seq}")
        if lost:
            raise StoreUnusable(
                f"{len(lost)} records are damaged and were left out: {'; '.join(lost[:10])}.",
                place=self._link.place,
                code="record_damaged",
                hint="All others were given. Run the doctor.",
            )

    async def embedder(self) -> tuple[str, int] | None:
        """Identity and dimensions of the model whose vectors are kept."""
        return await self._link.read(EVERYWHERE, postgres_write.kept_embedder)

    async def adopt(self, embedder: tuple[str, int]) -> None:
        """Take this identity when none is kept, and hold every later `put` and `search` of this object to it."""
        if embedder == self._adopted:
            return  # each put and search compares it with what is kept, in its own view of the store
        kept = await self.embedder()
        if kept is None:
            await self._link.write(EVERYWHERE, partial(postgres_write.claim_embedder, embedder=embedder))
        elif kept != embedder:
            raise mismatch(kept, embedder)
        self._adopted = embedder

    async def reindex(self, derive: Derive, embedder: tuple[str, int] | None) -> int:
        """Rebuild every entry beside the old ones and change over in one transaction; until then nothing is different."""
        written = await postgres_rebuild.rebuild(self._link, derive=derive, embedder=embedder)
        self._adopted = embedder
        self._shelves.drop()
        return written

    async def check(self, derive: Derive) -> Sequence[Finding]:
        """Verify row hashes, numbers, names, and every entry against its record; changes nothing."""
        return await postgres_check.check(self._link, derive)

    async def close(self) -> None:
        """Finish what is under way and release everything. Later calls raise StoreUnusable."""
        await self.deafen()
        await self._link.close()
