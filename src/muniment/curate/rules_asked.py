"""What a caller of this room gives, checked before anything is read: scopes, ids, texts, filters.

Rule of this file: pure. What cannot be asked for is an InputError with its place and the next step, never an empty answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from muniment.errors import InputError, QueryError, ScopeError, shown
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Status
from muniment.types import Scope, check_instant

E = TypeVar("E", bound=StrEnum)


def check_scope(value: object) -> Scope:
    """Return `value` if it is a Scope; raise ScopeError otherwise."""
    if isinstance(value, Scope):
        return value
    raise ScopeError(
        "no scope was given." if value is None else f"a scope is a Scope value, not {type(value).__name__}.",
        place="scope",
        code="scope_required" if value is None else "scope_invalid",
        hint="Name at least one of client, customer and user, for example Scope(user='ana').",
    )


def check_asked(scope: object, **ids: object) -> None:
    """Raise ScopeError for what is no scope, and QueryError naming the one of `ids` that is no text or blank."""
    check_scope(scope)
    for place, value in ids.items():
        check_said(place, value, hint="Give an id or a name as text, as list shows it.")


def check_said(place: str, value: object, *, hint: str = "Say something.") -> str:
    """Return `value` if it is text and not blank; raise QueryError naming `place` otherwise."""
    if isinstance(value, str) and value.strip():
        return value
    code = "empty" if isinstance(value, str) else "type"
    raise QueryError(f"{place} is {'blank' if code == 'empty' else shown(value)}.", place=place, code=code, hint=hint)


def check_text(**texts: object) -> None:
    """Raise InputError naming the one of `texts` that is no text. Blank ones are texts."""
    for place, value in texts.items():
        if not isinstance(value, str):
            raise InputError(f"{shown(value)} is no text.", place=place, code="type", hint="Give text.")


def check_statement(text: object) -> str:
    """Return `text` if something is said in it; raise InputError otherwise."""
    check_text(text=text)
    if isinstance(text, str) and text.strip():
        return text
    raise InputError("nothing is said.", place="text", code="empty", hint="State it in a sentence, for example 'Ana likes tea'.")


def check_metadata(value: object) -> dict[str, str]:
    """Metadata as a mapping of text to text; none for None. Raises InputError for anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(part, str) for pair in value.items() for part in pair):
        hint = "Give names and values as text, for example {'source': 'crm'}."
        raise InputError("metadata is a mapping of text to text.", place="metadata", code="type", hint=hint)
    return dict(value)


def check_kind(kind: object, architecture: Architecture) -> str:
    """Return `kind` if this architecture has it; raise InputError naming the kinds it has otherwise."""
    if isinstance(kind, str) and architecture.kind(kind):
        return kind
    kinds = ", ".join(rule.name for rule in architecture.kinds if rule.enabled)
    raise InputError(
        f"{shown(kind)} is no kind of memory of agent {shown(architecture.agent)}.",
        place="kind",
        code="kind_unknown",
        hint=f"Use one of {kinds}, or apply an architecture that has it.",
    )


def check_statuses(value: object) -> tuple[Status, ...]:
    """Statuses as such, from a collection of them or of their names. Raises QueryError."""
    if isinstance(value, str) or not isinstance(value, Collection):
        raise unfit("statuses", value, "Give several, for example (Status.CURRENT,).")
    return tuple(check_member("statuses", Status, one) for one in value)


def check_time(place: str, value: object) -> None:
    """Raise QueryError unless `value` is an aware datetime or None."""
    if not isinstance(value, datetime | None):
        raise unfit(place, value, "Give an aware datetime.")
    if value is not None:
        check_instant(place, value)


def check_ids(place: str, value: object) -> tuple[str, ...]:
    """Ids as a tuple of text; raises QueryError for one text alone and for anything else."""
    if isinstance(value, str) or not isinstance(value, Collection) or not all(isinstance(one, str) for one in value):
        raise unfit(place, value, "Give several as text, for example ('fact',).")
    return tuple(value)


def check_member(place: str, members: type[E], value: object) -> E:
    """Return `value` as one of `members`; raises QueryError for anything else."""
    if isinstance(value, str) and value in list(members):
        return members(value)
    raise unfit(place, value, f"Use {', '.join(members)}.")


def unfit(place: str, value: object, hint: str) -> QueryError:
    """The error for a value that cannot be asked for."""
    return QueryError(f"{shown(value)} cannot be asked for here.", place=place, code="type", hint=hint)
