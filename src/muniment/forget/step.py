"""Forget: erase records by id or conversation at exactly a scope, or a scope and everything below it, with a receipt.

Rule of this file: it only checks what is asked. An empty selection is an error and never "everything"; what does not exist and
what lies in another scope are the same answer, nothing removed.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from muniment.errors import InputError
from muniment.ports import Target
from muniment.types import Erasure, RecordId, Scope, check_id

MAX_IDS = 10_000
"""Ids in one call."""


class Erasing(Protocol):
    """What this room asks of whoever keeps records."""

    async def erase(self, target: Target, at: datetime) -> Erasure: ...


async def forget(
    scope: Scope, *, ids: Collection[str] | None = None, conversation: str | None = None, store: Erasing, now: datetime
) -> Erasure:
    """Erase these `ids`, or this `conversation`, at exactly `scope`; with neither (both None), `scope` and everything below it.

    All that was derived goes too; the receipt counts what went, and 0 stands for absent and foreign ids alike. Raises
    InputError for an empty, oversized or double selection, ScopeError for an unusable conversation id, and the store's error
    when nothing was erased.
    """
    if ids is not None and conversation is not None:
        raise InputError(
            "ids and a conversation were both given.",
            place="ids",
            code="selection_invalid",
            hint="Name one of them, and call twice for both.",
        )
    if conversation is not None:
        check_id(conversation, "conversation")
    return await store.erase(Target(scope=scope, ids=() if ids is None else _checked(ids), conversation=conversation), now)


def _checked(ids: object) -> tuple[RecordId, ...]:
    if isinstance(ids, str | bytes) or not isinstance(ids, Collection) or not all(isinstance(value, str) for value in ids):
        raise InputError(
            "ids are a list of record ids.", place="ids", code="type", hint="Pass a list, for example ids=[record.id]."
        )
    if not ids:
        raise InputError(
            "an empty list of ids was given, and nothing was erased.",
            place="ids",
            code="selection_empty",
            hint="Leave ids out to erase the whole scope, or name at least one.",
        )
    if len(ids) > MAX_IDS:
        raise InputError(f"more than {MAX_IDS} ids were given.", place="ids", code="too_large", hint="Call several times.")
    return tuple(RecordId(value) for value in dict.fromkeys(ids))
