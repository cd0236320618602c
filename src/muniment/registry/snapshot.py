"""A registry as it stood at one moment, to go back to, to keep in a file, or to put up elsewhere.

Rules of this file: a snapshot is a value; only this file makes one that can be restored, or reads one whose seal its owner's
secret made, so that nobody can invent authors, sources or counts. A restore brings back what may be brought back: what others
wrote and made irremovable stays as it is now.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cache
from itertools import pairwise
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from muniment.errors import BlockError, FormatError, shown
from muniment.registry.checks import check_block
from muniment.registry.journal import content_hash
from muniment.registry.ledger import Ledger, Step
from muniment.registry.principals import Actor, Principal, check_principal
from muniment.text import strict_json
from muniment.types import Block, BlockId

VERSION: Final = 1
"""Of the JSON form."""

_KIND: Final = "registry snapshot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Order, all fields, groups and access counts of a registry, at its `version`. Keep it in a variable: that is a checkpoint.

    `owner` is the id of the principal whose registry it was, and `registry` tells that one from all others, in this process and
    the next. Texts are shared with the registry, so it costs little.
    """

    owner: str
    banded: bool
    version: int
    blocks: tuple[Block, ...] = field(repr=False)
    accesses: tuple[int, ...] = field(repr=False)
    registry: str = field(default="", repr=False)
    _genuine: bool = field(default=False, init=False, repr=False, compare=False)

    @property
    def hashes(self) -> tuple[str, ...]:
        """A hash of what each block says and is, in order: the same in every registry it is restored into."""
        return tuple(content_hash(block) for block in self.blocks)

    def to_json(self, principal: Principal) -> str:
        """The snapshot as JSON, with every text and block id, sealed by its owner, who is `principal` (else BlockError: seal).

        The seal proves that somebody with the owner's secret made this text as it is, and nothing else: not that the authors it
        names wrote those words, for whoever has the secret can seal any; not that it is the latest; and it hides nothing.
        """
        _check_genuine(self)
        if check_principal(principal).id != self.owner:
            raise _unsealed("only the owner of a registry can seal its snapshots.")
        rows = [{"block": _plain(b), "accesses": n} for b, n in zip(self.blocks, self.accesses, strict=True)]
        content = {"owner": self.owner, "banded": self.banded, "version": self.version, "blocks": rows}
        content["registry"] = self.registry
        whole = {"kind": _KIND, "schema": VERSION, "seal": _seal(principal, content), "content": content}
        return json.dumps(whole, ensure_ascii=False, indent=1)


def take(ledger: Ledger, owner: str) -> Snapshot:
    """The registry as it stands."""
    with ledger.lock:
        blocks = ledger.blocks
        counts = tuple(ledger.accesses(block.id) for block in blocks)
        taken = Snapshot(
            owner=owner, banded=ledger.banded, version=ledger.version, blocks=blocks, accesses=counts, registry=ledger.key
        )
        return _genuine(taken)


def read_snapshot(text: str, principal: Principal, *, place: str = "") -> Snapshot:
    """A snapshot that `principal` sealed. Raises FormatError for what is none, BlockError (seal) for a foreign or broken seal."""
    if not isinstance(text, str):
        raise _unfit(f"this is {type(text).__name__}, not text.", place, hint="Give a str: bytes are decoded as UTF-8 first.")
    whole = strict_json.loads(text, place=place)
    if not isinstance(whole, dict) or whole.get("kind") != _KIND:
        raise _unfit("this is not a snapshot of a registry.", place)
    if type(whole.get("schema")) is not int or whole["schema"] != VERSION:
        raise _unfit(f"schema {shown(whole.get('schema'))} of snapshots is not known; {VERSION} is.", place)
    content, seal = whole.get("content"), whole.get("seal")
    if not isinstance(content, dict) or not isinstance(seal, str):
        raise _unfit("its content or its seal is missing.", place)
    if unknown := whole.keys() - {"kind", "schema", "seal", "content"}:
        raise _unfit(f"{shown(min(unknown))} does not belong here.", place)
    if not check_principal(principal)._sealed_snapshot(_bytes(content), seal):  # noqa: SLF001  # made for this file alone
        raise _unsealed("this snapshot was changed, or was not sealed by this principal.")
    kept: _Content = _read(content, _Content, place or "snapshot")
    blocks = tuple(check_block(row.block) for row in kept.blocks)
    counts = tuple(row.accesses for row in kept.blocks)
    if len({block.id for block in blocks}) != len(blocks) or min(counts, default=0) < 0:
        raise _unfit("two of its blocks share an id, or a count is below 0.", place)
    read = Snapshot(
        owner=kept.owner, banded=kept.banded, version=kept.version, blocks=blocks, accesses=counts, registry=kept.registry
    )
    return _genuine(read)


def restore(ledger: Ledger, actor: Actor, snapshot: Snapshot) -> Mapping[BlockId, BlockId]:
    """Make the registry what the snapshot says, as one step, and return which new id stands for which id of the snapshot.

    Restored blocks get new ids and keep author, source, run and access count. What others wrote and made irremovable is not
    restored but stays, with its id and words: at its place in the snapshot when it is there, else at the end of its band. When
    the snapshot is of this very registry, what of it is gone by now was taken away by its author, and stays away.
    Raises BlockError: seal for a snapshot made by hand, band for an order that this registry's bands forbid.
    """
    _check_genuine(snapshot)
    if ledger.banded and not _in_bands(snapshot.blocks):
        raise BlockError(
            "the order of this snapshot keeps no bands, and this registry does.",
            code="band",
            hint="Restore it into a Registry(banded=False).",
        )
    new = _minted(ledger, snapshot.blocks)
    with Step(ledger, actor=actor.id, note=f"restore of version {snapshot.version}") as step:
        staying = [block for block in ledger.blocks if not block.removable and not actor.owns(block)]
        found = _found(snapshot.blocks, staying)
        new |= {old: block.id for old, block in found.items()}
        if snapshot.registry == ledger.key:
            for block in snapshot.blocks:
                if not (block.removable or actor.owns(block) or block.id in found):
                    del new[block.id]
        blocks = [block for block in snapshot.blocks if block.id in new]
        step.become(merged(blocks, new, staying, banded=ledger.banded))
        fresh = (pair for pair in zip(snapshot.blocks, snapshot.accesses, strict=True) if pair[0].id not in found)
        ledger.recount({new[block.id]: count for block, count in fresh if block.id in new})
    return new


def branch(source: Ledger, target: Ledger, *, actor: str) -> None:
    """Write what stands in `source` into `target`, which is empty, as its first step: fresh ids, all else and the counts kept.

    Texts are shared; what it costs is a new block and its change in the journal, some 10 µs each.
    """
    snapshot = take(source, actor)
    new = _minted(target, snapshot.blocks)
    copies = [replace(block, id=new[block.id]) for block in snapshot.blocks]
    with Step(target, actor=actor, note="fork") as step:
        for place, block in enumerate(copies):
            step.write(block, place)
        target.recount({block.id: count for block, count in zip(copies, snapshot.accesses, strict=True)})


def _minted(ledger: Ledger, blocks: Sequence[Block]) -> dict[BlockId, BlockId]:
    new = {block.id: ledger.fresh_id() for block in blocks}
    if len(set(new.values())) != len(new):
        raise BlockError("the id source gave an id twice.", code="id_taken", hint="Give ids that never repeat.")
    return new


def _found(blocks: Sequence[Block], staying: Sequence[Block]) -> dict[BlockId, Block]:
    """Which staying block is which of the snapshot's: by id, and after an earlier restore by author, name and band."""
    free = {block.id: block for block in staying}
    found = {block.id: free.pop(block.id) for block in blocks if block.id in free}
    for block in blocks:
        if block.id not in found:
            twins = (b for b in free.values() if (b.author, b.name, b.band) == (block.author, block.name, block.band))
            if (twin := next(twins, None)) is not None:
                found[block.id] = free.pop(twin.id)
    return found


def merged(blocks: Sequence[Block], new: Mapping[BlockId, BlockId], staying: Sequence[Block], *, banded: bool) -> list[Block]:
    """The snapshot's blocks under their new ids, with what stays as it is; groups are the snapshot's."""
    left = {block.id: block for block in staying}
    out = [
        replace(stays, group=block.group)
        if (stays := left.pop(new[block.id], None))
        else block
        if new[block.id] == block.id
        else replace(block, id=new[block.id])
        for block in blocks
    ]
    taken = {block.group.name for block in out if block.group}
    out += [replace(block, group=None) if block.group and block.group.name in taken else block for block in left.values()]
    return sorted(out, key=lambda block: block.band) if banded else out


def _in_bands(blocks: Sequence[Block]) -> bool:
    return all(one.band <= other.band for one, other in pairwise(blocks))


def _genuine(snapshot: Snapshot) -> Snapshot:
    object.__setattr__(snapshot, "_genuine", True)  # what replace(...) and the constructor cannot set
    return snapshot


def _check_genuine(snapshot: object) -> None:
    if not isinstance(snapshot, Snapshot) or not snapshot._genuine:  # noqa: SLF001  # this file's own mark
        raise _unsealed("this is no snapshot that a registry made.")


def _unsealed(message: str) -> BlockError:
    return BlockError(message, code="seal", hint="Take it with snapshot(), and read its JSON with its owner's principal.")


def _unfit(message: str, place: str, *, hint: str = "Write it with Snapshot.to_json.") -> FormatError:
    return FormatError(message, place=place, code="snapshot_invalid", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    block: Block
    accesses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    owner: str
    banded: bool
    version: int
    blocks: tuple[_Row, ...]
    registry: str = ""


def _seal(principal: Principal, content: object) -> str:
    return principal._seal_snapshot(_bytes(content))  # noqa: SLF001  # made for this file alone


def _bytes(content: object) -> bytes:
    """One spelling for the seal, however the file is laid out."""
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.name.lower()
    if is_dataclass(value):
        return {f.name: _plain(part) for f in fields(value) if (part := getattr(value, f.name)) != f.default}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value + 0.0 if isinstance(value, float) else value  # -0.0 is read back as plain zero


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(value: object, kind: Any, place: str) -> Any:
    """`value` as the type `kind` of a field says; what is missing takes the field's default."""
    kind = getattr(kind, "__supertype__", kind)
    if get_origin(kind) in (Union, UnionType):
        return None if value is None else _read(value, next(k for k in get_args(kind) if k is not type(None)), place)
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(_read(part, get_args(kind)[0], f"{place}[{n}]") for n, part in enumerate(value))
    if is_dataclass(kind) and isinstance(kind, type) and isinstance(value, dict) and value.keys() <= _hints(kind).keys():
        return _read_fields(value, kind, place)
    return _read_one(value, kind, place)


def _read_one(value: object, kind: Any, place: str) -> object:
    if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(value, str) and value.upper() in kind.__members__:
        return kind[value.upper()]
    if kind is datetime and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError as error:
            raise _unfit(f"{shown(value)} is not a time.", place) from error
    if type(value) is kind:
        return value
    raise _unfit(f"{shown(value)} does not belong here.", place)


def _read_fields(value: Mapping[str, object], kind: type, place: str) -> object:
    hints = _hints(kind)
    missing = [f.name for f in fields(kind) if f.name not in value and f.default is MISSING]
    if missing:
        raise _unfit(f"{missing[0]} is missing.", place)
    return kind(**{key: _read(part, hints[key], f"{place}.{key}") for key, part in value.items()})
