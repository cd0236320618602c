"""The two lanes into a file: one writer thread that commits in groups, and a few readers beside it.

Rule of this file: a call is one hop to a thread. It is acknowledged after its commit is on the disk, and a call that is
cancelled was either never begun or is carried out whole. Nothing here belongs to an event loop.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import apsw

from muniment.errors import OutcomeUnknown, StoreError, StoreUnusable
from muniment.stores.sqlite_file import MIGRATIONS, SQL, StoreFile, run_value, store_error

T = TypeVar("T")
Work = Callable[[apsw.Connection], T]

GROUP = 32  # calls in one transaction at most
LOG_PAGES = 1000  # carry the log into the file each time it has grown by this much
LONG_LOG_PAGES = 16 * LOG_PAGES  # and wait for readers, so that it begins anew, when it is this long
CHECKPOINT_WAIT = 0.2  # seconds to wait for readers


_Why = tuple[str, str]  # what happened, and what to do next
_CLOSED: _Why = ("this store is closed.", "Open it again.")
_BROKEN: _Why = (
    "the disk failed, so the store closed itself.",
    "Check the disk, then open the store again; what was acknowledged is kept.",
)
_MOVED: _Why = (
    "the file was moved, deleted or replaced while it was open; nothing of this write was kept.",
    "Put it back with the log beside it, or open the store where it is now.",
)
_UPGRADED: _Why = (
    "a newer version of Muniment has changed the schema of this store while it was open here.",
    "Upgrade Muniment here too; reads go on.",
)
_FORKED: _Why = ("this store was opened before the process was forked.", "Open it again in the new process.")
_STOPPED: _Why = ("the write failed in a way that was not foreseen; nothing of it was kept.", "Please report it with its cause.")


class Gate:
    """What both lanes ask before a call: whether the store is open, on a sound disk, and in the process that opened it."""

    def __init__(self, file: StoreFile) -> None:
        self.file = file
        self.why: _Why | None = None
        self._process = os.getpid()

    @property
    def forked(self) -> bool:
        """Whether this is a copy of the store in a process forked since."""
        return os.getpid() != self._process

    def close(self) -> bool:
        """Let no more calls pass; False when there is nothing here to release."""
        first = not self.forked and self.why is not _CLOSED
        if not self.forked and self.why is None:
            self.why = _CLOSED
        return first

    def check(self) -> None:
        """Raise StoreUnusable when no call may pass."""
        why = _FORKED if self.forked else self.why
        if why:
            raise self.error(why)

    def error(self, why: _Why) -> StoreError:
        """A reason as an error that names the file."""
        message, hint = why
        return StoreUnusable(message, place=str(self.file.path), hint=hint)


class Readers:
    """As many threads as connections, each reading its own snapshot."""

    def __init__(self, gate: Gate, count: int) -> None:
        self._gate = gate
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="muniment-read")
        self._idle = [gate.file.connect() for _ in range(count)]

    async def run(self, work: Work[T]) -> T:
        """Call `work` with a connection that can only read. A driver's error is raised as a StoreError."""
        return await asyncio.wrap_future(_submit(self._gate, self._threads, lambda: self._read(work)))

    def close(self) -> None:
        """Let reads under way finish and release the connections."""
        self._threads.shutdown()
        while self._idle:
            self._idle.pop().close()

    def _read(self, work: Work[T]) -> T:
        connection = self._idle.pop()  # there is one for every thread
        try:
            self._gate.file.check_unchanged()
            return work(connection)
        except apsw.Error as error:
            raise store_error(error, self._gate.file.path) from error
        finally:
            self._idle.append(connection)


@dataclass(frozen=True, slots=True, eq=False)
class _Job(Generic[T]):
    work: Work[T]
    future: Future[T]
    alone: bool


class _Undone(Exception):
    """The transaction is rolled back. `fault` makes the error of each of its calls; `shared` says that trying again is no use."""

    def __init__(self, fault: Callable[[], StoreError], *, shared: bool) -> None:
        super().__init__()
        self.fault = fault
        self.shared = shared


class _LogLength:
    """Pages in the log, as SQLite tells after each commit. An object of its own, so that a writer nobody holds can go."""

    pages = 0

    def __call__(self, connection: apsw.Connection, name: str, pages: int) -> int:  # noqa: ARG002  # the driver's call
        self.pages = pages
        return apsw.SQLITE_OK


class Writer:
    """The one connection that writes, with its queue, and the one that carries the log into the file."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="muniment-write")
        self._jobs: deque[_Job[object]] = deque()
        self._log = _LogLength()
        self._carried = 0  # its length when it was last carried into the file
        self._connection = gate.file.connect(writes=True)
        self._connection.set_wal_hook(self._log)
        self._keeper = gate.file.connect(tidy=True, wait=CHECKPOINT_WAIT)

    async def run(self, work: Work[T], *, alone: bool = False) -> T:
        """Call `work` inside a transaction and return when it is on the disk. `work` may be called again after a rollback.

        With `alone` it shares the transaction with no other call, and changes of any size need no memory to be undone.
        What `work` raises undoes its own changes alone and reaches the caller. Raises StoreBusy, StoreFull, StoreReadOnly
        or StoreUnusable with nothing kept, and OutcomeUnknown when the disk failed during the commit.
        """
        job = _Job(work, Future[T](), alone)
        self._jobs.append(job)  # type: ignore[arg-type]  # its own future has its own type
        try:
            _submit(self._gate, self._threads, self._drain)
        except StoreError:
            if job.future.cancel():  # else it was taken along with others
                raise
        return await asyncio.wrap_future(job.future)

    async def empty_log(self) -> bool:
        """Carry the whole log into the file and cut it to nothing; False while readers of older moments hold it.

        The log begins anew then, so every connection forgets the pages it had read, and what else was in them.
        """
        checkpoint = partial(self._checkpoint, apsw.SQLITE_CHECKPOINT_TRUNCATE)
        return await asyncio.wrap_future(_submit(self._gate, self._threads, checkpoint))

    def close(self) -> None:
        """Finish the calls that are queued, empty the log, and release everything."""
        self._threads.shutdown()
        if self._gate.why is _BROKEN or not self._checkpoint(apsw.SQLITE_CHECKPOINT_TRUNCATE):
            self._keeper.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # the log stays, and with it all it holds
        self._connection.close()
        self._keeper.close()

    def _drain(self) -> None:
        jobs = self._take()
        if not jobs:
            return
        try:
            self._commit(jobs)
        except BaseException as fault:  # ours: say so rather than let callers wait
            self._roll_back()
            for job in jobs:
                if not job.future.done():
                    job.future.set_exception(_caused(self._gate.error(_STOPPED), fault))
            raise
        self._carry_log()

    def _take(self) -> list[_Job[object]]:
        """The next calls that were not cancelled. From here on a call is carried out."""
        jobs: list[_Job[object]] = []
        while self._jobs and len(jobs) < GROUP and not (jobs and (jobs[0].alone or self._jobs[0].alone)):
            job = self._jobs.popleft()
            if job.future.set_running_or_notify_cancel():
                jobs.append(job)
        return jobs

    def _commit(self, jobs: Sequence[_Job[object]]) -> None:
        """Carry out the calls in one transaction, or, if one of them cannot be, each in its own."""
        try:
            ends = self._transact(jobs)
        except _Undone as undone:
            if undone.shared or len(jobs) == 1:
                for job in jobs:
                    job.future.set_exception(undone.fault())
            else:
                for job in jobs:
                    self._commit([job])
            return
        for job, (value, fault) in zip(jobs, ends, strict=True):
            if fault is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(fault)

    def _transact(self, jobs: Sequence[_Job[object]]) -> list[tuple[object, Exception | None]]:
        try:
            self._check_fit()
            self._connection.execute(SQL["begin_write"])
            if run_value(self._connection, "version") != MIGRATIONS[-1].version:
                self._roll_back()
                raise _Undone(partial(self._gate.error, _UPGRADED), shared=True)
        except apsw.Error as error:
            raise _Undone(self._meaning(error), shared=True) from error
        try:
            ends = [self._attempt(job, lone=len(jobs) == 1) for job in jobs]
        except apsw.Error as error:
            self._roll_back()
            raise _Undone(self._meaning(error), shared=False) from error
        try:
            if self._connection.in_transaction:  # else a lone call failed
                self._connection.execute(SQL["commit"])
        except apsw.IOError as error:
            self._break()
            raise _Undone(self._unknown(error), shared=True) from error
        except apsw.Error as error:
            self._roll_back()
            raise _Undone(self._meaning(error), shared=False) from error
        return ends

    def _check_fit(self) -> None:
        why = _BROKEN if self._gate.why is _BROKEN else None if self._gate.file.in_place() else _MOVED
        if why:
            raise _Undone(partial(self._gate.error, why), shared=True)

    def _attempt(self, job: _Job[object], *, lone: bool) -> tuple[object, Exception | None]:
        value, failed = None, None
        if not lone:
            self._connection.execute(SQL["job_begin"])
        try:
            value = job.work(self._connection)
        except apsw.Error:
            raise
        except Exception as fault:  # noqa: BLE001  # its caller gets it; the rest of the group goes on
            failed = fault
            self._connection.execute(SQL["rollback" if lone else "job_undo"])
        if not lone:
            self._connection.execute(SQL["job_end"])
        return value, failed

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # a full disk may have ended it
            self._connection.execute(SQL["rollback"])

    def _break(self) -> None:
        """The disk failed while it was to keep something: whatever is asked of this store now could be answered wrongly."""
        self._gate.why = _BROKEN

    def _meaning(self, error: apsw.Error) -> Callable[[], StoreError]:
        return lambda: _caused(store_error(error, self._gate.file.path), error)

    def _unknown(self, error: apsw.Error) -> Callable[[], StoreError]:
        return lambda: _caused(
            OutcomeUnknown(
                "the disk failed during the commit: this write may be there or not.",
                place=str(self._gate.file.path),
                hint="Open the store again and repeat the write with the same key or words; it is never kept twice.",
            ),
            error,
        )

    def _carry_log(self) -> None:
        """Carry the log into the file each time it has grown by a stretch, after the calls were answered."""
        pages = self._log.pages
        if pages < self._carried:
            self._carried = 0  # it began anew
        if pages >= self._carried + LOG_PAGES and self._gate.why is not _BROKEN:
            self._carried = pages
            self._checkpoint(apsw.SQLITE_CHECKPOINT_RESTART if pages >= LONG_LOG_PAGES else apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _checkpoint(self, mode: int) -> bool:
        try:
            self._keeper.wal_checkpoint(mode=mode)
        except (apsw.BusyError, apsw.LockedError, apsw.FullError):
            return False  # the log keeps everything until the next time
        except apsw.Error:
            self._break()
            return False
        return True


def _submit(gate: Gate, threads: ThreadPoolExecutor, work: Callable[[], T]) -> Future[T]:
    gate.check()
    try:
        return threads.submit(work)
    except RuntimeError as error:  # it was closed since
        raise gate.error(_CLOSED) from error


def _caused(fault: StoreError, error: BaseException) -> StoreError:
    fault.__cause__ = error
    return fault
