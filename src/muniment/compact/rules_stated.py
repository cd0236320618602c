"""What a clause states: its numbers, dates, names and codes, what bounds it or turns it around, who acts, and its other words.

Rule of this file: pure, linear in the text, and one form for what is the same however it is written: twelve and 12, 5 May 2026
and 2026-05-05, kg and kilograms, paid and pays. Names are found by a function that is handed in.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from muniment.compact.rules_numbers import GLUED_NUMBER, PLAIN, TOKEN, numbers
from muniment.compact.words_stated import COMMANDS, IRREGULAR, MARKS, NEGATED, SHORT_FORMS, SIGNS, TURNING, UNITS
from muniment.knowledge.values import Mention
from muniment.text.languages import ENGLISH, FUNCTION_WORDS, stem
from muniment.text.sentences import sentences
from muniment.text.times import Timed, resolve

_Mark = tuple[str, int, str]
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
    """One thing that must come through unchanged: `value` is the same however it is written, `start` and `end` its place.

    `also` are other ways to read it, such as the other month of 2/5/2026.
    """

    kind: AtomKind
    value: str
    start: int
    end: int
    unit: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clause:
    """Characters `start` to `end` of a text, with what they state.

    `sentence` counts the sentences of the text. `stems` are the words besides atoms and function words, with their places, and
    `words` the same without. `negations` counts what turns it around, `limits` name what bounds it, and `bound` each with the
    word it bounds. `agent` is who acts, "" where nobody is named; `agents` all who do, where they act together. `speaker` is
    who says it, and `persons` are the persons its pronouns stand for: first, second, third. `passive` when it happens to what
    is named first, `asks` when it ends in a question mark.
    """

    text: str
    start: int
    end: int
    sentence: int
    atoms: tuple[Atom, ...]
    stems: tuple[tuple[str, int], ...]
    words: frozenset[str]
    negations: int
    limits: frozenset[str]
    bound: frozenset[tuple[str, str]] = frozenset()
    agent: str = ""
    agents: frozenset[str] = frozenset()
    speaker: str = ""
    persons: frozenset[str] = frozenset()
    passive: bool = False
    asks: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Whom and what it names, in order."""
        return tuple(atom.value for atom in self.atoms if atom.kind is AtomKind.NAME)


_CODE = re.compile(
    r"https?://[^\s<>\"')\]]{1,500}|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|`[^`\n]{1,200}`|\#\d{1,12}\b"
    r"|(?<![\w.])v?\d{1,4}(?:\.\d{1,4}){2,4}(?![\w.]*\d)|\bv\d{1,4}(?:\.\d{1,4}){0,3}\b"
    r"|(?:(?<=\bversion )|(?<=\brelease ))\d{1,4}(?:\.\d{1,4}){1,3}\b"
    r"|(?<![\w.+])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,5}(?:[ .-]?\d{2,5}){1,4}|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])"
    r"|\b(?=[\w-]{0,30}\d)(?=[\w-]{0,30}[A-Za-z])[A-Za-z0-9]{1,30}(?:[-_][A-Za-z0-9]{1,30}){0,6}\b"
)
_VERSION = re.compile(r"v(?=\d)", re.IGNORECASE)
_PHONE = re.compile(r"\+?[\d ().-]{7,}")
_CLOCK = re.compile(r"\b([01]?\d|2[0-4])(?:[:.]([0-5]\d))?[ \u00a0]?(?:uhr|heures?)\b", re.IGNORECASE)
_SLASHED = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_TIMELY = re.compile(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|today|tomorrow|yesterday|tonight|next|last"
    r"|this|morning|noon|midnight|evening|afternoon|week|month|year|ago|christmas|easter|heute|morgen|gestern|demain|hier"
    r"|aujourd|ma\u00f1ana|ayer|hoy)",
    re.IGNORECASE,
)
_NOW = "PRESENT_REF"
_HOURS_ONLY = 3
_WITHIN = re.compile(r"within\b", re.IGNORECASE)
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
_OWNS = re.compile(r"['\u2019]s\b")
_NAME_WORD = re.compile(r"[^\W_][\w'\u2019.-]*")
_CAPITAL = re.compile(r"\b[^\W\d_][\w'\u2019-]*")
_MIDWAY = re.compile(r"(?<=[a-z,;\d] )[A-Z][a-z]{2,30}\b(?!['\u2019])")
"""A word written like a name within a sentence."""
_MARKS = re.compile(rf"(?<!\w)(?:{'|'.join(f'({words})' for _, _, words in MARKS)})(?!\w)|({SIGNS})", re.IGNORECASE)
_COMMANDS = re.compile(COMMANDS, re.IGNORECASE)
_CUT = re.compile(
    r"\s*;\s*|\s+[\u2013\u2014-]{1,2}\s+|\u2014|,?\s+(?:while|whereas|although|though|because|since|as)\s+"
    r"(?=(?:i|you|he|she|it|we|they|the|a|an|this|that|there|my|your|his|her|our|their|[A-Z]\w*)\b)"
    r"|,?\s+(?:and|but|so|then)\s+(?=(?:i|you|he|she|it|we|they|the|a|an|this|that|these|those|my|your|his|her|our|their|there|never|always"
    r"|please|do|don['\u2019]t|if|when|only|no|all|every|[A-Z]\w*|\d+)\b)"
    r"|,\s+(?=(?:i|you|he|she|it|we|they|[A-Z]\w*) (?:will|is|are|was|were|has|had|have|do|does|did|can|must|\w+(?:ed|es))\b)",
)
_LEAST_WORDS = 3
_AROUND_CUT = 120
_LONGEST = 800
"""Characters of the longest clause."""
_MARKER = re.compile(r"(?:^[ \t]*|(?<=[:;.] ))\d{1,3}[.)](?=\s|$)", re.MULTILINE)
"""The number of an item of a list, which counts nothing."""
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"n't$|'(?:s|re|ve|ll|d|m)$")
_FUNCTION_WORDS = """there here also too then so just very really will would shall can could may might must should have
has had do does did yet already please anybody anyone anything any somebody someone something ever not be because since
be is are was were been being am get got let say said says tell told telling now well indeed both neither nor either"""
_FUNCTION = FUNCTION_WORDS["english"] | frozenset(_FUNCTION_WORDS.split())
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:not\s+|\w+ly\s+)?(?P<verb>[^\W\d_]+)", re.IGNORECASE)
_BY = re.compile(r"\bby\s+(?:the\s+|dr\.?\s+|mr\.?\s+|ms\.?\s+|mrs\.?\s+|doctor\s+)?", re.IGNORECASE)
_PERSONS = {
    "first": re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours|ich|mein\w*|je|mon|yo|mi|im|ive)\b", re.IGNORECASE),
    "second": re.compile(r"\b(?:you|your|yours|u|ur)\b", re.IGNORECASE),
    "third": re.compile(r"\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs)\b", re.IGNORECASE),
}
_SELF = re.compile(
    r"(?:\W*(?:and|but|so|yes|yeah|no|well|also|then|because|while|oh|ok|okay)\b)?\W*i(?:['\u2019]|\b)", re.IGNORECASE
)
_TOLD = re.compile(r"\b(?:said|says|say|thinks|thought|believes|claims|claimed|told \w+|hopes|knows) (?:that )?", re.IGNORECASE)
_TOGETHER = re.compile(r"\s*(?:,|and|or|&|nor|, and)\s*", re.IGNORECASE)
_OPENING = 12
"""Characters from the beginning of a clause within which whoever acts is named."""


@lru_cache(maxsize=16384)
def stem_of(word: str) -> str:
    """The form of a word that its other forms share."""
    word = word.casefold().replace("\u2019", "'")
    word = SHORT_FORMS.get(word, word)
    word = NEGATED.get(word, word)
    word = IRREGULAR.get(word, UNITS.get(word, word))
    return stem(word, ENGLISH) if word.isalpha() else word


_TURNING = frozenset(stem_of(word) for word in TURNING)


def names_in(text: str, names: Names) -> frozenset[str]:
    """Every word of a name that stands in a text."""
    found = [name_key(mention.text) for mention in names(text) if mention.kind not in _NO_NAMES]
    return frozenset(word for key in found for word in key.split())


def read(
    text: str, *, names: Names, known: Collection[str] = (), reference: datetime | None = None, speaker: str = ""
) -> tuple[Clause, ...]:
    """The clauses of a text in order. `known` are words of names that are known from elsewhere, see `names_in`."""
    taken = bytearray(len(text))
    atoms = _atoms(text, taken, names=names, known=known, reference=reference or EPOCH)
    tokens = list(TOKEN.finditer(text))
    starts, places = [atom.start for atom in atoms], [token.start() for token in tokens]
    found = []
    for number, (start, end) in enumerate(sentences(text)):
        for low, high in _clauses(text, start, end, taken):
            own = tuple(atoms[bisect_left(starts, low) : bisect_left(starts, high)])
            here = tokens[bisect_left(places, low) : bisect_left(places, high)]
            words = _Words(text=text, start=low, end=high, atoms=own, tokens=here, taken=taken)
            found.append(_clause(words, sentence=number, speaker=name_key(speaker)))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """One clause as it stands; `taken` marks the characters of the whole text that lie in an atom."""

    text: str
    start: int
    end: int
    atoms: tuple[Atom, ...]
    tokens: Sequence[re.Match[str]]
    taken: bytearray


def _clause(words: _Words, *, sentence: int, speaker: str) -> Clause:
    text = words.text[words.start : words.end]
    marks = list(_marked(text))
    limits = {limit for mark, _ in marks for limit in mark[0].split()}
    if _COMMANDS.match(text):
        limits.add("command")
    negations = sum(mark[1] for mark, _ in marks if mark[0] != "nor")
    if not negations:
        negations = min(1, sum(mark[1] for mark, _ in marks))
    blank = [(words.start + found.start(), words.start + found.end()) for _, found in marks]
    stems, turned = _stems(words, blank)
    agents = _agents(text, words.start, words.atoms, speaker)
    return Clause(
        text=text,
        start=words.start,
        end=words.end,
        sentence=sentence,
        atoms=words.atoms,
        stems=stems,
        words=frozenset(word for word, _ in stems),
        negations=negations + turned,
        limits=frozenset(limits),
        bound=_bound(marks, words, stems),
        agent=agents[0] if agents else "",
        agents=frozenset(agents),
        speaker=speaker,
        passive=_passive(text) is not None,
        asks=text.rstrip().endswith(("?", "\u061f", "\uff1f")),
        persons=frozenset(person for person, pattern in _PERSONS.items() if pattern.search(text)),
    )


def _marked(text: str) -> Iterator[tuple[_Mark, re.Match[str]]]:
    for found in _MARKS.finditer(text):
        row = found.lastindex or 0
        yield (MARKS[row - 1] if 0 < row <= len(MARKS) else ("", 1, "")), found


def _bound(
    marks: Sequence[tuple[_Mark, re.Match[str]]], words: _Words, stems: Sequence[tuple[str, int]]
) -> frozenset[tuple[str, str]]:
    """Each limit with the word that comes next, or the last one where none does."""
    what = sorted([*((at, word) for word, at in stems), *((atom.start, atom.value) for atom in words.atoms)])
    places = [at for at, _ in what]
    found = set()
    for (limits, _, _), place in marks:
        at = bisect_left(places, words.start + place.end() - 1)
        if what:
            found |= {(limit, what[min(at, len(what) - 1)][1]) for limit in limits.split()}
    return frozenset(found)


def _stems(words: _Words, blank: Sequence[tuple[int, int]]) -> tuple[tuple[tuple[str, int], ...], int]:
    """The words that are neither atoms nor marks, and how many of them say the contrary of another by how they begin."""
    found, turned, mark = [], 0, 0
    for token in words.tokens:
        at = token.start()
        while mark < len(blank) and blank[mark][1] <= at:
            mark += 1
        if words.taken[at] or (mark < len(blank) and blank[mark][0] <= at):
            continue
        base = _ENDING.sub("", token[0].casefold().replace("\u2019", "'"))
        if len(base) > 1 and base[0].isalpha() and base not in _FUNCTION:
            turned += base in NEGATED or stem_of(base) in _TURNING
            found.append((stem_of(base), at))
    return tuple(found), turned


def _agents(text: str, start: int, atoms: Sequence[Atom], speaker: str) -> list[str]:
    """Who acts, the first named first."""
    named = [a for a in atoms if a.kind is AtomKind.NAME and not _OWNS.search(text, a.start - start, a.end - start + 2)]
    passive = _passive(text)
    if passive is not None:
        by = _BY.search(text, passive)
        at = next((n for n, atom in enumerate(named) if by and by.start() <= atom.start - start <= by.end() + 1), None)
    elif speaker and _SELF.match(text):
        return [speaker]
    else:
        opening = max((a.end - start for a in atoms[:1] if a.kind in {AtomKind.DATE, AtomKind.TIME}), default=0) + _OPENING
        at = 0 if named and named[0].start - start <= opening else None
    if at is None:
        return []
    found = [named[at].value]
    for one, two in zip(named[at:], named[at + 1 :], strict=False):
        if not _TOGETHER.fullmatch(text[one.end - start : two.start - start]):
            break
        found.append(two.value)
    told = _TOLD.search(text)
    if told and (after := next((atom.value for atom in named if atom.start - start >= told.end()), "")):
        found.append(after)
    return found


def _passive(text: str) -> int | None:
    """Where its verb ends, when a clause tells what happens to whoever is named first."""
    found = _PASSIVE.search(text)
    if found and (found["verb"].lower().endswith(("ed", "en")) or found["verb"].lower() in IRREGULAR):
        return found.end()
    return None


def _clauses(text: str, start: int, end: int, taken: bytearray) -> Iterator[tuple[int, int]]:
    low = start
    for cut in _CUT.finditer(text, start, end):
        if taken[cut.start()] and taken[cut.end() - 1] and cut.start() > low:
            continue
        left = _WORD.findall(text, max(low, cut.start() - _AROUND_CUT), cut.start())
        right = _WORD.findall(text, cut.end(), min(end, cut.end() + _AROUND_CUT))
        if ";" in cut[0] or (len(left) >= _LEAST_WORDS and len(right) >= _LEAST_WORDS):
            yield from _short(text, low, cut.start(), taken)
            low = cut.end()
    yield from _short(text, low, end, taken)


def _short(text: str, low: int, high: int, taken: bytearray) -> Iterator[tuple[int, int]]:
    """A clause as it stands, or in pieces when it is longer than any that is spoken."""
    while high - low > _LONGEST:
        cut = next((at for at in range(low + _LONGEST, low + _LONGEST // 2, -1) if text[at] in " ,\n" and not taken[at]), 0)
        cut = cut or low + _LONGEST
        yield low, cut
        low = cut
    yield low, high


@dataclass(slots=True)
class _Found:
    """Atoms of one text; what stands where another already does is left out."""

    taken: bytearray
    atoms: list[Atom] = field(default_factory=list)

    def add(self, kind: AtomKind, value: str, span: tuple[int, int], *, unit: str = "", also: tuple[str, ...] = ()) -> None:
        start, end = span
        if value and not any(self.taken[start:end]):
            self.taken[start:end] = b"\1" * (end - start)
            self.atoms.append(Atom(kind=kind, value=value, start=start, end=end, unit=unit, also=also))


def _atoms(text: str, taken: bytearray, *, names: Names, known: Collection[str], reference: datetime) -> list[Atom]:
    found = _Found(taken)
    for clock in _CLOCK.finditer(text):
        found.add(AtomKind.TIME, f"T{int(clock[1]):02d}:{clock[2] or '00'}", clock.span())
    for timed in resolve(text, reference=reference) if _TIMELY.search(text) else ():
        if timed.kind in _TIMES and timed.timex != _NOW and not _WITHIN.match(text, timed.start):
            value, also = _time_keys(timed, text[timed.start : timed.end])
            found.add(_TIMES[timed.kind], value, (timed.start, timed.end), also=also)
    for code in _CODE.finditer(text):
        value = code[0].rstrip(".,;:!?")
        if not PLAIN.fullmatch(value) and not GLUED_NUMBER.fullmatch(value):
            found.add(AtomKind.CODE, _code_key(value), (code.start(), code.start() + len(value)))
    for one in numbers(_MARKER.sub(_blank, text)):
        found.add(AtomKind.NUMBER, one.value, (one.start, one.end), unit=one.unit, also=one.also)
    _add_names(found, text, names=names, known=known)
    return sorted(found.atoms, key=lambda atom: atom.start)


def _code_key(code: str) -> str:
    if _PHONE.fullmatch(code):
        return "".join(sign for sign in code if sign.isdecimal())
    return _VERSION.sub("", code.strip("`").casefold(), count=1) if _VERSION.match(code) else code.strip("`").casefold()


def _add_names(found: _Found, text: str, *, names: Names, known: Collection[str]) -> None:
    mentioned = [mention for mention in names(text) if mention.kind not in _NO_NAMES]
    for mention in mentioned:
        found.add(AtomKind.NAME, name_key(mention.text), (mention.start, mention.end))
    words = {*known, *(word for mention in mentioned for word in name_key(mention.text).split())}
    for capital in _CAPITAL.finditer(text):
        if capital[0][0].isupper() and (key := name_key(capital[0])) in words:
            found.add(AtomKind.NAME, key, capital.span())
    for capital in _MIDWAY.finditer(text):
        if (key := name_key(capital[0])) not in _FUNCTION:
            found.add(AtomKind.NAME, key, capital.span())


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _time_keys(timed: Timed, words: str) -> tuple[str, tuple[str, ...]]:
    """When it is, in one form, and other forms that mean the same: the end of a window that is open, the other month."""
    when = timed.when
    if when is None or (when.since is None and when.until is None):
        return (f"{timed.timex}:00" if len(timed.timex) == _HOURS_ONLY and timed.timex[0] == "T" else timed.timex), ()
    also = []
    if when.since is None or when.until is None or timed.kind == "date":
        also += [f"until {when.until:%Y-%m-%d}"] if when.until else []
        also += [f"since {when.since:%Y-%m-%d}"] if when.since else []
    if timed.timex.startswith("XXXX-") and timed.kind == "date":
        also.append(timed.timex)
    elif timed.kind == "date" and when.since and not _YEAR.search(words):
        also.append(f"XXXX-{when.since:%m-%d}")
    if slashed := _SLASHED.fullmatch(words):
        day, month = sorted((int(slashed[1]), int(slashed[3])))
        if when.since and 0 < day <= month <= 12:  # noqa: PLR2004  # months of a year
            for one, other in ((day, month), (month, day)):
                since = datetime(when.since.year, other, one, tzinfo=UTC)
                also.append(f"{since:%Y-%m-%dT%H:%M}/{since + timedelta(days=1):%Y-%m-%dT%H:%M}")
    return "/".join(f"{at:%Y-%m-%dT%H:%M}" if at else "" for at in (when.since, when.until)), tuple(also)


def name_key(name: str) -> str:
    """A name in its plain form: small letters, without titles and possessives."""
    words = [_POSSESSIVE.sub("", word.casefold().rstrip(".")) for word in _NAME_WORD.findall(name)]
    full = [SHORT_FORMS.get(word, word) for word in words]
    return " ".join(word for word in full if word not in _HONOURS)
