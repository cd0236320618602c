"""The command line on a server's store: the same commands, and no password in anything that is printed."""

from __future__ import annotations

import json

import pytest
from running_postgres import PASSWORD

import muniment
from muniment import Scope

ANA = Scope(client="acme", user="ana")
SAID = [{"role": "user", "content": "I moved to Porto."}, {"role": "assistant", "content": "Noted."}]


@pytest.fixture
def printed(cli, database, monkeypatch):
    """Run a command on the server's store; all that it prints is looked at for the password."""
    monkeypatch.setenv("MUNIMENT_STORE", database)

    def run(*words, code=0, stdin=None):
        ran = cli(*words, code=code, stdin=stdin)
        for secret in (PASSWORD, "s3cret"):
            assert secret not in ran.out + ran.err
        return ran

    return run


def test_commands_work_on_a_server(printed, tmp_path):
    (tmp_path / "chat.json").write_text(json.dumps(SAID))
    printed("list", "--user", "ana", "--client", "acme")
    printed("ingest", "chat.json", "--client", "acme", "--user", "ana")
    assert "Porto" in printed("retrieve", "where did I move?", "--client", "acme", "--user", "ana").out
    assert "Porto" in printed("memories", "list", "--client", "acme", "--user", "ana").out
    assert printed("list", "--client", "acme", "--user", "ana", "--json").json["records"]
    assert printed("stats", "--all-scopes", "--json").json["records"] == 2
    findings = printed("doctor", "--json").json
    assert "wall" in json.dumps(findings)
    printed("doctor", "--repair")
    printed("export", "all.jsonl", "--all-scopes")
    printed("forget", "--client", "acme", "--user", "ana", "--everything", "--yes")
    assert printed("stats", "--all-scopes", "--json").json["records"] == 0
    printed("import", "all.jsonl")
    assert printed("stats", "--all-scopes", "--json").json["records"] == 2


@pytest.mark.parametrize("spoil", [("?", "?port=x&"), ("host=", "host=/nowhere"), ("//owner:", "//nobody:")])
def test_a_wrong_address_is_refused_without_its_password(printed, database, monkeypatch, spoil):
    monkeypatch.setenv("MUNIMENT_STORE", database.replace(*spoil))
    ran = printed("stats", "--all-scopes", code=None)
    assert ran.code != 0
    assert ran.err.startswith("Error: ")


async def test_the_engine_opens_a_server_by_its_url(database):
    async with muniment.open(database, embedder="hashed", tokens="estimate") as engine:
        await engine.ingest(ANA, [muniment.Turn(text="The kettle is in the blue cupboard.")])
        (hit,) = await engine.retrieve(ANA, "kettle")
        assert hit.record.text == "The kettle is in the blue cupboard."
        assert (await engine.forget(ANA)).records == 1


def test_the_blocking_engine_opens_one_too(database):
    with muniment.sync.open(database, embedder="none", tokens="estimate") as engine:
        engine.ingest(ANA, [muniment.Turn(text="The kettle is in the blue cupboard.")])
        assert len(engine.retrieve(ANA, "kettle")) == 1
