"""`muniment architect`: the how-to page runs as it stands, documents have their keys, and every mistake has a next step."""

from __future__ import annotations

import json
import re
import shlex
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from running_cli import Cli

from muniment.architect import default_architecture, read_architecture, write_architecture
from muniment.cli.reference import DOCUMENTS, SHAPES

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "architecture.md"
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANA = ("--user", "ana")
USE_CASE = "Answers customers about refunds and late invoices, and opens tickets for the support team.\n"


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


def keys(document, shape):
    assert list(document) == shape.split()
    return document


def test_the_how_to_page_runs_from_its_first_command_to_its_last(cli):
    text = PAGE.read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        cli.file(name, content)
    cli.said("I live in Porto.", name="before.json")
    commands = [line for block in SHELL.findall(text) for line in block.splitlines()]
    assert len(commands) > 6
    for line in commands:
        cli(*shlex.split(line)[1:])
    made = read_architecture(Path("agent.yaml").read_text())
    assert made.agent == "harbor-desk"
    assert made.archetypes == ("support",)
    assert made.languages == ("en", "pt")


def test_a_use_case_becomes_a_file_that_is_valid(cli):
    cli.file("use.md", USE_CASE)
    done = keys(cli.as_json("architect", "use.md", "-o", "agent.yaml", "--agent", "desk"), DOCUMENTS["architect propose"])
    assert (done["agent"], done["by"], done["out"]) == ("desk", "rules", "agent.yaml")
    assert [one["name"] for one in done["archetypes"] if keys(one, SHAPES["archetype"])["chosen"]] == ["support"]
    assert Path("agent.yaml").read_text() == done["yaml"]
    checked = keys(cli.as_json("architect", "validate", "agent.yaml"), DOCUMENTS["architect validate"])
    assert checked["ok"]
    assert keys(checked["files"][0], SHAPES["checked file"])["agent"] == "desk"
    assert cli("architect", "propose", "use.md").out == cli("architect", "-", stdin=USE_CASE).out
    assert cli.refused("architect", "use.md", "-o", "agent.yaml")["code"] == "exists"
    cli("architect", "use.md", "-o", "agent.yaml", "--replace")


@pytest.mark.parametrize(
    ("content", "code"),
    [("", "empty"), (b"\x00\x01", "not_text"), (b"\xff\xfe\x00a", "invalid_unicode"), ("x" * 600_000, "too_large")],
)
def test_what_is_no_use_case_is_refused_with_a_next_step(cli, content, code):
    cli.file("use.md", content)
    assert cli.refused("architect", "use.md", "-o", "agent.yaml")["code"] == code
    assert not Path("agent.yaml").exists()


def test_a_use_case_in_another_language_gets_the_default_rules_and_is_told_so(cli):
    cli.file("use.md", "Ein Agent, der bei Bestellungen hilft.")
    done = cli.as_json("architect", "use.md")
    assert done["notes"][0].startswith("No archetype fits")
    assert read_architecture(done["yaml"]).kinds == default_architecture().kinds


def test_faults_are_told_by_file_and_line_and_end_with_code_1(cli):
    cli.file("bad.yaml", "agent: x\nkinds:\n  fact:\n    keep: soon\n  prefrence: {}\n")
    cli.file("good.yaml", "agent: x\nkinds:\n  prefrence: {}\n")
    done = cli("architect", "validate", "bad.yaml", "good.yaml", "none.yaml", code=1)
    lines = done.out.splitlines()
    assert lines[0].startswith("bad.yaml:4: error: kinds.fact.keep: 'soon' is no duration. Write a duration")
    assert lines[1].startswith("good.yaml:3: warning: ")
    assert lines[2].startswith("good.yaml: valid")
    assert lines[3].startswith("none.yaml:1: error: there is no such file")
    document = cli.as_json("architect", "validate", "bad.yaml", code=1)
    assert keys(document["files"][0]["faults"][0], SHAPES["fault"])["line"] == 4


def test_what_a_file_asks_for_and_no_step_does_is_noted(cli):
    cli.file("agent.yaml", "agent: x\nanticipation: {mode: on}\nkinds:\n  fact: {share: client}\n")
    done = cli("architect", "validate", "agent.yaml")
    assert "agent.yaml:2: note: anticipation: no step acts on this yet" in done.out
    assert "share" not in done.out
    assert cli.as_json("architect", "validate", "agent.yaml")["ok"] is True


def test_the_schema_is_printed_for_editors(cli):
    assert list(json.loads(cli("architect", "schema").out)) == DOCUMENTS["architect schema"].split()
    assert cli.as_json("architect", "schema") == json.loads(cli("architect", "schema").out)


def test_a_difference_of_files_wants_no_store(cli):
    cli.file("old.yaml", "agent: x\n")
    cli.file("new.yaml", "agent: x\npii: {card: keep}\nkinds: {fact: {keep: 30d}}\n")
    done = keys(cli.as_json("architect", "diff", "old.yaml", "new.yaml"), DOCUMENTS["architect diff"])
    assert done["counts"]["serious"] == len(done["changes"]) == 8
    assert keys(done["changes"][0], SHAPES["rule change"])["severity"] == "serious"
    assert "pii.card\tis handled less strictly\tmask\tkeep" in cli("architect", "diff", "old.yaml", "new.yaml").out
    assert cli("architect", "diff", "old.yaml", "old.yaml").out == ""
    assert not Path("muniment.db").exists()


def test_versions_are_applied_listed_compared_and_gone_back_to(cli):
    cli.file("agent.yaml", "agent: desk\n")
    first = keys(cli.as_json("architect", "apply", "agent.yaml", "--note", "first", "--by", "ana"), DOCUMENTS["architect apply"])
    assert (first["version"], first["fresh"], first["note"], first["by"]) == (1, True, "first", "ana")
    assert not cli.as_json("architect", "apply", "agent.yaml")["fresh"]
    cli.file("agent.yaml", "agent: desk\nkinds: {fact: {keep: 30d}}\n")
    second = cli.as_json("architect", "apply", "agent.yaml")
    assert second["version"] == 2
    assert "serious" in {change["severity"] for change in second["changes"]}
    back = keys(cli.as_json("architect", "rollback", "desk", "1"), DOCUMENTS["architect rollback"])
    assert (back["version"], back["yaml"], back["note"]) == (3, "agent: desk\n", "back to version 1")
    found = keys(cli.as_json("architect", "history", "desk"), DOCUMENTS["architect history"])
    assert [keys(one, SHAPES["version"])["version"] for one in found["versions"]] == [3, 2, 1]
    assert cli.as_json("architect", "diff", "desk@1", "desk@current")["changes"] == []
    assert cli.as_json("architect", "diff", "desk@2", "agent.yaml")["changes"] == []
    assert "There are: 1, 2, 3" in cli.refused("architect", "diff", "desk@1", "desk@9", code=1)["hint"]
    assert "There are: 1, 2, 3" in cli.refused("architect", "rollback", "desk", "4", code=1)["hint"]
    assert cli.as_json("architect", "history", "nobody")["versions"] == []


def test_a_clients_own_rules_are_its_own(cli):
    cli.file("agent.yaml", "agent: desk\n")
    cli("architect", "apply", "agent.yaml")
    cli.file("agent.yaml", "agent: desk\nprivate_conversations: true\n")
    cli("architect", "apply", "agent.yaml", "--client", "acme")
    assert cli.as_json("architect", "history", "desk", "--client", "acme")["versions"][0]["client"] == "acme"
    assert [one["client"] for one in cli.as_json("architect", "history", "desk")["versions"]] == [None]
    assert cli.as_json("architect", "diff", "desk@current", "desk@current", "--client", "acme")["changes"] == []


def test_rules_that_cannot_be_read_are_not_applied(cli):
    cli.file("agent.yaml", "agent: desk\nkinds:\n  fact: {keep: soon}\n")
    error = cli.refused("architect", "apply", "agent.yaml")
    assert (error["place"], error["code"]) == ("agent.yaml:3", "form")
    assert not Path("muniment.db").exists()
    assert cli.refused("architect", "apply", "agent.yaml", "--rederive")["place"] == "agent.yaml:3"
    cli.file("agent.yaml", "agent: desk\n")
    assert cli.refused("architect", "apply", "agent.yaml", "--rederive")["code"] == "scope_required"


def test_a_dry_run_reports_kind_by_kind_and_leaves_nothing_behind(cli):
    cli.file("agent.yaml", "agent: desk\nkinds:\n  preference: {}\n")
    chat = [{"role": "user", "content": text} for text in ("Thanks!", "I live in Porto.", "I prefer tea.", "I prefer tea.")]
    cli.file("chat.json", chat)
    done = keys(cli.as_json("architect", "dry-run", "agent.yaml", "chat.json"), DOCUMENTS["architect dry-run"])
    proposed, current = (keys(done[name], SHAPES["report"]) for name in ("proposed", "current"))
    assert {keys(one, SHAPES["kind count"])["kind"] for one in proposed["kinds"]} <= {"preference"}
    assert {"fact", "preference"} <= {one["kind"] for one in current["kinds"]}
    reasons = {keys(one, SHAPES["refused in a report"])["reason"] for one in proposed["refused"]}
    assert {"kind_not_kept", "acknowledgement"} <= reasons
    lost = [keys(one, SHAPES["shift"]) for one in done["changes"]]
    assert any(one["before"] == "current" and one["after"] is None and "Porto" in one["text"] for one in lost)
    told = cli("architect", "dry-run", "agent.yaml", "chat.json").out
    assert "acknowledgement" in told
    assert not Path("muniment.db").exists()


def test_a_dry_run_counts_what_never_becomes_a_record_and_shows_no_secret(cli):
    cli.file("agent.yaml", "agent: desk\npii: {secret: refuse, card: mask}\n")
    secret, card = "ghp_" + "a1B2c3D4" * 5, "4111 1111 1111 1111"
    chat = [{"role": "user", "content": text} for text in (f"My token is {secret}.", f"Thanks! {card}", "I live in Porto.")]
    cli.file("chat.json", chat)
    done = cli("architect", "dry-run", "agent.yaml", "chat.json", "--json")
    assert "pii:secret" in {one["reason"] for one in done.json["proposed"]["refused"]}
    assert done.json["proposed"]["records"] == 2
    assert secret not in done.out
    assert card not in done.out


def test_a_dry_run_names_the_sentence_that_was_refused(cli):
    cli.file("agent.yaml", "agent: desk\nkinds:\n  preference: {}\n")
    cli.file("chat.json", [{"role": "user", "content": "Thanks a lot! I live in Porto. I prefer tea."}])
    refused = cli.as_json("architect", "dry-run", "agent.yaml", "chat.json")["proposed"]["refused"]
    shown = {one["reason"]: one["examples"] for one in refused}
    assert shown["acknowledgement"] == ["Thanks a lot!"]
    assert shown["kind_not_kept"] == ["I live in Porto"]


def test_records_are_read_again_under_new_rules(cli):
    cli.file("agent.yaml", "agent: default\nkinds:\n  preference: {}\n")
    cli("architect", "apply", "agent.yaml")
    cli.said("I live in Porto.", "I prefer tea.")
    cli.file("agent.yaml", "agent: default\n")
    assert cli.as_json("architect", "apply", "agent.yaml", "--rederive", *ANA)["rederived"] == 2


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"choices": [{"message": {"content": self.server.answer}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def service():
    with HTTPServer(("127.0.0.1", 0), _Answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_models_proposal_is_taken_or_refused_with_reasons(cli, service):
    pytest.importorskip("httpx")
    cli.file("use.md", USE_CASE)
    model = f"openai:tiny@http://127.0.0.1:{service.server_address[1]}/v1"
    draft = read_architecture(cli("architect", "use.md", "--agent", "desk").out)
    service.answer = write_architecture(draft).replace("issue:", "dispute:")
    done = cli.as_json("architect", "use.md", "--agent", "desk", "--model", model, code=None)
    assert "no memory" not in done["yaml"]
    assert (done["by"].startswith("rules"), bool(done["faults"])) in {(True, True), (False, False)}
    service.answer = write_architecture(draft).replace("card: mask", "card: keep")
    refused = cli.as_json("architect", "use.md", "--agent", "desk", "--model", model, code=1)
    assert refused["by"] == "rules"
    assert refused["faults"][0]["key"] == "pii.card"
    assert read_architecture(refused["yaml"]) == draft
    told = cli("architect", "use.md", "--agent", "desk", "--model", model, code=1)
    assert "model refused: line 1: pii.card" in told.err


def test_a_model_that_is_not_there_leaves_the_rules_own_proposal(cli):
    pytest.importorskip("httpx")
    cli.file("use.md", USE_CASE)
    done = cli.as_json("architect", "use.md", "--model", "openai:tiny@http://127.0.0.1:9/v1", code=1)
    assert done["by"] == "rules"
    assert done["faults"][0]["code"] == "no_answer"
    assert read_architecture(done["yaml"]).archetypes == ("support",)
    assert cli.refused("architect", "use.md", "--model", "opnai:tiny")["code"] == "model_unknown"


def test_a_mistyped_command_is_told_the_nearest(cli):
    error = cli.refused("architect", "validat", "agent.yaml")
    assert error["hint"] == "Did you mean muniment architect validate?"
    assert cli.refused("architect", "use.md")["code"] == "unreadable"
    assert cli("architect", "--help").out.startswith("Usage: muniment architect")
    assert "Usage: muniment architect" in cli("architect", code=2).err
    cli.file("apply", USE_CASE)
    assert "archetypes: [support]" in cli("architect", "propose", "apply").out


@pytest.mark.parametrize(
    "words", [("apply", "a.yaml"), ("validate", "a.yaml"), ("diff", "a.yaml", "b.yaml"), ("dry-run", "a.yaml", "c.json")]
)
@pytest.mark.parametrize(
    "content", [b"", b"\x00", b"\xff\xfe", b"a: \xe2\x80\xae", b"[" * 5000, "# é\n".encode() * 200_000, b"\r\n\r\n"]
)
def test_whatever_a_file_holds_ends_in_a_sentence(cli, words, content):
    for name in ("a.yaml", "b.yaml"):
        cli.file(name, content)
    cli.file("c.json", [{"role": "user", "content": "I live in Porto."}])
    done = cli("architect", *words, code=None)
    assert done.code in (0, 1, 2)
    assert done.out or done.err
