"""A use case as its parts: what the agent is for, whom, which tasks, what it leaves alone, and the rules it keeps.

Rule of this file: no form is asked for. A text without headings is all objective; a part that its heading tells counts as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from muniment.architect.words_usecase import HEADINGS
from muniment.errors import InputError
from muniment.text.terms import is_blank

MOST: Final = 512 * 1024
"""Bytes of UTF-8 that a use case may have."""

_LONGEST: Final = 4000
_MARKED: Final = re.compile(r"\s{0,3}#{1,6}\s+(\S.{0,199})")
_NAMED: Final = re.compile(r"\s{0,3}(?:[-*]\s)?(?:\*\*|__)?([A-Za-z][A-Za-z /&'-]{1,40}?)(?:\*\*|__)?:(?:\*\*|__)?(?:\s(.*))?")
_HEADING_OF: Final = {heading: part for part, headings in HEADINGS.items() for heading in headings}


class Part(StrEnum):
    """A part of a use case."""

    OBJECTIVE = "objective"
    USERS = "users"
    TASKS = "tasks"
    OUTSIDE = "outside"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a use case, which part it belongs to, and where it stands, from 1."""

    text: str
    part: Part
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCase:
    """A description of an agent: its title, where it has one, and its lines by part."""

    title: str
    lines: tuple[Line, ...]


def read_use_case(text: str, *, place: str = "") -> UseCase:
    """The parts of a use case. Raises InputError when there is nothing in it, too much, or no text."""
    if len(text) > MOST or len(text.encode(errors="surrogatepass")) > MOST:
        hint = "Describe the agent in a page or two: what it is for, for whom, and some tasks."
        raise InputError(f"this use case is longer than {MOST >> 10} KiB.", place=place, code="too_large", hint=hint)
    if "\0" in text:
        hint = "Give a plain description as text or Markdown."
        raise InputError("this is not text.", place=place, code="not_text", hint=hint)
    if is_blank(text):
        hint = "Write what the agent is for, for whom, and some tasks, in plain sentences."
        raise InputError("there is nothing in this use case.", place=place, code="empty", hint=hint)
    lines = tuple(_lines(text))
    title = next((match[1] for line in text.split("\n")[:20] if (match := _MARKED.fullmatch(line.rstrip()))), "")
    return UseCase(title="" if _part(title) else title.strip("# "), lines=lines)


def _lines(text: str) -> Iterator[Line]:
    part = Part.OBJECTIVE
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip()[:_LONGEST]
        if marked := _MARKED.fullmatch(line):
            part = _part(marked[1]) or (part if number == 1 else Part.OBJECTIVE)
            if not _part(marked[1]):
                yield Line(marked[1], part, number)
            continue
        if (named := _NAMED.fullmatch(line)) and (found := _part(named[1])):
            if named[2]:
                yield Line(named[2], found, number)
            else:
                part = found
            continue
        if line.strip():
            yield Line(line.strip(), part, number)


def _part(heading: str) -> Part | None:
    name = _HEADING_OF.get(heading.strip(" #*_:").casefold())
    return Part(name) if name else None
