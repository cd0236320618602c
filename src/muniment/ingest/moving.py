"""Moving a whole store into another, and the proof that it arrived: of each scope the same count of each kind, with one digest.

Rule of this file: it speaks to ports alone, so that any two stores can be a pair. Nothing is read again, and what is there
already stays, so that a move that was stopped is done again whole.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Protocol

from muniment.ingest.formats.export import Moved
from muniment.ingest.formats.spelled import spelled
from muniment.ingest.step import Deriving, Taking, restore
from muniment.ingest.transfer import Transfer
from muniment.knowledge.values import AppliedArchitecture, Entity, Feedback, Kept, Memory, Merge, SharingChange, WorkState
from muniment.ports import Keys, Records, Shelved
from muniment.types import ItemReceipt, Receipt, Record

ARCHITECTURES = "architectures"
_KINDS: tuple[tuple[type[object], str], ...] = (
    (AppliedArchitecture, ARCHITECTURES),
    (SharingChange, "sharing"),
    (Memory, "memories"),
    (Entity, "entities"),
    (Merge, "merges"),
    (Feedback, "feedback"),
    (Record, "records"),
    (Kept, "records"),
)
_WHOLE = 1 << 128


class Store(Records, Shelved, Keys, Protocol):
    """What a move asks of a store beside a transfer."""


@dataclass(slots=True)
class Sum:
    """What of a scope was counted, by kind, and a digest of all of it, in whatever order it came."""

    counts: Counter[str] = field(default_factory=Counter)
    digest: int = 0

    def add(self, kind: str, item: Moved) -> None:
        """Count an item."""
        self.counts[kind] += 1
        text = json.dumps([kind, spelled(_at_rest(item))], sort_keys=True, ensure_ascii=False)
        self.digest = (self.digest + int.from_bytes(blake2b(text.encode(), digest_size=16).digest())) % _WHOLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What came of a move: a receipt per item, how many of each kind the old store holds, and the scopes that differ, told."""

    receipt: Receipt
    held: Counter[str]
    differs: tuple[str, ...]


async def move(source: tuple[Store, Transfer], target: tuple[Store, Transfer], *, derive: Deriving) -> Move:
    """Move all that the source holds, keys of access included, and compare what both hold then."""
    (old, giving), (new, taking) = source, target

    async def quietly(items: Iterable[Moved | ItemReceipt] | AsyncIterable[Moved | ItemReceipt], take: Taking) -> Receipt:
        return await restore(items, store=new, derive=derive, take=take)  # what waits to be read waits there too

    receipt = await replace(taking, restore_records=quietly).restore(giving.export(sealed=True))
    sums, theirs = await sums_of(giving), await sums_of(taking)
    keys = await old.keys()
    for key in keys:
        await new.keep_key(key)
    here = {key.credential.id: key for key in await new.keys()}
    differs = [_difference(name, one, theirs.get(name, Sum())) for name, one in sums.items() if one != theirs.get(name)]
    if any(here.get(key.credential.id) != key for key in keys):
        differs.append("keys: one of the same id is another there.")
    held = sum((one.counts for one in sums.values()), Counter(keys=len(keys)))
    return Move(receipt=receipt, held=held, differs=tuple(differs))


async def sums_of(transfer: Transfer) -> dict[str, Sum]:
    """Of each scope, and of the architectures, what a store holds."""
    sums: defaultdict[str, Sum] = defaultdict(Sum)
    async for item in transfer.export(sealed=True):
        kind = next(name for kinds, name in _KINDS if isinstance(item, kinds))
        sums[kind if isinstance(item, AppliedArchitecture) else str(_scope_of(item))].add(kind, item)
    return dict(sums)


def _scope_of(item: Record | Kept | SharingChange | Memory | Entity | Merge | Feedback) -> object:
    return item.record.scope if isinstance(item, Kept) else item.scope


def _at_rest(item: Moved) -> Moved:
    """The item as it is when nobody is at work: what was being read waits again."""
    if isinstance(item, Kept) and item.work is not None and item.work.state is WorkState.PROCESSING:
        return replace(item, work=replace(item.work, state=WorkState.QUEUED, retry_at=None))
    return item


def _difference(name: str, one: Sum, other: Sum) -> str:
    kinds = sorted({*one.counts, *other.counts})
    told = [
        f"{one.counts[kind]} {kind} here, {other.counts[kind]} there" for kind in kinds if one.counts[kind] != other.counts[kind]
    ]
    return f"{name}: {'; '.join(told) or 'the same number, but not the same'}."
