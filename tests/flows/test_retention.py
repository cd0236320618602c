"""What has had its time is gone from reads at once and after a sweep for good; what is held stays; no clock empties a store."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from cases import ANA, BEN, EVERY, NOON, STORES, known, learn, lines, opened, url_of

from muniment.architect import default_architecture
from muniment.errors import InputError, NotFound
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing import FixedClock

DAY = timedelta(days=1)


@pytest.fixture(params=STORES)
def url(request, tmp_path):
    return url_of(request.param, tmp_path)


@pytest.fixture
def clock():
    return FixedClock(NOON)


@pytest.fixture
async def engine(url, clock):
    async with opened(url, clock=clock, embedder=None) as found:
        yield found


async def keeping(engine, kind, **fields):
    """Apply the default architecture with other times for one kind."""
    rules = default_architecture()
    await engine.architecture.apply(
        replace(rules, kinds=tuple(replace(k, **fields) if k.name == kind else k for k in rules.kinds))
    )


async def test_what_has_expired_is_gone_from_every_read_before_any_sweep(engine, clock):
    await keeping(engine, "preference", keep=30 * DAY)
    home, taste = await learn(engine, ANA, "I live in Porto.", "I love tea.")
    assert taste.expires_at == NOON + 30 * DAY
    clock.advance(30 * DAY)
    assert await known(engine, ANA) == (home,)
    assert lines(await known(engine, ANA, EVERY)) == [home.text]
    with pytest.raises(NotFound):
        await engine.memories.get(ANA, taste.id)
    assert not [m for hit in await engine.retrieve(ANA, "tea") for m in hit.memories if m.id == taste.id]
    assert (await engine.memories.audit(ANA)).kinds == {"fact": 1}


async def test_more_evidence_gives_it_more_time(engine, clock):
    await keeping(engine, "preference", keep=30 * DAY)
    await learn(engine, ANA, "I love tea.")
    clock.advance(20 * DAY)
    await learn(engine, ANA, "I love tea.", conversation="later")
    clock.advance(20 * DAY)
    assert lines(await known(engine, ANA)) == ["user loves tea"]


async def test_a_sweep_purges_what_has_expired_and_says_how_much_of_what(engine, clock, tmp_path, url):
    await keeping(engine, "preference", keep=30 * DAY)
    for scope in (ANA, BEN):
        await learn(engine, scope, "I live in Porto.", "I love kombucha.")
    assert (await engine.retention.sweep()).purged == {}
    clock.advance(31 * DAY)
    swept = await engine.retention.sweep(ANA)
    assert (swept.looked_at, dict(swept.purged), dict(swept.faded), swept.held, swept.at) == (
        2,
        {"preference": 1},
        {},
        0,
        clock.now(),
    )
    assert swept.clean
    assert dict((await engine.retention.sweep()).purged) == {"preference": 1}
    assert dict((await engine.retention.sweep()).purged) == {}
    assert all(finding.ok for finding in await engine.doctor())
    assert len(await known(engine, ANA)) == 1


async def test_what_is_held_neither_expires_nor_is_swept_until_the_hold_is_lifted_and_forgetting_still_reaches_it(engine, clock):
    await keeping(engine, "preference", keep=30 * DAY)
    (taste,) = await learn(engine, ANA, "I love tea.")
    assert (await engine.memories.hold(ANA, taste.id)).held
    clock.advance(100 * DAY)
    assert lines(await known(engine, ANA)) == ["user loves tea"]
    swept = await engine.retention.sweep(ANA)
    assert (swept.held, dict(swept.purged)) == (1, {})
    await engine.memories.hold(ANA, taste.id, held=False)
    assert await known(engine, ANA) == ()
    assert dict((await engine.retention.sweep(ANA)).purged) == {"preference": 1}
    (again,) = await learn(engine, ANA, "I love coffee.")
    await engine.memories.hold(ANA, again.id)
    await engine.forget(ANA, ids=[again.evidence[0].record])
    assert await known(engine, ANA, EVERY) == ()


async def test_a_clock_that_jumps_purges_nothing_until_somebody_confirms(engine, clock):
    await keeping(engine, "fact", keep=365 * DAY)
    await learn(engine, ANA, *(f"I visited Harbour{n}." for n in range(50)))
    clock.advance(3650 * DAY)
    with pytest.raises(InputError) as caught:
        await engine.retention.sweep()
    assert (caught.value.reason, "50 of 50" in caught.value.message) == ("mass_purge", True)
    clock.advance(-3650 * DAY)
    assert len(await known(engine, ANA)) == 50
    clock.advance(3650 * DAY)
    assert dict((await engine.retention.sweep(confirm=True)).purged) == {"fact": 50}


async def test_what_is_recalled_does_not_fade(engine, clock):
    await keeping(engine, "fact", forget_unused=60 * DAY)
    await learn(engine, ANA, "I live in Porto.", "I have a dog called Rex.")
    clock.advance(50 * DAY)
    await engine.retrieve(ANA, "where do I live?", limit=1)
    clock.advance(20 * DAY)
    assert dict((await engine.retention.sweep(ANA)).faded) == {"fact": 1}
    assert lines(await known(engine, ANA)) == ["user lives in Porto"]
    assert lines(await known(engine, ANA, MemoryFilter(statuses=(Status.EXPIRED,)))) == ["user has a dog called Rex"]


async def test_an_audit_names_what_is_stale_never_recalled_doubled_and_refused(engine, clock):
    home, dog = await learn(engine, ANA, "I live in Porto.", "I have a dog called Rex.", "ok", "Should I go?")
    await engine.memories.add(ANA, "user paints boats on Sundays", subject="user")
    await engine.retrieve(ANA, "where do I live?", limit=1)
    await engine.ingest(ANA, "thanks")
    await engine.work.wait()
    clock.advance(200 * DAY)
    audit = await engine.memories.audit(ANA)
    assert {home.id, dog.id} <= set(audit.stale)
    assert dog.id in audit.never_recalled
    assert home.id not in audit.never_recalled
    assert audit.duplicates == ()
    assert audit.statuses == {Status.CURRENT: 3}
    assert {reason for _, reason in audit.refused} == {"acknowledgement", "question"}
    assert (await engine.memories.audit(BEN)).refused == {}


async def test_events_of_the_work_are_heard_through_the_engine(engine):
    heard = []

    async def listen():
        async for event in engine.work.listen():
            heard.append((event.scope, event.item.state.value, event.item.outcomes))
            if len(heard) == 2:
                return

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(listen())
        await asyncio.sleep(0)
        await learn(engine, ANA, "I live in Porto.", "ok")
    assert heard == [
        (ANA, "completed", ("stored:fact",)),
        (ANA, "completed", ("refused:acknowledgement",)),
    ]
