"""The file: where it may be, how it is opened, whose it is, which schema it has, and what its errors mean to a caller.

Rule of this file: whatever is wrong is said before anything is changed, and a file that is not ours stays as it is.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import apsw

from muniment.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly, StoreUnusable
from muniment.stores.sql import migrations, statements
from muniment.stores.sqlite_tidy import tidy_vfs

SQL = statements("sqlite")
MIGRATIONS = migrations("sqlite")

APPLICATION = 0x4D554E49  # "MUNI" in the file's header
PAGE_BYTES = 8192  # measured: a fifth faster to read a scope than 4096, and no slower to write
CACHE_KIB = 8192
LOG_BYTES = 16 << 20  # what the log is cut down to when it begins anew
WAIT = 5.0  # seconds to wait for another process

Row = tuple[Any, ...]

_BUSY = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
_NO_LOG = (apsw.CantOpenError, apsw.ReadOnlyError)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFile:
    """A file that was found sound and of this version, and how to connect to it.

    `frozen` is a file on a medium where not even the log's index can be kept: it is read as it stands, and `stamp` tells
    whether it still does. `vfs` names the file system layer below, None for the platform's.
    """

    path: Path
    vfs: str | None = None
    wait: float = WAIT
    read_only: bool = False
    frozen: bool = False
    stamp: tuple[int, ...] = ()

    def connect(self, *, writes: bool = False, tidy: bool = False, wait: float | None = None) -> apsw.Connection:
        """A configured connection that has read the file once. Only a `tidy` one may carry the log into the file."""
        name, flags = str(self.path), apsw.SQLITE_OPEN_READONLY if self.read_only else apsw.SQLITE_OPEN_READWRITE
        if self.frozen:
            name, flags = f"{self.path.as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(name, flags=flags, vfs=tidy_vfs(self.vfs) if tidy else self.vfs)
        try:
            _configure(connection, self.wait if wait is None else wait)
            connection.pragma("query_only", not writes and not tidy)
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(not tidy))
            connection.execute(SQL["tables"]).fetchall()
        except apsw.Error:
            connection.close()
            raise
        return connection

    def check_unchanged(self) -> None:
        """Raise StoreUnusable when a frozen file is not the one that was opened any more."""
        if self.frozen and _stamp(self.path) != self.stamp:
            raise StoreUnusable(
                "the file changed while it was open from a place that cannot be written.",
                place=str(self.path),
                hint="Open it again.",
            )

    def in_place(self) -> bool:
        """Whether the path still leads to the file that was opened."""
        return _stamp(self.path)[:2] == self.stamp[:2]


def open_file(path: str | os.PathLike[str], *, vfs: str | None = None, wait: float = WAIT) -> StoreFile:
    """Find or create the file at `path` and bring it to this version's schema. Raises StoreError and changes nothing."""
    place = _place(path)
    file = StoreFile(path=place, vfs=vfs, wait=wait)
    deadline = time.monotonic() + wait
    while True:
        try:
            return _open_once(file)
        except _BUSY as error:
            if time.monotonic() > deadline:
                raise store_error(error, place) from error
            time.sleep(_jitter(0.02))
        except apsw.Error as error:
            raise store_error(error, place) from error


def run(connection: apsw.Connection, name: str, *values: object) -> Iterator[Row]:
    """Run the statement called `name`; its rows come as they are asked for."""
    return cast("Iterator[Row]", connection.execute(SQL[name], cast("tuple[str, ...]", values)))


def run_all(connection: apsw.Connection, name: str, *values: object) -> list[Row]:
    """All rows of a statement. Raises StoreUnusable when a text in them is no text."""
    rows = run(connection, name, *values)
    try:
        return list(rows)
    except UnicodeDecodeError as error:
        raise damaged() from error


def run_one(connection: apsw.Connection, name: str, *values: object) -> Row | None:
    """The first row of a statement, if it gives one."""
    rows = run_all(connection, name, *values)
    return rows[0] if rows else None


def run_value(connection: apsw.Connection, name: str, *values: object) -> Any:
    """The first value of the first row, None without one."""
    row = run_one(connection, name, *values)
    return None if row is None else row[0]


def run_numbers(connection: apsw.Connection, name: str, *values: object) -> tuple[int, ...] | None:
    """The first row of a statement whose values are all whole numbers. Raises StoreUnusable when one of them is not."""
    row = run_one(connection, name, *values)
    if row is not None and not all(type(value) is int for value in row):
        raise damaged()
    return row


def find(connection: apsw.Connection, name: str, no: int, *words: str) -> int | None:
    """The number a lookup within scope `no` gives for these words. Words that are not Unicode were never kept."""
    try:
        row = run_numbers(connection, name, no, *words)
    except UnicodeEncodeError:
        return None
    return None if row is None else row[0]


def damaged() -> StoreUnusable:
    """The error for a row that is not what was written."""
    return StoreUnusable("a row of this store is damaged.", code="row_damaged", hint=_DAMAGED)


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[None]:
    """One unchanging view of the file for all reads inside; that of the caller where there is one."""
    inside = connection.in_transaction
    if inside:
        yield
        return
    connection.execute(SQL["begin_read"])
    try:
        yield
    finally:
        if connection.in_transaction:  # a failing disk may have ended it
            connection.execute(SQL["rollback"])


def store_error(error: apsw.Error, path: Path) -> StoreError:
    """What a driver's error means. The caller raises it from the error, so that the cause is kept."""
    kind = apsw.FullError if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_SHMSIZE else type(error)
    for kinds, (make, message, hint) in _MEANING:
        if issubclass(kind, kinds):
            return make(message, place=str(path), hint=hint)
    return StoreUnusable("the tables of this store are damaged.", place=str(path), hint=_BROKEN)


_DAMAGED = "Run the doctor, and restore from an export if it finds faults."
_OTHER = (
    "Check the path; the file was left as it is. If it was overwritten, put back a copy, or import an export into a new store."
)
_BROKEN = (
    "Put back a copy of the file, or import an export into a new store; "
    "muniment export without FILE writes what can still be read."
)
_MEANING: tuple[tuple[tuple[type[apsw.Error], ...], tuple[type[StoreError], str, str]], ...] = (
    (_BUSY, (StoreBusy, "another process held the store for longer than the wait.", "Try again; nothing was written.")),
    ((apsw.FullError,), (StoreFull, "the disk is full; nothing of this write was kept.", "Free some space and write again.")),
    (
        (apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError),
        (StoreReadOnly, "this file, or the folder it is in, cannot be written.", "Reads go on. Give write permission to both."),
    ),
    ((apsw.NotADBError,), (StoreUnusable, "this file is not a Muniment store.", _OTHER)),
    ((apsw.CorruptError,), (StoreUnusable, "the file is damaged.", _BROKEN)),
    (
        (apsw.CantOpenError,),
        (StoreUnusable, "the file, or the log beside it, cannot be opened.", "Check the permissions of the file and its folder."),
    ),
    (
        (apsw.IOError,),
        (StoreUnusable, "the disk failed while the file was read or written.", "Check the disk, then open the store again."),
    ),
    ((apsw.ConnectionClosedError,), (StoreUnusable, "this store is closed.", "Open it again.")),
    ((apsw.NoMemError,), (StoreError, "there was not enough memory.", "Write or read less at a time.")),
    ((apsw.TooBigError,), (StoreError, "a text is larger than the file can hold.", "Split it.")),
)


def _place(path: str | os.PathLike[str]) -> Path:
    """The file's own path, links followed as SQLite follows them. Raises StoreUnusable when no file can be there."""
    try:
        place = Path(path).resolve()
        beside, there, regular = place.parent.is_dir(), place.exists(), place.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        raise StoreUnusable("this is not a usable path.", place=str(path), hint="Name a file in a folder that exists.") from error
    if not beside:
        raise StoreUnusable("the folder for this file does not exist.", place=str(place), hint=f"Create it first: {place.parent}")
    if there and not regular:
        raise StoreUnusable("this is a folder or a device, not a file.", place=str(place), hint="Name a file, like muniment.db.")
    return place


def _open_once(file: StoreFile) -> StoreFile:
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
    try:
        connection = apsw.Connection(str(file.path), flags=flags, vfs=file.vfs)
    except apsw.CantOpenError as error:
        raise _cannot_open(file.path) from error
    try:
        try:
            _configure(connection, file.wait)
            version = _version(connection, file.path)
        except _NO_LOG as error:
            if not _stamp(file.path)[2]:
                raise
            return _open_read_only(file, error)
        if connection.readonly("main"):
            return _open_read_only(file)
        _check_log(connection, version, file)
        _prepare(connection, version, file.path)
    finally:
        # Without a log, closing clears its traces away; with one, it would carry it past the layer that tidies.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(_log_size(file.path) > 0))
        connection.close()
    return replace(file, stamp=_stamp(file.path))


def _open_read_only(file: StoreFile, error: apsw.Error | None = None) -> StoreFile:
    """Read through the log if its index can be kept, past it if there is no log. One that cannot be read is not passed over."""
    for frozen in (False, True):
        found = replace(file, read_only=True, frozen=frozen, stamp=_stamp(file.path))
        if frozen and _log_size(file.path):
            raise StoreUnusable(
                "the log beside this file holds writes that cannot be read from a place that cannot be written.",
                place=str(file.path),
                hint="Copy the file and its -wal file together to a folder that can be written, and open them there.",
            ) from error
        try:
            connection = found.connect()
        except _NO_LOG as reason:
            error = reason
            continue
        try:
            version = _version(connection, file.path)
        finally:
            connection.close()
        if version < MIGRATIONS[-1].version:
            raise StoreReadOnly(
                "this store has an older schema and cannot be brought to this version where it is.",
                place=str(file.path),
                hint="Open it once where it can be written.",
            )
        return found
    raise _cannot_open(file.path) from error


def _cannot_open(place: Path) -> StoreError:
    if place.exists():
        return StoreUnusable("this file cannot be opened.", place=str(place), hint="Check that you may read it.")
    if not os.access(place.parent, os.W_OK):
        return StoreReadOnly("no file can be created in this folder.", place=str(place), hint=f"Make {place.parent} writable.")
    return StoreUnusable("the file cannot be created.", place=str(place), hint="Check its name and its folder.")


def _version(connection: apsw.Connection, place: Path) -> int:
    """The schema's version; 0 for an empty file. Raises StoreUnusable for another program's file and for a newer version."""
    application, version, tables = _marks(connection)
    if application != APPLICATION:
        if application or version or tables:
            raise StoreUnusable(
                "this file belongs to another program.", place=str(place), hint="Check the path; the file was left as it is."
            )
        return 0
    if version > MIGRATIONS[-1].version:
        raise StoreUnusable(
            f"this store was written by a newer version of Muniment (schema {version}, known here {MIGRATIONS[-1].version}).",
            place=str(place),
            code="schema_newer",
            hint="Upgrade Muniment; the file was left as it is.",
        )
    pages = connection.pragma("page_count") * connection.pragma("page_size")
    if not _log_size(place) and place.stat().st_size < pages:
        raise StoreUnusable("the file is cut short.", place=str(place), hint="Restore it from an export or a copy.")
    return version


def _marks(connection: apsw.Connection) -> tuple[int, int, int]:
    """Whose file it is, its version and how many tables, seen at one moment: another process may be making it just now."""
    alone = not connection.in_transaction
    if alone:
        connection.execute(SQL["begin_read"])
    try:
        return connection.pragma("application_id"), connection.pragma("user_version"), connection.execute(SQL["tables"]).get
    finally:
        if alone:
            connection.execute(SQL["rollback"])


def _check_log(connection: apsw.Connection, version: int, file: StoreFile) -> None:
    """Raise StoreUnusable for a log of another store, which would take the place of what this file holds."""
    if not version or not _log_size(file.path):
        return
    try:
        with closing(replace(file, read_only=True, frozen=True).connect()) as past_the_log:
            store = run_value(past_the_log, "meta_get", "store")
    except apsw.Error:
        return  # nothing was carried into the file yet, or some of it is being carried now
    if store not in (None, run_value(connection, "meta_get", "store")):
        raise StoreUnusable(
            "the log beside this file belongs to another store.",
            place=str(file.path),
            hint=f"Move {file.path.name}-wal back to the file it came from; the file was left as it is.",
        )


def _prepare(connection: apsw.Connection, version: int, place: Path) -> None:
    if not version:
        connection.pragma("page_size", PAGE_BYTES)
    if connection.pragma("journal_mode", "wal") != "wal":
        raise StoreUnusable(
            "this disk cannot hold the log that several readers share.",
            place=str(place),
            hint="Put the store on a local disk; network folders do not work.",
        )
    for step in MIGRATIONS[version:]:
        _migrate(connection, step.version, place)


def _migrate(connection: apsw.Connection, target: int, place: Path) -> None:
    """One step in one transaction: whatever happens, the file is whole at the version before or after it."""
    connection.execute(SQL["begin_write"])
    try:
        if _version(connection, place) < target:  # else another process was here first
            step = MIGRATIONS[target - 1]
            connection.execute(step.script)
            connection.execute(SQL["migration_add"], (step.version, step.name))
            connection.pragma("application_id", APPLICATION)
            connection.pragma("user_version", step.version)
        connection.execute(SQL["commit"])
    finally:
        if connection.in_transaction:
            connection.execute(SQL["rollback"])


def _configure(connection: apsw.Connection, wait: float) -> None:
    connection.set_busy_handler(_patience(wait))
    connection.wal_autocheckpoint(0)
    for switch in (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, apsw.SQLITE_DBCONFIG_ENABLE_VIEW, apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA):
        connection.config(switch, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # plans do not depend on the values asked for
    connection.pragma("synchronous", "full")
    connection.pragma("fullfsync", True)  # noqa: FBT003  # a pragma's value
    connection.pragma("secure_delete", True)  # noqa: FBT003  # the same
    connection.pragma("foreign_keys", True)  # noqa: FBT003  # the same
    connection.pragma("cell_size_check", True)  # noqa: FBT003  # the same
    connection.pragma("temp_store", "memory")  # nothing of a record is ever written to a file of the system's
    connection.pragma("cache_size", -CACHE_KIB)
    connection.pragma("journal_size_limit", LOG_BYTES)


def _patience(seconds: float) -> Callable[[int], bool]:
    deadline = 0.0

    def wait_again(tries: int) -> bool:
        nonlocal deadline
        now = time.monotonic()
        if tries == 0:
            deadline = now + seconds
        if now >= deadline:
            return False
        time.sleep(_jitter(min(0.001 * 1.5**tries, 0.04)))
        return True

    return wait_again


def _jitter(seconds: float) -> float:
    return seconds * random.uniform(0.5, 1.5)  # noqa: S311  # spreads waiters, guards nothing


def _stamp(path: Path) -> tuple[int, ...]:
    """Which file this is, and its state. Never opened for it: closing it here would drop SQLite's locks on it."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0, 0, 0)
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, _log_size(path))


def _log_size(path: Path) -> int:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0
