"""What the tests of public cases share: a few scopes, an engine on either store, and short questions to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

import muniment
from muniment import Scope
from muniment.architect import default_architecture
from muniment.errors import InputError
from muniment.ingest.enrich import Enrichment
from muniment.ingest.index import Index
from muniment.ingest.intake import Intake
from muniment.ingest.model.step import ModelReader
from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import MemoryFilter, Status
from muniment.testing import CountingTokens, FixedClock, TableEmbedder

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
CLIENT = Scope(client="acme")
NORTH = Scope(client="acme", customer="north")
SOUTH = Scope(client="acme", customer="south")
ANA = Scope(client="acme", customer="north", user="ana")
BEN = Scope(client="acme", customer="north", user="ben")
RIVAL = Scope(client="rival", customer="north", user="ana")
STRANGERS = (BEN, SOUTH, Scope(client="acme", customer="south", user="ana"), RIVAL, Scope(user="ana"))
STORES = ("memory", "sqlite")
MOST_SAID = 600


def url_of(kind, folder):
    """The address of a store of this kind in `folder`."""
    return "memory://" if kind == "memory" else f"sqlite:///{folder}/agent.db"


def opened(url, **options):
    """An engine that stands still at noon, with a small embedder and one token per word, unless told otherwise."""
    usual = {"embedder": TableEmbedder(dim=16), "tokens": CountingTokens(), "clock": FixedClock(NOON)}
    return muniment.open(url, **{**usual, **options})


def texts(bundle):
    """The words of the hits, best first."""
    return [hit.record.text for hit in bundle]


async def kept(engine, scope, **options):
    """The words of the records of exactly this scope, oldest first."""
    return [record.text for record in (await engine.list(scope, limit=1000, **options)).records[::-1]]


async def refusal(call, kind=InputError):
    """The error a call ends with. No error repeats more than a little of what it was given."""
    with pytest.raises(kind) as caught:
        await call
    assert caught.value.hint
    assert len(str(caught.value)) < MOST_SAID
    return caught.value.code


def clean_or_told(erasure):
    """Whether the bytes are proved gone, or else it says what is left: the files of a server are its own."""
    return erasure.clean is not bool(erasure.notes)


def reasons(receipt):
    """Why items were refused, in order; an empty text for the others."""
    return [item.reason for item in receipt.items]


EVERY = MemoryFilter(statuses=tuple(Status))
"""Memories of any status."""


async def learn(engine, scope, *turns, **options):
    """Ingest turns, wait for what is derived from them, and give back the current memories, oldest first."""
    receipt = await engine.ingest(scope, list(turns), **options)
    await engine.work.wait()
    assert receipt.ok
    return await known(engine, scope)


async def known(engine, scope, where=None):
    """The memories of exactly this scope, oldest first; current ones by default."""
    return (await engine.memories.list(scope, where, limit=1000)).memories[::-1]


def lines(memories):
    """What they say, in order."""
    return [memory.text for memory in memories]


async def names(engine, scope):
    """The aliases of each entity of this scope."""
    page = await engine.entities.list(scope, limit=1000)
    return sorted(sorted(alias.text for alias in entity.aliases) for entity in page.entities)


async def admitting(engine, *refuse):
    """Apply an architecture that refuses only these reasons."""
    rules = default_architecture()
    await engine.architecture.apply(replace(rules, admission=replace(rules.admission, refuse=refuse)))


async def shown(engine, scope, message, **options):
    """The prompt for this message, as text."""
    return (await engine.assemble(scope, message, **{"budget": 2000, **options})).compilation.text


def modelled(engine, model, *, mode=Mode.MODEL):
    """An intake of this engine's store whose records are read by `model` (or a reader of records), and the work behind it."""
    reader = model if hasattr(model, "read") else ModelReader(model)

    async def rules(_agent, _client):
        return replace(default_architecture(), mode=mode)

    work = Enrichment(engine.store, clock=engine.clock, architecture=rules, model=reader)
    return Intake(engine.store, clock=engine.clock, index=Index(engine.store, None), architecture=rules, work=work), work
