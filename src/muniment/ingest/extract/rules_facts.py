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
from muniment.ingest.extract.rules_facts_answers import answers
from muniment.ingest.extract.rules_facts_called import advised, called, introduced
from muniment.ingest.extract.rules_facts_clauses import Clause, Person, clauses
from muniment.ingest.extract.rules_facts_implied import here, kin, work
from muniment.ingest.extract.rules_facts_instructions import Rule, lasting, procedure
from muniment.ingest.extract.rules_facts_made import EXPLICIT, INFERRED, Place
from muniment.ingest.extract.rules_facts_meant import meant, of_none
from muniment.ingest.extract.rules_facts_people import About, about, worded
from muniment.ingest.extract.rules_facts_reword import reworded
from muniment.ingest.extract.rules_facts_righted import corrected, put_right, retraction
from muniment.ingest.extract.rules_facts_tastes import praised, taste
from muniment.ingest.extract.rules_facts_things import condition, of_thing
from muniment.ingest.extract.rules_facts_verbs import FORMS
from muniment.ingest.extract.rules_facts_world import foreign
from muniment.ingest.extract.rules_facts_worth import YOU, is_advice, is_masked, is_talk, is_told
from muniment.ingest.extract.rules_sentence import Context, Function, Sentence
from muniment.ingest.extract.rules_slots import Slot, slots_of, solid
from muniment.ingest.extract.rules_slots_changed import by_others, changed_slots
from muniment.ingest.extract.rules_slots_kinds import fitting
from muniment.ingest.extract.rules_slots_owned import Owned, favourite_said, owned_slots
from muniment.ingest.extract.rules_slots_renamed import newly_named
from muniment.ingest.extract.words_facts import ASIDE, EMPTY_SUBJECTS, EMPTY_VERBS, NO_ASIDE, VAGUE, WITHIN
from muniment.ingest.extract.words_slots import LIKING, SAID_AS
from muniment.ingest.extract.words_slots_kinds import GONE
from muniment.knowledge.kinds import cued
from muniment.knowledge.values import Act, Candidate, Modality
from muniment.types import Precision, Role, Trust, When

_SILENT: Final = frozenset({Function.GREETING, Function.BOILERPLATE})
_PLAN_SPOKEN: Final = re.compile(r"\b(?:plan|tier|subscription|package)s?\b(?! is to\b| to\b)", re.IGNORECASE)
_LONGEST = 1200
"""Characters of a sentence that are read; what runs on has said its say by then."""
_CURLY = "\u2019"
_NOTE: Final = re.compile(
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|fyi|for the record|just so "
    r"you know|for your information|don't forget)(?: that|[,:])? +(?=(?:i|my|we|our|the)\b)",
    re.IGNORECASE,
)
_EARLY: Final = re.compile(
    r"\b(?:at first|originally|initially|back then|at the time|in the beginning|previously|formerly)\b", re.IGNORECASE
)
_OF_THINGS: Final = frozenset({"plan", "uses", "tested_with", "status", "subscription_status"})
_POSSESSOR: Final = re.compile(r"([A-Z][\w-]*(?: [A-Z][\w-]*)*)'s? (?=[a-z])")
_IT: Final = re.compile(r"(?:it|that|this|them|those)\b(?! \w+ing\b| (?:when|that|if|how))", re.IGNORECASE)
_GONE: Final = re.compile(GONE, re.IGNORECASE)
_FAVOURITES: Final = re.compile(r"(?:new |current )?favou?rite\s|home\b", re.IGNORECASE)
_ASIDE: Final = re.compile(ASIDE, re.IGNORECASE)
_WITHIN: Final = re.compile(WITHIN, re.IGNORECASE)
_NO_ASIDE: Final = re.compile(NO_ASIDE, re.IGNORECASE)


def read(sentence: Sentence, context: Context) -> Sequence[Candidate]:
    """What one sentence states of someone or something, takes back or puts right; nothing for questions and empty talk."""
    speaker = sentence.speaker
    if not speaker or not sentence.text or context.record.role is Role.SYSTEM:
        return ()
    if sentence.refusal not in ("", "question") and not (sentence.refusal == "acknowledgement" and context.before):
        return ()
    if sentence.function in _SILENT:
        return ()
    if _CURLY in sentence.text or len(sentence.text) > _LONGEST:
        sentence = replace(sentence, text=sentence.text[:_LONGEST].replace(_CURLY, "'"))
    reader = _Reader(Place(sentence, context))
    if context.record.role is Role.ASSISTANT and not (sentence.quoted or reader.at.personal):
        return tuple(_own_doings(reader))
    if sentence.function is Function.QUESTION or sentence.refusal == "question":
        return tuple(reader.asides())
    return tuple(reader.all())


@dataclass(frozen=True, slots=True)
class _Reader:
    """One sentence with its context, and the ways to read it."""

    at: Place

    @property
    def sentence(self) -> Sentence:
        return self.at.sentence

    @property
    def context(self) -> Context:
        return self.at.context

    def all(self) -> Iterator[Candidate]:
        text = self.sentence.text
        trusted = self.at.trust is Trust.TRUSTED and not self.sentence.quoted
        if trusted and (rule := lasting(text) if self.context.record.role is Role.USER else None) is not None:
            yield _rule(self.at, rule)
            return
        correction = read_correction(text)
        if correction.act is Act.RETRACT:
            yield retraction(self.at, correction, None if correction.about else self.last_said())
        if trusted and (rule := procedure(text)) is not None:
            yield _rule(self.at, rule)
            return
        start = correction.start
        if note := _NOTE.match(text, start):
            start = note.end()
        found = [*introduced(self.at, text), *self.statements(text, start, correction)]
        if (
            correction.act is Act.CORRECT
            and correction.new
            and not any(c.attribute for c in found)
            and (fixed := put_right(self.at, correction, self.last_said()))
        ):
            yield fixed
            return
        if not found and correction.act is Act.STATE:
            found = _foreign(self.at, text) or [*self._within(text)]
        asked = self.at.personal
        more = list(self._answers([c for c in found if c.confidence == EXPLICIT])) if asked else []
        yield from (c for c in found if not more or c.confidence == EXPLICIT)
        yield from more
        if asked and not any(c.attribute == "lives_in" for c in found):
            yield from here(self.at)
        if asked and not found and (praise := praised(text)) is not None:
            slot, begin, end = praise
            said = f"{self.sentence.speaker}{SAID_AS['likes']} {slot.attribute.removeprefix('likes:')}"
            yield self.at.candidate(
                kind="preference", text=said, subject=self.sentence.speaker, slot=slot, start=begin, end=end, confidence=INFERRED
            )
        if not _GONE.search(text):
            yield from kin(self.at, [*found, *more])
            yield from work(self.at, [*found, *more])

    def asides(self) -> Iterator[Candidate]:
        """What a question states beside what it asks: "I am a baker, and you?", "Can my dog …?"."""
        text = self.sentence.text
        found: list[Candidate] = []
        if self.at.personal:
            for aside in _ASIDE.finditer(text):
                asked = aside.start("said") == 0 and text[aside.end() :].lstrip().startswith("?")
                if not (asked or YOU.search(aside["said"]) or _NO_ASIDE.match(aside["said"])):
                    found += self.statements(text[: aside.end()], aside.start("said"))
        kept = [replace(c, confidence=INFERRED) for c in found if c.modality is Modality.ASSERTED]
        yield from kept
        yield from kin(self.at, kept)

    def statements(self, text: str, start: int, correction: Correction = NONE) -> Iterator[Candidate]:
        """What the clauses of `text` behind `start` state."""
        for clause in clauses(text[start:]):
            for candidate in self._clause(
                replace(clause, start=clause.start + start, end=clause.end + start, subject_at=clause.subject_at + start)
            ):
                yield corrected(candidate, correction)

    def _within(self, text: str) -> Iterator[Candidate]:
        """What a clause inside a sentence about something else tells of the speaker: "you were there when I was at school"."""
        inner = _WITHIN.search(text) if self.at.personal else None
        if inner is not None and not YOU.search(text, inner.end()):
            for candidate in self.statements(text, inner.end()):
                if candidate.modality is Modality.ASSERTED:
                    yield replace(candidate, confidence=INFERRED)

    # -- whole sentences -------------------------------------------------------------------------------------------------

    def last_said(self) -> Candidate | None:
        """The last statement before this sentence by the same speaker, in this record or the ones before."""
        texts = [self.context.record.text[: self.sentence.start]]
        texts += [record.text for record in reversed(self.context.before) if record.speaker == self.context.record.speaker][:3]
        for text in texts:
            for part in reversed(re.split(r"(?<=[.!?])\s+|\n+", text[-_LONGEST:].strip())[-4:]):
                if not part or part.endswith("?"):
                    continue
                stand_in = replace(self.sentence, text=part, end=self.sentence.start + len(part))
                found = list(_Reader(Place(stand_in, self.context)).statements(part, 0))
                if found:
                    return next((c for c in reversed(found) if c.attribute), found[-1])
        return None

    def _answers(self, own: Sequence[Candidate]) -> Iterator[Candidate]:
        speaker = self.sentence.speaker
        filled = {c.attribute for c in own if c.attribute}
        for answer in answers(self.sentence, self.context, len(own)):
            if answer.slot is not None:
                yield self.at.candidate(
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

    # -- one clause ------------------------------------------------------------------------------------------------------

    def _clause(self, clause: Clause) -> Iterator[Candidate]:
        for one in meant(clause):
            yield from self._told(one)

    def _told(self, clause: Clause) -> Iterator[Candidate]:
        speaker = self.sentence.speaker
        who = about(clause, self.sentence, self.context, speaker)
        if who is None or is_masked(clause):
            return
        if of_none(clause):
            yield self.statement(clause, About(subject=speaker, said=who.said))
            return
        first = clause.person in (Person.SELF, Person.GROUP)
        if is_advice(clause):
            if _is_told_of(clause, self.at, first=first) or _is_cued(clause, self.at):
                yield advised(self.statement(clause, who), self.at)
        elif (others := self._others(clause, who)) is not None:
            yield from others
        else:
            yield from self._stated(clause, who, first=first)

    def _others(self, clause: Clause, who: About) -> list[Candidate] | None:
        """What a clause about somebody or something else tells of the speaker; None when it tells nothing of them."""
        if clause.person not in (Person.NAMED, Person.THING):
            return None
        speaker = About(subject=self.sentence.speaker, said=who.said)
        told = favourite_said(clause.subject, clause.predicate) or by_others(clause.subject, clause.predicate)
        if told:
            return [*self._all_slots(clause, speaker, told)]
        if self.at.personal and (liked := taste(clause)) is not None:
            made = self.statement(clause, speaker, slot=liked)
            said = f"{speaker.subject}{SAID_AS[liked.value]} {liked.attribute.removeprefix('likes:')}"
            return [replace(made, text=said, confidence=INFERRED)]
        return None

    def _stated(self, clause: Clause, who: About, *, first: bool) -> Iterator[Candidate]:
        base = self.sentence.start
        times = tuple(self.sentence.text[t.start - base : t.end - base] for t in self.at.timed(clause.start, clause.end))
        if clause.person in (Person.NAMED, Person.THING) and (owner := _POSSESSOR.match(clause.subject)):
            yield from self._owned(clause, About(subject=owner[1], said=who.said), times)
            return
        if clause.person is Person.OWNED or _FAVOURITES.match(clause.subject):
            yield from self._owned(clause, who, times)
            return
        slots = changed_slots(clause.predicate, times) or slots_of(
            clause.predicate, first=clause.person is Person.SELF and not clause.implied, times=times
        )
        slots = _before(self, _fitting(self, slots, clause), clause)
        if clause.person is Person.THING and (not clause.subject[:1].isupper() or clause.subject.startswith("The ")):
            slots = tuple(slot for slot in slots if slot.attribute in _OF_THINGS)
        if slots and not (first and clause.predicate.modality is Modality.WISHED and slots[0].attribute != "wants"):
            yield from self._all_slots(clause, who, slots)
            return
        if not first and (thing := of_thing(clause, self.at)) is not None:
            yield self.statement(clause, About(subject=thing.subject, said=who.said), slot=thing.slot)
        elif _is_told_of(clause, self.at, first=first) or _is_cued(clause, self.at):
            yield self.statement(clause, who)

    def _ahead(self, event: When | None) -> bool:
        """Whether something dated is still to come: "on 1 June I start at Acme"."""
        said_at = self.context.record.said_at or self.context.record.recorded_at
        return event is not None and not event.recurrence and event.since is not None and event.since > said_at

    def _all_slots(self, clause: Clause, who: About, slots: Sequence[Slot]) -> Iterator[Candidate]:
        """A statement per slot; those after the first are put into words of their own, so that none is taken for another."""
        for place, slot in enumerate(called(slot, who.subject) for slot in slots):
            if slot is None:
                continue
            made = self.statement(clause, who, slot=slot)
            yield made if not place else replace(made, text=f"{who.said}{SAID_AS.get(slot.attribute, ':')} {slot.value}")

    def _owned(self, clause: Clause, who: About, times: Sequence[str]) -> Iterator[Candidate]:
        """Clauses about what is someone's: "my name is", "my sister Ana lives in", "my car broke down"."""
        others = who.subject != clause.subject and who.said.startswith(f"{who.subject}'s")
        owner = who.subject if others else self.sentence.speaker
        named = newly_named(clause.subject, clause.predicate, clause.text) if clause.person is Person.OWNED else None
        owned = Owned(slots=(named,)) if named else owned_slots(clause.subject, clause.predicate, times)
        owned = replace(owned, slots=_fitting(self, owned.slots, clause))
        if owned.slots:
            over = clause.predicate.past and not clause.predicate.perfect and clause.predicate.verb == "be"
            for slot in owned.slots:
                held = replace(slot, ends=True, negated=False) if over else slot
                yield self.statement(clause, About(subject=owner, said=who.said), slot=held)
            return
        if clause.person is Person.OWNED and self.at.personal and (state := condition(clause)) is not None:
            yield self.statement(clause, About(subject=who.said, said=who.said), slot=state)
            return
        person = owned.name or (who.said if owned.noun else "")
        slots = changed_slots(clause.predicate, times) or slots_of(clause.predicate, first=False, times=times) if person else ()
        yield from self._all_slots(clause, About(subject=person, said=who.said), slots)
        noun = clause.subject.split()[-1].lower()
        if slots or noun in EMPTY_SUBJECTS or YOU.search(clause.after):
            return
        if solid(clause.predicate.rest) or (
            clause.predicate.verb not in VAGUE and clause.predicate.verb not in EMPTY_VERBS and clause.predicate.verb in FORMS
        ):
            yield self.statement(clause, About(subject=person or owner, said=who.said))

    def statement(self, clause: Clause, who: About, *, slot: Slot | None = None, kind: str = "") -> Candidate:
        said = clause.predicate
        event = self.at.event(clause.start, clause.end)
        early = said.early or bool(_EARLY.search(clause.text) or _EARLY.search(clause.lead))
        if slot is not None and early and said.past:
            slot = replace(slot, ends=True)
        if slot is not None and slot.ends and event is None and (said.habit or early):
            event = _until(self.context, said.habit)
        if event is not None and event.recurrence and slot is not None and slot.attribute.startswith("likes:"):
            event = None
        dated = event is not None and not event.recurrence
        if not kind:
            wish = slot is None and said.modality is Modality.WISHED
            kind = (
                _kind(slot.attribute)
                if slot is not None
                else "preference"
                if wish
                else "event"
                if (said.past and not said.habit) or dated
                else "fact"
            )
        return self.at.candidate(
            kind=kind,
            text=worded(clause, who, self.sentence, self.context),
            subject=who.subject,
            slot=slot,
            event=event,
            negated=said.negated or said.ends if slot is None else slot.negated,
            modality=_modality(
                said.modality,
                progressive=said.progressive and said.verb in _MOVES,
                wants=bool(slot and slot.attribute == "wants"),
                ahead=slot is not None and slot.attribute in _HELD_FROM and not said.past and self._ahead(event),
            ),
            start=clause.start,
            end=clause.end,
            confidence=INFERRED if clause.implied or clause.person is Person.THING else EXPLICIT,
        )


def _fitting(reader: _Reader, slots: Sequence[Slot], clause: Clause) -> tuple[Slot, ...]:
    """Those of `slots` whose values are of their kind; a plan counts as spoken of when one was before."""
    if not slots:
        return ()
    planned = any(_PLAN_SPOKEN.search(one.text[-_LONGEST:]) for one in (reader.context.record, *reader.context.before))
    return fitting(slots, clause, said=reader.sentence.text, planned=planned)


def _before(reader: _Reader, slots: tuple[Slot, ...], clause: Clause) -> tuple[Slot, ...]:
    """`slots`, told by what was said last: what one switched back from, and what "I no longer like it" speaks of."""
    said = clause.predicate
    back = bool(slots) and slots[0].attribute == "uses" and not slots[0].old and said.rest.lower().startswith("back to ")
    lost = not slots and (said.ends or said.negated) and said.verb in LIKING and _IT.match(said.rest)
    last = reader.last_said() if back or lost else None
    if last is not None and back and last.attribute == "uses":
        return (replace(slots[0], old=last.value), *slots[1:])
    if last is not None and lost and last.attribute.startswith("likes:"):
        return (Slot(attribute=last.attribute, value="no longer likes" if said.ends else "dislikes"),)
    return slots


def _own_doings(reader: _Reader) -> Iterator[Candidate]:
    """What an assistant says it has done itself; never anything about the user."""
    if reader.sentence.function not in (Function.STATEMENT, Function.EVENT):
        return
    for clause in clauses(reader.sentence.text):
        said = clause.predicate
        done = (
            (said.past or said.perfect) and not said.passive and said.verb not in EMPTY_VERBS and said.verb not in ("be", "have")
        )
        if (
            clause.person is Person.SELF
            and done
            and not clause.implied
            and said.modality is Modality.ASSERTED
            and solid(said.rest)
            and said.verb in FORMS
        ):
            yield reader.statement(clause, About(subject=reader.sentence.speaker, said=reader.sentence.speaker), kind="event")


_MOVES: Final = frozenset(
    {"move", "relocate", "leave", "switch", "change", "upgrade", "downgrade", "migrate", "swap", "transfer", "join", "go"}
)
"""Verbs that tell a plan while they are going on ("I'm moving to Rome")."""


def _is_told_of(clause: Clause, at: Place, *, first: bool) -> bool:
    """Whether a clause that fills no slot tells something solid; what is one's own and ought to be does so by its words."""
    if clause.person is Person.OWNED:
        return solid(clause.predicate.rest) and not YOU.search(clause.after)
    return not is_talk(clause) if first else is_told(clause, at)


def _is_cued(clause: Clause, at: Place) -> bool:
    """Whether a clause that tells nothing of anyone tells what this agent's architecture has a kind for."""
    said = clause.predicate
    if said.modality not in (Modality.ASSERTED, Modality.PLANNED) or YOU.search(clause.text) or said.verb in _GUESSED:
        return False
    return (
        clause.person is not Person.PRONOUN and solid(clause.subject + said.rest) and cued(clause.text, at.context.architecture)
    )


_GUESSED: Final = EMPTY_VERBS - {"look", "see", "hear", "notice", "feel", "suggest"}


def _rule(at: Place, rule: Rule) -> Candidate:
    speaker = at.sentence.speaker
    parts = {"goal": (rule.goal,), "steps": rule.steps} if rule.kind == "procedure" else {}
    said = reworded(rule.text, speaker=speaker)
    text = rule.text if rule.kind == "procedure" else f"{speaker} asks: {said}"
    return at.candidate(
        kind=rule.kind,
        text=text,
        subject=rule.goal or speaker,
        attribute=rule.attribute,
        value=rule.value,
        parts=parts,
        start=0,
        end=len(at.sentence.text),
    )


def _foreign(at: Place, text: str) -> list[Candidate]:
    return [
        at.candidate(
            kind=_kind(slot.attribute),
            text=at.sentence.speaker + said,
            subject=at.sentence.speaker,
            slot=slot,
            start=0,
            end=len(text),
        )
        for slot, said in foreign(text)
    ]


_PREFERENCES: Final = ("likes:", "favourite:", "diet", "wants")


def _kind(attribute: str) -> str:
    return "preference" if attribute.startswith(_PREFERENCES) else "fact"


_HELD_FROM: Final = frozenset(
    {"works_at", "job", "employer_role", "lives_in", "studies_at", "studies", "plan", "uses", "team", "member_of", "relationship"}
)
"""What one has or is from a day on: told of a day to come, it does not hold yet."""


def _modality(said: Modality, *, progressive: bool, wants: bool, ahead: bool) -> Modality:
    """An ongoing move is a plan, and so is what begins on a day to come; a wish that fills "wants" is stated, not wished for."""
    if said is Modality.ASSERTED and (progressive or ahead):
        return Modality.PLANNED
    return Modality.ASSERTED if wants and said is Modality.WISHED else said


def _until(context: Context, habit: bool) -> When | None:
    """The open past before something was said."""
    said_at = context.record.said_at
    return (
        None
        if said_at is None
        else When(since=None, until=said_at, precision=Precision.DAY, words="used to" if habit else "before")
    )
