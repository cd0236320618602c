"""An engine that acts for a credential: what the table names and nothing else, inside the ceiling and nowhere else."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter

import pytest
from acting_calls import CALLS, Ids, of, verbs_of
from cases import opened

import muniment
from muniment import MunimentError, Scope
from muniment.errors import AccessError, InputError, NotFound, ScopeError
from muniment.scope import Credential, Permission
from muniment.scope.rules_needs import NEEDS, WITHHELD, Reach
from muniment.testing import FixedClock
from muniment.types import Outcome

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
ACME = Scope(client="acme")
NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
ABSENT = Scope(client="acme", customer="north", user="nobody")
ALL = tuple(Permission)
STORE_WIDE = [name for name, need in NEEDS.items() if need.reach is Reach.STORE]
SCOPED = [name for name, need in NEEDS.items() if need.reach in {Reach.SCOPE, Reach.SCOPE_OR_STORE}]
OR_STORE = [name for name, need in NEEDS.items() if need.reach is Reach.SCOPE_OR_STORE]


@pytest.fixture
async def engine():
    async with opened("memory://", clock=FixedClock(NOON)) as found:
        yield found


def acting(engine, ceiling, *permissions):
    return engine.acting(Credential(ceiling=ceiling, permissions=permissions or ALL))


async def ask(engine, name, given):
    """What a verb answers, as a value; the items of one that gives them one by one."""
    try:
        answer = attrgetter(name)(engine)(**given)
        return [item async for item in answer] if hasattr(answer, "__anext__") else await answer
    except MunimentError as error:
        return type(error), error.code, str(error)


async def test_every_verb_of_the_engine_stands_in_the_table_or_is_withheld(engine):
    assert verbs_of(engine) == NEEDS.keys() | WITHHELD
    assert CALLS.keys() == NEEDS.keys()


async def test_what_the_table_does_not_name_is_not_there(engine):
    bounded = acting(engine, None)
    for name in [*WITHHELD, "store", "index", "intake", "salt", "work.servings", "memories.store", "keys.store", "nothing"]:
        with pytest.raises(AttributeError):
            attrgetter(name)(bounded)
    offered = {name for name in dir(bounded) if "." not in name}
    assert offered == {name.partition(".")[0] for name in NEEDS}
    assert set(dir(bounded.keys)) == {"create", "list", "revoke"}


@pytest.mark.parametrize("name", NEEDS)
async def test_a_verb_is_refused_without_its_permission(engine, name):
    others = [one for one in Permission if one is not NEEDS[name].permission]
    answer = await ask(acting(engine, NORTH, *others), name, of(Ids(), name, {}))
    assert answer[:2] == (AccessError, "not_allowed")


@pytest.mark.parametrize("name", SCOPED)
async def test_a_verb_is_refused_outside_and_above_the_ceiling_as_for_nobody(engine, name):
    await engine.ingest(BEN, ["I live in Porto."])
    answers = [await ask(acting(engine, ANA), name, of(Ids(), name, scope)) for scope in (BEN, NORTH, ABSENT, {"user": "ben"})]
    assert answers[0][:2] == (ScopeError, "scope_absent")
    assert answers == answers[:1] * 4


@pytest.mark.parametrize("name", SCOPED)
@pytest.mark.parametrize("scope", ["", "*", ["ana"], {"user": "*"}, {"user": ["ana"]}, {"user": ""}, {"tenant": "x"}, 7])
async def test_V44_what_is_no_scope_is_never_everything(engine, name, scope):
    for ceiling in (None, NORTH):
        assert (await ask(acting(engine, ceiling), name, of(Ids(), name, scope)))[0] is ScopeError


@pytest.mark.parametrize("name", [*STORE_WIDE, *OR_STORE])
async def test_the_whole_store_needs_an_administrator_without_a_ceiling(engine, name):
    given = of(Ids(), name, None)
    assert (await ask(acting(engine, ACME), name, given))[:2] == (AccessError, "not_allowed")
    others = [one for one in Permission if one is not Permission.ADMINISTER]
    assert (await ask(acting(engine, None, *others), name, given))[:2] == (AccessError, "not_allowed")


@pytest.mark.parametrize("name", [name for name in NEEDS if name != "work.listen"])
async def test_a_verb_answers_as_the_engine_does_inside_the_ceiling(name):
    answers = []
    for bounded in (False, True):
        async with opened("memory://", clock=FixedClock(NOON)) as engine:
            engine.salt = "same"
            await engine.ingest(ANA, ["I live in Porto.", "We decided to use Postgres because Ben Ortega knows it."])
            await engine.work.wait()
            whole = name in STORE_WIDE
            answer = await ask(acting(engine, None if whole else NORTH) if bounded else engine, name, of(Ids(), name, ANA))
            answers.append(answer)
    if name == "keys.create":
        answers = [(made.credential.ceiling, made.credential.permissions) for made in answers]
    if getattr(answers[0], "cursor", None):  # sealed with the secret of its own store
        answers = [replace(page, cursor=page.cursor.rpartition("_")[0]) for page in answers]
    if name == "work.wait":
        assert answers[1] is None  # how much is open in the store is nobody's answer
    elif name == "assemble":
        assert answers[0].bundle == answers[1].bundle
    elif name.startswith("architecture") and name not in {"architecture.current", "architecture.history", "architecture.version"}:
        assert answers[1][:2] == (ScopeError, "scope_absent")  # of the whole client, which is above this ceiling
    else:
        assert answers[0] == answers[1]


async def test_a_reader_reads_what_is_above_and_cannot_list_erase_or_change_it(engine):
    await engine.ingest(NORTH, ["The boat yard opens at noon."])
    stated = (await engine.memories.add(NORTH, "The boat yard opens at noon.", subject="yard")).memory
    ana = acting(engine, ANA)
    assert next(hit.record.scope for hit in await ana.retrieve({}, "When does the boat yard open?")) == NORTH
    assert (await ana.memories.get({}, stated.id)) == stated
    for name in ("memories.update", "memories.retract", "memories.restore", "memories.hold"):
        assert (await ask(ana, name, of(Ids(memory=stated.id), name, {})))[:2] == (AccessError, "not_allowed")
    assert (await ask(ana, "runs.count", of(Ids(rule=stated.id), "runs.count", {})))[0] is AccessError
    for name in ("list", "export", "forget", "stats"):
        assert (await ask(ana, name, of(Ids(), name, NORTH)))[:2] == (ScopeError, "scope_absent")
    assert (await acting(engine, NORTH).memories.retract({}, stated.id)).memory.id == stated.id


async def test_a_batch_is_taken_as_far_as_it_lies_inside_the_ceiling(engine):
    await engine.ingest(ANA, ["I live in Porto."])
    await engine.ingest(BEN, ["I live in Faro."])
    records = [record async for record in engine.export()]
    await engine.forget(ACME)
    receipt = await acting(engine, ANA).restore(records)
    assert [item.outcome for item in receipt.items] == [Outcome.STORED, Outcome.REFUSED]
    assert receipt.items[1].reason == "scope_absent"
    assert [record.scope async for record in engine.export()] == [ANA]


async def test_a_client_has_its_own_architecture_and_not_that_of_another(engine):
    await engine.architecture.apply("agent: desk\ntimezone: Asia/Tokyo\n", client="rival")
    own = acting(engine, ACME)
    assert (await own.architecture.apply("agent: desk\ntimezone: Europe/Lisbon\n")).client == "acme"
    assert (await acting(engine, ANA).architecture.current("desk")).timezone == "Europe/Lisbon"
    for client in ("rival", "nobody", "", 7):
        for name in ("architecture.current", "architecture.apply"):
            answer = await ask(own, name, {**of(Ids(), name, None), "client": client})
            assert answer[:2] == (ScopeError, "scope_absent")
    assert (await acting(engine, ANA).architecture.history("desk"))[0].client == "acme"
    assert (await acting(engine, None).architecture.apply("agent: desk\n")).client is None


async def test_a_key_gives_what_it_has_and_no_more(engine):
    own = acting(engine, NORTH, "read", "administer")
    made = await own.keys.create({"user": "ana"}, ["read"])
    assert made.credential.ceiling == ANA
    for permissions in (["erase"], ["read", "write"], "share"):
        assert (await ask(own, "keys.create", {"ceiling": {}, "permissions": permissions}))[0] is AccessError
    for ceiling in (ACME, BEN.lineage[-1], Scope(client="rival")):
        assert (await ask(own, "keys.create", {"ceiling": ceiling, "permissions": ["read"]}))[0] is ScopeError
    assert await own.keys.list({}) == (made.credential,)
    other = await engine.keys.create(ACME, ["read"])
    assert (await ask(own, "keys.revoke", {"key": other.credential.id, "scope": {}}))[0] is NotFound
    assert (await own.keys.revoke(made.credential.id, scope={})).revoked_at == NOON


async def test_what_is_done_is_the_credentials_doing_whatever_is_said(engine):
    root = (await engine.keys.create(None, ALL, by="somebody")).credential
    own = engine.acting(root)
    made = await own.keys.create(ACME, ["read"], by="somebody else")
    assert made.credential.created_by == root.id
    assert (await own.keys.revoke(made.credential.id, by="nobody")).revoked_by == root.id
    assert (await own.architecture.apply("agent: desk\n", by="nobody")).by == root.id


async def test_V51_V52_a_key_ends_for_whoever_acts_with_it_already(tmp_path):
    url = f"sqlite:///{tmp_path}/agent.db"
    async with opened(url) as here, opened(url) as elsewhere:
        await here.ingest(NORTH, [f"Note {number}." for number in range(250)])
        made = await here.keys.create(NORTH, ["read", "write"])
        other = await here.keys.create(NORTH, ["read"], expires=here.clock.now() + timedelta(hours=1))
        bounded = here.acting(await here.keys.check(made.text))
        assert await bounded.list({})
        records = bounded.export({})
        assert (await anext(records)).scope == NORTH
        await elsewhere.keys.revoke(made.credential.id)
        assert (await ask(bounded, "list", {"scope": {}}))[:2] == (AccessError, "key_refused")
        assert (await ask(bounded, "ingest", {"scope": {}, "turns": ["more"]}))[1] == "key_refused"
        with pytest.raises(AccessError):
            [record async for record in records]
        second = here.acting(await here.keys.check(other.text))
        await elsewhere.forget(ACME)
        assert (await ask(second, "list", {"scope": {}}))[1] == "key_refused"


async def test_F08_many_act_at_once_and_none_in_anothers_scope(engine):
    people = {name: acting(engine, NORTH) for name in ("ana", "ben", "cleo")}
    await asyncio.gather(*(one.ingest({"user": name}, [f"{name} says {n}."]) for name, one in people.items() for n in range(20)))
    for name in people:
        texts = [record.text async for record in engine.export(Scope(client="acme", customer="north", user=name))]
        assert sorted(texts) == sorted(f"{name} says {n}." for n in range(20))


def test_the_blocking_engine_acts_for_a_credential_too():
    with muniment.sync.open("memory://", embedder=None, tokens="estimate") as engine:
        made = engine.keys.create(NORTH, ["read", "write"])
        own = engine.acting(engine.keys.check(made.text))
        own.ingest({"user": "ana"}, ["I live in Porto."])
        own.work.wait({})
        assert [record.scope for record in own.export({})] == [ANA]
        assert own.memories.list({"user": "ana"}).memories[0].value == "Porto"
        with pytest.raises(ScopeError):
            own.list(ACME)
        engine.keys.revoke(made.credential.id)
        with pytest.raises(AccessError):
            own.list({})


async def test_what_is_kept_above_the_ceiling_is_not_corrected_by_its_id(engine):
    kept = await engine.memories.add(NORTH, "The yard opens at nine.")
    ana = acting(engine, ANA, Permission.READ, Permission.WRITE)
    with pytest.raises(AccessError, match="kept above"):
        await ana.memories.correct({}, kept.memory.id, "The yard opens at ten.")
    assert [memory.text for memory in await engine.memories.list(NORTH)] == [kept.memory.text]


async def test_counting_a_run_counts_no_rule_that_is_kept_above(engine):
    await engine.ingest(NORTH, ["The export failed because the date was missing."], conversation="c")
    taught = {"run": "r1", "outcome": "failed", "conversation": "c", "reflector": lambda _: "Check the date before exporting."}
    await engine.runs.reflect(NORTH, muniment.Registry(), **taught)
    ana = acting(engine, ANA, Permission.READ, Permission.WRITE)
    with pytest.raises(NotFound):
        await ana.runs.count({}, success=False, run="r1")
    (rule,) = await engine.runs.count(NORTH, success=True, run="r1")
    assert rule.metadata.get("failure", "0") == "0"


async def test_the_own_rules_of_a_memory_bound_its_sharing_whoever_is_named(engine):
    for name, rung in (("strict", "user"), ("lax", "client")):
        await engine.architecture.apply(f"agent: {name}\nkinds:\n  fact:\n    share: {rung}\n")
    await engine.ingest(ANA, ["My plan is Gold."], agent="strict")
    await engine.work.wait()
    (plan,) = await engine.memories.list(ANA)
    with pytest.raises(ScopeError, match="does not share"):
        await engine.memories.share(ANA, plan.id, to="client", agent="lax")


async def test_a_credential_takes_in_what_lies_inside_its_ceiling_and_is_told_of_each_other_item(engine):
    await engine.ingest(ANA, ["I live in Porto."])
    await engine.ingest(BEN, ["I live in Faro."])
    await engine.ingest(NORTH, ["The boat yard opens at noon."])
    await engine.architecture.apply("agent: desk\n", client="acme")
    await engine.work.wait()
    await engine.sharing.set(NORTH, "fact", "none", by="ops")
    items = [item async for item in engine.transfer.export()]
    async with opened("memory://", clock=FixedClock(NOON)) as there:
        told = await acting(there, ANA).transfer.restore(items)
        assert [record.scope async for record in there.export()] == [ANA]
        assert [one.value for one in await there.memories.list(ANA)] == ["Porto"]
        assert len(told.items) == len(items)
        refused = [item for item in told.items if item.outcome is Outcome.REFUSED]
        assert {item.reason for item in refused} == {"scope_absent", "by_hand"}
        assert await there.sharing.history(ACME) == ()
        assert await there.architecture.history("desk", client="acme") == ()
        assert (await acting(there, None).transfer.restore(items)).ok
        assert len(await there.sharing.history(ACME)) == 1
    async with opened("memory://", clock=FixedClock(NOON)) as there:
        await acting(there, ACME).transfer.restore(items)
        assert len(await there.architecture.history("desk", client="acme")) == 1


@pytest.mark.parametrize("given", [5, None])
async def test_what_is_no_batch_is_refused_as_the_engine_refuses_it(engine, given):
    bounded = acting(engine, ANA, "administer")
    for verb in (bounded.restore, bounded.transfer.restore):
        with pytest.raises(InputError) as refused:
            await verb(given)
        assert refused.value.code == "type"
