"""What happened to a registry, change by change: enough to go back, to compare two versions, and to do it all again.

Rules of this file: pure; a change says all that is needed to make it and to take it back, in place, on a plain list; each
change makes one version, and the changes of one call share a step. Texts stand here in full; what is written out holds
hashes instead, and no ids.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import TypeVar

from muniment.errors import BlockError, shown
from muniment.types import Block

T = TypeVar("T")


class Op(StrEnum):
    """What a change does."""

    WRITE = "write"
    EVICT = "evict"
    EDIT = "edit"
    MOVE = "move"
    REORDER = "reorder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One mutation of a registry, and who asked for it.

    `version` is the registry's after it. `step` is shared by all changes of one call: the version of the first of them.
    `block` is as it is after a WRITE, EDIT or MOVE, as it was before an EVICT, and None for a REORDER; `before` is the block
    before an EDIT. `place` is where it stood before, or for a WRITE where it stands. `to` is where a MOVE puts it, counted
    without it. After a REORDER the block at place i is the one that stood at `order[i]`. An undo has in `back_to` the version
    whose state it brought back.
    """

    version: int
    step: int
    op: Op
    actor: str
    block: Block | None = None
    before: Block | None = None
    place: int = -1
    to: int = -1
    order: tuple[int, ...] = ()
    run: str | None = None
    at: datetime | None = None
    note: str = ""
    back_to: int | None = None

    @property
    def before_hash(self) -> str:
        """Hash of the block's content before the change, empty where it was not there."""
        before = self.before if self.op is Op.EDIT else None if self.op is Op.WRITE else self.block
        return content_hash(before) if before else ""

    @property
    def after_hash(self) -> str:
        """Hash of the block's content after the change, empty where it is gone."""
        return content_hash(self.block) if self.block and self.op is not Op.EVICT else ""

    def to_dict(self) -> dict[str, str | int | list[int] | None]:
        """The change for an audit: names and hashes, neither texts nor block ids."""
        return {
            "version": self.version,
            "step": self.step,
            "op": self.op.value,
            "name": self.block.name if self.block else None,
            "place": self.place,
            "to": self.to,
            "order": list(self.order),
            "actor": self.actor,
            "run": self.run,
            "at": self.at.isoformat() if self.at else None,
            "note": self.note,
            "back_to": self.back_to,
            "before": self.before_hash,
            "after": self.after_hash,
        }


def content_hash(block: Block) -> str:
    """SHA-256 of everything a block says and is, but its id: the same in every registry it is restored into."""
    content = {field.name: getattr(block, field.name) for field in fields(block) if field.name != "id"}
    return sha256(repr(sorted(content.items())).encode("utf-8", "surrogatepass")).hexdigest()


def advance(line: list[T], change: Change, item: T | None) -> None:
    """Make the change on `line`. `item` is what a WRITE or an EDIT puts there: the block, or what stands for it."""
    if change.op is Op.REORDER:
        line[:] = [line[old] for old in change.order]
    elif change.op is Op.EVICT:
        del line[change.place]
    elif change.op is Op.MOVE:
        line.insert(change.to, line.pop(change.place))
    elif item is not None:
        line[change.place : change.place + (change.op is Op.EDIT)] = [item]


def retreat(line: list[T], change: Change, item: T | None) -> None:
    """Take the change back on `line`. `item` is what an EVICT or an EDIT took away."""
    if change.op is Op.REORDER:
        now = line.copy()
        for place, old in enumerate(change.order):
            line[old] = now[place]
    elif change.op is Op.WRITE:
        del line[change.place]
    elif change.op is Op.MOVE:
        line.insert(change.place, line.pop(change.to))
    elif item is not None:
        line[change.place : change.place + (change.op is Op.EDIT)] = [item]


def replay(changes: Iterable[Change], start: Iterable[Block] = ()) -> tuple[Block, ...]:
    """The blocks after `changes`, beginning with `start`. Raises `BlockError` (range) when they do not follow upon it."""
    line = list(start)
    for change in _changes(changes):
        if not isinstance(change, Change) or not _follows(line, change):
            raise BlockError(
                "these changes do not follow upon these blocks.",
                place="changes",
                code="range",
                hint="Begin with the blocks before the first change: replay(changes, journal.at(changes[0].version - 1)).",
            )
        advance(line, change, change.block)
    return tuple(line)


def _changes(value: object) -> Iterable[object]:
    return value if isinstance(value, Iterable) else (value,)


def _follows(line: Sequence[Block], change: Change) -> bool:
    """Whether the change can be made on these blocks."""
    if change.op is Op.REORDER:
        return len(change.order) == len(line)
    if change.op is Op.WRITE:
        return 0 <= change.place <= len(line)
    there = line[change.place].id if 0 <= change.place < len(line) else None
    return change.block is not None and there == change.block.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What is different in a later version: blocks `added`, `removed`, `edited` (as they were, as they are), and `moved`.

    `moved` is a smallest set of blocks whose moving explains the new order of those that stayed.
    """

    added: tuple[Block, ...] = ()
    removed: tuple[Block, ...] = ()
    edited: tuple[tuple[Block, Block], ...] = ()
    moved: tuple[Block, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.edited or self.moved)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Journal:
    """The changes of a registry up to `version`, oldest first, and its `blocks` then; later changes do not show in it.

    A registry remembers a limited number of changes, so the first entry need not be the first change ever made.
    """

    entries: tuple[Change, ...]
    version: int
    blocks: tuple[Block, ...]

    @property
    def oldest(self) -> int:
        """The first version that `at` can still show."""
        return self.version - len(self.entries)

    def at(self, version: int) -> tuple[Block, ...]:
        """The blocks as they were at `version`. Raises `BlockError`: forgotten when it is too old, range when there is none."""
        check_version(version, self.oldest, self.version)
        line = list(self.blocks)
        for change in reversed(self.entries[version - self.oldest :]):
            retreat(line, change, change.before or change.block)
        return tuple(line)

    def diff(self, old: int, new: int | None = None) -> Difference:
        """What is different at version `new` (now, when it is not given) compared with version `old`."""
        return difference(self.at(old), self.at(self.version if new is None else new))

    def to_dicts(self) -> list[dict[str, str | int | list[int] | None]]:
        """All entries for an audit: names and hashes, neither texts nor block ids."""
        return [change.to_dict() for change in self.entries]

    def to_json_lines(self) -> str:
        """The same as JSON, one line per change."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.to_dicts())

    def __repr__(self) -> str:
        return f"<Journal of versions {self.oldest} to {self.version}>"


def check_version(version: object, oldest: int, newest: int) -> int:
    """Return `version` if its state can still be told."""
    if isinstance(version, bool) or not isinstance(version, int) or not 0 <= version <= newest:
        raise BlockError(
            f"there is no version {shown(version)}.",
            place="version",
            code="range",
            hint=f"Versions count the changes made: 0 to {newest} by now.",
        )
    if version < oldest:
        raise BlockError(
            f"version {version} is older than what the journal still holds.",
            place="version",
            code="forgotten",
            hint=f"The oldest it holds is {oldest}; give Registry(history=…) a larger limit.",
        )
    return version


def difference(old: Sequence[Block], new: Sequence[Block]) -> Difference:
    """What is different in `new`, block by block."""
    before, after = {block.id: block for block in old}, {block.id: block for block in new}
    places = {block.id: place for place, block in enumerate(old)}
    stayed = [block for block in new if block.id in before]
    still = longest_rise([places[block.id] for block in stayed])
    return Difference(
        added=tuple(block for block in new if block.id not in before),
        removed=tuple(block for block in old if block.id not in after),
        edited=tuple((before[block.id], block) for block in stayed if before[block.id] != block),
        moved=tuple(block for place, block in enumerate(stayed) if place not in still),
    )


def longest_rise(numbers: Sequence[int]) -> set[int]:
    """Places of a longest rising run of `numbers`, which need not be adjacent."""
    ends: list[int] = []
    at: list[int] = []
    links: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        links.append(at[length - 1] if length else -1)
        if length == len(ends):
            ends.append(number)
            at.append(place)
        else:
            ends[length], at[length] = number, place
    out: set[int] = set()
    place = at[-1] if at else -1
    while place >= 0:
        out.add(place)
        place = links[place]
    return out
