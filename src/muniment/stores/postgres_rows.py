"""Rows of a PostgreSQL store: words as bytes, scopes by path, records by body, and the row of a scope.

Rule of this file: a word is found by its own bytes, or by a hash of them where they are too many for an index.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from hashlib import blake2b

import asyncpg

from muniment.stores.postgres_errors import Vanished
from muniment.stores.postgres_link import Transaction, path_of
from muniment.stores.rows import Damaged, Row, Value, kept_scope, record_digest, record_fields, record_of
from muniment.types import Record, RecordId, Scope

WORD = 256  # bytes of a word that stands in an index as it is
_HASHED = b"\xff"  # no UTF-8 begins with it

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def word(text: str) -> bytes:
    """What a text is found by. Raises UnicodeEncodeError for half a character, which is never kept."""
    whole = text.encode()
    return whole if len(whole) <= WORD else _HASHED + blake2b(whole, digest_size=32).digest()


def words(texts: Iterable[str]) -> list[bytes]:
    """The same of several, each once; those that hold half a character were never kept."""
    found: dict[bytes, None] = {}
    for text in texts:
        try:
            found[word(text)] = None
        except UnicodeEncodeError:
            continue
    return list(found)


def unword(row: asyncpg.Record) -> str:
    """The public id of a row with `name` and `body`, whatever has become of the body while the id is not too long."""
    name: bytes = row["name"]
    if not name.startswith(_HASHED):
        return name.decode()
    body = json.loads(row["body"])
    return str(body["id"] if isinstance(body, dict) else body[1])


def is_text(text: str) -> bool:
    """False for what holds half of a character, which was never kept."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def scope_at(path: str) -> Scope:
    """The scope of a path."""
    given = dict(part.split("=", 1) for part in path.split("/")[:-1])
    return kept_scope(given.get("client", ""), given.get("customer", ""), given.get("user", ""))


@dataclass(slots=True)
class ScopeRow:
    """The row of a scope that is locked, in the order of its columns; see the first migration for their meaning."""

    no: int
    path: str
    generation: int
    epoch: int
    last_seq: int
    last_entry: int
    last_label: int
    last_memory: int
    last_entity: int
    last_merge: int

    def changed(self, *, appended: bool) -> tuple[int, ...]:
        """What is written back as a new generation; unless something was only appended, no kept shelf survives."""
        self.generation += 1
        self.epoch = self.epoch if appended else self.generation
        no, _, *values = astuple(self)
        return no, *values


async def save(tx: Transaction, rows: Iterable[ScopeRow], *, appended: bool) -> None:
    """Write these scopes back as changed."""
    await tx.table("scope_save", [row.changed(appended=appended) for row in rows])


async def lock(tx: Transaction, scopes: Iterable[Scope], *, create: bool = False) -> dict[Scope, ScopeRow]:
    """The rows of these scopes, alone with them until the transaction ends; those that are not there are made or left out."""
    paths = {path_of(scope): scope for scope in scopes}
    found = [ScopeRow(*row) for row in await tx.rows("scopes_lock", list(paths))]
    missing = [path for path in paths if path not in {row.path for row in found}]
    if create and missing:
        await tx.change("scopes_add", missing)
        found += [ScopeRow(*row) for row in await tx.rows("scopes_lock", missing)]
        if len(found) < len(paths):
            raise Vanished
    return {paths[row.path]: row for row in found}


async def lineage_of(tx: Transaction, scope: Scope) -> dict[int, Scope]:
    """Number and scope of those of the lineage that hold anything, narrowest first."""
    numbers = {row["path"]: row["no"] for row in await tx.rows("scopes_of", [path_of(one) for one in scope.lineage])}
    return {numbers[path]: one for one in scope.lineage if (path := path_of(one)) in numbers}


async def number_of(tx: Transaction, scope: Scope) -> int | None:
    """The number of exactly this scope, if it holds anything."""
    return next((row["no"] for row in await tx.rows("scopes_of", [path_of(scope)])), None)


def record_body(record: Record, seq: int) -> tuple[bytes, bytes]:
    """The hash and the body of a record that is kept as number `seq`."""
    fields = record_fields(record, seq)
    return record_digest(record.scope, fields), _dumps(fields).encode()


def read_record(scope: Scope, row: asyncpg.Record) -> Record | Damaged:
    """The record of a row with `seq`, `hash` and `body`."""
    try:
        fields: Sequence[Value] = json.loads(row["body"])
        if fields[0] == row["seq"] and record_digest(scope, fields) == row["hash"]:
            return record_of(scope, tuple(fields))
    except (ValueError, TypeError, LookupError):
        pass  # no JSON, or none of a record: damaged like those that fail the hash
    return Damaged(scope, row["seq"])


def by_name(rows: Iterable[asyncpg.Record], lineage: Mapping[int, Scope]) -> dict[bytes, asyncpg.Record]:
    """Of rows with `scope` and `name`, for each name that of the narrowest scope."""
    depth = {no: place for place, no in enumerate(lineage)}
    return {row["name"]: row for row in sorted(rows, key=lambda row: depth[row["scope"]], reverse=True)}


async def numbers_of(tx: Transaction, no: int, names: Iterable[RecordId]) -> dict[RecordId, int]:
    """The numbers of those of these records that a scope holds."""
    asked = {word(name): name for name in names if is_text(name)}
    rows = await tx.rows("records_named", [no] * len(asked), list(asked))
    return {asked[row["name"]]: row["seq"] for row in rows}


def body_row(row: asyncpg.Record) -> Row:
    """Number, hash and body of a memory, an entity or a merge."""
    return row["seq"], row["hash"], row["body"]
