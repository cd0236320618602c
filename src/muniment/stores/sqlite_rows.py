"""Rows of the file store. A record's row carries a hash over every field, so that a changed byte is noticed, never believed.

An id is a scope's number shifted left by 24 bits, plus a number that counts within the scope.
"""

from __future__ import annotations

import apsw

from muniment.stores.rows import (
    MOST,
    Codes,
    Damaged,
    Packed,
    Value,
    entry_rows,
    record_digest,
    record_fields,
    record_of,
    rungs,
    within,
)
from muniment.stores.sqlite_file import SQL
from muniment.types import Record, Scope

SHIFT = 24

__all__ = ["MOST", "SHIFT", "Codes", "Damaged", "Packed", "entry_rows", "fetch", "numbered", "record_row", "rungs", "span"]


def span(no: int) -> tuple[int, int]:
    """The lowest and highest id of a scope."""
    return no << SHIFT, no << SHIFT | MOST


def numbered(no: int, number: int) -> int:
    """The id of a number within a scope. Raises StoreFull when the scope has no more numbers."""
    return no << SHIFT | within(number)


def record_row(record: Record, place: int, codes: Codes) -> tuple[Value, ...]:
    """The row of a record whose times are in UTC, to be kept at id `place`."""
    fields = record_fields(record, place)
    return (*fields[:6], *codes, *fields[9:], record_digest(record.scope, fields))


def fetch(connection: apsw.Connection, scope: Scope, place: int) -> Record | Damaged | None:
    """The record of `scope` at id `place`; None when there is none."""
    try:
        row = connection.execute(SQL["record_at"], (place,)).fetchone()
        if row is None:
            return None
        if record_digest(scope, row[:-1]) == row[-1]:
            return record_of(scope, row[:-1])
    except (apsw.CorruptError, UnicodeError, TypeError):
        pass  # bytes that are no page, no text, or a value of another type: damaged like those that fail the hash
    return Damaged(scope, place & MOST)
