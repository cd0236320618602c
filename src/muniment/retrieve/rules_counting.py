"""Counting and listing: which memories a question asks for all of, which of them are the same, and what is not sure.

Rule of this file: pure, by words and slots. What says all that is asked counts; what says a part of it is told apart, never
counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from muniment.bundle import Listed
from muniment.knowledge.keys import subject_key
from muniment.knowledge.places import COUNTRIES
from muniment.knowledge.values import Memory, Modality, Status
from muniment.retrieve.question import Question
from muniment.retrieve.rules_asked import asks_for
from muniment.retrieve.rules_succession import held_in
from muniment.retrieve.words_listed import AHEAD, ASKING, IRREGULAR, KINDS, LIGHT, NARROWER, NOT, OBJECTS, PAST, SLOTS
from muniment.text.names import without_terms
from muniment.text.sentences import sentences
from muniment.text.terms import question_terms, terms
from muniment.text.times import Window
from muniment.types import Record, Trust

Forms = frozenset[str]


def _stems(words: str) -> Forms:
    return frozenset(terms(words))


_ASKING, _LIGHT = _stems(ASKING), _stems(LIGHT)
_PAST, _AHEAD, _NOT = (re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in (PAST, AHEAD, NOT))
_MORE = re.compile(r",? and (?!then\b)|, (?=[A-Z])")
_TIMES = re.compile(r"\bhow often\b|\bhow frequently\b|\btimes\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|a few|several|some|many|a couple of)\b", re.IGNORECASE)
_SLOTS = {name: _stems(words) for name, words in SLOTS.items()}
_KINDS = {name: _stems(words) for name, words in KINDS.items()}
_OTHERS = [{min(_stems(word), key=len): _stems(more) for word, more in table.items()} for table in (IRREGULAR, NARROWER)]
_OBJECTS = {min(_stems(verb), key=len): (_stems(usual), _stems(other)) for verb, (usual, other) in OBJECTS.items()}
_CITY, _COUNTRY = _stems("city town"), _stems("country")
_DECIDED = frozenset().union(*_KINDS.values())
_END = datetime.max.replace(tzinfo=UTC)
_COUNTED = (Status.CURRENT, Status.SUPERSEDED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is counted or listed: the words that must be told, by any of their forms, and in which stretches of time.

    `held` are those of which it asks what held then. `times` asks how often; `past` for what was, whether or not it is still so;
    `ahead` for what is to come; `negated` for what is not so.
    """

    words: Mapping[str, Forms]
    windows: tuple[Window, ...] = ()
    held: tuple[Window, ...] = ()
    times: bool = False
    past: bool = False
    ahead: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """Memories by whether they count, may count, or would if they still held; `seen` are all that tell of the matter."""

    sure: tuple[Memory, ...]
    unsure: tuple[Memory, ...]
    over: tuple[Memory, ...]
    seen: tuple[Memory, ...]


def read_wanted(question: Question, speakers: Sequence[str]) -> Wanted | None:
    """What the question counts or lists; None when it does neither."""
    if not asks_for(question.text) & {"how_many", "list"}:
        return None
    rest = question.text
    for window in (*question.windows, *question.held):
        rest = rest.replace(window.words, " ")
    found = {
        term.word: frozenset(term.forms).union(*(table.get(form, frozenset()) for form in term.forms for table in _OTHERS))
        for term in without_terms(question_terms(rest, fall_back=False), speakers)
        if not _ASKING.intersection(term.forms)
    }
    telling = {word: forms for word, forms in found.items() if not _LIGHT & forms}
    return Wanted(
        words=telling or found,
        windows=question.windows,
        held=question.held,
        times=_TIMES.search(question.text) is not None,
        past=_PAST.search(question.text) is not None or bool(question.windows),
        ahead=_AHEAD.search(question.text) is not None,
        negated=_NOT.search(question.text) is not None,
    )


def sort(memories: Iterable[Memory], wanted: Wanted) -> Sorted:
    """Which of these memories count."""
    sure: list[Memory] = []
    unsure: list[Memory] = []
    over: list[Memory] = []
    seen: list[Memory] = []
    for memory in memories:
        told = _told(memory, wanted) if wanted.words else 0
        if told:
            seen.append(memory)
        if wanted.held and not held_in(memory, wanted.held):
            continue
        inside = _inside(memory, wanted.windows)
        if not told or inside is False or memory.negated is not wanted.negated or memory.status not in _COUNTED:
            continue
        if memory.status is Status.SUPERSEDED and not wanted.held and not (wanted.past and memory.kind != "decision"):
            over += [memory] if told == 1 else []
        elif told == 1 and inside and _holds(memory, wanted) and memory.trust is Trust.TRUSTED:
            sure.append(memory)
        else:
            unsure.append(memory)
    return Sorted(sure=tuple(sure), unsure=tuple(unsure), over=tuple(over), seen=tuple(seen))


def things(memories: Sequence[Memory], wanted: Wanted) -> tuple[Listed, ...]:
    """The memories by what they tell of: equal values of a slot are one thing, occasions are each their own."""
    groups: dict[str, list[Memory]] = {}
    for memory in memories:
        name = memory.id if wanted.times or not memory.attribute else f"{memory.attribute} {_thing_key(memory)}"
        groups.setdefault(name, []).append(memory)
    return tuple(Listed(name=_name(group[0]), memories=tuple(group)) for group in groups.values())


def told_doubts(things_: Sequence[Listed], wanted: Wanted, said: Mapping[str, str]) -> list[str]:
    """What keeps the count from being sure, in sentences. `said` are the sentences that prove the memories, by their ids."""
    lines = [f"“{thing.name}” tells a number of its own and counts once." for thing in things_ if _NUMBER.match(thing.name)]
    if wanted.times:
        for thing in things_:
            days = {one.said_at.date() for m in thing.memories for one in m.evidence if one.said_at and not one.lends}
            if len(days) > 1 and not any(m.event and m.event.since for m in thing.memories):
                lines.append(f"“{thing.name}” was said on {len(days)} days; each may be a time of its own.")
    if any(memory.event and memory.event.recurrence for thing in things_ for memory in thing.memories):
        lines.append("Some of it returns, and each counts once.")
    if sum(not thing.memories[0].attribute for thing in things_) > 1:
        lines.append("Some were found by their words alone; two of them may tell of one thing.")
    lines += [f"“{thing.name}” is told together with more." for thing in things_ if _with_more(thing, things_, said)]
    return lines


def _with_more(thing: Listed, every: Sequence[Listed], said: Mapping[str, str]) -> bool:
    """Whether what tells of it goes on with "and" or a comma to something that is not counted either."""
    others = [memory.value for one in every if one is not thing for memory in one.memories if memory.value]
    for memory in thing.memories:
        words = said.get(memory.id, memory.text)
        before, value, after = words.partition(memory.value) if memory.value and memory.value in words else ("", "", words)
        more = _MORE.search(after) if value else _MORE.search(words)
        if more and not any(other in (after[more.start() :] if value else words) or other in before for other in others):
            return True
    return False


def sentence_of(memory: Memory, record: Record) -> str:
    """The sentences of a record that prove the memory."""
    spans = [(one.start, one.end) for one in memory.evidence if one.record == record.id]
    return " ".join(
        record.text[start:end] for start, end in sentences(record.text) if any(low < end and high > start for low, high in spans)
    )


def selected_by(memories: Iterable[Memory], wanted: Wanted) -> str:
    """By what the memories were chosen, in words."""
    slots = sorted({memory.attribute.partition(":")[0] for memory in memories if memory.attribute})
    parts = [f"slot {', '.join(slots)}"] if slots else []
    parts += [f"words {', '.join(wanted.words)}"] if wanted.words else []
    return "; ".join([*parts, *(f"time {window}" for window in (*wanted.windows, *wanted.held))])


def says(record: Record, wanted: Wanted) -> bool:
    """True when a record holds every word that is counted by, in any of its forms, was said in time, and asks nothing."""
    if not wanted.words or record.text.rstrip().endswith("?") or _met(record.said_at, record.said_at, wanted.windows) is False:
        return False
    return _share(_stems(record.text), wanted.words, lambda _: False) == 1


def _told(memory: Memory, wanted: Wanted) -> float:
    """The share of what is asked that it tells: 1 for all, 0 for nothing of the thing itself, or what is known to be another."""
    head = memory.attribute.partition(":")[0]
    slot = _SLOTS.get(head, frozenset()) | _KINDS.get(memory.kind, frozenset())
    if any(forms & _CITY for forms in wanted.words.values()) and _is_country(memory):
        return 0.0
    if any(forms & _COUNTRY for forms in wanted.words.values()) and head in ("visited", "lives_in") and not _is_country(memory):
        return 0.5
    return _share(_stems(f"{memory.text} {memory.value}"), wanted.words, lambda forms: bool(forms & slot))


def _share(held: Forms, words: Mapping[str, Forms], answered: Callable[[Forms], bool]) -> float:
    there = [word for word, forms in words.items() if forms & held or answered(forms)]
    implied = [word for word, forms in words.items() if word not in there and _implied(forms, held, words)]
    share = (len(there) + len(implied)) / len(words)
    thing = next(iter(words))  # "how many cities did I visit", "which doctors have I seen": the thing is told first
    return share if there and (thing in (*there, *implied)) and (share == 1 or not words[thing] & _DECIDED) else 0.0


def _implied(forms: Forms, held: Forms, words: Mapping[str, Forms]) -> bool:
    """True when a noun goes without saying after the verb that is told: what is read is a book, unless it is called otherwise."""
    for verb, (usual, other) in _OBJECTS.items():
        if forms & usual and not held & (other - forms) and any(verb in asked and asked & held for asked in words.values()):
            return True
    return False


def _holds(memory: Memory, wanted: Wanted) -> bool:
    return memory.modality is (Modality.PLANNED if wanted.ahead and not wanted.past else Modality.ASSERTED)


def _inside(memory: Memory, windows: Sequence[Window]) -> bool | None:
    """Whether it happened, or was said, in one of the windows; None where that is not sure."""
    event = memory.event
    if event and (event.since or event.until):
        return _met(event.since or event.until, event.until or event.since, windows)
    return _met(memory.said_at, memory.said_at, windows)


def _met(first: datetime | None, last: datetime | None, windows: Sequence[Window]) -> bool | None:
    """Whether a stretch of time lies in one of the windows; None where it only meets one, or is not known."""
    if not windows:
        return True
    if first is None or last is None:
        return None
    found = [_in_window(first, last, window) for window in windows]
    return True if True in found else None if None in found else False


def _in_window(first: datetime, last: datetime, window: Window) -> bool | None:
    if window.month:
        months = range(window.month, (window.through or window.month) + 1)
        return first.month in months and (not window.day or window.day <= first.day <= (window.last_day or window.day))
    since, until = window.since or first, window.until or last
    if since <= first and last <= until and first < (window.until or _END):
        return True
    return None if first < until and last > since else False


def _is_country(memory: Memory) -> bool:
    return subject_key(memory.value) in COUNTRIES


def _thing_key(memory: Memory) -> str:
    return memory.object_id or subject_key(_name(memory))


def _name(memory: Memory) -> str:
    head, _, of = memory.attribute.partition(":")
    return of if head == "likes" and of else memory.value or memory.text
