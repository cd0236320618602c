"""What a question asks for, read once: its kinds, and which of several values that followed each other it means.

Rule of this file: pure, by words alone; the words stand in words_asked.py.
"""

from __future__ import annotations

import re
from functools import lru_cache

from muniment.retrieve.words_asked import ASKED, ASSISTANT, ONESELF, ROLES

_ONESELF = re.compile(rf"\b(?:{ONESELF})\b", re.IGNORECASE)
_ASSISTANT = re.compile(rf"\b(?:{ASSISTANT})\b", re.IGNORECASE)
_ROLES = re.compile(rf"\b(?:{ROLES})\b", re.IGNORECASE)
_PATTERNS = {name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for name, words in ASKED.items()}


@lru_cache(maxsize=256)
def asks_for(text: str) -> frozenset[str]:
    """Everything that the words of a question tell of what is wanted: its kinds, and first, past or change."""
    return frozenset(name for name, pattern in _PATTERNS.items() if pattern.search(text))


def of_oneself(text: str) -> str:
    """The first word by which a question speaks of whoever asks, or of the user; empty without one."""
    return found[0] if (found := _ONESELF.search(text)) else ""


def of_assistant(text: str) -> str:
    """The words by which a question asks what the assistant said; empty without any."""
    return found[0] if (found := _ASSISTANT.search(text)) else ""


def without_roles(text: str) -> str:
    """The question without the words for its user and its assistant, unless there are no others."""
    rest = _ROLES.sub(" ", text)
    return rest if rest.strip(" ?.!") else text
