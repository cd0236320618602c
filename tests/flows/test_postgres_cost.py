"""What a call costs on a server, counted in rows that the server looks at and never in time."""

from __future__ import annotations

import asyncpg

from muniment import Scope
from muniment.ports import Target
from muniment.stores.postgres import open_postgres
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_write

MANY = 150
LOOKED_AT = "SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint FROM pg_stat_user_tables WHERE schemaname = 'muniment'"


async def looked_at(url):
    """Rows that all connections so far have looked at; one that has ended has told."""
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(LOOKED_AT)
    finally:
        await connection.close()


async def cost(url, work):
    """Rows that a call looks at."""
    before = await looked_at(url)
    store = await open_postgres(url)
    await work(store)
    await store.close()
    return await looked_at(url) - before


async def test_one_put_for_many_scopes_asks_the_wall_once_and_not_for_each_row(database):
    async def put(store):
        await store.put([sample_write(Scope(user=f"u{n}"), f"said {n}", dim=0) for n in range(MANY)])

    looked = await cost(database, put)
    assert looked < MANY * 60, looked


async def test_an_erasure_costs_what_it_erases_and_not_what_the_store_holds(database):
    costs = []
    for n in range(2):
        store = await open_postgres(database)
        for m in range(10 if n else 1):
            await store.put([sample_write(Scope(user=f"{n}-{m}"), f"said {k}", dim=0) for k in range(100)])
        await store.close()
        costs.append(await cost(database, lambda store, n=n: store.erase(Target(scope=Scope(user=f"{n}-0")), NOON)))
    assert costs[1] < costs[0] * 2, costs
