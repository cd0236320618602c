"""Facts, preferences, events, instructions and procedures, read out of one classified sentence.

Rule of this file: a statement is kept when it fills a slot, or tells something solid of a subject that is known; politeness, talk
about the talk and what is true of everything are not. Text is made of the sentence's own words in the third person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.ingest.extract.rules_corrections import NONE, Correction, read_correction
from muniment.ingest.extract.rules_facts_answers import answers, other_before
from muniment.ingest.extract.rules_facts_clauses import Clause, Person, clauses
from muniment.ingest.extract.rules_facts_instructions import Rule, lasting, procedure
from muniment.ingest.extract.rules_facts_people import About, about
from muniment.ingest.extract.rules_facts_reword import reworded
from muniment.ingest.extract.rules_facts_verbs import FORMS, agreeing
from muniment.ingest.extract.rules_facts_world import foreign
from muniment.ingest.extract.rules_sentence import Context, Function, Sentence
from muniment.ingest.extract.rules_slots import Slot, favourite_said, kin_in, owned_slots, slots_of, solid
from muniment.ingest.extract.words_facts import ADVERBS, EMPTY_SUBJECTS, EMPTY_VERBS, POLITE_STATES, TOO_COMMON, VAGUE
from muniment.ingest.extract.words_slots import NOT_HAD
from muniment.knowledge.values import SELF, Act, Candidate, Evidence, Mention, Modality
from muniment.types import Precision, Role, Trust, When

EXTRACTOR: Final = "rules"
EXPLICIT, INFERRED = 1.0, 0.75
_SILENT: Final = frozenset({Function.GREETING, Function.BOILERPLATE})
_LONGEST = 1200
_POLITE: Final = re.compile(POLITE_STATES, re.IGNORECASE)
_NOT_HAD: Final = re.compile(NOT_HAD, re.IGNORECASE)
_YOU: Final = re.compile(r"\b(?:you|your|yours|u|ya)\b", re.IGNORECASE)
_NOTE: Final = re.compile(
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|fyi|for the record|just so you know|for your information|don['’]t forget)(?: that|[,:])? +(?=(?:i|my|we|our|the)\b)", re.IGNORECASE
)
_EARLY: Final = re.compile(r"\b(?:at first|originally|initially|back then|at the time|in the beginning|previously|formerly)\b", re.IGNORECASE)
_FAVOURITES: Final = re.compile(r"(?:new |current )?favou?rite\s", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+")
_CONCRETE: Final = re.compile(r"\d|(?<=[\s(])[A-Z][\w-]*")


def read(sentence: Sentence, context: Context) -> Sequence[Candidate]:
    """What one sentence states of someone or something, takes back or puts right; nothing for questions and empty talk."""
    speaker = sentence.speaker
    if not speaker or not sentence.text or len(sentence.text) > _LONGEST or context.record.role is Role.SYSTEM:
        return ()
    if sentence.refusal and not (sentence.refusal == "acknowledgement" and context.before):
        return ()
    if sentence.function in _SILENT:
        return ()
    reader = _Reader(sentence, context)
    if context.record.role is Role.ASSISTANT and not sentence.quoted:
        return tuple(reader.own_doings())
    if sentence.function is Function.QUESTION:
        return tuple(reader.kin(()))
    return tuple(reader.all())


@dataclass(frozen=True, slots=True)
class _Reader:
    """One sentence with its context, and the ways to read it."""

    sentence: Sentence
    context: Context

    def all(self) -> Iterator[Candidate]:
        text = self.sentence.text
        trusted = self.trust is Trust.TRUSTED and not self.sentence.quoted
        if trusted and (rule := lasting(text) if self.context.record.role is Role.USER else None) is not None:
            yield self._rule(rule)
            return
        correction = read_correction(text)
        if correction.act is Act.RETRACT:
            yield self._retraction(correction)
        if trusted and (rule := procedure(text)) is not None:
            yield self._rule(rule)
            return
        start = correction.start
        if note := _NOTE.match(text, start):
            start = note.end()
        found = list(self.statements(text, start, correction))
        if correction.act is Act.CORRECT and correction.new and not any(c.attribute for c in found) and (fixed := self._put_right(correction)):
            yield fixed
            return
        if not found and correction.act is Act.STATE and (other := self._foreign(text)) is not None:
            found = [other]
        yield from found
        if self.sentence.quoted or self.context.record.role is not Role.USER:
            return
        more = list(self._answers(found))
        yield from more
        yield from self.kin([*found, *more])

    def statements(self, text: str, start: int, correction: Correction = NONE) -> Iterator[Candidate]:
        """What the clauses of `text` behind `start` state."""
        for clause in clauses(text[start:]):
            for candidate in self._clause(replace(clause, start=clause.start + start, end=clause.end + start, subject_at=clause.subject_at + start)):
                yield _corrected(candidate, correction)

    # -- whole sentences -------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule) -> Candidate:
        speaker = self.sentence.speaker
        parts = {"goal": (rule.goal,), "steps": rule.steps} if rule.kind == "procedure" else {}
        said = reworded(rule.text, speaker=speaker)
        text = rule.text if rule.kind == "procedure" else f"{speaker} asks: {said}"
        return self._made(
            kind=rule.kind, text=text, subject=rule.goal or speaker, attribute=rule.attribute, value=rule.value, parts=parts, start=0, end=len(self.sentence.text)
        )

    def _retraction(self, correction: Correction) -> Candidate:
        targets = correction.about
        if not targets and (last := self._last_said()) is not None:
            targets = tuple(word for word in (last.value or last.text).split() if word.lower() not in VAGUE)[:8]
        return self._made(
            kind="fact",
            text=f"{self.sentence.speaker} takes back: {self.sentence.text.strip()}",
            subject=self.sentence.speaker,
            act=Act.RETRACT,
            targets=targets,
            start=0,
            end=correction.start,
        )

    def _put_right(self, correction: Correction) -> Candidate | None:
        """The last statement of this speaker with its value replaced by the bare one that the correction gives."""
        last = self._last_said()
        if last is None or not solid(correction.new):
            return None
        new = re.sub(r"^(?:on|in|at|the|a|an|to|from|with) ", "", correction.new.strip(" .!,"), flags=re.IGNORECASE)
        old = correction.old or last.value
        if old and old in last.text:
            text = last.text.replace(old, new, 1)
        elif correction.old:
            return None
        elif (like := _LIKE(new)) is not None and (hit := like.search(last.text)):
            old, text = hit[0], last.text[: hit.start()] + new + last.text[hit.end() :]
        else:
            return None
        value = new if not last.value or last.value == old else last.value.replace(old, new)
        if len(new.split()) > 8 or (not correction.sure and not last.attribute):
            return None
        return replace(
            last,
            text=text,
            value=value if last.attribute else "",
            act=Act.CORRECT,
            targets=(old,) if last.attribute else (old, *_targets(last.text)),
            event=self._event(correction.start, len(self.sentence.text)) or (None if old in (last.event.words if last.event else "") else last.event),
            evidence=self._evidence(0, len(self.sentence.text)),
            mentions=self._mentions(0, len(self.sentence.text)),
        )

    def _last_said(self) -> Candidate | None:
        """The last statement before this sentence by the same speaker, in this record or the ones before."""
        texts = [self.context.record.text[: self.sentence.start]]
        texts += [record.text for record in reversed(self.context.before) if record.speaker == self.context.record.speaker][:3]
        for text in texts:
            for part in reversed(re.split(r"(?<=[.!?])\s+|\n+", text[-_LONGEST:].strip())[-4:]):
                if not part or part.endswith("?"):
                    continue
                stand_in = replace(self.sentence, text=part, end=self.sentence.start + len(part))
                found = list(_Reader(stand_in, self.context).statements(part, 0))
                if found:
                    return next((c for c in reversed(found) if c.attribute), found[-1])
        return None

    def _foreign(self, text: str) -> Candidate | None:
        found = foreign(text)
        if found is None:
            return None
        slot, said = found
        return self._made(
            kind=_kind(slot.attribute), text=self.sentence.speaker + said, subject=self.sentence.speaker, slot=slot, start=0, end=len(text)
        )

    def _answers(self, own: Sequence[Candidate]) -> Iterator[Candidate]:
        speaker = self.sentence.speaker
        filled = {c.attribute for c in own if c.attribute}
        for answer in answers(self.sentence, self.context, len(own)):
            if answer.slot is not None:
                yield self._made(
                    kind=_kind(answer.slot.attribute),
                    text=speaker + answer.said,
                    subject=speaker,
                    slot=answer.slot,
                    start=0,
                    end=len(self.sentence.text),
                )
            elif answer.clause is not None and not (own and not answer.negated):
                for candidate in self._clause(replace(answer.clause, end=len(self.sentence.text))):
                    if candidate.attribute not in filled or not candidate.attribute:
                        yield replace(candidate, negated=answer.negated or candidate.negated, confidence=INFERRED)

    def kin(self, own: Sequence[Candidate]) -> Iterator[Candidate]:
        """What "my wife", "my dog" and the like tell by being said at all."""
        speaker = self.sentence.speaker
        if self.sentence.quoted or self.context.record.role is not Role.USER:
            return
        told = {candidate.attribute for candidate in own if candidate.subject == speaker}
        for attribute, word, name, start, end in kin_in(self.sentence.text):
            last = word.split()[-1]
            if attribute in told - {"has"} or last in told or (last in TOO_COMMON and not name) or word.startswith(("late ", "ex ", "new ", "old ")):
                continue
            told.add(attribute if attribute != "has" else last)
            many = last.endswith("s") or last == "children"
            article = "" if many else "an " if word[0] in "aeiou" else "a "
            value = f"{word} named {name}" if name else word
            yield self._made(
                kind="fact", text=f"{speaker} has {article}{value}", subject=speaker, slot=Slot(attribute=attribute, value=value), start=start, end=end, confidence=INFERRED
            )

    def own_doings(self) -> Iterator[Candidate]:
        """What an assistant says it has done itself; never anything about the user."""
        if self.sentence.function not in (Function.STATEMENT, Function.EVENT):
            return
        for clause in clauses(self.sentence.text):
            said = clause.predicate
            done = (said.past or said.perfect) and not said.passive and said.verb not in EMPTY_VERBS and said.verb not in ("be", "have")
            if clause.person is Person.SELF and done and not clause.implied and said.modality is Modality.ASSERTED and solid(said.rest) and said.verb in FORMS:
                yield self._statement(clause, About(subject=self.sentence.speaker, said=self.sentence.speaker), kind="event")

    # -- one clause ------------------------------------------------------------------------------------------------------

    def _clause(self, clause: Clause) -> Iterator[Candidate]:
        speaker = self.sentence.speaker
        who = about(clause, self.sentence, self.context, speaker)
        if who is None:
            return
        times = tuple(t.when.words for t in self._timed(clause.start, clause.end))
        first = clause.person in (Person.SELF, Person.GROUP)
        favourite = favourite_said(clause.subject, clause.predicate) if clause.person in (Person.NAMED, Person.THING) else ()
        if favourite:
            yield self._statement(clause, About(subject=speaker, said=who.said), slot=favourite[0])
            return
        if clause.person is Person.OWNED or _FAVOURITES.match(clause.subject):
            yield from self._owned(clause, who, times)
            return
        slots = slots_of(clause.predicate, first=clause.person is Person.SELF and not clause.implied, times=times)
        if slots and not (first and clause.predicate.modality is Modality.WISHED and slots[0].attribute != "wants"):
            for slot in slots:
                yield self._statement(clause, who, slot=slot)
            return
        if first and not self._empty(clause):
            yield self._statement(clause, who)
        elif not first and self._told_of(clause):
            yield self._statement(clause, who)

    def _owned(self, clause: Clause, who: About, times: Sequence[str]) -> Iterator[Candidate]:
        """Clauses about what is someone's: "my name is", "my sister Ana lives in", "my car broke down"."""
        owner = who.subject if who.said != clause.subject and who.said.startswith(f"{who.subject}'s") else self.sentence.speaker
        owned = owned_slots(clause.subject, clause.predicate, times)
        if owned.slots:
            for slot in owned.slots:
                yield self._statement(clause, About(subject=owner, said=who.said), slot=slot)
            return
        person = owned.name or (who.said if owned.noun else "")
        slots = slots_of(clause.predicate, first=False, times=times) if person else ()
        for slot in slots:
            yield self._statement(clause, About(subject=person, said=who.said), slot=slot)
        noun = clause.subject.split()[-1].lower()
        if slots or noun in EMPTY_SUBJECTS or _YOU.search(clause.after):
            return
        if solid(clause.predicate.rest) or (clause.predicate.verb not in VAGUE and clause.predicate.verb not in EMPTY_VERBS and clause.predicate.verb in FORMS):
            yield self._statement(clause, About(subject=person or owner, said=who.said))

    def _empty(self, clause: Clause) -> bool:
        """Whether a first-person clause without a slot is mere talk."""
        said = clause.predicate
        rest = said.rest
        if said.modality in (Modality.POSSIBLE, Modality.CONDITIONAL, Modality.ASKED) or (clause.implied and _YOU.search(clause.after)):
            return True
        if said.verb in EMPTY_VERBS or not clause.after.strip():
            return True
        if said.verb == "be" and (_POLITE.match(rest) or rest[:4].lower() in ("that", "what") or not solid(rest)):
            return True
        if said.verb == "have" and _NOT_HAD.match(rest):
            return True
        if _YOU.search(clause.after) or said.modality is Modality.WISHED:
            return True
        if said.modality is Modality.PLANNED and re.search(r"['’]ll\b|\bwill\b|won['’]t", clause.after) and not self._timed(clause.start, clause.end):
            return True
        if solid(rest):
            return False
        return said.verb in VAGUE or said.verb not in FORMS or bool(said.past)

    def _told_of(self, clause: Clause) -> bool:
        """Whether a clause about another tells something that is not true of everything."""
        said = clause.predicate
        if said.verb in EMPTY_VERBS or not solid(said.rest) or said.modality in (Modality.POSSIBLE, Modality.WISHED) or _YOU.search(clause.after):
            return False
        if clause.person is Person.PRONOUN:
            return True
        place = self.sentence.start + clause.subject_at
        if any(m.start == place for m in self.context.mentions) and (clause.person is Person.NAMED or clause.subject[:1].isupper()):
            return self._a_name(clause)
        return bool(clause.subject.lower().startswith(("the ", "this ")) and self._timed(clause.start, clause.end))

    def _a_name(self, clause: Clause) -> bool:
        place = self.sentence.start + clause.subject_at
        kind = next((m.kind for m in self.context.mentions if m.start == place), "")
        return kind == "person" or clause.predicate.past or clause.predicate.perfect or bool(_CONCRETE.search(clause.predicate.rest))

    def _statement(self, clause: Clause, who: About, *, slot: Slot | None = None, kind: str = "") -> Candidate:
        said = clause.predicate
        event = self._event(clause.start, clause.end)
        early = said.early or bool(_EARLY.search(clause.text) or _EARLY.search(clause.lead))
        if slot is not None and early and said.past:
            slot = replace(slot, ends=True)
        if slot is not None and slot.ends and event is None and (said.habit or early):
            event = _until(self.context, said.habit)
        dated = event is not None and not event.recurrence
        if not kind:
            kind = _kind(slot.attribute) if slot is not None else "event" if (said.past and not said.habit) or dated else "fact"
        return self._made(
            kind=kind,
            text=self._worded(clause, who),
            subject=who.subject,
            slot=slot,
            event=event,
            negated=said.negated or said.ends if slot is None else slot.negated,
            modality=_modality(said.modality, progressive=said.progressive and said.verb in ("move", "relocate", "leave", "switch"), wants=bool(slot and slot.attribute == "wants")),
            start=clause.start,
            end=clause.end,
            confidence=INFERRED if clause.implied or clause.person is Person.THING else EXPLICIT,
        )

    def _worded(self, clause: Clause, who: About) -> str:
        other = other_before(self.context, self.context.record.speaker)
        named = "" if other is None else "the assistant" if other.role is Role.ASSISTANT and other.speaker in ("assistant", "") else other.speaker
        named = "" if named == SELF else named
        after = clause.after.strip()
        if clause.implied and not clause.subject and not clause.shared:
            after = _with_be(after)
        elif clause.person in (Person.SELF, Person.GROUP) and clause.person is Person.SELF:
            after = agreeing(after)
        elif clause.person is Person.PRONOUN and clause.subject.lower() == "they":
            after = agreeing(after)
        said = reworded(after, speaker=self.sentence.speaker, other=named)
        lead = f" {reworded(clause.lead[0].lower() + clause.lead[1:], speaker=self.sentence.speaker)}" if clause.lead else ""
        joined = f"{who.said}{said}" if said.startswith(("'", "’")) else f"{who.said} {said}"
        return (joined + lead).strip(" .!,;:")

    # -- pieces ----------------------------------------------------------------------------------------------------------

    @property
    def trust(self) -> Trust:
        record = self.context.record
        return Trust.UNTRUSTED if record.role in (Role.TOOL, Role.DOCUMENT) else record.trust

    def _timed(self, start: int, end: int) -> tuple[object, ...]:
        start, end = start + self.sentence.start, end + self.sentence.start
        return tuple(timed for timed in self.context.timed if start <= timed.start < end)

    def _event(self, start: int, end: int) -> When | None:
        found = self._timed(start, end)
        return found[0].when if found else None

    def _mentions(self, start: int, end: int) -> tuple[Mention, ...]:
        start, end = start + self.sentence.start, end + self.sentence.start
        return tuple(mention for mention in self.context.mentions if start <= mention.start < end)

    def _evidence(self, start: int, end: int) -> Evidence:
        record, base = self.context.record, self.sentence.start
        return Evidence(
            record=record.id, start=base + max(0, start), end=base + min(end, len(self.sentence.text)), said_at=record.said_at, speaker=self.sentence.speaker
        )

    def _made(  # noqa: PLR0913  the fields of a candidate
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
        slot = slot or Slot(attribute=attribute, value=value)
        return Candidate(
            kind=kind,
            text=text,
            subject=subject,
            evidence=self._evidence(start, end),
            role=self.context.record.role,
            act=act,
            attribute=slot.attribute,
            value=slot.value,
            functional=slot.functional,
            ends=slot.ends,
            negated=slot.negated if negated is None else negated,
            modality=modality,
            speaker=self.sentence.speaker,
            mentions=self._mentions(start, end),
            event=event,
            targets=targets or ((slot.old,) if slot.old else ()) or ((slot.value,) if slot.ends and slot.value else ()),
            parts=parts or {},
            confidence=confidence,
            trust=self.trust,
            extractor=EXTRACTOR,
        )


_PREFERENCES: Final = ("likes:", "favourite:", "diet", "wants")
_CORRECTABLE: Final = frozenset(
    "name lives_in works_at job studies_at plan subscription_status status relationship birthday age email phone diet language timezone employer_role".split()
)


def _kind(attribute: str) -> str:
    return "preference" if attribute.startswith(_PREFERENCES) else "fact"


def _modality(said: Modality, *, progressive: bool, wants: bool) -> Modality:
    """An ongoing move is a plan; a wish that fills "wants" is stated, not wished for."""
    if said is Modality.ASSERTED and progressive:
        return Modality.PLANNED
    return Modality.ASSERTED if wants and said is Modality.WISHED else said


def _corrected(candidate: Candidate, correction: Correction) -> Candidate:
    """A statement that stands behind "actually" or "correction:": it takes the place of what filled its slot."""
    if correction.act is Act.STATE or candidate.act is not Act.STATE:
        return candidate
    slot = candidate.attribute in _CORRECTABLE or candidate.attribute.startswith(("likes:", "favourite:"))
    if correction.act is Act.RETRACT:
        return replace(candidate, act=Act.CORRECT, targets=candidate.targets or correction.about) if slot else candidate
    if correction.old and correction.old.lower() not in candidate.value.lower():
        return replace(candidate, act=Act.CORRECT, targets=candidate.targets or (correction.old,))
    return replace(candidate, act=Act.CORRECT) if slot or (correction.sure and correction.old) else candidate


def _targets(text: str) -> tuple[str, ...]:
    return tuple(word for word in _WORD.findall(text) if word.lower() not in VAGUE and word != SELF)[:7]


_DAYS: Final = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btoday\b|\btomorrow\b|\byesterday\b", re.IGNORECASE)
_MONTHS: Final = re.compile(r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b", re.IGNORECASE)
_CLOCK: Final = re.compile(r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)\b|\b\d{1,2}:\d\d\b", re.IGNORECASE)
_COUNT: Final = re.compile(r"\b\d[\d.,]*\b")
_CAPITAL: Final = re.compile(r"(?<=\s)[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")


def _LIKE(new: str) -> re.Pattern[str] | None:  # noqa: N802
    """A pattern for words of the kind of `new`: a weekday, a month, a clock time, a number, a name."""
    return next((p for p in (_DAYS, _MONTHS, _CLOCK, _COUNT) if p.search(new)), _CAPITAL if new[:1].isupper() else None)


def _until(context: Context, habit: bool) -> When | None:
    """The open past before something was said."""
    said_at = context.record.said_at
    return None if said_at is None else When(since=None, until=said_at, precision=Precision.DAY, words="used to" if habit else "before")


def _with_be(after: str) -> str:
    """A clause without subject and perhaps without its auxiliary, made to follow a name."""
    first = next((w for w in re.findall(r"[^\W_]+", after.lower()) if w not in ADVERBS and w != "not"), "")
    if first == "been":
        return "has " + after[0].lower() + after[1:]
    if FORMS.get(first, ("", ""))[1] == "ing":
        return "is " + after[0].lower() + after[1:]
    return agreeing(after[0].lower() + after[1:])
