"""Retrieval as it would be had nothing been derived: what the quality benchmarks compare memories with, in the same run."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from benchmarks.harness import Answer
from muniment.bundle import Bundle
from muniment.engine import Engine
from muniment.knowledge.values import EntityPage, Memory, MemoryPage
from muniment.retrieve.asking import Asked, Means
from muniment.retrieve.step import retrieve
from muniment.retrieve.weights import Weights
from muniment.types import RecordId, Scope

ALONE = "records alone"
GAIN = "memories' gain"


def with_option(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser with `--no-memories`."""
    parser.add_argument(
        "--no-memories", dest="memories", action="store_false", help="wait for no enrichment, and rank records alone"
    )
    return parser


class _NothingDerived:
    """Memories of a store in which there are none."""

    async def proved_by(self, *_: object) -> Mapping[RecordId, Sequence[Memory]]:
        return {}

    async def memories(self, *_: object, **__: object) -> MemoryPage:
        return MemoryPage(memories=())

    async def entities(self, *_: object, **__: object) -> EntityPage:
        return EntityPage(entities=())


async def retrieve_alone(
    engine: Engine, scope: Scope, query: str, *, limit: int, weights: Weights | None = None, meaning: bool = True
) -> Bundle:
    """What `engine.retrieve` answers where no memory joins the records; with other weights, or without meaning."""
    means = Means(
        records=engine.store,
        memories=_NothingDerived(),  # type: ignore[arg-type]  # the reads that tell that nothing was derived are enough
        embedder=engine.index.embedder if meaning else None,
        tokens=engine.tokens,
        weights=weights or engine.weights,
        now=engine.clock.now(),
    )
    return await retrieve(query, scope=scope, asked=Asked(limit=limit), means=means)


def gains(joined: Sequence[Answer], alone: Sequence[Answer]) -> list[Answer]:
    """Question by question, what the memories added to each measure."""
    return [
        Answer(slice=one.slice, measures={name: value - other.measures[name] for name, value in one.measures.items()})
        for one, other in zip(joined, alone, strict=True)
    ]
