"""Intake: what a store's records come in through. Cleaned by the agent's rules, indexed, written, and queued for enrichment.

Rule of this file: it joins; how a turn is cleaned, accepted and written is decided in the files it calls.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Protocol

from muniment.errors import InputError
from muniment.ingest.enrich import ArchitectureOf, Enrichment
from muniment.ingest.formats.export import Moved
from muniment.ingest.formats.results import is_result
from muniment.ingest.index import Index
from muniment.ingest.pii import CleanedTurn, Token, clean_content, clean_turn, seal_token
from muniment.ingest.rules_kinds import beyond
from muniment.ingest.step import Item, Taking, ingest, restore
from muniment.ingest.transfer import BY_HAND
from muniment.knowledge.architecture import Keep
from muniment.knowledge.told import Told
from muniment.ports import Clock, Records, Shelved
from muniment.types import ItemReceipt, Outcome, Receipt, Record, Scope, Turn


class Store(Records, Shelved, Protocol):
    """What an intake asks of a store."""


class Intake:
    """Writes records into one store, and tells its `work` of them."""

    def __init__(self, store: Store, *, clock: Clock, index: Index, architecture: ArchitectureOf, work: Enrichment) -> None:
        self._store = store
        self._clock = clock
        self._index = index
        self._architecture = architecture
        self._work = work

    async def ingest(self, scope: Scope, turns: Iterable[Item] | Item, *, agent: str, conversation: str | None) -> Receipt:
        """Remember turns at exactly `scope`; what they say is derived behind the call."""
        rules = await self._architecture(agent, scope.client)
        token = partial(seal_token, await self._store.secret(), scope)
        await self._work.room()
        receipt = await ingest(
            turns,
            scope=scope,
            agent=agent,
            conversation=conversation,
            records=self._store,
            derive=self._index.entries,
            now=self._clock.now(),
            clean=partial(cleaned, policy=rules.pii, token=token),
            enrich=True,
        )
        self._work.nudge(receipt.count(Outcome.STORED))
        return receipt

    async def restore(
        self, items: Iterable[Moved | ItemReceipt] | AsyncIterable[Moved | ItemReceipt], take: Taking | None = None
    ) -> Receipt:
        """Take in exported records; what they say is derived anew behind the call, unless they come with how far that is.

        What is no record goes to `take`.
        """
        receipt = await restore(items, store=self._store, derive=self._index.entries, enrich=True, take=take)
        self._work.nudge(receipt.count(Outcome.STORED))
        return receipt

    async def state(
        self,
        scope: Scope,
        text: str,
        *,
        agent: str,
        told: Told | None = None,
        kind: str = "",
        conversation: str | None = None,
        origin: str = BY_HAND,
        ref: str | None = None,
    ) -> tuple[Record, Told]:
        """Keep what a person states by hand as a record, which is evidence for what they state. Raises InputError.

        What is told beside the words is cleaned with them, sealed with the record, and given back. What a memory of this `kind`
        may not hold is cleaned away as well. When a rule refuses any of it nothing is written.
        """
        rules = await self._architecture(agent, scope.client)
        rule = rules.kind(kind)
        policy = beyond(rules.pii, rule.pii) if rule else rules.pii
        token = partial(seal_token, await self._store.secret(), scope)
        came = [told or Told()]

        def clean(turn: Turn) -> CleanedTurn:
            done, came[0] = cleaned_statement(turn, came[0], policy=policy, token=token)
            return done

        receipt = await ingest(
            Turn(text=text, said_at=self._clock.now(), origin=origin, ref=ref),
            scope=scope,
            agent=agent,
            conversation=conversation,
            records=self._store,
            derive=self._index.entries,
            now=self._clock.now(),
            clean=clean,
        )
        if not receipt.ok:
            item = receipt.items[0]
            raise InputError(item.message, place="text", code=item.reason)
        found = await self._store.get(scope, receipt.ids)
        return found[0], came[0]


def cleaned_statement(turn: Turn, told: Told, *, policy: Mapping[str, Keep], token: Token) -> tuple[CleanedTurn, Told]:
    """A statement and what is told beside it, cleaned: a value is read together with the name of its slot."""
    said = cleaned(turn, policy=policy, token=token)
    name = told.attribute.replace("_", " ") or "value"
    slot = clean_turn(Turn(text=told.subject, metadata={name: told.value}, origin=told.attribute), policy=policy, token=token)
    beside = clean_turn(Turn(text="", metadata=told.metadata), policy=policy, token=token)
    parts = (said, slot, beside)
    done = replace(
        said,
        found=tuple(find for part in parts for find in part.found),
        sealed=tuple({one.token: one for part in parts for one in part.sealed}.values()),
        refused=next((part.refused for part in parts if part.refused), ""),
    )
    if done.refused:
        return replace(done, turn=replace(said.turn, text=""), sealed=()), told
    value = next(iter(slot.turn.metadata.values()), "")
    fresh = replace(told, subject=slot.turn.text, attribute=slot.turn.origin, value=value, metadata=beside.turn.metadata)
    return done, fresh


def cleaned(turn: Turn, *, policy: Mapping[str, Keep], token: Token) -> CleanedTurn:
    """A turn cleaned; the text of a tool's result as the JSON it may be, which stays JSON."""
    if not is_result(turn):
        return clean_turn(turn, policy=policy, token=token)
    content = clean_content(turn.text, policy=policy, token=token)
    rest = clean_turn(replace(turn, text=""), policy=policy, token=token)
    return CleanedTurn(
        turn=replace(rest.turn, text=content.text),
        found=(*(("text", find) for find in content.found), *rest.found),
        sealed=tuple({one.token: one for one in (*content.sealed, *rest.sealed)}.values()),
        refused=content.refused or rest.refused,
    )
