"""Whether a clause that fills no slot is worth keeping: talk about the talk and what is true of everything are not.

Rule of this file: it must tell something solid; thinking, hearing and being glad tell something only with certain words behind
them.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract.rules_facts_clauses import Clause, Person
from muniment.ingest.extract.rules_facts_made import Place
from muniment.ingest.extract.rules_facts_verbs import FORMS, Predicate
from muniment.ingest.extract.rules_slots import WORD, solid
from muniment.ingest.extract.words_facts import EMPTY_VERBS, IDLE, PASSING, POLITE_STATES, TELLING, VAGUE
from muniment.ingest.extract.words_slots import NOT_HAD
from muniment.knowledge.values import Modality

_POLITE: Final = re.compile(POLITE_STATES, re.IGNORECASE)
_NOT_HAD: Final = re.compile(NOT_HAD, re.IGNORECASE)
YOU: Final = re.compile(r"\b(?:you|your|yours|u|ya)\b", re.IGNORECASE)
_MINE: Final = re.compile(r"(?<!to )(?<!for )\bme\b|\bmy\b(?! (?:gosh|goodness|god)\b)|\bwhen i\b|\bmyself\b", re.IGNORECASE)
_IDLE: Final = re.compile(IDLE, re.IGNORECASE)
_SHOULD: Final = re.compile(r"\s*(?:should|must|shouldn't|can|could)\b", re.IGNORECASE)
_DUTY: Final = re.compile(
    r"\s*(?:(?:really|probably|definitely|maybe|also|just|still|now|only|all|'d|had) )*"
    r"(?:should(?:n't)?|must(?:n't)?|ought(?:n't)? to|need(?:s|ed)? to|needn't|(?:had |'d )?better (?=[a-z])|"
    r"(?:am|'m|is|are|was|were|'re) (?:supposed|advised|meant|told) to)\b(?! (?:have been|be born))",
    re.IGNORECASE,
)
_HEARD: Final = re.compile(r"(?:it|that|this|them|him|her|from|so|such|anything|someone|anyone|back)\b", re.IGNORECASE)
_PASSING: Final = re.compile(PASSING, re.IGNORECASE)
_CONCRETE: Final = re.compile(r"\d|(?<=[\s(])[A-Z][\w-]*")
_UNREAL: Final = frozenset({Modality.PLANNED, Modality.POSSIBLE, Modality.WISHED})
_TELLING: Final = {verb: re.compile(pattern, re.IGNORECASE) for verb, pattern in TELLING.items()}
_LATER: Final = re.compile(r"(?:it|that|this|them|one|some)\b(?! \w+ \w+ \w+)", re.IGNORECASE)
_LATER_VERBS: Final = frozenset({"check", "try", "let", "be", "do", "say", "look", "remember"})
"""What one says one will do next, out of politeness ("I'll check it out")."""


_MASKED: Final = re.compile(r"\[[a-z][a-z_-]{1,30}\]")


def is_masked(clause: Clause) -> bool:
    """Whether a clause only says that there was something which was masked."""
    return "[" in clause.after and not solid(_MASKED.sub("", clause.predicate.rest)) and bool(_MASKED.search(clause.after))


def is_advice(clause: Clause) -> bool:
    """Whether it tells what ought to be, which is no way things are."""
    return bool(_DUTY.match(clause.after))


def is_talk(clause: Clause) -> bool:
    """Whether a first-person clause without a slot is mere talk."""
    said, rest = clause.predicate, clause.predicate.rest
    if said.modality in (Modality.CONDITIONAL, Modality.ASKED) or not clause.after.strip() or YOU.search(clause.after):
        return True
    if _polite(said) or _IDLE.match(clause.after) or _proposed(clause):
        return True
    if (
        said.verb in EMPTY_VERBS
        and not (_never_met(said) and solid(rest))
        and not (solid(rest) and (telling := _TELLING.get(said.verb)) is not None and telling.match(rest))
    ):
        return True
    if said.modality in _UNREAL and (
        not solid(rest) or _LATER.match(rest) or (said.verb in _LATER_VERBS and not _planned_so(said))
    ):
        return True
    if solid(rest):
        return False
    return said.verb in VAGUE or said.verb not in FORMS or said.past


def _planned_so(said: Predicate) -> bool:
    """Whether what one will try, do or be is told in words of its own: "I'll try to learn the alphabet"."""
    words = [word for word in WORD.findall(said.rest) if word.lower() not in VAGUE]
    return said.verb in ("try", "do", "be") and len(words) > (1 if said.verb == "do" else 0) and not _polite(said)


def _never_met(said: Predicate) -> bool:
    """Whether it is what one has never seen or heard of."""
    return said.verb in ("see", "hear") and said.perfect and said.negated and not _HEARD.match(said.rest)


def _proposed(clause: Clause) -> bool:
    """Whether it is what "we" might do: a proposal."""
    said = clause.predicate
    return clause.person is Person.GROUP and (said.able or said.modality in _UNREAL or bool(_SHOULD.match(clause.after)))


def _polite(said: Predicate) -> bool:
    """Whether it is a state of courtesy ("am sorry"), or nothing one has ("have a question")."""
    rest = said.rest
    if said.verb == "be":
        if said.past and rest[:8].lower() == "able to ":
            return False
        return bool(_POLITE.match(rest) or _PASSING.match(rest)) or rest[:4].lower() in ("that", "what") or not solid(rest)
    return said.verb == "have" and bool(_NOT_HAD.match(rest))


def is_told(clause: Clause, place: Place) -> bool:
    """Whether a clause about another tells something that is not true of everything."""
    said = clause.predicate
    if (
        said.verb in EMPTY_VERBS
        or not (solid(said.rest) or (said.past and said.verb in FORMS and said.verb not in VAGUE))
        or said.modality in (Modality.POSSIBLE, Modality.WISHED)
        or YOU.search(clause.after)
    ):
        return False
    if clause.person is Person.PRONOUN:
        return True
    at = place.sentence.start + clause.subject_at
    named = next((one for one in place.context.mentions if at <= one.start < at + len(clause.subject)), None)
    if named is not None and (clause.person is Person.NAMED or clause.subject[:1].isupper()):
        return named.kind == "person" or said.past or said.perfect or bool(_CONCRETE.search(said.rest))
    if _MINE.search(clause.after) and (said.verb != "be" or said.past):
        return place.personal
    return clause.subject.lower().startswith(("the ", "this ")) and bool(place.timed(clause.start, clause.end))
