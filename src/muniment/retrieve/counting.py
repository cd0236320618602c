"""What a question counts or lists, from all memories of whom it asks, not from the first hits.

Rule of this file: a bounded number of lookups inside the scope, for questions that count or list alone. What memories cannot
tell is said, and never made up for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.bundle import Listed, Listing
from muniment.knowledge.values import Memory, MemoryFilter, Status, WorkState
from muniment.retrieve.asking import Means
from muniment.retrieve.joined import Pair
from muniment.retrieve.rules_counting import (
    Wanted,
    read_wanted,
    says,
    selected_by,
    sentence_of,
    sort,
    things,
    told_doubts,
)
from muniment.retrieve.searching import Candidates
from muniment.retrieve.slots import names_in, subjects_of
from muniment.text.filters import passes
from muniment.types import Filter, RecordId, Role, Scope

MOST_READ = 4000
"""Memories of one subject that are looked at."""
BOUNDED = f"There are more than {MOST_READ} memories; the latest were looked at."
MOST_LISTED = 100
"""Things that are listed; the count goes on."""
_READ = (Status.CURRENT, Status.SUPERSEDED, Status.RETRACTED)
_PAGE = 200
_MOST_UNREAD = 20
_AT_ONCE = 500


async def listing(found: Candidates, pairs: Sequence[Pair], *, scope: Scope, where: Filter, means: Means) -> Listing | None:
    """All that a question counts or lists; None when it does neither.

    `pairs` are the candidates in their order: those that say it and prove no memory of it are told as unread.
    """
    wanted = read_wanted(found.question, found.speakers)
    if wanted is None:
        return None
    memories, whole = await _memories(found, scope=scope, means=means) if found.knowledge else ([], True)
    sorted_ = sort(await _let_through(memories, scope, where, means), wanted)
    every = things(sorted_.sure, wanted)
    unread = _unread(found, pairs, wanted, {e.record for memory in sorted_.seen for e in memory.evidence})
    doubts = [*told_doubts(every, wanted, await _sentences(every, scope, means)), *await _waiting(pairs, scope, means)]
    return Listing(
        items=every[:MOST_LISTED],
        count=len(every),
        complete=bool(every) and whole and not (sorted_.unsure or unread or doubts),
        selected=selected_by(sorted_.sure, wanted),
        uncertain=sorted_.unsure[:MOST_LISTED],
        past=sorted_.over[:MOST_LISTED],
        unread=unread,
        notes=tuple(_told(every, sorted_.unsure, unread, wanted, whole=whole)) + tuple(doubts),
    )


async def _waiting(pairs: Sequence[Pair], scope: Scope, means: Means) -> list[str]:
    """How many of the records found have not been read yet, in a sentence."""
    states = await means.work(scope, [record.id for record, _ in pairs]) if means.work and pairs else ()
    waiting = sum(item.state in (WorkState.QUEUED, WorkState.PROCESSING) for item in states)
    return [f"Records found that are yet to be read for memories: {waiting}."] if waiting else []


async def _memories(found: Candidates, *, scope: Scope, means: Means) -> tuple[list[Memory], bool]:
    """The memories of whom the question is about, of anybody where it is about nobody, and whether they are all of them."""
    question = found.question
    about = bool(question.of_oneself or found.speakers or names_in(question.text))
    subjects: list[str | None] = [None]
    if about:
        subjects = [*await subjects_of(question, scope, found.speakers, means.memories)]
    read: dict[str, Memory] = {}
    whole = True
    for subject in subjects:
        where = MemoryFilter(subject=subject, statuses=_READ)
        before = None
        for _ in range(MOST_READ // _PAGE):
            page = await means.memories.memories(scope, where, limit=_PAGE, now=means.now, before=before, inherited=True)
            read.update((memory.id, memory) for memory in page.memories)
            before = page.cursor
            if before is None:
                break
        whole = whole and before is None
    return sorted(read.values(), key=_place), whole


def _place(memory: Memory) -> tuple[str, int, str]:
    at = memory.said_at or memory.recorded_at
    return at.isoformat(), memory.seq, memory.id


async def _let_through(memories: Sequence[Memory], scope: Scope, where: Filter, means: Means) -> list[Memory]:
    """Those of which a record that proves them passes the filter."""
    if where == Filter():
        return list(memories)
    names = list(dict.fromkeys(_records(memories)))
    kept: set[RecordId] = set()
    for start in range(0, len(names), _AT_ONCE):
        found = await means.records.get(scope, names[start : start + _AT_ONCE])
        kept |= {record.id for record in found if passes(record, where)}
    return [memory for memory in memories if kept.intersection(_records([memory]))]


async def _sentences(every: Sequence[Listed], scope: Scope, means: Means) -> dict[str, str]:
    """The sentences that prove what is listed, by the ids of the memories."""
    memories = [memory for thing in every[:MOST_LISTED] for memory in thing.memories[:1]]
    found = {record.id: record for record in await means.records.get(scope, list(dict.fromkeys(_records(memories))))}
    said: dict[str, str] = {}
    for memory in memories:
        for one in memory.evidence:
            if not one.lends and one.record in found:
                said[memory.id] = sentence_of(memory, found[one.record])
    return said


def _records(memories: Iterable[Memory]) -> list[RecordId]:
    return [one.record for memory in memories for one in memory.evidence if not one.lends]


def _unread(found: Candidates, pairs: Sequence[Pair], wanted: Wanted, proved: set[RecordId]) -> tuple[RecordId, ...]:
    """Records among the candidates that say it, and of which no memory of it was made."""
    question, speakers = found.question, found.speakers
    return tuple(
        record.id
        for record, _ in pairs
        if record.id not in proved
        and says(record, wanted)
        and (record.speaker in speakers if speakers else record.role is Role.USER or not question.of_oneself)
    )[:_MOST_UNREAD]


def _told(
    every: Sequence[object], unsure: Sequence[Memory], unread: Sequence[RecordId], wanted: Wanted, *, whole: bool
) -> Iterable[str]:
    if not wanted.words:
        yield "The question names nothing that could be counted."
    elif not every:
        yield "No memory tells it, which is no proof that there is none."
    if unsure:
        yield f"Memories that may belong, since their words, time or trust leave it open: {len(unsure)}."
    if unread:
        yield f"Records that seem to tell of more, without a memory of it: {len(unread)}."
    if not whole:
        yield BOUNDED
