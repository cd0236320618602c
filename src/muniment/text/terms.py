"""Words as the index knows them: the same text gives the same terms whoever wrote it, in documents and in questions.

Rule of this file: linear time on any input, nothing in a text is an operator, and no word is ever an error.
Letters are compared in NFC and caseless; scripts without spaces are indexed by letters and pairs of letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from muniment.text import languages
from muniment.text.times import tells_time

LONGEST = 64
"""Characters of the longest term; a longer run is indexed in pieces of this length."""

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:[-_'./\\:@&][a-z0-9]+|,[0-9]{3}(?![0-9]))*(?:\+\+|#)?")
_PIECE = re.compile(r"[-_'./\\:@&]+")
_DENSE = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_WIDE = re.compile("[\uff00-\uffef]+")
_MOST_MARKS = 30
_HIGH = re.compile("[^\x00-\u02ff][^\x00-\u02ff]{30}")
_APOSTROPHES = str.maketrans(
    {"\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2011": "-", "\u00ad": None, "\u0640": None, "\u200d": None, "\u200c": None}
)
_ENDINGS = frozenset({"s", "d", "m", "ll", "re", "ve"})
_NEGATED = {"won": "will", "can": "can", "shan": "shall"}


ASKS = "?"
"""Index term of a passage that ends in a question."""
TELLS_TIME = "@"
"""Index term of a passage that says when something was."""
FIRST_PERSON = ("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselv")
"""Index terms of who speaks of themselves, in English."""

_ASKING = re.compile(r"[?\u061f\uff1f]['\"\u201d\u2019)\s]*(?:\[[^\]]{0,500}\]\s*)*$")


@dataclass(frozen=True, slots=True)
class QuestionTerm:
    """One word of a question and the index terms that count as it; any of them matches."""

    word: str
    forms: tuple[str, ...]


def terms(text: str) -> list[str]:
    """Index terms of a text, in order, repeats kept: stems of words, whole compounds beside their parts, pairs of CJK letters.

    Behind them stand the bare words of other languages than English where they differ, since a question may be in English.
    """
    found = list(_words(text))
    latin = languages.guess([w for w, kind in found if kind == _WORD])
    out: list[str] = []
    bare: list[str] = []
    plain: dict[str, list[int]] = {}
    for word, kind in found:
        if kind == _WORD:
            plain.setdefault(languages.language_of(word, latin), []).append(len(out))
        out.append(word)
    for language, places in plain.items():
        words = [out[place] for place in places]
        for place, word, stem in zip(places, words, languages.stems(words, language), strict=True):
            out[place] = _fold(stem)
            if language != languages.ENGLISH and (whole := _fold(word)) != out[place]:
                bare.append(whole)
    return [*out, *bare]


def passage_terms(text: str) -> list[str]:
    """What the index keeps of a passage: its terms, and the marks `ASKS` and `TELLS_TIME` where they hold."""
    marks = []
    if _ASKING.search(text[-600:]):
        marks.append(ASKS)
    if tells_time(text):
        marks.append(TELLS_TIME)
    return [*terms(text), *marks]


def question_terms(text: str, *, fall_back: bool = True) -> list[QuestionTerm]:
    """The words of a question worth looking for, each once, in order.

    Function words are left out, unless there is nothing else to `fall_back` on. A word's forms are its English stem, its
    stem in the language of the question, and the bare word; when nothing tells the language, its stems in all we know.
    """
    found = list(dict.fromkeys(_words(text, question=True)))
    latin = languages.guess([w for w, kind in found if kind == _WORD])
    telling = [(w, kind) for w, kind in found if kind != _WORD or not languages.is_function_word(w, latin)]
    seen: set[str] = set()
    out = []
    for word, kind in telling or (found if fall_back else ()):
        forms = tuple(f for f in (_forms(word, latin) if kind == _WORD else (word,)) if f not in seen)
        if forms:
            seen.update(forms)
            out.append(QuestionTerm(word, forms))
    return out


def _forms(word: str, latin: str | None) -> tuple[str, ...]:
    language = languages.language_of(word, latin)
    stems = [languages.stem(word, name) for name in dict.fromkeys((languages.ENGLISH, language))]
    if latin is None and language == languages.ENGLISH and word.isalpha():
        stems.extend(languages.latin_stems(word))
    return tuple(dict.fromkeys(map(_fold, (*stems, word))))


_WORD = 0  # stemmed
_EXACT = 1  # kept as it stands


def _words(text: str, *, question: bool = False) -> Iterator[tuple[str, int]]:
    """Words of a text with how each is indexed."""
    if text.isascii():
        pattern, folded = _ASCII_WORD, text.lower()
    else:
        pattern, folded = _any_word(), normal(text)
    for match in pattern.finditer(folded):
        run = match[0]
        if run.isalnum() and run.isascii():
            yield from _plain(run)
        else:
            yield from _compound(run, question=question)


def _plain(word: str) -> Iterator[tuple[str, int]]:
    """A word as it is, or in pieces when nobody would call it one."""
    if len(word) <= LONGEST:
        yield word, _WORD
    else:
        yield from ((word[i : i + LONGEST], _EXACT) for i in range(0, len(word), LONGEST))


def _compound(run: str, *, question: bool) -> Iterator[tuple[str, int]]:
    """The parts of a run that is more than one plain word, then the whole of it."""
    run = _uncontracted(run)
    parts = [p for p in _PIECE.split(run.rstrip("+#")) if p]
    if "," in run:
        yield run.replace(",", "")[:LONGEST], _EXACT
        return
    if len(parts) > 1 and all(len(p) == 1 and p.isalpha() for p in parts) and "." in run:
        yield from _plain("".join(parts))
        return
    for part in parts:
        yield from _scripts(part, question=question)
    if len(run) <= LONGEST and (len(parts) > 1 or (parts and run != parts[0] and run[-1] in "+#")):
        yield run.replace("-", ""), _EXACT


def _uncontracted(run: str) -> str:
    """A run without the English endings that are words of their own: 's, n't and their kin."""
    base, mark, ending = run.rpartition("'")
    if mark and ending in _ENDINGS:
        return base
    if mark and ending == "t" and base.endswith("n"):
        return _NEGATED.get(base, base[:-1])
    return run


def _scripts(part: str, *, question: bool) -> Iterator[tuple[str, int]]:
    if part.isascii():
        yield from _plain(part)
        return
    for piece in _scripts_of()[0].findall(part):
        if _scripts_of()[1].match(piece):
            yield from _dense(piece, question=question)
        elif "\u0590" <= piece[0] <= "\u06ff":
            yield from _plain("".join(c for c in piece if not _is_point(c)) or piece)
        else:
            yield from _plain(piece)


def _dense(run: str, *, question: bool) -> Iterator[tuple[str, int]]:
    """Letters and pairs of letters of a run without spaces; a question needs single letters only when there is just one."""
    letters = _letters(run)
    pairs = [a + b for a, b in pairwise(letters)]
    if not question or not pairs:
        yield from ((letter, _EXACT) for letter in letters)
    yield from ((pair, _EXACT) for pair in pairs)


def _letters(run: str) -> list[str]:
    """Base letters, each with the marks that belong to it."""
    out: list[str] = []
    for char in run:
        if out and unicodedata.category(char)[0] == "M":
            out[-1] += char
        else:
            out.append(char)
    return out


def is_blank(text: str) -> bool:
    """True when nothing in `text` can be seen: white space, controls and invisible characters only."""
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") for c in text)


def is_dense(text: str) -> bool:
    """True when `text` holds letters of a script written without spaces or capitals."""
    return not text.isascii() and bool(_scripts_of()[1].search(text))


def normal(text: str) -> str:
    """NFC and caseless, with typographic apostrophes, hyphens and full-width letters made plain, and mark pile-ups bounded."""
    if text.isascii():
        return text.lower()
    if _HIGH.search(text):
        text = _piles().sub(lambda m: m[0][:_MOST_MARKS], text)
    text = _WIDE.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    text = unicodedata.normalize("NFC", text).casefold().translate(_APOSTROPHES)
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _fold(word: str) -> str:
    """A word without the accents people leave out when they type: Latin and Greek letters, and the Cyrillic yo."""
    if word.isascii():
        return word
    if word[0] < "\u0400" or "\u1e00" <= word[0] <= "\u1fff":
        bare = "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c) != "Mn")
        return unicodedata.normalize("NFC", bare) or word
    return word.replace("\u0451", "\u0435")


def _is_point(char: str) -> bool:
    return "\u0591" <= char <= "\u05c7" or "\u064b" <= char <= "\u065f" or char == "\u0670"


@lru_cache(maxsize=1)
def _marks() -> str:
    """Combining marks as the inside of a character class. Python's word characters lack them, which would cut words apart."""
    return "".join(c for c in map(chr, range(0x300, 0x1E950)) if unicodedata.category(c)[0] == "M")


@lru_cache(maxsize=1)
def _piles() -> re.Pattern[str]:
    return re.compile(f"[{_marks()}]{{{_MOST_MARKS + 1},}}")


@lru_cache(maxsize=1)
def _any_word() -> re.Pattern[str]:
    word = rf"[\w{_marks()}]+"
    emoji = "[\u2600-\u27bf\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
    return re.compile(rf"{word}(?:[-'./\\:@&]{word}|,[0-9]{{3}}(?![0-9]))*(?:\+\+|#)?|{emoji}")


@lru_cache(maxsize=1)
def _scripts_of() -> tuple[re.Pattern[str], re.Pattern[str]]:
    dense = f"[{_DENSE}][{_DENSE}{_marks()}]*"
    return re.compile(f"{dense}|[^{_DENSE}]+"), re.compile(f"[{_DENSE}]")
