"""A store's verbs as values, so that a trace of calls can be drawn, replayed on several stores and compared answer by answer.

Records come from `muniment.testing.samples`: an act names them by their scope and text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from muniment.knowledge.values import (
    Blob,
    Changes,
    Claim,
    Known,
    MemoryFilter,
    MemoryId,
    MemoryPage,
    Merge,
    Refusal,
    Sealed,
    Status,
    Wanted,
)
from muniment.ports import Store, Target
from muniment.shelf import HEAD, Place, Shelf
from muniment.testing.fakes import NOON
from muniment.testing.samples import DIM, sample_entity, sample_memory, sample_record, sample_write
from muniment.types import Filter, RecordId, Scope

MODEL = ("sample-model", DIM)
MOST_PAGES = 1000
EVERYTHING = Filter()
ANY = MemoryFilter()


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
    SETTLE = "settle"
    CLAIM = "claim"
    END = "end"
    FAIL = "fail"
    REQUEUE = "requeue"
    PURGE = "purge"
    RECALLED = "recalled"
    MEMORIES = "memories"
    ENTITIES = "entities"
    PROVED = "proved"
    OPEN = "open"
    KNOWLEDGE = "knowledge"
    BESIDE = "beside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One call in `scope`. `texts` name the records; those of scope `of` when it is given (foreign ids).

    SETTLE and END write one memory that the texts prove and one entity that `speaker` names; END shows claims of `fence`.
    `minute` is the moment of a call, and `flag` stands for what else may be so: a status, a fate, or the lineage.
    """

    verb: Verb
    scope: Scope
    texts: tuple[str, ...] = ()
    of: Scope | None = None
    key: str | None = None
    conversation: str | None = None
    speaker: str = "Ana"
    where: Filter = EVERYTHING
    limit: int = 3
    among: MemoryFilter = ANY
    fence: int = 1
    minute: int = 0
    enrich: bool = False
    flag: bool = False

    @property
    def ids(self) -> tuple[RecordId, ...]:
        """Ids of the records it names."""
        return tuple(sample_record(self.of or self.scope, text).id for text in self.texts)

    @property
    def memories(self) -> tuple[MemoryId, ...]:
        """Ids of the memories that took their words from these records."""
        return tuple(sample_memory(self.of or self.scope, text).id for text in self.texts)

    @property
    def now(self) -> datetime:
        """Its moment."""
        return NOON + timedelta(minutes=self.minute)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Claims of the records it names, as whoever held this fence would show them."""
        scope = self.of or self.scope
        return tuple(Claim(scope=scope, record=record, fence=self.fence, attempts=1) for record in self.ids)


async def perform(store: Store, act: Act) -> object:
    """Do it and return the answer as a plain value. Two stores, or two worlds, agree when their answers are equal."""
    return await CALLS[act.verb](store, act)


async def _put(store: Store, act: Act) -> object:
    writes = [
        replace(
            sample_write(act.scope, text, key=act.key, conversation=act.conversation, speaker=act.speaker),
            enrich=act.enrich,
            sealed=(Sealed(token=f"<{act.speaker}>", kind="name", value=text),) if act.flag else (),
            blobs=(Blob(digest=digest_of(act.speaker), media="text/plain", data=act.speaker.encode()),) if act.flag else (),
        )
        for text in act.texts
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


def digest_of(text: str) -> str:
    """SHA-256 of a text, as a blob is kept under it."""
    return sha256(text.encode()).hexdigest()


def changes_of(act: Act, known: Known) -> Changes:
    """What a settling act writes, given what is known: the slot of the speaker is taken over from who holds it."""
    if not act.texts:
        return Changes()
    memory = sample_memory(
        act.scope,
        *act.texts,
        subject=act.speaker,
        attribute=act.key or "",
        conversation=act.conversation,
        recorded_at=act.now,
        held=act.flag,
        expires_at=NOON + timedelta(minutes=2) if act.limit == 1 else None,
    )
    rivals = [one for one in known.memories if one.attribute and one.attribute == act.key and one.id != memory.id]
    same = next((one for one in known.memories if one.id == memory.id), None)
    entity = sample_entity(act.scope, {act.speaker: act.texts, f"{act.speaker} Lee": act.texts[:1]}, last_seen=act.now)
    memory = replace(
        same or memory,
        evidence=tuple(dict.fromkeys((*(same.evidence if same else ()), *memory.evidence))),
        subject_id=entity.id,
        entities=(entity.id,),
        replaces=tuple(one.id for one in rivals),
        parts={"reason": act.texts[1:]} if act.enrich else {},
    )
    old = [
        replace(one, status=Status.SUPERSEDED, valid_to=act.now, retired_at=act.now, replaced_by=memory.id)
        for one in rivals
        if one.status is Status.CURRENT
    ]
    others = [one for one in known.entities if one.id != entity.id and one.merged_into is None]
    merges = [
        Merge(id=f"{entity.id}{one.id}", scope=act.scope, kept=entity.id, other=one.id, score=0.9, why={"name": 0.9}, at=act.now)
        for one in others
    ]
    return Changes(
        memories=(memory, *old),
        entities=(entity, *(replace(one, merged_into=entity.id) for one in others if act.flag)),
        merges=merges,
        refusals=[Refusal(reason="greeting", kind="fact", evidence=memory.evidence[-1])],
        outcomes={act.ids[0]: ("stored:fact",)},
        partial={act.ids[-1]: "half"} if act.flag else {},
    )


async def _settle(store: Store, act: Act) -> object:
    return await _settled(store, act, ())


async def _end(store: Store, act: Act) -> object:
    return await _settled(store, act, act.claims)


async def _settled(store: Store, act: Act, claims: Sequence[Claim]) -> object:
    seen: list[Known] = []

    def decide(known: Known) -> Changes:
        seen.append(known)
        return changes_of(act, known)

    wanted = Wanted(
        subjects=(act.speaker,),
        slots=((act.speaker, act.key or ""),),
        keys=("name:ana", "name:ana lee"),
        memories=act.memories,
    )
    done = await store.settle(act.scope, wanted, decide, at=act.now, claims=claims, architecture="default@1")
    return tuple(seen), done


async def _claim(store: Store, act: Act) -> object:
    return tuple(await store.claim(now=act.now, lease=timedelta(minutes=1), limit=act.limit))


async def _fail(store: Store, act: Act) -> object:
    retry_at = act.now + timedelta(minutes=1) if act.flag else None
    return await store.fail(act.claims, f"failed {act.minute}", now=act.now, retry_at=retry_at)


async def _requeue(store: Store, act: Act) -> object:
    return await store.requeue(act.scope, now=act.now, parked=act.flag)


async def _purge(store: Store, act: Act) -> object:
    return await store.purge(act.scope, act.memories, act.now)


async def _recalled(store: Store, act: Act) -> object:
    await store.recalled(act.scope, act.memories, act.now)
    return tuple(await store.memory(act.scope, act.memories))


async def _memories(store: Store, act: Act) -> object:
    pages: list[MemoryPage] = []
    while (not pages or pages[-1].cursor is not None) and len(pages) < MOST_PAGES:
        before = pages[-1].cursor if pages else None
        page = await store.memories(act.scope, act.among, limit=act.limit, now=act.now, before=before, inherited=act.flag)
        pages.append(page)
    return tuple(pages)


async def _entities(store: Store, act: Act) -> object:
    listed = [await store.entities(act.scope, limit=act.limit)]
    while (cursor := listed[-1].cursor) is not None and len(listed) < MOST_PAGES:
        listed.append(await store.entities(act.scope, limit=act.limit, before=cursor))
    named = await store.entities(act.scope, keys=[f"name:{act.speaker.casefold()}"], limit=9)
    return tuple(listed), named, tuple(await store.merges(act.scope)), tuple(await store.merges(act.scope, decided=False))


async def _proved(store: Store, act: Act) -> object:
    proved = await store.proved_by(act.scope, act.ids)
    return {record: tuple(found) for record, found in proved.items()}, tuple(await store.memory(act.scope, act.memories))


async def _open(store: Store, act: Act) -> object:
    return tuple(await store.work(act.scope, act.ids)), await store.backlog(), dict(await store.refused(act.scope))


async def _knowledge(store: Store, act: Act) -> object:
    return tuple([one async for one in store.knowledge(act.scope)])


async def _beside(store: Store, act: Act) -> object:
    return tuple(await store.reveal(act.scope, [f"<{act.speaker}>", "<other>"])), await store.blob(
        act.scope, digest_of(act.speaker)
    )


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
    Verb.SETTLE: _settle,
    Verb.CLAIM: _claim,
    Verb.END: _end,
    Verb.FAIL: _fail,
    Verb.REQUEUE: _requeue,
    Verb.PURGE: _purge,
    Verb.RECALLED: _recalled,
    Verb.MEMORIES: _memories,
    Verb.ENTITIES: _entities,
    Verb.PROVED: _proved,
    Verb.OPEN: _open,
    Verb.KNOWLEDGE: _knowledge,
    Verb.BESIDE: _beside,
}
