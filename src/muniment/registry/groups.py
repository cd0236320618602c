"""Where blocks may go: inside their band, beside others, and never into the middle of a group, whose members stand together.

Rules of this file: pure, on blocks in order. A unit is a block or a whole group. A move that would end inside a group goes past
it, in the direction it was going; a new block goes to the nearer end of it. Places of a moving unit are counted without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

from muniment.errors import BlockError, shown
from muniment.registry.checks import check_whole
from muniment.types import Block, BlockId

Span = tuple[int, int]
"""The first place, and the one behind the last."""

Scorer = Callable[[str, Sequence[Block]], Sequence[float]]
"""Scores blocks for a task: any finite numbers, higher is nearer, 0 or less is not near at all."""


def together(one: Block, other: Block) -> bool:
    """Whether both are members of one group."""
    return one.group is not None and other.group is not None and one.group.name == other.group.name


def unit(order: Sequence[Block], place: int) -> Span:
    """The span of the block at `place`, or of its whole group."""
    start, end = place, place + 1
    while start > 0 and together(order[start - 1], order[place]):
        start -= 1
    while end < len(order) and together(order[place], order[end]):
        end += 1
    return start, end


def write_place(order: Sequence[Block], span: Span, position: int | None) -> int:
    """Where a new block goes that shall be at `position` of `span` (None: at its end)."""
    first, last = span
    if position is None:
        return last
    place = max(first, min(first + position, last))
    if first < place < last and together(order[place - 1], order[place]):
        start, end = unit(order, place)
        return start if place - start < end - place else end
    return place


def landing(order: Sequence[Block], span: Span, moving: Span, place: int) -> int:
    """Where the unit at `moving` stands after a move to `place`: clamped to `span`, and not inside a group."""
    (first, last), (start, end) = span, moving
    size = end - start
    place = max(first, min(place, last - size))
    if place < start:
        while place > first and together(order[place - 1], order[place]):
            place -= 1
    elif place > start:
        while place < last - size and together(order[place + size - 1], order[place + size]):
            place += 1
    return place


def goal(
    order: Sequence[Block],
    span: Span,
    moving: Span,
    *,
    steps: int | None,
    to: int | Literal["front", "back"] | None,
    beside: tuple[int, bool] | None,
) -> int:
    """Where a promotion wants its unit: `steps` to the front, at `to`, or before (or after) the unit of the place `beside`."""
    (first, last), (start, end) = span, moving
    if steps is not None:
        return start - not_negative(steps)
    if beside is not None:
        place, after = beside
        if start <= place < end:
            raise BlockError(
                "a block cannot be moved beside itself, nor beside a member of its own group.",
                place="before or after",
                code="self",
                hint="Name another block; group(...) again gives a group another inner order.",
            )
        edge = unit(order, place)[after]
        return edge if edge <= start else edge - (end - start)
    if to == "front":
        return first
    return last if to == "back" else first + check_whole(to, "to")


def one_directive(**directives: object) -> None:
    """Raise `BlockError` (directive) unless exactly one of these is given."""
    given = [name for name, value in directives.items() if value is not None]
    if len(given) != 1:
        raise BlockError(
            f"a move takes exactly one directive, not {len(given)}.",
            place=" and ".join(given),
            code="directive",
            hint=f"Give one of {', '.join(directives)}.",
        )


def not_negative(
    value: object, place: str = "steps", *, hint: str = "0 is the least; promote moves forward, demote back."
) -> int:
    """Return `value` if it is a whole number from 0 on."""
    number = check_whole(value, place, hint=hint)
    if number < 0:
        raise BlockError(f"{place} cannot be negative ({number}).", place=place, code="range", hint=hint)
    return number


def check_band(block: Block, other: Block, place: str, *, banded: bool) -> None:
    """Raise `BlockError` (band) when a banded registry cannot put the two blocks side by side."""
    if banded and other.band is not block.band:
        raise BlockError(
            f"the two blocks are in different bands ({block.band.name} and {other.band.name}).",
            place=place,
            code="band",
            hint="Write the block again in the other band, or name a block of its own.",
        )


def brought_forward(order: Sequence[Block], named: Sequence[Block], *, banded: bool) -> list[BlockId]:
    """All ids in order after `named` went to the front, groups with their first named member, named members first."""
    if len({block.id for block in named}) != len(named):
        raise BlockError("an id is given twice.", place="block_ids", code="duplicate", hint="Name each block once.")
    bands = [block.band for block in named]
    if banded and bands != sorted(bands):
        raise BlockError(
            "this order would take a block out of its band.",
            place="block_ids",
            code="band",
            hint="Give the blocks band by band: pinned, stable, session, volatile.",
        )
    members: dict[str, list[Block]] = {}
    for block in (*named, *order) if any(block.group for block in named) else ():
        if block.group is not None:
            members.setdefault(block.group.name, []).append(block)
    front: dict[BlockId, Block] = {}
    for block in named:
        for member in members[block.group.name] if block.group else (block,):
            front.setdefault(member.id, member)
    moved = [*front.values(), *(block for block in order if block.id not in front)]
    if banded:
        moved.sort(key=lambda block: block.band)
    return [block.id for block in moved]


def check_group(order: Sequence[Block], members: Sequence[Block], name: str, *, banded: bool) -> None:
    """Raise `BlockError` unless these blocks, and no others, may be the group of this name."""
    ids = {block.id for block in members}
    if not members or len(ids) != len(members):
        raise BlockError(
            "a group takes at least one block, each once.",
            place="block_ids",
            code="duplicate",
            hint="Name each once." if members else "No block was named, or none has the tag.",
        )
    for block in members:
        check_band(members[0], block, "block_ids", banded=banded)
        if block.group is not None and block.group.name != name:
            raise BlockError(
                f"the block {shown(block.name)} is in the group {shown(block.group.name)} already.",
                place="block_ids",
                code="grouped",
                hint="A block is in one group at most: ungroup the other first.",
            )
    if any(block.group and block.group.name == name and block.id not in ids for block in order):
        raise BlockError(
            f"there is a group {shown(name)} with other blocks.",
            place="name",
            code="group_taken",
            hint="Give all of its members too, or another name.",
        )


def nearest(block: Block, blocks: Sequence[Block], *, scorer: Scorer, most: int, room: int | None, banded: bool) -> list[Block]:
    """The block and up to `most` others of its band that score highest for its text, best first, of equal ones the earlier.

    Those in a group are left out. The texts have at most `room` characters together.
    """
    if not callable(scorer):
        raise BlockError(
            f"{shown(scorer)} is no scorer.",
            place="scorer",
            code="range",
            hint="Give a function of a text and blocks: Lexical().",
        )
    others = [b for b in blocks if b.id != block.id and b.group is None and not (banded and b.band is not block.band)]
    scores = [float(score) for score in scorer(block.text, others)] if others else []
    if len(scores) != len(others) or not all(map(math.isfinite, scores)):
        raise BlockError(
            f"the scorer gave {len(scores)} scores for {len(others)} blocks, or one that is no finite number.",
            place="scorer",
            code="scores",
            hint="Return one number per block.",
        )
    out, left = [block], math.inf if room is None else room - len(block.text)
    for place in sorted(range(len(others)), key=lambda place: -scores[place]):
        if len(out) > most or scores[place] <= 0:
            break
        if len(others[place].text) <= left:
            left -= len(others[place].text)
            out.append(others[place])
    return out
