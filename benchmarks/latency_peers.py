"""The vector databases and the memory library that the engine is measured against, each filtered by user.

The databases search vectors alone and return ids alone, so a comparison with a whole retrieve favours them.
Rule of this file: a peer is used as its own documentation shows, and one that is not installed is reported, not required.
"""

from __future__ import annotations

import logging
import os
import shutil
import warnings
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Self
from uuid import UUID

from benchmarks.latency_data import DIM, Block, Question, numbered, user_name

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


class Lance(_Closing):
    """A LanceDB table with a scalar index on the user, filtered before its exact search; its own advice below 100k rows."""

    distribution = "lancedb"

    def __init__(self, folder: Path, blocks: Iterable[Block]) -> None:
        self._client = _Nothing()
        database = import_module("lancedb").connect(str(folder))
        arrow = import_module("pyarrow")
        if "memories" not in database.list_tables().tables:
            table = None
            for rows in map(partial(_arrow_rows, arrow), blocks):
                if table is None:
                    table = database.create_table("filling", rows, mode="overwrite")
                else:
                    table.add(rows)
            table.create_index("user", config=import_module("lancedb.index").BTree())
            table.optimize()
            (folder / "filling.lance").rename(folder / "memories.lance")
        self._rows = import_module("lancedb").connect(str(folder)).open_table("memories")

    def ask(self, question: Question) -> list[int]:
        search = self._rows.search(question.vector).metric("cosine").where(f"user = {question.user}", prefilter=True)
        return search.limit(LIMIT).select(["id", "_distance"]).to_arrow()["id"].to_pylist()


def _arrow_rows(arrow: ModuleType, block: Block) -> object:
    ids = [numbered(*owned) for owned in zip(block.users, block.places, strict=True)]
    vectors = arrow.FixedSizeListArray.from_arrays(arrow.array(block.vectors.ravel()), DIM)
    return arrow.table(
        {"id": arrow.array(ids, arrow.int64()), "user": arrow.array(block.users, arrow.int64()), "vector": vectors}
    )


class _Nothing:
    def close(self) -> None:
        """There is nothing to release."""


class Mem0(_Closing):
    """mem0 with its default store (qdrant, local), asked for memories that were kept as they stand (`infer=False`).

    Adding one by one takes minutes, so they are put into its store as it puts them. Its embedder is handed the question's vector.
    """

    distribution = "mem0ai"

    def __init__(self, folder: Path, blocks: Iterable[Block]) -> None:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder), OPENAI_API_KEY="none: no model is asked")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        logging.getLogger("mem0").setLevel(logging.ERROR)
        store = {"path": str(folder / "qdrant"), "collection_name": "memories", "embedding_model_dims": DIM, "on_disk": True}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._memory = import_module("mem0").Memory.from_config(
                {"vector_store": {"provider": "qdrant", "config": store}, "history_db_path": str(folder / "history.db")}
            )
            self._memory.embedding_model = self
            for block in blocks:
                owned = list(zip(block.users, block.places, strict=True))
                self._memory.vector_store.insert(
                    vectors=block.vectors.tolist(),
                    ids=[str(UUID(int=numbered(*one))) for one in owned],
                    payloads=[
                        {"data": text, "user_id": user_name(user), "hash": "", "created_at": "2026-01-01T00:00:00+00:00"}
                        for (user, _), text in zip(owned, block.texts, strict=True)
                    ],
                )
        self._client = self._memory.vector_store.client
        self._vector: list[float] = []

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002  # what mem0 calls
        """The vector of the question that is being asked."""
        return self._vector

    def ask(self, question: Question) -> list[int]:
        self._vector = question.vector.tolist()
        found = self._memory.search(question.text, filters={"user_id": user_name(question.user)}, top_k=LIMIT, threshold=0.0)
        return [UUID(one["id"]).int for one in found["results"]]


PEERS = {"chroma": Chroma, "lancedb": Lance, "qdrant": Qdrant, "mem0": Mem0}
