"""Whose memory a command means: flags over environment over file, and never everybody's by default."""

from __future__ import annotations

import pytest
from running_cli import Cli

SCOPED = [
    ("ingest", "chat.json"),
    ("retrieve", "boat"),
    ("assemble", "boat", "--budget", "100"),
    ("list",),
    ("show", "aaaaaaaaaaaaaaaa"),
    ("forget", "aaaaaaaaaaaaaaaa"),
    ("forget", "--everything", "--yes"),
    ("stats",),
    ("export",),
]


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


def scope_of(cli, *words):
    return {rung: name for rung, name in cli.as_json("list", *words)["scope"].items() if name}


@pytest.mark.parametrize("words", SCOPED, ids=lambda words: " ".join(words[:2]))
def test_vector_44_without_a_scope_nothing_is_read_or_written_and_every_way_to_give_one_is_told(cli, words):
    error = cli.refused(*words)
    assert error["code"] == "scope_required"
    for way in ("--user ana", "MUNIMENT_USER=ana", 'user = "ana"', "muniment.toml"):
        assert way in error["hint"]
    assert ("--all-scopes" in error["hint"]) == (words[0] in {"stats", "export"})
    assert not (cli.folder / "muniment.db").exists()


@pytest.mark.parametrize("rung", ["--user", "--customer", "--client"])
@pytest.mark.parametrize(
    "name", ["", " ", "*", "null", "None", "undefined", "a/b", "..", "ana ", "a\u200bb", "e\u0301", "x" * 256, "a\nb"]
)
def test_vector_44_30_a_rung_that_is_no_usable_id_is_refused(cli, rung, name):
    error = cli.refused("list", rung, name)
    assert error["place"] == rung.removeprefix("--")
    assert not (cli.folder / "muniment.db").exists()


@pytest.mark.parametrize(
    "name",
    ["acpt-probe", "00000000-0000-0000-0000-000000000001", "main", "ana@example.org", "日本", "auth0|1", "m; drop table x"],
)
def test_L01_L06_ids_with_marks_work_everywhere(cli, name):
    [record] = cli.said("The kettle is blue.", scope=("--user", name))
    assert cli.as_json("retrieve", "kettle", "--user", name)["hits"][0]["record"]["id"] == record
    assert cli.as_json("show", record, "--user", name)["scope"]["user"] == name


def test_a_flag_wins_over_the_environment_and_that_over_the_file(cli, monkeypatch):
    cli.said("Something.")
    cli.file("muniment.toml", 'client = "acme"\ncustomer = "north"\nuser = "from-file"\n')
    assert scope_of(cli) == {"client": "acme", "customer": "north", "user": "from-file"}
    monkeypatch.setenv("MUNIMENT_USER", "from-env")
    assert scope_of(cli)["user"] == "from-env"
    assert scope_of(cli, "--user", "from-flag") == {"client": "acme", "customer": "north", "user": "from-flag"}


def test_a_rung_given_more_directly_drops_the_narrower_ones(cli, monkeypatch):
    cli.said("Something.")
    cli.file("muniment.toml", 'client = "acme"\ncustomer = "north"\nuser = "ana"\n')
    assert scope_of(cli, "--customer", "south") == {"client": "acme", "customer": "south"}
    assert scope_of(cli, "--client", "umbra") == {"client": "umbra"}
    monkeypatch.setenv("MUNIMENT_CUSTOMER", "east")
    assert scope_of(cli) == {"client": "acme", "customer": "east"}
    assert scope_of(cli, "--user", "ben") == {"client": "acme", "customer": "east", "user": "ben"}


def test_an_empty_variable_is_an_error_and_not_a_wider_scope(cli, monkeypatch):
    cli.file("muniment.toml", 'customer = "north"\n')
    monkeypatch.setenv("MUNIMENT_USER", "")
    assert cli.refused("list")["place"] == "MUNIMENT_USER"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("user = ", "config_invalid"),
        ('usr = "ana"', "setting_unknown"),
        ("user = 7", "setting_invalid"),
        (b"\xff\xfe", "config_invalid"),
    ],
)
def test_a_broken_settings_file_is_an_error(cli, text, code):
    cli.file("muniment.toml", text)
    error = cli.refused("list", "--user", "ana")
    assert error["code"] == code
    assert "muniment.toml" in error["place"]


def test_a_settings_file_that_is_named_must_exist(cli):
    assert cli.refused("list", "--user", "ana", "--config", "absent.toml")["code"] == "config_missing"
    cli.file("mine.toml", 'user = "ana"\nstore = "sqlite:///mine.db"\n')
    cli("ingest", "-", "--config", "mine.toml", stdin="Something.")
    assert scope_of(cli, "--config", "mine.toml") == {"user": "ana"}
    assert sorted(path.name for path in cli.folder.iterdir()) == ["mine.db", "mine.toml"]


def test_a_scope_and_every_scope_contradict_each_other(cli):
    for command in ("stats", "export"):
        assert cli.refused(command, "--user", "ana", "--all-scopes")["code"] == "scope_invalid"


def test_siblings_see_nothing_of_each_other_on_any_command(cli):
    [record] = cli.said("My boat is called Perseverance.", scope=("--customer", "north", "--user", "ana"))
    for other in (
        ("--customer", "north", "--user", "ben"),
        ("--customer", "south", "--user", "ana"),
        ("--user", "ana"),
        ("--customer", "north"),
    ):
        assert cli.as_json("retrieve", "boat called Perseverance", *other)["health"]["searched"] == 0
        assert cli.as_json("list", *other)["records"] == []
        foreign = cli.refused("show", record, *other, code=1)
        absent = cli.refused("show", "aaaaaaaaaaaaaaaa", *other, code=1)
        assert {**foreign, "message": ""} == {**absent, "message": ""}
        assert foreign["message"].replace(record, "") == absent["message"].replace("aaaaaaaaaaaaaaaa", "")
        assert cli.as_json("forget", record, *other, code=1)["records"] == 0
    assert cli.as_json("stats", "--customer", "north")["records"] == 1


def test_what_a_customer_shares_is_found_by_its_users(cli):
    cli.said("The office closes at noon on Fridays.", scope=("--customer", "north"))
    [hit] = cli.as_json("retrieve", "When does the office close?", "--customer", "north", "--user", "ben")["hits"]
    assert hit["record"]["scope"] == {"client": None, "customer": "north", "user": None}
    assert "shared by customer north" in cli("retrieve", "office", "--customer", "north", "--user", "ben").out


def test_the_agent_is_kept_with_what_it_wrote(cli, monkeypatch):
    monkeypatch.setenv("MUNIMENT_AGENT", "support")
    cli.said("Kept by support.")
    assert cli.as_json("list", "--user", "ana", "--by-agent", "support")["records"][0]["agent"] == "support"
    assert cli.refused("retrieve", "x", "--user", "ana", "--agent", "a/b")["place"] == "agent"
