"""What makes a record findable: its passages, their words, and their vectors when there is an embedder.

Rule of this file: everything follows from the record alone, so that an index can be rebuilt or checked at any time. Names of
speakers and context go into neither words nor vectors; ranking knows who spoke and what stood next to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from muniment.errors import EmbedderError, ProviderError
from muniment.ports import Embedder
from muniment.shelf import Entry, Floats, term_hashes
from muniment.text.passages import passages
from muniment.text.terms import passage_terms
from muniment.types import Record, Role

EMBEDDED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Derived:
    """Entries of each record, in order. `note` says why vectors are missing, and is empty when none are."""

    entries: list[list[Entry]]
    note: str = ""


async def derive(records: Sequence[Record], embedder: Embedder | None) -> Derived:
    """Entries of `records`. A system record has none, being no evidence. An embedder that fails costs vectors, not words."""
    indexed = await asyncio.to_thread(_index, records)
    entries = [[entry for entry, _ in passages_of] for passages_of in indexed]
    if embedder is None:
        return Derived(entries)
    texts = list(dict.fromkeys(text for passages_of in indexed for _, text in passages_of if text.strip()))
    rows, note = await _embed(texts, embedder)
    with_vectors = [
        [replace(entry, vector=rows[text]) if text in rows else entry for entry, text in passages_of] for passages_of in indexed
    ]
    return Derived(with_vectors, note)


def _index(records: Sequence[Record]) -> list[list[tuple[Entry, str]]]:
    return [_passages(record) for record in records]


def _passages(record: Record) -> list[tuple[Entry, str]]:
    """The record's passages as entries without vectors, each with the text to embed."""
    if record.role is Role.SYSTEM:
        return []
    text = record.text
    if not text.strip():
        called = "\n".join(f"{call.name} {call.arguments}" for call in record.tool_calls)
        return [(Entry(start=0, end=len(text), terms=term_hashes(passage_terms(called))), called)]
    return [
        (Entry(start=start, end=end, terms=term_hashes(passage_terms(text[start:end]))), text[start:end])
        for start, end in passages(text)
    ]


async def _embed(texts: Sequence[str], embedder: Embedder) -> tuple[dict[str, Floats], str]:
    """Vectors by text, as far as the embedder gives good ones, and why it did not give them all."""
    rows: dict[str, Floats] = {}
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        batch = texts[start : start + EMBEDDED_AT_ONCE]
        try:
            found = np.asarray(await embedder.passages(batch))
            _check(found, len(batch), embedder.dim)
        except Exception as error:  # noqa: BLE001  # an embedder may be a stranger's code; its failure costs vectors, not words
            why = error.message if isinstance(error, ProviderError) else f"{type(error).__name__}."
            return rows, (
                f"{len(texts) - len(rows)} of {len(texts)} passages have no vector, since the embedder failed: {why} "
                "They are found by their words; `muniment doctor --repair` adds the vectors when it works again."
            )
        rows.update(zip(batch, found, strict=True))
    return rows, ""


def _check(rows: Floats, count: int, dim: int) -> None:
    if rows.shape != (count, dim):
        raise EmbedderError(f"it gave vectors of shape {rows.shape} instead of {(count, dim)}.")
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)  # in float32 the squares of huge numbers overflow
    if not (np.abs(lengths - 1) < 0.01).all():  # noqa: PLR2004  half precision
        raise EmbedderError("it gave vectors that are not of unit length.")
