"""The benchmark of personal data and secrets: its generator, its measures and its goals on a small draw."""

from __future__ import annotations

import json

from benchmarks import __main__ as runner
from benchmarks import pii, pii_data, pii_values

COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}


def value(rows, slice_, metric, method="muniment"):
    return next(r["value"] for r in rows if (r["method"], r["slice"], r["metric"]) == (method, slice_, metric))


def test_the_benchmark_meets_its_goals_on_a_small_draw(tmp_path, capsys):
    out = tmp_path / "pii.json"
    assert runner.run(["pii", "--count", "480", "--seed", "7", "--json", str(out), "--found", str(tmp_path / "found.jsonl")]) == 0
    rows = json.loads(out.read_text(encoding="utf-8"))["results"]
    assert {key for row in rows for key in row} == COLUMNS
    assert value(rows, "masked kinds", "recall") >= 0.95
    assert value(rows, "masked kinds", "precision") >= 0.98
    assert value(rows, "look-alikes", "masked_alarms") <= 0.02
    assert "masked kinds" in capsys.readouterr().out


def test_the_look_alikes_are_many_and_hold_nothing_to_find():
    cases = pii_data.look_alikes(1)
    assert len(cases) >= 300
    assert not any(case.spans for case in cases)


def test_every_planted_value_stands_where_its_span_says():
    for case in pii_data.labelled(3, 200):
        assert case.spans
        assert all(case.text[span.start : span.end].strip() for span in case.spans)


def test_made_cards_pass_their_check_and_spoilt_ones_do_not():
    rng = pii_data.random.Random(1)
    right = ["".join(filter(str.isdigit, pii_values.card(rng))) for _ in range(50)]
    wrong = ["".join(filter(str.isdigit, pii_values.card(rng, right=False))) for _ in range(50)]
    assert all(pii_values.luhn_sum(number) % 10 == 0 for number in right)
    assert not any(pii_values.luhn_sum(number) % 10 == 0 for number in wrong)


def test_a_value_counts_as_found_only_when_all_of_it_is_covered_by_its_kind():
    case = pii_data.Case(text="ab@c.de", spans=[pii_data.Span(kind="email", start=0, end=7)])
    part = [pii_data.Span(kind="email", start=0, end=5)]
    other = [pii_data.Span(kind="phone", start=0, end=7)]
    assert pii.judged(case, part) == [("email", "recall", 0.0), ("email", "exact", 0.0), ("email", "precision", 1.0)]
    assert pii.judged(case, other) == [("email", "recall", 0.0), ("email", "exact", 0.0), ("phone", "precision", 0.0)]


def test_somebody_elses_cases_are_read(tmp_path, capsys):
    log = tmp_path / "mine.jsonl"
    line = {"text": "pwd: hunter2", "spans": [{"kind": "secret", "start": 5, "end": 12}]}
    log.write_text(json.dumps(line) + "\n\n", encoding="utf-8")
    assert runner.run(["pii", "--log", str(log)]) == 0
    assert "secret" in capsys.readouterr().out
