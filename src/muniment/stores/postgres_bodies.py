"""Rows of memories, entities and merges: what is looked up in columns, the whole as a body, and a hash over it.

Rule of this file: what links a row to others says exactly what its body says; a body whose hash fails is never believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import asyncpg

from muniment.knowledge.values import Entity, Memory, Merge
from muniment.stores.bodies import entity_body, entity_of, memory_body, memory_of, merge_body, merge_of
from muniment.stores.postgres_link import Transaction
from muniment.stores.postgres_rows import body_row, word, words
from muniment.stores.rows import body_digest, memory_columns, read_entity, read_memory
from muniment.stores.rules import micros
from muniment.stores.rules_knowledge import namers, proofs, ties_of
from muniment.types import Scope


class Place(NamedTuple):
    """A scope and its number."""

    no: int
    scope: Scope


def memories_in(scope: Scope, rows: Iterable[asyncpg.Record]) -> list[Memory]:
    """The memories of these rows but the damaged ones."""
    return [found for row in rows if isinstance(found := read_memory(scope, body_row(row)), Memory)]


def entities_in(scope: Scope, rows: Iterable[asyncpg.Record]) -> list[Entity]:
    """The entities of these rows but the damaged ones."""
    return [found for row in rows if isinstance(found := read_entity(scope, body_row(row)), Entity)]


def memory_row(memory: Memory) -> tuple[object, ...]:
    """What a memory is looked up by, in the order of its columns."""
    name, kind, status, subject, slot, digest, *rest = memory_columns(memory)
    return (word(str(name)), word(str(kind)), status, word(str(subject)), word(str(slot)), word(str(digest)), *rest)


async def write_memories(tx: Transaction, at: Place, memories: Sequence[tuple[Memory, int]]) -> list[Memory]:
    """Keep each under its number, with what it is found by. Returns them as they are kept."""
    kept, rows = [], []
    for memory, seq in memories:
        body = memory_body(memory)
        one = memory_of(at.scope, seq, body)
        kept.append(one)
        rows.append((at.no, seq, *memory_row(one), body_digest(at.scope, seq, body.encode()), body.encode()))
    await tx.table("memory_write", list({row[1]: row for row in rows}.values()))
    await _link(tx, "evidence_write", at, {one.seq: words(proofs(one)) for one in kept})
    await _link(tx, "ties_write", at, {one.seq: words(ties_of(one)) for one in kept})
    return kept


async def _link(tx: Transaction, statement: str, at: Place, links: Mapping[int, Sequence[bytes]]) -> None:
    """Let exactly these words lead to each row."""
    if links:
        pairs = [(seq, word) for seq, some in links.items() for word in some]
        await tx.change(statement, at.no, list(links), [seq for seq, _ in pairs], [word for _, word in pairs])


async def write_memory_body(tx: Transaction, at: Place, memory: Memory) -> None:
    """Keep a memory that differs in nothing it is looked up by."""
    body = memory_body(memory).encode()
    await tx.change("memory_body_write", at.no, memory.seq, body_digest(at.scope, memory.seq, body), body)


async def write_entities(tx: Transaction, at: Place, entities: Sequence[tuple[Entity, int]]) -> list[Entity]:
    """Keep each under its number, with what it is found by. Returns them as they are kept."""
    kept, rows = [], []
    for entity, seq in entities:
        body = entity_body(entity)
        one = entity_of(at.scope, seq, body)
        kept.append(one)
        merged = None if one.merged_into is None else word(one.merged_into)
        digest = body_digest(at.scope, seq, body.encode())
        rows.append((at.no, seq, word(one.id), micros(one.last_seen), merged, digest, body.encode()))
    await tx.table("entity_write", list({row[1]: row for row in rows}.values()))
    await _link(tx, "naming_write", at, {one.seq: words(namers(one)) for one in kept})
    await _link(tx, "entity_keys_write", at, {one.seq: words(one.keys) for one in kept})
    return kept


async def write_merges(tx: Transaction, at: Place, merges: Sequence[tuple[Merge, int]]) -> list[Merge]:
    """Keep each under its number. Returns them as they are kept."""
    kept, rows = [], []
    for merge, seq in merges:
        body = merge_body(merge)
        one = merge_of(at.scope, body)
        kept.append(one)
        digest = body_digest(at.scope, seq, body.encode())
        rows.append((at.no, seq, word(one.id), word(one.kept), word(one.other), digest, body.encode()))
    await tx.table("merge_write", list({row[1]: row for row in rows}.values()))
    return kept
