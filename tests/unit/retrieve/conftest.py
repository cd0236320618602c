"""Shelves made from plain lines, as a store would hand them over."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import numpy as np
import pytest

from muniment.ingest.derive import derive
from muniment.shelf import HEAD, NO_TIME, Shelf
from muniment.types import Kind, Record, RecordId, Role, Scope

ANA = Scope(client="acme", user="ana")
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)


def record(
    text, *, seq=1, scope=ANA, role=Role.USER, speaker="", conversation=None, agent="default", said_at=None, kind=Kind.TURN
):
    return Record(
        id=RecordId(f"r{seq:015d}"),
        scope=scope,
        text=text,
        role=role,
        kind=kind,
        speaker=speaker or role.value,
        agent=agent,
        recorded_at=NOW,
        said_at=said_at,
        conversation=conversation,
        seq=seq,
    )


def _codes(names):
    return {name: code for code, name in enumerate(dict.fromkeys(n for n in names if n is not None), 1)}


def shelf_of(*lines, scope=ANA, embedder=None):
    """A shelf of these lines, each a text or a dict of what `record` takes, in order of arrival."""
    given = [{"text": line} if isinstance(line, str) else line for line in lines]
    records = [record(seq=seq, scope=scope, **line) for seq, line in enumerate(given, 1)]
    derived = asyncio.run(derive(records, embedder)).entries
    talks, people, agents = (_codes(getattr(r, name) for r in records) for name in ("conversation", "speaker", "agent"))
    rows = [
        (
            r.seq,
            part,
            e.start,
            e.end,
            talks.get(r.conversation, 0),
            people[r.speaker],
            agents[r.agent],
            list(Role).index(r.role),
            list(Kind).index(r.kind),
            NO_TIME if r.said_at is None else int(r.said_at.timestamp()),
        )
        for r, entries in zip(records, derived, strict=True)
        for part, e in enumerate(entries)
    ]
    flat = [e for entries in derived for e in entries]
    dim = embedder.dim if embedder else 0
    return Shelf(
        scope=scope,
        generation=1,
        head=np.array(rows, HEAD),
        bounds=np.cumsum([0, *(len(e.terms) for e in flat)]).astype(np.int64),
        terms=np.concatenate([e.terms for e in flat]) if flat else np.zeros(0, np.uint64),
        vectors=np.array([np.zeros(dim) if e.vector is None else e.vector for e in flat], np.float32).reshape(len(flat), dim),
        embedded=np.array([e.vector is not None for e in flat], np.bool_),
        speakers={code: name for name, code in people.items()},
        conversations={code: name for name, code in talks.items()},
        agents={code: name for name, code in agents.items()},
    )


@pytest.fixture
def shelf():
    """`shelf(*lines, scope=…, embedder=…)` makes a shelf."""
    return shelf_of


@pytest.fixture
def make_record():
    """`make_record(text, …)` makes a record."""
    return record
