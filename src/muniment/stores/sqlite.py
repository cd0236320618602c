"""The file store: one SQLite file behind the Store port, durable when a call returns, shared with other processes.

Rule of this file: it sends each call down one lane and decides nothing else; what is done there stands in the files beside it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

import apsw

from muniment.errors import StoreReadOnly, StoreUnusable
from muniment.ports import Derive, Found, Rank, Reads, Target, Watch, Write, Written
from muniment.stores import sqlite_check, sqlite_moment, sqlite_read, sqlite_rebuild, sqlite_write
from muniment.stores.rules import mismatch
from muniment.stores.sqlite_erase import erase, receipt
from muniment.stores.sqlite_file import WAIT, StoreFile, open_file
from muniment.stores.sqlite_lanes import Gate, Readers, Writer
from muniment.stores.sqlite_ports import SqliteDigests, SqliteKeys, SqliteMemories, SqliteTold, SqliteWork
from muniment.stores.sqlite_shelves import Shelves
from muniment.types import Erasure, Filter, Finding, Page, Record, RecordId, Scope, Stats

T = TypeVar("T")

READERS = 4
SHELF_BYTES = 256 << 20

_SETTLE_TRIES = 20  # times an erasure tries to empty the log
_SETTLE_PAUSE = 0.05  # seconds between them, beside the wait of each


async def open_sqlite(
    path: str | os.PathLike[str],
    *,
    readers: int = READERS,
    shelf_bytes: int = SHELF_BYTES,
    wait: float = WAIT,
    vfs: str | None = None,
) -> SqliteStore:
    """Open the store in the file at `path`, and create it if there is none.

    `readers` are the threads that read, `shelf_bytes` bounds the memory of kept shelves, `wait` is how many seconds another
    process may hold the file before StoreBusy, `vfs` names a registered file system layer. A file that cannot be written is
    opened for reading. Raises StoreUnusable, StoreReadOnly, StoreFull or StoreBusy, each with the next step.
    """
    return await asyncio.to_thread(_open, path, readers=readers, shelf_bytes=shelf_bytes, wait=wait, vfs=vfs)


class SqliteStore(SqliteMemories, SqliteWork, SqliteTold, SqliteDigests, SqliteKeys):
    """The Store port over one file. One object may be used from several threads and event loops at once."""

    def __init__(self, file: StoreFile, *, readers: int, shelf_bytes: int) -> None:
        self.file = file
        self._shelves = Shelves(shelf_bytes)
        self._adopted: tuple[str, int] | None = None
        self._gate = Gate(file)
        self._readers = Readers(self._gate, readers)
        try:
            self._writer = None if file.read_only else Writer(self._gate)
        except BaseException:
            self._readers.close()
            raise

    async def put(self, writes: Sequence[Write]) -> Sequence[Written]:
        """Write all in one transaction; on return they are durable and searchable. Raises StoreError with nothing kept."""
        return await self._write(partial(sqlite_write.put, writes=writes, adopted=self._adopted))

    async def get(self, scope: Scope, ids: Sequence[RecordId]) -> Sequence[Record]:
        """Records with these ids in `scope` or its ancestors, in the order asked."""
        return await self._readers.run(partial(sqlite_read.get, scope=scope, ids=ids))

    async def page(self, scope: Scope, where: Filter, *, limit: int, before: int | None = None) -> Page:
        """Records of exactly this scope, latest arrival first."""
        return await self._readers.run(partial(sqlite_read.page, scope=scope, where=where, limit=limit, before=before))

    async def erase(self, target: Target, at: datetime, watch: Watch | None = None) -> Erasure:
        """Remove the target in one transaction, then empty the log so that no byte of it is left in any file."""
        erased = await self._write(partial(erase, target=target, at=at, watch=watch), alone=True)
        self._shelves.drop(erased.scopes)
        return receipt(erased, at, await self._settle())

    async def search(self, scope: Scope, rank: Rank) -> Found:
        """Call `rank` on a reader's thread with the shelves of the lineage, and read the places it returns."""
        shelves, adopted = self._shelves, self._adopted
        return await self._readers.run(
            lambda connection: sqlite_read.search(connection, shelves, scope, rank=rank, adopted=adopted)
        )

    async def at_once(self, work: Callable[[Reads], Coroutine[object, object, T]]) -> T:
        """Run `work` to its end on a reader's thread, with reads that all see one moment."""
        shelves, adopted = self._shelves, self._adopted
        return await self._readers.run(lambda connection: sqlite_moment.run(connection, shelves, work, adopted))

    async def stats(self, scope: Scope | None) -> Stats:
        """Counts of `scope` and all below it, or of everything."""
        return await self._readers.run(partial(sqlite_read.stats, scope=scope))

    async def scan(self, scope: Scope | None) -> AsyncIterator[Record]:
        """Every record of `scope` and all below it, by scope then arrival, in batches that each see one moment.

        Damaged records are passed over until the end; then StoreUnusable names them.
        """
        position: tuple[int, int] | None = sqlite_read.START
        lost: list[str] = []
        while position is not None:
            rows, position = await self._readers.run(partial(sqlite_read.scan, scope=scope, position=position))
            for row in rows:
                if isinstance(row, Record):
                    yield row
                else:
                    lost.append(f"{row.scope} #{row.seq}")
        if lost:
            raise StoreUnusable(
                f"{len(lost)} records are damaged and were left out: {'; '.join(lost[:10])}.",
                place=str(self.file.path),
                code="record_damaged",
                hint="All others were given. Run the doctor.",
            )

    async def embedder(self) -> tuple[str, int] | None:
        """Identity and dimensions of the model whose vectors are kept."""
        return await self._readers.run(sqlite_write.kept_embedder)

    async def adopt(self, embedder: tuple[str, int]) -> None:
        """Take this identity when none is kept, and hold every later `put` and `search` of this object to it."""
        if embedder == self._adopted:
            return  # each put and search compares it with what is kept, in its own view of the file
        kept = await self.embedder()
        if kept is None:
            await self._write(partial(sqlite_write.claim, embedder=embedder))
        elif kept != embedder:
            raise mismatch(kept, embedder)
        self._adopted = embedder

    async def reindex(self, derive: Derive, embedder: tuple[str, int] | None) -> int:
        """Rebuild every entry beside the old ones and change over in one transaction; until then nothing is different."""
        written = await sqlite_rebuild.rebuild(self._readers.run, self._write, derive=derive, embedder=embedder)
        self._adopted = embedder
        self._shelves.drop()
        await self._settle()
        return written

    async def check(self, derive: Derive) -> Sequence[Finding]:
        """Verify the file, row hashes, counts, names, and every entry against its record; changes nothing."""
        return await sqlite_check.check(self._readers.run, derive)

    async def close(self) -> None:
        """Finish what is under way, empty the log, and release everything. Later calls raise StoreUnusable."""
        await asyncio.to_thread(self._close)

    async def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        return await self._readers.run(work)

    async def _write(self, work: Callable[[apsw.Connection], T], *, alone: bool = False) -> T:
        if self._writer is None:
            raise StoreReadOnly(
                "this store is open for reading only, since it cannot be written where it is.",
                place=str(self.file.path),
                hint="Reads go on. Make the file and its folder writable, and open it again.",
            )
        return await self._writer.run(work, alone=alone)

    async def _settle(self) -> bool:
        """Try for a while to empty the log; the writer takes other calls in between."""
        for _ in range(_SETTLE_TRIES):
            if self._writer is None or await self._writer.empty_log():
                return True
            await asyncio.sleep(_SETTLE_PAUSE)
        return False

    def _close(self) -> None:
        if self._gate.close():
            self._readers.close()
            if self._writer:
                self._writer.close()


def _open(path: str | os.PathLike[str], *, readers: int, shelf_bytes: int, wait: float, vfs: str | None) -> SqliteStore:
    return SqliteStore(open_file(path, vfs=vfs, wait=wait), readers=readers, shelf_bytes=shelf_bytes)
