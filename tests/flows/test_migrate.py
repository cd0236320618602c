"""Moving a whole store into another of any kind: all of it, the same counts and digests, resumable, and no password shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest
from cases import ANA, CLIENT, NOON, NORTH, opened
from running_postgres import PASSWORD

from muniment import Scope, Turn, plugins
from muniment.ingest.moving import move, sums_of
from muniment.knowledge.credentials import AccessKey, Credential
from muniment.knowledge.values import Alias, Blob, Changes, Evidence, Merge, Sealed, Status, Wanted
from muniment.ports import Write
from muniment.testing.samples import sample_entity, sample_memory
from muniment.types import Filter

SAID = ["I moved to Porto in March.", "I prefer tea.", "I live in Lisbon now.", "We decided to use Redis instead of Kafka."]
LONE = Scope(user="ben")


async def fill(url):
    """A store with something of every kind, some of it changed by hand and some waiting."""
    async with opened(url) as engine:
        await engine.ingest(ANA, [Turn(text=text, said_at=NOON, conversation="c1") for text in SAID], agent="planner")
        await engine.ingest(NORTH, ["The office closes at noon."])
        await engine.work.wait()
        (memory, *_) = await engine.memories.list(ANA)
        await engine.memories.hold(ANA, memory.id)
        await engine.architecture.apply("agent: planner\ndescription: plans\n", note="first", by="ana")
        store = engine.store
        digest = sha256(b"bytes").hexdigest()
        await engine.ingest(CLIENT, [Turn(text="[email:k3f9] is mine.", metadata={"blob": digest}), "Another thing."])
        await engine.work.wait()
        record = (await engine.list(CLIENT)).records[-1]
        sealed = (Sealed(token="[email:k3f9]", kind="email", value="ana@example.org"),)
        blobs = (Blob(digest=digest, media="text/plain", data=b"bytes"),)
        await store.put([Write(record=record, entries=(), sealed=sealed, blobs=blobs)])
        proof = (Evidence(record=record.id, start=0, end=12),)
        ann, bob = (
            replace(sample_entity(CLIENT, {name: ["x"]}), aliases=(Alias(text=name, evidence=proof),)) for name in ("Ann", "Bob")
        )
        merge = Merge(id="m", scope=CLIENT, kept=ann.id, other=bob.id, score=0.5, why={}, at=NOON, decided=False)
        taken = sample_memory(CLIENT, "x", status=Status.RETRACTED, retired_at=NOON, recalled=3, recalled_at=NOON)
        changes = Changes(memories=[replace(taken, evidence=proof)], entities=[ann, bob], merges=[merge])
        await store.settle(CLIENT, Wanted(), lambda _: changes, at=NOON)
        await engine.ingest(LONE, "Something too odd to be read.")
        await engine.work.wait()
        await store.requeue(LONE, now=NOON)
        claims = await store.claim(now=NOON, lease=timedelta(minutes=1), limit=9)
        assert await store.fail(claims, "odd", now=NOON, retry_at=None) == 1
        key = Credential(id="k1", ceiling=NORTH, permissions=["read"], created_at=NOON)
        await store.keep_key(AccessKey(credential=key, digest=b"\1" * 32))


async def moved(source, target):
    """Move between engines and say what came of it."""
    return await move((source.store, source.transfer), (target.store, target.transfer), derive=target.index.entries)


@pytest.fixture(params=["file to server", "server to file", "file to file"])
def urls(request, emptied, tmp_path):
    """Where from, and where to."""
    here, there = f"sqlite:///{tmp_path}/here.db", f"sqlite:///{tmp_path}/there.db"
    return {"file to server": (here, emptied), "server to file": (emptied, there), "file to file": (here, there)}[request.param]


async def test_all_of_a_store_arrives_and_a_second_time_changes_nothing(urls):
    await fill(urls[0])
    async with opened(urls[0]) as old, opened(urls[1]) as new:
        first = await moved(old, new)
        assert (first.differs, first.receipt.ok) == ((), True)
        kinds = ("records", "memories", "entities", "merges", "architectures", "keys")
        assert all(first.held[kind] for kind in kinds)
        kept = await sums_of(new.transfer)
        again = await moved(old, new)
        assert (again.differs, again.held) == ((), first.held)
        assert {item.outcome.value for item in again.receipt.items} == {"unchanged"}
        assert await sums_of(new.transfer) == kept == await sums_of(old.transfer)
        assert list(await new.store.reveal(CLIENT, ["[email:k3f9]"])) == list(await old.store.reveal(CLIENT, ["[email:k3f9]"]))
        asked = [[hit.record.id for hit in await engine.retrieve(ANA, "Where do I live?")] for engine in (old, new)]
        assert asked[0] == asked[1] != []
        assert all(finding.ok for finding in await new.doctor())


async def test_a_move_that_was_stopped_is_finished_by_the_next(urls):
    await fill(urls[0])
    async with opened(urls[0]) as old, opened(urls[1]) as new:
        taken = [item async for item in old.transfer.export(sealed=True)]
        for part in (taken[:3], taken[:-2]):
            await new.transfer.restore(part)
            await new.work.wait()
        done = await moved(old, new)
        assert done.differs == ()
        assert await sums_of(new.transfer) == await sums_of(old.transfer)


async def test_what_was_there_before_is_told_as_a_difference(urls):
    await fill(urls[0])
    async with opened(urls[0]) as old, opened(urls[1]) as new:
        await new.ingest(ANA, "was here before")
        await new.work.wait()
        done = await moved(old, new)
        assert len(done.differs) == 1
        assert str(ANA) in done.differs[0]
        page = await new.list(ANA, where=Filter(), limit=50)
        assert "was here before" in {record.text for record in page.records}


def test_the_command_moves_and_tells(cli, emptied, tmp_path):
    (tmp_path / "notes.md").write_text("# Notes\n\nThe office closes at noon on Fridays.\n")
    cli("ingest", "notes.md", "--user", "ana")
    for ran in (
        cli("migrate", "--from", "sqlite:///muniment.db", "--to", emptied),
        cli("migrate", "--from", emptied, "--to", "sqlite:///b.db"),
    ):
        assert "hold the same" in ran.out
        assert PASSWORD not in ran.out + ran.err
        assert "s3cret" not in ran.out + ran.err
    told = cli.as_json("migrate", "--from", "sqlite:///muniment.db", "--to", "sqlite:///b.db")
    assert (told["held"]["records"], told["differs"], told["items"]) == (1, [], [])
    assert told["counts"]["stored"] == 0
    assert cli.as_json("stats", "--all-scopes", "--store", "sqlite:///b.db")["records"] == 1


def test_a_move_that_makes_no_sense_is_refused(cli, tmp_path, monkeypatch):
    assert cli.refused("migrate", "--from", "memory://", "--to", "memory://")["code"] == "same_store"
    assert cli.refused("migrate", "--from", "sqlite:///none.db", "--to", "memory://", code=3)["code"] == "store_missing"
    assert not (tmp_path / "none.db").exists()
    monkeypatch.setenv("MUNIMENT_KEY", "mun_x")
    assert cli.refused("migrate", "--from", "sqlite:///a.db", "--to", "memory://")["code"] == "key_too_narrow"
    assert plugins.shown_url("memory://") == "memory://"
