"""Whatever a store holds, another that takes in its export holds the same, and an import that was cut short ends alike."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.architect.rules_default import default_architecture
from muniment.ingest.derive import Derived
from muniment.ingest.formats import export_lines, read_export
from muniment.ingest.rules import accept, content_digest, record_of
from muniment.ingest.step import restore
from muniment.ingest.transfer import Transfer
from muniment.knowledge.values import AppliedArchitecture, Blob, Changes, Merge, Sealed, Wanted, WorkItem, WorkState
from muniment.ports import Write
from muniment.testing.fakes import NOON, FixedClock
from muniment.testing.samples import sample_entries
from muniment.testing.strategies import entities, evidence, ids, memories, moments, texts
from muniment.types import Outcome, Scope, Turn

SCOPES = (Scope(client="acme"), Scope(client="acme", user="ana"), Scope(user="ana"))
RULES = "agent: support\ndescription: one\n"
TOKEN = "[email:k3f9]"


@st.composite
def writes(draw, scope, text):
    """A record of a scope with whatever goes with it: a sealed value, a blob, and its reading at any stage."""
    token, blob = draw(st.booleans()), draw(st.none() | st.binary(max_size=40))
    turn = Turn(
        text=f"I said: {text} {TOKEN if token else ''}",
        said_at=draw(st.none() | st.just(NOON)),
        metadata={} if blob is None else {"blob": "d" * 64},
    )
    kept = accept(turn, now=NOON).turn
    record = record_of(kept, scope=scope, agent="support", now=NOON, digest=content_digest(kept, scope), nth=0)
    item = st.builds(
        WorkItem,
        record=st.just(record.id),
        state=st.sampled_from([state for state in WorkState if state is not WorkState.PROCESSING]),
        reason=st.sampled_from(["", "too odd"]),
        attempts=st.integers(0, 3),
        outcomes=st.lists(ids(), max_size=2).map(tuple),
        architecture=st.sampled_from(["", "support@2"]),
        refused=st.dictionaries(st.tuples(st.sampled_from(["", "fact"]), ids()), st.integers(1, 9), max_size=2),
    )
    return Write(
        record=record,
        entries=sample_entries(record.text, dim=0),
        sealed=(Sealed(token=TOKEN, kind="email", value="ana@example.org"),) if token else (),
        blobs=() if blob is None else (Blob(digest="d" * 64, media="text/plain", data=blob),),
        work=draw(st.none() | item),
    )


@st.composite
def proofs(draw, names):
    """Evidence by records of these ids, the first of which must not only lend."""
    first, *more = draw(st.lists(st.tuples(evidence(), st.sampled_from(names)), min_size=1, max_size=3))
    return (replace(first[0], record=first[1]), *(replace(one, record=name) for one, name in more))


@st.composite
def holdings(draw):
    """What some scopes hold: writes, and changes in which each memory and alias is proved by a record that is there."""
    held = {}
    for scope in draw(st.lists(st.sampled_from(SCOPES), min_size=1, unique=True)):
        said = draw(st.lists(texts().map(str.strip), min_size=1, max_size=3, unique=True))
        records = [draw(writes(scope, text)) for text in said]
        proof = proofs([write.record.id for write in records])
        told = draw(st.lists(memories(scope), max_size=4, unique_by=lambda one: one.id))
        named = draw(st.lists(entities(scope), max_size=3, unique_by=lambda one: one.id))
        joined = [
            Merge(
                id=f"m{n}",
                scope=scope,
                kept=one.id,
                other=other.id,
                score=0.5,
                why={"a": 1.0},
                at=draw(moments()),
                undone=True,
            )
            for n, (one, other) in enumerate(pairwise(named))
        ]
        held[scope] = (
            records,
            Changes(
                memories=[replace(one, evidence=draw(proof)) for one in told],
                entities=[replace(one, aliases=tuple(replace(a, evidence=draw(proof)) for a in one.aliases)) for one in named],
                merges=joined,
            ),
        )
    return held


async def derived(records):
    return Derived(entries=[sample_entries(record.text, dim=0) for record in records], note="")


async def rules(agent, client):
    return default_architecture(agent)


async def followed(scope):
    """Nothing in these worlds has copies."""


def transfer_of(store):
    async def records(items, take):
        return await restore(items, store=store, derive=derived, enrich=True, take=take)

    return Transfer(store, FixedClock(), rules, records, lambda text: None, followed)


async def fill(store, held):
    support = AppliedArchitecture(agent="support", version=0, text=RULES, at=NOON, by="Ana")
    for applied in (support, replace(support, text=f"{RULES}# two"), replace(support, client="acme")):
        await store.apply_architecture(applied)
    for scope, (records, changes) in held.items():
        await store.put(records)
        await store.settle(scope, Wanted(), lambda _, changes=changes: changes, at=NOON)


async def taken_in(store, data):
    return await transfer_of(store).restore(read_export(BytesIO(data), name="e"))


async def exported(store):
    return b"".join([line async for line in export_lines(transfer_of(store).export(sealed=True))])


@settings(max_examples=25)
@given(held=holdings(), cut=st.floats(0, 1))
def test_what_is_taken_in_is_given_out_alike_by_every_store_even_when_it_was_cut_short(open_each, held, cut):
    async def there_and_back():
        for opener in open_each.values():
            for other in open_each.values():
                with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
                    here, there = await opener(Path(one)), await other(Path(two))
                    await fill(here, held)
                    data = await exported(here)
                    lines = data.splitlines(keepends=True)
                    await taken_in(there, b"".join(lines[: 1 + int(cut * (len(lines) - 1))]))
                    receipt = await taken_in(there, data)
                    assert receipt.ok, [item for item in receipt.items if item.reason]
                    assert sorted((await exported(there)).splitlines()) == sorted(data.splitlines())
                    again = await taken_in(there, data)
                    assert {item.outcome for item in again.items} <= {Outcome.UNCHANGED}
                    assert sorted((await exported(there)).splitlines()) == sorted(data.splitlines())
                    await here.close()
                    await there.close()

    asyncio.run(there_and_back())
