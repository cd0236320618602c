"""What is another's and what is not there take alike long to be refused: interleaved samples, and how often one is the slower."""

from __future__ import annotations

import asyncio
import time

import pytest
from cases import ANA, BEN, opened

from muniment import MunimentError

SAMPLES = 400
ALIKE = 0.15
"""How far from a half the share may lie of pairs in which the foreign one is the slower. Two ways of one price give 0.03 here."""


async def took(call):
    began = time.perf_counter()
    try:
        await call()
    except MunimentError:
        return time.perf_counter() - began
    raise AssertionError("this was to be refused")


@pytest.mark.nightly  # a busy machine tells times apart that are alike
@pytest.mark.parametrize("verb", ["get", "memory", "entity", "scope", "revoke"])
async def test_a_foreign_thing_is_refused_in_the_time_of_an_absent_one(any_store_url, verb):
    async with opened(any_store_url) as engine:
        for scope in (ANA, BEN):
            await engine.ingest(scope, [f"I live in City{n} and Ben Ortega knows it." for n in range(40)])
        await engine.work.wait()
        record, memory = (await engine.list(BEN)).records[0].id, (await engine.memories.list(BEN)).memories[0].id
        entity = (await engine.entities.list(BEN)).entities[0].id
        theirs = await engine.keys.create(BEN, ["read"])
        own = engine.acting(await engine.keys.check((await engine.keys.create(ANA, ["read", "administer"])).text))
        foreign, absent = {
            "get": (lambda: own.get({}, record), lambda: own.get({}, "a" * 16)),
            "memory": (lambda: own.memories.get({}, memory), lambda: own.memories.get({}, "a" * 16)),
            "entity": (lambda: own.entities.show({}, entity), lambda: own.entities.show({}, "a" * 16)),
            "scope": (lambda: own.list({"user": "ben"}), lambda: own.list({"user": "nobody"})),
            "revoke": (
                lambda: own.keys.revoke(theirs.credential.id, scope={}),
                lambda: own.keys.revoke("a" * 16, scope={}),
            ),
        }[verb]
        pairs = []
        for number in range(SAMPLES + 20):
            first, second = (foreign, absent) if number % 2 else (absent, foreign)
            one, other = await took(first), await took(second)
            pairs.append((one, other) if number % 2 else (other, one))
            await asyncio.sleep(0)
        slower = sum(one > other for one, other in pairs[20:]) / SAMPLES
        assert abs(slower - 0.5) < ALIKE, slower
