"""What is taken back and what is put right: the last statement said again with another value, or marked as untrue.

Rule of this file: pure; only a statement of the same speaker is put right, and only where its words hold what is replaced.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from muniment.ingest.extract.rules_corrections import Correction
from muniment.ingest.extract.rules_facts_made import Place
from muniment.ingest.extract.rules_slots import solid
from muniment.ingest.extract.words_facts import VAGUE
from muniment.knowledge.values import SELF, Act, Candidate

_MOST_TARGETS = 8
_WORD: Final = re.compile(r"[^\W_]+")
_DIGIT: Final = re.compile(r"\d")
_CORRECTABLE: Final = frozenset(
    [
        "name",
        "lives_in",
        "works_at",
        "job",
        "studies_at",
        "plan",
        "subscription_status",
        "status",
        "relationship",
        "birthday",
        "age",
        "email",
        "phone",
        "diet",
        "language",
        "timezone",
        "employer_role",
    ]
)


def retraction(at: Place, correction: Correction, last: Candidate | None) -> Candidate:
    """What is taken back: what the words name, else the last statement."""
    targets = correction.about
    if not targets and last is not None:
        targets = tuple(word for word in (last.value or last.text).split() if word.lower() not in VAGUE)[:_MOST_TARGETS]
    return at.candidate(
        kind="fact",
        text=f"{at.sentence.speaker} takes back: {at.sentence.text.strip()}",
        subject=at.sentence.speaker,
        act=Act.RETRACT,
        targets=targets,
        start=0,
        end=correction.start,
    )


def _slipped(at: Place, old: str, new: str) -> bool:
    """Whether `new` may be meant in place of `old`, said just before: name for name, and not whom "Sorry, Tom" speaks to."""
    spoken_to = any(new.casefold() == one.speaker.casefold() for one in at.context.before)
    return bool(at.sentence.start) and bool(_DIGIT.search(old)) is bool(_DIGIT.search(new)) and not spoken_to


def put_right(at: Place, correction: Correction, last: Candidate | None) -> Candidate | None:
    """The last statement of this speaker with its value replaced by the bare one that the correction gives."""
    if last is None or not solid(correction.new):
        return None
    new = re.sub(r"^(?:on|in|at|the|a|an|to|from|with) ", "", correction.new.strip(" .!,"), flags=re.IGNORECASE)
    old = correction.old or last.value
    if correction.near and not _slipped(at, old, new):
        return None
    if old and old in last.text:
        text = last.text.replace(old, new, 1)
    elif correction.old:
        return None
    elif (like := _alike(new)) is not None and (hit := like.search(last.text)):
        old, text = hit[0], last.text[: hit.start()] + new + last.text[hit.end() :]
    else:
        return None
    value = new if not last.value or last.value == old else last.value.replace(old, new)
    if len(new.split()) > _MOST_TARGETS or (not correction.sure and not last.attribute):
        return None
    return replace(
        last,
        text=text,
        value=value if last.attribute else "",
        act=Act.CORRECT,
        targets=(old,) if last.attribute else tuple(dict.fromkeys((old, *_targets(last.text)))),
        event=at.event(correction.start, len(at.sentence.text))
        or (last.event if last.event is not None and old not in last.event.words else None),
        evidence=at.evidence(0, len(at.sentence.text)),
        mentions=at.mentions(0, len(at.sentence.text)),
    )


def corrected(candidate: Candidate, correction: Correction) -> Candidate:
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
_MONTHS: Final = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b", re.IGNORECASE
)
_CLOCK: Final = re.compile(r"\b\d{1,2}(?::\d\d)?\s?(?:am|pm|o'clock)\b|\b\d{1,2}:\d\d\b", re.IGNORECASE)
_COUNT: Final = re.compile(r"\b\d[\d.,]*\b")
_CAPITAL: Final = re.compile(r"(?<=\s)[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")


def _alike(new: str) -> re.Pattern[str] | None:
    """A pattern for words of the kind of `new`: a weekday, a month, a clock time, a number, a name."""
    return next((p for p in (_DAYS, _MONTHS, _CLOCK, _COUNT) if p.search(new)), _CAPITAL if new[:1].isupper() else None)
