"""The engine as one credential may use it: the same verbs and groups, each checked by the table of needs before it runs.

Rule of this file: no verb has a twin here. A verb is wrapped when it is asked for, and what the table does not name is not there.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from muniment.errors import AccessError, ScopeError
from muniment.knowledge.credentials import Credential, Permission
from muniment.knowledge.values import AppliedArchitecture, Feedback, Kept, SharingChange
from muniment.ports import Clock, Memories
from muniment.scope.rules import admit, check_allowed
from muniment.scope.rules_needs import GROUPS, NEEDS, Need, Reach
from muniment.types import ItemReceipt, Outcome, Scope

_AT_ONCE = 100
"""Records of a long answer between two looks at whether the credential still holds."""
_WHY = {
    "scope_absent": "there is no such scope for this credential.",
    "by_hand": "how far a customer shares is set by its administrator: muniment sharing set.",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Who acts, and what is asked of the world to check it."""

    credential: Credential
    _: KW_ONLY
    still_holds: Callable[[Credential], Awaitable[None]]
    memories: Memories
    clock: Clock


class Acting:
    """What `credential` may do with an engine: its verbs and groups under their own names, bounded.

    Where a verb takes a Scope, a mapping of client, customer and user does too; rungs left out are those of the ceiling. Every
    call asks whether the key still holds. `by` is the credential's id, whatever is said. Raises AccessError and ScopeError.
    """

    def __init__(self, target: object, guard: Guard, *, group: str = "") -> None:
        self._target = target
        self._guard = guard
        self._group = group

    def __dir__(self) -> list[str]:
        names = [name.removeprefix(self._group) for name in (*NEEDS, *GROUPS) if name.startswith(self._group)]
        return sorted(name for name in names if "." not in name)

    def __getattr__(self, name: str) -> Any:
        path = f"{self._group}{name}"
        if path in GROUPS:
            return Acting(getattr(self._target, name), self._guard, group=f"{path}.")
        if (need := NEEDS.get(path)) is None:
            raise AttributeError(f"{path} is not offered to a credential")
        return _guarded(getattr(self._target, name), need, self._guard)


def _guarded(verb: Callable[..., Any], need: Need, guard: Guard) -> Callable[..., Any]:
    signature = inspect.signature(verb)

    async def checked(given: tuple[Any, ...], named: Mapping[str, Any]) -> inspect.BoundArguments:
        bound = signature.bind(*given, **named)
        await guard.still_holds(guard.credential)
        await _check(bound, need, guard)
        if guard.credential.id and "by" in signature.parameters:
            bound.arguments["by"] = guard.credential.id
        return bound

    async def call(*given: Any, **named: Any) -> Any:
        bound = await checked(given, named)
        answer = await verb(*bound.args, **bound.kwargs)
        return None if need.mute and guard.credential.ceiling else answer

    async def stream(*given: Any, **named: Any) -> AsyncIterator[Any]:
        bound = await checked(given, named)
        number = 0
        async for item in verb(*bound.args, **bound.kwargs):
            if number and number % _AT_ONCE == 0:
                await guard.still_holds(guard.credential)
            number += 1
            yield item

    return call if inspect.iscoroutinefunction(verb) else stream


async def _check(bound: inspect.BoundArguments, need: Need, guard: Guard) -> None:
    """Put the scope that may be used in the place of the one asked for. Raises what the caller is told instead."""
    credential, now, asked = guard.credential, guard.clock.now(), bound.arguments
    if need.reach is Reach.STORE or (need.reach is Reach.SCOPE_OR_STORE and asked.get(need.scope) is None):
        check_allowed(credential, Permission.ADMINISTER, now=now, whole_store=True)
        check_allowed(credential, need.permission, now=now)
    elif need.reach is Reach.CLIENT:
        check_allowed(credential, need.permission, now=now)
        asked["client"] = _client(asked.get("client"), need, credential)
    elif need.reach is Reach.ITEMS:
        check_allowed(credential, need.permission, now=now)
        if isinstance(items := asked[need.scope], Iterable | AsyncIterable):  # what is no batch the verb itself refuses
            asked[need.scope] = _reached(items, credential)
    else:
        asked[need.scope] = scope = admit(credential, asked.get(need.scope), need.permission, now=now)
        for memory in [asked[name] for name in need.changes if isinstance(asked.get(name), str)]:
            if not all(credential.reaches(one.scope) for one in await guard.memories.memory(scope, [memory])):
                raise AccessError(
                    "this is kept above what the credential is for: it may be read, not changed.",
                    place="memory",
                    hint="Use a key for the scope that it is kept at.",
                )
    if need.grants:
        _check_granted(asked[need.grants], credential)


def _client(asked: object, need: Need, credential: Credential) -> object:
    """The client whose architecture is meant: the ceiling's own where it has one. Only those of its whole may be changed."""
    own = credential.ceiling and credential.ceiling.client
    client = own if asked is None else asked
    if credential.ceiling is None:
        return client
    changes = need.permission is not Permission.READ
    if client != own or (changes and (client is None or not credential.reaches(Scope(client=str(client))))):
        raise ScopeError(
            "there is no such client for this credential.",
            place="client",
            code="scope_absent",
            hint="Leave the client out, or use a key for the whole of it.",
        )
    return client


def _check_granted(asked: object, credential: Credential) -> None:
    given = [asked] if isinstance(asked, str) else list(asked) if isinstance(asked, Collection) else []
    beyond = sorted(str(one) for one in given if one in list(Permission) and one not in credential.permissions)
    if beyond:
        raise AccessError(
            f"this credential cannot give what it does not have: {', '.join(beyond)}.",
            place="permissions",
            hint=f"Give some of {', '.join(credential.permissions)}.",
        )


async def _reached(items: Iterable[Any] | AsyncIterable[Any], credential: Credential) -> AsyncIterator[Any]:
    """The items inside the ceiling, and a refusal in the place of every other."""
    number = 0
    async for item in _each(items):
        number += 1
        reason = _refused(item, credential)
        if not reason:
            yield item
        else:
            yield ItemReceipt(place=f"item {number}", outcome=Outcome.REFUSED, reason=reason, message=_WHY[reason])


def _refused(item: object, credential: Credential) -> str:
    """Why a credential may not hand this in; empty when it may."""
    if isinstance(item, SharingChange | Feedback) and credential.ceiling is not None:
        return "by_hand"  # else whoever imports could say that somebody else had set it
    if isinstance(item, AppliedArchitecture):
        owner = None if item.client is None else Scope(client=item.client)
        mine = credential.ceiling is None or (owner is not None and credential.reaches(owner))
        return "" if mine else "scope_absent"
    home = item.record.scope if isinstance(item, Kept) else getattr(item, "scope", None)
    return "scope_absent" if isinstance(home, Scope) and not credential.reaches(home) else ""


async def _each(records: Iterable[Any] | AsyncIterable[Any]) -> AsyncIterator[Any]:
    if isinstance(records, AsyncIterable):
        async for record in records:
            yield record
    else:
        for record in records:
            yield record
