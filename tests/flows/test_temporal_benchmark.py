"""The temporal benchmark on a small set in the same format, and its goals on a part of the public one where that is at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from benchmarks import __main__ as runner
from benchmarks import temporal

PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere")) / "recognizers_text"
COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}
AT = {"ReferenceDateTime": "2026-03-20T12:00:00"}


def value(kind, **told):
    return {"TypeName": f"datetimeV2.{kind}", "Resolution": {"values": [{"type": kind, **told}]}}


CASES = [
    {  # a model: inclusive end, values
        "file": "DateTimeModel",
        "index": 0,
        "Input": "we leave tomorrow",
        "Context": AT,
        "Results": [{"Text": "tomorrow", "Start": 9, "End": 16, **value("date", timex="2026-03-21", value="2026-03-21")}],
    },
    {  # a parser: start and length, past and future
        "file": "DateParser",
        "index": 1,
        "Input": "back on May 7 at 5pm",
        "Context": AT,
        "Results": [
            {
                "Text": "May 7",
                "Type": "date",
                "Start": 8,
                "Length": 5,
                "Value": {
                    "Timex": "XXXX-05-07",
                    "FutureResolution": {"date": "2026-05-07"},
                    "PastResolution": {"date": "2025-05-07"},
                },
            }
        ],
    },
    {"file": "SetParser", "index": 2, "Input": "nothing here", "Results": []},
    {"file": "DurationExtractor", "index": 3, "Input": "for 3 hours", "Results": [{"Type": "duration", "Start": 4, "Length": 7}]},
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "datetime_en_dev.jsonl"
    path.write_text("\n".join(map(json.dumps, CASES)), encoding="utf-8")
    return path


def test_both_formats_of_the_set_are_read(file):
    model, parser, empty, extractor = temporal.read(file.parent)
    assert [model.text[g.start : g.end] for g in model.gold] == ["tomorrow"]
    assert [parser.text[g.start : g.end] for g in parser.gold] == ["May 7"]
    assert [one.value for one in parser.gold[0].values] == ["2026-05-07", "2025-05-07"]
    assert (empty.gold, extractor.gold[0].values) == ((), ())


def test_a_case_counts_spans_and_values(file):
    model, parser, empty, extractor = temporal.read(file)
    assert temporal.counts(model, temporal.ours(model.text, model.reference)) == (1, 1, 1, 1, 1)
    assert temporal.counts(empty, temporal.ours(empty.text, empty.reference)) == (0, 0, 0, 0, 0)
    assert temporal.counts(extractor, temporal.ours(extractor.text, extractor.reference)) == (1, 1, 1, 0, 0)
    joined = temporal.counts(parser, temporal.ours(parser.text, parser.reference))
    assert joined == (0, 0, 1, 0, 1)  # "May 7 at 5pm" is a moment, and this file asks for days


def test_the_runner_writes_a_tidy_document_and_a_log(file, tmp_path, capsys):
    document, log = tmp_path / "out.json", tmp_path / "log.jsonl"
    assert runner.run(["temporal", "--data", str(file), "--alone", "--json", str(document), "--log", str(log)]) == 0
    written = json.loads(document.read_text(encoding="utf-8"))
    assert written["benchmark"] == "temporal"
    assert all(set(row) == COLUMNS for row in written["results"])
    assert len(log.read_text(encoding="utf-8").splitlines()) == len(CASES)
    assert "span_f1" in capsys.readouterr().out


@pytest.mark.data
@pytest.mark.skipif(not PUBLIC.exists(), reason="needs the public date phrases")
def test_the_goals_on_the_public_phrases():
    cases = [case for case in temporal.read(PUBLIC) if case.file in temporal.KINDS]
    rows, _ = temporal.measure(cases, {"muniment": temporal.ours})
    measured = {(row.slice, row.metric): row.value for row in rows}
    assert measured["overall", "span_f1"] >= 0.93
    assert measured["overall", "value_accuracy"] >= 0.92
    assert measured["held-out", "span_f1"] >= 0.84
    assert measured["held-out", "value_accuracy"] >= 0.84
