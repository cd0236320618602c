"""Opening a PostgreSQL store: what its address says, what the server must be, and the steps of its schema.

Rule of this file: the password of an address is in no message. Each step of the schema is one transaction under one lock, so that
of several processes that start at once one makes the step and the others find it made.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote, urlsplit

import asyncpg

from muniment.errors import StoreError, StoreReadOnly, StoreUnusable
from muniment.stores.postgres_errors import FAULTS, store_error
from muniment.stores.postgres_link import SQL, WAIT, prepare
from muniment.stores.sql import migrations

MIGRATIONS = migrations("postgres")
OLDEST = 150_000  # the first server that does all that is asked of it
OLDEST_VECTORS = (0, 7)  # the first pgvector with half-precision vectors

_FORM = "Write postgresql://USER:PASSWORD@HOST:PORT/DATABASE; characters like @ or / in a password as %40 or %2F."


def place_of(url: str) -> str:
    """The address without its password and options, for messages. Raises StoreUnusable for one of no known form."""
    try:
        parts = urlsplit(url)
        host, port, user = parts.hostname or "", parts.port, parts.username
    except ValueError:
        raise _wrong() from None  # its message repeats the address
    if parts.scheme not in ("postgresql", "postgres") or not parts.path.strip("/") or parts.fragment:
        raise _wrong()
    named = f"[{host}]" if ":" in host else host
    return f"postgresql://{f'{unquote(user)}@' if user else ''}{named}{f':{port}' if port else ''}{parts.path}"


async def prepared(url: str, *, create: bool = True, wait: float = WAIT) -> tuple[str, dict[str, Any]]:
    """See that the server is fit and its tables are of this version; returns the place and how to connect to it.

    Without `create` a database without tables is left so, and is an error.
    """
    place = place_of(url)
    settings: dict[str, Any] = {"dsn": url}
    try:
        connection = await asyncpg.connect(**settings, timeout=wait)
    except (asyncpg.ClientConfigurationError, ValueError):
        raise _wrong() from None  # the same
    except FAULTS as error:
        raise store_error(error, place) from error
    try:
        await _make_fit(connection, place, create=create)
    except StoreError:
        raise
    except FAULTS as error:
        raise store_error(error, place) from error
    finally:
        await connection.close(timeout=wait)
    return place, settings


async def _make_fit(connection: asyncpg.Connection[asyncpg.Record], place: str, *, create: bool) -> None:
    server = await connection.fetchrow(SQL["server"])
    assert server is not None
    number, encoding, following, reads_only, _ = server
    if number < OLDEST:
        raise StoreUnusable(
            f"this server is PostgreSQL {number // 10_000}, which is too old.", place=place, hint="Use PostgreSQL 15 or later."
        )
    if encoding != "UTF8":
        raise StoreUnusable(f"this database keeps its text as {encoding}.", place=place, hint="Create one with ENCODING 'UTF8'.")
    version = await _version(connection, place)
    if not version and not create:
        raise StoreUnusable(
            "there is no store here yet.",
            place=place,
            code="store_missing",
            hint="Ingest something first, or name another store.",
        )
    if version < MIGRATIONS[-1].version:
        if following or reads_only:
            raise StoreReadOnly(
                "this store has no tables of this version, and the server takes no writes.",
                place=place,
                hint="Open it once on the server that this one follows.",
            )
        await _migrate(connection, place)
    found = await connection.fetchrow(SQL["extension"])
    if found is None or _numbers(found["extversion"]) < OLDEST_VECTORS:
        raise _no_vectors(place)


async def _version(connection: asyncpg.Connection[asyncpg.Record], place: str) -> int:
    """The schema's version; 0 for a database without any. Raises StoreUnusable for a newer one, or for tables of others."""
    ours, theirs = await connection.fetchrow(SQL["migrations_there"]) or (False, False)
    if not ours:
        if theirs:
            raise StoreUnusable(
                "this database has a schema named muniment of another program.", place=place, hint="Use another database."
            )
        return 0
    version = int(await connection.fetchval(SQL["version"]))
    if version > MIGRATIONS[-1].version:
        raise StoreUnusable(
            f"this store was written by a newer version of Muniment (schema {version}, known here {MIGRATIONS[-1].version}).",
            place=place,
            code="schema_newer",
            hint="Upgrade Muniment; the store was left as it is.",
        )
    return version


async def _migrate(connection: asyncpg.Connection[asyncpg.Record], place: str) -> None:
    for step in MIGRATIONS:
        try:
            async with connection.transaction():
                await connection.execute(SQL["migration_lock"])
                if step.version == 1:
                    await _make_home(connection, place)
                if await connection.fetchval(SQL["version"]) < step.version:
                    await prepare(connection)
                    await connection.execute(step.script)
                    await connection.execute(SQL["migration_add"], step.version, step.name)
        except asyncpg.InsufficientPrivilegeError as error:
            raise StoreUnusable(
                "this role may not make or change the tables of this store.",
                place=place,
                code="schema_older",
                hint="Open it once with the role that owns them, or with one that may create in this database.",
            ) from error


async def _make_home(connection: asyncpg.Connection[asyncpg.Record], place: str) -> None:
    if not (await connection.fetchrow(SQL["migrations_there"]) or (False,))[0]:
        await connection.execute(SQL["home_add"])
        await connection.execute(SQL["migrations_add"])
    if await connection.fetchrow(SQL["extension"]) is None:
        try:
            await connection.execute(SQL["extension_add"])
        except asyncpg.PostgresError as error:
            raise _no_vectors(place) from error


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def _no_vectors(place: str) -> StoreUnusable:
    return StoreUnusable(
        "this database has no pgvector of version 0.7 or later.",
        place=place,
        code="pgvector_missing",
        hint="Install it on the server, then run CREATE EXTENSION vector (or ALTER EXTENSION vector UPDATE) as a superuser.",
    )


def _wrong() -> StoreUnusable:
    return StoreUnusable("this does not name a PostgreSQL database.", place="store", code="store_url_invalid", hint=_FORM)
