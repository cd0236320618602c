"""Which blocks enter the prompt, within which budget, and a receipt for every one of them.

Rules of this file: nothing is reordered. Required and pinned blocks are reserved first, or the call fails. Then stable and
volatile blocks are taken in order, skipping what does not fit; then conversation turns, newest first, until the room is used
up: a turn that no empty conversation could hold is skipped, any other that does not fit ends the conversation there.
Partners stand or fall together. The budget holds for the text as the given counter counts it, whatever that counter does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

from muniment.compilation import Compilation, Prefix, Terms
from muniment.compile.partners import Rank, pair, rank, units
from muniment.compile.render import GAP, framed, joined, pieces
from muniment.errors import BlockError, BudgetError, ProviderError, shown
from muniment.registry import Registry
from muniment.types import Band, Block, BlockReceipt, Fate, Role, Trust

MOST_TOKENS: Final = 100_000_000
_NAMED: Final = 8

_STAGE: Final = {Band.PINNED: 0, Band.STABLE: 1, Band.VOLATILE: 2, Band.SESSION: 3}
_CONVERSATION: Final = _STAGE[Band.SESSION]


class Counter(Protocol):
    """What counts tokens: see `ports.Tokens`, which this repeats so that compiling loads no port."""

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool: ...

    def count(self, text: str) -> int: ...


def compile(  # noqa: A001  # the glossary's verb
    blocks: Registry | Sequence[Block], *, budget: int, tokens: Counter, reserve: int = 0, salt: str = ""
) -> Compilation:
    """Choose the blocks that fit into `budget - reserve` tokens and render them in their order.

    `reserve` is room kept for the answer (and for what a provider adds per message). `salt` goes into the markers of the
    frames around untrusted text: give a random one per conversation or process; the same salt keeps prompt caches warm.
    The same input gives the same bytes. Raises `BudgetError`: range, or pinned_exceed_budget with the sizes when the
    required and pinned blocks alone do not fit.
    """
    room = prompt_room(budget, reserve)
    order = _checked(blocks)
    walk = _Walk(order, room=room, count=_counting(tokens), salt=salt)
    text, total = walk.run()
    terms = Terms(
        budget=budget,
        reserve=reserve,
        counter=tokens.name,
        exact=tokens.exact,
        salt=salt,
        count=tokens.count,
        prefix=lambda now, before: Prefix(text=0, chat=0),
    )
    return Compilation(text, total, terms, walk)


class _Walk:
    """One call's state: a fate and a cost per block, and the units admitted so far in the order of admission."""

    def __init__(self, order: Sequence[Block], *, room: int, count: Callable[[str], int], salt: str) -> None:
        self.order, self.room, self.count, self.salt = order, room, count, salt
        self.ranks = [rank(block) for block in order]
        self.musts = [block.required or block.band is Band.PINNED for block in order]
        pairs = pair(order, self.ranks)
        self.pieces = pieces(order, self.ranks, pairs.answered, salt)
        self.fates = [
            _orphaned(block, must=must) if place in pairs.orphans else _candidate(block, pairs.answered.get(place))
            for place, (block, must) in enumerate(zip(order, self.musts, strict=True))
        ]
        self.costs = [0] * len(order)
        self.runs = _runs(order, self.ranks, self.fates)
        self.opened: set[int] = set()
        self.admitted: list[list[int]] = []
        self.frame_cost = 0
        self.units = [kept for unit in units(order, pairs) if (kept := [p for p in unit if self.fates[p] is Fate.OVER_BUDGET])]

    def included(self) -> tuple[Block, ...]:
        return tuple(block for block, fate in zip(self.order, self.fates, strict=True) if fate is Fate.INCLUDED)

    def rows(self) -> tuple[BlockReceipt, ...]:
        return tuple(
            BlockReceipt(name=block.name, band=block.band, fate=fate, tokens=cost, required=must)
            for block, fate, cost, must in zip(self.order, self.fates, self.costs, self.musts, strict=True)
        )

    def run(self) -> tuple[str, int]:
        """Decide every fate; returns the text and its tokens."""
        self._weigh()
        stage = [0 if must else _STAGE[block.band] for block, must in zip(self.order, self.musts, strict=True)]
        stages: list[list[list[int]]] = [[] for _ in range(_CONVERSATION + 1)]
        for unit in self.units:
            stages[stage[unit[0]] if len(unit) == 1 else min(stage[place] for place in unit)].append(unit)
        required, stable, volatile, conversation = stages
        left = self._reserve(required)
        for unit in stable:
            left -= self._offer(unit, left)
        for unit in self._unshown(volatile):
            left -= self._offer(unit, left)
        self._converse(sorted(conversation, key=lambda unit: unit[-1], reverse=True), left)
        return self._settle(len(required))

    def _weigh(self) -> None:
        if any(run is not None for run in self.runs):
            self.frame_cost = self.count(framed([""], self.salt) + GAP)
        for unit in self.units:
            for place in unit:
                self.costs[place] = self.count(self.pieces[place] + ("\n" if self.ranks[place] is Rank.DATA else GAP))

    def _cost(self, unit: list[int]) -> int:
        """Tokens the unit adds, with the frames it would be the first to open."""
        if len(unit) == 1 and self.runs[unit[0]] is None:
            return self.costs[unit[0]]
        new = {run for p in unit if (run := self.runs[p]) is not None} - self.opened
        return sum(self.costs[p] for p in unit) + self.frame_cost * len(new)

    def _admit(self, unit: list[int]) -> None:
        self.admitted.append(unit)
        for place in unit:
            self.fates[place] = Fate.INCLUDED
            run = self.runs[place]
            if run is not None and run not in self.opened:
                self.opened.add(run)
                self.costs[place] += self.frame_cost

    def _reserve(self, required: list[list[int]]) -> int:
        used = 0
        for unit in required:
            used += self._cost(unit)
            self._admit(unit)
        if used > self.room and self.count(self._text()) > self.room:
            raise self._overflow()
        return max(0, self.room - used)

    def _unshown(self, volatile: list[list[int]]) -> Iterator[list[int]]:
        """The units but those of data that says nothing new: an instruction or a tool is not shown by words like its own."""
        shown = {self.order[place].text.strip() for unit in self.admitted for place in unit} if volatile else set()
        for unit in volatile:
            if len(unit) == 1 and self.ranks[unit[0]] is Rank.DATA and self.order[unit[0]].text.strip() in shown:
                self.fates[unit[0]] = Fate.ALREADY_SHOWN
            else:
                yield unit
                shown.update(self.order[place].text.strip() for place in unit if self.fates[place] is Fate.INCLUDED)

    def _offer(self, unit: list[int], left: int) -> int:
        """Admit the unit if it fits; returns the tokens it took."""
        cost = self._cost(unit)
        if cost <= left:
            self._admit(unit)
            return cost
        too_large = [place for place in unit if self.costs[place] > left]
        for place in unit if too_large else ():
            self.fates[place] = Fate.OVER_BUDGET if place in too_large else Fate.PARTNER_LEFT_OUT
        return 0

    def _converse(self, newest_first: list[list[int]], room: int) -> None:
        left = room
        for unit in newest_first:
            cost = self._cost(unit)
            if left < cost <= room:
                return
            left -= self._offer(unit, left)

    def _settle(self, reserved: int) -> tuple[str, int]:
        """Recount the whole, and take back the units admitted last until the budget holds.

        Each round takes back at least twice as many as the one before, so that a counter that is far from adding up costs
        a few recounts and not one per block.
        """
        text = self._text()
        least = 1
        while (total := self.count(text)) > self.room:
            if len(self.admitted) == reserved:
                raise self._overflow()
            freed = taken = 0
            while (freed < total - self.room or taken < least) and len(self.admitted) > reserved:
                unit = self.admitted.pop()
                taken += 1
                freed += sum(self.costs[place] for place in unit)
                for place in unit:
                    self.fates[place] = Fate.OVER_BUDGET
            least *= 2
            text = self._text()
        return text, total

    def _text(self) -> str:
        chosen = (place for place, fate in enumerate(self.fates) if fate is Fate.INCLUDED)
        return joined(((self.order[p].band, self.ranks[p], self.pieces[p]) for p in chosen), self.salt)

    def _overflow(self) -> BudgetError:
        must = sorted((p for p, fate in enumerate(self.fates) if fate is Fate.INCLUDED), key=lambda p: -self.costs[p])
        sizes = ", ".join(f"{self.order[p].name[:40]} {self.costs[p]:,}" for p in must[:_NAMED])
        more = f" and {len(must) - _NAMED} more" if len(must) > _NAMED else ""
        total = self.count(self._text())
        return BudgetError(
            f"the required and pinned blocks take {total:,} tokens, and {self.room:,} are there: {sizes}{more}.",
            code="pinned_exceed_budget",
            place="budget",
            hint="Raise the budget, lower the reserve, or make one of these blocks shorter or optional.",
        )


def _orphaned(block: Block, *, must: bool) -> Fate:
    if must:
        raise BlockError(
            f"the tool result {block.name[:40]!r} is required, but no call before it asks for it.",
            place="tool_call_id",
            code="orphan",
            hint="Write the assistant's block with the call first, or leave both out.",
        )
    return Fate.PARTNER_LEFT_OUT


def _candidate(block: Block, answered: Sequence[object] | None) -> Fate:
    """OVER_BUDGET stands for every block that the walk may still admit."""
    if block.text.strip() or answered or block.tool_call_id is not None or block.tool is not None:
        return Fate.OVER_BUDGET
    return Fate.PARTNER_LEFT_OUT if block.tool_calls else Fate.EMPTY


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


def _checked(blocks: Registry | Sequence[Block]) -> tuple[Block, ...]:
    if isinstance(blocks, Registry):
        return blocks.blocks
    order = tuple(blocks)
    for place, block in enumerate(order):
        _check_block(block, place)
    return order


def _check_block(value: object, place: int) -> None:
    if not isinstance(value, Block):
        raise BlockError(
            f"{type(value).__name__} is not a Block.",
            place=f"blocks[{place}]",
            code="not_a_block",
            hint="Give a Registry or a sequence of blocks.",
        )
    kinds: tuple[tuple[object, type], ...] = ((value.role, Role), (value.band, Band), (value.trust, Trust))
    for member, kind in kinds:
        if not isinstance(member, kind):
            raise BlockError(
                f"{shown(member)} is not a {kind.__name__}.",
                place=f"blocks[{place}]",
                code="range",
                hint=f"Use a member of {kind.__name__}.",
            )


def prompt_room(budget: object, reserve: object) -> int:
    """Tokens a prompt may take: `budget` less `reserve`. Raises `BudgetError` (range) for what is no such pair of numbers."""
    whole, kept = _whole(budget, "budget", least=1), _whole(reserve, "reserve", least=0)
    if kept >= whole:
        raise BudgetError(
            f"reserving {kept:,} of {whole:,} tokens leaves no room for a prompt.",
            place="reserve",
            code="range",
            hint="The budget is prompt and answer together; the reserve is the answer's part.",
        )
    return whole - kept


def _whole(value: object, place: str, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_TOKENS:
        raise BudgetError(
            f"a {place} is a whole number of tokens from {least} to {MOST_TOKENS:,}, not {str(value)[:40]}.",
            place=place,
            code="range",
            hint="Give an int, for example 4000.",
        )
    return value


def _counting(tokens: Counter) -> Callable[[str], int]:
    """`tokens.count`, remembered per text for this call, and refusing counts that are none."""
    seen: dict[str, int] = {}

    def count(text: str) -> int:
        if (known := seen.get(text)) is not None:
            return known
        number: object = tokens.count(text)
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ProviderError(
                f"the token counter {tokens.name} answered {str(number)[:40]}.",
                code="counter_invalid",
                hint="A counter returns a whole number of tokens, 0 or more.",
            )
        seen[text] = number
        return number

    return count
