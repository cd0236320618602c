"""How far a customer lets its memories go up: set by its administrator, within the ceiling of the client's architecture.

Rule of this file: every change is kept with who made it and when, and none is ever rewritten; the latest holds. What is narrowed
is taken back at once; what is widened goes up by hand alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from muniment.curate.rules_asked import check_kind, check_said, check_scope, check_text
from muniment.curate.rules_sharing import DEFAULT, NONE, latest, may_go, wider_than
from muniment.curate.sharing import Sharing
from muniment.errors import QueryError, ScopeError, shown
from muniment.knowledge.copies import copies_of, rung_of
from muniment.knowledge.values import Memory, SharingChange
from muniment.ports import Admin, ArchitectureOf, Clock, Shelved
from muniment.types import RUNGS, Scope, check_id

SHARES = (NONE, *reversed(RUNGS), DEFAULT)


class Store(Shelved, Admin, Protocol):
    """What this file asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindShare:
    """How far one kind of memory of an agent goes up: the widest rung, "" for none.

    `default` is what the architecture says, `ceiling` the widest that may be set; `change` is what was set last, if anything was.
    """

    kind: str
    share: str
    default: str
    ceiling: str
    change: SharingChange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingSet:
    """What became of a setting: the change as it is kept, and how many copies were taken back since they went further."""

    change: SharingChange
    withdrawn: int = 0


@dataclass(slots=True)
class SharingSettings:
    """What the customers of one store let go up (`engine.sharing`)."""

    store: Store
    clock: Clock
    rules_of: ArchitectureOf = field(repr=False)
    sharing: Sharing = field(repr=False)

    async def set(
        self, scope: Scope, kind: str, share: str, *, agent: str = "default", by: str = "", note: str = ""
    ) -> SharingSet:
        """Let this kind of memory of an agent go up to `share` and no further, for a customer and all its users.

        `share` is a rung, "none", or "default" for what the architecture says. Copies that went further are taken back. Raises
        ScopeError for a scope that is no customer, and for what is wider than the architecture's `share_up_to` (above_ceiling).
        """
        _check_customer(scope)
        check_said("kind", kind)
        check_text(by=by, note=note)
        rules = await self.rules_of(check_id(agent, "agent"), scope.client)
        check_kind(kind, rules)
        if share not in SHARES:
            raise QueryError(f"{shown(share)} is no rung.", place="share", code="range", hint=f"Use one of {', '.join(SHARES)}.")
        rule = rules.kind(kind)
        if rule is None or (share in RUNGS and wider_than(share, rule.share_ceiling)):
            most = (rule.share_ceiling if rule else "") or NONE
            raise ScopeError(
                f"the architecture lets the kind {kind} go up to {most} at most.",
                place="share",
                code="above_ceiling",
                hint=f"Set share_up_to: {share} for the kind {kind} in the agent's architecture.",
            )
        change = SharingChange(scope=scope, agent=agent, kind=kind, share=share, at=self.clock.now(), by=by, note=note)
        await self.store.keep_sharing(change)
        return SharingSet(change=change, withdrawn=await self._withdraw(scope))

    async def current(self, scope: Scope, *, agent: str = "default") -> tuple[KindShare, ...]:
        """How far each kind of an agent's memories of `scope` goes up now, by the architecture and its customer's setting."""
        check_scope(scope)
        rules = await self.rules_of(check_id(agent, "agent"), scope.client)
        changes = await self.sharing.settings(scope)
        found = [(rule, latest(changes, agent, rule.name)) for rule in rules.kinds if rule.enabled]
        return tuple(
            KindShare(
                kind=rule.name,
                share=may_go(rule, change.share if change else DEFAULT),
                default=rule.share,
                ceiling=rule.share_ceiling,
                change=change,
            )
            for rule, change in found
        )

    async def history(self, scope: Scope) -> tuple[SharingChange, ...]:
        """Every change of `scope` and of what lies below it, oldest first: what was set, by whom and when."""
        return tuple(await self.store.sharing(check_scope(scope)))

    async def _withdraw(self, scope: Scope) -> int:
        homes: dict[Scope, None] = {}
        async for one in self.store.knowledge(scope):
            if isinstance(one, Memory) and any(copies_of(one)):
                homes[one.scope] = None
        return sum([await self.sharing.follow(home) for home in homes])


def _check_customer(scope: object) -> None:
    if rung_of(check_scope(scope)) != "customer":
        raise ScopeError(
            "this is set for a customer.",
            place="scope",
            code="rung_missing",
            hint="Name the customer and no user. For a whole client its architecture says how far a kind goes up.",
        )
