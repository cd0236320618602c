"""What a narrower rung says of a slot goes before what a wider one says, and the answer tells that both are there."""

from __future__ import annotations

import pytest
from cases import opened, url_of

from muniment import Scope

ACME = Scope(client="acme")
NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
ASKED = "Which plan am I on?"


@pytest.fixture(params=["memory", "sqlite"])
async def engine(request, tmp_path):
    async with opened(url_of(request.param, tmp_path)) as found:
        yield found


async def plan(engine, scope, name, words="I am on the {} plan."):
    await engine.memories.add(scope, words.format(name), attribute="plan", value=name, functional=True)


async def values(engine, scope, query=ASKED):
    bundle = await engine.retrieve(scope, query)
    return [memory.value for hit in bundle for memory in hit.memories if memory.attribute == "plan"], bundle.explanation


@pytest.mark.parametrize("first", [ANA, NORTH], ids=["own first", "own last"])
async def test_a_users_own_plan_goes_before_the_customers_default(engine, first):
    for scope in (first, *({ANA, NORTH} - {first})):
        await plan(engine, scope, "Harbor" if scope == ANA else "Basic")
    found, told = await values(engine, ANA)
    assert found == ["Harbor", "Basic"]
    assert any("Harbor" in line and "Basic" in line and "holds here" in line for line in told)
    for scope in (BEN, NORTH):
        found, told = await values(engine, scope)
        assert found == ["Basic"]
        assert not any("holds here" in line for line in told)


async def test_it_goes_before_however_well_the_wider_one_fits_the_words(engine):
    await plan(engine, NORTH, "Basic", words="Which plan am I on? I am on the {} plan, that plan I am on.")
    await plan(engine, ANA, "Harbor", words="{} it is for the boat by the lake, as said.")
    assert (await values(engine, ANA))[0] == ["Harbor", "Basic"]


async def test_of_three_rungs_the_narrowest_holds(engine):
    await plan(engine, ACME, "Solo")
    await plan(engine, ANA, "Harbor")
    await plan(engine, NORTH, "Basic")
    found, told = await values(engine, ANA)
    assert found[0] == "Harbor"
    assert sum("holds here" in line for line in told) == 2
    found, told = await values(engine, BEN)
    assert found[0] == "Basic"
    assert sum("holds here" in line for line in told) == 1


async def test_a_slot_of_many_values_is_added_to_and_not_overruled(engine):
    await engine.memories.add(NORTH, "I own a boat.", attribute="owns", value="boat")
    await engine.memories.add(ANA, "I own a bike.", attribute="owns", value="bike")
    bundle = await engine.retrieve(ANA, "What do I own?")
    assert {memory.value for hit in bundle for memory in hit.memories} == {"boat", "bike"}
    assert not any("holds here" in line for line in bundle.explanation)


async def test_both_are_listed_with_what_is_above(engine):
    await plan(engine, NORTH, "Basic")
    await plan(engine, ANA, "Harbor")
    page = await engine.memories.list(ANA, inherited=True)
    assert {(memory.value, memory.scope) for memory in page.memories} == {("Harbor", ANA), ("Basic", NORTH)}
    assert [memory.value for memory in (await engine.memories.list(ANA)).memories] == ["Harbor"]
