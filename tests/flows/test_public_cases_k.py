"""Public cases of kind K: large inputs."""

from __future__ import annotations

import pytest
from cases import ANA, BEN, clean_or_told, kept, texts

from muniment import Outcome, Turn
from muniment.ingest.rules import MAX_TEXT
from muniment.types import Fate


@pytest.mark.parametrize("by", ["ids", "conversation", "scope"])
async def test_K07_eight_hundred_records_of_one_user_go_in_one_call(engine, by):
    ids = (await engine.ingest(ANA, [f"note {n}" for n in range(800)], conversation="talk")).ids
    await engine.ingest(BEN, "stays")
    erasure = await engine.forget(ANA, **{"ids": {"ids": ids}, "conversation": {"conversation": "talk"}, "scope": {}}[by])
    assert (erasure.records, clean_or_told(erasure)) == (800, True)
    assert await kept(engine, ANA) == texts(await engine.retrieve(ANA, "note")) == []
    assert await kept(engine, BEN) == ["stays"]


async def test_K08_a_thousand_tool_outputs_are_kept_and_each_in_a_prompt_has_a_fate(engine):
    turns = []
    for n in range(500):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "rows", "arguments": "{}"}}
        turns.append({"role": "assistant", "content": None, "tool_calls": [call]})
        turns.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"output {n} " + "row " * 400})
    receipt = await engine.ingest(ANA, turns, conversation="now")
    assert receipt.count(Outcome.STORED) == 1000
    made = (await engine.assemble(ANA, "What did the tools say?", budget=2000, conversation="now")).compilation
    assert made.tokens <= 2000
    assert "output 499" in made.text
    assert any(row.name.startswith("turns before") for row in made.left_out)
    fates = {row.name: row.fate for row in made.receipt}
    assert {Fate.INCLUDED, Fate.OVER_BUDGET} <= set(fates.values())
    assert len(fates) == len(made.receipt)
    results = [block for block in made.blocks if block.tool_call_id]
    calls = {call.id for block in made.blocks for call in block.tool_calls}
    assert {block.tool_call_id for block in results} == calls


async def test_K08_a_message_of_three_hundred_thousand_tokens_is_kept_whole_and_found_in_its_middle(engine):
    text = "tide " * 100_000 + "the needle is saffron " + "boat " * 100_000
    receipt = await engine.ingest(ANA, [text, "x" * (2 * MAX_TEXT), Turn(text="a neighbour")])
    assert [item.reason for item in receipt.items] == ["", "too_large", ""]
    assert await kept(engine, ANA) == [text, "a neighbour"]
    (hit,) = await engine.retrieve(ANA, "saffron needle")
    start, end = hit.passage
    assert "saffron" in hit.record.text[start:end]
    assert end - start < 5000
    made = (await engine.assemble(ANA, "Where is the saffron?", budget=1500)).compilation
    assert "the needle is saffron" in made.text
    whole = (await engine.assemble(BEN, text, budget=1_000_000)).compilation
    assert text.strip() in whole.text


async def test_K08_a_message_with_its_words_far_from_its_ends_is_searched_by_them(engine):
    await engine.ingest(ANA, "the needle is saffron")
    turn = await engine.assemble(ANA, "\n" * 9000 + "Where is the saffron?" + " " * 9000, budget=500)
    assert texts(turn.bundle) == ["the needle is saffron"]


def test_K08_a_file_of_two_megabytes_without_a_space_is_cut_and_nothing_is_lost(cli):
    text = "".join(map(str, range(355_000)))
    assert len(text) >= 2_000_000
    done = cli.as_json("ingest", cli.file("giant.txt", text), "--user", "ana")["files"][0]
    assert done["counts"]["stored"] == len(done["items"]) > 1
    listed, cursor = [], ()
    while cursor is not None:
        page = cli.as_json("list", "--user", "ana", "--limit", "1000", *cursor)
        listed += page["records"]
        cursor = ("--cursor", page["cursor"]) if page["cursor"] else None
    assert "".join(record["text"] for record in reversed(listed)) == text
