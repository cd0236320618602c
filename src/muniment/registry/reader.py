"""What a handle shows of a registry: blocks by id, name and tag, in order, as far as it may see them.

Rule of this file: nothing here changes anything, and what a handle may not see is answered like what is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from muniment.errors import BlockError
from muniment.registry.checks import check_words
from muniment.registry.ledger import Ledger
from muniment.registry.principals import Actor, Right
from muniment.registry.single import Single
from muniment.types import Block, BlockId


def _check_id(value: object) -> None:
    if not isinstance(value, str):
        hint = "This is a block: give block.id." if isinstance(value, Block) else "Give one id, a str that write returned."
        raise BlockError("no block has this id.", code="unknown_block", hint=hint)


class Reader(Single):
    """The reading half of a handle. What it returns is immutable, and a copy of it is itself."""

    __slots__ = ("_actor", "_ledger")

    def __init__(self, ledger: Ledger, actor: Actor) -> None:
        self._ledger = ledger
        self._actor = actor

    @property
    def author(self) -> str:
        """What stands as author on the blocks this handle writes: the public id of its principal."""
        return self._actor.id

    @property
    def banded(self) -> bool:
        """Whether bands are kept."""
        return self._ledger.banded

    @property
    def version(self) -> int:
        """How many changes were made so far, by anyone."""
        return self._ledger.version

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order, as they are now; later changes do not show in it. Takes the right to READ."""
        self._actor.check(Right.READ)
        return self._ledger.blocks

    def __len__(self) -> int:
        return len(self.blocks)

    def __bool__(self) -> bool:
        return True  # whatever stands in it, and whether or not it may be read

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __contains__(self, block_id: object) -> bool:
        self._actor.check()
        block = self._ledger.by_id.get(BlockId(block_id)) if isinstance(block_id, str) else None
        return block is not None and self._actor.sees(block)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} by {self._actor.invite!r}>"

    def get(self, block_id: BlockId) -> Block:
        """The block with this id. Raises `BlockError`: unknown_block, or ambiguous when it is a name that several blocks bear."""
        self._actor.check()
        _check_id(block_id)
        with self._ledger.lock:
            block = self._ledger.by_id.get(block_id)
        if block is not None and self._actor.sees(block):
            return block
        count = len(self.named(block_id))
        if count > 1:
            raise BlockError(
                f"this is a name, and {count} blocks bear it.",
                code="ambiguous",
                hint="Pick one: named(...) lists them in order, and each has its id.",
            )
        hint = "This is a name; take the id from named(...)[0].id." if count else "Use an id that write returned."
        raise BlockError("no block has this id.", code="unknown_block", hint=hint)

    def named(self, name: str) -> tuple[Block, ...]:
        """Every block of this name, in order; empty when there is none. Names need not be unique."""
        return tuple(block for block in self._seen() if block.name == name)

    def tagged(self, *, any: Iterable[str] = (), all: Iterable[str] = ()) -> tuple[Block, ...]:  # noqa: A002  # the plainest words
        """Every block with all tags of `all` and, when `any` names some, at least one of those; in order. No tags, no blocks."""
        some, every = frozenset(check_words(any, "any")), frozenset(check_words(all, "all"))
        if not some and not every:
            return ()
        return tuple(b for b in self._seen() if every.issubset(b.tags) and (not some or not some.isdisjoint(b.tags)))

    def accesses(self, block_id: BlockId) -> int:
        """How many compiles have put the block into a prompt."""
        with self._ledger.lock:
            return self._ledger.accesses(self.get(block_id).id)

    def _all(self, block_ids: Iterable[BlockId]) -> list[Block]:
        """The blocks with these ids, in the order given."""
        if isinstance(block_ids, str) or not isinstance(block_ids, Iterable):
            raise BlockError(
                "this is no list of block ids.", place="block_ids", code="range", hint="Give a list, also of one: [block.id]."
            )
        return [self.get(block_id) for block_id in block_ids]

    def _owned(self) -> tuple[Ledger, Actor]:
        """The state and its owner, for what only an owner can do: the one way to it, whatever handle a verb is called on."""
        if not self._actor.owner:
            raise BlockError(
                "only the registry's owner may do that.",
                code="not_allowed",
                hint="Ask the owner, or call it on a registry of yours.",
            )
        return self._ledger, self._actor

    def _seen(self) -> Sequence[Block]:
        self._actor.check()
        blocks = self._ledger.blocks
        if Right.READ in self._actor.invite.terms.rights:
            return blocks
        return tuple(block for block in blocks if self._actor.owns(block))
