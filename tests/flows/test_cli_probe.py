"""`muniment probe`: tables, documents, pictures and profiles; going on after a kill; every error with its next step."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest
from running_cli import PROGRAM, Cli, environment, process

from muniment.cli.reference import DOCUMENTS, SHAPES
from muniment.probe import EXPERIMENTS
from muniment.registry.curves import read_profile

QUICK = ("--n", "7", "--seeds", "2", "--fillers", "shuffled")
WITHOUT_PLOTS = "import sys, runpy; sys.modules['matplotlib'] = None; runpy.run_module('muniment', run_name='__main__')"


@pytest.fixture
def cli(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return Cli(tmp_path, monkeypatch)


def keys(document, expected):
    assert list(document) == expected.split()
    return document


def test_a_sweep_prints_a_table_and_writes_a_log_and_pictures(cli, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `plots` is not installed")
    ran = cli("probe", "position", "--model", "scripted:cliff=3", "--out", "out", *QUICK)
    assert "0: 100%  2: 100%  3: 0%  4: 0%  6: 0%" in ran.out
    assert "a clear fall at position 3" in ran.out
    assert "control" in ran.out
    assert (tmp_path / "out" / "position.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "out" / "position.svg").read_text()
    lines = [json.loads(line) for line in (tmp_path / "out" / "position.jsonl").read_text().splitlines()]
    assert len(lines) == 2 + 2 * 5 + 2
    assert all(len(line["outcome"]["prompt_hash"]) == 64 for line in lines[2:])


def test_the_document_has_every_key_that_is_promised(cli):
    document = keys(
        cli.as_json("probe", "all", "--model", "scripted:cliff=3", "--model", "scripted:", "--out", "out", *QUICK),
        DOCUMENTS["probe"],
    )
    assert [experiment["name"] for experiment in document["experiments"]] == list(EXPERIMENTS)
    for experiment in document["experiments"]:
        keys(experiment, SHAPES["experiment"])
        assert experiment["errors"] == 0
        for curve in experiment["curves"]:
            keys(keys(curve, SHAPES["curve"])["total"], SHAPES["share"])
            assert all(keys(point, SHAPES["point"]) for point in curve["points"])
        assert all(keys(comparison, SHAPES["comparison"]) for comparison in experiment["comparisons"])


def test_with_one_model_all_leaves_out_what_compares_models(cli):
    document = cli.as_json("probe", "all", "--model", "scripted:", "--out", "out", *QUICK)
    assert [experiment["name"] for experiment in document["experiments"]] == [name for name in EXPERIMENTS if name != "models"]


def test_two_runs_write_the_same_bytes(cli, tmp_path):
    pytest.importorskip("matplotlib", reason="the extra `plots` is not installed")
    for out in ("one", "other"):
        cli("probe", "position", "--model", "scripted:near=0.7,cliff=3", "--out", out, *QUICK)
    for name in ("position.jsonl", "position.png", "position.svg"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_a_killed_run_goes_on_and_ends_like_one_that_was_not(cli, tmp_path):
    size = ("--n", "19", "--positions", "all", "--seeds", "12", "--fillers", "shuffled")
    words = ("probe", "position", "--model", "scripted:cliff=7,far=0.3", *size)
    cli(*words, "--out", "whole")
    whole = (tmp_path / "whole" / "position.jsonl").read_bytes()
    log = tmp_path / "cut" / "position.jsonl"
    started = subprocess.Popen(
        [*PROGRAM, *words, "--out", "cut"], cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.DEVNULL
    )
    while started.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 30):
        time.sleep(0.005)
    started.kill()
    started.wait()
    before = log.read_bytes()
    assert 30 <= before.count(b"\n") < whole.count(b"\n"), "the run was to be killed in its midst"
    assert cli.refused(*words, "--out", "cut")["code"] == "exists"
    assert log.read_bytes() == before
    cli(*words, "--out", "cut", "--resume")
    assert log.read_bytes() == whole


def test_a_log_goes_on_with_its_own_plan_alone(cli):
    words = ("probe", "position", "--model", "scripted:", "--out", "out")
    cli(*words, *QUICK)
    cli(*words, *QUICK, "--resume")
    error = cli.refused(*words, "--n", "7", "--seeds", "3", "--resume")
    assert error["code"] == "plan_changed"
    assert "--out" in error["hint"]


def test_a_profile_is_one_that_the_placement_policy_reads(cli, tmp_path):
    words = ("probe", "position", "--model", "scripted:cliff=3,before=5", "--n", "7", "--positions", "all", "--seeds", "2")
    cli(*words, "--out", "one", "--profile", "profile.json")
    profile = read_profile((tmp_path / "profile.json").read_text())
    assert (profile.model, profile.layout) == ("scripted:cliff=3,before=5", "task_after")
    assert list(profile.curve(7)) == [1, 1, 1, 0, 0, 0, 0]
    done = cli.as_json(*words, "--layout", "both", "--out", "both", "--profile", "other.json")
    assert done["files"][-2:] == ["other-after.json", "other-before.json"]
    before = read_profile((tmp_path / "other-before.json").read_text())
    assert (before.layout, list(before.curve(7))) == ("task_before", [1, 1, 1, 1, 1, 0, 0])


def test_a_profile_that_cannot_be_written_is_refused_before_the_first_trial(cli, tmp_path):
    words = ("probe", "position", "--model", "scripted:", "--out", "out", *QUICK)
    cli.file("there.json", "{}")
    assert cli.refused(*words, "--profile", "there.json")["code"] == "exists"
    assert cli.refused(*words, "--profile", "nowhere/profile.json")["code"] == "unwritable"
    assert not (tmp_path / "out").exists()
    cli(*words, "--profile", "out/profile.json")
    assert (tmp_path / "out" / "profile.json").exists()


def test_a_run_that_is_refused_leaves_no_empty_folder(cli, tmp_path):
    cli.refused("probe", "position", "--model", "gguf:nowhere.gguf", "--out", "out")
    cli.refused("probe", "models", "--model", "scripted:", "--out", "out")
    assert not (tmp_path / "out").exists()
    (tmp_path / "mine").mkdir()
    cli.refused("probe", "models", "--model", "scripted:", "--out", "mine")
    assert (tmp_path / "mine").is_dir()


def test_without_the_drawing_extra_the_table_still_comes(tmp_path):
    words = ("probe", "position", "--model", "scripted:", "--out", "out", *QUICK)
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_PLOTS, *words],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "100%" in ran.stdout
    assert "matplotlib" in ran.stderr
    assert "muniment[plots]" in ran.stderr
    assert not list((tmp_path / "out").glob("*.png"))


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (("position", "--model", "scripted:clif=3"), "model_invalid", "cliff"),
        (("position", "--model", "gguf:nowhere.gguf"), "model_missing", "smollm2"),
        (("position", "--model", "openai:gpt-x"), "key_missing", "MUNIMENT_MODEL_KEY"),
        (("position", "--model", "scripted:", "--n", "7,x"), "usage", "--help"),
        (("position", "--model", "scripted:", "--positions", "some"), "usage", "--help"),
        (("position", "--model", "scripted:", "--n", "3"), "range", ""),
        (("position",), "usage", "--help"),
        (("nothing", "--model", "scripted:"), "usage", "--help"),
        (("models", "--model", "scripted:"), "models_needed", "--model"),
        (("groups", "--model", "scripted:", "--profile", "p.json"), "usage", "position"),
        (("position", "--model", "scripted:", "--out", "file/in"), "unwritable", "folder"),
    ],
)
def test_what_cannot_be_done_is_said_with_a_next_step(cli, words, code, hint):
    cli.file("file", "x")
    error = cli.refused("probe", *words)
    assert error["code"] == code
    assert hint in error["hint"]


def test_a_service_that_fails_ends_the_run_with_what_to_do(tmp_path):
    pytest.importorskip("httpx", reason="the extra `http` is not installed")
    ran = process("probe", "position", "--model", "openai:m@http://127.0.0.1:9/v1", "--out", "out", *QUICK, folder=tmp_path)
    assert ran.returncode == 1
    assert b"cannot be reached" in ran.stderr
