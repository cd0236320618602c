"""Erasing reaches what is derived from records and what stands beside them: nothing outlives what proves it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from muniment.knowledge.values import (
    AppliedArchitecture,
    Blob,
    Changes,
    Entity,
    Link,
    Memory,
    MemoryId,
    Merge,
    Sealed,
    Wanted,
    WorkState,
)
from muniment.ports import Store, Target, Watch
from muniment.testing.conformance.base import ANA, BEN, CLIENT, MODEL, RIVAL, StoreUnderTest, fill
from muniment.testing.conformance.work import end, learned, queue, state, take, texts_learned
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_entity, sample_memory, sample_record, sample_write
from muniment.types import Erasure, Scope


async def settle(store: Store, scope: Scope, changes: Changes) -> None:
    """Write these as they are."""
    await store.settle(scope, Wanted(), lambda _: changes, at=NOON)


async def erase(store: Store, scope: Scope, *texts: str) -> Erasure:
    """Erase the records of these texts, or all of the scope."""
    return await store.erase(Target(scope=scope, ids=tuple(sample_record(scope, text).id for text in texts)), NOON)


async def memory(store: Store, one: Memory) -> Memory | None:
    """This memory as it is now."""
    return next(iter(await store.memory(one.scope, [one.id])), None)


async def entity(store: Store, one: Entity) -> Entity | None:
    """This entity as it is now."""
    return next(iter((await store.entities(one.scope, ids=[one.id], limit=1)).entities), None)


def blob(data: bytes) -> Blob:
    """Bytes under their digest."""
    return Blob(digest=sha256(data).hexdigest(), media="text/plain", data=data)


def seal(word: str, value: str = "v") -> Sealed:
    """A value behind the token of this word."""
    return Sealed(token=f"<{word}>", kind="email", value=value)


class ForgettingConformance(StoreUnderTest):
    """What an erasure takes along, and what it leaves."""

    async def test_an_erasure_tells_what_it_meets_that_is_tied_to_a_name(self, store: Store) -> None:
        tie = Link(relation="shared", memory=MemoryId("shared"))
        await fill(store, ANA, "one", "two")
        await fill(store, BEN, "one")
        tied = {scope: replace(sample_memory(scope, "one"), links=(tie,)) for scope in (ANA, BEN)}
        await settle(store, ANA, Changes(memories=[tied[ANA], sample_memory(ANA, "two")]))
        await settle(store, BEN, Changes(memories=[tied[BEN]]))
        ids = (sample_record(ANA, "one").id,)
        for target in (Target(scope=ANA, ids=ids), Target(scope=ANA), Target(scope=BEN)):
            watch = Watch(tied=tie.memory)
            await store.erase(target, NOON, watch)
            expected = [] if target == Target(scope=ANA) else [tied[target.scope].id]
            assert [one.id for one in watch.seen] == expected

    async def test_V60_a_late_job_writes_nothing_of_what_was_erased(self, store: Store) -> None:
        await queue(store, ANA, "one", "two")
        claims = await take(store)
        await store.erase(Target(scope=ANA), NOON)
        assert await end(store, claims, learned(ANA, "one", "two")) == Changes()
        assert await store.fail(claims, "late", now=NOON, retry_at=NOON) == 0
        assert [one async for one in store.knowledge(None)] == []
        assert (await store.stats(None)).scopes == 0
        assert (await store.backlog()).queued == 0

    async def test_V61_the_same_words_put_again_are_another_life(self, store: Store) -> None:
        await queue(store, ANA, "one")
        old = await take(store)
        await erase(store, ANA, "one")
        await queue(store, ANA, "one")
        (new,) = await take(store)
        assert await end(store, old, learned(ANA, "one")) == Changes()
        assert (await state(store, ANA, "one")).state is WorkState.PROCESSING
        await end(store, [new], learned(ANA, "one"))
        assert await texts_learned(store, ANA) == {"one"}

    async def test_a_memory_goes_with_its_last_proof(self, store: Store) -> None:
        await queue(store, ANA, "one", "two")
        await settle(store, ANA, Changes(memories=[sample_memory(ANA, "one"), sample_memory(ANA, "two")]))
        erased = await erase(store, ANA, "one")
        assert await texts_learned(store, ANA) == {"two"}
        counted = {table: n for table, n in erased.removed.items() if table in ("memory", "evidence", "work", "entity", "merge")}
        assert counted == {"memory": 1, "evidence": 1, "work": 1, "entity": 0, "merge": 0}

    async def test_V62_a_memory_loses_a_later_proof_and_stays(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        both = sample_memory(ANA, "one", "two", attribute="plan")
        await settle(store, ANA, Changes(memories=[both]))
        assert (await erase(store, ANA, "two")).removed["evidence"] == 1
        assert await memory(store, both) == replace(both, evidence=both.evidence[:1], seq=1)
        assert await store.proved_by(ANA, [both.evidence[1].record]) == {}

    @pytest.mark.parametrize("borrowed", [False, True])
    async def test_V62_a_memory_whose_words_were_erased_is_derived_anew_from_its_other_records(
        self, store: Store, borrowed: bool
    ) -> None:
        await queue(store, ANA, "one", "two", "three")
        await end(store, await take(store), learned(ANA))
        parts = {"outcome": ("three went well",)} if borrowed else {}
        both = sample_memory(ANA, "one", "two", "three", parts=parts)
        await settle(store, ANA, Changes(memories=[both]))
        await erase(store, ANA, "three" if borrowed else "one")
        assert await memory(store, both) is None
        left = ("one", "two") if borrowed else ("two", "three")
        assert {(await state(store, ANA, text)).state for text in left} == {WorkState.QUEUED}
        assert {claim.record for claim in await take(store)} == {sample_record(ANA, text).id for text in left}

    async def test_nothing_names_what_went(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        gone, who = sample_memory(ANA, "one"), sample_entity(ANA, {"Ana": ["one"]})
        other = sample_entity(ANA, {"Annie": ["two"]}, merged_into=who.id)
        left = sample_memory(
            ANA,
            "two",
            subject_id=who.id,
            object_id=who.id,
            entities=(who.id, other.id),
            replaces=(gone.id,),
            replaced_by=gone.id,
            links=(Link(relation="because_of", memory=gone.id),),
        )
        merge = Merge(id="m", scope=ANA, kept=who.id, other=other.id, score=1, why={}, at=NOON)
        await settle(store, ANA, Changes(memories=[gone, left], entities=[who, other], merges=[merge]))
        erased = await erase(store, ANA, "one")
        assert (erased.removed["memory"], erased.removed["entity"], erased.removed["merge"]) == (1, 1, 1)
        bare = replace(
            left, subject_id=None, object_id=None, entities=(other.id,), replaces=(), replaced_by=None, links=(), seq=2
        )
        assert await memory(store, left) == replace(bare, seq=2)
        assert (await entity(store, who), await store.merges(ANA)) == (None, [])
        assert [one.id for one in (await store.entities(ANA, limit=9)).entities] == [other.id]

    async def test_V62_a_shared_entity_loses_the_erased_name(self, store: Store) -> None:
        await fill(store, ANA, "one", "two")
        who = sample_entity(ANA, {"Zephyrine": ["one"], "Ana": ["one", "two"]})
        await settle(store, ANA, Changes(entities=[who]))
        await erase(store, ANA, "one")
        left = await entity(store, who)
        assert left is not None
        assert (left.name, [(alias.text, len(alias.evidence)) for alias in left.aliases]) == ("Ana", [("Ana", 1)])
        assert "zephyrine" not in repr(left).casefold()
        assert (await store.entities(ANA, keys=["name:zephyrine"], limit=1)).entities == ()

    async def test_sealed_values_and_blobs_go_with_the_last_record_that_has_them(self, store: Store) -> None:
        both, mine = blob(b"both"), blob(b"mine")
        first_seal, second_seal = seal("email-1"), seal("email-2")
        first = replace(sample_write(ANA, "one"), sealed=(first_seal,), blobs=(both, mine))
        second = replace(sample_write(ANA, "two"), sealed=(second_seal, first_seal), blobs=(both,))
        await store.put([first, second, replace(sample_write(BEN, "one"), blobs=(mine,))])
        assert list(await store.reveal(ANA, ["<email-2>", "<email-1>", "<none>"])) == [second_seal, first_seal]
        assert await store.reveal(BEN, ["<email-1>"]) == []
        assert (await store.blob(ANA, both.digest), await store.blob(CLIENT, both.digest)) == (both, None)
        erased = await erase(store, ANA, "one")
        assert (erased.removed["sealed"], erased.removed["blob"]) == (1, 1)
        assert list(await store.reveal(ANA, ["<email-1>"])) == [first_seal]
        assert [await store.blob(ANA, one.digest) for one in (both, mine)] == [both, None]
        assert await store.blob(BEN, mine.digest) == mine
        await erase(store, ANA, "two")
        assert (await store.reveal(ANA, ["<email-1>", "\ud800"]), await store.blob(ANA, both.digest)) == ([], None)

    async def test_descendants_see_sealed_values_and_blobs(self, store: Store) -> None:
        sealed, data = seal("t"), blob(b"data")
        await store.put([replace(sample_write(CLIENT, "one"), sealed=(sealed,), blobs=(data,))])
        assert (list(await store.reveal(ANA, ["<t>"])), await store.blob(ANA, data.digest)) == ([sealed], data)
        assert (await store.reveal(RIVAL, ["<t>"]), await store.blob(RIVAL, data.digest)) == ([], None)

    async def test_erasing_a_scope_takes_everything_and_leaves_those_beside_it(self, store: Store) -> None:
        for scope in (ANA, BEN):
            await store.put([replace(sample_write(scope, "one"), enrich=True, sealed=(seal("t"),))])
            await end(store, await take(store), learned(scope, "one"))
            held = sample_memory(scope, "one", text="held", held=True, id="held")
            await settle(store, scope, Changes(memories=[held], entities=[sample_entity(scope, {"Ana": ["one"]})]))
        erased = await store.erase(Target(scope=ANA), NOON)
        counted = {"memory": 2, "entity": 1, "work": 1, "sealed": 1}
        assert {table: erased.removed[table] for table in counted} == counted
        assert {one.scope async for one in store.knowledge(None)} == {BEN}
        assert (await store.refused(ANA), await store.refused(CLIENT)) == ({}, {("", "greeting"): 1})
        await erase(store, BEN, "one")
        assert [one async for one in store.knowledge(None)] == []
        assert await store.refused(CLIENT) == {}
        assert all(finding.ok for finding in await store.check(sample_derive))

    async def test_erasing_and_settling_at_once_leaves_whole_calls(self, store: Store) -> None:
        async def one(n: int) -> None:
            await queue(store, ANA, *(f"{n}.{part}" for part in range(4)))
            claims = await take(store, limit=4)
            if claims:
                texts = [record.text for record in await store.get(ANA, [claim.record for claim in claims])]
                await end(store, claims, learned(ANA, *texts))

        async def gone() -> None:
            await store.erase(Target(scope=ANA), NOON)

        for turn in range(4):
            await asyncio.gather(*(one(turn * 10 + n) if n % 3 else gone() for n in range(9)))
            records = {record.text async for record in store.scan(ANA)}
            assert await texts_learned(store, ANA) <= records
        assert all(finding.ok for finding in await store.check(sample_derive))

    async def test_architectures_are_kept_by_agent_and_client(self, store: Store) -> None:
        given = AppliedArchitecture(agent="support", version=0, text="kinds: []", at=NOON, note="first", by="ana")
        first = await store.apply_architecture(given)
        second = await store.apply_architecture(replace(given, text="kinds: [fact]", at=NOON + timedelta(hours=1)))
        own = await store.apply_architecture(replace(given, client="acme", text="own: yes"))
        assert (first.version, second.version, own.version) == (1, 2, 1)
        assert list(await store.architectures("support")) == [second, first]
        assert list(await store.architectures("support", "acme")) == [own]
        assert list(await store.architectures("support", "rival")) == [second, first]
        assert await store.architectures("sales") == await store.architectures("\ud800") == []
        assert (await store.erase(Target(scope=ANA), NOON)).removed["architecture"] == 0
        assert (await store.erase(Target(scope=CLIENT), NOON)).removed["architecture"] == 1
        assert list(await store.architectures("support", "acme")) == [second, first]

    async def test_V62_no_byte_of_what_was_erased_is_left_in_any_file(self, tmp_path: Path) -> None:
        if not (self.durable and self.overwrites):
            pytest.skip("this store keeps no files of its own")
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        canaries = ["quetzalcoatl", "xylophonist", "zanzibarine", "wombatesque", "yggdrasilian"]
        said = f"my name is {canaries[0]}"
        writes = [sample_write(ANA, f"{n} " + "filler " * 30) for n in range(200)]
        sealed = seal("t", f"{canaries[1]}@example.org")
        writes[100] = replace(sample_write(ANA, said), enrich=True, sealed=(sealed,), blobs=(blob(canaries[2].encode() * 4000),))
        await store.put(writes)
        texts = [write.record.text for write in writes if write.record.text != said]
        mine = sample_memory(ANA, said, subject=canaries[3], attribute="name", value=canaries[0], id="m-erased")
        later = [sample_memory(ANA, text, entities=("e-erased",)) for text in texts]
        names = {"Ana": texts[:2], canaries[4]: [said]}
        await settle(store, ANA, Changes(memories=[*later, mine], entities=[sample_entity(ANA, names, id="e-shared")]))
        await settle(store, ANA, Changes(entities=[sample_entity(ANA, {canaries[0]: [said]}, id="e-erased")]))
        for n in range(40):
            again = replace(mine, recalled=n, metadata={"n": f"{canaries[3]} " * n})
            await settle(store, ANA, Changes(memories=[again, *(replace(one, recalled=n) for one in later[:20])]))
        erased = await erase(store, ANA, said)
        assert erased.clean
        await store.close()
        left = b"".join(path.read_bytes() for path in tmp_path.iterdir()).lower()
        assert [word for word in (*canaries, "e-erased", "m-erased") if word.encode() in left] == []
        assert b"filler" in left

    async def test_a_purged_memory_leaves_no_byte(self, tmp_path: Path) -> None:
        if not (self.durable and self.overwrites):
            pytest.skip("this store keeps no files of its own")
        store = await self.open_store(tmp_path)
        await store.adopt(MODEL)
        await fill(store, ANA, "one", "two")
        gone = sample_memory(ANA, "one", text="quetzalcoatl likes tea", subject="xylophonist")
        await settle(store, ANA, Changes(memories=[gone, sample_memory(ANA, "two")]))
        assert (await store.purge(ANA, [gone.id], NOON)).clean
        await store.close()
        left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert [word for word in (b"quetzalcoatl", b"xylophonist") if word in left] == []
