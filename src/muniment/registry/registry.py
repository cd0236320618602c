"""The registry: its owner's handle, and what only an owner can do: load seeds, invite others, look back and undo.

Rule of this file: blocks live in memory and never on disk; ids and times come from the sources given. A registry can be found
by its label while it is alive, and whoever finds it owns it, so only what is meant to be found gets a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Final, Protocol
from uuid import uuid4
from weakref import WeakValueDictionary

from muniment.errors import BlockError, shown
from muniment.registry.checks import check_block, check_flag, check_name, check_whole
from muniment.registry.groups import Scorer, nearest
from muniment.registry.handle import Handle
from muniment.registry.journal import Journal, difference
from muniment.registry.ledger import HISTORY, Ledger, Step, rewound
from muniment.registry.principals import ALL_TERMS, Actor, Invite, Principal, not_owner, words
from muniment.types import Band, Block, BlockId, Group, Source, Tool, Trust


class SeedLike(Protocol):
    """What `load` reads of a seed."""

    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def priority(self) -> float: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def band(self) -> Band: ...
    @property
    def trust(self) -> Trust: ...
    @property
    def tool(self) -> Tool | None: ...
    @property
    def requires(self) -> tuple[str, ...]: ...
    @property
    def gated(self) -> bool: ...
    @property
    def short(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A registry at one moment: all its blocks in order, its version then, and whether it keeps bands."""

    version: int
    blocks: tuple[Block, ...]
    banded: bool


_LABELLED: Final[WeakValueDictionary[str, Registry]] = WeakValueDictionary()
_LABELS: Final = Lock()


def _fresh_id() -> str:
    return uuid4().hex


class Registry(Handle):
    """An ordered set of blocks and its owner's handle on it. It may be used from several threads.

    `ids` gives a new id per block. With `banded` (the default) the order is always pinned, stable, session, volatile, and
    positions count inside a block's band, so stable text stays byte-identical in front. Without, the whole registry is one
    band and any order is possible. `clock` stamps blocks and changes; `principal` is the owner, a new one unless given;
    `history` is how many changes can be looked back on. `label` is unique among the registries alive in this process.
    """

    __slots__ = ("__weakref__", "_label", "_principal")

    def __init__(
        self,
        *,
        ids: Callable[[], str] = _fresh_id,
        banded: bool = True,
        clock: Callable[[], datetime] | None = None,
        label: str | None = None,
        principal: Principal | None = None,
        history: int = HISTORY,
    ) -> None:
        ledger = Ledger(
            ids=ids, banded=check_flag(banded, "banded"), clock=clock, history=max(0, check_whole(history, "history"))
        )
        self._principal = principal or Principal(label or "")
        root = Invite(ALL_TERMS, bind=lambda who, invite: Handle(ledger, _actor(who, invite)))
        super().__init__(ledger, replace(_actor(self._principal, root), owner=True))
        self._label = _claim(label, self)

    @property
    def label(self) -> str:
        """The registry's own label; one that nobody can guess unless it was given."""
        return self._label

    @classmethod
    def labelled(cls, label: str) -> Registry:
        """The registry alive in this process that bears this label. Raises `BlockError` (unknown_label)."""
        with _LABELS:
            if (found := _LABELLED.get(label)) is not None:
                return found
        raise BlockError(
            f"no registry is labelled {shown(label)}.", place="label", code="unknown_label", hint="Is it still alive?"
        )

    @property
    def ledger(self) -> Ledger:
        """The state under the verbs, for this package's own rooms. It knows no rights."""
        return self._ledger

    @property
    def journal(self) -> Journal:
        """Every change made so far, as far back as `history` reaches; a value that does not change."""
        return self._ledger.journal

    def view(self) -> View:
        """The registry as it is now, as a value that does not change."""
        with self._ledger.lock:
            return View(version=self._ledger.version, blocks=self._ledger.blocks, banded=self._ledger.banded)

    def accept(self, invite: Invite) -> Handle:
        """A handle on the registry that issued the invite, which writes there as this registry's owner."""
        return self._principal.accept(invite)

    def load(self, seeds: Iterable[SeedLike], *, missing_only: bool = False) -> tuple[BlockId, ...]:
        """Write seeds in their order, each at the end of its band, and return their new ids; all of them or none.

        They are irremovable, and their words cannot be edited. With `missing_only`, a seed whose name some block bears already
        is left out, so that whoever comes second changes nothing.
        """
        blocks = [
            check_block(
                Block(
                    id=self._ledger.fresh_id(),
                    name=seed.name,
                    text=seed.text,
                    band=seed.band,
                    trust=seed.trust,
                    priority=seed.priority,
                    source=Source.SEED,
                    author=self._actor.id,
                    removable=False,
                    created=self._ledger.now(),
                    tags=tuple(seed.tags),
                    gated=seed.gated,
                    description=seed.description,
                    short=seed.short,
                    requires=tuple(seed.requires),
                    tool=seed.tool,
                )
            )
            for seed in seeds
        ]
        with self._step(note="load") as step:
            there = {block.name for block in self._ledger.order} if missing_only else frozenset()
            new = [block for block in blocks if block.name not in there]
            for block in new:
                step.write(block, self._ledger.span(block.band)[1])
        return tuple(block.id for block in new)

    def undo(self, *, to: int | None = None) -> int:
        """Bring back the state of version `to`, or without it that before the last call that changed anything.

        It is made of new changes, and the journal keeps the old. Repeated, it goes back further, past what was undone
        already; an undo is itself undone by its version. Returns the version whose state is back. Refused as not_owner when
        it would take away or change what others own; as forgotten when the journal does not reach back so far.
        """
        with self._ledger.lock:
            version = self._before_last() if to is None else to
            goal = rewound(self._ledger, version)
            changes = self._ledger.changes
            after = version - self._ledger.version + len(changes)
            if 0 < after < len(changes) and changes[after].step == changes[after - 1].step:
                raise BlockError(
                    f"version {version} lies inside one call, which was made whole.",
                    place="to",
                    code="range",
                    hint=f"Go back to {changes[after].step - 1}.",
                )
            self._check_undo(goal)
            note = f"undo to version {version}"
            with Step(self._ledger, actor=self._actor.id, note=note, back_to=version) as step:
                step.become(goal)
        return version

    def group_near(
        self,
        block_id: BlockId,
        *,
        name: str,
        scorer: Scorer,
        most: int = 2,
        characters: int | None = None,
        gate_as_unit: bool = False,
        budget_as_unit: bool = False,
    ) -> Group:
        """Group a block with the up to `most` blocks of its band that the scorer finds nearest to its text.

        Blocks that score 0 or less or are in a group are left out, and so is what would bring the group over `characters`.
        The scorer is called without a lock.
        """
        block = self.get(block_id)
        found = nearest(block, self.blocks, scorer=scorer, most=most, room=characters, banded=self.banded)
        ids = [member.id for member in found]
        return self.group(ids, name=name, gate_as_unit=gate_as_unit, budget_as_unit=budget_as_unit)

    def group_tagged(
        self, tag: str, *, name: str | None = None, gate_as_unit: bool = False, budget_as_unit: bool = False
    ) -> Group:
        """Group all blocks with this tag, in their order; the group is called like the tag unless `name` is given."""
        ids = [block.id for block in self.tagged(any=[tag])]
        return self.group(ids, name=name or tag, gate_as_unit=gate_as_unit, budget_as_unit=budget_as_unit)

    def _before_last(self) -> int:
        changes, oldest = self._ledger.changes, self._ledger.version - len(self._ledger.changes)
        version = self._ledger.version
        while version > oldest and (last := changes[version - oldest - 1]).back_to is not None:
            version = last.back_to
        return changes[version - oldest - 1].step - 1 if version > oldest else version - 1

    def _check_undo(self, goal: Sequence[Block]) -> None:
        found = difference(self._ledger.order, goal)
        for block in (*found.added, *found.removed):
            if not (block.removable or self._actor.owns(block)):
                raise not_owner(block, "undo a change of")
        for now, then in found.edited:
            if words(now) != words(then) and not self._actor.owns(now):
                raise not_owner(now, "undo a change of")


def _actor(principal: Principal, invite: Invite) -> Actor:
    return Actor(id=principal.id, own=frozenset({principal.id}), invite=invite)


def _claim(label: str | None, registry: Registry) -> str:
    """Give the registry its label."""
    with _LABELS:
        if label is not None and check_name(label, "label") in _LABELLED:
            raise BlockError(
                f"another registry is labelled {shown(label)}.",
                place="label",
                code="label_taken",
                hint="Give each its own label.",
            )
        mine = label if label is not None else f"registry {uuid4().hex}"
        _LABELLED[mine] = registry
    return mine
