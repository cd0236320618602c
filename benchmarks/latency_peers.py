"""The vector databases the engine is measured against, each filtered by user.

They search vectors alone and return ids alone, so a comparison with a whole retrieve favours them.
Rule of this file: a peer is used as its own documentation shows, and one that is not installed is reported, not required.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.latency_data import DIM, Block, Question, numbered

LIMIT = 10


def installed(distribution: str) -> str | None:
    """The installed version, or None."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


class _Closing:
    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._client.close()


class Chroma(_Closing):
    """One persistent collection with a `where` filter on the user."""

    distribution = "chromadb"

    def __init__(self, folder: Path, blocks: Iterable[Block]) -> None:
        chromadb = import_module("chromadb")
        done = folder / "done"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
        self._client = chromadb.PersistentClient(path=str(folder), settings=chromadb.Settings(anonymized_telemetry=False))
        self._rows = self._client.get_or_create_collection(
            "memories", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        if not done.exists():
            for block in blocks:
                self._rows.add(
                    ids=[str(numbered(*owned)) for owned in zip(block.users, block.places, strict=True)],
                    embeddings=block.vectors,
                    metadatas=[{"user": user} for user in block.users],
                )
            done.touch()

    def ask(self, question: Question) -> list[int]:
        found = self._rows.query(
            query_embeddings=[question.vector], n_results=LIMIT, include=["distances"], where={"user": question.user}
        )
        return [int(name) for name in found["ids"][0]]


class Qdrant(_Closing):
    """A collection of qdrant-client's local mode, in memory, with a filter on the user."""

    distribution = "qdrant-client"

    def __init__(self, folder: Path, blocks: Iterable[Block]) -> None:  # noqa: ARG002  # its folder mode loads all into memory too
        client = import_module("qdrant_client")
        self._models = client.models
        self._client = client.QdrantClient(":memory:")
        self._client.create_collection(
            "memories", vectors_config=self._models.VectorParams(size=DIM, distance=self._models.Distance.COSINE)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it advises a server above 20,000 points
            for block in blocks:
                ids = [numbered(*owned) for owned in zip(block.users, block.places, strict=True)]
                payloads = [{"user": user} for user in block.users]
                self._client.upsert("memories", self._models.Batch(ids=ids, vectors=block.vectors.tolist(), payloads=payloads))

    def ask(self, question: Question) -> list[int]:
        match = self._models.FieldCondition(key="user", match=self._models.MatchValue(value=question.user))
        found = self._client.query_points(
            "memories", query=question.vector, limit=LIMIT, with_payload=False, query_filter=self._models.Filter(must=[match])
        )
        return [point.id for point in found.points]


PEERS = {"chroma": Chroma, "qdrant": Qdrant}
