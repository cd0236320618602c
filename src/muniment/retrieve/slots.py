"""The memories of the very slots a question asks for, whatever words their records use: "which plan" finds "moved to Enterprise".

Rule of this file: it looks up, by subject and attribute, inside the scope and its ancestors; a bounded number of lookups.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from muniment.knowledge.entities import keys_of, names_of
from muniment.knowledge.keys import subject_key
from muniment.knowledge.values import SELF, Entity, Memory, MemoryFilter, Mention, Status
from muniment.retrieve.question import Question
from muniment.retrieve.sight import Recalling
from muniment.types import Scope

MOST_SUBJECTS = 4
PER_SLOT = 8
_HELD = (Status.CURRENT, Status.SUPERSEDED)
_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[^\W\d_][\w'.-]*")


def names_in(text: str) -> tuple[str, ...]:
    """The words of a question that may be names of whom it is about."""
    return tuple(word for word in _NAME.findall(text) if word[:1].isupper() and word.partition("'")[0] != "I")


async def in_slots(
    slots: Sequence[str], question: Question, *, scope: Scope, speakers: Sequence[str], memories: Recalling, now: datetime
) -> list[Memory]:
    """Current and superseded memories of these slots, of those the question is about.

    `speakers` are whom it names, or, where it asks about oneself, who speaks there as the user.
    """
    found: dict[str, Memory] = {}
    for subject in await subjects_of(question, scope, speakers, memories):
        for attribute in slots:
            where = MemoryFilter(subject=subject, attribute=attribute, statuses=_HELD)
            page = await memories.memories(scope, where, limit=PER_SLOT, now=now, inherited=True)
            found.update((memory.id, memory) for memory in page.memories)
    return list(found.values())


async def subjects_of(question: Question, scope: Scope, speakers: Sequence[str], memories: Recalling) -> list[str]:
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
    aliases = [alias.text for entity in known.values() for alias in names_of(entity)]
    return list({subject_key(name): name for name in (*heads, *aliases)}.values())
