"""The memories of the very slots a question asks for, whatever words their records use: "which plan" finds "moved to Enterprise".

Rule of this file: it looks up, by subject and attribute, inside the scope and its ancestors; a bounded number of lookups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from muniment.knowledge.entities import keys_of
from muniment.knowledge.keys import subject_key
from muniment.knowledge.values import SELF, Entity, Memory, MemoryFilter, Mention, Status
from muniment.ports import Memories
from muniment.retrieve.question import Question
from muniment.retrieve.words_slots import ASKED_BY
from muniment.text.terms import terms
from muniment.types import Scope

MOST_SLOTS = 2
MOST_SUBJECTS = 6
PER_SLOT = 8
_HELD = (Status.CURRENT, Status.SUPERSEDED)
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[^\W\d_][\w'.-]*")
_BY_WORD: dict[str, list[str]] = {}
for _attribute, _words in ASKED_BY.items():
    for _word in {*terms(_words), *terms(_attribute.replace("_", " "))}:
        _BY_WORD.setdefault(_word, []).append(_attribute)


def asked_slots(question: Question) -> tuple[str, ...]:
    """The attributes whose words the question holds, those with the most words first."""
    counts: dict[str, int] = {}
    for word in set(terms(question.text)):
        for attribute in _BY_WORD.get(word, ()):
            counts[attribute] = counts.get(attribute, 0) + 1
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:MOST_SLOTS])


def names_in(text: str) -> tuple[str, ...]:
    """The words of a question that may be names of whom it is about."""
    return tuple(word for word in _NAME.findall(text) if word[:1].isupper() and word.partition("'")[0] != "I")


async def in_slots(
    question: Question, *, scope: Scope, speakers: Sequence[str], memories: Memories, now: datetime
) -> list[Memory]:
    """Current and superseded memories of the slots asked for, of those the question is about.

    `speakers` are whom it names, or, where it asks about oneself, who speaks there as the user.
    """
    slots = asked_slots(question)
    if not slots:
        return []
    found: dict[str, Memory] = {}
    for subject in await _subjects(question, scope, speakers, memories):
        for attribute in slots:
            where = MemoryFilter(subject=subject, attribute=attribute, statuses=_HELD)
            page = await memories.memories(scope, where, limit=PER_SLOT, now=now, inherited=True)
            found.update((memory.id, memory) for memory in page.memories)
    return list(found.values())


async def _subjects(question: Question, scope: Scope, speakers: Sequence[str], memories: Memories) -> list[str]:
    """The names under which memories of whom the question is about may stand."""
    names = list(dict.fromkeys((*speakers, *names_in(question.text))))
    keys = {key for name in names for key in keys_of(Mention(text=name, start=0, end=0, kind="person"))}
    people = list((await memories.entities(scope, keys=sorted(keys), limit=20)).entities) if keys else []
    if not names and not question.of_oneself:
        latest = await memories.entities(scope, limit=20)
        people = [entity for entity in latest.entities if entity.kind == "person"]
    own = [] if names and not question.of_oneself else [SELF]
    return list(dict.fromkeys((*own, *_names(people), *names)))[:MOST_SUBJECTS]


def _names(entities: Iterable[Entity]) -> list[str]:
    """Every name of these entities, once per key, the canonical ones first."""
    known = {entity.id: entity for entity in entities}
    heads = [entity.name for entity in known.values()]
    aliases = [alias.text for entity in known.values() for alias in entity.aliases]
    return list({subject_key(name): name for name in (*heads, *aliases)}.values())
