"""Bringing a server's store from the version before to this one: whole, once, by one of several, from wherever it was cut off."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest
from cases import ANA, CLIENT, EVERY, NORTH, known, opened
from running_postgres import APP, OWNER

from muniment.errors import StoreError, StoreUnusable
from muniment.knowledge.values import MemoryFilter
from muniment.stores.postgres import open_postgres
from muniment.stores.postgres_open import MIGRATIONS
from muniment.testing.samples import sample_derive

BEFORE = 2
GOLDEN = (Path(__file__).parents[1] / "fixtures" / f"postgres_schema_{BEFORE}.sql").read_text()
SAID = ["I live in Lisbon now.", "I moved to Porto in March.", "I prefer tea.", "We decided to use Redis instead of Kafka."]
STEPS = "SELECT version, applied_at FROM muniment.migration ORDER BY version"
SHAPE = """
SELECT c.relname::text, a.attname::text, a.attstattarget, c.relforcerowsecurity
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = 'muniment'::regnamespace AND a.attnum > 0 ORDER BY 1, 2
"""
CUT = """
CREATE SEQUENCE public.commands;
CREATE FUNCTION public.cut() RETURNS event_trigger SECURITY DEFINER LANGUAGE plpgsql AS $$
BEGIN
    IF nextval('public.commands') = {nth} THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
    END IF;
END $$;
CREATE EVENT TRIGGER cut ON ddl_command_end EXECUTE FUNCTION public.cut();
"""
MEND = "DROP EVENT TRIGGER cut; DROP FUNCTION public.cut; DROP SEQUENCE public.commands"
HITS = "SELECT last_value FROM public.commands"


@pytest.fixture(scope="module")
def template(postgres):
    """A database with the store as the version before left it."""

    async def make():
        await postgres.admin(f"CREATE DATABASE golden TEMPLATE bare OWNER {OWNER}")
        await run(postgres.url("golden"), GOLDEN)

    postgres.run(make())
    yield "golden"
    postgres.run(postgres.drop("golden"))


@pytest.fixture
def old(postgres, template):
    """The address of a copy of it."""
    yield postgres.run(copy(postgres, template))
    postgres.run(postgres.drop("upgraded"))


async def copy(postgres, template):
    await postgres.drop("upgraded")
    await postgres.admin(f"CREATE DATABASE upgraded TEMPLATE {template} OWNER {OWNER}")
    return postgres.url("upgraded")


async def run(url, statement):
    """What a statement gives on a connection of its own; several statements give nothing."""
    connection = await asyncpg.connect(url)
    try:
        return await (connection.fetch(statement) if ";" not in statement else connection.execute(statement))
    finally:
        await connection.close()


async def assert_whole(url):
    """All that the version before wrote is there, is found, and is sound."""
    async with opened(url) as engine:
        assert all(finding.ok for finding in await engine.doctor())
        assert sorted(record.text for record in (await engine.list(ANA)).records) == SAID
        assert [record.text for record in (await engine.list(NORTH)).records] == ["The office closes at noon."]
        assert {memory.held for memory in await known(engine, ANA, EVERY)} == {True, False}
        found = await engine.retrieve(ANA, "Which tea do I prefer?")
        assert found.hits[0].record.text == "I prefer tea."
        assert [one.value for one in await engine.store.reveal(CLIENT, ["[email:k3f9]"])] == ["ana@example.org"]
        assert (await engine.store.backlog()).parked == 1
        assert [key.credential.id for key in await engine.store.keys()] == ["k1"]
        assert [applied.note for applied in await engine.store.applied()] == ["first"]
        assert [merge.id for merge in await engine.store.merges(CLIENT)] == ["m"]
        await engine.ingest(ANA, ["I also like rain."])
        await engine.work.wait()
        assert len((await engine.memories.list(ANA, MemoryFilter())).memories) >= len(SAID)


async def test_a_store_of_the_version_before_is_brought_to_this_one_with_all_it_holds(old):
    assert [row["version"] for row in await run(old, STEPS)] == list(range(1, BEFORE + 1))
    await assert_whole(old)
    assert [row["version"] for row in await run(old, STEPS)] == [step.version for step in MIGRATIONS]


async def test_it_then_has_the_shape_of_a_new_one_and_opening_it_again_changes_nothing(old, database):
    for _ in range(2):
        store = await open_postgres(old)
        await store.close()
        shape, steps = await run(old, SHAPE), await run(old, STEPS)
        assert [tuple(row) for row in shape] == [tuple(row) for row in await run(database, SHAPE)]
    assert await run(old, STEPS) == steps


@pytest.mark.parametrize("start", ["golden", "bare"])
async def test_cut_off_at_any_command_it_is_at_a_whole_step_and_the_next_opening_goes_on(postgres, template, start):
    nth, cut = 1, True
    while cut:
        url = await copy(postgres, start)
        await run(postgres.url("upgraded", user="postgres"), CUT.format(nth=nth))
        with suppress(StoreError):
            store = await open_postgres(url)
            await store.close()
        cut = (await postgres.admin(HITS, database="upgraded"))[0][0] >= nth
        await run(postgres.url("upgraded", user="postgres"), MEND)
        if cut:
            there = await run(url, "SELECT to_regclass('muniment.migration') IS NOT NULL")
            steps = [row["version"] for row in await run(url, STEPS)] if there[0][0] else []
            assert steps == list(range(1, len(steps) + 1))
            assert len(steps) < len(MIGRATIONS)
            store = await open_postgres(url)
            assert all(finding.ok for finding in await store.check(sample_derive)) or start == "golden"
            await store.close()
        nth += 1 if nth < 3 else 41
    if start == "golden":
        await assert_whole(await copy(postgres, start))
    assert nth > len(MIGRATIONS) - BEFORE
    await postgres.drop("upgraded")


async def test_of_several_that_open_it_at_once_one_brings_it_on_and_all_serve(old):
    stores = await asyncio.gather(*(open_postgres(old) for _ in range(4)))
    assert [row["version"] for row in await run(old, STEPS)] == [step.version for step in MIGRATIONS]
    for store in stores:
        assert (await store.stats(None)).records == 8
        await store.close()


async def test_a_role_that_may_not_change_the_tables_is_told_to_open_it_as_another(old):
    await run(old, f"GRANT USAGE ON SCHEMA muniment TO {APP}; GRANT SELECT ON ALL TABLES IN SCHEMA muniment TO {APP}")
    with pytest.raises(StoreUnusable) as caught:
        await open_postgres(old.replace("//owner:", f"//{APP}:"))
    assert caught.value.code == "schema_older"


async def test_a_schema_of_a_newer_version_is_left_alone(database):
    await run(database, "INSERT INTO muniment.migration (version, name) VALUES (999, 'later');")
    before = await run(database, STEPS)
    with pytest.raises(StoreUnusable) as caught:
        await open_postgres(database)
    assert (caught.value.code, await run(database, STEPS)) == ("schema_newer", before)


def test_migrations_are_numbered_without_a_gap():
    assert [step.version for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))
