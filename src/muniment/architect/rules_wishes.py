"""What a use case asks for outright: how long to keep things, languages and zone, what never to store, private conversations.

Rule of this file: of several wishes for one thing, the strictest or the first holds. Each tells its line; what is not understood
does as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, NamedTuple

from muniment.architect.rules_hearing import Handling, Off, Retention, Unclear, Wish, heard
from muniment.architect.rules_shapes import span_text
from muniment.architect.rules_usecase import Line, Part, UseCase
from muniment.architect.words_usecase import LANGUAGES
from muniment.knowledge.architecture import Keep

STRICTNESS: Final = (Keep.KEEP, Keep.TOKENISE, Keep.MASK, Keep.REFUSE)
"""What may be done with personal data, the loosest first."""

_DONE: Final = {
    Keep.TOKENISE: "written as a token at most",
    Keep.MASK: "never written, masked instead",
    Keep.REFUSE: "what holds it is refused",
}
_LONGEST_QUOTE: Final = 120
_ZONE: Final = re.compile(r"\b[A-Z][A-Za-z]{1,20}/[A-Z][A-Za-z_]{1,30}(?:/[A-Z][A-Za-z_]{1,30})?\b")
_SPEAKING: Final = re.compile(
    r"\b(?:languages?|speaks?|spoken|bilingual|multilingual|(?:answers?|repl(?:y|ies)|writes?) in)\b", re.IGNORECASE
)
_PRIVATE: Final = re.compile(
    r"\b(?:private|confidential|separate|isolated)\s(?:conversations?|sessions?|chats?)\b"
    r"|\b(?:conversations?|sessions?|chats?)\s(?:\w{1,20}\s){0,3}?(?:private|confidential|separate|isolated)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z]+")


class Told(NamedTuple):
    """A wish as it was understood: its line, the part of the file it comes to bear in ("" for none), and what holds by it."""

    line: int
    section: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What was asked for outright; empty where nothing was. `keep` and `unused` are by kind of memory, with "" for all kinds."""

    keep: Mapping[str, timedelta] = field(default_factory=dict)
    unused: Mapping[str, timedelta] = field(default_factory=dict)
    off: tuple[str, ...] = ()
    pii: Mapping[str, Keep] = field(default_factory=dict)
    timezone: str = ""
    languages: tuple[str, ...] = ()
    private: bool = False
    told: tuple[Told, ...] = ()


def wishes(use_case: UseCase, *, kinds: Sequence[str], is_zone: Callable[[str], bool]) -> Wishes:
    """What a use case asks for outright, where `kinds` are the kinds of memory there are."""
    found = [(line.number, wish) for line in use_case.lines for wish in heard(line, kinds)]
    keep, kept = _retention(found, unused=False)
    unused, forgotten = _retention(found, unused=True)
    off, left_out = _off(found)
    pii, handled = _pii(found)
    zone, zoned = _zone(use_case, is_zone)
    languages, spoken = _languages(use_case)
    private = next((line.number for line in use_case.lines if _PRIVATE.search(line.text)), 0)
    apart = "conversations are private: nothing of one comes back in another"
    unclear = [
        Told(line, "", f"not understood: “{_quoted(wish.words)}”")
        for line, wish in dict.fromkeys(found)
        if isinstance(wish, Unclear) and line != private
    ]
    told = [*kept, *forgotten, *left_out, *handled, *zoned, *spoken, *unclear]
    told += [Told(private, "private_conversations", apart)] if private else []
    return Wishes(
        keep=keep,
        unused=unused,
        off=off,
        pii=pii,
        timezone=zone,
        languages=languages,
        private=bool(private),
        told=tuple(sorted(told, key=lambda one: one.line)),
    )


def _quoted(words: str) -> str:
    plain = " ".join(re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", " ", words.strip("-*> .")).split())
    return plain if len(plain) <= _LONGEST_QUOTE else f"{plain[: _LONGEST_QUOTE - 1].rstrip()}…"


def _retention(found: Sequence[tuple[int, Wish]], *, unused: bool) -> tuple[dict[str, timedelta], list[Told]]:
    """The shortest span asked for of all kinds ("") and of each kind, and what to say of it."""
    spans: dict[str, tuple[timedelta, int]] = {}
    for line, wish in found:
        if isinstance(wish, Retention) and wish.unused is unused:
            for kind in wish.kinds or ("",):
                spans[kind] = min(spans.get(kind, (wish.span, line)), (wish.span, line))
    what = "without being recalled" if unused else "after its last evidence"
    told = []
    for kind, (span, line) in spans.items():
        longer = f"nothing is kept for longer than {span_text(span)}{f' {what}' if unused else ''}"
        told.append(Told(line, "kinds", f"{kind} is kept for {span_text(span)} {what}" if kind else longer))
    return {kind: span for kind, (span, _) in spans.items()}, told


def _off(found: Sequence[tuple[int, Wish]]) -> tuple[tuple[str, ...], list[Told]]:
    lines: dict[str, int] = {}
    for line, wish in found:
        if isinstance(wish, Off):
            for kind in wish.kinds:
                lines.setdefault(kind, line)
    return tuple(lines), [Told(line, "kinds", f"no {kind} is kept") for kind, line in lines.items()]


def _pii(found: Sequence[tuple[int, Wish]]) -> tuple[dict[str, Keep], list[Told]]:
    policy: dict[str, Keep] = {}
    told = []
    for line, wish in found:
        if isinstance(wish, Handling):
            for kind in wish.data:
                policy[kind] = max(policy.get(kind, wish.keep), wish.keep, key=STRICTNESS.index)
            told.append(Told(line, "pii", f"{_DONE[wish.keep]}: {', '.join(wish.data)}"))
    return policy, told


def _zone(use_case: UseCase, is_zone: Callable[[str], bool]) -> tuple[str, list[Told]]:
    for line in use_case.lines:
        if zone := next((name for name in _ZONE.findall(line.text) if is_zone(name)), ""):
            return zone, [Told(line.number, "timezone", f"dates are meant in {zone}")]
    return "", []


def _languages(use_case: UseCase) -> tuple[tuple[str, ...], list[Told]]:
    spoken: dict[str, int] = {}
    for line in use_case.lines:
        if line.part is not Part.OUTSIDE:
            for language in _spoken(line):
                spoken.setdefault(language, line.number)
    names = tuple(spoken)
    return names, [Told(min(spoken.values()), "languages", f"memories are made of {', '.join(names)} alone")] if names else []


def _spoken(line: Line) -> Iterator[str]:
    """Languages behind the word "in", or anywhere in a line that speaks of languages."""
    words = _WORD.findall(line.text.lower())
    if _SPEAKING.search(line.text):
        yield from (LANGUAGES[word] for word in words if word in LANGUAGES)
        return
    listing = False
    for word in words:
        if word in LANGUAGES and listing:
            yield LANGUAGES[word]
        listing = word == "in" or (listing and (word in LANGUAGES or word in ("and", "or")))
