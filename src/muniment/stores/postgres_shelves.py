"""Shelves read from the server, the recent ones kept in memory up to a number of bytes.

A kept shelf is given out only for the moment the reader sees: its generation must be the one kept, or its epoch, and then what
was appended since is read and added. So a write or erasure of any process shows in the next search.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import asyncpg
import numpy as np
from numpy.typing import NDArray

from muniment.errors import StoreUnusable
from muniment.shelf import HEAD, Shelf, unpack_vectors
from muniment.stores.postgres_link import Transaction, vectors_in
from muniment.types import Scope

CHUNK = 1 << 14  # entries read with one statement
NAME_BYTES = 150  # about what a name and its code take


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A scope as a reader sees it: which one, at which moment, and how far its numbers go."""

    scope: Scope
    no: int
    generation: int
    epoch: int
    last_entry: int
    last_label: int
    knowledge: bool
    dim: int

    @classmethod
    def of(cls, scope: Scope, row: asyncpg.Record, dim: int) -> View:
        """From a scope's row."""
        given = {name: row[name] for name in ("no", "generation", "epoch", "last_entry", "last_label", "knowledge")}
        return cls(scope=scope, dim=dim, **given)


class Parts(NamedTuple):
    """What a shelf is made of: one that was kept, which may be all there is, and rows that came behind it."""

    kept: _Kept | None
    entries: list[asyncpg.Record]
    labels: list[asyncpg.Record]


class _Kept(NamedTuple):
    view: View
    shelf: Shelf


class Shelves:
    """A bounded cache of shelves, least recently used out first. Safe to use from several threads."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._bytes = 0
        self._erasures = 0

    @property
    def erasures(self) -> int:
        """Grows when something was taken out for good: ask before a moment is fixed, and hand it to `shelf`."""
        return self._erasures

    @property
    def nbytes(self) -> int:
        """Memory the kept shelves take."""
        return self._bytes

    async def parts(self, tx: Transaction, view: View) -> Parts:
        """What must be read for the shelf of a scope at the reader's moment."""
        with self._lock:
            kept = self._kept.get(view.no)
            if kept:
                self._kept.move_to_end(view.no)
        if kept and ((kept.view.epoch, kept.view.dim) != (view.epoch, view.dim) or kept.view.generation > view.generation):
            kept = None
        if kept and kept.view.generation == view.generation:
            return Parts(kept, [], [])
        entry, label = (kept.view.last_entry, kept.view.last_label) if kept else (0, 0)
        labels = await tx.rows("labels_after", view.no, label) if view.last_label > label else []
        entries = [
            row
            for first in range(entry, view.last_entry, CHUNK)
            if (row := await tx.row("entries_joined", view.no, first, min(first + CHUNK, view.last_entry))) and row["count"]
        ]
        return Parts(kept, entries, labels)

    def shelf(self, view: View, parts: Parts, erasures: int) -> Shelf:
        """The shelf of these parts, kept for the next search unless something was erased meanwhile."""
        if parts.kept and parts.kept.view.generation == view.generation:
            return parts.kept.shelf
        shelf = _made(view, parts)
        with self._lock:
            known = self._kept.get(view.no)
            if erasures == self._erasures and not (known and known.view.generation > view.generation):
                self._bytes += _size(shelf) - (_size(known.shelf) if known else 0)
                self._kept[view.no] = _Kept(view, shelf)
                while self._bytes > self._most:
                    self._bytes -= _size(self._kept.popitem(last=False)[1].shelf)
        return shelf

    def drop(self, numbers: Iterable[int] | None = None) -> None:
        """Forget these scopes, or all, and whatever is being read of them at this moment."""
        with self._lock:
            self._erasures += 1
            for no in list(self._kept) if numbers is None else numbers:
                kept = self._kept.pop(no, None)
                self._bytes -= _size(kept.shelf) if kept else 0


def _made(view: View, parts: Parts) -> Shelf:
    blank = Shelf(
        scope=view.scope,
        generation=view.generation,
        head=np.zeros(0, HEAD),
        bounds=np.zeros(1, np.int64),
        terms=np.zeros(0, np.uint64),
        vectors=np.zeros((0, view.dim), np.float32),
        embedded=np.zeros(0, np.bool_),
        speakers={},
    )
    base = parts.kept.shelf if parts.kept else blank
    heads, terms, vectors, embedded, ends = [base.head], [base.terms], [base.vectors], [base.embedded], [base.bounds]
    for row in parts.entries:
        more = _columns(row, view.dim)
        heads.append(more[0])
        ends.append(more[1].cumsum() + ends[-1][-1])
        terms.append(more[2])
        vectors.append(more[3])
        embedded.append(more[4])
    names = {kind: dict(known) for kind, known in _names(base).items()}
    for label in parts.labels:
        names[label["kind"]][label["code"]] = label["name"].decode()
    shelf = Shelf(
        scope=view.scope,
        generation=view.generation,
        head=np.concatenate(heads),
        bounds=np.concatenate(ends),
        terms=np.concatenate(terms),
        vectors=np.concatenate(vectors),
        embedded=np.concatenate(embedded),
        speakers=names["speaker"],
        conversations=names["conversation"],
        agents=names["agent"],
    )
    for column in (shelf.head, shelf.bounds, shelf.terms, shelf.vectors, shelf.embedded):
        column.setflags(write=False)
    return shelf


def _names(shelf: Shelf) -> dict[str, dict[int, str]]:
    return {"speaker": dict(shelf.speakers), "conversation": dict(shelf.conversations), "agent": dict(shelf.agents)}


def _columns(row: asyncpg.Record, dim: int) -> tuple[NDArray[Any], ...]:
    """Heads, numbers of terms, terms, vectors, and which have one, of a stretch of entries."""
    count, lengths, has = row["count"], np.array(row["lengths"], np.int64), np.array(row["embedded"], np.bool_)
    try:
        known = unpack_vectors(vectors_in(row["vectors"] or b"", dim), dim)
    except ValueError as error:
        raise _unsound() from error
    if len(row["head"]) != count * HEAD.itemsize or len(row["terms"]) != lengths.sum() * 8 or len(known) != has.sum():
        raise _unsound()
    vectors = known
    if len(known) < count:
        vectors = np.zeros((count, dim), np.float32)
        vectors[has] = known
    terms = np.frombuffer(row["terms"], np.dtype("<u8")).astype(np.uint64, copy=False)
    return np.frombuffer(row["head"], HEAD), lengths, terms, vectors, has


def _unsound() -> StoreUnusable:
    return StoreUnusable(
        "the search index of this scope does not hold together.",
        code="index_damaged",
        hint="Rebuild it: run the doctor with repair.",
    )


def _size(shelf: Shelf) -> int:
    return shelf.nbytes + NAME_BYTES * (len(shelf.speakers) + len(shelf.conversations) + len(shelf.agents))
