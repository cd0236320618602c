"""Shelves read from the file, the recent ones kept in memory up to a number of bytes.

A kept shelf is given out only for the moment the reader sees: its scope's epoch must be the one it was read at, and what
was appended since is read and added. So a write or erasure of any process shows in the next search.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from muniment.errors import StoreUnusable
from muniment.shelf import HEAD, Shelf, unpack_vectors
from muniment.stores.sqlite_file import damaged, run_all
from muniment.stores.sqlite_rows import SHIFT
from muniment.types import Scope

CHUNK = 1 << 14  # entries read with one statement
LARGE_BLOCK = 8 << 20
NAME_BYTES = 150  # about what a name and its code take
_KINDS = ("speaker", "conversation", "agent")


@dataclass(frozen=True, slots=True)
class View:
    """A scope as a reader sees it: which one, at which moment, and how far its numbers go."""

    scope: Scope
    no: int
    generation: int
    epoch: int
    last_entry: int
    last_label: int
    entries: int
    knowledge: int  # 1 when the scope holds a memory
    dim: int = field(kw_only=True)


class Shelves:
    """A bounded cache of shelves, least recently used out first. Safe to use from several threads."""

    def __init__(self, most_bytes: int, *, chunk: int = CHUNK) -> None:
        keep_freed_blocks()
        self._most = most_bytes
        self._chunk = chunk
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[_Columns, int]] = OrderedDict()
        self._bytes = 0
        self._erasures = 0

    @property
    def nbytes(self) -> int:
        """Memory the kept shelves take."""
        return self._bytes

    @property
    def erasures(self) -> int:
        """Grows when something was taken out for good: ask before a moment is fixed, and hand it to `shelf`."""
        return self._erasures

    def shelf(self, connection: apsw.Connection, view: View, erasures: int) -> Shelf:
        """The shelf of a scope at the reader's moment."""
        with self._lock:
            kept = self._kept.get(view.no)
            if kept:
                self._kept.move_to_end(view.no)
        columns = kept[0] if kept else _Columns(view, self._chunk)
        shelf = columns.at(connection, view)
        if shelf is None:  # it was kept at another epoch, or a later moment
            columns = _Columns(view, self._chunk)
            shelf = columns.at(connection, view)
            assert shelf is not None
        self._keep(view.no, columns, erasures)
        return shelf

    def drop(self, numbers: Iterable[int] | None = None) -> None:
        """Forget these scopes, or all, and whatever is being read of them at this moment."""
        with self._lock:
            self._erasures += 1
            for no in list(self._kept) if numbers is None else numbers:
                self._bytes -= self._kept.pop(no, (None, 0))[1]

    def _keep(self, no: int, columns: _Columns, erasures: int) -> None:
        size = columns.nbytes
        with self._lock:
            known, taken = self._kept.get(no, (columns, 0))
            if erasures != self._erasures or known.generation > columns.generation:
                return
            self._bytes += size - taken
            self._kept[no] = (columns, size)
            while self._bytes > self._most:
                self._bytes -= self._kept.popitem(last=False)[1][1]


def keep_freed_blocks() -> None:
    """Let the C library keep freed blocks of some megabytes for the next search.

    Handed back to the system, every page of a shelf is faulted in anew, which measured up to twice the time of a search. glibc
    learns from the largest block freed so far; elsewhere this does nothing. No page of the block is touched.
    """
    np.empty(LARGE_BLOCK, np.uint8)


class _Column:
    """An array that grows at its end. What was given out before stays as it was: nothing below its length is ever written."""

    def __init__(self, rows: NDArray[Any]) -> None:
        self._rows = rows
        self._length = len(rows)

    def __len__(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        return self._rows.nbytes

    def grow(self, more: NDArray[Any]) -> None:
        if not self._length:
            self._rows, self._length = more, len(more)
            return
        if not len(more):  # the first rows are kept as they came, and those may not be written to
            return
        length = self._length + len(more)
        if length > len(self._rows):
            room = np.empty((length + length // 2, *self._rows.shape[1:]), self._rows.dtype)
            room[: self._length] = self._rows[: self._length]
            self._rows = room
        self._rows[self._length : length] = more
        self._length = length

    def read(self) -> NDArray[Any]:
        rows = self._rows[: self._length]
        rows.flags.writeable = False
        return rows


class _Columns:
    """The columns of one scope, read up to an entry and a label number."""

    def __init__(self, view: View, chunk: int) -> None:
        self._lock = threading.Lock()
        self._chunk = chunk
        self._epoch = view.epoch
        self._dim = view.dim
        self._last_entry = self._last_label = 0
        self._head = _Column(np.zeros(0, HEAD))
        self._bounds = _Column(np.zeros(1, np.int64))
        self._terms = _Column(np.zeros(0, np.uint64))
        self._vectors = _Column(np.zeros((0, view.dim), np.float32))
        self._embedded = _Column(np.zeros(0, np.bool_))
        self._names: dict[str, dict[int, str]] = {kind: {} for kind in _KINDS}
        self._shelf: Shelf | None = None
        self._whole = True

    @property
    def nbytes(self) -> int:
        columns = (self._head, self._bounds, self._terms, self._vectors, self._embedded)
        return sum(column.nbytes for column in columns) + NAME_BYTES * sum(map(len, self._names.values()))

    @property
    def generation(self) -> int:
        return self._shelf.generation if self._shelf else 0

    def at(self, connection: apsw.Connection, view: View) -> Shelf | None:
        """The shelf at this moment, or None when these columns are of another epoch or a later moment, or were left half-read."""
        with self._lock:
            shelf = self._shelf
            if shelf and shelf.generation == view.generation and self._dim == view.dim:
                return shelf
            later = shelf is not None and shelf.generation > view.generation
            if later or not self._whole or (view.epoch, view.dim) != (self._epoch, self._dim):
                return None
            self._whole = False
            self._read_labels(connection, view)
            self._read_entries(connection, view)
            shelf = self._made(view)
            if len(shelf) != view.entries:
                raise _unsound()
            self._shelf, self._whole = shelf, True
            return shelf

    def _read_labels(self, connection: apsw.Connection, view: View) -> None:
        if view.last_label > self._last_label:
            first, last = (view.no << SHIFT | number for number in (self._last_label, view.last_label))
            names = {kind: dict(known) for kind, known in self._names.items()}
            for code, kind, name in run_all(connection, "labels_after", first, last):
                if kind not in names or not isinstance(name, str):
                    raise damaged()
                names[kind][code] = name
            self._names = names
            self._last_label = view.last_label

    def _read_entries(self, connection: apsw.Connection, view: View) -> None:
        while self._last_entry < view.last_entry:
            upto = min(self._last_entry + self._chunk, view.last_entry)
            first, last = (view.no << SHIFT | number for number in (self._last_entry, upto))
            row = run_all(connection, "entries_joined", first, last)[0]
            if row[0]:
                self._grow(*row)
            self._last_entry = upto

    def _grow(self, count: int, embedded: int, head: bytes, terms: bytes, vectors: bytes | None, *rest: str | None) -> None:
        lengths, flags = rest
        ends = np.fromstring(lengths or "", np.int64, sep=",").cumsum()
        vectors = vectors or b""
        expected = (count * HEAD.itemsize, ends[-1] * 8 if len(ends) == count else -1, embedded * self._dim * 2)
        if (len(head), len(terms), len(vectors)) != expected:
            raise _unsound()
        has = np.ones(count, np.bool_) if flags is None else np.array(flags.split(",")) == "1"
        rows = unpack_vectors(vectors, self._dim)
        if embedded < count:
            known, rows = rows, np.zeros((count, self._dim), np.float32)
            rows[has] = known
        self._head.grow(np.frombuffer(head, HEAD))
        self._bounds.grow(ends + len(self._terms))
        self._terms.grow(np.frombuffer(terms, np.dtype("<u8")).astype(np.uint64, copy=False))
        self._vectors.grow(rows)
        self._embedded.grow(has)

    def _made(self, view: View) -> Shelf:
        return Shelf(
            scope=view.scope,
            generation=view.generation,
            head=self._head.read(),
            bounds=self._bounds.read(),
            terms=self._terms.read(),
            vectors=self._vectors.read(),
            embedded=self._embedded.read(),
            speakers=self._names["speaker"],
            conversations=self._names["conversation"],
            agents=self._names["agent"],
        )


def _unsound() -> StoreUnusable:
    return StoreUnusable(
        "the search index of this scope does not hold together.",
        code="index_damaged",
        hint="Rebuild it: run the doctor with repair.",
    )
