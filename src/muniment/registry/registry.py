"""The registry: its owner's handle, and what only an owner can do: load seeds, invite others, look back and undo.

Rule of this file: blocks live in memory and never on disk; ids and times come from the sources given. A registry can be found
by its label while it is alive, and whoever finds it owns it, so only what is meant to be found gets a label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Final, NoReturn, Protocol, runtime_checkable
from uuid import uuid4
from weakref import WeakValueDictionary

from muniment.errors import BlockError, shown
from muniment.registry.checks import check_block, check_flag, check_name, check_words
from muniment.registry.eviction import Eviction, EvictionScorer, Target, evict_by
from muniment.registry.groups import Scorer, nearest, not_negative
from muniment.registry.handle import Handle, binder
from muniment.registry.journal import Journal
from muniment.registry.ledger import HISTORY, Ledger
from muniment.registry.placement import Proposal, arrange
from muniment.registry.principals import ALL_TERMS, Actor, Invite, Principal, check_principal
from muniment.registry.reports import Provenance, Summary, TokenCounter, provenance, summary
from muniment.registry.snapshot import Snapshot, branch, restore, take
from muniment.registry.undo import undo
from muniment.types import Band, Block, BlockId, Group, Source, Tool, Trust


@runtime_checkable
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
        owner = (
            Principal("" if label is None else check_name(label, "label")) if principal is None else check_principal(principal)
        )
        room = not_negative(history, "history", hint="Give how many changes can be looked back on; 0 keeps none.")
        ledger = Ledger(ids=ids, banded=check_flag(banded, "banded"), clock=clock, history=room)
        self._principal = owner
        root = Invite(ALL_TERMS, bind=binder(ledger))
        super().__init__(ledger, Actor(id=self._principal.id, own=frozenset({self._principal.id}), invite=root, owner=True))
        self._label = _claim(label, self)

    def __repr__(self) -> str:
        return f"<Registry of {len(self)} blocks>"

    def __copy__(self) -> NoReturn:
        raise BlockError(
            "a registry cannot be copied.", code="not_allowed", hint="Use fork(): the same blocks, an owner of its own."
        )

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__copy__()

    @property
    def label(self) -> str:
        """The registry's own label; one that nobody can guess unless it was given."""
        self._owned()
        return self._label

    @classmethod
    def labelled(cls, label: str) -> Registry:
        """The registry alive in this process that bears this label. Raises `BlockError` (unknown_label)."""
        with _LABELS:
            if (found := _LABELLED.get(label)) is not None:
                return found
        raise BlockError(
            f"no registry is labelled {shown(label)}.",
            place="label",
            code="unknown_label",
            hint="Give it the label when you make it, Registry(label=...), and keep it: a label ends with its registry.",
        )

    @property
    def journal(self) -> Journal:
        """Every change made so far, as far back as `history` reaches; a value that does not change."""
        return self._owned()[0].journal

    def view(self) -> View:
        """The registry as it is now, as a value that does not change."""
        ledger, _ = self._owned()
        with ledger.lock:
            return View(version=ledger.version, blocks=ledger.blocks, banded=ledger.banded)

    def accept(self, invite: Invite) -> Handle:
        """A handle on the registry that issued the invite, which writes there as this registry's owner."""
        self._owned()
        return self._principal.accept(invite)

    def load(self, seeds: Iterable[SeedLike], *, missing_only: bool = False) -> tuple[BlockId, ...]:
        """Write seeds in their order, each at the end of its band, and return their new ids; all of them or none.

        They are irremovable, and their words cannot be edited. With `missing_only`, a seed whose name a block of the owner bears
        already is left out, so that whoever comes second changes nothing. No guest can keep a seed out by taking the name of
        its tool: compile offers one of two authors' tools of one name.
        """
        ledger, actor = self._owned()
        step = self._step(note="load")
        blocks = [
            check_block(
                Block(
                    id=ledger.fresh_id(),
                    name=seed.name,
                    text=seed.text,
                    band=seed.band,
                    trust=seed.trust,
                    priority=seed.priority,
                    source=Source.SEED,
                    author=actor.id,
                    removable=False,
                    created=step.at,
                    tags=check_words(seed.tags, "tags"),
                    gated=seed.gated,
                    description=seed.description,
                    short=seed.short,
                    requires=check_words(seed.requires, "requires"),
                    tool=seed.tool,
                )
            )
            for seed in _seeds(seeds)
        ]
        with step:
            there = {block.name for block in ledger.order if actor.owns(block)} if missing_only else frozenset()
            new = [block for block in blocks if block.name not in there]
            for block in new:
                step.write(block, ledger.span(block.band)[1])
        return tuple(block.id for block in new)

    def snapshot(self) -> Snapshot:
        """The registry as it stands, to restore later or to keep as JSON."""
        ledger, actor = self._owned()
        return take(ledger, actor.id)

    def restore(self, snapshot: Snapshot) -> Mapping[BlockId, BlockId]:
        """Make the registry what the snapshot says, in one call; returns which new id stands for which of the snapshot's.

        Authors stay who they are. What others wrote and made irremovable stays as it is now; in the registry the snapshot was
        taken of, what they took away since stays away and has no new id. A restore is the owner's act and asks no quota: guests
        above theirs can write again when they are below it.
        """
        return restore(*self._owned(), snapshot)

    def fork(self, *, label: str | None = None, principal: Principal | None = None) -> Registry:
        """A registry of its own with the same blocks under new ids; texts are shared, so it costs little.

        Its owner is `principal`, or a new one, and may treat there as its own what the owner here owns. Invites stay behind.
        """
        ledger, actor = self._owned()
        ids, clock = ledger.sources()
        child = Registry(ids=ids, banded=ledger.banded, clock=clock, label=label, principal=principal, history=ledger.history)
        child._actor = replace(child._actor, own=child._actor.own | actor.own)
        branch(ledger, child._ledger, actor=child._actor.id)
        return child

    def arrange(self, proposal: Proposal) -> tuple[BlockId, ...]:
        """Make an order that a placement policy proposed the registry's, in one call; returns the ids of blocks said twice by it.

        Raises `BlockError`: changed when blocks were written, evicted or moved since it was proposed, permutation when its order
        does not name each block once.
        """
        return arrange(*self._owned(), proposal)

    def evict_by(self, target: Target, *, scorer: EvictionScorer | None = None) -> Eviction:
        """Evict what is most dispensable until the target is met, and report what went and why. Never what must stay.

        Without a `scorer`, that is what has low priority and was seldom shown.
        """
        return evict_by(*self._owned(), target, scorer=scorer)

    def summary(self, *, counter: TokenCounter | None = None) -> Summary:
        """Counts of blocks, by source, band, tag, author and group; characters, and with a `counter` tokens."""
        return summary(self._owned()[0], counter=counter)

    def provenance(self, *, run: str | None = None, author: str | None = None) -> Provenance:
        """Which blocks came from which source, run and author; only those of one `run` or `author` when given."""
        self._owned()
        return provenance(self.blocks, run=run, author=author)

    def undo(self, *, to: int | None = None) -> int:
        """Bring back the state of version `to`, or without it that before the last call that left something to take back.

        It is made of new changes, and the journal keeps the old. Repeated, it goes back further, past what was undone
        already; an undo is itself undone by its version. Returns the version whose state is back.

        With `to` it is exact: refused as not_owner when it would take away, bring back or change what is others' alone. Without,
        such blocks stay as they are, so that no guest can stand in the way; `journal.diff(version)` says what is different
        still. Forgotten when the journal does not reach back so far.
        """
        return undo(*self._owned(), to=to)

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


def _seeds(value: Iterable[SeedLike]) -> list[SeedLike]:
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise BlockError(
            f"{shown(value)} is not a list of seeds.", place="seeds", code="range", hint="Give a list, also of one: load([seed])."
        )
    seeds = list(value)
    for number, seed in enumerate(seeds):
        if not isinstance(seed, SeedLike):
            raise BlockError(
                f"{shown(seed)} is not a seed.",
                place=f"seeds[{number}]",
                code="range",
                hint="Read seeds from a file, or make one: Seed(name=..., text=...).",
            )
    return seeds


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


def ledger_of(registry: Registry) -> Ledger:
    """The state under a registry, for the compiler alone: it knows no rights."""
    return registry._owned()[0]  # noqa: SLF001  # the one door to it
