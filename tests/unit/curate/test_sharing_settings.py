"""A customer's administrator narrows or widens what goes up, within the ceiling of the architecture; every change is kept."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cases_sharing import ANA, BEN, NORTH

import muniment
from muniment import Credential, Permission, Scope
from muniment.errors import AccessError, InputError, QueryError, ScopeError
from muniment.testing.fakes import NOON, FixedClock

ACME = Scope(client="acme")
RULES = "agent: default\nkinds:\n  fact: {share: customer, share_up_to: client}\n  decision: {share: customer}\n"


@pytest.fixture(params=["memory", "sqlite"])
async def engine(request, tmp_path):
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path}/agent.db"
    async with muniment.open(url, embedder=None, tokens="estimate", clock=FixedClock(NOON)) as opened:
        await opened.architecture.apply(RULES)
        yield opened


async def stated(engine, scope=ANA, text="The boat yard opens at noon."):
    return (await engine.memories.add(scope, text, subject="boat yard")).memory.id


async def shares(engine, kind="fact", scope=ANA):
    return next((one.share, one.default, one.ceiling) for one in await engine.sharing.current(scope) if one.kind == kind)


async def test_a_kind_goes_up_as_the_architecture_says_until_its_customer_sets_it(engine):
    memory = await stated(engine)
    assert await shares(engine) == ("customer", "customer", "client")
    with pytest.raises(ScopeError, match="does not share"):
        await engine.memories.share(ANA, memory, to="client")
    done = await engine.sharing.set(NORTH, "fact", "client", by="ops", note="asked for")
    assert (done.change.by, done.change.at, done.withdrawn) == ("ops", NOON, 0)
    assert await shares(engine) == ("client", "customer", "client")
    assert (await engine.memories.share(ANA, memory, to="client")).scope == ACME
    assert await shares(engine, scope=Scope(client="acme", customer="south")) == ("customer", "customer", "client")


async def test_what_is_narrowed_is_taken_back_at_once(engine):
    memory = await stated(engine)
    await engine.sharing.set(NORTH, "fact", "client")
    await engine.memories.share(ANA, memory, to="client")
    await engine.memories.share(ANA, memory)
    theirs = await stated(engine, BEN, "The lake is cold.")
    await engine.memories.share(BEN, theirs)
    assert (await engine.sharing.set(NORTH, "fact", "customer")).withdrawn == 1
    assert [one.text for one in await engine.memories.list(ACME)] == []
    assert len(await engine.memories.list(NORTH)) == 2
    assert (await engine.sharing.set(NORTH, "fact", "none")).withdrawn == 2
    assert len(await engine.memories.list(NORTH)) == 0
    with pytest.raises(ScopeError, match="administrator does not share") as refused:
        await engine.memories.share(ANA, memory)
    assert "muniment sharing set fact customer" in refused.value.hint
    await engine.sharing.set(NORTH, "fact", "default")
    assert await engine.memories.share(ANA, memory)


async def test_nothing_goes_above_the_ceiling_of_the_client(engine):
    with pytest.raises(ScopeError) as refused:
        await engine.sharing.set(NORTH, "decision", "client")
    assert (refused.value.code, refused.value.hint) == (
        "above_ceiling",
        "Set share_up_to: client for the kind decision in the agent's architecture.",
    )
    await engine.sharing.set(NORTH, "fact", "client")
    await engine.architecture.apply(RULES.replace(", share_up_to: client", ""))
    assert await shares(engine) == ("customer", "customer", "customer")
    assert [one.share for one in await engine.sharing.history(NORTH)] == ["client"]


@pytest.mark.parametrize(
    ("scope", "kind", "share", "error"),
    [
        (ANA, "fact", "none", ScopeError),
        (ACME, "fact", "none", ScopeError),
        (NORTH, "nonsense", "none", InputError),
        (NORTH, "fact", "everybody", QueryError),
        (NORTH, "fact", None, QueryError),
    ],
)
async def test_what_cannot_be_set_is_refused_and_leaves_no_trace(engine, scope, kind, share, error):
    with pytest.raises(error):
        await engine.sharing.set(scope, kind, share)
    assert await engine.sharing.history(ACME) == ()


async def test_every_change_is_shown_with_who_made_it_and_when(engine):
    admin = await engine.keys.create(NORTH, ["administer", "read"], by="setup")
    own = engine.acting(await engine.keys.check(admin.text))
    await own.sharing.set({}, "fact", "none", by="somebody else", note="a wish")
    engine.clock.at = NOON + timedelta(hours=1)
    await own.sharing.set({}, "fact", "customer")
    told = [(one.share, one.by, one.at, one.note) for one in await own.sharing.history({})]
    assert told == [("none", admin.credential.id, NOON, "a wish"), ("customer", admin.credential.id, engine.clock.at, "")]
    assert await engine.sharing.history(Scope(client="rival")) == ()
    user = engine.acting(Credential(ceiling=ANA, permissions=tuple(Permission)))
    with pytest.raises(ScopeError):
        await user.sharing.set(NORTH, "fact", "client")
    with pytest.raises(AccessError):
        await engine.acting(Credential(ceiling=NORTH, permissions=["read", "write", "share"])).sharing.set({}, "fact", "none")


async def test_a_setting_travels_with_a_store_and_goes_with_its_customer(engine):
    await engine.sharing.set(NORTH, "fact", "client", by="ops")
    items = [item async for item in engine.transfer.export()]
    async with muniment.open("memory://", embedder=None, tokens="estimate") as there:
        assert (await there.transfer.restore(items)).ok
        assert await there.sharing.history(NORTH) == await engine.sharing.history(NORTH)
        assert await shares(there) == ("client", "customer", "client")
        assert {item.outcome for item in (await there.transfer.restore(items)).items} == {"unchanged"}
    assert (await engine.forget(NORTH)).removed["sharing_change"] == 1
    assert await engine.sharing.history(ACME) == ()
    assert await shares(engine) == ("customer", "customer", "client")


async def test_a_ceiling_narrower_than_what_is_shared_is_a_fault_of_the_file(engine):
    with pytest.raises(muniment.MunimentError, match="share_up_to user is narrower than share customer"):
        await engine.architecture.apply("agent: default\nkinds:\n  fact: {share: customer, share_up_to: user}\n")
