"""Sharing upwards: as far as the architecture says, without names, and gone with what it was made from."""

from __future__ import annotations

import pytest
from cases_sharing import ANA, BEN, NORTH, RULES, SOUTH

import muniment
from muniment import Credential, Permission, Scope
from muniment.errors import AccessError, NotFound, QueryError, ScopeError
from muniment.knowledge.values import MemoryFilter


@pytest.fixture(params=["memory", "sqlite"])
async def engine(request, tmp_path):
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/agent.db"
    async with muniment.open(url, embedder=None, tokens="estimate") as opened:
        await opened.architecture.apply(RULES)
        yield opened


async def stated(engine, scope=ANA, text="The boat yard opens at noon.", subject="boat yard", **more):
    return (await engine.memories.add(scope, text, subject=subject, **more)).memory


async def seen(engine, scope):
    return [memory.text for memory in (await engine.memories.list(scope, inherited=True)).memories]


async def test_what_is_shared_is_found_by_all_below_that_rung_and_by_nobody_else(engine):
    copy = await engine.memories.share(ANA, (await stated(engine)).id, by="desk")
    assert (copy.scope, copy.text, copy.subject) == (NORTH, "The boat yard opens at noon.", "boat yard")
    assert copy.metadata == {"shared": "yes", "shared_by": "desk"}
    assert await seen(engine, BEN) == ["The boat yard opens at noon."]
    assert await seen(engine, SOUTH) == []
    assert (await engine.memories.share(ANA, (await engine.memories.list(ANA)).memories[0].id)).id == copy.id
    assert all(finding.ok for finding in await engine.doctor())


async def test_a_copy_names_nobody_and_tells_nothing_of_where_it_is_from(engine):
    memory = await stated(engine, text="Ana Lee can be reached at ana@example.org.", subject="Ana Lee")
    copy = await engine.memories.share(ANA, memory.id)
    assert copy.subject == "someone"
    for word in ("Ana", "example.org", memory.id, *(evidence.record for evidence in memory.evidence)):
        assert word not in repr(copy).replace(repr(copy.scope), "")


@pytest.mark.parametrize("how", ["id", "conversation", "user", "customer"])
async def test_a_copy_goes_when_what_proved_the_original_is_forgotten(engine, how):
    other = await engine.memories.share(ANA, (await stated(engine, text="The lake is cold.", subject="lake")).id)
    if how == "conversation":
        await engine.ingest(ANA, ["We decided to use Postgres because it is known."], conversation="c1")
        await engine.work.wait()
        memory = next(one for one in (await engine.memories.list(ANA)).memories if one.kind == "decision")
    else:
        memory = await stated(engine)
    copy = await engine.memories.share(ANA, memory.id)
    asked = {"id": {"ids": [e.record for e in memory.evidence]}, "conversation": {"conversation": "c1"}}.get(how, {})
    erasure = await engine.forget(NORTH if how == "customer" else ANA, **asked)
    left = [one.id for one in (await engine.memories.list(NORTH)).memories]
    assert copy.id not in left
    assert (other.id in left) is bool(asked)
    if how != "customer":
        assert erasure.removed["shared"] == (1 if asked else 2)
    assert [record.text for record in (await engine.list(NORTH)).records] == ([other.text] if asked else [])


async def test_a_customers_copy_at_the_client_goes_with_the_user_it_came_from(engine):
    copy = await engine.memories.share(ANA, (await stated(engine)).id, to="client")
    assert copy.scope == Scope(client="acme")
    assert await seen(engine, SOUTH) == [copy.text]
    await engine.forget(BEN)
    assert await seen(engine, SOUTH) == [copy.text]
    await engine.forget(NORTH)
    assert await seen(engine, SOUTH) == []


async def test_it_is_taken_back_by_the_original_and_by_the_copy(engine):
    memory = await stated(engine)
    await engine.memories.share(ANA, memory.id)
    assert await engine.memories.unshare(ANA, memory.id) == 1
    assert await engine.memories.unshare(ANA, memory.id) == 0
    copy = await engine.memories.share(ANA, memory.id)
    assert await engine.memories.unshare(NORTH, copy.id) == 1
    assert await seen(engine, BEN) == []
    assert (await engine.memories.get(ANA, memory.id)).id == memory.id


async def test_what_may_not_be_shared_stays_where_it_is(engine):
    memory = await stated(engine)
    liked = await stated(engine, text="Ana likes tea.", subject="Ana", kind="preference")
    with pytest.raises(ScopeError, match="does not share"):
        await engine.memories.share(ANA, liked.id)
    with pytest.raises(ScopeError, match="to share with"):
        await engine.memories.share(ANA, memory.id, to="user")
    with pytest.raises(NotFound):
        await engine.memories.share(BEN, memory.id)
    await engine.memories.retract(ANA, memory.id)
    with pytest.raises(QueryError, match="only what is current"):
        await engine.memories.share(ANA, memory.id)
    assert (await engine.memories.list(NORTH, MemoryFilter())).memories == ()


async def test_a_key_shares_upwards_and_takes_back_its_own_only(engine):
    own = engine.acting(Credential(ceiling=ANA, permissions=[Permission.SHARE]))
    theirs = await engine.memories.share(BEN, (await stated(engine, BEN, text="The lake is cold.", subject="lake")).id)
    memory = await stated(engine)
    await own.memories.share({}, memory.id)
    with pytest.raises(AccessError):
        await own.memories.unshare({}, theirs.id)
    assert await own.memories.unshare({}, memory.id) == 1
    reader = engine.acting(Credential(ceiling=ANA, permissions=[Permission.READ, Permission.WRITE]))
    with pytest.raises(AccessError):
        await reader.memories.share({}, memory.id)
