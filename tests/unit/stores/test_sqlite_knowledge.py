"""The doctor on what is derived from records, damaged rows, and lookups whose cost does not grow with the store."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files

import apsw
import pytest

from muniment.errors import StoreUnusable
from muniment.knowledge.values import Blob, Changes, MemoryFilter, Wanted
from muniment.ports import Target
from muniment.stores.sql import migrations, statements
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, MODEL, fill
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_entity, sample_memory, sample_record, sample_write

FIRST = 1 << 24
ONE, TWO = sample_memory(ANA, "one", "two", attribute="plan"), sample_memory(ANA, "two", entities=("e",))
WHO = sample_entity(ANA, {"Ana": ["one", "two"]})

FAULTS = {
    "a word changed": ("memories", "UPDATE memory SET body = replace(body, 'one', 'own') WHERE id = {0}"),
    "a body is no text": ("memories", "UPDATE memory SET body = CAST(x'ff' || body AS TEXT) WHERE id = {0}"),
    "a hash changed": ("memories", "UPDATE memory SET hash = zeroblob(16) WHERE id = {0}"),
    "a memory of another place": ("memories", "UPDATE memory SET (hash, body) = (SELECT hash, body FROM memory WHERE id = {1})"),
    "a name changed": ("memories", "UPDATE entity SET body = replace(body, 'Ana', 'Eva')"),
    "a status changed": ("lookups", "UPDATE memory SET status = 'retracted' WHERE id = {0}"),
    "a slot changed": ("lookups", "UPDATE memory SET slot = '' WHERE id = {0}"),
    "a digest changed": ("lookups", "UPDATE memory SET digest = 'x' WHERE id = {0}"),
    "a public id changed": ("lookups", "UPDATE memory SET name = 'x' WHERE id = {0}"),
    "a tie is gone": ("lookups", "DELETE FROM tie"),
    "a key is gone": ("lookups", "DELETE FROM entity_key"),
    "an entity is taken for another's": ("lookups", "UPDATE entity SET merged_into = 'x'"),
    "numbers would be given again": ("lookups", "UPDATE knowledge SET last_memory = 1"),
    "evidence is gone": ("evidence", "DELETE FROM evidence WHERE memory = {1}"),
    "evidence of another": ("evidence", "INSERT INTO evidence VALUES ({1}, {0})"),
    "a naming is gone": ("evidence", "DELETE FROM naming"),
    "a record is gone": ("links", "DELETE FROM record WHERE id = {1}"),
    "a blob changed": ("blobs", "UPDATE blob SET data = x'00'"),
    "a blob of nobody": ("blobs", "DELETE FROM blob_use"),
}


async def made(path, *scripts):
    """A store with two memories and an entity, and with these statements run on its file behind its back."""
    store = await open_sqlite(path)
    await store.adopt(MODEL)
    data = Blob(digest=sha256(b"data").hexdigest(), media="text/plain", data=b"data")
    await store.put([replace(sample_write(ANA, text), blobs=(data,), enrich=True) for text in ("one", "two")])
    changes = Changes(memories=[ONE, TWO], entities=[WHO])
    await store.settle(ANA, Wanted(), lambda _: changes, at=NOON)
    await store.close()
    connection = apsw.Connection(str(path))
    for script in scripts:
        connection.execute(script.format(FIRST | 1, FIRST | 2))
    connection.close()
    store = await open_sqlite(path)
    await store.adopt(MODEL)
    return store


async def faults(store):
    found = [finding for finding in await store.check(sample_derive) if not finding.ok]
    assert all(finding.message and finding.hint for finding in found)
    return {finding.check for finding in found}


async def test_a_sound_store_has_no_fault_and_counts_what_it_looked_at(tmp_path):
    store = await made(tmp_path / "store.db")
    findings = {finding.check: finding for finding in await store.check(sample_derive)}
    assert all(finding.ok for finding in findings.values())
    assert findings["memories"].message.startswith("3 memories")
    await store.close()


@pytest.mark.parametrize(("kind", "script"), FAULTS.values(), ids=FAULTS)
async def test_every_fault_is_found_and_no_page_fails_for_it(tmp_path, kind, script):
    store = await made(tmp_path / "store.db", script)
    assert kind in await faults(store)
    page = await store.memories(ANA, MemoryFilter(statuses=()), limit=9, now=NOON)
    assert {memory.id for memory in page.memories} <= {ONE.id, TWO.id}
    await store.entities(ANA, limit=9)
    await store.close()


async def test_a_damaged_memory_is_never_given_out_and_is_named(tmp_path):
    store = await made(tmp_path / "store.db", FAULTS["a word changed"][1])
    page = await store.memories(ANA, MemoryFilter(), limit=9, now=NOON)
    assert [memory.id for memory in page.memories] == [TWO.id]
    with pytest.raises(StoreUnusable) as caught:
        await store.memory(ANA, [ONE.id])
    assert (caught.value.reason, caught.value.place) == ("memory_damaged", ONE.id)
    given = []
    with pytest.raises(StoreUnusable, match="damaged"):
        given += [one.id async for one in collected(store, given)]
    assert set(given) == {TWO.id, WHO.id}
    await store.close()


async def collected(store, given):
    async for one in store.knowledge(ANA):
        given.append(one.id)
        yield one


@pytest.mark.parametrize("name", ["a word changed", "a hash changed", "a slot changed", "a tie is gone", "evidence is gone"])
async def test_settling_the_same_again_mends_it(tmp_path, name):
    store = await made(tmp_path / "store.db", FAULTS[name][1])
    await store.settle(ANA, Wanted(), lambda _: Changes(memories=[ONE, TWO], entities=[WHO]), at=NOON)
    assert await faults(store) == set()
    assert [memory.seq for memory in await store.memory(ANA, [ONE.id, TWO.id])] == [1, 2]
    await store.close()


@pytest.mark.parametrize("name", ["a word changed", "a body is no text", "a name changed", "a tie is gone"])
async def test_what_is_damaged_can_be_erased(tmp_path, name):
    store = await made(tmp_path / "store.db", FAULTS[name][1])
    await store.erase(Target(scope=ANA, ids=(sample_record(ANA, "one").id,)), NOON)
    assert ONE.id not in [one.id async for one in store.knowledge(ANA)]
    await store.erase(Target(scope=ANA), NOON)
    assert await faults(store) == set()
    await store.close()


async def test_an_old_file_gets_room_for_memories_and_keeps_its_records(tmp_path):
    store = await made(tmp_path / "store.db")
    await fill(store, BEN, "uno")
    assert (await store.stats(None)).records == 3
    await store.close()


def test_no_lookup_reads_through_a_table(tmp_path):
    """Cost per call does not depend on what others hold: every statement is a search by an index."""
    connection = apsw.Connection(str(tmp_path / "plan.db"))
    folder = files("muniment.stores.sql")
    for step in migrations("sqlite"):
        connection.execute(step.script)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    texts = [(folder / name).read_text() for name in ("sqlite_knowledge.sql", "sqlite_keys.sql")]
    names = [name for text in texts for name in re.findall(r"^-- name: (\w+)$", text, re.MULTILINE)]
    assert names
    through = []
    for name in names:
        text = statements("sqlite")[name]
        holes = max([int(number) for number in re.findall(r"\?(\d)", text)] or [text.count("?")])
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", (1,) * holes)]
        through += [
            name for line in plan if (found := re.match(r"SCAN (\w+)", line)) and found[1] in tables | {"k", "m", "e", "t"}
        ]
    connection.close()
    doctor, export = {"knowledge_behind"}, {"sharing_all", "feedback_all"}
    whole_store = {"access_keys_all", "architectures_all", *doctor, *export}
    assert not set(through) - whole_store
