"""Records and entries made from few words, for tests of stores and of what reads them.

Rule of this file: everything follows from its arguments, so that two stores given the same calls hold the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from muniment.knowledge.values import Alias, Entity, EntityId, Evidence, Memory, MemoryId
from muniment.ports import Write
from muniment.shelf import Entry, term_hashes
from muniment.testing.fakes import NOON, hashed_vector
from muniment.types import Kind, Record, RecordId, Role, Scope

DIM = 8
WORDS = 6


def sample_record(scope: Scope, text: str = "The kettle is in the blue cupboard.", **changes: Any) -> Record:
    """A user's turn with an id that follows from scope and text. `changes` replace any field of Record."""
    record = Record(
        id=RecordId(blake2b(f"{scope!r}{text}".encode(errors="surrogatepass"), digest_size=8).hexdigest()),
        scope=scope,
        text=text,
        role=Role.USER,
        kind=Kind.TURN,
        speaker="Ana",
        agent="default",
        recorded_at=NOON,
    )
    return replace(record, **changes)


def sample_entries(text: str, *, dim: int = DIM, words: int = WORDS) -> list[Entry]:
    """Entries of about `words` words each that cover `text`, with hashed vectors of `dim` numbers, or none if `dim` is 0."""
    starts = [n for n, c in enumerate(text) if not c.isspace() and (n == 0 or text[n - 1].isspace())]
    cuts = [0, *starts[words::words], len(text)]
    return [
        Entry(
            start=start,
            end=end,
            terms=term_hashes(text[start:end].casefold().split()),
            vector=hashed_vector(text[start:end], dim) if dim else None,
        )
        for start, end in pairwise(cuts)
    ]


def sample_write(
    scope: Scope, text: str = "The kettle is in the blue cupboard.", *, key: str | None = None, dim: int = DIM, **changes: Any
) -> Write:
    """A write of `sample_record` with its `sample_entries`."""
    record = sample_record(scope, text, **changes)
    return Write(record=record, entries=sample_entries(record.text, dim=dim), key=key)


def sample_memory(scope: Scope, *texts: str, **changes: Any) -> Memory:
    """What Ana told in the records of these texts, with an id that follows from scope and the first. `changes` replace fields."""
    memory = Memory(
        id=MemoryId(blake2b(f"memory{scope!r}{texts[0]}".encode(), digest_size=8).hexdigest()),
        scope=scope,
        kind="fact",
        text=texts[0],
        subject="Ana",
        recorded_at=NOON,
        evidence=tuple(sample_evidence(scope, text) for text in texts),
        agent="default",
    )
    return replace(memory, **changes)


def sample_evidence(scope: Scope, text: str) -> Evidence:
    """The whole of the record of this text."""
    return Evidence(record=sample_record(scope, text).id, start=0, end=len(text), said_at=NOON, speaker="Ana")


def sample_entity(scope: Scope, names: Mapping[str, Sequence[str]], **changes: Any) -> Entity:
    """A person by these names, each with the texts of the records that say it; the id follows from scope and the first."""
    first = next(iter(names))
    aliases = tuple(
        Alias(text=name, count=len(texts), evidence=tuple(sample_evidence(scope, text) for text in texts))
        for name, texts in names.items()
    )
    entity = Entity(
        id=EntityId(blake2b(f"entity{scope!r}{first}".encode(), digest_size=8).hexdigest()),
        scope=scope,
        name=first,
        kind="person",
        aliases=aliases,
        keys=tuple(f"name:{name.casefold()}" for name in names),
        first_seen=NOON,
        last_seen=NOON,
    )
    return replace(entity, **changes)


async def sample_derive(records: Sequence[Record]) -> list[list[Entry]]:
    """The entries `sample_write` gives to these records: what a store's check and reindex call."""
    return [sample_entries(record.text) for record in records]
