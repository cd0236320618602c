"""The latency benchmark at its smallest: it runs, and its document has the promised shape. Nothing here is timed."""

from __future__ import annotations

import json

import pytest
from benchmarks import latency

COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("latency")
    arguments = ["--size", "smoke", "--store", folder / "files", "--json", folder / "out.json", "--log", folder / "log.jsonl"]
    assert latency.main([str(a) for a in arguments]) == 0
    return folder


@pytest.fixture
def document(run):
    return json.loads((run / "out.json").read_text())


def values(document, method, slice_):
    return {r["metric"]: r["value"] for r in document["results"] if (r["method"], r["slice"]) == (method, slice_)}


def test_the_document_says_what_was_measured_where_and_when(document):
    assert document["benchmark"] == "latency"
    assert {"benchmark", "data", "commit", "machine", "seconds", "results"} <= document.keys()
    assert document["results"]
    assert all(row.keys() == COLUMNS for row in document["results"])


@pytest.mark.parametrize("slice_", ["600/300-cold", "600/300-hot", "2k/300-cold", "2k/300-hot"])
def test_every_size_and_state_has_percentiles_and_its_ratio_to_the_bare_loop(document, slice_):
    assert {"p50", "p99", "found", "floor_ratio"} <= values(document, "muniment", slice_).keys()
    assert {"p50", "p99", "found"} <= values(document, "bare", slice_.removesuffix("-cold").removesuffix("-hot")).keys()


def test_growth_file_size_memory_and_ingest_rate_are_there(document):
    assert "growth" in values(document, "muniment", "600-2k/300-cold")
    metrics = {row["metric"] for row in document["results"]}
    assert {"ingest_rate", "file_size", "peak_memory"} <= metrics


def test_all_sides_find_most_of_the_memories_the_questions_were_made_from(document):
    found = {(r["method"], r["slice"]): r["value"] for r in document["results"] if r["metric"] == "found"}
    assert min(found.values()) >= 0.8


def test_bounds_enclose_their_value(document):
    bounded = [r for r in document["results"] if r["low"] is not None]
    assert bounded
    assert all(r["low"] <= r["value"] <= r["high"] for r in bounded)


def test_the_log_has_one_line_per_answer(run):
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert len({(line["method"], line["slice"], line["question"]) for line in lines}) == len(lines)
    ours = [line for line in lines if line["method"] == "muniment"]
    assert len(ours) == 6 * 2 * 2
    assert all(line.keys() >= {"method", "slice", "question", "ms", "found"} for line in lines)


def test_kept_files_are_used_again(run):
    before = {path: path.stat().st_mtime_ns for path in (run / "files").glob("*.json")}
    assert before
    assert latency.main(["--size", "smoke", "--store", str(run / "files")]) == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before
