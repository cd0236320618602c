"""What a use case asks for outright: how long to keep things, languages and zone, what never to store, private conversations.

Rule of this file: one line at a time, in linear time. A wish is taken only where the words leave no doubt, and tells its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from muniment.architect.rules_shapes import LONGEST, span_of, span_text
from muniment.architect.rules_usecase import Line, Part, UseCase
from muniment.architect.words_usecase import LANGUAGES, PERSONAL

_KEEP: Final = re.compile(
    r"\b(?:keep|kept|retain|retained|store|stored|delete|deleted|erase|erased|forget|forgotten|purge|purged|expires?)\b"
    r"[^.;\n]{0,60}?\b(?:for|after|within|longer than|older than|more than)\s{1,3}(?:at most\s|up to\s)?"
    r"([0-9]{1,5})[\s-](days?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
_ZONE: Final = re.compile(r"\b[A-Z][A-Za-z]{1,20}/[A-Z][A-Za-z_]{1,30}(?:/[A-Z][A-Za-z_]{1,30})?\b")
_SPEAKING: Final = re.compile(
    r"\b(?:languages?|speaks?|spoken|bilingual|multilingual|(?:answers?|repl(?:y|ies)|writes?) in)\b", re.IGNORECASE
)
_NEVER: Final = re.compile(
    r"\b(?:never|not|don't|no|without)\b[^.;\n]{0,30}?\b(?:store|stor(?:ed|ing)|keep|kept|keeping|remember(?:ed|ing)?|save|sav(?:ed|ing)|"
    r"record(?:ed|ing)?|log(?:ged|ging)?|retain(?:ed|ing)?)\b",
    re.IGNORECASE,
)
_PRIVATE: Final = re.compile(
    r"\b(?:private|confidential|separate|isolated)\s(?:conversations?|sessions?|chats?)\b"
    r"|\b(?:conversations?|sessions?|chats?)\s(?:\w{1,20}\s){0,3}?(?:private|confidential|separate|isolated)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What was asked for outright; None and empty where nothing was. `lines` says for each by name where it stands."""

    keep: timedelta | None = None
    timezone: str = ""
    languages: tuple[str, ...] = ()
    mask: tuple[str, ...] = ()
    private: bool = False
    lines: dict[str, int] = field(default_factory=dict)

    def told(self) -> Iterator[str]:
        """Each wish as a sentence."""
        if self.keep:
            yield f"Line {self.lines['keep']}: nothing is kept for longer than {span_text(self.keep)}."
        if self.timezone:
            yield f"Line {self.lines['timezone']}: dates are meant in {self.timezone}."
        if self.languages:
            yield f"Line {self.lines['languages']}: languages {', '.join(self.languages)}."
        if self.mask:
            yield f"Line {self.lines['mask']}: never written, masked instead: {', '.join(self.mask)}."
        if self.private:
            yield f"Line {self.lines['private']}: what is said in one conversation stays in it."


def wishes(use_case: UseCase, *, is_zone: Callable[[str], bool]) -> Wishes:
    """What a use case asks for outright. Of several wishes for one thing, the strictest or the first holds."""
    lines: dict[str, int] = {}
    keep: timedelta | None = None
    zone = ""
    spoken: dict[str, None] = {}
    mask: dict[str, None] = {}
    private = False
    for line in use_case.lines:
        for span in _spans(line.text):
            lines = lines if keep and keep <= span else {**lines, "keep": line.number}
            keep = min(keep or span, span)
        if not zone and (zone := next((z for z in _ZONE.findall(line.text) if is_zone(z)), "")):
            lines["timezone"] = line.number
        if line.part is not Part.OUTSIDE and (found := _languages(line)):
            spoken.update(dict.fromkeys(found))
            lines.setdefault("languages", line.number)
        if found := _never(line.text):
            mask.update(dict.fromkeys(found))
            lines.setdefault("mask", line.number)
        if not private and _PRIVATE.search(line.text):
            private, lines = True, {**lines, "private": line.number}
    return Wishes(keep=keep, timezone=zone, languages=tuple(spoken), mask=tuple(mask), private=private, lines=lines)


def _spans(text: str) -> Iterator[timedelta]:
    for count, unit in _KEEP.findall(text):
        span = span_of(f"{count} {unit.lower()}")
        if span and timedelta(0) < span <= LONGEST:
            yield span


def _languages(line: Line) -> tuple[str, ...]:
    """Languages behind the word "in", or anywhere in a line that speaks of languages."""
    words = _WORD.findall(line.text.lower())
    if _SPEAKING.search(line.text):
        return tuple(LANGUAGES[word] for word in words if word in LANGUAGES)
    found: list[str] = []
    listing = False
    for word in words:
        if word in LANGUAGES and listing:
            found.append(LANGUAGES[word])
        listing = word == "in" or (listing and (word in LANGUAGES or word in ("and", "or")))
    return tuple(found)


def _never(text: str) -> tuple[str, ...]:
    match = _NEVER.search(text)
    if not match:
        return ()
    folded = f" {' '.join(re.findall(r'[a-z-]+', text[match.end() :].lower()))} "
    return tuple(kind for kind, names in PERSONAL.items() if any(f" {name} " in folded for name in names))
