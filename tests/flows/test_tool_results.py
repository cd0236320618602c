"""What tools give back, from the door to the memory: verbatim, huge ones kept apart, and never above what a person says."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from cases import ANA, BEN, NORTH, RIVAL, SOUTH, clean_or_told, opened, texts

from muniment import Outcome, Turn
from muniment.curate.sealed import SealedValues
from muniment.errors import NotFound
from muniment.ingest.formats.results import HUGE, MOST
from muniment.knowledge.values import MemoryFilter, Status
from muniment.types import Kind, Role, Trust


def result(text, **fields):
    return Turn(text=text, role=Role.TOOL, kind=Kind.TOOL_RESULT, **fields)


def asking(order):
    arguments = json.dumps({"order_id": order})
    call = {"id": f"call-{order}", "type": "function", "function": {"name": "order_status", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answering(order, **fields):
    return {"role": "tool", "tool_call_id": f"call-{order}", "name": "order_status", "content": json.dumps(fields)}


async def memories(engine, scope=ANA, **where):
    await engine.work.wait()
    return (await engine.memories.list(scope, MemoryFilter(**where), limit=1000)).memories


async def test_a_result_is_kept_as_it_was_given_and_what_it_says_of_what_was_asked_for_is_remembered(engine):
    given = '{ "status":"shipped",\n  "carrier": "PostNord" }'
    said = [asking("K-771"), {"role": "tool", "tool_call_id": "call-K-771", "content": given}]
    receipt = await engine.ingest(ANA, said, conversation="orders")
    assert (await engine.get(ANA, receipt.ids[1])).text == given
    found = {memory.text: memory for memory in await memories(engine)}
    assert set(found) == {"order K-771's status is shipped", "order K-771's carrier: PostNord"}
    told = found["order K-771's status is shipped"]
    assert (told.trust, told.evidence[0].record) == (Trust.UNTRUSTED, receipt.ids[1])
    assert given[told.evidence[0].start : told.evidence[0].end] == "shipped"


async def test_a_newer_result_takes_the_place_of_the_older_and_polling_adds_nothing(engine):
    for status in ["packed", "packed", "packed", "shipped"]:
        await engine.ingest(ANA, [asking("K-771"), answering("K-771", status=status)], conversation="orders")
        await engine.work.wait()
    assert [m.text for m in await memories(engine)] == ["order K-771's status is shipped"]
    assert [m.text for m in await memories(engine, statuses=(Status.SUPERSEDED,))] == ["order K-771's status is packed"]


async def test_what_a_tool_reports_never_takes_the_place_of_what_a_person_says(engine):
    profile = {"customer_id": "c-1", "name": "Petra Lindqvist", "plan": "Basic"}
    await engine.ingest(ANA, {"role": "user", "name": "Petra Lindqvist", "content": "I am on the Studio plan."}, conversation="a")
    await engine.ingest(ANA, answering("x", **profile), conversation="a")
    plans = [m for m in await memories(engine) if m.attribute == "plan"]
    assert {(m.value, m.trust) for m in plans} == {("Studio", Trust.TRUSTED), ("Basic", Trust.UNTRUSTED)}


async def test_a_dump_makes_no_memories(engine):
    rows = [{"id": n, "name": f"Customer {n}", "plan": "Basic", "city": "Oslo"} for n in range(400)]
    await engine.ingest(ANA, ["List all customers.", answering("all", rows=rows)], conversation="a")
    assert await memories(engine) == ()
    assert (await engine.work.refused(ANA))["boilerplate", "boilerplate"] == 1


@pytest.mark.parametrize("size", [HUGE + 1, (1 << 20) + 1])
async def test_a_huge_result_is_an_excerpt_beside_its_blob_which_goes_with_it(engine, size):
    whole = "".join(f"request {n} served in {n % 97} ms\n" for n in range(size // 20)).ljust(size, ".")
    sealed = SealedValues(engine.store)
    receipt = await engine.ingest(ANA, {"role": "tool", "tool_call_id": "c1", "content": whole})
    digest = sha256(whole.encode()).hexdigest()
    assert digest in receipt.items[0].message
    record = await engine.get(ANA, receipt.ids[0])
    assert record.text.startswith("request 0 served in 0 ms\n")
    assert len(record.text) < 5000
    assert record.metadata == {"blob": digest, "bytes": str(len(whole)), "media": "text/plain; charset=utf-8"}
    assert texts(await engine.retrieve(ANA, "request 0 served"))[0] == record.text
    assert (await sealed.blob(ANA, digest)).data == whole.encode()
    for other in (BEN, NORTH, SOUTH, RIVAL):
        with pytest.raises(NotFound):
            await sealed.blob(other, digest)
    again = await engine.ingest(ANA, {"role": "tool", "tool_call_id": "c1", "content": whole})
    assert [item.outcome for item in again.items] == [Outcome.UNCHANGED]
    erasure = await engine.forget(ANA, ids=receipt.ids)
    assert (erasure.removed["blob"], clean_or_told(erasure)) == (1, True)
    with pytest.raises(NotFound):
        await sealed.blob(ANA, digest)


async def test_a_huge_result_is_no_source_of_memories_but_a_person_is_not_let_off_the_limit(engine):
    rows = [{"name": f"Customer {n}", "plan": "Basic", "note": "x" * 40} for n in range(2000)]
    await engine.ingest(ANA, ["Who is Customer 3?", result(json.dumps(rows))], conversation="a")
    assert await memories(engine) == ()
    refused = await engine.ingest(ANA, [Turn(text="x" * ((1 << 20) + 1)), result("x" * (MOST + 1))])
    assert [item.reason for item in refused.items] == ["too_large", "too_large"]


async def test_secrets_are_in_neither_the_excerpt_nor_the_blob_and_json_stays_json(engine):
    rows = [{"row": n, "password": f"Tr0ub4dor-{n}", "note": "x" * 60} for n in range(1500)]
    receipt = await engine.ingest(ANA, [result(json.dumps(rows)), result('{"pin": 1, "password": "Tr0ub4dor-9"}')])
    record, small = [await engine.get(ANA, id_) for id_ in receipt.ids]
    data = (await SealedValues(engine.store).blob(ANA, record.metadata["blob"])).data
    assert b"Tr0ub4dor" not in data
    assert "Tr0ub4dor" not in record.text + small.text
    assert json.loads(data)[7] == {"row": 7, "password": "[secret]", "note": "x" * 60}
    assert json.loads(small.text) == {"pin": 1, "password": "[secret]"}


async def test_an_export_holds_the_excerpt_and_is_taken_back(engine, tmp_path):
    await engine.ingest(ANA, result("line\n" * 20_000))
    records = [record async for record in engine.export(ANA)]
    async with opened(f"sqlite:///{tmp_path}/other.db") as other:
        assert (await other.restore(records)).ok
        assert (await other.get(ANA, records[0].id)).text == records[0].text
