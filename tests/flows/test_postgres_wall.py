"""The second wall: with the store's own filters taken away, the server itself shows and takes only what a call may reach."""

from __future__ import annotations

from dataclasses import replace

import asyncpg
import pytest
from running_postgres import APP

from muniment import Filter, Scope
from muniment.errors import StoreError
from muniment.knowledge.credentials import AccessKey, Credential
from muniment.knowledge.values import Changes, Feedback, Merge, Refusal, SharingChange, Wanted
from muniment.ports import Target
from muniment.stores.postgres import open_postgres
from muniment.stores.postgres_link import EVERYWHERE, SQL, Link, Reach, path_of, reach_below, reach_of
from muniment.testing.acts import MODEL
from muniment.testing.conformance.digests import made_of
from muniment.testing.conformance.forgetting import blob, seal
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_entity, sample_memory, sample_write

ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
CUSTOMER = Scope(client="acme", customer="north")
CLIENT = Scope(client="acme")
RIVAL = Scope(client="rival", customer="north", user="ana")
EVERY = (ANA, BEN, CUSTOMER, CLIENT, RIVAL)

GRANTS = f"""
GRANT USAGE ON SCHEMA muniment TO {APP};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA muniment TO {APP};
"""
SEEN = "SELECT s.path FROM muniment.record r JOIN muniment.scope s ON s.no = r.scope ORDER BY s.path"
TABLES = """
SELECT relname::text, relrowsecurity, relforcerowsecurity, (SELECT count(*) FROM pg_policy WHERE polrelid = c.oid) FROM pg_class c
WHERE relnamespace = 'muniment'::regnamespace AND relkind IN ('r', 'p')
"""
ROLE = """
SELECT
    EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = 'muniment'::regnamespace AND pg_has_role(relowner, 'MEMBER')),
    rolsuper, rolbypassrls
FROM pg_roles WHERE rolname = current_user
"""
UNWALLED = {"meta", "migration", "architecture", "erasure"}


@pytest.fixture
async def filled(postgres, database):
    """A database in which every scope holds a record."""
    store = await open_postgres(database)
    await store.adopt(MODEL)
    for scope in EVERY:
        await store.put([sample_write(scope, f"of {scope}")])
    await store.close()
    return database


@pytest.fixture
async def bare(filled):
    """A connection of the owner without anything that the store puts before its statements."""
    connection = await asyncpg.connect(filled)
    yield connection
    await connection.close()


async def seen(connection, reach=None, statement=SEEN):
    """What a statement without any filter gives inside a transaction that may reach this far."""
    async with connection.transaction():
        if reach is not None:
            await connection.execute(SQL["reach"], reach.scopes, reach.below)
        return [row[0] for row in await connection.fetch(statement)]


def paths(*scopes):
    return sorted(path_of(scope) for scope in scopes)


async def test_without_a_word_no_row_is_seen_not_even_by_the_owner(bare):
    assert await seen(bare) == []
    assert await seen(bare, Reach()) == []


@pytest.mark.parametrize(
    ("reach", "reached"),
    [
        (reach_of(ANA.lineage), (ANA, CUSTOMER, CLIENT)),
        (reach_of([BEN]), (BEN,)),
        (reach_below(CUSTOMER), (CUSTOMER, ANA, BEN)),
        (reach_below(Scope(client="acme", customer="nor")), ()),
        (EVERYWHERE, EVERY),
    ],
    ids=["lineage", "one", "below", "near twin", "everywhere"],
)
async def test_a_statement_without_a_filter_sees_only_what_the_call_may_reach(bare, reach, reached):
    assert await seen(bare, reach) == paths(*reached)


async def test_a_connection_that_served_another_tenant_a_moment_ago_shows_nothing_of_it(bare):
    assert await seen(bare, reach_of(RIVAL.lineage)) == paths(RIVAL)
    assert await seen(bare) == []
    assert await seen(bare, reach_of([ANA])) == paths(ANA)
    with pytest.raises(asyncpg.DivisionByZeroError):
        await seen(bare, EVERYWHERE, "SELECT (1 / 0)::text")
    assert await seen(bare) == []


async def test_every_table_that_holds_what_a_scope_holds_stands_behind_the_wall(postgres, filled, tmp_path):
    connection = await asyncpg.connect(filled)
    rows = await connection.fetch(TABLES)
    assert {name for name, enabled, forced, policies in rows if not (enabled and forced and policies == 1)} == UNWALLED
    for name, enabled, *_ in rows:
        if enabled:
            assert await connection.fetchval(f"SELECT count(*) FROM muniment.{name}") == 0
    await connection.close()


async def test_nothing_is_written_beyond_the_wall(bare):
    (foreign,) = await seen(bare, reach_of([RIVAL]), "SELECT no FROM muniment.scope")
    for statement in (
        f"INSERT INTO muniment.label (scope, code, kind, name) VALUES ({foreign}, 99, 'agent', 'x')",
        "INSERT INTO muniment.scope (path) VALUES ('client=third/')",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await seen(bare, reach_of(ANA.lineage), statement)
    for statement in (
        f"DELETE FROM muniment.entry WHERE scope = {foreign}",
        f"UPDATE muniment.record SET role = 'tool' WHERE scope = {foreign}",
    ):
        assert await seen(bare, reach_of(ANA.lineage), f"{statement} RETURNING 1") == []
    assert await seen(bare, reach_of([RIVAL]), "SELECT role FROM muniment.record") == ["user"]


async def test_one_role_makes_the_tables_and_another_serves(postgres, filled):
    owner = await asyncpg.connect(filled)
    await owner.execute(GRANTS)
    await owner.close()
    store = await open_postgres(filled.replace("//owner:", f"//{APP}:"), connections=1)
    await store.adopt(MODEL)
    await store.put([sample_write(ANA, "by the app")])
    found = await store.get(ANA, [sample_write(ANA, "by the app").record.id])
    assert [record.text for record in found] == ["by the app"]
    assert await store.reindex(sample_derive, MODEL) > 0
    erased = await store.erase(Target(scope=ANA), NOON)
    assert (erased.records, erased.clean) == (2, False)
    assert [finding for finding in await store.check(sample_derive) if not finding.ok] == []
    await store.close()
    app = await asyncpg.connect(filled.replace("//owner:", f"//{APP}:"))
    assert await seen(app) == []
    assert await seen(app, reach_of(BEN.lineage)) == paths(BEN, CUSTOMER, CLIENT)
    await app.close()


async def test_the_doctor_says_when_a_role_passes_by_the_wall(postgres, filled):
    for user, hint in (("owner", False), ("postgres", True)):
        store = await open_postgres(filled.replace("//owner:", f"//{user}:"))
        (wall,) = [finding for finding in await store.check(sample_derive) if finding.check == "wall"]
        assert bool(wall.hint) is hint
        await store.close()


async def test_what_one_connection_serves_in_turn_stays_apart(filled):
    store = await open_postgres(filled, connections=1)
    for scope in (*EVERY, *reversed(EVERY)):
        page = await store.page(scope, Filter(), limit=9)
        assert [record.text for record in page.records] == [f"of {scope}"]
    await store.close()


@pytest.fixture
async def crowded(filled, tmp_path):
    """The same, with something of every scope in every table behind the wall."""
    store = await open_postgres(filled)
    for n, scope in enumerate(EVERY):
        said = f"of {scope} and more"
        seals, blobs = (seal("t", "v"),), (blob(b"bytes"),)
        await store.put([replace(sample_write(scope, said, key="k"), enrich=True, sealed=seals, blobs=blobs)])
        one, other = (sample_entity(scope, {name: [said]}, id=name) for name in ("one", "other"))
        merge = Merge(id="m", scope=scope, kept="one", other="other", score=0.5, why={}, at=NOON, decided=False)
        memory = sample_memory(scope, said, entities=("one",))
        refusals = [Refusal(evidence=memory.evidence[0], kind="fact", reason="noise")]
        changes = Changes(memories=[memory], entities=[one, other], merges=[merge], refusals=refusals)
        await store.settle(scope, Wanted(), lambda _, changes=changes: changes, at=NOON)
        await store.keep_digest(made_of(*await store.get(scope, [sample_write(scope, said).record.id])))
        key = Credential(id=f"k{n}", ceiling=scope, permissions=["read"], created_at=NOON)
        await store.keep_key(AccessKey(credential=key, digest=b"d"))
        await store.keep_sharing(SharingChange(scope=scope, agent="a", kind="fact", share="none", at=NOON))
        await store.add_feedback([Feedback(scope=scope, record=f"r{n}", used=1, at=NOON)])
    await store.close()
    return filled


PATHS = {"scope": "t.path", "access_key": "t.ceiling", "sharing_change": "t.scope", "feedback": "t.scope"}
HERS = "(SELECT path FROM muniment.scope s WHERE s.no = t.scope)"


@pytest.mark.parametrize("reach", [reach_of([ANA]), reach_of(ANA.lineage), reach_below(CUSTOMER), reach_below(RIVAL)], ids=str)
async def test_each_table_read_without_any_filter_gives_rows_of_what_was_said_alone(crowded, reach):
    connection = await asyncpg.connect(crowded)
    tables = {name for name, enabled, *_ in await connection.fetch(TABLES) if enabled} - {"staging", "staged"}
    everywhere, reached = paths(*EVERY), {*reach.scopes.split("\n")}
    for table in tables:
        asked = f"SELECT DISTINCT {PATHS.get(table, HERS)} FROM muniment.{table} t"
        assert sorted(await seen(connection, EVERYWHERE, asked)) == everywhere, table
        shown = await seen(connection, reach, asked)
        assert shown, table
        assert all(path in reached or (reach.below and path.startswith(reach.below)) for path in shown), table
    await connection.close()


async def test_a_pool_of_one_serves_each_tenant_in_turn_with_statements_that_ask_for_everything(crowded):
    link = Link({"dsn": crowded}, place="here", most=1)
    for scope in (*EVERY, *reversed(EVERY)):
        rows = await link.read(reach_of([scope]), lambda tx: tx.rows("scopes_below", None, None, 0, 99))
        assert [row["path"] for row in rows] == [path_of(scope)]
        counted = await link.read(reach_of([scope]), lambda tx: tx.row("stats", None, None))
        assert (counted["scopes"], counted["records"]) == (1, 2)
        assert await link.read(Reach(), lambda tx: tx.rows("scopes_below", None, None, 0, 99)) == []
    with pytest.raises(StoreError):
        await link.write(EVERYWHERE, lambda tx: tx.change("scopes_add", 7))
    assert await link.read(Reach(), lambda tx: tx.rows("scopes_below", None, None, 0, 99)) == []
    await link.close()


@pytest.mark.parametrize(
    "statement",
    [
        "SET ROLE owner",
        "SET ROLE postgres",
        "SET SESSION AUTHORIZATION owner",
        "ALTER TABLE muniment.record DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE muniment.record NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY reach ON muniment.record",
        "CREATE POLICY mine ON muniment.record USING (true)",
        "ALTER ROLE app BYPASSRLS",
        "TRUNCATE muniment.record",
        "SET LOCAL row_security = off; SELECT * FROM muniment.record",
        "CREATE TABLE muniment.mine (x integer)",
        "SET session_replication_role = replica",
    ],
)
async def test_the_role_that_serves_cannot_climb_over_the_wall(filled, statement):
    owner = await asyncpg.connect(filled)
    await owner.execute(GRANTS)
    await owner.close()
    app = await asyncpg.connect(filled.replace("//owner:", f"//{APP}:"))
    owns, super_, bypasses = await app.fetchrow(ROLE)
    assert (owns, super_, bypasses) == (False, False, False)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with app.transaction():
            await app.execute(statement)
    assert await seen(app) == []
    await app.close()
