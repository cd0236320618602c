"""The benchmark of speed: its turns, its rows, and a short run through the product."""

from __future__ import annotations

import json
import os
from itertools import islice
from pathlib import Path

import pytest
from benchmarks import throughput
from benchmarks.__main__ import run
from benchmarks.throughput_data import TALK, first, made, sources
from benchmarks.throughput_stages import records_of, stages

PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere"))


def test_a_seed_gives_the_same_turns_and_hardly_any_twice():
    one, same = list(islice(made(3), 20)), list(islice(made(3), 20))
    texts = [turn.text for talk in one for turn in talk.turns]
    assert one == same
    assert len(set(texts)) > 0.99 * len(texts) == 0.99 * 20 * TALK
    assert all(10 <= len(text.split()) <= 40 for text in texts)


def test_the_last_conversation_is_cut_to_the_turns_asked_for():
    assert [len(talk.turns) for talk in first(made(), TALK + 5)] == [TALK, 5]


def test_a_record_stands_behind_those_before_it():
    read = records_of(first(made(), 9)[0])
    assert [len(before) for _, before in read] == [0, 1, 2, 3, 4, 5, 6, 6, 6]


def test_every_stage_is_told():
    assert set(stages(first(made(), 30))) == {"extract", "judge", "names", "times", "decisions", "pronouns", "facts"}


def test_growth_is_told_of_a_run():
    turns = [100] * 30
    made_up = throughput.Run(
        stored=throughput.Spent(3000, 1.0, 1.0),
        stretches=[throughput.Spent(n, 0.1 + 0.01 * place, 0.2) for place, n in enumerate(turns)],
        resident=[(100 + place) << 20 for place, _ in enumerate(turns)],
    )
    told = {row.metric: row.value for row in throughput.growth("made up", "sqlite", made_up)}
    assert told["first_tenth_ms"] < told["middle_tenth_ms"] < told["last_tenth_ms"]
    assert told["mib_per_10k_turns"] == pytest.approx(100)


def test_a_short_run_measures_storing_and_reading_on_both_stores(tmp_path):
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    try:
        assert run(["throughput", "--turns", "60", "--long", "60", "--json", str(tmp_path / "out.json")]) == 0
    finally:
        if cores is not None:
            os.sched_setaffinity(0, cores)
    document = json.loads((tmp_path / "out.json").read_text())
    found = {(row["slice"], row["method"], row["metric"]): row["value"] for row in document["results"]}
    for method in ("memory", "sqlite"):
        for metric in ("stored_per_second", "read_per_second", "both_per_second", "plain_loops"):
            assert found["made", method, metric] > 0
    assert found["60 turns, 1000 scopes", "sqlite", "last_tenth_ms"] > 0


@pytest.mark.data
@pytest.mark.skipif(not (PUBLIC / "msc").is_dir(), reason="MUNIMENT_DATA does not hold msc/")
def test_public_talk_is_read_in_order():
    found = {name: first(talks, 40) for name, talks in sources(PUBLIC).items()}
    assert "msc" in found
    assert all(sum(len(talk.turns) for talk in talks) == 40 for talks in found.values())
