"""The shelves of one read as one set of columns, laid out so that the entries of a conversation stand together.

Rule of this file: pure numpy, no loop over entries. Shelves stay apart where it matters: codes of two scopes never mix.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from muniment.shelf import NO_TIME, Floats, Hashes, Ints, Shelf
from muniment.types import Filter, Kind, Role, Scope

Bools = NDArray[np.bool_]
Scores = NDArray[np.float64]
Value = TypeVar("Value", bound=str)

ROLES = {role: code for code, role in enumerate(Role)}
KINDS = {kind: code for code, kind in enumerate(Kind)}
_APART = 1 << 32


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """Entries of all shelves. `order[i]` is where entry i of the layout stood when the shelves were read in turn.

    `places` is its inverse; both are None when nothing moved. `shelf` and `head` are in layout order. `talks` are the places
    where a conversation starts, `records` where a record does, and `talk` numbers each entry's conversation. `terms`, `bounds`
    and `vectors` are as the shelves had them, in reading order.
    """

    shelves: Sequence[Shelf]
    order: Ints | None
    places: Ints | None
    shelf: Ints
    head: NDArray[np.void]
    talks: Ints
    talk: Ints
    records: Ints
    terms: Hashes
    bounds: Ints
    vectors: Floats

    def __len__(self) -> int:
        return len(self.head)

    def cosines(self, vector: Floats) -> Scores:
        """Nearness in meaning of each entry to a unit vector of the same width; 0 for an entry without a vector."""
        values: Scores = (self.vectors @ vector).astype(np.float64)
        return values if self.order is None else values[self.order]

    def best_of_talk(self, values: Scores) -> Scores:
        """For each entry, the highest value in its conversation."""
        best: Scores = np.maximum.reduceat(values, self.talks)[self.talk]
        return best

    def lengths(self) -> Ints:
        """Terms in each entry, in layout order."""
        length: Ints = self.bounds[1:] - self.bounds[:-1]
        return length if self.order is None else length[self.order]

    def holds(self, field: str, wanted: Sequence[str]) -> Bools:
        """Entries whose speaker, conversation or agent (`field`) is one of these names."""
        ok = np.zeros(len(self), np.bool_)
        codes = self.head[field]
        for number, shelf in enumerate(self.shelves):
            names = {"conversation": shelf.conversations, "speaker": shelf.speakers, "agent": shelf.agents}[field]
            for code in (code for code, name in names.items() if name in wanted):
                ok |= (codes == code) & (self.shelf == number)
        return ok


def columns(shelves: Sequence[Shelf]) -> Columns:
    """Join shelves. One shelf whose conversations never interleave, the common case, is taken as it stands."""
    only = shelves[0] if len(shelves) == 1 else None
    head = only.head if only else np.concatenate([shelf.head for shelf in shelves])
    which = np.zeros(len(head), np.int64) if only else np.repeat(np.arange(len(shelves)), [len(shelf) for shelf in shelves])
    key = _talk_keys(head, which)
    begins = changes(key)
    talks = begins.nonzero()[0]
    order = None
    if len(set(key[talks].tolist())) < len(talks):
        order = np.argsort(key, kind="stable")
        head, which, key = head[order], which[order], key[order]
        begins = changes(key)
        talks = begins.nonzero()[0]
    return Columns(
        shelves=shelves,
        order=order,
        places=None if order is None else np.argsort(order, kind="stable"),
        shelf=which,
        head=head,
        talks=talks,
        talk=begins.cumsum() - 1,
        records=(begins | changes(head["seq"])).nonzero()[0],
        terms=only.terms if only else np.concatenate([shelf.terms for shelf in shelves]),
        bounds=only.bounds if only else _bounds(shelves),
        vectors=only.vectors if only else _vectors(shelves),
    )


def _talk_keys(head: NDArray[np.void], which: Ints) -> Ints:
    """A number per conversation of each shelf; a record of no conversation is one of its own."""
    key: Ints = head["conversation"].astype(np.int64)
    alone = key == 0
    if alone.any():
        key[alone] = _APART + head["seq"][alone].astype(np.int64)
    return key + which * (2 * _APART) if which[-1] else key


def changes(key: Ints) -> Bools:
    """Where the value differs from the one before; the first does."""
    change = np.ones(len(key), np.bool_)
    np.not_equal(key[1:], key[:-1], out=change[1:])
    return change


def _bounds(shelves: Sequence[Shelf]) -> Ints:
    shift = np.cumsum([0, *(len(shelf.terms) for shelf in shelves)])
    parts = [shelf.bounds[:-1] + s for shelf, s in zip(shelves, shift, strict=False)]
    return np.concatenate([*parts, shift[-1:]])


def _vectors(shelves: Sequence[Shelf]) -> Floats:
    """All vectors; a shelf that has none, or some of another width, gives rows of zeros."""
    width = max(shelf.vectors.shape[1] for shelf in shelves)
    return np.concatenate([s.vectors if s.vectors.shape[1] == width else np.zeros((len(s), width), np.float32) for s in shelves])


Places = Mapping[Scope, Collection[int]]
"""Records by scope and number."""


def allowed(found: Columns, where: Filter, only: Places | None = None) -> Bools | None:
    """Which entries may pass `where`, by the whole second, or None when it asks for nothing.

    A record without `said_at` passes no time bound. The columns know no metadata: `only` are the records that have what is asked.
    """
    if only is None and where == _EVERYTHING:
        return None
    head = found.head
    ok = np.ones(len(found), np.bool_)
    for field, wanted in (("conversation", where.conversation), ("speaker", where.speaker), ("agent", where.agent)):
        if wanted is not None:
            ok &= found.holds(field, _each(wanted))
    if where.role is not None:
        ok &= np.isin(head["role"], [ROLES[role] for role in _each(where.role)])
    if where.kind is not None:
        ok &= np.isin(head["kind"], [KINDS[kind] for kind in _each(where.kind)])
    if only is not None:
        ok &= np.logical_or.reduce(
            [(found.shelf == at) & np.isin(head["seq"], [*only.get(one.scope, ())]) for at, one in enumerate(found.shelves)]
        )
    if where.since is not None:
        ok &= head["said_at"] >= int(where.since.timestamp() // 1)
    if where.until is not None:
        ok &= (head["said_at"] < _ceil(where.until.timestamp())) & (head["said_at"] != NO_TIME)
    return ok


_EVERYTHING = Filter()


def _each(wanted: Value | tuple[Value, ...]) -> tuple[Value, ...]:
    return wanted if isinstance(wanted, tuple) else (wanted,)


def _ceil(seconds: float) -> int:
    return -int(-seconds // 1)
