"""The extraction benchmark: what it counts, and a bounded part of the real set."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from benchmarks import extraction
from benchmarks.__main__ import run

DIALOGUE = {
    "session": 1,
    "id": "talk_1",
    "user_memory": [["I have a parrot. My parrot is green."], []],
    "dialogue": [["I have a green parrot at home.", "Nice!"], ["That sounds lovely!", "Bye."]],
}


def test_a_statement_and_a_fact_are_the_same_when_half_their_content_words_are():
    same = extraction.overlap(extraction.content("user has a green parrot"), extraction.content("My parrot is green."))
    other = extraction.overlap(extraction.content("user lives in Porto"), extraction.content("My parrot is green."))
    assert same >= extraction.SAME > other == 0.0


def test_a_turn_is_scored_by_what_was_stored_of_it():
    first, second = extraction._turns("t", "t", DIALOGUE["dialogue"], DIALOGUE["user_memory"])
    kept = extraction.score(first, ["user has a green parrot", "user likes rain"])
    assert (kept.stored, kept.wanted, kept.facts, kept.recalled, kept.right) == (2, True, 2, 2, 1)
    assert not extraction.score(second, []).wanted
    assert [record.text for record in second.before] == ["I have a green parrot at home.", "Nice!"]


def test_a_third_of_the_talks_is_put_aside():
    share = sum(extraction.held_out(f"talk_{i}") for i in range(3000)) / 3000
    assert 0.3 < share < 0.37


def test_the_command_writes_a_document_with_the_baselines_beside_it(tmp_path, capsys):
    data, out, log = tmp_path / "valid.jsonl", tmp_path / "out.json", tmp_path / "log.jsonl"
    data.write_text("".join(json.dumps(DIALOGUE | {"id": f"talk_{i}"}) + "\n" for i in range(24)))
    assert run(["extraction", "--data", str(data), "--json", str(out), "--log", str(log)]) == 0
    rows = json.loads(out.read_text())["results"]
    assert {row["method"] for row in rows} == {"rules", "every sentence", "first person"}
    assert {row["slice"] for row in rows} >= {"overall", "held-out"}
    assert len(log.read_text().splitlines()) == 48
    assert "rules" in capsys.readouterr().out


@pytest.mark.data
def test_rules_store_more_of_what_is_worth_keeping_than_every_sentence_does():
    folder = os.environ.get("MUNIMENT_DATA")
    if not folder:
        pytest.skip("MUNIMENT_DATA names no folder of data sets")
    rows, _ = extraction.run(Path(folder) / "msc" / "valid.jsonl", most=300)
    of = {(row.method, row.metric): row.value for row in rows if row.slice == "overall"}
    assert of["rules", "f1"] > of["every sentence", "f1"] + 0.02
    assert of["rules", "stored_right"] > 1.5 * of["every sentence", "stored_right"]
