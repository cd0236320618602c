"""A query as ranking reads it: words, stretches of time, and whether it is about the asker.

Rule of this file: pure; no record is looked at. Relative dates are reckoned from the `now` that is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from muniment.retrieve.rules_asked import of_assistant, of_oneself, without_roles
from muniment.shelf import Floats
from muniment.text.terms import QuestionTerm, question_terms
from muniment.text.times import Window, windows

_BEFORE = 40


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """What a query asks for. `vector` is None when there is no embedder, or it failed.

    `of_oneself` are the words by which it speaks of the asker, or of the user in the third person; `of_assistant` those by
    which it asks what the assistant said. Empty where it does neither. `windows` are when something was said or happened, `held`
    those of which it asks what held then ("as of March"): these move no record, and say what of a slot is meant.
    """

    text: str
    terms: tuple[QuestionTerm, ...]
    windows: tuple[Window, ...] = ()
    held: tuple[Window, ...] = ()
    of_oneself: str = ""
    of_assistant: str = ""
    vector: Floats | None = None

    def with_vector(self, vector: Floats | None) -> Question:
        """The same question with its place in the space of meanings."""
        return replace(self, vector=vector)


_AS_OF = re.compile(r"\bas (?:of|at|(?:it|things) (?:was|were|stood))(?: (?:on|in|at))?(?: the)?\s+$", re.IGNORECASE)


def _is_as_of(window: Window, text: str) -> bool:
    """Whether the words in front of a window ask for what held then."""
    before, found, _ = text.partition(window.words)
    return bool(found) and _AS_OF.search(before[-_BEFORE:]) is not None


def read_question(text: str, now: datetime) -> Question:
    """Read a query. Words of a relative date ("last month") are not looked for: what was said then is."""
    times = windows(text, now)
    held = tuple(window for window in times if _is_as_of(window, text))
    rest = without_roles(text)
    for window in times:
        if window in held:
            before, _, after = rest.partition(window.words)
            rest = f"{_AS_OF.sub(' ', before)} {after}"
        elif window.relative:
            rest = rest.replace(window.words, " ")
    return Question(
        text=text,
        terms=tuple(question_terms(rest, fall_back=not times)),
        windows=tuple(window for window in times if window not in held),
        held=tuple(window.latest(now) for window in held),
        of_oneself=of_oneself(text),
        of_assistant=of_assistant(text),
    )
