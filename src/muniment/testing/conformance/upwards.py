"""How far scopes share: every change is kept once, in order, seen by all openings, and erased with its scope."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.knowledge.values import SharingChange
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, CLIENT, CUSTOMER, RIVAL, SOUTH, StoreUnderTest, fill
from muniment.testing.fakes import NOON
from muniment.types import Scope

SCOPES = (CLIENT, CUSTOMER, ANA, SOUTH, RIVAL, Scope(customer="north"))


def change_of(scope: Scope, number: int = 0, share: str = "none") -> SharingChange:
    """A change of this scope, made so many minutes after noon."""
    at = NOON + timedelta(minutes=number)
    return SharingChange(scope=scope, agent="desk", kind="decision", share=share, at=at, by="root", note=f"for {scope}")


class UpwardsConformance(StoreUnderTest):
    async def test_changes_come_back_in_order_by_scope_and_once(self, store: Store) -> None:
        changes = [change_of(scope, number) for number, scope in enumerate(SCOPES)]
        assert [await store.keep_sharing(change) for change in reversed(changes)] == [True] * len(changes)
        assert not await store.keep_sharing(changes[2])
        assert list(await store.sharing()) == changes
        for scope in SCOPES:
            assert list(await store.sharing(scope)) == [change for change in changes if scope.covers(change.scope)]
        assert list(await store.sharing(Scope(client="nobody"))) == []

    async def test_changes_of_one_moment_keep_the_order_they_came_in(self, store: Store) -> None:
        changes = [change_of(CUSTOMER, share=share) for share in ("none", "client", "customer", "default")]
        for change in changes:
            await store.keep_sharing(change)
        assert list(await store.sharing(CUSTOMER)) == changes

    async def test_a_scope_is_erased_with_what_it_and_those_below_set(self, store: Store) -> None:
        for scope in SCOPES:
            await store.keep_sharing(change_of(scope))
        record = (await fill(store, CUSTOMER, "one"))[0]
        assert (await store.erase(Target(scope=CUSTOMER, ids=(record.id,)), NOON)).removed["sharing_change"] == 0
        assert (await store.erase(Target(scope=CUSTOMER), NOON)).removed["sharing_change"] == 2
        assert {change.scope for change in await store.sharing()} == {CLIENT, SOUTH, RIVAL, Scope(customer="north")}

    async def test_a_change_made_elsewhere_is_seen_at_once(self, tmp_path: Path) -> None:
        if not self.shared:
            pytest.skip("this store is not shared")
        one, other = await self.open_store(tmp_path), await self.open_store(tmp_path)
        assert list(await other.sharing(CUSTOMER)) == []
        await one.keep_sharing(change_of(CUSTOMER))
        assert list(await other.sharing(CUSTOMER)) == [change_of(CUSTOMER)]
        await other.erase(Target(scope=CUSTOMER), NOON)
        assert list(await one.sharing(CUSTOMER)) == []
        await one.close()
        await other.close()

    async def test_no_byte_of_an_erased_change_is_left_in_any_file(self, tmp_path: Path) -> None:
        if not (self.durable and self.overwrites):
            pytest.skip("this store keeps no files of its own")
        store = await self.open_store(tmp_path)
        scope = Scope(client="acme", customer="quetzalcoatl")
        await store.keep_sharing(replace(change_of(scope), note="xylophonist", by="zanzibarine"))
        await store.erase(Target(scope=scope), NOON)
        await store.close()
        for file in tmp_path.rglob("*"):
            kept = file.read_bytes() if file.is_file() else b""
            assert not any(word in kept for word in (b"quetzalcoatl", b"xylophonist", b"zanzibarine"))
