"""Keys of a store: made, listed, revoked, and checked.

Rule of this file: the text of a key is given out once and kept nowhere; whether a key holds is asked of the store every time.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from muniment.errors import InputError, NotFound, shown
from muniment.knowledge.credentials import AccessKey, Credential, Permission
from muniment.ports import Clock, Keys
from muniment.scope.rules import refused_key
from muniment.scope.rules_keys import ID_BYTES, SECRET_BYTES, digest, is_of, key_text, parts_of, word
from muniment.types import Scope, check_scope


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that was just made. `text` is what its holder shows: nobody can look it up again."""

    credential: Credential
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AccessKeys:
    """The keys of one store (`engine.keys`)."""

    store: Keys
    clock: Clock

    async def create(
        self,
        ceiling: Scope | None,
        permissions: Collection[Permission | str],
        *,
        expires: datetime | None = None,
        by: str = "",
        note: str = "",
    ) -> NewKey:
        """Make a key for `ceiling` and all below it, or with None for the whole store, until `expires` or for good.

        Raises InputError for an unknown permission or none, and for a time that has no zone or is over.
        """
        now = self.clock.now()
        credential = Credential(
            id=word(secrets.token_bytes(ID_BYTES)),
            ceiling=None if ceiling is None else check_scope(ceiling),
            permissions=permissions,
            created_at=now,
            created_by=by,
            expires_at=expires,
            note=note,
        )
        if not credential.holds(now):
            hint = "Give a time to come, or leave it out."
            raise InputError("a key cannot expire before it is made.", place="expires", code="range", hint=hint)
        secret = word(secrets.token_bytes(SECRET_BYTES))
        await self.store.keep_key(AccessKey(credential=credential, digest=digest(secret, credential)))
        return NewKey(credential=credential, text=key_text(credential.id, secret))

    async def list(self, scope: Scope | None = None) -> tuple[Credential, ...]:
        """What every key allows whose ceiling is `scope` or lies below it, or every key, oldest first; revoked ones too."""
        return tuple(key.credential for key in await self.store.keys(None if scope is None else check_scope(scope)))

    async def revoke(self, key: str, *, scope: Scope | None = None, by: str = "") -> Credential:
        """Let a key, given by its id, hold no longer: from the next call on, in every process. Who did it first is kept.

        With `scope`, one whose ceiling lies elsewhere is as one that is not there. Raises NotFound.
        """
        kept = await self.store.keys(None if scope is None else check_scope(scope), named=str(key))
        revoked = await self.store.revoke_key(str(key), at=self.clock.now(), by=by) if kept else None
        if revoked is None:
            raise NotFound(f"there is no key {shown(key)} here.", hint="Look at the ids that list shows.")
        return revoked.credential

    async def check(self, text: str) -> Credential:
        """What the key with this text allows. Raises AccessError, the same for one unknown, altered, revoked or expired."""
        named, secret = parts_of(text)
        kept = next(iter(await self.store.keys(named=named)), None)
        if not is_of(secret, kept) or kept is None or not kept.credential.holds(self.clock.now()):
            raise refused_key()
        return kept.credential

    async def still_holds(self, credential: Credential) -> None:
        """Raise AccessError when this credential of a key was revoked, has expired, or is not the one that is kept.

        One without an id is of no key, and holds until it expires.
        """
        if credential.id and credential not in [key.credential for key in await self.store.keys(named=credential.id)]:
            raise refused_key()
        if not credential.holds(self.clock.now()):
            raise refused_key()
