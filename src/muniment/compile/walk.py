"""Compile: which blocks enter the prompt, in which words, and a receipt for every one of them.

Rules of this file: gate, then ordered walk, then budget, then access counts. A registry is read as it is at one moment; no
lock is held while its blocks are scored, rendered or counted, but for the short way: a registry that has not changed is not
compiled again, and after a small change only what changed is rendered and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Unpack

from muniment.compilation import Compilation, Terms, kept
from muniment.compile.checks import Counter, Counting, check_choices, check_counter, checked, prompt_room
from muniment.compile.gate import Gate, sift
from muniment.compile.last import Choices, Last
from muniment.compile.packing import fill
from muniment.compile.partners import Rank
from muniment.compile.prefix import prefix
from muniment.compile.recount import settle
from muniment.compile.render import GAP
from muniment.compile.selection import Selection
from muniment.compile.sheet import Sheet, is_plain
from muniment.registry import Registry, View
from muniment.registry.ledger import Ledger
from muniment.registry.registry import ledger_of
from muniment.types import Band, Block, Fate, Packing, Prices


def compile(  # noqa: A001  # the glossary's verb
    blocks: Registry | View | Sequence[Block], *, budget: int, tokens: Counter, **choices: Unpack[Choices]
) -> Compilation:
    """Choose the blocks that fit into `budget - reserve` tokens and render them in their order.

    `choices` are those of `Choices`. The same input gives the same bytes. A registry counts, for every block in the prompt,
    that it was shown, and remembers the prompt: `unchanged` says how much of the next one is the same.

    Required and pinned blocks have their room first. The usual packing then offers the stable band in order, the volatile one
    (what a gate has scored: the nearest first) and last the conversation, newest first; what does not fit is skipped. See
    `Packing` for the others, and for when stable blocks can drop out, which changes the front of the prompt.

    Raises `BudgetError`: range, or pinned_exceed_budget with the sizes when the required and pinned blocks alone do not fit;
    `BlockError`: range or type for what cannot be a choice or counter, task_needed for a gate without a task, requires when a
    block that must be in requires one that is not there, tool_clash for two tools of one name by one author.
    """
    if type(blocks) is Registry:
        ledger = blocks._ledger  # noqa: SLF001  # its owner's property would cost a fifth of an unchanged compile
        last: Last | None = ledger.memo  # type: ignore[assignment]  # nobody else writes there
        if (
            last is not None
            and (budget is last.budget or (type(budget) is int and budget == last.budget))
            and tokens is last.tokens
            and choices == last.choices
        ):
            ledger.lock.acquire()
            try:
                if last.repeats == ledger.version:
                    ledger.epoch += 1
                    return last.made
                if (made := last.follow(ledger)) is not None:
                    return made
            finally:
                ledger.lock.release()
    check_choices(choices)
    return _walk(blocks, choices, budget=budget, tokens=tokens, **choices)


def _walk(
    blocks: Registry | View | Sequence[Block],
    choices: Choices,
    *,
    budget: int,
    tokens: Counter,
    reserve: int = 0,
    salt: str = "",
    task: str | None = None,
    gate: Gate | None = None,
    packing: Packing = Packing.SKIP,
    prices: Prices | None = None,
    since: Compilation | None = None,
    dry: bool = False,
) -> Compilation:
    """The whole way."""
    room = prompt_room(budget, reserve)
    check_counter(tokens)
    registry = blocks if isinstance(blocks, Registry) else None
    view = blocks.view() if isinstance(blocks, Registry) else blocks if isinstance(blocks, View) else None
    order = view.blocks if view else checked(blocks)
    last = _last(registry)
    known = last.counts() if last and last.counter is tokens else {}
    counting = Counting(tokens, known)
    selection = Selection(order, room=room, counting=counting, salt=salt)
    if gate is not None:
        if len(known) <= 2 * len(order):  # what the gate leaves out is not weighed, but what was known of it stays known
            counting.seen.update(known)
        banded = view.banded if view else all(one.band <= other.band for one, other in pairwise(order))
        sifted = sift(order, _candidates(selection, banded=banded), task=task, gate=gate)
        selection.refuse(sifted.refused, sifted.scores)
    fill(selection, packing)
    text, total = settle(selection)
    terms = Terms(
        budget=budget,
        reserve=reserve,
        counter=tokens.name,
        exact=tokens.exact,
        salt=salt,
        count=tokens.count,
        prefix=prefix,
        prices=prices,
    )
    before = kept(since) if since else kept(last.made) if last else None
    made = Compilation((text, terms, selection.decision(), 0), total, before)
    if registry is not None and view and not dry:
        now = _next(made, selection, terms, version=view.version, tokens=tokens)
        if gate is None and since is None:
            now.expect(choices, budget=budget, tokens=tokens)
        _remember(ledger_of(registry), now, order)
    return made


def _last(registry: Registry | None) -> Last | None:
    memo = ledger_of(registry).memo if registry is not None else None
    return memo if isinstance(memo, Last) else None


def _candidates(selection: Selection, *, banded: bool) -> list[int]:
    """Places of the blocks that a gate may leave out: optional instructions and tools, with bands only the volatile ones.

    In a group that is gated as a unit, one member that no gate leaves out admits the others.
    """
    ranks = (Rank.INSTRUCTION, Rank.NOTE, Rank.TOOL)
    able: list[int] = []
    open_: set[str] = set()
    for place in (place for unit in selection.units for place in unit):
        block = selection.order[place]
        if (
            place not in selection.reserved
            and block.gated
            and selection.ranks[place] in ranks
            and (block.band is Band.VOLATILE or not banded)
        ):
            able.append(place)
        elif block.group is not None and block.group.gate_as_unit:
            open_.add(block.group.name)
    return [
        place for place in able if not ((group := selection.order[place].group) and group.gate_as_unit and group.name in open_)
    ]


def _next(made: Compilation, selection: Selection, terms: Terms, *, version: int, tokens: Counter) -> Last:
    """What the next compile starts from: a sheet when every block stands as it is, none depends on another, and all sums fit."""
    used = sum(selection.costs)
    adds_up = bool(getattr(tokens, "additive", False)) and made.tokens == used - selection.counting.part(GAP)
    plain = (
        (adds_up or used <= selection.room)
        and all(fate is Fate.INCLUDED for fate in selection.fates)
        and not (selection.shorts or selection.scores)
        and all(map(is_plain, selection.order, selection.ranks))
    )
    if not plain:
        left_out = selection.decision().left_out()
        return Last(made, version=version, counter=tokens, left_out=left_out, counts=selection.counting.seen)
    return Sheet(made, selection, terms, version=version, counter=tokens, additive=adds_up)


def _remember(ledger: Ledger, now: Last, order: Sequence[Block]) -> None:
    """Count the blocks in the prompt as shown, and keep what the next compile starts from."""
    with ledger.lock:
        if ledger.version == now.version:
            ledger.shown(now.left_out)
        else:
            seen = {block.id for block in order}
            ledger.shown((*now.left_out, *(block_id for block_id in ledger.ids if block_id not in seen)))
        if not isinstance(ledger.memo, Last) or ledger.memo.version <= now.version:
            ledger.memo = now
