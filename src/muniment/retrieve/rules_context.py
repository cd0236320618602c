"""What stands around a hit: the turns before and after it, the start of its conversation, the passages beside it.

Rule of this file: pure. It looks no further than the conversation, or the document, of the hit itself; a tool's call and its
results come together or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from muniment.retrieve.rules_columns import KINDS
from muniment.shelf import Place, Shelf
from muniment.types import Kind, Record, Role

REACH = 6
"""Turns looked at on either side, so that a call is found with its results."""
HEAD = 2
"""Turns that are the start of a conversation."""
_ASKS = ("?", "？", "؟")  # noqa: RUF001  # the question marks of other scripts


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """Places around one hit: `near` in the order of arrival, `head` the first of its conversation."""

    near: tuple[Place, ...] = ()
    head: tuple[Place, ...] = ()


def around(shelves: Sequence[Shelf], record: Record) -> Around:
    """Where on these shelves what stands around a record is found; nothing where it is not there itself."""
    for number, shelf in enumerate(shelves):
        if shelf.scope == record.scope:
            near, head = _around(shelf.head, record)
            return Around(near=tuple(Place(number, seq) for seq in near), head=tuple(Place(number, seq) for seq in head))
    return Around()


def _around(rows: NDArray[np.void], record: Record) -> tuple[list[int], list[int]]:
    at = int(np.searchsorted(rows["seq"], record.seq))
    if at == len(rows) or rows["seq"][at] != record.seq:
        return [], []
    if record.kind is Kind.PASSAGE:
        beside = (rows["part"] == 0) & (rows["kind"] == KINDS[Kind.PASSAGE]) & np.isin(rows["seq"], _beside(record.seq))
        return rows["seq"][beside].tolist(), []
    talk = rows["conversation"][at]
    if not talk:
        return [], []
    turns = rows["seq"][(rows["conversation"] == talk) & (rows["part"] == 0)]
    here = int(np.searchsorted(turns, record.seq))
    near = [*turns[max(0, here - REACH) : here].tolist(), *turns[here + 1 : here + 1 + REACH].tolist()]
    return near, turns[:HEAD].tolist()


def _beside(seq: int) -> list[int]:
    return [seq - 1, seq + 1]


def groups(hit: Record, near: Sequence[Record], head: Sequence[Record]) -> list[tuple[Record, ...]]:
    """What to put beside a hit, the most wanted first; what is in one group comes whole or not at all.

    `near` and `head` are in the order of arrival. What belongs to a tool call of the hit is first, then the turn it answers or
    that answers it, then the other neighbour, then the start of the conversation.
    """
    if hit.kind is Kind.PASSAGE:
        return [(one,) for one in near if one.kind is Kind.PASSAGE and (one.ref, one.origin) == (hit.ref, hit.origin)]
    line = sorted({one.id: one for one in (*near, hit, *head)}.values(), key=lambda one: one.seq)
    before = [one for one in near if one.seq < hit.seq][-1:]
    after = [one for one in near if one.seq > hit.seq][:1]
    pairs = [(one, answers(one, hit)) for one in before] + [(one, answers(hit, one)) for one in after]
    neighbours = [one for one, _ in sorted(pairs, key=lambda pair: not pair[1])]
    found = [_whole(one, line) for one in (hit, *neighbours, *head)]
    return [left for one in found if (left := tuple(record for record in one if record.id != hit.id))]


def answers(first: Record, second: Record) -> bool:
    """True when the second turn is likely to answer the first."""
    asks = first.text.rstrip().endswith(_ASKS)
    return asks or (first.role is Role.USER and second.role is Role.ASSISTANT)


def _whole(record: Record, line: Sequence[Record]) -> tuple[Record, ...]:
    """The record with the call it answers and all results of that call; nothing where the call is not in sight."""
    call = record
    if record.tool_call_id is not None:
        asked = [one for one in line if one.seq < record.seq and record.tool_call_id in _calls([one])]
        if not asked:
            return ()
        call = asked[-1]
    if not call.tool_calls:
        return (record,)
    return (call, *(one for one in line if one.seq > call.seq and one.tool_call_id in _calls([call])))


def _calls(records: Iterable[Record]) -> set[str]:
    return {call.id for record in records for call in record.tool_calls}
