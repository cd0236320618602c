"""A query as ranking reads it: words, stretches of time, and whether it is about the asker.

Rule of this file: pure; no record is looked at. Relative dates are reckoned from the `now` that is given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from muniment.retrieve.rules_asked import of_assistant, of_oneself, without_roles
from muniment.shelf import Floats
from muniment.text.terms import QuestionTerm, question_terms
from muniment.text.times import Window, windows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """What a query asks for. `vector` is None when there is no embedder, or it failed.

    `of_oneself` are the words by which it speaks of the asker, or of the user in the third person; `of_assistant` those by
    which it asks what the assistant said. Empty where it does neither.
    """

    text: str
    terms: tuple[QuestionTerm, ...]
    windows: tuple[Window, ...] = ()
    of_oneself: str = ""
    of_assistant: str = ""
    vector: Floats | None = None

    def with_vector(self, vector: Floats | None) -> Question:
        """The same question with its place in the space of meanings."""
        return replace(self, vector=vector)


def read_question(text: str, now: datetime) -> Question:
    """Read a query. Words of a relative date ("last month") are not looked for: what was said then is."""
    times = windows(text, now)
    rest = without_roles(text)
    for window in times:
        if window.relative:
            rest = rest.replace(window.words, " ")
    return Question(
        text=text,
        terms=tuple(question_terms(rest, fall_back=not times)),
        windows=times,
        of_oneself=of_oneself(text),
        of_assistant=of_assistant(text),
    )
