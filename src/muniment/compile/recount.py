"""The recount of the whole text once a budget is filled, and which units are taken back when it finds too much.

Rules of this file: the budget holds for the text as the given counter counts it, whatever that counter does. What must be in
stays in; what was admitted last goes first, and with it what cannot stand without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.compile.partners import Rank
from muniment.compile.selection import Selection, Unit
from muniment.compile.tools import offers
from muniment.types import Fate


def settle(selection: Selection) -> tuple[str, int]:
    """The text and its tokens, after units admitted last were taken back until the budget holds.

    Raises `BudgetError` when what must be in is too much, `BlockError` when two tools have one name.
    """
    text = selection.text()
    total = selection.counting.whole(text)
    if total > selection.room:
        text, total = _take_back(selection, total - selection.room)
    if Rank.TOOL in selection.ranks:
        offers(selection.decision().included())
    return text, total


def _take_back(selection: Selection, excess: int) -> tuple[str, int]:
    """Keep as many of the first units as fit: first without what weighs as much as the excess, then searching by halves.

    Twice as many are taken back each time until the rest fits, so that a counter that is far from adding up costs a few
    recounts and not one per block; then as many come back as fit after all.
    """
    admitted, fates = selection.admitted, selection.fates
    low, high = sum(unit[0] in selection.reserved for unit in admitted) - 1, len(admitted)
    number = high
    while excess > 0 and number > 0:
        number -= 1
        excess -= sum(selection.costs[place] for place in admitted[number])
    held: tuple[str, int] | None = None
    while high - low > 1:
        number = min(max(number, low + 1), high - 1)
        text = _keep(selection, admitted, fates, number)
        if (total := selection.counting.whole(text)) <= selection.room:
            low, held = number, (text, total)
        else:
            high = number
        number = 2 * number - len(admitted) if held is None else (low + high) // 2
    if held is None:
        raise selection.overflow()
    _keep(selection, admitted, fates, low)
    return held


def _keep(selection: Selection, admitted: Sequence[Unit], fates: Sequence[Fate], number: int) -> str:
    """The text with so many of the units that were admitted; `fates` are those with all of them."""
    selection.admitted, selection.fates = list(admitted[:number]), list(fates)
    for unit in admitted[number:]:
        selection.mark(unit, Fate.OVER_BUDGET)
    _take_out_bereft(selection)
    return selection.text()


def _take_out_bereft(selection: Selection) -> None:
    """Nothing is shown already by what is gone, and nothing stands without what it requires."""
    order, fates = selection.order, selection.fates
    if selection.said:
        said = {order[place].text.strip() for unit in selection.admitted for place in unit}
        for place, fate in enumerate(fates):
            if fate is Fate.ALREADY_SHOWN and order[place].text.strip() not in said:
                fates[place] = Fate.OVER_BUDGET
    asking = selection.asking(selection.admitted)
    left = dict.fromkeys(range(len(selection.admitted)))
    turn: Iterable[int] = list(left)
    while bereft := [number for number in turn if selection.lacks(selection.admitted[number])]:
        for number in bereft:
            del left[number]
            selection.mark(selection.admitted[number], Fate.PARTNER_LEFT_OUT)
        turn = {n for number in bereft for place in selection.admitted[number] for n in asking.get(place, ()) if n in left}
    selection.admitted = [selection.admitted[number] for number in left]
