"""Where a block does most good: a policy proposes an order, and only `arrange` makes it the registry's.

Rules of this file: nothing leaves its band; turns, untrusted text and what requires or is required stay where they are; groups
move as one; blocks that matter equally, and places that are equally good, are no reason to move; nor is too little a gain.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from muniment.errors import BlockError, shown
from muniment.registry.curves import Curve
from muniment.registry.groups import brought_forward, not_negative
from muniment.registry.journal import difference
from muniment.registry.ledger import Ledger, Step
from muniment.registry.principals import Actor
from muniment.registry.reader import Reader
from muniment.registry.reports import printable
from muniment.types import Band, Block, BlockId, Role, Trust

if TYPE_CHECKING:
    from muniment.registry.handle import Handle

ECHO: Final = "echo"
"""The tag of a block that says again what another one says."""

_AGAIN: Final = " (again)"
_LEAST: Final = 1e-9  # sums of floats that differ by less are the same


@dataclass(frozen=True, slots=True)
class EchoTwice:
    """Moves nothing: the `top` blocks of at least `least` importance are said once more at the end, near the task."""

    top: int = 1
    least: float = 0.8

    def __post_init__(self) -> None:
        not_negative(self.top, "top", hint="Give how many blocks to say again; 0 says none.")
        _finite([self.least], 1, "least")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A block that changes its place among the others. Places count from 0 through the whole registry."""

    name: str
    band: Band
    before: int
    after: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An order and why. It has changed nothing yet: give it to the registry's `arrange`.

    `gain` is how much the sum of importance x goodness of place rises: with a `Profile`, by how much more the blocks that matter
    are expected to be heeded. `unchanged` blocks in front stay as they are, which is what a prompt cache keeps. `echoes` shall be
    said a second time, `stale` ones no longer. `note` says why nothing is proposed, if so.
    """

    order: tuple[Block, ...] = field(repr=False)
    base: tuple[Block, ...] = field(repr=False)
    moves: tuple[Move, ...] = ()
    echoes: tuple[Block, ...] = field(default=(), repr=False)
    stale: tuple[Block, ...] = field(default=(), repr=False)
    gain: float = 0.0
    unchanged: int = 0
    note: str = ""

    @property
    def echoed(self) -> tuple[str, ...]:
        """Names of the blocks that would be said a second time."""
        return tuple(block.name for block in self.echoes)

    def lines(self) -> tuple[str, ...]:
        """The proposal for a terminal, one move per line."""
        head = self.note or f"moves: {len(self.moves)}, gain {self.gain:.3f}; blocks in front that stay: {self.unchanged}"
        return (
            head,
            *(f"{printable(move.name)}: {move.before} -> {move.after} ({move.why})" for move in self.moves),
            *(f"{printable(name)}: said again at the end" for name in self.echoed),
        )


def propose(
    blocks: Handle | Sequence[Block],
    policy: Curve | EchoTwice,
    *,
    importance: Sequence[float] | None = None,
    margin: float = 0.0,
    banded: bool = True,
) -> Proposal:
    """The order `policy` would give these blocks, and what it gains. Changes nothing.

    `importance` has one finite number per block, such as a scorer's answer to the task; without it priorities are taken. Nothing
    moves unless the gain is above `margin`, so that a small gain does not cost a prompt cache. `banded` is asked of a registry
    and counts for plain sequences. Only trusted blocks of `Role.SYSTEM` move. Raises BlockError (range).
    """
    if not (isinstance(policy, EchoTwice) or callable(getattr(policy, "curve", None))):
        hint = "Give one, for example FrontLoad(), Edges(), Tail(), a measured Profile, or EchoTwice()."
        raise BlockError(f"{shown(policy)} is no placement policy.", place="policy", code="range", hint=hint)
    if not isinstance(blocks, Sequence | Reader):
        raise BlockError(f"{shown(blocks)} holds no blocks.", place="blocks", code="range", hint="Give a registry or blocks.")
    _finite([margin], 1, "margin")
    order, banded = (tuple(blocks), banded) if isinstance(blocks, Sequence) else (blocks.blocks, blocks.banded)
    worth = _finite([block.priority for block in order] if importance is None else importance, len(order), "importance")
    if isinstance(policy, EchoTwice):
        return _echo(order, policy, worth)
    count = sum(_counts(block) for block in order)
    curve = _finite(policy.curve(count), count, "policy")
    places, gain = _best(order, worth, curve, banded=banded)
    if gain <= max(margin, _LEAST):
        note = f"the best order gains {max(0.0, gain):.3f}, not more than the margin of {margin:.3f}." if margin > 0 else ""
        return Proposal(order=order, base=order, gain=max(0.0, gain), unchanged=len(order), note=note or "nothing can be gained.")
    new_order = tuple(order[old] for old in places)
    old_goods, goods = _goods(order, curve), _goods(new_order, curve)
    moved = {block.id for block in difference(order, new_order).moved}
    return Proposal(
        order=new_order,
        base=order,
        moves=tuple(
            Move(
                name=order[old].name,
                band=order[old].band,
                before=old,
                after=new,
                why=f"importance {worth[old]:.2f}, place worth {old_goods[old]:.2f} before and {goods[new]:.2f} after",
            )
            for new, old in enumerate(places)
            if order[old].id in moved
        ),
        gain=gain,
        unchanged=next(place for place, old in enumerate(places) if place != old),
    )


def arrange(ledger: Ledger, actor: Actor, proposal: Proposal) -> tuple[BlockId, ...]:
    """Make the proposed order the registry's, and write and take away echoes, as one step; returns the ids of new echoes.

    An echo stands at the end of the volatile band, passes every gate, and is left out when the block it repeats is. It is
    trusted as far as that one is. Raises BlockError: changed when blocks were written, evicted or moved since the proposal was
    made, permutation when its order does not name each block once.
    """
    if not isinstance(proposal, Proposal):
        raise BlockError(
            f"{shown(proposal)} is not a Proposal.", place="proposal", code="range", hint="Make one: propose(registry, policy)."
        )
    said = [(block.id, ledger.fresh_id()) for block in proposal.echoes]
    with Step(ledger, actor=actor.id, note="placement") as step:
        named = (*proposal.order, *proposal.stale, *proposal.echoes)
        if [block.id for block in proposal.base] != ledger.ids or not all(block.id in ledger.by_id for block in named):
            raise BlockError(
                "the registry's order has changed since this was proposed.",
                code="changed",
                hint="Propose again from what it is now.",
            )
        if sorted(block.id for block in proposal.order) != sorted(ledger.ids):
            raise BlockError(
                "the proposed order does not name every block of the registry exactly once.",
                place="order",
                code="permutation",
                hint="Give all blocks, each once, in the order they shall have.",
            )
        actor.check_move([ledger.by_id[block.id] for block in difference(proposal.base, proposal.order).moved])
        order = [ledger.by_id[block.id] for block in proposal.order]
        step.reorder(brought_forward(ledger.order, order, banded=ledger.banded))
        for block in proposal.stale:
            actor.check_evict(ledger.by_id[block.id], force=False)
            step.evict(ledger.by_id[block.id])
        for original, new in said:
            block = replace(_again(_sayable(ledger.by_id[original])), id=new, author=actor.id, created=step.at)
            actor.check_write(block, ledger.order)
            step.write(block, ledger.span(block.band)[1])
    return tuple(new for _, new in said)


def _sayable(block: Block) -> Block:
    """Return `block` if it may be said again: what calls, answers or offers a tool is more than its words."""
    if block.tool is not None or block.tool_calls or block.role is Role.TOOL:
        raise BlockError(
            f"{shown(block.name)} calls, answers or offers a tool, and is not said twice.",
            place="echoes",
            code="range",
            hint="Leave it out of the echoes.",
        )
    return block


def _again(block: Block) -> Block:
    return Block(
        id=BlockId(""),
        name=f"{block.name}{_AGAIN}",
        text=block.text,
        band=Band.VOLATILE,
        role=block.role,
        trust=block.trust,
        priority=block.priority,
        prefix=block.prefix,
        suffix=block.suffix,
        gated=False,
        tags=(ECHO,),
        requires=(block.name,),
    )


def _echo(order: tuple[Block, ...], policy: EchoTwice, worth: Sequence[float]) -> Proposal:
    able = [n for n, b in enumerate(order) if worth[n] >= policy.least and _instructs(b) and not (b.tool or _is_echo(b))]
    chosen = sorted(sorted(able, key=lambda n: -worth[n])[: max(0, policy.top)])
    wanted = {(order[n].name, order[n].text): order[n] for n in chosen}
    said = [block for block in order if _is_echo(block) and block.removable]
    fresh = {(name, block.text): block for block in said for name in block.requires if (name, block.text) in wanted}
    echoes = tuple(block for key, block in wanted.items() if key not in fresh)
    stale = tuple(block for block in said if block not in fresh.values())
    note = "" if echoes or stale else "nothing needs to be said again."
    return Proposal(order=order, base=order, echoes=echoes, stale=stale, unchanged=len(order), note=note)


def _is_echo(block: Block) -> bool:
    return ECHO in block.tags and any(block.name == f"{name}{_AGAIN}" for name in block.requires)


def _finite(values: Sequence[float], count: int, place: str) -> list[float]:
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError) as error:
        raise BlockError("numbers are wanted here.", place=place, code="range", hint="Give finite numbers.") from error
    if len(numbers) != count or not all(math.isfinite(number) for number in numbers):
        raise BlockError(
            f"{count} finite numbers are wanted here, one per block.", place=place, code="range", hint="Give no NaN or infinity."
        )
    return numbers


def _counts(block: Block) -> bool:
    """Turns hold no place in a curve: it is measured on a list of blocks without a conversation."""
    return block.role not in (Role.USER, Role.ASSISTANT, Role.TOOL)


def _moves(block: Block, needed: Container[str] = ()) -> bool:
    """What requires others, and what they require, keeps its place: they are of no use in another order."""
    return _instructs(block) and not block.requires and block.name not in needed


def _instructs(block: Block) -> bool:
    return block.role is Role.SYSTEM and block.trust is Trust.TRUSTED


def _goods(order: Sequence[Block], curve: Sequence[float]) -> list[float]:
    values = iter(curve)
    return [next(values) if _counts(block) else 0.0 for block in order]


def _best(order: Sequence[Block], worth: Sequence[float], curve: Sequence[float], *, banded: bool) -> tuple[list[int], float]:
    """For each new place the old one, and the gain. Goes on while it gains: moving a group shifts the places of others."""
    places, gain = list(range(len(order))), 0.0
    old_goods = goods = _goods(order, curve)
    while True:
        arranged = [order[old] for old in places]
        turned = _rearranged(arranged, [worth[old] for old in places], goods, banded=banded)
        better = [places[new] for new in turned]
        goods = _goods([order[old] for old in better], curve)
        gained = sum(worth[old] * (goods[new] - old_goods[old]) for new, old in enumerate(better))
        if gained <= gain + _LEAST:
            return places, gain
        places, gain = better, gained


def _rearranged(order: Sequence[Block], worth: Sequence[float], goods: Sequence[float], *, banded: bool) -> list[int]:
    """For each new place the old one."""
    out: list[int] = []
    for _, places in groupby(range(len(order)), key=lambda place: order[place].band if banded else 0):
        band = list(places)
        needed = {name for place in band for name in order[place].requires}
        units = [list(unit) for _, unit in groupby(band, key=lambda place: _unit(order, place))]
        movable = [n for n, unit in enumerate(units) if all(_moves(order[place], needed) for place in unit)]
        mean = [(_mean(worth, units[n]), _mean(goods, units[n])) for n in movable]
        new = list(units)
        for slot, item in zip(movable, _matched([m[0] for m in mean], [m[1] for m in mean]), strict=True):
            new[slot] = units[movable[item]]
        out.extend(place for unit in new for place in unit)
    return out


def _unit(order: Sequence[Block], place: int) -> str | int:
    group = order[place].group
    return place if group is None else group.name


def _mean(values: Sequence[float], places: Sequence[int]) -> float:
    return sum(values[place] for place in places) / len(places)


def _matched(worth: Sequence[float], goods: Sequence[float]) -> list[int]:
    """For each slot its item: the worthiest go to the best slots, and among equals as little moves as can be.

    Slots of one goodness take the worthiest that are left; when only some of equally worthy items fit, those that stand there
    stay. What shares a slot's goodness, and then what is equally worthy, keeps its order.
    """
    out = list(range(len(worth)))
    ranked = sorted(out, key=lambda item: (worth[item], -item))
    equals = [sorted(items) for _, items in groupby(ranked, key=lambda item: worth[item])]
    for _, plateau in groupby(sorted(out, key=lambda slot: (-goods[slot], slot)), key=lambda slot: goods[slot]):
        slots = list(plateau)
        chosen: list[int] = []
        while room := len(slots) - len(chosen):
            items = equals.pop()
            if len(items) > room:
                here = set(slots)
                items.sort(key=lambda item: item not in here)
                equals.append(sorted(items[room:]))
            chosen += items[:room]
        for slot, item in zip(slots, sorted(chosen), strict=True):
            out[slot] = item
    slots_of: dict[float, list[int]] = {}
    for slot, item in enumerate(out):
        slots_of.setdefault(worth[item], []).append(slot)
    for slots in slots_of.values():
        for slot, item in zip(slots, sorted(out[slot] for slot in slots), strict=True):
            out[slot] = item
    return out
