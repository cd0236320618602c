"""Many share one memory at once while it is taken back, narrowed or unshared, through two engines: no copy is left over."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

import muniment
from muniment import Scope, Status, default_architecture
from muniment.errors import MunimentError
from muniment.knowledge.values import MemoryFilter

NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")
S = default_architecture()
RULES = replace(S, kinds=tuple(replace(k, share="client") if k.name == "fact" else k for k in S.kinds))
WAYS = {
    "retract": lambda e, m: e.memories.retract(ANA, m),
    "set": lambda e, m: e.sharing.set(NORTH, "fact", "none"),
    "unshare": lambda e, m: e.memories.unshare(ANA, m),
    "forget": lambda e, _: e.forget(ANA),
}


@pytest.mark.parametrize("how", WAYS)
async def test_no_copy_is_left_over_when_many_share_at_once(any_store_url, how):
    async with (
        muniment.open(any_store_url, embedder=None, tokens="estimate") as e,
        muniment.open(any_store_url, embedder=None, tokens="estimate") as second,
    ):
        f = e if "memory" in any_store_url else second
        await e.architecture.apply(RULES)
        for turn in range(12):
            await e.sharing.set(NORTH, "fact", "default")
            m = (await e.memories.add(ANA, f"The boat yard opens at {turn}.", subject="boat yard")).memory

            async def later(turn=turn, m=m):
                await asyncio.sleep(turn * 0.003)
                await WAYS[how](f, m.id)

            shares = [e.memories.share(ANA, m.id) for _ in range(5)] + [
                f.memories.share(ANA, m.id, to="client") for _ in range(4)
            ]
            got = await asyncio.gather(*shares, later(), return_exceptions=True)
            assert [x for x in got if isinstance(x, BaseException) and not isinstance(x, MunimentError)] == []
            if how == "unshare":  # a share may have come after it
                await e.memories.unshare(ANA, m.id)
            for rung in (NORTH, Scope(client="acme")):
                assert [x.text for x in await e.memories.list(rung, MemoryFilter(statuses=tuple(Status)))] == []
                assert [x.text for x in (await e.list(rung)).records] == []
        assert all(x.ok for x in await e.doctor())
