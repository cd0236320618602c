"""Who acts on a registry, and what it may do there.

Rules of this file: a handle is made of two halves, and neither side can make the other's. The registry gives the rights (an
`Invite`), the principal gives the identity (its secret, of which only a hash is ever seen). Decisions are pure: they raise
`BlockError` before anything has changed, and what a principal may not see is answered like what is not there.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Final, final
from uuid import uuid4

from muniment.errors import BlockError, shown
from muniment.registry.checks import check_member, check_text
from muniment.registry.reports import printable
from muniment.registry.single import Single
from muniment.types import Band, Block, Group, Role, Source, Trust

if TYPE_CHECKING:
    from muniment.registry.handle import Handle

SECRET_BYTES: Final = 16
"""Bytes that a secret needs at least."""

DEPTH: Final = 64
"""Invites that can be made one from the other."""

GUEST_PRIORITY: Final = 0.5
"""The highest priority that an untrusted guest can give."""


class Right(StrEnum):
    """What a handle may do in a registry that is not its principal's."""

    READ = "read"
    """See the blocks of others. Without it a handle sees its own."""
    WRITE = "write"
    """Write blocks, edit its own, and evict its own and what is removable."""
    MOVE = "move"
    """Move its own blocks."""
    ARRANGE = "arrange"
    """Move and group any block of its bands, and so put a block before one that it requires.

    It takes the owner to have blocks of others pass a gate or fit a budget as a unit, or to change or dissolve such a group.
    """


@final
class Principal(Single):
    """An author. The same secret is the same author, in every process; without one, a new author is made.

    `id` is a public hash and stands on every block it writes. Keep the secret (16 bytes at least) where keys are kept.
    """

    __slots__ = ("_id", "_name", "_secret")

    def __init__(self, name: str = "", *, secret: bytes | None = None) -> None:
        self._name = check_text(name, "name")
        self._secret = uuid4().bytes + uuid4().bytes if secret is None else _check_secret(secret)
        self._id = sha256(b"muniment principal\0" + self._secret).hexdigest()[:32]

    @property
    def id(self) -> str:
        """The public hash of its secret."""
        return self._id

    @property
    def name(self) -> str:
        """What its maker calls it; for readers only."""
        return self._name

    def accept(self, invite: Invite) -> Handle:
        """A handle on the registry that issued the invite, which writes in this principal's name."""
        if type(invite) is not Invite:  # nothing else is shown a principal
            raise BlockError(f"{shown(invite)} is not an Invite.", code="range", hint="Ask for one: registry.invite(...).")
        return invite.accept(self)

    def _seal_snapshot(self, content: bytes) -> str:
        """A keyed digest of a snapshot's content that only this principal's secret can make."""
        return hmac.digest(self._secret, b"muniment registry snapshot\0" + content, "sha256").hex()

    def _sealed_snapshot(self, content: bytes, seal: str) -> bool:
        """Whether this principal made the seal, of exactly this content."""
        return hmac.compare_digest(self._seal_snapshot(content).encode(), seal.encode("utf-8", "replace"))

    def __repr__(self) -> str:
        return f"<Principal {printable(self._name)}>" if self._name else "<Principal>"


def check_principal(value: object) -> Principal:
    """Return `value` if it is a Principal: exactly that, for a class of one's own could tell any id."""
    if type(value) is not Principal:
        raise BlockError(
            f"{shown(value)} is not a Principal.",
            place="principal",
            code="range",
            hint="Make one: Principal(name), or Principal(name, secret=…) to be the same after a restart.",
        )
    return value


def _check_secret(value: object) -> bytes:
    if not isinstance(value, bytes) or len(value) < SECRET_BYTES:
        raise BlockError(
            f"a secret is at least {SECRET_BYTES} bytes.", place="secret", code="secret", hint="Use secrets.token_bytes(32)."
        )
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What an invite grants: rights, and for what is written its bands, highest trust, source, and room.

    Who is untrusted can write data only: no words of the user or the assistant, and no tools.

    `blocks` and `characters` bound what the invited have standing in the registry together; None is no bound.
    """

    rights: frozenset[Right]
    bands: frozenset[Band] = frozenset({Band.SESSION, Band.VOLATILE})
    trust: Trust = Trust.UNTRUSTED
    source: Source = Source.AGENT
    blocks: int | None = None
    characters: int | None = None

    def within(self, other: Terms) -> bool:
        """Whether these terms grant nothing that `other` does not."""
        return (
            self.rights <= other.rights
            and self.bands <= other.bands
            and (self.trust is Trust.UNTRUSTED or other.trust is Trust.TRUSTED)
            and (self.source is Source.AGENT or self.source is other.source)
            and _fits(self.blocks, other.blocks)
            and _fits(self.characters, other.characters)
        )


ALL_TERMS: Final = Terms(rights=frozenset(Right), bands=frozenset(Band), trust=Trust.TRUSTED, source=Source.ORCHESTRATOR)
"""What the owner of a registry may grant."""


def _fits(part: int | None, whole: int | None) -> bool:
    return whole is None or (part is not None and part <= whole)


def make_terms(
    rights: Iterable[Right | str],
    within: Terms,
    *,
    bands: Iterable[Band] | None,
    trust: Trust,
    source: Source,
    blocks: int | None,
    characters: int | None,
) -> Terms:
    """Terms as asked for, bounded by `within` where nothing was asked. Raises `BlockError`: range, or wider."""
    granted = frozenset(_right(right) for right in rights)
    asked = Terms(
        rights=granted,
        bands=Terms(rights=granted).bands & within.bands if bands is None else _bands(bands),
        trust=check_member(trust, Trust, "trust"),
        source=check_member(source, Source, "source"),
        blocks=within.blocks if blocks is None else _room(blocks, "blocks"),
        characters=within.characters if characters is None else _room(characters, "characters"),
    )
    if source is Source.SEED or (source is Source.ORCHESTRATOR and trust is Trust.UNTRUSTED):
        raise BlockError(
            f"an invite cannot make the invited write {trust.value} text as {source.value}.",
            place="source",
            code="range",
            hint="Source.AGENT always works; Source.ORCHESTRATOR needs trust=Trust.TRUSTED.",
        )
    if not asked.within(within):
        raise BlockError(
            "this invite would grant more than its giver has.",
            code="wider",
            hint="Leave out what the giver cannot do itself, or ask the registry's owner.",
        )
    return asked


def _right(value: object) -> Right:
    if value not in list(Right):
        raise BlockError(f"{shown(value)} is not a right.", place="rights", code="range", hint=f"Use some of {', '.join(Right)}.")
    return Right(str(value))


def _bands(value: object) -> frozenset[Band]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BlockError(
            f"{shown(value)} is not a list of bands.", place="bands", code="range", hint="Give a list: bands=[Band.SESSION]."
        )
    return frozenset(check_member(band, Band, "bands") for band in value)


def _room(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BlockError(f"{shown(value)} is not a number of {place}.", place=place, code="range", hint="Give a whole number.")
    return value


@final
class Invite(Single):
    """Rights on a registry for whoever accepts it. Pass it on only to those who shall have them; its giver can revoke it."""

    __slots__ = ("_authors", "_bind", "_parent", "_revoked", "_terms")

    def __init__(self, terms: Terms, *, bind: Callable[[str, Invite], Handle], parent: Invite | None = None) -> None:
        if parent is not None and len(parent._authors) > DEPTH:  # noqa: SLF001  # its own kind
            raise BlockError(
                f"this invite would be the {DEPTH + 1}th that was made one from the other.",
                code="range",
                hint="Ask somebody nearer to the registry's owner for an invite.",
            )
        self._terms = terms
        self._bind, self._parent, self._revoked = bind, parent, False
        self._authors: tuple[set[str], ...] = (set(), *(parent._authors if parent else ()))  # noqa: SLF001  # its own kind

    @property
    def terms(self) -> Terms:
        """What it grants."""
        return self._terms

    @property
    def revoked(self) -> bool:
        """Whether it, or an invite it came from, was revoked."""
        return self._revoked or (self._parent is not None and self._parent.revoked)

    def comes_from(self, other: Invite) -> bool:
        """Whether it was made by a handle of the other invite, or of one that came from that."""
        return self._parent is not None and (self._parent is other or self._parent.comes_from(other))

    def accept(self, principal: Principal) -> Handle:
        """A handle with these rights that writes in the principal's name."""
        check_principal(principal)
        if self.revoked:
            raise revoked()
        for authors in self._authors:
            authors.add(principal.id)
        return self._bind(principal.id, self)

    def revoke(self, *, by: Invite) -> None:
        """End it and all that came from it. `by` is an invite that it came from."""
        if not self.comes_from(by):
            raise BlockError(
                "this invite was not given by this handle.", code="not_owner", hint="Ask the registry's owner to revoke it."
            )
        self._revoked = True

    def check_room(self, blocks: Sequence[Block], new: Block) -> None:
        """Raise `BlockError` (quota) when `new` beside `blocks` is more than this invite or one above it has room for."""
        limits = (self._terms.blocks, self._terms.characters)
        if limits != (None, None):
            standing = [block for block in blocks if block.author in self._authors[0] and block.id != new.id] + [new]
            used = (len(standing), sum(map(characters, standing)))
            for limit, use, what in zip(limits, used, ("blocks", "characters"), strict=True):
                if limit is not None and use > limit:
                    raise BlockError(
                        f"this would be {use:,} {what}; the invite has room for {limit:,}.",
                        code="quota",
                        hint="Evict or shorten what is no longer needed, or ask for a wider invite.",
                    )
        if self._parent is not None:
            self._parent.check_room(blocks, new)

    def __repr__(self) -> str:
        rights = ", ".join(right.value for right in Right if right in self._terms.rights)
        return f"<{'Revoked invite' if self.revoked else 'Invite'} to {rights or 'nothing'}>"


_DATA: Final = (Role.SYSTEM, Role.DOCUMENT)  # roles whose untrusted text is framed as data wherever it stands


def characters(block: Block) -> int:
    """Characters of every text a block was given."""
    texts = [block.text, block.name, block.prefix, block.suffix, block.description, block.short, *block.tags, *block.requires]
    texts += [block.turn_key or "", block.tool_call_id or "", block.run or ""]
    if block.tool is not None:
        texts += [block.tool.name, block.tool.description, block.tool.parameters]
    for call in block.tool_calls:
        texts += [call.id, call.name, call.arguments]
    return sum(map(len, texts))


def revoked() -> BlockError:
    """The error of a handle whose invite was revoked."""
    return BlockError("this invite was revoked.", code="revoked", hint="Ask the registry's owner for a new one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who acts through a handle: `id` is stamped as author, blocks of the authors in `own` are its own.

    `owner` marks the registry's owner, who may do all but touch what others made irremovable.
    """

    id: str
    own: frozenset[str]
    invite: Invite
    owner: bool = False

    def owns(self, block: Block) -> bool:
        """Whether the block is its own."""
        return block.author in self.own

    def sees(self, block: Block) -> bool:
        """Whether it may know of the block."""
        return Right.READ in self.invite.terms.rights or self.owns(block)

    def check(self, *rights: Right) -> None:
        """Raise unless the invite stands and grants one of `rights`; with none given, that it stands is enough."""
        if self.invite.revoked:
            raise revoked()
        if rights and not self.invite.terms.rights.intersection(rights):
            raise BlockError(
                f"this handle may not do that; it takes the right to {' or '.join(rights)}.",
                code="not_allowed",
                hint="Ask the registry's owner for an invite with this right.",
            )

    def check_write(self, block: Block, blocks: Sequence[Block]) -> None:
        """Raise unless it may write `block`, or have it after an edit, beside `blocks`."""
        self.check(Right.WRITE)
        if block.tool is not None:
            _check_tool_name(block, block.tool.name, blocks)
        if self.owner:
            return
        terms = self.invite.terms
        if block.band not in terms.bands:
            raise _refused(f"this handle may not write in the {block.band.name} band.", "band")
        if block.trust is Trust.TRUSTED and terms.trust is Trust.UNTRUSTED:
            raise _refused("what this handle writes is untrusted.", "trust")
        if terms.trust is Trust.UNTRUSTED and (block.tool is not None or block.role not in _DATA):
            raise _refused(
                "through this handle nobody speaks in a conversation or offers tools.", "tool" if block.tool else "role"
            )
        self._check_optional(required=block.required, gated=block.gated)
        self._check_priority(block.priority)
        self.invite.check_room(blocks, block)

    def check_edit(self, old: Block, new: Block, blocks: Sequence[Block]) -> None:
        """Raise unless it may make `new` of `old`: words by their author and only an agent's, the rest by the owner too.

        What stands around a text (prefix and suffix) counts among the words when the block is irremovable.
        """
        self.check(Right.WRITE)
        if not self.owns(old) and not (self.owner and self.may_say(old, new)):
            raise not_owner(old, "change")
        if old.source is not Source.AGENT and words(old) != words(new):
            raise BlockError(
                f"the {old.source.value} block {shown(old.name)} cannot be edited.",
                code="read_only",
                hint="Put a prefix or suffix around it, or evict it and write another.",
            )
        if not self.owner:
            self._check_optional(required=new.required and not old.required, gated=new.gated or not old.gated)
            self._check_priority(new.priority, had=old.priority)
            if characters(new) > characters(old):
                self.invite.check_room(blocks, new)

    def _check_optional(self, *, required: bool, gated: bool) -> None:
        if Band.PINNED not in self.invite.terms.bands and (required or not gated):
            raise _refused("a block of this handle must be one that may be left out.", "required" if required else "gated")

    def _check_priority(self, priority: float, *, had: float = GUEST_PRIORITY) -> None:
        if self.invite.terms.trust is Trust.UNTRUSTED and priority > max(had, GUEST_PRIORITY):
            raise _refused(f"through this handle no block gets a priority above {GUEST_PRIORITY}.", "priority")

    def may_say(self, old: Block, new: Block) -> bool:
        """Whether `new` in the place of `old` puts no words into the mouth of another, nor takes any out of it."""
        around = old.removable or (old.prefix, old.suffix) == (new.prefix, new.suffix)
        return self.owns(old) or (around and words(old) == words(new))

    def check_evict(self, block: Block, *, force: bool) -> None:
        """Raise unless it may evict the block."""
        self.check(Right.WRITE)
        if not self.owns(block):
            self._check_band(block)
            if not block.removable:
                raise not_owner(block, "evict")
        elif not block.removable and not force:
            raise BlockError(
                f"the block {shown(block.name)} by {block.author} is not removable.",
                code="force_needed",
                hint="You are its author: evict(..., force=True) takes it away all the same.",
            )

    def check_move(self, unit: Sequence[Block]) -> None:
        """Raise unless it may move these blocks."""
        self.check(Right.MOVE, Right.ARRANGE)
        for block in unit:
            if not self.owns(block):
                if not self.sees(block):
                    raise _refused("the group of this block has members of others.", "group")
                if Right.ARRANGE not in self.invite.terms.rights:
                    raise not_owner(block, "move")
                self._check_band(block)

    def check_group(self, members: Sequence[Block], group: Group | None) -> None:
        """Raise unless it may make these blocks this group, or none."""
        self.check_move(members)
        foreign = [] if self.owner else [block for block in members if not self.owns(block)]
        if foreign and any(map(_binding, (group, *(block.group for block in foreign)))):
            raise BlockError(
                "it takes the registry's owner to bind blocks of others to a gate or a budget as a unit, or to free them of it.",
                place="gate_as_unit or budget_as_unit",
                code="not_allowed",
                hint="Group them without, group your own blocks only, or ask the owner.",
            )

    def _check_band(self, block: Block) -> None:
        if block.band not in self.invite.terms.bands:
            raise _refused(f"this handle may change nothing of others in the {block.band.name} band.", "band")


def _binding(group: Group | None) -> bool:
    """Whether a group is more than an order."""
    return group is not None and (group.gate_as_unit or group.budget_as_unit)


def _check_tool_name(new: Block, name: str, blocks: Sequence[Block]) -> None:
    """Two tools of one name cannot both be offered, and nobody shall take away another's by a twin of it."""
    for block in blocks:
        if block.tool is not None and block.author != new.author and block.tool.name.casefold() == name.casefold():
            raise BlockError(
                f"another author offers a tool {shown(block.tool.name)} here.",
                place="tool.name",
                code="tool_clash",
                hint="Give yours a name of its own, for example with its server's name in front.",
            )


def words(block: Block) -> tuple[object, ...]:
    """What a block says, as against where it stands and how it is treated."""
    return (block.text, block.name, block.description, block.short, block.tags, block.requires)


def not_owner(block: Block, verb: str) -> BlockError:
    """The error of touching what only its author may touch."""
    return BlockError(
        f"only its author may {verb} the block {shown(block.name)}, and that is {block.author or 'unknown'}.",
        code="not_owner",
        hint="Ask its author, or leave it out of what you compile.",
    )


def _refused(message: str, place: str) -> BlockError:
    return BlockError(message, place=place, code="not_allowed", hint="Ask the registry's owner for a wider invite.")
