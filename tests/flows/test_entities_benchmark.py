"""The entities benchmark on small sets in the same format, and its goals on the public ones where those are at hand."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from benchmarks import __main__ as runner
from benchmarks import entities, entities_data, extraction_names

PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere"))
COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}
PERSONS = [
    ("rec-0-org", "ana", "keller", "1984-02-01", "5551234"),
    ("rec-0-dup-0", "ana", "kelller", "1984-02-01", "5551234"),
    ("rec-1-org", "boris", "lindt", "1950-11-30", "7770001"),
    ("rec-2-org", "carla", "ortega", "1971-07-07", "9081726"),
    ("rec-2-dup-0", "carla", "ortega", "", "9081726"),
    ("rec-3-org", "dmitri", "vogel", "1999-05-05", "1112223"),
]
SAME = {"left": "Bob Hall", "right": "Robert Hall", "same": True}
OTHER = {"left": "Sarah Chen", "right": "Sarah Miller", "same": False}
SONGS = [
    ("Blue Noon", "The Larks", "3:05"),
    ("Grey Dawn", "Ott", "4:41"),
    ("Iron Sky", "Mel Tor", "2:22"),
    ("Low Tide", "Kaya", "5:00"),
]


@pytest.fixture
def data(tmp_path):
    (tmp_path / "febrl").mkdir()
    with (tmp_path / "febrl" / "dataset9.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("rec_id", "given_name", "surname", "date_of_birth", "soc_sec_id"), *PERSONS])
    (tmp_path / "deepmatcher").mkdir()
    fields = ("Song", "Artist", "Time")
    heading = ("id", "label", *(f"{side}_{field}" for side in ("left", "right") for field in fields))
    pairs = [(n, int(n % 4 == n // 4), *SONGS[n % 4], *SONGS[n // 4]) for n in range(16)]
    for name in ("train", "other"):
        with (tmp_path / "deepmatcher" / f"itunes_amazon_{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([heading, *pairs])
    return tmp_path


def test_the_document_has_every_slice_and_no_lookalikes_are_merged(data, tmp_path, capsys):
    out, log = tmp_path / "out.json", tmp_path / "log.jsonl"
    assert runner.run(["entities", "--data", str(data), "--json", str(out), "--log", str(log)]) == 0
    document = json.loads(out.read_text())
    assert {"benchmark", "data", "commit", "machine", "seconds", "results"} == set(document)
    rows = document["results"]
    assert all(set(row) == COLUMNS for row in rows)
    found = {(row["method"], row["slice"], row["metric"]): row["value"] for row in rows}
    assert found["muniment", "songs-other", "f1"] == 1.0
    assert found["muniment", "lookalikes", "false_merges"] == 0
    assert found["muniment", "lookalikes", "recall"] >= 0.95
    assert ("muniment", "febrl-9", "f1") in found
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert sum(line["same"] is False for line in lines) >= 200
    assert "lookalikes" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "left\tright\tkind\tsame\nSarah Chen\tSarah Miller\tperson\t0\nBob Hall\tRobert Hall\tperson\t1\n",
        "left,right,label\nSarah Chen,Sarah Miller,0\nBob Hall,Robert Hall,1\n",
        "\n".join(map(json.dumps, (OTHER, SAME))),
    ],
)
def test_somebody_elses_pairs_are_read_with_or_without_kinds(tmp_path, text, monkeypatch):
    monkeypatch.delenv("MUNIMENT_DATA", raising=False)
    (tmp_path / "pairs.txt").write_text(text)
    rows, log = entities.measure(None, tmp_path / "pairs.txt")
    assert {row.metric: row.value for row in rows} == {"false_merges": 0, "recall": 1}
    assert [line["merged"] for line in log] == [False, True]


def test_a_false_merge_is_shown_and_ends_in_failure(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("MUNIMENT_DATA", raising=False)
    (tmp_path / "pairs.tsv").write_text("left\tright\tkind\tsame\nSarah Chen\tDr. Sarah Chen\tperson\t0\n")
    assert runner.run(["entities", "--pairs", str(tmp_path / "pairs.tsv")]) == 1
    assert "merged, but two: Sarah Chen / Dr. Sarah Chen" in capsys.readouterr().out


def test_files_of_one_number_are_one_set(data):
    (data / "febrl" / "dataset7a.csv").write_text("rec_id, given_name\nrec-5-org, ana\n")
    (data / "febrl" / "dataset7b.csv").write_text("rec_id, given_name\nrec-5-dup-0, anna\n")
    seven = next(one for one in entities_data.persons(data / "febrl") if one.name == "febrl-7")
    assert seven.gold == {(0, 1)}


@pytest.mark.data
@pytest.mark.skipif(not (PUBLIC / "febrl").is_dir(), reason="MUNIMENT_DATA names no folder with febrl")
def test_persons_are_matched_without_labels_as_well_as_the_goal_asks():
    first = entities_data.persons(PUBLIC / "febrl")[0]
    assert {row.metric: row.value for row in entities.measure_persons(first) if row.method == "muniment"}["f1"] >= 0.95


@pytest.mark.data
@pytest.mark.skipif(not (PUBLIC / "deepmatcher").is_dir(), reason="MUNIMENT_DATA names no folder with deepmatcher")
def test_songs_are_matched():
    train, asked = (entities_data.songs(PUBLIC / "deepmatcher" / f"itunes_amazon_{name}.csv") for name in ("train", "validation"))
    rows = entities.measure_songs(train, asked, "songs")
    assert all(row.value >= 0.85 for row in rows if row.metric == "f1")


@pytest.mark.data
@pytest.mark.skipif(not (PUBLIC / "wnut17").is_dir(), reason="MUNIMENT_DATA names no folder with wnut17")
def test_names_in_noisy_posts_are_found():
    rows = {(row.slice, row.metric): row.value for row in extraction_names.names(PUBLIC / "wnut17" / "dev.conll")}
    assert rows["wnut17", "f1"] >= 0.5
    assert rows["wnut17-held-out", "f1"] >= 0.45
