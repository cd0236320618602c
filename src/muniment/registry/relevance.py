"""Which blocks matter to a task, by any scorer, and bringing them to the front of their band.

Rules of this file: a scorer is a function that was given; ties keep registry order; text that is not trusted is found, but
its words can never move it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from muniment.errors import BlockError, shown
from muniment.registry.groups import Scorer
from muniment.types import Block, Role, Trust

if TYPE_CHECKING:
    from muniment.registry.handle import Handle

Ranked = Sequence[tuple[int, float]]
"""Places of blocks and their scores, best first."""


def find(blocks: Handle | Sequence[Block], task: str, scorer: Scorer, *, top: int | None = 3) -> tuple[tuple[Block, float], ...]:
    """The `top` blocks for this task (all with None) and their scores, best first; changes nothing.

    A scorer that has a `nearest(task, blocks, top)`, as `Dense` does, is asked for that: the places and scores of the best.

    Raises BlockError: task_needed without words, range for a `top` below 0, scores when they are not one number per block.
    """
    order = tuple(blocks) if isinstance(blocks, Sequence) else blocks.blocks
    _check(top)
    most = len(order) if top is None else top
    if not task.strip():
        raise BlockError("there is no task to score blocks for.", place="task", code="task_needed", hint="Give its words.")
    nearest: Callable[..., Ranked] | None = getattr(scorer, "nearest", None)
    ranked = _ranked(order, task, scorer, most) if nearest is None else nearest(task, order, most)
    return tuple([(order[place], score) for place, score in ranked])


def promote_relevant(registry: Handle, task: str, scorer: Scorer, *, top: int = 3) -> tuple[tuple[Block, float], ...]:
    """Bring the `top` blocks for this task to the front of their band, best first, as one step, and return them.

    Only trusted blocks of `Role.SYSTEM` that require no other are asked for: turns keep their order, a stranger's words promote
    nothing, and no block gets before one without which it is left out.
    """
    able = [b for b in registry.blocks if b.role is Role.SYSTEM and b.trust is Trust.TRUSTED and not b.requires]
    found = find(able, task, scorer, top=top)
    if found:
        registry.reorder([block.id for block, _ in sorted(found, key=lambda pair: pair[0].band if registry.banded else 0)])
    return found


def _ranked(order: Sequence[Block], task: str, scorer: Scorer, most: int) -> Ranked:
    scores = [float(score) for score in scorer(task, order)] if order else []
    if len(scores) != len(order) or not all(map(math.isfinite, scores)):
        raise BlockError(
            f"the scorer gave {len(scores)} scores for {len(order)} blocks, or one that is no finite number.",
            place="scorer",
            code="scores",
            hint="Return one number per block, in order.",
        )
    return sorted(enumerate(scores), key=lambda pair: -pair[1])[:most]


def _check(top: object) -> None:
    if top is not None and (isinstance(top, bool) or not isinstance(top, int) or top < 0):
        raise BlockError(f"{shown(top)} is not how many blocks to find.", place="top", code="range", hint="Give 0 or more.")
