"""Whose words they are: what stands in quotation marks, in a quoted block, or is reported, is the quoted person's.

Rule of this file: linear time; a quotation never runs past an empty line, and a mark without its partner quotes nothing.
"""

# ruff: noqa: RUF001  quotation marks of other scripts

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.words_quotes import KIN, NO_NAMES, SAYING, SAYING_AFTER, SAYING_OTHER
from muniment.types import Record, Role, Trust

_PAIRS: Final = {"“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "「": "」", "『": "』", "”": "”", '"': '"'}
_MARKS: Final = re.compile('[“”„«»‹›「」『』"]|\n[ \t]*\n')
_NAME: Final = (
    rf"(?P<who>(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he)\s(?:\w+\s)?(?:{KIN})|"
    r"[A-ZÀ-ÞА-Я][\w'’.-]{0,30}(?:\s[A-ZÀ-ÞА-Я][\w'’.-]{0,30}){0,2}|[Hh]e|[Ss]he|[Tt]hey|[Ii]|[Ww]e))"
)
_ADVERB: Final = r"(?:\s(?:just|also|once|always|recently|already|then|later|yesterday|today|has|had|have|a|ha|hat|dit|me|mi))*"
_REPORT: Final = re.compile(
    rf"(?:(?:and|but|so|well|yesterday|today|apparently)[, ]\s*)?{_NAME}{_ADVERB}\s(?:{SAYING})(?:\s(?:me|us|him|her"
    r"|them|[A-Z]\w+))?(?:\s(?:yesterday|today|earlier))?(?P<that>\s*[,:]?\s+(?:that\s+)?)(?=\S)"
)
_REPORT_OTHER: Final = re.compile(
    rf"(?P<who>[^\W\d_][\w'’.-]{{0,30}}(?:\s[^\W\d_][\w'’.-]{{0,30}})??)\s?,?\s?(?:{SAYING_OTHER})\s*"
)
_DENSE_REPORT: Final = re.compile(r"(?P<who>[\u4e00-\u9fff]{1,4})(?:说|說|告诉我|表示|提到)[,，:：]?\s*(?=\S)")
_ACCORDING: Final = re.compile(rf"According to {_NAME},\s*(?=\S)")
_AFTER: Final = re.compile(rf"[\s,]*(?:{_NAME}\s(?:{SAYING_AFTER})|(?:{SAYING_AFTER})\s{_NAME.replace('<who>', '<whom>')})\b")
_BEFORE: Final = re.compile(rf"{_NAME}{_ADVERB}\s(?:{SAYING})(?:\s(?:me|us|him|her|them|to \w+))?\s*[,:]?\s*$")
_COLON: Final = re.compile(r"(?:^|[\n.!?]\s*)(?P<who>[A-ZÀ-Þ][\w'’.-]{1,30})\s*:\s*$")
_WROTE: Final = re.compile(rf"{_NAME}[^\n]{{0,60}}\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto)\s*:\s*\n\s*$")
_WRITING: Final = re.compile(r"\b(?:email|article|book|report|document|note|sign|message|letter)$", re.IGNORECASE)
_FIRST: Final = re.compile(r"\b(?:I|I'm|I’m|I've|my|me|we|our|us)\b")
_WORD: Final = re.compile(r"\w{3,}")
_EMPTY: Final = frozenset(
    {"will", "have", "the", "and", "for", "you", "your", "that", "this", "with", "always", "never", "should"}
)
_SEEN: Final = 8000
"""Characters of a result that are looked at for words said again."""
_LOOK_BACK: Final = 120
_SCARE: Final = 3


@dataclass(frozen=True, slots=True)
class Quote:
    """Characters `start` to `end` inside quotation marks, and who is told to say them ("" when nobody is)."""

    start: int
    end: int
    who: str


@dataclass(frozen=True, slots=True)
class Said:
    """Where, in a sentence, the words of somebody else begin, and whose they are; `direct` when they are said word for word."""

    start: int
    who: str
    direct: bool = False


def quotes(text: str) -> tuple[Quote, ...]:
    """The quotations of `text` in order, without names in quotation marks (of up to three words that nobody is told to say)."""
    out: list[Quote] = []
    opened: tuple[str, int] | None = None
    for found in _MARKS.finditer(text):
        mark = found[0]
        if mark[0] == "\n":
            opened = None
        elif opened is not None and mark in _PAIRS[opened[0]]:
            _take(text, opened[1], found.start(), out)
            opened = None
        elif opened is None and mark in _PAIRS and not (mark == '"' and _inch(text, found.start())):
            opened = (mark, found.end())
    return tuple(out)


def _inch(text: str, at: int) -> bool:
    return at > 0 and text[at - 1].isdigit()


def _take(text: str, start: int, end: int, out: list[Quote]) -> None:
    who = _before(text, start - 1) or _after(text, end + 1)
    if end > start and (who or text.count(" ", start, end) >= _SCARE or any(c in "。！？" for c in text[start:end])):
        out.append(Quote(start, end, who))


def _before(text: str, at: int) -> str:
    part = text[max(0, at - _LOOK_BACK) : at]
    line = part[part.rfind("\n") + 1 :]
    found = next((m for place in _starts(line) if (m := _BEFORE.match(line, place))), None) or _COLON.search(line)
    if found is None and (dense := re.search(r"([\u4e00-\u9fff]{1,4})(?:说|說|道)[:：,，]?$", line)):
        return dense[1]
    return found["who"] if found else ""


def _starts(line: str) -> list[int]:
    """Word starts of the last words of a line, so that a name is looked for near the quotation only."""
    return [found.start() for found in re.finditer(r"(?<!\S)\S", line)][-12:]


def _after(text: str, at: int) -> str:
    found = _AFTER.match(text, at, at + _LOOK_BACK)
    return (found["who"] or found["whom"]) if found else ""


def quote_at(found: tuple[Quote, ...], start: int, end: int) -> Quote | None:
    """The quotation that characters `start` to `end` lie in, marks aside."""
    place = bisect_right(found, start + 1, key=lambda one: one.start) - 1
    one = found[place] if place >= 0 else None
    return one if one is not None and end <= one.end + 3 and start < one.end else None


def inside(found: tuple[Quote, ...], start: int, end: int) -> tuple[Quote, ...]:
    """The quotations that lie within characters `start` to `end`."""
    low = bisect_right(found, start - 1, key=lambda one: one.start)
    return tuple(one for one in found[low : low + 8] if one.end <= end)


def reported(text: str) -> Said | None:
    """What a sentence reports of another ("Ben said that …", "According to Ben, …"); what one said oneself is one's own."""
    part = text[:300]
    found = _REPORT.match(part) or _ACCORDING.match(part) or _REPORT_OTHER.match(part) or _DENSE_REPORT.match(part)
    if found is None:
        return None
    return Said(
        found.end(), found["who"], ":" in part[found.end("who") : found.end()] or _WRITING.search(found["who"]) is not None
    )


def attributed(text: str) -> Said | None:
    """Whose words a sentence is that ends on who said it ("…, said Tom."); `start` is where that begins."""
    at = max(text.rfind(",", 0, -1), len(text) - _LOOK_BACK)
    found = _AFTER.fullmatch(text.rstrip(" .!"), at) if text[max(at, 0) : at + 1] == "," else None
    return Said(at, found["who"] or found["whom"], direct=True) if found and at > 0 else None


def echoed(text: str, record: Record, before: Sequence[Record]) -> bool:
    """True when most telling words of what an assistant says are those of an untrusted result or document it has just seen."""
    if record.role is not Role.ASSISTANT:
        return False
    seen: set[str] = set()
    for one in reversed(before):
        if one.role is Role.USER and one.trust is Trust.TRUSTED:
            break
        if one.trust is Trust.UNTRUSTED or one.role in (Role.TOOL, Role.DOCUMENT):
            seen |= _telling(one.text)
    own = seen and _telling(text) - frozenset().union(
        *(_telling(one.text) for one in before if one.role is Role.USER and one.trust is Trust.TRUSTED)
    )
    return bool(own) and len(own & seen) * 2 >= len(own) and len(own & seen) > 1


def _telling(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text[:_SEEN].casefold()) if word not in _EMPTY)


def block_speaker(text: str, start: int) -> str:
    """Who wrote the quoted block whose line starts at `start`, by the line above it ("On Monday Ben wrote:"), or ""."""
    part = text[max(0, start - _LOOK_BACK) : start]
    found = next((m for at in _starts(part) if (m := _WROTE.match(part, at)) and _is_name(m["who"])), None)
    return found["who"] if found else ""


def _is_name(who: str) -> bool:
    return who.split(maxsplit=1)[0].casefold().rstrip(".,") not in NO_NAMES


def named(who: str, speaker: str, subject: Callable[[str, int], str], place: int) -> str:
    """The quoted person in words that name them: the speaker for "I", a name for "she", "Ana's sister" for "my sister"."""
    low = who.casefold()
    if low in ("i", "we", "ich", "je", "yo", "eu", "io", "我", "я"):
        return speaker
    if low in ("he", "she", "they"):
        return subject(who, place) or who
    first, _, rest = who.partition(" ")
    return f"{speaker}'s {rest}" if first.casefold() in ("my", "our") and rest else who


def first_person(text: str) -> bool:
    """True when the words speak of "I", "my" or "we"."""
    return _FIRST.search(text) is not None
