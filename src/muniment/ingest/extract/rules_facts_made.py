"""Candidates made out of a stretch of a sentence, with their evidence, times and names.

Rule of this file: nothing is read here; places are characters of the sentence and become characters of the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.rules_sentence import Context, Sentence
from muniment.ingest.extract.rules_slots import Slot
from muniment.knowledge.values import Act, Candidate, Evidence, Mention, Modality
from muniment.text.times import Timed
from muniment.types import Role, Trust, When

EXTRACTOR: Final = "rules"
NAMELESS: Final = frozenset({"", "assistant", "ai", "bot", "agent", "model"})
"""Speakers that are an assistant, not a person."""
EXPLICIT: Final = 1.0
INFERRED: Final = 0.75


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence in its context, from which candidates are made."""

    sentence: Sentence
    context: Context

    @property
    def personal(self) -> bool:
        """Whether a person speaks here: a user, or someone with a name in an assistant's place, and in their own words."""
        record = self.context.record
        named = record.role is Role.ASSISTANT and record.speaker.casefold() not in NAMELESS
        return (record.role is Role.USER or named) and not self.sentence.quoted

    @property
    def trust(self) -> Trust:
        """What is derived from tools and documents, or said of the speaker by another, is not to be believed on their word."""
        record = self.context.record
        hearsay = self.sentence.quoted and self.sentence.speaker == record.speaker
        return Trust.UNTRUSTED if hearsay or record.role in (Role.TOOL, Role.DOCUMENT) else record.trust

    def timed(self, start: int, end: int) -> tuple[Timed, ...]:
        """The times told between two places."""
        start, end = start + self.sentence.start, end + self.sentence.start
        return tuple(timed for timed in self.context.timed if start <= timed.start < end)

    def event(self, start: int, end: int) -> When | None:
        """The first time told between two places."""
        return next((timed.when for timed in self.timed(start, end) if timed.when is not None), None)

    def mentions(self, start: int, end: int) -> tuple[Mention, ...]:
        """The names said between two places."""
        start, end = start + self.sentence.start, end + self.sentence.start
        return tuple(mention for mention in self.context.mentions if start <= mention.start < end)

    def evidence(self, start: int, end: int) -> Evidence:
        """These words as proof."""
        record, base = self.context.record, self.sentence.start
        return Evidence(
            record=record.id,
            start=base + max(0, start),
            end=base + min(end, len(self.sentence.text)),
            said_at=record.said_at,
            speaker=self.sentence.speaker,
        )

    def candidate(
        self,
        *,
        kind: str,
        text: str,
        subject: str,
        start: int,
        end: int,
        slot: Slot | None = None,
        attribute: str = "",
        value: str = "",
        act: Act = Act.STATE,
        negated: bool | None = None,
        modality: Modality = Modality.ASSERTED,
        event: When | None = None,
        targets: tuple[str, ...] = (),
        parts: dict[str, tuple[str, ...]] | None = None,
        confidence: float = EXPLICIT,
    ) -> Candidate:
        """A candidate proved by the words between two places; a `slot` brings attribute, value, end and old value."""
        slot = slot or Slot(attribute=attribute, value=value)
        return Candidate(
            kind=kind,
            text=text,
            subject=subject,
            evidence=self.evidence(start, end),
            role=self.context.record.role,
            act=act,
            attribute=slot.attribute,
            value=slot.value,
            functional=slot.functional,
            ends=slot.ends,
            negated=slot.negated if negated is None else negated,
            modality=modality,
            speaker=self.sentence.speaker,
            mentions=self.mentions(start, end),
            event=event,
            targets=targets or ((slot.old,) if slot.old else ()) or ((slot.value,) if slot.ends and slot.value else ()),
            parts=parts or {},
            confidence=confidence,
            trust=self.trust,
            extractor=EXTRACTOR,
        )
