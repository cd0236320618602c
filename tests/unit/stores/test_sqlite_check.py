"""The doctor finds every kind of fault, names the place, and a rebuild mends what is derived."""

from __future__ import annotations

import apsw
import pytest

from muniment.errors import StoreUnusable
from muniment.ports import Target
from muniment.shelf import Place
from muniment.stores.sqlite import open_sqlite
from muniment.testing.conformance.base import ANA, BEN, EVERYTHING, MODEL, fill, find_all, texts_found, texts_kept
from muniment.testing.conformance.digests import made_of
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_derive, sample_write
from muniment.types import Outcome

LONG = "word " * 20
FIRST = 1 << 24

HEAD = "UPDATE entry SET head = CAST(substr(head, 1, 8) || x'05' || substr(head, 10) AS BLOB) WHERE id = {0}"
VECTOR = "UPDATE entry SET vector = CAST(x'007e' || substr(vector, 3) AS BLOB) WHERE id = {0}"
COPY = "INSERT INTO entry SELECT {1}, head, terms, vector FROM entry WHERE id = {0}"
ORPHAN = "INSERT INTO entry SELECT {1}, CAST(x'ff00' || substr(head, 3) AS BLOB), terms, vector FROM entry WHERE id = {0}"

DERIVED = {
    "an entry is gone": ("entries", "DELETE FROM entry WHERE id = {0}"),
    "terms changed": ("entries", "UPDATE entry SET terms = zeroblob(length(terms)) WHERE id = {0}"),
    "a term is gone": ("entries", "UPDATE entry SET terms = substr(terms, 9) WHERE id = {0}"),
    "a span changed": ("entries", HEAD),
    "an entry stands twice": ("entries", COPY.format("{0}", FIRST | 900)),
    "an entry of no record": ("entries", ORPHAN.format("{0}", FIRST | 900)),
    "an entry of no scope": ("entries", COPY.format("{0}", 99 << 24 | 1)),
    "a vector is zero": ("vectors", "UPDATE entry SET vector = zeroblob(16) WHERE id = {0}"),
    "a vector is short": ("vectors", "UPDATE entry SET vector = substr(vector, 3) WHERE id = {0}"),
    "a vector is no number": ("vectors", VECTOR),
    "records are counted wrong": ("counts", "UPDATE scope SET records = records + 1 WHERE no = 1"),
    "bytes are counted wrong": ("counts", "UPDATE scope SET text_bytes = 0 WHERE no = 2"),
    "times are kept wrong": ("counts", "UPDATE scope SET oldest = 5 WHERE no = 2"),
    "a name nobody has": ("names", f"INSERT INTO label (id, kind, name) VALUES ({FIRST | 900}, 'speaker', 'Nobody')"),
}
VERBATIM = {
    "a word changed": "UPDATE record SET text = replace(text, 'one', 'own') WHERE id = {0}",
    "a time changed": "UPDATE record SET recorded_at = recorded_at + 1 WHERE id = {0}",
    "a count changed": "UPDATE record SET occurrences = 7 WHERE id = {0}",
    "a role changed": "UPDATE record SET role = 'system' WHERE id = {0}",
    "a role is no role": "UPDATE record SET role = 'king' WHERE id = {0}",
    "a speaker changed": "UPDATE label SET name = 'Zoe' WHERE kind = 'speaker' AND scope = 1",
    "a code changed": "UPDATE record SET speaker = 0 WHERE id = {0}",
    "the hash changed": "UPDATE record SET hash = zeroblob(16) WHERE id = {0}",
    "text is no text": "UPDATE record SET text = CAST(x'ff' || 'one' AS TEXT) WHERE id = {0}",
    "metadata is no JSON": "UPDATE record SET metadata = '{{' WHERE id = {0}",
    "said at no time": "UPDATE record SET said_at = 9223372036854775807 WHERE id = {0}",
}


async def made(path, *scripts):
    """A store of two scopes, with these statements run on its file behind its back."""
    store = await open_sqlite(path)
    await store.adopt(MODEL)
    await fill(store, ANA, "one", LONG, "three")
    await fill(store, BEN, "uno", LONG)
    await store.close()
    connection = apsw.Connection(str(path))
    for script in scripts:
        connection.execute(script)
    connection.close()
    store = await open_sqlite(path)
    await store.adopt(MODEL)
    return store


async def faults(store):
    found = [finding for finding in await store.check(sample_derive) if not finding.ok]
    assert all(finding.message and finding.hint for finding in found)
    return {finding.check for finding in found}


async def test_a_sound_store_names_all_it_looked_at(tmp_path):
    store = await made(tmp_path / "store.db")
    findings = await store.check(sample_derive)
    assert all(finding.ok and finding.message for finding in findings)
    assert [finding.check for finding in findings] == [
        "pages",
        "links",
        "records",
        "entries",
        "vectors",
        "counts",
        "names",
        "rebuild",
        "memories",
        "lookups",
        "evidence",
        "blobs",
        "digests",
    ]
    await store.close()


@pytest.mark.parametrize(("kind", "script"), DERIVED.values(), ids=DERIVED)
async def test_what_is_derived_is_found_wrong_and_mended_by_a_rebuild(tmp_path, kind, script):
    store = await made(tmp_path / "store.db", script.format(FIRST | 2))
    assert kind in await faults(store)
    await store.reindex(sample_derive, MODEL)
    assert await faults(store) == set()
    assert await texts_found(store, ANA) == ["one", LONG, "three"]
    assert (await store.stats(None)).records == 5
    await store.close()


@pytest.mark.parametrize("script", VERBATIM.values(), ids=VERBATIM)
async def test_a_changed_record_is_found_and_never_given_out(tmp_path, script):
    store = await made(tmp_path / "store.db", script.format(FIRST | 1))
    assert "records" in await faults(store)
    write = sample_write(ANA, "one")
    if "label" not in script:
        assert await texts_kept(store, ANA) == [LONG, "three"]
        assert (await store.page(ANA, EVERYTHING, limit=9)).lost == (1,)
        found = await find_all(store, ANA)
        assert ([record.text for record in found.records], list(found.lost)) == ([LONG, "three"], [Place(0, 1)])
    with pytest.raises(StoreUnusable) as caught:
        await store.get(ANA, [write.record.id])
    assert (caught.value.reason, caught.value.place) == ("record_damaged", write.record.id)
    given = []
    with pytest.raises(StoreUnusable, match="damaged"):
        given += [record.text async for record in gather(store, given)]
    assert "uno" in given
    await store.close()


async def gather(store, given):
    async for record in store.scan(None):
        given.append(record.text)
        yield record


@pytest.mark.parametrize("name", ["a word changed", "a time changed", "text is no text", "the hash changed"])
async def test_the_same_words_again_mend_a_damaged_record(tmp_path, name):
    store = await made(tmp_path / "store.db", VERBATIM[name].format(FIRST | 1))
    (written,) = await store.put([sample_write(ANA, "one")])
    assert written.outcome is Outcome.UNCHANGED
    assert await texts_found(store, ANA) == ["one", LONG, "three"]
    assert await faults(store) == set()
    await store.close()


@pytest.mark.parametrize("name", ["a word changed", "text is no text"])
async def test_a_damaged_record_can_be_erased(tmp_path, name):
    store = await made(tmp_path / "store.db", VERBATIM[name].format(FIRST | 1))
    assert (await store.erase(Target(scope=ANA, ids=(sample_write(ANA, "one").record.id,)), NOON)).records == 1
    assert await texts_found(store, ANA) == [LONG, "three"]
    assert await faults(store) == set()
    await store.close()


async def test_a_wrong_count_does_not_make_an_erasure_reach_further(tmp_path):
    store = await made(tmp_path / "store.db", "UPDATE scope SET records = 2 WHERE no = 1")
    ids = tuple(sample_write(ANA, text).record.id for text in ("one", "three"))
    assert (await store.erase(Target(scope=ANA, ids=ids), NOON)).records == 2
    assert await texts_found(store, ANA) == [LONG]
    assert await faults(store) == set()
    await store.close()


async def test_a_link_that_leads_nowhere_is_found(tmp_path):
    store = await made(tmp_path / "store.db", f"INSERT INTO idempotency VALUES (1, 'k', {FIRST | 900})")
    assert await faults(store) == {"links"}
    await store.close()


async def test_a_record_lost_behind_our_back_leaves_orphans(tmp_path):
    store = await made(tmp_path / "store.db", f"DELETE FROM record WHERE id = {FIRST | 2}")
    assert {"entries", "counts"} <= await faults(store)
    await store.close()


async def test_missing_vectors_are_no_fault_but_are_said(tmp_path):
    store = await made(tmp_path / "store.db")
    await store.put([sample_write(ANA, "later", dim=0)])
    (vectors,) = [finding for finding in await store.check(sample_derive) if finding.check == "vectors"]
    assert vectors.ok
    assert "1 wait for a vector" in vectors.message
    await store.close()


async def test_many_faults_are_counted_and_a_few_are_named(tmp_path):
    store = await made(tmp_path / "store.db")
    await fill(store, ANA, *(f"more {n}" for n in range(700)))
    await store.close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    connection.execute("UPDATE record SET origin = 'changed'")
    connection.close()
    store = await open_sqlite(tmp_path / "store.db")
    (records,) = [finding for finding in await store.check(sample_derive) if finding.check == "records"]
    assert records.message.startswith("705 do not hold")
    assert len(records.message) < 500
    await store.close()


async def test_a_check_looks_at_every_batch(tmp_path):
    store = await made(tmp_path / "store.db")
    await fill(store, BEN, *(f"more {n} " * 5 for n in range(600)))
    assert await faults(store) == set()
    await store.close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    connection.execute("DELETE FROM entry WHERE id = (SELECT max(id) FROM entry)")
    connection.close()
    store = await open_sqlite(tmp_path / "store.db")
    await store.adopt(MODEL)
    assert "entries" in await faults(store)
    await store.close()


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE digest SET body = replace(body, '40', '41')",
        "UPDATE digest SET version = 2",
        "UPDATE digest SET conversation = 'other'",
        "UPDATE digest SET agent = 'other'",
        "UPDATE digest SET first = 1",
        "UPDATE digest SET records = '[4]'",
        "UPDATE digest SET records = '[4, 6]'",
    ],
)
async def test_a_changed_digest_is_found_and_what_was_changed_is_not_given_out(tmp_path, script):
    store = await made(tmp_path / "store.db")
    await store.keep_digest(made_of(*await fill(store, ANA, "four", "five")))
    assert await faults(store) == set()
    await store.close()
    connection = apsw.Connection(str(tmp_path / "store.db"))
    connection.execute(script)
    connection.close()
    store = await open_sqlite(tmp_path / "store.db")
    assert await faults(store) == {"digests"}
    if "body" in script or "version" in script:
        assert list(await store.digests(ANA, "talk", agent="desk", limit=9)) == []
    await store.close()
