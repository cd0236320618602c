"""The compile benchmark at its smallest: it runs, and its document has the promised shape. Nothing here is timed."""

from __future__ import annotations

import json

import pytest
from benchmarks import compiling

COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    out = tmp_path_factory.mktemp("compile") / "out.json"
    assert compiling.main(["--sizes", "31", "200", "--rounds", "0.005", "--embedder", "hashed", "--json", str(out)]) == 0
    return json.loads(out.read_text())


def rows(document, method, slice_):
    return {row["metric"]: row for row in document["results"] if (row["method"], row["slice"]) == (method, slice_)}


def test_the_document_says_what_was_measured_where_and_when(document):
    assert document["benchmark"] == "compile"
    assert {"benchmark", "data", "commit", "machine", "seconds", "results"} <= document.keys()
    assert all(row.keys() == COLUMNS for row in document["results"])


@pytest.mark.parametrize("size", [31, 200])
def test_every_size_has_its_time_and_its_ratio_to_a_join_after_every_kind_of_change(document, size):
    for state in ("changed", "unchanged", "moved", "written", "evicted"):
        ours, join = rows(document, "muniment", f"{size}-{state}"), rows(document, "join", f"{size}-{state}")
        assert ours["p50"]["unit"] == join["p50"]["unit"] == "us"
        assert ours["join_ratio"]["low"] <= ours["join_ratio"]["value"] <= ours["join_ratio"]["high"]
    assert rows(document, "naive", f"{size}-changed").keys() == {"p50", "join_ratio"}


def test_what_is_left_for_later_and_what_takes_the_whole_walk_is_reported_apart(document):
    for name in ("hash", "blocks", "receipt", "prefix", "tight", "mixed", "recount-estimate", "find"):
        assert "p50" in rows(document, "muniment", f"200-{name}")
    assert "product_ratio" in rows(document, "muniment", "200-find")
    assert "embedding_ratio" in rows(document, "muniment, vectors kept", "31-cold")


def test_figures_from_elsewhere_are_labelled_as_such(document):
    assert rows(document, "paper, another machine", "200-changed")["p50"]["value"] == 12.5
