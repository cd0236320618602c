"""The product as the decisions benchmark uses it: turns in, enrichment awaited, decisions and precedents out.

Rule of this file: what a caller could do, and nothing else; one store in memory, no embedder, the default architecture with the
kind `decision` shared up to the customer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b

from benchmarks.decisions_data import Talk
from muniment.architect import default_architecture
from muniment.curate.decisions import Decision, Decisions
from muniment.ingest.enrich import Enrichment
from muniment.ingest.rules import record_id
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import MemoryId
from muniment.ports import Store, Write
from muniment.providers.clock import SystemClock
from muniment.stores.memory import MemoryStore
from muniment.types import Kind, Record, Role, Scope

_NOW = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(slots=True)
class Product:
    """One store with its enrichment and its group of decisions."""

    store: Store
    work: Enrichment
    group: Decisions
    written: int = 0

    async def add(self, scope: Scope, talk: Talk) -> dict[str, int]:
        """Keep a talk's turns and wait for what is derived from them; the turn of each record."""
        records = [
            _record(
                scope, talk.id, turn.text, turn.said_at, role=Role(turn.role), speaker=turn.speaker or turn.role, number=number
            )
            for number, turn in enumerate(talk.turns)
        ]
        await self.store.put([Write(record=record, entries=(), enrich=True) for record in records])
        await self.work.wait(scope, [record.id for record in records])
        return {record.id: number for number, record in enumerate(records)}

    async def decisions(self, scope: Scope) -> Sequence[Decision]:
        """Every current decision of the scope."""
        return await self.group.list(scope, limit=200)

    async def share(self, scope: Scope, memory: MemoryId) -> None:
        """Make a decision a precedent for its customer."""
        await self.group.share(scope, memory, to="customer")

    async def precedents(self, scope: Scope, question: str) -> Sequence[Decision]:
        """What a user of `scope` gets as precedents."""
        return (await self.group.precedents(scope, question)).decisions


@asynccontextmanager
async def open_product() -> AsyncIterator[Product]:
    """A fresh product in memory."""
    store = MemoryStore()
    standard = default_architecture()
    kinds = tuple(replace(kind, share="customer") if kind.name == "decision" else kind for kind in standard.kinds)
    shared = replace(standard, kinds=kinds)

    async def architecture(_agent: str, _client: str | None) -> Architecture:
        return shared

    async def rules_of(_scope: Scope, _agent: str) -> Architecture:
        return shared

    async def remember(scope: Scope, text: str, *, agent: str = "default") -> Record:
        record = replace(_record(scope, "shared", text, _NOW, role=Role.USER, speaker="user", number=0), agent=agent)
        await store.put([Write(record=record, entries=())])
        return record

    clock = SystemClock()
    yield Product(store, Enrichment(store, clock=clock, architecture=architecture), Decisions(store, clock, remember, rules_of))
    await store.close()


def _record(scope: Scope, talk: str, text: str, at: datetime, *, role: Role, speaker: str, number: int) -> Record:
    digest = f"{scope!r}/{talk}/{number}/{text}".encode()
    return Record(
        id=record_id(_digest(digest)),
        scope=scope,
        text=text,
        role=role,
        kind=Kind.TURN,
        speaker=speaker,
        agent="default",
        recorded_at=at,
        said_at=at,
        conversation=talk,
    )


def _digest(told: bytes) -> bytes:
    return blake2b(told, digest_size=20).digest()
