"""Going back to an earlier version, by new changes.

Rules of this file: a version asked for by its number comes back exactly or not at all. The last call is taken back as far as it
is the owner's to take back: what others made irremovable, or have said since, stays as it is now; and when nothing is left of a
call to take back, the one before it is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.errors import BlockError
from muniment.registry.journal import Change, Op, check_version, difference, retreat
from muniment.registry.ledger import Ledger, Step, rewound
from muniment.registry.principals import Actor, not_owner
from muniment.registry.snapshot import merged
from muniment.types import Block


def undo(ledger: Ledger, actor: Actor, *, to: int | None = None) -> int:
    """Bring back the state of version `to`, or that before the last call, as one step; returns the version that is back."""
    with Step(ledger, actor=actor.id) as step:
        if to is None:
            version, goal, whole = _before_last(ledger, actor)
        else:
            version, goal, whole = to, _exactly(ledger, actor, to), True
        step.note = f"undo to version {version}{'' if whole else ', but for what is of others'}"
        step.back_to = version
        step.become(goal)
    return version


def _exactly(ledger: Ledger, actor: Actor, version: int) -> list[Block]:
    """The state of `version`. Refused when another's would be touched, and for a version in the middle of a call."""
    goal = rewound(ledger, version)
    after = version - ledger.version + len(ledger.changes)
    if after < len(ledger.changes) and ledger.changes[after].step != version + 1:
        raise BlockError(
            f"version {version} lies inside one call, which was made whole.",
            place="to",
            code="range",
            hint=f"Go back to {ledger.changes[after].step - 1}.",
        )
    found = difference(ledger.order, goal)
    for block in (*found.added, *found.removed):
        if not (block.removable or actor.owns(block)):
            raise not_owner(block, "undo a change of")
    for now, then in found.edited:
        if not actor.may_say(now, then):
            raise not_owner(now, "undo a change of")
    return goal


def _before_last(ledger: Ledger, actor: Actor) -> tuple[int, list[Block], bool]:
    """The version before the last call that can be taken back, the blocks to have then, and whether that is all of it."""
    version, line = ledger.version, ledger.order.copy()
    oldest = version - len(ledger.changes)
    while True:
        before = check_version(_call_before(ledger, version), oldest, ledger.version)
        changes = ledger.changes[before - oldest : version - oldest]
        for change in reversed(changes):
            retreat(line, change, change.before or change.block)
        version = before
        if all(_stays(change, actor) for change in changes):
            continue
        goal = _with_what_stays(ledger, actor, line)
        if goal != ledger.order:
            return version, goal, goal == line


def _stays(change: Change, actor: Actor) -> bool:
    """Whether the change is of others alone, so that no goal is worth the making for it."""
    block = change.block
    if block is None or actor.owns(block) or change.op is Op.MOVE:
        return False
    return not (actor.may_say(change.before, block) if change.before else block.removable)


def _call_before(ledger: Ledger, version: int) -> int:
    """The version before the last call that led to `version`; what an undo took back is passed over."""
    changes, oldest = ledger.changes, ledger.version - len(ledger.changes)
    while version > oldest and (back_to := changes[version - oldest - 1].back_to) is not None:
        version = back_to
    if version == 0:
        raise BlockError("nothing is left to undo.", code="nothing_to_undo", hint="undo(to=...) brings any version back.")
    return changes[version - oldest - 1].step - 1 if version > oldest else version - 1


def _with_what_stays(ledger: Ledger, actor: Actor, goal: Sequence[Block]) -> list[Block]:
    """The goal, with the blocks of others as they are now where they must be, and without those they took away for good."""
    now = ledger.by_id
    able = [block for block in goal if block.removable or actor.owns(block) or block.id in now]
    then = {block.id: block for block in able}
    staying = [
        block
        for block in ledger.order
        if not actor.owns(block) and (not actor.may_say(block, then[block.id]) if block.id in then else not block.removable)
    ]
    return merged(able, {block.id: block.id for block in able}, staying, banded=ledger.banded)
