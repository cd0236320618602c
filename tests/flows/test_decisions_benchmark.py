"""The decisions benchmark on a few made conversations and on somebody else's file."""

from __future__ import annotations

import json

from benchmarks import __main__ as runner
from benchmarks import decisions
from benchmarks.decisions_data import Gold, make, read_log


def test_the_same_seed_makes_the_same_conversations():
    assert make(seed=3, talks=4) == make(seed=3, talks=4)
    assert make(seed=3, talks=4) != make(seed=4, talks=4)


def test_gold_stands_in_the_turn_it_names():
    for talk in make(seed=5, talks=12):
        for gold in talk.gold:
            assert gold.chosen in talk.turns[gold.turn].text
            assert not gold.outcome or any(gold.outcome.casefold() in turn.text.casefold() for turn in talk.turns)


def test_a_small_run_reports_every_piece_and_no_precedent_across_customers(tmp_path, capsys):
    out, found = tmp_path / "out.json", tmp_path / "found.jsonl"
    assert runner.run(["decisions", "--seed", "1", "--talks", "8", "--json", str(out), "--found", str(found)]) == 0
    rows = {(row["slice"], row["metric"]): row for row in json.loads(out.read_text())["results"]}
    for piece in decisions.PIECES:
        assert rows["templates", f"{piece}_f1"]["value"] > 0.8
    assert rows["precedents", "found across customers"]["value"] == 0
    assert rows["precedents", "read from a sibling"]["value"] == 0
    assert len(found.read_text().splitlines()) == 8
    assert "held-out" in capsys.readouterr().out


def test_somebody_elses_file_is_scored(tmp_path):
    log, out = tmp_path / "log.jsonl", tmp_path / "out.json"
    line = {
        "user": "ana", "customer": "acme",
        "turns": [{"role": "user", "text": "We decided on slate instead of tiles because it lasts.",
                   "said_at": "2026-03-01T10:00:00+00:00"}],
        "decisions": [{"turn": 0, "chosen": "slate", "rationale": "it lasts", "alternatives": ["tiles"]}],
    }  # fmt: skip
    log.write_text(json.dumps(line) + "\n")
    assert read_log(log)[0].gold == (Gold(turn=0, chosen="slate", rationale="it lasts", alternatives=("tiles",), about="slate"),)
    assert runner.run(["decisions", "--log", str(log), "--json", str(out)]) == 0
    rows = {(row["slice"], row["metric"]): row["value"] for row in json.loads(out.read_text())["results"]}
    assert [rows["log", f"{piece}_f1"] for piece in ("decision", "rationale", "alternative")] == [1.0, 1.0, 1.0]
