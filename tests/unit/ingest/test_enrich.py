"""The work behind records: in batches, tried again, parked, read anew, and never lost when its caller goes away."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

import muniment
from muniment.architect import default_architecture
from muniment.errors import ProviderError, ScopeError, StoreFull
from muniment.ingest.enrich import BATCH, LEASE, MOST_ATTEMPTS, Enrichment
from muniment.ingest.index import Index
from muniment.ingest.intake import Intake
from muniment.ingest.listening import EVENTS_KEPT
from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import Extraction, MemoryFilter, WorkState
from muniment.testing import FixedClock
from muniment.testing.fakes import NOON
from muniment.types import Scope

ANA = Scope(client="acme", user="ana")
BEN = Scope(client="acme", user="ben")


class Rules:
    """The architecture of every agent, which a test may change."""

    def __init__(self, **fields):
        self.now = replace(default_architecture(), **fields)

    async def __call__(self, _agent, _client):
        return self.now


class Reader:
    """What readers have in common."""

    def stop(self):
        """There is nothing to stop."""


class Poisoned(Reader):
    """A reader that breaks on records that hold a word, reads nothing out of the others, and keeps what it was given."""

    def __init__(self, word, error=None):
        self.word = word
        self.error = error or ValueError("poison")
        self.batches = []

    async def read(self, records, _architecture):
        self.batches.append([record.text for record in records])
        if any(self.word in record.text for record in records):
            raise self.error
        return {record.id: Extraction(record=record.id) for record in records}


@pytest.fixture
def clock():
    return FixedClock(NOON)


@pytest.fixture
async def store(open_store, tmp_path):
    opened = await open_store(tmp_path)
    yield opened
    await opened.close()


class Desk:
    """Work of one store without a task behind it: a test takes each step itself."""

    def __init__(self, store, clock, *, rules=None, model=None, **options):
        self.store = store
        self.rules = rules or Rules()
        self.work = Enrichment(store, clock=clock, architecture=self.rules, model=model, **options)
        self.queue = Intake(store, clock=clock, index=Index(store, None), architecture=self.rules, work=_Unheard())

    async def say(self, *texts, scope=ANA, **more):
        receipt = await self.queue.ingest(scope, list(texts), agent="default", conversation=None, **more)
        return receipt.ids

    async def memories(self, scope=ANA):
        page = await self.store.memories(scope, MemoryFilter(), limit=1000, now=NOON)
        return [memory.text for memory in page.memories[::-1]]

    async def states(self, ids, scope=ANA):
        return [item.state for item in await self.work.status(scope, ids)]


class _Unheard:
    """What an intake tells of its records, to nobody."""

    async def room(self):
        pass

    def nudge(self, count):
        pass


@pytest.fixture
async def desk(store, clock):
    return Desk(store, clock)


async def test_a_step_takes_one_batch_of_one_scope_and_says_how_many(desk):
    await desk.say(*(f"I visited Place{n}." for n in range(BATCH + 3)))
    await desk.say("I live in Porto.", scope=BEN)
    taken = [await desk.work.step() for _ in range(4)]
    assert (sorted(taken), taken[0]) == ([0, 1, 3, BATCH], BATCH)
    assert len(await desk.memories()) == BATCH + 3
    assert await desk.memories(BEN) == ["user lives in Porto"]


async def test_wait_for_named_records_does_not_wait_for_the_rest(store, clock):
    desk = Desk(store, clock, rules=Rules(mode=Mode.BOTH), model=Poisoned("poison"))
    await desk.say("poison in the well")
    (mine,) = await desk.say("I live in Porto.", scope=BEN)
    async with asyncio.timeout(20):
        await desk.work.wait(BEN, [mine])
    assert await desk.states([mine], BEN) == [WorkState.COMPLETED]


async def test_a_record_that_breaks_its_reader_harms_no_other_and_is_parked_with_its_reason(store, clock):
    desk = Desk(store, clock, rules=Rules(mode=Mode.BOTH), model=Poisoned("poison"))
    ids = await desk.say("I live in Porto.", "poison in the well", "I have a dog called Rex.")
    for attempt in range(MOST_ATTEMPTS):
        await desk.work.step()
        (item,) = await desk.work.status(ANA, [ids[1]])
        assert item.attempts == attempt + 1
        clock.advance(timedelta(minutes=5))
    assert (item.state, item.reason) == (WorkState.FAILED, "ValueError: poison")
    assert await desk.states(ids) == [WorkState.COMPLETED, WorkState.FAILED, WorkState.COMPLETED]
    assert await desk.memories() == ["user lives in Porto", "user has a dog called Rex"]
    backlog = await desk.work.wait()
    assert (backlog.queued, backlog.parked, backlog.last_error) == (0, 1, "ValueError: poison")


async def test_what_is_parked_is_tried_again_when_asked(store, clock):
    model = Poisoned("well")
    desk = Desk(store, clock, rules=Rules(mode=Mode.BOTH), model=model)
    ids = await desk.say("I live in Porto by a well.")
    for _ in range(MOST_ATTEMPTS):
        await desk.work.step()
        clock.advance(timedelta(minutes=5))
    assert await desk.states(ids) == [WorkState.FAILED]
    model.word = "nothing"
    assert await desk.work.retry(ANA) == 1
    await desk.work.wait()
    assert await desk.states(ids) == [WorkState.COMPLETED]
    assert await desk.work.retry(ANA) == 0
    await desk.work.close()


async def test_a_retry_waits_for_its_time(store, clock):
    desk = Desk(store, clock, rules=Rules(mode=Mode.MODEL), model=Poisoned("well"))
    (record,) = await desk.say("a well")
    await desk.work.step()
    (item,) = await desk.work.status(ANA, [record])
    assert (item.state, item.retry_at > NOON) == (WorkState.QUEUED, True)
    assert await desk.work.step() == 0
    clock.advance(item.retry_at - NOON)
    assert await desk.work.step() == 1


async def test_records_a_model_could_not_read_are_tried_again_and_the_others_stand(store, clock):
    class Half(Reader):
        async def read(self, records, _architecture):
            return {r.id: Extraction(record=r.id, note="no answer", failed="two" in r.text) for r in records}

    desk = Desk(store, clock, rules=Rules(mode=Mode.MODEL), model=Half())
    ids = await desk.say("one", "two")
    await desk.work.step()
    first, second = await desk.work.status(ANA, ids)
    assert (first.state, first.reason) == (WorkState.PARTIAL, "no answer")
    assert (second.state, second.reason) == (WorkState.QUEUED, "no answer")


async def test_where_rules_read_too_a_failed_model_makes_the_work_partial(store, clock):
    class Down(Reader):
        async def read(self, records, _architecture):
            return {r.id: Extraction(record=r.id, note="no answer", failed=True) for r in records}

    desk = Desk(store, clock, rules=Rules(mode=Mode.BOTH), model=Down())
    ids = await desk.say("I live in Porto.")
    await desk.work.step()
    (item,) = await desk.work.status(ANA, ids)
    assert (item.state, item.reason) == (WorkState.PARTIAL, "no answer")
    assert await desk.memories() == ["user lives in Porto"]


async def test_rederiving_reads_under_the_architecture_of_today(store, clock):
    desk = Desk(store, clock)
    await desk.say("I live in Porto.", "I love tea.")
    await desk.work.wait()
    kinds = tuple(kind for kind in desk.rules.now.kinds if kind.name != "preference")
    desk.rules.now = replace(desk.rules.now, version=2, kinds=kinds)
    assert await desk.work.rederive(ANA) == 2
    await desk.work.wait()
    page = await store.memories(ANA, MemoryFilter(), limit=10, now=NOON)
    assert [(m.text, m.architecture) for m in page.memories] == [("user lives in Porto", "default@2")]
    assert ("preference", "kind_not_kept") in await desk.work.refused(ANA)
    desk.rules.now = replace(default_architecture(), version=3)
    await desk.work.rederive(ANA)
    await desk.work.wait()
    assert await desk.memories() == ["user lives in Porto", "user loves tea"]
    await desk.work.close()


async def test_a_close_ends_the_batch_under_way_and_leaves_the_rest_queued(store, clock):
    desk = Desk(store, clock)
    ids = await desk.say(*(f"I visited Place{n}." for n in range(BATCH * 3)))
    desk.work.nudge(len(ids))
    await asyncio.sleep(0)
    await desk.work.close()
    backlog = await desk.work.backlog()
    assert backlog.processing == 0
    assert backlog.queued + len(await desk.memories()) == BATCH * 3
    assert backlog.queued
    later = Enrichment(store, clock=clock, architecture=desk.rules)
    await later.wait()
    assert len(await desk.memories()) == BATCH * 3


async def test_a_caller_who_gives_up_waiting_leaves_nothing_half_done(store, clock):
    desk = Desk(store, clock)
    ids = await desk.say(*(f"I visited Place{n}." for n in range(BATCH)))
    waiting = asyncio.create_task(desk.work.wait())
    while not (await desk.work.backlog()).processing:  # noqa: ASYNC110  # another task's progress is waited for
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await desk.work.close()
    assert set(await desk.states(ids)) == {WorkState.COMPLETED}


async def test_a_claim_whose_holder_died_is_taken_again_after_its_lease(desk, store, clock):
    ids = await desk.say("I live in Porto.")
    assert await store.claim(now=clock.now(), lease=LEASE, limit=10)
    assert await desk.work.step() == 0
    clock.advance(LEASE + timedelta(seconds=1))
    assert await desk.work.step() == 1
    assert await desk.states(ids) == [WorkState.COMPLETED]


async def test_two_workers_on_one_store_derive_each_memory_once(store, clock):
    one, other = Desk(store, clock), Desk(store, clock)
    await one.say(*(f"I visited Place{n}." for n in range(200)))
    await one.say(*(f"I visited Place{n}." for n in range(200)), scope=BEN)
    await asyncio.gather(one.work.wait(), other.work.wait())
    for scope in (ANA, BEN):
        told = await one.memories(scope)
        assert (len(told), len(set(told))) == (200, 200)


async def test_listeners_hear_every_end_in_order_and_a_slow_one_is_told_what_it_missed(desk):
    heard = []

    async def listen(most):
        async for event in desk.work.listen():
            heard.append(event)
            if len(heard) >= most:
                return

    quick = asyncio.create_task(listen(3))
    await asyncio.sleep(0)
    ids = await desk.say("I live in Porto.", "ok", "I have a dog called Rex.")
    await desk.work.wait()
    await asyncio.wait_for(quick, 20)
    assert [(event.scope, event.item.record) for event in heard] == [(ANA, record) for record in ids]
    assert heard[0].item.outcomes == ("stored:fact",)
    assert {event.missed for event in heard} == {0}
    heard.clear()
    slow = asyncio.create_task(listen(1))
    await asyncio.sleep(0)
    await desk.say(*(f"note {n}" for n in range(EVENTS_KEPT + 50)))
    await desk.work.wait()
    await asyncio.wait_for(slow, 20)
    assert heard[0].missed in {0, 50}


async def test_listening_ends_when_the_work_is_closed_with_what_waited_told(desk):
    heard = []

    async def listen():
        heard.extend([event async for event in desk.work.listen()])

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0)
    await desk.say("I live in Porto.")
    await desk.work.wait()
    await desk.work.close()
    await asyncio.wait_for(listening, 20)
    assert len(heard) == 1
    assert [event async for event in desk.work.listen()] == []


async def test_too_much_waiting_work_makes_a_writer_help(store, clock):
    desk = Desk(store, clock, most_open=BATCH)
    ids = await desk.say(*(f"I visited Place{n}." for n in range(BATCH * 3)))
    await desk.work.room()
    assert await desk.memories() == []
    desk.work.nudge(len(ids))
    await desk.work.room()
    assert len(await desk.memories()) >= BATCH
    await desk.work.close()


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_one_object_works_in_two_event_loops_one_after_the_other(kind, open_each, clock, tmp_path):
    async def first():
        desk = Desk(await open_each[kind](tmp_path), clock)
        desk.work.nudge(len(await desk.say("I live in Porto.")))
        await desk.work.wait()
        return desk

    async def second(desk):
        desk.work.nudge(len(await desk.say("I have a dog called Rex.")))
        await desk.work.wait()
        told = await desk.memories()
        await desk.work.close()
        await desk.store.close()
        return told

    assert asyncio.run(second(asyncio.run(first()))) == ["user lives in Porto", "user has a dog called Rex"]


async def test_a_store_that_fails_fails_the_step_and_leaves_the_records_waiting(store, clock):
    class Full:
        def __getattr__(self, name):
            return getattr(store, name)

        async def settle(self, *_args, **_named):
            raise StoreFull("the disk is full.", hint="Make room.")

    desk = Desk(store, clock)
    ids = await desk.say("I live in Porto.")
    broken = Enrichment(Full(), clock=clock, architecture=desk.rules)
    with pytest.raises(StoreFull):
        await broken.step()
    clock.advance(LEASE * 2)
    await desk.work.wait()
    assert await desk.states(ids) == [WorkState.COMPLETED]


async def test_a_provider_that_is_down_is_no_fault_of_the_records(store, clock):
    model = Poisoned("e", ProviderError("the model is down.", hint="Wait."))
    desk = Desk(store, clock, rules=Rules(mode=Mode.MODEL), model=model)
    ids = await desk.say("I live in Porto.", "I love tea.")
    await desk.work.step()
    items = await desk.work.status(ANA, ids)
    assert {(item.state, item.reason) for item in items} == {(WorkState.QUEUED, "the model is down.")}
    assert len(model.batches) <= 3


async def test_V44_without_a_scope_nothing_is_read_again_or_told():
    async with muniment.open("memory://", embedder=None, tokens="estimate") as engine:
        await engine.ingest(Scope(user="ana"), ["ok"])
        await engine.work.wait()
        for scope in (None, "ana", {"user": "ana"}):
            for call in (engine.work.retry, engine.work.rederive, engine.work.refused):
                with pytest.raises(ScopeError):
                    await call(scope)
            with pytest.raises(ScopeError):
                await engine.work.status(scope, [])
        with pytest.raises(ScopeError):
            await engine.work.wait("ana")
