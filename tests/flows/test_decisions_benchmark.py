"""The decisions benchmark on a few made conversations and on somebody else's file."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import __main__ as runner
from benchmarks import decisions
from benchmarks.decisions_data import Gold, make, read_log
from benchmarks.decisions_styles import read_styles


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


def test_the_conversations_in_styles_name_gold_that_stands_in_their_turns():
    for slice_, name in decisions.STYLES.items():
        talks = read_styles(Path(decisions.__file__).with_name(name), slice_=slice_)
        assert len({talk.user for talk in talks}) == len(talks) >= 30
        for talk in talks:
            for gold in talk.gold:
                assert decisions.found_in(gold.chosen, talk.turns[gold.turn].text)
                every = " ".join(turn.text for turn in talk.turns)
                for piece in filter(None, (gold.rationale, *gold.alternatives, gold.outcome)):
                    assert decisions.found_in(piece, every)


def test_a_heading_inside_a_turn_opens_no_conversation(tmp_path):
    file = tmp_path / "talks.txt"
    file.write_text("## adr 1\n@ bot\n## Decision\nWe use slate.\n= slate | | tiles ; thatch | dry\n@ user +3\nIt is dry.\n")
    (talk,) = read_styles(file, slice_="s")
    assert [turn.text for turn in talk.turns] == ["## Decision\nWe use slate.", "It is dry."]
    assert talk.gold == (Gold(turn=0, chosen="slate", alternatives=("tiles", "thatch"), outcome="dry", about="slate"),)
