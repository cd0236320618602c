"""What is told without being stated: "my wife" says that there is one, "here in Porto" where someone lives.

Rule of this file: only what the speaker says of themselves, and never surer than inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from muniment.ingest.extract.rules_facts_made import INFERRED, Place
from muniment.ingest.extract.rules_slots import Slot, value_of
from muniment.ingest.extract.rules_slots_owned import kin_in
from muniment.ingest.extract.words_facts import TOO_COMMON, WORK_AT
from muniment.knowledge.values import Candidate

_HERE: Final = re.compile(
    r"\bhere in (?P<v>(?!Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec|Summer|"
    r"Winter|Spring|Fall|I\b)[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)"
)
_GONE: Final = re.compile(
    r"\b(?:sold|lost|gave away|got rid of|broke up with|divorced|buried|fired|quit|(?:traded|swapped|exchanged)(?: in)?|replaced|"
    r"no longer have|don't have|used to have|without|passed away|died) (?:\w+ ){0,2}$",
    re.IGNORECASE,
)
"""What right before "my …" says that it is no longer had."""
_WORK_AT: Final = re.compile(WORK_AT, re.IGNORECASE)
_WORK: Final = frozenset({"job", "works_at", "has"})
_AWAY: Final = re.compile(
    r"\b(?:trip|vacation|holidays?|visit|visiting|travel\w*|conference|hotel|business|staying|weekend)\b", re.IGNORECASE
)


def kin(at: Place, own: Sequence[Candidate]) -> Iterator[Candidate]:
    """What "my wife", "my dog" and the like tell by being said at all."""
    speaker = at.sentence.speaker
    if not at.personal:
        return
    told = {candidate.attribute for candidate in own if candidate.subject == speaker}
    for attribute, word, name, start, end in kin_in(at.sentence.text):
        last = word.split()[-1]
        if (
            attribute in told - {"has"}
            or last in told
            or (last in TOO_COMMON and not name)
            or word.startswith(("late ", "ex ", "new ", "old "))
            or _GONE.search(at.sentence.text[max(0, start - 40) : start])
        ):
            continue
        told.add(attribute if attribute != "has" else last)
        many = (last.endswith("s") and not last.endswith("ss")) or last == "children"
        article = "" if many else "an " if word[0] in "aeiou" else "a "
        value = f"{word} named {name}" if name else word
        yield at.candidate(
            kind="fact",
            text=f"{speaker} has {article}{value}",
            subject=speaker,
            slot=Slot(attribute=attribute, value=value),
            start=start,
            end=end,
            confidence=INFERRED,
        )


def work(at: Place, own: Sequence[Candidate]) -> Iterator[Candidate]:
    """The work that "my job at the bank" and "my cleaning business" tell of by being said at all."""
    found = _WORK_AT.search(at.sentence.text)
    if found is None or not at.personal or not (found["kind"] or found["at"]) or any(one.attribute in _WORK for one in own):
        return
    if _GONE.search(at.sentence.text[max(0, found.start() - 40) : found.start()]):
        return
    value = value_of(f"{found['kind'] or ''}{found['noun']}{found['at'] or ''}", times=())
    speaker = at.sentence.speaker
    yield at.candidate(
        kind="fact",
        text=f"{speaker} has {'an' if value[:1] in 'aeiou' else 'a'} {value}",
        subject=speaker,
        slot=Slot(attribute="has", value=value),
        start=found.start(),
        end=found.end(),
        confidence=INFERRED,
    )


def here(at: Place) -> Iterator[Candidate]:
    """Where "here in …" is said, someone lives, unless they are on the way."""
    found = _HERE.search(at.sentence.text)
    if found is not None and not _AWAY.search(at.context.record.text):
        speaker, place = at.sentence.speaker, found["v"].strip()
        slot = Slot(attribute="lives_in", value=place, functional=False)
        yield at.candidate(
            kind="fact",
            text=f"{speaker} lives in {place}",
            subject=speaker,
            slot=slot,
            start=found.start(),
            end=found.end(),
            confidence=INFERRED,
        )
