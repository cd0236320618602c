"""The study on tiny collections of the same formats: it runs through the product, and gold is read as each set writes it."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import numpy as np
import pytest
from benchmarks import study
from benchmarks.study_data import read

from muniment.testing import TableEmbedder

PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere"))
METHODS = {study.KEYWORD, study.VECTOR, study.HYBRID}


def lines(*items):
    return "".join(json.dumps(item) + "\n" for item in items)


@pytest.fixture
def data(tmp_path):
    """Three made-up collections, each in the form of one set."""
    files = {
        "code/codes.json": json.dumps(["def add(a, b):\n    return a + b", "def read(path):\n    return open(path)"]),
        "code/queries_x.jsonl": lines({"id": "c1", "query": "sum of two numbers", "gold": 0}),
        "titled/paragraphs.json": json.dumps({"Orchid": ["A flower.", " It grows slowly."], "Harbour": ["Boats lie there."]}),
        "titled/queries_x.jsonl": lines({"index": 0, "query": "What grows slowly?", "gold": [["Orchid", 1], ["Orchid", 0]]}),
        "graded/documents.json": json.dumps([{"title": "t", "text": f"wings and air, part {n}"} for n in range(4)]),
        "graded/queries_x.jsonl": lines({"index": 7, "query": "part 2 of wings", "relevance": {"2": 1, "3": 4, "0": -1}}),
        "longmemeval/dev.json": json.dumps(
            {"questions": [], "sessions": {"s": [{"role": "assistant", "content": f"Advice number {n}."} for n in range(5)]}}
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(data, **options):
    embedder = TableEmbedder(dim=64)
    return asyncio.run(study.run(data, embedder=embedder, model=embedder, **{"common": 0, "timed": 0} | options))


def test_gold_is_read_as_each_set_writes_it(data):
    gold = {one.name: one.questions[0].gold for one in read(data)}
    assert gold == {"cosqa": {"0"}, "hotpotqa": {"Orchid"}, "cranfield": {"2", "3"}}


@pytest.mark.parametrize("place", ["code", "code/queries_x.jsonl", "code/codes.json"])
def test_one_folder_or_one_file_is_a_collection_too(data, place):
    assert [one.name for one in read(data / place)] == ["cosqa"]


def test_each_set_has_both_measures_with_bounds_by_each_method(data):
    rows, _ = run(data)
    found = {(row.slice, row.method) for row in rows if row.metric == "mrr@10"}
    assert found >= {(name, method) for name in ("cosqa", "hotpotqa", "cranfield") for method in METHODS}
    assert all(row.low <= row.value <= row.high for row in rows if row.low is not None)


def test_all_documents_are_searched_together_up_to_the_common_number(data):
    rows, logs = run(data, common=12)
    assert {row.slice for row in rows if row.slice.endswith("in 12")} == {"cosqa in 12", "hotpotqa in 12", "cranfield in 12"}
    assert next(row.value for row in rows if (row.slice, row.method, row.metric) == ("hotpotqa in 12", "hybrid", "mrr@10")) == 1
    assert all(line["ids"] for line in logs if line["method"] == study.HYBRID)


def test_where_too_little_is_there_nothing_is_padded(data):
    rows, _ = run(data, common=100)
    assert not [row for row in rows if "in 100" in row.slice]


def test_indexing_and_disk_are_measured_for_words_and_for_both(data):
    rows, _ = run(data, timed=2)
    metrics = {(row.method, row.metric) for row in rows if row.slice == "cosqa"}
    assert metrics >= {(study.KEYWORD, "index_seconds"), (study.VECTOR, "index_seconds"), (study.HYBRID, "vector_tax")}
    assert metrics >= {(study.KEYWORD, "disk"), (study.HYBRID, "disk"), (study.VECTOR, "embed_query")}


def test_without_an_embedder_words_alone_are_measured(data):
    rows, _ = asyncio.run(study.run(data / "code", embedder=None, model=None, common=0, timed=1))
    assert {row.method for row in rows} == {study.KEYWORD}


def test_a_folder_without_a_collection_is_told_so(tmp_path):
    with pytest.raises(SystemExit, match="holds no collection"):
        asyncio.run(study.run(tmp_path, embedder=None, model=None))


def test_a_measure_counts_the_first_answer_and_the_share_of_all():
    assert study.measure(["x", "a", "b"], {"a", "b", "c", "d"}) == {"mrr@10": 0.5, "recall@10": 0.5}
    assert study.measure(["x"] * 10 + ["a"], {"a"}) == {"mrr@10": 0.0, "recall@10": 0.0}


@pytest.mark.data
@pytest.mark.skipif(not (PUBLIC / "xquad_en").is_dir(), reason="MUNIMENT_DATA names no folder with XQuAD")
def test_words_alone_find_the_paragraphs_of_questions_on_them():
    one = read(PUBLIC / "xquad_en")[0]
    part = study.Slice(one.documents, {one.name: one.questions[:60]})
    answers = asyncio.run(study.answers_of(part, embedder=None, store="memory://"))[one.name]
    assert np.mean([a.measures["mrr@10"] for a in answers[study.KEYWORD]]) > 0.9
