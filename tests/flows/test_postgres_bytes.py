"""What an erasure leaves on a server: no row and no sample of it at once, bytes in its files until they are written anew."""

from __future__ import annotations

from dataclasses import replace

import asyncpg
import pytest
from running_postgres import PostgresServer

from muniment import Filter, Scope
from muniment.knowledge.values import Changes, MemoryFilter, Wanted
from muniment.ports import Target
from muniment.stores.postgres import open_postgres
from muniment.testing.acts import MODEL
from muniment.testing.conformance.forgetting import blob, seal
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_entity, sample_memory, sample_write

ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
SAID, SPEAKER, TALK, KEY, SEALED, BYTES, SUBJECT, NAME = CANARIES = (
    *("quetzalcoatl", "xylophonist", "zanzibarine", "wombatesque"),
    *("yggdrasilian", "kumquatish", "narwhalesque", "ocelotlike"),
)
TABLES = (
    "SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'r'"
)
SAMPLED = """
SELECT relname || '.' || attname FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
WHERE relnamespace = 'muniment'::regnamespace AND relkind = 'r' AND attnum > 0 AND attstattarget IS DISTINCT FROM 0
    AND atttypid = 'bytea'::regtype
"""


@pytest.fixture(scope="module")
def own_server():
    """A server whose log a test may end."""
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
async def url(own_server):
    """A database in which Ana's words stand in every table that keeps any, and in the planner's samples if it takes any."""
    url = await own_server.create("canaries")
    store = await open_postgres(url)
    await store.adopt(MODEL)
    write = sample_write(ANA, SAID, speaker=SPEAKER, conversation=TALK, key=KEY)
    seals, blobs = (seal("t", SEALED),), (blob(BYTES.encode() * 9),)
    await store.put([sample_write(BEN, f"filler {n}") for n in range(300)])
    await store.put(
        [replace(write, enrich=True, sealed=seals, blobs=blobs), *(sample_write(ANA, f"of hers {n}") for n in range(50))]
    )
    memory = sample_memory(ANA, SAID, subject=SUBJECT, attribute="name", value=SAID)
    entity = sample_entity(ANA, {NAME: [SAID]})
    await store.settle(ANA, Wanted(), lambda _: Changes(memories=[memory], entities=[entity]), at=NOON)
    connection = await asyncpg.connect(url)
    await connection.execute("ANALYZE")
    await connection.close()
    yield url, store
    await store.close()
    await own_server.drop("canaries")


def found_in(folder):
    """The words that stand in any file below."""
    there = b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
    return [word for word in CANARIES if word.encode() in there]


async def told(server):
    """All rows that the server shows to one who may see all, system tables included."""
    shown = []
    for (table,) in await server.admin(TABLES, database="canaries"):
        shown += [row[0] for row in await server.admin(f"SELECT t::text FROM {table} t", database="canaries")]
    return "\n".join(shown)


async def test_V62_what_was_erased_is_in_no_row_at_once_and_in_no_byte_once_the_files_are_written_anew(own_server, url):
    address, store = url
    home = (
        own_server.data / "base" / str((await own_server.admin("SELECT oid FROM pg_database WHERE datname = 'canaries'"))[0][0])
    )
    await own_server.admin("CHECKPOINT")
    assert {SAID, SPEAKER, TALK, KEY} <= set(found_in(home))
    (record,) = [r for r in (await store.page(ANA, Filter(), limit=99)).records if r.text == SAID]
    erased = await store.erase(Target(scope=ANA, ids=(record.id,)), NOON)
    assert (erased.records, erased.clean) == (1, False)
    for word in ("VACUUM FULL", "log", "backups"):
        assert word in erased.notes[0]
    shown = await told(own_server)
    assert [word for word in CANARIES if word in shown or word.encode().hex() in shown] == []
    assert b"of hers 7".hex() in shown
    assert not (await store.memories(ANA, MemoryFilter(), limit=9, now=NOON)).memories

    owner = await asyncpg.connect(address)
    await owner.execute("VACUUM FULL")
    await owner.close()
    await own_server.admin("CHECKPOINT")
    assert found_in(home) == []
    assert found_in(own_server.data / "pg_wal")
    for statement in ("ALTER SYSTEM SET wal_recycle = off", "SELECT pg_reload_conf()", "SELECT pg_switch_wal()", "CHECKPOINT"):
        await own_server.admin(statement)
    assert found_in(own_server.data) == []


async def test_the_planner_keeps_no_sample_of_words(database):
    connection = await asyncpg.connect(database)
    assert [row[0] for row in await connection.fetch(SAMPLED)] == []
    await connection.close()
