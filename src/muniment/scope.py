"""A request's scope parameters become one Scope value, which nobody downstream can widen.

Rule of this file: refuse rather than guess. Missing, empty, unknown or many-valued parameters never mean "everything".
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from muniment.errors import ScopeError, shown
from muniment.types import RUNGS, Rung, Scope


def check_scope(value: object) -> Scope:
    """Return `value` if it is a Scope. Raises ScopeError for none at all and for anything else, which never mean "everything"."""
    if isinstance(value, Scope):
        return value
    raise ScopeError(
        "no scope was given." if value is None else f"a scope is a Scope value, not {type(value).__name__}.",
        place="scope",
        code="scope_required" if value is None else "scope_invalid",
        hint="Name at least one of client, customer and user, for example Scope(user='ana').",
    )


def resolve(request: Mapping[str, object], *, needs: Rung | None = None) -> Scope:
    """The scope a request names. `request` holds client, customer and user, each a string or None (not given).

    `needs` is a rung that must be among them. Raises ScopeError for an unknown parameter, a missing rung or an unusable id.
    """
    for name in request:
        if name not in RUNGS:
            near = get_close_matches(name, RUNGS, n=1)
            raise ScopeError(
                f"there is no scope parameter {shown(name)}.",
                code="scope_unknown_parameter",
                hint=f"Did you mean {near[0]!r}?" if near else "Scope has client, customer and user.",
            )
    given = {rung: value for rung in RUNGS if (value := request.get(rung)) is not None}
    if needs and needs not in given:
        raise ScopeError(f"the {needs} is missing.", place=needs, code="scope_required", hint=f"Say which {needs} this is about.")
    return Scope(**given)  # type: ignore[arg-type]  # Scope itself refuses what is not text, and says which rung
