"""Keys on the command line: made, listed, revoked; and with one, every command is bounded by it."""

from __future__ import annotations

import click
import pytest
from running_cli import Cli

from muniment.cli.main import Named, main
from muniment.scope import Permission

ACME = ("--client", "acme")
NORTH = (*ACME, "--customer", "north")
ANA = (*NORTH, "--user", "ana")
BEN = (*NORTH, "--user", "ben")
NOBODY = (*NORTH, "--user", "nobody")
ABSENT = "a" * 16
COMMANDS = {
    "ingest": ["chat.json"],
    "retrieve": ["boat"],
    "explain": ["boat", ABSENT],
    "assemble": ["boat", "--budget", "100"],
    "list": [],
    "show": [ABSENT],
    "forget": [ABSENT],
    "memories list": [],
    "memories show": [ABSENT],
    "memories history": [ABSENT],
    "memories add": ["Ana's boat is blue."],
    "memories correct": ["boat", "Ana's boat is red."],
    "memories update": [ABSENT, "Ana's boat is red."],
    "memories retract": [ABSENT],
    "memories restore": [ABSENT],
    "memories hold": [ABSENT],
    "memories audit": [],
    "memories share": [ABSENT],
    "memories unshare": [ABSENT],
    "sharing set": ["decision", "none"],
    "sharing list": [],
    "sharing history": [],
    "feedback give": ["--used", ABSENT],
    "feedback list": [],
    "entities list": [],
    "entities show": ["Ben"],
    "entities merge": [ABSENT, ABSENT],
    "entities split": [ABSENT, "Ben"],
    "entities undo": [ABSENT],
    "entities review": [],
    "decisions list": [],
    "decisions why": ["why Postgres?"],
    "decisions precedents": ["why Postgres?"],
    "decisions share": [ABSENT],
    "decisions unshare": [ABSENT],
    "work status": [],
    "work retry": [],
    "work rederive": [],
    "sweep": [],
    "reveal": ["[email:aaaa]"],
    "stats": [],
    "export": [],
    "keys create": ["--may", "read"],
    "keys list": [],
    "keys revoke": [ABSENT],
}
"""A call of every command that takes a whole scope, but for the scope."""
OTHERS = {
    "doctor": [],
    "import": ["export.jsonl"],
    "migrate": ["--from", "memory://", "--to", "memory://"],
    "work wait": [],
    "work follow": ["--seconds", "0"],
    "architect apply": ["desk.yaml"],
    "architect history": ["desk"],
    "architect rollback": ["desk", "1"],
}
"""Of every other command that opens a store."""
NO_STORE = {
    *("demo", "lint", "compile", "probe", "architect propose", "architect validate", "architect schema"),
    *("architect diff", "architect dry-run"),
}
"""Commands that need no store, though some look into one."""


def leaves(group, before=""):
    for name, command in group.commands.items():
        found = command.loaded() if isinstance(command, Named) else command
        if isinstance(found, click.Group):
            yield from leaves(found, f"{before}{name} ")
        else:
            yield f"{before}{name}"


@pytest.fixture
def cli(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    cli.file("chat.json", [{"role": "user", "content": "My boat is red."}])
    cli.file("desk.yaml", "agent: desk\n")
    for scope in (ANA, BEN, NORTH):
        cli("ingest", "chat.json", *scope)
    cli("export", "export.jsonl", "--all-scopes")
    return cli


def key_of(cli, *scope, may=tuple(Permission)):
    may = [word for one in may for word in ("--may", one)]
    return cli.as_json("keys", "create", *may, *(scope or ["--all-scopes"]))["text"]


def error_of(cli, name, words, *more):
    ran = cli(*name.split(), *words, *more, "--json", code=None)
    error = ran.error if ran.err.startswith("{") else ran.json["files"][0]["error"] if name == "ingest" else None
    return (ran.code, error["code"], error["message"], error["hint"]) if error else ran.code


def test_every_command_is_tried_with_a_key():
    assert COMMANDS.keys() | OTHERS.keys() | NO_STORE == set(leaves(main))


def test_no_command_reaches_beside_or_above_a_key_and_none_without_its_permission(cli):
    key = key_of(cli, *ANA)
    others = {one: key_of(cli, *ANA, may=[o for o in Permission if o is not one]) for one in Permission}
    for name, words in COMMANDS.items():
        answers = {error_of(cli, name, words, *scope, "--key", key) for scope in (BEN, NOBODY, ("--client", "rival"))}
        assert len(answers) == 1, name
        assert next(iter(answers))[:2] == (2, "scope_absent"), name
        refused = [error_of(cli, name, words, "--key", other) for other in others.values()]
        assert sum(isinstance(one, tuple) and one[1] == "not_allowed" for one in refused) >= 1, name


def test_a_command_does_with_a_key_what_it_does_in_the_scope_of_the_key(cli):
    key = key_of(cli, *ANA)
    for name in ("retrieve", "list", "memories list", "stats", "memories audit", "entities list", "decisions list"):
        plain, bounded = (cli.as_json(*name.split(), *COMMANDS[name], *given) for given in (ANA, ["--key", key]))
        assert {**bounded, "now": None} == {**plain, "now": None}  # the moment of asking is each one's own
    north = key_of(cli, *NORTH)
    assert cli.as_json("list", "--user", "ana", "--key", north) == cli.as_json("list", *ANA)
    assert cli.as_json("list", "--key", north) == cli.as_json("list", *NORTH)
    done = cli.as_json("ingest", "chat.json", "--key", key, "--conversation", "two")
    assert done["files"][0]["counts"]["stored"] == 1


def test_the_whole_store_is_for_a_key_without_a_ceiling(cli):
    bounded, whole = key_of(cli, *ACME), key_of(cli)
    for name, words in {
        "doctor": [],
        "architect apply": ["desk.yaml"],
        "stats": ["--all-scopes"],
        "keys list": ["--all-scopes"],
    }.items():
        if name != "architect apply":
            assert error_of(cli, name, words, "--key", bounded)[:2] == (2, "not_allowed"), name
        assert error_of(cli, name, words, "--key", whole) == 0, name
    assert cli.as_json("architect", "apply", "desk.yaml", "--key", bounded)["client"] == "acme"
    assert error_of(cli, "architect apply", ["desk.yaml"], "--client", "rival", "--key", bounded)[1] == "scope_absent"
    assert error_of(cli, "list", [], "--key", whole)[1] == "scope_required"


def test_an_import_takes_in_what_lies_inside_the_key_and_refuses_each_other_item(cli):
    cli("forget", "--everything", "--yes", *ANA)
    key = key_of(cli, *ANA)
    told = cli.as_json("import", "export.jsonl", "--key", key, code=1)
    assert told["counts"]["stored"] > 0
    assert {item["reason"] for item in told["items"] if item["outcome"] == "refused"} == {"scope_absent"}
    assert cli.as_json("stats", *ANA)["records"] == 1
    assert cli.as_json("import", "export.jsonl", "--key", key_of(cli))["counts"]["refused"] == 0


def test_how_much_waits_in_the_store_is_not_said_to_a_key_for_a_part(cli):
    key = key_of(cli, *ANA)
    assert cli.as_json("work", "status", "--key", key)["backlog"] is None
    assert cli.as_json("work", "rederive", "--key", key) == {"queued": 1, "backlog": None}
    assert cli.as_json("work", "wait", "--key", key) == {"queued": None, "backlog": None}
    assert cli.as_json("work", "status", "--key", key_of(cli))["backlog"]["queued"] == 0


def test_a_key_comes_from_a_flag_or_the_environment_and_never_from_a_file(cli, monkeypatch):
    key = key_of(cli, *ANA)
    monkeypatch.setenv("MUNIMENT_KEY", key)
    assert cli.as_json("stats")["records"] == 1
    monkeypatch.delenv("MUNIMENT_KEY")
    cli.file("muniment.toml", f'key = "{key}"')
    error = cli.refused("stats")
    assert error["code"] == "setting_unknown"
    assert "MUNIMENT_KEY" in error["hint"]
    assert key not in str(error)


def test_a_key_that_does_not_hold_is_refused_alike_and_never_shown(cli):
    made = cli.as_json("keys", "create", "--may", "read", *ANA)
    key = made["text"]
    secret = key.rpartition("_")[2]
    cli("keys", "revoke", made["key"]["id"], "--by", "root")
    wrong = [key, key[:-1], key.upper(), "mun_", f"mun_{ABSENT}_{secret}"]
    errors = [error_of(cli, "list", [], "--key", one) for one in wrong]
    assert errors == errors[:1] * len(wrong)
    assert errors[0][:2] == (2, "key_refused")
    assert secret not in str(errors)


def test_keys_are_listed_without_what_proves_them(cli):
    made = cli(
        "keys", "create", "--may", "read", "--may", "erase", "--expires", "2999-01-01", "--note", "desk", "--by", "root", *ANA
    )
    key = made.out.strip()
    assert made.err.startswith("Key ")
    listed = cli.as_json("keys", "list", *NORTH)["keys"]
    assert [one["permissions"] for one in listed] == [["read", "erase"]]
    assert listed[0]["ceiling"] == {"client": "acme", "customer": "north", "user": "ana"}
    assert (listed[0]["created_by"], listed[0]["note"], listed[0]["revoked_at"]) == ("root", "desk", None)
    line = cli("keys", "list", *NORTH).out
    assert line.split("\t")[0] == listed[0]["id"]
    assert "until 2999-01-01" in line
    assert key.rpartition("_")[2] not in line
    assert cli.as_json("keys", "list", *BEN)["keys"] == []
    assert cli.refused("keys", "revoke", ABSENT, code=1)["code"] == "not_found"
    assert cli.as_json("keys", "revoke", listed[0]["id"])["revoked_at"]
    assert "revoked" in cli("keys", "list", "--all-scopes").out
    assert cli.refused("keys", "create", "--may", "read", "--expires", "2001-01-01", *ANA)["code"] == "range"
