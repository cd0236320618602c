"""The quality benchmarks on tiny files of the same formats: they run through the product, and their documents keep shape."""

from __future__ import annotations

import json

import numpy as np
import pytest
from benchmarks import __main__ as runner
from benchmarks import abstain, harness, locomo, longmemeval

from muniment.testing import TableEmbedder

COLUMNS = {"method", "slice", "metric", "value", "low", "high", "n", "unit"}


def locomo_sample(name, first, second):
    """A made-up talk of two sessions with one question per category."""

    def turn(ref, speaker, text, **more):
        return {"speaker": speaker, "dia_id": ref, "text": text, **more}

    return {
        "sample_id": name,
        "conversation": {
            "speaker_a": first,
            "speaker_b": second,
            "session_1_date_time": "9:05 am on 3 March, 2024",
            "session_1": [
                turn("D1:1", first, f"Morning {second}! I planted saffron bulbs yesterday."),
                turn("D1:2", second, "Lovely. Where did you find them?"),
                turn("D1:3", first, "At the harbour market.", blip_caption="a crate of bulbs"),
            ],
            "session_2_date_time": "6:40 pm on 21 June, 2024",
            "session_2": [
                turn("D2:1", second, "My violin came back from the workshop last week."),
                turn("D2:2", first, "Does it sound better now?"),
                turn("D2:3", second, "Warmer, and the strings hold their tuning."),
            ],
        },
        "qa": [
            {
                "question": f"What did {first} plant and where was it bought?",
                "answer": "x",
                "evidence": ["D1:1; D1:3"],
                "category": 1,
            },
            {"question": f"When did {first} plant the saffron?", "answer": "x", "evidence": ["D1:1"], "category": 2},
            {"question": f"Might {second} play the violin?", "answer": "x", "evidence": ["D2:1"], "category": 3},
            {"question": f"How does {second}'s violin sound?", "answer": "x", "evidence": ["D2:3"], "category": 4},
            {"question": "What about the cello?", "evidence": ["D2:1"], "category": 5},
            {"question": "Who knows?", "answer": "x", "evidence": ["D9:9"], "category": 4},
            {"question": "Nobody?", "answer": "x", "evidence": [], "category": 4},
        ],
    }


def longmemeval_file(questions=3, filler=8):
    """Made-up chats: session i holds the answer to question i, the others are filler; one question is an abstention."""
    subjects = ["saffron bulbs", "a violin bow", "hiking boots", "a copper kettle"]
    sessions = {}
    for i, subject in enumerate(subjects[:questions]):
        sessions[f"answer_{i}"] = [
            {"role": "user", "content": f"By the way, I bought {subject} last Tuesday.", "has_answer": True},
            {"role": "assistant", "content": "Good to hear! Anything else?"},
        ]
    for i in range(filler):
        sessions[f"other_{i}"] = [
            {"role": "user", "content": f"Tell me about topic {i} in history."},
            {"role": "assistant", "content": f"Topic {i} is long and winding. " * 60},
        ]
    sessions["copy"] = [dict(turn) for turn in sessions["answer_0"]]
    items = [
        {
            "question_id": f"q{i}",
            "question_type": "single-session-user" if i else "multi-session",
            "question": f"When did I buy {subject}?",
            "answer": "Tuesday",
            "question_date": "2024/04/10 (Wed) 23:07",
            "haystack_dates": ["2024/04/02 (Tue) 17:50"],
            "haystack_session_ids": [f"answer_{i}"],
            "answer_session_ids": [f"answer_{i}"],
        }
        for i, subject in enumerate(subjects[:questions])
    ]
    items.append({**items[0], "question_id": "q9_abs"})
    return {"questions": items, "sessions": sessions}


def write(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Both benchmarks, run once with words and hashed vectors: folder by name."""
    folder = tmp_path_factory.mktemp("quality")
    data = {
        "locomo": [locomo_sample("talk-1", "Ines", "Viktor"), locomo_sample("talk-2", "Marta", "Olaf")],
        "longmemeval": longmemeval_file(),
    }
    for name, value in data.items():
        arguments = ["--data", write(folder / f"{name}.json", value), "--embedder", "hashed", "--cache", folder / "cache"]
        arguments += ["--json", folder / f"{name}-out.json", "--log", folder / f"{name}.jsonl"]
        assert runner.run([name, *map(str, arguments)]) == 0
    return folder


def document(folder, name):
    return json.loads((folder / f"{name}-out.json").read_text(encoding="utf-8"))


def values(rows, method, slice_):
    return {row["metric"]: row["value"] for row in rows if (row["method"], row["slice"]) == (method, slice_)}


@pytest.mark.parametrize("name", ["locomo", "longmemeval"])
def test_the_document_is_tidy(measured, name):
    out = document(measured, name)
    assert out["benchmark"] == name
    assert {"benchmark", "data", "commit", "machine", "seconds", "results"} <= out.keys()
    assert all(row.keys() == COLUMNS for row in out["results"])
    assert all(row["low"] <= row["value"] + 1e-9 and row["value"] <= row["high"] + 1e-9 for row in out["results"])


def test_locomo_has_every_measure_for_every_method_and_slice(measured):
    rows = document(measured, "locomo")["results"]
    for method in ("muniment", "bm25", "dense"):
        for slice_ in ("overall", "multi-hop", "temporal", "open-domain", "single-hop"):
            assert values(rows, method, slice_).keys() == set(locomo.METRICS)
    assert values(rows, "muniment", "leave-one-out").keys() == set(locomo.METRICS)
    assert {row["n"] for row in rows if row["slice"] in ("overall", "leave-one-out")} == {8}


def test_locomo_finds_the_evidence_of_an_easy_talk(measured):
    rows = document(measured, "locomo")["results"]
    assert values(rows, "muniment", "overall")["recall@10"] == 1
    assert values(rows, "muniment", "temporal")["mrr@10"] == 1


def test_longmemeval_has_every_measure_and_leaves_abstentions_out(measured):
    rows = document(measured, "longmemeval")["results"]
    for method in ("muniment", "bm25", "dense"):
        assert values(rows, method, "overall").keys() == set(longmemeval.METRICS)
    assert {row["n"] for row in rows if row["slice"] == "overall"} == {3}
    assert values(rows, "muniment", "overall")["recall_any@5"] == 1


def test_longmemeval_asks_a_sample_in_processes_over_stores_that_are_kept(tmp_path):
    data = write(tmp_path / "chats.json", longmemeval_file())
    arguments = ["--data", data, "--embedder", "hashed", "--haystacks", 2, "--keep", tmp_path / "kept"]
    for out, more in (("first", ["--workers", 2]), ("second", [])):
        assert runner.run(["longmemeval", *map(str, [*arguments, "--json", tmp_path / f"{out}.json", *more])]) == 0
        assert len(list((tmp_path / "kept").glob("*.done"))) == 2
    first, second = (json.loads((tmp_path / f"{out}.json").read_text(encoding="utf-8"))["results"] for out in ("first", "second"))
    assert first == second
    assert {row["n"] for row in first if row["slice"] == "overall"} == {2}


@pytest.mark.parametrize(("name", "asked"), [("locomo", 8), ("longmemeval", 3)])
def test_the_log_has_one_line_per_question(measured, name, asked):
    lines = [json.loads(line) for line in (measured / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == asked
    assert all(line.keys() >= {"query", "gold", "ids", "scores", "tokens", "milliseconds"} for line in lines)
    assert all(line["ids"] for line in lines)


def test_locomo_measures_follow_their_definitions():
    cost = np.array([300, 300, 300, 300, 300])
    found = locomo.measure([4, 2, 0, 1, 3], frozenset({2, 1}), cost)
    assert (found["recall@5"], found["all@10"], found["mrr@10"]) == (1.0, 1.0, 0.5)
    assert (found["in500"], found["in1000"], found["in2000"]) == (0.0, 0.0, 1.0)
    missing = locomo.measure([4], frozenset({0}), cost)
    assert (missing["recall@50"], missing["mrr@10"], missing["in2000"]) == (0.0, 0.0, 0.0)


def test_longmemeval_measures_follow_their_definitions():
    found = longmemeval.measure(["x", "a", "y", "z", "w", "b"], frozenset({"a", "b"}))
    assert (found["recall_any@5"], found["recall_all@5"], found["recall_all@10"]) == (1.0, 0.0, 1.0)
    gain = 1 / np.log2(3) + 1 / np.log2(7)
    assert found["ndcg@10"] == pytest.approx(gain / (1 + 1 / np.log2(3)))


def test_a_haystack_holds_its_evidence_and_no_copy_of_it(tmp_path):
    bench = longmemeval.read(write(tmp_path / "l.json", longmemeval_file()), size=8)
    first = next(hay for hay in bench.haystacks if hay.id == "q0")
    assert len(first.sessions) == 8
    assert "answer_0" in first.sessions
    assert "copy" not in first.sessions
    assert longmemeval.read(tmp_path / "l.json", size=8).haystacks == bench.haystacks


def test_both_forms_of_a_longmemeval_file_are_read_alike(tmp_path):
    once = longmemeval_file(filler=0)
    del once["sessions"]["copy"]
    whole = [
        {**item, "haystack_sessions": [once["sessions"][name] for name in item["haystack_session_ids"]]}
        for item in once["questions"]
    ]
    a = longmemeval.read(write(tmp_path / "a.json", once), size=3)
    b = longmemeval.read(write(tmp_path / "b.json", whole), size=3)
    assert (a.haystacks, a.turns) == (b.haystacks, b.turns)


async def test_a_remembering_embedder_embeds_each_text_once_and_keeps_it(tmp_path):
    first = TableEmbedder(dim=8)
    held = harness.Remembering(first, tmp_path)
    rows = await held.passages(["a", "b", "a"])
    assert first.calls == [("a", "b")]
    await held.close()
    second = TableEmbedder(dim=8)
    again = harness.Remembering(second, tmp_path)
    assert np.array_equal(await again.passages(["b", "a"]), rows[[1, 0]])
    assert second.calls == []


def test_without_a_known_name_the_benchmarks_are_listed(capsys):
    assert runner.run([]) == 0
    assert "locomo" in capsys.readouterr().out
    assert runner.run(["nonsense"]) == 2
    assert "longmemeval" in capsys.readouterr().err


def test_the_area_is_how_often_an_answered_question_has_more_confidence():
    assert abstain.area(np.array([0.9, 0.8]), np.array([0.1, 0.2])) == 1.0
    assert abstain.area(np.array([0.1]), np.array([0.9])) == 0.0
    assert abstain.area(np.array([0.5, 0.9]), np.array([0.5, 0.5])) == 0.75


async def test_confidence_is_measured_on_questions_with_and_without_an_answer(tmp_path):
    talks, chats = tmp_path / "locomo" / "dev.json", tmp_path / "longmemeval" / "dev.json"
    for path, content in ((talks, [locomo_sample("one", "Ada", "Grace")]), (chats, longmemeval_file())):
        path.parent.mkdir()
        path.write_text(json.dumps(content), encoding="utf-8")
    rows, logs = await abstain.run(abstain.files_of(tmp_path), embedder=None, store="memory://")
    assert {(row.slice, row.method) for row in rows} == {
        (name, method) for name in ("locomo", "longmemeval") for method in ("muniment", "bm25")
    }
    assert all(0 <= row.value <= 1 and row.low <= row.value <= row.high for row in rows)
    assert [line["answerable"] for line in logs if line["slice"] == "locomo"].count(False) == 1
    with pytest.raises(SystemExit, match="holds neither"):
        abstain.files_of(tmp_path / "locomo" / "nowhere")
