"""Public cases of kind F: isolation between users, customers and clients."""

from __future__ import annotations

import pytest
from cases import ANA, BEN, CLIENT, NORTH, RIVAL, STRANGERS, kept, texts
from running_cli import process

from muniment import Band, Filter, Registry, Scope, Turn
from muniment.errors import NotFound, ScopeError
from muniment.scope import resolve


async def test_F01_erasing_one_user_leaves_the_other(engine):
    for scope in (ANA, BEN):
        await engine.ingest(scope, [f"note {n}" for n in range(3)])
    assert (await engine.forget(ANA)).records == 3
    assert ((await engine.stats(ANA)).records, (await engine.stats(BEN)).records) == (0, 3)


async def test_F02_a_question_is_answered_for_the_user_who_asks(engine):
    await engine.ingest(ANA, "I live in France")
    await engine.ingest(BEN, "I live in the USA")
    for scope, answer in ((ANA, "I live in France"), (BEN, "I live in the USA")):
        assert texts(await engine.retrieve(scope, "where do I live")) == [answer]
    with pytest.raises(ScopeError):
        await engine.retrieve(None, "where do I live")


def test_F02_wherever_the_user_is_named_only_that_user_is_meant(cli, monkeypatch):
    cli.said("I live in France.", scope=("--user", "ana"))
    cli.said("I live in the USA.", scope=("--user", "ben"))

    def answer(*words):
        return [hit["record"]["text"] for hit in cli.as_json(*words)["hits"]]

    asked = ("retrieve", "where do I live")
    assert answer(*asked, "--user", "ana") == answer("retrieve", "--user", "ana", asked[1]) == ["I live in France."]
    cli.file("muniment.toml", 'user = "ana"\n')
    assert answer(*asked) == ["I live in France."]
    monkeypatch.setenv("MUNIMENT_USER", "ben")
    assert answer(*asked) == ["I live in the USA."]
    monkeypatch.delenv("MUNIMENT_USER")
    (cli.folder / "muniment.toml").unlink()
    assert cli.refused(*asked)["code"] == "scope_required"


LIKE = [
    (Scope(user="john-doe"), Scope(user="john_doe")),
    (Scope(user="a%"), Scope(user="ab")),
    (Scope(client="a.b"), Scope(client="a", customer="b")),
    (Scope(client="a"), Scope(client="ab", user="x")),
    (Scope(user="a.b@x"), Scope(user="a_b@x")),
    (Scope(user="a.b@x"), Scope(user="a-b x")),
]


@pytest.mark.parametrize(("one", "other"), LIKE, ids=str)
async def test_F04_F13_marks_in_ids_match_nothing_but_themselves(engine, one, other):
    for scope in (one, other):
        await engine.ingest(scope, f"kept at {scope}")
    for scope in (one, other):
        assert await kept(engine, scope) == texts(await engine.retrieve(scope, "kept")) == [f"kept at {scope}"]
        assert (await engine.stats(scope)).records == 1
    assert (await engine.forget(one)).scopes == (one,)
    assert await kept(engine, other) == [f"kept at {other}"]


def test_F05_a_scope_parameter_of_another_name_is_refused_and_not_passed_over(cli):
    for request in ({"dataset": "d1"}, {"user": "ana", "dataset": "d1"}, {"user_id": "ana"}, {"customerr": "acme"}):
        with pytest.raises(ScopeError) as caught:
            resolve(request)
        assert caught.value.reason == "scope_unknown_parameter"
    with pytest.raises(TypeError):
        Scope(dataset="d1")
    assert cli.refused("retrieve", "boat", "--user", "ana", "--dataset", "d1")["code"] == "usage"


async def test_F05_a_read_narrowed_to_one_conversation_stays_in_it(engine):
    await engine.ingest(ANA, "the boat is red", conversation="d1")
    await engine.ingest(ANA, "the boat is blue", conversation="d2")
    assert texts(await engine.retrieve(ANA, "boat", where=Filter(conversation="d1"))) == ["the boat is red"]


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
async def test_F06_F16_no_read_of_a_stranger_shows_what_is_anothers(engine, stranger):
    (foreign,) = (await engine.ingest(ANA, [Turn(text="secret marmalade", speaker="Ana")], conversation="session-1")).ids
    bundle = await engine.retrieve(stranger, "secret marmalade", where=Filter(conversation="session-1"))
    assert (bundle.hits, bundle.health.searched) == ((), 0)
    for conversation in (None, "session-1"):
        turn = await engine.assemble(stranger, "what is secret?", budget=500, conversation=conversation)
        assert "marmalade" not in turn.compilation.text
        assert [row.name for row in turn.compilation.receipt] == ["message"]
    assert (await engine.list(stranger)).records == ()
    with pytest.raises(NotFound):
        await engine.get(stranger, foreign)
    assert (await engine.stats(stranger)).records == 0
    assert [record async for record in engine.export(stranger)] == []
    assert (await engine.forget(stranger, conversation="session-1")).records == 0
    assert await kept(engine, ANA) == ["secret marmalade"]


def test_F06_no_command_of_another_user_shows_what_is_anothers(cli):
    [record] = cli.said("secret marmalade", scope=("--user", "ana"), conversation="session-1")
    for words, code in (
        (("retrieve", "what is secret?"), 0),
        (("assemble", "what is secret?", "--budget", "200", "--conversation", "session-1"), 0),
        (("list",), 0),
        (("show", record), 1),
        (("stats",), 0),
        (("export",), 0),
        (("forget", record), 1),
        (("forget", "--conversation", "session-1"), 1),
    ):
        for form in ((), ("--json",) if words[0] != "export" else ()):
            told = cli(*words, "--user", "ben", *form, code=code)
            assert "marmalade" not in told.out + told.err
    assert cli.as_json("stats", "--user", "ana")["records"] == 1


SHAPES = [
    ("--client", "acme"),
    ("--user", "ana"),
    ("--client", "acme", "--user", "ana"),
    ("--customer", "north", "--user", "ana"),
]


def test_F09_what_one_process_writes_another_finds_in_the_same_scope_alone(tmp_path, cli):
    for number, scope in enumerate(SHAPES):
        done = process("ingest", "-", *scope, folder=tmp_path, stdin=None, input=f"kettle of shape {number}".encode())
        assert done.returncode == 0, done.stderr
    for number, scope in enumerate(SHAPES):
        found = cli("list", *scope).out
        assert f"kettle of shape {number}" in found
        assert found.count("kettle") == 1


async def test_F10_names_of_users_in_a_message_and_its_metadata_move_nothing(engine):
    claims = {"user": "ben", "user_id": "ben", "client": "rival", "scope": "user=ben", "tenant_id": "rival"}
    receipt = await engine.ingest(ANA, [{"role": "user", "content": "a kettle", "metadata": claims, **claims}])
    record = await engine.get(ANA, receipt.ids[0])
    assert (record.scope, record.metadata) == (ANA, claims)
    for scope in (BEN, RIVAL, CLIENT, NORTH, Scope(user="ben")):
        assert await kept(engine, scope) == []


def test_F10_what_a_file_says_of_users_moves_nothing_and_is_told(cli):
    chat = cli.file("chat.json", [{"role": "user", "content": "a kettle", "user_id": "ben", "metadata": {"user": "ben"}}])
    told = cli.as_json("ingest", chat, "--user", "ana")["files"][0]
    assert "user_id" in told["notes"][0]
    assert cli.as_json("list", "--user", "ben")["records"] == []
    assert cli.as_json("list", "--user", "ana")["records"][0]["metadata"] == {"user": "ben"}


async def test_F12_two_agents_with_a_block_of_one_name_compile_their_own(engine):
    made = {}
    for agent in ("sales", "support"):
        registry = Registry()
        registry.write(f"We are {agent}.", name="brand_identity", band=Band.PINNED)
        made[agent] = (await engine.assemble(ANA, "hello", budget=100, agent=agent, registry=registry)).compilation
    for agent, other in (("sales", "support"), ("support", "sales")):
        assert f"We are {agent}." in made[agent].text
        assert other not in made[agent].text


@pytest.mark.parametrize("key", ["x') OR 1=1 --", "a') or ('1'='1", "$or"])
async def test_F14_L07_a_filter_has_no_free_keys_and_its_values_are_text(engine, key):
    await engine.ingest(ANA, "of ana")
    await engine.ingest(BEN, "of ben")
    with pytest.raises(TypeError):
        Filter(**{key: "y"})
    for field in ("conversation", "speaker", "agent"):
        where = Filter(**{field: key})
        assert (await engine.list(ANA, where=where)).records == (await engine.retrieve(ANA, "of", where=where)).hits == ()
    assert await kept(engine, BEN) == ["of ben"]


async def test_F17_Q07_forgetting_what_is_only_shared_from_above_says_that_nothing_went(engine):
    (shared,) = (await engine.ingest(NORTH, "the office closes at noon", conversation="rules")).ids
    for call in ({"ids": [shared]}, {"conversation": "rules"}, {}):
        erasure = await engine.forget(ANA, **call)
        assert (erasure.records, erasure.scopes, sum(erasure.removed.values())) == (0, (), 0)
    assert texts(await engine.retrieve(BEN, "when does the office close?")) == ["the office closes at noon"]
