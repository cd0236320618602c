"""A server that is down, slow, restarted, or not what it must be: a clear error with a next step, and no password in it."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import replace
from datetime import timedelta

import asyncpg
import pytest
from running_postgres import OWNER, PASSWORD, PostgresServer

from muniment import Filter, Scope
from muniment.errors import OutcomeUnknown, StoreBusy, StoreError, StoreReadOnly, StoreUnusable
from muniment.knowledge.values import Changes, MemoryFilter, Wanted
from muniment.plugins import open_store
from muniment.stores.postgres import open_postgres
from muniment.stores.postgres_link import reach_of
from muniment.testing.acts import MODEL
from muniment.testing.conformance.base import find_all
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_memory, sample_write

ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
SECRETS = (PASSWORD, "s3cret")


def spelled(error):
    """All that an error says, its causes included."""
    said = []
    while error is not None:
        said += [str(error), repr(error), str(getattr(error, "hint", "")), str(getattr(error, "place", ""))]
        error = error.__cause__
    return " ".join(said)


async def refused(url, kind=StoreUnusable, **options):
    """The error of opening what cannot be opened."""
    with pytest.raises(kind) as caught:
        await open_postgres(url, **options)
    assert caught.value.hint
    assert not any(secret in spelled(caught.value) for secret in SECRETS)
    return caught.value


def name_in(url):
    """The name of the database in its address."""
    return url.split("@/")[1].split("?")[0]


async def texts(store, scope=ANA):
    page = await store.page(scope, Filter(), limit=1000)
    return [record.text for record in page.records]


@pytest.fixture
async def store(database):
    store = await open_postgres(database)
    await store.adopt(MODEL)
    yield store
    await store.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda url: url.replace("s3cret", "other"), "does not let this user in"),
        (lambda url: url.replace("//owner:", "//nobody:"), "does not let this user in"),
        (lambda url: url.replace("@/t", "@/none"), "no such database"),
        (lambda url: url.replace("host=", "host=/nowhere"), "cannot be reached"),
        (lambda url: url.replace("?host=", "?port=x&host="), "does not name"),
        (lambda url: f"{url}&sslmode=s3cret", "does not name"),
    ],
    ids=["password", "user", "database", "host", "port", "option"],
)
async def test_an_address_that_leads_nowhere_is_named_without_its_password(database, change, said):
    assert said in str(await refused(change(database)))


async def test_a_port_nobody_listens_on_is_told():
    error = await refused("postgresql://owner:s3cret%40%2Fpw@127.0.0.1:1/db")
    assert error.place == "postgresql://owner@127.0.0.1:1/db"


async def test_a_server_that_does_not_answer_is_given_up(tmp_path):
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / ".s.PGSQL.5432"))
        silent.listen()
        await refused(f"postgresql://owner:s3cret@/db?host={tmp_path}", StoreBusy, wait=0.2)


async def test_a_database_without_pgvector_says_how_to_get_it(postgres, tmp_path):
    await postgres.admin(f"CREATE DATABASE novectors OWNER {OWNER}")
    error = await refused(postgres.url("novectors"))
    assert error.code == "pgvector_missing"
    assert await postgres.admin("SELECT 1 FROM pg_namespace WHERE nspname = 'muniment'", database="novectors") == []
    await postgres.drop("novectors")


async def test_a_database_of_another_encoding_is_refused(postgres):
    await postgres.admin(f"CREATE DATABASE latin OWNER {OWNER} ENCODING 'LATIN1' TEMPLATE template0")
    assert "LATIN1" in str(await refused(postgres.url("latin")))
    await postgres.drop("latin")


async def test_a_store_is_made_only_where_one_is_asked_for(postgres):
    await postgres.admin(f"CREATE DATABASE untouched TEMPLATE bare OWNER {OWNER}")
    assert (await refused(postgres.url("untouched"), create=False)).code == "store_missing"
    stores = await asyncio.gather(*(open_postgres(postgres.url("untouched")) for _ in range(4)))
    assert [finding for store in stores for finding in await store.check(sample_derive) if not finding.ok] == []
    for store in stores:
        await store.close()
    await (await open_store(postgres.url("untouched"), create=False)).close()
    await postgres.drop("untouched")


async def test_a_server_that_takes_no_writes_is_read(database):
    store = await open_postgres(database)
    await store.put([sample_write(ANA, "kept", dim=0)])
    await store.close()
    store = await open_postgres(f"{database}&default_transaction_read_only=on")
    assert await texts(store) == ["kept"]
    await store.close()


async def test_writing_to_a_server_that_takes_no_writes_says_so(postgres, database, store):
    await store.put([sample_write(ANA, "kept")])
    await postgres.admin(f'ALTER DATABASE "{name_in(database)}" SET default_transaction_read_only = on')
    follower = await open_postgres(database)
    with pytest.raises(StoreReadOnly):
        await follower.put([sample_write(BEN, "no", dim=0)])
    assert await texts(follower) == ["kept"]
    await follower.close()


async def test_a_call_that_takes_longer_than_the_server_allows_is_ended_and_others_go_on(database):
    store = await open_postgres(f"{database}&statement_timeout=300")
    await store.put([sample_write(ANA, "one", dim=0)])
    holder = await asyncpg.connect(database)
    transaction = holder.transaction()
    await transaction.start()
    await holder.execute("SELECT set_config('muniment.below', '*', true)")
    await holder.execute("SELECT 1 FROM muniment.scope FOR UPDATE")
    with pytest.raises(StoreBusy) as caught:
        await store.put([sample_write(ANA, "two", dim=0)])
    assert caught.value.hint
    assert await texts(store) == ["one"]
    await transaction.rollback()
    await holder.close()
    await store.put([sample_write(ANA, "three", dim=0)])
    assert await texts(store) == ["three", "one"]
    await store.close()


async def test_connections_that_the_server_ends_are_made_anew(postgres, database, store):
    await store.put([sample_write(ANA, "before")])
    for n in range(3):
        await postgres.admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name_in(database))
        await store.put([sample_write(ANA, f"after {n}")])
    assert await texts(store) == ["after 2", "after 1", "after 0", "before"]


async def test_a_server_that_crashed_and_came_back_is_found_again_with_all_that_was_acknowledged(own_server):
    url = await asyncio.to_thread(own_server.run, own_server.create("mine"))
    store = await open_postgres(url, wait=5)
    await store.put([sample_write(ANA, "acknowledged", dim=0)])
    await asyncio.to_thread(own_server.stop)
    with pytest.raises(StoreError) as caught:
        await store.put([sample_write(ANA, "lost", dim=0)])
    assert caught.value.hint
    assert not any(secret in spelled(caught.value) for secret in SECRETS)
    await asyncio.to_thread(own_server.start)
    assert await texts(store) == ["acknowledged"]
    await store.put([sample_write(ANA, "again", dim=0)])
    assert await texts(store) == ["again", "acknowledged"]
    await store.close()


@pytest.fixture
def own_server():
    """A server that a test may stop."""
    server = PostgresServer(durable=True)
    yield server
    server.close()


async def test_a_connection_lost_in_a_commit_leaves_the_outcome_open(postgres, database, store):
    await store.put([sample_write(ANA, "before")])
    connection = await asyncpg.connect(database)
    await connection.execute(
        """
        CREATE FUNCTION muniment.gone() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER gone AFTER INSERT ON muniment.record DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION muniment.gone();
        """
    )
    with pytest.raises(OutcomeUnknown):
        await store.put([sample_write(ANA, "perhaps")])
    await connection.execute("DROP TRIGGER gone ON muniment.record")
    await connection.close()
    await store.put([sample_write(ANA, "perhaps")])
    assert await texts(store) == ["perhaps", "before"]


async def test_of_two_processes_that_settle_at_once_the_second_sees_what_the_first_wrote(database):
    stores = [await open_postgres(database) for _ in range(2)]
    await stores[0].put([sample_write(ANA, "one", dim=0), sample_write(ANA, "two", dim=0)])
    old = sample_memory(ANA, "one", attribute="plan")
    await stores[0].settle(ANA, Wanted(), lambda _: Changes(memories=[old]), at=NOON)
    seen, inside, go_on = [], threading.Event(), threading.Event()

    def slow(known):
        seen.append([memory.id for memory in known.memories])
        inside.set()
        go_on.wait(30)
        return Changes(memories=[sample_memory(ANA, "two", attribute="plan", recorded_at=NOON + timedelta(hours=1))])

    def quick(known):
        seen.append([memory.id for memory in known.memories])
        return Changes()

    wanted = Wanted(slots=((old.subject, "plan"),))
    first = asyncio.ensure_future(stores[0].settle(ANA, wanted, slow, at=NOON))
    await asyncio.to_thread(inside.wait, 30)
    second = asyncio.ensure_future(stores[1].settle(ANA, wanted, quick, at=NOON))
    await asyncio.sleep(0.2)
    assert not second.done()
    assert await texts(stores[1]) == ["two", "one"]
    go_on.set()
    await asyncio.gather(first, second)
    assert [len(ids) for ids in seen] == [1, 2]
    for store in stores:
        await store.close()


async def test_a_worker_passes_over_a_scope_that_another_is_writing_to(database):
    stores = [await open_postgres(database) for _ in range(2)]
    for scope in (ANA, BEN):
        await stores[0].put([replace(sample_write(scope, "one", dim=0), enrich=True)])
    holder = await asyncpg.connect(database)
    transaction = holder.transaction()
    await transaction.start()
    await holder.execute("SELECT set_config('muniment.below', '*', true)")
    await holder.execute("SELECT 1 FROM muniment.scope WHERE path LIKE '%user=ana/' FOR UPDATE")
    (claim,) = await stores[0].claim(now=NOON, lease=timedelta(minutes=1), limit=5)
    assert claim.scope == BEN
    waiting = asyncio.ensure_future(stores[1].claim(now=NOON, lease=timedelta(minutes=1), limit=5))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    await transaction.rollback()
    await holder.close()
    assert [claim.scope for claim in await waiting] == [ANA]
    for store in stores:
        await store.close()


async def test_damaged_rows_are_never_believed_and_the_doctor_names_them(database, store):
    await store.put([sample_write(ANA, "sound"), sample_write(ANA, "spoiled"), sample_write(ANA, "no vector for me")])
    await store.settle(
        ANA, Wanted(), lambda _: Changes(memories=[sample_memory(ANA, "sound"), sample_memory(ANA, "spoiled")]), at=NOON
    )
    connection = await asyncpg.connect(database)
    async with connection.transaction():
        await connection.execute("SELECT set_config('muniment.below', '*', true)")
        await connection.execute(
            "UPDATE muniment.record SET body = replace(convert_from(body, 'UTF8'), 'spoiled', 'altered')::bytea WHERE seq = 2"
        )
        await connection.execute("UPDATE muniment.memory SET body = body || ' '::bytea WHERE seq = 2")
        await connection.execute("UPDATE muniment.memory SET subject = 'x' WHERE seq = 1")
        await connection.execute("UPDATE muniment.entry SET terms = terms || '\\x0000000000000000' WHERE seq = 1")
        await connection.execute("DELETE FROM muniment.evidence WHERE memory = 1")
        await connection.execute("UPDATE muniment.scope SET last_seq = 1")
    await connection.close()
    faults = {finding.check for finding in await store.check(sample_derive) if not finding.ok}
    assert faults == {"records", "entries", "memories", "lookups", "evidence", "counts"}
    page = await store.page(ANA, Filter(), limit=9)
    assert ([record.text for record in page.records], page.lost) == (["no vector for me", "sound"], (2,))
    with pytest.raises(StoreUnusable):
        await store.get(ANA, [sample_write(ANA, "spoiled").record.id])
    with pytest.raises(StoreUnusable):
        [record async for record in store.scan(None)]
    shown = await store.memories(ANA, MemoryFilter(), limit=9, now=NOON)
    assert [memory.text for memory in shown] == ["sound"]
    await store.put([sample_write(ANA, "spoiled")])
    assert [record.text for record in await store.get(ANA, [sample_write(ANA, "spoiled").record.id])] == ["spoiled"]


async def test_a_value_that_the_server_cannot_take_is_refused_at_once(store):
    await store.put([sample_write(ANA, "one")])
    with pytest.raises(StoreError) as caught:
        await store.page(ANA, Filter(), limit=1 << 70)
    assert caught.value.code == "store_error"
    assert await texts(store) == ["one"]


async def test_a_schema_that_changes_under_an_open_store_is_read_anew(database, store):
    await store.put([sample_write(ANA, "before")])
    for n in range(3):
        assert len(await texts(store)) == 1
        connection = await asyncpg.connect(database)
        await connection.execute(f"ALTER TABLE muniment.record ADD COLUMN later{n} integer")
        await connection.execute("ALTER TABLE muniment.meta ALTER COLUMN value TYPE varchar")
        await connection.execute("ALTER TABLE muniment.meta ALTER COLUMN value TYPE text")
        await connection.close()
    await store.put([sample_write(ANA, "after")])
    assert await texts(store) == ["after", "before"]


async def test_the_memory_of_kept_shelves_is_bounded_and_changes_no_answer(database):
    store = await open_postgres(database, shelf_bytes=5000)
    await store.adopt(MODEL)
    scopes = [Scope(user=f"u{n}") for n in range(9)]
    for scope in scopes:
        await store.put([sample_write(scope, f"{scope} {n}") for n in range(10)])
    for scope in (*scopes, *reversed(scopes)):
        found = await find_all(store, scope)
        assert [record.text for record in found.records] == [f"{scope} {n}" for n in range(10)]
        assert 0 < store.kept_bytes <= 5000
    await store.close()


async def test_words_with_a_zero_character_and_words_too_long_for_an_index_come_back(store):
    odd = {"conversation": "c\0" * 3, "speaker": "s\0" + "p" * 9000, "agent": "a" * 9000}
    write = sample_write(ANA, "zero \0 here", key="k\0" + "e" * 9000, **odd)
    await store.put([write])
    (again,) = await store.put([write])
    assert again.outcome == "unchanged"
    page = await store.page(ANA, Filter(conversation=odd["conversation"], speaker=odd["speaker"]), limit=1)
    assert [(record.text, record.agent) for record in page.records] == [("zero \0 here", odd["agent"])]
    assert reach_of([ANA]).scopes == "client=acme/customer=north/user=ana/"
