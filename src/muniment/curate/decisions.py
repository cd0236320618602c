"""Decisions that are known: list them, ask why, and look for precedents.

Rule of this file: a read sees its own lineage and never a sibling. What one user decided becomes a precedent for others only by
a copy, without private names, that was put on a wider rung under the architecture's sharing policy.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from muniment.curate.pages import MOST_READ, pages
from muniment.curate.rules_asked import check_asked, check_said, check_scope, check_statuses
from muniment.errors import NotFound, QueryError, ScopeError, shown
from muniment.knowledge.decisions import (
    COMMITMENT,
    CONSIDERED_IN,
    DECISION,
    KEPT,
    OUTCOME,
    PARTS,
    WITHDRAWN,
    answer,
    asked,
    telling,
)
from muniment.knowledge.entities import names_of
from muniment.knowledge.entities.given import BOTH, FEMALE, MALE, SHORT_FEMALE, SHORT_MALE
from muniment.knowledge.keys import digest_of, memory_id
from muniment.knowledge.standing import unless_held
from muniment.knowledge.values import (
    SELF,
    Evidence,
    Memory,
    MemoryFilter,
    MemoryId,
    Status,
    Wanted,
)
from muniment.knowledge.weighed import weighed
from muniment.ports import ArchitectureOf, Clock, Memories, Records, Target
from muniment.types import RUNGS, Record, RecordId, Scope, Trust, check_whole

MOST = 200
_SOMEONE = "someone"
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_GIVEN = MALE | FEMALE | BOTH | SHORT_MALE | SHORT_FEMALE
_WIDER = {"": 0, "user": 0, "customer": 1, "client": 2}

Remember = Callable[..., Awaitable[Record]]
"""Keeps a statement as a record of a scope and returns it: (scope, text, agent=…)."""


class Store(Memories, Records, Protocol):
    """What this file asks of a store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision with what is known of it. `score`, 0 to 1, is how much of the question it holds; 1 where nothing was asked.

    `rationale`, `alternatives`, `depends_on` and `outcome` are words of records; `records` are those that prove it.
    """

    memory: Memory
    score: float = 1.0
    rationale: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
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
    remember: Remember = field(repr=False)
    rules_of: ArchitectureOf = field(repr=False)

    async def list(
        self,
        scope: Scope,
        *,
        kind: str = DECISION,
        limit: int = 50,
        inherited: bool = False,
        statuses: tuple[Status, ...] = (Status.CURRENT,),
    ) -> tuple[Decision, ...]:
        """Decisions (or commitments) of exactly `scope`, or with `inherited` of its ancestors too, latest first."""
        check_scope(scope)
        check_whole("limit", limit, MOST)
        statuses = check_statuses(statuses)
        if kind not in (DECISION, COMMITMENT):
            raise QueryError(
                f"{shown(kind)} is no kind of decision.", place="kind", code="range", hint=f"Use {DECISION} or {COMMITMENT}."
            )
        found = await self._known(scope, kinds=(kind,), statuses=statuses, inherited=inherited, most=limit)
        return await self._told(scope, [(memory, 1.0) for memory in found[:limit]])

    async def why(self, scope: Scope, question: str, *, limit: int = 5) -> Answer:
        """The decisions of `scope` and its ancestors that answer `question`, with reasons, alternatives, outcome and evidence."""
        _check_question(scope, question, limit)
        known = await self._known(scope, kinds=(DECISION, COMMITMENT), inherited=True)
        return await self._answer(scope, question, known, limit=limit)

    async def precedents(self, scope: Scope, question: str, *, limit: int = 5) -> Answer:
        """Decisions in the matter of `question` that others shared with this user's customer or client: ancestors' ones alone.

        They were put there by `share`. Nothing of a sibling's scope is ever read.
        """
        _check_question(scope, question, limit)
        own = scope if scope.user is not None else None
        known = [m for m in await self._known(scope, kinds=(DECISION,), inherited=True) if m.scope != own]
        return await self._answer(scope, question, known, limit=limit)

    async def share(self, scope: Scope, memory: MemoryId, *, to: str = "customer", agent: str | None = None) -> Decision:
        """Put a copy of a decision of `scope` on its customer's or client's rung, where all below find it as a precedent.

        The copy names no person, is proved by a record of its own there, and stays when the original goes: take it back with
        `unshare`. Raises ScopeError (not_shared) when the architecture does not share decisions that far, QueryError for what is
        no trusted current decision, NotFound for an id not in this scope.
        """
        check_asked(scope, memory=memory, to=to)
        found = [m for m in await self.store.memory(scope, [memory]) if m.scope == scope]
        if not found:
            raise NotFound(f"there is no decision {shown(memory)} in this scope.", hint="Look at the ids that list shows.")
        original = found[0]
        target = self._target(scope, to)
        await self._may_share(original, to, agent=agent)
        names = await self._names(scope, original)
        copy = _without_names(original, names)
        record = await self.remember(target, copy.text, agent=original.agent)
        shared = _placed(copy, target, record)

        await self.store.settle(
            target, Wanted(memories=(shared.id,)), lambda known: unless_held(known, shared), at=self.clock.now()
        )
        return (await self._told(scope, [(shared, 1.0)]))[0]

    async def unshare(self, scope: Scope, memory: MemoryId) -> int:
        """Take a shared copy, given by its id on the wider rung, away for good with the record that proves it; how many went."""
        check_asked(scope, memory=memory)
        found = [m for m in await self.store.memory(scope, [memory]) if m.scope != scope and m.metadata.get("shared") == "yes"]
        for copy in found:
            proof = tuple(evidence.record for evidence in copy.evidence)
            await self.store.erase(Target(scope=copy.scope, ids=proof), self.clock.now())
        return len(found)

    async def _known(
        self,
        scope: Scope,
        *,
        kinds: tuple[str, ...],
        statuses: tuple[Status, ...] = (Status.CURRENT,),
        inherited: bool,
        most: int = MOST_READ,
    ) -> Sequence[Memory]:
        """Decisions and commitments, latest first; statements of outcomes are none."""
        out: list[Memory] = []
        where = MemoryFilter(kinds=kinds, statuses=statuses)
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
        now = self.clock.now()
        return tuple(replace(_decision(memory, score, records), overdue=_overdue(memory, now)) for memory, score in found)

    def _target(self, scope: Scope, to: str) -> Scope:
        for wider in scope.lineage[1:]:
            if wider.rungs[-1][0] == to:
                return wider
        raise ScopeError(
            f"this scope has no {shown(to)} to share with.",
            place="to",
            code="rung_missing",
            hint=f"Use one of {', '.join(RUNGS)} above it.",
        )

    async def _may_share(self, memory: Memory, to: str, *, agent: str | None) -> None:
        rule = (await self.rules_of(agent or memory.agent, memory.scope.client)).kind(memory.kind)
        if rule is None or _WIDER.get(rule.share, 0) < _WIDER[to]:
            raise ScopeError(
                f"the architecture does not share decisions with the {to}.",
                place="to",
                code="not_shared",
                hint=f"Set share: {to} for the kind decision in the agent's architecture.",
            )
        if (
            memory.kind != DECISION
            or memory.attribute == OUTCOME
            or memory.status is not Status.CURRENT
            or memory.trust is not Trust.TRUSTED
        ):
            raise QueryError(
                "only a current decision from trusted words can be shared.",
                place="memory",
                code="not_shareable",
                hint="Look at its kind, status and trust.",
            )

    async def _names(self, scope: Scope, memory: Memory) -> tuple[str, ...]:
        """Every name by which people it speaks of are known, longest first."""
        people: set[str] = {memory.subject, memory.speaker} - {SELF, "assistant", ""}
        if memory.entities:
            page = await self.store.entities(scope, ids=list(memory.entities), limit=MOST)
            for entity in page.entities:
                if entity.kind == "person" and not _is_option(entity.name, memory):
                    people |= {entity.name, *(alias.text for alias in names_of(entity))}
        return tuple(sorted(people, key=lambda name: (-len(name), name)))


def _check_question(scope: object, question: object, limit: object) -> None:
    check_scope(scope)
    check_said("question", question, hint="Ask, for example 'why did we choose Postgres?'.")
    check_whole("limit", limit, MOST)


def _is_option(name: str, memory: Memory) -> bool:
    """True for what was chosen between and is taken for somebody, though no word of it is a given name that is known."""
    low = name.casefold()
    options = {option.casefold() for option in (memory.value.removeprefix("against "), *memory.parts.get("alternatives", ()))}
    return any(f" {low} " in f" {option} " for option in options) and not any(word in _GIVEN for word in low.split())


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


def _without_names(memory: Memory, names: Sequence[str]) -> Memory:
    """The decision with "someone" for every person it names, and nothing that leads back to whoever said it."""
    parts = {name: tuple(_nameless(text, names) for text in memory.parts[name]) for name in PARTS if name in memory.parts}
    text = re.sub(rf"^{re.escape(SELF)}\b", _SOMEONE, memory.text)
    return replace(
        memory,
        text=_nameless(text, names),
        value=_nameless(memory.value, names),
        subject=_SOMEONE,
        subject_id=None,
        object_id=None,
        entities=(),
        speaker=_SOMEONE,
        parts=parts,
        links=(),
        replaces=(),
        metadata={"shared": "yes"},
    )


def _nameless(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", _SOMEONE, text, flags=re.IGNORECASE)
    return _ADDRESS.sub("an address", text)


def _placed(copy: Memory, target: Scope, record: Record) -> Memory:
    evidence = Evidence(record=record.id, start=0, end=len(record.text), said_at=copy.said_at)
    return replace(
        copy,
        id=memory_id(target, copy.kind, digest_of(copy), evidence),
        scope=target,
        evidence=(evidence,),
        conversation=None,
        recorded_at=record.recorded_at,
        recalled=0,
        recalled_at=None,
        seq=0,
    )
