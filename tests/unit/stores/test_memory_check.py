"""The doctor on what a store in memory derived: every kind of fault is found and named."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from muniment.knowledge.values import Blob
from muniment.stores.memory_check import check_knowledge
from muniment.stores.memory_knowledge import Knowledge
from muniment.testing.conformance.base import ANA
from muniment.testing.conformance.digests import made_of
from muniment.testing.samples import sample_entity, sample_memory, sample_record, sample_write


class Held:
    """One scope with two records, a memory, an entity and a blob."""

    no = 1
    scope = ANA

    def __init__(self):
        self.records = {sample_record(ANA, text).id: sample_record(ANA, text) for text in ("one", "two")}
        self.knowledge = Knowledge(ANA)
        data = Blob(digest=sha256(b"data").hexdigest(), media="text/plain", data=b"data")
        write = replace(sample_write(ANA, "one"), blobs=(data,))
        self.knowledge.beside(write, write.record.recorded_at)
        self.knowledge.keep(sample_memory(ANA, "one", "two", attribute="plan", seq=1))
        self.knowledge.keep_entity(sample_entity(ANA, {"Ana": ["one"]}, seq=1))

    def record(self, name):
        return self.records.get(name)

    def names(self):
        return list(self.records)


def spoil_words(held):
    (memory,) = held.knowledge.memories.values()
    held.knowledge.keep(replace(memory, evidence=list(memory.evidence)))


def spoil_lookup(held):
    (name,) = held.knowledge.entities
    held.knowledge.lookup.change(name, [("key", "name:ana")], [])


def spoil_proof(held):
    del held.records[sample_record(ANA, "two").id]


def spoil_blob(held):
    blobs = held.knowledge.blobs[sample_record(ANA, "one").id]
    blobs.update({digest: replace(blob, data=b"other") for digest, blob in blobs.items()})


def test_what_is_sound_is_counted():
    found = check_knowledge([Held()], {})
    assert [(one.check, one.ok, one.message.split()[0]) for one in found] == [
        ("memories", True, "2"),
        ("lookups", True, "2"),
        ("evidence", True, "2"),
        ("blobs", True, "1"),
        ("digests", True, "0"),
    ]


@pytest.mark.parametrize(
    ("kind", "spoil"),
    [("memories", spoil_words), ("lookups", spoil_lookup), ("evidence", spoil_proof), ("blobs", spoil_blob)],
)
def test_every_fault_is_found_and_named(kind, spoil):
    held = Held()
    spoil(held)
    (fault,) = [one for one in check_knowledge([held], {}) if not one.ok]
    assert (fault.check, fault.message.split(":")[0]) == (kind, "1 do not hold")
    assert fault.hint


def test_a_digest_of_a_record_that_is_not_there_is_found():
    held = Held()
    there, gone = made_of(sample_record(ANA, "one")), made_of(sample_record(ANA, "gone"))
    found = check_knowledge([held], {(ANA, "talk", "desk", 1): [there], (ANA, "talk", "desk", 2): [gone, gone]})
    assert [(one.check, one.message.split(":")[0]) for one in found if not one.ok] == [("digests", "2 do not hold")]
