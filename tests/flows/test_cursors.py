"""Cursors of every listing that pages, on every store: bound to who lists what, and good in any process."""

from __future__ import annotations

from contextlib import AsyncExitStack
from datetime import timedelta

import pytest
from cases import ANA, BEN, NOON, NORTH, opened

from muniment import MemoryFilter, Scope
from muniment.errors import QueryError
from muniment.testing import FixedClock

LISTINGS = {
    "records": lambda engine: engine.list,
    "memories": lambda engine: engine.memories.list,
    "entities": lambda engine: engine.entities.list,
}


async def filled(engine, *scopes):
    for scope in scopes:
        await engine.ingest(scope, ["My sister Carla lives in Faro.", "My brother Duarte lives in Porto.", "Elsa plays."])
    await engine.work.wait()


def items(page):
    return [one.id for one in getattr(page, "records", page)]


async def walked(lists, scope, **asked):
    seen, cursor = [], None
    while not seen or cursor:
        page = await lists(scope, limit=1, cursor=cursor, **asked)
        seen, cursor = [*seen, *items(page)], page.cursor
    return seen


async def refused(answer):
    with pytest.raises(QueryError) as error:
        await answer
    return error.value.code


@pytest.mark.parametrize("name", LISTINGS)
async def test_vector_28_a_cursor_is_bound_to_its_listing_and_its_scope(engine, name):
    await filled(engine, ANA, BEN)
    lists = LISTINGS[name](engine)
    cursor = (await lists(ANA, limit=1)).cursor
    for scope in (BEN, NORTH, Scope(user="ana")):
        assert await refused(lists(scope, limit=1, cursor=cursor)) == "bad_cursor"
    for other in LISTINGS.keys() - {name}:
        assert await refused(LISTINGS[other](engine)(ANA, limit=1, cursor=cursor)) == "bad_cursor"
    for bad in (*(cursor[:n] + chr(ord(cursor[n]) ^ 1) + cursor[n + 1 :] for n in range(len(cursor))), "9" * (1 << 20), 7):
        assert await refused(lists(ANA, limit=1, cursor=bad)) == "bad_cursor"
    assert len(set(await walked(lists, ANA))) == len(items(await lists(ANA))) > 1


async def test_vector_28_a_cursor_is_bound_to_what_was_asked(engine):
    await filled(engine, ANA)
    cursor = (await engine.memories.list(ANA, limit=1)).cursor
    assert await refused(engine.memories.list(ANA, MemoryFilter(kinds=("event",)), limit=1, cursor=cursor)) == "bad_cursor"
    assert await refused(engine.memories.list(ANA, limit=1, cursor=cursor, inherited=True)) == "bad_cursor"
    assert (await engine.memories.list(ANA, limit=2, cursor=cursor)).memories


@pytest.mark.parametrize("name", LISTINGS)
async def test_vector_28_a_cursor_is_too_old_after_a_day(url, name):
    clock = FixedClock(NOON)
    async with opened(url, clock=clock) as engine:
        await filled(engine, ANA)
        cursor = (await LISTINGS[name](engine)(ANA, limit=1)).cursor
        clock.at += timedelta(hours=23)
        assert items(await LISTINGS[name](engine)(ANA, limit=1, cursor=cursor))
        clock.at += timedelta(hours=1)
        assert await refused(LISTINGS[name](engine)(ANA, limit=1, cursor=cursor)) == "bad_cursor"


@pytest.mark.parametrize("name", LISTINGS)
async def test_a_cursor_is_good_after_a_restart_and_in_a_second_process(url, name):
    if url == "memory://":
        pytest.skip("a store in memory ends with its engine")
    async with AsyncExitStack() as open_:
        async with opened(url) as engine:
            await filled(engine, ANA)
            whole = await walked(LISTINGS[name](engine), ANA)
            cursor = (await LISTINGS[name](engine)(ANA, limit=1)).cursor
        for _ in range(2):
            engine = await open_.enter_async_context(opened(url))
            assert items(await LISTINGS[name](engine)(ANA, limit=1, cursor=cursor)) == whole[1:2]


async def test_a_cursor_serves_whoever_may_list_there_and_nobody_else(engine):
    await filled(engine, ANA, BEN)
    made = await engine.keys.create(ANA, permissions=["read"])
    acting = engine.acting(await engine.keys.check(made.text))
    cursor = (await acting.list({}, limit=1)).cursor
    assert items(await acting.list({}, limit=1, cursor=cursor)) == items(await engine.list(ANA, limit=3))[1:2]
    bens = engine.acting(await engine.keys.check((await engine.keys.create(BEN, permissions=["read"])).text))
    assert await refused(bens.list({}, limit=1, cursor=cursor)) == "bad_cursor"
