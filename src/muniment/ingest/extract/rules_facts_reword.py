"""Clauses put into the third person, so that they can be read without the talk around them.

Rule of this file: only pronouns and the verb that goes with them change; every other word stays as it was said. "We" is the
speaker "and others": who else is meant is not known and not guessed.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract.rules_facts_verbs import agreeing

_FIRST: Final = re.compile(
    r"(?<![\w'])(?:(?P<i>i)(?P<said>(?:'(?:m|ve|d|ll)\b| (?:(?:am|have|had|was|do|don't|"
    r"will|would|can|could|also|just|really|always|never|"
    r"currently|still|actually|often|usually) )*[a-z]+'?[a-z]*)?)(?!['\w.])|(?P<we>we(?:'(?:re|"
    r"ve|d|ll))?)|(?P<word>my|mine|me|myself|our|ours|us|ourselves|your|yours|you)"
    r"(?![\w']))(?!\w)",
    re.IGNORECASE,
)
_WE: Final = {"re": " are", "ve": " have", "d": " would", "ll": " will"}


def reworded(text: str, *, speaker: str, other: str = "") -> str:
    """`text` with the first person replaced by `speaker`, and the second by `other` when that is known."""

    def put(found: re.Match[str]) -> str:
        if found["i"]:
            said = found["said"] or ""
            return speaker + (" " + agreeing(said.strip()) if said else "")
        if found["we"]:
            return f"{speaker} and others" + _WE.get(re.split("'", found["we"])[-1].lower(), "")
        return _object(found["word"].lower(), found[0], speaker, other)

    return " ".join(_FIRST.sub(put, text).split())


def _object(word: str, said: str, speaker: str, other: str) -> str:
    if word in ("my", "mine"):
        return f"{speaker}'s"
    if word in ("our", "ours"):
        return f"{speaker}'s"
    if word in ("us", "ourselves"):
        return f"{speaker} and others"
    if word.startswith("you"):
        return said if not other else f"{other}'s" if word in ("your", "yours") else other
    return speaker
