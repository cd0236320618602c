"""Who may do what, and how far: values that scope makes a Scope of, and that stores keep of a key.

Rule of this file: a credential says all of it, and nothing widens one. The text of a key is not among these values.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from muniment.errors import InputError, shown
from muniment.types import Scope


class Permission(StrEnum):
    """What a credential may allow: none of them includes another."""

    READ = "read"
    WRITE = "write"
    SHARE = "share"
    ERASE = "erase"
    ADMINISTER = "administer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """`permissions` inside `ceiling`, a scope and all below it, or with None the whole store; until it expires or is revoked.

    `permissions` may be given by their names. Raises InputError for an unknown one, for none, for a ceiling that is no Scope, and
    for a time without a zone.
    """

    ceiling: Scope | None
    permissions: Collection[Permission | str]
    id: str = ""
    created_at: datetime | None = None
    created_by: str = ""
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    revoked_by: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.ceiling, Scope | None):
            raise _unfit("ceiling", self.ceiling, "Give a Scope, or None for the whole store.")
        object.__setattr__(self, "permissions", _permissions(self.permissions))
        for place in ("created_at", "expires_at", "revoked_at"):
            value = getattr(self, place)
            if not isinstance(value, datetime | None) or (value is not None and value.utcoffset() is None):
                raise _unfit(place, value, "Give an aware datetime, or leave it out.")
            try:
                object.__setattr__(self, place, value and value.astimezone(UTC))
            except OverflowError:
                raise _unfit(place, value, "Give a time in the years 1 to 9999 of UTC.") from None
        for place in ("id", "created_by", "revoked_by", "note"):
            if not _is_text(getattr(self, place)):
                raise _unfit(place, getattr(self, place), "Give text, or leave it out.")

    def holds(self, now: datetime) -> bool:
        """True while it is neither expired nor revoked."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)

    def reaches(self, scope: Scope | None) -> bool:
        """True when `scope` (None: the whole store) lies inside the ceiling."""
        return self.ceiling is None or (scope is not None and self.ceiling.covers(scope))


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """What a store keeps of a key: its credential, and a digest of its secret with what it allows. Never the secret."""

    credential: Credential
    digest: bytes

    def lies_in(self, scope: Scope | None) -> bool:
        """True when its ceiling is `scope` or lies below it; everything lies in None, the whole store."""
        ceiling = self.credential.ceiling
        return scope is None or (ceiling is not None and scope.covers(ceiling))


def _permissions(given: object) -> tuple[Permission, ...]:
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, Collection) else []
    if not names or not all(isinstance(name, str) and name in list(Permission) for name in names):
        raise _unfit("permissions", given, f"Name one or more of {', '.join(Permission)}.")
    return tuple(one for one in Permission if one in names)


def _unfit(place: str, value: object, hint: str) -> InputError:
    return InputError(f"{shown(value)} cannot be used here.", place=place, code="credential_invalid", hint=hint)


def _is_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return "\0" not in value and bool(value.encode()) is bool(value)
    except UnicodeEncodeError:
        return False
