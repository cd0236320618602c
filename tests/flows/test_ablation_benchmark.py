"""The benchmark that leaves one reason of retrieval out at a time, on tiny files of the same formats."""

from __future__ import annotations

import argparse
import asyncio

import pytest
from benchmarks import ablation
from test_benchmarks_quality import locomo_sample, longmemeval_file, write

from muniment.retrieve.weights import Weights
from muniment.testing import TableEmbedder


@pytest.fixture
def data(tmp_path):
    for name, content in (("locomo", [locomo_sample("one", "Ada", "Grace")]), ("longmemeval", longmemeval_file())):
        (tmp_path / name).mkdir()
        write(tmp_path / name / "dev.json", content)
    return tmp_path


def test_each_setting_leaves_one_thing_out_and_differences_are_paired(data):
    args = argparse.Namespace(data=data, talks=None, haystacks=2, only=["words", "memories"])
    found = {(row.method, row.slice, row.metric): row for row in asyncio.run(ablation.run(args, TableEmbedder(dim=16)))}
    assert {method for method, _, _ in found} == {"whole", "- words", "- memories"}
    whole = found["whole", "locomo overall", "recall@10"]
    less = found["- words", "locomo overall", "recall@10"]
    assert whole.n == less.n == 4
    assert -1 <= less.low <= less.value <= less.high <= 1
    assert found["whole", "longmemeval overall", "recall_all@5"].n == 2


def test_every_reason_of_the_product_has_a_setting():
    tried = ablation.settings()
    assert tried["whole"] == Weights()
    for name in ("words", "meaning", "speaker", "time", "telling", "entities", "slot"):
        assert getattr(tried[f"- {name}"], name) == 0
    assert tried["- context"].reach == ()
