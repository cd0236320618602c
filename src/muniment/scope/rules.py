"""A request's scope parameters become one Scope value, inside what a credential allows.

Rule of this file: pure. Refuse rather than guess: missing, empty, unknown or many-valued parameters never mean "everything". What
lies outside a credential's ceiling is never looked for, so that foreign and absent are one answer at one price.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from muniment.errors import AccessError, ScopeError, shown
from muniment.knowledge.credentials import Credential, Permission
from muniment.types import RUNGS, Rung, Scope, check_scope


def resolve(request: Mapping[str, object], *, needs: Rung | None = None) -> Scope:
    """The scope a request names. `request` holds client, customer and user, each a string or None (not given).

    `needs` is a rung that must be among them. Raises ScopeError for an unknown parameter, a missing rung or an unusable id.
    """
    given = _given(request)
    if needs and needs not in given:
        raise ScopeError(f"the {needs} is missing.", place=needs, code="scope_required", hint=f"Say which {needs} this is about.")
    return Scope(**given)  # type: ignore[arg-type]  # Scope itself refuses what is not text, and says which rung


def admit(
    credential: Credential, request: Scope | Mapping[str, object] | None, permission: Permission, *, now: datetime
) -> Scope:
    """The scope of a request, inside the ceiling of a credential that holds and has this permission.

    Rungs that a mapping does not give are those of the ceiling; a Scope is taken as it is. Raises ScopeError (scope_absent) for
    what lies outside or above the ceiling, the same whatever it names, and otherwise as `resolve` and `check_allowed` do.
    """
    check_allowed(credential, permission, now=now)
    if isinstance(request, Mapping):
        known: Mapping[str, object] = dict(credential.ceiling.rungs) if credential.ceiling else {}
        scope = resolve({**known, **_given(request)})
    else:
        scope = check_scope(request)
    if not credential.reaches(scope):
        raise ScopeError(
            "there is no such scope for this credential.",
            place="scope",
            code="scope_absent",
            hint="Leave out the rungs that the credential gives, or ask for one below them.",
        )
    return scope


def check_allowed(credential: Credential, permission: Permission, *, now: datetime, whole_store: bool = False) -> None:
    """Raise AccessError unless the credential holds, has this permission, and where it must reaches the `whole_store`."""
    if not credential.holds(now):
        raise refused_key()
    if permission not in credential.permissions:
        raise AccessError(
            f"this credential does not allow to {permission}.",
            place="credential",
            hint=f"Use a key that was made with the permission {permission}.",
        )
    if whole_store and credential.ceiling is not None:
        raise AccessError(
            "this is about the whole store, and this credential is for a part of it.",
            place="credential",
            hint="Name a scope where one can be named, or use a key without a ceiling.",
        )


def refused_key() -> AccessError:
    """The one answer to a key that is unknown, altered, revoked or expired."""
    return AccessError(
        "this key does not hold.", place="key", code="key_refused", hint="Ask who looks after this store for a new one."
    )


def _given(request: Mapping[Any, object]) -> dict[str, object]:
    for name in request:
        if name not in RUNGS:
            near = get_close_matches(name, RUNGS, n=1) if isinstance(name, str) else ()
            raise ScopeError(
                f"there is no scope parameter {shown(name)}.",
                code="scope_unknown_parameter",
                hint=f"Did you mean {near[0]!r}?" if near else "Scope has client, customer and user.",
            )
    return {rung: value for rung in RUNGS if (value := request.get(rung)) is not None}
