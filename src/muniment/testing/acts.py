"""A store's verbs as values, so that a trace of calls can be drawn, replayed on several stores and compared answer by answer.

Records come from `muniment.testing.samples`: an act names them by their scope and text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from muniment.ports import Store, Target
from muniment.shelf import HEAD, Place, Shelf
from muniment.testing.fakes import NOON
from muniment.testing.samples import DIM, sample_record, sample_write
from muniment.types import Filter, RecordId, Scope

MODEL = ("sample-model", DIM)
MOST_PAGES = 1000
EVERYTHING = Filter()


class Verb(StrEnum):
    """What an act does. WALK follows the cursors of `page` to the end."""

    PUT = "put"
    GET = "get"
    WALK = "walk"
    ERASE = "erase"
    ERASE_ALL = "erase_all"
    SEARCH = "search"
    STATS = "stats"
    SCAN = "scan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One call in `scope`. `texts` name the records; GET and ERASE name those of scope `of` when it is given (foreign ids)."""

    verb: Verb
    scope: Scope
    texts: tuple[str, ...] = ()
    of: Scope | None = None
    key: str | None = None
    conversation: str | None = None
    speaker: str = "Ana"
    where: Filter = EVERYTHING
    limit: int = 3

    @property
    def ids(self) -> tuple[RecordId, ...]:
        """Ids of the records it names."""
        return tuple(sample_record(self.of or self.scope, text).id for text in self.texts)


async def perform(store: Store, act: Act) -> object:
    """Do it and return the answer as a plain value. Two stores, or two worlds, agree when their answers are equal."""
    return await CALLS[act.verb](store, act)


async def _put(store: Store, act: Act) -> object:
    writes = [
        sample_write(act.scope, text, key=act.key, conversation=act.conversation, speaker=act.speaker) for text in act.texts
    ]
    return tuple(await store.put(writes))


async def _get(store: Store, act: Act) -> object:
    return tuple(await store.get(act.scope, act.ids))


async def _erase(store: Store, act: Act) -> object:
    return await store.erase(Target(scope=act.scope, ids=act.ids, conversation=act.conversation), NOON)


async def _erase_all(store: Store, act: Act) -> object:
    return await store.erase(Target(scope=act.scope), NOON)


async def _stats(store: Store, act: Act) -> object:
    return await store.stats(act.scope)


async def _scan(store: Store, act: Act) -> object:
    return tuple([record async for record in store.scan(act.scope)])


async def _walk(store: Store, act: Act) -> object:
    pages = [await store.page(act.scope, act.where, limit=act.limit)]
    while (cursor := pages[-1].cursor) is not None and len(pages) < MOST_PAGES:
        pages.append(await store.page(act.scope, act.where, limit=act.limit, before=int(cursor)))
    return tuple(pages)


async def _search(store: Store, act: Act) -> object:
    seen: list[object] = []

    def rank(shelves: Sequence[Shelf]) -> list[Place]:
        seen.extend(shelf_said(shelf) for shelf in shelves)
        return [Place(n, seq) for n, shelf in enumerate(shelves) for seq in dict.fromkeys(shelf.head["seq"].tolist())]

    found = await store.search(act.scope, rank)
    return tuple(seen), tuple(found.records), tuple(found.lost)


def shelf_said(shelf: Shelf) -> object:
    """A shelf as plain values: codes replaced by the names they stand for, since numbering is the store's own affair."""
    coded = {"speaker": shelf.speakers, "conversation": shelf.conversations, "agent": shelf.agents}
    columns = [
        [coded[name].get(code) for code in shelf.head[name].tolist()] if name in coded else shelf.head[name].tolist()
        for name in HEAD.names or ()
    ]
    whole = (shelf.bounds, shelf.terms, shelf.vectors, shelf.embedded)
    names = [sorted(name.values()) for name in coded.values()]
    return shelf.scope, columns, names, [(column.dtype.str, column.shape, column.tobytes()) for column in whole]


CALLS: dict[Verb, Callable[[Store, Act], Awaitable[object]]] = {
    Verb.PUT: _put,
    Verb.GET: _get,
    Verb.WALK: _walk,
    Verb.ERASE: _erase,
    Verb.ERASE_ALL: _erase_all,
    Verb.SEARCH: _search,
    Verb.STATS: _stats,
    Verb.SCAN: _scan,
}
