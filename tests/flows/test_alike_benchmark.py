"""The benchmark that compares how long refusals take, on a few pairs: what it reports, never how long they took."""

from __future__ import annotations

from benchmarks import alike


async def test_every_verb_is_compared_on_every_store_that_is_given(tmp_path):
    stores = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path / 'a.db'}"}
    rows = await alike.run(stores, samples=6)
    assert {row.slice for row in rows} == set(stores)
    assert {row.method for row in rows} == {"get", "memory", "entity", "scope", "revoke", "check"}
    assert {row.metric for row in rows} == set(alike.METRICS)
    assert all(row.low <= row.high and row.n == 6 for row in rows)
