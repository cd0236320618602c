"""Erasing: a target and all derived from it in one transaction, what a rebuild has staged of it included.

SQLite overwrites what is deleted; the log that still holds the old pages is emptied afterwards. The file's own account of an
erasure has a time and counts, never content. A scope that holds nothing any more leaves no row, and so no name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

import apsw

from muniment.ports import Target, Watch
from muniment.stores.rules import micros, utc
from muniment.stores.rules_knowledge import BESIDE, TABLES
from muniment.stores.sqlite_bodies import Place
from muniment.stores.sqlite_file import SQL, find, run, run_all, run_value
from muniment.stores.sqlite_forget import forget_records, forget_scope, tell
from muniment.stores.sqlite_read import below
from muniment.stores.sqlite_rows import MOST, SHIFT, rungs, span
from muniment.stores.sqlite_tidy import MOST_PAGES
from muniment.stores.sqlite_write import find_scope
from muniment.types import Erasure, Scope

_READ = "Another process still reads an older moment; until it is done, the log beside the file keeps the erased bytes."
_LARGE = "The file is so large that bytes SQLite moved about in it are not overwritten; VACUUM it to be rid of them."


@dataclass(slots=True)
class Erased:
    """What went: rows per table, and the scopes touched by number. `tidy` is False for a file too large to be tidied."""

    removed: Counter[str] = field(
        default_factory=lambda: Counter(dict.fromkeys(("record", "entry", "key", "label", "scope", *TABLES, *BESIDE), 0))
    )
    scopes: dict[int, Scope] = field(default_factory=dict)
    tidy: bool = True


def erase(connection: apsw.Connection, target: Target, at: datetime, watch: Watch | None = None) -> Erased:
    """Remove the target and note that it was done."""
    erased = Erased(tidy=connection.pragma("page_count") <= MOST_PAGES)
    if target.ids or target.conversation is not None:
        row = find_scope(connection, target.scope)
        places = _places(connection, row.no, target) if row else []
        if row and places:
            erased.scopes[row.no] = target.scope
            tell(connection, Place(row.no, target.scope), watch)
            for name in [run_value(connection, "record_name", place) for place in places]:
                erased.removed["feedback"] += _change(connection, "feedback_of_drop", *rungs(target.scope), name)
            if len(places) == run_value(connection, "records_in", *span(row.no)):  # not a count kept elsewhere: it may be wrong
                _erase_scope(connection, row.no, erased)
            else:
                forget_records(connection, Place(row.no, target.scope), places, removed=erased.removed, now=utc(at, "at"))
                _erase_records(connection, row.no, places, erased=erased)
                recount(connection, target.scope)
    else:
        erased.scopes.update(below(connection, target.scope))
        for no, scope in erased.scopes.items():
            tell(connection, Place(no, scope), watch)
            _erase_scope(connection, no, erased)
        erased.removed["access_key"] += _change(connection, "access_keys_drop", *rungs(target.scope))
        erased.removed["sharing_change"] += _change(connection, "sharing_drop", *rungs(target.scope))
        erased.removed["feedback"] += _change(connection, "feedback_drop", *rungs(target.scope))
        client = target.scope.client
        if client is not None and target.scope.rungs == (("client", client),):
            erased.removed["architecture"] += _change(connection, "architectures_drop", client)
    if erased.scopes or any(erased.removed[table] for table in BESIDE):
        counts = (erased.removed[table] for table in ("record", "entry", "label", "key", "memory", "entity"))
        run(connection, "erasure_add", micros(utc(at, "at")), len(erased.scopes), *counts)
    return erased


def receipt(erased: Erased, at: datetime, settled: bool) -> Erasure:
    """What is told of an erasure; `settled` says that the log holds none of it any more."""
    notes = tuple(note for note, holds in ((_READ, not settled), (_LARGE, not erased.tidy)) if holds)
    return Erasure(
        scopes=tuple(erased.scopes.values()),
        records=erased.removed["record"],
        removed=dict(erased.removed),
        at=at,
        clean=not notes,
        notes=notes,
    )


def recount(connection: apsw.Connection, scope: Scope) -> None:
    """Set the counts of a scope from what it holds, as a change that no kept shelf survives."""
    row = find_scope(connection, scope)
    if row is None:
        return
    counts = run_all(connection, "scope_counts", *span(row.no))[0]
    row.records, row.entries, row.vectors, row.text_bytes, row.entry_bytes, row.oldest, row.newest = counts
    row.generation += 1
    row.epoch = row.generation
    row.save(connection)


def drop_labels(connection: apsw.Connection, no: int, codes: Iterable[int]) -> int:
    """Remove those of these labels that no record of the scope has any more; returns how many."""
    unused = [code for code in codes if not run_value(connection, "label_in_use", no, code)]
    connection.executemany(SQL["label_drop"], [(no << SHIFT | code,) for code in unused])
    return len(unused)


def _places(connection: apsw.Connection, no: int, target: Target) -> list[int]:
    """Ids of the records meant. All that is given must hold."""
    named = {place for name in target.ids if (place := find(connection, "record_by_name", no, name)) is not None}
    if target.conversation is None:
        return sorted(named)
    code = find(connection, "label_by_name", no, "conversation", target.conversation)
    if code is None:
        return []
    of_it = {place for (place,) in run(connection, "records_of_conversation", no, code)}
    return sorted(of_it & named if target.ids else of_it)


def _erase_scope(connection: apsw.Connection, no: int, erased: Erased) -> None:
    forget_scope(connection, no, erased.removed)
    erased.removed["entry"] += _change(connection, "entries_drop", *span(no))
    _change(connection, "staged_range_drop", *span(no))
    _change(connection, "staging_drop", no)
    erased.removed["key"] += _change(connection, "keys_drop", no)
    erased.removed["record"] += _change(connection, "records_drop", *span(no))
    erased.removed["label"] += _change(connection, "labels_drop", *span(no))
    erased.removed["scope"] += _change(connection, "scope_drop", no)


def _erase_records(connection: apsw.Connection, no: int, places: list[int], *, erased: Erased) -> None:
    """Index rows are found by reading the scope's heads: no pointer is trusted where nothing may be left behind."""
    codes = {code for place in places for code in run_all(connection, "record_codes", place)[0]} - {0}
    seqs = {(place & MOST).to_bytes(4, "little") for place in places}
    for read, drop in (("entry_seqs", "entry_drop"), ("staged_seqs", "staged_drop")):
        gone = [(place,) for place, seq in run(connection, read, *span(no)) if seq in seqs]
        connection.executemany(SQL[drop], gone)
        erased.removed["entry"] += len(gone) if read == "entry_seqs" else 0
    _change(connection, "staging_recount", *span(no))
    for place in places:
        erased.removed["key"] += _change(connection, "keys_of_record_drop", place)
        erased.removed["record"] += _change(connection, "record_drop", place)
    erased.removed["label"] += drop_labels(connection, no, codes)


def _change(connection: apsw.Connection, statement: str, *values: object) -> int:
    run(connection, statement, *values)
    return connection.changes()
