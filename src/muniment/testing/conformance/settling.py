"""Settling: what is read before it is decided, and what is written of what was decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from muniment.errors import InputError
from muniment.knowledge.keys import statement_digest
from muniment.knowledge.values import (
    Changes,
    Entity,
    Known,
    Link,
    Memory,
    MemoryFilter,
    MemoryId,
    Merge,
    Refusal,
    Status,
    Wanted,
)
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, BEN, CLIENT, MODEL, StoreUnderTest, fill
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_entity, sample_evidence, sample_memory, sample_record
from muniment.types import Scope

ALL = MemoryFilter(statuses=())
HOUR = timedelta(hours=1)


async def learn(store: Store, scope: Scope, *memories: Memory, entities: tuple[Entity, ...] = ()) -> Changes:
    """Write these as they are."""
    return await store.settle(scope, Wanted(), lambda _: Changes(memories=memories, entities=entities), at=NOON)


async def known_for(store: Store, scope: Scope, wanted: Wanted) -> Known:
    """What a store finds for this."""
    seen: list[Known] = []

    def decide(known: Known) -> Changes:
        seen.append(known)
        return Changes()

    await store.settle(scope, wanted, decide, at=NOON)
    return seen[0]


async def texts_shown(store: Store, scope: Scope, where: MemoryFilter = ALL, *, inherited: bool = False) -> list[str]:
    """The texts of one long page."""
    page = await store.memories(scope, where, limit=100, now=NOON, inherited=inherited)
    return [memory.text for memory in page.memories]


def at(hours: int, scope: Scope = ANA, text: str = "", **changes: object) -> Memory:
    """A memory recorded so many hours after noon, proved by the record `one`."""
    memory = sample_memory(scope, "one", text=text or f"after {hours}", recorded_at=NOON + hours * HOUR)
    return replace(memory, id=MemoryId(f"memory-{hours}-{text}"), **changes)  # type: ignore[arg-type]  # fields by name


def refuse(known: Known) -> Changes:
    raise ValueError(f"cannot decide on {len(known.memories)}")


class SettlingConformance(StoreUnderTest):
    """What settling reads, and what it writes."""

    async def test_writing_again_takes_its_place(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        old = sample_memory(ANA, "one", attribute="plan")
        await learn(store, ANA, old, sample_memory(ANA, "two"))
        await learn(store, ANA, replace(old, status=Status.RETRACTED, evidence=(*old.evidence, sample_evidence(ANA, "two"))))
        (kept,) = await store.memory(ANA, [old.id])
        assert (kept.seq, kept.status, len(kept.evidence)) == (1, Status.RETRACTED, 2)
        assert (await known_for(store, ANA, Wanted(slots=(("ANA ", "plan"),)))).memories == ()
        assert await texts_shown(store, ANA, MemoryFilter()) == ["two"]

    async def test_what_is_wanted_is_found_however_it_is_spelled(self, store: Store) -> None:
        await fill(store, ANA, "one", "two", "three")
        slot = sample_memory(ANA, "one", subject="Ana  LEE", attribute="plan")
        said = sample_memory(ANA, "two", text="Tea, please!", subject="Ben", status=Status.SUPERSEDED)
        other = sample_memory(ANA, "three", subject="Cleo")
        await learn(store, ANA, slot, said, other)
        digest = statement_digest(kind="fact", subject="ben", attribute="", negated=False, text="tea please")
        for wanted, found in (
            (Wanted(subjects=("ana lee",)), ["one"]),
            (Wanted(slots=(("Ana Lee", "plan"),)), ["one"]),
            (Wanted(slots=(("Ana Lee", "job"), ("Ana Lee", ""))), []),
            (Wanted(subjects=("ben",)), []),
            (Wanted(digests=(digest,)), ["Tea, please!"]),
            (Wanted(memories=(other.id, MemoryId("none"))), ["three"]),
            (Wanted(subjects=("cleo", "ana lee"), memories=(other.id,)), ["three", "one"]),
        ):
            assert sorted(memory.text for memory in (await known_for(store, ANA, wanted)).memories) == sorted(found)

    async def test_the_doctor_looks_at_what_was_derived(self, store: Store) -> None:
        for scope in (CLIENT, ANA):
            await fill(store, scope, "one", "two")
            await learn(store, scope, sample_memory(scope, "one"), entities=(sample_entity(scope, {"Ana": ["one", "two"]}),))
        await store.erase(Target(scope=ANA, ids=(sample_record(ANA, "two").id,)), NOON)
        found = {finding.check: finding for finding in await store.check(sample_derive)}
        assert all(finding.ok for finding in found.values())
        assert [found[name].message.split()[0] for name in ("memories", "lookups", "evidence", "blobs")] == ["4", "4", "4", "0"]

    async def test_of_one_subject_the_latest_twenty_are_known(self, store: Store) -> None:
        await fill(store, ANA, "one")
        await learn(store, ANA, *(at(n) for n in range(60)))
        known = await known_for(store, ANA, Wanted(subjects=("ana",)))
        assert [memory.text for memory in known.memories] == [f"after {n}" for n in range(59, 39, -1)]

    async def test_entities_are_known_by_any_key_and_those_of_ancestors_by_name_only(self, store: Store) -> None:
        for scope in (CLIENT, ANA):
            await fill(store, scope, "one")
            await learn(store, scope, entities=(sample_entity(scope, {"Ana": ["one"], "Annie": ["one"]}),))
        known = await known_for(store, ANA, Wanted(keys=("name:annie", "name:none")))
        assert [(one.scope, one.aliases[0].evidence) for one in known.entities] == [(ANA, (sample_evidence(ANA, "one"),))]
        assert [one.scope for one in known.shared] == [CLIENT]
        assert [(alias.text, alias.evidence) for alias in known.shared[0].aliases] == [("Ana", ()), ("Annie", ())]

    async def test_what_decide_raises_reaches_the_caller_and_nothing_is_written(self, store: Store) -> None:
        await fill(store, ANA, "one")
        with pytest.raises(ValueError, match="cannot decide"):
            await store.settle(ANA, Wanted(), refuse, at=NOON)
        assert [one async for one in store.knowledge(None)] == []

    @pytest.mark.parametrize(
        "spoil",
        [
            lambda memory: replace(memory, text="half \ud800"),
            lambda memory: replace(memory, recorded_at=memory.recorded_at.replace(tzinfo=None)),
            lambda memory: replace(memory, confidence=float("nan")),
            lambda memory: replace(memory, scope=BEN),
        ],
        ids=["half a character", "no zone", "no number", "another scope"],
    )
    async def test_what_cannot_be_kept_is_refused_whole(self, store: Store, spoil: Callable[[Memory], Memory]) -> None:
        await fill(store, ANA, "one", "two")
        with pytest.raises(InputError):
            await learn(store, ANA, sample_memory(ANA, "one"), spoil(sample_memory(ANA, "two")))
        assert [one async for one in store.knowledge(None)] == []

    async def test_nothing_is_written_that_no_record_proves(self, store: Store) -> None:
        await fill(store, ANA, "one")
        await fill(store, BEN, "of ben")
        entity = sample_entity(ANA, {"Ana": ["one"], "Gone": ["never said"]})
        partly = sample_memory(ANA, "one", "never said", links=(Link(relation="led_to", memory=sample_memory(ANA, "no").id),))
        foreign = sample_memory(ANA, "of ben", evidence=(sample_evidence(BEN, "of ben"),))
        merge = Merge(id="x", scope=ANA, kept=entity.id, other=sample_entity(ANA, {"No": []}).id, score=1, why={}, at=NOON)
        refusal = Refusal(reason="greeting", evidence=sample_evidence(ANA, "never said"))

        def decide(_: Known) -> Changes:
            memories = (partly, sample_memory(ANA, "never said", "one"), sample_memory(ANA, "no"), foreign)
            entities = (entity, sample_entity(ANA, {"No": ["never said"]}))
            return Changes(memories=memories, entities=entities, merges=(merge,), refusals=(refusal,))

        written = await store.settle(ANA, Wanted(), decide, at=NOON)
        assert [(memory.text, len(memory.evidence), memory.links) for memory in written.memories] == [("one", 1, ())]
        assert [[alias.text for alias in one.aliases] for one in written.entities] == [["Ana"]]
        assert (written.merges, written.refusals, await store.merges(ANA), await store.refused(ANA)) == ((), (), [], {})
        assert len([one async for one in store.knowledge(None)]) == 2

    async def test_a_scope_without_records_keeps_nothing(self, store: Store) -> None:
        written = await learn(store, ANA, sample_memory(ANA, "one"), entities=(sample_entity(ANA, {"Ana": ["one"]}),))
        assert written == Changes()
        assert (await store.stats(None)).scopes == 0

    async def test_purging_takes_memories_and_leaves_records(self, store: Store) -> None:
        await fill(store, ANA, "one", "two", "three")
        held, gone = sample_memory(ANA, "one", held=True), sample_memory(ANA, "two", "three")
        tied = sample_memory(ANA, "three", replaces=(gone.id, held.id), links=(Link(relation="led_to", memory=gone.id),))
        await learn(store, ANA, held, gone, tied)
        assert (await store.purge(BEN, [gone.id], NOON)).removed["memory"] == 0
        receipt = await store.purge(ANA, [held.id, gone.id, MemoryId("none")], NOON)
        assert (receipt.scopes, receipt.records, receipt.clean) == ((ANA,), 0, self.overwrites)
        assert dict(receipt.removed) == {"memory": 1, "evidence": 2, "digest": 0}
        assert set(await texts_shown(store, ANA)) == {"one", "three"}
        (left,) = await store.memory(ANA, [tied.id])
        assert (left.replaces, left.links) == ((held.id,), ())
        assert (await store.stats(ANA)).records == 3

    async def test_a_rebuild_of_the_index_leaves_memories(self, store: Store) -> None:
        await fill(store, ANA, "one")
        await learn(store, ANA, sample_memory(ANA, "one"))
        await store.reindex(sample_derive, MODEL)
        assert await texts_shown(store, ANA) == ["one"]
