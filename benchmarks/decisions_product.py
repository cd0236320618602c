"""The product as the decisions benchmark uses it: turns in, enrichment awaited, decisions and precedents out.

Rule of this file: what a caller could do, and nothing else; one store in memory, no embedder, the default architecture with the
kind `decision` shared up to the customer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import muniment
from benchmarks.decisions_data import Talk
from muniment.architect import default_architecture
from muniment.curate.decisions import Decision, Decisions
from muniment.engine import Engine
from muniment.knowledge.values import MemoryId
from muniment.types import Role, Scope, Turn


@dataclass(slots=True)
class Product:
    """An engine and its group of decisions, under an architecture that shares them."""

    engine: Engine
    group: Decisions

    async def add(self, scope: Scope, talk: Talk) -> dict[str, int]:
        """Keep a talk's turns and wait for what is derived from them; the turn of each record."""
        turns = [
            Turn(text=t.text, role=Role(t.role), speaker=t.speaker, said_at=t.said_at, key=f"{talk.id}/{n}")
            for n, t in enumerate(talk.turns)
        ]
        receipt = await self.engine.ingest(scope, turns, conversation=talk.id)
        await self.engine.work.wait(scope, receipt.ids)
        return {item.id: number for number, item in enumerate(receipt.items) if item.id is not None}

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
    standard = default_architecture()
    kinds = tuple(replace(kind, share="customer") if kind.name == "decision" else kind for kind in standard.kinds)
    async with muniment.open("memory://", embedder=None) as engine:
        await engine.architecture.apply(replace(standard, kinds=kinds))
        yield Product(engine, engine.decisions)
