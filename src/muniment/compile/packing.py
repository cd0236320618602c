"""How a budget is filled once the required blocks are in.

Rules of this file: nothing is reordered, and a packing only decides which units are offered, and in which turn. A unit that
lacks a block it requires is offered again once all others were; what lacks it then is left out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf

from muniment.compile.selection import Selection, Unit
from muniment.types import Band, Fate, Packing


def fill(selection: Selection, packing: Packing) -> None:
    """Reserve what must be in the prompt, and admit what fits of the rest.

    STOP walks in strict order. SKIP and SHORT take stable blocks in order, then volatile ones, then the conversation, newest
    turn first: a turn that no empty conversation could hold is skipped, any other that does not fit ends it there. Among what
    passed a gate the nearest is offered first, so that a far one never takes its room. PRIORITY takes the largest set of all
    units from some priority on; a unit counts as much as its best block.
    """
    rest = selection.reserve()
    if packing is Packing.PRIORITY:
        _from_a_priority_on(selection, rest)
    elif packing is Packing.STOP:
        _until_one_does_not_fit(selection, rest)
    elif packing is Packing.SKIP:
        _all_that_fit(selection, rest, selection.offer)
    else:
        _all_that_fit(selection, rest, lambda unit: selection.offer(unit) or selection.offer_short(unit))


def _until_one_does_not_fit(selection: Selection, rest: Sequence[Unit]) -> None:
    waiting: list[Unit] = []
    for number, unit in enumerate(rest, 1):
        if selection.lacks(unit):
            waiting.append(unit)
        elif selection.repeats(unit, selection.said):
            selection.mark(unit, Fate.ALREADY_SHOWN)
        elif not selection.offer(unit):
            for later in waiting:
                selection.mark(later, Fate.PARTNER_LEFT_OUT if selection.lacks(later) else Fate.AFTER_OVERFLOW)
            for later in rest[number:]:
                selection.mark(later, Fate.AFTER_OVERFLOW)
            return
    _offer_waiting(selection, waiting, selection.offer)


def _all_that_fit(selection: Selection, rest: Sequence[Unit], offer: Callable[[Unit], bool]) -> None:
    stable, volatile, conversation = _stages(selection, rest)
    waiting: list[Unit] = []
    for unit in _nearest_first(selection, [*stable, *volatile]):
        if selection.lacks(unit):
            waiting.append(unit)
        elif selection.repeats(unit, selection.said):
            selection.mark(unit, Fate.ALREADY_SHOWN)
        else:
            offer(unit)
    room = selection.left + selection.slack
    for unit in sorted(conversation, key=lambda unit: unit[-1], reverse=True):
        if selection.lacks(unit):
            waiting.append(unit)
        elif not offer(unit) and selection.cost(unit) <= room:
            break
    _offer_waiting(selection, waiting, offer)


def _nearest_first(selection: Selection, units: list[Unit]) -> list[Unit]:
    """The units in order, but those that a gate has scored change places among themselves."""
    if not selection.scores:
        return units
    score = selection.scores.get
    best = [max(score(place, -inf) for place in unit) for unit in units]
    scored = iter(sorted((-points, n) for n, points in enumerate(best) if points > -inf))
    return [units[next(scored)[1]] if points > -inf else unit for unit, points in zip(units, best, strict=True)]


def _stages(selection: Selection, rest: Sequence[Unit]) -> tuple[list[Unit], list[Unit], list[Unit]]:
    """The units by the first of these that they have a block in: stable bands, volatile band, conversation."""
    stable: list[Unit] = []
    volatile: list[Unit] = []
    conversation: list[Unit] = []
    stages = {Band.PINNED: stable, Band.STABLE: stable, Band.VOLATILE: volatile, Band.SESSION: conversation}
    for unit in rest:
        bands = [selection.order[place].band for place in unit]
        first = bands[0] if len(bands) == 1 else next(band for band in stages if band in bands)
        stages[first].append(unit)
    return stable, volatile, conversation


def _offer_waiting(selection: Selection, waiting: Sequence[Unit], offer: Callable[[Unit], bool]) -> None:
    """In turns: all whose requirements stand, then those that the last turn's units helped, until nobody was helped."""
    asking = selection.asking(waiting)
    left = dict.fromkeys(range(len(waiting)))
    turn = list(left)
    while ready := [number for number in turn if not selection.lacks(waiting[number])]:
        for number in ready:
            del left[number]
            if selection.repeats(waiting[number], selection.said):
                selection.mark(waiting[number], Fate.ALREADY_SHOWN)
            else:
                offer(waiting[number])
        helped = {other for number in ready for place in waiting[number] for other in asking.get(place, ())}
        turn = sorted(helped & left.keys())
    for number in left:
        selection.mark(waiting[number], Fate.PARTNER_LEFT_OUT)


def _from_a_priority_on(selection: Selection, rest: Sequence[Unit]) -> None:
    def priority(unit: Unit) -> float:
        return max(selection.order[place].priority for place in unit)

    ranked = sorted(rest, key=lambda unit: (-priority(unit), unit[0]))
    steps = [number for number, (one, next_one) in enumerate(pairwise(ranked), 1) if priority(one) != priority(next_one)]
    ends = [0, *steps, len(ranked)]

    def last_within(room: int) -> int:
        return ends[bisect_right(ends, room, key=lambda end: _cost(selection, _chosen(selection, ranked[:end]))) - 1]

    end = last_within(selection.left + selection.slack)
    fresh = _chosen(selection, ranked[:end])
    if not selection.fits(_cost(selection, fresh), {place for unit in fresh for place in unit}):
        end = last_within(selection.left)
    for unit in ranked[:end]:
        selection.mark(unit, Fate.PARTNER_LEFT_OUT)
    for unit in selection.complete(ranked[:end]):
        if selection.repeats(unit, selection.said):
            selection.mark(unit, Fate.ALREADY_SHOWN)
        else:
            selection.left -= selection.cost(unit)
            selection.admit(unit)
    for unit in ranked[end:]:
        selection.mark(unit, Fate.BELOW_CUTOFF)


def _chosen(selection: Selection, units: Sequence[Unit]) -> Sequence[Unit]:
    """Which of these units would be admitted together: the complete ones, repetitions left out."""
    units = selection.complete(units)
    if selection.said is None:
        return units
    said = set(selection.said)
    out = []
    for unit in units:
        if not selection.repeats(unit, said):
            out.append(unit)
            said.update(selection.order[place].text.strip() for place in unit)
    return out


def _cost(selection: Selection, units: Sequence[Unit]) -> int:
    """Tokens that these units add together."""
    opened = {run for unit in units for place in unit if (run := selection.runs[place]) is not None} - selection.opened
    return sum(selection.costs[place] for unit in units for place in unit) + selection.frame_cost * len(opened)
