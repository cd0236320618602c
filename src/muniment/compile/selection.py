"""The choice while it is being made: a fate and a cost for every block, and the text that follows from them.

Rules of this file: nothing is reordered. Partners, the members of a group that enters as a whole, and optional blocks that
require each other are one unit and stand or fall together; a block stands only where the blocks it requires stand. The name of
a block or tool leads to its author's own first, and never to an untrusted stranger's. Tokens are sums of what the pieces weigh;
`recount` has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from muniment.compile.checks import Counting
from muniment.compile.partners import Rank, knit, nearest, pair, rank, units
from muniment.compile.render import GAP, framed, joined, piece, pieces
from muniment.compile.tools import twins
from muniment.errors import BlockError, BudgetError, shown
from muniment.types import Band, Block, BlockId, BlockReceipt, Fate, Trust

Unit = list[int]
"""Places of blocks that stand or fall together, in order."""

_NAMED: Final = 8
_UNWEIGHED: Final = (Fate.BELOW_THRESHOLD, Fate.BELOW_TOP, Fate.NAME_TAKEN)
_STANDING: Final = (Fate.INCLUDED, Fate.ALREADY_SHOWN)


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of every block of `order`, each list by place. `shorts` are the short forms that stand in, by place.

    What a gate or a name kept out was never weighed; `weight` does so when the receipt is read.
    """

    order: Sequence[Block]
    fates: Sequence[Fate]
    costs: Sequence[int]
    musts: Sequence[bool]
    scores: Mapping[int, float]
    shorts: Mapping[int, Block]
    weight: Callable[[int], int]

    def included(self) -> tuple[Block, ...]:
        """The blocks in the prompt, in order, as they are rendered."""
        standing = (self.shorts.get(place, block) for place, block in enumerate(self.order))
        return tuple(block for block, fate in zip(standing, self.fates, strict=True) if fate is Fate.INCLUDED)

    def at(self, number: int) -> Decision:  # noqa: ARG002  # there is one only
        """This decision."""
        return self

    def left_out(self) -> tuple[BlockId, ...]:
        """Ids of the blocks that are not in the prompt."""
        return tuple(block.id for block, fate in zip(self.order, self.fates, strict=True) if fate is not Fate.INCLUDED)

    def rows(self) -> tuple[BlockReceipt, ...]:
        """The fate of every block, in order."""
        return tuple(
            BlockReceipt(
                name=block.name,
                band=block.band,
                fate=fate,
                tokens=self.weight(place) if fate in _UNWEIGHED else cost,
                required=must,
                score=self.scores.get(place),
                short=place in self.shorts and fate is Fate.INCLUDED,
            )
            for place, (block, fate, cost, must) in enumerate(zip(self.order, self.fates, self.costs, self.musts, strict=True))
        )


class Selection:
    """One call's state. `units` are those that may be admitted; `reserved` of them must be, and are from the beginning.

    `admitted` are the units admitted so far, in the order of admission; `left` is the room they leave. Every piece is weighed
    with what joins it to the next, and behind the last there is none: `slack` is what may be too much by that.
    """

    def __init__(self, order: Sequence[Block], *, room: int, counting: Counting, salt: str) -> None:
        self.order, self.room, self.counting, self.salt = order, room, counting, salt
        self.ranks = [rank(block) for block in order]
        self.musts = [block.required or block.band is Band.PINNED for block in order]
        pairs = pair(order, self.ranks)
        self.answered = pairs.answered
        self.pieces = pieces(order, self.ranks, pairs.answered, salt)
        self.fates = [
            _orphaned(block, must=must) if place in pairs.orphans else _candidate(block, pairs.answered.get(place))
            for place, (block, must) in enumerate(zip(order, self.musts, strict=True))
        ]
        self.costs = [0] * len(order)
        self.scores: Mapping[int, float] = {}
        self.shorts: dict[int, Block] = {}
        self.opened: set[int] = set()
        self.admitted: list[Unit] = []
        self.frame_cost = 0
        self.units = [kept for unit in units(order, pairs) if (kept := [p for p in unit if self.fates[p] is Fate.OVER_BUDGET])]
        self.needs = _needs(order)
        self.reserved = self._required()
        if Rank.TOOL in self.ranks:
            self._take_out_twins()
        self.runs = _runs(order, self.ranks, self.fates)
        self.left, self.slack = room, counting.part(GAP)
        fresh = (place for place, block in enumerate(order) if block.band is Band.VOLATILE and self.ranks[place] is Rank.DATA)
        self.said: set[str] | None = None if next(fresh, None) is None else set()

    def refuse(self, fates: Mapping[int, Fate], scores: Mapping[int, float]) -> None:
        """Take out what a gate refused, and with each such block the rest of its unit."""
        self.scores = scores
        if not fates:
            return
        kept = []
        for unit in self.units:
            if not any(place in fates for place in unit):
                kept.append(unit)
                continue
            for place in unit:
                self.fates[place] = fates.get(place, Fate.PARTNER_LEFT_OUT)
        self.units = kept
        self.runs = _runs(self.order, self.ranks, self.fates)

    def reserve(self) -> list[Unit]:
        """Weigh every unit, admit those that must be in, and return the others. Raises `BudgetError` when there is no room."""
        if any(run is not None for run in self.runs):
            # Every entry is weighed with a line end, and the last one's is a part of this gap.
            self.frame_cost = self.counting.part(framed([""], self.salt) + GAP.removesuffix("\n"))
        for unit in self.units:
            for place in unit:
                self.costs[place] = self.weight(place)
        rest = []
        for unit in self.units:
            if unit[0] in self.reserved:
                self.left -= self.cost(unit)
                self.admit(unit)
            else:
                rest.append(unit)
        if self.left < 0 and self.counting.whole(self.text()) > self.room:
            raise self.overflow()
        self.left = max(0, self.left)
        return knit(self._able(rest), self.needs, self.reserved) if self.needs else rest

    def weight(self, place: int) -> int:
        """Tokens of a block's piece with what joins it to the next, without its frame."""
        return self.counting.part(self.pieces[place] + ("\n" if self.ranks[place] is Rank.DATA else GAP))

    def cost(self, unit: Unit) -> int:
        """Tokens the unit adds, with the frames it would be the first to open."""
        if len(unit) == 1 and self.runs[unit[0]] is None:
            return self.costs[unit[0]]
        new = {run for p in unit if (run := self.runs[p]) is not None} - self.opened
        return sum(self.costs[p] for p in unit) + self.frame_cost * len(new)

    def admit(self, unit: Unit) -> None:
        """Put the unit into the prompt."""
        self.admitted.append(unit)
        for place in unit:
            self.fates[place] = Fate.INCLUDED
            if self.said is not None:
                self.said.add(self.order[place].text.strip())
            run = self.runs[place]
            if run is not None and run not in self.opened:
                self.opened.add(run)
                self.costs[place] += self.frame_cost

    def fits(self, cost: int, places: Container[int]) -> bool:
        """True when there is room for these blocks. Where it hangs on the slack, once per call, all is counted with them."""
        if cost <= self.left:
            return True
        if cost > self.left + self.slack:
            return False
        self.slack = 0
        return self.counting.whole(self.text(places)) <= self.room

    def offer(self, unit: Unit) -> bool:
        """Admit the unit if it fits; say why not in the fates of its blocks otherwise."""
        room = self.left + self.slack
        if self.fits(cost := self.cost(unit), unit):
            self.admit(unit)
            self.left -= cost
            return True
        too_large = [place for place in unit if self.costs[place] > room]
        for place in unit if too_large else ():
            self.fates[place] = Fate.OVER_BUDGET if place in too_large else Fate.PARTNER_LEFT_OUT
        return False

    def offer_short(self, unit: Unit) -> bool:
        """Admit the unit if it fits with the short forms of its blocks in their stead; change nothing otherwise."""
        shorts = {place: short for place in unit if (short := _short(self.order[place])) is not None}
        full = [(place, self.pieces[place], self.costs[place]) for place in shorts]
        for place, short in shorts.items():
            self.pieces[place] = piece(short, self.ranks[place], self.salt, self.answered.get(place, ()))
            self.costs[place] = self.weight(place)
        if shorts and self.fits(cost := self.cost(unit), unit):
            self.shorts.update(shorts)
            self.admit(unit)
            self.left -= cost
            return True
        for place, text, cost in full:
            self.pieces[place], self.costs[place] = text, cost
        return False

    def repeats(self, unit: Unit, said: set[str] | None) -> bool:
        """True when the unit is one volatile piece of data whose words are among `said`: the prompt has them already."""
        if not said or len(unit) > 1:
            return False
        block = self.order[unit[0]]
        return self.ranks[unit[0]] is Rank.DATA and block.band is Band.VOLATILE and block.text.strip() in said

    def lacks(self, unit: Unit, there: set[int] | None = None) -> bool:
        """True when a block that the unit requires does not stand: among the places `there`, or in the prompt."""
        return bool(self.needs) and any(
            not any(other in unit or (self.fates[other] in _STANDING if there is None else other in there) for other in options)
            for place in unit
            for options in self.needs.get(place, ())
        )

    def asking(self, units: Sequence[Unit], firm: AbstractSet[int] = frozenset()) -> dict[int, list[int]]:
        """By place, the numbers of the units that a block standing there could help; what is `firm` helps already."""
        asking: dict[int, list[int]] = {}
        for number, unit in enumerate(units):
            for options in (options for place in unit for options in self.needs.get(place, ()) if firm.isdisjoint(options)):
                for other in options:
                    asking.setdefault(other, []).append(number)
        return asking

    def complete(self, units: Sequence[Unit]) -> Sequence[Unit]:
        """The units whose requirements are met by what is admitted and by each other."""
        if not self.needs:
            return units
        there = {place for unit in (*self.admitted, *units) for place in unit}
        firm = there.difference(*(unit for unit in units if any(place in self.needs for place in unit)))
        asking = self.asking(units, firm)
        doubtful = list(units)
        while doubtful:
            unit = doubtful.pop()
            if unit[0] in there and self.lacks(unit, there):
                there.difference_update(unit)
                doubtful += (units[number] for place in unit for number in asking.get(place, ()))
        return [unit for unit in units if unit[0] in there]

    def mark(self, unit: Unit, fate: Fate) -> None:
        """Say what became of a unit that is not in the prompt."""
        for place in unit:
            self.fates[place] = fate

    def decision(self) -> Decision:
        """The choice as a value."""
        return Decision(self.order, self.fates, self.costs, self.musts, self.scores, self.shorts, self.weight)

    def _required(self) -> frozenset[int]:
        """Places of the units that must be in: required and pinned blocks, and what these require."""
        unit_of = {place: unit for unit in self.units for place in unit}
        waiting = [unit for unit in self.units if any(self.musts[place] for place in unit)]
        found = {place for unit in waiting for place in unit}
        while self.needs and waiting:
            for place in waiting.pop():
                for number, options in enumerate(self.needs.get(place, ())):
                    there = [other for other in options if other in unit_of]
                    if not there:
                        raise _missing(self.order[place], self.order[place].requires[number])
                    if not any(other in found for other in there):
                        unit = unit_of[nearest(place, there)]
                        waiting.append(unit)
                        found.update(unit)
        return frozenset(found)

    def _able(self, rest: Sequence[Unit]) -> Sequence[Unit]:
        """Those that stand if all of them do; the fates of the others say what is missing."""
        able = self.complete(rest)
        kept = {unit[0] for unit in able}
        for place in (place for unit in rest if unit[0] not in kept for place in unit):
            missing = not all(self.needs.get(place, ()))
            self.fates[place] = Fate.REQUIREMENT_MISSING if missing else Fate.PARTNER_LEFT_OUT
        return able

    def _take_out_twins(self) -> None:
        """No tool stands under the name of another author's, nor an optional unit without it; what must be in stays in."""
        must = [place in self.reserved for place in range(len(self.order))]
        taken = twins(self.order, (place for unit in self.units for place in unit), must)
        if not taken:
            return
        kept = []
        for unit in self.units:
            rest = [place for place in unit if place not in taken]
            self.mark([place for place in unit if place in taken], Fate.NAME_TAKEN)
            if rest and (len(rest) == len(unit) or must[unit[0]]):
                kept.append(rest)
            else:
                self.mark(rest, Fate.PARTNER_LEFT_OUT)
        self.units = kept

    def text(self, more: Container[int] = ()) -> str:
        """The prompt as it is chosen now, with the blocks at the places `more`."""
        chosen = (place for place, fate in enumerate(self.fates) if fate is Fate.INCLUDED or place in more)
        return joined(((self.order[p].band, self.ranks[p], self.pieces[p]) for p in chosen), self.salt)

    def overflow(self) -> BudgetError:
        """The error when what is in the prompt now must be in and is too much."""
        must = sorted((p for p, fate in enumerate(self.fates) if fate is Fate.INCLUDED), key=lambda p: -self.costs[p])
        sizes = ", ".join(f"{shown(self.order[p].name[:40])[1:-1]} {self.costs[p]:,}" for p in must[:_NAMED])
        more = f" and {len(must) - _NAMED} more" if len(must) > _NAMED else ""
        total = self.counting.whole(self.text())
        return BudgetError(
            f"the required and pinned blocks take {total:,} tokens, and {self.room:,} are there: {sizes}{more}."
            if must
            else f"an empty prompt takes {total:,} tokens by this counter, and {self.room:,} are there.",
            code="pinned_exceed_budget",
            place="budget",
            hint="Raise the budget, lower the reserve, or make one of these blocks shorter or optional."
            if must
            else "Raise the budget, or look at the counter.",
        )


def _orphaned(block: Block, *, must: bool) -> Fate:
    if must:
        raise BlockError(
            f"the tool result {shown(block.name)} is required, but no call before it asks for it.",
            place="tool_call_id",
            code="orphan",
            hint="Write the assistant's block with the call first, or leave both out.",
        )
    return Fate.PARTNER_LEFT_OUT


def _missing(block: Block, name: str) -> BlockError:
    return BlockError(
        f"{shown(block.name)} must be in the prompt, but there is no {shown(name)}, which it requires.",
        place="requires",
        code="requires",
        hint="Write the block it requires; an untrusted one of another author does not count. Or make this one optional.",
    )


def _short(block: Block) -> Block | None:
    """The block with its short form as its text; None when it has none. A tool's schema has no short form."""
    words = block.short if block.short.strip() else block.description
    return replace(block, text=words) if words.strip() and words != block.text and block.tool is None else None


def _candidate(block: Block, answered: Sequence[object] | None) -> Fate:
    """OVER_BUDGET stands for every block that may still be admitted."""
    if block.text.strip() or answered or block.tool_call_id is not None or block.tool is not None:
        return Fate.OVER_BUDGET
    return Fate.PARTNER_LEFT_OUT if block.tool_calls else Fate.EMPTY


def _needs(order: Sequence[Block]) -> dict[int, list[list[int]]]:
    """For each block that requires others, and for each of their names, the places of which one must stand.

    They are those of the author's own blocks of this name where there are any, else of trusted ones.
    """
    named: dict[str, list[int]] = {name: [] for block in order for name in block.requires}
    if not named:
        return {}
    for place, block in enumerate(order):
        if block.name in named:
            named[block.name].append(place)
    met: dict[tuple[str, str], list[int]] = {}
    for block in order:
        for name in block.requires:
            if (block.author, name) not in met:
                own = [place for place in named[name] if order[place].author == block.author]
                met[block.author, name] = own or [place for place in named[name] if order[place].trust is Trust.TRUSTED]
    return {
        place: [[other for other in met[block.author, name] if other != place] for name in block.requires]
        for place, block in enumerate(order)
        if block.requires
    }


def _runs(order: Sequence[Block], ranks: Sequence[Rank], fates: Sequence[Fate]) -> list[int | None]:
    """For each data block, the run of data it belongs to: such a run shares one frame."""
    runs: list[int | None] = [None] * len(order)
    before: int | None = None
    for place, block in enumerate(order):
        if fates[place] is not Fate.OVER_BUDGET:
            continue
        if ranks[place] is Rank.DATA:
            goes_on = before is not None and ranks[before] is Rank.DATA and order[before].band is block.band
            runs[place] = runs[before] if goes_on and before is not None else place
        before = place
    return runs
