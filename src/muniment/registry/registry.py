"""The registry: blocks in an explicit, mutable order, kept in memory and never on disk.

Rules of this file: order changes only by write, evict, promote, demote and reorder; a call that fails changes nothing;
with bands, no call can put a block outside its band. It knows no clock; ids come from the source it is given.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal
from uuid import uuid4

from muniment.errors import BlockError
from muniment.registry.checks import check_block, check_priority, check_text, check_whole
from muniment.types import Band, Block, BlockId, Role, ToolCall, Trust


def _fresh_id() -> str:
    return uuid4().hex


class Registry:
    """An ordered set of blocks. Not safe to change from several threads at once; `blocks` is an immutable view.

    `ids` gives a new id per block. With `banded` (the default) the order is always pinned, stable, session, volatile, and
    positions count inside a block's band, so stable text stays byte-identical in front. Without, the whole registry is one
    band and any order is possible.
    """

    __slots__ = ("_banded", "_by_id", "_ids", "_order", "_view")

    def __init__(self, *, ids: Callable[[], str] = _fresh_id, banded: bool = True) -> None:
        self._ids = ids
        self._banded = banded
        self._by_id: dict[BlockId, Block] = {}
        self._order: list[BlockId] = []
        self._view: tuple[Block, ...] | None = ()

    @property
    def banded(self) -> bool:
        """Whether bands are kept."""
        return self._banded

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order, as they are now; later changes do not show in it."""
        if self._view is None:
            self._view = tuple(self._by_id[block_id] for block_id in self._order)
        return self._view

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __contains__(self, block_id: object) -> bool:
        return block_id in self._by_id

    def __repr__(self) -> str:
        return f"<Registry of {len(self)} blocks>"

    def get(self, block_id: BlockId) -> Block:
        """The block with this id. Raises `BlockError`: unknown_block, or ambiguous when it is a name that several blocks bear."""
        if (block := self._by_id.get(block_id)) is not None:
            return block
        count = len(self.named(block_id))
        if count > 1:
            raise BlockError(
                f"this is a name, and {count} blocks bear it.",
                code="ambiguous",
                hint="Pick one: named(...) lists them in order, and each has its id.",
            )
        hint = "This is a name; take the id from named(...)[0].id." if count else "Use an id that write returned."
        raise BlockError("no block has this id.", code="unknown_block", hint=hint)

    def named(self, name: str) -> tuple[Block, ...]:
        """Every block of this name, in order; empty when there is none. Names need not be unique."""
        return tuple(block for block in self.blocks if block.name == name)

    def write(
        self,
        text: str,
        *,
        name: str,
        band: Band = Band.STABLE,
        role: Role = Role.SYSTEM,
        required: bool = False,
        trust: Trust = Trust.TRUSTED,
        priority: float = 0.5,
        position: int | None = None,
        turn_key: str | None = None,
        tool_calls: Sequence[ToolCall] = (),
        tool_call_id: str | None = None,
    ) -> BlockId:
        """Add a block at the end of its band, or at `position` (clamped to the band), and return its id.

        Untrusted text is refused in the pinned and stable bands. `priority` (0 to 1) is advice for eviction and never moves
        a block. Empty text is allowed: such a block takes its place and is rendered once it has text.
        """
        block = Block(
            id=BlockId(""),
            name=name,
            text=text,
            band=band,
            role=role,
            required=required,
            trust=trust,
            priority=priority,
            turn_key=turn_key,
            tool_calls=tuple(tool_calls),
            tool_call_id=tool_call_id,
        )
        check_block(block)
        first, last = self._span(band)
        place = last if position is None else _clamp(first + check_whole(position, "position"), first, last)
        block_id = self._new_id()
        self._by_id[block_id] = replace(block, id=block_id, priority=float(priority))
        self._order.insert(place, block_id)
        self._view = None
        return block_id

    def edit(
        self, block_id: BlockId, text: str | None = None, *, priority: float | None = None, required: bool | None = None
    ) -> Block:
        """Change what is given and return the new block. Place, band, role and trust stay."""
        old = self.get(block_id)
        new = replace(
            old,
            text=old.text if text is None else check_text(text, "text"),
            priority=old.priority if priority is None else check_priority(priority),
            required=old.required if required is None else required,
        )
        self._by_id[block_id] = check_block(new)
        self._view = None
        return new

    def evict(self, block_id: BlockId) -> Block:
        """Remove the block and return it as it was."""
        block = self.get(block_id)
        self._order.remove(block_id)
        del self._by_id[block_id]
        self._view = None
        return block

    def promote(
        self,
        block_id: BlockId,
        *,
        steps: int | None = None,
        to: int | Literal["front", "back"] | None = None,
        before: BlockId | None = None,
        after: BlockId | None = None,
    ) -> int:
        """Move a block inside its band by exactly one directive, and return its new position there.

        `steps` moves it towards the front, `to` puts it at a position, `before` and `after` beside another block of the same
        band. Steps and positions are clamped to the band.
        """
        block = self.get(block_id)
        given = [
            name for name, value in (("steps", steps), ("to", to), ("before", before), ("after", after)) if value is not None
        ]
        if len(given) != 1:
            raise BlockError(
                f"a move takes exactly one directive, not {len(given)}.",
                place=" and ".join(given),
                code="directive",
                hint="Give one of steps, to, before, after.",
            )
        first, last = self._span(block.band)
        now = self._order.index(block_id)
        if steps is not None:
            place = now - _not_negative(steps)
        elif to is not None:
            place = _position(to, first, last)
        else:
            place = self._beside(block, before=before, after=after)
        return self._move(block_id, now, _clamp(place, first, last - 1)) - first

    def demote(self, block_id: BlockId, steps: int = 1) -> int:
        """Move a block `steps` places towards the back of its band (clamped), and return its new position there."""
        block = self.get(block_id)
        first, last = self._span(block.band)
        now = self._order.index(block_id)
        return self._move(block_id, now, _clamp(now + _not_negative(steps), first, last - 1)) - first

    def reorder(self, block_ids: Sequence[BlockId]) -> None:
        """Put these blocks at the front of their band in this order; the others keep theirs behind them.

        Blocks of several bands may be given together when they are given band by band. Unknown or repeated ids are refused.
        """
        named = [self.get(block_id) for block_id in block_ids]
        if len({block.id for block in named}) != len(named):
            raise BlockError("an id is given twice.", place="block_ids", code="duplicate", hint="Name each block once.")
        bands = [block.band for block in named]
        if self._banded and bands != sorted(bands):
            raise BlockError(
                "this order would take a block out of its band.",
                place="block_ids",
                code="band",
                hint="Give the blocks band by band: pinned, stable, session, volatile.",
            )
        chosen = set(block_ids)
        order = [*block_ids, *(block_id for block_id in self._order if block_id not in chosen)]
        if self._banded:
            order.sort(key=self._band_of)
        self._order = order
        self._view = None

    def _new_id(self) -> BlockId:
        block_id = BlockId(self._ids())
        if not block_id or block_id in self._by_id:
            raise BlockError("the id source gave an empty or used id.", code="id_taken", hint="Give ids that never repeat.")
        return block_id

    def _band_of(self, block_id: BlockId) -> Band:
        return self._by_id[block_id].band

    def _span(self, band: Band) -> tuple[int, int]:
        if not self._banded:
            return 0, len(self._order)
        return bisect_left(self._order, band, key=self._band_of), bisect_right(self._order, band, key=self._band_of)

    def _beside(self, block: Block, *, before: BlockId | None, after: BlockId | None) -> int:
        other = self.get(before or after or BlockId(""))
        if other.id == block.id:
            raise BlockError(
                "a block cannot be moved beside itself.", place="before or after", code="self", hint="Name another block."
            )
        if self._banded and other.band is not block.band:
            raise BlockError(
                f"the two blocks are in different bands ({block.band.name} and {other.band.name}).",
                place="before or after",
                code="band",
                hint="Write the block again in the other band, or name a block of its own.",
            )
        now, there = self._order.index(block.id), self._order.index(other.id)
        place = there - (now < there)
        return place if before is not None else place + 1

    def _move(self, block_id: BlockId, now: int, place: int) -> int:
        if place != now:
            del self._order[now]
            self._order.insert(place, block_id)
            self._view = None
        return place


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))


def _not_negative(steps: object) -> int:
    value = check_whole(steps, "steps")
    if value < 0:
        raise BlockError(
            f"steps cannot be negative ({value}).", place="steps", code="range", hint="promote moves forward, demote back."
        )
    return value


def _position(to: object, first: int, last: int) -> int:
    if to == "front":
        return first
    if to == "back":
        return last - 1
    return first + check_whole(to, "to")
