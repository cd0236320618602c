"""What the tests of public cases share: a few scopes, an engine on either store, and short questions to it."""

from __future__ import annotations

from datetime import UTC, datetime

import muniment
from muniment import Scope
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


def reasons(receipt):
    """Why items were refused, in order; an empty text for the others."""
    return [item.reason for item in receipt.items]
