"""What is told of recall: added up by scope and record, seen by all openings, gone with the record and with the scope."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.knowledge.values import Feedback
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, CLIENT, CUSTOMER, RIVAL, SOUTH, StoreUnderTest, fill
from muniment.testing.fakes import NOON
from muniment.types import RecordId, Scope

SCOPES = (CLIENT, CUSTOMER, ANA, SOUTH, RIVAL, Scope(customer="north"))


def told_of(scope: Scope, record: str = "r1", minutes: int = 0, **counts: int) -> Feedback:
    """One thing told, so many minutes after noon."""
    return Feedback(
        scope=scope, record=RecordId(record), at=NOON + timedelta(minutes=minutes), by="desk", **(counts or {"used": 1})
    )


class ToldConformance(StoreUnderTest):
    async def test_what_is_told_is_added_up_by_scope_and_record(self, store: Store) -> None:
        await store.add_feedback([told_of(ANA, minutes=2, used=1), told_of(ANA, minutes=5, used=2, ignored=1)])
        await store.add_feedback([replace(told_of(ANA, minutes=1, corrected=1), by="late"), told_of(SOUTH)])
        assert list(await store.feedback_on(ANA, [RecordId("r1"), RecordId("r2")])) == [
            Feedback(scope=ANA, record=RecordId("r1"), used=3, ignored=1, corrected=1, at=NOON + timedelta(minutes=5), by="desk")
        ]
        assert list(await store.feedback_on(CUSTOMER, [RecordId("r1")])) == []

    async def test_it_is_given_back_by_scope_and_below(self, store: Store) -> None:
        every = [told_of(scope) for scope in SCOPES]
        await store.add_feedback(every)
        for scope in SCOPES:
            assert {one.scope for one in await store.feedback(scope)} == {one for one in SCOPES if scope.covers(one)}
        assert len(await store.feedback()) == len(SCOPES)
        assert list(await store.feedback(Scope(client="nobody"))) == []

    async def test_it_goes_with_the_record_it_speaks_of_wherever_it_was_told_below(self, store: Store) -> None:
        one, other = await fill(store, CUSTOMER, "one", "other")
        await store.add_feedback([told_of(scope, record.id) for scope in (CUSTOMER, ANA, RIVAL) for record in (one, other)])
        removed = (await store.erase(Target(scope=CUSTOMER, ids=(one.id,)), NOON)).removed
        assert removed["feedback"] == 2
        kept = {(told.scope, told.record) for told in await store.feedback()}
        assert kept == {(CUSTOMER, other.id), (ANA, other.id), (RIVAL, one.id), (RIVAL, other.id)}

    async def test_it_goes_with_the_scope_it_was_told_in(self, store: Store) -> None:
        await store.add_feedback([told_of(scope) for scope in SCOPES])
        assert (await store.erase(Target(scope=CUSTOMER), NOON)).removed["feedback"] == 2
        assert {told.scope for told in await store.feedback()} == {CLIENT, SOUTH, RIVAL, Scope(customer="north")}

    async def test_what_is_told_elsewhere_is_seen_at_once(self, tmp_path: Path) -> None:
        if not self.shared:
            pytest.skip("this store is not shared")
        one, other = await self.open_store(tmp_path), await self.open_store(tmp_path)
        await one.add_feedback([told_of(ANA)])
        assert list(await other.feedback_on(ANA, [RecordId("r1")])) == [told_of(ANA)]
        await one.close()
        await other.close()
