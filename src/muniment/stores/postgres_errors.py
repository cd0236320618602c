"""What the server's and the driver's errors mean, in the words of our own tree.

Rule of this file: no message repeats what the server or the driver said, since that may hold a part of the address or of a text.
"""

from __future__ import annotations

import socket

import asyncpg

from muniment.errors import StoreBusy, StoreError, StoreFull, StoreReadOnly, StoreUnusable


class Vanished(Exception):
    """What a call was to write into went away under it; begun anew, it finds or makes another."""


_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what the server said at its end came amid something else
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    ConnectionError,
)
_OTHERS = (Vanished, asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
_OUTDATED = (asyncpg.InvalidCachedStatementError, asyncpg.OutdatedSchemaCacheError)  # of a schema that another process changed
_STARTING = (asyncpg.CannotConnectNowError,)

FAULTS = (Vanished, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError, TimeoutError)
"""All that may come of talking to a server."""


def is_lost(error: BaseException) -> bool:
    """Whether the connection is gone. What is wrong with a value or an address is no such thing, though the driver says so."""
    return isinstance(error, _LOST) and not isinstance(error, ValueError)


def may_go_through(error: BaseException) -> bool:
    """Whether nothing was kept and the same call may well succeed now."""
    return is_lost(error) or isinstance(error, (*_OTHERS, *_OUTDATED, *_STARTING))


_Meaning = tuple[type[StoreError], str, str]
_MEANINGS: tuple[tuple[tuple[type[BaseException], ...], _Meaning], ...] = (
    ((ValueError,), (StoreError, "the server cannot take a value of this call.", "Give one within the bounds of what is asked.")),
    (
        (asyncpg.InvalidPasswordError, asyncpg.InvalidAuthorizationSpecificationError),
        (StoreUnusable, "the server does not let this user in.", "Check the user and the password in the store's address."),
    ),
    (
        (asyncpg.InvalidCatalogNameError,),
        (
            StoreUnusable,
            "there is no such database on this server.",
            "Create it first, or check its name in the store's address.",
        ),
    ),
    (
        (asyncpg.InsufficientPrivilegeError,),
        (
            StoreUnusable,
            "this role may not use the tables of this store.",
            "Grant it what the how-to on PostgreSQL names, or use the role that made them.",
        ),
    ),
    (
        (asyncpg.ReadOnlySQLTransactionError,),
        (StoreReadOnly, "this server takes no writes.", "Reads go on. Write to the server that this one follows."),
    ),
    (
        (asyncpg.DiskFullError,),
        (StoreFull, "the server's disk is full; nothing of this write was kept.", "Free some space there."),
    ),
    (
        (asyncpg.QueryCanceledError, asyncpg.IdleInTransactionSessionTimeoutError),
        (StoreBusy, "the server ended this call, which took longer than it allows.", "Ask for less, or allow more time."),
    ),
    (
        (asyncpg.LockNotAvailableError, *_OTHERS),
        (StoreBusy, "others held what this call needs for longer than the wait.", "Try again; nothing was written."),
    ),
    (
        (asyncpg.TooManyConnectionsError,),
        (StoreBusy, "the server has no connection left.", "Try again, or let it take more connections."),
    ),
    (
        (TimeoutError,),
        (StoreBusy, "the server, or a free connection to it, was not there in time.", "Try again; nothing was written."),
    ),
    (
        (*_STARTING, *_LOST, asyncpg.PostgresSystemError),
        (StoreUnusable, "the connection to the server was lost.", "See that the server runs, and try again."),
    ),
    ((socket.gaierror,), (StoreUnusable, "the server's name is not known.", "Check the host in the store's address.")),
    ((OSError,), (StoreUnusable, "the server cannot be reached.", "See that it runs, and check host and port.")),
    (
        (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError, asyncpg.InvalidSchemaNameError),
        (
            StoreUnusable,
            "the tables of this store are missing or are others.",
            "Restore the database, or open it once as their owner.",
        ),
    ),
    (
        (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError),
        (StoreUnusable, "the server's files are damaged.", "Restore the database from a backup."),
    ),
    (
        (asyncpg.ProgramLimitExceededError,),
        (StoreError, "something here is larger than the server can keep.", "Split it."),
    ),
)


def store_error(error: BaseException, place: str) -> StoreError:
    """What an error of the driver means. The caller raises it from the error, so that the cause is kept."""
    for kinds, (make, message, hint) in _MEANINGS:
        if isinstance(error, kinds):
            return make(message, place=place, hint=hint)
    return StoreError("the server refused this call in a way that was not foreseen.", place=place, hint="See the server's log.")
