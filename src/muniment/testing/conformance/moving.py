"""Moving from store to store: what one gives out another takes in as it is, derived things and the state of their work too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from muniment.knowledge.values import (
    AppliedArchitecture,
    Changes,
    Claim,
    Entity,
    Link,
    Memory,
    Merge,
    Refusal,
    Status,
    Wanted,
    WorkItem,
    WorkState,
)
from muniment.ports import Store
from muniment.testing.conformance.base import ANA, BEN, StoreUnderTest
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_entity, sample_evidence, sample_memory, sample_record, sample_write
from muniment.types import RecordId

LATER = NOON + timedelta(days=1)


async def put(store: Store, text: str, work: WorkItem | None, *, enrich: bool = False) -> RecordId:
    """A record with its enrichment as far as `work` says."""
    (written,) = await store.put([replace(sample_write(ANA, text), work=work, enrich=enrich)])
    return written.id


async def item(store: Store, text: str) -> WorkItem:
    """How far the enrichment of this record is."""
    (found,) = await store.work(ANA, [sample_record(ANA, text).id])
    return found


def done(text: str, **changes: object) -> WorkItem:
    """The enrichment of this record, ended with something stored and something refused."""
    ended = WorkItem(
        record=sample_record(ANA, text).id,
        state=WorkState.COMPLETED,
        attempts=2,
        outcomes=("stored:fact", "refused:greeting"),
        architecture="support@3",
        refused={("", "greeting"): 1, ("fact", "too_short"): 2},
    )
    return replace(ended, **changes)  # type: ignore[arg-type]  # fields by name


async def known(store: Store) -> list[Memory | Entity | Merge]:
    """All that is derived in the store, without what each store counts itself."""
    found = [one async for one in store.knowledge(None)]
    return [one if isinstance(one, Merge) else replace(one, seq=0) for one in found]


class MovingConformance(StoreUnderTest):
    """Giving out and taking in."""

    async def test_a_record_may_come_with_its_work_ended(self, store: Store) -> None:
        await put(store, "one", done("one"))
        assert await item(store, "one") == done("one")
        assert await store.claim(now=LATER, lease=timedelta(minutes=1), limit=9) == []
        assert await store.refused(ANA) == {("", "greeting"): 1, ("fact", "too_short"): 2}
        assert await store.refused(BEN) == {}

    async def test_what_was_refused_of_a_record_is_told_with_its_work(self, store: Store) -> None:
        await put(store, "one", None, enrich=True)
        claims = await store.claim(now=NOON, lease=timedelta(minutes=1), limit=9)
        refusal = Refusal(reason="greeting", evidence=sample_evidence(ANA, "one"))
        changes = Changes(refusals=[refusal, refusal], outcomes={claims[0].record: ("refused:greeting",)})
        await store.settle(ANA, Wanted(), lambda _: changes, at=NOON, claims=claims)
        assert (await item(store, "one")).refused == {("", "greeting"): 2}

    async def test_work_that_waits_comes_waiting_and_what_was_under_way_waits_again(self, store: Store) -> None:
        await put(store, "one", done("one", state=WorkState.QUEUED, retry_at=LATER, outcomes=(), refused={}))
        await put(store, "two", done("two", state=WorkState.PROCESSING, outcomes=(), refused={}))
        claims = await store.claim(now=NOON, lease=timedelta(minutes=1), limit=9)
        assert claims == [Claim(scope=ANA, record=sample_record(ANA, "two").id, fence=claims[0].fence, attempts=3)]
        assert (await item(store, "one")).retry_at == LATER
        assert (await store.backlog()).queued == 1

    async def test_work_that_was_parked_comes_parked_with_its_reason(self, store: Store) -> None:
        await put(store, "one", done("one", state=WorkState.FAILED, reason="it was too odd"))
        backlog = await store.backlog()
        assert (backlog.parked, backlog.last_error) == (1, "it was too odd")
        assert await store.requeue(ANA, now=LATER, parked=True) == 1

    async def test_work_of_a_record_that_has_any_stays_as_it_is(self, store: Store) -> None:
        await put(store, "one", done("one"))
        await put(store, "one", done("one", state=WorkState.QUEUED, refused={("", "heartbeat"): 9}))
        await put(store, "one", None, enrich=True)
        assert await item(store, "one") == done("one")
        await put(store, "plain", None)
        await put(store, "plain", done("plain"))
        assert await item(store, "plain") == done("plain")

    async def test_what_is_derived_is_taken_in_as_it_was_given_out(self, store: Store) -> None:
        texts = ("one", "two")
        await store.put([sample_write(ANA, text) for text in texts])
        old, new = (sample_memory(ANA, text).id for text in texts)
        given: Sequence[Memory] = (
            sample_memory(
                ANA,
                "one",
                status=Status.SUPERSEDED,
                valid_to=NOON,
                retired_at=LATER,
                replaced_by=new,
                recalled=7,
                recalled_at=NOON,
            ),
            sample_memory(
                ANA, "two", "one", replaces=(old,), held=True, expires_at=NOON, links=(Link(relation="contradicts", memory=old),)
            ),
        )
        ann, bob = (sample_entity(ANA, {name: [text]}) for name, text in zip(("Ann", "Bob"), texts, strict=True))
        merge = Merge(id="m1", scope=ANA, kept=ann.id, other=bob.id, score=0.5, why={"name": 0.5}, at=LATER, by="Ana")
        changes = Changes(memories=given, entities=(ann, replace(bob, merged_into=ann.id)), merges=(merge,))
        await store.settle(ANA, Wanted(), lambda _: changes, at=LATER)
        assert await known(store) == [*changes.memories, *changes.entities, *changes.merges]
        await store.settle(ANA, Wanted(), lambda _: changes, at=LATER)
        assert await known(store) == [*changes.memories, *changes.entities, *changes.merges]

    async def test_every_architecture_is_given_out_oldest_first(self, store: Store) -> None:
        assert await store.applied() == []
        support = AppliedArchitecture(agent="support", version=0, text="kinds: []", at=NOON, note="first", by="Ana")
        kept = [
            await store.apply_architecture(one)
            for one in (
                replace(support, client="acme", text="own: yes"),
                support,
                replace(support, agent="sales"),
                replace(support, text="kinds: [fact]", at=LATER),
            )
        ]
        own, first, sales, second = kept
        found = await store.applied()
        assert sorted(found, key=repr) == sorted(kept, key=repr)
        assert found.index(first) < found.index(second)
        assert [one for one in found if one.client == "acme"] == [own]
        assert sales in found
