"""Write turns and exported records: check each, derive what makes them findable, store chunk by chunk, and answer for every item.

A chunk is at most 256 items or about 1 MiB and is one transaction: all of it is there or nothing. When a chunk fails, its
items are `failed` with the reason; after a failure that would meet the next chunk as well (disk full, read-only, busy,
unusable, a commit of unknown outcome) the rest is `failed` alike, unread. If not one item of the call could be written, the
error itself is raised.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any, TypeVar

from muniment.errors import (
    EmbedderError,
    EmbedderMismatch,
    InputError,
    MunimentError,
    OutcomeUnknown,
    ProviderError,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnusable,
)
from muniment.ingest.derive import Derived
from muniment.ingest.formats.export import Moved, Named
from muniment.ingest.formats.messages import KNOWN_KEYS, read_message, unkept
from muniment.ingest.formats.results import MOST, is_result, kept_apart
from muniment.ingest.pii import CleanedTurn
from muniment.ingest.rules import MAX_COPIES, MAX_TEXT, accept, check_record, content_digest, record_of, refusal, wrong_type
from muniment.knowledge.values import AppliedArchitecture, Blob, Feedback, Kept, Sealed, SharingChange
from muniment.ports import Records, Write, Written
from muniment.shelf import Entry
from muniment.types import ItemReceipt, Outcome, Receipt, Record, RecordId, Scope, Turn, check_id

CHUNK_ITEMS = 256
CHUNK_SIZE = 1 << 20
"""Characters of text after which a chunk is closed."""
MOST_NOTES = 5
"""Different notes of degradation in one receipt; the others are counted."""

Item = Turn | Mapping[str, object] | str
Cleaning = Callable[[Turn], CleanedTurn]
Deriving = Callable[[Sequence[Record]], Awaitable[Derived]]
Taking = Callable[[Sequence[Named]], Awaitable[Sequence[ItemReceipt]]]
T = TypeVar("T")

_HALTING = (StoreFull, StoreReadOnly, StoreUnusable, StoreBusy, OutcomeUnknown, ProviderError)


async def ingest(
    turns: Iterable[Item] | Item,
    *,
    scope: Scope,
    agent: str,
    conversation: str | None,
    records: Records,
    derive: Deriving,
    now: datetime,
    clean: Cleaning | None = None,
    enrich: bool = False,
) -> Receipt:
    """Remember turns at exactly `scope`, in order. One receipt per item: stored, unchanged, refused or failed.

    An item is a Turn, a chat message mapping, or a string (the user speaking); a single one may stand for itself. The same
    content in the same scope is one record: a retry or a second import is `unchanged`. Identical turns inside one call are
    records of their own unless they carry a key. `clean` takes secrets out of a turn before anything else sees it; what a tool
    gave back is then kept as an excerpt and a blob when it is huge. With `enrich` what is derived from the records is queued
    with their writing. Raises ScopeError for an unusable agent or conversation, and the store's error when nothing was written.
    """
    check_id(agent, "agent")
    if conversation is not None:
        check_id(conversation, "conversation")
    writing = _Writing(records=records, derive=derive, enrich=enrich)
    desk = _Desk(scope=scope, agent=agent, conversation=conversation, now=now, clean=clean)
    async for chunk in _chunks(_items(turns), _weight):
        await writing.chunk(await asyncio.to_thread(desk.admit, chunk))
    return writing.receipt()


async def restore(
    items: Iterable[Moved | ItemReceipt] | AsyncIterable[Moved | ItemReceipt],
    *,
    store: Records,
    derive: Deriving,
    enrich: bool = False,
    take: Taking | None = None,
) -> Receipt:
    """Take in exported records with their ids, scopes, agents and times, in order. Those already here are `unchanged`.

    With `enrich` what is derived from the new ones is queued with their writing, unless they come with how far it is. A record
    whose id does not follow from its content, or that breaks a rule of ingest, is refused. Receipts that stand among the records
    (from a reader of damaged files) are passed through. What is no record goes to `take`, some at a time, in order. Raises the
    store's error when nothing was written.
    """
    if not isinstance(items, Iterable | AsyncIterable):
        raise wrong_type("records", items)
    writing = _Writing(records=store, derive=derive, enrich=enrich)
    place = 0
    async for chunk in _chunks(items, _weight):
        for named, run in groupby(chunk, lambda item: isinstance(item, Named)):
            some = list(run)
            if named and take is not None:
                await writing.others([item for item in some if isinstance(item, Named)], take)
            else:
                drafts = await asyncio.to_thread(_admit_records, some, place)
                await writing.chunk(drafts if writing.halted else await _without_known(drafts, store))
            place += len(some)
    return writing.receipt()


@dataclass(slots=True, kw_only=True)
class _Draft:
    """One item on its way: a record to write, or its receipt already."""

    place: str
    record: Record | None = None
    key: str | None = None
    note: str = ""
    sealed: Sequence[Sealed] = ()
    blobs: Sequence[Blob] = ()
    kept: Kept | None = None
    receipt: ItemReceipt | None = None


@dataclass(slots=True, kw_only=True)
class _Desk:
    """Admits the items of one call and counts identical ones; about 100 bytes are kept per distinct item."""

    scope: Scope
    agent: str
    conversation: str | None
    now: datetime
    clean: Cleaning | None = None
    place: int = 0
    copies: dict[bytes, int] = field(default_factory=dict)

    def admit(self, items: Sequence[object]) -> list[_Draft]:
        """Each item as a record to write, or refused."""
        drafts = [self._draft(item, _place(item, self.place + i)) for i, item in enumerate(items)]
        self.place += len(items)
        return drafts

    def _draft(self, item: object, place: str) -> _Draft:
        try:
            given = _turn(item)
            most = MOST if is_result(given) else MAX_TEXT
            kept = accept(given, now=self.now, conversation=self.conversation, most=most)
            cleaned = self.clean(kept.turn) if self.clean else CleanedTurn(turn=kept.turn)
            if cleaned.refused:
                raise _personal(cleaned.refused)
        except InputError as error:
            return _Draft(place=place, receipt=refusal(place, error))
        turn, blob = kept_apart(cleaned.turn)
        digest = content_digest(turn, self.scope)
        nth = 0
        if turn.key is None:
            nth = min(self.copies.get(digest, 0), MAX_COPIES - 1)
            self.copies[digest] = nth + 1
        record = record_of(turn, scope=self.scope, agent=self.agent, now=self.now, digest=digest, nth=nth)
        dropped = unkept(item.keys() - KNOWN_KEYS) if isinstance(item, Mapping) else ""
        taken = f"Taken out before writing: {cleaned.note}." if cleaned.note else ""
        apart = f"Kept as an excerpt; all {len(blob.data)} bytes are in blob {blob.digest}." if blob else ""
        note = " ".join(filter(None, (kept.note, taken, apart, dropped)))
        blobs = () if blob is None else (blob,)
        return _Draft(place=place, record=record, key=turn.key, note=note, sealed=cleaned.sealed, blobs=blobs)


@dataclass(slots=True, kw_only=True)
class _Writing:
    """The receipts of one call as its chunks are written, and what went wrong on the way."""

    records: Records
    derive: Deriving
    enrich: bool = False
    items: list[ItemReceipt] = field(default_factory=list)
    degraded: list[str] = field(default_factory=list)
    error: MunimentError | None = None
    halted: bool = False
    written: int = 0
    unsaid: int = 0

    async def chunk(self, drafts: Sequence[_Draft]) -> None:
        """Write one chunk and keep its receipts. Raises its error when that ends the call before anything was written."""
        new = [draft for draft in drafts if draft.receipt is None and draft.record is not None]
        if new and not self.halted:
            try:
                for draft, written in zip(new, await self._put(new), strict=True):
                    draft.receipt = _receipt(draft, written)
                    self.written += written.outcome is not Outcome.REFUSED
            except (StoreError, ProviderError, InputError) as error:
                self.error = error
                self.halted = isinstance(error, _HALTING)
                if self.halted and not self.written:
                    raise
        self.items += [draft.receipt or _failure(draft.place, self.error) for draft in drafts]

    async def others(self, items: Sequence[Named], take: Taking) -> None:
        """Hand what is no record to `take`, and keep its receipts; nothing more is handed over after a failure that halts."""
        if not self.halted:
            try:
                receipts = await take(items)
            except StoreError as error:
                self.error, self.halted = error, isinstance(error, _HALTING)
                if self.halted and not self.written:
                    raise
            else:
                self.written += sum(receipt.outcome is not Outcome.REFUSED for receipt in receipts)
                self.items += receipts
                return
        self.items += [_failure(told_place(item), self.error) for item in items]

    async def _put(self, drafts: Sequence[_Draft]) -> Sequence[Written]:
        records = [draft.record for draft in drafts if draft.record is not None]
        derived = await self.derive(records)
        self._degrade(derived.note)
        writes = [self._write(*one) for one in zip(drafts, records, derived.entries, strict=True)]
        try:
            return await self.records.put(writes)
        except (EmbedderError, EmbedderMismatch) as error:
            self._degrade(f"Stored without vectors, findable by words alone: {error.message} {error.hint}".strip())
        return await self.records.put([_without_vectors(write) for write in writes])

    def _write(self, draft: _Draft, record: Record, entries: Sequence[Entry]) -> Write:
        if kept := draft.kept:
            return Write(record=record, entries=entries, sealed=kept.sealed, blobs=kept.blobs, work=kept.work)
        return Write(record=record, entries=entries, key=draft.key, sealed=draft.sealed, blobs=draft.blobs, enrich=self.enrich)

    def _degrade(self, note: str) -> None:
        if not note or note in self.degraded:
            return
        if len(self.degraded) < MOST_NOTES:
            self.degraded.append(note)
        else:
            self.unsaid += 1

    def receipt(self) -> Receipt:
        """All receipts. Raises the last error when some items failed and none was written."""
        if self.error and not self.written:
            raise self.error
        more = [f"{self.unsaid} more chunks were degraded in such ways."] if self.unsaid else []
        return Receipt(items=tuple(self.items), degraded=(*self.degraded, *more))


def _without_vectors(write: Write) -> Write:
    return replace(write, entries=[replace(entry, vector=None) for entry in write.entries])


def _receipt(draft: _Draft, written: Written) -> ItemReceipt:
    refused = written.outcome is Outcome.REFUSED
    return ItemReceipt(
        place=draft.place,
        outcome=written.outcome,
        id=None if refused else written.id,
        reason=written.reason,
        message=_KEY_USED if refused else draft.note,
    )


_KEY_USED = "This key was used before with other words. Send new words under a new key."


def _failure(place: str, error: MunimentError | None) -> ItemReceipt:
    assert error is not None  # a draft without a receipt comes only from a failed chunk
    return ItemReceipt(place=place, outcome=Outcome.FAILED, reason=error.reason, message=f"{error.message} {error.hint}".strip())


def _personal(reason: str) -> InputError:
    kind = reason.partition(":")[2]
    return InputError(
        f"this holds {kind}, which is refused here.",
        code=reason,
        hint="Leave it out, or let the agent's architecture mask it.",
    )


def _turn(item: object) -> Turn:
    if isinstance(item, Turn):
        return item
    if isinstance(item, str):
        return Turn(text=item)
    if not isinstance(item, Mapping):
        raise wrong_type("", item)
    turns = read_message(item)
    if len(turns) != 1:
        raise InputError(
            f"this message holds {len(turns)} turns.",
            place="content",
            code="several_turns",
            hint="Hand in each tool result by itself.",
        )
    return turns[0]


def _place(item: object, number: int) -> str:
    return item.place if isinstance(item, Turn) and item.place else f"turns[{number}]"


def _items(turns: object) -> Iterable[Item]:
    if isinstance(turns, Turn | str | Mapping):
        return [turns]
    if not isinstance(turns, Iterable) or isinstance(turns, bytes | bytearray):
        raise wrong_type("turns", turns)
    return turns


def _weight(item: object) -> int:
    """About how many characters an item holds, for closing chunks."""
    if isinstance(item, Kept):
        return len(item.record.text) + sum(len(blob.data) for blob in item.blobs)
    words = item.get("content") if isinstance(item, Mapping) else getattr(item, "text", item)
    if isinstance(words, list):
        return sum(len(str(part)) for part in words)
    return len(words) if isinstance(words, str) else 0


async def _chunks(items: Iterable[T] | AsyncIterable[T], weight: Callable[[T], int]) -> AsyncIterator[list[T]]:
    """Items in order, a chunk closed after `CHUNK_ITEMS` of them or `CHUNK_SIZE` characters."""
    chunk: list[T] = []
    size = 0
    async for item in _each(items):
        chunk.append(item)
        size += weight(item)
        if len(chunk) >= CHUNK_ITEMS or size >= CHUNK_SIZE:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


async def _each(items: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def told_place(item: Named) -> str:
    """How what is no record is named in a receipt."""
    if isinstance(item, AppliedArchitecture):
        return f"architecture {item.agent}@{item.version}"
    if isinstance(item, SharingChange):
        return f"sharing {item.scope}: {item.kind} {item.share}"
    if isinstance(item, Feedback):
        return f"feedback {item.scope}: {item.record}"
    return f"{type(item).__name__.casefold()} {item.id}"


def _admit_records(items: Sequence[Any], first: int) -> list[_Draft]:
    return [_admit_record(item, f"records[{first + i}]") for i, item in enumerate(items)]


def _admit_record(item: object, place: str) -> _Draft:
    if isinstance(item, ItemReceipt):
        return _Draft(place=item.place, receipt=item)
    record = item.record if isinstance(item, Kept) else item
    try:
        if not isinstance(record, Record):
            raise wrong_type("", record)
        check_record(record)
    except InputError as error:
        return _Draft(place=place, receipt=refusal(place, error))
    return _Draft(place=place, record=record, kept=item if isinstance(item, Kept) else None)


async def _without_known(drafts: list[_Draft], store: Records) -> list[_Draft]:
    """Mark what the store has already as unchanged, so that it is neither embedded nor counted again."""
    seen: set[RecordId] = set()
    asked: dict[Scope, list[RecordId]] = {}
    for draft in drafts:
        if draft.record:
            asked.setdefault(draft.record.scope, []).append(draft.record.id)
    for scope, ids in asked.items():
        seen.update(record.id for record in await store.get(scope, ids))
    for draft in drafts:
        if draft.record and draft.record.id in seen:
            draft.receipt = ItemReceipt(place=draft.place, outcome=Outcome.UNCHANGED, id=draft.record.id)
        elif draft.record:
            seen.add(draft.record.id)
    return drafts
