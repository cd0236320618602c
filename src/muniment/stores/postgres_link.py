"""The link to a PostgreSQL server: one thread with its own event loop and pool, and one transaction for each call.

Rule of this file: a call is sent to that thread and comes back with its answer or a StoreError that shows no password. Each
transaction says first which scopes it may reach; a call that failed before its commit may be tried again, never one after it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import asyncpg
import numpy as np
from asyncpg.pool import PoolConnectionProxy

from muniment.errors import MunimentError, OutcomeUnknown, StoreUnusable
from muniment.stores.postgres_errors import FAULTS, is_lost, may_go_through, store_error
from muniment.stores.sql import statements
from muniment.types import Scope

T = TypeVar("T")
SQL = statements("postgres")

CONNECTIONS = 10
WAIT = 10.0  # seconds until a server that does not answer, or a free connection, is given up
TRIES = 8
PORTION = 1 << 26  # bytes of rows sent at once
PAUSE = 0.01  # seconds before a call is tried again, and longer each time


@dataclass(frozen=True, slots=True)
class Reach:
    """What a transaction may see and write: scopes by their paths, and all below a path, or with '*' the whole store."""

    scopes: str = ""
    below: str = ""


EVERYWHERE = Reach(below="*")


def path_of(scope: Scope) -> str:
    """A scope as one text in which all that lies below it begins with it. No id holds a slash or a line end."""
    return "".join(f"{rung}={name}/" for rung, name in scope.rungs)


def area_of(scope: Scope | None) -> tuple[str | None, str | None]:
    """The paths of `scope` and all below it: from the first up to, and without, the second. None: everywhere."""
    if scope is None:
        return None, None
    path = path_of(scope)
    return path, f"{path[:-1]}0"  # the character behind the slash


def reach_of(scopes: Iterable[Scope]) -> Reach:
    """Exactly these scopes."""
    return Reach(scopes="\n".join(dict.fromkeys(path_of(scope) for scope in scopes)))


def reach_below(scope: Scope | None) -> Reach:
    """`scope` and all below it, or everything."""
    return EVERYWHERE if scope is None else Reach(below=path_of(scope))


class Transaction:
    """A connection inside a transaction that knows the named statements."""

    def __init__(self, connection: PoolConnectionProxy[asyncpg.Record]) -> None:
        self._connection = connection

    async def rows(self, name: str, *values: object) -> list[asyncpg.Record]:
        """All rows of a statement."""
        return await self._connection.fetch(SQL[name], *values)

    async def row(self, name: str, *values: object) -> asyncpg.Record | None:
        """The first row of a statement, if it gives one."""
        return await self._connection.fetchrow(SQL[name], *values)

    async def value(self, name: str, *values: object) -> Any:
        """The first value of the first row, None without one."""
        return await self._connection.fetchval(SQL[name], *values)

    async def change(self, name: str, *values: object) -> int:
        """Run a statement that changes rows; returns how many."""
        count = (await self._connection.execute(SQL[name], *values)).rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    async def table(self, name: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement that takes rows as one list per column: one for all, so that the wall is asked once and not per row."""
        for some in _portions(rows):
            await self._connection.execute(SQL[name], *zip(*some, strict=True))

    async def each(self, name: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement for each of these rows, all sent at once."""
        if rows:
            await self._connection.executemany(SQL[name], rows)


Work = Callable[[Transaction], Awaitable[T]]


class Link:
    """Carries calls to the server. One object may be used from several threads and event loops at once."""

    def __init__(self, settings: dict[str, Any], *, place: str, most: int = CONNECTIONS, wait: float = WAIT) -> None:
        self.place = place
        self._wait = wait
        self._settings = settings
        self._process = os.getpid()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._gate = threading.Lock()
        self._rankers = ThreadPoolExecutor(most, thread_name_prefix="muniment-rank")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="muniment-link", daemon=True)
        self._thread.start()
        self._pool = asyncio.run_coroutine_threadsafe(
            self._make_pool(settings, most), self._loop
        ).result()  # it connects to nobody

    async def call(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await a coroutine on the link's own loop. Cancelling the call cancels it there. Raises StoreUnusable when closed."""
        with self._gate:
            if self._closed or os.getpid() != self._process:
                raise StoreUnusable("this store is closed.", place=self.place, hint="Open it again.")
            future = asyncio.run_coroutine_threadsafe(self._noted(make), self._loop)
        return await asyncio.wrap_future(future)

    async def read(self, reach: Reach, work: Work[T]) -> T:
        """Call `work` in a transaction that sees one moment and changes nothing."""
        return await self.call(lambda: self.transact(reach, work, isolation="repeatable_read", readonly=True))

    async def write(self, reach: Reach, work: Work[T]) -> T:
        """Call `work` in a transaction that sees what is committed: what it changes it has locked. It may be called again."""
        return await self.call(lambda: self.transact(reach, work, isolation="read_committed", readonly=False))

    async def transact(self, reach: Reach, work: Work[T], *, isolation: str, readonly: bool) -> T:
        """The same on the link's own loop: again while others were in the way or the server went away before the commit."""
        tries = 0
        while True:
            try:
                return await self._once(reach, work, isolation=isolation, readonly=readonly)
            except MunimentError:
                raise
            except FAULTS as error:
                tries += 1
                if not may_go_through(error) or tries >= TRIES:
                    raise store_error(error, self.place) from error
            await asyncio.sleep(PAUSE * tries**2)

    async def rank(self, work: Callable[[], T]) -> T:
        """Call what takes processor time on a thread of its own; only on the link's own loop."""
        return await self._loop.run_in_executor(self._rankers, work)

    def later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something behind a call, and before the link closes; only on the link's own loop."""
        self._loop.create_task(self._noted(work))

    async def connect(self) -> asyncpg.Connection[asyncpg.Record]:
        """A connection that is no part of the pool; only on the link's own loop."""
        return await asyncpg.connect(**self._settings, timeout=self._wait)

    async def tell(self, channel: str) -> None:
        """Notify whoever listens; only on the link's own loop."""
        async with self._pool.acquire(timeout=self._wait) as connection:
            await connection.execute(SQL["tell"], channel)

    async def close(self) -> None:
        """Finish the calls under way and release everything."""
        with self._gate:
            first, self._closed = not self._closed and os.getpid() == self._process, True
        if first:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._finish(), self._loop))
            self._loop.call_soon_threadsafe(self._loop.stop)
            await asyncio.to_thread(self._release)

    async def _noted(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            return await make()
        finally:
            self._under_way.discard(task)

    async def _once(self, reach: Reach, work: Work[T], *, isolation: str, readonly: bool) -> T:
        async with self._pool.acquire(timeout=self._wait) as connection:
            transaction = connection.transaction(isolation=isolation, readonly=readonly)  # type: ignore[arg-type]  # one of its words
            try:
                await transaction.start()
                await connection.execute(SQL["reach"], reach.scopes, reach.below)
                answer = await work(Transaction(connection))
            except BaseException as error:
                if is_lost(error):
                    connection.terminate()
                with suppress(*FAULTS):  # the connection may be gone
                    await transaction.rollback()
                raise
            try:
                await _whole(transaction.commit())
            except FAULTS as error:
                if readonly or not is_lost(error):
                    raise
                raise OutcomeUnknown(
                    "the server went away during the commit: this write may be there or not.",
                    place=self.place,
                    hint="Repeat the write with the same key or words; it is never kept twice.",
                ) from error
            return answer

    async def _make_pool(self, settings: dict[str, Any], most: int) -> asyncpg.Pool[asyncpg.Record]:
        return await asyncpg.create_pool(
            **settings, min_size=0, max_size=most, timeout=self._wait, connection_class=_Plain, init=prepare
        )

    async def _finish(self) -> None:
        while others := self._under_way - {asyncio.current_task()}:
            await asyncio.wait(others)
        try:
            await asyncio.wait_for(self._pool.close(), self._wait)
        except FAULTS:
            self._pool.terminate()

    def _release(self) -> None:
        self._thread.join()
        self._loop.close()
        self._rankers.shutdown()


class _Plain(asyncpg.Connection):
    """A connection that is handed on as it is: all that a call sets ends with its transaction."""

    def get_reset_query(self) -> str:
        return ""


async def prepare(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Let a new connection find the store's tables, and pass vectors as little-endian halves."""
    found = await connection.fetchrow(SQL["extension"])
    home = found["nspname"] if found else "public"
    await connection.execute(SQL["home"], home)
    if found:
        await connection.set_type_codec("halfvec", schema=home, encoder=_vector_out, decoder=_vector_in, format="binary")


def _vector_out(halves: bytes) -> bytes:
    return (len(halves) // 2).to_bytes(2) + b"\0\0" + np.frombuffer(halves, "<f2").astype(">f2").tobytes()


def _vector_in(wire: bytes) -> bytes:
    return np.frombuffer(wire[4:], ">f2").astype("<f2").tobytes()


def vectors_in(wire: bytes, dim: int) -> bytes:
    """Little-endian halves of vectors of `dim` numbers that came joined. Raises ValueError when their size is another."""
    rows = np.frombuffer(wire, ">u2").reshape(-1, dim + 2)
    if len(rows) and not (rows[:, 0] == dim).all():
        raise ValueError("vectors of another size")
    return rows[:, 2:].astype("<u2").tobytes()


def _portions(rows: Sequence[Sequence[object]]) -> Iterator[Sequence[Sequence[object]]]:
    """These rows, some at a time: the server takes no list of more than a billion bytes."""
    start = size = 0
    for place, row in enumerate(rows):
        size += sum(len(value) for value in row if isinstance(value, bytes))
        if size > PORTION:
            if place > start:
                yield rows[start:place]
            start, size = place, 0
    if start < len(rows):
        yield rows[start:]


async def _whole(commit: Coroutine[Any, Any, None]) -> None:
    """Await it to its end, however often this call is cancelled meanwhile."""
    task = asyncio.ensure_future(commit)
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError
