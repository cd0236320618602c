"""Decisions that are known: list them, ask why, and look for precedents.

Rule of this file: a read sees its own lineage and never a sibling. What one user decided becomes a precedent for others only by
a copy, without private names, that was put on a wider rung under the architecture's sharing policy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from muniment.curate.pages import MOST_READ, pages
from muniment.curate.rules_asked import check_asked, check_said, check_scope, check_statuses
from muniment.curate.rules_filters import MemoryWhere, check_decision_filter
from muniment.curate.sharing import Sharing
from muniment.errors import NotFound, QueryError, shown
from muniment.knowledge.decisions import (
    BECAUSE_OF,
    COMMITMENT,
    CONSIDERED_IN,
    DECISION,
    KEPT,
    LED_TO,
    OUTCOME,
    WITHDRAWN,
    answer,
    asked,
    telling,
)
from muniment.knowledge.values import (
    Memory,
    MemoryFilter,
    MemoryId,
    Status,
)
from muniment.knowledge.weighed import weighed
from muniment.ports import Clock, Memories, Records
from muniment.types import Record, RecordId, Scope, Trust, check_whole

MOST = 200


class Store(Memories, Records, Protocol):
    """What this file asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision with what is known of it. `score`, 0 to 1, is how much of the question it holds; 1 where nothing was asked.

    `rationale`, `alternatives`, `depends_on` and `outcome` are words of records; `records` are those that prove it. `because_of`
    are the earlier decisions that its reasons name, `led_to` the later ones whose reasons name it.
    """

    memory: Memory
    score: float = 1.0
    rationale: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    because_of: tuple[Memory, ...] = ()
    led_to: tuple[Memory, ...] = ()
    overdue: bool = False
    """True for a commitment that still stands though its time is over."""

    @property
    def by(self) -> str:
        """Who decided, as told."""
        return self.memory.subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is known in answer to a question about decisions, best first, and a sentence that says what that is."""

    question: str
    wants: str
    decisions: tuple[Decision, ...]
    searched: int
    message: str

    def __bool__(self) -> bool:
        """True when something is known."""
        return bool(self.decisions)


@dataclass(slots=True)
class Decisions:
    """The decisions of one store (`engine.decisions`)."""

    store: Store
    clock: Clock
    sharing: Sharing = field(repr=False)

    async def list(
        self,
        scope: Scope,
        *,
        where: MemoryWhere = None,
        kind: str = DECISION,
        limit: int = 50,
        inherited: bool = False,
        statuses: tuple[Status, ...] = (Status.CURRENT,),
    ) -> tuple[Decision, ...]:
        """Decisions (or commitments) of exactly `scope`, or with `inherited` of its ancestors too, latest first.

        `where` narrows them as it does memories, save that kind and statuses are asked for apart.
        """
        check_scope(scope)
        check_whole("limit", limit, MOST)
        statuses = check_statuses(statuses)
        if kind not in (DECISION, COMMITMENT):
            raise QueryError(
                f"{shown(kind)} is no kind of decision.", place="kind", code="range", hint=f"Use {DECISION} or {COMMITMENT}."
            )
        asked = replace(check_decision_filter(where), kinds=(kind,), statuses=statuses)
        found = await self._known(scope, asked, inherited=inherited, most=limit)
        return await self._told(scope, [(memory, 1.0) for memory in found[:limit]])

    async def why(self, scope: Scope, question: str, *, limit: int = 5) -> Answer:
        """The decisions of `scope` and its ancestors that answer `question`, with reasons, alternatives, outcome and evidence."""
        _check_question(scope, question, limit)
        known = await self._known(scope, MemoryFilter(kinds=(DECISION, COMMITMENT)), inherited=True)
        return await self._answer(scope, question, known, limit=limit)

    async def precedents(self, scope: Scope, question: str, *, limit: int = 5) -> Answer:
        """Decisions in the matter of `question` that others shared with this user's customer or client: ancestors' ones alone.

        They were put there by `share`. Nothing of a sibling's scope is ever read.
        """
        _check_question(scope, question, limit)
        own = scope if scope.user is not None else None
        known = [m for m in await self._known(scope, MemoryFilter(kinds=(DECISION,)), inherited=True) if m.scope != own]
        return await self._answer(scope, question, known, limit=limit)

    async def share(
        self, scope: Scope, memory: MemoryId, *, to: str = "customer", by: str = "", agent: str | None = None
    ) -> Decision:
        """Put a copy of a decision of `scope` on its customer's or client's rung, where all below find it as a precedent.

        It is `memories.share` for decisions, and raises what that raises.
        """
        check_asked(scope, memory=memory, to=to)
        if not any(m.scope == scope and m.kind == DECISION for m in await self.store.memory(scope, [memory])):
            raise NotFound(f"there is no decision {shown(memory)} in this scope.", hint="Look at the ids that list shows.")
        return (await self._told(scope, [(await self.sharing.share(scope, memory, to=to, by=by, agent=agent), 1.0)]))[0]

    async def unshare(self, scope: Scope, memory: MemoryId) -> int:
        """Take back what was shared, as `memories.unshare` does."""
        return await self.sharing.unshare(scope, memory)

    async def _known(self, scope: Scope, where: MemoryFilter, *, inherited: bool, most: int = MOST_READ) -> Sequence[Memory]:
        """Decisions and commitments, latest first; statements of outcomes are none."""
        out: list[Memory] = []
        async for page in pages(self.store, scope, where, now=self.clock.now(), inherited=inherited):
            out += [memory for memory in page if memory.attribute not in (OUTCOME, KEPT, WITHDRAWN)]
            if len(out) >= most:
                break
        return out

    async def _answer(self, scope: Scope, question: str, known: Sequence[Memory], *, limit: int) -> Answer:
        ranked = answer(question, known)[:limit]
        told = await self._told(scope, [(one.memory, one.score) for one in ranked])
        wants = asked(question).value
        return Answer(
            question=question, wants=wants, decisions=told, searched=len(known), message=_message(told, wants, len(known))
        )

    async def _told(self, scope: Scope, found: Sequence[tuple[Memory, float]]) -> tuple[Decision, ...]:
        """Each decision with the records that prove it and what they weighed, in one read of records."""
        wanted: dict[RecordId, None] = {}
        for memory, _ in found:
            wanted.update(dict.fromkeys(evidence.record for evidence in memory.evidence))
            wanted.update(dict.fromkeys(map(RecordId, memory.parts.get(CONSIDERED_IN, ()))))
        records = {record.id: record for record in await self.store.get(scope, list(wanted))} if wanted else {}
        ties = {link.memory: None for memory, _ in found for link in memory.links}
        others = {memory.id: memory for memory in await self.store.memory(scope, list(ties))} if ties else {}
        now = self.clock.now()
        return tuple(
            replace(
                _decision(memory, score, records),
                because_of=_tied(memory, BECAUSE_OF, others),
                led_to=_tied(memory, LED_TO, others),
                overdue=_overdue(memory, now),
            )
            for memory, score in found
        )


def _check_question(scope: object, question: object, limit: object) -> None:
    check_scope(scope)
    check_said("question", question, hint="Ask, for example 'why did we choose Postgres?'.")
    check_whole("limit", limit, MOST)


def _decision(memory: Memory, score: float, records: Mapping[RecordId, Record]) -> Decision:
    alternatives = list(memory.parts.get("alternatives", ()))
    chosen = telling(memory.value)
    known = [telling(one) for one in alternatives]
    for id_ in memory.parts.get(CONSIDERED_IN, ()):
        record = records.get(RecordId(id_))
        for option in weighed(record.text) if record is not None and record.trust is Trust.TRUSTED else ():
            words = telling(option)
            if words and not words <= chosen and not chosen <= words and words not in known:
                alternatives.append(option)
                known.append(words)
    return Decision(
        memory=memory,
        score=score,
        rationale=tuple(memory.parts.get("rationale", ())),
        alternatives=tuple(alternatives),
        depends_on=tuple(memory.parts.get("depends_on", ())),
        outcome=tuple(memory.parts.get("outcome", ())),
        records=tuple(records[e.record] for e in memory.evidence if e.record in records),
    )


def _tied(memory: Memory, relation: str, others: Mapping[MemoryId, Memory]) -> tuple[Memory, ...]:
    return tuple(others[link.memory] for link in memory.links if link.relation == relation and link.memory in others)


def _overdue(memory: Memory, now: datetime) -> bool:
    due = memory.event.until if memory.event and not memory.event.recurrence else None
    return memory.kind == COMMITMENT and memory.status is Status.CURRENT and due is not None and due <= now


def _message(told: Sequence[Decision], wants: str, searched: int) -> str:
    if not told:
        return (
            f"Nothing is known about that: none of {searched} decisions speaks of it."
            if searched
            else "No decision is known here."
        )
    best = told[0]
    piece = {
        "why": best.rationale,
        "alternatives": best.alternatives,
        "outcome": best.outcome,
        "depends_on": best.depends_on,
    }.get(wants)
    if piece == ():
        said = {"why": "no reason", "alternatives": "no alternative", "outcome": "no outcome", "depends_on": "no condition"}[
            wants
        ]
        return f"{best.memory.text}. Of it {said} is known."
    return f"{best.memory.text}." if not best.memory.text.endswith((".", "。")) else best.memory.text
