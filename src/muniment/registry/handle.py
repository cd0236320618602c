"""The verbs of a registry, bound to who may use them. A registry is its owner's handle; others get theirs by an invite.

Rules of this file: every verb takes the lock, asks the `Actor` whether it may, and makes one `Step`; a call that fails changes
nothing. The author of a block is the handle's principal and cannot be given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

from muniment.errors import BlockError, shown
from muniment.registry.checks import (
    check_block,
    check_calls,
    check_flag,
    check_name,
    check_priority,
    check_text,
    check_whole,
    check_words,
)
from muniment.registry.groups import (
    brought_forward,
    check_band,
    check_group,
    goal,
    landing,
    not_negative,
    one_directive,
    unit,
    write_place,
)
from muniment.registry.ledger import Ledger, Step
from muniment.registry.principals import Actor, Invite, Right, make_terms
from muniment.registry.reader import Reader
from muniment.types import Band, Block, BlockId, Group, Role, Source, Tool, ToolCall, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """What a rollback took away, and what of the run it left because others made it irremovable; by name, in order."""

    run: str
    removed: tuple[str, ...]
    kept: tuple[str, ...]


class Handle(Reader):
    """One principal's way to a registry. It may be used from several threads; what it returns is immutable.

    An id that is unknown, or that the handle may not see, is refused as unknown_block; a call its invite does not grant as
    not_allowed, and every call as revoked once the invite was.
    """

    __slots__ = ()

    def write(
        self,
        text: str,
        *,
        name: str,
        band: Band | None = None,
        role: Role = Role.SYSTEM,
        required: bool = False,
        trust: Trust | None = None,
        priority: float = 0.5,
        position: int | None = None,
        turn_key: str | None = None,
        tool_calls: Sequence[ToolCall] = (),
        tool_call_id: str | None = None,
        run: str | None = None,
        tags: Iterable[str] = (),
        prefix: str = "",
        suffix: str = "",
        gated: bool = True,
        description: str = "",
        short: str = "",
        requires: Iterable[str] = (),
        tool: Tool | None = None,
        removable: bool = True,
    ) -> BlockId:
        """Add a block at the end of its band, or at `position` (clamped to the band), and return its id.

        Untrusted text is refused in the pinned and stable bands. `priority` (0 to 1) is advice for eviction and never moves
        a block. Empty text is allowed: such a block takes its place and is rendered once it has text. What is not
        `removable` only its author can evict. Without `band` and `trust`, a block is stable and trusted, or as near to it as
        an invite allows. A `position` inside a group becomes the nearer end of it. A tool is refused as tool_clash while
        another author's tool here has its name, in whatever case.
        """
        terms = self._actor.invite.terms
        block = Block(
            id=BlockId(""),
            name=name,
            text=text,
            band=(Band.STABLE if Band.STABLE in terms.bands else max(terms.bands, default=Band.VOLATILE))
            if band is None
            else band,
            role=role,
            required=required,
            trust=terms.trust if trust is None else trust,
            priority=priority,
            turn_key=turn_key,
            tool_calls=check_calls(tool_calls),
            tool_call_id=tool_call_id,
            source=Source.AGENT if self._actor.owner else terms.source,
            author=self._actor.id,
            removable=removable,
            run=run,
            tags=check_words(tags, "tags"),
            prefix=prefix,
            suffix=suffix,
            gated=gated,
            description=description,
            short=short,
            requires=check_words(requires, "requires"),
            tool=tool,
        )
        check_block(block)
        at = None if position is None else check_whole(position, "position")
        self._actor.check(Right.WRITE)
        step = self._step(run=run)
        block = replace(block, id=self._ledger.fresh_id(), priority=float(priority), created=step.at)
        with step:
            self._actor.check_write(block, self._ledger.order)
            step.write(block, write_place(self._ledger.order, self._ledger.span(block.band), at))
        return block.id

    def edit(
        self,
        block_id: BlockId,
        text: str | None = None,
        *,
        name: str | None = None,
        priority: float | None = None,
        required: bool | None = None,
        prefix: str | None = None,
        suffix: str | None = None,
        tags: Iterable[str] | None = None,
        description: str | None = None,
        short: str | None = None,
        gated: bool | None = None,
        expect: str | None = None,
    ) -> Block:
        """Change what is given and return the new block. Place, band, role and trust stay.

        Words (text, name, description, short, tags) can be changed by their author only, and only where an agent wrote them;
        the rest by the registry's owner too, but for prefix and suffix of what is irremovable, which count as words there. An
        untrusted guest gives no priority above 0.5. `expect` is the text you have read: when it is another by now, nothing is
        done (changed).
        """
        if expect is not None:
            check_text(expect, "expect")
        with self._step() as step:
            old = self.get(block_id)
            if expect is not None and old.text != expect:
                raise BlockError(
                    f"the text of {shown(old.name)} has changed since it was read.",
                    code="changed",
                    hint="Read it again and decide.",
                )
            new = replace(
                old,
                text=old.text if text is None else check_text(text, "text"),
                name=old.name if name is None else check_name(name),
                priority=old.priority if priority is None else check_priority(priority),
                required=old.required if required is None else check_flag(required, "required"),
                prefix=old.prefix if prefix is None else check_text(prefix, "prefix"),
                suffix=old.suffix if suffix is None else check_text(suffix, "suffix"),
                tags=old.tags if tags is None else check_words(tags, "tags"),
                description=old.description if description is None else check_text(description, "description"),
                short=old.short if short is None else check_text(short, "short"),
                gated=old.gated if gated is None else check_flag(gated, "gated"),
            )
            self._actor.check_edit(old, new, self._ledger.order)
            step.edit(new)
        return new

    def evict(self, block_id: BlockId, *, force: bool = False) -> Block:
        """Remove the block and return it as it was. What is not removable only its author may remove, with `force`."""
        check_flag(force, "force")
        with self._step() as step:
            block = self.get(block_id)
            self._actor.check_evict(block, force=force)
            step.evict(block)
        return block

    def promote(
        self,
        block_id: BlockId,
        *,
        steps: int | None = None,
        to: int | Literal["front", "back"] | None = None,
        before: BlockId | None = None,
        after: BlockId | None = None,
    ) -> int:
        """Move a block inside its band by exactly one directive, and return its new position there.

        `steps` moves it towards the front, `to` puts it at a position, `before` and `after` beside another block of the same
        band. Steps and positions are clamped to the band, and counted without the moving block. A member takes its whole
        group along, and no block ends inside a group: it goes past it.
        """
        one_directive(steps=steps, to=to, before=before, after=after)

        def wanted(block: Block, span: tuple[int, int], moving: tuple[int, int]) -> int:
            beside = None
            if before is not None or after is not None:
                other = self.get(before or after or BlockId(""))
                check_band(block, other, "before or after", banded=self._ledger.banded)
                beside = (self._ledger.place(other.id), after is not None)
            return goal(self._ledger.order, span, moving, steps=steps, to=to, beside=beside)

        return self._move(block_id, wanted)

    def demote(self, block_id: BlockId, steps: int = 1) -> int:
        """Move a block, or its group, `steps` places to the back of its band (clamped), and return its new position there."""
        return self._move(block_id, lambda _block, _span, moving: moving[0] + not_negative(steps))

    def reorder(self, block_ids: Sequence[BlockId]) -> None:
        """Put these blocks at the front of their band in this order; the others keep theirs behind them.

        Blocks of several bands may be given together when they are given band by band. Unknown or repeated ids are refused.
        A group goes where its first named member goes, its named members first.
        """
        with self._step() as step:
            named = self._all(block_ids)
            order = self._ledger.order
            groups = {block.group.name for block in named if block.group}
            moving = [*named, *(block for block in order if block.group and block.group.name in groups)]
            self._actor.check_move(moving)
            front = {block.id for block in moving}
            step.reorder(brought_forward(order, named, banded=self._ledger.banded), moving=front)

    def group(
        self, block_ids: Sequence[BlockId], *, name: str, gate_as_unit: bool = False, budget_as_unit: bool = False
    ) -> Group:
        """Make these blocks a group: they stand together behind the first of them, in the order given, and move as one.

        All are of one band, and in no other group. Called again for the same name it changes the group; all its members
        must be among those given. A guest's group of others' blocks is an order only, without the two flags. Raises
        `BlockError`: grouped, group_taken, band or duplicate.
        """
        group = Group(
            name=check_name(name),
            gate_as_unit=check_flag(gate_as_unit, "gate_as_unit"),
            budget_as_unit=check_flag(budget_as_unit, "budget_as_unit"),
        )
        with self._step() as step:
            members = self._all(block_ids)
            self._actor.check_group(members, group)
            check_group(self._ledger.order, members, name, banded=self._ledger.banded)
            place = self._ledger.place(members[0].id)
            for member in members[1:]:
                now = self._ledger.place(member.id)
                place += now > place
                step.move(now, now + 1, place)
            for member in members:
                step.edit(replace(member, group=group))
        return group

    def ungroup(self, name: str) -> None:
        """Dissolve the group; its blocks stay where they are. Raises `BlockError` (unknown_group)."""
        with self._step() as step:
            members = [block for block in self._seen() if block.group and block.group.name == name]
            if not members:
                there = list(dict.fromkeys(shown(block.group.name) for block in self._seen() if block.group))
                hint = (
                    f"There is {', '.join(there[:5])}." if there else "There is none yet: make one with group([...], name=...)."
                )
                raise BlockError(f"there is no group {shown(name)}.", place="name", code="unknown_group", hint=hint)
            self._actor.check_group(members, None)
            for member in members:
                step.edit(replace(member, group=None))

    def rollback(self, run: str) -> Rollback:
        """Remove every block that an agent wrote in this run. Seeds and an orchestrator's blocks stay, and so does the order.

        One's own go, irremovable or not; for the registry's owner, those of others too as far as they are removable.
        """
        with self._step(run=check_name(run, "run"), note=f"rollback of {run}") as step:
            self._actor.check(Right.WRITE)
            blocks = [block for block in self._seen() if block.run == run and block.source is Source.AGENT]
            goes = [self._actor.owns(block) or (self._actor.owner and block.removable) for block in blocks]
            for block in compress(blocks, goes):
                step.evict(block)
        kept = tuple(block.name for block, went in zip(blocks, goes, strict=True) if not went)
        return Rollback(run=run, removed=tuple(block.name for block in compress(blocks, goes)), kept=kept)

    def invite(
        self,
        *rights: Right,
        bands: Iterable[Band] | None = None,
        trust: Trust = Trust.UNTRUSTED,
        source: Source = Source.AGENT,
        blocks: int | None = None,
        characters: int | None = None,
    ) -> Invite:
        """Rights on this registry for another principal, who accepts them with `principal.accept(invite)`.

        `bands` (session and volatile unless given) and the highest `trust` bound what it writes; pinned among them also
        allows blocks that no budget and no gate leaves out. `blocks` and `characters` bound what it has here at a time. A
        handle can only grant what it has (wider). What it grants is untrusted unless you say otherwise: data, no turns, no tools.
        """
        self._actor.check()
        above = self._actor.invite
        terms = make_terms(rights, above.terms, bands=bands, trust=trust, source=source, blocks=blocks, characters=characters)
        return Invite(terms, bind=binder(self._ledger), parent=above)

    def revoke(self, invite: Invite) -> None:
        """End an invite that this handle gave, and all that were made from it: their handles can do nothing from now on."""
        if type(invite) is not Invite:
            raise BlockError(f"{shown(invite)} is not an Invite.", code="range", hint="Give what invite(...) returned.")
        with self._ledger.lock:
            invite.revoke(by=self._actor.invite)

    def _step(self, *, run: str | None = None, note: str = "") -> Step:
        return Step(self._ledger, actor=self._actor.id, run=run, note=note)

    def _move(self, block_id: BlockId, wanted: Callable[[Block, tuple[int, int], tuple[int, int]], int]) -> int:
        ledger = self._ledger
        with self._step() as step:
            block = self.get(block_id)
            now, span = ledger.place(block_id), ledger.span(block.band)
            moving = unit(ledger.order, now)
            self._actor.check_move(ledger.order[slice(*moving)])
            start = landing(ledger.order, span, moving, wanted(block, span, moving))
            step.move(*moving, start)
        return start + now - moving[0] - span[0]


def binder(ledger: Ledger) -> Callable[[str, Invite], Handle]:
    """What makes an accepted invite a handle on this ledger, for the author who accepted it."""
    return lambda author, invite: Handle(ledger, Actor(id=author, own=frozenset({author}), invite=invite))
