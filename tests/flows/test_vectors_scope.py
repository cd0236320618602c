"""Vectors and public cases of scopes and keys, on every store: a request that contradicts its key, and keys that end."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from cases import ANA, BEN, NORTH, RIVAL, kept, texts

import muniment
from muniment import Scope
from muniment.errors import AccessError, NotFound, ScopeError
from muniment.testing import FixedClock

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "agent-loop.md"


@pytest.mark.parametrize(
    "asked", [{"client": "rival"}, {"customer": "south"}, {"user": "ben"}, {"client": "acme", "customer": "north", "user": "ben"}]
)
async def test_vector_43_what_contradicts_the_key_is_refused_and_changes_no_later_answer(engine, asked):
    await engine.ingest(ANA, "My plan is Harbor.")
    await engine.ingest(BEN, "My plan is Basic.")
    made = await engine.keys.create(ANA, ["read", "write", "erase"])
    own = engine.acting(await engine.keys.check(made.text))
    before = texts(await own.retrieve({}, "Which plan?"))
    for call in (
        own.retrieve(asked, "Which plan?"),
        own.list(asked),
        own.ingest(asked, "My plan is Lagoon."),
        own.forget(asked),
        own.memories.list(asked),
    ):
        with pytest.raises(ScopeError) as refused:
            await call
        assert refused.value.code == "scope_absent"
    assert texts(await own.retrieve({}, "Which plan?")) == before == ["My plan is Harbor."]
    assert await kept(engine, BEN) == ["My plan is Basic."]


async def test_vector_51_what_one_user_asked_warms_no_answer_of_another(engine):
    await engine.ingest(ANA, "The secret word is Zanzibar.")
    await engine.ingest(BEN, "The secret word is Quito.")
    made = await engine.keys.create(ANA, ["read"])
    own = engine.acting(await engine.keys.check(made.text))
    for _ in range(2):
        assert texts(await own.retrieve({}, "What is the secret word?")) == ["The secret word is Zanzibar."]
        assert texts(await engine.retrieve(BEN, "What is the secret word?")) == ["The secret word is Quito."]
    await engine.keys.revoke(made.credential.id)
    with pytest.raises(AccessError) as refused:
        await own.retrieve({}, "What is the secret word?")
    assert refused.value.code == "key_refused"


async def test_vector_52_a_key_does_what_it_says_until_it_ends_and_nothing_near_it_is_one(engine):
    made = await engine.keys.create(ANA, ["read"], expires=engine.clock.now() + timedelta(hours=1))
    reader = engine.acting(await engine.keys.check(made.text))
    with pytest.raises(AccessError) as refused:
        await reader.ingest({}, "My plan is Harbor.")
    assert refused.value.code == "not_allowed"
    near = (f" {made.text}", f"{made.text} ", made.text.upper(), made.text[:20], made.text[:-1], made.text + "a" * (1 << 20), "")
    told = set()
    for text in near:
        with pytest.raises(AccessError) as refused:
            await engine.keys.check(text)
        told.add((refused.value.code, str(refused.value)))
    assert {code for code, _ in told} == {"key_refused"}
    assert len(told) == 1
    assert isinstance(engine.clock, FixedClock)
    engine.clock.at += timedelta(hours=2)
    with pytest.raises(AccessError):
        await reader.list({})
    with pytest.raises(AccessError):
        await engine.keys.check(made.text)


async def test_F16_the_name_of_a_conversation_opens_it_to_nobody_else(engine):
    ids = (await engine.ingest(ANA, "My plan is Harbor.", conversation="s1")).ids
    own = engine.acting(await engine.keys.check((await engine.keys.create(BEN, ["read", "write", "erase"])).text))
    for conversation in ("s1", "never"):
        assert texts(await own.retrieve({}, "Which plan?", conversation=conversation)) == []
        assert "Harbor" not in (await own.assemble({}, "Which plan?", budget=400, conversation=conversation)).compilation.text
        assert (await own.forget({}, conversation=conversation)).records == 0
    with pytest.raises(NotFound):
        await own.get({}, ids[0])
    await own.ingest({}, "My plan is Basic.", conversation="s1")
    assert (await kept(engine, ANA), await kept(engine, BEN)) == (["My plan is Harbor."], ["My plan is Basic."])
    assert await kept(engine, RIVAL) == await kept(engine, NORTH) == []


def test_F18_the_loop_that_we_show_serves_two_users_apart(tmp_path, monkeypatch):
    """The first example of the page, run for two users of one store."""
    monkeypatch.chdir(tmp_path)
    example = re.search(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
    assert example.count("scope,") >= 3
    prompts = {}
    for user, boat in (("ana", "Perseverance"), ("ben", "Endeavour")):
        ran = {}
        exec(example.replace('user="ana"', f'user="{user}"').replace("Perseverance", boat), ran)  # our own page
        prompts[user] = ran["turn"].compilation.text
    assert "Perseverance" in prompts["ana"]
    assert "Endeavour" in prompts["ben"]
    assert "Perseverance" not in prompts["ben"]
    with muniment.sync.open("sqlite:///agent.db") as engine:
        for user in ("ana", "ben"):
            scope = Scope(client="yard", user=user)
            assert {record.scope for record in engine.export(scope)} == {scope}
