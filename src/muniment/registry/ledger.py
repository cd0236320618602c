"""The state under a registry: the blocks in order, and the journal of every change. It knows no rights; handles do.

Rules of this file: nothing changes but inside a `Step`, which holds the lock and is made whole or not at all; every change is
written into the journal and made from what is written there. No callback (id source, clock) is called under the lock.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from threading import RLock
from types import TracebackType
from typing import Final, Self
from uuid import uuid4

from muniment.errors import BlockError
from muniment.registry.journal import Change, Journal, Op, advance, check_version, longest_rise, retreat
from muniment.types import Band, Block, BlockId

HISTORY: Final = 10_000
"""Changes that a journal holds unless told otherwise; older ones are dropped."""

_NEAR: Final = 64
_FEW: Final = 8  # one block in so many


class Ledger:
    """Blocks in order under one lock. To be read by this package's own rooms; only a `Step` changes it.

    `version` counts the changes made, `order` are the blocks in order and `ids` theirs; take `lock` to read more than one of
    them. `key` tells this registry from all others. `memo` belongs to the compiler, which keeps in it what it remembers from
    one call to the next. `epoch` counts compiles: one that shows every block may add to it with the lock held, instead of
    calling `shown`.
    """

    __slots__ = (
        "_clock", "_counts", "_gone", "_ids", "_missed", "_places", "_times", "_unsettled", "_view",
        "banded", "by_id", "changes", "epoch", "history", "ids", "key", "lock", "memo", "order", "version",
    )  # fmt: skip

    def __init__(
        self, *, ids: Callable[[], str], banded: bool = True, clock: Callable[[], datetime] | None = None, history: int = HISTORY
    ) -> None:
        self._ids, self._clock = ids, clock
        self.banded, self.history = banded, history
        self.key = uuid4().hex
        self.lock = RLock()
        self.version = 0
        self.order: list[Block] = []
        self.ids: list[BlockId] = []
        self.by_id: dict[BlockId, Block] = {}
        self.changes: list[Change] = []
        self.memo: object | None = None
        self._counts = [0] * len(Band)
        self._view: tuple[Block, ...] | None = ()
        self.epoch = 0
        self._missed: dict[BlockId, int] = {}
        self._gone: dict[BlockId, tuple[int, int]] = {}  # accesses, and the version that evicted it
        self._places: dict[BlockId, int] = {}
        self._unsettled: Sequence[BlockId] = ()
        self._times = 0

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order, as they are between two steps."""
        view = self._view
        if view is None:
            with self.lock:
                view = self._view = tuple(self.order)
        return view

    def place(self, block_id: BlockId) -> int:
        """Where the block stands in the whole order."""
        guess = self._places.get(block_id, 0)
        if not (guess < len(self.ids) and self.ids[guess] == block_id):
            guess = self._places[block_id] = self._look(block_id, guess)
        return guess

    def _look(self, block_id: BlockId, near: int) -> int:
        """Most blocks have moved only a little since they were last looked for."""
        try:
            return self.ids.index(block_id, max(0, near - _NEAR), near + _NEAR)
        except ValueError:
            return self.ids.index(block_id)

    def span(self, band: Band) -> tuple[int, int]:
        """The places of a band: its first, and the one behind its last. Without bands, all there are."""
        if not self.banded:
            return 0, len(self.order)
        first = sum(self._counts[:band])
        return first, first + self._counts[band]

    def fresh_id(self) -> BlockId:
        """A new id from the source."""
        return BlockId(self._ids())

    def now(self) -> datetime | None:
        """What the clock says; None without one."""
        return self._clock() if self._clock else None

    def sources(self) -> tuple[Callable[[], str], Callable[[], datetime] | None]:
        """The id source and the clock, for a registry that shall use the same."""
        return self._ids, self._clock

    def changes_since(self, version: int) -> Sequence[Change] | None:
        """The changes that led from `version` to now; None when some of them are no longer held."""
        first = version - (self.version - len(self.changes))
        return self.changes[first:] if 0 <= first <= len(self.changes) else None

    @property
    def journal(self) -> Journal:
        """All changes still held, as a value."""
        with self.lock:
            return Journal(entries=tuple(self.changes), version=self.version, blocks=self.blocks)

    def shown(self, left_out: Sequence[BlockId]) -> None:
        """Count one more compile: every block but these entered the prompt. `left_out` must not change afterwards."""
        with self.lock:
            if left_out is not self._unsettled:
                self._settle()
                self._unsettled = left_out
            self.epoch += 1
            self._times += 1

    def accesses(self, block_id: BlockId) -> int:
        """How many compiles put the block into a prompt."""
        with self.lock:
            self._settle()
            return self.epoch - self._missed[block_id]

    def recount(self, accesses: Mapping[BlockId, int]) -> None:
        """Set the access counts of these blocks, for a restore."""
        with self.lock:
            self._settle()
            self._missed.update({block_id: self.epoch - count for block_id, count in accesses.items()})

    def _settle(self) -> None:
        times, self._times = self._times, 0
        if times:
            for block_id in self._unsettled:
                if block_id in self._missed:
                    self._missed[block_id] += times

    def make(self, change: Change) -> None:
        """Write one change down and make it. For a `Step`, which takes it back when the call fails."""
        advance(self.order, change, change.block)
        if change.op is not Op.EDIT:
            advance(self.ids, change, change.block.id if change.block else None)
        self.version = change.version
        self.changes.append(change)
        self._follow(change, back=False)

    def unmake(self) -> None:
        """Take the last change back as if it had never been. For a `Step` whose call fails."""
        change = self.changes.pop()
        was = change.before or change.block
        retreat(self.order, change, was)
        if change.op is not Op.EDIT:
            retreat(self.ids, change, was.id if was else None)
        self.version -= 1
        self._follow(change, back=True)

    def _follow(self, change: Change, *, back: bool) -> None:
        self._view = None
        if (block := change.block) is None or change.op is Op.MOVE:
            return
        if change.op is Op.EDIT:
            self.by_id[block.id] = change.before if back and change.before else block
        elif (change.op is Op.WRITE) is not back:
            self.by_id[block.id] = block
            self._counts[block.band] += 1
            self._places[block.id] = change.place
            self._missed.setdefault(block.id, self.epoch - self._gone.get(block.id, (0, 0))[0])
        else:
            if back:
                self._missed.pop(block.id, None)
            del self.by_id[block.id]
            self._places.pop(block.id, None)
            self._counts[block.band] -= 1

    def close(self, first: int) -> None:
        """End the step that began with version `first`: forget what the history has no room for.

        The access count of what is gone is kept for as long as an undo can bring it back.
        """
        made = self.changes[first - self.version - 1 :] if first <= self.version else ()
        if gone := [(change.block.id, change.version) for change in made if change.op is Op.EVICT and change.block]:
            self._settle()
            for block_id, version in gone:
                if block_id not in self.by_id and block_id in self._missed:
                    self._gone[block_id] = (self.epoch - self._missed.pop(block_id), version)
        if (surplus := len(self.changes) - self.history) > 0:
            for change in self.changes[:surplus]:
                if change.op is Op.EVICT and change.block and self._gone.get(change.block.id, (0, 0))[1] == change.version:
                    del self._gone[change.block.id]
            del self.changes[:surplus]


class Step:
    """The changes of one call: with the lock held, all of them are made, or, when the call fails, none.

    `actor` is the id of the principal who acts; `note` says why when the verb does not; `at` is the time, if there is a clock.
    """

    __slots__ = ("_actor", "_first", "_run", "at", "back_to", "ledger", "note")

    def __init__(self, ledger: Ledger, *, actor: str, run: str | None = None, note: str = "") -> None:
        self.ledger = ledger
        self._actor, self._run, self.note = actor, run, note
        self.back_to: int | None = None
        self.at = ledger.now()
        self._first = 0

    def __enter__(self) -> Self:
        self.ledger.lock.acquire()
        self._first = self.ledger.version + 1
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            while kind is not None and self.ledger.version >= self._first:
                self.ledger.unmake()
            self.ledger.close(self._first)
        finally:
            self.ledger.lock.release()

    def write(self, block: Block, place: int) -> None:
        """Insert a block whose id is new here."""
        if not block.id or block.id in self.ledger.by_id:
            raise BlockError("the id source gave an empty or used id.", code="id_taken", hint="Give ids that never repeat.")
        self._make(Op.WRITE, block, place=place)

    def evict(self, block: Block) -> None:
        """Take a block out."""
        self._make(Op.EVICT, block, place=self.ledger.place(block.id))

    def edit(self, block: Block) -> None:
        """Put the block where the one with its id stands. Nothing happens when they are equal."""
        before = self.ledger.by_id[block.id]
        if block is not before and block != before:
            self._make(Op.EDIT, block, before=before, place=self.ledger.place(block.id))

    def move(self, start: int, end: int, to: int) -> None:
        """Move the blocks at `start` to `end` so that the first stands at `to`, counted without them. One change per block."""
        size = end - start
        for n in range(size if to != start else 0):
            place, goal = (start + n, to + n) if to < start else (start, to + size - 1)
            self._make(Op.MOVE, self.ledger.order[place], place=place, to=goal)

    def reorder(self, ids: Sequence[BlockId], *, moving: Container[BlockId] | None = None) -> None:
        """Put all blocks into this order, which names each once. Nothing happens when it is the order they are in.

        `moving` are blocks that the others keep their order without, if the caller knows. When they are few, they are moved,
        so that the journal of a large registry need not hold its whole order again and again.
        """
        if list(ids) == self.ledger.ids:
            return
        places = {block_id: place for place, block_id in enumerate(self.ledger.ids)}
        order = tuple(map(places.__getitem__, ids))
        if moving is None:
            still = longest_rise(order)
            movers = [place for place in range(len(order)) if place not in still]
        else:
            movers = [place for place, block_id in enumerate(ids) if block_id in moving]
        if _FEW * len(movers) > len(ids):
            self._make(Op.REORDER, None, order=order)
            return
        for place in movers:
            now, behind = self.ledger.place(ids[place]), self.ledger.place(ids[place - 1]) + 1 if place else 0
            self.move(now, now + 1, behind - (now < behind))

    def become(self, blocks: Sequence[Block]) -> None:
        """Make these the blocks, in this order: evict, edit, reorder and write as far as it takes.

        They are told apart by id. Raises `BlockError` when they break the bands or share an id.
        """
        goal = {block.id: block for block in blocks}
        bands = [block.band for block in blocks]
        if len(goal) != len(blocks) or (self.ledger.banded and bands != sorted(bands)):
            raise BlockError("these blocks have no order that holds.", code="band", hint="Give each id once, band by band.")
        for block in self.ledger.blocks:
            if block.id not in goal:
                self.evict(block)
        for block in self.ledger.blocks:
            self.edit(goal[block.id])
        self.reorder([block.id for block in blocks if block.id in self.ledger.by_id])
        for place, block in enumerate(blocks):
            if block.id not in self.ledger.by_id:
                self.write(block, place)

    def _make(
        self,
        op: Op,
        block: Block | None,
        *,
        before: Block | None = None,
        place: int = -1,
        to: int = -1,
        order: tuple[int, ...] = (),
    ) -> None:
        change = Change(
            version=self.ledger.version + 1,
            step=self._first,
            op=op,
            actor=self._actor,
            block=block,
            before=before,
            place=place,
            to=to,
            order=order,
            run=self._run,
            at=self.at,
            note=self.note,
            back_to=self.back_to,
        )
        self.ledger.make(change)


def rewound(ledger: Ledger, version: int) -> list[Block]:
    """The blocks as they were at `version`, for a caller that holds the lock."""
    check_version(version, ledger.version - len(ledger.changes), ledger.version)
    line = ledger.order.copy()
    for change in reversed(ledger.changes_since(version) or ()):
        retreat(line, change, change.before or change.block)
    return line
