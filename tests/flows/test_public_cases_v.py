"""Public cases of kind V: moving data out and in."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from cases import ANA, BEN, NORTH, STORES, opened

from muniment import Outcome, Role, ToolCall, Turn

SAID = datetime(2026, 1, 1, 9, 30, 0, 5, tzinfo=UTC)
TURNS = [
    Turn(text="My boat is called Perseverance.", speaker="Zoë", said_at=SAID, conversation="a", ref="m1", metadata={"k": "v"}),
    Turn(text="", role=Role.ASSISTANT, tool_calls=(ToolCall(id="c1", name="dial", arguments='{"n": 1}'),), conversation="a"),
    Turn(text="ringing", role=Role.TOOL, tool_call_id="c1", conversation="a", origin="phone.log"),
    Turn(text="seen twice"),
]


@pytest.mark.parametrize("target", STORES)
async def test_V01_everything_of_a_scope_moves_between_stores_and_the_second_time_is_a_no_op(engine, target, tmp_path):
    for scope in (ANA, BEN, NORTH):
        await engine.ingest(scope, TURNS, agent="writer")
        await engine.ingest(scope, [TURNS[-1]])
    exported = [record async for record in engine.export(ANA)]
    assert [(record.text, record.occurrences) for record in exported][-1] == ("seen twice", 2)
    async with opened("memory://" if target == "memory" else f"sqlite:///{tmp_path}/other.db") as other:
        assert (await other.restore(engine.export(ANA))).count(Outcome.STORED) == 4
        assert [record async for record in other.export()] == exported
        again = await other.restore(engine.export(ANA))
        assert (again.count(Outcome.UNCHANGED), again.ids) == (4, tuple(record.id for record in exported))
        assert [record async for record in other.export()] == exported


def test_V03_an_export_names_its_form_and_version_and_holds_every_field(cli):
    cli.said("My boat is called Perseverance.", name="chat.json", timestamp="2026-03-02T09:00:00Z")
    header, line, *_ = cli("export", "--user", "ana").out.splitlines()
    assert json.loads(header) == {"muniment": "export", "version": 2}
    record = json.loads(line)
    assert (record["scope"], record["text"]) == ({"user": "ana"}, "My boat is called Perseverance.")
    assert record["said_at"].startswith("2026-03-02T09:00:00")
    assert {"id", "role", "kind", "speaker", "agent", "recorded_at"} <= record.keys()
    newer = json.dumps({"muniment": "export", "version": 3})
    assert cli.refused("import", cli.file("newer.jsonl", f"{newer}\n{line}\n"))["code"] == "export_version"
