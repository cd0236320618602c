"""What a clause states: its numbers, dates, names and codes, what bounds it or turns it around, who acts, and its other words.

Rule of this file: pure, linear in the text, and one form for what is the same however it is written: twelve and 12, 5 May 2026
and 2026-05-05, kg and kilograms, paid and pays. Names are found by a function that is handed in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from muniment.compact.words_stated import (
    GLUED,
    IRREGULAR,
    LIMITS,
    NEGATIONS,
    NO_COUNT,
    NOT_NEGATIONS,
    SCALES,
    SHORT_FORMS,
    SMALL,
    TENS,
    UNITS,
)
from muniment.knowledge.values import Mention
from muniment.text.languages import ENGLISH, FUNCTION_WORDS, stem
from muniment.text.sentences import sentences
from muniment.text.times import Timed, resolve

Names = Callable[[str], Sequence[Mention]]
"""The names in a text."""
EPOCH = datetime(2000, 1, 3, 12, tzinfo=UTC)
"""What relative dates are reckoned from where nobody told when it was said: any day does, the same for source and digest."""


class AtomKind(StrEnum):
    """What kind of thing must come through unchanged."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    NAME = "name"
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """One thing that must come through unchanged: `value` is the same however it is written, `start` and `end` its place."""

    kind: AtomKind
    value: str
    start: int
    end: int
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Characters `start` to `end` of a text, with what they state.

    `sentence` counts the sentences of the text. `stems` are the words besides atoms and function words, with their places.
    `negations` counts what turns it around, `limits` name what bounds it; `agent` is who acts, "" where nobody is named.
    """

    text: str
    start: int
    end: int
    sentence: int
    atoms: tuple[Atom, ...]
    stems: tuple[tuple[str, int], ...]
    negations: int
    limits: frozenset[str]
    agent: str

    @property
    def words(self) -> frozenset[str]:
        """The stems without their places."""
        return frozenset(word for word, _ in self.stems)

    @property
    def names(self) -> tuple[str, ...]:
        """Whom and what it names, in order."""
        return tuple(atom.value for atom in self.atoms if atom.kind is AtomKind.NAME)


_TOKEN = re.compile(
    r"[$€£¥₹]|°[cf]\b|\d{1,3}(?:,\d{3})+(?:\.\d+)?%?|\d+(?:\.\d+)?%?|[^\W\d_]+(?:[-'\u2019][^\W_]+)*|[^\w\s]", re.IGNORECASE
)
_CODE = re.compile(
    r"https?://[^\s<>\"')\]]{1,500}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|`[^`\n]{1,200}`|\#\d{1,12}\b"
    r"|\b(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Za-z])[A-Za-z0-9]{1,30}(?:[-_][A-Za-z0-9]{1,30}){0,6}\b"
)
_PLAIN_NUMBER = re.compile(r"\d+(?:st|nd|rd|th|s|k|m|am|pm|x|%)?", re.IGNORECASE)
_GLUED = re.compile(rf"(?P<number>\d+(?:\.\d+)?)(?P<unit>{'|'.join(sorted(GLUED, key=len, reverse=True))})\b", re.IGNORECASE)
_TIMELY = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|today|tomorrow|yesterday|tonight|next|last"
    r"|this|morning|noon|midnight|evening|afternoon|week|month|year|ago|christmas|easter)",
    re.IGNORECASE,
)
_TIMES = {
    "date": AtomKind.DATE,
    "datetime": AtomKind.DATE,
    "daterange": AtomKind.DATE,
    "datetimerange": AtomKind.DATE,
    "time": AtomKind.TIME,
    "timerange": AtomKind.TIME,
}
_NO_NAMES = frozenset(("url", "email", "code", "phone", "number"))
_HONOURS_WORDS = """doctor mister ms mrs miss professor the"""
_HONOURS = frozenset(_HONOURS_WORDS.split())
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_NAME_WORD = re.compile(r"[^\W_][\w'\u2019.-]*")
_CAPITAL = re.compile(r"\b[^\W\d_][\w'\u2019-]*")
_NEGATION = re.compile(rf"\b(?:{NEGATIONS})\b|n['\u2019]t\b", re.IGNORECASE)
_NOT_NEGATION = re.compile(rf"\b(?:{NOT_NEGATIONS})\b", re.IGNORECASE)
_LIMITS = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for name, words in LIMITS.items()}
_CUT = re.compile(
    r"\s*;\s*|\s+[\u2013\u2014-]{1,2}\s+|\u2014|,?\s+(?:while|whereas|although|though)\s+"
    r"|,?\s+(?:and|but|so|then)\s+(?=(?:i|you|he|she|it|we|they|the|a|an|this|that|these|those|my|your|his|her|our|their|there|never"
    r"|please|do|don['\u2019]t|if|when|only|no|all|every|[A-Z]\w*|\d+)\b)",
)
_LEAST_WORDS = 3
_MARKER = re.compile(r"^[ \t]*\d{1,3}[.)](?=\s)", re.MULTILINE)
"""The number of an item of a list, which counts nothing."""
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"n't$|'(?:s|re|ve|ll|d|m)$")
_FUNCTION_WORDS = """there here also too then so just very really will would shall can could may might must should have
has had do does did
be is are was were been am being get got let"""
_FUNCTION = FUNCTION_WORDS["english"] | frozenset(_FUNCTION_WORDS.split())
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:not\s+|\w+ly\s+)?(?P<verb>[^\W\d_]+)", re.IGNORECASE)
_BY = re.compile(r"\bby\s+(?:the\s+|dr\.?\s+|mr\.?\s+|ms\.?\s+)?", re.IGNORECASE)
_OPENING = 12
"""Characters from the beginning of a clause within which whoever acts is named."""


@lru_cache(maxsize=16384)
def stem_of(word: str) -> str:
    """The form of a word that its other forms share."""
    word = word.casefold().replace("\u2019", "'")
    word = SHORT_FORMS.get(word, word)
    word = IRREGULAR.get(word, UNITS.get(word, word))
    return stem(word, ENGLISH) if word.isalpha() else word


def names_in(text: str, names: Names) -> frozenset[str]:
    """Every word of a name that stands in a text."""
    found = [name_key(mention.text) for mention in names(text) if mention.kind not in _NO_NAMES]
    return frozenset(word for key in found for word in key.split())


def read(text: str, *, names: Names, known: Collection[str] = (), reference: datetime | None = None) -> tuple[Clause, ...]:
    """The clauses of a text in order. `known` are words of names that are known from elsewhere, see `names_in`."""
    atoms = _atoms(text, names=names, known=known, reference=reference or EPOCH)
    tokens = list(_TOKEN.finditer(text))
    found = []
    for number, (start, end) in enumerate(sentences(text)):
        for low, high in _clauses(text, start, end):
            own = tuple(atom for atom in atoms if low <= atom.start < high)
            here = [token for token in tokens if low <= token.start() < high]
            found.append(_clause(text, (low, high), sentence=number, atoms=own, tokens=here))
    return tuple(found)


def _clause(
    text: str, span: tuple[int, int], *, sentence: int, atoms: tuple[Atom, ...], tokens: Sequence[re.Match[str]]
) -> Clause:
    words = text[span[0] : span[1]]
    return Clause(
        text=words,
        start=span[0],
        end=span[1],
        sentence=sentence,
        atoms=atoms,
        stems=tuple(_stems(tokens, atoms)),
        negations=len(_NEGATION.findall(_NOT_NEGATION.sub(" ", words))),
        limits=_limits(words),
        agent=_agent(words, span[0], atoms),
    )


def _stems(tokens: Sequence[re.Match[str]], atoms: Sequence[Atom]) -> Iterator[tuple[str, int]]:
    for token in tokens:
        at = token.start()
        if any(atom.start <= at < atom.end for atom in atoms):
            continue
        base = _ENDING.sub("", token[0].casefold().replace("\u2019", "'"))
        if len(base) > 1 and base[0].isalpha() and base not in _FUNCTION:
            yield stem_of(base), at


def _limits(words: str) -> frozenset[str]:
    found = {name for name, pattern in _LIMITS.items() if pattern.search(words)}
    return frozenset(found - ({"over", "under"} if found & {"most", "least"} else set()))


def _agent(words: str, start: int, atoms: Sequence[Atom]) -> str:
    named = [atom for atom in atoms if atom.kind is AtomKind.NAME]
    passive = _PASSIVE.search(words)
    if passive and (passive["verb"].lower().endswith(("ed", "en")) or passive["verb"].lower() in IRREGULAR):
        by = _BY.search(words, passive.end())
        return next((atom.value for atom in named if by and abs(atom.start - start - by.end()) <= 1), "")
    return named[0].value if named and named[0].start - start <= _OPENING else ""


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    low = start
    for cut in _CUT.finditer(text, start, end):
        left, right = _WORD.findall(text[low : cut.start()]), _WORD.findall(text[cut.end() : end])
        if len(left) >= _LEAST_WORDS and len(right) >= _LEAST_WORDS:
            yield low, cut.start()
            low = cut.end()
    yield low, end


@dataclass(slots=True)
class _Found:
    """Atoms of one text; what stands where another already does is left out."""

    atoms: list[Atom] = field(default_factory=list)

    def add(self, kind: AtomKind, value: str, span: tuple[int, int], unit: str = "") -> None:
        start, end = span
        if value and all(end <= atom.start or start >= atom.end for atom in self.atoms):
            self.atoms.append(Atom(kind=kind, value=value, start=start, end=end, unit=unit))


def _atoms(text: str, *, names: Names, known: Collection[str], reference: datetime) -> list[Atom]:
    found = _Found()
    for timed in resolve(text, reference=reference) if _TIMELY.search(text) else ():
        if timed.kind in _TIMES:
            found.add(_TIMES[timed.kind], _time_key(timed), (timed.start, timed.end))
    for code in _CODE.finditer(text):
        value = code[0].rstrip(".,;:!?")
        if not _PLAIN_NUMBER.fullmatch(value) and not _GLUED.fullmatch(value):
            found.add(AtomKind.CODE, value.strip("`").casefold(), (code.start(), code.start() + len(value)))
    for number, start, end, unit in _numbers(_MARKER.sub(_blank, text)):
        found.add(AtomKind.NUMBER, format(number.normalize(), "f"), (start, end), unit)
    _add_names(found, text, names=names, known=known)
    return sorted(found.atoms, key=lambda atom: atom.start)


def _add_names(found: _Found, text: str, *, names: Names, known: Collection[str]) -> None:
    mentioned = [mention for mention in names(text) if mention.kind not in _NO_NAMES]
    for mention in mentioned:
        found.add(AtomKind.NAME, name_key(mention.text), (mention.start, mention.end))
    words = {*known, *(word for mention in mentioned for word in name_key(mention.text).split())}
    for capital in _CAPITAL.finditer(text):
        if capital[0][0].isupper() and (key := name_key(capital[0])) in words:
            found.add(AtomKind.NAME, key, capital.span())


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _time_key(timed: Timed) -> str:
    when = timed.when
    if when is None or (when.since is None and when.until is None):
        return timed.timex
    return "/".join(f"{at:%Y-%m-%dT%H:%M}" if at else "" for at in (when.since, when.until))


def name_key(name: str) -> str:
    """A name in its plain form: small letters, without titles and possessives."""
    words = [_POSSESSIVE.sub("", word.casefold().rstrip(".")) for word in _NAME_WORD.findall(name)]
    full = [SHORT_FORMS.get(word, word) for word in words]
    return " ".join(word for word in full if word not in _HONOURS)


def _numbers(text: str) -> Iterator[tuple[Decimal, int, int, str]]:
    """Numbers in figures and in words, each with its place and unit."""
    tokens = [(token[0].casefold(), token.start(), token.end()) for token in _TOKEN.finditer(text)]
    at = 0
    while at < len(tokens):
        read_one = _figure(tokens, at) or _worded(tokens, at)
        if read_one is None:
            at += 1
            continue
        value, after = read_one
        unit, start, end, after = _unit(tokens, at, after)
        if tokens[at][0].endswith("%"):
            unit = "percent"
        yield value, start, end, unit
        at = after


def _unit(tokens: Sequence[tuple[str, int, int]], at: int, after: int) -> tuple[str, int, int, int]:
    start, end = tokens[at][1], tokens[after - 1][2]
    before = tokens[at - 1][0] if at else ""
    if before in UNITS and (len(before) == 1 or before in {"usd", "eur", "gbp", "chf"}):
        return UNITS[before], tokens[at - 1][1], end, after
    if after < len(tokens) and (unit := UNITS.get(tokens[after][0])) and (len(tokens[after][0]) > 1 or tokens[after][1] == end):
        return unit, start, tokens[after][2], after + 1
    if after + 1 < len(tokens) and tokens[after][0] == "-" and (unit := UNITS.get(tokens[after + 1][0])):
        return unit, start, tokens[after + 1][2], after + 2
    return "", start, end, after


def _figure(tokens: Sequence[tuple[str, int, int]], at: int) -> tuple[Decimal, int] | None:
    word, _, end = tokens[at]
    if not word[0].isdigit():
        return None
    value = Decimal(word.rstrip("%").replace(",", ""))
    if at + 1 < len(tokens):
        following, start, _ = tokens[at + 1]
        if following in SCALES:
            return value * SCALES[following], at + 2
        if following in {"k", "m"} and start == end:
            return value * (1000 if following == "k" else 1_000_000), at + 2
    return value, at + 1


def _worded(tokens: Sequence[tuple[str, int, int]], at: int) -> tuple[Decimal, int] | None:
    whole = part = 0
    place = at
    while place < len(tokens):
        word = tokens[place][0]
        tens, dash, ones = word.partition("-")
        if dash and tens in TENS and ones in SMALL:
            part += TENS[tens] + SMALL[ones]
        elif word in SMALL and (place == at or part % 10 == 0):
            part += SMALL[word]
        elif word in TENS and part % 100 == 0:
            part += TENS[word]
        elif word in SCALES and (place > at or word == "dozen" or (at and tokens[at - 1][0] in {"a", "one"})):
            part = max(part, 1) * SCALES[word]
            if SCALES[word] >= SCALES["thousand"]:
                whole, part = whole + part, 0
        elif not (word == "and" and part >= SCALES["hundred"] and _goes_on(tokens, place + 1)):
            break
        place += 1
    if place == at or (tokens[at][0] == "one" and place == at + 1 and place < len(tokens) and tokens[place][0] in NO_COUNT):
        return None
    return Decimal(whole + part), place


def _goes_on(tokens: Sequence[tuple[str, int, int]], at: int) -> bool:
    return at < len(tokens) and (tokens[at][0] in SMALL or tokens[at][0] in TENS or "-" in tokens[at][0])
