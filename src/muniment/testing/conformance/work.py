"""The enrichment of records: queued with them, claimed under a lease and a fence, ended once or parked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.knowledge.values import Backlog, Changes, Claim, Known, MemoryFilter, Refusal, Wanted, WorkItem, WorkState
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, BEN, CLIENT, CUSTOMER, MODEL, RIVAL, StoreUnderTest
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_evidence, sample_memory, sample_record, sample_write
from muniment.types import RecordId, Scope

LEASE = timedelta(minutes=1)
MINUTE = timedelta(minutes=1)


async def queue(store: Store, scope: Scope, *texts: str, minute: int = 0) -> list[RecordId]:
    """Put records that are to be enriched, recorded so many minutes after noon."""
    writes = [replace(sample_write(scope, text, recorded_at=NOON + minute * MINUTE), enrich=True) for text in texts]
    return [item.id for item in await store.put(writes)]


async def take(store: Store, *, limit: int = 9, minute: int = 0) -> Sequence[Claim]:
    """Claim at so many minutes after noon."""
    return await store.claim(now=NOON + minute * MINUTE, lease=LEASE, limit=limit)


async def take_all(store: Store, *, limit: int) -> list[Claim]:
    """Claim and end until nothing waits, beside others who do the same; returns what was claimed here."""
    every: list[Claim] = []
    while (await store.backlog()).queued:
        claims = await take(store, limit=limit)
        every += claims
        if claims:
            await end(store, claims, Changes(outcomes={claim.record: () for claim in claims}))
    return every


async def turn(store: Store, *, limit: int) -> Scope:
    """Whose turn it is; what is claimed is ended with nothing learned."""
    claims = await take(store, limit=limit)
    await end(store, claims, Changes(outcomes={claim.record: () for claim in claims}))
    return claims[0].scope


async def state(store: Store, scope: Scope, text: str) -> WorkItem:
    """The work of one record."""
    (item,) = await store.work(scope, [sample_record(scope, text).id])
    return item


def learned(scope: Scope, *texts: str) -> Changes:
    """One memory per text, and a refusal and an outcome of each."""
    return Changes(
        memories=[sample_memory(scope, text) for text in texts],
        refusals=[Refusal(reason="greeting", evidence=sample_evidence(scope, text)) for text in texts],
        outcomes={sample_record(scope, text).id: ("stored:fact",) for text in texts},
    )


async def end(store: Store, claims: Sequence[Claim], changes: Changes) -> Changes:
    """End claims with these changes, whatever is known."""
    return await store.settle(claims[0].scope, Wanted(), lambda _: changes, at=NOON, claims=claims, architecture="default@2")


async def texts_learned(store: Store, scope: Scope) -> set[str]:
    """The texts of all memories of a scope."""
    page = await store.memories(scope, MemoryFilter(statuses=()), limit=1000, now=NOON)
    return {memory.text for memory in page.memories}


class WorkConformance(StoreUnderTest):
    """Queue, claim, end, fail."""

    async def test_a_record_is_queued_with_its_writing(self, store: Store) -> None:
        await store.put([sample_write(ANA, "plain")])
        one, _ = await queue(store, ANA, "one", "two")
        assert await store.work(ANA, [sample_record(ANA, "plain").id, RecordId("none"), RecordId("\ud800")]) == []
        assert list(await store.work(ANA, [one])) == [WorkItem(record=one, state=WorkState.QUEUED)]
        assert await store.work(BEN, [one]) == []
        assert await store.backlog() == Backlog(queued=2, oldest=NOON)

    async def test_the_same_words_again_are_not_enriched_again(self, store: Store) -> None:
        await queue(store, ANA, "one")
        claims = await take(store)
        await end(store, claims, learned(ANA, "one"))
        await queue(store, ANA, "one")
        assert (await state(store, ANA, "one")).state is WorkState.COMPLETED
        assert await take(store) == []

    async def test_what_was_kept_without_is_queued_when_it_comes_again_to_be_enriched(self, store: Store) -> None:
        await store.put([sample_write(ANA, "one", key="k")])
        await store.put([replace(sample_write(ANA, "one", key="k"), enrich=True)])
        assert (await state(store, ANA, "one")).state is WorkState.QUEUED

    async def test_records_of_one_scope_are_taken_the_longest_waiting_first(self, store: Store) -> None:
        await queue(store, ANA, "three", minute=3)
        await queue(store, BEN, "late", minute=2)
        first = await queue(store, ANA, "one", "two", minute=1)
        claims = await take(store, limit=2)
        assert [(claim.scope, claim.record, claim.attempts) for claim in claims] == [(ANA, record, 1) for record in first]
        assert [claim.scope for claim in await take(store, limit=2)] == [BEN]
        await store.fail(claims, "timeout", now=NOON, retry_at=None)
        assert [claim.record for claim in await take(store)] == [sample_record(ANA, "three").id]
        assert await take(store) == []
        assert (await store.backlog()).processing == 2

    async def test_a_scope_is_one_workers_at_a_time_so_that_nothing_overtakes_what_was_said_before(self, store: Store) -> None:
        await queue(store, ANA, "one", "two", "three")
        await queue(store, BEN, "late", minute=1)
        claims = await take(store, limit=1)
        assert [claim.scope for claim in await take(store)] == [BEN]
        assert await take(store) == []
        await end(store, claims, learned(ANA, "one"))
        (second,) = await take(store, limit=1)
        assert second.record == sample_record(ANA, "two").id
        assert await take(store) == []
        taken = [claim for _ in range(2) for claim in await take(store, minute=1)]
        assert {claim.record: claim.attempts for claim in taken if claim.scope == ANA} == {
            second.record: 2,
            sample_record(ANA, "three").id: 1,
        }

    async def test_scopes_take_turns_so_that_much_of_one_does_not_hold_up_the_little_of_others(self, store: Store) -> None:
        await queue(store, ANA, *(f"{n}" for n in range(40)))
        turns = [await turn(store, limit=5)]
        await queue(store, BEN, *(f"{n}" for n in range(7)), minute=1)
        await queue(store, RIVAL, "one", minute=2)
        turns += [await turn(store, limit=5) for _ in range(8)]
        assert turns == [ANA, BEN, RIVAL, ANA, BEN, ANA, ANA, ANA, ANA]

    async def test_what_is_tried_again_takes_its_turn_with_the_rest(self, store: Store) -> None:
        for scope in (ANA, BEN):
            await queue(store, scope, "one", "two")
        taken = [await take(store, limit=1) for _ in range(2)]
        await store.fail(taken[1], "timeout", now=NOON, retry_at=NOON + MINUTE)
        await queue(store, ANA, *(f"{n}" for n in range(9)))
        turns = [[c.record for c in await take(store, minute=2, limit=2)] for _ in range(2)]
        one, two = (sample_record(ANA, text).id for text in ("one", "two"))
        assert turns[0] == [one, two]
        assert turns[1] == [sample_record(BEN, text).id for text in ("one", "two")]

    async def test_a_lease_that_ran_out_gives_a_record_to_another_and_the_first_is_too_late(self, store: Store) -> None:
        await queue(store, ANA, "one")
        (old,) = await take(store)
        assert await take(store) == []
        (new,) = await take(store, minute=1)
        assert (new.record, new.attempts) == (old.record, 2)
        assert new.fence > old.fence
        assert await end(store, [old], learned(ANA, "one")) == Changes()
        assert await store.fail([old], "late", now=NOON, retry_at=None) == 0
        assert (await state(store, ANA, "one")).state is WorkState.PROCESSING
        assert await texts_learned(store, ANA) == set()
        await end(store, [new], learned(ANA, "one"))
        assert await texts_learned(store, ANA) == {"one"}
        assert await store.refused(ANA) == {("", "greeting"): 1}

    async def test_a_lease_that_ran_out_unnoticed_may_still_be_ended(self, store: Store) -> None:
        await queue(store, ANA, "one")
        claims = await take(store)
        await end(store, claims, learned(ANA, "one"))
        assert (await state(store, ANA, "one")).state is WorkState.COMPLETED

    async def test_work_ends_with_the_writing_and_keeps_what_it_came_to(self, store: Store) -> None:
        await queue(store, ANA, "one", "two", "three")
        claims = await take(store, limit=2)
        seen: list[Known] = []

        def decide(known: Known) -> Changes:
            seen.append(known)
            return replace(learned(ANA, "one"), partial={claims[1].record: "model_failed"})

        await store.settle(ANA, Wanted(), decide, at=NOON, claims=claims, architecture="default@2")
        assert seen[0].live == {claim.record for claim in claims}
        one, two, three = [await state(store, ANA, text) for text in ("one", "two", "three")]
        assert (one.state, one.outcomes, one.architecture) == (WorkState.COMPLETED, ("stored:fact",), "default@2")
        assert (two.state, two.reason, two.attempts) == (WorkState.PARTIAL, "model_failed", 1)
        assert three.state is WorkState.QUEUED
        assert await end(store, claims, learned(ANA, "two")) == Changes()

    async def test_of_some_claims_only_the_live_ones_are_written(self, store: Store) -> None:
        await queue(store, ANA, "one", "two")
        claims = await take(store)
        await store.erase(Target(scope=ANA, ids=(claims[0].record,)), NOON)
        foreign = replace(claims[1], scope=BEN)
        written = await end(store, [*claims, replace(claims[1], record=RecordId("none"))], learned(ANA, "one", "two"))
        assert [memory.text for memory in written.memories] == ["two"]
        assert list(written.outcomes) == [claims[1].record]
        assert await end(store, [foreign], learned(BEN, "two")) == Changes()

    async def test_when_deciding_fails_the_work_is_still_held(self, store: Store) -> None:
        await queue(store, ANA, "one")
        claims = await take(store)

        def refuse(known: Known) -> Changes:
            raise ValueError(f"cannot decide on {len(known.live)}")

        with pytest.raises(ValueError, match="cannot decide on 1"):
            await store.settle(ANA, Wanted(), refuse, at=NOON, claims=claims)
        assert (await state(store, ANA, "one")).state is WorkState.PROCESSING
        await end(store, claims, learned(ANA, "one"))
        assert await texts_learned(store, ANA) == {"one"}

    async def test_what_failed_is_tried_again_in_time_and_parked_at_last(self, store: Store) -> None:
        await queue(store, ANA, "one")
        claims = await take(store)
        assert await store.fail(claims, "timeout", now=NOON, retry_at=NOON + 2 * MINUTE) == 1
        one = await state(store, ANA, "one")
        assert (one.state, one.reason, one.attempts, one.retry_at) == (WorkState.QUEUED, "timeout", 1, NOON + 2 * MINUTE)
        assert await take(store, minute=1) == []
        claims = await take(store, minute=2)
        assert [claim.attempts for claim in claims] == [2]
        assert await store.fail(claims, "poison", now=NOON + 2 * MINUTE, retry_at=None) == 1
        assert await store.backlog() == Backlog(parked=1, last_error="poison")
        assert await take(store, minute=999) == []
        assert await store.fail(claims, "again", now=NOON, retry_at=None) == 0

    async def test_parked_and_all_records_can_be_queued_again(self, store: Store) -> None:
        await store.put([sample_write(CUSTOMER, "plain")])
        await queue(store, ANA, "one", "two")
        await end(store, await take(store, limit=1), learned(ANA, "one"))
        claims = await take(store, limit=1)
        await store.fail(claims, "poison", now=NOON, retry_at=None)
        assert await store.requeue(CLIENT, now=NOON, parked=True) == 1
        two = await state(store, ANA, "two")
        assert (two.state, two.attempts, two.reason) == (WorkState.QUEUED, 0, "")
        assert (await store.backlog()).last_error == ""
        held = await take(store, limit=1)
        await queue(store, RIVAL, "theirs")
        assert await store.requeue(CLIENT, now=NOON + MINUTE) == 3
        assert await end(store, held, learned(ANA, "two")) == Changes()
        assert [(await state(store, ANA, text)).outcomes for text in ("one", "two")] == [(), ()]
        assert (await store.backlog()).queued == 4

    async def test_refusals_are_counted_for_a_scope_and_all_below_it(self, store: Store) -> None:
        for scope in (ANA, BEN):
            await queue(store, scope, "one", "two")
            await end(store, await take(store, limit=2), learned(scope, "one", "two"))
        assert await store.refused(CLIENT) == {("", "greeting"): 4}
        assert await store.refused(BEN) == {("", "greeting"): 2}
        assert await store.refused(RIVAL) == {}

    async def test_what_was_refused_of_a_record_counts_once_however_often_it_is_read(self, store: Store) -> None:
        await queue(store, ANA, "one", "two")
        await end(store, await take(store), learned(ANA, "one", "two"))
        assert await store.refused(ANA) == {("", "greeting"): 2}
        await store.requeue(ANA, now=NOON)
        other = [Refusal(reason="opinion", kind="fact", evidence=sample_evidence(ANA, "two"))] * 2
        await end(store, await take(store), Changes(refusals=other))
        assert await store.refused(ANA) == {("fact", "opinion"): 2}
        await store.requeue(ANA, now=NOON)
        await end(store, await take(store), Changes())
        assert await store.refused(ANA) == {}

    async def test_what_was_refused_of_a_record_goes_with_it(self, store: Store) -> None:
        one, _ = await queue(store, ANA, "one", "two")
        await end(store, await take(store), learned(ANA, "one", "two"))
        await store.erase(Target(scope=ANA, ids=(one,)), NOON)
        assert await store.refused(ANA) == {("", "greeting"): 1}
        await store.erase(Target(scope=ANA), NOON)
        assert await store.refused(CLIENT) == {}

    async def test_no_record_is_given_to_two_at_once(self, store: Store) -> None:
        for scope in (ANA, BEN):
            await queue(store, scope, *(f"{n}" for n in range(20)))
        taken = await asyncio.gather(*(take_all(store, limit=3) for _ in range(5)))
        every = [(claim.scope, claim.record) for claims in taken for claim in claims]
        assert len(every) == len(set(every)) == 40

    async def test_no_record_is_given_to_two_stores_on_one_file(self, tmp_path: Path) -> None:
        if not self.shared:
            pytest.skip("this store is not shared")
        stores = [await self.open_store(tmp_path) for _ in range(3)]
        for store in stores:
            await store.adopt(MODEL)
        await queue(stores[0], ANA, *(f"{n}" for n in range(30)))
        taken = await asyncio.gather(*(take_all(store, limit=2) for store in stores * 2))
        every = [claim for claims in taken for claim in claims]
        assert len({claim.record for claim in every}) == len(every) == 30
        assert len({claim.fence for claim in every}) == 15
        for store in stores:
            await store.close()

    async def test_what_was_learned_and_queued_outlives_the_store(self, tmp_path: Path) -> None:
        if not self.durable:
            pytest.skip("this store is not durable")
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        await queue(store, ANA, "one", "two", "three")
        await end(store, await take(store, limit=1), learned(ANA, "one"))
        (held,) = await take(store, limit=1)
        await store.close()
        store = await self.open_store(tmp_path)
        assert await texts_learned(store, ANA) == {"one"}
        assert await store.backlog() == Backlog(queued=1, processing=1, oldest=NOON)
        await end(store, [held], learned(ANA, "two"))
        assert await texts_learned(store, ANA) == {"one", "two"}
        await store.close()
