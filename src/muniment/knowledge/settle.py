"""Settling: candidates meet what is known, and become new memories, more evidence, replacements, retractions or refusals.

Rule of this file: pure. `wanted` says what must be looked up, `settle` decides from it; a store runs both in one transaction. A
memory is never rewritten but for its evidence, its status and its ties; what took its place is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from muniment.knowledge.admit import OTHER_LANGUAGE, foreign, refusal
from muniment.knowledge.apart import kept_in, met, room_of, settled_together
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.decisions import (
    BECAUSE_OF,
    DECISION,
    KEPT,
    LED_TO,
    WITHDRAWN,
    amended,
    causes,
    hinted,
    link_outcome,
    tied,
)
from muniment.knowledge.entities import Linked, Named, keys_of, link, marks_of, names_of
from muniment.knowledge.keys import digest_of, memory_id, subject_key
from muniment.knowledge.kinds import kind_of
from muniment.knowledge.standing import Standing
from muniment.knowledge.values import (
    SELF,
    Act,
    Candidate,
    Changes,
    Entity,
    EntityId,
    Evidence,
    Extraction,
    Known,
    Memory,
    MemoryId,
    Mention,
    Merge,
    Refusal,
    Status,
    Wanted,
)
from muniment.types import Record, RecordId, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Extractions of records of one scope, in the order they were said, to be settled together under one architecture."""

    scope: Scope
    extractions: Sequence[Extraction]
    records: Mapping[RecordId, Record]
    architecture: Architecture
    now: datetime


def wanted(batch: Batch, *, near: Sequence[Entity] = (), proved: Iterable[Memory] = ()) -> Wanted:
    """What must be known to settle `batch`. `near` are entities its names may be; `proved` what its records prove already."""
    subjects: set[str] = set()
    slots: set[tuple[str, str]] = set()
    digests: set[str] = set()
    speakers = {SELF, *(record.speaker for record in batch.records.values())}
    for extraction in batch.extractions:
        for candidate in extraction.candidates:
            names = {candidate.subject, *_names(candidate.subject, near)}
            if candidate.attribute:
                slots.update((name, candidate.attribute) for name in names)
            if candidate.act is not Act.STATE or not candidate.attribute:
                subjects.update(names)
            if candidate.act is Act.OUTCOME:
                subjects.update(speakers)
            digests.add(digest_of(candidate))
    return Wanted(
        subjects=tuple(sorted(subjects)),
        slots=tuple(sorted(slots)),
        digests=tuple(sorted(digests)),
        keys=name_keys(batch.extractions),
        memories=tuple(dict.fromkeys(memory.id for memory in proved)),
    )


def name_keys(extractions: Iterable[Extraction]) -> tuple[str, ...]:
    """The keys by which the entities these extractions name, or speak of, may be known."""
    mentions = {mention for extraction in extractions for mention in extraction.mentions}
    subjects = {candidate.subject for extraction in extractions for candidate in extraction.candidates} - {SELF}
    mentions |= {Mention(text=subject, start=0, end=0, kind="person") for subject in subjects}
    return tuple(sorted({key for mention in mentions for key in keys_of(mention)}))


def settle(batch: Batch, known: Known) -> Changes:
    """What becomes of the batch: changed memories and entities, refusals, and the outcome of each record.

    Where the architecture keeps conversations private each is settled apart, among what was said in it alone.
    """
    rules = batch.architecture
    rooms: dict[str | None, list[Extraction]] = {}
    for extraction in batch.extractions:
        rooms.setdefault(room_of(batch.records.get(extraction.record), rules), []).append(extraction)
    done = [
        kept_in(room, _settled(replace(batch, extractions=said), met(known, room, rules)))
        for room, said in (rooms or {None: []}).items()
    ]
    return settled_together(done)


def _settled(batch: Batch, known: Known) -> Changes:
    desk = _Desk(batch=batch, linked=_linked(batch, known), standing=Standing(known.memories, now=batch.now))
    for extraction in batch.extractions:
        if extraction.record in known.live:
            desk.take(extraction)
    desk.unsaid(known.live)
    linked = desk.linked
    return Changes(
        memories=desk.standing.changed(),
        entities=linked.entities,
        merges=linked.merges,
        refusals=desk.refusals,
        outcomes={record: tuple(codes) for record, codes in desk.outcomes.items()},
        partial={e.record: e.note for e in batch.extractions if e.note and e.record in known.live},
    )


@dataclass(slots=True, kw_only=True)
class _Desk:
    """One batch while it is settled."""

    batch: Batch
    linked: _Links
    standing: Standing
    refusals: list[Refusal] = field(default_factory=list)
    outcomes: dict[RecordId, list[str]] = field(default_factory=dict)
    stated: set[str] = field(default_factory=set)

    def take(self, extraction: Extraction) -> None:
        """Settle what was read out of one record."""
        codes = self.outcomes.setdefault(extraction.record, [])
        if extraction.tokens:
            codes.append(f"model_tokens:{extraction.tokens}")
        for refused in extraction.refusals:
            self.refusals.append(refused)
            codes.append(f"refused:{refused.reason}")
        rules, record = self.batch.architecture, self.batch.records[extraction.record]
        most = rules.admission.most_per_record
        for number, read in enumerate(extraction.candidates):
            if hinted(read):
                codes += filter(None, [self._outcome(read, record)])
                continue
            candidate = replace(read, kind=kind_of(read, rules))
            reason = "too_many" if number >= most else refusal(candidate, rules)
            reason = reason or (OTHER_LANGUAGE if foreign(candidate, record, rules) else "")
            if reason:
                self.refusals.append(Refusal(reason=reason, evidence=candidate.evidence, kind=candidate.kind))
                codes.append(f"refused:{reason}")
            else:
                codes.append(self._place(candidate, record))

    def _place(self, candidate: Candidate, record: Record) -> str:
        if candidate.act is Act.OUTCOME:
            if changed := self._outcome(candidate, record):
                return changed
            candidate = self._unlinked(candidate)
        memory = self._memory(candidate, record)
        if memory.expires_at is not None and memory.expires_at <= self.batch.now:
            self.refusals.append(Refusal(reason="expired", evidence=candidate.evidence, kind=candidate.kind))
            return "refused:expired"
        if candidate.act is Act.RETRACT:
            return self.standing.retract(memory, candidate.targets)
        code, kept = self.standing.state(
            memory,
            functional=self._functional(candidate),
            ends=candidate.ends,
            corrects=candidate.act is Act.CORRECT,
            targets=candidate.targets,
            by_user=candidate.role.value == "user",
        )
        self.stated.add(kept)
        self._tie(kept)
        return f"{code}:{candidate.kind}"

    def _tie(self, id_: MemoryId) -> None:
        """Tie a decision to the earlier ones that it was made because of, both ways."""
        memory = self.standing.get(id_)
        if memory is None or memory.kind != DECISION:
            return
        for cause in causes(memory, self.standing.current()):
            memory = tied(memory, BECAUSE_OF, cause)
            self.standing.put(tied(cause, LED_TO, memory))
            self.standing.put(memory)

    def _unlinked(self, candidate: Candidate) -> Candidate:
        """What came of something that nobody is known to have decided: something that happened, where events are kept."""
        happened = replace(candidate, kind="event", attribute="")
        return candidate if candidate.kind != DECISION or refusal(happened, self.batch.architecture) else happened

    def _outcome(self, candidate: Candidate, record: Record) -> str:
        """Tie what came of a decision to that decision; what tells the end of a commitment takes its place."""
        told = self._memory(candidate, record) if candidate.attribute in (KEPT, WITHDRAWN) else None
        if told is not None and self.standing.get(told.id) is not None:
            self.stated.add(told.id)
            return "unchanged"
        found = link_outcome(candidate, self.standing.current())
        if found is None:
            return ""
        self.stated.add(found.id)
        if told is None:
            self.standing.put(amended(found, candidate))
            return "merged:outcome"
        ended = replace(found, status=Status.SUPERSEDED, valid_to=told.valid_from, retired_at=self.batch.now, replaced_by=told.id)
        self.standing.put(amended(ended, candidate))
        self.standing.put(replace(told, value="", replaces=(found.id,)))
        self.stated.add(told.id)
        return f"superseded:{found.kind}"

    def _memory(self, candidate: Candidate, record: Record) -> Memory:
        """The candidate as a memory that holds from when it was said, in its record's own words: no other may stay in it."""
        digest = digest_of(candidate)
        rule = self.batch.architecture.kind(candidate.kind)
        graph = rule is not None and "graph" in rule.storage
        subject_id = self.linked.subject(candidate) if graph else None
        ids = self.linked.of(candidate.mentions, record.id) if graph else []
        keep = rule.keep if rule else None
        said_at = record.said_at or record.recorded_at
        return Memory(
            id=memory_id(self.batch.scope, candidate.kind, digest, candidate.evidence),
            scope=self.batch.scope,
            kind=candidate.kind,
            text=candidate.text,
            subject=candidate.subject,
            subject_id=subject_id,
            attribute=candidate.attribute,
            value=candidate.value,
            object_id=self.linked.named(candidate.value, candidate.mentions, record.id) if graph else None,
            entities=tuple(dict.fromkeys(id_ for id_ in (subject_id, *ids) if id_)),
            negated=candidate.negated,
            modality=candidate.modality,
            speaker=candidate.speaker,
            event=candidate.event,
            said_at=record.said_at,
            valid_from=said_at,
            recorded_at=self.batch.now,
            parts=candidate.parts,
            confidence=candidate.confidence,
            trust=candidate.trust,
            conversation=record.conversation,
            agent=record.agent,
            architecture=self.batch.architecture.label,
            extractor=candidate.extractor,
            evidence=(candidate.evidence, *candidate.lenders),
            expires_at=said_at + keep if keep else None,
        )

    def _functional(self, candidate: Candidate) -> bool:
        if candidate.functional is not None:
            return candidate.functional
        rule = self.batch.architecture.kind(candidate.kind)
        return rule is not None and bool(candidate.attribute) and rule.holds_one(candidate.attribute)

    def unsaid(self, live: Iterable[RecordId]) -> None:
        """Take back what these records once were read to say, and under the present rules say no more."""
        self.standing.withdraw(set(live), self.stated)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Links:
    """Entities of the batch by the names its candidates use."""

    entities: Sequence[Entity]
    merges: Sequence[Merge]
    ids: Mapping[tuple[RecordId, str], EntityId]
    names: Mapping[str, frozenset[EntityId]]

    def subject(self, candidate: Candidate) -> EntityId | None:
        """The entity of a candidate's subject, if it is one: a record that says "she" is of whom alone goes by the name."""
        key = subject_key(candidate.subject)
        near = self.names.get(key, frozenset())
        return self.ids.get((candidate.evidence.record, key)) or (next(iter(near)) if len(near) == 1 else None)

    def of(self, mentions: Iterable[Mention], record: RecordId) -> list[EntityId]:
        """The entities these mentions of a record name."""
        return [id_ for m in mentions if (id_ := self.ids.get((record, subject_key(m.text))))]

    def named(self, value: str, mentions: Iterable[Mention], record: RecordId) -> EntityId | None:
        """The entity that is a slot's value, if the value is a name."""
        key = subject_key(value)
        return next((self.ids.get((record, key)) for m in mentions if subject_key(m.text) == key), None) if key else None


def _linked(batch: Batch, known: Known) -> _Links:
    named: dict[tuple[RecordId, str], Named] = {}
    for extraction in batch.extractions:
        if extraction.record not in known.live:
            continue
        record = batch.records[extraction.record]
        speaks = [Mention(text=record.speaker, start=0, end=0, kind="person")] if _speaks(record, extraction) else []
        for spoken in (*extraction.mentions, *speaks):
            mention = replace(spoken, kind="person") if speaks and _unkind(spoken, record) else spoken
            proof = Evidence(
                record=record.id, start=mention.start, end=mention.end, said_at=record.said_at, speaker=record.speaker
            )
            told = Named(mention=mention, evidence=proof, trust=record.trust, marks=marks_of(record.text, mention))
            named.setdefault((record.id, subject_key(mention.text)), told)
    found: Linked = link(
        list(named.values()), known.entities, known.shared, rules=batch.architecture.entities, scope=batch.scope, now=batch.now
    )
    there = {entity.id: entity for entity in (*known.entities, *found.entities)}
    ids = {key: id_ for key, id_ in zip(named, found.ids, strict=True) if id_ in there}
    return _Links(entities=found.entities, merges=found.merges, ids=ids, names=_by_name(batch, there.values()))


def _by_name(batch: Batch, near: Iterable[Entity]) -> Mapping[str, frozenset[EntityId]]:
    """Which entities of the scope go by each name."""
    out: dict[str, frozenset[EntityId]] = {}
    for entity in near:
        if entity.scope == batch.scope and entity.merged_into is None:
            for key in {subject_key(name.text) for name in names_of(entity)}:
                out[key] = out.get(key, frozenset()) | {entity.id}
    return out


def _speaks(record: Record, extraction: Extraction) -> bool:
    """True when the speaker is somebody with a name of whom something was read."""
    told = (one for one in extraction.candidates if not hinted(one))
    return record.speaker != record.role.value and any(one.subject == record.speaker for one in told)


def _unkind(mention: Mention, record: Record) -> bool:
    """True for the speaker's own name where nothing in the words says what it names: who speaks is a person."""
    return not mention.kind and subject_key(mention.text) == subject_key(record.speaker)


def _names(subject: str, near: Iterable[Entity]) -> set[str]:
    """All names of the entities that this one may be."""
    if subject == SELF:
        return set()
    keys = set(keys_of(Mention(text=subject, start=0, end=0, kind="person")))
    theirs = [entity for entity in near if not keys.isdisjoint(entity.keys)]
    return {name for entity in theirs for name in (entity.name, *(alias.text for alias in names_of(entity)))}
