"""Keys: shown once, refused alike, and no longer good once revoked, expired, erased or altered."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from muniment import Scope
from muniment.errors import AccessError, InputError, NotFound
from muniment.ports import Target
from muniment.scope import Credential, Permission
from muniment.scope.keys import AccessKeys
from muniment.stores.memory import MemoryStore
from muniment.testing import FixedClock
from muniment.testing.fakes import NOON

NORTH = Scope(client="acme", customer="north")
ANA = Scope(client="acme", customer="north", user="ana")


@pytest.fixture
def clock():
    return FixedClock(NOON)


@pytest.fixture
def keys(clock):
    return AccessKeys(MemoryStore(), clock)


async def refusal(keys, text):
    with pytest.raises(AccessError) as caught:
        await keys.check(text)
    return caught.value.code, str(caught.value)


async def test_a_key_gives_back_what_it_was_made_with(keys):
    made = await keys.create(NORTH, ["write", "read"], expires=NOON + timedelta(days=1), by="root", note="desk")
    assert await keys.check(made.text) == made.credential
    assert (made.credential.ceiling, made.credential.permissions) == (NORTH, (Permission.READ, Permission.WRITE))
    assert (made.credential.created_by, made.credential.created_at, made.credential.note) == ("root", NOON, "desk")
    assert made.text.startswith(f"mun_{made.credential.id}_")
    assert made.text not in repr(made)


async def test_the_text_of_a_key_is_kept_nowhere(keys):
    made = await keys.create(NORTH, ["read"])
    kept = await keys.store.keys()
    secret = made.text.rpartition("_")[2]
    assert secret not in repr(kept)
    assert secret not in repr(await keys.list())


async def test_unknown_altered_revoked_expired_and_erased_keys_are_one_answer(keys, clock):
    made = [await keys.create(ANA, ["read"], expires=NOON + timedelta(hours=1)) for _ in range(3)]
    text = made[0].text
    flipped = text[:-2] + ("a" if text[-2] != "a" else "b") + text[-1]
    wrong = [f" {text}", f"{text}\n", text.upper(), text[:-1], text[:20], "x" * 2**20, "", None, 7, flipped, "mun__", "\ud800"]
    others = made[1].text.replace(made[1].credential.id, made[0].credential.id)
    answers = {await refusal(keys, one) for one in [*wrong, others]}
    await keys.revoke(made[1].credential.id)
    answers.add(await refusal(keys, made[1].text))
    assert await keys.check(text) == made[0].credential
    clock.at = NOON + timedelta(hours=1)
    answers.add(await refusal(keys, text))
    await keys.store.erase(Target(scope=NORTH), NOON)
    answers.add(await refusal(keys, made[2].text))
    assert len(answers) == 1
    assert answers.pop()[0] == "key_refused"


async def test_a_kept_key_whose_row_allows_more_than_was_given_is_no_key(keys):
    made = await keys.create(ANA, ["read"])
    kept = (await keys.store.keys())[0]
    for changed in ({"ceiling": None}, {"permissions": ["read", "erase"]}, {"expires_at": NOON + timedelta(days=9)}):
        other = AccessKeys(MemoryStore(), keys.clock)
        await other.store.keep_key(replace(kept, credential=replace(kept.credential, **changed)))
        assert (await refusal(other, made.text))[0] == "key_refused"


async def test_who_revoked_a_key_first_is_kept(keys, clock):
    made = await keys.create(ANA, ["read"], by="root")
    clock.at = NOON + timedelta(hours=1)
    revoked = await keys.revoke(made.credential.id, by="eve")
    assert (revoked.revoked_by, revoked.revoked_at) == ("eve", clock.at)
    assert await keys.revoke(made.credential.id, by="mallory") == revoked
    assert await keys.list() == (revoked,)


async def test_a_key_beside_the_scope_is_as_one_that_is_not_there(keys):
    made = await keys.create(ANA, ["read"])
    for name in (made.credential.id, "nobody"):
        with pytest.raises(NotFound, match="there is no key"):
            await keys.revoke(name, scope=Scope(client="rival"))
    assert await keys.list(Scope(client="rival")) == ()
    assert await keys.list(NORTH) == (made.credential,)
    assert (await keys.revoke(made.credential.id, scope=NORTH)).revoked_at == NOON


async def test_a_key_that_could_never_hold_is_not_made(keys):
    for wrong in ({"expires": NOON}, {"expires": NOON.replace(tzinfo=None)}):
        with pytest.raises(InputError):
            await keys.create(ANA, ["read"], **wrong)
    with pytest.raises(InputError):
        await keys.create(ANA, ["everything"])
    assert await keys.list() == ()


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_key_until_a_time_outside_the_years_there_are_is_refused(at):
    with pytest.raises(InputError) as refused:
        Credential(ceiling=None, permissions=["read"], expires_at=datetime.fromisoformat(at))
    assert (refused.value.code, refused.value.place) == ("credential_invalid", "expires_at")
