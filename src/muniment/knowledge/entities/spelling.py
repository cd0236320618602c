"""Spellings compared: one normal form for what is written differently and means the same, and the digits, which never bend.

Rule of this file: folded forms serve comparison only, what is kept is as it was written. Marks are dropped where they are
ornament (Latin, Greek, Arabic, Hebrew), never where they make another letter (kana, Indic vowels).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from muniment.knowledge.entities.words import HONORIFICS, LETTERS, PLAIN_LETTERS

LONGEST = 200
"""Characters of a name that are compared; nothing longer is a name."""

KEPT = 8192
"""Names of which what was worked out is remembered, for each question asked of them."""

_WORD = re.compile(r"[^\W_]+")
_GAPS = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")
_APOSTROPHES = re.compile(r"['\u2019\u2018\u02bc`\u00b4]")
_POSSESSIVE = re.compile(r"['\u2019\u02bc]s?$")
_FOLDED = ((0x41, 0x24F), (0x370, 0x3FF), (0x1E00, 0x1FFF))
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "ø": "oe"})


def normal(text: str) -> str:
    """`text` for comparison: NFC, caseless, marks folded, apostrophes and invisible characters gone, single spaces."""
    return _normal(text[:LONGEST])


@lru_cache(maxsize=KEPT)
def _normal(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    if not text.isascii():
        text = _without_marks(unicodedata.normalize("NFKC", text))
        text = "".join(c for c in text if unicodedata.category(c) not in {"Cf", "Cs", "Cc"} or c.isspace())
    text = _APOSTROPHES.sub("", text.casefold()).translate(PLAIN_LETTERS)
    return _GAPS.sub(" ", text).strip()


def _without_marks(text: str) -> str:
    out: list[str] = []
    base = ""
    for char in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(char):
            base = char
        elif any(low <= ord(base or "\0") <= high for low, high in _FOLDED) or _ornament(char):
            continue
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out))


def _ornament(mark: str) -> bool:
    return "\u0591" <= mark <= "\u05c7" or "\u064b" <= mark <= "\u065f" or mark == "\u0670"


def words(text: str) -> tuple[str, ...]:
    """The normal words of a name; hyphens and dots are gaps, a possessive ending and an honorific of another script are gone."""
    return _words(text[:LONGEST])


@lru_cache(maxsize=KEPT)
def _words(text: str) -> tuple[str, ...]:
    plain = normal(_POSSESSIVE.sub("", text))
    if not plain.isascii():
        plain = next((plain[: -len(h)] for h in HONORIFICS if plain.endswith(h) and len(plain) > len(h)), plain)
    return tuple(_WORD.findall(plain))


def forms(text: str) -> tuple[str, ...]:
    """The ways a name may be written in plain letters, the usual one first: marks folded, umlauts spelled out, Latin letters."""
    return _forms(text[:LONGEST])


@lru_cache(maxsize=KEPT)
def _forms(text: str) -> tuple[str, ...]:
    plain = " ".join(words(text))
    if text.isascii():
        return (plain,)
    spelled = " ".join(words(unicodedata.normalize("NFC", text).translate(_SPELLED_OUT)))
    return tuple(dict.fromkeys((plain, spelled, plain.translate(LETTERS))))


def digits(text: str) -> tuple[str, ...]:
    """Every run of digits in `text`, in order: what has other ones is another thing."""
    return _digits(text[:LONGEST])


@lru_cache(maxsize=KEPT)
def _digits(text: str) -> tuple[str, ...]:
    return tuple(str(int(run)) if len(run) < LONGEST and run.isdecimal() else run for run in _DIGITS.findall(text))


def initials(parts: tuple[str, ...]) -> str:
    """First letters of the words."""
    return "".join(part[0] for part in parts)
