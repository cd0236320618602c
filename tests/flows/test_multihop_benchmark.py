"""The benchmark of questions with two hops, on a made-up collection of the same form."""

from __future__ import annotations

import asyncio
import json

import pytest
from benchmarks import multihop

from muniment.testing import TableEmbedder

PARAGRAPHS = {
    "The Glass Harbour": ["The Glass Harbour is a film of 1998.", " It was directed by Mirela Vantok."],
    "Mirela Vantok": ["Mirela Vantok is a director.", " She was born in Trebnik."],
    "Oskar Pelm": ["Oskar Pelm is a painter.", " He lives by the sea."],
    "The Paper Gate": ["The Paper Gate is a novel.", " Oskar Pelm wrote it."],
}
ASKED = {
    "index": 0,
    "query": "Where was the director of the film The Glass Harbour born?",
    "gold": [["The Glass Harbour", 1], ["Mirela Vantok", 1]],
}


@pytest.fixture
def data(tmp_path):
    (tmp_path / "paragraphs.json").write_text(json.dumps(PARAGRAPHS))
    (tmp_path / "queries_x.jsonl").write_text(json.dumps(ASKED) + "\n")
    return tmp_path


def test_every_method_is_measured_and_the_walks_gain_is_paired(data):
    rows, logs = asyncio.run(multihop.run(data, embedder=TableEmbedder(dim=32)))
    of = {(row.method, row.metric): row for row in rows}
    methods = {multihop.WALK, multihop.NO_WALK, multihop.ALONE, multihop.WORDS, "bm25", "dense"}
    assert {method for method, metric in of if metric == "all@10"} == {*methods, multihop.GAIN}
    assert of[multihop.WALK, "all@5"].value == 1.0
    gain = of[multihop.GAIN, "all@10"]
    assert gain.value == of[multihop.WALK, "all@10"].value - of[multihop.NO_WALK, "all@10"].value
    assert gain.low <= gain.value <= gain.high
    assert {log["method"] for log in logs} == methods - {"bm25", "dense"}


def test_both_paragraphs_count_only_together():
    assert multihop.measure(["a", "x", "b"], frozenset("ab")) == {"all@5": 1, "recall@5": 1, "all@10": 1, "recall@10": 1}
    late = multihop.measure(["a", *"uvwxyz", "b"], frozenset("ab"))
    assert (late["all@5"], late["recall@5"], late["all@10"]) == (0, 0.5, 1)


def test_a_folder_without_such_a_collection_is_refused_by_name(tmp_path):
    with pytest.raises(SystemExit, match=r"paragraphs\.json"):
        asyncio.run(multihop.run(tmp_path, embedder=None))


def test_words_alone_are_enough_to_run(data):
    rows, _ = asyncio.run(multihop.run(data, embedder=None))
    assert "dense" not in {row.method for row in rows}
