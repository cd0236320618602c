"""Two worlds: whatever a neighbour does, or does not do, every answer a tenant gets is the same, byte for byte."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.testing.acts import MODEL, Act, Verb, perform
from muniment.testing.samples import sample_write
from muniment.testing.strategies import acts
from muniment.types import Scope

ANA = Scope(client="acme", customer="north", user="ana")
ABOVE = (Scope(client="acme", customer="north"), Scope(client="acme"))
NEIGHBOURS = {
    "without_a_client": (Scope(user="ana"), Scope(customer="north", user="ana"), Scope(client="acme", user="ana")),
    "sibling_user": (Scope(client="acme", customer="north", user="ben"),),
    "sibling_customer": (Scope(client="acme", customer="south"), Scope(client="acme", customer="south", user="ana")),
    "other_client": (
        Scope(client="rival"),
        Scope(client="rival", customer="north"),
        Scope(client="rival", customer="north", user="ana"),
    ),
}


WORKERS = {Verb.CLAIM, Verb.FAIL, Verb.END, Verb.OPEN}
"""What the workers of a store do and ask, whose turns, leases and backlog are the whole store's: nobody's answer."""


def traces(neighbours):
    """Acts of Ana and of her neighbours, mixed. Either may try ids of the other."""
    others = st.sampled_from(neighbours)
    some = acts(st.just(ANA), of=others) | acts(others, of=st.just(ANA))
    return st.lists(some.filter(lambda act: act.verb not in WORKERS), min_size=1, max_size=14)


async def heard_by_ana(open_store, trace):
    """The answers Ana gets when this trace is performed on a new store. What is kept above her is the same in every world."""
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(Path(folder))
        await store.adopt(MODEL)
        await store.put([sample_write(scope, f"kept at {scope}") for scope in ABOVE])
        heard = []
        for act in trace:
            answer = await perform(store, act)
            if act.scope == ANA:
                heard.append(answer)
        await store.close()
    return heard


@pytest.mark.parametrize("neighbours", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_what_a_neighbour_does_changes_no_answer(open_store, neighbours):
    @settings(max_examples=settings().max_examples // 2)
    @given(traces(neighbours))
    def check(trace):
        last = [Act(verb=verb, scope=ANA) for verb in (Verb.WALK, Verb.SEARCH, Verb.STATS, Verb.SCAN)]
        crowded = asyncio.run(heard_by_ana(open_store, [*trace, *last]))
        alone = asyncio.run(heard_by_ana(open_store, [act for act in [*trace, *last] if act.scope == ANA]))
        assert crowded == alone

    check()
