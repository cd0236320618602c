"""What a detector gives, what is done with each kind unless told otherwise, and the placeholder that stands for it.

Rule of this file: values and their spelling only. A placeholder has one form per kind and is never itself taken for a find.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from types import MappingProxyType

from muniment.knowledge.architecture import Keep
from muniment.knowledge.values import Sealed
from muniment.types import Scope, Turn

SECRET, CARD, IBAN, NATIONAL_ID = "secret", "card", "iban", "national_id"
EMAIL, IP, PHONE, ADDRESS, BIRTH_DATE = "email", "ip", "phone", "address", "birth_date"

KINDS = (SECRET, IBAN, CARD, NATIONAL_ID, EMAIL, IP, PHONE, BIRTH_DATE, ADDRESS)
"""Every kind that is looked for, the most specific first: of two that overlap, the earlier stands."""

DEFAULT_POLICY: Mapping[str, Keep] = MappingProxyType(
    {kind: Keep.MASK if kind in {SECRET, CARD, IBAN, NATIONAL_ID} else Keep.KEEP for kind in KINDS}
)
"""What nobody should find in a memory is masked; what a memory of a person is made of stays."""

PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(KINDS)})(?::[A-Za-z0-9_-]{{1,64}})?\]")
TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


def placeholders(text: str) -> tuple[str, ...]:
    """The placeholders in `text` that stand for a value which was kept, each once."""
    return tuple(dict.fromkeys(found for found in PLACEHOLDER.findall(text) if ":" in found))


Token = Callable[[str, str], str]
"""A kind and a value to a short name, always the same for the same value in one scope: letters, digits, - and _."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Characters `start` to `end` of a text are of this kind; `rule` says which detector saw it."""

    kind: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A find and what was done with it. The span is in the text as it was given."""

    kind: str
    start: int
    end: int
    action: Keep
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A text that may be written, what was found in it, and the values that were sealed.

    `refused` is "" or "pii:<kind>"; then `text` is empty, so that nothing of it can be written by mistake.
    """

    text: str
    found: tuple[Found, ...] = ()
    sealed: tuple[Sealed, ...] = ()
    refused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedTurn:
    """A turn that may be written, or `refused` with its reason ("pii:<kind>"); then the turn says nothing.

    `found` tells, per part of the turn ("text", "tool_calls[0].arguments", "metadata.note", "origin"), what was found and done;
    spans in arguments and metadata count from the start of the value they stand in.
    """

    turn: Turn
    found: tuple[tuple[str, Found], ...] = ()
    sealed: tuple[Sealed, ...] = ()
    refused: str = ""

    @property
    def note(self) -> str:
        """What a receipt says of it: how many of each kind were taken out, never what they were. Empty for none."""
        counts: dict[tuple[str, Keep], int] = {}
        for _, find in self.found:
            if find.action in {Keep.MASK, Keep.TOKENISE}:
                counts[find.kind, find.action] = counts.get((find.kind, find.action), 0) + 1
        done = {Keep.MASK: "masked", Keep.TOKENISE: "sealed"}
        return ", ".join(f"{count} {kind} {done[action]}" for (kind, action), count in counts.items())


def seal_token(secret: bytes, scope: Scope, kind: str, value: str) -> str:
    """What stands for a sealed value in a text: the same for the same value of a scope in one store, and no way back to it."""
    told = f"{scope}\0{kind}\0{value}".encode(errors="surrogatepass")
    return blake2b(told, key=secret[:64], digest_size=8).hexdigest()


def spelled(words: Iterable[str]) -> str:
    """A pattern for any of `words`, the longest first; words of scripts with spaces stand alone, others may touch letters."""
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(_bounded(word) for word in longest)


def _bounded(word: str) -> str:
    pattern = re.escape(word).replace(r"\ ", r"[ _]")
    return pattern if "\u0e00" <= word[-1] <= "\u0e7f" or word[-1] >= "\u3000" else rf"(?<![^\W_]){pattern}(?![^\W_])"


@cache
def _folds() -> dict[int, str]:
    """Digits of all scripts, full-width letters, dashes, quotes, blanks and invisible joins, each as one ASCII character."""
    table = {c: str(unicodedata.decimal(chr(c))) for c in range(128, sys.maxunicode + 1) if unicodedata.category(chr(c)) == "Nd"}
    table |= {c: chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)}
    table |= dict.fromkeys((0xAD, *range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63), "-")
    table |= dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'")
    table |= dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f"), '"')
    table |= {0x3002: "!", 0x3001: ","}  # ends a sentence, and is no decimal point
    return table | dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x2010), 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF), " ")


def folded(text: str) -> str:
    """`text` with digits, full-width letters, dashes and blanks in ASCII: as many characters, each in its place."""
    return text if text.isascii() else text.translate(_folds())
