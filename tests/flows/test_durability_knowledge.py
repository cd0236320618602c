"""Settling is all or nothing: after a cut at any moment, memories, evidence and the end of the work agree."""

from __future__ import annotations

import random
import shutil

import pytest
from faulty_disk import Disk, image

from muniment.errors import OutcomeUnknown
from muniment.knowledge.values import Entity, Memory, WorkState
from muniment.ports import Target
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, CLIENT, MODEL
from muniment.testing.conformance.work import end, learned, queue, take, texts_learned
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_entity, sample_record

SCOPES = (ANA, BEN, CLIENT)


async def opened(path, **options):
    store = await open_sqlite(path, **options)
    await store.adopt(MODEL)
    return store


async def faults(store):
    return [finding for finding in await store.check(sample_derive) if not finding.ok]


async def live(store, disk, chance):
    """Queue, settle and erase in turn; returns (acts of the disk, what was promised then) for each acknowledged settling."""
    promised = []
    for n in range(24):
        scope = chance.choice(SCOPES)
        texts = [f"{n}.{part} word" for part in range(3)]
        await queue(store, scope, *texts)
        claims = await take(store, limit=3)
        scope = claims[0].scope
        told = [record.text for record in await store.get(scope, [claim.record for claim in claims])]
        changes = learned(scope, *told)
        changes = type(changes)(
            memories=changes.memories,
            entities=[sample_entity(scope, {f"Name {told[0]}": told})],
            refusals=changes.refusals,
            outcomes=changes.outcomes,
        )
        await end(store, claims, changes)
        promised.append((len(disk.acts), scope, told, True))
        if n % 5 == 4:
            await store.erase(Target(scope=scope, ids=(sample_record(scope, told[0]).id,)), NOON)
            promised.append((len(disk.acts), scope, told[:1], False))
    return promised


@pytest.mark.parametrize("torn", [False, True])
async def test_a_power_loss_at_any_moment_leaves_settling_whole(tmp_path, torn):
    chance = random.Random(11 + torn)
    disk = Disk(f"settling-{torn}")
    (tmp_path / "live").mkdir()
    store = await opened(tmp_path / "live" / "store.db", vfs=disk.name)
    start = len(disk.acts)
    promised = await live(store, disk, chance)
    await store.close()
    for number in range(20):
        cut = chance.randrange(start, len(disk.acts) + 1)
        folder = tmp_path / f"image{number}"
        folder.mkdir()
        for name, content in image(disk.acts[:cut], chance, torn=torn).items():
            if name.startswith("store.db"):
                (folder / name).write_bytes(content)
        store = await opened(folder / "store.db")
        await compare(store, [one for one in promised if one[0] <= cut], [one for one in promised if one[0] > cut])
        await store.close()
        shutil.rmtree(folder)


async def compare(store, before, after):
    there = {(scope, text): kept for _, scope, texts, kept in before for text in texts}
    later = {(scope, text) for _, scope, texts, kept in after if not kept for text in texts}
    learned_now = {(scope, text) for scope in SCOPES for text in await texts_learned(store, scope)}
    assert {place for place, kept in there.items() if kept} - learned_now <= later
    assert not {place for place, kept in there.items() if not kept} & learned_now
    for scope in SCOPES:
        records = {record.id async for record in store.scan(scope) if record.scope == scope}
        items = {item.record: item.state for item in await store.work(scope, list(records))}
        for one in [one async for one in store.knowledge(scope) if one.scope == scope]:
            if isinstance(one, Memory):
                assert {e.record for e in one.evidence} <= records
                assert items[one.evidence[0].record] is WorkState.COMPLETED
            elif isinstance(one, Entity):
                assert {e.record for alias in one.aliases for e in alias.evidence} <= records
        told = {
            record.text async for record in store.scan(scope) if record.scope == scope and items[record.id] is WorkState.COMPLETED
        }
        assert told == {text for place, text in learned_now if place == scope}
    assert await faults(store) == []


async def test_a_disk_that_fails_while_settling_leaves_the_claim_to_be_ended_again(tmp_path):
    disk = Disk("settling-fails")
    store = await opened(tmp_path / "store.db", vfs=disk.name)
    await queue(store, ANA, "one")
    claims = await take(store)
    disk.fails.add("sync")
    with pytest.raises(OutcomeUnknown):
        await end(store, claims, learned(ANA, "one"))
    disk.fails.clear()
    await store.close()
    store = await opened(tmp_path / "store.db")
    await end(store, claims, learned(ANA, "one"))
    assert await texts_learned(store, ANA) == {"one"}
    assert await faults(store) == []
    await store.close()
