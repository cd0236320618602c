"""What is said and not meant: jokes, roles, dreams, what others believe of one, and a statement taken back by the next words.

Rule of this file: pure; words alone decide, over the first characters of a sentence.
"""

from __future__ import annotations

import re
from typing import Final

from muniment.ingest.extract import words_pasted as words
from muniment.ingest.extract.words_quotes import DICTATED, FICTION

_JOKE: Final = re.compile(rf"\W*(?:lol|haha+|oh|no|nah|ok)?\W*{words.JOKE}(?!\s+(?:around|about))")
_ALONE: Final = re.compile(rf"\W*(?:{words.JOKE}|{words.UNSAID})\W*(?:lol|haha+|of course|though)?\W*$")
_BEHIND: Final = re.compile(rf"[,.!(\u2014\u2013-]\s*(?:{words.JOKE}|{words.UNSAID})\s*[.!)]*\s*$")
_ACTING: Final = re.compile(rf"\W*{words.ACTING}")
_DICTATED: Final = re.compile(DICTATED)
_FICTION: Final = re.compile(FICTION)
_DREAMT: Final = re.compile(words.DREAMT)
_BELIEVED: Final = re.compile(words.BELIEVED)
_DENIED: Final = re.compile(words.DENIED)
_FORESEEN: Final = re.compile(words.FORESEEN)


def unmeant(text: str) -> bool:
    """True for a sentence that states nothing of its speaker, whatever its words are; in small letters, apostrophes plain."""
    return bool(
        (_JOKE.match(text) and not takes_back(text))
        or _ACTING.match(text)
        or _DICTATED.match(text)
        or _FICTION.match(text)
        or _BEHIND.search(text)
        or _DREAMT.search(text)
        or _BELIEVED.match(text)
        or _DENIED.search(text)
        or _FORESEEN.match(text)
    )


def takes_back(text: str) -> bool:
    """True for "Just kidding.", "Not really.", "I wish." and the like on their own: the sentence before was not meant."""
    return len(text) < 60 and _ALONE.match(text) is not None  # noqa: PLR2004  characters; longer ones say more


def acts(text: str) -> bool:
    """True for "Act as …", "In this story, …": what follows in the same breath is played as well."""
    return (_ACTING.match(text) or _DICTATED.match(text)) is not None
