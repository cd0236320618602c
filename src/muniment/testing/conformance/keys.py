"""Keys: kept without their secret, read as they stand now whoever changed them, and erased with the scope that bounds them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from muniment.knowledge.credentials import AccessKey, Credential, Permission
from muniment.ports import Store, Target
from muniment.testing.conformance.base import ANA, BEN, CLIENT, CUSTOMER, RIVAL, SOUTH, StoreUnderTest, fill
from muniment.testing.fakes import NOON
from muniment.types import Scope

LONE = Scope(user="ana")
CEILINGS = (None, CLIENT, CUSTOMER, ANA, BEN, SOUTH, RIVAL, LONE)


def key_of(ceiling: Scope | None, number: int = 0) -> AccessKey:
    """A key whose ceiling this is; its id says so."""
    credential = Credential(
        id=f"k{number}-{ceiling}",
        ceiling=ceiling,
        permissions=[Permission.READ, Permission.ERASE],
        created_at=NOON + timedelta(minutes=number),
        created_by="root",
        expires_at=NOON + timedelta(days=1),
        note=f"for {ceiling}",
    )
    return AccessKey(credential=credential, digest=bytes(range(32)))


class KeysConformance(StoreUnderTest):
    async def test_a_key_comes_back_as_it_was_kept(self, store: Store) -> None:
        keys = [key_of(ceiling, number) for number, ceiling in enumerate(CEILINGS)]
        bare = AccessKey(credential=Credential(id="bare", ceiling=None, permissions=["write"]), digest=b"\0" * 32)
        assert [await store.keep_key(key) for key in reversed([bare, *keys])] == [True] * 9
        assert list(await store.keys()) == [bare, *keys]
        assert [list(await store.keys(named=key.credential.id)) for key in keys] == [[key] for key in keys]

    async def test_keys_are_found_by_the_scope_that_bounds_them_and_by_none_beside_it(self, store: Store) -> None:
        keys = {ceiling: key_of(ceiling) for ceiling in CEILINGS}
        for key in keys.values():
            await store.keep_key(key)
        for scope in CEILINGS[1:]:
            assert scope is not None
            inside = [key for ceiling, key in keys.items() if ceiling is not None and scope.covers(ceiling)]
            assert sorted(key.credential.id for key in await store.keys(scope)) == sorted(key.credential.id for key in inside)
            for key in keys.values():
                assert list(await store.keys(scope, named=key.credential.id)) == ([key] if key in inside else [])
        assert list(await store.keys(Scope(client="nobody"))) == []
        assert list(await store.keys(named="nobody")) == list(await store.keys(named="\ud800")) == []

    async def test_an_id_is_given_once(self, store: Store) -> None:
        first = key_of(ANA)
        assert await store.keep_key(first)
        assert not await store.keep_key(replace(first, digest=b"\1" * 32))
        assert list(await store.keys()) == [first]

    async def test_a_key_is_revoked_once_and_stays_so(self, store: Store) -> None:
        key = key_of(ANA)
        await store.keep_key(key)
        revoked = await store.revoke_key(key.credential.id, at=NOON, by="root")
        again = await store.revoke_key(key.credential.id, at=NOON + timedelta(days=2), by="somebody else")
        assert revoked == again == replace(key, credential=replace(key.credential, revoked_at=NOON, revoked_by="root"))
        assert list(await store.keys()) == [revoked]
        assert await store.revoke_key("nobody", at=NOON, by="root") is None

    async def test_a_scope_is_erased_with_the_keys_it_bounds(self, store: Store) -> None:
        keys = {ceiling: key_of(ceiling) for ceiling in CEILINGS}
        for key in keys.values():
            await store.keep_key(key)
        record = (await fill(store, ANA, "one"))[0]
        narrowed = await store.erase(Target(scope=ANA, ids=(record.id,)), NOON)
        assert narrowed.removed["access_key"] == 0
        assert (await store.erase(Target(scope=ANA), NOON)).removed["access_key"] == 1
        assert (await store.erase(Target(scope=CUSTOMER), NOON)).removed["access_key"] == 2
        left = {key.credential.ceiling for key in await store.keys()}
        assert left == {None, CLIENT, SOUTH, RIVAL, LONE}

    async def test_a_revoke_elsewhere_is_seen_at_once(self, tmp_path: Path) -> None:
        if not self.shared:
            pytest.skip("this store is not shared")
        one, other = await self.open_store(tmp_path), await self.open_store(tmp_path)
        key = key_of(ANA)
        await one.keep_key(key)
        assert list(await other.keys(named=key.credential.id)) == [key]
        await one.revoke_key(key.credential.id, at=NOON, by="root")
        assert (await other.keys(named=key.credential.id))[0].credential.revoked_at == NOON
        await one.erase(Target(scope=ANA), NOON)
        assert list(await other.keys(named=key.credential.id)) == []
        await one.close()
        await other.close()

    async def test_no_byte_of_an_erased_key_is_left_in_any_file(self, tmp_path: Path) -> None:
        if not (self.durable and self.overwrites):
            pytest.skip("this store keeps no files of its own")
        store = await self.open_store(tmp_path)
        key = key_of(Scope(client="quetzalcoatl"))
        await store.keep_key(replace(key, credential=replace(key.credential, note="xylophonist", created_by="zanzibarine")))
        await store.erase(Target(scope=Scope(client="quetzalcoatl")), NOON)
        await store.close()
        for file in tmp_path.rglob("*"):
            kept = file.read_bytes() if file.is_file() else b""
            assert not any(word in kept for word in (b"quetzalcoatl", b"xylophonist", b"zanzibarine", key.digest))
