"""The search index of a store as a whole: what new records get, whose vectors it holds, rebuilding it, and checking it.

Rule of this file: an index follows from its records and one embedder. Vectors of two models never mix.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.errors import EmbedderError, EmbedderMismatch
from muniment.ingest.derive import Derived, derive
from muniment.ports import Admin, Embedder
from muniment.shelf import Entry
from muniment.types import Finding, Record


class Index:
    """The index of one store, made with one embedder, or of words alone with none."""

    def __init__(self, store: Admin, embedder: Embedder | None) -> None:
        self._store = store
        self.embedder = embedder

    async def entries(self, records: Sequence[Record]) -> Derived:
        """Entries for new records. Raises EmbedderMismatch when the store holds vectors of another model."""
        if self.embedder:
            await self._store.adopt((self.embedder.identity, self.embedder.dim))
        return await derive(records, self.embedder)

    async def doctor(self, *, repair: bool) -> tuple[Finding, ...]:
        """What is wrong; with `repair` the index is rebuilt if anything is, or waits for a vector, and looked at again."""
        findings = tuple(await self._store.check(self._words))
        if not repair or (all(finding.ok for finding in findings) and not await self._waiting()):
            return findings
        await self.rebuild()
        return tuple(await self._store.check(self._words))

    async def rebuild(self) -> int:
        """Rebuild every entry from its record; returns how many. Raises EmbedderError with the old index untouched."""
        kept = (self.embedder.identity, self.embedder.dim) if self.embedder else None
        before = await self._store.embedder()
        if before and not kept and (await self._store.stats(None)).vectors:
            raise EmbedderMismatch(
                f"rebuilding without an embedder would drop the vectors of {before[0]}.",
                hint="Open the store with that embedder, or with another one.",
            )
        return await self._store.reindex(self._whole, kept)

    async def check_embedder(self, *, reembed: bool) -> None:
        """Refuse to mix the vectors of two models: raise EmbedderMismatch, or with `reembed` replace the old vectors."""
        kept = await self._store.embedder()
        if not self.embedder or kept in (None, (self.embedder.identity, self.embedder.dim)):
            return
        if not reembed:
            raise EmbedderMismatch(
                f"this store holds vectors of {kept[0]} ({kept[1]} dimensions), "
                f"but the embedder is {self.embedder.identity} ({self.embedder.dim} dimensions).",
                hint="Use the old embedder, or re-embed all with muniment.open(…, reembed=True) or `muniment doctor --repair`.",
            )
        await self.rebuild()

    async def _waiting(self) -> bool:
        """True when passages could have a vector and have none."""
        stats = await self._store.stats(None)
        return self.embedder is not None and stats.vectors < stats.entries

    async def _whole(self, records: Sequence[Record]) -> Sequence[Sequence[Entry]]:
        derived = await derive(records, self.embedder)
        if derived.note:
            raise EmbedderError(derived.note, hint="Nothing was changed. Try again when the embedder works.")
        return derived.entries

    async def _words(self, records: Sequence[Record]) -> Sequence[Sequence[Entry]]:
        return (await derive(records, None)).entries
