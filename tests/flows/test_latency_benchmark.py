"""The latency benchmark at its smallest: it runs, and its document has the promised shape. Nothing here is timed."""

from __future__ import annotations

import json

import pytest
from benchmarks import latency, latency_peers

from muniment import Scope, sync

COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("latency")
    kept = ["--store", folder / "files", "--json", folder / "out.json", "--log", folder / "log.jsonl"]
    arguments = ["--size", "smoke", *kept, "--peers"]
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


@pytest.mark.parametrize("slice_", ["600/300-cold", "600/300-hot", "1k/300-cold", "1k/300-hot"])
def test_every_size_and_state_has_percentiles_and_its_ratio_to_the_bare_loop(document, slice_):
    assert {"p50", "p99", "found", "floor_ratio"} <= values(document, "muniment", slice_).keys()
    assert {"p50", "p99", "found"} <= values(document, "bare", slice_.removesuffix("-cold").removesuffix("-hot")).keys()


@pytest.mark.parametrize("slice_", ["1k/600-cold", "1k/600-hot"])
def test_a_wider_scope_of_the_same_file_is_measured_too(document, slice_):
    assert {"p50", "found", "floor_ratio"} <= values(document, "muniment", slice_).keys()


@pytest.mark.parametrize("readers", [1, 8])
def test_readers_at_once_are_measured_beside_a_writer(document, readers):
    found = values(document, "muniment", f"600/300-{readers} at once")
    assert {"p50", "p99", "questions", "writes"} <= found.keys()
    assert found["questions"] > 0


def test_what_the_writer_wrote_is_erased(run):
    path = next((run / "files").glob("muniment-600-*.db"))
    with sync.open(f"sqlite:///{path}", embedder=None) as engine:
        assert engine.stats().records == 600


@pytest.mark.skipif(latency.local_model() is None, reason="the extra local is not installed")
@pytest.mark.parametrize("state", ["-embedded", "-embedded again"])
def test_the_whole_way_with_embedding_is_measured(document, state):
    assert values(document, "muniment", f"1k/300{state}")["p50"] > 0


def test_something_was_derived_from_what_is_asked(run):
    path = next((run / "files").glob("muniment-600-*.db"))
    with sync.open(f"sqlite:///{path}", embedder=None) as engine:
        bundle = engine.retrieve(Scope(user="user-0"), "Which plan is it now?")
    assert any(hit.memories for hit in bundle)


def test_a_server_is_filled_once_and_measured_beside_the_file(run, emptied, tmp_path):
    arguments = ["--size", "smoke", "--store", run / "files", "--postgres", emptied, "--json", tmp_path / "out.json", "--peers"]
    assert latency.main([str(a) for a in arguments]) == 0
    assert latency.main([str(a) for a in arguments]) == 0
    document = json.loads((tmp_path / "out.json").read_text())
    assert {"p50", "floor_ratio"} <= values(document, "postgres", "600/300-hot").keys()


def test_growth_file_size_memory_and_ingest_rate_are_there(document):
    assert "growth" in values(document, "muniment", "600-1k/300-cold")
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
    assert len([line for line in ours if line["slice"].endswith("/300-cold")]) == 6 * 2
    assert all(line.keys() >= {"method", "slice", "question", "ms", "found"} for line in lines)


def test_kept_files_are_used_again(run):
    before = {path: path.stat().st_mtime_ns for path in (run / "files").glob("*.json")}
    assert before
    assert latency.main(["--size", "smoke", "--store", str(run / "files"), "--peers"]) == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of the peers
@pytest.mark.parametrize("name", sorted(latency_peers.PEERS))
def test_a_peer_is_asked_the_same_questions(run, tmp_path, name):
    if not latency_peers.installed(latency_peers.PEERS[name].distribution):
        pytest.skip(f"{name} is not installed")
    arguments = ["--size", "smoke", "--store", run / "files", "--json", tmp_path / "out.json", "--peers", name]
    assert latency.main([str(a) for a in arguments]) == 0
    document = json.loads((tmp_path / "out.json").read_text())
    assert values(document, name, "1k/300")["found"] == 1
    assert values(document, "muniment", "1k/300-hot")[f"{name}_ratio"] > 0
