"""Where a block does most good: a policy proposes an order, and only `arrange` makes it the registry's.

Rules of this file: nothing leaves its band; turns and untrusted text stay where they are; groups move as one; blocks that
matter equally, and places that are equally good, are no reason to move; no proposal that gains too little moves anything.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, Protocol

from muniment.errors import BlockError, FormatError, shown
from muniment.registry.groups import brought_forward
from muniment.registry.journal import difference
from muniment.registry.ledger import Ledger, Step
from muniment.registry.principals import Actor
from muniment.registry.reports import printable
from muniment.text import strict_json
from muniment.types import Band, Block, BlockId, Role, Trust

if TYPE_CHECKING:
    from muniment.registry.handle import Handle

CLIFF_TASK_AFTER: Final = 7
CLIFF_TASK_BEFORE: Final = 12
"""Blocks that small models answered from nearly always when the task stood after, or before, the registry."""

ECHO: Final = "echo"
"""The tag of a block that says again what another one says."""

_LEAST: Final = 1e-9  # sums of floats that differ by less are the same


class Curve(Protocol):
    """How good each of `count` places is, first to last; any finite numbers, larger is better."""

    def curve(self, count: int) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class FrontLoad:
    """The first `cliff` places are good and all others are not. See `CLIFF_TASK_AFTER` and `CLIFF_TASK_BEFORE`."""

    cliff: int = CLIFF_TASK_AFTER

    def curve(self, count: int) -> Sequence[float]:
        """1 before the cliff and 0 behind it."""
        return [1.0 if place < self.cliff else 0.0 for place in range(count)]


@dataclass(frozen=True, slots=True)
class Edges:
    """Both ends are good and the middle is not."""

    def curve(self, count: int) -> Sequence[float]:
        """1 at both ends, falling evenly to a half in the middle."""
        return [max(place, count - 1 - place) / (count - 1) if count > 1 else 1.0 for place in range(count)]


@dataclass(frozen=True, slots=True)
class Tail:
    """The nearer to the end, the better: for models that heed best what they read last."""

    def curve(self, count: int) -> Sequence[float]:
        """Rising evenly to 1."""
        return [(place + 1) / count for place in range(count)]


@dataclass(frozen=True, slots=True)
class EchoTwice:
    """Moves nothing: the `top` blocks of at least `least` importance are said once more at the end, near the task."""

    top: int = 1
    least: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How often, of `trials`, a model used a block at `position` (from 0) among `n`."""

    n: int
    position: int
    success: float
    trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A measured curve of one model. `layout` is task_after or task_before: where the task stood. Made by `read_profile`."""

    model: str
    layout: str
    points: tuple[Point, ...]

    def curve(self, count: int) -> Sequence[float]:
        """The success measured at the nearest size, between measured places by a straight line over relative position."""
        size = min({point.n for point in self.points}, key=lambda n: (abs(math.log(n / max(1, count))), -n))
        at: dict[int, list[Point]] = {}
        for point in self.points:
            if point.n == size:
                at.setdefault(point.position, []).append(point)
        known = [
            (position / max(1, size - 1), sum(p.success * p.trials for p in at[position]) / sum(p.trials for p in at[position]))
            for position in sorted(at)
        ]
        return [_between(known, place / max(1, count - 1)) for place in range(count)]


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

    An echo stands at the end of the volatile band, passes every gate, and is left out when the block it repeats is. Raises
    BlockError: changed when blocks were written, evicted or moved since the proposal was made.
    """
    said = [(block.id, ledger.fresh_id()) for block in proposal.echoes]
    with Step(ledger, actor=actor.id, note="placement") as step:
        if [block.id for block in proposal.base] != ledger.ids:
            raise BlockError(
                "the registry's order has changed since this was proposed.",
                code="changed",
                hint="Propose again from what it is now.",
            )
        actor.check_move([ledger.by_id[block.id] for block in difference(proposal.base, proposal.order).moved])
        named = [ledger.by_id[block.id] for block in proposal.order]
        step.reorder(brought_forward(ledger.order, named, banded=ledger.banded))
        for block in proposal.stale:
            actor.check_evict(ledger.by_id[block.id], force=False)
            step.evict(ledger.by_id[block.id])
        for original, new in said:
            block = replace(_again(ledger.by_id[original]), id=new, author=actor.id, created=step.at)
            actor.check_write(block, ledger.order)
            step.write(block, ledger.span(block.band)[1])
    return tuple(new for _, new in said)


def _again(block: Block) -> Block:
    return Block(
        id=BlockId(""),
        name=f"{block.name} (again)",
        text=block.text,
        band=Band.VOLATILE,
        priority=block.priority,
        prefix=block.prefix,
        suffix=block.suffix,
        gated=False,
        tags=(ECHO,),
        requires=(block.name,),
    )


def _echo(order: tuple[Block, ...], policy: EchoTwice, worth: Sequence[float]) -> Proposal:
    able = [n for n, b in enumerate(order) if _moves(b) and b.tool is None and ECHO not in b.tags and worth[n] >= policy.least]
    chosen = sorted(sorted(able, key=lambda n: -worth[n])[: policy.top])
    wanted = {(order[n].name, order[n].text): order[n] for n in chosen}
    said = [block for block in order if ECHO in block.tags and block.removable]
    fresh = {(name, block.text): block for block in said for name in block.requires if (name, block.text) in wanted}
    echoes = tuple(block for key, block in wanted.items() if key not in fresh)
    stale = tuple(block for block in said if block not in fresh.values())
    note = "" if echoes or stale else "nothing needs to be said again."
    return Proposal(order=order, base=order, echoes=echoes, stale=stale, unchanged=len(order), note=note)


def read_profile(text: str, *, place: str = "") -> Profile:
    """A model's measured curve from JSON, as the position probe writes it. Raises FormatError naming the field."""
    whole = strict_json.loads(text, place=place)
    if not isinstance(whole, dict) or not isinstance(points := whole.get("curve"), list):
        raise _unfit("this is not a profile: an object with a list under 'curve' is wanted.", place)
    if whole.get("version") != 1:
        raise _unfit(f"version {shown(whole.get('version'))} of this format is not known; 1 is.", place, "version")
    if not isinstance(model := whole.get("model"), str):
        raise _unfit("the model's name is missing.", place, "model")
    if (layout := whole.get("layout")) not in ("task_after", "task_before"):
        raise _unfit(f"{shown(layout)} is neither 'task_after' nor 'task_before'.", place, "layout")
    if not points:
        raise _unfit("the curve has no points.", place, "curve")
    read = tuple(_point(point, f"{place}: curve[{n}]" if place else f"curve[{n}]") for n, point in enumerate(points))
    return Profile(model=model, layout=layout, points=read)


def _point(value: object, place: str) -> Point:
    if not isinstance(value, dict):
        raise _unfit("a point is an object with n, position, success and trials.", place)
    n, position, trials = (_whole(value.get(key), place, key) for key in ("n", "position", "trials"))
    success = value.get("success")
    if n < 1 or not 0 <= position < n or trials < 1:
        raise _unfit(f"position {position} of {n} in {trials} trials is not possible.", place)
    if isinstance(success, bool) or not isinstance(success, int | float) or not 0 <= success <= 1:
        raise _unfit(f"a success is a share from 0 to 1, not {shown(success)}.", place, "success")
    return Point(n=n, position=position, success=float(success), trials=trials)


def _whole(value: object, place: str, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _unfit(f"{shown(value)} is not a whole number.", place, key)
    return value


def _unfit(message: str, place: str, key: str = "") -> FormatError:
    at = f"{place}.{key}" if place and key else place or key
    return FormatError(message, place=at, code="profile_invalid", hint="Write it with the position probe's --profile.")


def _between(known: Sequence[tuple[float, float]], x: float) -> float:
    """Linear between neighbours, flat outside."""
    right = bisect_left(known, (x, -math.inf))
    if right == 0:
        return known[0][1]
    if right == len(known):
        return known[-1][1]
    (x0, y0), (x1, y1) = known[right - 1], known[right]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def _finite(values: Sequence[float], count: int, place: str) -> list[float]:
    numbers = [float(value) for value in values]
    if len(numbers) != count or not all(math.isfinite(number) for number in numbers):
        raise BlockError(
            f"{count} finite numbers are wanted here, one per block.", place=place, code="range", hint="Give no NaN or infinity."
        )
    return numbers


def _counts(block: Block) -> bool:
    """Turns hold no place in a curve: it is measured on a list of blocks without a conversation."""
    return block.role not in (Role.USER, Role.ASSISTANT, Role.TOOL)


def _moves(block: Block) -> bool:
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
    for _, band in groupby(range(len(order)), key=lambda place: order[place].band if banded else 0):
        units = [list(unit) for _, unit in groupby(band, key=lambda place: _unit(order, place))]
        movable = [n for n, unit in enumerate(units) if all(_moves(order[place]) for place in unit)]
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
