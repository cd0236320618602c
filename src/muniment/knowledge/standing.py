"""What stands: the memories a batch touches, and how a new statement changes them.

Rule of this file: pure. The same statement is evidence; another value of a functional slot takes the old one's place, from when
it was said; what is taken back is retracted. Untrusted words never unseat trusted ones, nor one agent's claim another agent's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from muniment.knowledge.copies import is_copy
from muniment.knowledge.likeness import overlap, same_statement, same_subject, same_value, values_agree
from muniment.knowledge.places import wider
from muniment.knowledge.unsaid import UNSAID
from muniment.knowledge.values import Changes, Evidence, Known, Link, Memory, MemoryId, Modality, Status
from muniment.types import RecordId

BY_HAND = "hand"
"""The extractor of what a person wrote or mended: no rule takes it back."""
MOST_EVIDENCE = 24
_NEAR_TARGET = 0.5
_BACK = re.compile(r"\bback (?:to|on|with)\b|\bagain\b")
"""Words that tell of a return to what once was."""
_OF_LATE = frozenset({"recently", "lately", "of late", "just recently", "most recently"})
"""Words of a time that came about not long ago, and holds since."""
_JUST_NOW = timedelta(days=2)
"""A change that ended no longer than this before what held was said is the newer of the two: "we upgraded yesterday"."""


class Standing:
    """The memories known of one scope, as they change. Only what changed is given back by `changed`."""

    def __init__(self, memories: Iterable[Memory], *, now: datetime) -> None:
        self.now = now
        self._all: dict[MemoryId, Memory] = {}
        self._of_attribute: dict[str, dict[MemoryId, None]] = {}
        self._changed: dict[MemoryId, None] = {}
        for memory in memories:
            self._keep(memory)

    def current(self) -> list[Memory]:
        """Those that hold now, latest recorded last."""
        return [memory for memory in self._all.values() if memory.status is Status.CURRENT]

    def _alike(self, attribute: str) -> list[Memory]:
        """Those of one attribute that hold now, in the same order."""
        every = (self._all[id_] for id_ in self._of_attribute.get(attribute, ()))
        return [memory for memory in every if memory.status is Status.CURRENT]

    def _keep(self, memory: Memory) -> None:
        known = self._all.get(memory.id)
        if known is not None and known.attribute != memory.attribute:
            del self._of_attribute[known.attribute][memory.id]
        self._of_attribute.setdefault(memory.attribute, {})[memory.id] = None
        self._all[memory.id] = memory

    def get(self, id_: MemoryId) -> Memory | None:
        """The memory with this id, whatever its status."""
        return self._all.get(id_)

    def put(self, memory: Memory) -> None:
        """Keep `memory` as it is now."""
        self._keep(memory)
        self._changed[memory.id] = None

    def changed(self) -> tuple[Memory, ...]:
        """What is new or different, in the order it was first touched."""
        return tuple(self._all[id_] for id_ in self._changed)

    def state(
        self,
        memory: Memory,
        *,
        functional: bool,
        ends: bool = False,
        corrects: bool = False,
        targets: Sequence[str] = (),
        by_user: bool = True,
    ) -> tuple[str, MemoryId]:
        """Take in a statement. Returns what became of it (stored, merged, superseded, unchanged) and the memory that holds it."""
        known = self._all.get(memory.id)
        if known is not None:
            known = replace(known, architecture=memory.architecture, expires_at=memory.expires_at)
            if not _lapsed(known, memory):
                self.put(known)
                return "unchanged", known.id
            memory = _anew(known, memory)
        if not ends and (same := next((m for m in self._alike(memory.attribute) if _is_same(m, memory)), None)):
            return "merged", self._merge(same, memory)
        if memory.modality is not Modality.ASSERTED:
            self.put(memory)
            return "stored", memory.id
        if ends:
            memory = replace(memory, negated=True)
        if _was(memory):
            ended = memory.event.until if memory.event else None
            self.put(replace(memory, status=Status.SUPERSEDED, valid_from=None, valid_to=ended, retired_at=self.now))
            return "stored", memory.id
        rivals = [one for one in self._rivals(memory, functional=functional, ends=ends) if corrects or not wider(memory, one)]
        if not (functional or ends or memory.negated):
            rivals += [one for one in self._given_up(memory, targets) if one not in rivals]
        if corrects and not rivals:
            rivals = self._targets(memory, targets)
        return self._replace(memory, rivals, corrects=corrects, by_user=by_user)

    def retract(self, memory: Memory, targets: Sequence[str]) -> str:
        """Take back what `memory` speaks of: its slot, or what its target words are about."""
        found = self._rivals(memory, functional=True, ends=True) or self._targets(memory, targets)
        for one in found:
            kept = _with_evidence(one, memory.evidence)
            self.put(replace(kept, status=Status.RETRACTED, retired_at=self.now))
        return f"retracted:{memory.kind}" if found else "refused:nothing_to_retract"

    def withdraw(self, records: set[RecordId], stated: set[str]) -> None:
        """Take these records from the evidence of current memories not among `stated`.

        What has none left is retracted, and so is what has lost its first: its words are that one's. Other records that prove it
        state it in their own words when they are read again.
        """
        for memory in self.current():
            if memory.id in stated or memory.extractor.startswith(BY_HAND):
                continue
            left = tuple(e for e in memory.evidence if e.lends or e.record not in records)
            if len(left) == len(memory.evidence):
                continue
            if left and left[0] == memory.evidence[0]:
                self.put(replace(memory, evidence=left))
            else:
                unsaid = UNSAID + memory.extractor
                self.put(replace(memory, status=Status.RETRACTED, retired_at=self.now, extractor=unsaid))

    def _merge(self, same: Memory, memory: Memory) -> MemoryId:
        kept = _with_evidence(same, memory.evidence)
        earlier = [at for at in (same.valid_from, memory.valid_from) if at is not None]
        self.put(
            replace(
                kept,
                confidence=max(same.confidence, memory.confidence),
                valid_from=min(earlier) if earlier else None,
                entities=tuple(dict.fromkeys((*same.entities, *memory.entities))),
                event=same.event or memory.event,
                parts={**memory.parts, **same.parts},
                expires_at=memory.expires_at,
                architecture=memory.architecture,
            )
        )
        return same.id

    def _rivals(self, memory: Memory, *, functional: bool, ends: bool) -> list[Memory]:
        """Current statements of the same slot that cannot hold beside `memory`."""
        if not memory.attribute:
            return []
        slot = [
            m
            for m in self._alike(memory.attribute)
            if same_subject(m, memory)
            and m.trust is memory.trust
            and m.modality is Modality.ASSERTED
            and not (m.negated and not functional)
        ]
        if functional and not (ends or memory.negated):
            return slot
        if not memory.value:
            return [m for m in slot if not m.negated] if ends and functional else []
        return [m for m in slot if not m.negated and same_value(m, memory)]

    def _given_up(self, memory: Memory, targets: Sequence[str]) -> list[Memory]:
        """What a slot of many values gives up for this one: what it takes the place of, or tells that it once took its own."""
        came_back = _BACK.search(memory.text) is not None
        if not memory.value or not (targets or came_back):
            return []
        return [
            m
            for m in self._rivals(memory, functional=True, ends=False)
            if not m.negated
            and (
                any(values_agree(m.value, target) for target in targets)
                or (came_back and not same_value(m, memory) and m.replaces and overlap(m, memory.value) == 1)
            )
        ]

    def _targets(self, memory: Memory, targets: Sequence[str]) -> list[Memory]:
        """The one current statement about the same subject that a correction speaks of, by shared words."""
        words = " ".join(targets) or memory.text
        near = [(overlap(m, words), number, m) for number, m in enumerate(self.current()) if same_subject(m, memory)]
        near = [one for one in near if one[0] >= _NEAR_TARGET and one[2].trust is memory.trust]
        return [max(near)[2]] if near else []

    def _replace(self, memory: Memory, rivals: Sequence[Memory], *, corrects: bool, by_user: bool) -> tuple[str, MemoryId]:
        theirs = [m for m in rivals if not by_user and m.agent != memory.agent]
        if theirs:
            return self._beside(memory, theirs)
        later = [m for m in rivals if not corrects and _precedes(memory, m)]
        if later:
            return "stored", self._late(memory, later)
        since = _began(memory)
        corrects = corrects and not (memory.event and memory.event.since)  # what tells its own day changed then
        for rival in rivals:
            status = Status.RETRACTED if corrects else Status.SUPERSEDED
            ended = max(since, rival.valid_from or since)
            self.put(replace(rival, status=status, valid_to=ended, retired_at=self.now, replaced_by=memory.id))
        began = min((_began(m) for m in rivals if m.valid_from), default=None) if corrects else None
        self.put(replace(memory, replaces=tuple(m.id for m in rivals), valid_from=began or _since(memory)))
        return ("superseded" if rivals else "stored"), memory.id

    def _late(self, memory: Memory, later: Sequence[Memory]) -> MemoryId:
        """Put what was said before what holds now in its place in history, as far as that is known."""
        began = _began(memory)
        past = [
            m
            for m in self._all.values()
            if m.status is Status.SUPERSEDED
            and m.attribute == memory.attribute
            and same_subject(m, memory)
            and m.trust is memory.trust
        ]
        follows = min((*later, *(m for m in past if _began(m) > began)), key=_began)
        ended = [one for one in past if one.valid_from and one.valid_to and _began(one) <= began < one.valid_to]
        for one in ended:
            self.put(replace(one, valid_to=began, replaced_by=memory.id))
        before = tuple(one.id for one in ended)
        others = tuple(id_ for id_ in follows.replaces if id_ not in before and id_ != memory.id)
        self.put(replace(follows, replaces=(*others, memory.id)))
        self.put(
            replace(
                memory,
                status=Status.SUPERSEDED,
                replaces=before,
                valid_from=_since(memory),
                valid_to=_said_after(follows, began),
                retired_at=self.now,
                replaced_by=follows.id,
            )
        )
        return memory.id

    def _beside(self, memory: Memory, others: Sequence[Memory]) -> tuple[str, MemoryId]:
        """Keep both sides of a contradiction, each tied to the other."""
        self.put(replace(memory, links=(*memory.links, *(Link(relation="contradicts", memory=m.id) for m in others))))
        for other in others:
            self.put(replace(other, links=(*other.links, Link(relation="contradicts", memory=memory.id))))
        return "stored", memory.id


def unless_held(known: Known, memory: Memory) -> Changes:
    """The memory as new, or nothing where it holds already, so that what was counted of it stays."""
    held = any(one.id == memory.id and one.status is Status.CURRENT for one in known.memories)
    return Changes() if held else Changes(memories=(memory,))


def _lapsed(known: Memory, again: Memory) -> bool:
    """True when nothing stands in the place of what is read again: its replacement was erased, or only other rules unsaid it."""
    if known.status is Status.RETRACTED:
        return known.extractor.startswith(UNSAID)
    return known.status is Status.SUPERSEDED and known.replaced_by is None and not _was(again)


def _anew(known: Memory, again: Memory) -> Memory:
    """What lapsed, as it is before it is weighed against what stands now."""
    return replace(known, status=Status.CURRENT, valid_to=None, retired_at=None, extractor=again.extractor)


def _with_evidence(memory: Memory, more: Iterable[Evidence]) -> Memory:
    """With more evidence; of very much, the first and the latest are kept."""
    every = tuple(dict.fromkeys((*memory.evidence, *more)))
    return replace(memory, evidence=every if len(every) <= MOST_EVIDENCE else (every[0], *every[-MOST_EVIDENCE + 1 :]))


def _began(memory: Memory) -> datetime:
    return _since(memory) or memory.recorded_at


def _said(memory: Memory) -> list[datetime]:
    """When it was said, first and again."""
    again = (one.said_at for one in memory.evidence if one.said_at and not one.lends)
    return [memory.said_at or memory.recorded_at, *again]


def _said_after(memory: Memory, moment: datetime) -> datetime | None:
    """From when it holds; where it held before `moment` already, when it was said again after that."""
    if memory.valid_from is None or memory.valid_from > moment:
        return memory.valid_from
    return min((at for at in _said(memory) if at > moment), default=moment)


def _precedes(memory: Memory, other: Memory) -> bool:
    """True when `memory` tells of a time before the one that `other` tells of: it was said before, or of what was long past."""
    mine, theirs = memory.said_at or memory.recorded_at, max(_said(other))
    if mine < theirs or (mine == theirs and 0 < memory.seq < (other.seq or memory.seq + 1)):
        return True  # of what came at one moment, what is read anew came before what came after it
    event = memory.event
    return event is not None and event.until is not None and event.until + _JUST_NOW <= _began(other)


def _since(memory: Memory) -> datetime | None:
    """From when it holds: when the change it tells happened, if that was before it was said, else when it was said."""
    event = memory.event
    if event and event.since and memory.valid_from and event.since <= memory.valid_from and not event.recurrence:
        return event.since
    return memory.valid_from


def _was(memory: Memory) -> bool:
    """True for what is told of the past alone ("used to live in"): open at its start and over when it was said."""
    event = memory.event
    if event is None or not memory.attribute or event.since is not None or event.words.casefold() in _OF_LATE:
        return False
    return event.until is not None and memory.valid_from is not None and event.until <= memory.valid_from


def _is_same(one: Memory, other: Memory) -> bool:
    """Whether they say the same and one may stand for both: a copy of what is kept elsewhere goes with that, alone."""
    return same_statement(one, other) and not is_copy(one) and not is_copy(other)
