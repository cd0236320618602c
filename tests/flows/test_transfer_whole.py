"""An export holds all that a scope holds: after its import what is current, corrected, held and merged is the same."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import pytest
from cases import ANA, BEN, CLIENT, EVERY, NOON, RIVAL, known, learn, lines, opened, reasons

from muniment import Turn
from muniment.ingest.formats import export_lines, read_export, read_turns
from muniment.types import Outcome

MAIL = "petra.lindqvist@example.org"
RULES = "agent: default\npii:\n  email: tokenise\n"
TABLE = json.dumps([{"row": number, "berth": "free"} for number in range(6000)])


async def exported(engine, scope=None, **options) -> bytes:
    return b"".join([line async for line in export_lines(engine.transfer.export(scope, **options))])


async def taken_in(engine, data):
    receipt = await engine.transfer.restore(read_export(BytesIO(data), name="e"))
    await engine.work.wait()
    return receipt


async def lived(engine):
    """A history in which a hand has changed all it can."""
    await engine.architecture.apply(RULES, note="first")
    await learn(engine, ANA, "I live in Porto.", "I have a dog.", "I like tea.", "My plan is Basic.")
    await learn(engine, ANA, "I moved to Lisbon.", "I upgraded to the Harbor plan.", f"My e-mail is {MAIL}.", "Thanks!")
    await learn(engine, ANA, "Sarah Chen called me.", "Bob Stone works at Acme Boats.", "Ann Lee has a red boat.")
    await engine.ingest(ANA, [Turn(text=TABLE, role="tool", tool_call_id="c1")])
    by_text = {memory.text: memory for memory in await known(engine, ANA, EVERY)}
    await engine.memories.retract(ANA, by_text["user has a dog"].id)
    await engine.memories.update(ANA, by_text["user likes tea"].id, "user likes coffee")
    porto = next(memory for text, memory in by_text.items() if "Porto" in text)
    await engine.memories.restore(ANA, porto.id)
    await engine.memories.hold(ANA, porto.id)
    await engine.memories.add(ANA, f"Ana answers from {MAIL}", attribute="reply_to", value=MAIL)
    people = (await engine.entities.list(ANA)).entities
    await engine.entities.merge(ANA, people[0].id, people[1].id, by="Ana")
    await engine.entities.undo(ANA, (await engine.entities.merge(ANA, people[0].id, people[2].id)).merge.id)
    await engine.retrieve(ANA, "Where does the user live?")
    await learn(engine, BEN, "I live in Faro.")
    await engine.work.wait()


async def seen(engine):
    """What a reader can see of all scopes."""
    every = [[replace(memory, seq=0) for memory in await known(engine, scope, EVERY)] for scope in (ANA, BEN)]
    merges = await engine.store.merges(ANA)
    people = [replace(entity, seq=0) for entity in (await engine.entities.list(ANA)).entities]
    return every, merges, people, await engine.store.refused(ANA), await engine.architecture.history()


@pytest.mark.parametrize("other", ["memory://", "sqlite"])
async def test_what_a_hand_did_travels(engine, other, tmp_path):
    await lived(engine)
    data = await exported(engine, sealed=True)
    async with opened("memory://" if other == "memory://" else f"sqlite:///{tmp_path}/other.db") as there:
        receipt = await taken_in(there, data)
        assert receipt.ok
        assert await seen(there) == await seen(engine)
        assert await exported(there, sealed=True) == data
        assert {item.outcome for item in (await taken_in(there, data)).items} == {Outcome.UNCHANGED}
        assert await exported(there, sealed=True) == data


async def test_what_is_taken_in_stays_when_it_is_read_again(engine):
    await lived(engine)
    async with opened("memory://") as there:
        await taken_in(there, await exported(engine))
        await engine.work.rederive(ANA)
        await there.work.rederive(ANA)
        await engine.work.wait()
        await there.work.wait()
        assert sorted(lines(await known(there, ANA))) == sorted(lines(await known(engine, ANA)))


async def test_sealed_values_stay_behind_unless_they_are_asked_for_and_are_counted(engine):
    await lived(engine)
    plain, open_ = [await exported(engine, sealed=sealed) for sealed in (False, True)]
    assert MAIL.encode() not in plain
    assert MAIL.encode() in open_
    token = json.loads(next(line for line in open_.splitlines() if b'"sealed"' in line))["sealed"][0]["token"]
    for data, found in ((plain, 0), (open_, 1)):
        async with opened("memory://") as there:
            await taken_in(there, data)
            assert len(await there.sealed.reveal(ANA, token)) == found


async def test_a_blob_travels_with_its_record(engine):
    await lived(engine)
    async with opened("memory://") as there:
        await taken_in(there, await exported(engine, ANA))
        record = next(record for record in (await there.list(ANA, limit=1000)).records if "blob" in record.metadata)
        assert (await there.sealed.blob(ANA, record.metadata["blob"])).data == TABLE.encode()


async def test_an_import_that_was_cut_short_is_done_again_whole(engine):
    await lived(engine)
    data = await exported(engine)
    parts = data.splitlines(keepends=True)
    async with opened("memory://") as there:
        for upto in range(1, len(parts), 7):
            cut = await taken_in(there, b"".join(parts[:upto]))
            assert cut.items[-1].reason == "cut_short"
        assert (await taken_in(there, data)).ok
        assert await exported(there) == data


async def test_what_is_here_already_stays_as_it_is(engine):
    await lived(engine)
    data = await exported(engine)
    async with opened("memory://") as there:
        await taken_in(there, data)
        coffee = next(memory for memory in await known(there, ANA) if "coffee" in memory.text)
        await there.memories.retract(ANA, coffee.id)
        await taken_in(there, data)
        assert "user likes coffee" not in lines(await known(there, ANA))


async def test_a_slot_that_others_fill_here_is_weighed_and_not_filled_twice(engine):
    await learn(engine, ANA, Turn(text="I live in Porto.", said_at=NOON - timedelta(days=9)))
    data = await exported(engine, ANA)
    async with opened("memory://") as there:
        await learn(there, ANA, Turn(text="I moved to Faro.", said_at=NOON - timedelta(days=5)), "I have a dog.")
        assert (await taken_in(there, data)).ok
        assert sorted(lines(await known(there, ANA))) == ["user has a dog", "user moved to Faro"]
        assert len(await known(there, ANA, EVERY)) == 3
        before = await exported(there)
        await taken_in(there, data)
        assert await exported(there) == before


async def test_rules_of_an_agent_that_has_others_here_stay(engine):
    await lived(engine)
    data = await exported(engine)
    async with opened("memory://") as there:
        await there.architecture.apply("agent: default\ndescription: ours\n")
        receipt = await taken_in(there, data)
        assert [reason for reason in reasons(receipt) if reason] == ["architecture_differs"]
        assert [applied.text for applied in await there.architecture.history()] == ["agent: default\ndescription: ours\n"]


async def test_architectures_go_with_the_client_that_owns_them_and_with_a_whole_store(engine):
    await learn(engine, ANA, "I live in Porto.")
    for client in (None, "acme", "rival"):
        await engine.architecture.apply(RULES, client=client)
    for scope, owners in ((None, [None, "acme", "rival"]), (CLIENT, ["acme"]), (ANA, [])):
        found = [json.loads(line) for line in (await exported(engine, scope)).splitlines()]
        assert [one["architecture"].get("client") for one in found if "architecture" in one] == owners


async def test_a_memory_without_the_record_that_proves_it_is_refused(engine):
    await learn(engine, ANA, "I live in Porto.")
    parts = [line for line in (await exported(engine)).splitlines(keepends=True) if b'"role"' not in line]
    async with opened("memory://") as there:
        receipt = await taken_in(there, b"".join(parts))
        assert set(reasons(receipt)) == {"evidence_missing", "count_mismatch"}
        assert await known(there, ANA, EVERY) == ()


async def test_what_an_export_of_a_scope_holds_is_of_that_scope(engine):
    await lived(engine)
    await learn(engine, RIVAL, "I live in Beja.")
    data = (await exported(engine, ANA)).decode()
    assert "Porto" in data
    assert not [name for name in ("Faro", "Beja", "rival") if name in data]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"memory": {"id": "m"}}', "field_missing"),
        ('{"memory": 7}', "type"),
        ('{"entity": {"id": "e", "scope": {"planet": "x"}}}', "scope_invalid"),
        ('{"merge": {"id": 1, "scope": {"user": "a"}}}', "type"),
        ('{"architecture": {"agent": "a", "version": true, "text": "", "at": "2026-01-01T00:00:00Z"}}', "type"),
        ('{"architecture": {"agent": "a", "version": 1, "text": "kinds: 7", "at": "2026-01-01T00:00:00Z"}}', "type"),
        ('{"architecture": {"agent": "a", "version": 1, "text": "", "at": "yesterday"}}', "timestamp_invalid"),
        ('{"planet": "x"}', "field_missing"),
    ],
)
async def test_a_line_that_holds_nothing_is_refused_by_its_number(engine, line, reason):
    receipt = await taken_in(engine, f'{{"muniment":"export","version":2}}\n{line}\n{{"end":true,"records":1}}\n'.encode())
    assert (reasons(receipt), receipt.ok) == ([reason], False)


async def test_an_older_export_is_read_anew(engine):
    await learn(engine, ANA, "I live in Porto.")
    data = b"".join([line async for line in export_lines(engine.export(ANA))]).replace(b'"version":2', b'"version":1')
    async with opened("memory://") as there:
        assert (await taken_in(there, data)).ok
        assert lines(await known(there, ANA)) == ["user lives in Porto"]


async def test_an_export_is_ingested_as_its_turns(engine):
    await lived(engine)
    parsed = read_turns(await exported(engine, ANA), name="e.jsonl")
    assert parsed.refused == ()
    assert "I live in Porto." in [turn.text for turn in parsed.turns]


def test_the_command_line_moves_a_store_whole_and_says_what_stayed_behind(cli):
    cli.file("rules.yaml", RULES)
    cli("architect", "apply", "rules.yaml")
    cli.said("I live in Porto.", f"My e-mail is {MAIL}.", "I have a dog.")
    of = ("--user", "ana")
    dog = next(one for one in cli.as_json("memories", "list", *of)["memories"] if "dog" in one["text"])
    cli("memories", "retract", dog["id"], *of)
    done = cli("export", "all.jsonl", "--all-scopes", "--json")
    told = json.loads(done.out)
    assert (told["records"], told["architectures"], told["sealed"], told["sealed_left_out"]) == (3, 1, 0, 1)
    assert json.loads((cli.folder / "all.jsonl").read_text().splitlines()[-1])["sealed_left_out"] == 1
    assert cli.as_json("export", "open.jsonl", "--all-scopes", "--sealed")["sealed"] == 1
    cli("import", "open.jsonl", "--store", "sqlite:///other.db")
    here, there = (cli.as_json("memories", "list", "--all", *of, *store) for store in ((), ("--store", "sqlite:///other.db")))
    assert [(one["id"], one["text"], one["status"]) for one in there["memories"]] == [
        (one["id"], one["text"], one["status"]) for one in here["memories"]
    ]
